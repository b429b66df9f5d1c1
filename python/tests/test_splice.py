"""Splicing, probes, and limits of queries in processor time."""

from __future__ import annotations

import time

import pytest
from targets import scanners

from stringent_smt.errors import SolverTimeout
from stringent_smt.explore import explore
from stringent_smt.explore.path import Assume, Recorder, Site
from stringent_smt.explore.queries import Pipe
from stringent_smt.explore.splice import WORD, place, wanted
from stringent_smt.process import SolverProcess, cpu_time, find_command
from stringent_smt.terms import Bool, Or, String, const, eq, mk, var
from stringent_smt.terms import Sort as S


def values(function, **options):
    return {execution.outcome.value for execution in explore(function, **options).executions}


def test_keywords_of_a_scanner_are_spliced() -> None:
    assert values(scanners.keyword, runs=40, budget=60) == {"end", "comm", "other"}


def test_a_word_inside_of_parts_is_spliced() -> None:
    result = explore(scanners.stripped, seeds=["key = ab,c"], runs=60, budget=60)
    assert any("identity" in execution.arguments["text"].lower() for execution in result.executions)
    assert not result.findings


def test_conditions_that_are_spliced() -> None:
    x = var("x", S.STRING)
    assert wanted(eq(x, const("ab"))) == (x, mk("=", WORD, const("ab")))
    assert wanted(mk("str.prefixof", const("ab"), x)) == (x, mk("=", WORD, const("ab")))
    assert wanted(mk("str.prefixof", x, const("ab"))) is None
    assert wanted(eq(x, var("y", S.STRING))) is None


def test_places() -> None:
    x, a, b = var("x", S.STRING), var("a!1", S.STRING), var("b!2", S.STRING)
    env = {x: "left=right", a: "left", b: "right"}
    events = [Assume(eq(x, mk("str.++", a, const("="), b)))]
    assert place(x, events, env) == (x, 0, 10)
    assert place(mk("str.substr", b, const(1), const(2)), events, env) == (x, 6, 8)
    assert place(mk("str.to_lower", a), events, env) == (x, 0, 4)
    assert place(var("c!3", S.STRING), events, env) is None
    assert place(mk("str.++", a, b), events, env) is None


def test_probes_change_what_no_branch_reads() -> None:
    result = explore(scanners.literal, runs=60, budget=60)
    assert any(isinstance(execution.outcome.exception, SyntaxError) for execution in result.executions)


def test_probes_are_noted_once_for_a_line() -> None:
    from stringent_smt.explore import values as symbolic
    from stringent_smt.explore.probes import probe

    recorder = Recorder()
    with recorder.running():
        value = symbolic.make_input("a\\b", "x", recorder)
        for _ in range(3):
            probe(recorder, (1, value))
    taken = {event.site.label: event.taken for event in recorder.events}
    assert taken == {"probe '\\\\'": True, "probe '\"'": False, "probe '\\x00'": False, "probe ASCII": True}
    assert all(isinstance(event.site, Site) for event in recorder.events)


def test_translations_that_change_nothing_are_a_path() -> None:
    assert values(scanners.cleaned, runs=30, budget=60) == {"clean", ""}


def test_international_domain_names() -> None:
    result = explore(scanners.label, seeds=["a", "é", "..", "x" * 70], runs=30, budget=60)
    assert {execution.outcome.value for execution in result.executions if execution.outcome.kind == "return"} == {
        True,
        False,
    }
    assert not result.findings


def hard() -> list[Bool]:
    """Six pigeons in five holes: takes about 10,000 ticks."""
    p = [[String(f"p{i}_{j}") for j in range(5)] for i in range(6)]
    somewhere = [Or(*(x == "a" for x in row)) for row in p]
    alone = [Or(p[i][j] == "b", p[k][j] == "b") for j in range(5) for i in range(6) for k in range(i)]
    return [*somewhere, *alone]


def test_processor_time_of_a_request() -> None:
    """A process that works is stopped by its processor time, one that waits is not."""
    busy = SolverProcess(["/bin/sh", "-c", "while :; do :; done"])
    with pytest.raises(SolverTimeout):
        busy.request("", timeout=600, cpu=0.2)
    assert not busy.running
    idle = SolverProcess(["sed", "-n", "-u", 's/(echo "\\(.*\\)")/\\1/p'])
    assert idle.request("", timeout=60, cpu=0.2) == ""
    assert idle.pid is not None
    used = cpu_time(idle.pid)
    assert used is None or used < 0.2
    idle.close()


def test_a_process_that_waits_ends_by_the_clock() -> None:
    waiting = SolverProcess(["/bin/sleep", "1000"])
    start = time.monotonic()
    with pytest.raises(SolverTimeout):
        waiting.request("", timeout=0.3, cpu=100)
    assert time.monotonic() - start >= 0.3


def test_the_limit_in_ticks_is_the_same_in_every_run() -> None:
    answers = []
    for _ in range(2):
        pipe = Pipe(find_command(None))
        answers.append([pipe.ask(hard(), [], seconds, 60).status for seconds in (0.001, 1)])
        pipe.close()
    assert answers == [["unknown", "unsat"]] * 2
