"""Explorations end to end: coverage, determinism, limits, findings, contracts."""

from __future__ import annotations

import importlib
import sys
import threading
from pathlib import Path

import pytest
from targets import bad, contracts, subclasses, tables, urls

from stringent_smt.explore import InputError, explore
from stringent_smt.explore.check import check
from stringent_smt.explore.contracts import ContractError
from stringent_smt.explore.engine import Engine, Options
from stringent_smt.explore.path import Branch


def calls(result):
    return [(e.arguments, e.outcome.describe()) for e in result.executions]


def test_all_paths_of_a_small_function():
    result = explore(urls.route, budget=20, audit=True)
    assert result.stopped == "complete" and result.exhaustive
    route = next(f for f in result.functions() if f.name == "route")
    lines, all_lines, branches, all_branches = result.covered_in(route)
    assert (lines, branches) == (all_lines, all_branches) and branches == 12
    assert result.findings == [] and not result.explained
    assert {e.outcome.value for e in result.executions if e.outcome.kind == "return"} == {
        "path",
        "local",
        "script",
        "other",
    }
    [error] = result.errors()
    assert isinstance(error.outcome.exception, ValueError)
    assert error.arguments["n"] % 7 == 3 and error.arguments["n"] > 10 and error.arguments["url"].endswith(".py")


def test_one_name_has_several_sorts():
    result = explore(lambda a, b: a == b and b == "q", budget=20)
    assert result.exhaustive and result.counts.unknown == 0
    assert {"a": "q", "b": "q"} in [e.arguments for e in result.executions]


def test_tables_and_digits():
    result = explore(urls.level, budget=20, runs=12, audit=True)
    assert any(isinstance(e.outcome.exception, LookupError) for e in result.executions)
    assert {-1, -2} < {e.outcome.value for e in result.executions}
    assert result.findings == []


def test_containers_and_flags():
    result = explore(urls.three, budget=20, audit=True)
    assert {e.outcome.value for e in result.executions} == {"list", "twice", "none"}
    assert result.findings == []


def test_unreachable_code_is_proved_so():
    result = explore(urls.never, budget=20)
    assert result.exhaustive
    assert all(e.outcome.value is True for e in result.executions)


def test_same_seed_same_result():
    first = explore(urls.level, runs=15, budget=60, seed=3)
    second = explore(urls.level, runs=15, budget=60, seed=3)
    assert calls(first) == calls(second)
    assert [f.message for f in first.findings] == [f.message for f in second.findings]
    assert (first.counts.sat, first.counts.unsat) == (second.counts.sat, second.counts.unsat)


def test_several_jobs_find_the_same_paths():
    one = explore(urls.route, budget=20)
    two = explore(urls.route, budget=20, jobs=2)
    assert two.exhaustive and two.reached == one.reached
    assert calls(explore(urls.route, budget=20, jobs=2)) == calls(two)


def test_seeds():
    result = explore(urls.route, seeds=["http://localhost", ("a.py", 17), {"url": "x", "n": 3}], runs=3)
    assert [e.outcome.describe() for e in result.executions] == [
        "returns 'local'",
        "raises ValueError: seven",
        "returns 'other'",
    ]
    with pytest.raises(InputError, match="no value for the parameter url"):
        explore(urls.route, seeds=[{"n": 1}])
    with pytest.raises(InputError, match="3 values for 2 parameters"):
        explore(urls.route, seeds=[("a", 1, 2)])


def test_code_is_restored():
    before = urls.route.__code__
    explore(urls.route, runs=1)
    assert urls.route.__code__ is before
    import builtins

    assert not [name for name in vars(builtins) if "stringent" in name]


@pytest.mark.parametrize("function", [bad.loops, bad.sleeps, bad.stubborn, bad.takes_the_alarm])
def test_time_limit(function):
    result = explore(function, budget=20, run_time=0.3)
    stopped = [e for e in result.executions if e.outcome.kind == "limit"]
    if function is bad.stubborn:
        assert stopped == [] and {e.outcome.value for e in result.executions} == {2}
    else:
        assert [e.outcome.describe() for e in stopped] == ["stopped after 0.3 s"]
    assert not result.exhaustive or function is bad.stubborn
    assert result.findings == []


def test_time_limit_in_another_thread():
    results = []
    worker = threading.Thread(target=lambda: results.append(explore(bad.loops, budget=60, run_time=0.3)))
    worker.start()
    worker.join()
    assert [e.outcome.kind for e in results[0].executions] == ["return", "limit"]


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory needs Linux")
def test_memory_limit():
    result = explore(bad.hungry, budget=20, run_memory=256)
    assert "needs more than 256 MiB" in [e.outcome.describe() for e in result.executions]


def test_comparison_that_raises():
    result = explore(bad.odd_comparison, budget=60)
    assert [e.outcome.describe() for e in result.executions] == ["raises RuntimeError: no comparison"]


def test_threads_are_not_tracked_but_run():
    result = explore(bad.threads, seeds=["aa", "t"], budget=5)
    assert {e.outcome.value for e in result.executions} == {0, 1}
    assert result.findings == []


