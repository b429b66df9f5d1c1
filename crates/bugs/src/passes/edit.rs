//! Edits as data: a pass offers them, [`apply`](super::apply()) does them.

use crate::doc::Effect;
use smt::symbol::Symbol;
use smt::{Command, Fun, Int, Op, Sort, Term};

/// A local change of one script; it means nothing for another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Its effect on the answers.
    pub effect: Effect,
    /// The nodes or characters that it removes, estimated.
    pub gain: u32,
    pub(super) change: Change,
}

/// The change that an edit makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Removes these commands.
    Drop(Vec<usize>),
    /// Replaces a command by others.
    Commands(usize, Vec<Command>),
    /// Replaces an assertion by several, of these terms or their negations.
    Conjuncts(usize, Vec<(Term, bool)>),
    /// Gives the script another logic.
    Logic(usize, &'static str),
    /// Removes an assumption of a `check-sat-assuming`, by its number.
    Assumption(usize, usize),
    /// Replaces one occurrence of a term.
    At(Site, New),
    /// Removes an argument of an operator that takes any number of them.
    Without(Site),
    /// Replaces terms without variables wherever they occur, and removes the command whose job that does. The effect counts for the
    /// script alone: of several such edits, those that meet an earlier one are left out.
    Everywhere(Vec<(Term, New)>, Option<usize>),
    /// Replaces the calls of a defined function, or the uses of a name, by its definition.
    Inline(Fun),
    /// Gives everything with this name another one, which is new.
    Rename(Symbol, Box<str>),
    /// Prints a command with `let` or without.
    Lets(usize, bool),
    /// Removes parameters of a function.
    Parameters(Fun, Vec<usize>),
}

impl Edit {
    /// Replaces one term wherever it occurs.
    pub(super) fn everywhere(effect: Effect, gain: u32, old: Term, new: New) -> Edit {
        Edit { effect, gain, change: Change::Everywhere(vec![(old, new)], None) }
    }

    /// Removes commands.
    pub(super) fn drop(effect: Effect, commands: Vec<usize>) -> Edit {
        Edit { effect, gain: commands.len() as u32, change: Change::Drop(commands) }
    }
}

/// An occurrence of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Site {
    /// The index of the command.
    pub(super) command: usize,
    /// Of the functions that the command defines, this one.
    pub(super) body: usize,
    /// Its number in the text of the term.
    pub(super) index: u32,
}

/// A term to be built in the place of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum New {
    /// The argument with this number of the replaced occurrence, with its own edits.
    Arg(usize),
    /// The occurrence with this number, below the replaced one, with its own edits.
    Below(u32),
    /// A term of the script.
    Term(Term),
    /// A string.
    Str(Vec<u32>),
    /// An integer.
    Int(Int),
    /// The empty sequence.
    Empty,
    /// An operator with indices, applied.
    App(Op, Vec<Int>, Vec<New>),
    /// A new constant.
    Fresh(Sort),
    /// A constant that occurs in the replaced term only: it takes its value.
    Own(Fun),
    /// The body of the replaced binder, with its variables replaced by these, or kept where there is none.
    Instance(Vec<Option<New>>),
}

impl New {
    /// An operator without indices, applied.
    pub(super) fn op(op: Op, args: Vec<New>) -> New {
        New::App(op, Vec::new(), args)
    }

    /// A constant of an operator: `true`, `re.all`.
    pub(super) fn constant(op: Op) -> New {
        New::op(op, Vec::new())
    }

    /// `(str.to_re word)`
    pub(super) fn word(word: Vec<u32>) -> New {
        New::op(Op::StrToRe, vec![New::Str(word)])
    }
}

/// The most edits that a pass offers at once.
const MOST: usize = 20_000;

/// The largest edits, the largest first; those of one gain in the order of the script.
pub(super) fn largest(edits: impl IntoIterator<Item = Edit>) -> Vec<Edit> {
    let mut kept = Vec::new();
    for e in edits {
        kept.push(e);
        if kept.len() == 4 * MOST {
            prune(&mut kept);
        }
    }
    prune(&mut kept);
    kept
}

fn prune(edits: &mut Vec<Edit>) {
    edits.sort_by_key(|e| std::cmp::Reverse(e.gain));
    edits.truncate(MOST);
}
