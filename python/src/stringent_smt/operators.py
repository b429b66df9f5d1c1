"""The operators of SMT-LIB 2.6 on Python values: their signatures, and their values on constants.

A signature is the sorts of the arguments and of the result. `FOLD` has the meaning of each operator that takes and
returns Booleans, integers and strings; those on regular expressions are in `evaluate.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple

from .errors import UndeterminedError

LAST_CHARACTER = 0x2FFFF
"""The last code point of SMT-LIB strings."""


class Sort(Enum):
    """The sorts of terms."""

    BOOL = "Bool"
    INT = "Int"
    STRING = "String"
    REGLAN = "RegLan"

    def __repr__(self) -> str:
        return f"Sort.{self.name}"

    __hash__ = object.__hash__


class Signature(NamedTuple):
    """The sorts of an operator. A variadic operator has at least `len(args)` arguments, all of the first sort."""

    args: tuple[Sort, ...]
    result: Sort
    variadic: bool = False
    indices: int = 0


_B, _I, _S, _R = Sort.BOOL, Sort.INT, Sort.STRING, Sort.REGLAN

SIGNATURES: dict[str, Signature] = {
    "not": Signature((_B,), _B),
    "and": Signature((_B,), _B, True),
    "or": Signature((_B,), _B, True),
    "xor": Signature((_B, _B), _B, True),
    "=>": Signature((_B, _B), _B, True),
    "+": Signature((_I,), _I, True),
    "-": Signature((_I,), _I, True),
    "*": Signature((_I,), _I, True),
    "div": Signature((_I, _I), _I, True),
    "mod": Signature((_I, _I), _I),
    "abs": Signature((_I,), _I),
    "<=": Signature((_I, _I), _B, True),
    "<": Signature((_I, _I), _B, True),
    ">=": Signature((_I, _I), _B, True),
    ">": Signature((_I, _I), _B, True),
    "divisible": Signature((_I,), _B, indices=1),
    "str.++": Signature((_S,), _S, True),
    "str.len": Signature((_S,), _I),
    "str.<": Signature((_S, _S), _B),
    "str.<=": Signature((_S, _S), _B),
    "str.at": Signature((_S, _I), _S),
    "str.substr": Signature((_S, _I, _I), _S),
    "str.prefixof": Signature((_S, _S), _B),
    "str.suffixof": Signature((_S, _S), _B),
    "str.contains": Signature((_S, _S), _B),
    "str.indexof": Signature((_S, _S, _I), _I),
    "str.replace": Signature((_S, _S, _S), _S),
    "str.replace_all": Signature((_S, _S, _S), _S),
    "str.replace_re": Signature((_S, _R, _S), _S),
    "str.replace_re_all": Signature((_S, _R, _S), _S),
    "str.is_digit": Signature((_S,), _B),
    "str.to_code": Signature((_S,), _I),
    "str.from_code": Signature((_I,), _S),
    "str.to_int": Signature((_S,), _I),
    "str.from_int": Signature((_I,), _S),
    "str.to_re": Signature((_S,), _R),
    "str.in_re": Signature((_S, _R), _B),
    "re.none": Signature((), _R),
    "re.all": Signature((), _R),
    "re.allchar": Signature((), _R),
    "re.++": Signature((_R,), _R, True),
    "re.union": Signature((_R,), _R, True),
    "re.inter": Signature((_R,), _R, True),
    "re.*": Signature((_R,), _R),
    "re.comp": Signature((_R,), _R),
    "re.diff": Signature((_R, _R), _R, True),
    "re.+": Signature((_R,), _R),
    "re.opt": Signature((_R,), _R),
    "re.range": Signature((_S, _S), _R),
    "re.^": Signature((_R,), _R, indices=1),
    "re.loop": Signature((_R,), _R, indices=2),
    # Not in the standard; the built-in solver and cvc5 have them.
    "str.rev": Signature((_S,), _S),
    "str.to_lower": Signature((_S,), _S),
    "str.to_upper": Signature((_S,), _S),
    "str.update": Signature((_S, _I, _S), _S),
    "str.indexof_re": Signature((_S, _R, _I), _I),
    # Not in the standard; the built-in solver and z3 have it.
    "seq.last_indexof": Signature((_S, _S), _I),
}
"""All operators but `=`, `distinct` and `ite`, which are defined on every sort."""


def _sub(*args: int) -> int:
    if len(args) == 1:
        return -args[0]
    value = args[0]
    for arg in args[1:]:
        value -= arg
    return value


def _mul(*args: int) -> int:
    value = 1
    for arg in args:
        value *= arg
    return value


def div(a: int, b: int) -> int:
    """Division as in SMT-LIB: the remainder is never negative."""
    if b == 0:
        raise UndeterminedError("division by zero has no fixed value")
    return a // b if b > 0 else -(a // -b)


def mod(a: int, b: int) -> int:
    """The remainder of `div`."""
    if b == 0:
        raise UndeterminedError("the remainder of a division by zero has no fixed value")
    return a % abs(b)


def _div(a: int, *rest: int) -> int:
    for b in rest:
        a = div(a, b)
    return a


def _divisible(n: int, a: int) -> bool:
    return a == 0 if n == 0 else a % n == 0


def _implies(*args: bool) -> bool:
    value = args[-1]
    for arg in args[-2::-1]:
        value = not arg or value
    return value


def _xor(*args: bool) -> bool:
    return sum(args) % 2 == 1


def chain(compare: Callable[[Any, Any], bool]) -> Callable[..., bool]:
    """A comparison of two values, extended to all neighbours of a list."""

    def compare_all(*args: Any) -> bool:
        return all(compare(args[i], args[i + 1]) for i in range(len(args) - 1))

    return compare_all


def substr(s: str, start: int, length: int) -> str:
    """`str.substr`: empty unless the start is within the string and the length positive."""
    if start < 0 or length <= 0:
        return ""
    return s[start : start + length]


def at(s: str, i: int) -> str:
    """`str.at`: the character at a position, or the empty string."""
    return s[i] if 0 <= i < len(s) else ""


def indexof(s: str, t: str, i: int) -> int:
    """`str.indexof`: the first position of `t` from `i` on, or -1."""
    return s.find(t, i) if i >= 0 else -1


def to_int(s: str) -> int:
    """`str.to_int`: the number that the digits 0 to 9 denote, or -1."""
    if not (s.isascii() and s.isdigit()):
        return -1
    return _long_int(s) if len(s) > 4000 else int(s)


def _long_int(s: str) -> int:
    """`int`, without Python's limit on the number of digits."""
    if len(s) <= 4000:
        return int(s)
    half = len(s) // 2
    scale: int = 10 ** (len(s) - half)
    return _long_int(s[:half]) * scale + _long_int(s[half:])


