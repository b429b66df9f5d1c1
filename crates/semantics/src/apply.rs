//! Applies operators to values: one exhaustive match over the operator table.

use crate::regex::{Count, Re, RegexStore};
use crate::strings::{self as s, Reading, Str};
use crate::value::{Seq, Value};
use smt::{Int, Op, Rat};

/// Why an application has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stuck {
    DivisionByZero,
    OutOfBounds,
    Budget,
    Shape,
}

/// The state that applications share.
pub(crate) struct Machine<'a> {
    pub(crate) store: &'a mut RegexStore,
    pub(crate) reading: Reading,
    pub(crate) regex_budget: u64,
}

/// Limit of the length of strings and of the bits of numbers. An application that exceeds it has no value.
pub(crate) const MAX_LEN: usize = 1 << 27;
const MAX_BITS: u64 = 1 << 25;

/// A bound on the length of a result that may be long.
fn fits(len: Option<usize>) -> Result<(), Stuck> {
    if len.is_some_and(|n| n <= MAX_LEN) { Ok(()) } else { Err(Stuck::Budget) }
}

type Out = Result<Value, Stuck>;

fn bool_(v: &Value) -> Result<bool, Stuck> {
    v.as_bool().ok_or(Stuck::Shape)
}

fn int(v: &Value) -> Result<&Int, Stuck> {
    if let Value::Int(n) = v { Ok(n) } else { Err(Stuck::Shape) }
}

fn real(v: &Value) -> Result<&Rat, Stuck> {
    if let Value::Real(q) = v { Ok(q) } else { Err(Stuck::Shape) }
}

fn string(v: &Value) -> Result<&Str, Stuck> {
    if let Value::Str(w) = v { Ok(w) } else { Err(Stuck::Shape) }
}

fn re(v: &Value) -> Result<Re, Stuck> {
    if let Value::Re(r) = v { Ok(*r) } else { Err(Stuck::Shape) }
}

fn seq(v: &Value) -> Result<&Seq, Stuck> {
    if let Value::Seq(s) = v { Ok(s) } else { Err(Stuck::Shape) }
}

/// The parts one after the other, in a sequence like `s`; `s` itself if there are none.
fn parts(s: &Seq, parts: Option<&[&[Value]]>) -> Out {
    parts.map_or(Some(s.clone()), |parts| s.concat(parts)).map(Value::Seq).ok_or(Stuck::Budget)
}

fn res(args: &[&Value]) -> Result<Vec<Re>, Stuck> {
    args.iter().map(|v| re(v)).collect()
}

fn count(n: &Int) -> Count {
    // A numeral is not negative, so one that does not fit is larger.
    n.to_usize().map_or(Count::Beyond, |n| Count::Exactly(n as u64))
}

