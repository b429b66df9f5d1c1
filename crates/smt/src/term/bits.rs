//! Bit-vectors, `(_ BitVec n)`, with the operators of the standard. They are terms with opaque heads, whose names and sorts are checked here.

use super::{Head, Pool, SortData, SortKind, Term};
use crate::Sort;
use crate::symbol::Symbol;

/// The largest width.
const MAX_WIDTH: usize = 4_096;

/// An operator on bit-vectors.
#[allow(missing_docs, reason = "most are the operators of their names in the standard")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BitOp {
    /// `#b01`, `#x0f`, `(_ bv5 8)`
    Literal,
    Concat,
    /// `((_ extract i j) a)`: the bits from `i` down to `j`.
    Extract(usize, usize),
    /// `((_ bit2bool i) a)`, of z3: whether bit `i` is set.
    Bit(usize),
    Repeat(usize),
    ZeroExtend(usize),
    SignExtend(usize),
    RotateLeft(usize),
    RotateRight(usize),
    Not,
    Neg,
    And,
    Or,
    Xor,
    Nand,
    Nor,
    Xnor,
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Smod,
    Shl,
    Lshr,
    Ashr,
    Comp,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
    NegOverflow,
    UaddOverflow,
    SaddOverflow,
    UmulOverflow,
    SmulOverflow,
    UsubOverflow,
    SsubOverflow,
    SdivOverflow,
    /// `(ubv_to_int a)`
    ToNat,
    /// `(sbv_to_int a)`
    ToInt,
    /// `((_ int_to_bv n) i)`
    FromInt(usize),
}

const PLAIN: &[(&str, BitOp)] = &[
    ("concat", BitOp::Concat),
    ("bvnot", BitOp::Not),
    ("bvneg", BitOp::Neg),
    ("bvand", BitOp::And),
    ("bvor", BitOp::Or),
    ("bvxor", BitOp::Xor),
    ("bvnand", BitOp::Nand),
    ("bvnor", BitOp::Nor),
    ("bvxnor", BitOp::Xnor),
    ("bvadd", BitOp::Add),
    ("bvsub", BitOp::Sub),
    ("bvmul", BitOp::Mul),
    ("bvudiv", BitOp::Udiv),
    ("bvurem", BitOp::Urem),
    ("bvsdiv", BitOp::Sdiv),
    ("bvsrem", BitOp::Srem),
    ("bvsmod", BitOp::Smod),
    ("bvshl", BitOp::Shl),
    ("bvlshr", BitOp::Lshr),
    ("bvashr", BitOp::Ashr),
    ("bvcomp", BitOp::Comp),
    ("bvult", BitOp::Ult),
    ("bvule", BitOp::Ule),
    ("bvugt", BitOp::Ugt),
    ("bvuge", BitOp::Uge),
    ("bvslt", BitOp::Slt),
    ("bvsle", BitOp::Sle),
    ("bvsgt", BitOp::Sgt),
    ("bvsge", BitOp::Sge),
    ("bvnego", BitOp::NegOverflow),
    ("bvuaddo", BitOp::UaddOverflow),
    ("bvsaddo", BitOp::SaddOverflow),
    ("bvumulo", BitOp::UmulOverflow),
    ("bvsmulo", BitOp::SmulOverflow),
    ("bvusubo", BitOp::UsubOverflow),
    ("bvssubo", BitOp::SsubOverflow),
    ("bvsdivo", BitOp::SdivOverflow),
    ("ubv_to_int", BitOp::ToNat),
    ("bv2nat", BitOp::ToNat),
    ("bv2int", BitOp::ToNat),
    ("sbv_to_int", BitOp::ToInt),
];

impl BitOp {
    /// The operator of a name, with its indices: `bvadd`, `(_ extract 7 4)`.
    fn named(name: &str) -> Option<BitOp> {
        let Some(indexed) = name.strip_prefix("(_ ").and_then(|rest| rest.strip_suffix(')')) else {
            if name.starts_with('#') {
                return Some(BitOp::Literal);
            }
            return PLAIN.iter().find(|(known, _)| *known == name).map(|&(_, op)| op);
        };
        let mut words = indexed.split_whitespace();
        let (name, indices): (&str, Vec<&str>) = (words.next()?, words.collect());
        if name.strip_prefix("bv").is_some_and(is_numeral) && indices.len() == 1 {
            return Some(BitOp::Literal);
        }
        let indices: Vec<usize> =
            indices.into_iter().map(|i| i.parse().ok().filter(|&i| i <= MAX_WIDTH)).collect::<Option<_>>()?;
        Some(match (name, &indices[..]) {
            ("extract", &[i, j]) => BitOp::Extract(i, j),
            ("bit2bool", &[i]) => BitOp::Bit(i),
            ("repeat", &[n]) => BitOp::Repeat(n),
            ("zero_extend", &[n]) => BitOp::ZeroExtend(n),
            ("sign_extend", &[n]) => BitOp::SignExtend(n),
            ("rotate_left", &[n]) => BitOp::RotateLeft(n),
            ("rotate_right", &[n]) => BitOp::RotateRight(n),
            ("int_to_bv" | "int2bv" | "nat2bv", &[n]) => BitOp::FromInt(n),
            _ => return None,
        })
    }

