"""Models: Python values of variables, and answers of solvers as they print them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Union, overload

from .errors import SolverError
from .evaluate import evaluate
from .operators import to_int as digits_to_int
from .terms import Bool, Int, Sort, Str, Term, Value, free_vars

Expression = Union[str, list["Expression"]]
"""A parsed s-expression: a token or a list."""

_TOKEN = re.compile(r'"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s()"|;]+|;[^\n]*')
_ESCAPE = re.compile(r"\\u\{([0-9a-fA-F]{1,5})\}|\\u([0-9a-fA-F]{4})")
_DEFAULTS: dict[Sort, Value] = {Sort.BOOL: False, Sort.INT: 0, Sort.STRING: ""}


def parse(text: str) -> list[Expression]:
    """All s-expressions of a text."""
    top: list[Expression] = []
    stack = [top]
    for token in _TOKEN.findall(text):
        if token == "(":
            inner: list[Expression] = []
            stack[-1].append(inner)
            stack.append(inner)
        elif token == ")":
            stack.pop()
            if not stack:
                raise SolverError(f"cannot read the answer: {text[:200]}")
        elif not token.startswith(";"):
            stack[-1].append(token)
    if len(stack) != 1:
        raise SolverError(f"the answer is cut off: {text[:200]}")
    return top


def string_value(token: str) -> str:
    """The string of a literal with its quotes."""
    return _ESCAPE.sub(lambda m: chr(int(m[1] or m[2], 16)), token[1:-1].replace('""', '"'))


def value(expression: Expression, sort: Sort) -> Value:
    """The Python value of a literal."""
    if sort is Sort.INT:
        negative = isinstance(expression, list) and len(expression) == 2 and expression[0] == "-"
        token = expression[1] if negative else expression
        if isinstance(token, str) and token.isdigit():
            return -digits_to_int(token) if negative else digits_to_int(token)
    elif sort is Sort.STRING:
        if isinstance(expression, str) and expression.startswith('"'):
            return string_value(expression)
        if isinstance(expression, list) and expression[:1] == ["str.++"]:
            return "".join(str(value(part, sort)) for part in expression[1:])
    elif expression in ("true", "false"):
        return expression == "true"
    raise SolverError(f"cannot read {expression} as a value of sort {sort.value}")


def read_values(text: str, terms: Sequence[Term]) -> list[Value]:
    """The answer to `get-value` on these terms."""
    expressions = parse(text)
    pairs = expressions[0] if len(expressions) == 1 else None
    if not isinstance(pairs, list) or len(pairs) != len(terms) or pairs[:1] == ["error"]:
        raise SolverError(f"cannot read the model: {text.strip()[:300]}")
    values: list[Value] = []
    for pair, term in zip(pairs, terms):
        if not isinstance(pair, list) or len(pair) != 2:
            raise SolverError(f"cannot read the model: {text.strip()[:300]}")
        values.append(value(pair[1], term.sort))
    return values


class Model(Mapping[Term, Value]):
    """Values of variables. A variable that the solver was not asked about has the value `""`, 0 or False.

    `model[x]` is the value of a variable or of any other term, `model["x"]` that of the variable with this name.
    """

    __slots__ = ("_names", "_values")

    def __init__(self, values: Mapping[Term, Value]) -> None:
        self._values = dict(values)
        self._names: dict[str, Term] | None = None

    @overload
    def __getitem__(self, key: Str) -> str: ...
    @overload
    def __getitem__(self, key: Bool) -> bool: ...
    @overload
    def __getitem__(self, key: Int) -> int: ...
    @overload
    def __getitem__(self, key: Term | str) -> Any: ...
    def __getitem__(self, key: Term | str) -> Any:
        if isinstance(key, str):
            if self._names is None:
                self._names = {str(v.value): v for v in self._values}
            return self._values[self._names[key]]
        if key.op == "var":
            found = self._values.get(key)
            return _DEFAULTS[key.sort] if found is None else found
        return self.eval(key)

    def eval(self, term: Term) -> Value:
        """The value of a term. Raises `UndeterminedError` if it depends on a division by zero."""
        missing = {v: _DEFAULTS[v.sort] for v in free_vars(term) if v not in self._values}
        return evaluate(term, {**self._values, **missing} if missing else self._values)

    def __contains__(self, key: object) -> bool:
        if isinstance(key, str):
            return any(v.value == key for v in self._values)
        return isinstance(key, Term) and key in self._values

    def __iter__(self) -> Iterator[Term]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if isinstance(other, Model) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def as_dict(self) -> dict[str, Value]:
        """The values by the names of the variables."""
        return {str(v.value): value for v, value in self._values.items()}

    def __repr__(self) -> str:
        return "Model(" + ", ".join(f"{name}={value!r}" for name, value in self.as_dict().items()) + ")"


__all__ = ["Expression", "Model", "parse", "read_values", "string_value", "value"]
