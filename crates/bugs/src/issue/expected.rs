//! The right result, and why: a model with its evaluation, or the argument for `unsat`.

use super::ask::Asked;
use super::markdown::{block, clip, escape};
use super::parts::solver;
use campaign::finding::reason::Reason;
use campaign::finding::{Argument, Finding};
use campaign::outcome::{Answer, Kind};

/// Maximum number of characters of a model.
const MAX_MODEL: usize = 3_000;

/// What should happen.
pub(super) fn section(f: &Finding, reason: &Reason, asked: &Asked) -> String {
    match f.kind {
        Kind::WrongUnsat if reason.proved => {
            format!("`sat`. {}\n{}{}", escape(&reason.sentence), model(f, reason), pinned(f, reason, asked))
        }
        Kind::WrongSat | Kind::OverApproximation if reason.proved => {
            format!("`unsat`. {}\n{}", escape(&reason.sentence), refuted(&reason.notes))
        }
        Kind::WrongUnsat => format!("Probably `sat`. {}\n", escape(&reason.sentence)),
        Kind::WrongSat | Kind::OverApproximation => {
            format!("Probably `unsat`. {}\n{}", escape(&reason.sentence), refuted(&reason.notes))
        }
        Kind::InvalidModel => {
            let wrong = match reason.notes.first().and_then(|line| line.split_once(" is false")) {
                Some((label, _)) => format!("Under the printed one, {} is false:", escape(label)),
                None => escape(&reason.sentence),
            };
            format!("A model that satisfies the formula. {wrong}\n{}{}", lines("", &reason.notes), also(f))
        }
        Kind::UnsoundCore => {
            let notes = lines("", &reason.notes);
            format!("A core that is unsatisfiable. {}\n{notes}{}", escape(&reason.sentence), model(f, reason))
        }
        Kind::ForeignCore => format!("A core with names of assertions.\n{}", lines("", &reason.notes)),
        Kind::ImpreciseCore => format!("A smaller core.\n{}", lines("", &reason.notes)),
        _ => otherwise(f),
    }
}

/// The right answer where the failure is something else.
fn otherwise(f: &Finding) -> String {
    match Reason::of_answer(f) {
        Some((answer @ Answer::Sat, reason)) => {
            format!("`{answer}`. {}\n{}", escape(&reason.sentence), model(f, &reason))
        }
        Some((answer, reason)) => format!("`{answer}`. {}\n", escape(&reason.sentence)),
        None if matches!(f.kind, Kind::Rejected | Kind::Unsupported) => {
            "The script is accepted: it is well-sorted SMT-LIB 2.6.\n".into()
        }
        None => "An answer. Which one is right was not checked.\n".into(),
    }
}

/// That there is a model, for a solver that prints another one.
fn also(f: &Finding) -> String {
    match Reason::of_answer(f) {
        Some((Answer::Sat, reason)) if !reason.definitions.is_empty() => {
            format!("\nA model that does satisfy it:\n\n{}", block("smt2", &definitions(f, &reason)))
        }
        _ => String::new(),
    }
}

/// A model with its evaluation.
fn model(f: &Finding, reason: &Reason) -> String {
    let mut out = String::new();
    if !reason.definitions.is_empty() {
        out.push_str(&format!("\n{}", block("smt2", &definitions(f, reason))));
    }
    if !reason.trace.is_empty() {
        let under = if reason.definitions.is_empty() { "Evaluation" } else { "Evaluation under this model" };
        out.push_str(&format!("\n{under}:\n\n{}", block("", &reason.trace_text())));
    }
    out
}

/// The values of the constants; with the functions, if there are any.
fn definitions(f: &Finding, reason: &Reason) -> String {
    let text = match &f.reduced.argument {
        Argument::Model { model, .. } if !reason.assertable && f.kind != Kind::UnsoundCore => model.clone(),
        _ => reason.definitions.join("\n"),
    };
    clip(&text, 60, MAX_MODEL)
}

/// The answer of the solver itself when the values are asserted; only if that was run.
fn pinned(f: &Finding, reason: &Reason, asked: &Asked) -> String {
    let pins = reason.pins().join("\n");
    if asked.pinned != Some(Answer::Sat) || pins.is_empty() || pins.len() > MAX_MODEL {
        return String::new();
    }
    let solver = escape(&solver(f));
    format!("\nWith these assertions added, {solver} itself answers `sat`:\n\n{}", block("smt2", &pins))
}

/// The assertion that is false under the model of a wrong `sat`.
fn refuted(notes: &[String]) -> String {
    lines("The model that is printed does not satisfy the formula:\n\n", notes)
}

fn lines(before: &str, notes: &[String]) -> String {
    match notes {
        [] => String::new(),
        _ => format!("\n{before}{}", block("", &clip(&notes.join("\n"), 40, MAX_MODEL))),
    }
}
