//! Equality: one variable equals several concatenations, each of a constant, variables or constants, and a constant.
//!
//! The answer is always known, because no variable but the common one occurs twice. So each concatenation states that the
//! word begins with a constant, has some constants in it in this order, and ends with a constant. If each has a variable:
//! there is such a word exactly if of any two beginnings one begins with the other, and the same for the ends; then the
//! longest beginning, all the inner constants, and the longest end are one. If a concatenation has no variable, it is
//! the word, and the others match it or not. A core has two of the equations.

use super::build::Values;
use super::{Builder, Generator, Info};
use crate::dice::Dice;
use crate::parameters::parameters;
use semantics::instance::Truth;
use smt::{Op, Sort, Term};

parameters! {
    /// Parameters of `equality`.
    pub struct Equality {
        /// Concatenations, at least 1
        num_exprs: u64 = 2, "num-exprs" "N";
        /// Terms in each, the constants at both ends included: at least 2
        num_terms: u64 = 7, "num-terms" "N";
        /// The length of the constant at the beginning
        prefix_len: u64 = 5, "prefix-len" "N";
        /// The length of the constant at the end
        suffix_len: u64 = 0, "suffix-len" "N";
        /// The length of constants in between
        infix_len: u64 = 3, "infix-len" "N";
        /// The probability that a term in between is a constant
        infix_chance: f64 = 0.2, "infix-chance" "P";
        /// Also use constants between the prefix and the suffix
        add_infixes: bool = false, "add-infixes" "";
        /// Random lengths, up to those given
        random_lengths: bool = false, "random-lengths" "";
    }
}

/// One term of a concatenation.
enum Part {
    Constant(Vec<u32>),
    Variable(Term),
}

/// A concatenation: constants with variables between them.
struct Pattern {
    /// One more than `gaps`.
    constants: Vec<Vec<u32>>,
    /// The variables of each gap.
    gaps: Vec<Vec<Term>>,
}

impl Generator for Equality {
    fn info(&self) -> Info {
        Info {
            name: "equality",
            about: "One variable equal to several concatenations of constants and variables",
            truth: "always known",
            example: "--num-terms 30 --add-infixes",
        }
    }

    fn check(&self) -> Result<(), String> {
        if self.num_exprs < 1 {
            return Err("--num-exprs: at least 1".into());
        }
        if self.num_terms < 2 {
            return Err("--num-terms: at least 2".into());
        }
        Ok(())
    }

    fn make(&self, dice: &mut Dice, b: &mut Builder) -> Result<Truth, String> {
        let root = b.declare("x", 0, Sort::STRING);
        let mut next = 1;
        let mut patterns = Vec::with_capacity(self.num_exprs as usize);
        let mut equations = Vec::with_capacity(self.num_exprs as usize);
        for _ in 0..self.num_exprs {
            let parts = self.parts(dice, b, &mut next);
            let terms: Vec<Term> = parts
                .iter()
                .map(|p| match p {
                    Part::Constant(word) => b.string(word),
                    Part::Variable(v) => *v,
                })
                .collect();
            let concat = b.chain(Op::StrConcat, Sort::STRING, &terms);
            equations.push(b.eq(root, concat));
            patterns.push(Pattern::new(parts));
        }
        for t in equations {
            b.assert(t);
        }
        Ok(decide(b, root, &patterns))
    }
}

impl Equality {
    fn length(&self, dice: &mut Dice, most: u64) -> u64 {
        if self.random_lengths { dice.between(0, most) } else { most }
    }

    fn constant(&self, dice: &mut Dice, most: u64) -> Part {
        let length = self.length(dice, most);
        Part::Constant(dice.word(length))
    }

