"""The page hunt.md: bugs found by `hunt` and by other programs in the same time, known issues, planted bugs, speed, long hunts."""
import collections
import concurrent.futures
import json
import os
import queue
import re
import shutil
import signal
import sqlite3
import subprocess
import time

from measure import tally, yinyang
from measure.pages import code, rounded, table
from measure.work import ROOT, Unmeasured, pinned, say, section

UNSOUND = ("wrong-sat", "wrong-unsat", "invalid-model", "unsound-core", "foreign-core")
SHORT = {"wrong-sat": "S", "wrong-unsat": "U", "invalid-model": "IM", "unsound-core": "IC", "foreign-core": "IC"}
# Old versions, and the solver that opfuzz compares with.
OLD = {"z3@4.8.6": "cvc5@1.4.2", "z3str3@4.8.12": "cvc5@1.4.2", "z3@4.12.6": "cvc5@1.4.2", "cvc5@1.0.3": "z3@5.4.0"}
PARTS = 20
LIMIT = 0.5
# The least time of a triage, which otherwise has the time of a program; what is not examined then is marked.
TRIAGE = 120


def named(solver):
    return solver.replace("@", "-")


def cores():
    return sorted(os.sched_getaffinity(0))


def by_kind(findings):
    """Unsound findings of each kind, as in `3 U, 1 IM`."""
    counts = collections.Counter(SHORT[f["kind"]] for f in findings)
    return ", ".join(f"{n} {k}" for k, n in counts.most_common()) or "–"


def unsound(findings):
    return [f for f in findings if f["kind"] in UNSOUND]


def brief(findings):
    return [{"id": f["id"], "kind": f["kind"], "operators": f["fingerprint"]["operators"], "evaluation": f["fingerprint"].get("evaluation"),
             "shape": f["fingerprint"].get("shape"), "bytes": f["reduced"]["bytes"], "script": f["reduced"]["script"],
             "origin": f["reduced"]["origin"], "members": len(f["members"])} for f in unsound(findings)]


class Cell:
    """One program on one solver, on one core; what is finished is kept."""

    def __init__(self, m, solver, paths, core, seconds):
        self.m, self.solver, self.paths, self.core, self.seconds = m, solver, paths, core, seconds

    def measure(self, tool):
        kept = self.m.folder / "cells" / f"{named(self.solver)}-{tool}.json"
        if not kept.exists():
            say(f"{self.m.name}: {tool} on {self.solver}")
            self.folder = kept.with_suffix("")
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            kept.write_text(json.dumps(TOOLS[tool](self) | {"core": self.core}))
        return json.loads(kept.read_text())

    def stringent(self, *arguments, cpu=None, codes=(0, 10, 11)):
        done = pinned(self.core, [self.m.work.program, *arguments], self.folder, self.m.work.environment, cpu)
        if done["exit"] not in codes:
            raise Unmeasured(f"stringent {arguments[0]} ended with {done['exit']}\n{done['err'][-2000:]}")
        return done

    def hunt(self):
        done = self.stringent("hunt", "--solver", self.solver, "--options", "none", "--jobs", "1", "--unit", "25", "--cpu", f"{self.seconds:.0f}s",
                              "--store", "hunt.store", "--no-html", "--quiet", "--format", "json")
        found = json.loads(done["out"])
        kinds = found["verdicts"].get(named(self.solver), {})
        return self.judged("hunt.store") | {"instances": found["instances"], "seconds": done["seconds"], "cpu": done["cpu"],
                                            "pairs": found["operator-pairs"], "raw": sum(n for k, n in kinds.items() if k in UNSOUND)}

    def suite(self, preset):
        """Parts of a suite, each an even sample, until the time is over."""
        used, stores = {"seconds": 0.0, "cpu": 0.0}, []
        for part in range(1, PARTS + 1):
            left = self.seconds - used["cpu"]
            if left < 1:
                break
            stores.append(f"{part}.store")
            done = self.stringent("test", "--preset", preset, "--solver", self.solver, "--time-limit", LIMIT, "--batch", "--jobs", "1", "--shard",
                                  f"{part}/{PARTS}", "--store", stores[-1], "--no-html", "--quiet", "--no-config", cpu=left)
            for key in used:
                used[key] += done[key]
        self.stringent("store", "merge", "all.store", *stores)
        return used | {"complete": len(stores) == PARTS and not done["interrupted"]} | self.judged("all.store")

    def yinyang(self):
        reference = OLD[self.solver]
        used = yinyang.fuzz(self.m, self.folder, self.core, self.seconds, (self.solver, self.paths[self.solver]),
                            (reference, self.paths[reference]))
        reported = yinyang.reported(self.folder)
        if not reported:
            return used | {"instances": used["calls"], "reported": 0, "raw": 0, "findings": []}
        self.stringent("run", "reported", "--solver", self.solver, "--solver", "z3@5.4.0", "--solver", "cvc5@1.4.2", "--time-limit", "5", "--jobs",
                       "1", "--store", "all.store", "--no-html", "--quiet", "--no-config", codes=(0, 2, 10, 11))
        return used | self.judged("all.store") | {"instances": used["calls"], "reported": reported}

    def judged(self, store):
        """What triage makes of a store; its time is not part of the time of a program."""
        done = self.stringent("report", store, "--runs")
        runs = [r for r in map(json.loads, done["out"].splitlines()) if r["solver"] == named(self.solver)]
        raw = sum(r["severity"] == "unsound" for r in runs)
        kinds = [a for k in UNSOUND for a in ("--kind", k)]
        done = self.stringent("triage", store, "--solver", named(self.solver), *kinds, "--jobs", "1", "--budget", "20", "--seeds", "1", "--quiet",
                              "--format", "json", cpu=max(self.seconds, TRIAGE)) if raw else {"out": '{"findings": []}'}
        found = json.loads(done["out"])
        return {"instances": len(runs), "raw": raw, "findings": brief(found["findings"]), "stopped": found.get("stopped", False)}


