//! Bisection: the versions and options of a solver on which a script fails.
