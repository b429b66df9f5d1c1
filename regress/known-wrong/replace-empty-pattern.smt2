; z3str3 4.5.1 and 4.8.0: unsat.
(set-info :smt-lib-version 2.6)
(set-logic QF_SLIA)
(set-info :status sat)
(set-info :stringent-model "((t """"))")
(declare-const t String)
(assert (= (str.replace "ab" t "0") "0ab"))
(check-sat)
