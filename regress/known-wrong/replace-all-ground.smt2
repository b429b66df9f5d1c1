; z3 4.8.10: unsat.
(set-info :smt-lib-version 2.6)
(set-logic QF_SLIA)
(set-info :status sat)
(set-info :stringent-model "()")
(assert (= (str.replace_all "aa" "a" "b") "bb"))
(check-sat)
