(declare-const x String)
(assert (= x "abc))
(check-sat)
