//! Many instances, in parallel and in order.
//!
//! Instance `i` of a seed `s` is the first instance of seed `s + i`, so that each can be reproduced separately. The
//! texts are the same for any number of threads.

use super::{Builder, Generator, command};
use crate::dice::Dice;
use crate::text::Text;
use rayon::prelude::*;
use semantics::Status;
use semantics::instance::{ascii, write_info};
use smt::print::Inexpressible;
use smt::{Command, Dialect};
use std::fmt::Write as _;

/// The common properties of all texts of a run.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The program and its version.
    pub maker: String,
    /// The dialect.
    pub dialect: Dialect,
    /// Request a model at the end.
    pub models: bool,
    /// The category; the name of the generator if none.
    pub category: Option<String>,
    /// The property that scales, and its value; those of the generator if none.
    pub scale: Option<(String, u64)>,
    /// The command that reproduces a text, without the seed; that of `gen` if none.
    pub command: Option<String>,
}

impl Default for Frame {
    fn default() -> Self {
        Frame {
            maker: format!("stringent {}", env!("CARGO_PKG_VERSION")),
            dialect: Dialect::default(),
            models: false,
            category: None,
            scale: None,
            command: None,
        }
    }
}

/// The reasons for no text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The generator gave up.
    #[error("{0}")]
    Generator(String),
    /// The dialect cannot express it.
    #[error("{0}")]
    Dialect(#[from] Inexpressible),
}

/// Generates texts one after the other, reusing memory.
#[derive(Debug, Default)]
pub struct Maker {
    builder: Builder,
    source: String,
}

impl Maker {
    /// Appends the text of one seed to `out` and returns its status.
    pub fn make(
        &mut self,
        generator: &dyn Generator,
        seed: u64,
        frame: &Frame,
        out: &mut String,
    ) -> Result<Status, Trouble> {
        self.make_as(generator, &reproduction(generator, frame), seed, frame, out)
    }

    /// The same; `command` reproduces the generator.
    fn make_as(
        &mut self,
        generator: &dyn Generator,
        command: &str,
        seed: u64,
        frame: &Frame,
        out: &mut String,
    ) -> Result<Status, Trouble> {
        let mut dice = Dice::new(seed, STREAM);
        if let Some(text) = generator.text(&mut dice) {
            out.push_str(&text);
            return Ok(Status::Unknown);
        }
        self.builder.clear();
        let truth = generator.make(&mut dice, &mut self.builder).map_err(Trouble::Generator)?;
        let status = truth.status();
        let made = self.builder.made();
        made.truth = truth;
        made.script.push(Command::CheckSat);
        if frame.models {
            made.script.push(Command::Plain(smt::script::Plain::GetModel));
        }
        self.heading(generator, command, seed, frame, out);
        let made = self.builder.made();
        let mut writer = made.writer(frame.dialect);
        writer.certificate(out);
        writer.commands(&made.script.entries, out)?;
        Ok(status)
    }

    /// Writes the attributes before the certificate.
    fn heading(
        &mut self,
        generator: &dyn Generator,
        command: &str,
        seed: u64,
        frame: &Frame,
        out: &mut String,
    ) {
        let version = match frame.dialect {
            Dialect::Smt20 | Dialect::Norn => "2.0",
            Dialect::Smt25 => "2.5",
            Dialect::Smt26 => "2.6",
        };
        let category = frame.category.as_deref().unwrap_or(generator.info().name);
        for part in ["(set-info :smt-lib-version ", version, ")\n(set-logic ", self.builder.logic_name()] {
            out.push_str(part);
        }
        for part in [")\n(set-info :category \"", category, "\")\n"] {
            out.push_str(part);
        }
        let own = self.builder.scale();
        if let Some((property, value)) = frame.scale.as_ref().map(|(p, v)| (p.as_str(), *v)).or(own) {
            let _ = writeln!(out, "(set-info :stringent-scale \"{property} {value}\")");
        }
        self.source.clear();
        for part in [&frame.maker, ": ", command, " --seed "] {
            self.source.push_str(part);
        }
        let _ = write!(self.source, "{seed}");
        write_info(frame.dialect, ":source", &ascii(&self.source), out);
    }
}

