(declare-const x String)
(assert (= x "\u{1F600}"))
