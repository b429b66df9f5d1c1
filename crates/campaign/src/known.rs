//! Lists of known issues that users write.

use crate::profile::KnownIssue;
use crate::toml_file::{self, FileError};
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default)]
    known: Vec<KnownIssue>,
}

/// Reads a list of the user.
pub fn known_issues(path: &Path) -> Result<Vec<KnownIssue>, FileError> {
    parse_known(&path.display().to_string(), &toml_file::text(path)?)
}

/// Reads the text of the file `name`.
pub fn parse_known(name: &str, text: &str) -> Result<Vec<KnownIssue>, FileError> {
    let List { known } = toml_file::parse(name, text)?;
    match known.iter().flat_map(KnownIssue::mistakes).min_by_key(|m| m.0.start) {
        Some((span, message, hint)) => {
            Err(toml_file::mistake(name, text, span, message, hint.map(Into::into)))
        }
        None => Ok(known),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Kind;
    use crate::profile::Version;

    const ENTRY: &str = r#"
        [[known]]
        issue = "mine-1"
        title = "replace of the empty word"
        solver = "z3"
        kinds = ["wrong-unsat", "IM"]
        operators = ["str.replace"]
        patterns = ["(str.replace _ \"\" _)"]
        from = "4.16"
        below = "5.1"
    "#;

    fn version(text: &str) -> Version {
        Version::parse(text).expect("a version")
    }

    #[test]
    fn entries_are_read() {
        let list = parse_known("mine.toml", ENTRY).expect("a list");
        let [one] = &list[..] else { panic!("one entry") };
        assert!(one.is_about("z3") && !one.is_about("cvc5"));
        assert!(
            one.has_kind(Kind::WrongUnsat) && one.has_kind(Kind::InvalidModel) && !one.has_kind(Kind::Crash)
        );
        assert!(one.covers(&version("4.16.0")) && one.covers(&version("5.0.2")));
        assert!(!one.covers(&version("5.1.0")) && !one.covers(&version("4.15.4")));
        let listed = ENTRY.replace("from = \"4.16\"", "versions = [\"5.0\"]").replace("below = \"5.1\"", "");
        let [one] = &parse_known("mine.toml", &listed).expect("a list")[..] else { panic!("one entry") };
        assert!(
            one.covers(&version("5.0.1")) && !one.covers(&version("5.01")) && !one.covers(&version("4.16"))
        );
    }

    #[test]
    fn mistakes_are_reported_with_their_place() {
        let bad = |from: &str, to: &str| {
            let text = ENTRY.replace(from, to);
            parse_known("mine.toml", &text).expect_err("refused").to_string()
        };
        assert!(bad("IM", "odd").contains("mine.toml:6:17: there is no kind `odd`"), "{}", bad("IM", "odd"));
        assert!(bad("\"str.replace\"", "\"str.odd\"").contains("there is no operator `str.odd`"));
        assert!(bad("5.1", "new").contains("`new` is not a version"));
        assert!(bad("(str.replace _", "(str.replace) _").contains("is not one s-expression"));
        assert!(bad("operators = [\"str.replace\"]", "operators = []").contains("at least one"));
        assert!(bad("title", "titel").contains("unknown key `titel`"));
    }
}
