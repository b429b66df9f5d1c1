(declare-const x String)
(assert (= x (str.replace_all x "a" "b")))