def from_int(n: int) -> str:
    """`str.from_int`: the decimal digits, or the empty string for negative numbers."""
    return decimal(n) if n >= 0 else ""


def decimal(n: int) -> str:
    """The decimal digits of a number that is not negative, without Python's limit on their number."""
    if n.bit_length() < 13000:
        return str(n)
    digits = n.bit_length() * 30103 // 200000
    high, low = divmod(n, 10**digits)
    return decimal(high) + decimal(low).zfill(digits)


def to_code(s: str) -> int:
    """`str.to_code`: the code point of the only character, or -1."""
    return ord(s) if len(s) == 1 else -1


def from_code(n: int) -> str:
    """`str.from_code`: the character with a code point, or the empty string."""
    return chr(n) if 0 <= n <= LAST_CHARACTER else ""


def update(s: str, i: int, t: str) -> str:
    """`str.update` of cvc5: `t` written over `s` from `i` on, no longer than `s`."""
    if not 0 <= i < len(s):
        return s
    return s[:i] + t[: len(s) - i] + s[i + len(t) :]


_LOWER = {c: c + 32 for c in range(65, 91)}
_UPPER = {c: c - 32 for c in range(97, 123)}


FOLD: dict[str, Callable[..., Any]] = {
    "not": lambda a: not a,
    "and": lambda *args: all(args),
    "or": lambda *args: any(args),
    "xor": _xor,
    "=>": _implies,
    "=": chain(lambda a, b: a == b),
    "distinct": lambda *args: len(set(args)) == len(args),
    "ite": lambda c, a, b: a if c else b,
    "+": lambda *args: sum(args),
    "-": _sub,
    "*": _mul,
    "div": _div,
    "mod": mod,
    "abs": abs,
    "<=": chain(lambda a, b: a <= b),
    "<": chain(lambda a, b: a < b),
    ">=": chain(lambda a, b: a >= b),
    ">": chain(lambda a, b: a > b),
    "divisible": _divisible,
    "str.++": lambda *args: "".join(args),
    "str.len": len,
    "str.<": lambda a, b: a < b,
    "str.<=": lambda a, b: a <= b,
    "str.at": at,
    "str.substr": substr,
    "str.prefixof": lambda a, b: b.startswith(a),
    "str.suffixof": lambda a, b: b.endswith(a),
    "str.contains": lambda a, b: b in a,
    "str.indexof": indexof,
    "str.replace": lambda s, t, u: s.replace(t, u, 1),
    "str.replace_all": lambda s, t, u: s.replace(t, u) if t else s,
    "str.is_digit": lambda s: len(s) == 1 and "0" <= s <= "9",
    "str.to_code": to_code,
    "str.from_code": from_code,
    "str.to_int": to_int,
    "str.from_int": from_int,
    "str.rev": lambda s: s[::-1],
    "str.to_lower": lambda s: s.translate(_LOWER),
    "str.to_upper": lambda s: s.translate(_UPPER),
    "str.update": update,
    "seq.last_indexof": lambda s, t: s.rfind(t),
}
"""The value of an operator; the indices, if any, come first."""