    fn parts(&self, dice: &mut Dice, b: &mut Builder, next: &mut usize) -> Vec<Part> {
        let mut parts = Vec::with_capacity(self.num_terms as usize);
        parts.push(self.constant(dice, self.prefix_len));
        for _ in 2..self.num_terms {
            if self.add_infixes && dice.chance(self.infix_chance) {
                parts.push(self.constant(dice, self.infix_len));
            } else {
                parts.push(Part::Variable(b.declare("x", *next, Sort::STRING)));
                *next += 1;
            }
        }
        parts.push(self.constant(dice, self.suffix_len));
        parts
    }
}

impl Pattern {
    fn new(parts: Vec<Part>) -> Pattern {
        let mut pattern = Pattern { constants: vec![Vec::new()], gaps: Vec::new() };
        let mut open = false;
        for part in parts {
            match part {
                Part::Constant(word) => {
                    if word.is_empty() {
                        continue;
                    }
                    open = false;
                    pattern.constants.last_mut().expect("never empty").extend(word);
                }
                Part::Variable(v) if open => pattern.gaps.last_mut().expect("one is open").push(v),
                Part::Variable(v) => {
                    open = true;
                    pattern.gaps.push(vec![v]);
                    pattern.constants.push(Vec::new());
                }
            }
        }
        pattern
    }

    fn first(&self) -> &[u32] {
        &self.constants[0]
    }

    fn last(&self) -> &[u32] {
        self.constants.last().expect("never empty")
    }

    fn inner(&self) -> &[Vec<u32>] {
        &self.constants[1..self.constants.len() - 1]
    }

    /// The strings in the gaps of `word`; none if it does not match. Each constant is matched at its first occurrence.
    fn fill<'w>(&self, word: &'w [u32]) -> Option<Vec<&'w [u32]>> {
        if self.gaps.is_empty() {
            return (word == self.first()).then(Vec::new);
        }
        let mut rest = word.strip_prefix(self.first())?.strip_suffix(self.last())?;
        let mut out = Vec::with_capacity(self.gaps.len());
        for constant in self.inner() {
            let at =
                (0..=rest.len().checked_sub(constant.len())?).find(|&i| rest[i..].starts_with(constant))?;
            out.push(&rest[..at]);
            rest = &rest[at + constant.len()..];
        }
        out.push(rest);
        Some(out)
    }
}

fn decide(b: &Builder, root: Term, patterns: &[Pattern]) -> Truth {
    if let Some(w) = patterns.iter().position(|p| p.gaps.is_empty()) {
        let word = patterns[w].first();
        return match patterns.iter().position(|p| p.fill(word).is_none()) {
            Some(i) => Truth::Unsat(vec![i.min(w), i.max(w)]),
            None => model(b, root, patterns, word),
        };
    }
    let longest =
        |part: fn(&Pattern) -> &[u32]| (0..patterns.len()).max_by_key(|&i| part(&patterns[i]).len());
    let (first, last) = (longest(Pattern::first).unwrap_or(0), longest(Pattern::last).unwrap_or(0));
    let begins = |p: &Pattern| patterns[first].first().starts_with(p.first());
    if let Some(i) = patterns.iter().position(|p| !begins(p)) {
        return Truth::Unsat(vec![i.min(first), i.max(first)]);
    }
    let ends = |p: &Pattern| patterns[last].last().ends_with(p.last());
    if let Some(i) = patterns.iter().position(|p| !ends(p)) {
        return Truth::Unsat(vec![i.min(last), i.max(last)]);
    }
    let mut word = patterns[first].first().to_vec();
    patterns.iter().flat_map(Pattern::inner).for_each(|c| word.extend(c));
    word.extend(patterns[last].last());
    model(b, root, patterns, &word)
}

fn model(b: &Builder, root: Term, patterns: &[Pattern], word: &[u32]) -> Truth {
    let mut values = Values::new(b);
    values.word(root, word);
    for pattern in patterns {
        let Some(fill) = pattern.fill(word) else { return Truth::Unknown };
        for (vars, text) in pattern.gaps.iter().zip(fill) {
            values.word(vars[0], text);
            for &v in &vars[1..] {
                values.word(v, &[]);
            }
        }
    }
    values.sat()
}
