"""Strings, regular expressions and integers for an SMT solver, in Python."""
