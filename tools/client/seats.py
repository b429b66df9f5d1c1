"""Folders with programs named z3, cvc5 and cvc4: the built-in solver, or the originals."""
import os
import pathlib
import shutil
import subprocess
import sys

from .registry import ROOT, WORK

# The cvc5 of the tests is the library with a small driver (crates/campaign/src/install/cvc5-driver.c), which knows `--NAME=VALUE` and a
# file. This is what the real program makes of the other flags of these clients. CVC4 is played by cvc5.
CVC5 = """#!/usr/bin/env bash
args=() file=-
while (($#)); do
    case $1 in
        --version) echo "This is ${0##*/} version 1.4.2" | sed s/cvc4/CVC4/; exit ;;
        --lang | -L) shift ;;
        --lang=* | -q | --quiet | --no-interactive | --rewrite-divk) ;;
        -m) args+=(--produce-models) ;;
        -i) args+=(--incremental) ;;
        --tlimit | --tlimit-per | --seed) args+=("$1=$2"); shift ;;
        -*) args+=("$1") ;;
        *) file=$1 ;;
    esac
    shift
done
exec PROGRAM "${args[@]}" $file
"""


def empty(name):
    folder = WORK / "seats" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def built_in(program):
    """Links made by `stringent link`, as a user makes them."""
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    program = program or os.environ.get("STRINGENT_BINARY") or target / "release/stringent"
    if not pathlib.Path(program).is_file():
        sys.exit(f"clients: {program} is not built (cargo build --release, or --stringent PROGRAM)")
    folder = empty("built-in")
    subprocess.run([program, "link", folder], check=True, stdout=subprocess.DEVNULL)
    return folder


def solver(name):
    """The program of a solver that tools/fetch-solvers has fetched."""
    given = os.environ.get(f"STRINGENT_{name.upper()}")
    if given:
        return given
    lines = subprocess.run([ROOT / "tools/fetch-solvers"], check=True, capture_output=True, text=True).stdout.split()
    return os.path.join(next(l for l in lines if f"/{name}-" in l), name)


def originals():
    """z3 and cvc5 themselves."""
    folder = empty("original")
    (folder / "z3").symlink_to(os.path.realpath(solver("z3")))
    for name in ("cvc5", "cvc4"):
        (folder / name).write_text(CVC5.replace("PROGRAM", os.path.realpath(solver("cvc5"))))
        (folder / name).chmod(0o755)
    return folder
