; Fusion functions and their inversions, after Winterer, Zhang and Su, "Validating SMT Solvers via Semantic Fusion", PLDI 2020.
; A function of this file fuses two values into one; a rule that applies it gets one of the two back. A fused
; instance replaces a constant by such an inversion.

; ---- Strings.

(define-fun concat ((x String) (y String)) String (str.++ x y))

(define-rule concat-x
  :doc "The first part, by its length."
  :vars ((x String) (y String))
  :lhs (str.substr (concat x y) 0 (str.len x))
  :rhs x)

(define-rule concat-x-rest
  :doc "All but the last part."
  :vars ((x String) (y String))
  :lhs (str.substr (concat x y) 0 (- (str.len (concat x y)) (str.len y)))
  :rhs x)

(define-rule concat-x-replace
  :doc "Without the last part, if that is not found earlier."
  :vars ((x String) (y String))
  :when (= (str.indexof (concat x y) y 0) (str.len x))
  :lhs (str.replace (concat x y) y "")
  :rhs x)

(define-rule concat-y
  :doc "The rest after the first part."
  :vars ((x String) (y String))
  :lhs (str.substr (concat x y) (str.len x) (str.len y))
  :rhs y)

(define-rule concat-y-replace
  :doc "Without the first part."
  :vars ((x String) (y String))
  :lhs (str.replace (concat x y) x "")
  :rhs y)

(define-fun concat-swapped ((x String) (y String)) String (str.++ y x))

(define-rule concat-swapped-x
  :vars ((x String) (y String))
  :lhs (str.substr (concat-swapped x y) (str.len y) (str.len x))
  :rhs x)

(define-rule concat-swapped-x-replace
  :vars ((x String) (y String))
  :lhs (str.replace (concat-swapped x y) y "")
  :rhs x)

(define-rule concat-swapped-y
  :vars ((x String) (y String))
  :lhs (str.substr (concat-swapped x y) 0 (- (str.len (concat-swapped x y)) (str.len x)))
  :rhs y)

(define-fun separated ((x String) (y String)) String (str.++ x "-" y))

(define-rule separated-x
  :doc "The part before a separator that it does not have."
  :vars ((x String) (y String))
  :when (not (str.contains x "-"))
  :lhs (str.substr (separated x y) 0 (str.indexof (separated x y) "-" 0))
  :rhs x)

(define-rule separated-x-length
  :vars ((x String) (y String))
  :lhs (str.substr (separated x y) 0 (str.len x))
  :rhs x)

(define-rule separated-y
  :vars ((x String) (y String))
  :when (not (str.contains x "-"))
  :lhs (str.substr (separated x y) (+ 1 (str.indexof (separated x y) "-" 0)) (str.len (separated x y)))
  :rhs y)

(define-rule separated-y-replace
  :vars ((x String) (y String))
  :lhs (str.replace (separated x y) (str.++ x "-") "")
  :rhs y)

(define-fun doubled ((x String) (y String)) String (str.++ x y x))

(define-rule doubled-x
  :vars ((x String) (y String))
  :lhs (str.substr (doubled x y) 0 (div (- (str.len (doubled x y)) (str.len y)) 2))
  :rhs x)

(define-rule doubled-y
  :vars ((x String) (y String))
  :lhs (str.substr (doubled x y) (str.len x) (- (str.len (doubled x y)) (* 2 (str.len x))))
  :rhs y)

(define-fun ordered ((x String) (y String)) String (ite (str.<= x y) (str.++ x y) (str.++ y x)))

(define-rule ordered-x
  :vars ((x String) (y String))
  :lhs (ite (str.<= x y)
            (str.substr (ordered x y) 0 (str.len x))
            (str.substr (ordered x y) (str.len y) (str.len x)))
  :rhs x)

(define-rule ordered-y
  :vars ((x String) (y String))
  :lhs (ite (str.<= x y)
            (str.substr (ordered x y) (str.len x) (str.len y))
            (str.substr (ordered x y) 0 (str.len y)))
  :rhs y)

; ---- Integers.

(define-fun sum ((x Int) (y Int)) Int (+ x y))

(define-rule sum-x
  :vars ((x Int) (y Int))
  :lhs (- (sum x y) y)
  :rhs x)

(define-rule sum-y
  :vars ((x Int) (y Int))
  :lhs (- (sum x y) x)
  :rhs y)

(define-fun difference ((x Int) (y Int)) Int (- x y))

(define-rule difference-x
  :vars ((x Int) (y Int))
  :lhs (+ (difference x y) y)
  :rhs x)

(define-rule difference-y
  :vars ((x Int) (y Int))
  :lhs (- x (difference x y))
  :rhs y)

(define-fun scaled ((x Int) (y Int)) Int (+ (* 3 x) (* 2 y) 1))

(define-rule scaled-x
  :vars ((x Int) (y Int))
  :lhs (div (- (scaled x y) 1 (* 2 y)) 3)
  :rhs x)

(define-rule scaled-y
  :vars ((x Int) (y Int))
  :lhs (div (- (scaled x y) 1 (* 3 x)) 2)
  :rhs y)

(define-fun chosen ((x Int) (y Int)) Int (ite (<= 0 x) (+ x y) (- y x)))

(define-rule chosen-x
  :vars ((x Int) (y Int))
  :lhs (ite (<= 0 x) (- (chosen x y) y) (- y (chosen x y)))
  :rhs x)

(define-rule chosen-y
  :vars ((x Int) (y Int))
  :lhs (ite (<= 0 x) (- (chosen x y) x) (+ (chosen x y) x))
  :rhs y)
