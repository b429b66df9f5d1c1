//! Failures that are about equations of regular expressions and nothing else.
//!
//! `(= r s)` and `(distinct r s)` of languages are beside the memberships that string solvers are built for: some leave them without a meaning, so that every such
//! formula is satisfiable for them. Which operators the expressions have does not matter then, and reductions end at many of them. Two unsound `sat` whose formulas have no
//! other atom are put together for that reason.

use crate::doc::Doc;
use campaign::finding::Finding;
use smt::{Head, Op, Pool, Sort, Term};

/// All atoms of its formula are equations of regular expressions.
pub(super) fn is_about_equations(finding: &Finding) -> bool {
    let Ok(doc) = Doc::from_text(finding.reduced.script.as_bytes()) else { return false };
    let mut equations = 0;
    let mut todo: Vec<Term> = doc.script.assertions().collect();
    while let Some(t) = todo.pop() {
        match atom(&doc.pool, t) {
            Atom::Connective => todo.extend(doc.pool.children(t)),
            Atom::Equation => equations += 1,
            Atom::Constant => {}
            Atom::Other => return false,
        }
    }
    equations > 0
}

enum Atom {
    /// Its arguments are formulas.
    Connective,
    /// An equation of regular expressions.
    Equation,
    /// True, false, or a constant of sort Bool.
    Constant,
    Other,
}

fn atom(pool: &Pool, t: Term) -> Atom {
    let of = |sort| pool.children(t).all(|c| pool.sort_of(c) == sort);
    match pool.head(t) {
        _ if pool.children(t).next().is_none() => Atom::Constant,
        Head::Op(Op::Eq | Op::Distinct) if of(Sort::REGLAN) => Atom::Equation,
        Head::Op(_) if of(Sort::BOOL) => Atom::Connective,
        _ => Atom::Other,
    }
}
