//! Without a constant that an equality determines.
//!
//! `(assert (= x (str.++ y "a")))` disappears, and `x` becomes `(str.++ y "a")` elsewhere; with `(assert p)`, `p` becomes `true`. Where the equality is in force, the answer
//! stays the same: the value of `x` follows from the others. A check without it becomes stronger.

use super::Pass;
use super::checks::is_check;
use super::edit::{Change, Edit, New, largest};
use super::facts;
use crate::doc::{Doc, Effect};
use rustc_hash::FxHashSet;
use smt::script::Plain;
use smt::{Command, Fun, Head, Op, Pool, Term, Walk};

/// Solves equalities.
pub(super) struct Solve;

impl Pass for Solve {
    fn name(&self) -> &'static str {
        "solve"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let declared: FxHashSet<Fun> = facts::constants(doc).into_iter().collect();
        let (everywhere, some) =
            (facts::global(doc, Effect::Equivalent), facts::global(doc, Effect::Stronger));
        let last = always(doc);
        largest(doc.script.commands().enumerate().flat_map(|(i, c)| {
            let Command::Assert(t) = c else { return Vec::new() };
            let effect = if i < last { everywhere } else { some };
            let solved = solutions(&doc.pool, *t).into_iter();
            let fits = solved.filter(|(x, t)| is_free(&doc.pool, &declared, *x, t));
            fits.map(|(x, t)| Edit { effect, gain: 1, change: Change::Everywhere(vec![(x, t)], Some(i)) })
                .collect()
        }))
    }
}

/// Assertions before this command are in force at every check.
pub(super) fn always(doc: &Doc) -> usize {
    let resets = |c: &Command| matches!(c, Command::Plain(Plain::Reset | Plain::ResetAssertions));
    if doc.script.commands().any(resets) {
        return 0;
    }
    let ends = |c: &Command| is_check(c) || matches!(c, Command::Push(_) | Command::Pop(_));
    doc.script.commands().position(ends).unwrap_or(doc.script.entries.len())
}

/// The constants that an assertion determines, with their terms.
fn solutions(pool: &Pool, t: Term) -> Vec<(Term, New)> {
    let t = pool.strip(t);
    let args = pool.args(t);
    match pool.head(t) {
        Head::Op(Op::Eq) => {
            if let &[a, b] = args {
                vec![(a, New::Term(b)), (b, New::Term(a))]
            } else {
                Vec::new()
            }
        }
        Head::Op(Op::Not) => vec![(args[0], New::constant(Op::False))],
        _ => vec![(t, New::constant(Op::True))],
    }
}

/// `x` is a declared constant that the term does not depend on, and the term has no variables.
fn is_free(pool: &Pool, declared: &FxHashSet<Fun>, x: Term, new: &New) -> bool {
    let Head::Fun(f) = pool.head(x) else { return false };
    let New::Term(t) = new else { return declared.contains(&f) };
    declared.contains(&f) && !pool.has_var(*t) && pool.sort_of(x) == pool.sort_of(*t) && !depends(pool, *t, f)
}

/// The value of `t` depends on `f`.
fn depends(pool: &Pool, t: Term, f: Fun) -> bool {
    let mut walk = Walk::new([t]);
    while let Some(t) = walk.next() {
        walk.enter_children(pool, t);
        if let Head::Fun(g) = pool.head(t) {
            if f == g {
                return true;
            }
            walk.extend(pool.fun(g).def.as_ref().map(|d| d.body));
        }
    }
    false
}
