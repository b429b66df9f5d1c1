//! A script and the output of a solver for it: finds the model to judge and the `check-sat` that it answers.
//!
//! A solver prints verdicts, models and errors in sequence. The model to judge is that of a given check, or the last one; before a
//! model is reported to fail, [`ambiguity`](crate::ambiguity) looks for another reading of the two texts under which it does not.

use crate::ambiguity::{other_escapes, redeclaration};
use crate::model::{Answer, answers};
use crate::referee::{Check, Judgement, check, check_count};
use crate::regex::RegexStore;
use crate::{Config, Evaluator, Model, Reading, Satisfaction};
use smt::answer::{Item, Verdict};
use smt::{Command, Dialect, Parsed, Pool};
use std::collections::HashSet;
use std::fmt;

/// How two texts are read.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The dialect of the script; detected if there is none.
    pub dialect: Option<Dialect>,
    /// The dialect of the output; the standard if there is none.
    pub model_dialect: Option<Dialect>,
    /// The semantics.
    pub reading: Reading,
    /// The number of the check, from 1; the last one with a model if there is none.
    pub check: Option<usize>,
    /// The most lines of an explanation.
    pub lines: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { dialect: None, model_dialect: None, reading: Reading::default(), check: None, lines: 30 }
    }
}

/// A script and an output, read; then the check and the model to judge.
#[derive(Debug)]
pub struct Transcript {
    /// The terms.
    pub pool: Pool,
    /// The script.
    pub parsed: Parsed,
    /// The check.
    pub check: Check,
    /// Its number, from 1.
    pub number: usize,
    /// The answer to it, if one was printed.
    pub verdict: Option<Verdict>,
    model: Model,
    items: Vec<Item>,
    options: Options,
}

/// Why there is nothing to judge in an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// The script has fewer checks than the number that was given.
    NoSuchCheck {
        /// The number of checks.
        checks: usize,
        /// The number that was given.
        given: usize,
    },
    /// There are more verdicts than checks.
    TooManyVerdicts {
        /// The number of verdicts.
        verdicts: usize,
        /// The number of checks.
        checks: usize,
    },
    /// There are errors and fewer verdicts than checks, so that it is open which check a verdict belongs to.
    Errors {
        /// The number of verdicts.
        verdicts: usize,
        /// The number of checks.
        checks: usize,
    },
    /// There is no verdict for the check.
    TooFewVerdicts(usize),
    /// The answer to the check is `unsat`.
    Unsat(usize),
    /// The model cannot be read.
    Unreadable(String),
    /// There is no model.
    NoModel,
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unusable::NoSuchCheck { checks, given } => {
                write!(f, "the script has {checks} check-sat command(s), there is no number {given}")
            }
            Unusable::TooManyVerdicts { verdicts, checks } => {
                write!(f, "it has {verdicts} verdicts, the script {checks} check-sat command(s)")
            }
            Unusable::Errors { verdicts, checks } => {
                write!(f, "it has errors, and only {verdicts} verdicts for {checks} check-sat commands")
            }
            Unusable::TooFewVerdicts(verdicts) => write!(f, "it has only {verdicts} verdict(s)"),
            Unusable::Unsat(number) => write!(f, "the solver answered unsat to check-sat {number}"),
            Unusable::Unreadable(why) => f.write_str(why),
            Unusable::NoModel => {
                f.write_str("a `((define-fun x () String \"…\") …)` or `((x \"…\") …)` is needed")
            }
        }
    }
}

impl std::error::Error for Unusable {}

impl Transcript {
    /// Reads both texts.
    pub fn read(script: &[u8], output: &[u8], options: Options) -> Transcript {
        let mut pool = Pool::new();
        pool.read_datatypes();
        let parsed = smt::parse(script, options.dialect, &mut pool);
        let items = smt::answer::read(output, options.model_dialect.unwrap_or_default(), &mut pool);
        let (check, model) = (Check::default(), Model::new());
        Transcript { pool, parsed, check, number: 1, verdict: None, model, items, options }
    }

    /// Chooses the model to judge and the check that it answers.
    pub fn choose(&mut self) -> Result<(), Unusable> {
        let declared = self.declared();
        let mut all = answers(&self.pool, &self.items, &|name| declared.contains(name));
        let checks = check_count(&self.parsed.script);
        let (index, numbered) = self.index(&all, checks)?;
        let chosen = all.swap_remove(index);
        self.number = if numbered { index + 1 } else { self.options.check.unwrap_or(checks) };
        self.verdict = chosen.verdict;
        if chosen.verdict == Some(Verdict::Unsat) {
            return Err(Unusable::Unsat(self.number));
        }
        if let Some(why) = chosen.trouble {
            return Err(Unusable::Unreadable(why));
        }
        self.model = chosen.model.ok_or(Unusable::NoModel)?;
        let none = Unusable::NoSuchCheck { checks, given: self.number };
        self.check = check(&self.parsed.script, self.number - 1).ok_or(none)?;
        Ok(())
    }

