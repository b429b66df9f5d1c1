; Rules for what the paper's leave out: the rest of the SMT-LIB theory of Unicode strings, regular expressions included.
; An unsatisfiable formula `not lhs and rhs` needs the direction from right to left only. No solver has variables for
; regular expressions, so those are constant.

; ---- Equivalences: strings.

(define-rule replace-all
  :doc "Replace the first occurrence, then all in the rest."
  :kind equivalence
  :vars ((s String) (t String) (u String) (res String))
  :exists ((i Int) (s1 String) (s3 String))
  :lhs (= (str.replace_all s t u) res)
  :rhs (and (= i (str.indexof s t 0))
            (=> (and (>= i 0) (not (= t "")))
                (and (= s (str.++ s1 t s3)) (= (str.len s1) i) (= res (str.++ s1 u (str.replace_all s3 t u)))))
            (=> (or (< i 0) (= t "")) (= res s)))
  :witness ((i (str.indexof s t 0))
            (s1 (str.substr s 0 (str.indexof s t 0)))
            (s3 (str.substr s (+ (str.indexof s t 0) (str.len t)) (str.len s)))))

(define-rule lt
  :doc "Words differ first in a smaller letter, or one goes on."
  :kind implication
  :vars ((s String) (t String))
  :exists ((p String) (s2 String) (t2 String))
  :lhs (str.< s t)
  :rhs (and (= s (str.++ p s2)) (= t (str.++ p t2)) (distinct t2 "")
            (or (= s2 "") (< (str.to_code (str.at s2 0)) (str.to_code (str.at t2 0))))))

(define-rule le
  :kind equivalence
  :vars ((s String) (t String))
  :lhs (str.<= s t)
  :rhs (not (str.< t s)))

(define-rule le-eq
  :kind equivalence
  :vars ((s String) (t String))
  :lhs (str.<= s t)
  :rhs (or (= s t) (str.< s t)))

(define-rule is-digit
  :kind equivalence
  :vars ((s String))
  :lhs (str.is_digit s)
  :rhs (and (<= 48 (str.to_code s)) (<= (str.to_code s) 57)))

(define-rule is-digit-number
  :kind equivalence
  :vars ((s String))
  :lhs (str.is_digit s)
  :rhs (and (= (str.len s) 1) (>= (str.to_int s) 0)))

(define-rule to-code
  :kind equivalence
  :vars ((s String) (res Int))
  :lhs (= (str.to_code s) res)
  :rhs (ite (= (str.len s) 1) (and (= (str.from_code res) s) (>= res 0)) (= res (- 1))))

(define-rule from-code
  :kind equivalence
  :vars ((n Int) (res String))
  :lhs (= (str.from_code n) res)
  :rhs (ite (and (>= n 0) (< n 196608)) (and (= (str.to_code res) n) (= (str.len res) 1)) (= res "")))

(define-rule len-split
  :kind equivalence
  :vars ((s String) (n Int))
  :exists ((s1 String) (s2 String))
  :lhs (= (str.len s) n)
  :rhs (and (= s (str.++ s1 s2)) (= n (+ (str.len s1) (str.len s2))))
  :witness ((s1 (str.substr s 0 1)) (s2 (str.substr s 1 (str.len s)))))

(define-rule concat-equal
  :kind implication
  :vars ((s String) (t String) (u String) (v String))
  :lhs (= (str.++ s t) (str.++ u v))
  :rhs (and (= s u) (= t v)))

(define-rule at-lookup
  :kind implication
  :vars ((s String) (i Int) (c String))
  :exists ((s1 String) (s2 String))
  :lhs (= (str.at s i) c)
  :rhs (and (= s (str.++ s1 c s2)) (= (str.len c) 1) (= (str.len s1) i)))

(define-rule indexof-absent
  :kind implication
  :vars ((s String) (t String) (off Int))
  :lhs (= (str.indexof s t off) (- 1))
  :rhs (not (str.contains (str.substr s off (str.len s)) t)))

(define-rule prefix-substr
  :kind equivalence
  :vars ((s String) (t String))
  :lhs (str.prefixof s t)
  :rhs (= s (str.substr t 0 (str.len s))))

(define-rule suffix-substr
  :kind equivalence
  :vars ((s String) (t String))
  :lhs (str.suffixof s t)
  :rhs (and (<= (str.len s) (str.len t)) (or (= s "") (= s (str.substr t (- (str.len t) (str.len s)) (str.len s))))))

(define-rule contains-index
  :kind equivalence
  :vars ((s String) (t String))
  :lhs (str.contains s t)
  :rhs (>= (str.indexof s t 0) 0))

(define-rule contains-transitive
  :kind implication
  :vars ((s String) (t String))
  :exists ((m String))
  :lhs (str.contains s t)
  :rhs (and (str.contains s m) (str.contains m t)))