    /// The sort of an application, given the widths of the arguments; none if they do not fit.
    fn result(self, widths: &[usize]) -> Option<Shape> {
        use BitOp as B;
        Some(match (self, widths) {
            (B::Concat, [_, _, ..]) => Shape::Bits(widths.iter().sum()),
            (B::And | B::Or | B::Xor | B::Xnor | B::Add | B::Mul, &[a, _, ..]) if same(widths) => {
                Shape::Bits(a)
            }
            (B::Extract(i, j), &[n]) if j <= i && i < n => Shape::Bits(i - j + 1),
            (B::Bit(i), &[n]) if i < n => Shape::Bool,
            (B::Repeat(k), &[n]) if k > 0 => Shape::Bits(k * n),
            (B::ZeroExtend(k) | B::SignExtend(k), &[n]) => Shape::Bits(k + n),
            (B::RotateLeft(_) | B::RotateRight(_) | B::Not | B::Neg, &[n]) => Shape::Bits(n),
            (B::NegOverflow, &[_]) => Shape::Bool,
            (B::ToNat | B::ToInt, &[_]) => Shape::Int,
            (B::Comp, [a, b]) if a == b => Shape::Bits(1),
            (op, &[a, b]) if a == b && op.is_division_or_shift() => Shape::Bits(a),
            (op, &[a, b]) if a == b && op.is_relation() => Shape::Bool,
            _ => return None,
        })
    }

    fn is_division_or_shift(self) -> bool {
        use BitOp as B;
        let division = matches!(self, B::Sub | B::Udiv | B::Urem | B::Sdiv | B::Srem | B::Smod);
        division || matches!(self, B::Nand | B::Nor | B::Shl | B::Lshr | B::Ashr)
    }

    fn is_relation(self) -> bool {
        use BitOp as B;
        let order = matches!(self, B::Ult | B::Ule | B::Ugt | B::Uge | B::Slt | B::Sle | B::Sgt | B::Sge);
        let sum = matches!(self, B::UaddOverflow | B::SaddOverflow | B::UsubOverflow | B::SsubOverflow);
        order || sum || matches!(self, B::UmulOverflow | B::SmulOverflow | B::SdivOverflow)
    }
}

/// The sort of a result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Bits(usize),
    Bool,
    Int,
}

