"""Random terms of every operator, not simplified, for comparisons of two implementations."""

from __future__ import annotations

import random
from collections.abc import Callable

from stringent_smt.operators import SIGNATURES, Sort
from stringent_smt.terms import Term, _apply, const, subterms


def mk(op: str, *args: Term, params: tuple[int, ...] = ()) -> Term:
    """An application as it is, without simplification."""
    if op == "ite":
        return _apply(op, args[1].sort, args)
    result = Sort.BOOL if op in ("=", "distinct") else SIGNATURES[op].result
    return _apply(op, result, args, params)


def rebuild(term: Term, make: Callable[..., Term]) -> Term:
    """The term with every application made by `make`."""
    done: dict[int, Term] = {}
    for t in subterms(term):
        if t.op in ("const", "var"):
            done[id(t)] = t
        else:
            done[id(t)] = make(t.op, *[done[id(a)] for a in t.args], params=t.params)
    return done[id(term)]


_STRINGS = [
    "",
    "a",
    "b",
    "ab",
    "ba",
    "aab",
    "0",
    "7",
    "12",
    "007",
    "aB",
    "Zz",
    "é",
    "\U0001f600",
    '"',
    "\\",
    "\\u{41}",
    "\n",
]
_INTS = [-3, -1, 0, 1, 2, 3, 5, 10, 97, 0x2FFFF, 0x30000, 12345678901234567890]
_ANY = (Sort.BOOL, Sort.INT, Sort.STRING)


class Terms:
    """A generator of terms. `variables` are used as leaves beside literals."""

    def __init__(self, seed: int, variables: tuple[Term, ...] = ()) -> None:
        self.random = random.Random(seed)
        self.variables = variables

    def leaf(self, sort: Sort) -> Term:
        choose = self.random
        own = [v for v in self.variables if v.sort is sort]
        if own and choose.random() < 0.5:
            return choose.choice(own)
        if sort is Sort.STRING:
            if choose.random() < 0.3:
                return const("".join(choose.choice("ab0") for _ in range(choose.randrange(6))))
            return const(choose.choice(_STRINGS))
        if sort is Sort.INT:
            return const(choose.choice(_INTS) if choose.random() < 0.3 else choose.randrange(-2, 6))
        if sort is Sort.BOOL:
            return const(choose.random() < 0.5)
        kind = choose.randrange(6)
        if kind < 3:
            return mk(("re.none", "re.all", "re.allchar")[kind]) if choose.random() < 0.5 else mk("re.allchar")
        if kind == 3:
            return mk("re.range", const(choose.choice("aAb0")), const(choose.choice("bz9é")))
        return mk("str.to_re", const(choose.choice(_STRINGS)))

    def term(self, sort: Sort, depth: int) -> Term:
        """A random term of a sort."""
        if depth <= 0 or self.random.random() < 0.1:
            return self.leaf(sort)
        ops = [op for op, signature in SIGNATURES.items() if signature.result is sort]
        ops += ["ite"] if sort is not Sort.REGLAN else []
        ops += ["=", "distinct"] if sort is Sort.BOOL else []
        return self.application(self.random.choice(ops), depth, sort)

    def application(self, op: str, depth: int, sort: Sort = Sort.STRING) -> Term:
        """A random application of an operator."""
        choose = self.random
        if op == "ite":
            return mk(op, self.term(Sort.BOOL, depth - 1), self.term(sort, depth - 1), self.term(sort, depth - 1))
        if op in ("=", "distinct"):
            kind = choose.choice(_ANY)
            return mk(op, *[self.term(kind, depth - 1) for _ in range(choose.choice((2, 2, 3)))])
        signature = SIGNATURES[op]
        sorts = list(signature.args)
        if signature.variadic:
            sorts = [sorts[0]] * max(len(sorts), choose.choice((2, 2, 3) if op != "-" else (1, 2, 3)))
        args = [self.term(s, depth - 1) for s in sorts]
        if op in ("div", "mod"):  # division by zero has no fixed value
            args[1:] = [const(choose.choice((-7, -3, -2, -1, 1, 2, 3, 5))) for _ in args[1:]]
        params = tuple(sorted(choose.randrange(4) for _ in range(signature.indices)))
        if op == "divisible":
            params = (choose.randrange(1, 5),)
        return mk(op, *args, params=params)
