//! A solver's own model, asserted back: the assertions with `(= x v)` for some constants `x` and their values `v`.
//!
//! The referee has accepted the model, so the new instance is satisfiable by construction, and the solver must not answer `unsat`.

use crate::claims::{equations, satisfiable};
use campaign::case::Case;
use campaign::judge::responses;
use campaign::profile::Profile;
use smt::{Fun, Sort, Term};

/// The instance with the model of an output, and its text. The bits of `choice` select the constants. None if there is no model, no
/// constant is selected, or the referee does not accept the model.
pub(crate) fn asserted(case: &Case, profile: &Profile, output: &[u8], choice: u64) -> Option<(Case, String)> {
    let mut pool = case.pool.clone();
    let response = responses(case, profile, output, &mut pool).ok()?.into_iter().next()?;
    let model = response.model.ok()??;
    let plain = |f: &Fun| {
        let fun = case.pool.fun(*f);
        fun.params.is_empty() && matches!(fun.ret, Sort::STRING | Sort::INT | Sort::BOOL)
    };
    let selected = |(i, f): (usize, Fun)| (choice >> (i % 64) & 1 == 1).then_some(f);
    let funs: Vec<Fun> = case.declared().filter(plain).enumerate().filter_map(selected).collect();
    if funs.is_empty() {
        return None;
    }
    let equations = equations(&mut pool, &model, &funs)?;
    let check = case.check(0);
    let mut all: Vec<Term> = check.assertions.iter().map(|&(_, t)| pool.strip(t)).collect();
    // Before or after the others.
    let at = if choice >> 63 == 1 { 0 } else { all.len() };
    all.splice(at..at, equations);
    satisfiable(&format!("{}/back", case.name), pool, &all, None, model)
}

#[cfg(test)]
mod tests {
    use super::*;
    use campaign::outcome::Status;

    fn back(choice: u64, output: &str) -> Option<(Case, String)> {
        let text = "(declare-const x String)(declare-const n Int)(assert (= (str.len x) n))(assert (< 0 n 3))(check-sat)";
        let case = Case::from_text("c", text.as_bytes()).expect("a script");
        asserted(&case, &Profile::default(), output.as_bytes(), choice)
    }

    #[test]
    fn the_selected_values_are_asserted() {
        let output = "sat\n((x \"ab\") (n 2))\n";
        let (case, text) = back(u64::MAX, output).expect("a model");
        assert_eq!(case.status(0), Status::Sat);
        assert_eq!(case.script.assertions().count(), 4);
        assert!(text.contains("(= x \"ab\")") && text.contains("(= n 2)"), "{text}");
        let (_, text) = back(2, output).expect("a model");
        assert!(!text.contains("(= x \"ab\")") && text.contains("(= n 2)"), "{text}");
    }

    #[test]
    fn a_wrong_model_gives_no_instance() {
        assert!(back(3, "sat\n((x \"ab\") (n 1))\n").is_none());
        assert!(back(0, "sat\n((x \"ab\") (n 2))\n").is_none());
        assert!(back(3, "unsat\n").is_none());
    }
}
