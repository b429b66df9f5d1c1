//! Without levels of `push` and `pop`, and without resets.
//!
//! A level goes with everything in it: `(push 1) (assert p) (check-sat) (pop 1) (check-sat)` becomes `(check-sat)`; the other checks do not see it. Or only its
//! `push` and `pop` go: then its assertions are in force at later checks too, which become stronger. In the same way all that comes before a reset
//! goes with it, or the reset alone.

use super::Pass;
use super::checks::{is_check, is_request};
use super::edit::{Edit, largest};
use crate::doc::{Doc, Effect};
use smt::Command;
use smt::script::Plain;

/// Drops levels.
pub(super) struct Levels;

/// A `push` and the `pop` that closes the same levels, if there is one.
#[derive(Clone, Copy)]
struct Level {
    push: usize,
    pop: Option<usize>,
}

impl Pass for Levels {
    fn name(&self) -> &'static str {
        "levels"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let commands: Vec<&Command> = doc.script.commands().collect();
        let levels = levels(&commands);
        let of_levels = levels.iter().flat_map(|l| of_level(&commands, *l));
        largest(of_levels.chain((0..commands.len()).flat_map(|i| of_reset(&commands, i))))
    }
}

/// The levels, by their `push`; those that a `pop` closes only in part or together with others are left out.
fn levels(commands: &[&Command]) -> Vec<Level> {
    let mut open: Vec<(usize, u32, bool)> = Vec::new();
    let mut out = Vec::new();
    let unclosed = |open: &mut Vec<(usize, u32, bool)>, out: &mut Vec<Level>| {
        out.extend(open.drain(..).filter(|l| l.2).map(|(push, ..)| Level { push, pop: None }));
    };
    for (i, c) in commands.iter().enumerate() {
        match c {
            Command::Push(0) | Command::Pop(0) => out.push(Level { push: i, pop: None }),
            Command::Push(n) => open.push((i, *n, true)),
            Command::Pop(n) => out.extend(close(&mut open, i, *n)),
            Command::Plain(Plain::Reset | Plain::ResetAssertions) => unclosed(&mut open, &mut out),
            Command::Plain(Plain::Exit) => break,
            _ => {}
        }
    }
    unclosed(&mut open, &mut out);
    out.sort_by_key(|l| l.push);
    out
}

/// Closes levels. A `push` of which a `pop` closes a part is marked.
fn close(open: &mut Vec<(usize, u32, bool)>, pop: usize, mut n: u32) -> Option<Level> {
    if let Some(&(push, count, true)) = open.last()
        && count == n
    {
        open.pop();
        return Some(Level { push, pop: Some(pop) });
    }
    while n > 0 {
        let (_, count, whole) = open.last_mut()?;
        let closed = n.min(*count);
        (*count, *whole, n) = (*count - closed, false, n - closed);
        if *count == 0 {
            open.pop();
        }
    }
    None
}

fn of_level(commands: &[&Command], level: Level) -> Vec<Edit> {
    let Some(pop) = level.pop else { return vec![Edit::drop(Effect::Equivalent, vec![level.push])] };
    let asserts = commands[level.push..pop].iter().any(|c| matches!(c, Command::Assert(_)));
    let checks = commands[pop..].iter().any(|c| is_check(c));
    let effect = if asserts && checks { Effect::Stronger } else { Effect::Equivalent };
    let whole = Edit::drop(Effect::Equivalent, (level.push..=pop).collect());
    vec![whole, Edit::drop(effect, vec![level.push, pop])]
}

/// Without a reset: with all that it ends, or alone.
fn of_reset(commands: &[&Command], i: usize) -> Vec<Edit> {
    let ended = |c: &Command| {
        is_check(c) || is_request(c) || matches!(c, Command::Assert(_) | Command::Push(_) | Command::Pop(_))
    };
    let (before, effect): (Vec<usize>, Effect) = match commands[i] {
        Command::Plain(Plain::Reset) => ((0..=i).collect(), Effect::Any),
        Command::Plain(Plain::ResetAssertions) => {
            let is_ended = |&k: &usize| k == i || ended(commands[k]) || is_reset(commands[k]);
            ((0..=i).filter(is_ended).collect(), Effect::Stronger)
        }
        _ => return Vec::new(),
    };
    vec![Edit::drop(Effect::Equivalent, before), Edit::drop(effect, vec![i])]
}

fn is_reset(c: &Command) -> bool {
    matches!(c, Command::Plain(Plain::ResetAssertions))
}