TOOLS = {"hunt": Cell.hunt, "icse20": lambda c: c.suite("icse20"), "full": lambda c: c.suite("full"), "yinyang": Cell.yinyang}


def installed(m, solvers):
    """The programs of solvers with versions."""
    wanted = list(dict.fromkeys(s.replace("z3str3", "z3") for s in solvers))
    paths = dict(zip(wanted, m.run("install", ["stringent", "solvers", "install", *wanted])["out"].splitlines()))
    return {s: paths[s.replace("z3str3", "z3")] for s in solvers}


def all_cells(m):
    """All cells, as many at a time as there are cores."""
    paths = installed(m, [*OLD, *dict.fromkeys(OLD.values())])
    yinyang.programs(m)
    yinyang.seeds(m)
    seconds = m.size(60 * m.work.args.minutes, 20)
    free = queue.SimpleQueue()
    for core in cores():
        free.put(core)

    def one(solver, tool):
        core = free.get()
        try:
            return (solver, tool), Cell(m, solver, paths, core, seconds).measure(tool)
        except Exception as reason:
            say(f"{m.name}: {tool} on {solver}: {reason!r}")
            raise
        finally:
            free.put(core)

    with concurrent.futures.ThreadPoolExecutor(len(cores())) as pool:
        waiting = [pool.submit(one, s, t) for t in ("hunt", "yinyang", "icse20", "full") for s in reversed(m.size([*OLD], [*OLD][:1]))]
        done = dict(w.result() for w in waiting)
        return {(s, t): done[s, t] for s in OLD for t in TOOLS if (s, t) in done}


@section("hunt", "yield", 480, "seeds", "z3", "cvc5")
def yields(m):
    cells = all_cells(m)
    m.show(["stringent", "hunt", "--solver", "SOLVER", "--options", "none", "--jobs", 1, "--unit", 25, "--cpu", "180s"])
    m.show(["stringent", "test", "--preset", "PRESET", "--solver", "SOLVER", "--time-limit", LIMIT, "--batch", "--jobs", 1, "--shard", "I/20"])
    m.shown += ["opfuzz -t 1 -i 30 'REFERENCE;SOLVER' SEEDS", "yinyang -t 1 -i 10 -o sat|unsat SOLVER SEEDS",
                "stringent triage STORE --budget 20 --jobs 1"]
    rows = []
    for (solver, tool), c in cells.items():
        rows.append([named(solver), tool, c["instances"], f"{c['seconds']:.0f}", f"{c['cpu']:.0f}", c.get("reported", ""), c["raw"],
                     f"**{len(c['findings'])}**" + ("+" if c.get("stopped") else ""), by_kind(c["findings"])])
    head = ["solver", "program", "instances", "s", "CPU s", "reported", "unsound results", "groups", "kinds"]
    budget = f"{m.size(60 * m.work.args.minutes, 20):.0f} CPU seconds for each program on each solver."
    return "\n\n".join([budget, table(head, rows), totals(cells)])


