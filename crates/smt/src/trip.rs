//! Round trips: a script written in a dialect and read back must have the same terms.

use crate::print::script_text;
use crate::{Dialect, Pool, Script, Severity, parse};
use std::fmt;

/// The result of writing a script in a dialect and reading it back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trip {
    /// The terms are the same.
    Same,
    /// The dialect cannot express the script.
    Unsayable(String),
    /// A term differs.
    Changed(String),
}

impl fmt::Display for Trip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trip::Same => f.write_str("the same terms"),
            Trip::Unsayable(why) => write!(f, "not carried, {why}"),
            Trip::Changed(what) => write!(f, "CHANGED, {what}"),
        }
    }
}

/// Takes a script through every dialect and back.
pub fn round_trips(script: &Script, pool: &mut Pool) -> Vec<(Dialect, Trip)> {
    let standard = standard_text(script, pool);
    Dialect::ALL.iter().map(|&d| (d, round_trip(script, pool, d, &standard))).collect()
}

fn standard_text(script: &Script, pool: &Pool) -> String {
    script_text(pool, script, Dialect::Smt26, None, None).expect("every script can be written in 2.6")
}

fn round_trip(script: &Script, pool: &mut Pool, dialect: Dialect, standard: &str) -> Trip {
    let text = match script_text(pool, script, dialect, None, None) {
        Ok(text) => text,
        Err(e) => return Trip::Unsayable(e.to_string()),
    };
    let back = parse(text.as_bytes(), Some(dialect), pool);
    if let Some(d) = back.diagnostics.iter().find(|d| d.severity == Severity::Error) {
        let at = String::from_utf8_lossy(d.span.of(text.as_bytes()));
        return Trip::Changed(format!("{} at `{at}`", d.message));
    }
    difference(standard, &standard_text(&back.script, pool)).map_or(Trip::Same, Trip::Changed)
}

/// The first difference of two scripts in the standard, other than their version and the form of declarations.
fn difference(standard: &str, again: &str) -> Option<String> {
    let comparable = |line: &&str| !line.starts_with("(set-info :smt-lib-version");
    let declaration = |line: &str| line.replace("(declare-const ", "(declare-fun ").replace(" () ", " ");
    let mut pairs = standard.lines().filter(comparable).zip(again.lines().filter(comparable));
    match pairs.find(|(a, b)| a != b && declaration(a) != declaration(b)) {
        Some((a, b)) => Some(format!("`{a}` became `{b}`")),
        None if standard.lines().count() != again.lines().count() => Some("lines are missing".into()),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_survives_all_dialects_or_is_not_carried() {
        let text =
            b"(declare-const x String)(assert (str.in_re x (re.+ (str.to_re \"a\\u{e9}\"))))(check-sat)";
        let mut pool = Pool::new();
        let parsed = parse(text, None, &mut pool);
        let trips = round_trips(&parsed.script, &mut pool);
        assert_eq!(trips.len(), Dialect::ALL.len());
        assert!(trips.contains(&(Dialect::Smt26, Trip::Same)), "{trips:?}");
        assert!(trips.iter().all(|(_, t)| !matches!(t, Trip::Changed(_))), "{trips:?}");
    }

    #[test]
    fn differences() {
        assert_eq!(difference("(assert a)", "(assert a)"), None);
        assert_eq!(
            difference("(assert a)", "(assert b)").as_deref(),
            Some("`(assert a)` became `(assert b)`")
        );
        assert_eq!(difference("a\nb", "a").as_deref(), Some("lines are missing"));
        assert_eq!(difference("(declare-const x Int)", "(declare-fun x () Int)"), None);
    }
}
