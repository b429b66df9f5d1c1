//! Cases: applications with the values that our evaluator gives them.

use super::generate::{self, Subject};
use super::key::Key;
use semantics::regex::RegexStore;
use semantics::{Config, Evaluator, Model, Value, Why};
use smt::op::Shape;
use smt::print::term_text;
use smt::{Head, Op, Pool, Term};

/// The longest string, as the value of any part, that is sent to solvers.
const MAX_WORD: usize = 2000;
/// Maximum number of digits of an integer that is sent to solvers.
const MAX_DIGITS: usize = 200;
/// Attempts at an application that can be evaluated.
const ATTEMPTS: u64 = 20;

const CONFIG: Config =
    Config { reading: semantics::Reading::Standard, steps: 1_000_000, regex_budget: 2_000_000, instances: 0 };

/// A set of operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ops(u128);

impl Ops {
    /// Adds one.
    pub(super) fn insert(&mut self, op: Op) {
        self.0 |= 1 << (op as u8);
    }

    /// Some operator is in both.
    pub(super) fn meets(self, other: Ops) -> bool {
        self.0 & other.0 != 0
    }
}

/// The operators in a term.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Uses {
    /// All of them.
    pub(super) ops: Ops,
    /// Chainable ones with more than two arguments.
    pub(super) chains: Ops,
}

impl Uses {
    /// The operators in `terms`, which are all parts of one term.
    fn of(pool: &Pool, terms: &[Term]) -> Uses {
        let mut uses = Uses::default();
        for &t in terms {
            if let Head::Op(op) | Head::Indexed(op, _) = pool.head(t) {
                uses.ops.insert(op);
                if op.row().shape == Shape::Chainable && pool.args(t).len() > 2 {
                    uses.chains.insert(op);
                }
            }
        }
        uses
    }
}

/// An application and its value.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// Its subject.
    pub(super) subject: Subject,
    /// Its number.
    pub(super) index: u64,
    /// Attempts before this one.
    pub(super) attempt: u64,
    /// The term, as SMT-LIB text.
    pub(super) text: String,
    /// Its sort.
    pub(super) sort: String,
    /// Its value by our evaluator.
    pub(super) value: String,
    /// The operators in it.
    pub(super) uses: Uses,
}

impl Case {
    /// The term, generated again in a new pool.
    pub(super) fn term(&self, seed: u64, depth: usize) -> Option<(Pool, Term)> {
        let mut pool = Pool::new();
        let key = Key { seed, operator: self.subject.label(), index: self.index, attempt: self.attempt };
        let (t, _) = generate::subject_term(&mut pool, self.subject, key, depth)?;
        Some((pool, t))
    }

    /// The same case with another term, if that has a value.
    pub(super) fn with(&self, pool: &Pool, t: Term) -> Option<Case> {
        let (value, uses) = judge(pool, t).ok()?;
        Some(Case { text: term_text(pool, t), sort: pool.sort_text(pool.sort_of(t)), value, uses, ..*self })
    }

    /// The formula that states that the term has our value.
    pub(super) fn claim(&self) -> String {
        match self.value.as_str() {
            "true" => self.text.clone(),
            "false" => format!("(not {})", self.text),
            value => format!("(= {} {value})", self.text),
        }
    }
}

/// `t` with the parts replaced for which `change` returns a term.
pub(super) fn rebuild(
    pool: &mut Pool,
    t: Term,
    mut change: impl FnMut(&mut Pool, Term) -> Option<Term>,
) -> Term {
    let node = |pool: &mut Pool, part: Term, args: &[Term]| match change(pool, part) {
        Some(other) => other,
        None => pool.with_children(part, args),
    };
    pool.rebuild(t, &mut Default::default(), node)
}

/// The constant that denotes this value; languages have none.
pub(super) fn constant(pool: &mut Pool, value: &Value) -> Option<Term> {
    Some(match value {
        Value::Bool(b) => pool.bool(*b),
        Value::Int(n) => pool.int(n.clone()),
        Value::Real(q) => pool.real(q.clone()),
        Value::Str(w) => pool.string(w),
        Value::Re(_) | Value::Element(_) | Value::Data(_) | Value::Seq(_) => return None,
    })
}

