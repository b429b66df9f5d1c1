//! What a solver printed, divided by its answers.

use crate::compose::dialect_of;
use crate::profile::Profile;
use smt::answer::{Item, Verdict};
use smt::{Dialect, Pool};

/// An answer to `check-sat` and what was printed after it.
#[derive(Debug)]
pub(super) struct Reply {
    /// The answer; none if the solver says that it ran out of time.
    pub(super) verdict: Option<Verdict>,
    /// The pieces after it, other than errors.
    pub(super) items: Vec<Item>,
    /// The errors after it.
    pub(super) errors: Vec<String>,
    /// How many errors after it mean nothing: they answer a question that did not fit.
    pub(super) benign: usize,
}

/// All that a solver printed.
#[derive(Debug, Default)]
pub(super) struct Output {
    /// Errors before the first answer: the solver did not understand, and what it answers then means nothing.
    pub(super) errors: Vec<String>,
    /// Before its first answer it said `unsupported` of something.
    pub(super) unsupported: bool,
    /// Its answers.
    pub(super) replies: Vec<Reply>,
    /// Lines before the first answer that are none of these.
    pub(super) others: Vec<String>,
}

impl Output {
    /// Reads the standard output of a solver.
    pub(super) fn read(stdout: &[u8], profile: &Profile, pool: &mut Pool) -> Output {
        Output::read_as(dialect_of(profile), stdout, profile, pool)
    }

    /// Reads it with the escapes of another dialect than the profile's.
    pub(super) fn read_as(dialect: Dialect, stdout: &[u8], profile: &Profile, pool: &mut Pool) -> Output {
        let mut output = Output::default();
        for item in smt::answer::read(&profile.standard_output(stdout), dialect, pool) {
            output.add(item, &profile.benign);
        }
        output.replies.iter_mut().for_each(Reply::settle);
        output
    }

    fn add(&mut self, item: Item, benign: &[String]) {
        let is_benign = |text: &str| benign.iter().any(|b| !b.is_empty() && text.contains(b.as_str()));
        match (item, self.replies.last_mut()) {
            (Item::Verdict(v), _) => self.reply(Some(v)),
            (Item::Timeout, _) => self.reply(None),
            (Item::Error(text), Some(last)) if is_benign(&text) => last.benign += 1,
            (Item::Error(text) | Item::Other(text), _) if is_benign(&text) => {}
            (Item::Error(text), None) => self.errors.push(text),
            (Item::Error(text), Some(last)) => last.errors.push(text),
            (Item::Unsupported, None) => self.unsupported = true,
            (Item::Success | Item::ReasonUnknown(_) | Item::Info(..), None) => {}
            (item, None) => self.others.push(text_of(&item)),
            (item, Some(last)) => last.items.push(item),
        }
    }

    /// Drops what says that time ran out after the last question was answered: while a model or core was looked
    /// for. Whether there was any.
    pub(super) fn pop_timeouts(&mut self, questions: usize) -> bool {
        let before = self.replies.len();
        while self.replies.len() > questions && self.replies.last().is_some_and(|r| r.verdict.is_none()) {
            self.replies.pop();
        }
        self.replies.len() < before
    }

    fn reply(&mut self, verdict: Option<Verdict>) {
        self.replies.push(Reply { verdict, items: Vec::new(), errors: Vec::new(), benign: 0 });
    }
}

impl Reply {
    /// An empty list may be an empty model or an empty core. Where a question was refused, nobody knows which, unless
    /// the error is about the other one.
    fn settle(&mut self) {
        let other = if self.verdict == Some(Verdict::Unsat) { "model" } else { "core" };
        let about_other = |e: &String| e.to_ascii_lowercase().contains(other);
        if !self.errors.iter().all(about_other) || self.items.contains(&Item::Unsupported) {
            self.items.retain(|i| *i != Item::Empty);
        }
    }

    /// It holds something that reads like a model, or was meant to be one.
    pub(super) fn has_model(&self) -> bool {
        self.items.iter().any(|i| {
            matches!(
                i,
                Item::Model(_) | Item::Values(_) | Item::Empty | Item::Unreadable(_) | Item::Truncated(_)
            )
        })
    }

    /// The names of the core; none if it has no core that can be read. Of several lists the first counts whose
    /// members are all `known`, since lists are also printed for other reasons.
    pub(super) fn core(&self, known: impl Fn(&str) -> bool) -> Option<&[String]> {
        let lists = self.items.iter().filter_map(|i| match i {
            Item::Names(names) => Some(&names[..]),
            Item::Empty => Some(&[][..]),
            _ => None,
        });
        let lists: Vec<&[String]> = lists.collect();
        lists.iter().find(|l| l.iter().all(|n| known(n))).or(lists.first()).copied()
    }

    /// What it printed in place of a core or model that could not be read.
    pub(super) fn unreadable(&self) -> Option<String> {
        self.items.iter().find_map(|i| match i {
            Item::Truncated(_) => Some("it is cut off".into()),
            Item::Unreadable(why) => Some(format!("it cannot be read: {why}")),
            Item::Other(text) => {
                Some(format!("`{}` is no model and no core", super::evidence::clip(text, 100)))
            }
            _ => None,
        })
    }
}

fn text_of(item: &Item) -> String {
    match item {
        Item::Other(text) | Item::Truncated(text) | Item::Unreadable(text) => text.clone(),
        Item::Names(names) => format!("({})", names.join(" ")),
        Item::Model(_) | Item::Values(_) | Item::Empty => "a model without an answer before it".into(),
        other => format!("{other:?}"),
    }
}
