(declare-const x String)
(pop 1)
(declare-fun str.len (Int) Int)
(assert (forall (x) true))
