"""Pages on speed and on the evaluator: front-end.md, campaign.md, fuzzing.md, evaluator.md."""
from measure.pages import code, rounded, table
from measure.work import ROOT, section


@section("front-end", "reading", 3, "z3", "cvc5")
def front_end(m):
    found = m.json("bench", ["stringent", "bench", "front-end", "--runs", m.size(7, 1), "--megabytes", m.size(20, 1)])
    rows = []
    for r in found["rows"]:
        peak = r["peak_mb"]
        rows.append([r["name"], f"{r['seconds']:.2f}", f"{r['mb_per_s']:.1f}", f"{r['times_ours']:.1f}", f"{peak:.0f} MB" if peak else "",
                     f"{peak / found['megabytes']:.1f} ×" if peak else "", r["note"]])
    return f"A script of {found['megabytes']:.0f} MB:\n\n" + table(
        ["", "seconds", "MB/s", "× our time", "peak memory", "of the file", ""], rows)


@section("front-end", "evaluator", 1)
def evaluation(m):
    found = m.json("bench", ["stringent", "bench", "evaluator", "--runs", m.size(7, 1)])
    return (f"{found['assertions']:,} assertions under {found['models']} models: {found['applications']:,} operator applications in "
            f"{found['seconds']:.2f} s on one core, {rounded(found['per_second'])} per second.")


@section("campaign", "cost", 2)
def campaign(m):
    return code(m.run("bench", ["stringent", "bench", "campaign", "--runs", m.size(5, 1)])["out"])


@section("fuzzing", "targets", 35, "seeds")
def fuzzing(m):
    found = m.run("fuzz", [ROOT / "tools/fuzz", m.size(900, 10), m.work.given("seeds")], (0, 1), cwd=ROOT)
    m.shown[-1] = m.shown[-1].replace(str(ROOT) + "/", "")
    return code(found["out"])


@section("evaluator", "solvers", 20, "z3", "cvc5")
def evaluator(m):
    found = m.json("selftest", ["stringent", "selftest", "--count", m.size(110000, 20), "--seed", 0], (0, 10, 11))
    keys = {"asked": "checked", "agree": "agree", "known": "disagree, known", "new": "disagree", "undecided": "undecided",
            "not_applicable": "not checked: the solver lacks an operator", "skipped": "rejected with an error"}
    rows = [[name, *(s["total"][key] for s in found["solvers"])] for key, name in keys.items()]
    return f"{found['seconds'] / 60:.0f} minutes.\n\n" + table(["", *(s["name"] for s in found["solvers"])], rows)
