//! Regex: one variable in, or not in, regular expressions of a given shape.
//!
//! The answer: if it follows from the construction, a word is built together with the expressions (see
//! [`sample`]); if not, the intersection of all constraints is searched for a word, in bounded time ([`truth`]). If that
//! is exhausted the instance is unlabelled.

mod sample;
mod truth;

use super::{Builder, Generator, Info};
use crate::dice::Dice;
use crate::dice::LETTERS;
use crate::parameters::{Setting, choice, parameters};
use sample::Sample;
use semantics::instance::Truth;
use smt::{Op, Sort, Term};

choice! {
    /// The kind of literals.
    pub enum LiteralType {
        /// One letter, repeated; the next literal has the next letter.
        Increasing = "increasing",
        /// Random letters.
        Random = "random",
    }
}

choice! {
    /// Whether the variable is in the expressions.
    pub enum Membership {
        /// In all.
        In = "in",
        /// In none.
        NotIn = "not-in",
        /// In the first, not in the second, ….
        Alternating = "alternating",
        /// At random.
        Random = "random",
    }
}

choice! {
    /// The choice of operators.
    pub enum OperatorType {
        /// In turn.
        Alternating = "alternating",
        /// At random.
        Random = "random",
    }
}

/// Operators to build terms with, by their letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operators(pub Vec<Op>);

impl Operators {
    const LETTERS: [(char, Op); 5] =
        [('s', Op::ReStar), ('p', Op::RePlus), ('u', Op::ReUnion), ('i', Op::ReInter), ('c', Op::ReComp)];
}

impl Setting for Operators {
    fn take(&mut self, text: &str) -> Result<(), String> {
        let op = |c: char| Operators::LETTERS.iter().find(|(l, _)| *l == c).map(|(_, op)| *op);
        let ops: Option<Vec<Op>> = text.chars().map(op).collect();
        self.0 = ops.filter(|ops| !ops.is_empty()).ok_or_else(|| {
            format!("`{text}`: letters of s (star), p (plus), u (union), i (intersection), c (complement)")
        })?;
        Ok(())
    }

    fn show(&self) -> Option<String> {
        let letter = |op: &Op| Operators::LETTERS.iter().find(|(_, o)| o == op).map(|(l, _)| *l);
        Some(self.0.iter().filter_map(letter).collect())
    }
}

parameters! {
    /// Parameters of `regex`.
    pub struct Regex {
        /// Literals of one repeated letter, each with the next letter, or of random ones
        literal_type: LiteralType = LiteralType::Random, "literal-type" "TYPE";
        /// Restart the letters for each expression, so that the languages overlap
        coincide: bool = false, "coincide" "";
        /// Whether the variable is in the expressions
        membership_type: Membership = Membership::In, "membership-type" "TYPE";
        /// Terms that each expression is a concatenation of
        num_terms: u64 = 3, "num-terms" "N";
        /// The shortest literal
        lit_min: u64 = 1, "lit-min" "N";
        /// The longest literal
        lit_max: u64 = 3, "lit-max" "N";
        /// Operators above each literal
        depth: u64 = 0, "depth" "N";
        /// Expressions
        num_regexes: u64 = 1, "num-regexes" "N";
        /// The minimum length of the variable
        var_min: Option<u64> = None, "var-min" "N";
        /// The maximum length of the variable
        var_max: Option<u64> = None, "var-max" "N";
        /// Operators in terms: s star, p plus, u union, i intersection, c complement
        operators: Operators = Operators(vec![Op::ReStar, Op::RePlus, Op::ReUnion]), "operators" "LETTERS";
        /// Choose operators cyclically or at random
        operator_type: OperatorType = OperatorType::Random, "operator-type" "TYPE";
    }
}

/// The maximal number of literals and operators in an instance.
const MAX_NODES: u64 = 20_000_000;

impl Generator for Regex {
    fn info(&self) -> Info {
        Info {
            name: "regex",
            about: "A variable in or not in regular expressions of a given shape",
            truth: "known unless the search for a word takes too long",
            example: "--num-regexes 2 --depth 2 --membership-type alternating --coincide",
        }
    }

    fn check(&self) -> Result<(), String> {
        let positive = [
            ("num-terms", self.num_terms),
            ("lit-min", self.lit_min),
            ("lit-max", self.lit_max),
            ("num-regexes", self.num_regexes),
        ];
        if let Some((flag, _)) = positive.iter().find(|(_, n)| *n < 1) {
            return Err(format!("--{flag}: at least 1"));
        }
        if self.lit_max < self.lit_min {
            return Err(format!("--lit-max {} is below --lit-min {}", self.lit_max, self.lit_min));
        }
        if let (Some(min), Some(max)) = (self.var_min, self.var_max)
            && max < min
        {
            return Err(format!("--var-max {max} is below --var-min {min}"));
        }
        let terms = self.num_terms.saturating_mul(self.num_regexes);
        if terms.saturating_mul(self.depth + 1) > MAX_NODES {
            return Err(format!("that is more than {MAX_NODES} literals and operators"));
        }
        Ok(())
    }

