//! Random AST: random well-sorted assertions over all operators.
//!
//! The answer is unknown, except with `--satisfiable`, which chooses values for the variables first, and
//! asserts that each random term equals its value.

use super::build::Values;
use super::grammar::{Grammar, Scope, Terms, Weights};
use super::{Builder, Generator, Info};
use crate::dice::Dice;
use crate::parameters::parameters;
use semantics::instance::Truth;
use semantics::regex::RegexStore;
use semantics::{Config, Evaluator, Model, Str, Value};
use smt::{Int, Op, Sort, Term};

parameters! {
    /// Parameters of `random-ast`.
    pub struct RandomAst {
        /// Variables of each sort
        num_vars: u64 = 5, "num-vars" "N";
        /// Assertions
        num_asserts: u64 = 10, "num-asserts" "N";
        /// Their maximal depth
        depth: u64 = 2, "depth" "N";
        /// Maximal number of arguments of an operator that takes any number
        max_terms: u64 = 5, "max-terms" "N";
        /// The longest string literal
        max_string: u64 = 10, "max-string" "N";
        /// Number of different letters in string literals: a, b, …; 0 for all printable characters
        letters: u64 = 0, "letters" "N";
        /// The greatest integer literal
        max_int: u64 = 10, "max-int" "N";
        /// Only meaningful arguments: characters in order in re.range, literals in str.to_re, divisors that are not 0, products with one unknown
        meaningful: bool = false, "meaningful" "";
        /// Probability that a leaf is a literal, not a variable
        literal_chance: f64 = 0.1, "literal-chance" "P";
        /// Only word equations, comparisons of lengths and memberships in regular expressions
        word_equation: bool = false, "word-equation" "";
        /// With --word-equation: percentage of assertions that are word equations
        equation_weight: u64 = 30, "equation-weight" "N";
        /// Weights of operators, by SMT-LIB name, and of sorts of polymorphic operators; 0 excludes; `all` is all operators
        weight: Weights = Weights::default(), "weight" "NAME=N,…";
        /// Choose a model first, and assert terms that hold in it
        satisfiable: bool = false, "satisfiable" "";
    }
}

impl Generator for RandomAst {
    fn info(&self) -> Info {
        Info {
            name: "random-ast",
            about: "Random well-sorted assertions over all operators of strings, regular expressions and integers",
            truth: "known with --satisfiable only",
            example: "--meaningful --num-vars 3 --depth 3 --weight str.replace_all=5,re.comp=0",
        }
    }

    fn check(&self) -> Result<(), String> {
        if self.max_terms < 2 {
            return Err("--max-terms: at least 2".into());
        }
        if self.equation_weight > 100 {
            return Err("--equation-weight: at most 100".into());
        }
        if self.letters > 26 {
            return Err("--letters: at most 26".into());
        }
        if self.max_int > i64::MAX as u64 {
            return Err(format!("--max-int: at most {}", i64::MAX));
        }
        Ok(())
    }

    fn make(&self, dice: &mut Dice, b: &mut Builder) -> Result<Truth, String> {
        let reals = self.weight.has_reals();
        if reals || !(self.meaningful || self.word_equation) {
            b.logic("ALL");
        }
        let scope = self.declare(b, reals);
        let grammar = self.grammar();
        let mut terms = Terms { grammar: &grammar, scope: &scope, dice };
        let hidden = self.satisfiable.then(|| self.hidden(&mut terms, b));
        for _ in 0..self.num_asserts {
            self.assert(&mut terms, b, hidden.as_deref());
        }
        Ok(hidden.map_or(Truth::Unknown, Truth::Sat))
    }
}

impl RandomAst {
    /// The shape of its terms.
    pub(crate) fn grammar(&self) -> Grammar {
        Grammar {
            weights: self.weight.clone(),
            max_terms: self.max_terms,
            max_string: self.max_string,
            max_int: self.max_int,
            letters: self.letters,
            literal_chance: self.literal_chance,
            meaningful: self.meaningful || self.word_equation,
        }
    }

