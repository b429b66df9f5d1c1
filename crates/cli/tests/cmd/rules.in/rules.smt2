(define-rule contains-split
  :doc "A string contains another iff it can be split around it."
  :kind equivalence
  :vars ((s String) (t String))
  :exists ((pre String) (post String))
  :lhs (str.contains s t)
  :rhs (= s (str.++ pre t post))
  :witness ((pre (str.substr s 0 (str.indexof s t 0)))
            (post (str.substr s (+ (str.indexof s t 0) (str.len t)) (str.len s)))))

(define-rule from-int-inverts-to-int
  :vars ((s String))
  :when (>= (str.to_int s) 0)
  :lhs (str.from_int (str.to_int s))
  :rhs s)

(define-rule never-fires
  :vars ((s String))
  :when (< (str.len s) 0)
  :lhs s
  :rhs "")
