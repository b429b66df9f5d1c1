//! The table of `commute`, by brute force: operators that commute do so for all small strings, and the others have a
//! counterexample among them.

use super::*;
use semantics::{Evaluator, Model, Str, Value};
use smt::op::{S, TABLE};
use smt::{Fun, Int, Sort, Term};

/// All words over `letters` up to a length.
fn words(letters: &str, length: usize) -> Vec<Vec<u32>> {
    let mut out = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..length {
        let end = out.len();
        for i in from..end {
            for c in letters.chars() {
                let mut word = out[i].clone();
                word.push(u32::from(c));
                out.push(word);
            }
        }
        from = end;
    }
    out
}

/// The values of a constant.
fn domain(sort: Sort, letters: &str, length: usize) -> Vec<Value> {
    match sort {
        Sort::STRING => words(letters, length).iter().map(|w| Value::Str(Str::from(&w[..]))).collect(),
        Sort::INT => [-1, 0, 1, 2, 3, 12, 97, 98].iter().map(|&n: &i64| Value::Int(Int::from(n))).collect(),
        Sort::BOOL => vec![Value::Bool(false), Value::Bool(true)],
        _ => unreachable!("no such constant"),
    }
}

const REGEXES: [&str; 7] = [
    "re.allchar",
    "(str.to_re \"ab\")",
    "(re.* (str.to_re \"ab\"))",
    "(re.++ (str.to_re \"a\") re.all)",
    "(re.range \"a\" \"b\")",
    "(re.union (str.to_re \"a\") (str.to_re \"aba\"))",
    "(re.comp (str.to_re \"b\"))",
];

/// Scripts that apply `op` to constants, or to literals and closed regular expressions where it must be.
fn scripts(op: Op) -> Vec<String> {
    let row = op.row();
    let mut out = vec![(String::new(), String::new())];
    for (i, p) in row.params.iter().enumerate() {
        let choices: Vec<(String, String)> = match p {
            S::Re => REGEXES.iter().map(|r| (String::new(), (*r).to_owned())).collect(),
            S::Str if op == Op::ReRange => {
                ["a", "b", "ab", ""].iter().map(|w| (String::new(), format!("\"{w}\""))).collect()
            }
            S::Str | S::Any => vec![(format!("(declare-const a{i} String)"), format!("a{i}"))],
            S::Int | S::Num => vec![(format!("(declare-const a{i} Int)"), format!("a{i}"))],
            S::Bool => vec![(format!("(declare-const a{i} Bool)"), format!("a{i}"))],
            S::Real => Vec::new(),
        };
        out = out
            .iter()
            .flat_map(|(d, a)| choices.iter().map(move |(d2, a2)| (format!("{d}{d2}"), format!("{a} {a2}"))))
            .collect();
    }
    let name = match row.indices {
        0 => row.name.to_owned(),
        1 => format!("(_ {} 2)", row.name),
        _ => format!("(_ {} 1 2)", row.name),
    };
    let script = |(decls, args): &(String, String)| {
        let t = if args.is_empty() { name.clone() } else { format!("({name}{args})") };
        match row.ret {
            S::Re => format!(
                "{decls}(declare-const w String)(declare-const r Bool)(assert (= r (str.in_re w {t})))"
            ),
            S::Bool => format!("{decls}(declare-const r Bool)(assert (= r {t}))"),
            S::Int | S::Num => format!("{decls}(declare-const r Int)(assert (= r {t}))"),
            _ => format!("{decls}(declare-const r String)(assert (= r {t}))"),
        }
    };
    out.iter().map(script).collect()
}

/// What a transformer made of a script, and whether every small interpretation carries across.
struct Outcome {
    keeps: bool,
    commutes: bool,
}

fn examine(text: &str, how: &Transformer, flags: &Flags, seed: u64, letters: &str, length: usize) -> Outcome {
    let before = read(text);
    let mut after = before.clone();
    let Instance { pool, script, .. } = &mut after;
    let effect =
        (how.apply)(flags, &mut Job { pool, script, dice: &mut Dice::new(seed, 0), dialect: Dialect::Smt26 });
    let map = |v: &Value| effect.values.as_ref().map_or_else(|| Some(v.clone()), |m| m(v)).expect("a value");
    let goal = |i: &Instance| i.script.assertions().next().expect("one assertion");
    let (old, new) = (goal(&before), goal(&after));
    let funs: Vec<Fun> = before.declared().collect();
    let (&r, args) = funs.split_last().expect("the result");
    let domains: Vec<Vec<Value>> =
        args.iter().map(|&f| domain(before.pool.fun(f).ret, letters, length)).collect();
    let right: Term = *before.pool.args(old).last().expect("an equation");
    let mut commutes = true;
    for_all(&domains, &mut |values| {
        let mut model = Model::new();
        args.iter().zip(values).for_each(|(&f, v)| model.assign(f, v.clone()));
        let Ok(result) = Evaluator::new(&before.pool, &model).eval(right) else { return };
        let mut mapped = Model::new();
        args.iter().zip(values).for_each(|(&f, v)| mapped.assign(f, map(v)));
        mapped.assign(r, map(&result));
        commutes &= Evaluator::new(&after.pool, &mapped).truth(new) == semantics::Satisfaction::Holds;
    });
    Outcome { keeps: effect.keeps, commutes }
}

