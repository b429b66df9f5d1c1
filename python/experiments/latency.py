"""The time of small queries through the package, and of the same queries in one script.

usage: python -m experiments.latency [--queries N] [SOLVER...]

Each query adds one assertion on a new level to a short path, checks, and pops. The difference between the two
times is the price of the package: terms, their text, two pipes, the answer. The processor time of Python alone does not
depend on what else the machine does.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import time

from stringent_smt import Integer, Solver, String, sat
from stringent_smt.process import find_command

x, n = String("x"), Integer("n")
PATH = (x.startswith("GET "), x.length() < 20, n == x.find(" ", 4))


def through_package(name: str, queries: int, with_model: bool) -> tuple[list[float], float]:
    """Seconds of each query, and processor seconds of Python for a query on average."""
    times = []
    with Solver(name) as solver:
        solver.add(*PATH)
        assert solver.check() == sat
        used = time.process_time()
        for i in range(queries):
            start = time.perf_counter()
            solver.push()
            solver.add(x[4] == chr(97 + i % 26))
            assert solver.check() == sat
            if with_model:
                assert solver.model()[x].startswith("GET ")
            solver.pop()
            times.append(time.perf_counter() - start)
        used = time.process_time() - used
    return times, used / queries


def in_one_script(name: str, queries: int) -> float:
    """Seconds of a query on average, when all come from one file."""
    with Solver(name) as solver:
        solver.add(*PATH)
        lines = [solver.smt2()]
    for i in range(queries):
        lines.append(f"(push 1)(assert {(x[4] == chr(97 + i % 26)).smt2()})(check-sat)(pop 1)")
    script = "\n".join(["(set-option :produce-models true)", *lines])
    empty = "\n".join(["(set-option :produce-models true)", lines[0]])
    seconds = []
    for text in (empty, script):
        start = time.perf_counter()
        done = subprocess.run(find_command(name), input=text, capture_output=True, text=True, check=True)
        seconds.append(time.perf_counter() - start)
    assert done.stdout.split() == ["sat"] * (queries + 1)
    return (seconds[1] - seconds[0]) / queries


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=1000, metavar="N")
    parser.add_argument("solvers", nargs="*", default=["stringent", "z3", "cvc5"], metavar="SOLVER")
    args = parser.parse_args()
    print("| solver | in one script | package, median | 95 % | Python alone | with model, median | Python alone |")
    print("|---|---|---|---|---|---|---|")
    for name in args.solvers:
        script = in_one_script(name, args.queries)
        plain, plain_used = through_package(name, args.queries, False)
        model, model_used = through_package(name, args.queries, True)
        cells = [script, statistics.median(plain), statistics.quantiles(plain, n=20)[-1], plain_used]
        cells += [statistics.median(model), model_used]
        print(f"| {name} | " + " | ".join(f"{cell * 1e6:.0f} µs" for cell in cells) + " |")


if __name__ == "__main__":
    main()
