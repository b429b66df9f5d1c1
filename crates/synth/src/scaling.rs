//! Suites whose instances grow in one property: the *Generated* suite of the StringFuzz thesis (Table 3.3), from easy to
//! hard, with known answers.
//!
//! A sub-suite is a generator's command with a place for the property, and the values it takes. The tables of the thesis
//! give names and counts, the page of its instances the values. Each instance states its property and value as
//! `:stringent-scale`, from which reports draw time against it.

use crate::generators::bulk::{Frame, Maker, Trouble};
use crate::generators::{Generator, from_words};
use crate::text::Text;
use rayon::prelude::*;

/// A suite that grows in one property.
#[derive(Clone, Copy, Debug)]
pub struct SubSuite {
    /// Its name.
    pub name: &'static str,
    /// A description.
    pub about: &'static str,
    /// The generator and its flags; `{x}` is the value of the property.
    command: &'static str,
    /// The property that grows.
    pub property: &'static str,
    start: u64,
    step: u64,
    levels: u64,
    each: u64,
}

const fn row(
    name: &'static str,
    about: &'static str,
    command: &'static str,
    property: &'static str,
    [start, step]: [u64; 2],
    [levels, each]: [u64; 2],
) -> SubSuite {
    SubSuite { name, about, command, property, start, step, levels, each }
}

/// The *Generated* suite.
pub const GENERATED: &[SubSuite] = &[
    row(
        "concats-small",
        "A right-heavy, deep tree of concats",
        "concats --depth {x} --depth-type semantic --solution solution",
        "depth",
        [1, 3],
        [30, 2],
    ),
    row(
        "concats-big",
        "The same, more extreme",
        "concats --depth {x} --depth-type semantic --solution solution",
        "depth",
        [1, 40],
        [30, 2],
    ),
    row(
        "concats-balanced",
        "A balanced, deep tree of concats",
        "concats --depth {x} --balanced --solution solution",
        "depth",
        [1, 1],
        [10, 10],
    ),
    row(
        "concats-extracts-small",
        "A concat tree with character extracts",
        "concats --depth 30 --depth-type semantic --solution solution --extract {x} --extract-max 100",
        "extracts",
        [1, 1],
        [30, 2],
    ),
    row(
        "concats-extracts-big",
        "The same, more extreme",
        "concats --depth 30 --depth-type semantic --solution solution --extract {x} --extract-max 1000",
        "extracts",
        [1, 40],
        [30, 2],
    ),
    row(
        "lengths-long",
        "Large length constraints",
        "lengths --num-vars 30 --max-length {x}",
        "longest length",
        [1, 100],
        [50, 2],
    ),
    row(
        "lengths-short",
        "Length constraints",
        "lengths --num-vars 30 --max-length {x}",
        "longest length",
        [1, 5],
        [50, 2],
    ),
    row(
        "lengths-concats",
        "Fixed-length concats of variables",
        "lengths --num-vars {x}0 --max-length 100 --num-concats {x}",
        "concats",
        [1, 1],
        [50, 2],
    ),
    row(
        "overlaps-small",
        "A formula of the form A.X = X.B",
        "overlaps --num-vars {x} --length-of-consts 3",
        "variables",
        [1, 1],
        [20, 2],
    ),
    row(
        "overlaps-big",
        "The same, more extreme",
        "overlaps --num-vars {x} --length-of-consts 3",
        "variables",
        [1, 15],
        [20, 2],
    ),
    row(
        "regex-small",
        "A complex regex membership test",
        "regex --num-terms {x} --depth 2 --literal-type increasing",
        "terms",
        [1, 2],
        [30, 2],
    ),
    row(
        "regex-big",
        "The same, more extreme",
        "regex --num-terms {x} --depth 2 --literal-type increasing",
        "terms",
        [1, 7],
        [30, 2],
    ),
    row(
        "many-regexes",
        "Many random regex membership tests",
        "regex --num-regexes {x} --num-terms 10 --depth 2 --literal-type increasing --coincide",
        "regexes",
        [1, 3],
        [20, 2],
    ),
    row(
        "regex-deep",
        "A membership test in a nested regex",
        "regex --num-terms 2 --depth {x} --literal-type increasing --var-min 15",
        "depth",
        [0, 1],
        [15, 3],
    ),
    row(
        "regex-pair",
        "A membership test in one out of two regexes",
        "regex --num-regexes 2 --num-terms {x} --depth 2 --literal-type increasing --membership-type alternating --coincide",
        "terms",
        [1, 5],
        [20, 2],
    ),
    row(
        "regex-lengths",
        "A regex membership test of bounded length",
        "regex --num-terms 10 --depth 2 --literal-type increasing --var-min {x}",
        "least length",
        [1, 25],
        [20, 2],
    ),
    row(
        "different-prefix",
        "An equality of two concats with different prefixes",
        "equality --num-terms {x}",
        "terms",
        [2, 1],
        [30, 2],
    ),
];

