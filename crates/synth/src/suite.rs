//! The suites of the ICSE'20 paper: their operations, constants and rules, generated in parallel and in order.
//!
//! A suite is a list of tasks, each a pure function of the options. They run in parallel and come out in order, so that
//! the same options give the same texts whatever the number of threads. A task first makes an outline of its formulas,
//! which is cheap and tells their number; only the texts that are wanted are certified and written.

mod outline;

use crate::constants::Constants;
use crate::dice::Dice;
use crate::operation;
use crate::rules::{self, Equality, Rules};
use crate::sat::{self, Batch, TermOptions};
use crate::text::{Category, Text};
use crate::unsat::{Refutation, Step, steps};
use outline::{Outline, Variants};
use rayon::prelude::*;
use semantics::Reading;
use smt::diag::Diagnostic;
use smt::{Op, Pool};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// The paper's.
    Icse20,
    /// Every operator of the theory.
    Full,
}

impl Preset {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Preset::Icse20 => "icse20",
            Preset::Full => "full",
        }
    }

    /// Its operations.
    pub fn operations(self) -> &'static [Op] {
        match self {
            Preset::Icse20 => operation::icse20(),
            Preset::Full => &operation::FULL,
        }
    }
}

/// Whether quantifiers have patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patterns {
    /// No.
    Without,
    /// Yes.
    With,
    /// Each unsatisfiable formula in both ways.
    Both,
}

/// The options of a suite.
#[derive(Clone, Debug)]
pub struct Options {
    /// The suite.
    pub preset: Preset,
    /// The seed of random choices.
    pub seed: u64,
    /// Only these categories; empty: all.
    pub only: Vec<Category>,
    /// Only operations with this name; empty: all.
    pub operations: Vec<String>,
    /// Constants for constant assignment; none: the preset's.
    pub constants: Option<Constants>,
    /// Evaluations per operation in constant assignment; none: the preset's.
    pub runs: Option<usize>,
    /// The depth of synthesised terms.
    pub bound: usize,
    /// Replace only some of the constants in synthesised terms by variables.
    pub mix: bool,
    /// The number of transformation steps of unsatisfiable formulas.
    pub chain: usize,
    /// Patterns.
    pub patterns: Patterns,
    /// Further rule files: name and text.
    pub rules: Vec<(String, String)>,
    /// The semantics.
    pub reading: Reading,
    /// Program, version and command, for the texts.
    pub maker: String,
}

impl Options {
    /// The defaults of a preset.
    pub fn new(preset: Preset) -> Options {
        Options {
            preset,
            seed: 0,
            only: Vec::new(),
            operations: Vec::new(),
            constants: None,
            runs: None,
            bound: 1,
            mix: false,
            chain: 1,
            patterns: Patterns::Both,
            rules: Vec::new(),
            reading: Reading::Standard,
            maker: format!("stringent {}", env!("CARGO_PKG_VERSION")),
        }
    }
}

/// The errors of a rule file.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {} errors", errors.len())]
pub struct RuleErrors {
    /// The file.
    pub file: String,
    /// The errors.
    pub errors: Vec<Diagnostic>,
}

/// The size of a suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Instances by category.
    pub categories: BTreeMap<String, usize>,
    /// Instances by category and operation.
    pub operations: BTreeMap<(String, String), usize>,
    /// Rules that are neither equivalence, nor equality with a variable or constant.
    pub unused_rules: Vec<String>,
}

/// Generates a suite: `sink` gets its texts in order, until it returns false.
pub fn generate(options: &Options, sink: &mut dyn FnMut(Text) -> bool) -> Result<Tally, Box<RuleErrors>> {
    let suite = Suite::new(options)?;
    let mut tally = Tally { unused_rules: suite.rules.unused.clone(), ..Tally::default() };
    suite.all(&mut |text| {
        let key = (text.category.clone(), text.operation.clone());
        *tally.categories.entry(text.category.clone()).or_default() += 1;
        *tally.operations.entry(key).or_default() += 1;
        sink(text)
    });
    Ok(tally)
}

/// One task of a suite.
enum Task {
    Operation(Op),
    Constant(Op),
    Term(Op),
    /// The formulas of one equivalence.
    Unsat(usize),
}

/// A suite whose texts are made on demand.
pub struct Suite<'a> {
    options: &'a Options,
    ops: &'static [Op],
    constants: Constants,
    runs: usize,
    pool: Pool,
    rules: Rules,
    tasks: Vec<Task>,
    /// The number of texts of each task, once they are counted.
    counts: OnceLock<Vec<u64>>,
}

