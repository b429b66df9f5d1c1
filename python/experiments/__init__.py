"""Measurements of stringent_smt.explore: the functions of the paper, five string targets, known bugs, recorded queries."""
