(declare-const a (Array Int String))
(assert (= (select a 0) "x"))
(check-sat)
(get-info :reason-unknown)
