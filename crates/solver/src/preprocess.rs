//! Making assertions smaller before they are searched.
//!
//! Four steps: definitions are inlined (`expand`); quantifiers are taken off where that is possible (`quantifiers`); constants that a top-level equality determines are replaced by what
//! they equal (`solve`); applications that can be given any value through a constant that occurs nowhere else become
//! constants themselves (`unconstrained`, as solvers for bit-vectors do: the theses of Bruttomesso, 2008, and
//! Brummayer, 2009). Each constant that goes leaves a term over those that stay, from which its value in a model is
//! computed.

mod expand;
mod quantifiers;
mod solve;
mod terms;
#[cfg(test)]
mod tests;
mod unconstrained;

use rustc_hash::{FxHashMap, FxHashSet};
use semantics::{Evaluator, Model, Why};
use smt::{Fun, Head, Op, Pool, Sort, Term};

/// Rewrites a term to an equivalent one.
pub type Rewrite<'a> = &'a mut dyn FnMut(&mut Pool, Term) -> Term;

/// Rounds of elimination; each one halves a chain of equalities.
const ROUNDS: usize = 64;

/// Assertions that are satisfiable if and only if the given ones are.
#[derive(Clone, Debug, Default)]
pub struct Preprocessed {
    /// What is left to be satisfied.
    pub assertions: Vec<Term>,
    /// The constants that are gone, and what they equal in terms of the constants that are left.
    pub defs: Vec<(Fun, Term)>,
    /// The constants that are new, and what they stand for in terms of those that were given: every model of the given
    /// assertions becomes one of those that are left if they get these values.
    pub fresh: Vec<(Fun, Term)>,
    /// Why a model of the assertions may be none of the given ones: what could not be inlined.
    pub incomplete: Option<String>,
}

/// Preprocesses assertions. If they are to be kept apart, definitions are inlined, the i-th assertion stays the i-th,
/// and no constant goes.
pub fn run(pool: &mut Pool, assertions: &[Term], rewrite: Rewrite<'_>, keep_apart: bool) -> Preprocessed {
    let (mut assertions, incomplete) = expand::expand(pool, assertions);
    quantifiers::eliminate(pool, &mut assertions, rewrite);
    if keep_apart {
        return Preprocessed { assertions, incomplete, ..Preprocessed::default() };
    }
    let mut state = State { assertions, defs: Vec::new(), fresh: Vec::new(), growth: 0 };
    state.normalise(pool, rewrite);
    state.growth = 100_000 + 20 * terms::Uses::new(pool, &state.assertions).len();
    for _ in 0..ROUNDS {
        let before = state.defs.len();
        solve::round(pool, &mut state);
        if state.defs.len() == before {
            unconstrained::round(pool, &mut state);
        }
        if state.defs.len() == before {
            break;
        }
        state.normalise(pool, rewrite);
    }
    let defs = resolve(pool, state.defs.iter().rev());
    let fresh = resolve(pool, state.fresh.iter());
    Preprocessed { assertions: state.assertions, defs, fresh, incomplete }
}

impl Preprocessed {
    /// Gives the constants that are gone their values in a model of what is left. The reason if one of them has none.
    pub fn carry_back(&self, pool: &Pool, model: &mut Model) -> Result<(), Why> {
        let mut values = Vec::new();
        {
            let mut evaluator = Evaluator::new(pool, model);
            for &(f, t) in &self.defs {
                if pool.sort_of(t) != Sort::REGLAN {
                    values.push((f, evaluator.eval(t)?));
                }
            }
        }
        for (f, value) in values {
            model.assign(f, value);
        }
        // Languages belong to the evaluator that made them: in a model they are terms.
        for &(f, t) in self.defs.iter().filter(|&&(_, t)| pool.sort_of(t) == Sort::REGLAN) {
            model.set_term(pool.fun_name(f), t);
        }
        Ok(())
    }
}

/// Assertions on their way.
struct State {
    assertions: Vec<Term>,
    /// Later ones are over what earlier ones left.
    defs: Vec<(Fun, Term)>,
    /// Later ones may stand for terms with earlier ones in them.
    fresh: Vec<(Fun, Term)>,
    /// How many more terms may be made by replacing.
    growth: usize,
}

impl State {
    /// Rewrites the assertions, makes conjuncts of conjunctions, and drops what is true or there twice.
    fn normalise(&mut self, pool: &mut Pool, rewrite: Rewrite<'_>) {
        let (mut out, mut seen) = (Vec::new(), FxHashSet::default());
        let mut stack: Vec<(Term, bool)> = self.assertions.drain(..).rev().map(|t| (t, false)).collect();
        while let Some((t, rewritten)) = stack.pop() {
            if pool.head(t) == Head::Op(Op::And) {
                stack.extend(pool.args(t).iter().rev().map(|&a| (a, rewritten)));
                continue;
            }
            if !rewritten {
                stack.push((rewrite(pool, t), true));
                continue;
            }
            match pool.head(t) {
                Head::Op(Op::True) => {}
                Head::Op(Op::False) => {
                    self.assertions = vec![t];
                    return;
                }
                _ if seen.insert(t) => out.push(t),
                _ => {}
            }
        }
        self.assertions = out;
    }

    /// Replaces terms in all assertions.
    fn replace(&mut self, pool: &mut Pool, map: FxHashMap<Term, Term>) {
        let mut done = map;
        for t in &mut self.assertions {
            *t = terms::replace(pool, *t, &mut done);
        }
    }
}

/// Definitions with those before them put into them. None is used in a definition before it.
fn resolve<'a>(pool: &mut Pool, defs: impl Iterator<Item = &'a (Fun, Term)>) -> Vec<(Fun, Term)> {
    let mut done = FxHashMap::default();
    let mut out: Vec<(Fun, Term)> = Vec::new();
    for &(f, t) in defs {
        let t = terms::replace(pool, t, &mut done);
        let constant = pool.apply(f, &[]);
        done.insert(constant, t);
        out.push((f, t));
    }
    out
}

/// A declared constant of a sort that has literals.
fn constant(pool: &Pool, t: Term) -> Option<Fun> {
    let Head::Fun(f) = pool.head(t) else { return None };
    let plain = pool.args(t).is_empty() && pool.fun(f).params.is_empty() && pool.fun(f).def.is_none();
    let sort = matches!(pool.sort_of(t), Sort::BOOL | Sort::INT | Sort::STRING);
    (plain && sort).then_some(f)
}

/// A declared constant that a top-level equality may eliminate.
fn eliminable(pool: &Pool, t: Term) -> Option<Fun> {
    let Head::Fun(f) = pool.head(t) else { return None };
    let language = pool.sort_of(t) == Sort::REGLAN && pool.args(t).is_empty() && pool.fun(f).def.is_none();
    constant(pool, t).or(language.then_some(f))
}

/// Something that can stand for a constant anywhere: without variables, and with a meaning.
fn is_plain(pool: &Pool, t: Term) -> bool {
    !pool.has_var(t) && !pool.has_binder(t) && !pool.has_opaque(t)
}
