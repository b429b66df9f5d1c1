"""Runs the tests of pySMT that come with its package, with one solver program.

usage: pysmt_tests.py GROUP[,GROUP...] PROGRAM [ARGUMENT...]

The program becomes the only solver of pySMT, for all logics. A test counts if it starts the solver. One line of JSON per test: group, name,
outcome (`ok`, or the last line of the failure). The examples (`pysmt/test/examples.py`) are one test each: validity and satisfiability.
"""
import importlib
import json
import os
import signal
import sys
import unittest

import pysmt.environment
import pysmt.factory
import pysmt.logics
from pysmt.smtlib.solver import SmtLibSolver

GROUPS, COMMAND = sys.argv[1].split(","), sys.argv[2:]
LOGICS = ["QF_SLIA", "QF_UF", "QF_LIA", "QF_LRA", "QF_UFLIRA", "UFLIRA", "QF_AUFBVLIRA", "QF_NIRA", "QF_NRA", "QF_UFNIA", "QF_UFBV"]
MODULES = {
    "strings": ["test_string"],
    "theories": ["test_euf", "test_int", "test_lira", "test_sorts", "test_models", "test_solving", "test_rewritings", "test_regressions", "smtlib.test_generic_wrapper"],
    "others": ["test_array", "test_bv", "test_nia", "test_nlira"],
}
SKIPPED = {"example_091"}  # it has `\\|` in a symbol, which no symbol can have
SECONDS = 10
started = 0


class Counted(SmtLibSolver):
    """A solver whose starts are counted, and whose process ends with it."""

    def __init__(self, *args, **options):
        global started
        started += 1
        super().__init__(*args, **options)

    def _exit(self):
        self.solver.kill()
        self.solver.wait()


class OneSolver(pysmt.factory.Factory):
    """The factory of pySMT with the program as its only solver."""

    def __init__(self, environment):
        super().__init__(environment, solver_preference_list=[])
        self._all_solvers = {}
        sys.modules["pysmt.smtlib.solver"].SmtLibSolver = Counted
        logics = [pysmt.logics.get_logic_by_name(name) for name in LOGICS]
        self.add_generic_solver("program", COMMAND, logics)


class Lines(unittest.TestResult):
    """Prints a line per test that has started the solver."""

    group = ""

    def startTest(self, test):
        global started
        started = 0
        signal.alarm(SECONDS)
        super().startTest(test)

    def line(self, test, outcome):
        if started:
            print(json.dumps({"group": self.group, "name": test.id().removeprefix("pysmt.test.").removeprefix("__main__."), "outcome": outcome}), flush=True)

    def addSuccess(self, test):
        self.line(test, "ok")

    def addFailure(self, test, err):
        self.line(test, f"{err[0].__name__}: {err[1]}".strip().splitlines()[0][:200])

    addError = addFailure


def late(*_):
    raise TimeoutError(f"no response within {SECONDS} s")


def group_of(logic):
    theory = logic.theory
    if theory.strings:
        return "strings"
    return "others" if theory.arrays or theory.arrays_const or theory.bit_vectors or not theory.linear else "theories"


def examples():
    """A test for each example; it is made in the environment of the test."""
    from pysmt.test import TestCase
    from pysmt.test.examples import get_example_formulae

    def test(number):
        def run(self):
            example = list(get_example_formulae())[number]
            self.assertEqual(example.is_valid, self.env.factory.is_valid(example.expr, logic=example.logic))
            self.assertEqual(example.is_sat, self.env.factory.is_sat(example.expr, logic=example.logic))

        return run

    for number, example in enumerate(get_example_formulae()):
        name = f"example_{number:03d}"
        if name in SKIPPED:
            continue
        case = type("Examples", (TestCase,), {name: test(number)})
        yield group_of(example.logic), case(name)


def cases():
    for group, modules in MODULES.items():
        for module in modules:
            loaded = importlib.import_module(f"pysmt.test.{module}")
            if hasattr(loaded, "ALL_WRAPPERS"):  # its tests run all wrapper scripts that they find; there is one: the program
                loaded.TestGenericWrapper.setUp = lambda self: (loaded.TestCase.setUp(self), setattr(self, "all_solvers", ["program"]))
            for suite in unittest.defaultTestLoader.loadTestsFromModule(loaded):
                yield from ((group, test) for test in suite)
    yield from examples()


def main():
    signal.signal(signal.SIGALRM, late)
    pysmt.factory.Factory = OneSolver
    # The condition of a test that needs a wrapper is read when its module is loaded.
    walk = os.walk
    os.walk = lambda top, *rest: [("", [], ["program.solver.sh"])] if str(top).endswith("smtlib") else walk(top, *rest)
    pysmt.environment.reset_env()
    result = Lines()
    for group, test in cases():
        result.group = group
        if group in GROUPS:
            test.run(result)
    sys.stdout.flush()
    os._exit(0)  # solvers that a failed test has left behind are not waited for


main()
