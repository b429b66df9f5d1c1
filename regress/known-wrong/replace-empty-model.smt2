; z3 and z3str3 4.5.1 and 4.8.0: sat with the model t = "", which falsifies the formula.
(set-info :smt-lib-version 2.6)
(set-logic QF_SLIA)
(set-info :status sat)
(set-info :stringent-model "((t ""a""))")
(declare-const t String)
(assert (= (str.replace "" t "\u{e9}") ""))
(check-sat)
