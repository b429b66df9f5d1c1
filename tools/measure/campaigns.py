"""Pages on other solvers: paper.md, known-wrong.md, break.md, edits.md, corpus.md."""
import json
import statistics

from measure import score, tally
from measure.pages import code, rounded, table
from measure.work import ROOT, section

# Table 4 of the ICSE'20 paper: IM IC S U K T E by category; S and U count answers, correct ones included.
PAPER = {
    "z3-4.8.0": ["0 - 10 0 2 0 0", "24 - 4158 14 518 0 0", "2 - 842 0 483 67 0", "- 0 0 9 0 3 0", "- 0 1 153 10 104 0",
                 "- 67 0 50 37 24 0", "- 0 0 9 0 3 0", "- 0 1 153 9 105 0", "- 67 0 42 36 33 0"],
    "z3str3-4.8.0": ["0 - 12 0 0 0 0", "24 - 4580 105 0 5 0", "7 - 1027 109 0 133 118", "- 0 0 8 0 3 1", "- 10 5 120 12 71 50",
                     "- 21 10 58 5 41 43", "- 0 0 8 0 3 1", "- 7 6 120 7 78 50", "- 22 16 52 8 30 50"],
    "cvc4-1.6": ["0 - 12 0 0 0 0", "0 - 4714 0 0 0 0", "0 - 1394 0 0 0 0", "- 0 0 5 0 7 0", "- 0 0 89 0 177 2",
                 "- 23 0 26 0 125 4", "- 0 0 5 0 7 0", "- 0 0 89 0 176 3", "- 25 0 24 0 123 6"],
}
CATEGORIES = ["operation", "constant", "term", "equivalent", "core", "redundancy", "equivalent+p", "core+p", "redundancy+p"]


def paper(m, label, solvers, *options):
    """The suite of the paper on some solvers, and second opinions on what is judged unsound."""
    m.install(solvers)
    command = ["stringent", "test", "--preset", "icse20", *options, "--cpu-limit", 1, "--time-limit", 10, "--no-batch",
               *m.size([], ["--limit", 60])]
    report = m.campaign(label, [*command, *(a for s in solvers for a in ("--solver", s))])
    parts = []
    for name in tally.solver_names(report):
        last = ("paper: IM IC S U K T E", dict(zip(CATEGORIES, PAPER[name]))) if name in PAPER else None
        parts.append(f"### {name}\n\n" + tally.verdict_table(report, name, last))
    return "\n\n".join([*parts, confirmed(m, label)])


def confirmed(m, label):
    found = m.json("confirm", ["stringent", "report", f"{label}.store", "--confirm", "z3", "--confirm", "cvc5"], (0, 10, 11))
    keys = ("confirmed", "weakly-confirmed", "contradicted", "no-opinion")
    rows = [[g["solver"], g["verdict"], g["kind"], *(g[k] for k in keys)] for g in found["groups"]]
    return "Second opinions on unsound results:\n\n" + (
        table(["solver", "verdict", "kind", "confirmed", "weakly", "contradicted", "no opinion"], rows) if rows else "none needed.")


@section("paper", "table-4", 240, "z3", "cvc5")
def table_4(m):
    return paper(m, "table4", m.size(["z3@4.8.0", "z3str3@4.8.0", "cvc4@1.6"], ["z3@4.8.0"]))


@section("paper", "table-6", 150, "z3", "cvc5")
def table_6(m):
    return paper(m, "table6", m.size(["z3@4.8.6", "z3str3@4.8.6", "cvc4@1.8"], ["z3str3@4.8.0"]), "--patterns", "without")


@section("paper", "today", 100, "z3", "cvc5")
def today(m):
    return paper(m, "today", ["z3", "cvc5", *m.size(["oxiz@0.3.4"], []), "builtin"], "--patterns", "without")


def known_wrong(m, label, solvers, *options, folder=ROOT / "regress/known-wrong"):
    """Formula × solver: the verdicts of all seeds, unsound ones in bold."""
    m.install(solvers)
    m.campaign(label, ["stringent", "run", folder, *(a for s in solvers for a in ("--solver", s)), *options])
    m.shown[-1] = m.shown[-1].replace(str(ROOT) + "/", "")
    cells, truth, names = {}, {}, []
    for r in m.runs(label):
        name = r["instance"].rsplit("/", 1)[-1]
        truth[name] = r["status"]
        names += [r["solver"]] if r["solver"] not in names else []
        mark = {"unsound-core": "IC!", "foreign-core": "IC!", "imprecise-core": "IC~"}.get(r["kind"], r["verdict"])
        cells.setdefault(name, {}).setdefault(r["solver"], {})[(mark, r["severity"] == "unsound")] = 0
    def shown(marks):
        text = "/".join(dict.fromkeys(mark for mark, _ in marks))
        return f"**{text}**" if any(unsound for _, unsound in marks) else text
    rows = [[n, truth[n], *(shown(by[s]) if s in by else "" for s in names)] for n, by in sorted(cells.items())]
    return table(["formula", "answer", *names], rows)


