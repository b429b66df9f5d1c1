(declare-const x String)
(assert (str.in_rx x re.all))
