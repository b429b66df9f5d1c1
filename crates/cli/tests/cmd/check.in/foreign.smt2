(declare-const b (_ BitVec 8))
(assert (= (bvadd b #x01) b))
