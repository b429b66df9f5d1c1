//! Mutators and their weights.

use crate::dice::Dice;
use crate::transformers::{self, REGISTRY, Transformer};

/// A kind of mutation.
#[derive(Clone, Copy)]
pub enum Mutator {
    /// Adds a random constraint.
    Add,
    /// Removes a constraint.
    Remove,
    /// A transformer.
    Transform(&'static Transformer),
    /// Joins assertions of two parents.
    Cross,
}

impl std::fmt::Debug for Mutator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Mutator {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Mutator::Add => "add",
            Mutator::Remove => "remove",
            Mutator::Transform(t) => t.name,
            Mutator::Cross => "cross",
        }
    }

    fn by_name(name: &str) -> Result<Mutator, UnknownMutator> {
        Ok(match name {
            "add" => Mutator::Add,
            "remove" => Mutator::Remove,
            "cross" => Mutator::Cross,
            _ => Mutator::Transform(transformers::find(name).map_err(|_| UnknownMutator::new(name))?),
        })
    }
}

/// The names of all mutators.
pub(super) fn names() -> Vec<&'static str> {
    let transformers = REGISTRY.iter().map(|t| t.name).filter(|n| *n != "nop");
    ["add", "remove", "cross"].into_iter().chain(transformers).collect()
}

/// An unknown mutator, or a weight that is not a number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownMutator(String);

impl UnknownMutator {
    fn new(name: &str) -> UnknownMutator {
        UnknownMutator(smt::diag::unknown_name("mutator", name, names().into_iter()))
    }
}

/// Mutators with weights: `reverse,translate,add=2,remove`.
#[derive(Clone, Debug)]
pub struct Mutators(Vec<(Mutator, u32)>);

impl Default for Mutators {
    /// Those of the thesis.
    fn default() -> Self {
        "reverse,translate,add,remove".parse().expect("they exist")
    }
}

impl std::str::FromStr for Mutators {
    type Err = UnknownMutator;

    fn from_str(text: &str) -> Result<Self, UnknownMutator> {
        let mut list = Vec::new();
        for part in text.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let (name, weight) = part.split_once('=').unwrap_or((part, "1"));
            let wrong = || UnknownMutator(format!("`{part}`: a weight is a number from 0 to 1000000"));
            let weight: u32 = weight.trim().parse().ok().filter(|w| *w <= 1_000_000).ok_or_else(wrong)?;
            list.push((Mutator::by_name(name.trim())?, weight));
        }
        if list.iter().all(|(_, w)| *w == 0) {
            return Err(UnknownMutator("all weights are 0".into()));
        }
        Ok(Mutators(list))
    }
}

impl std::fmt::Display for Mutators {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, (m, w)) in self.0.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            match w {
                1 => write!(f, "{comma}{}", m.name())?,
                w => write!(f, "{comma}{}={w}", m.name())?,
            }
        }
        Ok(())
    }
}

impl Mutators {
    /// A random mutator, by weight.
    pub(super) fn draw(&self, dice: &mut Dice) -> Option<Mutator> {
        let total: u64 = self.0.iter().map(|(_, w)| u64::from(*w)).sum();
        let mut at = dice.below(total.max(1));
        self.0.iter().find_map(|&(m, w)| match at.checked_sub(u64::from(w)) {
            None => Some(m),
            Some(rest) => {
                at = rest;
                None
            }
        })
    }
}
