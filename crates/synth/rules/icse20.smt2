; The equivalences E1–E12 and the equalities NC1–NC8 and C1–C40 of Bugariu & Müller, "Automatically Testing String
; Solvers", ICSE 2020, Tables 2 and 3, read by the SMT-LIB standard. docs/icse20.md says where and why they differ.
;
; "X if c" is (ite c X true), and "x is not y" is (= (= x y) false): so that the Boolean constants which the equalities
; C32–C40 replace occur, as they must for the paper's own counts.

; ---- Equivalences. An unsatisfiable formula needs only the direction from right to left, which is all that E4, E5 and
; E6 have.

(define-rule E1
  :doc "str.at is a substring of length one."
  :kind equivalence
  :vars ((s String) (off Int) (res String))
  :lhs (= (str.at s off) res)
  :rhs (= res (str.substr s off 1)))

(define-rule E2
  :doc "The digits of a number, from the last one on."
  :kind equivalence
  :vars ((n Int) (res String))
  :lhs (= (str.from_int n) res)
  :rhs (and (ite (< n 0) (= res "") true)
            (ite (= n 0) (= res "0") true)
            (ite (= n 1) (= res "1") true)
            (ite (= n 2) (= res "2") true)
            (ite (= n 3) (= res "3") true)
            (ite (= n 4) (= res "4") true)
            (ite (= n 5) (= res "5") true)
            (ite (= n 6) (= res "6") true)
            (ite (= n 7) (= res "7") true)
            (ite (= n 8) (= res "8") true)
            (ite (= n 9) (= res "9") true)
            (ite (>= n 10) (= res (str.++ (str.from_int (div n 10)) (str.from_int (mod n 10)))) true)))

(define-rule E3
  :doc "str.replace replaces the first occurrence, if there is one."
  :kind equivalence
  :vars ((s String) (t String) (u String) (res String))
  :exists ((i Int) (s1 String) (s2 String) (s3 String))
  :lhs (= (str.replace s t u) res)
  :rhs (and (= i (str.indexof s t 0))
            (ite (>= i 0)
                 (and (= s (str.++ s1 s2 s3)) (= (str.len s1) i) (= s2 t) (= res (str.++ s1 u s3)))
                 true)
            (ite (< i 0) (= res s) true))
  :witness ((i (str.indexof s t 0))
            (s1 (str.substr s 0 (str.indexof s t 0)))
            (s2 t)
            (s3 (str.substr s (+ (str.indexof s t 0) (str.len t)) (str.len s)))))

(define-rule E4
  :doc "A substring that does not overrun the end. (Not an equivalence: str.substr may overrun.)"
  :kind implication
  :vars ((s String) (off Int) (len Int) (res String))
  :exists ((s1 String) (s2 String) (s3 String))
  :lhs (= (str.substr s off len) res)
  :rhs (and (ite (and (>= off 0) (< off (str.len s)) (> len 0))
                 (and (= s (str.++ s1 s2 s3)) (= (str.len s1) off) (= (str.len s2) len) (= res s2))
                 true)
            (ite (not (and (>= off 0) (< off (str.len s)) (> len 0))) (= res "") true)))

(define-rule E5
  :doc "The first occurrence at or after an offset. (Not an equivalence: nothing is said of a t that does not occur.)"
  :kind implication
  :vars ((s String) (t String) (off Int) (res Int))
  :exists ((s1 String) (s2 String) (s4 String))
  :lhs (= (str.indexof s t off) res)
  :rhs (and (ite (and (= t "") (>= off 0) (<= off (str.len s))) (= res off) true)
            (ite (and (= (= t "") false) (>= off 0) (<= off (str.len s)))
                 (and (= s (str.++ s1 s2 t s4))
                      (= off (str.len s1))
                      (forall ((i Int))
                        (! (=> (and (>= i 0) (< i (str.len t)))
                               (= (str.contains (str.++ s2 (str.substr t 0 i)) t) false))
                           :pattern ((str.substr t 0 i))))
                      (= res (str.len (str.++ s1 s2))))
                 true)
            (ite (not (and (>= off 0) (<= off (str.len s)))) (= res (- 1)) true)))

(define-rule E6
  :doc "A number without leading zeros. (Not an equivalence: str.to_int reads leading zeros.)"
  :kind implication
  :vars ((s String) (res Int))
  :lhs (= (str.to_int s) res)
  :rhs (and (ite (and (= (= s "") false)
                      (forall ((j Int))
                        (! (=> (and (>= j 0) (< j (str.len s)))
                               (or (= (str.at s j) "0") (= (str.at s j) "1") (= (str.at s j) "2") (= (str.at s j) "3") (= (str.at s j) "4")
                                   (= (str.at s j) "5") (= (str.at s j) "6") (= (str.at s j) "7") (= (str.at s j) "8") (= (str.at s j) "9")))
                           :pattern ((str.at s j)))))
                 (= (str.from_int res) s)
                 true)
            (ite (not (and (= (= s "") false)
                           (forall ((j Int))
                             (! (=> (and (>= j 0) (< j (str.len s)))
                                    (or (= (str.at s j) "0") (= (str.at s j) "1") (= (str.at s j) "2") (= (str.at s j) "3") (= (str.at s j) "4")
                                        (= (str.at s j) "5") (= (str.at s j) "6") (= (str.at s j) "7") (= (str.at s j) "8") (= (str.at s j) "9")))
                                :pattern ((str.at s j))))))
                 (= res (- 1))
                 true)))

