"""The HTML report: the source, coloured by coverage and by the input that reached it.

One file without references to others. The background of a line says whether it was executed, with all its branches or only some; the number at its left is the input that reached it first, in a colour of its own. Choosing an input marks
all lines that it reached.
"""

from __future__ import annotations

import html
import linecache
import os

from .coverage import Direction, Line
from .report import lost_table, percent, summary
from .result import Execution, Result, safe_repr

_STYLE = """
:root { color-scheme: light dark; --ground: #fff; --text: #1c1e21; --soft: #63676d; --rule: #d9dce1; --full: #e3f4e3; --part: #fff3cf; --none: #fbe0de; --mark: #1a56c4; --card: #f6f7f9 }
@media (prefers-color-scheme: dark) { :root { --ground: #16181b; --text: #e4e6ea; --soft: #9aa0a8; --rule: #34383e; --full: #17331d; --part: #3c3213; --none: #43201f; --mark: #7fa8ff; --card: #1e2125 } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 75rem; background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif }
h1 { font-size: 1.3rem; margin: 0 0 .3rem; overflow-wrap: anywhere } h2 { font-size: 1.05rem; margin: 1.6rem 0 .5rem; overflow-wrap: anywhere }
p { margin: .3rem 0 } .soft { color: var(--soft) }
.figures { display: flex; flex-wrap: wrap; gap: .6rem; margin: .8rem 0 }
.figures div { background: var(--card); border: 1px solid var(--rule); border-radius: 6px; padding: .4rem .8rem } .figures b { display: block; font-size: 1.15rem }
.wide { overflow-x: auto } table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid var(--rule); vertical-align: top } td.n, th.n { text-align: right; white-space: nowrap }
code, pre, .source { font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace } td code { overflow-wrap: anywhere }
.source { border: 1px solid var(--rule); border-radius: 6px; overflow-x: auto; counter-reset: none }
.line { display: flex; min-width: max-content } .line > span { white-space: pre; padding: 0 .5rem }
.line .no { width: 3.6rem; text-align: right; color: var(--soft); flex: none } .line .by { width: 3rem; text-align: center; flex: none }
.line .why { color: var(--soft); font-family: system-ui, sans-serif; font-size: 12px; padding-left: 2rem }
.full { background: var(--full) } .part { background: var(--part) } .none { background: var(--none) }
.key span { display: inline-block; padding: 0 .5rem; border-radius: 4px; margin: 0 .4rem .3rem 0 }
.chip { display: inline-block; min-width: 1.9rem; padding: 0 .35rem; border-radius: 8px; text-align: center; color: #fff; font-size: 12px; line-height: 1.4 }
button.chip { border: 0; cursor: pointer; font: inherit; font-size: 12px } button.chip:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px }
.line.hit .no { box-shadow: inset 4px 0 var(--mark); color: var(--text); font-weight: 600 } .chosen { outline: 2px solid var(--mark) }
@media (max-width: 600px) { body { padding: .6rem } .line .no { width: 2.6rem; padding: 0 .3rem } .line .by { width: 2.4rem; padding: 0 .2rem } th, td { padding: .25rem .35rem } td.n, th.n { display: none } .line .why { padding-left: 1rem } }
"""

_SCRIPT = """
let chosen = null;
document.querySelectorAll('button.chip').forEach(button => button.addEventListener('click', () => {
  const number = button.dataset.input;
  chosen = chosen === number ? null : number;
  document.querySelectorAll('.line').forEach(line => line.classList.toggle('hit', chosen !== null && (line.dataset.by || '').split(' ').includes(chosen)));
  document.querySelectorAll('button.chip').forEach(b => { b.classList.toggle('chosen', b.dataset.input === chosen); b.setAttribute('aria-pressed', b.dataset.input === chosen) });
}));
"""


def _colour(number: int) -> str:
    """A colour for an input; neighbours differ much."""
    return f"hsl({(number * 137) % 360} 55% 38%)"


