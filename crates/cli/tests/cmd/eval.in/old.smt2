(declare-const x String)
(assert (str.in.re x (str.to.re "\x41")))
(check-sat)
