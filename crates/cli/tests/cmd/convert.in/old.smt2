; The language of Z3str2.
(declare-variable url String)
(declare-fun host () String)
; a comment in between
(assert (= url (Concat "http://" host)))
(assert (StartsWith host "a"))
(assert (not (= (Indexof url "\"") 5)))
(check-sat)
; the end
