//! The constants that occur in tests.

use smt::{Op, Pool, Sort, Term};

/// Predefined constants, in the order they are tried. Strings are texts with SMT-LIB escapes already read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constants {
    /// Strings.
    pub strings: Vec<String>,
    /// Integers.
    pub ints: Vec<i64>,
    /// Regular expressions, as SMT-LIB text. They always stay constants: no solver has variables of that sort.
    pub regexes: Vec<String>,
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|s| (*s).to_owned()).collect()
}

impl Constants {
    /// Those of the paper's constant assignment.
    pub fn icse20() -> Constants {
        Constants {
            strings: texts(&["", "a", "\"a\"", "\u{7}", "\n", "-1", "0", "2"]),
            ints: vec![-1, 0, 2],
            regexes: Vec::new(),
        }
    }

    /// Those of the paper's term synthesis.
    pub fn icse20_terms() -> Constants {
        Constants { strings: texts(&["a", "", "-1", "0"]), ints: vec![-1, 0], regexes: Vec::new() }
    }

    /// Those of the full suite: boundary values of all operators.
    pub fn full() -> Constants {
        Constants {
            strings: texts(&["", "a", "ab", "aba", "\"", "\\u{41}", "-1", "0", "007", "é", "\u{2FFFF}"]),
            ints: vec![-1, 0, 1, 2, 97, 196_608],
            regexes: texts(&[
                "(str.to_re \"a\")",
                "re.none",
                "re.allchar",
                "(re.* (str.to_re \"ab\"))",
                "(re.+ (re.range \"0\" \"9\"))",
                "(re.comp (re.++ re.all (str.to_re \"a\")))",
                "(re.union (str.to_re \"\") (re.range \"a\" \"\\u{ff}\"))",
            ]),
        }
    }

    /// Those of the full suite for term synthesis.
    pub fn full_terms() -> Constants {
        Constants {
            strings: texts(&["a", "", "-1", "0", "ab"]),
            ints: vec![-1, 0, 1],
            regexes: texts(&["(re.+ (str.to_re \"a\"))", "(re.* re.allchar)"]),
        }
    }

    /// Those of a sort, as terms.
    pub fn of(&self, pool: &mut Pool, sort: Sort) -> Vec<Term> {
        match sort {
            Sort::STRING => self.strings.iter().map(|s| string(pool, s)).collect(),
            Sort::INT => self.ints.iter().map(|&n| pool.int(n)).collect(),
            Sort::BOOL => vec![pool.bool(true), pool.bool(false)],
            Sort::REGLAN => self.regexes.iter().filter_map(|r| parse(pool, r)).collect(),
            _ => Vec::new(),
        }
    }
}

/// A string constant.
pub fn string(pool: &mut Pool, text: &str) -> Term {
    let word: Vec<u32> = text.chars().map(u32::from).collect();
    pool.string(&word)
}

/// A closed term from its text.
pub fn parse(pool: &mut Pool, text: &str) -> Option<Term> {
    let script = format!("(assert (= {text} {text}))");
    let parsed = smt::parse(script.as_bytes(), Some(smt::Dialect::Smt26), pool);
    let t = parsed.script.assertions().next()?;
    (pool.head(t) == smt::Head::Op(Op::Eq)).then(|| pool.args(t)[0])
}
