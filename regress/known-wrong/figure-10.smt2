; Figure 10 of the ICSE'20 paper. z3 4.8.0: sat with seed 0, unknown with seed 1465.
(set-info :smt-lib-version 2.6)
(set-logic QF_SLIA)
(set-info :status sat)
(set-info :stringent-model "((tmp_int_0 (- 1)) (tmp_str_2 ""a""))")
(declare-const tmp_int_0 Int)
(declare-const tmp_str_2 String)
(assert (= (str.contains (str.from_int tmp_int_0) (str.at tmp_str_2 tmp_int_0)) (str.contains tmp_str_2 tmp_str_2)))
(check-sat)
