; Disagreements between the evaluator and solvers that are known, and known not to be errors of ours.
;
; An entry is a Bool function of the arguments of an operator: where it holds, the solver's value is known to
; differ. What is set before it says whose it is:
;
;   (set-info :solver "…")      the name of the profile
;   (set-info :version "…")     versions that start like this
;   (set-info :operator "…")    the operator, as named in the report
;   (set-info :reason "…")      the standard's words, our value, theirs
;   (define-fun entry-1 ((w String) (i Int)) Bool …)
;
; A disagreement counts as known only if it goes away once every application that an entry excuses is replaced
; by the standard's value. There is no entry at present: z3 5.4.0 and cvc5 1.4.2 agree with the evaluator
; wherever they answer (see docs/semantics.md).