    /// The index of the answer to judge, and whether answers have verdicts, which number them.
    fn index(&self, all: &[Answer], checks: usize) -> Result<(usize, bool), Unusable> {
        let (given, verdicts) = (self.options.check, all.len());
        if let Some(given) = given.filter(|&n| n == 0 || n > checks) {
            return Err(Unusable::NoSuchCheck { checks, given });
        }
        let numbered = all[0].verdict.is_some();
        if numbered && verdicts > checks {
            return Err(Unusable::TooManyVerdicts { verdicts, checks });
        }
        let failed = self.items.iter().any(|i| matches!(i, Item::Error(_)));
        if numbered && verdicts > 1 && verdicts < checks && failed {
            return Err(Unusable::Errors { verdicts, checks });
        }
        let useful =
            |a: &Answer| a.verdict != Some(Verdict::Unsat) && (a.model.is_some() || a.trouble.is_some());
        let index = match given {
            Some(n) if numbered => n - 1,
            _ => all.iter().rposition(useful).unwrap_or(verdicts - 1),
        };
        if index < verdicts { Ok((index, numbered)) } else { Err(Unusable::TooFewVerdicts(verdicts)) }
    }

    fn declared(&self) -> HashSet<&str> {
        let name = |c| match c {
            &Command::DeclareFun(f) | &Command::DeclareConst(f) => Some(self.pool.fun_name(f)),
            _ => None,
        };
        self.parsed.script.commands().filter_map(name).collect()
    }

    /// How the texts were read.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// An evaluator under the model.
    pub fn evaluator(&self) -> Evaluator<'_> {
        let config = Config { reading: self.options.reading, ..Config::default() };
        Evaluator::with(&self.pool, &self.model, config, RegexStore::new())
    }

    /// The model fails under these options.
    fn fails(script: &[u8], output: &[u8], options: Options) -> bool {
        let mut other = Transcript::read(script, output, options);
        if !other.parsed.is_ok() || other.choose().is_err() {
            return true;
        }
        let mut e = other.evaluator();
        Judgement::of(&other.check, &mut e).overall() == Satisfaction::Fails
    }

    /// Another reading of the two texts under which nothing fails, or a declaration with two meanings.
    pub fn ambiguity(&self, script: &[u8], output: &[u8]) -> Option<String> {
        let (options, standard) = (self.options, Some(Dialect::Smt26));
        let detected = self.parsed.script.dialect;
        if options.dialect.is_none()
            && detected != Dialect::Smt26
            && !Transcript::fails(script, output, Options { dialect: standard, ..options })
        {
            return Some(format!(
                "the script was read in dialect {detected}; read with --dialect 2.6, nothing fails"
            ));
        }
        let escapes = other_escapes(output, Dialect::default()).filter(|_| options.model_dialect.is_none());
        if escapes.is_some_and(|d| {
            !Transcript::fails(script, output, Options { model_dialect: Some(d), ..options })
        }) {
            let text = "the model has escapes of old solvers; read with --model-dialect 2.5, nothing fails";
            return Some(text.into());
        }
        redeclaration(&self.parsed.diagnostics)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &[u8] =
        b"(declare-const x String)(assert (= x \"a\"))(check-sat)(assert (= x \"b\"))(check-sat)";

    fn chosen(output: &str, check: Option<usize>) -> Result<usize, Unusable> {
        let options = Options { check, ..Options::default() };
        let mut transcript = Transcript::read(SCRIPT, output.as_bytes(), options);
        transcript.choose().map(|()| transcript.number)
    }

    #[test]
    fn the_last_check_with_a_model() {
        assert_eq!(chosen("sat\n((x \"a\"))\nunsat\n", None), Ok(1));
        assert_eq!(chosen("sat\n((x \"a\"))\nsat\n((x \"b\"))\n", None), Ok(2));
        assert_eq!(chosen("((x \"a\"))\n", Some(1)), Ok(1));
    }

    #[test]
    fn outputs_without_a_model_to_judge() {
        assert_eq!(chosen("unsat\n", None), Err(Unusable::Unsat(1)));
        assert_eq!(chosen("sat\n", None), Err(Unusable::NoModel));
        assert_eq!(chosen("sat\n", Some(2)), Err(Unusable::TooFewVerdicts(1)));
        assert_eq!(chosen("sat\n", Some(3)), Err(Unusable::NoSuchCheck { checks: 2, given: 3 }));
        let three = Unusable::TooManyVerdicts { verdicts: 3, checks: 2 };
        assert_eq!(chosen("sat\nsat\nsat\n", None), Err(three));
    }
}
