"""`python -m stringent_smt`: symbolic execution of Python functions (see explore/cli.py)."""

from __future__ import annotations

from .explore.cli import program

if __name__ == "__main__":
    program()
