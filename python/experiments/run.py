"""Starts engines on functions, each for the same CPU time, one after the other."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from experiments.cpu import cpu
from experiments.packages import HERE, PYTHON
from experiments.subjects import Subject

_GRACE = 3.0
_START = 60.0


def environment() -> dict[str, str]:
    """The environment of engines: this package first, one hash seed."""
    source = HERE.parent / "src"
    return {
        **os.environ,
        "PYTHONPATH": f"{HERE.parent}:{source}",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def _descendants(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [p for child in children for p in (int(child), *_descendants(int(child)))]


def drive(
    engine: str, subject: Subject, output: Path, seconds: float, stretch: float, extra: tuple[str, ...] = ()
) -> None:
    """Runs an engine until it ends or its time is over."""
    output.parent.mkdir(parents=True, exist_ok=True)
    command = [PYTHON, "-m", "experiments.drive", engine, subject.name, str(output)]
    command += ["--seconds", str(seconds), "--stretch", str(stretch), *extra]
    with open(output.with_suffix(".err"), "wb") as errors:
        child = subprocess.Popen(
            command, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors
        )
        begin: float | None = None
        while child.poll() is None:
            time.sleep(0.1)
            used = cpu(child.pid)
            if begin is None or used - begin > seconds:
                begin = _last_start(output)
            limit = _START if begin is None else begin + seconds + _GRACE
            if used > limit:
                for pid in [*_descendants(child.pid), child.pid]:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
        child.wait()


def _last_start(output: Path) -> float | None:
    found = None
    try:
        with open(output, encoding="ascii") as file:
            for _ in range(2):
                line = file.readline()
                if line.startswith('{"start"') and line.endswith("\n"):
                    found = json.loads(line)["start"]
    except OSError:
        return None
    return found


def summary(output: Path) -> dict[str, Any]:
    """The last record of an engine, empty if it was stopped."""
    lines = output.read_text(encoding="ascii").splitlines() if output.exists() else []
    record: dict[str, Any] = json.loads(lines[-1]) if lines and lines[-1].startswith('{"end"') else {}
    record.setdefault("executions", sum('"input"' in line for line in lines))
    return record
