"""Models of operations against Python itself, on random calls; the full run is `python -m stringent_smt.explore.values.fidelity`."""

from __future__ import annotations

import pytest

from stringent_smt.explore.values.fidelity import measure
from stringent_smt.explore.values.fidelity_calls import OPERATIONS


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_operation(name: str) -> None:
    row = measure(name, 60)
    assert row.calls == 60
    assert not row.faults, row.faults[0]


def test_every_method_of_str_is_measured() -> None:
    methods = {name for name in dir(str) if not name.startswith("_")}
    measured = {name.partition(".")[2] for name in OPERATIONS if name.startswith("str.")}
    assert methods <= measured
