"""The page bugs.md: reduction beside ddSMT, groups of failures, planted bugs."""
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import time

from measure.pages import table
from measure.work import Unmeasured, section

DDSMT = "ddsmt==2.0.6"
# The campaigns: name, formulas, how many (and with --quick), solvers.
CAMPAIGNS = (
    ("first", ("--preset", "icse20", "--only", "constant", "--only", "term"), (800, 100), ("z3@4.8.0", "z3str3@4.8.0")),
    ("terms", ("--preset", "icse20", "--only", "term"), (200, 50), ("z3str3@4.8.5", "z3str3@4.8.6")),
    ("models", ("--preset", "full", "--only", "constant"), (300, 50), ("z3@4.8.12",)),
)
# How many failures of which kinds; of the names of a group, those that come first are taken first.
WANTED = (
    ((("wrong answer", ("wrong-unsat", "wrong-sat")),), 10),
    ((("invalid model", ("invalid-model",)),), 5),
    ((("crash", ("crash", "crash-after-answer")), ("slow", ("cpu-time", "wall-time"))), 5),
)
# The longest time for each reduction.
LIMIT = 600
# Seconds of CPU time that a slow script needs at least.
SLOW = 1


def ddsmt(m):
    """The program, in an environment of its own."""
    folder = m.work.folder / "ddsmt"
    if not (folder / "bin/ddsmt").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin/pip", "install", "-q", DDSMT], check=True)
    return folder / "bin/ddsmt"


