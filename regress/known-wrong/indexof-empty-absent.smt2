; z3 4.5.1, z3str3 4.8.0 to 4.8.5: unsat.
(set-info :smt-lib-version 2.6)
(set-logic QF_SLIA)
(set-info :status sat)
(set-info :stringent-model "((off (- 1)))")
(declare-const off Int)
(assert (= (str.indexof "aa" "" off) (- 1)))
(check-sat)
