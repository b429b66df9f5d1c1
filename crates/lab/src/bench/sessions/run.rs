//! A program run on a known input, with the branches that it takes.

use semantics::{Evaluator, Model, Value};
use smt::{Pool, parse_term};

/// A run of a program on one input, `x`.
pub(super) struct Run {
    input: String,
    /// The conditions of the branches, with their values.
    pub(super) path: Vec<(String, bool)>,
}

impl Run {
    /// Runs a program.
    pub(super) fn of(program: fn(&mut Run), input: &str) -> Run {
        let mut run = Run { input: input.to_owned(), path: Vec::new() };
        program(&mut run);
        run
    }

    fn value(&self, term: &str) -> Value {
        let mut pool = Pool::new();
        let text = format!("(let ((x \"{}\")) {term})", self.input);
        let t = parse_term(text.as_bytes(), &mut pool).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        let model = Model::new();
        Evaluator::new(&pool, &model).eval(t).unwrap_or_else(|e| panic!("{text}: {e:?}"))
    }

    /// Takes a branch.
    pub(super) fn branch(&mut self, condition: &str) -> bool {
        let taken = self.value(condition) == Value::Bool(true);
        self.path.push((condition.to_owned(), taken));
        taken
    }

    /// The value of an integer term.
    pub(super) fn number(&self, term: &str) -> i64 {
        match self.value(term) {
            Value::Int(n) => n.to_i64().unwrap_or(i64::MAX),
            other => panic!("{term} is {other:?}"),
        }
    }
}