def totals(cells):
    found = {}
    for (_, tool), c in cells.items():
        found.setdefault(tool, []).append(len(c["findings"]))
    return "Groups: " + ", ".join(f"{t} {sum(n)} on {len(n)} solver{'s' * (len(n) != 1)}" for t, n in found.items()) + "."


# Public issues on strings whose bug is in a version that can be installed: the version, versions without the bug, the kinds of
# wrong results, operators of the formula after reduction (`|` is or), what its text has, and the sources that make such formulas. Those
# without a number were found here.
OPEN = r'\(str\.to_re [^"]'
ISSUES = {
    "z3-10410": ("z3@5.0.0", ("4.13.0", "5.1.0"), ("wrong-unsat",), "str.substr|str.indexof str.++|str.replace", "", "cuts, needles"),
    "z3-10492": ("z3@5.0.0", ("4.16.0", "5.1.0"), ("wrong-sat", "invalid-model"), "str.in_re re.*|re.+", OPEN, "open-regex"),
    "z3-10512": ("z3@5.0.0", ("4.16.0", "5.1.0"), ("wrong-sat", "invalid-model"), "not str.in_re", OPEN, "open-regex, sessions"),
    "z3-7745": ("z3@4.12.6", ("4.8.12", "4.15.3"), ("wrong-sat", "invalid-model"), "str.substr str.++", "", "cuts, long"),
    "z3-8572": ("z3@4.12.6", ("4.8.12", "5.0.0"), ("wrong-sat", "invalid-model"), "str.substr str.++", "", "cuts, fixpoints"),
    "z3-7223": ("z3@4.12.6", ("4.8.12", "4.15.3"), ("invalid-model",), "str.replace str.substr|str.from_int", "", "fixpoints, replacing, needles"),
    "cvc5-11703": ("cvc5@1.0.3", ("1.4.2",), ("wrong-unsat",), "str.in_re", r"declare-fun \S+ \([^)]+\) RegLan", "functions"),
    "from-code-ite": ("z3@5.4.0", ("5.1.0",), ("wrong-unsat",), "str.from_code", "", "codes"),
    "len-core": ("z3@5.4.0", ("4.16.0",), ("unsound-core",), "", "", "metamorphic and all unsatisfiable ones"),
}


@section("hunt", "recall", 100, "issues", "z3", "cvc5")
def recall(m):
    """Hunts on versions that have the bug of an issue, and the findings that are this bug; a finding is counted for one issue only."""
    versions = dict.fromkeys(i[0] for i in ISSUES.values())
    installed(m, [*versions, *dict.fromkeys(f"{i[0].split('@')[0]}@{v}" for i in ISSUES.values() for v in i[1])])
    with concurrent.futures.ThreadPoolExecutor(len(cores())) as pool:
        found = dict(zip(versions, pool.map(lambda s: hunted(m, s), versions)))
    rows, counted = [], set()
    for issue, (solver, good, kinds, operators, text, sources) in ISSUES.items():
        file = next((f for f in (m.work.given("issues") / f"{issue}.smt2", ROOT / f"regress/known-wrong/{issue}.smt2") if f.exists()), None)
        shown = verdict(m, file, solver) if file else "no file"
        like = [f for f in found[solver]["findings"] if f["id"] not in counted and is_like(f, kinds, operators, text)]
        hits = [f for f in like if is_right(m, f, solver, good)]
        counted |= {f["id"] for f in hits[:1]}
        rows.append([re.sub(r"-(?=\d)", " #", issue), named(solver), shown, ", ".join(good), sources,
                     f"`{short(hits[0]['script'])}`" if hits else "no"])
    hunts = "; ".join(f"{named(s)}: {f['cpu'] / 60:.0f} CPU minutes, {f['instances']:,} instances, {len(f['findings'])} unsound groups" for s, f in found.items())
    return table(["issue", "hunted in", "its formula there", "right in", "sources", "found"], rows) + f"\n\nThe hunts: {hunts}."