    fn make(&self, dice: &mut Dice, b: &mut Builder) -> Result<Truth, String> {
        let x = b.declare("x", 0, Sort::STRING);
        let sampled = self.operators.0.iter().all(|op| !matches!(op, Op::ReInter | Op::ReComp));
        let mut maker =
            Maker { shape: self, dice, b, cursor: 0, turn: 0, nodes: 0, steps: Vec::new(), made: Vec::new() };
        let mut regexes = Vec::with_capacity(self.num_regexes as usize);
        for _ in 0..self.num_regexes {
            if self.coincide {
                maker.cursor = 0;
            }
            regexes.push(maker.expression()?);
        }
        let mut problem = truth::Problem { x, members: Vec::new(), low: None, high: None };
        for (i, (r, sample)) in regexes.into_iter().enumerate() {
            let inside = match self.membership_type {
                Membership::In => true,
                Membership::NotIn => false,
                Membership::Alternating => i % 2 == 0,
                Membership::Random => dice.below(2) == 0,
            };
            let member = b.mk(Op::StrInRe, Sort::BOOL, &[x, r]);
            let t = if inside { member } else { b.not(member) };
            let assertion = b.assert(t);
            problem.members.push(truth::Member { r, inside, assertion, sample: sampled.then_some(sample) });
        }
        problem.low = self.var_min.map(|n| {
            let (n, len) = (b.int(n), b.len(x));
            let t = b.mk(Op::Le, Sort::BOOL, &[n, len]);
            (self.var_min.unwrap_or(0), b.assert(t))
        });
        problem.high = self.var_max.map(|n| {
            let (n, len) = (b.int(n), b.len(x));
            let t = b.mk(Op::Le, Sort::BOOL, &[len, n]);
            (self.var_max.unwrap_or(0), b.assert(t))
        });
        Ok(problem.answer(b))
    }
}

/// A pending part of a term.
enum Step {
    /// A term with this many operators above its literals.
    Make(u64),
    /// Choose an operator and apply it.
    Apply(u64),
    /// Apply it to two terms.
    Both(Op),
}

struct Maker<'m> {
    shape: &'m Regex,
    dice: &'m mut Dice,
    b: &'m mut Builder,
    /// The letter of the next literal.
    cursor: usize,
    /// The next operator.
    turn: usize,
    nodes: u64,
    steps: Vec<Step>,
    made: Vec<(Term, Sample)>,
}

impl Maker<'_> {
    /// A concatenation of terms.
    fn expression(&mut self) -> Result<(Term, Sample), String> {
        let mut terms = Vec::with_capacity(self.shape.num_terms as usize);
        let mut sample = Sample::default();
        for _ in 0..self.shape.num_terms {
            let (t, s) = self.term()?;
            terms.push(t);
            sample.then(s);
        }
        Ok((self.b.chain(Op::ReConcat, Sort::REGLAN, &terms), sample))
    }

    fn term(&mut self) -> Result<(Term, Sample), String> {
        self.steps.push(Step::Make(self.shape.depth));
        while let Some(step) = self.steps.pop() {
            self.nodes += 1;
            if self.nodes > MAX_NODES {
                return Err(format!(
                    "this came to more than {MAX_NODES} literals and operators; a smaller --depth?"
                ));
            }
            match step {
                Step::Make(0) => {
                    let literal = self.literal();
                    self.made.push(literal);
                }
                Step::Make(depth) => self.steps.extend([Step::Apply(depth), Step::Make(depth - 1)]),
                Step::Apply(depth) => self.apply(depth),
                Step::Both(op) => {
                    let (second, first) = (self.made.pop().expect("made"), self.made.pop().expect("made"));
                    let t = self.b.mk(op, Sort::REGLAN, &[first.0, second.0]);
                    self.made.push((t, Sample::either(first.1, second.1)));
                }
            }
        }
        Ok(self.made.pop().expect("a term was made"))
    }

    fn apply(&mut self, depth: u64) {
        let op = self.operator();
        if matches!(op, Op::ReUnion | Op::ReInter) {
            return self.steps.extend([Step::Both(op), Step::Make(depth - 1)]);
        }
        let (t, sample) = self.made.pop().expect("made");
        let sample = match op {
            Op::ReStar => sample.star(),
            Op::RePlus => sample.plus(),
            _ => sample,
        };
        self.made.push((self.b.mk(op, Sort::REGLAN, &[t]), sample));
    }

    fn operator(&mut self) -> Op {
        let ops = &self.shape.operators.0;
        match self.shape.operator_type {
            OperatorType::Random => *self.dice.pick(ops),
            OperatorType::Alternating => {
                self.turn += 1;
                ops[(self.turn - 1) % ops.len()]
            }
        }
    }

    fn literal(&mut self) -> (Term, Sample) {
        let length = self.dice.between(self.shape.lit_min, self.shape.lit_max);
        let word = match self.shape.literal_type {
            LiteralType::Random => self.dice.word(length),
            LiteralType::Increasing => {
                let letter = u32::from(LETTERS[self.cursor]);
                self.cursor = (self.cursor + 1) % LETTERS.len();
                vec![letter; length as usize]
            }
        };
        let literal = self.b.string(&word);
        (self.b.mk(Op::StrToRe, Sort::REGLAN, &[literal]), Sample::literal(word))
    }
}
