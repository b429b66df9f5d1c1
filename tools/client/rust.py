"""Clients from the registry of Rust: the tests that easy-smt, rsmt2 and Cedar publish with their crates, and programs of our own."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess

from .registry import WORK, Missing, Result, client, environment, fetch

OWN = pathlib.Path(__file__).parent / "rust"
TARGET = WORK / "rust-target"
SECONDS = 900


def cargo(*args, folder):
    env = {**os.environ, "CARGO_TARGET_DIR": str(TARGET), "CARGO_PROFILE_DEV_DEBUG": "0", "CARGO_PROFILE_TEST_DEBUG": "0"}
    return fetch(["cargo", *args], "cargo " + args[0], cwd=folder, env=env)


def source(name, version):
    """A copy of a published crate with its tests."""
    copy = WORK / "src" / f"{name}-{version}"
    if copy.is_dir():
        return copy
    asking = WORK / "src" / f"asks-{name}"
    (asking / "src").mkdir(parents=True, exist_ok=True)
    (asking / "src/lib.rs").touch()
    (asking / "Cargo.toml").write_text(f'[package]\nname = "asks"\nedition = "2021"\n[dependencies]\n{name} = "={version}"\n[workspace]\n')
    packages = json.loads(cargo("metadata", "--format-version=1", folder=asking).splitlines()[-1])["packages"]
    manifest = next(p["manifest_path"] for p in packages if p["name"] == name)
    shutil.copytree(pathlib.Path(manifest).parent, copy)
    with open(copy / "Cargo.toml", "a") as f:
        f.write("\n[workspace]\n")
    return copy


def build(folder, *what):
    """Compiles tests. What does not compile is an error, what cannot be fetched is not run."""
    cargo("fetch", *(w for w in what if w == "--locked"), folder=folder)
    try:
        return cargo("test", "--no-run", "--message-format=json", *what, folder=folder)
    except Missing as e:
        raise RuntimeError(f"{folder}: {e}") from e


def programs(folder, *what):
    messages = (json.loads(l) for l in build(folder, *what).splitlines() if l.startswith("{"))
    return [m["executable"] for m in messages if m.get("profile", {}).get("test") and m.get("executable")]


def results(program, path, seat, group, more=(), skip=(), folder=None):
    """Runs a program of tests; one result per test."""
    env = {**environment(path), "RUST_BACKTRACE": "0", "CVC5": str(path / "cvc5"), "RSMT2_Z3_CMD": str(path / "z3"), "RSMT2_CVC4_CMD": str(path / "cvc4")}
    argv = [program, "--test-threads=1", *more, *(a for s in skip for a in ("--skip", s))]
    output = bounded(argv, env, folder)
    found = re.findall(r"^test (\S+)(?: - [a-z ]+)? \.\.\. ?(ok|FAILED|ignored)?", output, re.M)
    return [Result(group, seat_of(t, seat), t, "ok" if o == "ok" else reason(output, t)) for t, o in found if o != "ignored"]


def bounded(argv, env, folder):
    """What a program of tests prints within SECONDS; a test that waits for ever is the last one."""
    process = subprocess.Popen(argv, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder, start_new_session=True)
    try:
        return process.communicate(timeout=SECONDS)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()[0]


def reason(output, test):
    """The message of a panic."""
    part = output.partition(f"---- {test} stdout ----")[2].partition("\n---- ")[0]
    lines = part.partition("panicked at ")[2].splitlines()[1:]
    text = " ".join(lines).partition("note: run with")[0].strip()
    return text[:300] or "it waits for a response, or says no more"


def seat_of(test, seat):
    return next((s for s in ("cvc5", "cvc4") if s in test), seat)


def light():
    build(source("easy-smt", "0.3.2"), "--tests")
    build(source("rsmt2", "0.16.2"), "--tests", "--lib")
    build(OWN, "--locked", "--tests")


@client("easy-smt", "the tests of the crate easy-smt 0.3.2, and programs with strings and datatypes on it", light, quick=True)
def easy_smt(path):
    out = [r for p in programs(source("easy-smt", "0.3.2"), "--tests") for r in results(p, path, "z3", "its own")]
    return out + [r for p in own("easy_smt") for r in results(p, path, "z3", "programs")]


@client("rsmt2", "the tests of the crate rsmt2 0.16.2 but those of Yices, and programs with strings on it", light, quick=True)
def rsmt2(path):
    folder = source("rsmt2", "0.16.2")
    out = [r for p in programs(folder, "--tests", "--lib") for r in results(p, path, "z3", "its own", skip=["yices"], folder=folder)]
    return out + [r for p in own("rsmt2") for r in results(p, path, "z3", "programs")]


def own(name):
    return [p for p in programs(OWN, "--locked", "--tests") if pathlib.Path(p).name.startswith(name + "-")]


CEDAR = ("cedar-policy-symcc", "0.7.0")


@client("cedar", "the integration tests of cedar-policy-symcc 0.7.0; compiles for minutes", lambda: build(source(*CEDAR), "--locked", "--tests"), long=True)
def cedar(path):
    folder = source(*CEDAR)
    out = []
    for program in programs(folder, "--locked", "--tests"):
        name = re.sub(r"-[0-9a-f]+$", "", pathlib.Path(program).name)
        out += [r for r in results(program, path, "cvc5", name, folder=folder)]
    return out
