"""Functions whose branches depend on their input in ways that are not tracked, or only just."""

import array
import csv
import functools
import io
import itertools
import json
import math
import operator
import posixpath
import re
import textwrap
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

PARTS = re.compile(r"^(([^:/?#]+):)?(.*)")
FOUND = re.compile(r"(\d+)-(\d+)$")


def compiled(s: str) -> int:
    groups = PARTS.match(s).groups()
    if groups[1]:
        return 1
    if FOUND.match(s):
        return 3
    return 2


def hashed(s: str) -> int:
    return 1 if hash(s) == hash("secret") else 0


def in_a_set(s: str) -> int:
    known = {s}
    return 1 if "secret" in known else 0


def added_to_a_set(s: str) -> int:
    known = {"a"}
    known.add(s)
    return 1 if len(known) == 1 else 0


def in_a_display(s: str) -> int:
    table = {s: 1}
    return 1 if table.get("secret", 0) else 0


def stored(s: str) -> int:
    table = {}
    table[s] = 1
    return 1 if "secret" in table else 0


def stored_twice(s: str, t: str) -> int:
    table = {}
    table[s] = 1
    table[t] = 2
    return 1 if len(table) == 1 else 0


def defaulted(s: str) -> int:
    table = {}
    table.setdefault(s, 7)
    return 1 if table.get("secret", 0) else 0


def counted(s: str) -> int:
    return 1 if Counter([s])["secret"] else 0


def ordered(s: str) -> int:
    table = OrderedDict()
    table[s] = 1
    return 1 if table.get("secret", 0) else 0


@functools.cache
def _cached(s: str) -> int:
    return 1 if s == "secret" else 0


def cached(s: str) -> int:
    return 1 if _cached("other") + _cached(s) else 0


def library(s: str) -> int:
    return 1 if posixpath.splitext(s)[1] == ".txt" else 0


def dumped(s: str) -> int:
    return 1 if json.dumps(s) == '"secret"' else 0


def decimal(s: str) -> int:
    try:
        return 1 if Decimal(s) == 5 else 0
    except ArithmeticError:
        return 2


def getter(n: int) -> int:
    return 1 if operator.itemgetter(n % 3)([0, 1, 1]) else 0


def partial(s: str) -> int:
    return 1 if functools.partial(operator.eq, s)("secret") else 0


def item(n: int) -> int:
    values = [0, 0, 0]
    if 0 <= n < 3:
        values[n] = 1
    return 1 if values[2] else 0


def range_length(n: int) -> int:
    return 1 if 0 < n < 10 and len(range(n)) == 7 else 0


class Name(str):
    pass


def subclass(s: str) -> int:
    return 1 if Name(s) == "secret" else 0


def numbers(s: str) -> int:
    first, second = map(int, re.match(r"(\d)(\d)|", s, re.ASCII).groups("1"))
    return 1 if first + second == 17 else 0


def shortest(a: str, b: str) -> int:
    return 1 if sorted(["bb", a, b], key=len)[0] == "x" else 0


def runs(s: str) -> int:
    return 1 if [(k, len(list(g))) for k, g in itertools.groupby(s)] == [("a", 2), ("b", 1)] else 0


def set_of(a: str, b: str) -> int:
    return 1 if {a, "x"} & {b, "y"} == {"y", "x"} else 0


def counted_words(s: str) -> int:
    counts = defaultdict(int)
    for word in s.split():
        counts[word] += 1
    return 1 if counts["the"] == 2 else 0


def tuple_key(a: str, b: str) -> int:
    known = {("x", "y"): 1}
    return 1 if (a, b) in known else 0


def tuple_stored(a: str) -> int:
    table = {}
    table[a, 1] = 2
    return 1 if ("x", 1) in table else 0


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


def member(s: str) -> int:
    try:
        return 1 if Colour(s.strip()) is Colour.BLUE else 0
    except ValueError:
        return 0


def member_by_name(s: str) -> int:
    try:
        return 1 if Colour[s] is Colour.BLUE else 0
    except KeyError:
        return 0


def matched_mapping(s: str) -> int:
    table = {}
    key, _, value = s.partition("=")
    table[key] = value
    match table:
        case {"user": "admin"}:
            return 1
        case _:
            return 0


def dispatched(s: str) -> int:
    class Commands:
        def do_quit(self) -> int:
            return 1

    return getattr(Commands(), "do_" + s, lambda: 0)()


WORD = re.compile(r"(?P<number>\d+)|(?P<name>[a-z]+)")


def tokens(s: str) -> int:
    kinds = []
    at = 0
    while at < len(s):
        found = WORD.match(s, at)
        if found is None:
            return 0
        kinds.append(found.lastgroup)
        at = found.end()
    return 1 if kinds == ["name", "number"] else 0


def hexadecimal(s: str) -> int:
    try:
        return 1 if int(s, 16) == 0xBEEF else 0
    except ValueError:
        return 0


def read_by_c_code(s: str) -> int:
    return 1 if next(csv.reader([s]), None) == ["a", "b"] else 0


def printed(s: str) -> int:
    out = io.StringIO()
    print(s, file=out)
    return 1 if out.getvalue() == "x\n" else 0


