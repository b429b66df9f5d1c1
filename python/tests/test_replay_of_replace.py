"""Paths through `str.replace`: the number of occurrences that are told apart must not depend on an unrecorded decision."""

from stringent_smt.explore import explore


def normalise(path: str) -> bool:
    return bool(".." in path.replace("../", ""))


def test_predictions_hold_past_the_unrolled_occurrences() -> None:
    result = explore(normalise, seeds=[("../" * 8,), ("../" * 9,)], budget=10)
    assert not result.findings
    assert {e.outcome.value for e in result.executions} == {True, False}
