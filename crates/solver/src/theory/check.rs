//! The final check: nothing is left to decide; is this a model?
//!
//! Rounds of: axioms of new terms, congruence, integer arithmetic, then the strategy of the string calculus. A round
//! that derives facts is followed by another; a conflict, a lemma or a split ends the check; a round that derives
//! nothing is followed by a candidate model.

use super::propagate::{arith_conflict, close};
use super::register::register;
use super::{Theory, small};
use crate::builder::Builder;
use crate::calculus::{Calculus, Step, Stop, stop_if};
use crate::egraph::Premise;
use crate::engines::Engine;
use crate::infer::Rule;
use crate::lia::IntResult;
use crate::poly::Poly;
use crate::rewrite::Mode;
use crate::strings::combine::decide_formulas;
use crate::strings::model::{self, Candidate, Problem};
use crate::strings::{self, Progress, Round, distinct};
use crate::theories::{self, reals};
use rustc_hash::FxHashSet;
use sat::{Context, Final, Lit};
use semantics::Model;
use smt::{Head, Int, Op, PostOrder, Sort, Term};

/// Checks of candidates after which small values are tried.
const LONG: u32 = 200;

impl Theory<'_> {
    /// A model with small values, if it is time to try them: the search gives up, or has become long.
    fn small_model(&mut self, ctx: &mut Context<'_>, last: bool) -> Option<Box<Model>> {
        if self.open_checks >= LONG || self.workspace.interrupted() {
            return None;
        }
        self.open_checks = if last { LONG } else { self.open_checks + 1 };
        let mut calculus = self.workspace.calculus(ctx);
        let due = self.open_checks == LONG && calculus.has(Engine::Small);
        if due { small::model(&mut calculus, &self.problem) } else { None }
    }

    pub(super) fn check(&mut self, ctx: &mut Context<'_>) -> Final {
        let mut calculus = self.workspace.calculus(ctx);
        let candidate = rounds(&mut calculus, &self.problem).and_then(|end| match end {
            End::Guessed(model) => Ok(Candidate::Accepted(model)),
            End::Saturated(round) => model::candidate(&mut calculus, &self.problem, &mut self.bound, &round),
        });
        if !matches!(candidate, Ok(Candidate::Accepted(_)))
            && let Some(model) = self.small_model(ctx, candidate.is_ok())
        {
            self.found = Some(*model);
            return Final::Consistent;
        }
        match candidate {
            // A step that was interrupted would be taken up again until the search looks at its limits.
            Err(Stop) if self.workspace.interrupted() => Final::GiveUp,
            Err(Stop) => Final::Continue,
            Ok(Candidate::Accepted(model)) => {
                self.found = Some(*model);
                Final::Consistent
            }
            Ok(Candidate::Rejected(reason)) => {
                self.incomplete.get_or_insert(reason);
                Final::GiveUp
            }
        }
    }
}

/// The end of the rounds.
enum End {
    /// A round derived nothing.
    Saturated(Box<Round>),
    /// The referee accepted a guess.
    Guessed(Box<Model>),
}

/// Rounds of the strategy until one derives nothing.
fn rounds(c: &mut Calculus<'_>, problem: &Problem<'_>) -> Result<End, Stop> {
    let mut guess = c.has(Engine::Guess) && c.state.guesses.due();
    for k in 0.. {
        let terms = relevant_terms(c);
        register_all(c, &terms)?;
        // New terms may be equal to others by congruence.
        close(c)?;
        check_integers(c)?;
        if merge_fixed_integers(c, &terms) {
            continue;
        }
        // After arithmetic, whose conflicts need fewer premises: in `(distinct x y …)` with `x = ""`, `y = ""` and |x| = 2.
        distinct::check(c)?;
        split_integer_disequalities(c)?;
        if theories::check_data(c, &terms)? {
            continue;
        }
        theories::check_bits(c)?;
        stop_if(decide_formulas(c, &terms))?;
        reals::check(c, &terms)?;
        c.inferences.tick(100);
        if k % 4 == 3 && c.interrupted() {
            break;
        }
        match strings::strategy(c, &terms, guess)? {
            Progress::Facts => {}
            Progress::Saturated(round) => return Ok(End::Saturated(round)),
            Progress::Guess(round) => {
                if let Some(model) = model::guessed(c, problem, &round) {
                    return Ok(End::Guessed(model));
                }
                c.state.guesses.failed();
                guess = false;
            }
        }
    }
    Ok(End::Saturated(Box::default()))
}

/// The subterms of assigned atoms, of terms in facts, and of their monomials; arguments first.
fn relevant_terms(c: &mut Calculus<'_>) -> Vec<Term> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut out = Vec::new();
    let mut roots: Vec<Term> = c.state.asserted.iter().filter_map(|l| c.inferences.atom(l.var())).collect();
    roots.extend(&c.state.derived);
    let mut next = 0;
    loop {
        for t in roots.drain(..) {
            subterms(c, t, &mut seen, &mut out);
        }
        // The sum of a term may have monomials that are not subterms: lengths of parts of a concatenation.
        while next < out.len() {
            let t = out[next];
            next += 1;
            monomials(c, t, &mut roots);
        }
        if roots.is_empty() {
            return out;
        }
    }
}

