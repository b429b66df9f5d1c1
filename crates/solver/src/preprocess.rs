//! Preprocessing of assertions.
//!
//! Steps: recursive definitions of `str.to_lower` and `str.to_upper` are recognised (`letterwise`); other definitions are inlined (`expand`);
//! conditions in regular expressions become cases (`choices`); quantifiers are eliminated where possible (`quantifiers`); constants
//! that a top-level equality determines are replaced by their value (`solve`); applications that can have any value,
//! because of a constant that occurs nowhere else, become constants (`unconstrained`, as in solvers for bit-vectors: the
//! theses of Bruttomesso, 2008, and Brummayer, 2009). For each eliminated constant a term over the remaining ones is
//! kept, from which its value in a model is computed. Last, bit-vectors get their meaning (`bits`).

mod bits;
mod choices;
mod expand;
mod letterwise;
mod quantifiers;
mod sets;
mod skolemise;
mod solve;
mod terms;
#[cfg(test)]
mod tests;
mod unconstrained;

pub(crate) use bits::{Bits, Source, Wire};
pub(crate) use skolemise::skolemise;

use rustc_hash::{FxHashMap, FxHashSet};
use semantics::{Evaluator, Model, Why};
use smt::{Fun, Head, Op, Pool, Sort, Term};

/// Rewrites a term to an equivalent one.
pub(crate) type Rewrite<'a> = &'a mut dyn FnMut(&mut Pool, Term) -> Term;

/// Rounds of elimination, at most; each one halves a chain of equalities.
const MAX_ROUNDS: usize = 64;

/// Assertions that are satisfiable if and only if the original ones are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Preprocessed {
    /// The remaining assertions.
    pub(crate) assertions: Vec<Term>,
    /// The eliminated constants, and their values as terms over the remaining constants.
    pub(crate) defs: Vec<(Fun, Term)>,
    /// The new constants, and the terms over the original constants that they replace: every model of the original
    /// assertions, extended by the values of these terms, is a model of the remaining ones.
    pub(crate) fresh: Vec<(Fun, Term)>,
    /// What the bit-vectors in the assertions mean.
    pub(crate) bits: Option<Box<Bits>>,
    /// Why a model of the assertions may not be one of the original ones: a definition that could not be inlined.
    pub(crate) incomplete: Option<String>,
}

