; A model with t = "" in z3 4.5.1 and 4.8.0, both solvers.
(set-info :smt-lib-version 2.6)
(set-logic QF_SLIA)
(set-info :status sat)
(set-info :stringent-model "((t ""a""))")
(declare-const t String)
(assert (= (str.replace "" t "\u{e9}") ""))
(check-sat)
