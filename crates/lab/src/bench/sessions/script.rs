//! The session of a concolic executor, in which the branches of many runs of a program are negated.

use super::programs::{PROGRAMS, Program};
use super::run::Run;
use std::collections::HashSet;
use std::fmt::Write as _;
use synth::dice::Dice;

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