impl SubSuite {
    /// The number of instances.
    pub fn count(&self) -> usize {
        (self.levels * self.each) as usize
    }

    /// The values of the property.
    pub fn values(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.levels).map(|l| self.start + l * self.step)
    }

    /// The generator for one value of the property.
    pub fn generator(&self, value: u64) -> Box<dyn Generator> {
        let command = self.command.replace("{x}", &value.to_string());
        from_words(command.split_whitespace()).unwrap_or_else(|e| panic!("{}: {e}", self.name))
    }

    /// Instance `i`: that of the value `i / each`, from the seed `seed + i`.
    fn text(&self, maker: &mut Maker, i: u64, seed: u64, frame: &Frame) -> Result<Text, Trouble> {
        let value = self.start + i / self.each * self.step;
        let generator = self.generator(value);
        let frame = Frame {
            category: Some(self.name.to_owned()),
            scale: Some((self.property.to_owned(), value)),
            ..frame.clone()
        };
        let mut source = String::with_capacity(4096);
        let status = maker.make(&*generator, seed.wrapping_add(i), &frame, &mut source)?;
        let name = format!("generated/{0}/{0}-{value:05}-{1}", self.name, i % self.each);
        Ok(Text { name, category: self.name.to_owned(), operation: String::new(), status, source })
    }
}

/// The sub-suites of a name: all for `generated`, or one.
pub fn by_name(name: &str) -> Result<Vec<&'static SubSuite>, String> {
    if name == "generated" {
        return Ok(GENERATED.iter().collect());
    }
    if let Some(suite) = GENERATED.iter().find(|s| s.name == name) {
        return Ok(vec![suite]);
    }
    let names = std::iter::once("generated").chain(GENERATED.iter().map(|s| s.name));
    Err(smt::diag::unknown_name("suite", name, names))
}

/// The number of instances of suites.
pub fn count(suites: &[&SubSuite]) -> u64 {
    suites.iter().map(|s| s.count() as u64).sum()
}

/// Generates the instances of suites: `sink` gets them in order, until it returns false.
pub fn generate(
    suites: &[&SubSuite],
    seed: u64,
    frame: &Frame,
    sink: &mut dyn FnMut(Text) -> bool,
) -> Result<(), Trouble> {
    some(suites, seed, &mut (0..count(suites)), frame, sink)
}

/// Generates the instances with these numbers, counted from 0 over all suites.
pub fn some(
    suites: &[&SubSuite],
    seed: u64,
    wanted: &mut dyn Iterator<Item = u64>,
    frame: &Frame,
    sink: &mut dyn FnMut(Text) -> bool,
) -> Result<(), Trouble> {
    loop {
        let numbers: Vec<u64> = wanted.take(WINDOW).collect();
        if numbers.is_empty() {
            return Ok(());
        }
        let text = |maker: &mut Maker, n| {
            let (suite, i) = place(suites, n);
            suite.text(maker, i, seed, frame)
        };
        let made: Vec<Result<Text, Trouble>> =
            numbers.into_par_iter().map_init(Maker::default, text).collect();
        for text in made {
            if !sink(text?) {
                return Ok(());
            }
        }
    }
}

/// The number of instances that are made at a time.
const WINDOW: usize = 64;

/// The suite of instance `n`, and its number in it.
fn place<'a>(suites: &[&'a SubSuite], mut n: u64) -> (&'a SubSuite, u64) {
    for suite in suites {
        let count = suite.count() as u64;
        if n < count {
            return (suite, n);
        }
        n -= count;
    }
    panic!("no instance with this number");
}