def page(result: Result) -> str:
    """The report of an exploration."""
    numbers = {execution.number: i + 1 for i, execution in enumerate(result.executions)}
    lines, all_lines = result.lines()
    branches, all_branches = result.branches()
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Coverage of {_text(result.name)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>Coverage of <code>{_text(result.name)}</code></h1>",
        '<div class="figures">',
        _figure("lines", f"{lines}/{all_lines}", percent(lines, all_lines)),
        _figure("branches", f"{branches}/{all_branches}", percent(branches, all_branches)),
        _figure("executions", str(result.runs), ""),
        _figure("queries", str(result.counts.asked()), ""),
        _figure("time", f"{result.seconds:.1f} s", ""),
        "</div>",
        *(f'<p class="soft">{_text(line)}</p>' for line in summary(result)),
        *_inputs(result, numbers),
    ]
    lost = lost_table(result)
    if lost:
        parts.append("<h2>Limits of tracking</h2><ul>")
        parts.extend(f"<li>{_text(line.strip())}</li>" for line in lost)
        parts.append("</ul>")
    if result.findings:
        parts.append("<h2>Defects of this package</h2><ul>")
        parts.extend(
            f"<li>{_text(f.kind)}: {_text(f.message)} <code>{_text(safe_repr(f.arguments))}</code></li>"
            for f in result.findings
        )
        parts.append("</ul>")
    for file in sorted(result.scope):
        parts.extend(_source(result, file, numbers))
    parts.append(f"<script>{_SCRIPT}</script></body></html>")
    return "\n".join(parts) + "\n"


def _figure(name: str, value: str, more: str) -> str:
    return f"<div><b>{_text(value)}</b>{_text(name)}{f' · {_text(more)}' if more and more != '-' else ''}</div>"


def _inputs(result: Result, numbers: dict[int, int]) -> list[str]:
    found = [
        "<h2>Inputs</h2>",
        '<p class="soft">Each of them reached something new or ended in a new way. Choose a number to mark its lines.</p>',
        '<div class="wide"><table><thead><tr><th>input</th><th>call</th><th>outcome</th><th class="n">new places</th></tr></thead><tbody>',
    ]
    for execution in result.executions:
        number = numbers[execution.number]
        found.append(
            f'<tr><td><button type="button" class="chip" aria-pressed="false" data-input="{number}" style="background:{_colour(number)}">{number}</button></td>'
            f"<td><code>{_text(execution.call(result.name))}</code></td><td>{_text(execution.outcome.describe())}</td>"
            f'<td class="n">{len(execution.new)}</td></tr>'
        )
    found.append("</tbody></table></div>")
    return found


def _source(result: Result, file: str, numbers: dict[int, int]) -> list[str]:
    """The lines of a file, those of functions with their coverage."""
    source = linecache.getlines(file)
    if not source:
        return []
    on_line: dict[int, int] = {}
    directions: dict[int, list[int]] = {}
    for number, place in enumerate(result.measure.places):
        if place.file == file:
            if isinstance(place, Line):
                on_line[place.line] = number
            else:
                directions.setdefault(place.line, []).append(number)
    by = _reached_by(result.executions)
    found = [
        f"<h2>{_text(os.path.basename(file))}</h2>",
        '<p class="key"><span class="full">executed</span><span class="part">executed, some branches are missing</span>'
        '<span class="none">not executed</span></p>',
        '<div class="source">',
    ]
    for i, text in enumerate(source, 1):
        place_number = on_line.get(i)
        reached = [numbers[e.number] for e in by.get(place_number, [])] if place_number is not None else []
        missing = [d for d in directions.get(i, []) if d not in result.reached]
        kind = ""
        if place_number is not None:
            kind = "none" if place_number not in result.reached else "part" if missing else "full"
        chip = f'<span class="chip" style="background:{_colour(reached[0])}">{reached[0]}</span>' if reached else ""
        why = f'<span class="why">{_text(_missing(result, missing))}</span>' if kind == "part" else ""
        shown = _text(text.rstrip("\n").expandtabs()) or " "
        title = f' title="inputs {", ".join(map(str, reached[:30]))}"' if reached else ""
        found.append(
            f'<div class="line {kind}" data-by="{" ".join(map(str, reached))}"{title}><span class="no">{i}</span><span class="by">{chip}</span><span>{shown}</span>{why}</div>'
        )
    found.append("</div>")
    return found


def _reached_by(executions: list[Execution]) -> dict[int | None, list[Execution]]:
    found: dict[int | None, list[Execution]] = {}
    for execution in executions:
        for number in execution.reached:
            found.setdefault(number, []).append(execution)
    return found


def _missing(result: Result, directions: list[int]) -> str:
    """The directions of a line that no execution took."""
    places = [place for n in directions if isinstance(place := result.measure.places[n], Direction)]
    several = len({(place.column, place.end) for place in places}) > 1
    told = [
        f"{'column ' + str(place.column + 1) + ' ' if several else ''}never {str(place.truth).lower()}"
        for place in places
    ]
    return "← " + ", ".join(told)


def _text(text: object) -> str:
    return html.escape(str(text).encode("utf-8", "backslashreplace").decode("utf-8"))
