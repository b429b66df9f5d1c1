"""The entry point of Hypothesis: makes `@settings(backend="stringent")` known, without importing the backend."""

from __future__ import annotations


def register() -> None:
    """Adds the backend to those of Hypothesis."""
    from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS

    AVAILABLE_PROVIDERS["stringent"] = "stringent_smt.hypothesis_backend.StringentProvider"
