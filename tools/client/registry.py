"""The clients, and how their results look."""
import dataclasses
import os
import pathlib
import subprocess
import typing

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORK = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "clients"
CLIENTS = []
# Fewer combinations: the flag of the command.
QUICK = False


class Missing(Exception):
    """The client cannot be had here."""


class Result(typing.NamedTuple):
    """A test with one solver: `ok`, or why it failed."""

    group: str
    seat: str
    test: str
    outcome: str


@dataclasses.dataclass
class Client:
    """A program that starts a solver. `run` gets the folder that has z3, cvc5 and cvc4."""

    name: str
    about: str
    prepare: typing.Callable
    run: typing.Callable
    quick: bool = False
    long: bool = False


def client(name, about, prepare=lambda: None, **kind):
    """Registers the function as the run of a client."""

    def register(run):
        CLIENTS.append(Client(name, about, prepare, run, **kind))
        return run

    return register


def environment(path):
    """The environment of a client: the folder comes first."""
    return {**os.environ, "PATH": f"{path}:{os.environ['PATH']}"}


def fetch(argv, what, **options):
    """Runs a command that fetches or builds a client."""
    WORK.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        lines = [line for line in done.stdout.strip().splitlines() if not line.startswith("{")]
        raise Missing(f"{what}: {'; '.join(lines[-2:]) or 'no message'}")
    return done.stdout
