//! Lengths of a solution, decided before anything else.
//!
//! If all that must hold are word equations and linear constraints on lengths, there may be a solution in which every variable is a power of one letter
//! (`weq/unary.rs`). It costs one small integer problem, while the search would first decide which variables are empty. With its lengths decided, the
//! positions of the variables give the strings (`positions.rs`), however long they are. The lengths are decisions: once one of them is refuted, the rest is dropped.

use crate::builder::Builder;
use crate::calculus::Calculus;
use crate::engines::Engine;
use crate::infer::Rule;
use crate::rewrite::Mode;
use crate::weq::{Row, Side, Symbol, System};
use rustc_hash::{FxHashMap, FxHashSet};
use sat::Lit;
use smt::{Head, Int, Op, Sort, Term};

/// Symbols of the equations, at most.
const MAX_SYMBOLS: usize = 5_000;
/// The greatest length that is decided.
const MAX_LENGTH: u64 = 1 << 16;

/// The lengths that are decided.
#[derive(Debug, Default)]
pub(crate) enum Ahead {
    /// Nothing was decided yet.
    #[default]
    Start,
    /// Variables and their lengths.
    Lengths(Vec<(Term, i64)>),
    /// They are refuted, or there are none.
    Done,
}

/// The next length to decide.
pub(crate) fn decide(c: &mut Calculus<'_>, assertions: &[Term], ahead: &mut Ahead) -> Option<Lit> {
    if matches!(ahead, Ahead::Start) {
        let first = c.state.level() == 0 && c.has(Engine::Equation) && are_equations(c, assertions);
        let all = if first { lengths(c) } else { None };
        *ahead = all.map_or(Ahead::Done, Ahead::Lengths);
    }
    let Ahead::Lengths(list) = &*ahead else { return None };
    for &(t, n) in list {
        let decision = c.in_mode(Mode::WithoutEntailment, |c| {
            let (len, n) = (c.len(t), c.int(n));
            let atom = c.eq(len, n);
            c.decision(Rule::Nielsen, atom)
        });
        match decision {
            Ok(l) => return Some(l),
            Err(true) => {}
            Err(false) => {
                *ahead = Ahead::Done;
                return None;
            }
        }
    }
    None
}

/// Whether the formulas are equations and inequalities, without cases.
fn are_equations(c: &Calculus<'_>, assertions: &[Term]) -> bool {
    let (mut open, mut seen) = (assertions.to_vec(), FxHashSet::default());
    while let Some(t) = open.pop() {
        if !seen.insert(t) {
            continue;
        }
        let args = c.terms.pool.args(t);
        match c.head(t) {
            Head::Op(Op::And) => open.extend(args),
            Head::Op(Op::Not) if c.head(args[0]) != Head::Op(Op::And) => open.extend(args),
            Head::Op(Op::Eq | Op::Ge | Op::Gt | Op::Le | Op::Lt) if c.sort(args[0]) != Sort::BOOL => {}
            _ => return false,
        }
    }
    true
}

/// Lengths of a solution in powers of one letter of all that holds; none if there are other constraints.
fn lengths(c: &mut Calculus<'_>) -> Option<Vec<(Term, i64)>> {
    let mut variables = Variables::default();
    let mut equations: Vec<(Side, Side)> = Vec::new();
    let mut rows: Vec<Row> = Vec::new();
    for k in 0..c.state.asserted.len() {
        let l = c.state.asserted[k];
        let Some(atom) = c.inferences.atom(l.var()) else { continue };
        let (op, a, b) = match (c.head(atom), c.terms.pool.args(atom)) {
            (Head::Op(op @ (Op::Eq | Op::Ge)), &[a, b]) => (op, a, b),
            // What rewriting makes of a loop: `x "a" = "a" x`.
            (Head::Op(Op::StrInRe), _) if l.is_positive() => continue,
            _ => return None,
        };
        match c.sort(a) {
            Sort::STRING if l.is_positive() => {
                equations.push((variables.side(c, a)?, variables.side(c, b)?));
            }
            Sort::INT => variables.add_rows(c, op, l.is_positive(), [a, b], &mut rows)?,
            _ => return None,
        }
    }
    let symbols: usize = equations.iter().map(|(l, r)| l.len() + r.len()).sum();
    if equations.is_empty() || symbols > MAX_SYMBOLS {
        return None;
    }
    let count = u32::try_from(variables.list.len()).ok()?;
    let found = System { equations, variables: count }.unary(&rows)?;
    if found.iter().any(|&n| n > MAX_LENGTH) {
        return None;
    }
    let lengths = found.into_iter().map(i64::try_from).collect::<Result<Vec<i64>, _>>().ok()?;
    Some(variables.list.into_iter().zip(lengths).collect())
}

/// Declared constants, numbered.
#[derive(Default)]
struct Variables {
    list: Vec<Term>,
    numbers: FxHashMap<Term, u32>,
}

impl Variables {
    fn number(&mut self, t: Term) -> u32 {
        *self.numbers.entry(t).or_insert_with(|| {
            self.list.push(t);
            u32::try_from(self.list.len() - 1).expect("terms are numbered by u32")
        })
    }

    /// A word of constants and variables; none if there are other terms, or too many symbols: a word may be much longer than its term, which shares parts.
    fn side(&mut self, c: &Calculus<'_>, t: Term) -> Option<Side> {
        let mut out = Side::new();
        let mut open = vec![t];
        while let Some(t) = open.pop() {
            if out.len() + open.len() > MAX_SYMBOLS {
                return None;
            }
            match c.head(t) {
                Head::Op(Op::StrConcat) => open.extend(c.terms.pool.args(t).iter().rev()),
                Head::Str(id) => out.extend(c.terms.pool.word(id).iter().map(|&a| Symbol::Letter(a))),
                Head::Fun(_) if c.terms.pool.args(t).is_empty() => out.push(Symbol::Variable(self.number(t))),
                _ => return None,
            }
        }
        Some(out)
    }

    /// The rows of a constraint on the lengths of variables; none if it is about other terms. A disequality has none: the lengths are a guess.
    fn add_rows(
        &mut self,
        c: &mut Calculus<'_>,
        op: Op,
        holds: bool,
        [a, b]: [Term; 2],
        out: &mut Vec<Row>,
    ) -> Option<()> {
        let sum = c.difference(a, b);
        let mut terms: Vec<(u32, Int)> = Vec::new();
        for (k, v) in &sum.terms {
            let t = c.state.arith.term(*v);
            let (Head::Op(Op::StrLen), &[s]) = (c.head(t), c.terms.pool.args(t)) else { return None };
            if !matches!(c.head(s), Head::Fun(_)) || !c.terms.pool.args(s).is_empty() {
                return None;
            }
            terms.push((self.number(s), k.clone()));
        }
        let negated = |constant: Int| Row { terms: terms.iter().map(|(x, k)| (*x, -k)).collect(), constant };
        match (op, holds) {
            // a < b: b - a - 1 >= 0
            (Op::Ge, false) => out.push(negated(&-&sum.constant - &Int::ONE)),
            (Op::Eq, true) => out.push(negated(-&sum.constant)),
            _ => {}
        }
        if holds {
            out.push(Row { terms, constant: sum.constant });
        }
        Some(())
    }
}
