"""Clients from the Python package index: pySMT."""
import json
import pathlib
import subprocess
import venv

from . import registry
from .registry import WORK, Missing, Result, client, environment, fetch

HERE = pathlib.Path(__file__).parent
PYSMT = "pysmt==0.9.6"


def install(name, *packages):
    """A virtual environment with the packages; made once."""
    home = WORK / name
    mark = home / "installed"
    if not mark.is_file() or mark.read_text() != repr(packages):
        venv.create(home, with_pip=True, clear=True)
        fetch([home / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *packages], " ".join(packages))
        mark.write_text(repr(packages))
    return home / "bin/python"


def lines_of(argv, path, seat):
    """Results from a program that prints a line of JSON per test."""
    done = subprocess.run(argv, env=environment(path), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"group"')]
    if not found:
        raise Missing(f"{argv[1]} printed no result")
    return [Result(f["group"], seat, f["name"], f["outcome"]) for f in found]


def pysmt(path, *groups):
    python = WORK / "pysmt" / "bin/python"
    out = []
    for seat, flags in (("z3", ["-in"]), ("cvc5", ["--lang=smt2", "--incremental"])):
        wanted = groups[:1] if registry.QUICK and seat == "cvc5" else groups
        out += lines_of([python, HERE / "pysmt_tests.py", ",".join(wanted), path / seat, *flags], path, seat)
    return out


@client("pysmt", "the tests of pySMT on strings, arithmetic, functions, sorts, and its examples", lambda: install("pysmt", PYSMT), quick=True)
def pysmt_tests(path):
    return pysmt(path, "strings", "theories")


@client("pysmt-other", "the tests of pySMT on arrays, bit-vectors and non-linear arithmetic", lambda: install("pysmt", PYSMT))
def pysmt_other(path):
    return pysmt(path, "others")

