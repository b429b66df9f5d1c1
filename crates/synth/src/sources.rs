//! Sources: fresh instances for a hunt, each a pure function of a seed and a number.
//!
//! A source makes one kind of formula: true under a model that was drawn first, built around a contradiction, fused from two others, mutated from files,
//! or of a class on which solvers have been wrong. Its answer is known by construction, or unknown; then the hunt judges answers by witnesses.
//!
//! One source is one file with one [`Source`], and an entry in [`REGISTRY`]. Formulas are built with a [`Grower`](grow::Grower), which knows the
//! model and grows well-sorted terms. A satisfiable instance is finished by [`Made::sat`] or [`Grower::satisfiable`](grow::Grower::satisfiable), which evaluate
//! every assertion: a mistake in a construction costs an instance and never makes a wrong label.

mod adopt;
mod base;
mod build;
mod chains;
mod clauses;
mod codes;
mod count;
mod counters;
mod cuts;
mod digits;
mod domains;
mod fixpoints;
mod functions;
mod fuse;
mod ground;
pub mod grow;
mod languages;
mod library;
mod long;
mod metamorphic;
mod model_first;
mod mutate;
mod needles;
mod open_regex;
mod order;
mod quantified;
mod recombine;
mod refute;
mod reglan;
mod replacing;
mod sequences;
mod sessions;
mod small;
mod spot;
mod stars;
mod swarm;
mod tiny;
mod units;
mod value;

pub use library::Library;

use crate::dice::Dice;
use semantics::instance::{Instance, Truth, ascii, write_info};
use semantics::{Config, Evaluator, Model, Satisfaction, Status};
use smt::print::Printer;
use smt::{Command, Dialect, Op, Pool, Script, Term};
use std::fmt::Write as _;
use std::sync::Arc;

/// A source of instances.
pub struct Source {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its formulas, in a line.
    pub about: &'static str,
    /// When the answer is known, in a line.
    pub truth: &'static str,
    /// It works on files of a corpus.
    pub needs_corpus: bool,
    /// Makes an instance; none if this attempt leads to nothing.
    pub make: fn(&mut Dice, &Material) -> Option<Made>,
}

impl Source {
    /// Its formulas are so small that most solvers answer them at once.
    pub fn is_small(&self) -> bool {
        matches!(self.name, "tiny" | "swarm" | "domains" | "ground")
    }

    /// It has instances for a solver that has these operators.
    pub fn fits(&self, has: &dyn Fn(Op) -> bool) -> bool {
        self.name != sequences::SEQUENCES.name || has(Op::SeqUnit)
    }
}

/// All sources.
pub static REGISTRY: &[&Source] = &[
    &model_first::MODEL_FIRST,
    &refute::REFUTE,
    &small::SMALL,
    &tiny::TINY,
    &swarm::SWARM,
    &domains::DOMAINS,
    &ground::GROUND,
    &chains::CHAINS,
    &clauses::CLAUSES,
    &fixpoints::FIXPOINTS,
    &open_regex::OPEN_REGEX,
    &reglan::REGLAN,
    &needles::NEEDLES,
    &digits::DIGITS,
    &counters::COUNTERS,
    &stars::STARS,
    &cuts::CUTS,
    &codes::CODES,
    &order::ORDER,
    &replacing::REPLACING,
    &functions::FUNCTIONS,
    &quantified::QUANTIFIED,
    &long::LONG,
    &units::UNITS,
    &sequences::SEQUENCES,
    &sessions::SESSIONS,
    &fuse::FUSE,
    &metamorphic::METAMORPHIC,
    &mutate::MUTATE,
    &recombine::RECOMBINE,
];

/// The input of sources, the same for all instances of a hunt.
#[derive(Default)]
pub struct Material {
    /// Files to mutate and to recombine.
    pub corpus: Arc<Vec<Instance>>,
    /// Verified rules.
    pub rules: Arc<Library>,
    /// The shape of formulas.
    pub shape: Shape,
}

/// The size and contents of formulas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Maximum depth of terms.
    pub depth: usize,
    /// Maximum number of assertions.
    pub assertions: usize,
    /// Maximum number of constants of each sort.
    pub constants: usize,
    /// Weights of operators by name; 10 for those that are not listed.
    pub weights: Vec<(String, u32)>,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape { depth: 4, assertions: 5, constants: 3, weights: Vec::new() }
    }
}

/// An instance that a source made.
#[derive(Debug)]
pub struct Made {
    /// The script with its truth.
    pub instance: Instance,
    /// The known answer of each check of a script that has several; empty if it has one.
    pub statuses: Vec<Status>,
    /// Its construction, in a few words.
    pub recipe: String,
}

