"""Symbolic execution of Python functions on strings, numbers and containers of them.

from stringent_smt.explore import explore

def route(url: str) -> str: ...

result = explore(route, budget=10)
print(result)                     # lines, branches, executions, queries
for execution in result.executions:
    print(execution.arguments, execution.outcome.describe())
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .engine import Engine, ExploreError, Options, Progress
from .inputs import InputError
from .result import Execution, Finding, Outcome, Result


def explore(
    function: Callable[..., Any],
    seeds: Sequence[Any] | None = None,
    budget: float = 30.0,
    *,
    progress: Callable[[Progress], None] | None = None,
    **options: Any,
) -> Result:
    """Executes a function on many inputs, each of which takes a new path.

    `seeds` are the first inputs: dictionaries of arguments, tuples, or values of the only argument; by default values of the annotated types. `budget` is the time in seconds. `options` are the fields of `Options`: `runs`, `run_time`,
    `run_memory`, `query_time`, `solver`, `jobs`, `seed`, `lift` and others.
    """
    return Engine(function, seeds, Options(budget=budget, **options), progress=progress).explore()


__all__ = [
    "Execution",
    "ExploreError",
    "Finding",
    "InputError",
    "Options",
    "Outcome",
    "Progress",
    "Result",
    "explore",
]
