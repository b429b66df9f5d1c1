"""Pages on generated scripts: stringfuzz.md, stringfuzz-transform.md, synthesis.md."""
import re
import statistics

from measure import tally
from measure.pages import code, rounded, table
from measure.work import ROOT, Unmeasured, section

# Generator and flags, number of scripts, time limit in seconds.
GENERATED = (
    ("concats", 1000, 5), ("concats --depth 5 --depth-type semantic --extract 1 --extract-max 3 --solution solution", 400, 5),
    ("lengths", 1000, 5), ("lengths --num-concats 2 --random-relations", 400, 5),
    ("overlaps", 1000, 5), ("overlaps --length-of-consts 1", 1000, 5),
    ("equality", 1000, 5), ("equality --add-infixes --prefix-len 1 --random-lengths", 1000, 5),
    ("regex", 1000, 5),
    ("regex --depth 2 --num-regexes 2 --membership-type alternating --coincide --literal-type increasing", 400, 5),
    ("clever", 1000, 2), ("random-ast", 1000, 1), ("random-ast --meaningful --satisfiable", 1000, 1),
)
SCALING = ("concats-balanced", "concats-big", "concats-extracts-small", "different-prefix")
TRANSFORMERS = ("nop", "reverse", "translate", "translate --within-ranges", "unprintable", "rotate", "multiply", "graft", "fuzz",
                "insert-operator")


@section("stringfuzz", "accepted", 90, "z3", "cvc5")
def accepted(m):
    rows = []
    for i, (flags, count, limit) in enumerate(GENERATED):
        count = m.size(count, 10)
        report = m.campaign(f"gen{i}", ["stringent", "test", "--gen", flags, "--count", count, "--time-limit", limit, "--solver", "z3",
                                        "--solver", "cvc5", "--no-confirm"])
        names, runs = tally.solver_names(report), m.runs(f"gen{i}")
        status = [r["status"] for r in runs if r["solver"] == names[0]]
        known = f"{status.count('sat')} + {status.count('unsat')}"
        for name in names:
            c = tally.total(tally.categories(report, name))
            rows.append([f"`{flags}`", count, known, name, c["ok"] + c["imprecise-core"], c["undetermined"], c["unknown"] + c["timeout"],
                         c["error"], sum(c[k] for k in tally.WRONG)])
    header = ["generator", "scripts", "sat + unsat known", "solver", "ok", "undetermined", "unknown, time", "errors", "wrong"]
    return table(header, rows)


def ends(runs, solver, suite):
    """Median times at the least and the greatest value of the property that grows."""
    by = {}
    for r in runs:
        if r["solver"] == solver and r["category"] == suite:
            by.setdefault(int(r["instance"].rsplit("-", 2)[-2]), []).append(1000 * r["wall_s"])
    first, last = min(by), max(by)
    return (first, last), f"{statistics.median(by[first]):,.0f} … {statistics.median(by[last]):,.0f} ms"


@section("stringfuzz", "scaling", 40, "z3", "cvc5")
def scaling(m):
    old = m.size(["z3@4.8.6"], [])
    m.install(old)
    solvers = [*old, "z3", "cvc5", "builtin"]
    report = m.campaign("scaling", ["stringent", "test", *(a for s in SCALING for a in ("--suite", s)),
                                    *(a for s in solvers for a in ("--solver", s)), "--unnamed", "--no-confirm", "--time-limit",
                                    m.size(5, 0.5), "--jobs", 1, *m.size([], ["--limit", 20])])
    names, runs, rows = tally.solver_names(report), m.runs("scaling"), []
    for suite in SCALING:
        found = [ends(runs, n, suite) for n in names]
        rows.append([f"{suite}, {found[0][0][0]} … {found[0][0][1]}", *(text for _, text in found)])
    rows.append(["correct answers", *(tally.summed(report, n, ("ok",)) for n in names)])
    return "Median wall-clock time at the first and the last value.\n\n" + table(["suite", *names], rows)


