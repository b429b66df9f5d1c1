; Listing 1 of the ICSE'20 paper. z3 and z3str3 4.5.1 and 4.8.0: unsat.
(set-info :smt-lib-version 2.6)
(set-logic QF_SLIA)
(set-info :status sat)
(set-info :stringent-model "((t """") (u ""a""))")
(declare-const t String)
(declare-const u String)
(assert (= (str.replace "" t u) "a"))
(check-sat)
