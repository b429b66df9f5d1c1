//! The transformations of refutations.

use super::{Clause, Refutation};
use crate::rules::Equality;
use crate::substitute::{free_vars, fresh, literals, name_of, substitute, universals};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::print::term_text;
use smt::term::{AttrValue, Attribute};
use smt::{Head, Op, Pool, Term};

/// A transformation that can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Replace a variable that is free in `B` and elsewhere.
    Variable(Term),
    /// Replace a constant of `B`.
    Constant(Term),
    /// Replace a variable that is free in `B` only.
    Redundant(Term),
    /// Replace a variable under a quantifier: one that it binds, or a free one.
    Under(Term, Term),
}

/// All transformations of a refutation with an equality, in the order of its text.
pub fn steps(pool: &Pool, r: &Refutation, equality: &Equality) -> Vec<Step> {
    let fits = |t: &Term| pool.sort_of(*t) == equality.sort;
    if equality.constant {
        let mine = literals(pool, r.body).into_iter().filter(|&c| c == equality.rule.rhs);
        return mine.map(Step::Constant).collect();
    }
    let tied: FxHashSet<Term> = free_vars(pool, r.negation)
        .into_iter()
        .chain(r.clauses.iter().filter(|c| c.needed).flat_map(|c| free_vars(pool, c.term)))
        .collect();
    let mut out = Vec::new();
    for v in free_vars(pool, r.body).into_iter().filter(fits) {
        out.push(if tied.contains(&v) { Step::Variable(v) } else { Step::Redundant(v) });
    }
    for q in universals(pool, r.body) {
        out.extend(pool.bound_vars(q).iter().copied().filter(fits).map(|v| Step::Under(q, v)));
        let body = *pool.args(q).last().expect("a quantifier has a body");
        let mut outside: Vec<Term> = free_vars(pool, body);
        outside.retain(|v| fits(v) && tied.contains(v) && !pool.bound_vars(q).contains(v));
        out.extend(outside.into_iter().map(|v| Step::Under(q, v)));
    }
    out
}

/// An instance of an equality.
struct Applied {
    lhs: Term,
    when: Option<Term>,
    /// Variables of its own.
    own: Vec<Term>,
}

impl Refutation {
    /// The refutation after a step with an equality. `weak` changes how a side condition is added under a quantifier
    /// that occurs both positively and negatively, see `Refutation::under`.
    pub fn step(&self, pool: &mut Pool, step: Step, equality: &Equality, weak: bool) -> Refutation {
        match step {
            Step::Variable(x) => self.replace(pool, x, equality, true),
            Step::Redundant(x) => self.replace(pool, x, equality, false),
            Step::Constant(c) => self.constant(pool, c, equality),
            Step::Under(q, v) => self.under(pool, q, v, equality, weak),
        }
    }

    /// The equality with `x` for the variable on its right side, and fresh ones for the others.
    fn instantiate(
        &self,
        pool: &mut Pool,
        equality: &Equality,
        x: Option<Term>,
        taken: &mut FxHashSet<Term>,
    ) -> Applied {
        let rule = &equality.rule;
        let mut map: FxHashMap<Term, Term> = FxHashMap::default();
        let mut own = Vec::new();
        for &v in &rule.vars {
            let new = match x {
                Some(x) if v == rule.rhs => x,
                _ => {
                    let name = name_of(pool, v).to_owned();
                    let new = fresh(pool, taken, &format!("{name}_new"), pool.sort_of(v));
                    own.push(new);
                    new
                }
            };
            map.insert(v, new);
        }
        let lhs = substitute(pool, rule.lhs, &map);
        let when = rule.when.map(|w| substitute(pool, w, &map));
        Applied { lhs, when, own }
    }

    fn replace(&self, pool: &mut Pool, x: Term, equality: &Equality, needed: bool) -> Refutation {
        let mut taken = self.taken(pool);
        let name = name_of(pool, x).to_owned();
        let x_fresh = fresh(pool, &mut taken, &format!("{name}_fresh"), pool.sort_of(x));
        let applied = self.instantiate(pool, equality, Some(x), &mut taken);
        let clause = applied.clause(pool, x_fresh);
        let what = if needed { "variable" } else { "redundant variable" };
        self.with(
            pool,
            x,
            x_fresh,
            Clause { term: clause, needed },
            format!("{what} {name} by {}", equality.rule.name),
        )
    }