(define-rule E7
  :doc "A string contains another if it can be split around it."
  :kind equivalence
  :vars ((s String) (t String))
  :exists ((s1 String) (s3 String))
  :lhs (str.contains s t)
  :rhs (= s (str.++ s1 t s3))
  :witness ((s1 (str.substr s 0 (str.indexof s t 0)))
            (s3 (str.substr s (+ (str.indexof s t 0) (str.len t)) (str.len s)))))

(define-rule E8
  :doc "It does not if no split has it in the middle."
  :kind equivalence
  :vars ((s String) (t String))
  :lhs (not (str.contains s t))
  :rhs (forall ((s1 String) (s2 String) (s3 String))
         (! (=> (= s (str.++ s1 s2 s3)) (= (= s2 t) false)) :pattern ((str.++ s1 s2 s3)))))

(define-rule E9
  :doc "A prefix can be continued."
  :kind equivalence
  :vars ((s String) (t String))
  :exists ((t2 String))
  :lhs (str.prefixof s t)
  :rhs (= t (str.++ s t2))
  :witness ((t2 (str.substr t (str.len s) (str.len t)))))

(define-rule E10
  :doc "No split starts with what is no prefix."
  :kind equivalence
  :vars ((s String) (t String))
  :lhs (not (str.prefixof s t))
  :rhs (forall ((t1 String) (t2 String))
         (! (=> (= t (str.++ t1 t2)) (= (= t1 s) false)) :pattern ((str.++ t1 t2)))))

(define-rule E11
  :doc "A suffix can be preceded."
  :kind equivalence
  :vars ((s String) (t String))
  :exists ((t1 String))
  :lhs (str.suffixof s t)
  :rhs (= t (str.++ t1 s))
  :witness ((t1 (str.substr t 0 (- (str.len t) (str.len s))))))

(define-rule E12
  :doc "No split ends with what is no suffix."
  :kind equivalence
  :vars ((s String) (t String))
  :lhs (not (str.suffixof s t))
  :rhs (forall ((t1 String) (t2 String))
         (! (=> (= t (str.++ t1 t2)) (= (= t2 s) false)) :pattern ((str.++ t1 t2)))))

; ---- Equalities between a term and one of its variables.

(define-rule NC1
  :vars ((s String))
  :when (= (str.len s) 1)
  :lhs (str.at s 0)
  :rhs s)

(define-rule NC2
  :vars ((s String))
  :lhs (str.++ s "")
  :rhs s)

(define-rule NC3
  :vars ((s String))
  :lhs (str.++ "" s)
  :rhs s)

(define-rule NC4
  :vars ((s String))
  :lhs (str.replace s s s)
  :rhs s)

(define-rule NC5
  :vars ((s String) (t String) (u String))
  :when (not (str.contains s t))
  :lhs (str.replace s t u)
  :rhs s)

(define-rule NC6
  :vars ((s String) (t String) (u String))
  :when (= (str.indexof s t 0) (- 1))
  :lhs (str.replace s t u)
  :rhs s)

(define-rule NC7
  :vars ((s String))
  :lhs (str.substr s 0 (str.len s))
  :rhs s)

(define-rule NC8
  :vars ((s String) (off Int))
  :when (and (>= off 0) (<= off (str.len s)))
  :lhs (str.indexof s "" off)
  :rhs off)

; ---- Equalities between a term and a constant.

(define-rule C1
  :vars ((s String) (off Int))
  :when (or (< off 0) (>= off (str.len s)))
  :lhs (str.at s off)
  :rhs "")

(define-rule C2
  :vars ()
  :lhs (str.++ "" "")
  :rhs "")

(define-rule C3
  :vars ((n Int))
  :when (< n 0)
  :lhs (str.from_int n)
  :rhs "")

(define-rule C4
  :vars ()
  :lhs (str.replace "" "" "")
  :rhs "")

(define-rule C5
  :vars ((s String) (off Int) (len Int))
  :when (or (< off 0) (>= off (str.len s)) (<= len 0))
  :lhs (str.substr s off len)
  :rhs "")

(define-rule C6
  :vars ((n Int))
  :when (= n 0)
  :lhs (str.from_int n)
  :rhs "0")