impl Suite<'_> {
    /// Reads the rules and lists the tasks.
    pub fn new(options: &Options) -> Result<Suite<'_>, Box<RuleErrors>> {
        let icse20 = options.preset == Preset::Icse20;
        let mut pool = Pool::new();
        let mut rules = Rules::default();
        let mut load = |name: &str, text: &str| {
            let wrap = |errors| Box::new(RuleErrors { file: name.to_owned(), errors });
            rules.add(text, &mut pool).map_err(wrap)
        };
        load("icse20.smt2", rules::ICSE20)?;
        if !icse20 {
            load("strings.smt2", rules::STRINGS)?;
        }
        for (name, text) in &options.rules {
            load(name, text)?;
        }
        let preset = if icse20 { Constants::icse20() } else { Constants::full() };
        let mut suite = Suite {
            options,
            ops: options.preset.operations(),
            constants: options.constants.clone().unwrap_or(preset),
            runs: options.runs.unwrap_or(if icse20 { usize::MAX } else { 50 }),
            pool,
            rules,
            tasks: Vec::new(),
            counts: OnceLock::new(),
        };
        suite.tasks = suite.list();
        Ok(suite)
    }

    /// The number of texts. Nothing is certified or written for it.
    pub fn count(&self) -> u64 {
        self.counts().iter().sum()
    }

    fn counts(&self) -> &[u64] {
        let count = |task| self.outline(task).drafts.len() as u64;
        self.counts.get_or_init(|| self.tasks.par_iter().map(count).collect())
    }

    /// Makes all texts, in order; `sink` gets them until it returns false.
    pub fn all(&self, sink: &mut dyn FnMut(Text) -> bool) {
        let jobs: Vec<(&Task, Option<Vec<u64>>)> = self.tasks.iter().map(|t| (t, None)).collect();
        self.write(&jobs, sink);
    }

    /// Makes the texts with these numbers, ascending from 0: the same as [`Suite::all`] makes at these places.
    pub fn some(&self, wanted: &[u64], sink: &mut dyn FnMut(Text) -> bool) {
        let (mut jobs, mut from, mut rest) = (Vec::new(), 0, wanted);
        for (task, count) in self.tasks.iter().zip(self.counts()) {
            let (mine, others) = rest.split_at(rest.partition_point(|&i| i < from + count));
            if !mine.is_empty() {
                jobs.push((task, Some(mine.iter().map(|i| i - from).collect())));
            }
            (from, rest) = (from + count, others);
        }
        self.write(&jobs, sink);
    }

    /// Makes the texts of tasks, or some of them, in parallel and in order.
    fn write(&self, jobs: &[(&Task, Option<Vec<u64>>)], sink: &mut dyn FnMut(Text) -> bool) {
        let texts = |(task, wanted): &(&Task, Option<Vec<u64>>)| self.texts(task, wanted.as_deref());
        for window in jobs.chunks(rayon::current_num_threads().max(1) * 4) {
            let made: Vec<Vec<Text>> = window.par_iter().map(texts).collect();
            if !made.into_iter().flatten().all(&mut *sink) {
                return;
            }
        }
    }

    /// The texts of a task, or those of them with these numbers.
    fn texts(&self, task: &Task, wanted: Option<&[u64]>) -> Vec<Text> {
        let mut outline = self.outline(task);
        let (source, suite) = (&self.options.maker, self.options.preset.name());
        match wanted {
            Some(wanted) => wanted.iter().map(|&i| outline.text(i as usize, source, suite)).collect(),
            None => (0..outline.drafts.len()).map(|i| outline.text(i, source, suite)).collect(),
        }
    }

    fn wants(&self, category: Category) -> bool {
        self.options.only.is_empty() || self.options.only.contains(&category)
    }

    fn list(&self) -> Vec<Task> {
        let named = |op: &&Op| {
            let name = smt::op::TABLE[**op as usize].name;
            self.options.operations.is_empty() || self.options.operations.iter().any(|o| o == name)
        };
        let ops = || self.ops.iter().filter(named).copied();
        let mut tasks = Vec::new();
        if self.wants(Category::Operation) {
            tasks.extend(ops().map(Task::Operation));
        }
        if self.wants(Category::Constant) {
            tasks.extend(ops().map(Task::Constant));
        }
        if self.wants(Category::Term) {
            tasks.extend(ops().map(Task::Term));
        }
        if [Category::Equivalent, Category::Core, Category::Redundancy].iter().any(|&c| self.wants(c)) {
            let about = |i: &usize| {
                let name = self.rules.equivalences[*i].operation.as_str();
                let name = name.strip_prefix("not ").unwrap_or(name);
                self.options.operations.is_empty() || self.options.operations.iter().any(|o| o == name)
            };
            tasks.extend((0..self.rules.equivalences.len()).filter(about).map(Task::Unsat));
        }
        tasks
    }

    fn outline(&self, task: &Task) -> Outline {
        let reading = self.options.reading;
        match task {
            Task::Operation(op) => Outline::sat(sat::operation(*op, &self.constants, reading)),
            Task::Constant(op) => Outline::sat(sat::constant(*op, &self.constants, self.runs, reading)),
            Task::Term(op) => Outline::sat(self.terms(*op)),
            Task::Unsat(i) => self.unsat(*i),
        }
    }

    fn terms(&self, op: Op) -> Batch {
        let icse20 = self.options.preset == Preset::Icse20;
        let constants = if icse20 { Constants::icse20_terms() } else { Constants::full_terms() };
        let options = TermOptions {
            bound: self.options.bound,
            first_only: icse20 && self.options.bound == 1,
            limit: if icse20 { usize::MAX } else { 40 },
            results: if icse20 { usize::MAX } else { 2 },
            mix: self.options.mix,
            seed: self.options.seed,
        };
        sat::terms(op, self.ops, &constants, &options, self.options.reading)
    }

    /// The formulas of one equivalence: itself, its transformations, chains of them.
    fn unsat(&self, i: usize) -> Outline {
        let mut pool = self.pool.clone();
        let mut all = vec![Refutation::new(&mut pool, &self.rules.equivalences[i])];
        let mut dice = Dice::new(self.options.seed, 1 << 32 | i as u64);
        let mut last = 0..1;
        for depth in 1..=self.options.chain {
            for k in last.clone() {
                let r = all[k].clone();
                let mut choices = self.choices(&pool, &r);
                if depth > 1 && !choices.is_empty() {
                    // Past the first step all would be too many: a random one of each.
                    let chosen = dice.index(choices.len());
                    choices = vec![choices.swap_remove(chosen)];
                }
                all.extend(choices.into_iter().map(|(step, eq, weak)| r.step(&mut pool, step, eq, weak)));
            }
            last = last.end..all.len();
        }
        all.retain(|r| self.wants(r.category()));
        all.sort_by_key(Refutation::category);
        let variants = match self.options.patterns {
            Patterns::Without => Variants::Plain,
            Patterns::With => Variants::Patterns,
            Patterns::Both if self.options.preset == Preset::Full => Variants::Distinct,
            Patterns::Both => Variants::Twice,
        };
        Outline::unsat(pool, all, variants)
    }

    /// The possible steps.
    fn choices(&self, pool: &Pool, r: &Refutation) -> Vec<(Step, &Equality, bool)> {
        let mut out = Vec::new();
        for equality in &self.rules.equalities {
            for step in steps(pool, r, equality) {
                out.extend(self.allows(pool, r, step, equality).map(|weak| (step, equality, weak)));
            }
        }
        out
    }

    /// Whether a step is sound, and in which form (see [`Refutation::step`]).
    fn allows(&self, pool: &Pool, r: &Refutation, step: Step, equality: &Equality) -> Option<bool> {
        let name = |v| crate::substitute::name_of(pool, v);
        if self.options.preset == Preset::Icse20 && r.steps.is_empty() {
            // The paper replaces one of the two variables of these everywhere, the other under the quantifier.
            let compared = match r.rule.as_str() {
                "E8" => Some("t"),
                "E10" | "E12" => Some("s"),
                _ => None,
            };
            match step {
                Step::Variable(v) if compared == Some(name(v)) => return None,
                Step::Under(q, v) if compared.is_some_and(|c| c != name(v)) && !binds(pool, q, v) => {
                    return None;
                }
                _ => {}
            }
        }
        match step {
            Step::Under(q, v) if !binds(pool, q, v) && equality.rule.when.is_some() => {
                crate::unsat::polarity(pool, r.body, q).allows(&r.rule)
            }
            _ => Some(false),
        }
    }
}

fn binds(pool: &Pool, q: smt::Term, v: smt::Term) -> bool {
    pool.bound_vars(q).contains(&v)
}
