"""`python -m stringent_smt`: symbolic execution of Python functions (see explore/cli.py)."""

from __future__ import annotations

import sys

from .explore.cli import main

if __name__ == "__main__":
    sys.exit(main())
