; A host in a URL.
(set-logic QF_SLIA)
(set-info :status sat)
(set-info :stringent-model "((url ""http://ab"") (host ""ab""))")
(declare-const url String)
(declare-const host String)
(assert (= url (str.++ "http://" host)))
; a comment in between
(assert (str.prefixof "a" host))
(check-sat)
