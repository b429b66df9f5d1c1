"""Coverage of the functions of targets.toml, by each engine in the same CPU time.

python -m experiments.coverage --seconds 10 --folder results

Runs each engine on each function in a process of its own, one after the other, lets the referee replay the inputs, and writes table.md, results.json and coverage.svg. What is in the folder already is not run again. Engines: ours
with three solvers (stringent, z3, cvc5), crosshair, hypothesis. $STRINGENT_BINARY is the built-in solver.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from pathlib import Path
from typing import Any

from experiments import plot
from experiments.drive import ENGINES
from experiments.packages import PYTHON
from experiments.run import drive, environment, summary
from experiments.subjects import Subject, targets

NAMES = {
    "stringent": "ours, built-in",
    "z3": "ours, z3",
    "cvc5": "ours, cvc5",
    "crosshair": "CrossHair",
    "hypothesis": "Hypothesis",
}


def measure(subject: Subject, engines: list[str], args: argparse.Namespace) -> dict[str, Any]:
    """The coverage and the counts of one function."""
    files = {engine: args.folder / f"{subject.name}.{engine}.jsonl" for engine in engines}
    for engine, file in files.items():
        if not file.exists():
            queries = ("--queries", str(file.with_suffix(".queries"))) if engine == "stringent" else ()
            drive(engine, subject, file, args.seconds, args.stretch, queries)
    output = args.folder / f"{subject.name}.json"
    command = [PYTHON, "-m", "experiments.referee", subject.name, *(f"{e}={f}" for e, f in files.items() if f.exists())]
    command += ["--output", str(output), "--seconds", str(args.seconds)]
    subprocess.run(command, env=environment(), check=True)
    found: dict[str, Any] = json.loads(output.read_text())
    found["counts"] = {engine: summary(file) for engine, file in files.items()}
    return found


def table(results: dict[str, dict[str, Any]], engines: list[str]) -> str:
    """Lines and branches of each function, sums, and counts of our engine."""
    out = [f"| function | lines, branches | {' | '.join(NAMES[e] for e in engines)} |"]
    out.append("|---" * (len(engines) + 2) + "|")
    sums = {engine: [0, 0] for engine in engines}
    whole = [0, 0]
    for name, found in results.items():
        whole = [whole[0] + found["lines"], whole[1] + found["branches"]]
        cells = []
        for engine in engines:
            _, lines, branches = found["engines"].get(engine, [[0, 0, 0]])[-1]
            sums[engine] = [sums[engine][0] + lines, sums[engine][1] + branches]
            cells.append(f"{lines} · {branches}" + (" ✓" if found["counts"][engine].get("complete") else ""))
        out.append(f"| {name} | {found['lines']} · {found['branches']} | {' | '.join(cells)} |")
    cells = [f"**{lines} · {branches}**" for lines, branches in sums.values()]
    out.append(f"| sum | {whole[0]} · {whole[1]} | {' | '.join(cells)} |")
    out += [
        "",
        "| engine | functions finished | executions | queries | sat | unsat | unknown | s in queries, wall | findings |",
    ]
    out.append("|---" * 9 + "|")
    for engine in engines:
        counts = [found["counts"][engine] for found in results.values()]
        total = {key: sum(c.get(key, 0) for c in counts) for key in ("executions", "sat", "unsat", "unknown")}
        seconds = sum(c.get("query_seconds", 0) for c in counts)
        findings = sum(len(c.get("findings", ())) for c in counts)
        done = sum(bool(c.get("complete")) for c in counts)
        queries = total["sat"] + total["unsat"] + total["unknown"]
        cells = [NAMES[engine], f"{done}", f"{total['executions']}"]
        cells += (
            [f"{v}" for v in (queries, total["sat"], total["unsat"], total["unknown"], f"{seconds:.0f}", findings)]
            if queries
            else ["–"] * 6
        )
        out.append(f"| {' | '.join(cells)} |")
    return "\n".join([*out, ""])


def curves(results: dict[str, dict[str, Any]], engines: list[str], seconds: float) -> str:
    """Branches of all functions over the time."""
    series = {}
    for engine in engines:
        runs = [found["engines"][engine] for found in results.values() if engine in found["engines"]]
        points = [(step[0][0], sum(p[2] for p in step)) for step in zip(*runs, strict=True)]
        series[NAMES[engine]] = [(0.0, 0.0), *points]
    return plot.lines(
        f"Branches of {len(results)} functions, {seconds:g} s each", "CPU seconds for each function", "branches", series
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0, help="CPU time of an engine on a function")
    parser.add_argument("--stretch", type=float, default=1.0, help="factor of wall-clock limits, on a busy machine")
    parser.add_argument("--folder", type=Path, default=Path("coverage-results"))
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--only", default="", help="functions whose name contains this")
    args = parser.parse_args()
    engines = args.engines.split(",")
    results: dict[str, dict[str, Any]] = {}
    for subject in targets():
        if args.only in subject.name:
            results[subject.name] = measure(subject, engines, args)
            last = {e: results[subject.name]["engines"].get(e, [[]])[-1][1:] for e in engines}
            print(subject.name, results[subject.name]["lines"], results[subject.name]["branches"], last, flush=True)
            (args.folder / "results.json").write_text(json.dumps(results))
            (args.folder / "table.md").write_text(table(results, engines))
            (args.folder / "coverage.svg").write_text(curves(results, engines, args.seconds))
    print(table(results, engines))


if __name__ == "__main__":
    main()
