//! The meaning of each operator, as a circuit.
//!
//! | operator | by |
//! |---|---|
//! | `bvadd`, `bvsub` | a chain of full adders |
//! | comparisons, overflows of sums | the carries of such a chain |
//! | `bvmul` | the sum of shifted rows |
//! | `bvudiv`, `bvurem` | long division: shift, compare, subtract; a division by zero comes out as the standard has it |
//! | `bvsdiv`, `bvsrem`, `bvsmod`, `bvsmulo` | those of the absolute values |
//! | shifts by a vector | shifts by powers of two, one after the other |
//! | `ubv_to_int`, `sbv_to_int`, `int_to_bv` | the sum of the powers of two, a statement on integers |

use super::{Bits, Circuit, Wire};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::term::BitOp;
use smt::{Head, Int, Op, Pool, Sort, Term};

/// Wires, the lowest bit first.
type Wires = Vec<Wire>;

/// The meaning of vectors, so far.
pub(super) struct Meaning<'p> {
    pub(super) pool: &'p mut Pool,
    circuit: Circuit,
    wires: FxHashMap<Term, Wires>,
    order: Vec<Term>,
    shared: FxHashSet<Term>,
    divisions: FxHashMap<(Wires, Wires), (Wires, Wires)>,
    conditions: Vec<Term>,
    statements: Vec<Term>,
}

impl<'p> Meaning<'p> {
    pub(super) fn new(pool: &'p mut Pool) -> Self {
        Meaning {
            pool,
            circuit: Circuit::default(),
            wires: FxHashMap::default(),
            order: Vec::new(),
            shared: FxHashSet::default(),
            divisions: FxHashMap::default(),
            conditions: Vec::new(),
            statements: Vec::new(),
        }
    }

    /// None if the circuit is too large.
    pub(super) fn finish(mut self) -> Option<Bits> {
        let vectors = self.order.iter().map(|t| (*t, self.wires.remove(t).unwrap_or_default())).collect();
        let Meaning { circuit, conditions, statements, .. } = self;
        (!circuit.is_full()).then_some(Bits { circuit, vectors, conditions, statements })
    }

    pub(super) fn is_full(&self) -> bool {
        self.circuit.is_full()
    }

    fn width(&self, t: Term) -> usize {
        self.pool.bit_width(self.pool.sort_of(t)).unwrap_or(0)
    }

    pub(super) fn is_vector(&self, t: Term) -> bool {
        self.pool.bit_width(self.pool.sort_of(t)).is_some()
    }

    /// States what a vector or a formula on vectors means.
    pub(super) fn state(&mut self, t: Term) {
        if self.is_vector(t) {
            self.wires_of(t);
        } else if self.pool.sort_of(t) == Sort::BOOL {
            let args: Vec<Wires> = self.pool.args(t).to_vec().into_iter().map(|a| self.wires_of(a)).collect();
            let Some(op) = self.pool.bit_op(t) else { return };
            let (meaning, atom) = (self.formula(op, &args), self.circuit.formula(t));
            self.circuit.same(atom, meaning);
        } else if let (Some(op @ (BitOp::ToNat | BitOp::ToInt)), &[a]) =
            (self.pool.bit_op(t), self.pool.args(t))
        {
            let number = self.number(a, op == BitOp::ToInt);
            let statement = self.pool.mk(Head::Op(Op::Eq), Sort::BOOL, &[t, number]);
            self.statements.push(statement);
        }
    }

    /// The bits of a vector whose arguments have theirs.
    fn wires_of(&mut self, t: Term) -> Wires {
        if let Some(wires) = self.wires.get(&t) {
            return wires.clone();
        }
        let args = self.pool.args(t).to_vec();
        let wires = match (self.pool.bit_op(t), &args[..]) {
            (Some(BitOp::Literal), _) => {
                let bits = self.pool.literal_bits(t).unwrap_or_default();
                bits.into_iter().map(Wire::constant).collect()
            }
            (None, &[condition, a, b]) if self.pool.head(t) == Head::Op(Op::Ite) => {
                self.conditions.push(condition);
                let c = self.circuit.formula(condition);
                let (a, b) = (self.wires_of(a), self.wires_of(b));
                self.choose(c, &a, &b)
            }
            (None | Some(BitOp::FromInt(_)), _) => {
                (0..self.width(t)).map(|i| self.circuit.bit(t, i)).collect()
            }
            (Some(op), _) => {
                let args: Vec<Wires> = args.iter().map(|&a| self.wires_of(a)).collect();
                self.operator(op, args)
            }
        };
        self.order.push(t);
        self.wires.insert(t, wires.clone());
        if let (Some(BitOp::FromInt(width)), &[n]) = (self.pool.bit_op(t), &args[..]) {
            let number = self.number(t, false);
            let modulus = self.pool.int(Int::from(2).pow(width as u32));
            let rest = self.pool.mk(Head::Op(Op::Mod), Sort::INT, &[n, modulus]);
            let statement = self.pool.mk(Head::Op(Op::Eq), Sort::BOOL, &[number, rest]);
            self.statements.push(statement);
        }
        let is_application = matches!(self.pool.head(t), Head::Fun(_)) && !args.is_empty();
        if is_application {
            self.share(t);
        }
        wires
    }

