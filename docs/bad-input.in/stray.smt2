(declare-const x String)
(assert (= x "a")))
(check-sat)