LIMITS = ("--cpu-limit", 2, "--time-limit", 15, "--solver-seeds", "0,1465")
Z3_VERSIONS = ("4.5.1", "4.8.0", "4.8.4", "4.8.5", "4.8.6", "4.8.7", "4.8.10", "4.8.12")


@section("known-wrong", "z3", 25, "z3", "cvc5")
def known_z3(m):
    versions = m.size(Z3_VERSIONS, ())
    return known_wrong(m, "z3", [*(f"z3@{v}" for v in versions), "z3"], *LIMITS, *m.size([], ["--limit", 3]))


@section("known-wrong", "z3str3", 25)
def known_z3str3(m):
    versions = m.size([v for v in Z3_VERSIONS if v != "4.8.10"], ["4.8.0"])
    return known_wrong(m, "z3str3", [f"z3str3@{v}" for v in versions], *LIMITS, *m.size([], ["--limit", 3]))


@section("known-wrong", "others", 25, "cvc5")
def known_others(m):
    old = m.size(["cvc4@1.6", "cvc4@1.8", "cvc5@1.0.3", "oxiz@0.3.4"], [])
    return known_wrong(m, "others", [*old, "cvc5", "builtin"], *LIMITS, *m.size([], ["--limit", 3]))


@section("known-wrong", "unnamed", 5)
def known_unnamed(m):
    solvers = [f"z3str3@{v}" for v in m.size(("4.5.1", "4.8.0", "4.8.4", "4.8.6"), ("4.8.0",))]
    return known_wrong(m, "unnamed", solvers, "--cpu-limit", 5, "--time-limit", 30, "--unnamed", *m.size([], ["--limit", 3]))


@section("break", "search", 60, "z3", "cvc5")
def search(m):
    rows, names = [], ["z3", "cvc5", "builtin"]
    for name in names:
        others = [a for n in names if n != name for a in ("--compare", n)]
        found = m.json(name, ["stringent", "break", "--solver", name, *others, "--runs", m.size(15, 2), "--generations", m.size(25, 2),
                              "--population", 8, "--time-limit", 3, "--max-asserts", 6, "--shrink", m.size(30, 0)],
                       (0, 10, 11), ("--out", f"{name}-search", "--quiet"))
        m.keep(f"{name}-search/best.svg", f"break-{name}.svg")
        best = found["best"]
        times = {found["solver"]: [b["found"] for b in best]}
        for b in best:
            for o in b["others"]:
                times.setdefault(o["solver"], []).append(o["found"])
        for solver, measured in times.items():
            seconds = [f["time"] for f in measured]
            rows.append([found["solver"], solver, sum(b["judged"] for b in best) if solver == found["solver"] else "",
                         sum(f["at_limit"] for f in measured), sum(s > 0.1 for s in seconds), f"{1000 * statistics.median(seconds):.0f} ms",
                         f"± {100 * statistics.median(b['noise'] for b in best):.0f} %" if solver == found["solver"] else ""])
    pictures = "\n\n".join(f"![CPU times on scripts evolved for {n}](break-{n}.svg)" for n in names)
    header = ["evolved for", "run on", "scripts judged", "at the limit", "over 0.1 s", "median", "noise"]
    return table(header, rows) + "\n\n" + pictures


@section("break", "speed", 1)
def break_speed(m):
    rates = []
    for i in range(m.size(3, 1)):
        command = ["stringent", "break", "--solver", "noop=/bin/echo sat", "--generations", m.size(200, 5), "--population", 30, "--shrink", 0]
        result = m.run(f"speed{i}", command, (0, 10, 11), ("--out", f"noop{i}", "--quiet", "--format", "json"))
        judged = sum(b["judged"] for b in json.loads(result["out"])["best"])
        rates.append(judged / result["seconds"])
    return f"Scripts judged per second, {len(rates)} runs: {', '.join(map(rounded, rates))}."


@section("edits", "experiment", 5)
def edits_experiment(m):
    command = ["stringent", "edits", "search", "--count", m.size(150000, 300), "--length", "0..3", "--time-limit", 2]
    report = m.campaign("edits", command)
    name = tally.solver_names(report)[0]
    times = report["times"][name]
    rows = [[label, c["tests"], *(c[k] or "·" for k in tally.VERDICTS)] for label, c in tally.categories(report, name)]
    return (table(["answer", "formulas", *tally.VERDICTS.values()], rows)
            + f"\n\nWall-clock time by formula: median {1000 * times['median_s']:.1f} ms, 95 % within {1000 * times['p95_s']:.0f} ms, "
            f"slowest {1000 * times['slowest_s']:.0f} ms.")