impl Machine<'_> {
    /// `(op args)` with numeral `indices`; the arguments fit the table's signature.
    pub(crate) fn apply(&mut self, op: Op, indices: &[Int], a: &[&Value]) -> Out {
        Ok(match op {
            Op::True => Value::Bool(true),
            Op::False => Value::Bool(false),
            Op::Not => Value::Bool(!bool_(a[0])?),
            Op::And => Value::Bool(a.iter().try_fold(true, |all, v| Ok(all & bool_(v)?))?),
            Op::Or => Value::Bool(a.iter().try_fold(false, |any, v| Ok(any | bool_(v)?))?),
            Op::Xor => Value::Bool(a.iter().try_fold(false, |odd, v| Ok(odd ^ bool_(v)?))?),
            Op::Implies => {
                let (last, before) = a.split_last().ok_or(Stuck::Shape)?;
                let all = before.iter().try_fold(true, |all, v| Ok(all & bool_(v)?))?;
                Value::Bool(!all | bool_(last)?)
            }
            Op::Eq => Value::Bool(self.chain(a, Self::equal)?),
            Op::Distinct => Value::Bool(self.distinct(a)?),
            Op::Ite => if bool_(a[0])? { a[1] } else { a[2] }.clone(),
            Op::Neg | Op::Add | Op::Sub | Op::Mul | Op::Abs => arith(op, a)?,
            Op::RealDiv => {
                let (first, rest) = a.split_first().ok_or(Stuck::Shape)?;
                let divide = |q: Rat, v: &&Value| q.checked_div(real(v)?).ok_or(Stuck::DivisionByZero);
                Value::Real(rest.iter().try_fold(real(first)?.clone(), divide)?)
            }
            Op::IntDiv => {
                let (first, rest) = a.split_first().ok_or(Stuck::Shape)?;
                let divide = |n: Int, v: &&Value| n.div_euclid_smt(int(v)?).ok_or(Stuck::DivisionByZero);
                Value::Int(rest.iter().try_fold(int(first)?.clone(), divide)?)
            }
            Op::Mod => Value::Int(int(a[0])?.mod_euclid_smt(int(a[1])?).ok_or(Stuck::DivisionByZero)?),
            Op::Le => Value::Bool(self.chain(a, |_, x, y| Ok(compare(x, y)?.is_le()))?),
            Op::Lt => Value::Bool(self.chain(a, |_, x, y| Ok(compare(x, y)?.is_lt()))?),
            Op::Ge => Value::Bool(self.chain(a, |_, x, y| Ok(compare(x, y)?.is_ge()))?),
            Op::Gt => Value::Bool(self.chain(a, |_, x, y| Ok(compare(x, y)?.is_gt()))?),
            Op::Divisible => Value::Bool(int(a[0])?.divisible_by(indices.first().ok_or(Stuck::Shape)?)),
            Op::ToReal => Value::Real(Rat::from(int(a[0])?.clone())),
            Op::ToInt => Value::Int(real(a[0])?.floor()),
            Op::IsInt => Value::Bool(real(a[0])?.is_integer()),
            Op::StrConcat => {
                let words: smallvec::SmallVec<[&[u32]; 8]> =
                    a.iter().map(|v| string(v).map(|w| &**w)).collect::<Result<_, _>>()?;
                fits(words.iter().try_fold(0usize, |n, w| n.checked_add(w.len())))?;
                Value::Str(Str::concat(&words))
            }
            Op::StrLen => Value::Int(s::len(string(a[0])?)),
            Op::StrLt => Value::Bool(self.chain(a, |_, x, y| Ok(s::lt(string(x)?, string(y)?)))?),
            Op::StrLe => Value::Bool(self.chain(a, |_, x, y| Ok(s::le(string(x)?, string(y)?)))?),
            Op::StrAt => Value::Str(s::at(string(a[0])?, int(a[1])?)),
            Op::StrSubstr => Value::Str(s::substr(string(a[0])?, int(a[1])?, int(a[2])?)),
            Op::StrPrefixof => Value::Bool(s::prefixof(string(a[0])?, string(a[1])?)),
            Op::StrSuffixof => Value::Bool(s::suffixof(string(a[0])?, string(a[1])?)),
            Op::StrContains => Value::Bool(s::contains(string(a[0])?, string(a[1])?)),
            Op::StrIndexof => Value::Int(s::indexof(string(a[0])?, string(a[1])?, int(a[2])?, self.reading)),
            Op::StrReplace => {
                Value::Str(s::replace(string(a[0])?, string(a[1])?, string(a[2])?, self.reading))
            }
            Op::StrReplaceAll => {
                let (w, p, t) = (string(a[0])?, string(a[1])?, string(a[2])?);
                fits((w.len() / p.len().max(1)).checked_mul(t.len()).and_then(|n| n.checked_add(w.len())))?;
                Value::Str(s::replace_all(w, p, t))
            }
            Op::StrReplaceRe => {
                let (w, r, t) = (string(a[0])?, re(a[1])?, string(a[2])?);
                fits((w.len() + 1).checked_mul(t.len() + 1))?;
                Value::Str(self.store.try_replace_re(w, r, t, self.regex_budget).ok_or(Stuck::Budget)?.into())
            }
            Op::StrReplaceReAll => {
                let (w, r, t) = (string(a[0])?, re(a[1])?, string(a[2])?);
                fits((w.len() + 1).checked_mul(t.len() + 1))?;
                Value::Str(
                    self.store.try_replace_re_all(w, r, t, self.regex_budget).ok_or(Stuck::Budget)?.into(),
                )
            }
            Op::StrIsDigit => Value::Bool(s::is_digit(string(a[0])?)),
            Op::StrToCode => Value::Int(s::to_code(string(a[0])?)),
            Op::StrFromCode => Value::Str(s::from_code(int(a[0])?)),
            Op::StrToInt => Value::Int(s::to_int(string(a[0])?)),
            Op::StrFromInt => Value::Str(s::from_int(int(a[0])?)),
            Op::StrToRe => Value::Re(self.store.word(string(a[0])?)),
            Op::StrInRe => {
                let (w, r) = (string(a[0])?, re(a[1])?);
                Value::Bool(self.store.try_matches(r, w, self.regex_budget).ok_or(Stuck::Budget)?)
            }
            Op::ReNone => Value::Re(self.store.none()),
            Op::ReAll => Value::Re(self.store.all()),
            Op::ReAllchar => Value::Re(self.store.allchar()),
            Op::ReConcat => Value::Re(self.store.concat(&res(a)?)),
            Op::ReUnion => Value::Re(self.store.union(&res(a)?)),
            Op::ReInter => Value::Re(self.store.inter(&res(a)?)),
            Op::ReStar => Value::Re(self.store.star(re(a[0])?)),
            Op::ReComp => Value::Re(self.store.comp(re(a[0])?)),
            Op::ReDiff => Value::Re(self.store.diff(&res(a)?)),
            Op::RePlus => Value::Re(self.store.plus(re(a[0])?)),
            Op::ReOpt => Value::Re(self.store.opt(re(a[0])?)),
            Op::ReRange => Value::Re(self.store.range(string(a[0])?, string(a[1])?)),
            Op::RePower => {
                Value::Re(self.store.power(re(a[0])?, count(indices.first().ok_or(Stuck::Shape)?)))
            }
            Op::ReLoop => {
                let [lo, hi] = indices else {
                    return Err(Stuck::Shape);
                };
                // The order of two bounds beyond 64 bits matters.
                if lo > hi {
                    return Ok(Value::Re(self.store.none()));
                }
                Value::Re(self.store.loop_(re(a[0])?, count(lo), count(hi)))
            }
            Op::StrRev => Value::Str(s::rev(string(a[0])?)),
            Op::StrToLower => Value::Str(s::to_lower(string(a[0])?)),
            Op::StrToUpper => Value::Str(s::to_upper(string(a[0])?)),
            Op::StrUpdate => Value::Str(s::update(string(a[0])?, int(a[1])?, string(a[2])?)),
            Op::StrIndexofRe => {
                let (w, r, i) = (string(a[0])?, re(a[1])?, int(a[2])?);
                let found = match i.to_usize().filter(|&i| i <= w.len()) {
                    Some(i) => self.store.try_indexof_re(w, r, i, self.regex_budget).ok_or(Stuck::Budget)?,
                    None => None,
                };
                Value::Int(found.map_or(Int::MINUS_ONE, Int::from))
            }
            Op::StrLastIndexof => Value::Int(s::last_indexof(string(a[0])?, string(a[1])?)),
            // They need the sort of the term: `Evaluator::sequence`.
            Op::SeqEmpty | Op::SeqUnit => return Err(Stuck::Shape),
            Op::SeqNth => {
                let w = seq(a[0])?;
                w[s::position(w, int(a[1])?).ok_or(Stuck::OutOfBounds)?].clone()
            }
            Op::SeqConcat => {
                let words: Vec<&[Value]> =
                    a.iter().map(|v| seq(v).map(|w| &**w)).collect::<Result<_, _>>()?;
                parts(seq(a[0])?, Some(&words))?
            }
            Op::SeqLen => Value::Int(s::len(seq(a[0])?)),
            Op::SeqAt => parts(seq(a[0])?, Some(&[s::cut(seq(a[0])?, int(a[1])?, &Int::ONE)]))?,
            Op::SeqExtract => parts(seq(a[0])?, Some(&[s::cut(seq(a[0])?, int(a[1])?, int(a[2])?)]))?,
            Op::SeqPrefixof => Value::Bool(s::prefixof(seq(a[0])?, seq(a[1])?)),
            Op::SeqSuffixof => Value::Bool(s::suffixof(seq(a[0])?, seq(a[1])?)),
            Op::SeqContains => Value::Bool(s::contains(seq(a[0])?, seq(a[1])?)),
            Op::SeqIndexof => Value::Int(s::indexof(seq(a[0])?, seq(a[1])?, int(a[2])?, Reading::Standard)),
            Op::SeqReplace => {
                let (w, p, t) = (seq(a[0])?, seq(a[1])?, seq(a[2])?);
                parts(w, s::replaced(w, p, t).as_ref().map(|parts| &parts[..]))?
            }
            Op::SeqReplaceAll => {
                let (w, p, t) = (seq(a[0])?, seq(a[1])?, seq(a[2])?);
                parts(w, s::all_replaced(w, p, t).as_deref())?
            }
        })
    }

    /// Equality of two values of one sort.
    pub(crate) fn equal(&mut self, x: &Value, y: &Value) -> Result<bool, Stuck> {
        match (x, y) {
            (Value::Re(a), Value::Re(b)) => {
                // Language equivalence is PSPACE-hard: undetermined if the budget runs out.
                self.store.equivalent(*a, *b, self.regex_budget).ok_or(Stuck::Budget)
            }
            (Value::Bool(a), Value::Bool(b)) => Ok(a == b),
            (Value::Int(a), Value::Int(b)) => Ok(a == b),
            (Value::Real(a), Value::Real(b)) => Ok(a == b),
            (Value::Str(a), Value::Str(b)) => Ok(a == b),
            (Value::Element(a), Value::Element(b)) => Ok(a == b),
            (Value::Data(a), Value::Data(b)) => Ok(a == b),
            (Value::Seq(a), Value::Seq(b)) => Ok(a == b),
            _ => Err(Stuck::Shape),
        }
    }

    fn chain(
        &mut self,
        a: &[&Value],
        mut holds: impl FnMut(&mut Self, &Value, &Value) -> Result<bool, Stuck>,
    ) -> Result<bool, Stuck> {
        let mut open = None;
        for pair in a.windows(2) {
            match holds(self, pair[0], pair[1]) {
                Ok(false) => return Ok(false),
                Ok(true) => {}
                Err(stuck) => open = Some(stuck),
            }
        }
        open.map_or(Ok(true), Err)
    }

    pub(crate) fn distinct(&mut self, a: &[&Value]) -> Result<bool, Stuck> {
        if !a.iter().any(|v| matches!(v, Value::Re(_))) {
            let mut seen = rustc_hash::FxHashSet::default();
            return Ok(a.iter().all(|v| seen.insert(*v)));
        }
        // One budget for all pairs of languages.
        let budget = self.regex_budget;
        self.regex_budget = (budget / (a.len() * a.len()).max(1) as u64).max(1_000);
        let answer = self.pairwise(a);
        self.regex_budget = budget;
        answer
    }

    fn pairwise(&mut self, a: &[&Value]) -> Result<bool, Stuck> {
        let mut open = None;
        for (i, x) in a.iter().enumerate() {
            for y in &a[i + 1..] {
                match self.equal(x, y) {
                    Ok(true) => return Ok(false),
                    Ok(false) => {}
                    Err(stuck) => open = Some(stuck),
                }
            }
        }
        open.map_or(Ok(true), Err)
    }
}