def line_of_an_error(text: str) -> int:
    """The scanner of json is in C; the error that it raises counts lines in Python."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.lineno
    return 0


def shown_in_a_list(s: str) -> int:
    return 1 if f"{[s]}" == "['secret']" else 0


def formatted_by_name(s: str) -> int:
    return 1 if "{x[0]}".format(x=[s]) == "secret" else 0  # noqa: UP032


def formatted_second(s: str) -> int:
    return 1 if "{}{}".format(1, [s]) == "1['secret']" else 0  # noqa: UP032


@dataclass
class Named:
    name: str

    def __str__(self) -> str:
        return self.name


def shown_by_its_class(s: str) -> int:
    return 1 if f"{Named(s)}" == "secret" and "%s" % Named(s) == "{}".format(Named(s)) else 0  # noqa: UP031, UP032


def generated_repr(s: str) -> int:
    return 1 if repr(Named(s)) == "Named(name='secret')" else 0


def dumped_in_lists(s: str) -> int:
    return 1 if json.dumps([[s]]) == '[["secret"]]' else 0


def byte_by_byte(s: str) -> int:
    return 1 if bytes([ord(c) for c in s if ord(c) < 256]) == b"ab" else 0


def in_hexadecimal(n: int) -> int:
    return 1 if f"{n:04X}" == "00FF" and "%x" % n == "ff" and hex(n) == "0xff" else 0  # noqa: UP031


def grouped(n: int) -> int:
    return 1 if f"{n:,}" == "-12,345" else 0


def from_keys(s: str) -> int:
    return 1 if "secret" in dict.fromkeys([s]) else 0


HEXADECIMAL = {a + b: chr(int(a + b, 16)) for a in "0123456789ABCDEFabcdef" for b in "0123456789ABCDEFabcdef"}


def positional_table(s: str) -> int:
    try:
        return 1 if HEXADECIMAL[s[:2]] + HEXADECIMAL[s[2:]] == "ok" else 0
    except KeyError:
        return 0


def group_in_a_repetition(s: str) -> int:
    found = re.match(r"(?:(a)|b)*$", s)
    return 1 if found and found.group(1) and s.endswith("b") else 0


def alternative_groups(s: str) -> int:
    found = re.match(r"(a)|(b)", s)
    return 1 if found and found.group(2) else 0


def not_ascii(s: str) -> int:
    return 1 if s.isalpha() and not s.isascii() else 0


def number_of_floats(s: str, f: float = 1.0) -> int:
    return 1 if f > 2 else 0


def without_annotation(s: str, n=None) -> int:
    return 0 if n is None else 1


def more_arguments(s: str, *more: str) -> int:
    return 1 if more else 0


class Wrapped:
    """Methods whose results code in C reads."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __bool__(self) -> bool:
        return self.text == "true"

    def __len__(self) -> int:
        return len(self.text)

    def __index__(self) -> int:
        return len(self.text)

    def __int__(self) -> int:
        return len(self.text)


class Sized:
    def __init__(self, text: str) -> None:
        self.text = text

    def __len__(self) -> int:
        return len(self.text) - 1 if self.text else 0


def truth_of_an_object(s: str) -> int:
    return 1 if Wrapped(s) and bool(Wrapped(s)) else 0


def length_of_an_object(s: str) -> int:
    return 1 if len(Wrapped(s)) == 7 else 0


def truth_by_length(s: str) -> int:
    return 1 if Sized(s) else 0


def object_as_an_index(s: str) -> int:
    return 1 if len(s) < 3 and [0, 0, 1][Wrapped(s)] else 0


def object_as_a_number(s: str) -> int:
    return 1 if int(Wrapped(s)) > 0 else 0


def bound_arguments(s: str) -> int:
    change = functools.partial(str.replace, s, "a")
    return 1 if change("b") == "bb" and "a" in s else 0


def method_of_the_class(s: str) -> int:
    return 1 if str.join(",", [s, "b"]) == "a,b" else 0


def joined_values(s: str) -> int:
    return 1 if "".join({"a": s}.values()) == "secret" else 0


def joined_iterator(s: str) -> int:
    return 1 if ",".join(iter(["a", s])) == "a,secret" else 0


def joined_deque(s: str) -> int:
    return 1 if "".join(deque(["a", s])) == "asecret" else 0


def joined_reversed(s: str) -> int:
    return 1 if "".join(reversed(s)) == "ab" else 0


def joined_chain(s: str) -> int:
    return 1 if "".join(itertools.chain("a", [s])) == "asecret" else 0


def joined_slice(s: str) -> int:
    return 1 if "".join(itertools.islice([s, "x", "y"], 2)) == "secretx" else 0


class Words:
    def __init__(self, word: str) -> None:
        self.word = word

    def __iter__(self):
        yield "a"
        yield self.word


def joined_object(s: str) -> int:
    return 1 if ",".join(Words(s)) == "a,secret" else 0


def array_of(n: int) -> int:
    return 1 if 0 <= n < 256 and bytearray([n]) == b"!" else 0


def array_of_numbers(n: int) -> int:
    return 1 if 0 <= n < 256 and array.array("i", [n])[0] == 77 else 0


def iterator_read_by_c_code(n: int) -> int:
    return 1 if math.prod(iter([n, 5])) == 35 else 0


def quoted(s: str) -> int:
    found = re.match(r"""(['"])(\w*)\1$""", s, re.ASCII)
    return 1 if found and found[2] == "secret" else 0


def without_references(s: str) -> int:
    return 1 if re.sub(r"(-)\1", "+", s) == "secret" else 0


def dedented(s: str) -> int:
    return 1 if len(textwrap.dedent(s)) < len(s) else 0
