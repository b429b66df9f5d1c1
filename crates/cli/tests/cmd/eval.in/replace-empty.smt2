; Replacing the empty string puts the new one in front, so t must not be empty.
; z3 4.5.1 and 4.8.0 answer sat with the model in replace-empty.answer.
(set-logic QF_S)
(set-info :status sat)
(declare-const t String)
(assert (= (str.replace "" t "\u{e9}") ""))
(check-sat)
(get-model)