fn is_numeral(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn same(widths: &[usize]) -> bool {
    widths.iter().all(|w| *w == widths[0])
}

impl Pool {
    /// The width of a sort of bit-vectors.
    pub fn bit_width(&self, sort: Sort) -> Option<usize> {
        let data = self.sort_data(sort);
        if data.kind != SortKind::Foreign {
            return None;
        }
        let width = self.names.name(data.name).strip_prefix("(_ BitVec ")?.strip_suffix(')')?;
        width.parse().ok().filter(|&n| (1..=MAX_WIDTH).contains(&n))
    }

    /// Whether there is a sort of bit-vectors.
    pub fn has_bit_vectors(&self) -> bool {
        let is = |data: &SortData| {
            data.kind == SortKind::Foreign && self.names.name(data.name).starts_with("(_ BitVec ")
        };
        self.sorts.iter().any(is)
    }

    /// The sort of bit-vectors of a width.
    pub fn bits_of(&mut self, width: usize) -> Sort {
        let name = self.names.intern(&format!("(_ BitVec {width})"));
        self.sort(SortData { name, args: Box::new([]), kind: SortKind::Foreign })
    }

    /// The operator on bit-vectors that a term applies to arguments of fitting sorts.
    pub fn bit_op(&self, t: Term) -> Option<BitOp> {
        let Head::Opaque(name) = self.head(t) else { return None };
        let op = BitOp::named(self.names.name(name))?;
        let fits = match op {
            BitOp::Literal => self.args(t).is_empty() && self.bit_width(self.sort_of(t)).is_some(),
            _ => match self.shape(op, self.args(t))? {
                Shape::Bits(n) => self.bit_width(self.sort_of(t)) == Some(n),
                Shape::Bool => self.sort_of(t) == Sort::BOOL,
                Shape::Int => self.sort_of(t) == Sort::INT,
            },
        };
        fits.then_some(op)
    }

    fn shape(&self, op: BitOp, args: &[Term]) -> Option<Shape> {
        let shape = match (op, args) {
            (BitOp::FromInt(n), &[i]) if n > 0 && self.sort_of(i) == Sort::INT => Shape::Bits(n),
            (BitOp::FromInt(_), _) => return None,
            _ => {
                let widths: Option<Vec<usize>> =
                    args.iter().map(|&a| self.bit_width(self.sort_of(a))).collect();
                op.result(&widths?)?
            }
        };
        (!matches!(shape, Shape::Bits(n) if n > MAX_WIDTH)).then_some(shape)
    }

    /// The sort of an application of a name to arguments, if it is an operator on bit-vectors.
    pub(crate) fn bits_result(&mut self, name: Symbol, args: &[Term]) -> Option<Sort> {
        let text = self.names.name(name);
        let op = BitOp::named(text)?;
        if op == BitOp::Literal {
            let width = text.strip_prefix("(_ bv")?.strip_suffix(')')?.split_whitespace().nth(1)?;
            let width = width.parse().ok().filter(|n| (1..=MAX_WIDTH).contains(n))?;
            return args.is_empty().then(|| self.bits_of(width));
        }
        match self.shape(op, args)? {
            Shape::Bits(n) => Some(self.bits_of(n)),
            Shape::Bool => Some(Sort::BOOL),
            Shape::Int => Some(Sort::INT),
        }
    }

    /// An application of an operator on bit-vectors, by its name with its indices.
    ///
    /// # Panics
    /// If the arguments do not fit.
    pub fn bits_term(&mut self, name: &str, args: &[Term]) -> Term {
        let name = self.names.intern(name);
        let sort = self.bits_result(name, args).expect("the arguments fit the operator");
        self.mk(Head::Opaque(name), sort, args)
    }

    /// The literal with these bits, the lowest first: `#x0f` if the width allows, else `#b01`.
    pub fn bits_literal(&mut self, bits: &[bool]) -> Term {
        let name = self.names.intern(&literal_text(bits));
        let sort = self.bits_of(bits.len());
        self.mk(Head::Opaque(name), sort, &[])
    }

    /// The bits of a literal, the lowest first.
    pub fn literal_bits(&self, t: Term) -> Option<Vec<bool>> {
        let (Head::Opaque(name), Some(BitOp::Literal)) = (self.head(t), self.bit_op(t)) else { return None };
        let width = self.bit_width(self.sort_of(t))?;
        let bits = bits_of_text(self.names.name(name))?;
        let fill = width.saturating_sub(bits.len());
        Some(bits.into_iter().chain(std::iter::repeat_n(false, fill)).take(width).collect())
    }
}

/// The text of a literal.
pub fn literal_text(bits: &[bool]) -> String {
    if !bits.len().is_multiple_of(4) {
        let digits = bits.iter().rev().map(|&b| if b { '1' } else { '0' });
        return format!("#b{}", digits.collect::<String>());
    }
    let nibble = |n: &[bool]| n.iter().rev().fold(0, |value, &b| 2 * value + u32::from(b));
    let digits = bits.chunks(4).rev().map(|n| char::from_digit(nibble(n), 16).expect("four bits"));
    format!("#x{}", digits.collect::<String>())
}

/// The bits that a text denotes, the lowest first; of `(_ bv5 8)` those of the number.
pub fn bits_of_text(text: &str) -> Option<Vec<bool>> {
    if let Some(digits) = text.strip_prefix("#b") {
        return Some(digits.bytes().rev().map(|b| b == b'1').collect());
    }
    if let Some(digits) = text.strip_prefix("#x") {
        let nibbles: Option<Vec<u32>> = digits.chars().rev().map(|c| c.to_digit(16)).collect();
        return Some(nibbles?.into_iter().flat_map(|n| (0..4).map(move |i| n >> i & 1 == 1)).collect());
    }
    let number = text.strip_prefix("(_ bv")?.split_whitespace().next()?;
    let mut rest = crate::Int::from_decimal(number.as_bytes())?;
    let two = crate::Int::from(2);
    let mut bits = Vec::new();
    while !rest.is_zero() {
        bits.push(!rest.mod_euclid_smt(&two)?.is_zero());
        rest = rest.div_euclid_smt(&two)?;
    }
    Some(bits)
}
