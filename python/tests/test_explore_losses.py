"""An exploration says that it executed all paths only if it did: whatever loses track of a value is counted or noted."""

from __future__ import annotations

from types import FunctionType

import pytest
from targets import losing

from stringent_smt.explore import explore

FUNCTIONS = {
    name: f
    for name, f in vars(losing).items()
    if isinstance(f, FunctionType) and f.__module__ == losing.__name__ and not name.startswith("_")
}
VALUES = {"compiled": {1, 2, 3}, "decimal": {0, 1, 2}}
UNTRACKED = {
    "hashed",
    "dumped",
    "decimal",
    "getter",
    "range_length",
    "subclass",
    "line_of_an_error",
    "read_by_c_code",
    "printed",
    "generated_repr",
    "dumped_in_lists",
    "number_of_floats",
    "without_annotation",
    "more_arguments",
    "array_of",
    "array_of_numbers",
    "iterator_read_by_c_code",
    "dedented",
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_all_paths_are_claimed_only_if_they_were_executed(name: str) -> None:
    result = explore(FUNCTIONS[name], budget=60, runs=60)
    assert result.findings == []
    returned = {e.outcome.value for e in result.executions}
    wanted = VALUES.get(name, {0, 1})
    if name not in UNTRACKED:
        assert returned >= wanted
    if not returned >= wanted:
        assert not result.exhaustive and result.stopped != "complete"
        assert result.losses or result.pins or any("not lifted" in n or "not varied" in n for n in result.notes)


def test_code_that_is_not_lifted_is_named() -> None:
    result = explore(losing.library, budget=60, runs=20)
    assert not result.exhaustive
    assert any("posixpath" in note and "--lift" in note for note in result.notes)


def test_a_difference_in_code_that_is_not_lifted_is_no_defect() -> None:
    """The solution changes a text that code in C has read, so that the error has another place."""
    result = explore(losing.line_of_an_error, seeds=['{\n"a'], budget=60, runs=25)
    assert result.findings == [] and not result.exhaustive
