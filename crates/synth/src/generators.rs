//! Generators of scripts, after StringFuzz (Blotsky, 2018): each generates one shape of formula from its parameters
//! and a seed.
//!
//! A generator is one file: its parameters (which are the flags of the command line, see [`parameters`](crate::parameters)), its description
//! ([`Generator::info`]), and the construction of an instance ([`Generator::make`]). It is registered by one line in [`ALL`].
//! An instance has a known answer wherever the construction decides it, for most generators always; the module of each
//! generator has the argument.
//!
//! [`bulk`] generates many instances, in parallel and in order.

pub mod build;
pub mod bulk;
mod clever;
mod concats;
mod edits;
mod equality;
pub mod families;
pub mod grammar;
mod lengths;
mod overlaps;
mod random_ast;
mod random_text;
mod regex;

pub use crate::parameters::{Flag, Parameters};
pub use build::Builder;
pub use clever::Clever;
pub use concats::{Concats, DepthType};
pub use edits::{Edits, Mode};
pub use equality::Equality;
pub use lengths::Lengths;
pub use overlaps::Overlaps;
pub use random_ast::RandomAst;
pub use random_text::RandomText;
pub use regex::{LiteralType, Membership, OperatorType, Operators, Regex};

use crate::dice::Dice;
use semantics::instance::Truth;
use std::panic::{RefUnwindSafe, UnwindSafe};

/// The description of a generator.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its formulas, in a line.
    pub about: &'static str,
    /// When the answer is known, in a line.
    pub truth: &'static str,
    /// The arguments of an example.
    pub example: &'static str,
}

/// Generates scripts of one shape.
pub trait Generator: Parameters + std::fmt::Debug + Send + Sync + UnwindSafe + RefUnwindSafe {
    /// Its description.
    fn info(&self) -> Info;

    /// Checks the parameters.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// Builds an instance in `b` and returns its truth. The parameters have been checked.
    fn make(&self, dice: &mut Dice, b: &mut Builder) -> Result<Truth, String>;

    /// The text, for a generator whose texts are not scripts.
    fn text(&self, _dice: &mut Dice) -> Option<String> {
        None
    }
}

/// A new generator with its defaults.
pub type Entry = fn() -> Box<dyn Generator>;

/// All generators.
pub const ALL: &[Entry] = &[
    || Box::new(Concats::default()),
    || Box::new(Lengths::default()),
    || Box::new(Overlaps::default()),
    || Box::new(Equality::default()),
    || Box::new(Regex::default()),
    || Box::new(RandomText::default()),
    || Box::new(RandomAst::default()),
    || Box::new(Clever::default()),
    || Box::new(Edits::default()),
    || families::Family::number(0),
    || families::Family::number(1),
    || families::Family::number(2),
    || families::Family::number(3),
    || families::Family::number(4),
    || families::Family::number(5),
    || families::Family::number(6),
    || families::Family::number(7),
];

/// The generator called `name`, with its defaults.
pub fn by_name(name: &str) -> Option<Box<dyn Generator>> {
    ALL.iter().map(|new| new()).find(|g| g.info().name == name)
}

/// The names of all generators.
pub fn names() -> Vec<&'static str> {
    ALL.iter().map(|new| new().info().name).collect()
}

/// The message for a name that no generator has.
pub fn unknown(name: &str) -> String {
    smt::diag::unknown_name("generator", name, names().into_iter())
}

/// A generator from words as on the command line: `regex --depth 3 --coincide`.
pub fn from_words<'w>(words: impl IntoIterator<Item = &'w str>) -> Result<Box<dyn Generator>, String> {
    let mut words = words.into_iter();
    let name = words.next().unwrap_or("");
    let mut generator = by_name(name).ok_or_else(|| unknown(name))?;
    while let Some(word) = words.next() {
        let Some(flag) = word.strip_prefix("--") else {
            return Err(format!("{name}: `{word}` is not a flag; a value follows its flag, as in --depth 3"));
        };
        let (flag, inline) = flag.split_once('=').map_or((flag, None), |(f, v)| (f, Some(v)));
        let flags = generator.flags();
        let Some(known) = flags.iter().find(|f| f.name == flag) else {
            let near = smt::diag::did_you_mean(flag, flags.iter().map(|f| f.name));
            let hint = near.map_or_else(String::new, |n| format!(" Did you mean `--{n}`?"));
            return Err(format!("{name} has no flag `--{flag}`.{hint}"));
        };
        let value = match (known.switch, inline) {
            (true, _) => "true",
            (false, Some(value)) => value,
            (false, None) => words.next().ok_or_else(|| format!("{name}: --{flag} needs a value"))?,
        };
        generator.set(flag, value).map_err(|e| format!("{name}: --{flag}: {e}"))?;
    }
    generator.check().map_err(|e| format!("{name}: {e}"))?;
    Ok(generator)
}

/// The name and the parameters that differ from the defaults, as on the command line.
pub fn command(generator: &dyn Generator) -> String {
    let mut out = generator.info().name.to_owned();
    for (flag, value) in generator.given() {
        out.push_str(" --");
        out.push_str(flag);
        if let Some(value) = value {
            out.push(' ');
            out.push_str(&value);
        }
    }
    out
}
