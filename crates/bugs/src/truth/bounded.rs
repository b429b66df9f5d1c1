//! The search for a model among small values, and its bound in words.

use crate::doc::Doc;
use semantics::{Model, Str, Value};
use smt::{Fun, Pool, Term};
use synth::attack::{ALPHABETS, Attacked, Open};
use synth::search::Values;

/// The longest words of the search.
const LENGTH: usize = 3;

/// Searches for a model of `terms`, with more and longer words until `steps` are used up: the values that were tried, in words, empty if
/// none were; none if there is a model.
pub(super) fn search(doc: &Doc, terms: &[Term], steps: u64) -> Option<String> {
    let mut pool = doc.pool.clone();
    let Some(open) = Open::of(&mut pool, terms) else {
        return Some(String::new());
    };
    let mut exhausted = None;
    for length in 0..=LENGTH {
        match open.attack(&pool, length, steps / (LENGTH as u64 + 1)) {
            Attacked::Model(_) => return None,
            Attacked::Exhausted => exhausted = Some(length),
            Attacked::GaveUp => break,
        }
    }
    Some(words(exhausted, steps))
}

/// Looks for a model of `terms` among the values of another model and a few distinctive ones.
pub(super) fn near(pool: &mut Pool, terms: &[Term], known: &[Value], steps: u64) -> Option<Model> {
    let open = Open::of(pool, terms)?;
    let mut values = Values::distinctive(pool, open.goals());
    for value in known {
        match value {
            Value::Str(word) => add_parts(&mut values, word),
            Value::Int(n) if !values.ints.contains(n) => values.ints.insert(0, n.clone()),
            _ => {}
        }
    }
    match open.search(pool, &values, steps) {
        Attacked::Model(model) => Some(assigned(model)),
        Attacked::Exhausted | Attacked::GaveUp => None,
    }
}

/// Adds a word, and the same without its first or last character.
fn add_parts(values: &mut Values, word: &Str) {
    let n = word.len();
    for part in [&word[..], &word[n.min(1)..], &word[..n.saturating_sub(1)]] {
        let part = Str::from(part);
        if part.len() <= 64 && !values.words.contains(&part) {
            values.words.insert(0, part);
        }
    }
}

fn assigned(values: Vec<(Fun, Value)>) -> Model {
    let mut model = Model::new();
    values.into_iter().for_each(|(f, value)| model.assign(f, value));
    model
}

/// The bound as the end of "a search for a model finds none: …".
fn words(exhausted: Option<usize>, steps: u64) -> String {
    let alphabets = ALPHABETS.map(|letters| {
        let letters: Vec<String> = letters.chars().map(String::from).collect();
        format!("{{{}}}", letters.join(", "))
    });
    match exhausted {
        Some(length) => format!(
            "all strings of at most {length} characters over {}, the constants of the formula and small integers were tried",
            alphabets.join(" and ")
        ),
        None => format!("{steps} steps with short strings and small integers were tried"),
    }
}
