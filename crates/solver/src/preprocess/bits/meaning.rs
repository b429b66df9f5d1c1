//! The meaning of each operator, bit by bit or by terms of simpler operators.
//!
//! | operator | by |
//! |---|---|
//! | `bvadd`, `bvsub`, comparisons, overflows | the carries of a sum |
//! | `bvmul` | the sum of shifted vectors |
//! | `bvudiv`, `bvurem` | `a = q · b + r`, `r < b`, in twice the width |
//! | `bvsdiv`, `bvsrem`, `bvsmod` | those of the absolute values |
//! | shifts by a vector | shifts by powers of two, one after the other |
//! | `ubv_to_int`, `sbv_to_int`, `int_to_bv` | the sum of the powers of two |

use super::formula::Bits;
use smt::term::BitOp;
use smt::{Head, Int, Op, Sort, Term};

impl Bits<'_> {
    /// States what a term means.
    pub(super) fn state(&mut self, t: Term) {
        let args = self.pool.args(t).to_vec();
        match (self.pool.bit_op(t), &args[..]) {
            (Some(BitOp::Literal), _) => self.state_literal(t),
            (Some(op), &[a]) => self.state_unary(op, t, a),
            (Some(BitOp::Concat), _) => {
                let mut bits = Vec::new();
                for &a in args.iter().rev() {
                    bits.extend(self.all(a));
                }
                self.state_bits(t, &bits);
            }
            (Some(op), &[a, b]) if self.pool.sort_of(t) == Sort::BOOL => {
                let meaning = self.relation(op, a, b);
                self.define(t, meaning);
            }
            (Some(op), &[a, b]) => self.state_binary(op, t, a, b),
            (Some(_), _) => self.state_chain(t, &args),
            (None, &[condition, a, b]) if self.pool.head(t) == Head::Op(Op::Ite) => {
                for i in 0..self.width(t) {
                    let (x, y) = (self.bit(a, i), self.bit(b, i));
                    let meaning = self.ite(condition, x, y);
                    let bit = self.bit(t, i);
                    self.define(bit, meaning);
                }
            }
            (None, _) => {}
        }
    }

    /// The bits of a literal, which equal terms have as well.
    fn state_literal(&mut self, t: Term) {
        let values = self.pool.literal_bits(t).unwrap_or_default();
        for (i, value) in values.into_iter().enumerate() {
            let atom = self.atom(t, i);
            let literal = if value { atom } else { self.not(atom) };
            self.axiom(literal);
        }
    }

    fn state_bits(&mut self, t: Term, bits: &[Term]) {
        for (i, &meaning) in bits.iter().enumerate() {
            let bit = self.bit(t, i);
            self.define(bit, meaning);
        }
    }

    /// States that a term is equal to another one.
    fn state_same(&mut self, t: Term, meaning: Term) {
        let bits = self.all(meaning);
        self.state_bits(t, &bits);
    }

    /// More than two arguments: `(bvadd (bvadd a b) c)`.
    fn state_chain(&mut self, t: Term, args: &[Term]) {
        let Head::Opaque(name) = self.pool.head(t) else { return };
        let name = self.pool.names.name(name).to_owned();
        let Some((&first, rest)) = args.split_first() else { return };
        let meaning = rest.iter().fold(first, |a, &b| self.term(&name, &[a, b]));
        self.state_same(t, meaning);
    }

    fn state_unary(&mut self, op: BitOp, t: Term, a: Term) {
        if let BitOp::FromInt(width) = op {
            let number = self.number(t, false);
            let modulus = self.pool.int(Int::from(2).pow(width as u32));
            let rest = self.pool.mk(Head::Op(Op::Mod), Sort::INT, &[a, modulus]);
            let meaning = self.equal(number, rest);
            return self.axiom(meaning);
        }
        let (x, n) = (self.all(a), self.width(a));
        let bits = match op {
            BitOp::Extract(i, j) => x[j..=i].to_vec(),
            BitOp::Repeat(k) => x.repeat(k),
            BitOp::ZeroExtend(k) => {
                let zero = self.pool.bool(false);
                [x, vec![zero; k]].concat()
            }
            BitOp::SignExtend(k) => {
                let sign = x[n - 1];
                [x, vec![sign; k]].concat()
            }
            BitOp::RotateLeft(k) => (0..n).map(|i| x[(i + n - k % n) % n]).collect(),
            BitOp::RotateRight(k) => (0..n).map(|i| x[(i + k) % n]).collect(),
            BitOp::Not => x.into_iter().map(|b| self.not(b)).collect(),
            BitOp::Neg => {
                let negative = self.negative(a);
                self.all(negative)
            }
            BitOp::ToNat | BitOp::ToInt => {
                let number = self.number(a, op == BitOp::ToInt);
                let meaning = self.equal(t, number);
                return self.axiom(meaning);
            }
            BitOp::NegOverflow => {
                let smallest = self.is_smallest(a);
                return self.define(t, smallest);
            }
            _ => return,
        };
        self.state_bits(t, &bits);
    }

    fn state_binary(&mut self, op: BitOp, t: Term, a: Term, b: Term) {
        let (x, y) = (self.all(a), self.all(b));
        let both: Vec<(Term, Term)> = x.into_iter().zip(y).collect();
        let bits: Vec<Term> = match op {
            BitOp::And => both.into_iter().map(|(x, y)| self.and(&[x, y])).collect(),
            BitOp::Or => both.into_iter().map(|(x, y)| self.or(&[x, y])).collect(),
            BitOp::Xor => both.into_iter().map(|(x, y)| self.xor(x, y)).collect(),
            BitOp::Xnor => both.into_iter().map(|(x, y)| self.iff(x, y)).collect(),
            BitOp::Nand | BitOp::Nor => {
                let junction = |s: &mut Self, x, y| {
                    let t = if op == BitOp::Nand { s.and(&[x, y]) } else { s.or(&[x, y]) };
                    s.not(t)
                };
                both.into_iter().map(|(x, y)| junction(self, x, y)).collect()
            }
            BitOp::Comp => {
                self.pairs.insert((a, b));
                vec![self.equal(a, b)]
            }
            BitOp::Add => self.sum("@bv_carry", a, b),
            BitOp::Sub => self.sum("@bv_borrow", a, b),
            BitOp::Carry | BitOp::Borrow => return self.state_carries(op, t, &both),
            BitOp::Udiv | BitOp::Urem => return self.state_division(a, b),
            _ => {
                let meaning = self.other(op, a, b);
                self.all(meaning)
            }
        };
        self.state_bits(t, &bits);
    }

    /// `aᵢ ⊕ bᵢ ⊕ cᵢ`, with `bᵢ` negated if it is a difference.
    fn sum(&mut self, carries: &str, a: Term, b: Term) -> Vec<Term> {
        let carry = self.term(carries, &[a, b]);
        let bit = |s: &mut Self, i| {
            let (x, mut y, c) = (s.bit(a, i), s.bit(b, i), s.bit(carry, i));
            if carries == "@bv_borrow" {
                y = s.not(y);
            }
            let half = s.xor(x, y);
            s.xor(half, c)
        };
        (0..self.width(a)).map(|i| bit(self, i)).collect()
    }

    fn state_carries(&mut self, op: BitOp, t: Term, both: &[(Term, Term)]) {
        let first = self.pool.bool(op == BitOp::Borrow);
        let lowest = self.bit(t, 0);
        self.define(lowest, first);
        for (i, &(x, y)) in both.iter().enumerate() {
            let y = if op == BitOp::Borrow { self.not(y) } else { y };
            let below = if i == 0 { first } else { self.bit(t, i) };
            let (next, meaning) = (self.bit(t, i + 1), self.majority(x, y, below));
            self.define(next, meaning);
        }
    }

    /// Quotient and remainder: all bits and `a` if `b` is zero.
    fn state_division(&mut self, a: Term, b: Term) {
        let n = self.width(a);
        let (q, r) = (self.term("bvudiv", &[a, b]), self.term("bvurem", &[a, b]));
        let (wide_a, wide_r) = (self.extend("zero_extend", a, n), self.extend("zero_extend", r, n));
        let wide_b = self.extend("zero_extend", b, n);
        let product = self.product(wide_b, q);
        let whole = self.term("bvadd", &[product, wide_r]);
        let zero = self.is_zero(b);
        for i in 0..2 * n {
            let (x, y) = (self.bit(whole, i), self.bit(wide_a, i));
            let same = self.iff(x, y);
            let meaning = self.or(&[zero, same]);
            self.axiom(meaning);
        }
        let less = self.less(r, b);
        let meaning = self.or(&[zero, less]);
        self.axiom(meaning);
        let some = self.not(zero);
        for i in 0..n {
            let (x, y, z) = (self.bit(q, i), self.bit(r, i), self.bit(a, i));
            let rest = self.iff(y, z);
            for bit in [x, rest] {
                let meaning = self.or(&[some, bit]);
                self.axiom(meaning);
            }
        }
    }

    /// The other operators, as equal terms.
    fn other(&mut self, op: BitOp, a: Term, b: Term) -> Term {
        match op {
            BitOp::Mul if self.pool.literal_bits(a).is_some() => self.product(b, a),
            BitOp::Mul => self.product(a, b),
            BitOp::Shl | BitOp::Lshr | BitOp::Ashr => self.shift(op, a, b),
            _ => self.signed_division(op, a, b),
        }
    }

    /// The sum of `a` shifted by the places of the bits of `b` that are set, in the width of `a`.
    fn product(&mut self, a: Term, b: Term) -> Term {
        let n = self.width(a);
        let zero = self.literal(&vec![false; n]);
        let bits = self.all(b);
        let mut sum = zero;
        for (i, bit) in bits.into_iter().enumerate() {
            if self.truth(bit) == Some(false) {
                continue;
            }
            let shifted = self.shift_by(BitOp::Shl, a, i);
            let part = self.choice(bit, shifted, zero);
            sum = if sum == zero { part } else { self.term("bvadd", &[sum, part]) };
        }
        sum
    }

    fn shift(&mut self, op: BitOp, a: Term, b: Term) -> Term {
        let n = self.width(a);
        let (mut out, mut outside) = (a, Vec::new());
        for (k, bit) in self.all(b).into_iter().enumerate() {
            if k >= 63 || 1 << k >= n {
                outside.push(bit);
            } else if self.truth(bit) != Some(false) {
                let shifted = self.shift_by(op, out, 1 << k);
                out = self.choice(bit, shifted, out);
            }
        }
        let (far, all_out) = (self.or(&outside), self.shift_by(op, a, n));
        self.choice(far, all_out, out)
    }

    /// A shift by a number of places, as a concatenation.
    fn shift_by(&mut self, op: BitOp, a: Term, k: usize) -> Term {
        let n = self.width(a);
        if k == 0 {
            return a;
        }
        let fill = if op == BitOp::Ashr {
            let sign = self.term(&format!("(_ extract {0} {0})", n - 1), &[a]);
            if k.min(n) == 1 { sign } else { self.term(&format!("(_ repeat {})", k.min(n)), &[sign]) }
        } else {
            self.literal(&vec![false; k.min(n)])
        };
        if k >= n {
            return fill;
        }
        if op == BitOp::Shl {
            let kept = self.term(&format!("(_ extract {} 0)", n - k - 1), &[a]);
            return self.term("concat", &[kept, fill]);
        }
        let kept = self.term(&format!("(_ extract {} {k})", n - 1), &[a]);
        self.term("concat", &[fill, kept])
    }

    fn signed_division(&mut self, op: BitOp, a: Term, b: Term) -> Term {
        let (s, t) = (self.sign(a), self.sign(b));
        let (u, v) = (self.absolute(a), self.absolute(b));
        let name = if op == BitOp::Sdiv { "bvudiv" } else { "bvurem" };
        let plain = self.term(name, &[u, v]);
        let negative = self.negative(plain);
        match op {
            BitOp::Sdiv => {
                let differ = self.xor(s, t);
                self.choice(differ, negative, plain)
            }
            BitOp::Srem => self.choice(s, negative, plain),
            _ => {
                // The sign of the divisor.
                let (up, down) = (self.term("bvadd", &[negative, b]), self.term("bvadd", &[plain, b]));
                let below = self.choice(t, negative, up);
                let above = self.choice(t, down, plain);
                let other = self.choice(s, below, above);
                let zero = self.is_zero(plain);
                self.choice(zero, plain, other)
            }
        }
    }

    fn relation(&mut self, op: BitOp, a: Term, b: Term) -> Term {
        match op {
            BitOp::Ult | BitOp::UsubOverflow => self.less(a, b),
            BitOp::Ugt => self.less(b, a),
            BitOp::Ule | BitOp::Uge => {
                let less = if op == BitOp::Ule { self.less(b, a) } else { self.less(a, b) };
                self.not(less)
            }
            BitOp::Slt => self.signed_less(a, b),
            BitOp::Sgt => self.signed_less(b, a),
            BitOp::Sle | BitOp::Sge => {
                let less = if op == BitOp::Sle { self.signed_less(b, a) } else { self.signed_less(a, b) };
                self.not(less)
            }
            BitOp::UmulOverflow | BitOp::SmulOverflow => self.product_overflows(op, a, b),
            BitOp::SdivOverflow => {
                let ones = self.all(b);
                let (smallest, minus_one) = (self.is_smallest(a), self.and(&ones));
                self.and(&[smallest, minus_one])
            }
            _ => self.sum_overflows(op, a, b),
        }
    }

    /// By the carries out of the last bit, and into it.
    fn sum_overflows(&mut self, op: BitOp, a: Term, b: Term) -> Term {
        let n = self.width(a);
        let carries = if op == BitOp::SsubOverflow { "@bv_borrow" } else { "@bv_carry" };
        let carry = self.term(carries, &[a, b]);
        let (into, out) = (self.bit(carry, n - 1), self.bit(carry, n));
        if op == BitOp::UaddOverflow { out } else { self.xor(into, out) }
    }

    fn product_overflows(&mut self, op: BitOp, a: Term, b: Term) -> Term {
        let n = self.width(a);
        let extension = if op == BitOp::UmulOverflow { "zero_extend" } else { "sign_extend" };
        let (x, y) = (self.extend(extension, a, n), self.extend(extension, b, n));
        let product = self.term("bvmul", &[x, y]);
        let bits = self.all(product);
        if op == BitOp::UmulOverflow {
            return self.or(&bits[n..]);
        }
        let differ: Vec<Term> = (n..2 * n).map(|i| self.xor(bits[i], bits[n - 1])).collect();
        self.or(&differ)
    }

    fn less(&mut self, a: Term, b: Term) -> Term {
        let n = self.width(a);
        let borrow = self.term("@bv_borrow", &[a, b]);
        let out = self.bit(borrow, n);
        self.not(out)
    }

    fn signed_less(&mut self, a: Term, b: Term) -> Term {
        let (s, t) = (self.sign(a), self.sign(b));
        let (less, positive) = (self.less(a, b), self.not(t));
        let (signs, same) = (self.and(&[s, positive]), self.iff(s, t));
        let by_rest = self.and(&[same, less]);
        self.or(&[signs, by_rest])
    }

    fn negative(&mut self, a: Term) -> Term {
        let zero = self.literal(&vec![false; self.width(a)]);
        self.term("bvsub", &[zero, a])
    }

    fn absolute(&mut self, a: Term) -> Term {
        let (sign, negative) = (self.sign(a), self.negative(a));
        self.choice(sign, negative, a)
    }

    fn extend(&mut self, how: &str, a: Term, k: usize) -> Term {
        self.term(&format!("(_ {how} {k})"), &[a])
    }

    fn is_zero(&mut self, a: Term) -> Term {
        let bits = self.all(a);
        let any = self.or(&bits);
        self.not(any)
    }

    /// The sign is set, and no other bit.
    fn is_smallest(&mut self, a: Term) -> Term {
        let mut bits = self.all(a);
        let Some(sign) = bits.pop() else { return self.pool.bool(false) };
        let any = self.or(&bits);
        let none = self.not(any);
        self.and(&[sign, none])
    }

    /// The number that the bits of a vector are.
    fn number(&mut self, a: Term, signed: bool) -> Term {
        let bits = self.all(a);
        let (mut parts, last) = (Vec::new(), bits.len() - 1);
        let zero = self.pool.int(0);
        for (i, bit) in bits.into_iter().enumerate() {
            let power = Int::from(2).pow(i as u32);
            let power = self.pool.int(if signed && i == last { -power } else { power });
            let part = match self.truth(bit) {
                Some(true) => power,
                Some(false) => continue,
                None => self.pool.mk(Head::Op(Op::Ite), Sort::INT, &[bit, power, zero]),
            };
            parts.push(part);
        }
        match parts[..] {
            [] => zero,
            [only] => only,
            _ => self.pool.mk(Head::Op(Op::Add), Sort::INT, &parts),
        }
    }
}