/// Applications that were not sent to solvers.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
pub(super) struct Discarded {
    /// The value depends on a division by zero.
    pub(super) division_by_zero: u64,
    /// The value of a part is too large.
    pub(super) too_large: u64,
    /// Our evaluator gave up.
    pub(super) too_hard: u64,
}

impl Discarded {
    /// Adds up.
    pub(super) fn add(&mut self, other: Discarded) {
        self.division_by_zero += other.division_by_zero;
        self.too_large += other.too_large;
        self.too_hard += other.too_hard;
    }
}

enum Unfit {
    DivisionByZero,
    TooLarge,
    TooHard,
}

/// The cases of `subject` with these numbers.
pub(super) fn cases(
    subject: Subject,
    seed: u64,
    depth: usize,
    indices: std::ops::Range<u64>,
    discarded: &mut Discarded,
) -> Vec<Case> {
    let mut attempts = indices.flat_map(|index| (0..ATTEMPTS).map(move |attempt| (index, attempt)));
    let mut out: Vec<Case> = Vec::new();
    while let Some((index, attempt)) = attempts.next() {
        let key = Key { seed, operator: subject.label(), index, attempt };
        match case(subject, key, depth) {
            Ok(case) => {
                out.push(case);
                // On to the next number.
                attempts.by_ref().take((ATTEMPTS - 1 - attempt) as usize).for_each(drop);
            }
            Err(Unfit::DivisionByZero) => discarded.division_by_zero += 1,
            Err(Unfit::TooLarge) => discarded.too_large += 1,
            Err(Unfit::TooHard) => discarded.too_hard += 1,
        }
    }
    out
}

/// The case of a key.
fn case(subject: Subject, key: Key<'_>, depth: usize) -> Result<Case, Unfit> {
    let mut pool = Pool::new();
    let (t, text) = generate::subject_term(&mut pool, subject, key, depth).ok_or(Unfit::TooHard)?;
    let (value, uses) = judge(&pool, t)?;
    Ok(Case {
        subject,
        index: key.index,
        attempt: key.attempt,
        text,
        sort: pool.sort_text(pool.sort_of(t)),
        value,
        uses,
    })
}

/// The value of `t` as text, and the operators in it.
fn judge(pool: &Pool, t: Term) -> Result<(String, Uses), Unfit> {
    let parts = parts(pool, t);
    let model = Model::new();
    let mut e = evaluator(pool, &model);
    for &part in &parts {
        if let Ok(value) = e.eval(part) {
            check_size(&value)?;
        }
    }
    match e.eval(t) {
        Ok(value) => Ok((value.to_smtlib(e.store()), Uses::of(pool, &parts))),
        Err(Why::DivisionByZero(_)) => Err(Unfit::DivisionByZero),
        Err(_) => Err(Unfit::TooHard),
    }
}

/// An evaluator with limits.
pub(super) fn evaluator<'p>(pool: &'p Pool, model: &'p Model) -> Evaluator<'p> {
    Evaluator::with(pool, model, CONFIG, RegexStore::new())
}

fn check_size(value: &Value) -> Result<(), Unfit> {
    let digits = |n: &smt::Int| n.to_i64().map_or_else(|| n.to_string().len(), |_| 0);
    let fits = match value {
        Value::Str(w) => w.len() <= MAX_WORD,
        Value::Int(n) => digits(n) <= MAX_DIGITS,
        Value::Real(q) => digits(q.numer()).max(digits(q.denom())) <= MAX_DIGITS,
        _ => true,
    };
    if fits { Ok(()) } else { Err(Unfit::TooLarge) }
}

/// All parts of `t`, each once, arguments before applications, `t` last.
pub(super) fn parts(pool: &Pool, t: Term) -> Vec<Term> {
    let mut out: Vec<Term> = pool.subterms([t]).collect();
    // Arguments have smaller ids.
    out.sort_unstable();
    out
}