(define-rule replace-length
  :kind implication
  :vars ((s String) (t String) (u String))
  :lhs (= (str.len (str.replace s t u)) (+ (- (str.len s) (str.len t)) (str.len u)))
  :rhs (str.contains s t))

; ---- Equivalences: regular expressions.

(define-rule in-none
  :kind equivalence
  :vars ((s String))
  :lhs (not (str.in_re s re.none))
  :rhs (= s s))

(define-rule in-all
  :kind equivalence
  :vars ((s String))
  :lhs (str.in_re s re.all)
  :rhs (>= (str.len s) 0))

(define-rule in-allchar
  :kind equivalence
  :vars ((s String))
  :lhs (str.in_re s re.allchar)
  :rhs (= (str.len s) 1))

(define-rule in-word
  :kind equivalence
  :vars ((s String))
  :lhs (str.in_re s (str.to_re "ab"))
  :rhs (= s "ab"))

(define-rule in-range
  :kind equivalence
  :vars ((s String))
  :lhs (str.in_re s (re.range "a" "z"))
  :rhs (and (= (str.len s) 1) (<= 97 (str.to_code s)) (<= (str.to_code s) 122)))

(define-rule in-range-empty
  :kind implication
  :vars ((s String))
  :lhs (not (str.in_re s (re.range "b" "a")))
  :rhs (= (str.len s) 1))

(define-rule in-concat
  :kind equivalence
  :vars ((s String))
  :exists ((s1 String) (s2 String))
  :lhs (str.in_re s (re.++ (re.* (str.to_re "a")) (re.+ (str.to_re "b"))))
  :rhs (and (= s (str.++ s1 s2)) (str.in_re s1 (re.* (str.to_re "a"))) (str.in_re s2 (re.+ (str.to_re "b"))))
  :witness ((s1 (str.substr s 0 (str.indexof s "b" 0))) (s2 (str.substr s (str.indexof s "b" 0) (str.len s)))))

(define-rule in-prefix
  :kind equivalence
  :vars ((s String))
  :lhs (str.in_re s (re.++ (str.to_re "ab") re.all))
  :rhs (str.prefixof "ab" s))

(define-rule in-contains
  :kind equivalence
  :vars ((s String))
  :lhs (str.in_re s (re.++ re.all (str.to_re "ab") re.all))
  :rhs (str.contains s "ab"))

(define-rule in-union
  :kind equivalence
  :vars ((s String))
  :lhs (str.in_re s (re.union (re.+ (str.to_re "a")) (str.to_re "0")))
  :rhs (or (str.in_re s (re.+ (str.to_re "a"))) (= s "0")))

(define-rule in-inter
  :kind equivalence
  :vars ((s String))
  :lhs (str.in_re s (re.inter (re.++ (str.to_re "a") re.all) (re.++ re.all (str.to_re "b"))))
  :rhs (and (str.prefixof "a" s) (str.suffixof "b" s)))

(define-rule in-diff
  :kind equivalence
  :vars ((s String))
  :lhs (str.in_re s (re.diff (re.* re.allchar) (str.to_re "a")))
  :rhs (distinct s "a"))

(define-rule in-comp
  :kind equivalence
  :vars ((s String))
  :lhs (str.in_re s (re.comp (re.++ re.all (str.to_re "a") re.all)))
  :rhs (not (str.contains s "a")))

(define-rule in-opt
  :kind equivalence
  :vars ((s String))
  :lhs (str.in_re s (re.opt (str.to_re "ab")))
  :rhs (or (= s "") (= s "ab")))

(define-rule in-star
  :doc "A star, from its first turn on."
  :kind equivalence
  :vars ((s String))
  :exists ((rest String))
  :lhs (str.in_re s (re.* (str.to_re "ab")))
  :rhs (or (= s "") (and (= s (str.++ "ab" rest)) (str.in_re rest (re.* (str.to_re "ab")))))
  :witness ((rest (str.substr s 2 (str.len s)))))

(define-rule in-plus
  :kind equivalence
  :vars ((s String))
  :lhs (str.in_re s (re.+ (re.range "0" "9")))
  :rhs (>= (str.to_int s) 0))

(define-rule in-power
  :kind equivalence
  :vars ((s String))
  :lhs (str.in_re s ((_ re.^ 2) re.allchar))
  :rhs (= (str.len s) 2))

(define-rule in-loop
  :kind equivalence
  :vars ((s String))
  :lhs (str.in_re s ((_ re.loop 1 2) (str.to_re "a")))
  :rhs (or (= s "a") (= s "aa")))

(define-rule in-loop-empty
  :kind implication
  :vars ((s String))
  :lhs (not (str.in_re s ((_ re.loop 2 1) (str.to_re "a"))))
  :rhs (str.contains s "a"))

