//! Transformers: from a script to a similar one.
//!
//! After Blotsky, "StringFuzz: A Fuzzer for String SMT Solvers", thesis, 2018, Table 3.2. A transformer changes the terms of
//! a script and keeps its commands: logic, options, declarations, definitions, levels and comments
//! are unchanged. [`Chain`] applies several, one after the other.
//!
//! The known answer is kept only where that is proved. A transformer states whether it preserves all answers of the
//! script ([`Effect::keeps`]), and how it transforms the values of a model
//! ([`Effect::values`]). A transformed model is judged by the referee, whether or not the answers are
//! kept: it may still hold after random changes. See [`commute`] for the conditions.
//!
//! One transformer is one file with one [`Transformer`], and an entry in [`REGISTRY`].

pub mod carry;
pub mod commute;
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

use crate::dice::Dice;
use semantics::Value;
use semantics::instance::Instance;
use smt::{Dialect, Op, Pool, Script};

/// The input of a transformer.
pub struct Job<'a> {
    /// The terms.
    pub pool: &'a mut Pool,
    /// The commands.
    pub script: &'a mut Script,
    /// Random numbers of this step.
    pub dice: &'a mut Dice,
    /// The dialect of the result: only operators that it has are introduced.
    pub dialect: Dialect,
}

/// Maps the values of a model along with the formula. None: there is no such value.
pub type ValueMap = Box<dyn Fn(&Value) -> Option<Value> + Send + Sync>;

/// The effect of a transformation on the answers.
pub struct Effect {
    /// Every check of the script keeps its answer, by construction.
    pub keeps: bool,
    /// Nothing was changed.
    pub unchanged: bool,
    /// The map of the values of a model; none if they stay.
    pub values: Option<ValueMap>,
}

impl Effect {
    /// Nothing is known; models are tried as they are.
    pub const UNKNOWN: Effect = Effect { keeps: false, unchanged: false, values: None };
    /// Nothing was changed.
    pub const NONE: Effect = Effect { keeps: true, unchanged: true, values: None };

    /// The effect of a change that keeps the answers if `keeps`; none unless `changed`.
    fn of(changed: bool, keeps: bool, values: Option<ValueMap>) -> Effect {
        if changed { Effect { keeps, unchanged: false, values } } else { Effect::NONE }
    }
}

/// A transformer.
pub struct Transformer {
    /// Its name on the command line.
    pub name: &'static str,
    /// A summary.
    pub about: &'static str,
    /// Its flags, without dashes.
    pub flags: &'static [&'static str],
    /// The condition under which it keeps the answer.
    pub keeps: &'static str,
    /// Changes the terms of a script.
    pub apply: fn(&Flags, &mut Job<'_>) -> Effect,
}

/// The parameters of all transformers; each uses those that [`Transformer::flags`] lists.
#[derive(Clone, Debug)]
pub struct Flags {
    /// Also change the literals of `re.range`.
    pub re_range: bool,
    /// Also swap the arguments of `str.to_re`.
    pub str_to_re: bool,
    /// The factor of `multiply`.
    pub factor: u32,
    /// Also permute digits.
    pub integers: bool,
    /// Permute only among characters that no range of the script separates.
    pub within_ranges: bool,
    /// The operator to insert; random if none.
    pub operator: Option<Op>,
    /// The maximal depth of an insertion.
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

/// All transformers.
pub static REGISTRY: &[&Transformer] = &[
    &fuzz::FUZZ,
    &graft::GRAFT,
    &insert_operator::INSERT_OPERATOR,
    &multiply::MULTIPLY,
    &nop::NOP,
    &reverse::REVERSE,
    &rotate::ROTATE,
    &translate::TRANSLATE,
    &unprintable::UNPRINTABLE,
];

/// No transformer has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownTransformer(String);

/// The transformer called `name`.
pub fn find(name: &str) -> Result<&'static Transformer, UnknownTransformer> {
    REGISTRY.iter().copied().find(|t| t.name == name).ok_or_else(|| {
        let names = REGISTRY.iter().map(|t| t.name);
        UnknownTransformer(smt::diag::unknown_name("transformer", name, names))
    })
}

/// Transformers to apply one after the other.
pub struct Chain {
    steps: Vec<&'static Transformer>,
    flags: Flags,
}

impl Chain {
    /// The transformers called `names`, with these parameters.
    pub fn new<'a>(
        names: impl IntoIterator<Item = &'a str>,
        flags: &Flags,
    ) -> Result<Chain, UnknownTransformer> {
        let steps = names.into_iter().map(find).collect::<Result<_, _>>()?;
        Ok(Chain { steps, flags: flags.clone() })
    }

    /// Its transformers.
    pub fn steps(&self) -> &[&'static Transformer] {
        &self.steps
    }

    /// Transforms `instance`, to be written in `dialect`. The same seed gives the same result. Its truth, and the
    /// `:status` attributes in the script, are kept or become unknown.
    pub fn apply(&self, instance: &mut Instance, seed: u64, dialect: Dialect) {
        self.apply_from(0, instance, seed, dialect);
    }

    /// The same as the continuation of a chain of `done` steps.
    pub fn apply_from(&self, done: usize, instance: &mut Instance, seed: u64, dialect: Dialect) {
        for (i, step) in self.steps.iter().enumerate() {
            let dice = &mut Dice::new(seed, (done + i) as u64);
            let (pool, script) = (&mut instance.pool, &mut instance.script);
            let effect = (step.apply)(&self.flags, &mut Job { pool, script, dice, dialect });
            carry::carry(instance, &effect);
        }
    }
}

#[cfg(test)]
mod tests;
