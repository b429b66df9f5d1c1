"""The recorded queries as a family of SMT-LIB files, and solvers and strategies on them.

python -m experiments.queries collect coverage-results queries     # files of distinct queries, up to the names of variables
python -m experiments.queries solve queries --seconds 2            # z3, cvc5, built-in; the strategies of the CAV'17 paper
python -m experiments.queries table queries                        # tables, queries.svg, expected answers in the files

`collect` reads what `python -m experiments.coverage` has recorded (the queries of our engine with the built-in solver). `solve` runs one process for each file and solver, one after the other, with a limit of CPU time; what is there
already is not run again. An expected answer is written if two of three independent solvers (built-in, z3, cvc5) agree on it
and nobody contradicts.
"""

from __future__ import annotations

import argparse
import collections
import hashlib
import json
import os
import re
import resource
import signal
import subprocess
import time
from pathlib import Path

from experiments import plot
from stringent_smt.process import find_command

_TOKEN = re.compile(r'"(?:[^"]|"")*"|\|[^|]*\||[^\s()"|]+')
_DECLARATION = re.compile(r"\(declare-const (\|[^|]*\||\S+) (\w+)\)")
STRATEGIES = ("base", "+s", "+f", "+fs", "auto")
SOLVERS = (*STRATEGIES, "z3", "cvc5")


def renamed(text: str) -> str:
    """The query with variables named by their first occurrence."""
    sorts = dict(_DECLARATION.findall(text))
    asserts = [line for line in text.splitlines() if line.startswith("(assert")]
    names: dict[str, str] = {}

    def name(match: re.Match[str]) -> str:
        token = match[0]
        if token in sorts:
            return names.setdefault(token, f"v{len(names)}")
        return token

    body = [_TOKEN.sub(name, line) for line in asserts]
    head = [f"(declare-const {new} {sorts[old]})" for old, new in names.items()]
    return "\n".join(["(set-logic QF_SLIA)", *head, *body, "(check-sat)", ""])


def collect(source: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    seen: set[str] = set()
    recorded = 0
    for file in sorted(source.glob("*.queries")):
        for line in file.read_text(encoding="utf-8").splitlines():
            recorded += 1
            text = renamed(json.loads(line)["script"])
            key = hashlib.sha256(text.encode()).hexdigest()[:12]
            if key not in seen:
                seen.add(key)
                (folder / f"{file.name.split('.stringent')[0]}-{key}.smt2").write_text(text, encoding="utf-8")
    print(f"{recorded} queries, {len(seen)} up to the names of variables")


def command(solver: str) -> list[str]:
    if solver in STRATEGIES:
        return [*find_command("stringent"), "--strategy", solver]
    found = find_command(solver)[:1]
    return [*found, "--strings-exp"] if solver == "cvc5" else found


def ask(solver: str, file: Path, seconds: float) -> tuple[str, float]:
    """The answer and the CPU time."""

    def limits() -> None:
        signal.setitimer(signal.ITIMER_PROF, seconds)  # stays set in the solver, ends it by a signal

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(
            [*command(solver), str(file)],
            capture_output=True,
            text=True,
            timeout=30 * seconds + 30,
            preexec_fn=limits,
        )
        answer = (done.stdout.split() or ["stopped"])[0]
    except subprocess.TimeoutExpired:
        answer = "stopped"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (answer if answer in ("sat", "unsat") else "unknown"), round(used, 4)


def solve(folder: Path, seconds: float, minutes: float) -> None:
    results = folder / "results.jsonl"
    done = {json.loads(line)["file"] for line in results.read_text().splitlines()} if results.exists() else set()
    end = time.monotonic() + 60 * minutes
    files = sorted(folder.glob("*.smt2"), key=lambda file: file.stem.rpartition("-")[2])
    with open(results, "a") as out:
        for file in files:
            if file.name in done:
                continue
            if time.monotonic() > end:
                break
            answers = {solver: ask(solver, file, seconds) for solver in SOLVERS}
            out.write(json.dumps({"file": file.name, "answers": answers}) + "\n")
            out.flush()


def table(folder: Path) -> None:
    records = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    kinds: collections.Counter[str] = collections.Counter()
    points: dict[str, list[float]] = {solver: [] for solver in SOLVERS}
    given: collections.Counter[tuple[str, str]] = collections.Counter()
    for record in records:
        answers = record["answers"]
        known = {status for status, _ in answers.values()} - {"unknown"}
        if len(known) > 1:
            print("disagreement:", record["file"], answers)
            kinds["disagreement"] += 1
            continue
        opinions = [answers[solver][0] for solver in ("auto", "z3", "cvc5") if answers[solver][0] != "unknown"]
        if len(opinions) >= 2:
            status = opinions[0]
            kinds[f"{status} by {'all three' if len(opinions) == 3 else 'two'}"] += 1
            path = folder / record["file"]
            text = path.read_text(encoding="utf-8")
            if ":status" not in text:
                logic = "(set-logic QF_SLIA)\n"
                path.write_text(text.replace(logic, f"{logic}(set-info :status {status})\n", 1), encoding="utf-8")
        else:
            kinds["answered by one or none"] += 1
        for solver, (status, seconds) in answers.items():
            given[solver, status] += 1
            if status != "unknown":
                points[solver].append(seconds)
    print(f"{len(records)} queries:", ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())))
    print("\n| | sat | unsat | solved | not solved | CPU s on the solved | median ms | CPU s, all |")
    print("|---|" + "---:|" * 7)
    for solver in SOLVERS:
        times = sorted(points[solver])
        whole = sum(record["answers"][solver][1] for record in records)
        median = 1000 * times[len(times) // 2] if times else 0
        cells = [given[solver, "sat"], given[solver, "unsat"], len(times), len(records) - len(times)]
        cells += [f"{sum(times):.1f}", f"{median:.0f}", f"{whole:.1f}"]
        print(f"| {solver} | " + " | ".join(map(str, cells)) + " |")
    series = {}
    for solver in SOLVERS:
        total, curve = 0.0, [(0.0, 0.0)]
        for number, seconds in enumerate(sorted(points[solver]), 1):
            total += seconds
            curve.append((float(number), total))
        step = max(1, len(curve) // 400)
        series[solver] = [*curve[:-1:step], curve[-1]]
    svg = plot.lines(
        f"{len(records)} recorded queries", "queries solved, the easiest first", "CPU seconds, sum", series
    )
    (folder / "queries.svg").write_text(svg)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("collect")
    one.add_argument("source", type=Path)
    one.add_argument("folder", type=Path)
    two = commands.add_parser("solve")
    two.add_argument("folder", type=Path)
    two.add_argument("--seconds", type=float, default=2.0, help="CPU time of a query")
    two.add_argument("--minutes", type=float, default=1e6, help="stop after this time")
    commands.add_parser("table").add_argument("folder", type=Path)
    args = parser.parse_args()
    os.environ.setdefault("LC_ALL", "C")
    if args.command == "collect":
        collect(args.source, args.folder)
    elif args.command == "solve":
        solve(args.folder, args.seconds, args.minutes)
    else:
        table(args.folder)


if __name__ == "__main__":
    main()
