; A script in the dialect of Z3str2; converted by
;   stringent convert --to 2.6 examples/z3str2.smt2
(declare-variable url String)
(declare-fun host () String)
(declare-fun path () String)
(assert (= url (Concat "http://" (Concat host path))))
(assert (StartsWith path "/"))
(assert (RegexIn host (RegexPlus (RegexUnion (RegexCharRange "a" "z") (Str2Reg ".")))))
(assert (> (Length host) 3))
(assert (not (= (Indexof url "\"") 5)))
(check-sat)