def hunted(m, solver):
    minutes = m.size(m.work.args.minutes, 0.3)
    found = m.json(named(solver), ["stringent", "hunt", "--solver", solver, "--options", "none", "--jobs", 1, "--unit", 25, "--cpu",
                                   f"{60 * minutes:.0f}s", "--store", f"{named(solver)}.store"], (0, 10, 11), ("--no-html", "--quiet"))
    return {"instances": found["instances"], "cpu": sum(found["cpu-seconds"].values()), "findings": brief(found["findings"])}


def is_like(finding, kinds, operators, text):
    has = all(set(alternatives.split("|")) & set(finding["operators"]) for alternatives in operators.split())
    return has and finding["kind"] in kinds and re.search(text, finding["script"]) is not None


def verdict(m, file, solver):
    done = subprocess.run([m.work.program, "run", file, "--solver", solver, "--store", f"{file.stem}-{named(solver)}.store", "--no-html", "--quiet",
                           "--no-config", "--time-limit", "5"], cwd=m.folder, env=m.work.environment, capture_output=True, text=True)
    report = subprocess.run([m.work.program, "report", f"{file.stem}-{named(solver)}.store", "--runs"], cwd=m.folder, capture_output=True, text=True)
    runs = [json.loads(line) for line in report.stdout.splitlines()]
    return runs[0]["kind"] if runs else done.stderr[-200:]


def is_right(m, finding, solver, good):
    """The reduced formula is not answered wrongly by the versions without the bug."""
    file = m.folder / f"{finding['id']}.smt2"
    file.write_text(finding["script"])
    return all(verdict(m, file, f"{solver.split('@')[0]}@{v}") not in UNSOUND for v in good)


def short(script):
    """The assertions of a script, cut to what fits into a table."""
    text = " ".join(re.findall(r"^\(assert (.*)\)$", script, re.M)).replace("|", "\\|")
    return text if len(text) <= 110 else text[:109] + "…"


@section("hunt", "planted", 50)
def planted(m):
    about = re.findall(r'about: "(.*)"', (ROOT / "crates/hunt/src/planted.rs").read_text())
    limit, rows = m.size(60 * min(5, m.work.args.minutes), 20), []
    for n in m.size(range(1, len(about) + 1), range(1, 3)):
        (m.folder / f"case{n}.toml").write_text(f'name = "planted"\nbase = "builtin"\nargs = ["solve", "--planted", "{n}", "-"]\n')
        command = ["stringent", "hunt", "--solver", f"case{n}.toml", "--options", "none", "--jobs", len(cores()), "--unit", 25, "--time",
                   f"{limit:.0f}s", "--store", f"case{n}.store"]
        m.show(command)
        found, seconds = first_failure(m, f"case{n}", command)
        hits = seconds and unsound(m.json(f"triage{n}", ["stringent", "triage", f"case{n}.store"], (0, 10, 11), ("--quiet",))["findings"])
        rows.append([n, about[n - 1], found["instances"], f"{seconds:.0f} s" if hits else f"not in {limit:.0f} s",
                     re.search(r"^hunt/([\w-]+)", hits[0]["reduced"]["origin"])[1] if hits else ""])
    m.shown = [c for c in m.shown if "case1." in c]
    return table(["case", "terms on which it lies", "instances", "time to find", "source"], rows)


def first_failure(m, label, command):
    """Stops a hunt, as by Ctrl-C, when its store has a failure: its result, and the time until then."""
    kept, store = m.folder / f"{label}.json", m.folder / f"{label}.store"
    if kept.exists():
        return json.loads(kept.read_text())
    say(f"{m.name}: {' '.join(map(str, command))}")
    for old in m.folder.glob(f"{label}.store*"):
        old.unlink()
    start, seconds = time.monotonic(), None
    process = subprocess.Popen([*map(str, command), "--no-html", "--quiet", "--format", "json"], cwd=m.folder, env=m.work.environment,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and seconds is None:
        time.sleep(0.2)
        if failures(store):
            seconds = time.monotonic() - start
            process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    if not out.startswith("{"):
        raise Unmeasured(f"the hunt ended with {process.returncode}\n{err[-2000:]}")
    kept.write_text(json.dumps([json.loads(out), seconds]))
    return json.loads(kept.read_text())


def failures(store):
    """The failures in the store of a hunt that runs."""
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=5) as reader:
            return reader.execute("SELECT count(*) FROM run").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


