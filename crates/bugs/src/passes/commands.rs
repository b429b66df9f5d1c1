//! Without commands that ask nothing about satisfiability.
//!
//! `(set-info :source |…|)`, `(set-option :produce-models true)`, `(get-model)`, `(echo "…")`, and everything from `(exit)` on disappear;
//! `(set-logic QF_SLIA)` disappears or becomes `(set-logic ALL)`; `(declare-fun x () Int)` becomes `(declare-const x Int)`. Models stay the
//! same. Commands of other tools, such as `(assert-soft …)`, are dropped as well, with unknown effect.

use super::Pass;
use super::edit::{Change, Edit, largest};
use crate::doc::{Doc, Effect};
use smt::Command;
use smt::script::Plain;

/// Drops settings and requests.
pub(super) struct Commands;

impl Pass for Commands {
    fn name(&self) -> &'static str {
        "commands"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let last = doc.script.entries.len();
        let all = doc.script.commands().enumerate();
        largest(all.flat_map(|(i, c)| match c {
            Command::Plain(Plain::Exit) => vec![Edit::drop(Effect::Equivalent, (i..last).collect())],
            Command::SetLogic(_) => logics(i),
            Command::DeclareFun(f) if doc.pool.fun(*f).params.is_empty() => {
                vec![exchange(i, Command::DeclareConst(*f))]
            }
            c => dropped(c).map(|effect| Edit::drop(effect, vec![i])).into_iter().collect(),
        }))
    }
}

fn exchange(i: usize, c: Command) -> Edit {
    Edit { effect: Effect::Equivalent, gain: 1, change: Change::Commands(i, vec![c]) }
}

/// Without a logic, or with one that has a shorter name and as many operators.
fn logics(i: usize) -> Vec<Edit> {
    let shorter = |name| Edit { effect: Effect::Equivalent, gain: 1, change: Change::Logic(i, name) };
    vec![Edit { gain: 2, ..Edit::drop(Effect::Equivalent, vec![i]) }, shorter("ALL"), shorter("QF_S")]
}

/// The effect of dropping the command, if that may be done. Declarations go when nothing uses them.
fn dropped(c: &Command) -> Option<Effect> {
    match c {
        Command::SetInfo(..) | Command::SetOption(..) | Command::GetValue(_) => Some(Effect::Equivalent),
        Command::GetInfo(_) | Command::GetOption(_) | Command::Echo(_) => Some(Effect::Equivalent),
        Command::Plain(Plain::Reset | Plain::ResetAssertions | Plain::Exit) => None,
        Command::Plain(_) => Some(Effect::Equivalent),
        Command::Other(_) => Some(Effect::Any),
        Command::DeclareFun(_) | Command::DeclareConst(_) | Command::DeclareSort(..) => None,
        Command::DefineFun(_) | Command::DefineConst(_) | Command::DefineSort(..) => None,
        Command::DefineFunRec(_) | Command::DefineFunsRec(_) => None,
        Command::SetLogic(_) | Command::Assert(_) | Command::CheckSat => None,
        Command::CheckSatAssuming(_) | Command::Push(_) | Command::Pop(_) => None,
    }
}
