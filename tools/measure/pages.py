"""Markdown: tables, and the pages of docs/results with their measured sections."""
import json
import re
import shutil
import textwrap

from measure.work import ROOT, SECTIONS, say

REGION = re.compile(r"(<!-- results: ([\w-]+) -->\n).*?(<!-- end -->)", re.S)


def table(header, rows):
    """A Markdown table; columns whose cells are all numbers are aligned right."""
    rows = [[cell(c) for c in row] for row in rows]
    number = re.compile(r"[\d,.·–× %*sm/]*|–")
    marks = ["---:" if i and all(number.fullmatch(r[i]) for r in rows) else "---" for i in range(len(header))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, marks, *rows])


def cell(value):
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def rounded(value):
    """A number with three digits that mean something."""
    digits = max(0, len(str(int(value))) - 3)
    return f"{round(value, -digits):,.0f}"


def code(text):
    return textwrap.indent(text.rstrip("\n"), "    ")


def provenance(work, record):
    """Where, when and with what a section was measured."""
    solvers = "; " + ", ".join(record["solvers"]) if record["solvers"] else ""
    line = f"Measured on {record['date']} at commit `{work.commit}`: {work.machine}, load {record['load']} at the start{solvers}."
    return line + "\n\n" + code("\n".join(dict.fromkeys(record["commands"])))


def write(work):
    """Puts all measured sections into the pages."""
    records = {}
    for s in SECTIONS:
        kept = work.folder / s.name / "section.json"
        if kept.exists():
            records.setdefault(s.page, {})[s.title] = (s, json.loads(kept.read_text()))
    work.pages.mkdir(parents=True, exist_ok=True)
    for page, measured in records.items():
        text = (ROOT / "docs/results" / f"{page}.md").read_text()
        text = REGION.sub(lambda m: region(work, measured, m), text)
        (work.pages / f"{page}.md").write_text(text)
        for title in measured.keys() - {m[1] for m in REGION.findall(text)}:
            say(f"docs/results/{page}.md has no section {title}")


def region(work, measured, found):
    title = found.group(2)
    if title not in measured:
        return found.group(0)
    section, record = measured[title]
    for name in record["files"]:
        shutil.copy(work.folder / section.name / name, work.pages / name)
    return found.group(1) + provenance(work, record) + "\n\n" + record["text"].strip("\n") + "\n" + found.group(3)
