"""docs/results/solver.md: the built-in solver."""
import json
import statistics

from measure import score, tally
from measure.pages import table
from measure.work import say, section

STRATEGIES = ("base", "+f", "+s", "+fs", "auto")
STRATEGY_SUITES = ("pyex", "pyex_full", "retro_pyex_hard")


def random_row(label, found):
    by = {a: sum(c["count"] for c in found["counts"] if c["answer"] == a) for a in ("sat", "unsat", "unknown")}
    return [label, sum(by.values()), *by.values(), len(found["findings"])]


def suite_row(label, report):
    name = tally.solver_names(report)[0]
    return [label, summed_tests(report, name), *tally.by_answer(report, name)]


def summed_tests(report, name):
    return tally.total(tally.categories(report, name))["tests"]


@section("solver", "answers", 90, "z3", "cvc5")
def known_answers(m):
    test = ["stringent", "selftest", "solver"]
    many = m.json("random", [*test, "--count", m.size(1000000, 2000), "--audit", m.size(1, 10)])
    beside = m.json("beside", [*test, "--count", m.size(50000, 100), "--seed", 1, "--time-limit", 0.2, "--against", "z3",
                               "--against", "cvc5"])
    limit = m.size([], ["--limit", 50])
    paper = m.campaign("icse20", ["stringent", "test", "--preset", "icse20", "--cpu-limit", 2, "--time-limit", 8, *limit])
    full = m.campaign("full", ["stringent", "test", "--preset", "full", "--time-limit", 0.5, *limit])
    rows = [random_row("random formulas, some audited", many), random_row("random formulas, compared with z3 and cvc5", beside),
            suite_row("suite `icse20`, with cores", paper), suite_row("suite `full`, with cores", full)]
    others = {}
    for c in beside["others"]:
        others.setdefault(c["solver"], {})[c["answer"]] = c["count"]
    peers = [[n, *(a.get(k, 0) for k in ("sat", "unsat", "unknown"))] for n, a in others.items()]
    return (table(["formulas", "number", "sat", "unsat", "undecided", "wrong"], rows)
            + "\n\nThe other solvers on the formulas of the second row:\n\n" + table(["solver", "sat", "unsat", "undecided"], peers))


@section("solver", "paper", 60, "z3", "cvc5")
def paper_suite(m):
    command = ["stringent", "test", "--preset", "icse20", "--patterns", "without", "--cpu-limit", m.size(2, 0.5), "--time-limit", 10,
               "--no-batch", "--solver", "builtin", "--solver", "z3", "--solver", "cvc5", *m.size([], ["--limit", 50])]
    report = m.campaign("paper", command)
    names = tally.solver_names(report)
    counts = {n: dict(tally.categories(report, n)) for n in names}
    rows = [[label, c["tests"], *(counts[n][label]["ok"] for n in names)] for label, c in counts[names[0]].items()]
    rows.append(["**all**", *(sum(r[i] for r in rows) for i in range(1, len(names) + 2))])
    return table(["category", "tests", *names], rows)


def scored(m, label, command, seconds, suites=None):
    """The score of a command, kept like the output of one."""
    m.show([*command, f"FILE   # each file of BENCH, {seconds} s"])
    m.shown[-1] = m.shown[-1].replace("'", "")
    kept = m.folder / f"{label}.json"
    if not kept.exists():
        say(f"{m.name}: {label}")
        program = [str(m.work.program), *command[1:]]
        rows = score.score(m.work.given("bench"), program, seconds, suites, m.size(1, 20 if not suites else 10))
        kept.write_text(json.dumps(rows))
    return json.loads(kept.read_text())


def solved(rows):
    return sum(r["verdict"] == "solved" for r in rows)


@section("solver", "benchmarks", 15, "bench")
def benchmarks(m):
    long, short = (scored(m, f"{s}s", ["stringent", "solve"], s) for s in (5, 2))
    out = []
    for suite in [*sorted({r["suite"] for r in long}), None]:
        five, two = ([r for r in rows if suite in (None, r["suite"])] for rows in (long, short))
        out.append([suite or "**all**", len(five), solved(two), solved(five), sum(r["z3"] for r in five), sum(r["cvc5"] for r in five)])
    wrong = [r["file"] for r in long + short if r["verdict"] == "wrong"]
    text = table(["suite", "files", "solved in 2 s", "solved in 5 s", "z3 5.4.0, 5 s", "cvc5 1.4.2, 5 s"], out)
    return text + f"\n\nWrong answers: {', '.join(wrong) or 'none'}. The columns of z3 and cvc5 are as recorded in the index of the set."


@section("solver", "strategies", 10, "bench")
def strategies(m):
    found = [scored(m, f"strategy{i}", ["stringent", "solve", "--strategy", s], 2, STRATEGY_SUITES) for i, s in enumerate(STRATEGIES)]
    means = [f"{1000 * statistics.mean(r['seconds'] for r in rows):.0f}" for rows in found]
    body = [[f"solved of {len(found[0])}", *map(solved, found)], ["mean time, ms", *means]]
    return f"Suites {', '.join(STRATEGY_SUITES)}, 2 s.\n\n" + table(["", *STRATEGIES], body)


@section("solver", "start-up", 10, "z3", "cvc5")
def start_up(m):
    found = m.json("bench", ["stringent", "bench", "solver", "--runs", m.size(20, 1), "--checks", m.size(100000, 100)])
    names = [r["name"] for r in found["tables"][0]["rows"]]
    rows = []
    for t in found["tables"]:
        by = {r["name"]: r for r in t["rows"]}
        ours = by[names[0]]
        rows.append([t["script"], f"{ours['milliseconds']:.1f} ms, {ours['peak_mb']:.1f} MB",
                     *(f"{by[n]['times_ours']:.1f} × time, {by[n]['peak_mb']:.1f} MB" if n in by else "" for n in names[1:])])
    return "Complete processes, the fastest run; peak memory.\n\n" + table(["script", *names], rows)


@section("solver", "sessions", 60, "z3", "cvc5")
def sessions(m):
    found = m.json("sessions", ["stringent", "bench", "sessions", "--sessions", m.size(200, 2), "--checks", m.size(500, 10)])
    rows = [[t["name"], f"{t['cpu_seconds']:.1f} s", t["sat"], t["unsat"], t["open"], t["differ"] if i else "",
             f"{t['peak_mb']:.1f} MB"] for i, t in enumerate(found["solvers"])]
    intro = f"{found['sessions']} sessions, {found['checks']:,} checks, {found['seconds_per_check']:g} s each."
    return f"{intro}\n\n" + table(["", "CPU time", "sat", "unsat", "open", "different", "memory"], rows)