@section("hunt", "generation", 5, "seeds")
def generation(m):
    files = sorted(m.work.given("seeds").rglob("*.smt2"))[:m.size(400, 20)]
    command = ["cargo", "run", "--release", "--locked", "-q", "-p", "stringent-synth", "--example", "source_speed", "--"]
    m.show([*command, "SEEDS"])
    kept = m.folder / "speed.txt"
    if not kept.exists():
        subprocess.run(["cargo", "build", *command[2:-1]], check=True, cwd=ROOT)
        done = pinned(cores()[0], [*command, *files], ROOT, m.work.environment)
        kept.write_text(done["out"])
    return code(kept.read_text())


@section("hunt", "judging", 3, "z3")
def judging(m):
    rows = []
    for name, shape in (("small", ["--source", "small", "--depth", 2, "--assertions", 1]), ("all sources", [])):
        found = m.json(name.split()[0], ["stringent", "hunt", "--solver", "z3", "--options", "none", *shape, "--jobs", 1, "--time", m.size("60s", "5s"),
                                         "--store", f"{name.split()[0]}.store"], (0, 10, 11), ("--no-html", "--quiet"))
        own, asked = found["seconds-own"], found["seconds-in-solvers"]
        rows.append([name, found["instances"], rounded(found["instances"] / (own + asked)), rounded(found["instances"] / max(own, 1e-9)),
                     f"{100 * own / (own + asked):.1f} %"])
    return table(["formulas", "instances", "judged per second", "per second of our own", "our own share"], rows)


@section("hunt", "pairs", 5)
def pairs(m):
    found = m.json("pairs", ["stringent", "hunt", "--solver", "builtin", "--options", "none", "--jobs", len(cores()), "--unit", 25, "--time",
                             m.size("3m", "10s"), "--store", "pairs.store"], (0, 10, 11), ("--no-html", "--quiet"))
    seen, legal = found["operator-pairs"]["seen"], found["operator-pairs"]["legal"]
    return f"{seen:,} of {legal:,} legal pairs, {100 * seen / legal:.1f} %, in {found['instances']:,} instances."


@section("hunt", "current", 1, "hunts")
def current(m):
    """Reads the stores of long hunts; nothing is hunted."""
    totals_, verdicts, found = [], [], []
    for store in sorted(m.work.given("hunts").glob("*.store")):
        with sqlite3.connect(store) as source, sqlite3.connect(m.folder / store.name) as copy:
            source.backup(copy)
        report = m.json(store.stem, ["stringent", "hunt", "--resume", "--store", store.name, "--time", "0.001s"], (0, 10, 11),
                        ("--no-html", "--quiet"))
        seen = report["operator-pairs"]
        totals_.append([store.stem, report["instances"], *(f"{s / 3600:.1f}" for s in (report["seconds"], sum(report["cpu-seconds"].values()), report["cpu-seconds"]["solvers"])),
                        f"{seen['seen']:,} of {seen['legal']:,}", len(report["findings"])])
        for solver, kinds in report["verdicts"].items():
            counts = [sum(kinds.get(k, 0) for k in names) for names in GROUPED.values()]
            verdicts.append([solver, sum(kinds.values()), *(n or "·" for n in (*counts, sum(kinds.values()) - sum(counts)))])
        found += [[f["solver"]["name"], f["kind"], " ".join(f"`{o}`" for o in f["fingerprint"]["operators"]), f["reduced"]["bytes"], len(f["members"])]
                  for f in report["findings"]]
    if not totals_:
        raise Unmeasured("no stores")
    text = table(["hunt", "instances", "hours", "CPU hours", "of solvers", "pairs of operators", "findings"], totals_)
    text += "\n\n" + table(["solver", "answers", *GROUPED, "undetermined or other"], verdicts)
    return text + "\n\n" + (table(["solver", "kind", "operators", "bytes", "failures"], found) if found else "No findings.")


GROUPED = {"ok": ("valid-model", "correct-sat", "minimal-core", "correct-unsat", "imprecise-core"), "wrong": UNSOUND, "unknown": ("unknown",),
           "time": ("wall-time", "cpu-time", "own-limit"), "not supported": ("unsupported", "rejected", "not-asked")}