def spread(items, count):
    """Some items, evenly spread."""
    return [items[i * len(items) // count] for i in range(min(count, len(items)))]


def failures(m):
    """Failures of old solvers, of each group those to choose from: campaign, kind, solver, instance, verdict. No formula occurs twice."""
    m.install([s for *_, solvers in CAMPAIGNS for s in solvers])
    runs = []
    for name, formulas, size, solvers in CAMPAIGNS:
        m.campaign(name, ["stringent", "test", *formulas, "--limit", m.size(*size), "--cpu-limit", 1, "--time-limit", 10, "--no-batch",
                          *(a for s in solvers for a in ("--solver", s))])
        runs += [(name, r) for r in sorted(m.runs(name), key=lambda r: (r["instance"], r["solver"]))]
    groups, taken = [], set()
    for kinds, count in WANTED:
        chosen = []
        for kind, verdicts in kinds:
            found = {}
            for name, r in runs:
                if r["kind"] in verdicts and r["instance"] not in taken:
                    found.setdefault(r["instance"], (name, kind, r["solver"], r["instance"], r["kind"]))
            first = spread([*found.values()], count)
            chosen += first + [f for f in found.values() if f not in first]
        groups.append((chosen, m.size(count, 1)))
        taken |= {f[3] for f in chosen}
    return groups


def certified(m, campaign, instance):
    """The script of an instance with its certificate: written again, since stores keep texts compressed."""
    suite = m.folder / f"{campaign}.suite"
    if not suite.exists():
        formulas = next(formulas for name, formulas, *_ in CAMPAIGNS if name == campaign)
        subprocess.run([m.work.program, "synth", *formulas, "--out", suite], check=True, capture_output=True)
    return (suite / f"{instance}.smt2").read_text()


def located(m, solver):
    """The program of a solver of the campaign."""
    name = solver.replace("z3str3", "z3")
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "stringent/solvers" / name / "bin/z3"


def counting(path, program, arguments=""):
    """A script that counts its calls and runs a program."""
    path.write_text(f"#!/bin/sh\necho >> {shlex.quote(str(path))}.calls\nexec {shlex.quote(str(program))} {arguments} \"$@\"\n")
    path.chmod(0o755)
    return path


def calls(path):
    log = pathlib.Path(f"{path}.calls")
    return len(log.read_text()) if log.exists() else 0


def by_ddsmt(m, folder, kind, text, program, option):
    """ddSMT on the script that was sent, with the usual ways to state each property; the result and its costs."""
    solver = counting(folder / "solver", program, option)
    cross = counting(folder / "cross", m.work.solvers["z3"])
    sent = folder / "sent.smt2"
    sent.write_text(text)
    answer = folder / "answer"
    if kind == "wrong answer":
        answer.write_text(f"#!/bin/sh\n{solver} \"$1\" 2>/dev/null | head -n 1\n")
        other = folder / "other"
        other.write_text(f"#!/bin/sh\n{cross} -T:5 \"$1\" 2>/dev/null | head -n 1\n")
        other.chmod(0o755)
        more = ["-c", other]
    elif kind == "invalid model":
        answer.write_text(f"#!/bin/sh\n{solver} \"$1\" > {folder}/out.$$ 2>/dev/null\n{m.work.program} eval \"$1\" --model {folder}/out.$$ >/dev/null 2>&1\n"
                          f"code=$?\nrm {folder}/out.$$\necho $code\n")
        more = []
    elif kind == "slow":
        # The kernel ends it after this CPU time: a busy machine decides nothing here either.
        answer.write_text(f"#!/bin/sh\nulimit -t {SLOW}\n{solver} \"$1\" >/dev/null 2>&1\n")
        more = ["--timeout", 60, "--ignore-output"]
    else:
        answer.write_text(f"#!/bin/sh\n{solver} -T:2 \"$1\" >{folder}/out.$$ 2>&1\ncode=$?\ngrep -o 'ASSERTION VIOLATION\\|File: .*\\|error.*' {folder}/out.$$ | head -n 1\n"
                          f"rm {folder}/out.$$\nexit $code\n")
        more = []
    answer.chmod(0o755)
    start, out = time.monotonic(), folder / "ddsmt.smt2"
    command = [ddsmt(m), "-j", "1", *more, sent, out, answer]
    try:
        subprocess.run([*map(str, command)], capture_output=True, timeout=LIMIT)
        ended = True
    except subprocess.TimeoutExpired:
        ended = False
    seconds = time.monotonic() - start
    result = out.read_text() if out.exists() else text
    valid = subprocess.run([m.work.program, "check", "-"], input=result, capture_output=True, text=True).returncode == 0
    return {"bytes": size(result), "calls": calls(solver) + calls(cross), "seconds": seconds, "valid": valid, "ended": ended, "text": result}


def size(text):
    """Bytes of the formula: without comments, settings, and requests for values, models and cores."""
    skipped = ("(set-", "(get-", ";", "(exit")
    return sum(len(line) for line in text.splitlines(keepends=True) if not line.startswith(skipped))


def by_stringent(m, folder, kind, script, program, profile):
    """The verb reduce on the script with its certificate."""
    solver = counting(folder / "mine", program)
    source = folder / "original.smt2"
    source.write_text(script)
    keep = {"wrong answer": ["--keep", "wrong"], "invalid model": ["--keep", "model"], "crash": [], "slow": ["--keep", f"slow={SLOW}"]}[kind]
    command = [m.work.program, "reduce", source, "--solver", f"{profile}={solver}", *keep, "--jobs", "1", "--format", "json",
               "--out", folder / "reduced.smt2", "--budget", LIMIT]
    start = time.monotonic()
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, cwd=folder)
    seconds = time.monotonic() - start
    if not done.stdout.startswith("{"):
        return {"bytes": None, "calls": calls(solver), "seconds": seconds, "valid": True, "ended": False, "text": done.stderr}
    report = json.loads(done.stdout)
    result = (folder / "reduced.smt2").read_text() if (folder / "reduced.smt2").exists() else ""
    valid = subprocess.run([m.work.program, "check", "-"], input=result, capture_output=True, text=True).returncode == 0
    return {"bytes": size(result), "calls": calls(solver), "seconds": seconds, "valid": valid, "ended": True, "text": result, "report": report}


@section("bugs", "ddsmt", 40, "z3", "cvc5")
def beside_ddsmt(m):
    rows, pairs, lost = [], [], 0
    for g, (chosen, count) in enumerate(failures(m)):
        compared = 0
        for n, failure in enumerate(chosen):
            if compared == count:
                break
            found = both(m, m.folder / f"{g}-{n:02}", *failure)
            us, them = found["us"], found["them"]
            if us["bytes"] is None and them["bytes"] >= found["from"]:
                lost += 1
                continue
            compared += 1
            pairs.append((us, them))
            rows.append([failure[4], failure[2], found["from"], us["bytes"] or "–", them["bytes"], us["calls"], them["calls"],
                         f"{us['seconds']:.1f}", f"{them['seconds']:.1f}", "yes" if them["valid"] else "no"])
    if not rows:
        raise Unmeasured("no failure was found")
    head = ["failure", "solver", "bytes", "reduce", "ddSMT", "calls", "ddSMT", "s", "ddSMT", "ddSMT: valid SMT-LIB"]
    return table(head, rows) + "\n\n" + summary(pairs, lost)


def both(m, folder, campaign, kind, solver, instance, _):
    """Both programs on a failure; kept for a measurement that goes on."""
    kept = folder / "result.json"
    if not kept.exists():
        folder.mkdir(exist_ok=True)
        profile, program = solver.rsplit("-", 1)[0], located(m, solver)
        option = "smt.string_solver=z3str3" if profile == "z3str3" else ""
        extract = [m.work.program, "report", f"{campaign}.store", "--solver", solver, "--extract", instance]
        sent = subprocess.run(extract, cwd=m.folder, capture_output=True, text=True).stdout
        us = by_stringent(m, folder, kind, certified(m, campaign, instance), program, profile)
        them = by_ddsmt(m, folder, kind, sent, program, option)
        kept.write_text(json.dumps({"us": us, "them": them, "from": size(sent)}))
    return json.loads(kept.read_text())


def summary(pairs, lost):
    """What the table shows; a failure that `reduce` did not keep counts as larger."""
    kept = [(u, t) for u, t in pairs if u["bytes"] is not None]
    smaller = sum(u["bytes"] <= t["bytes"] for u, t in kept)
    calls = [t["calls"] / max(1, u["calls"]) for u, t in kept]
    times = [t["seconds"] / u["seconds"] for u, t in kept]
    five = sum(max(c, s) >= 5 for c, s in zip(calls, times))
    left = f" Left out, since neither program kept the failure: {lost}." if lost else ""
    return (f"Smaller or equal: {smaller} of {len(pairs)}. Median ratio of solver calls {statistics.median(calls):.1f}, of time {statistics.median(times):.1f}; "
            f"at least 5 times fewer calls or less time in {five} of {len(pairs)}. "
            f"Valid SMT-LIB: {sum(u['valid'] for u, _ in pairs)} and {sum(t['valid'] for _, t in pairs)}.{left}")
