"""docs/results/solver.md: families of constraints that grow in one property, by the built-in solver, z3 and cvc5."""
from measure import tally
from measure.pages import table
from measure.work import section

SIZES = {
    "letters": (10, 50, 200, 1000, 5000), "sanitizers": (2, 4, 8, 12, 20), "filters": (1, 2, 4, 8, 12), "java": (4, 8, 16, 32, 64),
    "values": (20, 100, 500, 1000, 4000), "equations": (2, 3, 5, 8, 12), "blowup": (5, 10, 20, 50, 200), "patterns": (3, 6, 12, 25, 100),
}
COLORS = ("#1b6ca8", "#c8553d", "#588157")


@section("solver", "families", 60, "z3", "cvc5")
def families(m):
    each = m.size(2, 1)
    generate(m, each)
    command = ["stringent", "run", "files", "--solver", "builtin", "--solver", "z3", "--solver", "cvc5", "--cpu-limit", m.size(5, 1),
               "--time-limit", m.size(100, 20), "--jobs", 1, "--no-confirm", "--unnamed"]
    report = m.campaign("families", command)
    names, found = tally.solver_names(report), counts(m.runs("families"))
    (m.folder / "plot.svg").write_text(plot(names, found))
    m.keep("plot.svg", "solver-families.svg")
    rows = [[f, answer, *(cell(found, n, f, answer) for n in names)] for f in SIZES for answer in ("sat", "unsat")]
    rows.append(["**all**", "", *(f"{sum(v[0] for k, v in found.items() if k[0] == n)} of {sum(v[1] for k, v in found.items() if k[0] == n)}"
                                  for n in names)])
    wrong = sum(tally.summed(report, n, tally.WRONG) for n in names)
    sizes = "; ".join(f"{f} {', '.join(map(str, s))}" for f, s in SIZES.items())
    return (table(["family", "answer", *names], rows) + f"\n\nWrong answers: {wrong}. Sizes ({each} of each answer): {sizes}.\n\n"
            "![Solved within 5 s of CPU time by size](solver-families.svg)")


def generate(m, each):
    """A folder of scripts by family, size and answer."""
    for family, sizes in SIZES.items():
        for size in sizes:
            for mode in ("sat", "unsat"):
                m.run(f"{family}-{size}-{mode}", ["stringent", "gen", family, "--size", size, "--mode", mode, "--count", each, "--out",
                                                  f"files/{family}-{size:05}-{mode}"])
    m.shown[:] = ["stringent gen FAMILY --size N --mode sat|unsat --count 2 --out files/FAMILY-N-MODE   # for all families and sizes"]


def counts(runs):
    """Solved and all, by solver, family, size and answer."""
    out = {}
    for r in runs:
        family, size, answer = next(p for p in r["instance"].split("/") if p.count("-") == 2).split("-")
        here = out.setdefault((r["solver"], family, int(size), answer), [0, 0])
        here[0] += r["answer"] == answer
        here[1] += 1
    return out


def cell(found, name, family, answer):
    solved, tests = (sum(v[i] for k, v in found.items() if (k[0], k[1], k[3]) == (name, family, answer)) for i in (0, 1))
    return f"{solved} of {tests}"


def plot(names, found):
    """One panel for each family: the share of solved scripts against the size, equally spaced."""
    width, height, gap = 190, 110, 34
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {4 * (width + gap) + gap} {2 * (height + 62) + 30}" '
           'font-family="sans-serif" font-size="10">', '<rect width="100%" height="100%" fill="#ffffff"/>']
    for k, (name, color) in enumerate(zip(names, COLORS)):
        out.append(f'<text x="{gap + 150 * k}" y="16" fill="{color}">— {name}</text>')
    for k, (family, sizes) in enumerate(SIZES.items()):
        left, top = gap + k % 4 * (width + gap), 46 + k // 4 * (height + 62)
        out += panel(left, top, width, height, family, sizes)
        for i, (name, color) in enumerate(zip(names, COLORS)):
            points = []
            for j, size in enumerate(sizes):
                here = [found.get((name, family, size, a), (0, 0)) for a in ("sat", "unsat")]
                share = sum(h[0] for h in here) / max(1, sum(h[1] for h in here))
                # Lines on one another stay visible.
                points.append(f"{left + 10 + j * (width - 20) / (len(sizes) - 1):.0f},{top + 6 + (1 - share) * (height - 12) + 2 * i - 2:.0f}")
            out.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{color}" stroke-width="1.6"/>')
    return "\n".join([*out, "</svg>"]) + "\n"


def panel(left, top, width, height, family, sizes):
    """Title, frame and ticks."""
    yield f'<text x="{left}" y="{top - 5}" fill="#222222">{family}</text>'
    yield f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#bbbbbb"/>'
    for j, size in enumerate(sizes):
        x = left + 10 + j * (width - 20) / (len(sizes) - 1)
        yield f'<text x="{x:.0f}" y="{top + height + 13}" text-anchor="middle" fill="#555555">{size}</text>'
    for share, label in ((0, "0"), (1, "100 %")):
        yield f'<text x="{left - 3}" y="{top + 10 + (1 - share) * (height - 12):.0f}" text-anchor="end" fill="#555555" font-size="8">{label}</text>'
