//! The operations under test: a term with holes for its arguments.

use crate::substitute::fresh_constant;
use rustc_hash::FxHashSet;
use smt::op::{S, TABLE};
use smt::{Op, Pool, Sort, Term};

/// An operation: a term over constants, its arguments.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Its name, an SMT-LIB symbol.
    pub name: &'static str,
    /// The application. A regular expression operator is applied inside `str.in_re`.
    pub term: Term,
    /// Its arguments, constants without a value.
    pub holes: Vec<Term>,
    /// Per argument: it always stays a constant. Languages do, since no solver has variables for them, and the ends of
    /// a range, which solvers require to be constant.
    pub fixed: Vec<bool>,
}

/// Every operator of the SMT-LIB theory of Unicode strings, the twelve of the paper's Table 1 first.
pub static FULL: [Op; 36] = [
    Op::StrAt,
    Op::StrConcat,
    Op::StrFromInt,
    Op::StrReplace,
    Op::StrSubstr,
    Op::StrIndexof,
    Op::StrLen,
    Op::StrToInt,
    Op::StrContains,
    Op::Eq,
    Op::StrPrefixof,
    Op::StrSuffixof,
    Op::StrReplaceAll,
    Op::StrReplaceRe,
    Op::StrReplaceReAll,
    Op::StrFromCode,
    Op::StrToCode,
    Op::StrIsDigit,
    Op::StrLt,
    Op::StrLe,
    Op::StrInRe,
    Op::StrToRe,
    Op::ReNone,
    Op::ReAll,
    Op::ReAllchar,
    Op::ReConcat,
    Op::ReUnion,
    Op::ReInter,
    Op::ReDiff,
    Op::ReStar,
    Op::RePlus,
    Op::ReOpt,
    Op::ReComp,
    Op::ReRange,
    Op::RePower,
    Op::ReLoop,
];

/// The twelve operations of the paper's Table 1.
pub fn icse20() -> &'static [Op] {
    &FULL[..12]
}

impl Operation {
    /// The application of `op` to constants of its own.
    pub fn new(pool: &mut Pool, op: Op) -> Operation {
        let row = &TABLE[op as usize];
        let mut taken = FxHashSet::default();
        let mut holes = Vec::new();
        if row.ret == S::Re {
            holes.push(fresh_constant(pool, &mut taken, "s", Sort::STRING));
        }
        for &param in row.params {
            let (base, sort) = match param {
                S::Int => ("i", Sort::INT),
                S::Re => ("r", Sort::REGLAN),
                _ => ("s", Sort::STRING),
            };
            holes.push(fresh_constant(pool, &mut taken, base, sort));
        }
        let own = if row.ret == S::Re { &holes[1..] } else { &holes[..] };
        let numbers: &[i64] = match row.indices {
            0 => &[],
            1 => &[2],
            _ => &[1, 2],
        };
        let numbers: Vec<smt::Int> = numbers.iter().map(|&n| n.into()).collect();
        let own = own.to_vec();
        let term = if numbers.is_empty() { pool.op(op, &own) } else { pool.indexed(op, &numbers, &own) };
        let mut term = term.expect("the table's own signature");
        if row.ret == S::Re {
            term = pool.op(Op::StrInRe, &[holes[0], term]).expect("a language");
        }
        let end_of_range = |i: usize| op == Op::ReRange && i > 0;
        let fixed = holes.iter().enumerate();
        let fixed = fixed.map(|(i, &h)| pool.sort_of(h) == Sort::REGLAN || end_of_range(i)).collect();
        Operation { name: row.name, term, holes, fixed }
    }
}
