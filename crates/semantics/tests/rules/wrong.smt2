; Rules that do not hold, or say nothing: each must be found out.

(define-rule substr-as-printed
  :doc "The reduction with len z2 = len s - n, as a paper prints it."
  :kind equivalence
  :vars ((s String) (m Int) (n Int) (r String))
  :when (and (<= 0 m) (< m (str.len s)) (> n 0))
  :exists ((z1 String) (z2 String))
  :lhs (= (str.substr s m n) r)
  :rhs (and (= s (str.++ z1 r z2)) (= (str.len z1) m)
            (= (str.len z2) (ite (>= (str.len s) n) (- (str.len s) n) 0)))
  :witness ((z1 (str.substr s 0 m)) (z2 (str.substr s (+ m n) (str.len s)))))

(define-rule indexof-absent-anywhere
  :doc "Wrong without a bound on the start: an empty pattern is contained everywhere."
  :vars ((s String) (t String) (i Int))
  :when (str.contains s t)
  :lhs (str.indexof s t i)
  :rhs (str.indexof s t 0))

(define-rule from-int-inverts-to-int
  :doc "Leading zeros."
  :vars ((s String))
  :when (>= (str.to_int s) 0)
  :lhs (str.from_int (str.to_int s))
  :rhs s)

(define-rule wrong-witness
  :kind equivalence
  :vars ((s String) (t String))
  :exists ((post String))
  :lhs (str.prefixof s t)
  :rhs (= t (str.++ s post))
  :witness ((post (str.substr t (- (str.len s) 1) (str.len t)))))

(define-rule never-fires
  :vars ((s String))
  :when (< (str.len s) 0)
  :lhs s
  :rhs "")

(define-rule wrong-languages
  :vars ((r RegLan))
  :lhs (re.* r)
  :rhs (re.+ r))

(define-rule undecidable-here
  :doc "Division by zero is nobody's business."
  :vars ((n Int))
  :lhs (div n 0)
  :rhs 0)
