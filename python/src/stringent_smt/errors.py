"""The exceptions of the package. All of them are `StringentError`."""

from __future__ import annotations


class StringentError(Exception):
    """The base of all exceptions of this package."""


class SortError(StringentError, TypeError):
    """An operator was applied to terms of the wrong sorts, or to the wrong number of terms."""


class UnrepresentableError(StringentError, ValueError):
    """A string has a character past U+2FFFF, the last one of SMT-LIB strings."""


class UntranslatableError(StringentError, ValueError):
    """A Python regular expression has no equivalent regular language, or none that can be stated exactly.

    `construct` names the part that cannot be translated, `position` is its place in the pattern if it is known.
    """

    def __init__(self, construct: str, position: int | None = None, pattern: str | None = None) -> None:
        self.construct = construct
        self.position = position
        self.pattern = pattern
        where = "" if position is None else f" at position {position}"
        of = "" if pattern is None else f" of {pattern!r}"
        super().__init__(f"cannot translate {construct}{where}{of}")


class UndeterminedError(StringentError, ArithmeticError):
    """The value of a term is not determined by the assignment: division by zero, or a variable without value."""


class SolverError(StringentError):
    """The solver answered with an error, or with something that is not an answer."""


class SolverNotFound(SolverError, FileNotFoundError):
    """The program of the solver is not installed."""


class SolverTimeout(SolverError, TimeoutError):
    """The solver did not answer in time, and was killed."""


class SolverUnknown(SolverError):
    """The solver answered `unknown` where an answer was needed. `reason` is its reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the solver does not know: {reason}" if reason else "the solver does not know")
        self.reason = reason


class SolverDied(SolverError):
    """The solver process ended by itself. The next call starts a new one with the same assertions."""

    def __init__(self, message: str, returncode: int | None = None, stderr: str = "") -> None:
        super().__init__(message)
        self.returncode = returncode
        self.stderr = stderr
