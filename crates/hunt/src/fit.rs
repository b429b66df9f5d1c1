//! Instances in a form that a solver takes: chains of relations as conjunctions, for solvers that have them with two arguments only; and without
//! names, so that no core is asked for.
//!
//! `(str.< x y z)` is `(and (str.< x y) (str.< y z))` by the standard, so the answer and all models stay.

use rustc_hash::FxHashMap;
use semantics::instance::Truth;
use smt::{Command, Head, Op, Pool, Sort, Term};
use synth::sources::Made;

/// Writes chains of the operators in `binary` as conjunctions.
pub(crate) fn pairs(made: &mut Made, binary: &[Op]) {
    if binary.is_empty() {
        return;
    }
    let (pool, mut done) = (&mut made.instance.pool, FxHashMap::default());
    let mut rewritten =
        |t: &mut Term| *t = pool.rebuild(*t, &mut done, |pool, t, args| pair(pool, t, args, binary));
    for entry in &mut made.instance.script.entries {
        match &mut entry.command {
            Command::Assert(t) => rewritten(t),
            Command::CheckSatAssuming(terms) => terms.iter_mut().for_each(&mut rewritten),
            _ => {}
        }
    }
}

/// Forgets the known core, for which assertions are named; that there is no model stays known.
pub(crate) fn without_core(made: &mut Made) {
    if let Truth::Unsat(core) = &mut made.instance.truth {
        core.clear();
    }
}

/// The term with these children; a chain of one of these operators as a conjunction.
fn pair(pool: &mut Pool, t: Term, children: &[Term], binary: &[Op]) -> Term {
    let head = pool.head(t);
    if children.len() <= 2 || !matches!(head, Head::Op(op) if binary.contains(&op)) {
        return pool.with_children(t, children);
    }
    let links: Vec<Term> = children.windows(2).map(|two| pool.mk(head, Sort::BOOL, two)).collect();
    pool.mk(Head::Op(Op::And), Sort::BOOL, &links)
}

#[cfg(test)]
mod tests {
    use super::*;
    use semantics::Instance;

    #[test]
    fn without_a_core_no_assertion_is_named() {
        let text = "(declare-const x String)(assert (distinct x x))(assert (= x \"a\"))(check-sat)";
        let mut made = Made::of(Instance::from_text(text.as_bytes(), None).unwrap());
        made.instance.truth = Truth::Unsat(vec![0]);
        assert!(made.text("s", "n").contains(":named"));
        without_core(&mut made);
        let out = made.text("s", "n");
        assert!(!out.contains(":named") && out.contains(":status unsat"), "{out}");
    }

    #[test]
    fn chains_become_conjunctions() {
        let text =
            "(declare-const x String)(assert (not (str.< x \"b\" (ite (str.<= x x x) x \"c\"))))(check-sat)";
        let mut made = Made::of(Instance::from_text(text.as_bytes(), None).unwrap());
        pairs(&mut made, &[]);
        assert!(made.text("s", "n").contains("(str.<= x x x)"));
        pairs(&mut made, &[Op::StrLt, Op::StrLe]);
        let term = "(ite (and (str.<= x x) (str.<= x x)) x \"c\")";
        let out = made.text("s", "n");
        assert!(out.contains(&format!("(assert (not (and (str.< x \"b\") (str.< \"b\" {term}))))")), "{out}");
    }
}