    /// A random constraint.
    pub(crate) fn term(&self, terms: &mut Terms<'_>, b: &mut Builder) -> Term {
        if self.word_equation { self.constraint(terms, b) } else { terms.term(b, Sort::BOOL, self.depth) }
    }

    fn declare(&self, b: &mut Builder, reals: bool) -> Scope {
        let mut scope = Scope::default();
        let sorts = [("s", Sort::STRING), ("i", Sort::INT), ("b", Sort::BOOL), ("r", Sort::REAL)];
        for (stem, sort) in sorts.into_iter().filter(|(_, s)| reals || *s != Sort::REAL) {
            for i in 0..self.num_vars as usize {
                let v = b.declare(stem, i, sort);
                scope.add(sort, v);
            }
        }
        scope
    }

    /// Values for all variables.
    fn hidden(&self, terms: &mut Terms<'_>, b: &Builder) -> Box<Model> {
        let mut values = Values::new(b);
        for sort in [Sort::STRING, Sort::INT, Sort::BOOL, Sort::REAL] {
            for &v in terms.scope.of(sort) {
                values.value(v, self.value(terms.dice, sort));
            }
        }
        match values.sat() {
            Truth::Sat(model) => model,
            _ => Box::default(),
        }
    }

    fn value(&self, dice: &mut Dice, sort: Sort) -> Value {
        match sort {
            Sort::STRING => {
                let length = dice.between(0, self.max_string);
                Value::Str(Str::from(&dice.word(length)[..]))
            }
            Sort::BOOL => Value::Bool(dice.below(2) == 0),
            Sort::REAL => Value::Real(Int::from(dice.between(0, self.max_int)).into()),
            _ => Value::Int(Int::from(dice.between(0, self.max_int))),
        }
    }

    /// Asserts a random term; if there is a model, the term or its negation, whichever holds.
    fn assert(&self, terms: &mut Terms<'_>, b: &mut Builder, model: Option<&Model>) {
        // A term with an undetermined value (a division by 0) is not used.
        for _ in 0..20 {
            let t = self.term(terms, b);
            let Some(model) = model else {
                b.assert(t);
                return;
            };
            let config = Config { steps: 1_000_000, regex_budget: 1_000_000, ..Config::default() };
            let truth = Evaluator::with(b.terms(), model, config, RegexStore::new()).truth(t);
            match truth {
                semantics::Satisfaction::Holds => {
                    b.assert(t);
                    return;
                }
                semantics::Satisfaction::Fails => {
                    let t = b.not(t);
                    b.assert(t);
                    return;
                }
                semantics::Satisfaction::Undetermined(_) => {}
            }
        }
    }

    /// A word equation, a comparison of lengths, or a membership.
    fn constraint(&self, terms: &mut Terms<'_>, b: &mut Builder) -> Term {
        if terms.dice.below(100) < self.equation_weight {
            let (left, right) = (self.concat(terms, b), self.concat(terms, b));
            return b.eq(left, right);
        }
        let word = self.concat(terms, b);
        if terms.dice.below(2) == 0 {
            let r = terms.term(b, Sort::REGLAN, self.depth);
            return b.mk(Op::StrInRe, Sort::BOOL, &[word, r]);
        }
        let length = b.len(word);
        let other = if terms.dice.below(2) == 0 {
            let word = self.concat(terms, b);
            b.len(word)
        } else {
            terms.literal(b, Sort::INT)
        };
        let op = *terms.dice.pick(&[Op::Eq, Op::Le, Op::Lt, Op::Ge, Op::Gt]);
        b.mk(op, Sort::BOOL, &[length, other])
    }

    fn concat(&self, terms: &mut Terms<'_>, b: &mut Builder) -> Term {
        let count = terms.dice.between(1, self.max_terms) as usize;
        let parts: Vec<Term> = (0..count).map(|_| terms.term(b, Sort::STRING, 0)).collect();
        if count == 1 { parts[0] } else { b.mk(Op::StrConcat, Sort::STRING, &parts) }
    }
}
