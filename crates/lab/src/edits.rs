//! Formulas on the edit distance of two words: one word becomes the other by insertions, removals and replacements of a
//! character.

pub mod attempt;
mod share;
mod words;

pub use share::table;
pub use words::read_list;

use crate::instances::row;
use anyhow::anyhow;
use campaign::process::Cancel;
use campaign::store::InstanceRow;
use synth::generators::bulk::{self, Frame};
use synth::generators::{self, Edits};

/// Formulas `seed`, `seed + 1`, … of a generator.
pub struct Formulas<'a> {
    /// The generator.
    pub generator: &'a Edits,
    /// What their texts state about their origin.
    pub frame: &'a Frame,
    /// The seed of the first one.
    pub seed: u64,
    /// Their number.
    pub count: u64,
}

impl Formulas<'_> {
    /// As they are kept in a store: their category is the answer, their operation the distance.
    pub fn rows(&self, cancel: &Cancel) -> anyhow::Result<Vec<InstanceRow>> {
        let mut rows = Vec::new();
        let mut sink = |text: synth::Text| {
            let category = text.status.code().to_owned();
            rows.push(InstanceRow { category, ..row(text) });
            !cancel.is_cancelled()
        };
        bulk::generate(self.generator, self.seed, self.count, self.frame, &mut sink)
            .map_err(|e| anyhow!("{e}"))?;
        Ok(rows)
    }

    /// The command that generates them.
    pub fn provenance(&self) -> String {
        let Formulas { generator, frame, seed, count } = self;
        let command =
            frame.command.clone().unwrap_or_else(|| format!("gen {}", generators::command(*generator)));
        format!("{}: {command} --seed {seed} --count {count}", frame.maker)
    }
}