/// Adds the subterms of a term that are not in `seen`; those of regular expressions and below binders are not relevant.
fn subterms(c: &Calculus<'_>, t: Term, seen: &mut FxHashSet<Term>, out: &mut Vec<Term>) {
    let args = |t: Term| match c.terms.pool.has_var(t) || c.sort(t) == Sort::REGLAN {
        true => &[],
        false => c.terms.pool.args(t),
    };
    let mut walk = PostOrder::new([t]);
    while let Some(t) = walk.next(|t| seen.insert(t).then(|| args(t).iter().rev().copied())) {
        out.push(t);
    }
}

/// The monomials of an integer, or of the length of a string.
fn monomials(c: &mut Calculus<'_>, t: Term, out: &mut Vec<Term>) {
    let Some(integer) = integer_of(c, t) else { return };
    let s = c.sum(integer);
    out.extend(s.terms.iter().map(|(_, v)| c.state.arith.term(*v)));
}

/// The integer of a term for arithmetic: the length of a string.
fn integer_of(c: &mut Calculus<'_>, t: Term) -> Option<Term> {
    match c.sort(t) {
        Sort::INT => Some(t),
        Sort::STRING => Some(c.len(t)),
        _ => None,
    }
}

fn register_all(c: &mut Calculus<'_>, terms: &[Term]) -> Step {
    let mut sent = false;
    for (k, &t) in terms.iter().enumerate() {
        sent |= register(c, t);
        if k % 64 == 63 && c.interrupted() {
            return Err(Stop);
        }
    }
    stop_if(sent)
}

/// Integer solutions: cuts and branches.
fn check_integers(c: &mut Calculus<'_>) -> Step {
    match c.state.arith.lia.check_int() {
        IntResult::Model => Ok(()),
        IntResult::Conflict(tags) => Err(arith_conflict(c, &tags)),
        IntResult::Branch(v, n) => {
            let t = c.state.arith.poly_of(v).to_term(c.terms.pool);
            let above = c.terms.pool.int(&n + &Int::ONE);
            // Entailment would rewrite the atom to what arithmetic knows already. An atom whose value is not in the bounds
            // yet does not end the check.
            stop_if(c.in_mode(Mode::WithoutEntailment, |c| {
                let atom = c.ge(t, above);
                c.split(Rule::Branch, &[], atom, false)
            }))
        }
        IntResult::Cut(sum, constant, tags) => {
            let mut poly = Poly { terms: Vec::new(), constant: Int::ZERO };
            for (k, v) in &sum {
                poly = poly.add(&c.state.arith.poly_of(*v).scale(k));
            }
            let t = poly.to_term(c.terms.pool);
            let bound = c.terms.pool.int(constant);
            let atom = c.ge(bound, t);
            let premises = c.state.arith.premises(&tags);
            stop_if(c.lemma(Rule::Cut, &premises, &[atom]))
        }
    }
}

/// S-Prop: a term with one value within its bounds is merged with it.
fn merge_fixed_integers(c: &mut Calculus<'_>, terms: &[Term]) -> bool {
    let mut merged = false;
    for &t in terms {
        let Some(t) = integer_of(c, t) else { continue };
        let n = c.node(t);
        if c.state.egraph.value(n).is_some() {
            continue;
        }
        let s = c.sum(t);
        if let Some((value, tags)) = c.state.arith.fixed(&s) {
            let constant = c.terms.pool.int(value);
            let constant = c.node(constant);
            let premises = c.state.arith.premises(&tags);
            merged |= c.fact(Rule::Fixed, n, constant, &premises);
        }
    }
    merged
}

/// `s != t` with equal values in the arithmetic model: one is greater.
fn split_integer_disequalities(c: &mut Calculus<'_>) -> Step {
    let negative: Vec<Lit> = c.state.asserted.iter().copied().filter(|l| !l.is_positive()).collect();
    let mut sent = false;
    for l in negative {
        let Some(t) = c.inferences.atom(l.var()) else { continue };
        let (Head::Op(Op::Eq), &[a, b]) = (c.head(t), c.terms.pool.args(t)) else { continue };
        if c.sort(a) != Sort::INT {
            continue;
        }
        let d = c.difference(a, b);
        if !c.state.arith.value_of(&d).is_zero() {
            continue;
        }
        let (above, below) = (c.greater(a, b), c.greater(b, a));
        sent |= c.lemma(Rule::IntDisequal, &[Premise::Lit(l)], &[above, below]);
    }
    stop_if(sent)
}
