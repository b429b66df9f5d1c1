"""Campaigns as JSON: verdicts counted."""
from measure.pages import table

# The columns of a report, by their names in its JSON.
VERDICTS = {"ok": "ok", "invalid-model": "IM", "unsound-core": "IC!", "imprecise-core": "IC~", "wrong-sat": "S", "wrong-unsat": "U",
            "unknown": "K", "timeout": "T", "error": "E", "undetermined": "?"}
WRONG = ("invalid-model", "unsound-core", "wrong-sat", "wrong-unsat")
OPEN = ("unknown", "timeout", "error", "undetermined")


def categories(report, solver):
    """(category, counts) of one solver, in the order of the report."""
    return [(r["label"], r["solvers"][solver]) for r in report["table"] if r["kind"] == "category" and solver in r["solvers"]]


def total(rows):
    return {k: sum(c[k] for _, c in rows) for k in ("tests", *VERDICTS)}


def solver_names(report):
    return [s["name"] for s in report["solvers"]]


def verdict_table(report, solver, last=None):
    """Category × verdict, as in Table 4 of the ICSE'20 paper; `last` is one more column by category."""
    rows = [*categories(report, solver)]
    rows.append(("**all**", total(rows)))
    header = ["category", "tests", *VERDICTS.values(), *([last[0]] if last else [])]
    body = [[label, c["tests"], *(c[k] or "·" for k in VERDICTS), *([last[1].get(label, "")] if last else [])] for label, c in rows]
    return table(header, body)


def summed(report, solver, keys):
    return sum(total(categories(report, solver))[k] for k in keys)


def by_answer(report, solver):
    """Correct sat, correct unsat, undecided, wrong."""
    parts = {r["label"]: r["solvers"][solver] for r in report["table"] if r["kind"] == "subtotal"}
    ok = [sum(parts.get(s, {}).get(k, 0) for k in ("ok", "imprecise-core")) for s in ("sat", "unsat")]
    return [*ok, summed(report, solver, OPEN), summed(report, solver, WRONG)]