(define-rule replace-re-char
  :kind equivalence
  :vars ((s String) (t String) (res String))
  :lhs (= (str.replace_re s re.allchar t) res)
  :rhs (ite (= s "") (= res "") (= res (str.++ t (str.substr s 1 (str.len s))))))

(define-rule replace-re-word
  :kind equivalence
  :vars ((s String) (t String) (res String))
  :lhs (= (str.replace_re s (str.to_re "ab") t) res)
  :rhs (= res (str.replace s "ab" t)))

(define-rule replace-re-all-word
  :kind equivalence
  :vars ((s String) (t String) (res String))
  :lhs (= (str.replace_re_all s (str.to_re "ab") t) res)
  :rhs (= res (str.replace_all s "ab" t)))

(define-rule replace-re-all-erase
  :kind equivalence
  :vars ((s String) (res String))
  :lhs (= (str.replace_re_all s re.allchar "") res)
  :rhs (and (= res "") (= s s)))

; ---- Equalities with a variable.

(define-rule to-int-from-int :vars ((n Int)) :when (>= n 0) :lhs (str.to_int (str.from_int n)) :rhs n)
(define-rule to-code-from-code :vars ((n Int)) :when (and (>= n 0) (<= n 196607))
  :lhs (str.to_code (str.from_code n)) :rhs n)
(define-rule from-code-to-code :vars ((s String)) :when (= (str.len s) 1) :lhs (str.from_code (str.to_code s)) :rhs s)
(define-rule replace-all-self :vars ((s String) (t String)) :lhs (str.replace_all s t t) :rhs s)
(define-rule replace-all-empty :vars ((s String) (u String)) :lhs (str.replace_all s "" u) :rhs s)
(define-rule substr-long :vars ((s String) (n Int)) :when (>= n (str.len s)) :lhs (str.substr s 0 n) :rhs s)
(define-rule cut-and-join :vars ((s String) (n Int)) :when (>= n 0)
  :lhs (str.++ (str.substr s 0 n) (str.substr s n (str.len s))) :rhs s)
(define-rule replace-re-none :vars ((s String) (u String)) :lhs (str.replace_re s re.none u) :rhs s)
(define-rule replace-re-all-none :vars ((s String) (u String)) :lhs (str.replace_re_all s re.none u) :rhs s)
(define-rule ite-same :vars ((s String) (t String)) :lhs (ite (str.contains s t) s s) :rhs s)
(define-rule len-concat :vars ((s String) (n Int)) :when (= (str.len s) n) :lhs (str.len (str.++ s "")) :rhs n)

; ---- Equalities with a constant.

(define-rule from-code-low :vars ((n Int)) :when (< n 0) :lhs (str.from_code n) :rhs "")
(define-rule from-code-high :vars ((n Int)) :when (>= n 196608) :lhs (str.from_code n) :rhs "")
(define-rule replace-all-erased :vars ((s String)) :when (distinct s "") :lhs (str.replace_all s s "") :rhs "")
(define-rule replace-re-all-erased :vars ((s String)) :lhs (str.replace_re_all s re.allchar "") :rhs "")
(define-rule to-code-long :vars ((s String)) :when (distinct (str.len s) 1) :lhs (str.to_code s) :rhs (- 1))
(define-rule len-from-code :vars ((n Int)) :when (and (>= n 0) (<= n 196607)) :lhs (str.len (str.from_code n)) :rhs 1)
(define-rule len-char :vars ((s String)) :when (str.in_re s re.allchar) :lhs (str.len s) :rhs 1)
(define-rule indexof-self :vars ((s String)) :lhs (str.indexof s s 0) :rhs 0)
(define-rule lt-irreflexive :vars ((s String)) :lhs (str.< s s) :rhs false)
(define-rule lt-empty :vars ((s String)) :lhs (str.< s "") :rhs false)
(define-rule le-reflexive :vars ((s String)) :lhs (str.<= s s) :rhs true)
(define-rule le-empty :vars ((s String)) :lhs (str.<= "" s) :rhs true)
(define-rule le-total :vars ((s String) (t String)) :lhs (or (str.<= s t) (str.<= t s)) :rhs true)
(define-rule in-all-true :vars ((s String)) :lhs (str.in_re s re.all) :rhs true)
(define-rule in-none-false :vars ((s String)) :lhs (str.in_re s re.none) :rhs false)
(define-rule in-or-not :vars ((s String))
  :lhs (str.in_re s (re.union (re.+ (str.to_re "a")) (re.comp (re.+ (str.to_re "a"))))) :rhs true)
(define-rule digit-in-range :vars ((s String)) :lhs (= (str.is_digit s) (str.in_re s (re.range "0" "9"))) :rhs true)
