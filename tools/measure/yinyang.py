"""yinyang (opfuzz and semantic fusion): seeds, runs, and its bug files as scripts that `stringent run` judges.

yinyang compares the answer of a solver with that of another one (opfuzz) or with the label of its seeds (fusion), and copies the script into a
folder. What counts here is what the judge of campaigns says of these scripts, so that all programs are measured alike.
"""
import pathlib
import re
import shutil
import subprocess
import sys

from measure.work import pinned

PACKAGE = "yinyang==0.3.0"
# Each part: program, label of the seeds, share of the time.
PARTS = (("opfuzz", None, 0.5), ("yinyang", "sat", 0.25), ("yinyang", "unsat", 0.25))
# A run ends after this time and is started again: yinyang gives up on all seeds after 32 time limits in a run.
SLICE = 60
# Mutants of a seed, fewer than its defaults (300 and 30), so that many seeds are used in a short time.
ITERATIONS = {"opfuzz": 30, "yinyang": 10}
# What solvers of other kinds reject, and commands that are not about the formula.
DROPPED = re.compile(r"^\((set-logic|set-info|set-option|get-\w+|exit|echo|check-sat-using)\b")


def programs(m):
    """The folder of the programs, in an environment of their own."""
    folder = m.work.folder / "yinyang"
    if not (folder / "bin/opfuzz").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin/pip", "install", "-q", PACKAGE], check=True)
    return folder / "bin"


def seeds(m):
    """The seeds in the names of 2.6 with one check and no settings: all, and by their label."""
    folder = m.work.folder / "yinyang-seeds"
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        for name in ("all", "sat", "unsat"):
            (folder / name).mkdir(parents=True)
        for file in sorted(m.work.given("seeds").rglob("*.smt2")):
            prepare(m, file, folder)
        (folder / "done").touch()
    return folder


def prepare(m, file, folder):
    done = subprocess.run([m.work.program, "convert", "--to", "2.6", file], capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if not DROPPED.match(line)]
    if done.returncode or sum(line.startswith("(check-sat") for line in lines) != 1 or "(push" in done.stdout:
        return
    text = "(set-logic ALL)\n" + "\n".join(lines) + "\n"
    name = f"{file.parent.name}-{file.name}"
    (folder / "all" / name).write_text(text)
    label = re.search(r":status\s+(sat|unsat)\b", file.read_text(errors="replace"))
    if label:
        (folder / label[1] / name).write_text(text)


def command(m, solver, program, path):
    """Writes a script that runs a solver as yinyang's documents propose: models are checked by the solver."""
    name, version = solver.split("@")
    options = {"z3": "model_validate=true", "z3str3": "smt.string_solver=z3str3 model_validate=true", "cvc5": "--strings-exp --check-models"}
    run = f'exec "{program}" {options[name]} "$1"'
    if name.startswith("z3") and tuple(map(int, version.split("."))) < (4, 8, 9):
        # It knows the names of 2.5 only. The solver takes the place of the script, so that it is the one that ends at the time limit.
        run = f'"{m.work.program}" convert --to 2.5 "$1" > "$1.old" || {{ echo "(error conversion)"; exit; }}\n' + run.replace('"$1"', '"$1.old"')
    path.write_text(f"#!/bin/sh\n{run}\n")
    path.chmod(0o755)


def fuzz(m, folder, core, seconds, target, reference):
    """Runs all parts; the wall-clock and CPU time, and the number of calls of the solver under test."""
    places = folder / "bin"
    places.mkdir()
    command(m, *target, places / "target")
    command(m, *reference, places / "reference")
    environment = m.work.environment | {"PATH": f"{places}:{m.work.environment['PATH']}"}
    used = {"seconds": 0.0, "cpu": 0.0, "calls": 0}
    for program, label, share in PARTS:
        clis = "reference;target" if program == "opfuzz" else "target"
        options = ["-t", "1", "-i", ITERATIONS[program], "-n", *(["-o", label] if label else [])]
        left = share * seconds
        while left > 2:
            done = pinned(core, [programs(m) / program, *options, clis, seeds(m) / (label or "all")], folder, environment, min(SLICE, left))
            calls = [int(n) for n in re.findall(r"Performed (\d+) solver calls", done["out"] + done["err"])]
            used["calls"] += max(calls, default=0) // (2 if program == "opfuzz" else 1)
            left -= done["cpu"]
            for key in ("seconds", "cpu"):
                used[key] += done[key]
    return used


def reported(folder):
    """The scripts that it reported, without copies, in a folder of their own; their number."""
    out = folder / "reported"
    out.mkdir(exist_ok=True)
    texts = {}
    for file in sorted((folder / "bugs").glob("*.smt2") if (folder / "bugs").exists() else []):
        kind = "crash" if file.name.startswith(("crash", "segfault")) else "incorrect"
        texts.setdefault(file.read_text(errors="replace"), kind)
    for n, (text, kind) in enumerate(sorted(texts.items())):
        pathlib.Path(out / f"{kind}-{n:04}.smt2").write_text(text)
    return len(texts)