(define-rule C7
  :vars ((n Int))
  :when (= n 1)
  :lhs (str.from_int n)
  :rhs "1")

(define-rule C8
  :vars ((n Int))
  :when (= n 2)
  :lhs (str.from_int n)
  :rhs "2")

(define-rule C9
  :vars ((n Int))
  :when (= n 3)
  :lhs (str.from_int n)
  :rhs "3")

(define-rule C10
  :vars ((n Int))
  :when (= n 4)
  :lhs (str.from_int n)
  :rhs "4")

(define-rule C11
  :vars ((n Int))
  :when (= n 5)
  :lhs (str.from_int n)
  :rhs "5")

(define-rule C12
  :vars ((n Int))
  :when (= n 6)
  :lhs (str.from_int n)
  :rhs "6")

(define-rule C13
  :vars ((n Int))
  :when (= n 7)
  :lhs (str.from_int n)
  :rhs "7")

(define-rule C14
  :vars ((n Int))
  :when (= n 8)
  :lhs (str.from_int n)
  :rhs "8")

(define-rule C15
  :vars ((n Int))
  :when (= n 9)
  :lhs (str.from_int n)
  :rhs "9")

(define-rule C16
  :vars ((s String) (t String) (off Int))
  :when (or (< off 0) (> off (str.len s)))
  :lhs (str.indexof s t off)
  :rhs (- 1))

(define-rule C17
  :vars ((s String) (t String) (off Int))
  :when (not (str.contains s t))
  :lhs (str.indexof s t off)
  :rhs (- 1))

(define-rule C18
  :vars ((s String))
  :when (= s "")
  :lhs (str.to_int s)
  :rhs (- 1))

(define-rule C19
  :vars ((s String) (i Int))
  :when (and (>= i 0) (< i (str.len s))
             (not (or (= (str.at s i) "0") (= (str.at s i) "1") (= (str.at s i) "2") (= (str.at s i) "3") (= (str.at s i) "4")
                      (= (str.at s i) "5") (= (str.at s i) "6") (= (str.at s i) "7") (= (str.at s i) "8") (= (str.at s i) "9"))))
  :lhs (str.to_int s)
  :rhs (- 1))

(define-rule C20
  :vars ((s String))
  :when (= s "")
  :lhs (str.len s)
  :rhs 0)

(define-rule C21
  :vars ((s String))
  :when (= s "0")
  :lhs (str.to_int s)
  :rhs 0)

(define-rule C22
  :vars ((s String))
  :when (= s "1")
  :lhs (str.to_int s)
  :rhs 1)

(define-rule C23
  :vars ((s String))
  :when (= s "2")
  :lhs (str.to_int s)
  :rhs 2)

(define-rule C24
  :vars ((s String))
  :when (= s "3")
  :lhs (str.to_int s)
  :rhs 3)

(define-rule C25
  :vars ((s String))
  :when (= s "4")
  :lhs (str.to_int s)
  :rhs 4)

(define-rule C26
  :vars ((s String))
  :when (= s "5")
  :lhs (str.to_int s)
  :rhs 5)

(define-rule C27
  :vars ((s String))
  :when (= s "6")
  :lhs (str.to_int s)
  :rhs 6)

(define-rule C28
  :vars ((s String))
  :when (= s "7")
  :lhs (str.to_int s)
  :rhs 7)

(define-rule C29
  :vars ((s String))
  :when (= s "8")
  :lhs (str.to_int s)
  :rhs 8)

(define-rule C30
  :vars ((s String))
  :when (= s "9")
  :lhs (str.to_int s)
  :rhs 9)

(define-rule C31
  :vars ((s String))
  :when (= s "10")
  :lhs (str.to_int s)
  :rhs 10)

(define-rule C32
  :vars ((s String))
  :lhs (str.contains s s)
  :rhs true)

(define-rule C33
  :vars ((s String))
  :lhs (= s s)
  :rhs true)

(define-rule C34
  :vars ((s String))
  :lhs (str.prefixof "" s)
  :rhs true)

(define-rule C35
  :vars ((s String))
  :lhs (str.prefixof s s)
  :rhs true)

(define-rule C36
  :vars ((s String))
  :lhs (str.suffixof s s)
  :rhs true)

(define-rule C37
  :vars ((s String) (t String))
  :when (= (str.indexof s t 0) (- 1))
  :lhs (str.contains s t)
  :rhs false)

(define-rule C38
  :vars ((s String) (t String))
  :when (distinct (str.len s) (str.len t))
  :lhs (= s t)
  :rhs false)

(define-rule C39
  :vars ((s String) (t String))
  :when (not (str.contains t s))
  :lhs (str.prefixof s t)
  :rhs false)

(define-rule C40
  :vars ((s String) (t String))
  :when (not (str.contains t s))
  :lhs (str.suffixof s t)
  :rhs false)