fn compare(x: &Value, y: &Value) -> Result<std::cmp::Ordering, Stuck> {
    match (x, y) {
        (Value::Int(a), Value::Int(b)) => Ok(a.cmp(b)),
        (Value::Real(a), Value::Real(b)) => Ok(a.cmp(b)),
        _ => Err(Stuck::Shape),
    }
}

fn bits(q: &Rat) -> u64 {
    q.numer().bits() + q.denom().bits()
}

fn small(bits: u64) -> Result<(), Stuck> {
    if bits <= MAX_BITS { Ok(()) } else { Err(Stuck::Budget) }
}

fn arith(op: Op, a: &[&Value]) -> Out {
    let (first, rest) = a.split_first().ok_or(Stuck::Shape)?;
    if let Value::Real(q) = first {
        let q = match op {
            Op::Neg => -q,
            Op::Abs if q.is_negative() => -q,
            Op::Add | Op::Sub => rest.iter().try_fold(q.clone(), |x, v| {
                small(bits(&x) + bits(real(v)?))?;
                Ok(if op == Op::Add { x + real(v)? } else { x - real(v)? })
            })?,
            Op::Mul => rest.iter().try_fold(q.clone(), |x, v| {
                small(bits(&x) + bits(real(v)?))?;
                Ok(x * real(v)?)
            })?,
            _ => q.clone(),
        };
        return Ok(Value::Real(q));
    }
    let n = int(first)?;
    Ok(Value::Int(match op {
        Op::Neg => -n,
        Op::Abs => n.abs(),
        Op::Add => rest.iter().try_fold(n.clone(), |x, v| Ok(x + int(v)?))?,
        Op::Sub => rest.iter().try_fold(n.clone(), |x, v| Ok(x - int(v)?))?,
        Op::Mul => rest.iter().try_fold(n.clone(), |x, v| {
            small(x.bits() + int(v)?.bits())?;
            Ok(x * int(v)?)
        })?,
        _ => return Err(Stuck::Shape),
    }))
}
