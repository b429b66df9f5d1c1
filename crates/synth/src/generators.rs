//! Generators of scripts, after StringFuzz (Blotsky, 2018): each makes one shape of formula, as large as its parameters
//! say, from a seed.
//!
//! A generator is one file: its parameters (which are the flags of the command line, see [`parameters`]), what it is
//! ([`Generator::info`]), and how it makes an instance ([`Generator::make`]). It is registered by one line in [`ALL`].
//! An instance says whether it is satisfiable wherever the construction decides that, which for most of them is
//! always; the module of each generator has the argument.
//!
//! [`bulk`] makes many, in parallel and in order.

pub mod build;
pub mod bulk;
mod clever;
mod concats;
mod edits;
mod equality;
pub mod grammar;
mod lengths;
mod overlaps;
pub mod parameters;
mod random_ast;
mod random_text;
mod regex;
pub mod roll;

pub use build::Builder;
pub use clever::Clever;
pub use concats::{Concats, DepthType};
pub use edits::{Edits, Mode};
pub use equality::Equality;
pub use lengths::Lengths;
pub use overlaps::Overlaps;
pub use parameters::{Flag, Parameters};
pub use random_ast::RandomAst;
pub use random_text::RandomText;
pub use regex::{LiteralType, Membership, OperatorType, Operators, Regex};

use crate::suite::Dice;
use semantics::instance::Truth;
use std::panic::{RefUnwindSafe, UnwindSafe};

/// What a generator is.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it makes, in a line.
    pub about: &'static str,
    /// When the answer is known, in a line.
    pub truth: &'static str,
    /// The arguments of an example.
    pub example: &'static str,
}

/// Makes scripts of one shape.
pub trait Generator: Parameters + std::fmt::Debug + Send + Sync + UnwindSafe + RefUnwindSafe {
    /// What it is.
    fn info(&self) -> Info;

    /// What is wrong with the parameters, if anything.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// Makes an instance in `b` and says what is known of it. The parameters have been checked.
    fn make(&self, dice: &mut Dice, b: &mut Builder) -> Result<Truth, String>;

    /// For a generator whose texts are no scripts: the text.
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
];

/// The generator called `name`, with its defaults.
pub fn by_name(name: &str) -> Option<Box<dyn Generator>> {
    ALL.iter().map(|new| new()).find(|g| g.info().name == name)
}

/// The names of all generators.
pub fn names() -> Vec<&'static str> {
    ALL.iter().map(|new| new().info().name).collect()
}

/// A generator from words as on the command line: `regex --depth 3 --coincide`.
pub fn from_words<'w>(words: impl IntoIterator<Item = &'w str>) -> Result<Box<dyn Generator>, String> {
    let mut words = words.into_iter();
    let name = words.next().unwrap_or("");
    let mut generator = by_name(name).ok_or_else(|| {
        let near = smt::diag::did_you_mean(name, names().iter().copied());
        let hint = near.map_or_else(String::new, |n| format!(" Did you mean `{n}`?"));
        format!("no generator `{name}`: one of {}.{hint}", names().join(", "))
    })?;
    while let Some(word) = words.next() {
        let Some(flag) = word.strip_prefix("--") else {
            return Err(format!("{name}: `{word}` is no flag; values follow theirs, as in --depth 3"));
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

/// The name and the parameters that are not the defaults, as they would be typed.
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
