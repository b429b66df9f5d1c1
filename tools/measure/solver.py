"""docs/results/solver.md: the built-in solver."""
import json
import statistics

from measure import plots, score, tally
from measure.pages import table
from measure.work import say, section

STRATEGIES = ("base", "+f", "+s", "+fs", "auto")
TECHNIQUES = ("twin", "image", "probe", "pattern", "repeat", "equation", "guess", "count", "residue", "small", "disjoint", "digits")
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
    many = m.json("random", [*test, "--count", m.size(2000000, 2000), "--audit", m.size(5, 10)])
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


def scored(m, label, command, seconds, suites=None, only=None):
    """The score of a command, kept like the output of one."""
    m.show([*command, f"FILE   # each file of BENCH, {seconds} s of CPU time"])
    m.shown[-1] = m.shown[-1].replace("'", "")
    kept = m.folder / f"{label}.json"
    if not kept.exists():
        say(f"{m.name}: {label}")
        program = [str(m.work.program if command[0] == "stringent" else m.work.solvers[command[0]]), *command[1:]]
        every = 1 if only is not None else m.size(1, 20 if not suites else 10)
        rows = score.score(m.work.given("bench"), program, seconds, suites, every, only)
        kept.write_text(json.dumps(rows))
    return json.loads(kept.read_text())


def by_cvc5(m, limit):
    """cvc5 on all files; those it does not solve once more without their logic, some of which it takes too literally, and with incremental checks."""
    command = ["cvc5", "--strings-exp", "--quiet"]
    rows = scored(m, "cvc5", command, limit)
    left = {r["file"] for r in rows if not is_solved(r, limit)}
    again = scored(m, "cvc5-again", [*command, "--force-logic=ALL", "--incremental"], limit, only=left)
    better = {r["file"]: r for r in again if is_solved(r, limit)}
    return [better.get(r["file"], r) for r in rows]


def is_solved(row, seconds):
    return row["verdict"] == "solved" and row["seconds"] <= seconds


def solved(rows, seconds):
    return sum(is_solved(r, seconds) for r in rows)


@section("solver", "benchmarks", 60, "bench", "z3", "cvc5")
def benchmarks(m):
    limit = 5
    found = {"built-in": scored(m, "ours", ["stringent", "solve"], limit), "z3": scored(m, "z3", ["z3"], limit),
             "cvc5": by_cvc5(m, limit)}
    names = [*found, "z3 or cvc5"]
    best = []
    for a, b in zip(found["z3"], found["cvc5"]):
        best.append(min((a, b), key=lambda r: (not is_solved(r, limit), r["seconds"])))
    found["z3 or cvc5"] = best
    suites = [*sorted({r["suite"] for r in best}), None]
    rows = [[suite or "**all**", sum(suite in (None, r["suite"]) for r in best),
             *(solved([r for r in found[n] if suite in (None, r["suite"])], limit) for n in names)] for suite in suites]
    (m.folder / "plot.svg").write_text(plots.cactus({n: [r["seconds"] for r in found[n] if is_solved(r, limit)] for n in names}, limit))
    m.keep("plot.svg", "solver-benchmarks.svg")
    common = [i for i in range(len(best)) if all(is_solved(found[n][i], limit) for n in names)]
    sums = [["solved in 5 s", *(solved(found[n], limit) for n in names)],
            ["solved in 2 s", *(solved(found[n], 2) for n in names)],
            ["PAR-2, s", *(f"{sum(r['seconds'] if is_solved(r, limit) else 2 * limit for r in found[n]):.0f}" for n in names)],
            [f"median of {len(common)} that all solve, ms", *(f"{1000 * statistics.median(found[n][i]['seconds'] for i in common):.0f}" for n in names)]]
    wrong = [r["file"] for r in found["built-in"] if r["verdict"] == "wrong"]
    return (table(["suite", "files", *names], rows) + "\n\n" + table(["", *names], sums)
            + f"\n\nWrong answers: {', '.join(wrong) or 'none'}. *z3 or cvc5* is the faster of both on each file.\n\n"
            "![Files solved within a CPU time](solver-benchmarks.svg)")


@section("solver", "techniques", 20, "bench")
def techniques(m):
    limit = 2
    runs = [("all", [])] + [(f"without {t}", [f"--engines=-{t}"]) for t in TECHNIQUES] + [("none", ["--engines=none"])]
    found = {label: scored(m, label.replace(" ", "-"), ["stringent", "solve", *flags], limit) for label, flags in runs}
    everything = {r["file"] for r in found["all"] if is_solved(r, limit)}
    body = []
    for label, _ in runs:
        mine = {r["file"] for r in found[label] if is_solved(r, limit)}
        body.append([label, len(mine), len(everything - mine), len(mine - everything), sum(r["verdict"] == "wrong" for r in found[label])])
    return table([f"of {len(found['all'])} files", "solved", "lost", "gained", "wrong"], body)


@section("solver", "strategies", 10, "bench")
def strategies(m):
    found = [scored(m, f"strategy{i}", ["stringent", "solve", "--strategy", s], 2, STRATEGY_SUITES) for i, s in enumerate(STRATEGIES)]
    means = [f"{1000 * statistics.mean(r['seconds'] for r in rows):.0f}" for rows in found]
    body = [[f"solved of {len(found[0])}", *(solved(rows, 2) for rows in found)], ["mean time, ms", *means]]
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
