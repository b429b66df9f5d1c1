//! `stringent gen`: scripts of a given shape, from a seed.
//!
//! The flags of each generator come from its parameters: a new generator needs nothing here.

use crate::Outcome;
use crate::synth::{Stream, json, write_file};
use anyhow::{Context as _, anyhow, bail};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args as _, Command, FromArgMatches, Subcommand};
use smt::Dialect;
use std::io::Write as _;
use std::path::PathBuf;
use synth::generators::bulk::{self, Frame};
use synth::generators::{self, Flag, Generator};

/// Generate scripts of one shape: long concatenations, lengths, regular expressions, random terms, ….
///
/// Writes one script to standard output, as a filter does; many with --count. Each says its answer (`:status`, and a
/// model or a core) wherever the construction decides it, and the command and seed that make it again. Script I of a
/// seed S is what the seed S + I gives alone. The generators are those of StringFuzz, with its
/// flags, and `edits`.
#[derive(clap::Args)]
#[command(subcommand_required = true, arg_required_else_help = true, after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    generator: Chosen,
}

const HELP: &str = "\
Examples:
  stringent gen concats --depth 88 --depth-type semantic --solution solution
  stringent gen regex --depth 3 --count 1000 --out regexes/
  stringent gen random-ast --meaningful --random | z3 -in
  stringent gen --language smt25 --models lengths --num-vars 100
  stringent gen equality --add-infixes --count 100000 --stream json

Exit codes: 0 done, 2 bad usage, or the dialect cannot say it.";

/// What all generators take.
#[derive(clap::Args)]
pub(crate) struct Common {
    /// The language to write: smt20, smt25, smt26, norn
    #[arg(
        long,
        short,
        visible_alias = "dialect",
        global = true,
        default_value = "smt26",
        hide_default_value = false
    )]
    language: Dialect,
    /// Ask for a model at the end
    #[arg(long, short, global = true)]
    models: bool,
    /// What random choices start from
    #[arg(long, short, global = true, default_value_t = 0, value_name = "S")]
    seed: u64,
    /// Start from the time instead; the script says the seed
    #[arg(long, short, global = true, conflicts_with = "seed")]
    random: bool,
    /// How many scripts, from seeds in a row
    #[arg(long, global = true, value_name = "N", default_value_t = 1)]
    count: u64,
    /// Write each to a file of its own below this directory
    #[arg(long, global = true, value_name = "DIR")]
    out: Option<PathBuf>,
    /// On standard output, scripts one after the other or one JSON object a line
    #[arg(long, global = true, value_enum, value_name = "FORM", conflicts_with = "out")]
    stream: Option<Stream>,
}

/// A generator with its parameters from the command line, or what is wrong with them.
pub(crate) struct Chosen(Result<Box<dyn Generator>, String>);

impl Subcommand for Chosen {
    fn augment_subcommands(cmd: Command) -> Command {
        generators::ALL.iter().fold(cmd, |cmd, new| cmd.subcommand(command(&*new())))
    }

    fn augment_subcommands_for_update(cmd: Command) -> Command {
        Self::augment_subcommands(cmd)
    }

    fn has_subcommand(name: &str) -> bool {
        generators::by_name(name).is_some()
    }
}

