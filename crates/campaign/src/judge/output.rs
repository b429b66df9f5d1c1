//! The output of a solver, divided by its answers.

use crate::profile::Profile;
use smt::answer::{Item, Verdict};
use smt::{Dialect, Pool};

/// An answer to `check-sat` and the output after it.
#[derive(Debug)]
pub(super) struct Reply {
    /// The answer; none if the solver reports that it ran out of time.
    pub(super) verdict: Option<Verdict>,
    /// The pieces after it, other than errors.
    pub(super) items: Vec<Item>,
    /// The errors after it.
    pub(super) errors: Vec<String>,
    /// The number of harmless errors after it: they answer a request that did not fit.
    pub(super) benign: usize,
}

/// The output of a solver.
#[derive(Debug, Default)]
pub(super) struct Output {
    /// Errors before the first answer: the solver rejected part of the script, and its answers are ignored.
    pub(super) errors: Vec<String>,
    /// It printed `unsupported` before its first answer.
    pub(super) unsupported: bool,
    /// Its answers.
    pub(super) replies: Vec<Reply>,
    /// Other lines before the first answer.
    pub(super) others: Vec<String>,
}

impl Output {
    /// Reads the standard output of a solver.
    pub(super) fn read(stdout: &[u8], profile: &Profile, pool: &mut Pool) -> Output {
        Output::read_as(profile.dialect, stdout, profile, pool)
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

    /// Drops reports of a timeout after the last answer, which come from the search for a model or core. Returns whether
    /// there were any.
    pub(super) fn pop_timeouts(&mut self, queries: usize) -> bool {
        let before = self.replies.len();
        while self.replies.len() > queries && self.replies.last().is_some_and(|r| r.verdict.is_none()) {
            self.replies.pop();
        }
        self.replies.len() < before
    }

    fn reply(&mut self, verdict: Option<Verdict>) {
        self.replies.push(Reply { verdict, items: Vec::new(), errors: Vec::new(), benign: 0 });
    }
}

impl Reply {
    /// Drops empty lists that may be a model or a core: where a request was refused, it is not known which, unless the error
    /// names the other one.
    fn settle(&mut self) {
        let other = if self.verdict == Some(Verdict::Unsat) { "model" } else { "core" };
        let about_other = |e: &String| e.to_ascii_lowercase().contains(other);
        if !self.errors.iter().all(about_other) || self.items.contains(&Item::Unsupported) {
            self.items.retain(|i| *i != Item::Empty);
        }
    }

    /// It has something that is a model, or was meant to be one.
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

    /// The reason why its core or model cannot be read.
    pub(super) fn unreadable(&self) -> Option<String> {
        self.items.iter().find_map(|i| match i {
            Item::Truncated(_) => Some("it is truncated".into()),
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
