(declare-const x String)
(assert (str.inre x re.all))
(assert (= (str.len x) -1))
(frobnicate x)
