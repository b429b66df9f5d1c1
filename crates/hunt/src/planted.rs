//! Planted bugs: the built-in solver, which answers `unsat` in place of `sat` in one narrow case. They measure how long a hunt needs.

use smt::work::Stop;
use smt::{Head, Op, Pool, Term};
use solver::engine::{self, Answer, Outcome};
use solver::options::Options;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A narrow case.
pub struct Planted {
    /// The terms on which it lies, in words.
    pub about: &'static str,
    /// A term is one of them.
    is_in: fn(&Pool, Term) -> bool,
}

/// All cases; they are numbered from 1.
pub static CASES: [Planted; 10] = [
    Planted {
        about: "str.len of str.replace_all with the empty word as the part to replace",
        is_in: |p, t| {
            inner(p, t, Op::StrLen, 0, Op::StrReplaceAll).is_some_and(|r| is_word(p, p.args(r)[1], &[]))
        },
    },
    Planted {
        about: "str.indexof from a negative literal in a str.replace",
        is_in: |p, t| {
            inner(p, t, Op::StrIndexof, 0, Op::StrReplace).is_some() && is(p, p.args(t)[2], Op::Neg)
        },
    },
    Planted {
        about: "re.comp of re.loop with a lower bound above the upper one",
        is_in: |p, t| inner(p, t, Op::ReComp, 0, Op::ReLoop).is_some_and(|r| is_empty_loop(p, r)),
    },
    Planted {
        about: "str.substr with str.to_int of str.at as its length",
        is_in: |p, t| {
            inner(p, t, Op::StrSubstr, 2, Op::StrToInt).is_some_and(|n| is(p, p.args(n)[0], Op::StrAt))
        },
    },
    Planted {
        about: "str.<= of str.from_code and str.replace",
        is_in: |p, t| {
            inner(p, t, Op::StrLe, 0, Op::StrFromCode).is_some()
                && inner(p, t, Op::StrLe, 1, Op::StrReplace).is_some()
        },
    },
    Planted {
        about: "re.diff of re.opt and re.inter",
        is_in: |p, t| {
            inner(p, t, Op::ReDiff, 0, Op::ReOpt).is_some()
                && inner(p, t, Op::ReDiff, 1, Op::ReInter).is_some()
        },
    },
    Planted {
        about: "str.at of str.replace_re_all with a str.indexof as its position",
        is_in: |p, t| {
            inner(p, t, Op::StrAt, 0, Op::StrReplaceReAll).is_some()
                && inner(p, t, Op::StrAt, 1, Op::StrIndexof).is_some()
        },
    },
    Planted {
        about: "str.to_code of str.at of str.from_int",
        is_in: |p, t| {
            inner(p, t, Op::StrToCode, 0, Op::StrAt).is_some_and(|a| is(p, p.args(a)[0], Op::StrFromInt))
        },
    },
    Planted {
        about: "str.suffixof a word that is an ite on str.is_digit",
        is_in: |p, t| {
            inner(p, t, Op::StrSuffixof, 1, Op::Ite).is_some_and(|i| is(p, p.args(i)[0], Op::StrIsDigit))
        },
    },
    Planted {
        about: "str.replace in a str.from_code, of a str.substr",
        is_in: |p, t| {
            inner(p, t, Op::StrReplace, 0, Op::StrFromCode).is_some()
                && inner(p, t, Op::StrReplace, 1, Op::StrSubstr).is_some()
        },
    },
];

/// The number of the case of this process, from 1.
static CASE: AtomicUsize = AtomicUsize::new(0);

/// Selects the case of [`check`], from 1.
pub fn select(case: usize) {
    CASE.store(case, Ordering::Relaxed);
}

/// The built-in solver with the selected bug.
pub fn check(pool: &mut Pool, terms: &[Term], options: &Options, stop: &Stop) -> Outcome {
    let lies = CASES.get(CASE.load(Ordering::Relaxed).wrapping_sub(1)).is_some_and(|c| c.occurs(pool, terms));
    let mut outcome = engine::check(pool, terms, options, stop);
    if lies && matches!(outcome.answer, Answer::Sat(_)) {
        outcome.answer = Answer::Unsat((0..terms.len()).collect());
    }
    outcome
}

impl Planted {
    /// One of these terms has a subterm on which it lies.
    pub fn occurs(&self, pool: &Pool, terms: &[Term]) -> bool {
        pool.subterms(terms.iter().copied()).any(|t| (self.is_in)(pool, t))
    }
}

fn is(pool: &Pool, t: Term, op: Op) -> bool {
    matches!(pool.head(t), Head::Op(o) | Head::Indexed(o, _) if o == op)
}

/// The argument at `place` of an application of `outer`, if it is one of `inner`.
fn inner(pool: &Pool, t: Term, outer: Op, place: usize, inner: Op) -> Option<Term> {
    let argument = is(pool, t, outer).then(|| pool.args(t).get(place).copied())??;
    is(pool, argument, inner).then_some(argument)
}

fn is_word(pool: &Pool, t: Term, word: &[u32]) -> bool {
    matches!(pool.head(t), Head::Str(id) if pool.word(id) == word)
}

fn is_empty_loop(pool: &Pool, t: Term) -> bool {
    matches!(pool.head(t), Head::Indexed(_, id) if pool.index_values(id)[0] > pool.index_values(id)[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_case_lies_on_its_terms_only() {
        let texts = [
            "(= 1 (str.len (str.replace_all x \"\" \"a\")))",
            "(= 1 (str.indexof (str.replace x x x) \"a\" (- 1)))",
            "(str.in_re x (re.comp ((_ re.loop 3 1) re.allchar)))",
            "(= x (str.substr x 0 (str.to_int (str.at x 0))))",
            "(str.<= (str.from_code 97) (str.replace x x x))",
            "(str.in_re x (re.diff (re.opt re.all) (re.inter re.all re.allchar)))",
            "(= x (str.at (str.replace_re_all x re.all x) (str.indexof x x 0)))",
            "(= 1 (str.to_code (str.at (str.from_int 12) 0)))",
            "(str.suffixof x (ite (str.is_digit x) x \"a\"))",
            "(= x (str.replace (str.from_code 97) (str.substr x 0 1) x))",
        ];
        for (i, text) in texts.iter().enumerate() {
            let mut pool = Pool::new();
            let script = format!("(declare-const x String)(assert {text})");
            let parsed = smt::parse(script.as_bytes(), None, &mut pool);
            assert!(parsed.is_ok(), "{text}");
            let terms: Vec<Term> = parsed.script.assertions().collect();
            let found: Vec<usize> = (0..CASES.len()).filter(|&c| CASES[c].occurs(&pool, &terms)).collect();
            assert_eq!(found, [i], "{text}");
        }
    }
}