@section("edits", "distance", 60, "z3", "cvc5")
def edits_distance(m):
    m.install(["z3@4.8.15"])
    command = ["stringent", "edits", "search", "--count", m.size(240, 12), "--distance", "1..6", "--length", 6, "--cpu-limit",
               m.size(2, 0.2), "--time-limit", 200, "--jobs", 1, "--no-batch", "--solver", "z3", "--solver", "cvc5", "--solver",
               "z3@4.8.15", "--solver", "builtin"]
    report = m.campaign("distance", command)
    names = tally.solver_names(report)
    rows = []
    for o in report["operations"]:
        counts = [o["solvers"].get(n) for n in names]
        tests = next(c["tests"] for c in counts if c)
        rows.append([f"{o['category']}, {o['operation'].replace(' 0', ' ')}", tests,
                     *(f"{100 * c['ok'] / c['tests']:.0f} %" if c else "" for c in counts)])
    wrong = sum(tally.summed(report, n, tally.WRONG) for n in names)
    return table(["", "formulas", *names], rows) + f"\n\nWrong results: {wrong}."


WRONG_SEARCHES = (
    ("--alphabet unicode --extra 2 --regex --index-sum --unknown 0.4 --length 0..3", ("z3", "z3@4.8.15")),
    ("--alphabet unicode --extra 2 --regex --index-sum --unknown 0.6 --length 0..3 --seed 9000", ("z3str3@4.8.15", "cvc5")),
    ("--alphabet-size 2 --extra 1 --unknown 0.7 --length 0..4 --seed 9000", ("z3str3@4.8.15", "cvc5")),
    ("--length 0..3", ("z3str3@4.8.15",)),
)


@section("edits", "wrong-answers", 30, "z3", "cvc5")
def edits_wrong(m):
    m.install(["z3@4.8.15"])
    rows = []
    for i, (flags, solvers) in enumerate(WRONG_SEARCHES):
        report = m.campaign(f"wrong{i}", ["stringent", "edits", "search", *flags.split(), "--count", m.size(400, 10), "--cpu-limit",
                                          m.size(1, 0.2), "--time-limit", 100, *(a for s in solvers for a in ("--solver", s))])
        for name in tally.solver_names(report):
            c = tally.total(tally.categories(report, name))
            rows.append([f"`{flags}`", name, c["tests"], c["ok"], sum(c[k] for k in tally.OPEN), sum(c[k] for k in tally.WRONG)])
    return table(["formulas", "solver", "tests", "ok", "undecided", "wrong"], rows)


@section("corpus", "front-end", 5, "corpus", "z3", "cvc5")
def corpus(m):
    folder = m.work.given("corpus")
    checked = m.json("check", ["stringent", "check", "--round-trip", folder], (0, 2))
    accepted = [f for f in checked["files"] if f["ok"]]
    rows = [["accepted", len(accepted)], ["rejected", checked["rejected"]]]
    for dialect in accepted[0]["round_trips"]:
        results = [f["round_trips"].get(dialect) for f in accepted]
        usual = max(set(results), key=results.count)
        rows.append([f"written in {dialect} and read back: {usual}", results.count(usual)])
    agree = m.run("convert", [ROOT / "tools/convert-agreement", folder, "--count", m.size(500, 10), "--seconds", 4, "--stringent",
                              m.work.program], (0, 1))
    m.shown[-1] = m.shown[-1].replace(str(ROOT) + "/", "").replace(f" --stringent {m.work.program}", "")
    return table(["", "scripts"], rows) + "\n\nAnswers before and after conversion:\n\n" + code(agree["out"].replace(str(folder), "CORPUS"))


@section("corpus", "models", 60, "bench", "z3", "cvc5")
def corpus_models(m):
    report = m.campaign("models", ["stringent", "run", score.index(m.work.given("bench"))[0], "--solver", "z3", "--solver", "cvc5", "--time-limit", 5,
                                   *m.size([], ["--limit", 20])])
    rows = []
    for name in tally.solver_names(report):
        sat = [r for r in m.runs("models") if r["solver"] == name and r["answer"] == "sat"]
        by = {k: sum(r["model"] == k for r in sat) for k in ("holds", "fails")}
        rows.append([name, len(sat), *by.values(), len(sat) - sum(by.values())])
    return table(["solver", "sat answers", "models that hold", "fail", "undetermined or absent"], rows)
