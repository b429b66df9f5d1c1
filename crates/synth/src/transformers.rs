//! Transformers: from a script to a similar one.
//!
//! After Blotsky, "StringFuzz: A Fuzzer for String SMT Solvers", thesis, 2018, Table 3.2. A transformer changes the terms of
//! a script and leaves its commands as they are: logic, options, declarations, definitions, levels and comments
//! survive. [`Chain`] applies several, one after the other.
//!
//! What is known of the answer is carried across only where that is proved. A transformer says whether all answers of
//! the script it was given stay what they were ([`Effect::keeps`]), and how the values of a model change along
//! ([`Effect::values`]). A model that was changed along is judged by the referee, whether or not the answers are
//! kept: a formula that was made random may still have it. See [`carry`] for the conditions.
//!
//! One transformer is one file with its parameters, its [`Info`] and one method, and a row in [`REGISTRY`].

pub mod carry;
pub mod fuzz;
pub mod graft;
pub mod insert_operator;
pub mod multiply;
pub mod nop;
pub(crate) mod occurrences;
pub mod permutation;
pub mod recipe;
pub mod reverse;
pub mod rotate;
pub mod text;
pub mod translate;
pub mod unprintable;
mod walk;

pub(crate) use walk::{Named, live};

use crate::suite::Dice;
use semantics::Value;
use semantics::instance::Instance;
use smt::{Dialect, Op, Pool, Script};

/// What a user is told of a transformer.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// The flags that it looks at, without dashes.
    pub flags: &'static [&'static str],
    /// When it keeps the answer.
    pub keeps: &'static str,
}

/// What a transformer works on.
pub struct Job<'a> {
    /// The terms.
    pub pool: &'a mut Pool,
    /// The commands.
    pub script: &'a mut Script,
    /// Random numbers of this step.
    pub dice: &'a mut Dice,
    /// The dialect that the result will be written in: operators that it cannot say are not introduced.
    pub dialect: Dialect,
}

/// How the values of a model change along with the formula. None: there is no such value.
pub type ValueMap = Box<dyn Fn(&Value) -> Option<Value> + Send + Sync>;

/// What a transformation did to the answers.
pub struct Effect {
    /// Every `check-sat` of the script has the answer it had before: proved by how the change was made.
    pub keeps: bool,
    /// Nothing was changed at all.
    pub unchanged: bool,
    /// What the values of a model become; none if they stay.
    pub values: Option<ValueMap>,
}

impl Effect {
    /// Nothing is known; models are tried as they are.
    pub const OPEN: Effect = Effect { keeps: false, unchanged: false, values: None };
    /// Nothing was changed.
    pub const NONE: Effect = Effect { keeps: true, unchanged: true, values: None };

    /// Of a change whose answers stay if `keeps`, with these values; of none unless `changed`.
    fn of(changed: bool, keeps: bool, values: Option<ValueMap>) -> Effect {
        if changed { Effect { keeps, unchanged: false, values } } else { Effect::NONE }
    }
}

/// One way to change a script.
pub trait Transformer: Send + Sync {
    /// What a user is told.
    fn info(&self) -> &'static Info;

