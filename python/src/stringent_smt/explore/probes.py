"""Probes: properties of a text that is passed to code without a model.

A parser in C reads characters that no branch of the path names, so that the search has no reason to change them. Where such code is called, the path notes whether the text has a backslash, a quote, a null character or one that is not
ASCII. These are branches like any other, with the lowest priority: sooner or later the other direction of each is executed. Noted once for each line of an execution.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..terms import const, mk
from . import values
from .path import Recorder
from .values.chars import ASCII, star

LABEL = "probe "
_PARTS = ("\\", '"', "\0")
_ASCII = star(ASCII)


def probe(recorder: Recorder, arguments: Iterable[Any]) -> None:
    """Notes properties of the texts among the arguments of a call."""
    for value in arguments:
        if type(value) is not values.SymStr and type(value) is not values.SymBytes:
            continue
        site = recorder.site()
        if (site.file, site.line) in recorder.probed:
            return
        recorder.probed.add((site.file, site.line))
        word = value.word()
        for part in _PARTS:
            term = mk("str.contains", word.t, const(part))
            recorder.branch(term, part in word.v, site._replace(label=f"{LABEL}{part!r}"))
        recorder.branch(mk("str.in_re", word.t, _ASCII), word.v.isascii(), site._replace(label=f"{LABEL}ASCII"))