# Classes of reported bugs: a source, and patterns that a member of the class has, all of them. `_` is any term, `…` any number of
# terms, `x` a term that is no literal, `$` a literal.
CLASSES = (
    ("`str.substr` at `str.indexof` in a concatenation that equals a constant (z3 #10410)", "cuts",
     "(= $ (str.++ … (str.substr _ (str.indexof _ _ _) _) …))|(= (str.++ … (str.substr _ (str.indexof _ _ _) _) …) $)"),
    ("`str.replace` of the empty word (z3 #10410)", "needles",
     '(str.replace _ "" _)'),
    ("a constant in `re.*` or `re.+` of a string term (z3 #10492)", "open-regex",
     "(str.in_re $ (re.* (str.to_re x)))|(str.in_re $ (re.+ (str.to_re x)))"),
    ("checks with assumptions (z3 #10512)", "sessions",
     "(check-sat-assuming _)"),
    ("nested regular expressions (z3 PR 10398, #5562)", "stars",
     "(str.in_re _ (re.++ … (re.++ …) …))|(str.in_re _ (re.++ … (re.* …) …))"),
    ("`str.replace_re_all` with uninterpreted functions (z3 #9943)", "functions",
     "(str.replace_re_all _ _ _)",
     "(declare-fun _ (String …) _)"),
    ("`str.to_int` of `str.substr` (z3 #7841)", "digits",
     "(str.to_int (str.substr _ _ _))"),
    ("two `str.substr` equal to one constant (z3 #7745)", "cuts",
     "(= (str.++ … (str.substr _ _ _) … (str.substr _ _ _) …) $)|(= $ (str.++ … (str.substr _ _ _) … (str.substr _ _ _) …))"),
    ("`str.replace` with `str.from_int` (z3 #7223)", "replacing",
     "(str.replace (str.from_int _) _ _)|(str.replace _ (str.from_int _) _)|(str.replace _ _ (str.from_int _))"),
    ("nested `re.+` and `re.*` (cvc5 #12863)", "stars",
     "(re.* (re.+ _))|(re.+ (re.* _))|(re.+ (re.+ _))"),
    ("functions into RegLan (cvc5 #11703)", "functions",
     "(declare-fun _ (…) RegLan)"),
    ("equality with `re.none` (ostrich #116)", "reglan",
     "(= re.none _)|(= _ re.none)"),
    ("a quantifier with `str.contains` (ostrich #111)", "quantified",
     "(forall _ _)|(exists _ _)",
     "(str.contains _ _)"),
    ("`ite` with `str.from_code` (found here)", "codes",
     "(ite _ (str.from_code _) _)|(ite _ _ (str.from_code _))"),
    ("a constant defined by a concatenation with the empty word (found here)", "metamorphic",
     '(= _ (str.++ _ ""))|(= _ (str.++ "" _))|(= (str.++ _ "") _)|(= (str.++ "" _) _)'),
)


def parsed(text):
    """The s-expressions of a text as nested lists."""
    stack = [[]]
    for token in re.findall(r';.*|"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s()"]+', text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        elif token[0] != ";":
            stack[-1].append(token)
    return stack[0]


def matches(pattern, term):
    if isinstance(pattern, str):
        literal = isinstance(term, str) and (term[0] == '"' or term.isdigit())
        return {"_": True, "$": literal, "x": not literal}.get(pattern, pattern == term)
    return isinstance(term, list) and matches_all(pattern, term)


def matches_all(patterns, terms):
    if not patterns:
        return not terms
    if patterns[0] == "…":
        return any(matches_all(patterns[1:], terms[i:]) for i in range(len(terms) + 1))
    return bool(terms) and matches(patterns[0], terms[0]) and matches_all(patterns[1:], terms[1:])


def occurs(pattern, terms):
    waiting = list(terms)
    while waiting:
        term = waiting.pop()
        if matches(pattern, term):
            return True
        waiting += term if isinstance(term, list) else []
    return False


@section("hunt", "classes", 3)
def classes(m):
    count, made, rows = m.size(1000, 500), {}, []
    sources = [a for s in dict.fromkeys(c[1] for c in CLASSES) for a in ("--source", s)]
    m.run("write", ["stringent", "hunt", *sources, "--instances", count, "--write", "made"])
    for name, source, *patterns in CLASSES:
        if source not in made:
            made[source] = [parsed(f.read_text()) for f in sorted((m.folder / "made" / source).iterdir())]
        wanted = [[parsed(p)[0] for p in alternatives.split("|")] for alternatives in patterns]
        members = sum(all(any(occurs(p, t) for p in some) for some in wanted) for t in made[source])
        rows.append([name, source, f"{1000 * members / len(made[source]):.1f}" if members else "**none**"])
    return table(["class", "source", "members in 1,000 instances"], rows)
