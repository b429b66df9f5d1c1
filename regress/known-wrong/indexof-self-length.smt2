; z3 4.5.1, z3str3 4.8.0 to 4.8.7: unsat.
(set-info :smt-lib-version 2.6)
(set-logic QF_SLIA)
(set-info :status sat)
(set-info :stringent-model "((x """") (i 0))")
(declare-const x String)
(declare-const i Int)
(assert (= (str.len (str.++ x x)) (str.indexof x x i)))
(check-sat)