    /// Changes the terms of a script.
    fn apply(&self, job: &mut Job<'_>) -> Effect;
}

/// The parameters of all transformers; each takes those that its [`Info`] lists.
#[derive(Clone, Debug)]
pub struct Flags {
    /// Also change the literals of `re.range`.
    pub re_range: bool,
    /// Also swap what is in `str.to_re`.
    pub str_to_re: bool,
    /// By how much `multiply` multiplies.
    pub factor: u32,
    /// Also permute digits.
    pub integers: bool,
    /// Permute only among characters that no range of the script tells apart.
    pub within_ranges: bool,
    /// What to insert; random if none.
    pub operator: Option<Op>,
    /// How deep to insert, at most.
    pub depth: u32,
}

impl Default for Flags {
    fn default() -> Self {
        Flags {
            re_range: false,
            str_to_re: false,
            factor: 2,
            integers: false,
            within_ranges: false,
            operator: None,
            depth: 2,
        }
    }
}

/// A row of the registry.
pub struct Row {
    /// What a user is told.
    pub info: &'static Info,
    /// Makes one with these parameters.
    pub make: fn(&Flags) -> Box<dyn Transformer>,
}

/// All transformers.
pub static REGISTRY: &[Row] = &[
    Row { info: &fuzz::INFO, make: |f| Box::new(fuzz::Fuzz { re_range: f.re_range }) },
    Row { info: &graft::INFO, make: |f| Box::new(graft::Graft { str_to_re: f.str_to_re }) },
    Row {
        info: &insert_operator::INFO,
        make: |f| Box::new(insert_operator::InsertOperator { operator: f.operator, depth: f.depth }),
    },
    Row {
        info: &multiply::INFO,
        make: |f| Box::new(multiply::Multiply { factor: f.factor, re_range: f.re_range }),
    },
    Row { info: &nop::INFO, make: |_| Box::new(nop::Nop) },
    Row { info: &reverse::INFO, make: |_| Box::new(reverse::Reverse) },
    Row { info: &rotate::INFO, make: |_| Box::new(rotate::Rotate) },
    Row {
        info: &translate::INFO,
        make: |f| {
            let (integers, re_range, within_ranges) = (f.integers, f.re_range, f.within_ranges);
            Box::new(translate::Translate { integers, re_range, within_ranges })
        },
    },
    Row { info: &unprintable::INFO, make: |_| Box::new(unprintable::Unprintable) },
];

/// A name that no transformer has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no transformer `{name}`: there are {known}{hint}")]
pub struct UnknownTransformer {
    name: String,
    known: String,
    hint: String,
}

/// The row of a name.
pub fn find(name: &str) -> Result<&'static Row, UnknownTransformer> {
    REGISTRY.iter().find(|r| r.info.name == name).ok_or_else(|| {
        let names: Vec<&str> = REGISTRY.iter().map(|r| r.info.name).collect();
        let near = smt::diag::did_you_mean(name, names.iter().copied());
        UnknownTransformer {
            name: name.into(),
            known: names.join(", "),
            hint: near.map_or_else(String::new, |n| format!(". Did you mean `{n}`?")),
        }
    })
}

/// Transformers to apply one after the other.
pub struct Chain {
    steps: Vec<Box<dyn Transformer>>,
}

impl Chain {
    /// The transformers called `names`, with these parameters.
    pub fn new<'a>(
        names: impl IntoIterator<Item = &'a str>,
        flags: &Flags,
    ) -> Result<Chain, UnknownTransformer> {
        let steps = names.into_iter().map(|n| find(n).map(|row| (row.make)(flags)));
        Ok(Chain { steps: steps.collect::<Result<_, _>>()? })
    }

    /// Its transformers.
    pub fn infos(&self) -> impl Iterator<Item = &'static Info> + '_ {
        self.steps.iter().map(|s| s.info())
    }

    /// Transforms `instance`, to be written in `dialect`. The same seed gives the same result. Its truth, and the
    /// `:status` attributes in the script, are carried across or opened.
    pub fn apply(&self, instance: &mut Instance, seed: u64, dialect: Dialect) {
        self.apply_from(0, instance, seed, dialect);
    }

    /// The same as the continuation of a chain of `done` steps.
    pub fn apply_from(&self, done: usize, instance: &mut Instance, seed: u64, dialect: Dialect) {
        for (i, step) in self.steps.iter().enumerate() {
            let mut dice = Dice::new(seed, (done + i) as u64);
            let effect = step.apply(&mut Job {
                pool: &mut instance.pool,
                script: &mut instance.script,
                dice: &mut dice,
                dialect,
            });
            carry::carry(instance, &effect);
        }
    }
}

#[cfg(test)]
mod tests;
