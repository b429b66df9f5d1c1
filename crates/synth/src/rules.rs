//! The rules that unsatisfiable formulas are built from: equivalences and equalities.

use crate::substitute::with_negative_literals;
use semantics::rule::{self, Rule, RuleKind};
use smt::diag::Diagnostic;
use smt::{Head, Op, Pool, Sort, Term};

/// The rules of the paper, Tables 2 and 3.
pub const ICSE20: &str = include_str!("../rules/icse20.smt2");
/// Rules for the rest of the theory.
pub const STRINGS: &str = include_str!("../rules/strings.smt2");

/// Laws of words.
pub const WORDS: &str = include_str!("../rules/words.smt2");
/// Laws of regular languages.
pub const LANGUAGES: &str = include_str!("../rules/languages.smt2");
/// Laws of numbers and character codes.
pub const NUMBERS: &str = include_str!("../rules/numbers.smt2");
/// Laws of the lexicographic order.
pub const ORDER: &str = include_str!("../rules/order.smt2");
/// Laws of strings with Int, Bool and ite.
pub const MIXED: &str = include_str!("../rules/mixed.smt2");
/// Rules that were found by search.
pub const MINED: &str = include_str!("../rules/mined.smt2");

/// All shipped files: name and text. No two rules have the same name.
pub const ALL: &[(&str, &str)] = &[
    ("icse20.smt2", ICSE20),
    ("strings.smt2", STRINGS),
    ("words.smt2", WORDS),
    ("languages.smt2", LANGUAGES),
    ("numbers.smt2", NUMBERS),
    ("order.smt2", ORDER),
    ("mixed.smt2", MIXED),
    ("mined.smt2", MINED),
];

/// An equivalence, or the implication from right to left, to be asserted as `¬lhs ∧ rhs`.
#[derive(Clone, Debug)]
pub struct Equivalence {
    /// The rule.
    pub rule: Rule,
    /// The operation under test.
    pub operation: String,
}

/// An equality `lhs = rhs` whose right side is a variable of it or a constant.
#[derive(Clone, Debug)]
pub struct Equality {
    /// The rule.
    pub rule: Rule,
    /// The right side is a constant, not a variable.
    pub constant: bool,
    /// The sort of both sides.
    pub sort: Sort,
}

/// The rules of some files.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The equivalences that formulas start from.
    pub equivalences: Vec<Equivalence>,
    /// The equalities that make formulas harder.
    pub equalities: Vec<Equality>,
    /// Names of rules that are neither.
    pub unused: Vec<String>,
    /// All rules, of any kind and with any sides: what they claim is in [`Rule`].
    pub all: Vec<Rule>,
}

impl Rules {
    /// The rules of all shipped files. This parses about 2,000 lines, so do it once per process.
    pub fn everything(pool: &mut Pool) -> Rules {
        Rules::of(ALL, pool)
    }

    /// The shipped rules that were written by hand.
    pub fn written(pool: &mut Pool) -> Rules {
        let files: Vec<_> = ALL.iter().copied().filter(|&(name, _)| name != "mined.smt2").collect();
        Rules::of(&files, pool)
    }

    fn of(files: &[(&str, &str)], pool: &mut Pool) -> Rules {
        let mut rules = Rules::default();
        for (name, text) in files {
            let loaded = rules.add(text, pool);
            debug_assert!(loaded.is_ok(), "{name}: {loaded:?}");
        }
        rules
    }

    /// Adds the rules of a file.
    pub fn add(&mut self, src: &str, pool: &mut Pool) -> Result<(), Vec<Diagnostic>> {
        for mut rule in rule::load(src.as_bytes(), pool)? {
            let normal = |pool: &mut Pool, t: &mut Term| *t = with_negative_literals(pool, *t);
            normal(pool, &mut rule.lhs);
            normal(pool, &mut rule.rhs);
            if let Some(when) = &mut rule.when {
                normal(pool, when);
            }
            self.all.push(rule.clone());
            self.place(rule, pool);
        }
        Ok(())
    }

    fn place(&mut self, rule: Rule, pool: &Pool) {
        let sort = pool.sort_of(rule.lhs);
        if rule.kind != RuleKind::Equality {
            let operation = operation_of(pool, rule.lhs);
            self.equivalences.push(Equivalence { rule, operation });
            return;
        }
        match pool.head(rule.rhs) {
            Head::Var(_) => self.equalities.push(Equality { rule, constant: false, sort }),
            Head::Str(_) | Head::Int(_) | Head::Op(Op::True | Op::False) => {
                self.equalities.push(Equality { rule, constant: true, sort });
            }
            _ => self.unused.push(rule.name),
        }
    }
}

/// The operation of an equivalence: the operator on the left, without the equality with its result.
fn operation_of(pool: &Pool, lhs: Term) -> String {
    let mut t = lhs;
    let mut not = "";
    loop {
        match pool.head(t) {
            Head::Op(Op::Not) => not = "not ",
            Head::Op(Op::Eq) if matches!(pool.head(pool.args(t)[0]), Head::Op(_) | Head::Indexed(..)) => {}
            Head::Op(Op::StrInRe) => {
                let language = pool.args(t)[1];
                return format!("{not}{}", head_name(pool, language));
            }
            _ => return format!("{not}{}", head_name(pool, t)),
        }
        t = pool.args(t)[0];
    }
}

fn head_name(pool: &Pool, t: Term) -> &'static str {
    match pool.head(t) {
        Head::Op(op) | Head::Indexed(op, _) => op.name(),
        _ => "other",
    }
}
