//! Sequences: every operator on all small arguments against the definitions of z3's guide and cvc5's theory reference, which quote each other nowhere.
//! Formulas of the same comparison are put to both solvers in `crates/campaign/tests/real.rs`.

use stringent_semantics::smt::{self, Pool};
use stringent_semantics::{Conclusion, Evaluator, Model, Options, judge};

/// All sequences over 0 and 1 of up to this length.
fn sequences(longest: usize) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..longest {
        let end = all.len();
        for i in from..end {
            for n in 0..2 {
                let mut more = all[i].clone();
                more.push(n);
                all.push(more);
            }
        }
        from = end;
    }
    all
}

fn text(items: &[i64]) -> String {
    let units: Vec<String> = items.iter().map(|n| format!("(seq.unit {n})")).collect();
    match &units[..] {
        [] => "(as seq.empty (Seq Int))".into(),
        [one] => one.clone(),
        _ => format!("(seq.++ {})", units.join(" ")),
    }
}

fn int(n: i64) -> String {
    if n < 0 { format!("(- {})", -n) } else { n.to_string() }
}

/// The values of terms.
fn values(terms: &[String]) -> Vec<String> {
    let mut pool = Pool::new();
    let script: String = terms.iter().map(|t| format!("(assert (= {t} {t}))")).collect();
    let parsed = smt::parse(script.as_bytes(), None, &mut pool);
    assert!(parsed.is_ok(), "{:?}", parsed.diagnostics);
    let model = Model::new();
    let mut e = Evaluator::new(&pool, &model);
    parsed
        .script
        .assertions()
        .map(|t| match e.eval(pool.args(t)[0]) {
            Ok(value) => value.to_smtlib(e.store()),
            Err(why) => format!("? {}", why.reason()),
        })
        .collect()
}

/// The positions at which `part` occurs.
fn occurrences<'a>(w: &'a [i64], part: &'a [i64]) -> impl Iterator<Item = usize> + 'a {
    (0..=w.len()).filter(move |&n| w[n..].starts_with(part))
}

/// "the maximal sub-sequence of s that starts at index i and has length at most j, in case both i and j are non-negative and i is smaller
/// than |s|. Otherwise, the return value is the empty sequence."
fn extract(w: &[i64], i: i64, j: i64) -> Vec<i64> {
    if i < 0 || j < 0 || i >= w.len() as i64 {
        return Vec::new();
    }
    w.iter().skip(i as usize).take(j as usize).copied().collect()
}

/// "replacing the first occurrence of src by dst in s. It equals to s if there is no occurrence."
fn replace(w: &[i64], old: &[i64], new: &[i64]) -> Vec<i64> {
    match occurrences(w, old).next() {
        Some(n) => [&w[..n], new, &w[n + old.len()..]].concat(),
        None => w.to_vec(),
    }
}

/// "replacing all the occurrences of src by dst in s, in the order from left to right." Of the empty sequence, both solvers replace none.
fn replace_all(w: &[i64], old: &[i64], new: &[i64]) -> Vec<i64> {
    match occurrences(w, old).next().filter(|_| !old.is_empty()) {
        Some(n) => [&w[..n], new, &replace_all(&w[n + old.len()..], old, new)].concat(),
        None => w.to_vec(),
    }
}

/// Terms with the values that the documents give them.
fn documented() -> Vec<(String, String)> {
    let (all, mut out) = (sequences(3), Vec::new());
    for w in &all {
        let s = text(w);
        out.push((format!("(seq.len {s})"), int(w.len() as i64)));
        for i in -1..=4 {
            let at = int(i);
            out.push((format!("(seq.at {s} {at})"), text(&extract(w, i, 1))));
            if let Some(&n) = usize::try_from(i).ok().and_then(|i| w.get(i)) {
                out.push((format!("(seq.nth {s} {at})"), int(n)));
            }
            for j in -1..=4 {
                out.push((format!("(seq.extract {s} {at} {})", int(j)), text(&extract(w, i, j))));
            }
        }
        for v in &all {
            let t = text(v);
            out.push((format!("(seq.++ {s} {t})"), text(&[&w[..], &v[..]].concat())));
            out.push((format!("(= {s} {t})"), (w == v).to_string()));
            out.push((format!("(seq.prefixof {s} {t})"), v.starts_with(w).to_string()));
            out.push((format!("(seq.suffixof {s} {t})"), v.ends_with(w).to_string()));
            out.push((format!("(seq.contains {s} {t})"), occurrences(w, v).next().is_some().to_string()));
            for i in -1..=4 {
                // "the first position of sub at or after i in s, and -1 if there is no occurrence"
                let found = occurrences(w, v).find(|&n| i >= 0 && n as i64 >= i);
                let found = int(found.map_or(-1, |n| n as i64));
                out.push((format!("(seq.indexof {s} {t} {})", int(i)), found));
            }
            for u in all.iter().filter(|u| u.len() < 3) {
                let r = text(u);
                out.push((format!("(seq.replace {s} {t} {r})"), text(&replace(w, v, u))));
                out.push((format!("(seq.replace_all {s} {t} {r})"), text(&replace_all(w, v, u))));
            }
        }
    }
    out
}