def test_recursion():
    result = explore(bad.recursion, budget=60, runs=60)
    assert any(isinstance(e.outcome.exception, RecursionError) for e in result.executions)
    assert any(e.outcome.value and e.outcome.value >= 3 for e in result.executions) or result.runs >= 5


def test_code_that_checks_exact_types():
    result = explore(bad.exact_types, seeds=["%Y", "abc"], budget=5)
    assert not any(isinstance(e.outcome.exception, TypeError) for e in result.executions)
    assert any("intern" in what for _, _, what in result.losses)
    assert result.findings == []


def test_no_annotations():
    result = explore(bad.no_annotations, budget=60)
    assert any(isinstance(e.outcome.exception, LookupError) for e in result.executions)


def test_type_without_values():
    with pytest.raises(InputError, match="no values for the parameter stream"):
        explore(bad.unknown_type)


def test_exit_of_the_target_is_an_outcome():
    result = explore(bad.exits, budget=60)
    assert any(isinstance(e.outcome.exception, SystemExit) for e in result.executions)


def test_output_of_the_target_is_dropped(capsys):
    explore(bad.prints, runs=1)
    assert capsys.readouterr().out == ""


def test_coroutines_and_generators_run():
    assert {e.outcome.value for e in explore(bad.asynchronous, budget=10).executions} == {0, 1}
    endless = explore(bad.endless, budget=10)
    assert len(endless.executions[0].outcome.value) == 1000 and not endless.exhaustive
    assert [2] in [e.outcome.value for e in explore(bad.generator, budget=10).executions]
    assert [1, 2] in [e.outcome.value for e in explore(bad.generator, budget=10).executions]


def test_a_wrong_prediction_is_a_finding(monkeypatch):
    """A branch whose term does not say what the program does: its negation has a solution that takes another path."""
    # targets of other tests keep values in caches
    monkeypatch.setattr("stringent_smt.explore.engine._kept_values", lambda: False)
    from stringent_smt.explore.path import current
    from stringent_smt.terms import const, mk

    def target(text: str) -> int:
        rec = current()
        if rec is not None:
            rec.branch(mk("str.prefixof", const("ab"), rec.inputs[0]), False)
        return 1

    result = Engine(target, None, Options(budget=10)).explore()
    kinds = {finding.kind for finding in result.findings}
    assert "divergence" in kinds and not result.exhaustive
    assert all(finding.query for finding in result.findings if finding.kind == "divergence")
    audited = Engine(target, [("abc",)], Options(budget=10, audit=True)).explore()
    assert "mismatch" in {finding.kind for finding in audited.findings}


def test_a_function_with_memory_is_no_finding():
    state = []

    def target(text: str) -> int:
        state.append(text)
        if len(state) % 2:
            return 1 if text == "a" else 2
        return 3 if text.startswith("b") else 4

    result = explore(target, budget=60, runs=20)
    assert result.findings == []
    assert not result.exhaustive


def test_queries_are_kept():
    result = explore(urls.route, budget=20, keep_queries=True)
    assert len(result.log) == result.counts.asked() > 0
    assert {logged.status for logged in result.log} <= {"sat", "unsat"}


# check


def kinds(verdict):
    return [(p.kind, p.arguments) for p in verdict.problems]


def test_postcondition():
    verdict = check(contracts.shorten, budget=10)
    [problem] = verdict.problems
    assert problem.kind == "postcondition" and "len(__return__) <= limit" in problem.message
    text, limit = problem.arguments["text"], problem.arguments["limit"]
    assert limit >= 0 and len(contracts.shorten(text, limit)) > limit
    assert verdict.preconditions > 0


def test_contract_that_holds():
    verdict = check(contracts.right, budget=10)
    assert verdict.problems == [] and verdict.proved()


def test_announced_exceptions_are_no_problem():
    assert kinds(check(contracts.announces, budget=3)) == []
    [problem] = check(contracts.google, budget=5).problems
    assert problem.kind == "exception" and "IndexError" in problem.message
    assert kinds(check(contracts.google, budget=5, allow=["LookupError"])) == []


def test_assertion():
    [problem] = check(contracts.asserts, budget=10).problems
    assert problem.kind == "assertion" and problem.arguments["text"].endswith("?")
    assert problem.where is not None and problem.where[1] > 0


def test_two_functions():
    verdict = check(contracts.one, budget=15, equals=contracts.other, first=True)
    [problem] = verdict.problems
    text = problem.arguments["text"]
    assert problem.kind == "difference" and contracts.one(text) != contracts.other(text)
    assert check(contracts.one, budget=3, equals=contracts.same).problems == []


def test_contract_that_cannot_be_read():
    with pytest.raises(ContractError, match="this is no expression"):
        check(contracts.broken)


def test_icontract():
    icontract = pytest.importorskip("icontract")

    @icontract.require(lambda x: x > 3)
    @icontract.ensure(lambda result, x: result != x + 17)
    def target(x: int) -> int:
        return x + 17 if x == 1000 else x

    [problem] = check(target, budget=10).problems
    assert problem.kind == "postcondition"
    assert problem.arguments == {"x": 1000} and "ViolationError" in problem.message


