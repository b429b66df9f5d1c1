"""Which engine finds the known bugs of bugs.toml.

python -m experiments.find --seconds 300 --folder bug-results

Each engine runs on the check of each bug for the same CPU time, or until it has found the bug. The inputs that it has executed are called again, on plain values and the code as it is: a bug is found if an exception leaves the check, and none does with the fixed
version. The time is that of the first such input. What is in the folder already is not run again.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from experiments.coverage import NAMES
from experiments.fixed import Fixed
from experiments.packages import PYTHON
from experiments.run import drive, environment, summary
from experiments.subjects import bugs, find


def _stopped(*_: Any) -> None:
    raise TimeoutError


def replay(name: str, path: Path, seconds: float) -> dict[str, Any]:
    """The first input on which an exception leaves the check, and none with the fixed version."""
    check, _ = find(name).load()
    fixed = Fixed(name)
    signal.signal(signal.SIGALRM, _stopped)
    for line in path.read_text(encoding="ascii").splitlines():
        record = json.loads(line) if line.endswith("}") else {}
        if "input" not in record or record["at"] > seconds:
            continue
        signal.alarm(5)
        try:
            check(**record["input"])
        except TimeoutError:
            pass
        except Exception as error:
            signal.alarm(0)
            if not fixed.passes(record["input"]):
                continue
            return {"at": record["at"], "input": record["input"], "error": f"{type(error).__name__}: {error}"[:200]}
        finally:
            signal.alarm(0)
    return {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=300.0, help="CPU time of an engine on a bug")
    parser.add_argument("--stretch", type=float, default=1.0, help="factor of wall-clock limits, on a busy machine")
    parser.add_argument("--folder", type=Path, default=Path("bug-results"))
    parser.add_argument("--engines", default="stringent,crosshair,hypothesis")
    parser.add_argument("--only", default="", help="bugs whose name contains this")
    parser.add_argument("--no-run", action="store_true", help="only the table of what was run")
    parser.add_argument("--replay", nargs=2, metavar=("BUG", "FILE"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.replay:
        out = sys.stdout
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        found = replay(args.replay[0], Path(args.replay[1]), args.seconds)
        out.write(json.dumps(found) + "\n")
        return
    engines = args.engines.split(",")
    rows = []
    sums = dict.fromkeys(engines, 0)
    for bug in bugs():
        if args.only not in bug.name:
            continue
        cells = []
        for engine in engines:
            file = args.folder / f"{bug.name}.{engine}.jsonl"
            if not file.exists() and args.no_run:
                cells.append("not run")
                continue
            if not file.exists():
                drive(engine, bug, file, args.seconds, args.stretch, ("--first",))
            command = [
                PYTHON,
                "-m",
                "experiments.find",
                "--replay",
                bug.name,
                str(file),
                "--seconds",
                str(args.seconds),
            ]
            done = subprocess.run(command, env=environment(), capture_output=True, text=True)
            found = json.loads(done.stdout or "{}")
            sums[engine] += bool(found)
            known = f"{found['at']:.1f} s" if found else f"– ({summary(file)['executions']} inputs)"
            cells.append(known)
            print(bug.name, engine, found or "–", done.stderr[-200:], flush=True)
        rows.append(f"| {bug.name} | {' | '.join(cells)} |")
    print(f"\n| bug | {' | '.join(NAMES[e] for e in engines)} |\n" + "|---" * (len(engines) + 1) + "|")
    print("\n".join(rows))
    print(f"| found of {len(rows)} | {' | '.join(str(sums[e]) for e in engines)} |")


if __name__ == "__main__":
    main()