#[test]
fn every_operator_is_as_documented() {
    let cases = documented();
    let terms: Vec<String> = cases.iter().map(|(t, _)| t.clone()).collect();
    for (value, (term, expected)) in values(&terms).iter().zip(&cases) {
        assert_eq!(value, expected, "{term}");
    }
    assert_eq!(cases.len(), 6_304);
}

#[test]
fn positions_without_an_element_are_open() {
    let open = values(&["(seq.nth (seq.unit 1) 1)".into(), "(seq.nth (seq.unit 1) (- 1))".into()]);
    assert!(open.iter().all(|v| v.starts_with("? its value is left open")), "{open:?}");
    let same = values(&["(= (seq.nth (seq.unit 1) 7) (seq.nth (seq.unit 1) 7))".into()]);
    assert_eq!(same, ["true"]);
}

#[test]
fn elements_are_of_any_known_sort() {
    let cases = [
        ("(seq.++ (seq.unit true) (seq.unit (not true)))", "(seq.++ (seq.unit true) (seq.unit false))"),
        ("(seq.nth (seq.unit (seq.unit 3)) 0)", "(seq.unit 3)"),
        ("(seq.unit (as seq.empty (Seq Int)))", "(seq.unit (as seq.empty (Seq Int)))"),
        ("(seq.at (seq.++ (seq.unit \"a\") (seq.unit \"\")) 1)", "(seq.unit \"\")"),
        ("(seq.len (seq.unit (str.++ \"a\" \"b\")))", "1"),
        ("(seq.unit (/ 1.0 2.0))", "(seq.unit (/ 1 2))"),
    ];
    let terms: Vec<String> = cases.iter().map(|(t, _)| (*t).to_owned()).collect();
    for (value, (term, expected)) in values(&terms).iter().zip(cases) {
        assert!(value == expected || term.contains('/'), "{term}: {value}");
    }
}

/// Sequences that contain all others, doubled again and again: no value, and no memory.
#[test]
fn huge_sequences_have_no_value() {
    let mut term = "(seq.unit (seq.unit 1))".to_owned();
    let mut script = "(declare-const x (Seq (Seq Int)))".to_owned();
    for i in 0..60 {
        script += &format!("(define-fun f{i} () (Seq (Seq Int)) (seq.++ {term} {term}))");
        term = format!("f{i}");
    }
    let mut pool = Pool::new();
    let parsed = smt::parse(format!("{script}(assert (= x {term}))").as_bytes(), None, &mut pool);
    let model = Model::new();
    let assertion = parsed.script.assertions().next().expect("one");
    assert!(Evaluator::new(&pool, &model).eval(assertion).is_err());
}

const FORMULA: &str = "(declare-const x (Seq Int))(declare-const z (Seq (Seq Int)))(declare-const w (Seq String))\
    (assert (= (seq.nth x 1) 7))(assert (= (seq.at z 0) (seq.unit x)))(assert (= (seq.len w) 2))(check-sat)";

/// The forms in which z3 5.4.0 and cvc5 1.4.2 print values.
#[test]
fn models_of_solvers_are_read() {
    let z3 = "sat\n(\n  (define-fun z () (Seq (Seq Int))\n    (seq.++ (seq.unit (seq.++ (seq.unit (- 2)) (seq.unit 7)))\n \
        (seq.unit (as seq.empty (Seq Int)))))\n  (define-fun x () (Seq Int)\n (seq.++ (seq.unit (- 2)) (seq.unit 7)))\n \
        (define-fun w () (Seq String) (seq.++ (seq.unit \"!0!\") (seq.unit \"\\u{1}\")))\n)\n";
    assert_eq!(judged(FORMULA, z3), Conclusion::Holds);
    assert_eq!(judged(FORMULA, &z3.replace("(seq.unit 7)", "(seq.unit 6)")), Conclusion::Fails);
    let values = "sat\n((x (seq.++ (seq.unit 0) (seq.unit 7))) (z (seq.unit (seq.++ (seq.unit 0) (seq.unit 7)))) \
        (w (seq.++ (seq.unit \"\") (seq.unit \"\"))))\n";
    assert_eq!(judged(FORMULA, values), Conclusion::Holds);
    // A value in a form of another theory.
    let odd = values
        .replace("(z (seq.unit (seq.++ (seq.unit 0) (seq.unit 7))))", "(z ((as const (Seq (Seq Int))) 1))");
    assert_eq!(judged(FORMULA, &odd), Conclusion::Undetermined);
}

fn judged(script: &str, output: &str) -> Conclusion {
    judge(script, output, Options::default()).expect("a model").conclusion()
}

/// A constant without a value is completed by the empty sequence.
#[test]
fn models_are_completed() {
    let script =
        "(declare-const x (Seq Int))(declare-const y (Seq Int))(assert (= x (seq.++ x y)))(check-sat)";
    assert_eq!(judged(script, "sat\n((define-fun x () (Seq Int) (seq.unit 1)))"), Conclusion::Holds);
}
