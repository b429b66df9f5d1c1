//! A program run on a known input, with the branches that it takes; and the session in which the branches of many runs are
//! negated.

use super::programs::{PROGRAMS, Program};
use semantics::{Evaluator, Model, Value};
use smt::{Pool, parse_term};
use std::collections::HashSet;
use std::fmt::Write as _;
use synth::dice::Dice;

/// A run of a program on one input, `x`.
pub(super) struct Run {
    input: String,
    /// The conditions of the branches, with their values.
    path: Vec<(String, bool)>,
}

impl Run {
    fn of(program: fn(&mut Run), input: &str) -> Run {
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

/// An input close to one of the program: some characters inserted, removed or changed.
fn mutated(dice: &mut Dice, program: &Program) -> String {
    let mut text: Vec<char> = dice.pick(program.2).chars().collect();
    for _ in 0..dice.index(4) {
        let at = dice.index(text.len() + 1);
        let c = *dice.pick(&['a', 'Z', '0', '9', '.', '/', ':', '=', '-', '@', ' ', '<', ';', '?']);
        match dice.index(3) {
            0 => text.insert(at, c),
            1 if at < text.len() => drop(text.remove(at)),
            _ if at < text.len() => text[at] = c,
            _ => text.push(c),
        }
    }
    text.into_iter().collect()
}

/// A session of a concolic executor: for each run the branches of its path are asserted one by one, each on a level of its
/// own, and the negation of each is checked first. Returns the number of checks as well.
pub(super) fn session(seed: u64, checks: usize) -> (String, usize) {
    let mut dice = Dice::new(seed, 0);
    let program = &PROGRAMS[dice.index(PROGRAMS.len())];
    let mut text = format!("; {}\n(set-logic ALL)\n(declare-const x String)\n", program.0);
    let (mut count, mut tries) = (0, 0);
    let mut asked: HashSet<Vec<(String, bool)>> = HashSet::new();
    while count < checks && tries < 20 * checks {
        tries += 1;
        let run = Run::of(program.1, &mutated(&mut dice, program));
        let mut body = String::new();
        let mut open = 0;
        for (i, (condition, taken)) in run.path.iter().enumerate() {
            let mut flipped = run.path[..=i].to_vec();
            flipped[i].1 = !taken;
            if count < checks && asked.insert(flipped) {
                let negated = literal(condition, !taken);
                let _ = writeln!(body, "(push 1)(assert {negated})(check-sat)(pop 1)");
                count += 1;
                asked.insert(run.path[..=i].to_vec());
            }
            let _ = writeln!(body, "(push 1)(assert {})", literal(condition, *taken));
            open += 1;
        }
        if body.contains("check-sat") {
            let _ = writeln!(text, "{body}(pop {open})");
        }
    }
    (text, count)
}

fn literal(condition: &str, value: bool) -> String {
    if value { condition.to_owned() } else { format!("(not {condition})") }
}
