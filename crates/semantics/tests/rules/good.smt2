; Rules that hold under the standard: one of every shape that the format has.

(define-rule at-is-substr
  :doc "A character is a substring of length one."
  :vars ((s String) (i Int))
  :lhs (str.at s i)
  :rhs (str.substr s i 1))

(define-rule from-int-splits
  :doc "Decimal notation, digit by digit."
  :vars ((n Int))
  :when (>= n 10)
  :lhs (str.from_int n)
  :rhs (str.++ (str.from_int (div n 10)) (str.from_int (mod n 10))))

(define-rule contains-split
  :doc "A string contains another iff it can be split around it."
  :kind equivalence
  :vars ((s String) (t String))
  :exists ((pre String) (post String))
  :lhs (str.contains s t)
  :rhs (= s (str.++ pre t post))
  :witness ((pre (str.substr s 0 (str.indexof s t 0)))
            (post (str.substr s (+ (str.indexof s t 0) (str.len t)) (str.len s)))))

(define-rule not-contains-all-splits
  :doc "The negation, with a quantifier that the evaluator can exhaust."
  :kind equivalence
  :vars ((s String) (t String))
  :lhs (not (str.contains s t))
  :rhs (forall ((s1 String) (s2 String) (s3 String))
         (! (=> (= s (str.++ s1 s2 s3)) (distinct s2 t)) :pattern ((str.++ s1 s2 s3)))))

(define-rule to-int-of-digits
  :doc "Only one direction: leading zeros are lost on the way back."
  :kind implication
  :vars ((s String) (n Int))
  :lhs (= (str.to_int s) n)
  :rhs (and (distinct s "") (= (str.from_int n) s)))

(define-rule substr-corrected
  :doc "The reduction of substr with the remaining length as it must be."
  :kind equivalence
  :vars ((s String) (m Int) (n Int) (r String))
  :when (and (<= 0 m) (< m (str.len s)) (> n 0))
  :exists ((z1 String) (z2 String))
  :lhs (= (str.substr s m n) r)
  :rhs (and (= s (str.++ z1 r z2)) (= (str.len z1) m)
            (= (str.len z2) (ite (>= (str.len s) (+ m n)) (- (str.len s) (+ m n)) 0)))
  :witness ((z1 (str.substr s 0 m)) (z2 (str.substr s (+ m n) (str.len s)))))

(define-rule star-unfolds
  :doc "Equality of languages."
  :vars ((r RegLan))
  :lhs (re.* r)
  :rhs (re.union (str.to_re "") (re.++ r (re.* r))))

(define-rule complement-of-membership
  :kind equivalence
  :vars ((s String) (r RegLan))
  :lhs (not (str.in_re s r))
  :rhs (str.in_re s (re.comp r)))

(define-fun first ((s String)) String (str.at s 0))

(define-rule uses-a-definition
  :vars ((s String))
  :when (distinct s "")
  :lhs (str.++ (first s) (str.substr s 1 (str.len s)))
  :rhs s)
