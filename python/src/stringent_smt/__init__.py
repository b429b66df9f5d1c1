"""Strings, regular expressions and integers for an SMT solver, in Python.

>>> from stringent_smt import String, solve
>>> x = String("x")
>>> solve(x.in_re(r"[a-c]+@[a-c]+"), x.length() == 3, x[0] == x[2], x > "b")
Model(x='b@b')
"""

from __future__ import annotations

from .errors import (
    SolverDied,
    SolverError,
    SolverNotFound,
    SolverTimeout,
    SolverUnknown,
    SortError,
    StringentError,
    UndeterminedError,
    UnrepresentableError,
    UntranslatableError,
)
from .evaluate import evaluate
from .model import Model
from .patterns import fullmatch_re, match_re, search_re
from .solver import AsyncSolver, Solver, Status, sat, solve, unknown, unsat
from .terms import (
    FALSE,
    TRUE,
    And,
    Bool,
    Boolean,
    Booleans,
    BoolVal,
    Concat,
    Distinct,
    If,
    Implies,
    Int,
    Integer,
    Integers,
    IntVal,
    Not,
    Or,
    Re,
    Sort,
    Str,
    String,
    Strings,
    StringVal,
    Term,
    Value,
    free_vars,
    mk,
    substitute,
)

__all__ = [
    "FALSE",
    "TRUE",
    "And",
    "AsyncSolver",
    "Bool",
    "BoolVal",
    "Boolean",
    "Booleans",
    "Concat",
    "Distinct",
    "If",
    "Implies",
    "Int",
    "IntVal",
    "Integer",
    "Integers",
    "Model",
    "Not",
    "Or",
    "Re",
    "Solver",
    "SolverDied",
    "SolverError",
    "SolverNotFound",
    "SolverTimeout",
    "SolverUnknown",
    "Sort",
    "SortError",
    "Status",
    "Str",
    "String",
    "StringVal",
    "StringentError",
    "Strings",
    "Term",
    "UndeterminedError",
    "UnrepresentableError",
    "UntranslatableError",
    "Value",
    "evaluate",
    "free_vars",
    "fullmatch_re",
    "match_re",
    "mk",
    "sat",
    "search_re",
    "solve",
    "substitute",
    "unknown",
    "unsat",
]
