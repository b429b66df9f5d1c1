"""Command lines of z3, cvc5 and CVC4 as clients start them, with what the client sends and what it must get back."""
import re
import subprocess

from .registry import Result, client, environment

# Who, the seat, the flags, what is sent, and the lines that must come back (regular expressions).
LINES = [
    ("easy-smt", "z3", "-smt2 -in -v:0", "(set-option :print-success true)(declare-const x String)(assert (= x \"a\"))(check-sat)(get-value (x))",
     ["success", "success", "success", "sat", r'\(\(x "a"\)\)']),
    ("easy-smt", "cvc5", "--quiet --lang=smt2 --incremental", "(set-option :print-success true)(set-logic ALL)(check-sat)", ["success", "success", "sat"]),
    ("rsmt2", "z3", "-in -smt2", "(declare-const x String)(assert (= (str.len x) (- 1)))(check-sat)", ["unsat"]),
    ("rsmt2", "cvc4", "-q --no-interactive --lang smt2 --produce-models", "(set-logic ALL)(declare-const x Int)(assert (= x 3))(check-sat)(get-value (x))", ["sat", r"\(\(x 3\)\)"]),
    ("PyCT", "cvc5", "--produce-models --lang smt --quiet --strings-exp --tlimit=10000",
     "(set-logic ALL)(set-option :strings-exp true)(declare-const s String)(declare-const n Int)(assert (= (str.len s) n))(assert (> n 1))(assert (< n 3))(check-sat)(get-value (s))(get-value (n))",
     ["sat", r'\(\(s "[ -~]*"\)\)', r"\(\(n 2\)\)"]),
    ("py-conbyte", "cvc4", "--produce-models --lang smt --quiet --strings-exp",
     "(set-logic ALL)(declare-fun s () String)(assert (str.in.re s (re.+ (str.to.re \"ab\"))))(assert (> (str.len s) 3))(check-sat)(get-value (s))", ["sat", r'\(\(s "(ab){2,}"\)\)']),
    ("py-conbyte", "z3", "-in -T:5", "(declare-fun s () String)(assert (str.in.re s (re.+ (str.to.re \"ab\"))))(check-sat)(get-value (s))", ["sat", r'\(\(s "(ab)+"\)\)']),
    ("SBV", "z3", "-nw -in -smt2", "(set-option :print-success true)(set-option :pp.max_depth 4294967295)(set-option :pp.min_alias_size 4294967295)(set-option :model.inline_def true)(set-option :global-declarations true)(set-logic QF_S)(check-sat)",
     ["success"] * 6 + ["sat"]),
    ("what4", "z3", "-smt2 -in", "(set-option :print-success true)(set-option :pp.decimal true)(set-option :produce-models true)(push 1)(declare-fun r () Real)(assert (> r 0.5))(check-sat)(pop 1)",
     ["success"] * 6 + ["sat", "success"]),
    ("what4", "cvc5", "--lang smt2 --incremental --strings-exp --fp-exp", "(set-logic ALL)(check-sat)", ["sat"]),
    ("claripy", "cvc4", "--lang=smt -q --strings-exp", "(set-logic ALL)(set-option :produce-models true)(declare-const x String)(assert (= x \"q\"))(check-sat)(get-model)", ["sat", r"\((model)?", r' *\(define-fun x \(\) String "q"\)', r"\)"]),
    ("Formulog", "z3", "-in -smt2", "(set-option :timeout 4000)(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-const l L)(declare-const p Bool)(assert (=> p ((_ is cons) l)))(assert ((_ is nil) l))(check-sat-assuming (p))(check-sat-assuming ((not p)))",
     ["unsat", "sat"]),
    ("EvoSuite", "cvc4", "--rewrite-divk --lang smt --finite-model-find --tlimit=9000", "(set-logic ALL)(declare-fun s () String)(assert (= (str.len s) 1))(check-sat)", ["sat"]),
    ("Cedar", "cvc5", "--lang smt --tlimit=60000", "(set-logic ALL)(declare-datatype Option (par (X) ((none) (some (val X)))))(declare-const o (Option String))(assert ((_ is some) o))(assert (= (val o) \"a\"))(check-sat)", ["sat"]),
    ("after a reset", "z3", "-in", "(set-option :print-success true)(check-sat)(reset)(declare-const x Int)(assert (> x 1))(check-sat)", ["success", "sat", "success", "success", "success", "sat"]),
    ("a long answer", "z3", "-in", "(declare-const s String)(assert (= (str.len s) 3000))(check-sat)(get-value (s))", ["sat", r'\(\(s "[ -~]{3000,}"\)\)']),
    ("an error", "z3", "-in", "(assert (> x 1))\n(check-sat)", [r'\(error "line 1 column \d+: .*"\)', "sat"]),
    ("arithmetic of z3", "z3", "-in", "(declare-const x Int)(assert (= x -7))(check-sat)(get-value (x))", ["sat", r"\(\(x \(- 7\)\)\)"]),
    ("a limit of time", "z3", "-in -T:1", "(echo \"a\")", ["a"]),
    ("elements", "z3", "-in", "(declare-sort Q 0)(declare-const q Q)(declare-const r Q)(assert (distinct q r))(check-sat)(get-value (q))", ["sat", r"\(\(q Q!val!\d+\)\)"]),
]


@client("lines", "command lines and dialogues of easy-smt, rsmt2, PyCT, py-conbyte, SBV, what4, claripy, Formulog, EvoSuite, Cedar", quick=True)
def lines(path):
    out = []
    for number, (who, seat, flags, script, want) in enumerate(LINES):
        got = answers([path / seat, *flags.split()], script, path)
        fits = len(got) == len(want) and all(re.fullmatch(w, g) for w, g in zip(want, got))
        out.append(Result("dialogues", seat, f"{number:02d}_{who.replace(' ', '_')}", "ok" if fits else f"answered {got}"[:300]))
    return out


def answers(argv, script, path):
    """The lines that a solver prints for a script."""
    try:
        done = subprocess.run(argv, input=script + "\n", env=environment(path), capture_output=True, text=True, timeout=30)
    except subprocess.TimeoutExpired:
        return ["no end within 30 s"]
    return [line for line in done.stdout.splitlines() if line.strip()]
