(declare-const x String)
(assert (= x 1))