    /// The bits of a vector are atoms as well.
    pub(super) fn share(&mut self, t: Term) {
        let wires = self.wires_of(t);
        if self.shared.insert(t) {
            for (i, wire) in wires.into_iter().enumerate() {
                let atom = self.atom(t, i);
                let atom = self.circuit.formula(atom);
                self.circuit.same(atom, wire);
            }
        }
    }

    fn atom(&mut self, t: Term, i: usize) -> Term {
        self.pool.bits_term(&format!("(_ bit2bool {i})"), &[t])
    }

    /// Equal vectors have equal bits; others differ in one.
    pub(super) fn state_equality(&mut self, a: Term, b: Term) {
        let equation = self.pool.mk(Head::Op(Op::Eq), Sort::BOOL, &[a, b]);
        let equal = self.circuit.formula(equation);
        let (a, b) = (self.wires_of(a), self.wires_of(b));
        let mut cases = vec![equal];
        for (x, y) in a.into_iter().zip(b) {
            let differ = self.circuit.xor(x, y);
            self.circuit.clause(&[!equal, !differ]);
            cases.push(differ);
        }
        self.circuit.clause(&cases);
    }

    /// The number that the bits of a vector are.
    fn number(&mut self, a: Term, signed: bool) -> Term {
        self.share(a);
        let wires = self.wires_of(a);
        let (mut parts, last) = (Vec::new(), wires.len() - 1);
        let zero = self.pool.int(0);
        for (i, wire) in wires.into_iter().enumerate() {
            let power = Int::from(2).pow(i as u32);
            let power = self.pool.int(if signed && i == last { -power } else { power });
            match wire {
                Wire::TRUE => parts.push(power),
                Wire::FALSE => {}
                _ => {
                    let bit = self.atom(a, i);
                    parts.push(self.pool.mk(Head::Op(Op::Ite), Sort::INT, &[bit, power, zero]));
                }
            }
        }
        match parts[..] {
            [] => zero,
            [only] => only,
            _ => self.pool.mk(Head::Op(Op::Add), Sort::INT, &parts),
        }
    }

    fn operator(&mut self, op: BitOp, args: Vec<Wires>) -> Wires {
        if op == BitOp::Concat {
            return args.into_iter().rev().flatten().collect();
        }
        let mut rest = args.into_iter();
        let Some(first) = rest.next() else { return Vec::new() };
        let Some(second) = rest.next() else { return self.unary(op, first) };
        let start = self.binary(op, &first, &second);
        // More than two arguments: `(bvadd (bvadd a b) c)`.
        rest.fold(start, |a, b| self.binary(op, &a, &b))
    }

    fn unary(&mut self, op: BitOp, x: Wires) -> Wires {
        let n = x.len();
        match op {
            BitOp::Extract(i, j) => x[j..=i].to_vec(),
            BitOp::Repeat(k) => x.repeat(k),
            BitOp::ZeroExtend(k) => extended(&x, n + k, Wire::FALSE),
            BitOp::SignExtend(k) => extended(&x, n + k, x[n - 1]),
            BitOp::RotateLeft(k) => (0..n).map(|i| x[(i + n - k % n) % n]).collect(),
            BitOp::RotateRight(k) => (0..n).map(|i| x[(i + k) % n]).collect(),
            BitOp::Not => inverted(&x),
            BitOp::Neg => self.negative(&x),
            // The sort of a term excludes the others.
            _ => Vec::new(),
        }
    }

    fn binary(&mut self, op: BitOp, a: &[Wire], b: &[Wire]) -> Wires {
        let n = a.len();
        let c = &mut self.circuit;
        let both = a.iter().copied().zip(b.iter().copied());
        match op {
            BitOp::And => both.map(|(x, y)| c.and(x, y)).collect(),
            BitOp::Or => both.map(|(x, y)| c.or(x, y)).collect(),
            BitOp::Xor => both.map(|(x, y)| c.xor(x, y)).collect(),
            BitOp::Xnor => both.map(|(x, y)| !c.xor(x, y)).collect(),
            BitOp::Nand => both.map(|(x, y)| !c.and(x, y)).collect(),
            BitOp::Nor => both.map(|(x, y)| !c.or(x, y)).collect(),
            BitOp::Comp => {
                let differ: Wires = both.map(|(x, y)| c.xor(x, y)).collect();
                vec![!c.any(&differ)]
            }
            BitOp::Add => self.sum(a, b, Wire::FALSE),
            BitOp::Sub => self.sum(a, &inverted(b), Wire::TRUE),
            BitOp::Mul => self.product(a, b, n),
            BitOp::Shl | BitOp::Lshr | BitOp::Ashr => self.shift(op, a, b),
            BitOp::Udiv => self.division(a, b).0,
            BitOp::Urem => self.division(a, b).1,
            _ => self.signed_division(op, a, b),
        }
    }

