"""The examples of the documents run as they are printed."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)


@pytest.mark.parametrize(("name", "least"), [("python.md", 15), ("python-explore.md", 4)])
def test_manual(name: str, least: int) -> None:
    text = (ROOT / "docs" / name).read_text()
    blocks = [block for block in BLOCK.findall(text) if block.startswith(">>>")]
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, None, 0)
    output: list[str] = []
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=output.append)
    assert results.failed == 0 and results.attempted >= least, "".join(output)


@pytest.mark.parametrize("number", [0, 1])
def test_readme(tmp_path: Path, number: int) -> None:
    blocks = BLOCK.findall((ROOT / "python/README.md").read_text())
    example = tmp_path / "example.py"
    example.write_text(blocks[number])
    done = subprocess.run(
        [sys.executable, str(example)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONUTF8": "1"},
    )
    assert done.returncode == 0, done.stderr
    expected = ["{'tag': 'v²'} raises ValueError", "user="][number]
    assert expected in done.stdout


def test_package_docstring() -> None:
    import stringent_smt

    assert doctest.testmod(stringent_smt).failed == 0
