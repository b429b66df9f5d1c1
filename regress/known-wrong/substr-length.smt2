; z3 4.8.0: sat with a model that falsifies the formula.
(set-info :smt-lib-version 2.6)
(set-logic QF_SLIA)
(set-info :status sat)
(set-info :stringent-model "((s ""a"") (len 1))")
(declare-const s String)
(declare-const len Int)
(assert (= (str.substr s 0 len) "a"))
(check-sat)
