"""The operations whose models are compared with Python, and random arguments for each.

Texts are short and come from small alphabets, so that parts occur, overlap and are repeated; some have characters beyond ASCII with unusual properties. An operation is written as lifted code has it: `call(function, ...)`
for calls, the hooks for `in`, items and `%`.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from enum import Enum
from operator import add as plus
from typing import Any

from .base import concrete

Operation = Callable[[Callable[..., Any], list[Any]], Any]
Generator = Callable[[random.Random], list[Any]]

OPERATIONS: dict[str, tuple[Operation, Generator]] = {}

_ALPHABETS = [
    "ab",
    "ab",
    "aB ",
    "a,b",
    "01a",
    "0123456789",
    "+-_1 0",
    "aA1 \t\n\r",
    "ab'\"\\",
    "xyz.:/=&",
    "a\x1c\x1e\x85\x0b\x0c\n",
    "{}:0a",
    "%sd5",
]
_STRANGE = "aß1éÀıİŁ中\u0663²\u2167\u2028\xa0\u3000ǅŉ\U0001d7d8\u0301µ_ σς"


def text(r: random.Random, most: int = 8) -> str:
    if r.random() < 0.08:
        alphabet = _STRANGE
    elif r.random() < 0.01:
        alphabet = "a\U000f0000"
    else:
        alphabet = r.choice(_ALPHABETS)
    return "".join(r.choices(alphabet, k=r.randint(0, most)))


def part(r: random.Random, whole: str) -> str:
    """A text that often occurs in another."""
    if whole and r.random() < 0.6:
        i = r.randrange(len(whole))
        return whole[i : i + r.choice((0, 1, 1, 1, 2, 2, 3))]
    return text(r, 2)


def number(r: random.Random) -> int:
    return r.choice((r.randint(-3, 12), r.randint(-3, 12), r.randint(-300, 300), r.randint(-(10**12), 10**12)))


def small(r: random.Random) -> int:
    return r.randint(-4, 12)


def maybe(r: random.Random, value: Any) -> Any:
    return None if r.random() < 0.3 else value


def data(r: random.Random, most: int = 8) -> bytes:
    if r.random() < 0.1:
        return bytes(r.choices((0, 9, 65, 97, 127, 128, 195, 169, 255), k=r.randint(0, most)))
    return "".join(r.choices(r.choice(_ALPHABETS), k=r.randint(0, most))).encode("latin-1")


def operation(name: str, generator: Generator) -> Callable[[Operation], Operation]:
    def add(function: Operation) -> Operation:
        OPERATIONS[name] = (function, generator)
        return function

    return add


# methods of str and bytes


def _method(kind: str, name: str, generator: Generator) -> None:
    def run(call: Callable[..., Any], v: list[Any]) -> Any:
        return call(getattr(v[0], name), *v[1:])

    OPERATIONS[f"{kind}.{name}"] = (run, generator)


def _one(make: Callable[[random.Random], Any]) -> Generator:
    return lambda r: [make(r)]


def _searched(kind: str) -> Generator:
    def generate(r: random.Random) -> list[Any]:
        whole = text(r)
        needle = part(r, whole)
        args: list[Any] = [whole, needle]
        if kind == "bytes":
            whole_bytes = data(r)
            i = r.randrange(len(whole_bytes) + 1)
            args = [whole_bytes, whole_bytes[i : i + r.randint(0, 2)] if r.random() < 0.7 else data(r, 2)]
        for _ in range(r.choice((0, 0, 1, 2))):
            args.append(maybe(r, small(r)))
        return args

    return generate


def _ends(r: random.Random) -> list[Any]:
    args = _searched("str")(r)
    if r.random() < 0.3:
        args[1] = tuple(part(r, args[0]) for _ in range(r.randint(0, 3)))
    return args


def _pair(kind: str) -> Generator:
    return lambda r: _searched(kind)(r)[:2]


def _replace(kind: str) -> Generator:
    def generate(r: random.Random) -> list[Any]:
        whole, old = _searched(kind)(r)[:2]
        args = [whole, old, text(r, 2) if kind == "str" else data(r, 2)]
        return [*args, small(r)] if r.random() < 0.4 else args

    return generate


def _split(kind: str) -> Generator:
    def generate(r: random.Random) -> list[Any]:
        whole, sep = _searched(kind)(r)[:2]
        if r.random() < 0.4:
            sep = None
        return [[whole], [whole, sep], [whole, sep, r.randint(-1, 3)]][r.randrange(3)]

    return generate


def _strip(kind: str) -> Generator:
    return lambda r: _searched(kind)(r)[: r.choice((1, 2))]


def _justify(kind: str) -> Generator:
    def generate(r: random.Random) -> list[Any]:
        args: list[Any] = [text(r) if kind == "str" else data(r), small(r)]
        if r.random() < 0.6:
            fill = r.choice(["x", "0", "", "ab"])
            args.append(fill if kind == "str" else fill.encode())
        return args

    return generate


for _kind, _make in (("str", text), ("bytes", data)):
    for _name in ("find", "rfind", "index", "rindex", "count", "startswith", "endswith"):
        _method(_kind, _name, _ends if _kind == "str" and _name in ("startswith", "endswith") else _searched(_kind))
    for _name in ("partition", "rpartition", "removeprefix", "removesuffix"):
        _method(_kind, _name, _pair(_kind))
    _method(_kind, "replace", _replace(_kind))
    for _name in ("split", "rsplit"):
        _method(_kind, _name, _split(_kind))
    for _name in ("strip", "lstrip", "rstrip"):
        _method(_kind, _name, _strip(_kind))
    for _name in ("ljust", "rjust", "center"):
        _method(_kind, _name, _justify(_kind))
    _method(_kind, "zfill", lambda r, make=_make: [make(r), small(r)])  # type: ignore[misc]
    _method(_kind, "expandtabs", lambda r, make=_make: [make(r), small(r)][: r.choice((1, 2))])  # type: ignore[misc]
    _method(_kind, "splitlines", lambda r, make=_make: [make(r), r.random() < 0.5][: r.choice((1, 2))])  # type: ignore[misc]
    _method(_kind, "join", lambda r, make=_make: [make(r, 2), [make(r, 3) for _ in range(r.randint(0, 4))]])  # type: ignore[misc]
    for _name in (
        "lower",
        "upper",
        "capitalize",
        "title",
        "swapcase",
        "isalpha",
        "isalnum",
        "isdigit",
        "isspace",
        "islower",
        "isupper",
        "istitle",
        "isascii",
    ):
        _method(_kind, _name, _one(_make))
for _name in ("casefold", "isdecimal", "isnumeric", "isidentifier", "isprintable"):
    _method("str", _name, _one(text))


@operation("str.translate", lambda r: [text(r), r.choice("ab01"), r.choice(["x", "", "yz", None])])
def _translate(call: Callable[..., Any], v: list[Any]) -> Any:
    image = v[2]
    return call(v[0].translate, {ord("a"): image, ord(str(v[1])): "q", ord("z"): 65})


@operation("str.maketrans", lambda r: [text(r), *(["ab", "xy", "1"] if r.random() < 0.5 else ["aa", "b1"])])
def _maketrans(call: Callable[..., Any], v: list[Any]) -> Any:
    return call(v[0].translate, call(str.maketrans, *v[1:]))


@operation(
    "str.encode",
    lambda r: [
        text(r),
        r.choice(["utf-8", "ascii", "latin-1", "utf-16", "cp1252", "no"]),
        r.choice(["strict", "ignore", "replace"]),
    ],
)
def _encode(call: Callable[..., Any], v: list[Any]) -> Any:
    return call(v[0].encode, *v[1:])


@operation(
    "bytes.decode",
    lambda r: [
        data(r),
        r.choice(["utf-8", "ascii", "latin-1", "utf-16", "no"]),
        r.choice(["strict", "ignore", "replace"]),
    ],
)
def _decode(call: Callable[..., Any], v: list[Any]) -> Any:
    return call(v[0].decode, *v[1:])


@operation("bytes.hex", _one(data))
def _hex(call: Callable[..., Any], v: list[Any]) -> Any:
    return call(v[0].hex)


_FORMATS = [
    "{}",
    "{0}{1}{0}",
    "{:>6}|{:<4}",
    "{!r}:{}",
    "a{}b{{}}c{}",
    "{:5}{}",
    "{0:^7}",
    "{:.2}",
    "{x}",
    "{0",
    "{}{}{}",
    "{0}{}",
    "{:d}{}",
    "{0[0]}{1}",
    "{:{}}",
    "{:0>5}",
    "{1:+d}",
    "{0.real}",
]


def _formats(r: random.Random) -> list[Any]:
    pattern = r.choice(_FORMATS)
    # a number may be a width: it stays small, as the text would be as long
    return [pattern, text(r), r.choice([r.randint(-9, 40) if pattern == "{:{}}" else number(r), text(r, 3)])]


@operation("str.format", _formats)
def _format(call: Callable[..., Any], v: list[Any]) -> Any:
    return call(v[0].format, v[1], v[2])


@operation(
    "str.format_map",
    lambda r: [r.choice(["{a}", "{a}{b}", "{c}", "{b:>5}{a}", "{a!r}", "{b:03d}"]), text(r), number(r)],
)
def _format_map(call: Callable[..., Any], v: list[Any]) -> Any:
    return call(v[0].format_map, {"a": v[1], "b": v[2]})


_PERCENTS = [
    "%s",
    "%s%s",
    "%d",
    "%s=%d",
    "%5s|%-5d",
    "%05d%s",
    "%r%s",
    "%x%s",
    "%%%s%s",
    "%s%s%s",
    "%.2s%s",
    "%c%s",
    "%+d% d",
    "%s%",
    "%q%s",
    "%i%s",
    "%5.1s%s",
    "%o%X",
    "%#x%X",
    "%04x|%-6X|",
    "%+x% o",
    "%x%#o",
]


@operation("str %", lambda r: [r.choice(_PERCENTS), r.choice([text(r), number(r)]), r.choice([number(r), text(r, 3)])])
def _percent(call: Callable[..., Any], v: list[Any]) -> Any:
    from ..hooks import modulo

    return modulo(v[0], (v[1], v[2]))


@operation(
    "str % one",
    lambda r: [r.choice(["%s", "a%sb", "%d", "%5d", "%-5s|", "%(a)s", "abc", "%s%s"]), r.choice([text(r), number(r)])],
)
def _percent_one(call: Callable[..., Any], v: list[Any]) -> Any:
    from ..hooks import modulo

    return modulo(v[0], v[1])


@operation(
    "f-string",
    lambda r: [
        text(r),
        number(r),
        r.choice(
            [
                "",
                "",
                ">6",
                "<5",
                "^7",
                ".2",
                "05",
                "d",
                "+",
                "x>8",
                "x",
                ",",
                "=6",
                " 5d",
                "08.3f",
                "02X",
                "#x",
                "b",
                "#o",
                "_",
                "_x",
                ">+9,",
                "#010b",
            ]
        ),
        r.choice((-1, -1, 115, 114)),
    ],
)
def _f_string(call: Callable[..., Any], v: list[Any]) -> Any:
    from ..hooks import joined

    which = v[0] if len(v[2]) % 2 else v[1]
    conversion = int(v[3])
    return joined("<", (which, conversion, v[2]), "|", (v[0], -1, ""), ">")


# operators of words


def _word_operator(name: str, generator: Generator) -> Callable[[Operation], Operation]:
    return operation(name, generator)


@operation("str +", lambda r: [text(r), text(r)])
def _add(call: Callable[..., Any], v: list[Any]) -> Any:
    return v[0] + v[1]


@operation("str *", lambda r: [text(r, 4), r.randint(-2, 6)])
def _mul(call: Callable[..., Any], v: list[Any]) -> Any:
    return [v[0] * v[1], v[1] * v[0]]


def _compare(v: list[Any]) -> list[Any]:
    a, b = v
    return [_truth(a == b), _truth(a != b), _truth(a < b), _truth(a <= b), _truth(a > b), _truth(a >= b)]


def _truth(value: Any) -> Any:
    """The comparison itself; on the way, its branch."""
    if value:
        pass
    return value


@operation(
    "str comparison",
    lambda r: [(w := text(r, 4)), w if r.random() < 0.2 else part(r, w) if r.random() < 0.5 else text(r, 4)],
)
def _str_compare(call: Callable[..., Any], v: list[Any]) -> Any:
    return _compare(v)


@operation("bytes comparison", lambda r: [data(r, 3), data(r, 3)])
def _bytes_compare(call: Callable[..., Any], v: list[Any]) -> Any:
    return _compare(v)


@operation("in str", _pair("str"))
def _in(call: Callable[..., Any], v: list[Any]) -> Any:
    from ..hooks import contains

    return contains(v[1], v[0])


@operation("in bytes", _pair("bytes"))
def _in_bytes(call: Callable[..., Any], v: list[Any]) -> Any:
    from ..hooks import contains

    return contains(v[1], v[0])


@operation("str item", lambda r: [text(r), small(r)])
def _item(call: Callable[..., Any], v: list[Any]) -> Any:
    from ..hooks import item

    return item(v[0], v[1])


@operation("bytes item", lambda r: [data(r), small(r)])
def _bytes_item(call: Callable[..., Any], v: list[Any]) -> Any:
    from ..hooks import item

    return item(v[0], v[1])


@operation(
    "str slice",
    lambda r: [text(r), maybe(r, small(r)), maybe(r, small(r)), r.choice((None, None, None, 1, 2, -1, -2, 0, 3))],
)
def _slice(call: Callable[..., Any], v: list[Any]) -> Any:
    from ..hooks import item

    return item(v[0], slice(v[1], v[2], v[3]))


@operation("bytes slice", lambda r: [data(r), maybe(r, small(r)), maybe(r, small(r))])
def _bytes_slice(call: Callable[..., Any], v: list[Any]) -> Any:
    from ..hooks import item

    return item(v[0], slice(v[1], v[2]))


@operation("slice of slices", lambda r: [text(r), small(r), small(r)])
def _slices(call: Callable[..., Any], v: list[Any]) -> Any:
    from ..hooks import item

    s = item(v[0], slice(v[1], None))
    return [item(s, slice(None, v[2])), s[1:][:-1], (v[0] + "," + s)[v[1] :]]


@operation("str iteration", lambda r: [text(r)])
def _iterate(call: Callable[..., Any], v: list[Any]) -> Any:
    return [list(v[0]), list(call(reversed, v[0])), call(list, v[0]), [c + "x" for _, c in enumerate(v[0])]]


@operation("bytes iteration", lambda r: [data(r)])
def _iterate_bytes(call: Callable[..., Any], v: list[Any]) -> Any:
    return list(v[0])


@operation("chains", lambda r: [text(r), part(r, text(r)), number(r)])
def _chain(call: Callable[..., Any], v: list[Any]) -> Any:
    """Models on the results of other models."""
    s, sep, _ = v
    low = s.lower()
    head, mark, tail = low.partition("a")
    stripped = tail.strip()
    return [
        head, mark, stripped, low.upper(), s.strip().split(), low.find("b"), low.count("a"), stripped.startswith("b"), s.upper().replace("A", "x"),
        low.rpartition("b"), s.strip("a").lstrip().title(), (s + sep).split("b"), s.upper().split(), low == "ab", low.strip("a"), s.lower().isdigit(),
    ]  # fmt: skip


# numbers


def _numeric(name: str, generator: Generator, function: Callable[..., Any]) -> None:
    def run(call: Callable[..., Any], v: list[Any]) -> Any:
        return function(*v)

    OPERATIONS[name] = (run, generator)


def _two(r: random.Random) -> list[Any]:
    return [
        r.choice([number(r), r.random() < 0.5, number(r)]),
        r.choice([number(r), small(r), small(r), r.random() < 0.5]),
    ]


_numeric("int + - *", _two, lambda a, b: [a + b, a - b, a * b])
_numeric("int //", _two, lambda a, b: a // b)
_numeric("int %", _two, lambda a, b: a % b)
_numeric("int divmod", _two, divmod)
_numeric("int /", _two, lambda a, b: a / b)
_numeric("int **", lambda r: [small(r), r.randint(-2, 5)], lambda a, b: a**b)
_numeric("int bits", _two, lambda a, b: [a & b, a | b, a ^ b, ~a])
_numeric("int shift", lambda r: [number(r), r.randint(-1, 9)], lambda a, b: [a << b, a >> b])
_numeric("int unary", _one(number), lambda a: [-a, +a, abs(a), ~a, round(a)])
_numeric("int comparison", _two, lambda a, b: _compare([a, b]))
_numeric(
    "int and float",
    lambda r: [small(r), r.choice([0.5, 2.0, -1.5, float("inf"), 7.25])],
    lambda a, b: [*_compare([a, b]), a + b, b - a, a * b],
)
_numeric(
    "bool &|^",
    lambda r: [r.random() < 0.5, r.random() < 0.5],
    lambda a, b: [a & b, a | b, a ^ b, a + b, a == b, a != b, a and True],
)
_numeric("int truth", _one(small), lambda a: bool(a) and bool(a))


def _builtin(function: Any, generator: Generator, name: str | None = None) -> None:
    def run(call: Callable[..., Any], v: list[Any]) -> Any:
        return call(function, *v)

    OPERATIONS[name or f"{function.__name__}()"] = (run, generator)


_NUMERALS = [
    "",
    "1",
    "12",
    " 7 ",
    "+3",
    "-0",
    "-45\n",
    "1_000",
    "_1",
    "1__2",
    "--1",
    "0x1f",
    "1.5",
    "٣",
    "\x1c1",
    "\xa01",
    "+",
    " ",
    "007",
    "1 2",
    "²",
    "-٣٣",
    "9" * 30,
    "1e5",
    "inf",
    "-nan",
    ".5",
    "5.",
    "1_0.0_1e1_0",
    "infinit",
    "Infinity ",
    "1e",
    "e1",
    ".",
]


def _numeral(r: random.Random) -> str:
    return r.choice(_NUMERALS) if r.random() < 0.6 else text(r, 4)


_builtin(int, lambda r: [_numeral(r)], "int(str)")
_builtin(int, lambda r: [data(r, 4)], "int(bytes)")
_builtin(
    int,
    lambda r: [
        r.choice(["", "", "", "0x", "-", " ", "0b", "+0x_", "0o", "é"])
        + "".join(r.choices("0123456789abcdefABCDEFxg_", k=r.randint(0, 4))),
        r.choice((16, 16, 2, 8, 36, 10, 0, 1)),
    ],
    "int(str, base)",
)
_builtin(int, lambda r: [r.choice([number(r), True, False])], "int(int)")
_builtin(float, lambda r: [r.choice([_numeral(r), small(r)])])
_builtin(str, lambda r: [r.choice([text(r), number(r), r.random() < 0.5, data(r, 3), [text(r, 2), number(r)]])])
_builtin(
    repr,
    lambda r: [
        r.choice([text(r), number(r), r.random() < 0.5, data(r, 3), [text(r, 2)], (1, text(r, 2)), {"a": text(r, 2)}])
    ],
)
_builtin(ascii, lambda r: [r.choice([text(r), number(r)])])
_builtin(format, lambda r: [r.choice([text(r), number(r)]), r.choice(["", ">5", "^6", "03", "d", "s"])])
_builtin(len, lambda r: [r.choice([text(r), data(r)])])
_builtin(ord, lambda r: [r.choice([text(r, 2), text(r, 1), data(r, 1)])])
_builtin(chr, lambda r: [r.choice([number(r), r.randint(0, 0x11FFFF), r.randint(0, 300)])])
_builtin(bool, lambda r: [r.choice([text(r, 2), small(r), r.random() < 0.5, data(r, 1)])])
_builtin(hash, lambda r: [r.choice([text(r), number(r), r.random() < 0.5])])
_builtin(abs, lambda r: [r.choice([number(r), r.random() < 0.5])])
_builtin(type, lambda r: [r.choice([text(r), number(r), r.random() < 0.5, data(r)])])
_builtin(min, lambda r: r.choice([[text(r, 3), text(r, 3)], [small(r), small(r), small(r)]]))
_builtin(max, lambda r: r.choice([[text(r, 3), text(r, 3)], [small(r), small(r), small(r)]]))
_builtin(sorted, lambda r: [[r.choice([small(r)]) for _ in range(r.randint(0, 4))]])
_builtin(sum, lambda r: [[number(r) for _ in range(r.randint(0, 4))]])
_builtin(any, lambda r: [[small(r) % 3 for _ in range(r.randint(0, 4))]])
_builtin(all, lambda r: [[small(r) % 3 for _ in range(r.randint(0, 4))]])


@operation("range()", lambda r: [small(r), small(r), r.choice((1, 1, 2, -1, -3, 0))])
def _range(call: Callable[..., Any], v: list[Any]) -> Any:
    from ..hooks import contains

    numbers = call(range, *v)
    return [list(numbers), contains(v[1], numbers), list(call(range, v[0]))]


@operation("isinstance()", lambda r: [r.choice([text(r), number(r), r.random() < 0.5, data(r)])])
def _isinstance(call: Callable[..., Any], v: list[Any]) -> Any:
    return [call(isinstance, v[0], kind) for kind in (str, int, bool, bytes, (str, bytes), float)]


@operation("map and filter", lambda r: [[_numeral(r) for _ in range(r.randint(0, 3))]])
def _map(call: Callable[..., Any], v: list[Any]) -> Any:
    kept = [x for x in v[0] if x.isdigit()]
    return [
        list(call(map, str.strip, v[0])),
        list(call(filter, None, v[0])),
        list(call(map, len, v[0])),
        list(call(map, int, kept)) if all(x.isascii() for x in kept) else [],
    ]


# containers

_KEYS: list[Any] = ["a", "b", "ab", "", 1, 2, None, "1"]


@operation("dict look-up", lambda r: [r.choice([text(r, 2), small(r)]), r.randrange(3)])
def _dict(call: Callable[..., Any], v: list[Any]) -> Any:
    from ..hooks import contains, item

    table = {key: i for i, key in enumerate(_KEYS)}
    large = {chr(97 + i % 26) * (1 + i // 26): i for i in range(60)} | {i: -i for i in range(40)}
    which = table if v[1] == 0 else large
    return [
        contains(v[0], which),
        call(which.get, v[0]),
        call(which.get, v[0], "none"),
        item(which, v[0]) if v[1] == 2 or v[0] in which else None,
    ]


@operation("dict change", lambda r: [text(r, 2), text(r, 2), small(r)])
def _dict_change(call: Callable[..., Any], v: list[Any]) -> Any:
    from ..hooks import key

    table: dict[Any, Any] = {"a": 1}
    table[key(table, v[0])] = v[2]
    call(table.setdefault, v[1], 5)
    popped = call(table.pop, v[0])
    return [popped, len(table), call(table.pop, v[1], None)]


_HEX = {a + b: int(a + b, 16) for a in "0123456789ABCDEFabcdef" for b in "0123456789ABCDEFabcdef"}
_BYTES = {key.encode(): bytes([value]) for key, value in _HEX.items()}
_DIGITS = {c: i for i, c in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}


@operation("large tables", lambda r: ["".join(r.choice("0aF+/7zg") for _ in range(r.choice((1, 2, 2, 2, 3))))])
def _large(call: Callable[..., Any], v: list[Any]) -> Any:
    from ..hooks import contains

    word = call(v[0].encode)
    return [
        contains(v[0], _HEX),
        call(_HEX.get, v[0], -1),
        call(_BYTES.get, word, b"none"),
        call(_DIGITS.get, v[0]),
        call(dict.fromkeys, [v[0], "7z"], 1) == {"7z": 1},
    ]


@operation("numbers in other bases", lambda r: [number(r)])
def _bases(call: Callable[..., Any], v: list[Any]) -> Any:
    return [call(hex, v[0]), call(oct, v[0]), call(bin, v[0])]


@operation("bytes of numbers", lambda r: [r.randint(-1, 256), r.randint(0, 255)])
def _bytes_of_numbers(call: Callable[..., Any], v: list[Any]) -> Any:
    return call(bytes, [v[0], 65, v[1]])


@operation("text of containers", lambda r: [text(r, 3), number(r)])
def _shown(call: Callable[..., Any], v: list[Any]) -> Any:
    from ..hooks import joined, modulo

    return [
        call("{x[0]}|{}".format, [v[0]], x=[v[1]]),
        call(str, [v[0], (v[1],)]),
        joined(({"k": v[0]}, -1, ""), "!"),
        modulo("%s=%s", (v[0], [v[1]])),
    ]


@operation("dict of pairs", lambda r: [text(r, 2), text(r, 2), text(r, 2), small(r)])
def _dict_of_pairs(call: Callable[..., Any], v: list[Any]) -> Any:
    from ..hooks import contains, item, mapping, merged

    pairs = [(v[0], 1), ("a", 2), (v[1], v[3])]
    table = call(dict, pairs)
    again = call(table.copy)
    call(again.update, merged((v[2], 5), ("b", 6)))
    other = mapping([(k, i) for i, k in enumerate(v[:3])])
    third = call(dict, zip(v[:3], "abc"))
    return [
        len(table),
        len(again),
        contains(v[2], table),
        call(again.get, v[1]),
        call(other.get, v[0]),
        item(third, v[2]),
        call(table.get, "b"),
    ]


@operation("in list and set", lambda r: [r.choice([text(r, 2), small(r)]), text(r, 1)])
def _in_containers(call: Callable[..., Any], v: list[Any]) -> Any:
    from ..hooks import contains

    return [
        contains(v[0], c)
        for c in (
            ["a", "b", 1, v[1]],
            ("ab", 2.0, 3),
            {"a", "b", 4},
            frozenset({"", "1", 0}),
            {"a": 1}.keys(),
            range(2, 9, 2),
        )
    ]


@operation("set change", lambda r: [text(r, 1), text(r, 1), text(r, 1)])
def _set_change(call: Callable[..., Any], v: list[Any]) -> Any:
    from ..hooks import combined, contains, elements, equal

    seen = elements([v[0], "a"])
    call(seen.add, v[1])
    other = call(set, [v[2], "b"])
    result: list[Any] = [
        len(seen),
        contains("b", seen),
        contains(v[2], seen),
        *[sorted(combined(seen, other, how)) for how in "|&-"],
        equal(seen, other),
        sorted(call(seen.union, [v[2]])),
        call(seen.issubset, ["a", "b", v[2]]),
        call(seen.isdisjoint, other),
        len(call(frozenset, [v[0], v[1], v[2]])),
    ]
    call(seen.discard, v[2])
    call(seen.update, [v[0], v[2]])
    return [*result, sorted(seen)]


@operation("other dictionaries", lambda r: [text(r, 1), text(r, 1), small(r)])
def _other_dictionaries(call: Callable[..., Any], v: list[Any]) -> Any:
    from ..hooks import contains, equal, item, key, subject

    lists: defaultdict[Any, list[Any]] = defaultdict(list)
    item(lists, v[0]).append(1)
    item(lists, v[1]).append(v[2])
    counts: defaultdict[Any, int] = defaultdict(int)
    for word in (v[0], "a", v[1]):
        counts[key(counts, word)] += 1
    letters = call(Counter, [v[0], v[1], "a"])
    pairs: dict[Any, Any] = {}
    pairs[key(pairs, (v[0], v[2]))] = v[1]
    pairs[key(pairs, ("a", 1))] = "b"
    ordered: OrderedDict[Any, Any] = OrderedDict()
    ordered[key(ordered, v[0])] = 1
    ordered[key(ordered, "b")] = 2
    named = "none"
    match subject(ordered):
        case {"a": 1, **rest}:
            named = f"a and {len(rest)}"
        case {"b": 1}:
            named = "b"
    return [
        list(lists.values()),
        item(counts, "a"),
        item(letters, v[1]),
        item(letters, "z"),
        contains(("a", v[2]), pairs),
        len(pairs),
        item({("a", "b"): 1, (v[0], v[1]): 2}, (v[0], v[1])),
        list(ordered.values()),
        named,
        equal({v[0]: 1}, {v[1]: 1}),
    ]


class _Colour(Enum):
    A = "a"
    B = "b"
    NONE = ""


class _Owner:
    a = 1
    b = 2


@operation("names of members", lambda r: [text(r, 1)])
def _members(call: Callable[..., Any], v: list[Any]) -> Any:
    from ..hooks import item

    return [
        call(getattr, _Owner, v[0], 0) if v[0] != "" else None,
        call(hasattr, _Owner(), v[0]),
        item(_Colour, v[0]) if v[0] == "A" else None,
        call(_Colour, v[0]).name,
    ]


@operation("functions as arguments", lambda r: [text(r, 3), text(r, 3), str(r.randint(-9, 999))])
def _functions(call: Callable[..., Any], v: list[Any]) -> Any:
    words = [v[0], v[1], "b"]
    return [
        call(sorted, words, key=len),
        call(min, words, key=str.lower),
        call(max, words, key=len),
        call(functools.reduce, plus, words, ""),
        [(k, len(list(group))) for k, group in call(itertools.groupby, v[0])],
        list(call(itertools.takewhile, str.isalpha, v[0])),
        sum(call(map, len, words)),
        list(call(map, int, [v[2]])),
    ]


@operation("list item", lambda r: [small(r), maybe(r, small(r))])
def _list_item(call: Callable[..., Any], v: list[Any]) -> Any:
    from ..hooks import item

    numbers = [10, 20, 30, 40, 50]
    return [item(numbers, slice(v[0], v[1])), item(tuple(numbers), v[0])]


@operation("list methods", lambda r: [text(r, 1), text(r, 1), small(r)])
def _list_methods(call: Callable[..., Any], v: list[Any]) -> Any:
    parts = ["a", v[0], "b"]
    call(parts.append, v[1])
    call(parts.insert, v[2], "c")
    return [parts, call(parts.count, v[0]), call(parts.index, v[1]), sorted(parts), [0] * v[2]]


# regular expressions

_PATTERNS = [
    r"a+", r"(a)(b)?", r"(\w+)=(\w*)", r"^(\d+)-(\d+)$", r"([^,]*),(.*)", r"(?P<k>[a-z]+)\s*:\s*(?P<v>.*)", r"(a|ab)(c|b)?", r"(a*?)b", r"\bab\b", r"[+-]?\d+(\.\d+)?", r"(?i)ab", r"a(?=b)", r"a(?!b)",
    r"(?<=a)b", r"(ab|a)+", r"(\d{1,3})(\d*)", r"(a)|(b)", r"\s+", r"[.:/=&]", r"(?:a|b)*c?", r"(.)\1", r"^\s*$", r"x*", r"(\w)+", r"(.*)a(.*)", r"a.b", r"(?s)a.b", r"(?m)^a$", r"[^a-z]", r"(a+)(a+)", r"<(.+?)>", r"(\w+)@(\w+)\.",
    r"((a)b)+", r"a{2}", r"a{2,3}?", r"$", r"\d+$", r"(?:x|y)z?", r"(a)?b",
]  # fmt: skip


def _regex(name: str, extra: Callable[[random.Random], list[Any]] = lambda r: []) -> None:
    def run(call: Callable[..., Any], v: list[Any]) -> Any:
        import re

        pattern = re.compile(str(concrete(v[0])))
        found = call(getattr(pattern, name), *v[2:], v[1])
        return (
            _described(found)
            if name in ("match", "search", "fullmatch")
            else [_described(m) for m in found]
            if name == "finditer"
            else found
        )

    def generate(r: random.Random) -> list[Any]:
        alphabet = r.choice(
            ["ab", "abc", "a=b1", "a,b", "12-", "a: b", "aAbB", "1.+-", "<a>", "a@b.", "ab \n", "xyz", "aß中1 "]
        )
        return [str(r.choice(_PATTERNS)), "".join(r.choices(alphabet, k=r.randint(0, 7))), *extra(r)]

    OPERATIONS[f"re.{name}"] = (run, generate)


def _described(match: Any) -> Any:
    if match is None:
        return None
    return [
        match.group(),
        match.groups(),
        match.groupdict(),
        match.span(),
        match.end(),
        [match.span(i) for i in range(match.re.groups + 1)],
        match[0],
    ]


for _name in ("match", "fullmatch", "search", "findall", "finditer", "split"):
    _regex(_name)


@operation("re from a position", lambda r: [str(r.choice(_PATTERNS)), text(r, 6), small(r)])
def _from_position(call: Callable[..., Any], v: list[Any]) -> Any:
    import re

    pattern = re.compile(str(concrete(v[0])))
    return [
        _described(call(pattern.match, v[1], v[2])),
        _described(call(pattern.search, v[1], v[2])),
        _described(call(pattern.fullmatch, v[1], v[2])),
    ]


@operation("last group", lambda r: [text(r, 4)])
def _last_group(call: Callable[..., Any], v: list[Any]) -> Any:
    import re

    found = call(re.compile(r"(?P<a>a+)|(?P<b>b)(\d)?|(?:c)").search, v[0])
    return None if found is None else [found.lastgroup, found.lastindex]


_regex("sub", lambda r: [r.choice(["", "x", r"<\g<0>>", "\\\\", r"\n"])])
_regex("subn", lambda r: [r.choice(["", "yy"])])

_REFERENCES = [
    r"(.)\1", r"([ab])(.*)\1$", r"(a|ab)(.*)\1", r"(?P<q>['\"])(.*?)(?P=q)", r"(?i:(a))b\1", r"(?i)(a)b\1", r"(<)?a(?(1)>)", r"(a)?b\1", r"((a)|b)*\2", r"(?<=ab)c", r"(?<!ab)c", r"(a)(?!\1)", r"(\w)\w*\1", r"(a*)b\1",
    r"(?:(a)\1)+b", r"\b(\w)\1\b",
]  # fmt: skip


@operation("re with references", lambda r: [r.choice(_REFERENCES), "".join(r.choices(r.choice(["ab", "abc", "aAb", "<a>", "'a\"", "aß "]), k=r.randint(0, 7)))])  # fmt: skip
def _with_references(call: Callable[..., Any], v: list[Any]) -> Any:
    import re

    pattern = re.compile(str(concrete(v[0])))
    once = [_described(call(getattr(pattern, name), v[1])) for name in ("match", "fullmatch", "search")]
    return [once, call(pattern.findall, v[1]), call(pattern.split, v[1]), call(pattern.sub, "x", v[1]), call(pattern.subn, "", v[1])]  # fmt: skip


@operation("joins of iterators", lambda r: [text(r, 3), text(r, 3), text(r, 2)])
def _joins(call: Callable[..., Any], v: list[Any]) -> Any:
    import collections
    import itertools

    a, b, gap = v
    table = {"k": a, "l": b}
    sources = [
        iter([a, b]), iter((a, b)), call(reversed, [a, b]), call(reversed, a), collections.deque(v), table.values(), iter(table.values()), itertools.chain([a], b), itertools.islice(v, 2), itertools.repeat(a, 2),
        (c for c in a), map(call, [str.strip], [a]), itertools.compress(v, [1, 0, 1]), (pair[0] for pair in table.items()),
    ]  # fmt: skip
    return [call("-".join, source) if i % 2 else call(gap.join, source) for i, source in enumerate(sources)]
