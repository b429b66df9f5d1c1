; A prefix of s that is "a". z3 4.8.0 answers sat with the model in substr.answer, which falsifies the assertion:
;   stringent eval examples/substr.smt2 --model examples/substr.answer
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const s String)
(declare-const len Int)
(assert (= (str.substr s 0 len) "a"))
(check-sat)
(get-model)
