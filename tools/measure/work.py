"""Runs the commands of sections, keeps their output in the work folder, and skips what is there already."""
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SECTIONS = []


class Unmeasured(Exception):
    """A section that cannot be measured here, with the reason."""


@dataclass
class Section:
    page: str
    title: str
    minutes: int
    needs: tuple
    function: object

    @property
    def name(self):
        return f"{self.page}/{self.title}"


def section(page, title, minutes, *needs):
    """Registers a function that measures a section and returns its Markdown."""
    def register(function):
        SECTIONS.append(Section(page, title, minutes, needs, function))
        return function
    return register


def say(text):
    print(f"results: {text}", file=sys.stderr, flush=True)


def output(command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, **more).stdout.strip()


def commit():
    """The last commit that changed the sources, marked if they differ from it."""
    sources = ["--", "crates", "Cargo.toml", "Cargo.lock"]
    changed = output(["git", "status", "--porcelain", "--untracked-files=no", *sources])
    return output(["git", "log", "-1", "--format=%h", *sources]) + ("-modified" if changed else "")


def machine():
    """Processor, cores, memory, system and compiler in one line."""
    cpu = re.search(r"^model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    memory = re.search(r"^MemTotal:\s*(\d+)", pathlib.Path("/proc/meminfo").read_text(), re.M)
    rustc = output(["rustc", "--version"]).split()[1]
    gib = round(int(memory[1]) / 2**20)
    return f"{os.cpu_count()} cores ({cpu[1] if cpu else os.uname().machine}), {gib} GiB, Linux, rustc {rustc}"


def pinned(core, command, cwd, environment, cpu=None):
    """Runs a command on one core; after this CPU time, or twelve times as much wall-clock time, it is interrupted, as by Ctrl-C. Its output, exit
    code, wall-clock and CPU time."""
    with tempfile.TemporaryFile("w+", errors="replace") as out, tempfile.TemporaryFile("w+", errors="replace") as err:
        start, interrupted = time.monotonic(), None
        process = subprocess.Popen(["taskset", "-c", str(core), *map(str, command)], cwd=cwd, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=err, start_new_session=True)
        while True:
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            now = time.monotonic()
            if cpu and not interrupted and (session_cpu(process.pid) > cpu or now - start > 12 * cpu):
                interrupted = now
                os.killpg(process.pid, signal.SIGINT)
            elif interrupted and now - interrupted > 60:
                os.killpg(process.pid, signal.SIGKILL)
            time.sleep(0.4)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return {"out": out.read(), "err": err.read(), "exit": process.returncode, "interrupted": bool(interrupted),
                "seconds": time.monotonic() - start, "cpu": used.ru_utime + used.ru_stime}


def session_cpu(session):
    """CPU seconds of the processes of a session, with those of their children that have ended."""
    ticks = 0
    for file in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_bytes().rpartition(b")")[2].split()
        except OSError:
            continue
        if len(fields) > 15 and int(fields[3]) == session:
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


class Work:
    """The work folder, the program under test, and the solvers beside it."""

    def __init__(self, args):
        self.quick, self.args, self.commit = args.quick, args, commit()
        self.folder = (args.work or ROOT / "target/results" / (self.commit + "-quick" * args.quick)).resolve()
        (self.folder / "bin").mkdir(parents=True, exist_ok=True)
        self.pages = self.folder / "pages" if args.quick else ROOT / "docs/results"
        self.program = self.folder / "bin/stringent"
        if not self.program.exists():
            shutil.copy(args.stringent or self.build(), self.program)
        self.solvers = self.find_solvers()
        self.environment = os.environ | {f"STRINGENT_{n.upper()}": str(p) for n, p in self.solvers.items()}
        places = [self.program.parent, *(p.parent for p in self.solvers.values())]
        self.environment["PATH"] = os.pathsep.join([*map(str, places), os.environ["PATH"]])
        self.machine = machine()

    def build(self):
        say("cargo build --release")
        subprocess.run(["cargo", "build", "--release", "--locked", "-q"], check=True, cwd=ROOT)
        return pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release/stringent"

    def find_solvers(self):
        """z3 and cvc5: those of the environment, else those that tools/fetch-solvers has."""
        names = ("z3", "cvc5")
        given = [os.environ.get(f"STRINGENT_{n.upper()}") for n in names]
        if all(given):
            return {n: pathlib.Path(g).resolve() for n, g in zip(names, given)}
        places = output([ROOT / "tools/fetch-solvers"]).splitlines()
        return {n: pathlib.Path(p) / n for n, p in zip(names, places)}

    def versions(self, names):
        texts = {n: subprocess.run([self.solvers[n], "--version"], capture_output=True, text=True).stdout for n in names}
        return [f"{n} {re.search(r'[0-9]+(?:[.][0-9]+)+', t)[0]}" for n, t in texts.items()]

    def given(self, need):
        """The folder of an option, which a section needs."""
        path = getattr(self.args, need)
        if not path:
            raise Unmeasured(f"needs --{need} DIR")
        return path.resolve()

    def measure(self, section):
        """Measures a section unless it is there; true if it is there now."""
        done = self.folder / section.name / "section.json"
        if done.exists():
            return True
        run = Run(self, section)
        try:
            text = section.function(run)
        except (Unmeasured, subprocess.CalledProcessError, OSError) as reason:
            say(f"{section.name}: {reason}")
            return False
        record = {"text": text, "date": time.strftime("%Y-%m-%d", time.gmtime()), "load": run.load, "commands": run.shown,
                  "solvers": self.versions(n for n in section.needs if n in self.solvers), "files": run.files}
        done.write_text(json.dumps(record, indent=1))
        return True


class Run:
    """One section being measured; commands run in its folder."""

    def __init__(self, work, section):
        self.work, self.name, self.quick = work, section.name, work.quick
        self.folder = work.folder / section.name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.shown, self.files, self.load = [], [], round(os.getloadavg()[0], 1)

    def size(self, full, quick):
        return quick if self.quick else full

    def show(self, command):
        """Lists a command on the page, with folders by the name of the option that gave them."""
        text = shlex.join(map(str, command))
        for need in ("bench", "corpus", "seeds", "issues", "hunts"):
            path = getattr(self.work.args, need)
            text = text.replace(str(path.resolve()), need.upper()) if path else text
        self.shown.append(text)

    def run(self, label, command, codes=(0,), hidden=(), cwd=None):
        """The standard output of a command and its times; `hidden` arguments are not shown on the page."""
        self.show(command)
        kept = self.folder / f"{label}.json"
        if kept.exists():
            return json.loads(kept.read_text())
        say(f"{self.name}: {shlex.join(map(str, command))}")
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run([*map(str, command), *hidden], cwd=cwd or self.folder, env=self.work.environment,
                              capture_output=True, text=True, errors="replace")
        seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in codes:
            raise Unmeasured(f"{command[0]} ended with {done.returncode}\n{done.stdout[-500:]}{done.stderr[-2000:]}")
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        result = {"out": done.stdout, "err": done.stderr, "seconds": seconds, "cpu": cpu, "exit": done.returncode}
        kept.write_text(json.dumps(result))
        return result

    def json(self, label, command, codes=(0,), hidden=()):
        return json.loads(self.run(label, command, codes, (*hidden, "--format", "json"))["out"])

    def campaign(self, label, command):
        """A campaign as JSON; one that was interrupted continues from its store."""
        store = self.folder / f"{label}.store"
        hidden = ["--no-html", "--quiet", *(["--resume"] if store.exists() else [])]
        # Code 2 is that of a folder with unreadable files; the others are still run.
        return self.json(label, [*command, "--store", store.name], (0, 2, 10, 11), hidden)

    def runs(self, label):
        """The runs of a campaign of this section."""
        done = subprocess.run([self.work.program, "report", f"{label}.store", "--runs"], cwd=self.folder, capture_output=True, text=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def install(self, solvers):
        """Gets the versions among the solvers (Z3str3 is part of z3); the section is not measured where that fails."""
        versions = dict.fromkeys(s.replace("z3str3", "z3") for s in solvers if "@" in s)
        if versions:
            self.run("install", ["stringent", "solvers", "install", *versions])

    def keep(self, source, name):
        """A file that the page shows."""
        shutil.copy(self.folder / source, self.folder / name)
        self.files.append(name)
