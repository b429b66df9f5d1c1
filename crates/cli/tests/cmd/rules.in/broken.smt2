(define-rule r :vars ((s String)) :lhs (str.len s) :rhs s)
