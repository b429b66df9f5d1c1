"""Versions of packages from the index, each in a folder of its own (`pip install --target`), outside of the repository."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CACHE = Path(os.environ.get("STRINGENT_PACKAGES") or Path.home() / ".cache" / "stringent" / "python")
# The Python that runs every engine and the referee.
PYTHON = os.environ.get("STRINGENT_PYTHON") or sys.executable


def folder(package: str, version: str) -> Path:
    """The folder of this version, installed on first use, its dependencies included."""
    path = CACHE / f"{package}-{version}"
    if not (path / ".complete").exists():
        command = [PYTHON, "-m", "pip", "install", "--quiet", "--no-compile", "--target", str(path)]
        subprocess.run([*command, f"{package}=={version}"], check=True)
        (path / ".complete").touch()
    return path