fn for_all(domains: &[Vec<Value>], f: &mut dyn FnMut(&[Value])) {
    let total: usize = domains.iter().map(Vec::len).product();
    for n in 0..total {
        let mut n = n;
        let pick = |d: &Vec<Value>| {
            let v = d[n % d.len()].clone();
            n /= d.len();
            v
        };
        let values: Vec<Value> = domains.iter().map(pick).collect();
        f(&values);
    }
}

/// The operators with strings in them somewhere.
fn string_operators() -> impl Iterator<Item = Op> {
    TABLE
        .iter()
        .map(|r| r.op)
        .filter(|&op| op >= Op::StrConcat || matches!(op, Op::Eq | Op::Distinct | Op::Ite))
}

#[test]
fn reverse() {
    for op in string_operators() {
        let mut all = true;
        for text in scripts(op) {
            // A literal that has nothing to do with it, so that something changes.
            let text = format!("{text}(assert (= \"ab\" \"b\"))");
            for (letters, length) in [("ab", 3), ("a01", 2)] {
                let o = examine(&text, &reverse::REVERSE, &Flags::default(), 0, letters, length);
                assert!(!o.keeps || o.commutes, "{text}");
                all &= o.commutes;
            }
        }
        let never = super::super::commute::is_never_reversed(op);
        assert!(
            !(never && all),
            "{} commutes with reverse on all small values, but commute.rs has `Never`",
            op.name()
        );
    }
}

#[test]
fn reverse_of_replace_all_depends_on_its_pattern() {
    for pattern in words("ab", 3) {
        let pattern: String = pattern.iter().filter_map(|&c| char::from_u32(c)).collect();
        let text = format!(
            "(declare-const x String)(declare-const y String)(declare-const r String)\
             (assert (= r (str.replace_all x \"{pattern}\" (str.++ y \"c\"))))"
        );
        let o = examine(&text, &reverse::REVERSE, &Flags::default(), 0, "ab", 5);
        assert_eq!(o.keeps, o.commutes, "{pattern}");
    }
}

/// Permutations that fix all, move letters, move digits, or split cases and ranges.
#[test]
fn translate() {
    let (mut kept, mut lost) = (0, 0);
    for op in string_operators() {
        let mut ever_fails = false;
        for seed in 0..12 {
            let (integers, re_range, within_ranges) = (seed % 2 == 1, seed % 4 > 1, seed % 3 == 1);
            let flags = Flags { integers, re_range, within_ranges, ..Flags::default() };
            for text in scripts(op).iter().step_by(if seed < 4 { 1 } else { 3 }) {
                let text = format!("{text}(assert (= \"ab01\" \"AB\"))");
                let o = examine(&text, &translate::TRANSLATE, &flags, seed, "a1B", 2);
                assert!(!o.keeps || o.commutes, "seed {seed}: {text}");
                ever_fails |= !o.commutes;
                *if o.keeps { &mut kept } else { &mut lost } += 1;
            }
        }
        let never = matches!(op, Op::StrLt | Op::StrLe | Op::StrToCode | Op::StrFromCode);
        assert!(!never || ever_fails, "{} commutes, but not by the table", op.name());
    }
    assert!(kept > 500 && lost > 50, "{kept} {lost}");
}

#[test]
fn unprintable() {
    for op in string_operators() {
        for (seed, text) in scripts(op).iter().enumerate() {
            let text = format!("{text}(assert (= \"ab01\" \"AB\"))");
            let o = examine(
                &text,
                &super::super::unprintable::UNPRINTABLE,
                &Flags::default(),
                seed as u64,
                "a1B",
                2,
            );
            assert!(!o.keeps || o.commutes, "{text}");
        }
    }
}

/// Ranges are reported as kept exactly if the language is.
#[test]
fn ranges_under_permutations() {
    let flags =
        |re_range, within_ranges| Flags { integers: true, re_range, within_ranges, ..Flags::default() };
    let (mut kept, mut lost) = (0, 0);
    for seed in 0..30 {
        for (lo, hi) in [("a", "a"), ("a", "c"), ("0", "9"), (" ", "~"), ("z", "a"), ("ab", "c")] {
            for flags in [flags(false, false), flags(true, false), flags(false, true)] {
                let text = format!(
                    "(declare-const w String)(declare-const r Bool)(assert (= r (str.in_re w (re.range \"{lo}\" \"{hi}\"))))(assert (= \"a\" \"b\"))"
                );
                let printable: String = (0x20u8..0x7F).map(char::from).collect();
                let o = examine(&text, &translate::TRANSLATE, &flags, seed, &printable, 1);
                assert_eq!(o.keeps, o.commutes, "{flags:?} seed {seed}: {text}");
                *if o.keeps { &mut kept } else { &mut lost } += 1;
            }
        }
    }
    assert!(kept > 100 && lost > 50, "{kept} {lost}");
}
