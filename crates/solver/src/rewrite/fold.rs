//! Constant folding, by the referee's semantics.

use super::{Cx, Rule};
use crate::build::{int, word};
use semantics::strings::{self as s, Reading, Str};
use smt::{Head, Int, Op, Pool, Term};

pub(super) static RULES: &[Rule] = &[Rule::new(
    "fold",
    &[
        Op::StrLen,
        Op::StrLt,
        Op::StrLe,
        Op::StrAt,
        Op::StrSubstr,
        Op::StrPrefixof,
        Op::StrSuffixof,
        Op::StrContains,
        Op::StrIndexof,
        Op::StrReplace,
        Op::StrReplaceAll,
        Op::StrIsDigit,
        Op::StrToCode,
        Op::StrFromCode,
        Op::StrToInt,
        Op::StrFromInt,
        Op::StrRev,
        Op::StrToLower,
        Op::StrToUpper,
        Op::StrUpdate,
        Op::StrLastIndexof,
        Op::Abs,
        Op::IntDiv,
        Op::Mod,
    ],
    fold,
)];

/// The length of constants that rules build, at most: repeated doubling is exponential.
pub(super) const MAX_LEN: usize = 1 << 20;

enum Out {
    Str(Str),
    Int(Int),
    Bool(bool),
}

/// match: an operator applied to constants
/// result: its value
fn fold(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let Head::Op(op) = cx.pool.head(t) else { return None };
    let constant = |&a: &Term| matches!(cx.pool.head(a), Head::Str(_) | Head::Int(_));
    if !cx.pool.args(t).iter().all(constant) {
        return None;
    }
    let out = value(cx.pool, op, cx.pool.args(t))?;
    Some(match out {
        Out::Str(w) => cx.pool.string(&w),
        Out::Int(n) => cx.pool.int(n),
        Out::Bool(b) => cx.pool.bool(b),
    })
}

fn value(pool: &Pool, op: Op, args: &[Term]) -> Option<Out> {
    let w = |i: usize| word(pool, args[i]);
    let full = |i: usize| word(pool, args[i]).map(Str::from);
    let n = |i: usize| int(pool, args[i]);
    if args.len() > 2 && matches!(op, Op::StrLt | Op::StrLe | Op::IntDiv) {
        return None;
    }
    Some(match op {
        Op::StrLen => Out::Int(s::len(w(0)?)),
        Op::StrLt => Out::Bool(s::lt(w(0)?, w(1)?)),
        Op::StrLe => Out::Bool(s::le(w(0)?, w(1)?)),
        Op::StrAt => Out::Str(s::at(&full(0)?, n(1)?)),
        Op::StrSubstr => Out::Str(s::substr(&full(0)?, n(1)?, n(2)?)),
        Op::StrPrefixof => Out::Bool(s::prefixof(w(0)?, w(1)?)),
        Op::StrSuffixof => Out::Bool(s::suffixof(w(0)?, w(1)?)),
        Op::StrContains => Out::Bool(s::contains(w(0)?, w(1)?)),
        Op::StrIndexof => Out::Int(s::indexof(w(0)?, w(1)?, n(2)?, Reading::Standard)),
        Op::StrReplace => Out::Str(s::replace(&full(0)?, w(1)?, w(2)?, Reading::Standard)),
        Op::StrReplaceAll => {
            let grown = (w(0)?.len() / w(1)?.len().max(1)).checked_mul(w(2)?.len())?;
            if grown > MAX_LEN {
                return None;
            }
            Out::Str(s::replace_all(&full(0)?, w(1)?, w(2)?))
        }
        Op::StrIsDigit => Out::Bool(s::is_digit(w(0)?)),
        Op::StrToCode => Out::Int(s::to_code(w(0)?)),
        Op::StrFromCode => Out::Str(s::from_code(n(0)?)),
        Op::StrToInt => Out::Int(s::to_int(w(0)?)),
        Op::StrFromInt => Out::Str(s::from_int(n(0)?)),
        Op::StrRev => Out::Str(s::rev(&full(0)?)),
        Op::StrToLower => Out::Str(s::to_lower(&full(0)?)),
        Op::StrToUpper => Out::Str(s::to_upper(&full(0)?)),
        Op::StrUpdate => Out::Str(s::update(&full(0)?, n(1)?, w(2)?)),
        Op::StrLastIndexof => Out::Int(s::last_indexof(w(0)?, w(1)?)),
        Op::Abs => Out::Int(n(0)?.abs()),
        Op::IntDiv => Out::Int(n(0)?.div_euclid_smt(n(1)?)?),
        Op::Mod => Out::Int(n(0)?.mod_euclid_smt(n(1)?)?),
        // Folded by boolean.rs, equality.rs, arith.rs, concat.rs and regex.rs.
        Op::True | Op::False | Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies | Op::Eq | Op::Distinct => {
            return None;
        }
        Op::Ite | Op::Neg | Op::Add | Op::Sub | Op::Mul | Op::RealDiv | Op::Le | Op::Lt | Op::Ge | Op::Gt => {
            return None;
        }
        Op::Divisible | Op::ToReal | Op::ToInt | Op::IsInt | Op::StrConcat | Op::StrInRe => return None,
        Op::StrReplaceRe | Op::StrReplaceReAll | Op::StrIndexofRe => return None,
        // Not a string, an integer or a truth value.
        Op::StrToRe | Op::ReNone | Op::ReAll | Op::ReAllchar | Op::ReConcat | Op::ReUnion | Op::ReInter => {
            return None;
        }
        Op::ReStar | Op::ReComp | Op::ReDiff | Op::RePlus | Op::ReOpt | Op::ReRange => return None,
        Op::RePower | Op::ReLoop => return None,
        Op::SeqEmpty | Op::SeqUnit | Op::SeqNth | Op::SeqConcat | Op::SeqLen | Op::SeqAt | Op::SeqExtract => {
            return None;
        }
        Op::SeqPrefixof
        | Op::SeqSuffixof
        | Op::SeqContains
        | Op::SeqIndexof
        | Op::SeqReplace
        | Op::SeqReplaceAll => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::build::is_value;
    use crate::rewrite::{Mode, Rewriter};
    use smt::op::S;
    use smt::{Op, Pool, Sort, Term};

    fn constant(pool: &mut Pool, sort: S) -> Option<Term> {
        match sort {
            S::Str => Some(pool.string(&[97])),
            S::Int => Some(pool.int(1)),
            _ => None,
        }
    }

    fn result(sort: S) -> Option<Sort> {
        match sort {
            S::Str => Some(Sort::STRING),
            S::Int => Some(Sort::INT),
            S::Bool => Some(Sort::BOOL),
            _ => None,
        }
    }

    /// A new operator needs an arm in `value` and a place in `RULES`.
    #[test]
    fn applications_to_constants_become_values() {
        let (mut pool, mut rw) = (Pool::new(), Rewriter::new());
        for op in Op::all().filter(|op| op.row().indices == 0 && !op.row().params.is_empty()) {
            let mut args: Vec<Term> =
                op.row().params.iter().filter_map(|&s| constant(&mut pool, s)).collect();
            let Some(sort) = result(op.row().ret).filter(|_| args.len() == op.row().params.len()) else {
                continue;
            };
            args.resize(op.arity().0.max(args.len()), args[0]);
            let t = pool.mk(smt::Head::Op(op), sort, &args);
            let u = rw.rewrite(&mut pool, Mode::Full, t);
            assert!(is_value(&pool, u), "{}: {}", op.name(), smt::print::term_text(&pool, u));
        }
    }
}
