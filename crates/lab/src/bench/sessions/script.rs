//! The session of a concolic executor, in which the branches of many runs of a program are negated.
//!
//! The program validates a form: each field by a parser of its own, as far as that goes, then the next one.

use super::programs::{PROGRAMS, Program};
use super::run::Run;
use std::collections::HashSet;
use std::fmt::Write as _;
use synth::dice::Dice;

/// Fields of a form, at least and at most.
const FIELDS: [usize; 2] = [2, 4];

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
    let fields: Vec<&Program> =
        (0..FIELDS[0] + dice.index(FIELDS[1] - FIELDS[0] + 1)).map(|_| dice.pick(PROGRAMS)).collect();
    let names: Vec<&str> = fields.iter().map(|p| p.0).collect();
    let mut text = format!("; {}\n(set-logic ALL)\n", names.join(", "));
    for k in 0..fields.len() {
        let _ = writeln!(text, "(declare-const field{k} String)");
    }
    let (mut count, mut tries) = (0, 0);
    let mut asked: HashSet<Vec<(String, bool)>> = HashSet::new();
    while count < checks && tries < 20 * checks {
        tries += 1;
        let path = path(&mut dice, &fields);
        let mut body = String::new();
        let mut open = 0;
        for (i, (condition, taken)) in path.iter().enumerate() {
            let mut flipped = path[..=i].to_vec();
            flipped[i].1 = !taken;
            if count < checks && asked.insert(flipped) {
                let negated = literal(condition, !taken);
                let _ = writeln!(body, "(push 1)(assert {negated})(check-sat)(pop 1)");
                count += 1;
                asked.insert(path[..=i].to_vec());
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

/// The branches of one run: those of each field, as conditions on it.
fn path(dice: &mut Dice, fields: &[&Program]) -> Vec<(String, bool)> {
    let mut out = Vec::new();
    for (k, program) in fields.iter().enumerate() {
        let run = Run::of(program.1, &mutated(dice, program));
        out.extend(run.path.into_iter().map(|(t, taken)| (format!("(let ((x field{k})) {t})"), taken)));
    }
    out
}

fn literal(condition: &str, value: bool) -> String {
    if value { condition.to_owned() } else { format!("(not {condition})") }
}
