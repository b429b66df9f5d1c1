//! Where the instances of a campaign come from.
//!
//! A source knows how many instances it has and makes those that are asked for, without the others: `test --limit 1`
//! makes one.

use anyhow::anyhow;
use campaign::process::Cancel;
use campaign::selection::{Selected, Selection};
use campaign::store::{InstanceRow, UnreadableRow};
use synth::generators::Generator;
use synth::generators::bulk::{self, Frame};
use synth::scaling::{self, SubSuite};
use synth::suite::{self, Suite};
use synth::text::Text;

/// A text as stored.
pub fn row(text: Text) -> InstanceRow {
    InstanceRow {
        id: 0,
        name: text.name,
        category: text.category,
        operation: text.operation,
        status: text.status,
        source: text.source.into_bytes(),
    }
}

/// Gets one instance after the other, or none for one that cannot be made; returns false to stop.
pub type Sink<'a> = &'a mut dyn FnMut(Option<InstanceRow>) -> bool;

/// A source of instances.
pub trait Source {
    /// The number of instances.
    fn count(&mut self) -> anyhow::Result<u64>;

    /// Makes the instances at these places, in ascending order, or all if there are none.
    fn make(&mut self, places: Option<&[u64]>, sink: Sink<'_>) -> anyhow::Result<()>;

    /// The files, among those that were asked for, that could not be read.
    fn unreadable(&self) -> &[UnreadableRow] {
        &[]
    }
}

/// The selected instances of a source, with their keys; none if it was cancelled.
pub fn rows(
    source: &mut dyn Source,
    selection: Selection,
    cancel: &Cancel,
) -> anyhow::Result<Option<Vec<InstanceRow>>> {
    let selected: Option<Vec<Selected>> =
        if selection.is_all() { None } else { Some(selection.of(source.count()?)) };
    let places: Option<Vec<u64>> = selected.as_ref().map(|list| list.iter().map(|s| s.place).collect());
    let (mut rows, mut at) = (Vec::new(), 0);
    source.make(places.as_deref(), &mut |row| {
        at += 1;
        let id = selected.as_ref().map_or(at as i64, |list| list[at - 1].key);
        rows.extend(row.map(|row| InstanceRow { id, ..row }));
        !cancel.is_cancelled()
    })?;
    Ok((!cancel.is_cancelled()).then_some(rows))
}

/// The formulas of a suite.
pub struct Synthesised<'a> {
    suite: Suite<'a>,
}

impl<'a> Synthesised<'a> {
    /// The suite with these options.
    pub fn new(options: &'a suite::Options) -> anyhow::Result<Synthesised<'a>> {
        Ok(Synthesised { suite: Suite::new(options)? })
    }
}

impl Source for Synthesised<'_> {
    fn count(&mut self) -> anyhow::Result<u64> {
        Ok(self.suite.count())
    }

    fn make(&mut self, places: Option<&[u64]>, sink: Sink<'_>) -> anyhow::Result<()> {
        let mut put = |text| sink(Some(row(text)));
        match places {
            Some(places) => self.suite.some(places, &mut put),
            None => self.suite.all(&mut put),
        }
        Ok(())
    }
}

/// The scripts `seed`, `seed + 1`, … of a generator.
pub struct Generated<'a> {
    /// The generator.
    pub generator: &'a dyn Generator,
    /// The origin stated in their texts.
    pub frame: &'a Frame,
    /// The seed of the first one.
    pub seed: u64,
    /// Their number.
    pub count: u64,
}

impl Source for Generated<'_> {
    fn count(&mut self) -> anyhow::Result<u64> {
        Ok(self.count)
    }

    fn make(&mut self, places: Option<&[u64]>, sink: Sink<'_>) -> anyhow::Result<()> {
        let mut put = |text| sink(Some(row(text)));
        let mut wanted = wanted(places, self.count);
        bulk::some(self.generator, self.seed, &mut wanted, self.frame, &mut put)
            .map_err(|e| anyhow!("{}: {e}", self.generator.info().name))
    }
}