/// The command that reproduces a text.
fn reproduction(generator: &dyn Generator, frame: &Frame) -> String {
    frame.command.clone().unwrap_or_else(|| format!("gen {}", command(generator)))
}

/// The stream of random numbers that generators use.
const STREAM: u64 = 7;

/// The number of instances that a thread generates at a time.
const CHUNK: u64 = 64;

/// Generates `count` texts from `seed` on: `sink` gets them in order, until it returns false.
pub fn generate(
    generator: &dyn Generator,
    seed: u64,
    count: u64,
    frame: &Frame,
    sink: &mut dyn FnMut(Text) -> bool,
) -> Result<(), Trouble> {
    some(generator, seed, &mut (0..count), frame, sink)
}

/// Generates the texts with these numbers, counted from `seed`.
pub fn some(
    generator: &dyn Generator,
    seed: u64,
    wanted: &mut dyn Iterator<Item = u64>,
    frame: &Frame,
    sink: &mut dyn FnMut(Text) -> bool,
) -> Result<(), Trouble> {
    let name = generator.info().name;
    let category = frame.category.clone().unwrap_or_else(|| name.to_owned());
    let command = reproduction(generator, frame);
    let text = |maker: &mut Maker, i: u64| {
        let mut source = String::with_capacity(1024);
        let status = maker.make_as(generator, &command, seed.wrapping_add(i), frame, &mut source)?;
        let name = format!("{name}/{:06}", seed.wrapping_add(i));
        let operation = maker.builder.scale().map_or_else(String::new, |(p, v)| format!("{p} {v:02}"));
        Ok(Text { name, category: category.clone(), operation, status, source })
    };
    let window = rayon::current_num_threads().max(1) * CHUNK as usize;
    loop {
        let numbers: Vec<u64> = wanted.take(window).collect();
        if numbers.is_empty() {
            return Ok(());
        }
        let made: Vec<Result<Text, Trouble>> =
            numbers.into_par_iter().map_init(Maker::default, |maker, i| text(maker, i)).collect();
        for text in made {
            if !sink(text?) {
                return Ok(());
            }
        }
    }
}

/// The same as one stream: `sink` gets the texts of several instances at a time, each after a comment with its name if
/// `named`.
pub fn stream(
    generator: &dyn Generator,
    seed: u64,
    count: u64,
    frame: &Frame,
    named: bool,
    sink: &mut dyn FnMut(&str) -> bool,
) -> Result<(), Trouble> {
    let (name, command) = (generator.info().name, reproduction(generator, frame));
    let chunk = |maker: &mut Maker, c: u64| {
        let mut out = String::with_capacity(if count > 1 { 64 << 10 } else { 1 << 10 });
        for i in c * CHUNK..((c + 1) * CHUNK).min(count) {
            let seed = seed.wrapping_add(i);
            if named {
                out.push_str(&format!("; {name}/{seed:06}\n"));
            }
            maker.make_as(generator, &command, seed, frame, &mut out)?;
            if named {
                out.push('\n');
            }
        }
        Ok(out)
    };
    if count <= CHUNK {
        // Starting threads takes longer.
        sink(&chunk(&mut Maker::default(), 0)?);
        return Ok(());
    }
    let window = rayon::current_num_threads().max(1) as u64 * 4;
    let chunks = count.div_ceil(CHUNK);
    let mut from = 0;
    while from < chunks {
        let to = (from + window).min(chunks);
        let made: Vec<Result<String, Trouble>> =
            (from..to).into_par_iter().map_init(Maker::default, |maker, c| chunk(maker, c)).collect();
        for text in made {
            if !sink(&text?) {
                return Ok(());
            }
        }
        from = to;
    }
    Ok(())
}
