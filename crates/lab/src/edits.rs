//! Formulas on the edit distance of two words: one word becomes the other by insertions, removals and replacements of a
//! character.

pub mod attempt;
mod share;
mod words;

pub use share::table;
pub use words::read_list;

use crate::instances::{Generated, Sink, Source};
use campaign::store::InstanceRow;
use synth::generators::bulk::Frame;
use synth::generators::{self, Edits};

/// Formulas `seed`, `seed + 1`, … of a generator.
pub struct Formulas<'a> {
    /// The generator.
    pub generator: &'a Edits,
    /// The origin stated in their texts.
    pub frame: &'a Frame,
    /// The seed of the first one.
    pub seed: u64,
    /// Their number.
    pub count: u64,
}

impl Formulas<'_> {
    /// The command that generates them.
    pub fn provenance(&self) -> String {
        let Formulas { generator, frame, seed, count } = self;
        let command =
            frame.command.clone().unwrap_or_else(|| format!("gen {}", generators::command(*generator)));
        format!("{}: {command} --seed {seed} --count {count}", frame.maker)
    }
}

/// As they are kept in a store: their category is the answer, their operation the distance.
impl Source for Formulas<'_> {
    fn count(&mut self) -> anyhow::Result<u64> {
        Ok(self.count)
    }

    fn make(&mut self, places: Option<&[u64]>, sink: Sink<'_>) -> anyhow::Result<()> {
        let Formulas { generator, frame, seed, count } = *self;
        let mut put = |row: Option<InstanceRow>| {
            sink(row.map(|row| InstanceRow { category: row.status.code().to_owned(), ..row }))
        };
        Generated { generator, frame, seed, count }.make(places, &mut put)
    }
}
