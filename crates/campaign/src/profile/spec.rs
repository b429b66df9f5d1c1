//! How a solver is named on the command line.
//!
//! | written | means |
//! |---|---|
//! | `z3` | the profile `z3`; the program on PATH, else the newest installed one |
//! | `z3@4.8.6` | the installed version 4.8.6 |
//! | `z3=/opt/z3`, `z3:/opt/z3` | the profile `z3` with this program |
//! | `my.toml`, `my.toml@1.2`, `my.toml=/opt/mine` | the same with a profile file |
//! | `mine=./mysolver --smt2 {file}` | no profile of that name: this command line |
//!
//! Words after the first are further arguments of the solver: `z3@4.8.6 smt.string_solver=auto`. A word that starts with `+` is a set of options
//! of the profile: `z3@5.4.0 +proofs`. Words are split at blanks; quotes keep them together.

use super::Error;

/// A solver as it was named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spec {
    /// The name of a profile, or the path of a profile file.
    pub(crate) name: String,
    /// Which program.
    pub(crate) which: Which,
    /// Further arguments.
    pub(crate) extra: Vec<String>,
    /// Sets of options of the profile.
    pub(crate) sets: Vec<String>,
}

/// Which program of a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// Whichever there is.
    Any,
    /// The installed one of this version.
    Version(String),
    /// This one.
    Program(String),
}

impl Spec {
    pub(crate) fn parse(text: &str) -> Result<Spec, Error> {
        let bad = |why: &str| Error::BadSpec { spec: text.into(), why: why.into() };
        let words = words(text).ok_or_else(|| bad("a quote is not closed"))?;
        let mut words = words.into_iter();
        let first = words.next().unwrap_or_default();
        let at = first.find(['@', '=', ':']).unwrap_or(first.len());
        let (name, rest) = first.split_at(at);
        let value = rest.get(1..).unwrap_or("").to_owned();
        if name.is_empty() {
            return Err(bad("write NAME, NAME@VERSION, NAME=COMMAND or FILE.toml, as in `z3@4.8.6`"));
        }
        if name.contains('/') && !name.ends_with(".toml") {
            return Err(bad("a program needs a name, as in `mine=./mysolver`; a profile is a FILE.toml"));
        }
        let which = match rest.chars().next() {
            None => Which::Any,
            Some('@') if value.is_empty() => {
                return Err(bad("a version should follow the `@`, as in `z3@4.8.6`"));
            }
            Some('@') => Which::Version(value),
            Some(_) if value.is_empty() => {
                return Err(bad("a program should follow, as in `z3=/opt/z3/bin/z3`"));
            }
            Some(_) => Which::Program(value),
        };
        let (sets, extra): (Vec<String>, Vec<String>) = words.partition(|w| w.starts_with('+'));
        let sets = sets.iter().map(|w| w[1..].to_owned()).collect();
        Ok(Spec { name: name.into(), which, extra, sets })
    }

    /// Whether it names a profile file.
    pub(crate) fn is_file(&self) -> bool {
        self.name.ends_with(".toml")
    }
}

/// Words, split at blanks; quotes keep blanks. `None` if a quote is not closed.
pub fn words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let (mut word, mut quote) = (None::<String>, None);
    for c in text.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// Whether it can be the name of a profile or of a set of options.
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (String, Which, Vec<String>) {
        let spec = Spec::parse(text).unwrap_or_else(|e| panic!("{e}"));
        (spec.name, spec.which, spec.extra)
    }

    #[test]
    fn all_forms() {
        let none = Vec::<String>::new;
        assert_eq!(parse("z3"), ("z3".into(), Which::Any, none()));
        assert_eq!(parse("z3@4.8.6"), ("z3".into(), Which::Version("4.8.6".into()), none()));
        assert_eq!(parse("z3=/a/z3"), ("z3".into(), Which::Program("/a/z3".into()), none()));
        assert_eq!(parse("z3:/a=b/z3"), ("z3".into(), Which::Program("/a=b/z3".into()), none()));
        assert_eq!(parse("d/my.toml@1"), ("d/my.toml".into(), Which::Version("1".into()), none()));
        let (name, which, extra) = parse("z3@4.8.6 smt.string_solver=auto  -v:1");
        assert_eq!((name.as_str(), which), ("z3", Which::Version("4.8.6".into())));
        assert_eq!(extra, ["smt.string_solver=auto", "-v:1"]);
        let (name, which, extra) = parse("mine='./my solver' --smt2 {file}");
        assert_eq!((name.as_str(), which), ("mine", Which::Program("./my solver".into())));
        assert_eq!(extra, ["--smt2", "{file}"]);
    }

    #[test]
    fn sets_of_options() {
        let spec = Spec::parse("z3@5.4.0 a=1 +proofs +arith2").expect("a solver");
        assert_eq!((spec.extra, spec.sets), (vec!["a=1".to_owned()], vec!["proofs".into(), "arith2".into()]));
    }

    #[test]
    fn invalid_solver_names_are_reported() {
        for text in ["", "  ", "@4.8.6", "=z3", "z3@", "z3=", "z3 'x"] {
            let error = Spec::parse(text).expect_err(text).to_string();
            assert!(error.starts_with(&format!("`{text}` does not name a solver: ")), "{error}");
        }
    }
}