impl FromArgMatches for Chosen {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (name, given) = matches.subcommand().ok_or_else(missing)?;
        let generator = generators::by_name(name).ok_or_else(missing)?;
        Ok(Chosen(set(generator, given).map_err(|e| format!("{name}: {e}"))))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Gives a generator its parameters.
fn set(mut generator: Box<dyn Generator>, given: &ArgMatches) -> Result<Box<dyn Generator>, String> {
    for flag in generator.flags() {
        if flag.switch {
            if given.get_flag(flag.name) {
                generator.set(flag.name, "true")?;
            }
            continue;
        }
        for value in given.get_many::<String>(flag.name).into_iter().flatten() {
            generator.set(flag.name, value).map_err(|e| format!("--{}: {e}", flag.name))?;
        }
    }
    generator.check()?;
    Ok(generator)
}

/// The command of a generator, from its flags.
fn command(generator: &dyn Generator) -> Command {
    let info = generator.info();
    let help =
        format!("The answer: {}.\n\nExample:\n  stringent gen {} {}", info.truth, info.name, info.example);
    let command = Command::new(info.name).about(info.about).after_help(help).next_help_heading("Generator");
    generator.flags().into_iter().fold(command, |c, flag| c.arg(argument(flag)))
}

/// A flag of a generator, for the command line.
pub(crate) fn argument(flag: Flag) -> Arg {
    let mut help = flag.help.to_owned();
    if let Some(default) = flag.default.as_ref().filter(|_| !flag.switch) {
        help.push_str(&format!(" [default: {default}]"));
    }
    let arg = Arg::new(flag.name).long(flag.name).help(help);
    if flag.switch {
        return arg.action(ArgAction::SetTrue);
    }
    let arg = arg.value_name(flag.value).allow_hyphen_values(true);
    let arg = if flag.many { arg.action(ArgAction::Append) } else { arg.action(ArgAction::Set) };
    if flag.choices.is_empty() { arg } else { arg.value_parser(PossibleValuesParser::new(flag.choices)) }
}

/// The arguments if the verb is `gen`, without making the commands of all other verbs and generators: a filter is
/// started often. None if anything is unusual, which the whole command line then tells.
pub(crate) fn quick() -> Option<Args> {
    let words: Vec<std::ffi::OsString> = std::env::args_os().skip(1).collect();
    if words.first()? != "gen" {
        return None;
    }
    let generator = words[1..].iter().filter_map(|w| w.to_str()).find_map(generators::by_name)?;
    let base =
        Common::augment_args(Command::new("gen")).subcommand(command(&*generator)).subcommand_required(true);
    let matches = base.try_get_matches_from(words).ok()?;
    let (common, generator) =
        (Common::from_arg_matches(&matches).ok()?, Chosen::from_arg_matches(&matches).ok()?);
    Some(Args { common, generator })
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let generator = args.generator.0.as_deref().map_err(|e| anyhow!("{e}"))?;
    write(&args.common, generator, Frame::default())
}

/// Writes scripts, as the common flags say.
pub(crate) fn write(common: &Common, generator: &dyn Generator, frame: Frame) -> anyhow::Result<Outcome> {
    let frame = Frame { dialect: common.language, models: common.models, ..frame };
    let seed = if common.random { time_seed() } else { common.seed };
    let mut out = std::io::BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let mut trouble: Option<anyhow::Error> = None;
    let keep = |result: anyhow::Result<()>, trouble: &mut Option<anyhow::Error>| {
        result.map_err(|e| *trouble = Some(e)).is_ok()
    };
    let done = match (&common.out, common.stream) {
        (Some(dir), _) => bulk::generate(generator, seed, common.count, &frame, &mut |text| {
            keep(write_file(dir, &text), &mut trouble)
        }),
        (None, Some(Stream::Json)) => bulk::generate(generator, seed, common.count, &frame, &mut |text| {
            keep(writeln!(out, "{}", json(&text)).map_err(Into::into), &mut trouble)
        }),
        (None, _) => {
            let named = common.count > 1 && generator.info().name != "random-text";
            bulk::stream(generator, seed, common.count, &frame, named, &mut |text| {
                keep(out.write_all(text.as_bytes()).map_err(Into::into), &mut trouble)
            })
        }
    };
    if let Some(e) = trouble {
        return Err(e);
    }
    done.map_err(|e| anyhow!("{}: {e}", generator.info().name))?;
    out.flush()?;
    if let Some(dir) = &common.out {
        crate::render::notice(&format!("{} scripts in {}", common.count, dir.display()));
    }
    Ok(Outcome::Clean)
}

fn time_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    // Short enough to be typed again.
    (now.as_nanos() % 1_000_000_007) as u64
}

/// A generator from one argument, as in `--gen 'regex --depth 3'`.
pub(crate) fn parse(text: &str) -> anyhow::Result<Box<dyn Generator>> {
    let words = split(text).with_context(|| format!("--gen {text}"))?;
    let generator = generators::from_words(words.iter().map(String::as_str)).map_err(|e| anyhow!(e))?;
    if generator.info().name == "random-text" {
        bail!("random-text makes no scripts, so there is nothing to judge");
    }
    Ok(generator)
}

/// Words as a shell divides them: quotes keep what is between them together.
fn split(text: &str) -> anyhow::Result<Vec<String>> {
    let (mut words, mut word, mut open, mut quote) = (Vec::new(), String::new(), false, None);
    for c in text.chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), c) => word.push(c),
            (None, '"' | '\'') => (quote, open) = (Some(c), true),
            (None, c) if c.is_whitespace() => {
                if open {
                    words.push(std::mem::take(&mut word));
                }
                open = false;
            }
            (None, c) => {
                word.push(c);
                open = true;
            }
        }
    }
    if quote.is_some() {
        bail!("a quote is not closed");
    }
    if open {
        words.push(word);
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        let of = |text: &str| split(text).expect("closed");
        assert_eq!(of("regex  --depth 3"), ["regex", "--depth", "3"]);
        assert_eq!(of("concats --solution 'a b' --x \"\""), ["concats", "--solution", "a b", "--x", ""]);
        assert!(split("a 'b").is_err());
    }
}