    fn constant(&self, pool: &mut Pool, c: Term, equality: &Equality) -> Refutation {
        let mut taken = self.taken(pool);
        let z = fresh(pool, &mut taken, "z_fresh", pool.sort_of(c));
        let applied = self.instantiate(pool, equality, None, &mut taken);
        let clause = applied.clause(pool, z);
        let step = format!("constant {} by {}", term_text(pool, c), equality.rule.name);
        self.with(pool, c, z, Clause { term: clause, needed: true }, step)
    }

    fn with(&self, pool: &mut Pool, old: Term, new: Term, clause: Clause, step: String) -> Refutation {
        let map = [(old, new)].into_iter().collect();
        let mut r = self.clone();
        r.body = substitute(pool, self.body, &map);
        r.plain = substitute(pool, self.plain, &map);
        r.clauses.push(clause);
        r.steps.push(step);
        r
    }

    /// Under the quantifier `q`, `v` becomes `v_fresh`, guarded by the clause.
    ///
    /// With the equality `l(v) = v if w(v)`, the body `φ(v)` becomes `(w(v) ⇒ l(v) = v_fresh) ⇒ φ(v_fresh)`. If `q` binds
    /// `v`, this is equivalent to `φ`: the guard holds for `v = v_fresh`, whatever `v_fresh` is. If `v` is free, it
    /// is as strong or stronger, which is sound where `q` occurs positively. `weak` makes it
    /// `(w(v) ∧ l(v) = v_fresh) ⇒ φ(v_fresh)`, which is as weak or weaker.
    fn under(&self, pool: &mut Pool, q: Term, v: Term, equality: &Equality, weak: bool) -> Refutation {
        let mut taken = self.taken(pool);
        let name = name_of(pool, v).to_owned();
        let v_fresh = fresh(pool, &mut taken, &format!("{name}_fresh"), pool.sort_of(v));
        let applied = self.instantiate(pool, equality, Some(v), &mut taken);
        let eq = pool.op(Op::Eq, &[applied.lhs, v_fresh]).expect("one sort");
        let guard = match applied.when {
            Some(w) if weak => pool.op(Op::And, &[w, eq]).expect("Bools"),
            Some(w) => pool.op(Op::Implies, &[w, eq]).expect("Bools"),
            None => eq,
        };
        let binds = pool.bound_vars(q).contains(&v);
        let mut vars = pool.bound_vars(q).to_vec();
        vars.push(v_fresh);
        if binds {
            vars.extend(&applied.own);
        }
        let body = *pool.args(q).last().expect("a quantifier has a body");
        let body = guarded(pool, body, v, v_fresh, guard, applied.lhs);
        vars.push(body);
        let new = pool.mk(Head::Forall, smt::Sort::BOOL, &vars);
        let map = [(q, new)].into_iter().collect();
        let mut r = self.clone();
        r.body = substitute(pool, self.body, &map);
        if let Some(w) = applied.when.filter(|_| !binds) {
            r.plain = pool.op(Op::And, &[w, self.plain]).expect("Bools");
        }
        r.steps.push(format!("{name} under the quantifier by {}", equality.rule.name));
        r
    }
}

impl Applied {
    /// `lhs = x`, with the side condition.
    fn clause(&self, pool: &mut Pool, x: Term) -> Term {
        let eq = pool.op(Op::Eq, &[self.lhs, x]).expect("one sort");
        match self.when {
            Some(w) => pool.op(Op::And, &[eq, w]).expect("Bools"),
            None => eq,
        }
    }
}

/// The body of a quantifier with `v_fresh` for `v` and a guard; the pattern gets the guard's term.
fn guarded(pool: &mut Pool, body: Term, v: Term, v_fresh: Term, guard: Term, trigger: Term) -> Term {
    let map = [(v, v_fresh)].into_iter().collect();
    let new = substitute(pool, body, &map);
    let Head::Annot(id) = pool.head(new) else {
        return pool.op(Op::Implies, &[guard, new]).expect("Bools");
    };
    let inner = pool.args(new)[0];
    let implied = pool.op(Op::Implies, &[guard, inner]).expect("Bools");
    let extended: Vec<Attribute> = pool
        .attributes(id)
        .iter()
        .map(|a| match &a.value {
            AttrValue::Terms(terms) => {
                let terms = terms.iter().copied().chain([trigger]).collect();
                Attribute { key: a.key, value: AttrValue::Terms(terms) }
            }
            _ => a.clone(),
        })
        .collect();
    pool.annotate(implied, extended.into())
}