/// The instances of suites that grow.
pub struct Growing<'a> {
    /// The suites.
    pub suites: &'a [&'a SubSuite],
    /// The origin stated in their texts.
    pub frame: &'a Frame,
    /// Their seed.
    pub seed: u64,
}

impl Source for Growing<'_> {
    fn count(&mut self) -> anyhow::Result<u64> {
        Ok(scaling::count(self.suites))
    }

    fn make(&mut self, places: Option<&[u64]>, sink: Sink<'_>) -> anyhow::Result<()> {
        let mut put = |text| sink(Some(row(text)));
        let mut wanted = wanted(places, scaling::count(self.suites));
        Ok(scaling::some(self.suites, self.seed, &mut wanted, self.frame, &mut put)?)
    }
}

fn wanted(places: Option<&[u64]>, count: u64) -> Box<dyn Iterator<Item = u64> + '_> {
    places
        .map_or_else(|| Box::new(0..count) as Box<dyn Iterator<Item = u64>>, |p| Box::new(p.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use synth::suite::{Options, Preset};
    use synth::text::Category;

    fn made(source: &mut dyn Source, limit: Option<u64>, shard: Option<&str>) -> Vec<InstanceRow> {
        let shard = shard.map(|s| s.parse().expect("a shard"));
        let cancel = Cancel::new().expect("a token");
        rows(source, Selection { limit, shard }, &cancel).expect("made").expect("not cancelled")
    }

    /// The selected rows are those that were selected when all were made first.
    fn check(source: &mut dyn Source, limit: u64) {
        let all = made(source, None, None);
        assert_eq!(source.count().expect("counted"), all.len() as u64);
        let (n, total) = (limit.min(all.len() as u64), all.len() as u64);
        let expected: Vec<InstanceRow> = (0..n)
            .map(|k| InstanceRow { id: k as i64 + 1, ..all[(k * total / n) as usize].clone() })
            .collect();
        assert_eq!(made(source, Some(limit), None), expected);
        let mut parts: Vec<InstanceRow> =
            ["1/3", "2/3", "3/3"].iter().flat_map(|s| made(source, Some(limit), Some(s))).collect();
        parts.sort_by_key(|row| row.id);
        assert_eq!(parts, expected);
    }

    #[test]
    fn a_suite_makes_what_is_asked() {
        let mut full = Options::new(Preset::Full);
        full.operations = vec!["str.replace".into(), "str.prefixof".into(), "str.at".into()];
        let mut chained = Options::new(Preset::Icse20);
        chained.only = vec![Category::Core, Category::Redundancy];
        chained.operations = vec!["str.prefixof".into()];
        chained.chain = 2;
        for options in [full, chained] {
            let mut source = Synthesised::new(&options).expect("our own rules");
            check(&mut source, 37);
        }
    }

    #[test]
    fn generators_and_growing_suites_make_what_is_asked() {
        let generator = synth::generators::from_words(["concats", "--depth", "3"]).expect("known");
        let frame = Frame::default();
        check(&mut Generated { generator: &*generator, frame: &frame, seed: 5, count: 200 }, 30);
        let mut suites = scaling::by_name("different-prefix").expect("known");
        suites.extend(scaling::by_name("lengths-concats").expect("known"));
        check(&mut Growing { suites: &suites, frame: &frame, seed: 5 }, 30);
    }

    #[test]
    fn a_million_million_scripts_are_not_made_for_two() {
        let generator = synth::generators::from_words(["lengths"]).expect("known");
        let frame = Frame::default();
        let mut source = Generated { generator: &*generator, frame: &frame, seed: 0, count: 1 << 40 };
        let names: Vec<String> = made(&mut source, Some(2), None).into_iter().map(|r| r.name).collect();
        assert_eq!(names, ["lengths/000000", "lengths/549755813888"]);
    }
}
