"""SMT-LIB text: literals, symbols and terms.

A term is written as a tree if it is small. Otherwise every shared part gets a name by `let`, so that the text is
never longer than the graph of the term. Nothing recurses on the depth of terms.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .operators import SIGNATURES, decimal

if TYPE_CHECKING:
    from .terms import Term

_PLAIN = re.compile(r"[ !#-\[\]-~]*")
_SPECIAL = re.compile(r"[^ !#-\[\]-~]")
_SIMPLE = re.compile(r"[A-Za-z_][A-Za-z0-9~!@$%^&*_+=<>.?/-]*")
_QUOTABLE = re.compile(r"[ -\[\]-{}~]+")
_RESERVED = frozenset(
    """_ ! as let exists forall match par true false not and or xor => = distinct ite div mod abs divisible
    to_real to_int is_int BINARY DECIMAL HEXADECIMAL NUMERAL STRING Bool Int Real String RegLan const var lambda
    assert check-sat check-sat-assuming declare-const declare-fun declare-sort define-fun define-sort echo exit
    get-assertions get-info get-model get-option get-proof get-unsat-core get-value pop push reset set-info
    set-logic set-option sat unsat unknown implies if iff""".split()
) | frozenset(SIGNATURES)
_THEORY = ("str.", "re.", "seq.", "int.", "char.", "bv", "fp.", "set.", "bag.", "rel.", "sym!", "_let_")

_SMALL = 200


def _escape(match: re.Match[str]) -> str:
    c = match.group()
    return '""' if c == '"' else f"\\u{{{ord(c):x}}}"


def literal(value: bool | int | str) -> str:
    """A Python value as an SMT-LIB literal."""
    if isinstance(value, str):
        if _PLAIN.fullmatch(value):
            return f'"{value}"'
        return f'"{_SPECIAL.sub(_escape, value)}"'
    if value is True or value is False:
        return "true" if value else "false"
    return decimal(value) if value >= 0 else f"(- {decimal(-value)})"


def symbol(name: str) -> str:
    """A name as a symbol: as it is, quoted by bars, or, if it cannot be quoted or means something, encoded."""
    if name in _RESERVED or name.startswith(_THEORY) or not _QUOTABLE.fullmatch(name):
        return "sym!" + name.encode("utf-8", "surrogatepass").hex()
    return name if _SIMPLE.fullmatch(name) else f"|{name}|"


def _head(term: Term) -> str:
    if term.params:
        return f"(_ {term.op} {' '.join(map(str, term.params))})"
    return term.op


def _leaf(term: Term) -> str:
    if term.op == "const":
        return literal(term.value)
    return symbol(term.value) if term.op == "var" else term.op


def _tree(term: Term, names: dict[int, str], top: bool) -> str:
    """The text of a term as a tree; the terms in `names` are written by their names, at the top only if asked."""
    out: list[str] = []
    stack: list[Any] = [term]
    while stack:
        t = stack.pop()
        if t.__class__ is str:
            out.append(t)
            continue
        name = names.get(id(t)) if names and not (top and t is term) else None
        if name is not None:
            out.append(name)
        elif not t.args:
            out.append(_leaf(t))
        else:
            out.append("(" + _head(t))
            stack.append(")")
            for arg in reversed(t.args):
                stack.append(arg)
                stack.append(" ")
    return "".join(out)


def term_text(term: Term) -> str:
    """The text of a term."""
    if not term.args:
        return _leaf(term)
    if term.size <= _SMALL:
        return _tree(term, {}, False)
    return _with_lets(term)


def _with_lets(term: Term) -> str:
    from .terms import subterms

    order = subterms(term)
    uses: dict[int, int] = {}
    level: dict[int, int] = {}
    for t in order:
        for arg in t.args:
            uses[id(arg)] = uses.get(id(arg), 0) + 1
    names: dict[int, str] = {}
    bindings: list[list[Term]] = []
    for t in order:
        depth = max((level[id(a)] for a in t.args), default=0)
        if t.args and uses.get(id(t), 0) > 1:
            names[id(t)] = f"_let_{len(names)}"
            if depth == len(bindings):
                bindings.append([])
            bindings[depth].append(t)
            depth += 1
        level[id(t)] = depth
    out: list[str] = []
    for group in bindings:
        pairs = " ".join(f"({names[id(t)]} {_tree(t, names, True)})" for t in group)
        out.append(f"(let ({pairs}) ")
    out.append(_tree(term, names, True))
    out.append(")" * len(bindings))
    return "".join(out)
