//! `stringent gen`: scripts of a given shape, from a seed.
//!
//! The flags of each generator come from its parameters: a new generator needs nothing here.

use crate::output::{Sink, Stream, json, write_file};
use crate::{Outcome, input};
use anyhow::{Context as _, anyhow, bail};
use campaign::profile::spec;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args as _, Command, FromArgMatches, Subcommand};
use smt::Dialect;
use std::io::Write as _;
use std::path::PathBuf;
use synth::generators::bulk::{self, Frame};
use synth::generators::{self, Flag, Generator};

/// Generate scripts of a given shape: long concatenations, lengths, regular expressions, random terms, ….
///
/// Writes one script to standard output, or N with --count N. Each states its answer (`:status`, and a
/// model or a core) wherever the construction decides it, and the command and seed that generate it. Script I of
/// seed S is the first script of seed S + I. The generators are those of StringFuzz, with its
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

Exit codes: 0 done, 2 bad usage, or the dialect cannot express it.";

/// The flags of all generators.
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
    /// Request a model at the end
    #[arg(long, short, global = true)]
    models: bool,
    /// Random seed
    #[arg(long, short, global = true, default_value_t = 0, value_name = "S")]
    seed: u64,
    /// Take the seed from the clock; the script records it
    #[arg(long, short, global = true, conflicts_with = "seed")]
    random: bool,
    /// Number of scripts, from consecutive seeds
    #[arg(long, global = true, value_name = "N", default_value_t = 1)]
    count: u64,
    /// Write each script to its own file in this directory
    #[arg(long, global = true, value_name = "DIR")]
    out: Option<PathBuf>,
    /// On standard output, scripts one after the other or one JSON object per line
    #[arg(long, global = true, value_enum, value_name = "FORM", conflicts_with = "out")]
    stream: Option<Stream>,
}

/// A generator with its parameters from the command line, or the error in them.
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

/// Sets the parameters of a generator.
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

/// The arguments if the verb is `gen`, without building the commands of all other verbs and generators: a filter is
/// started often. None if anything is unusual; the complete command line then reports it.
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

/// The message if the command line has an unknown generator.
pub(crate) fn unknown(e: &clap::Error) -> Option<String> {
    let is_gen = std::env::args_os().nth(1).is_some_and(|verb| verb == "gen");
    let name = e.get(clap::error::ContextKind::InvalidSubcommand).filter(|_| is_gen)?;
    Some(generators::unknown(&name.to_string()))
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let generator = args.generator.0.as_deref().map_err(|e| anyhow!("{e}"))?;
    write(&args.common, generator, Frame::default())
}

/// Writes scripts according to the common flags.
pub(crate) fn write(common: &Common, generator: &dyn Generator, frame: Frame) -> anyhow::Result<Outcome> {
    let frame = Frame { dialect: common.language, models: common.models, ..frame };
    let seed = if common.random { input::time_seed() } else { common.seed };
    let mut out = std::io::BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let mut sink = Sink::default();
    let done = match (&common.out, common.stream) {
        (Some(dir), _) => bulk::generate(generator, seed, common.count, &frame, &mut |text| {
            sink.put(write_file(dir, &text))
        }),
        (None, Some(Stream::Json)) => bulk::generate(generator, seed, common.count, &frame, &mut |text| {
            sink.put(writeln!(out, "{}", json(&text)).map_err(Into::into))
        }),
        (None, _) => {
            let named = common.count > 1 && generator.info().name != "random-text";
            bulk::stream(generator, seed, common.count, &frame, named, &mut |text| {
                sink.put(out.write_all(text.as_bytes()).map_err(Into::into))
            })
        }
    };
    sink.finish()?;
    done.map_err(|e| anyhow!("{}: {e}", generator.info().name))?;
    out.flush()?;
    if let Some(dir) = &common.out {
        crate::render::notice(&format!("{} scripts in {}", common.count, dir.display()));
    }
    Ok(Outcome::Clean)
}

/// A generator from one argument, as in `--gen 'regex --depth 3'`.
pub(crate) fn parse(text: &str) -> anyhow::Result<Box<dyn Generator>> {
    let words = spec::words(text).with_context(|| format!("--gen {text}: a quote is not closed"))?;
    let generator = generators::from_words(words.iter().map(String::as_str)).map_err(|e| anyhow!(e))?;
    if generator.info().name == "random-text" {
        bail!("random-text generates no scripts, so there is nothing to judge");
    }
    Ok(generator)
}
