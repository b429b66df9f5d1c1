(declare-const host String)
(assert (str.prefixof "a" host))
(assert (str.in_re host (re.* (str.to_re "ab"))))
