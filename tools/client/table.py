"""The table: clients and groups of their tests, passed with the built-in solver and with the original."""
import collections
import pathlib
import typing

OPEN = pathlib.Path(__file__).with_name("open.txt")


class Row(typing.NamedTuple):
    """A test of a client with one solver."""

    client: str
    solver: str
    group: str
    seat: str
    test: str
    outcome: str


def listed():
    """Tests that the built-in solver is known to fail: `client seat test`, then the reason; `*` is every seat."""
    lines = [l.split(None, 3) for l in OPEN.read_text().splitlines() if l and not l.startswith("#")]
    return {tuple(l[:3]): l[3] for l in lines}


def unexpected(rows):
    known = listed()
    return [r for r in rows if r.solver == "built-in" and r.outcome != "ok" and not {(r.client, r.seat, r.test), (r.client, "*", r.test), (r.client, "*", "*")} & known.keys()]


def text(rows, markdown, show):
    cells = collections.defaultdict(lambda: collections.defaultdict(list))
    for r in rows:
        cells[r.client, r.group, r.seat][r.solver].append(r)
    out = ["| client | tests | started as | number | built-in | original |", "|---|---|---|---:|---:|---:|"]
    for (client, group, seat), by in cells.items():
        number = max(len(v) for v in by.values())
        passed = [str(sum(r.outcome == "ok" for r in by[s])) if s in by else "" for s in ("built-in", "original")]
        out.append(f"| {client} | {group} | `{seat}` | {number} | {' | '.join(passed)} |")
    if not markdown:
        out = [line.strip("| ").replace(" | ", "  ").replace("`", "") for line in out if not line.startswith("|--")]
    if show:
        out += [f"{r.solver:<9} {r.client} {r.seat} {r.test}: {r.outcome}" for r in rows if r.outcome != "ok"]
    return "\n".join(out)
