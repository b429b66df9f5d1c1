"""Runs a solver on a benchmark set, one file at a time, and compares its answers with the expected ones.

The set is a folder with `index.tsv`: columns file, suite, expected, ncheck (check-sats in the file), and z3 and cvc5, which have the
answers that these gave. Answers are written `sat`, `unsat`, `unknown`, several as `sat*3,unsat`. Limits are CPU time, so that other work on the
machine matters less.
"""
import csv
import math
import os
import pathlib
import re
import resource
import signal
import subprocess

MEMORY = 4 * 2**30
# Wall-clock time in units of the limit, for a process that waits.
PATIENCE = 30


def answers(text):
    """`sat*3,unsat` as a list; what is not an answer ends it."""
    out = []
    for part in re.split(r"[,+]", text):
        found = re.fullmatch(r"(sat|unsat|unknown)(?:\*(\d+))?", part)
        if not found:
            break
        out += [found[1]] * int(found[2] or 1)
    return out


def index(folder):
    place = next((p for p in (folder, folder / "dev") if (p / "index.tsv").exists()), None)
    if place is None:
        raise OSError(f"{folder}: no index.tsv")
    with open(place / "index.tsv", encoding="utf8") as f:
        return place, list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))


def run(command, seconds):
    """The answers that a command prints within the limit, and the CPU time it took."""
    def limited():
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 1))

    def used():
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime

    before = used()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limited)
    try:
        out, _ = process.communicate(timeout=PATIENCE * seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, _ = process.communicate()
    lines = (line.strip() for line in out.decode("utf8", "replace").splitlines())
    return [a for a in lines if a in ("sat", "unsat", "unknown")], used() - before


def decided(found, checks):
    return sum(a != "unknown" for a in found) >= max(1, checks)


def score(folder, command, seconds, suites=None, every=1, only=None):
    """One row per file: suite, `solved`, `open` or `wrong`, time, and whether z3 and cvc5 solved it by the index."""
    place, rows = index(pathlib.Path(folder))
    out = []
    for r in [r for r in rows if (not suites or r["suite"] in suites) and (only is None or r["file"] in only)][::every]:
        checks = int(r["ncheck"] or 1)
        found, took = run([*command, str(place / r["file"])], seconds)
        wrong = any({w, a} == {"sat", "unsat"} for w, a in zip(answers(r["expected"]), found))
        verdict = "wrong" if wrong else "solved" if decided(found, checks) else "open"
        out.append({"file": r["file"], "suite": r["suite"], "verdict": verdict, "seconds": took,
                    "z3": decided(answers(r["z3"]), checks), "cvc5": decided(answers(r["cvc5"]), checks)})
    return out
