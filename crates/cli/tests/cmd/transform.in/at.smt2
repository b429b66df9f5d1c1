(set-info :status unsat)
(declare-const x String)
(assert (= (str.at x 0) "ab"))
(check-sat)
