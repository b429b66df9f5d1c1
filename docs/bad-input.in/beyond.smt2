(declare-const x String)
(assert (= x (_ char #x30000)))
(assert (= x "𰀀"))
