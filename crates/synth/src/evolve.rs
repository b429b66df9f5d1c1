//! Breeding: scripts from scripts, by random mutation.
//!
//! After StringBreak (Blotsky, thesis, 2018, chapter 4): a child is a random mutation of a random parent. The thesis has four
//! mutators (*reverse*, *translate*, *add* a constraint, *remove* one); here any transformer is one as well, and *cross* joins
//! two parents. A list of names with weights ([`Mutators`]) selects the mutators.
//!
//! The search and its selection are elsewhere. A child is a pure function of its parents and a stream of random numbers.

mod add;
mod cross;
mod mutators;
mod remove;
mod shrink;

pub use mutators::{Mutator, Mutators, UnknownMutator};
pub use shrink::{Step, steps};

use crate::dice::Dice;
use crate::merge::{self, MergeError, Mode};
use crate::transformers::{Flags, Job, Transformer, carry, live};
use add::Add;
use rustc_hash::FxHashSet;
use semantics::instance::{Instance, Truth};
use smt::print::Printer;
use smt::{Command, Dialect, Fun, Head, Term};

/// Produces children.
#[derive(Clone, Debug)]
pub struct Breeder {
    /// The mutations.
    pub mutators: Mutators,
    /// Minimum number of assertions of a child.
    pub min_asserts: usize,
    /// Maximum number of assertions of a child.
    pub max_asserts: usize,
}

/// The result of a mutation.
#[derive(Debug)]
pub struct Child {
    /// The script.
    pub instance: Instance,
    /// The indices of its parents.
    pub parents: Vec<usize>,
    /// The name of the mutation.
    pub mutation: &'static str,
    /// Its [`body`].
    pub body: String,
}

/// Attempts at a child that differs from its parent.
const MAX_DRAWS: usize = 16;

impl Breeder {
    /// A start: the given script with one check and without levels, its number of assertions brought between the bounds.
    pub fn start(&self, seed: &Instance, dice: &mut Dice) -> Result<Instance, MergeError> {
        let mut start = merge::merge(std::slice::from_ref(seed), Mode::Concat)?;
        remove::keep(&mut start, self.max_asserts, dice);
        self.fill(&mut start, dice);
        Ok(start)
    }

    /// A random start.
    pub fn random(&self, dice: &mut Dice) -> Instance {
        let mut start = add::blank();
        self.fill(&mut start, dice);
        start
    }

    fn fill(&self, instance: &mut Instance, dice: &mut Dice) {
        while asserts(instance) < self.min_asserts.max(1) {
            Add::draw(dice).add(instance, dice);
        }
    }

    /// A child of some of `parents`, of which there is at least one.
    pub fn child(&self, parents: &[&Instance], dice: &mut Dice) -> Child {
        let mut last = None;
        for _ in 0..MAX_DRAWS {
            let first = dice.index(parents.len());
            let parent = parents[first];
            let Some(mutator) = self.mutators.draw(dice) else { break };
            let mut instance = parent.clone();
            let mut from = vec![first];
            match mutator {
                Mutator::Add => Add::draw(dice).add(&mut instance, dice),
                Mutator::Remove => {
                    remove::remove(&mut instance, dice);
                }
                Mutator::Transform(how) => transform(how, &mut instance, dice),
                Mutator::Cross => {
                    let second = dice.index(parents.len());
                    from.push(second);
                    match cross::cross(parent, parents[second], self.max_asserts, dice) {
                        Some(made) => instance = made,
                        None => continue,
                    }
                }
            }
            let body_of = body(&instance);
            let child = Child { instance, parents: from, mutation: mutator.name(), body: body_of };
            let fits = (self.min_asserts..=self.max_asserts).contains(&asserts(&child.instance));
            if fits && child.body != body(parent) {
                return child;
            }
            if fits {
                last = Some(child);
            }
        }
        last.unwrap_or_else(|| Child {
            instance: parents[0].clone(),
            parents: vec![0],
            mutation: "copy",
            body: body(parents[0]),
        })
    }
}

fn transform(how: &Transformer, instance: &mut Instance, dice: &mut Dice) {
    let (pool, script) = (&mut instance.pool, &mut instance.script);
    let effect = (how.apply)(&Flags::default(), &mut Job { pool, script, dice, dialect: Dialect::Smt26 });
    carry::carry(instance, &effect);
}

/// The number of assertions.
pub fn asserts(instance: &Instance) -> usize {
    instance.script.assertions().count()
}

/// The text that matters to a solver: the script without attributes, options and unused constants.
pub fn body(instance: &Instance) -> String {
    let used = used(instance);
    let mut printer = Printer::new(&instance.pool, Dialect::Smt26);
    let mut out = String::with_capacity(512);
    for c in instance.script.commands() {
        match c {
            Command::SetInfo(..) | Command::SetOption(..) => {}
            Command::DeclareConst(f) | Command::DeclareFun(f) if !used.contains(f) => {}
            c => {
                printer.command(c, &mut out).expect("2.6 can express every term");
                out.push('\n');
            }
        }
    }
    out
}

/// The functions that terms of the script use.
fn used(instance: &Instance) -> FxHashSet<Fun> {
    let live = live(&instance.pool, &instance.script);
    let terms = (0..live.len()).filter(|&i| live[i]).map(|i| Term(i as u32));
    let fun = |t: Term| match instance.pool.head(t) {
        Head::Fun(f) => Some(f),
        _ => None,
    };
    terms.filter_map(fun).collect()
}

/// Removes the declarations of unused constants.
pub fn drop_unused(instance: &mut Instance) {
    let used = used(instance);
    instance.script.entries.retain(
        |e| !matches!(&e.command, Command::DeclareConst(f) | Command::DeclareFun(f) if !used.contains(f)),
    );
}

/// Adjusts the truth after assertion `gone` was removed.
fn without(instance: &mut Instance, gone: usize) {
    if let Truth::Unsat(core) = &mut instance.truth {
        if core.is_empty() || core.contains(&gone) {
            instance.truth = Truth::Unknown;
        } else {
            core.iter_mut().filter(|i| **i > gone).for_each(|i| *i -= 1);
        }
    }
    instance.set_status(instance.truth.status());
}

#[cfg(test)]
mod tests;