def generation(m, wanted):
    """Rows of `bench gen` for some generators."""
    found = m.json("bench", ["stringent", "bench", "gen", "--runs", m.size(3, 1)])["rows"]
    rows = []
    for r in found:
        if wanted(r["name"]):
            recorded = r["stringfuzz_recorded"]
            rows.append([f"`{r['name']}`", r["how"], rounded(r["per_second"]), rounded(recorded) if recorded else "",
                         f"{r['per_second'] / recorded:.0f} ×" if recorded else ""])
    return table(["generator", "measured", "scripts per second", "StringFuzz, recorded", "ratio"], rows)


@section("stringfuzz", "speed", 2)
def gen_speed(m):
    return generation(m, lambda name: not name.startswith("edits"))


@section("edits", "speed", 2)
def edits_speed(m):
    return generation(m, lambda name: name.startswith("edits"))


@section("stringfuzz-transform", "accepted", 5, "seeds")
def transformed(m):
    seeds, rows = m.work.given("seeds"), []
    for t in TRANSFORMERS:
        folder = t.replace(" --", "-")
        made = m.run(f"{folder}-made", ["stringent", "transform", *t.split(), seeds, "--out", f"out/{folder}", "--out-lang", "2.6"], (0, 2))
        checked = m.run(f"{folder}-checked", ["stringent", "check", f"out/{folder}", "--quiet"], (0, 2))
        found = re.search(r"(\d+) of (\d+) scripts.*?: (\d+) sat, (\d+) unsat, (\d+)", made["err"])
        rejected = len(re.findall(r": rejected", checked["out"] + checked["err"]))
        rows.append([f"`{t}`", *(int(n) for n in found.groups()[1::-1]), int(found[1]) - rejected, *(int(n) for n in found.groups()[2:])])
    return table(["transformer", "seeds", "written", "accepted by `check`", "sat", "unsat", "unlabelled"], rows)


@section("stringfuzz-transform", "answers", 60, "seeds", "z3", "cvc5")
def carried(m):
    if not (m.folder.parent / "accepted/out").exists():
        raise Unmeasured("needs the section stringfuzz-transform/accepted")
    m.campaign("scripts", ["stringent", "run", "../accepted/out", "--solver", "z3", "--solver", "cvc5", "--limit", m.size(4000, 20),
                           "--time-limit", 5, "--no-confirm"])
    counts, names = {}, []
    for r in m.runs("scripts"):
        if r["status"] in ("sat", "unsat"):
            names += [r["solver"]] if r["solver"] not in names else []
            kind = "agrees" if r["answer"] == r["status"] else "contradicts" if r["answer"] in ("sat", "unsat") else "undecided"
            by = counts.setdefault(r["category"], {}).setdefault(r["solver"], {})
            by[kind] = by.get(kind, 0) + 1
    kinds = ("agrees", "undecided", "contradicts")
    rows = [[f"`{t}`", *(by.get(n, {}).get(k, 0) for n in names for k in kinds)] for t, by in sorted(counts.items())]
    return table(["transformer", *(f"{n} {k}" for n in names for k in kinds)], rows)


@section("stringfuzz-transform", "speed", 3)
def transform_speed(m):
    m.run("script", ["stringent", "bench", "front-end", "--megabytes", 1, "--runs", 1, "--keep", "script.smt2"])
    found = m.run("speed", ["cargo", "run", "--release", "-q", "-p", "synth", "--example", "transform_speed", m.folder / "script.smt2"],
                  cwd=ROOT)
    m.shown[-1] = m.shown[-1].replace(str(m.folder) + "/", "")
    return code(found["out"])


@section("synthesis", "speed", 1)
def synth_speed(m):
    return code(m.run("bench", ["stringent", "bench", "synth", "--runs", m.size(3, 1)])["out"])


@section("synthesis", "attacks", 3)
def attacks(m):
    command = ["stringent", "synth", "--preset", "icse20", "--patterns", "without", "--attack", m.size(4, 1), "--attack-steps", m.size(100000, 100)]
    found = m.run("attack", command, (0, 10))
    return code((found["out"] + found["err"]).strip().splitlines()[-1])
