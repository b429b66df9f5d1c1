(declare-const x String)
(assert (= x "café"))