    fn choose(&mut self, c: Wire, a: &[Wire], b: &[Wire]) -> Wires {
        a.iter().zip(b).map(|(&x, &y)| self.circuit.ite(c, x, y)).collect()
    }

    fn sum(&mut self, a: &[Wire], b: &[Wire], mut carry: Wire) -> Wires {
        let mut out = Vec::new();
        for (i, (&x, &y)) in a.iter().zip(b).enumerate() {
            // The last carry is not used.
            if i + 1 == a.len() {
                out.push(self.circuit.parity(x, y, carry));
            } else {
                let (bit, next) = self.circuit.full_adder(x, y, carry);
                out.push(bit);
                carry = next;
            }
        }
        out
    }

    /// The carry out of a sum.
    fn carry(&mut self, a: &[Wire], b: &[Wire], first: Wire) -> Wire {
        a.iter().zip(b).fold(first, |carry, (&x, &y)| self.circuit.majority(x, y, carry))
    }

    fn negative(&mut self, a: &[Wire]) -> Wires {
        let zero = vec![Wire::FALSE; a.len()];
        self.sum(&inverted(a), &zero, Wire::TRUE)
    }

    fn absolute(&mut self, a: &[Wire]) -> Wires {
        let negative = self.negative(a);
        self.choose(a[a.len() - 1], &negative, a)
    }

    /// The lowest `width` bits of the product: the sum of `a` shifted by the places of the bits of `b` that are set.
    fn product(&mut self, a: &[Wire], b: &[Wire], width: usize) -> Wires {
        let constants = |x: &[Wire]| x.iter().filter(|&&w| w == Wire::FALSE).count();
        // The more constant one is the second; otherwise the order makes `a · b` and `b · a` one circuit.
        let (a, b) = if (constants(a), a) > (constants(b), b) { (b, a) } else { (a, b) };
        let mut sum = vec![Wire::FALSE; width];
        for (i, &bit) in b.iter().enumerate().take(width) {
            if bit == Wire::FALSE {
                continue;
            }
            let row: Wires =
                (i..width).map(|k| a.get(k - i).map_or(Wire::FALSE, |&x| self.circuit.and(x, bit))).collect();
            let upper = self.sum(&sum[i..], &row, Wire::FALSE);
            sum.truncate(i);
            sum.extend(upper);
        }
        sum
    }

    fn shift(&mut self, op: BitOp, a: &[Wire], b: &[Wire]) -> Wires {
        let n = a.len();
        let fill = if op == BitOp::Ashr { a[n - 1] } else { Wire::FALSE };
        let (mut out, mut outside) = (a.to_vec(), Vec::new());
        for (k, &bit) in b.iter().enumerate() {
            if k >= 63 || 1 << k >= n {
                outside.push(bit);
                continue;
            }
            let by = 1usize << k;
            let shifted: Wires = (0..n)
                .map(|i| match op {
                    BitOp::Shl => i.checked_sub(by).map_or(fill, |i| out[i]),
                    _ => out.get(i + by).copied().unwrap_or(fill),
                })
                .collect();
            out = self.choose(bit, &shifted, &out);
        }
        let far = self.circuit.any(&outside);
        self.choose(far, &vec![fill; n], &out)
    }

    /// Quotient and remainder.
    fn division(&mut self, a: &[Wire], b: &[Wire]) -> (Wires, Wires) {
        let key = (a.to_vec(), b.to_vec());
        if let Some(done) = self.divisions.get(&key) {
            return done.clone();
        }
        let n = a.len();
        let divisor = extended(b, n + 1, Wire::FALSE);
        let (mut quotient, mut rest) = (vec![Wire::FALSE; n], vec![Wire::FALSE; n]);
        for i in (0..n).rev() {
            let shifted: Wires = std::iter::once(a[i]).chain(rest).collect();
            let fits = self.carry(&shifted, &inverted(&divisor), Wire::TRUE);
            let less = self.sum(&shifted, &inverted(&divisor), Wire::TRUE);
            quotient[i] = fits;
            rest = self.choose(fits, &less[..n], &shifted[..n]);
        }
        self.divisions.insert(key, (quotient.clone(), rest.clone()));
        (quotient, rest)
    }