impl Made {
    /// A script with one check that a model satisfies; none if the referee does not accept it.
    pub fn sat(pool: Pool, assertions: &[Term], model: Model) -> Option<Made> {
        {
            let mut e = Evaluator::new(&pool, &model);
            if assertions.is_empty() || assertions.iter().any(|&t| e.truth(t) != Satisfaction::Holds) {
                return None;
            }
        }
        Some(Made::new(pool, assertions, Truth::Sat(Box::new(model))))
    }

    /// A script with one check that declares the constants and functions of these assertions.
    pub fn new(pool: Pool, assertions: &[Term], truth: Truth) -> Made {
        let mut script = Script::default();
        declare(&pool, assertions, &mut script);
        assertions.iter().for_each(|&t| script.push(Command::Assert(t)));
        script.push(Command::CheckSat);
        Made::of(Instance { pool, script, truth })
    }

    /// An instance as it is.
    pub fn of(instance: Instance) -> Made {
        Made { instance, statuses: Vec::new(), recipe: String::new() }
    }

    /// The same with a description of its construction.
    pub fn with_recipe(mut self, recipe: impl Into<String>) -> Made {
        self.recipe = recipe.into();
        self
    }

    /// The text in SMT-LIB 2.6, with its certificate.
    pub fn text(&self, source: &str, name: &str) -> String {
        let mut out = String::with_capacity(1024);
        let logic = |c: &Command| matches!(c, Command::SetLogic(_));
        if !self.instance.script.commands().any(logic) {
            out.push_str("(set-logic ALL)\n");
        }
        write_info(Dialect::Smt26, ":category", source, &mut out);
        write_info(Dialect::Smt26, ":stringent-name", name, &mut out);
        if !self.recipe.is_empty() {
            write_info(Dialect::Smt26, ":stringent-recipe", &ascii(&self.recipe), &mut out);
        }
        if self.statuses.is_empty() {
            self.instance.write(Dialect::Smt26, "", &mut out).expect("2.6 can express every term");
        } else {
            self.session(&mut out);
        }
        out
    }

    /// The answer of its only check.
    pub fn status(&self) -> Status {
        if self.statuses.is_empty() { self.instance.truth.status() } else { Status::Unknown }
    }

    /// A script with several checks, each with its status.
    fn session(&self, out: &mut String) {
        let mut printer = Printer::new(&self.instance.pool, Dialect::Smt26);
        let mut statuses = self.statuses.iter();
        for command in self.instance.script.commands() {
            if matches!(command, Command::CheckSat | Command::CheckSatAssuming(_)) {
                let status = statuses.next().copied().unwrap_or(Status::Unknown);
                let _ = writeln!(out, "(set-info :status {status})");
            }
            printer.command(command, out).expect("2.6 can express every term");
            out.push('\n');
        }
    }
}

/// Declares the constants and functions of some terms, in the order in which the pool has them.
pub fn declare(pool: &Pool, terms: &[Term], script: &mut Script) {
    let mut funs: Vec<smt::Fun> = pool
        .subterms(terms.iter().copied())
        .filter_map(|t| match pool.head(t) {
            smt::Head::Fun(f) if pool.fun(f).def.is_none() => Some(f),
            _ => None,
        })
        .collect();
    funs.sort_unstable_by_key(|f| f.0);
    funs.dedup();
    for f in funs {
        let constant = pool.fun(f).params.is_empty();
        script.push(if constant { Command::DeclareConst(f) } else { Command::DeclareFun(f) });
    }
}

/// The effort for the value of a term while formulas are made.
fn config() -> Config {
    Config { steps: 20_000, regex_budget: 20_000, ..Config::default() }
}

/// Makes the instance number `index` of a source; none if that attempt leads to nothing.
pub fn make(source: &Source, material: &Material, seed: u64, index: u64) -> Option<Made> {
    let mut dice = Dice::keyed([seed, index, key(source.name), 0]);
    (source.make)(&mut dice, material)
}

/// A number for a name (FNV-1a).
fn key(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// No source has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownSource(String);

/// The source called `name`.
pub fn find(name: &str) -> Result<&'static Source, UnknownSource> {
    REGISTRY.iter().copied().find(|s| s.name == name).ok_or_else(|| {
        let names = REGISTRY.iter().map(|s| s.name);
        UnknownSource(smt::diag::unknown_name("source", name, names))
    })
}

#[cfg(test)]
mod tests;