/// Preprocesses assertions. If they must be kept separate (for cores), definitions are inlined and quantifiers
/// eliminated, but the i-th assertion stays the i-th and no constant is eliminated.
pub(crate) fn run(
    pool: &mut Pool,
    assertions: &[Term],
    rewrite: Rewrite<'_>,
    keep_separate: bool,
) -> Preprocessed {
    let (mut assertions, mut incomplete) = without_definitions(pool, assertions);
    quantifiers::eliminate(pool, &mut assertions, rewrite);
    // A problem without sets does not have the name.
    if pool.names.lookup("Set").is_some() {
        match sets::axioms(pool, &assertions) {
            None => incomplete = incomplete.or_else(|| Some("too many sets and elements".to_owned())),
            // Without a name of their own, the axioms are a part of each assertion.
            Some(axioms) if keep_separate && !axioms.is_empty() => {
                for t in &mut assertions {
                    *t = pool.mk(Head::Op(Op::And), Sort::BOOL, &[&axioms[..], &[*t]].concat());
                }
            }
            Some(axioms) => assertions.extend(axioms),
        }
    }
    if keep_separate {
        let bits = with_bits(pool, &assertions, rewrite, &mut incomplete);
        return Preprocessed { assertions, bits, incomplete, ..Preprocessed::default() };
    }
    let mut state = State { assertions, defs: Vec::new(), fresh: Vec::new(), growth: 0 };
    state.normalise(pool, rewrite);
    state.growth = 100_000 + 20 * terms::Uses::new(pool, &state.assertions).len();
    for _ in 0..MAX_ROUNDS {
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
    let bits = with_bits(pool, &state.assertions, rewrite, &mut incomplete);
    Preprocessed { assertions: state.assertions, defs, fresh, bits, incomplete }
}

/// The meaning of the bit-vectors in the assertions, as given and rewritten.
fn with_bits(
    pool: &mut Pool,
    assertions: &[Term],
    rewrite: Rewrite<'_>,
    incomplete: &mut Option<String>,
) -> Option<Box<Bits>> {
    if !pool.has_bit_vectors() {
        return None;
    }
    let mut formulas = assertions.to_vec();
    formulas.extend(assertions.iter().map(|&t| rewrite(pool, t)));
    let bits = bits::meaning(pool, &formulas);
    if bits.is_none() {
        incomplete.get_or_insert_with(|| "too many bits".to_owned());
    }
    bits.map(Box::new)
}

/// Assertions without definitions; none if one of them cannot be inlined.
pub(crate) fn inlined(pool: &mut Pool, assertions: &[Term]) -> Option<Vec<Term>> {
    let (assertions, incomplete) = without_definitions(pool, assertions);
    incomplete.is_none().then_some(assertions)
}

/// Assertions without definitions, and the reason why some are left.
fn without_definitions(pool: &mut Pool, assertions: &[Term]) -> (Vec<Term>, Option<String>) {
    let (mut assertions, mut incomplete) = expand::expand(pool, assertions);
    if incomplete.is_some() && letterwise::replace(pool, &mut assertions) {
        (assertions, incomplete) = expand::expand(pool, &assertions);
    }
    choices::lift(pool, &mut assertions);
    (assertions, incomplete)
}

impl Preprocessed {
    /// Extends a model of the remaining assertions by the values of the eliminated constants. Fails with the reason if
    /// one of them is undetermined.
    pub(crate) fn carry_back(&self, pool: &Pool, model: &mut Model) -> Result<(), Why> {
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
        // Languages belong to the evaluator that created them: in a model they are terms.
        for &(f, t) in self.defs.iter().filter(|&&(_, t)| pool.sort_of(t) == Sort::REGLAN) {
            model.set_term(pool.fun_name(f), t);
        }
        Ok(())
    }
}

/// The assertions during preprocessing.
struct State {
    assertions: Vec<Term>,
    /// As in [`Preprocessed`]; later ones are over the constants that earlier ones left.
    defs: Vec<(Fun, Term)>,
    /// As in [`Preprocessed`]; later ones may replace terms that contain earlier ones.
    fresh: Vec<(Fun, Term)>,
    /// The number of terms that replacements may still add.
    growth: usize,
}

impl State {
    /// Rewrites the assertions, splits conjunctions, and removes duplicates and those that are true.
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
            *t = pool.replace(*t, &mut done);
        }
    }
}

/// Replaces in each definition the constants of earlier ones. No constant is used in a definition before its own.
fn resolve<'a>(pool: &mut Pool, defs: impl Iterator<Item = &'a (Fun, Term)>) -> Vec<(Fun, Term)> {
    let mut done = FxHashMap::default();
    let mut out: Vec<(Fun, Term)> = Vec::new();
    for &(f, t) in defs {
        let t = pool.replace(t, &mut done);
        let constant = pool.apply(f, &[]);
        done.insert(constant, t);
        out.push((f, t));
    }
    out
}

/// The symbol of a declared constant of sort Bool, Int or String.
fn constant(pool: &Pool, t: Term) -> Option<Fun> {
    let Head::Fun(f) = pool.head(t) else { return None };
    let plain = pool.args(t).is_empty() && pool.fun(f).params.is_empty() && pool.fun(f).def.is_none();
    let sort = matches!(pool.sort_of(t), Sort::BOOL | Sort::INT | Sort::STRING);
    (plain && sort).then_some(f)
}

/// The symbol of a declared constant that a top-level equality may eliminate.
fn eliminable(pool: &Pool, t: Term) -> Option<Fun> {
    let Head::Fun(f) = pool.head(t) else { return None };
    let language = pool.sort_of(t) == Sort::REGLAN && pool.args(t).is_empty() && pool.fun(f).def.is_none();
    constant(pool, t).or(language.then_some(f))
}

/// Whether a term can replace a constant anywhere: it has no variables, binders or unsupported symbols.
fn is_plain(pool: &Pool, t: Term) -> bool {
    !pool.has_var(t) && !pool.has_binder(t) && !pool.has_opaque(t)
}