    fn signed_division(&mut self, op: BitOp, a: &[Wire], b: &[Wire]) -> Wires {
        let n = a.len();
        let (s, t) = (a[n - 1], b[n - 1]);
        let (u, v) = (self.absolute(a), self.absolute(b));
        let (quotient, rest) = self.division(&u, &v);
        if op == BitOp::Sdiv {
            let (negative, differ) = (self.negative(&quotient), self.circuit.xor(s, t));
            return self.choose(differ, &negative, &quotient);
        }
        let negative = self.negative(&rest);
        let signed = self.choose(s, &negative, &rest);
        if op == BitOp::Srem {
            return signed;
        }
        // The sign of the divisor.
        let moved = self.sum(&signed, b, Wire::FALSE);
        let (differ, some) = (self.circuit.xor(s, t), self.circuit.any(&rest));
        let wrong = self.circuit.and(differ, some);
        self.choose(wrong, &moved, &signed)
    }

    /// A formula on vectors.
    fn formula(&mut self, op: BitOp, args: &[Wires]) -> Wire {
        match (op, args) {
            (BitOp::Bit(i), [a]) => a[i],
            (BitOp::NegOverflow, [a]) => self.is_smallest(a),
            (_, [a, b]) => self.relation(op, a, b),
            _ => Wire::FALSE,
        }
    }

    fn relation(&mut self, op: BitOp, a: &[Wire], b: &[Wire]) -> Wire {
        match op {
            BitOp::Ult | BitOp::UsubOverflow => self.less(a, b),
            BitOp::Ugt => self.less(b, a),
            BitOp::Ule => !self.less(b, a),
            BitOp::Uge => !self.less(a, b),
            BitOp::Slt => self.signed_less(a, b),
            BitOp::Sgt => self.signed_less(b, a),
            BitOp::Sle => !self.signed_less(b, a),
            BitOp::Sge => !self.signed_less(a, b),
            BitOp::UaddOverflow => self.carry(a, b, Wire::FALSE),
            BitOp::SaddOverflow => self.sum_overflows(a, b, Wire::FALSE),
            BitOp::SsubOverflow => self.sum_overflows(a, &inverted(b), Wire::TRUE),
            BitOp::UmulOverflow => {
                let product = self.product(a, b, 2 * a.len());
                self.circuit.any(&product[a.len()..])
            }
            BitOp::SmulOverflow => self.product_overflows(a, b),
            _ => {
                let smallest = self.is_smallest(a);
                let not_all = self.circuit.any(&inverted(b));
                self.circuit.and(smallest, !not_all)
            }
        }
    }

    fn less(&mut self, a: &[Wire], b: &[Wire]) -> Wire {
        self.carry(&inverted(a), b, Wire::FALSE)
    }

    /// As unsigned, with the signs exchanged.
    fn signed_less(&mut self, a: &[Wire], b: &[Wire]) -> Wire {
        let biased = |x: &[Wire]| {
            let mut x = x.to_vec();
            let last = x.len() - 1;
            x[last] = !x[last];
            x
        };
        self.less(&biased(a), &biased(b))
    }

    /// The carry into the last bit is not that out of it.
    fn sum_overflows(&mut self, a: &[Wire], b: &[Wire], first: Wire) -> Wire {
        let last = a.len() - 1;
        let into = self.carry(&a[..last], &b[..last], first);
        let out = self.circuit.majority(a[last], b[last], into);
        self.circuit.xor(into, out)
    }

    /// The product of the absolute values is more than the largest vector, or that plus one if it is to be negative.
    fn product_overflows(&mut self, a: &[Wire], b: &[Wire]) -> Wire {
        let n = a.len();
        let negative = self.circuit.xor(a[n - 1], b[n - 1]);
        let (u, v) = (self.absolute(a), self.absolute(b));
        let product = self.product(&u, &v, 2 * n);
        let (large, below) = (self.circuit.any(&product[n..]), self.circuit.any(&product[..n - 1]));
        let exact = self.circuit.and(negative, !below);
        let over = self.circuit.and(product[n - 1], !exact);
        self.circuit.or(large, over)
    }

    /// The sign is set, and no other bit.
    fn is_smallest(&mut self, a: &[Wire]) -> Wire {
        let last = a.len() - 1;
        let other = self.circuit.any(&a[..last]);
        self.circuit.and(a[last], !other)
    }
}

fn inverted(a: &[Wire]) -> Wires {
    a.iter().map(|&w| !w).collect()
}

fn extended(a: &[Wire], width: usize, fill: Wire) -> Wires {
    let mut out = a.to_vec();
    out.resize(width, fill);
    out
}