def test_paths_have_sites():
    engine = Engine(urls.route, None, Options(budget=10, runs=1))
    engine.explore()
    recorder, *_ = _executed(urls.route, {"url": "http://x", "n": 0})
    sites = [event.site for event in recorder.events if isinstance(event, Branch)]
    assert sites and all(site.file == urls.__file__ and site.line > 0 for site in sites)


def _executed(function, arguments):
    engine = Engine(function, [arguments], Options(budget=10, runs=1))
    kept = []
    original = engine._execute
    engine._execute = lambda a: kept.append(original(a)) or kept[-1]
    engine.explore()
    return kept[0]


@pytest.mark.parametrize(
    ("function", "outcomes"),
    [
        (subclasses.on_the_left, {"1", "2", "3"}),
        (subclasses.number_on_the_left, {"1", "2"}),
        (subclasses.in_a_list, {"ValueError"}),
        (subclasses.in_a_mixed_list, {"0", "1"}),
        (subclasses.operators, {"'left'", "'folded'", "'<>'"}),
        (subclasses.flags, {"''", "'<Flag.B: 2>'"}),
    ],
)
def test_operands_of_subclasses(function, outcomes):
    """Their methods have precedence over those of the types, as in Python."""
    result = explore(function, budget=20, runs=30)
    assert result.findings == []
    found = {
        type(e.outcome.exception).__name__ if e.outcome.exception else repr(e.outcome.value) for e in result.executions
    }
    assert found >= outcomes


def test_keys_with_an_equality_of_their_own_are_made_concrete():
    result = explore(subclasses.in_a_table, seeds=["same", "b", ""], runs=10)
    assert [e.outcome.value for e in result.executions][:1] == [1] and result.findings == []
    assert any("equality of their own" in why for _, _, why in result.pins)


def test_os_exit_is_an_outcome():
    result = explore(bad.leaves, budget=60)
    assert [e.outcome.describe() for e in result.executions] == ["returns None", "raises ProcessExit: os._exit(5)"]
    assert result.findings == [] and not result.explained


def test_exceptions_that_the_function_defines():
    result = explore(bad.own_exception, budget=60)
    assert result.exhaustive and result.findings == []


def test_replaced_builtins_are_put_back():
    result = explore(bad.breaks_builtins, budget=60)
    assert isinstance(result.errors()[0].outcome.exception, TypeError)
    assert len("ab") == 2


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_a_solver_that_was_killed_costs_no_query():
    result = explore(bad.kills_children, budget=20)
    assert 7 in [e.outcome.value for e in result.executions]
    assert result.counts.unknown == 0


def test_asynchronous_generators_run():
    result = explore(bad.elements, runs=30)
    assert {"ValueError", "NoneType"} <= {type(e.outcome.exception).__name__ for e in result.executions}


@pytest.mark.parametrize(
    ("function", "outcomes"),
    [
        (tables.from_pairs, {"'no cache'", "'none'"}),
        (tables.from_comprehension, {"-1", "0"}),
        (tables.from_display, {"0", "1", "10"}),
        (tables.from_copies, {"0", "1"}),
        (tables.not_mappings, {"TypeError", "ValueError"}),
    ],
)
def test_dictionaries_with_symbolic_keys(function, outcomes):
    result = explore(function, budget=20, runs=40)
    assert result.findings == [] and not result.losses
    assert outcomes <= {
        type(e.outcome.exception).__name__ if e.outcome.exception else repr(e.outcome.value) for e in result.executions
    }


def test_an_interrupt_that_the_function_raises_is_an_exception():
    result = explore(bad.raises_interrupt, budget=20)
    assert result.stopped == "complete"
    assert {e.outcome.describe() for e in result.executions} == {"returns ''", "raises KeyboardInterrupt"}


def test_messages_of_c_code_name_the_plain_types():
    result = explore(bad.root, seeds=["a"], budget=20)
    assert [e.outcome.describe() for e in result.executions] == ["raises TypeError: must be real number, not str"]


def test_what_is_not_varied_is_noted():
    result = explore(bad.scaled, budget=20)
    assert not result.exhaustive and any("factor (float)" in note for note in result.notes)


def test_seeds_of_recursive_and_nested_types():
    assert [e.arguments["tree"].value for e in explore(bad.in_tree, budget=30, runs=4).executions][:2] == [0, 7]
    assert any(e.outcome.value == "deep" for e in explore(bad.nested, budget=30, runs=20).executions)
    assert any(e.outcome.value for e in explore(bad.typed_dict, budget=30, runs=5).executions)


def test_lines_of_constants_in_with_blocks_count(tmp_path, monkeypatch):
    """Such a line has no instruction of its own but one that does nothing."""
    (tmp_path / "in_with.py").write_text(
        "import contextlib\n"
        "def f(s: str) -> int:\n"
        "    with contextlib.suppress(ValueError):\n"
        "        int(s)\n"
        "        return 1\n"
        "    return 0\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    result = explore(importlib.import_module("in_with").f, budget=60, runs=20)
    assert result.lines() == (4, 4)
    assert {execution.outcome.value for execution in result.executions} == {0, 1}
