//! Scripts that are hard to stop: each keeps one loop of the solver busy, or asks for one very large object.
//!
//! None is larger than a few megabytes. Most cannot be solved within any time limit; what matters is the time after it.

use std::fmt::{Display, Write as _};

/// A script by name.
pub type Input = (&'static str, fn() -> String);

/// All scripts, by the part of the solver that they keep busy.
pub const INPUTS: &[Input] = &[
    // Reading and preprocessing.
    ("distinct-constants", distinct_constants),
    ("distinct-duplicate", distinct_duplicate),
    ("distinct-pigeons", distinct_pigeons),
    ("distinct-lengths", distinct_lengths),
    ("distinct-characters", distinct_characters),
    ("distinct-negated", distinct_negated),
    ("shared-concatenation", shared_concatenation),
    ("shared-equation", || shared("x", "{} {}", "(= a39 x)")),
    ("shared-index", || shared("x", "{} x {}", "(= (str.indexof a39 y 0) 3)")),
    ("shared-haystack", || shared("\"ab\"", "{} {}", "(str.contains a39 y)")),
    ("shared-quantifier", || shared("x", "{} {}", "(exists ((z String)) (= a39 (str.++ z a38)))")),
    ("shared-letters", shared_letters),
    ("shared-formula", shared_formula),
    ("definitions-doubling", definitions_doubling),
    ("definitions-branching", definitions_branching),
    ("deep-replace", deep_replace),
    ("deep-substr", deep_substr),
    ("deep-sum", deep_sum),
    ("wide-disjunction", wide_disjunction),
    ("many-assertions", many_assertions),
    // Strings.
    ("wide-concatenation", wide_concatenation),
    ("long-literals", long_literals),
    ("long-needle", long_needle),
    ("replace-all", replace_all),
    ("string-order", string_order),
    ("characters", characters),
    ("string-pigeons", string_pigeons),
    // Languages.
    ("loops", loops),
    ("powers", powers),
    ("intersection", intersection),
    ("many-memberships", many_memberships),
    ("blow-up", blow_up),
    // Integers.
    ("squares", squares),
    ("powers-of-variable", powers_of_variable),
    ("remainders", remainders),
    ("dense-system", dense_system),
    ("knapsack", knapsack),
    // Propositional search, cores, evaluation.
    ("pigeons", pigeons),
    ("core", core),
    ("recursion", recursion),
    ("huge-value", huge_value),
    ("long-model", long_model),
];

fn declare(names: &str, count: usize, sort: &str) -> String {
    (0..count).map(|i| format!("(declare-const {names}{i} {sort})")).collect()
}

fn list<T: Display>(count: usize, item: impl Fn(usize) -> T) -> String {
    (0..count).fold(String::new(), |mut text, i| {
        let _ = write!(text, " {}", item(i));
        text
    })
}

fn asserted<T: Display>(count: usize, formula: impl Fn(usize) -> T) -> String {
    list(count, |i| format!("(assert {})", formula(i)))
}

/// `(let ((a0 start)) (let ((a1 step)) … end))`
fn lets(count: usize, start: &str, step: impl Fn(usize) -> String, end: &str) -> String {
    let inner: String = (1..count).map(|i| format!("(let ((a{i} {})) ", step(i))).collect();
    format!("(let ((a0 {start})) {inner}{end}{}", ")".repeat(count))
}

/// `(op (op … x rest) rest)`
fn nested(depth: usize, op: &str, x: &str, rest: &str) -> String {
    format!("{}{x}{}", format!("({op} ").repeat(depth), format!(" {rest})").repeat(depth))
}

fn checked(text: &str) -> String {
    format!("(set-logic ALL){text}(check-sat)\n")
}

fn distinct_constants() -> String {
    checked(&format!("(assert (distinct{}))", list(20_000, |i| format!("\"s{i}\""))))
}

fn distinct_duplicate() -> String {
    checked(&format!("(assert (distinct{}))", list(20_000, |i| i % 19_999)))
}

/// 2,000 strings of one letter.
fn distinct_pigeons() -> String {
    let letters = asserted(2_000, |i| format!("(str.in_re x{i} (re.range \"a\" \"z\"))"));
    let all = list(2_000, |i| format!("x{i}"));
    checked(&format!("{}{letters}(assert (distinct{all}))", declare("x", 2_000, "String")))
}

fn distinct_lengths() -> String {
    let lengths = list(1_500, |i| format!("(str.len x{i})"));
    checked(&format!("{}(assert (distinct{lengths}))", declare("x", 1_500, "String")))
}

fn distinct_characters() -> String {
    let characters = list(2_000, |i| format!("(str.at x {i})"));
    checked(&format!("(declare-const x String)(assert (distinct{characters}))"))
}

fn distinct_negated() -> String {
    let terms = list(1_000, |i| format!("(str.++ x{i} \"{i}\")"));
    let longer = asserted(999, |i| format!("(< (str.len x{i}) (str.len x{}))", i + 1));
    checked(&format!("{}{longer}(assert (not (distinct{terms})))", declare("x", 1_000, "String")))
}

fn shared_concatenation() -> String {
    let term =
        lets(40, "(str.++ x \"a\")", |i| format!("(str.++ a{0} a{0})", i - 1), "(= a39 (str.++ a38 x))");
    checked(&format!("(declare-const x String)(assert {term})"))
}

/// A word that is much longer than its term: forty concatenations of the one before, `{}` in `step`.
fn shared(start: &str, step: &str, end: &str) -> String {
    let term = lets(40, start, |i| format!("(str.++ {})", step.replace("{}", &format!("a{}", i - 1))), end);
    checked(&format!("(declare-const x String)(declare-const y String)(assert {term})"))
}

fn shared_letters() -> String {
    let step = |i| match i {
        0 => String::new(),
        _ => format!("(assert (= v{i} (str.++ (str.to_lower v{0}) (str.to_upper v{0}))))", i - 1),
    };
    checked(&format!("{}{}", declare("v", 40, "String"), list(40, step)))
}

fn shared_formula() -> String {
    let term = lets(
        3_000,
        "p0",
        |i| format!("(ite a{0} (= a{0} p{1}) (not (= p{2} a{0})))", i - 1, i % 50, i * 7 % 50),
        "a2999",
    );
    checked(&format!("{}(assert {term})", declare("p", 50, "Bool")))
}

fn definitions_doubling() -> String {
    let tower = list(40, |i| match i {
        0 => "(define-fun f0 ((s String)) String (str.++ s x))".to_owned(),
        _ => format!("(define-fun f{i} ((s String)) String (f{0} (f{0} s)))", i - 1),
    });
    checked(&format!("(declare-const x String){tower}(assert (= (f39 \"a\") \"b\"))"))
}

fn definitions_branching() -> String {
    let tower = list(30, |i| match i {
        0 => "(define-fun f0 ((s String)) Bool (= s x))".to_owned(),
        _ => format!(
            "(define-fun f{i} ((s String)) Bool (and (f{0} (str.++ s \"a\")) (f{0} (str.++ \"b\" s))))",
            i - 1
        ),
    });
    checked(&format!("(declare-const x String){tower}(assert (f29 \"a\"))"))
}

fn deep_replace() -> String {
    let term = nested(100_000, "str.replace", "x", "\"a\" \"b\"");
    checked(&format!("(declare-const x String)(assert (= \"b\" {term}))"))
}

fn deep_substr() -> String {
    let term = nested(20_000, "str.substr", "x", "1 (str.len x)");
    checked(&format!("(declare-const x String)(assert (= \"b\" {term}))"))
}

fn deep_sum() -> String {
    let term = format!("{}x{}", "(+ 1 (* 2 ".repeat(100_000), "))".repeat(100_000));
    checked(&format!("(declare-const x Int)(assert (= 1 {term}))"))
}

fn wide_disjunction() -> String {
    let cases = list(50_000, |i| format!("(= x \"s{i}\")"));
    checked(&format!("(declare-const x String)(assert (or{cases}))(assert (= (str.len x) 10))"))
}

fn many_assertions() -> String {
    let differ = asserted(100_000, |i| format!("(not (= x{} \"v{i}\"))", i % 1_000));
    checked(&format!("{}{differ}", declare("x", 1_000, "String")))
}

fn wide_concatenation() -> String {
    let (left, right) = (list(50_000, |i| format!("x \"{i}\"")), list(50_000, |i| format!("\"{i}\" x")));
    checked(&format!("(declare-const x String)(assert (= (str.++{left}) (str.++{right})))"))
}

fn long_literals() -> String {
    let word = "ab".repeat(1_000_000);
    checked(&format!(
        "(declare-const x String)(declare-const y String)(assert (= (str.++ x y \"b\") \"{word}\"))\
         (assert (> (str.len x) 3))(assert (str.in_re y (re.* (re.union (str.to_re \"ab\") (str.to_re \"ba\")))))"
    ))
}

fn long_needle() -> String {
    let (hay, needle) = ("a".repeat(400_000), "a".repeat(200_000));
    checked(&format!(
        "(declare-const x String)(assert (str.contains (str.++ x \"{hay}\") \"{needle}b\"))\
         (assert (< (str.len x) 50))"
    ))
}

fn replace_all() -> String {
    let word = "a".repeat(5_000);
    checked(&format!(
        "(declare-const x String)(assert (= x \"{word}\"))\
         (assert (= (str.len (str.replace_all (str.replace_all x \"a\" x) \"a\" x)) 5))"
    ))
}

fn string_order() -> String {
    let chain = asserted(400, |i| format!("(str.< x{i} x{})", (i + 1) % 400));
    checked(&format!("{}{chain}", declare("x", 400, "String")))
}

fn characters() -> String {
    let code = |i: usize| format!("(str.to_code (str.at x {i}))");
    let sums = asserted(2_000, |i| format!("(> (+ {} {}) {})", code(i), code(i + 1), 100 + i % 50));
    checked(&format!("(declare-const x String){sums}"))
}

fn string_pigeons() -> String {
    let holes = asserted(40, |i| format!("(or{})", list(39, |j| format!("(= x{i} \"{j}\")"))));
    let all = list(40, |i| format!("x{i}"));
    checked(&format!("{}{holes}(assert (distinct{all}))", declare("x", 40, "String")))
}

fn loops() -> String {
    checked(
        "(declare-const x String)(assert (str.in_re x ((_ re.loop 1000000 2000000) \
         (re.union (str.to_re \"ab\") (str.to_re \"a\")))))(assert (str.in_re x (re.* (str.to_re \"aab\"))))",
    )
}

fn powers() -> String {
    checked(
        "(declare-const x String)(assert (str.in_re x ((_ re.^ 1000) ((_ re.^ 1000) \
         (re.union (str.to_re \"ab\") (str.to_re \"ba\"))))))\
         (assert (not (str.in_re x (re.* (re.++ re.allchar re.allchar)))))",
    )
}

const PRIMES: [usize; 11] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31];

fn intersection() -> String {
    let all = list(PRIMES.len(), |i| format!("(re.* ((_ re.^ {}) (str.to_re \"a\")))", PRIMES[i]));
    checked(&format!(
        "(declare-const x String)(assert (str.in_re x (re.inter{all})))(assert (> (str.len x) 0))"
    ))
}

fn many_memberships() -> String {
    let parts = asserted(300, |i| {
        let letter = char::from(b'a' + (i % 26) as u8);
        format!("(str.in_re x (re.++ re.all (str.to_re \"{letter}{i}\") re.all))")
    });
    checked(&format!("(declare-const x String){parts}"))
}

fn blow_up() -> String {
    let nth =
        |letter: &str, n: usize| format!("(re.++ re.all (str.to_re \"{letter}\") ((_ re.^ {n}) re.allchar))");
    let all = asserted(40, |i| {
        let r = nth(["a", "b", "ab"][i % 3], 20 + i);
        if i % 2 == 0 { format!("(str.in_re x {r})") } else { format!("(not (str.in_re x {r}))") }
    });
    checked(&format!("(declare-const x String){all}"))
}

fn squares() -> String {
    let term = lets(40, "7777777777", |i| format!("(* a{0} a{0})", i - 1), "(= x a39)");
    checked(&format!("(declare-const x Int)(assert {term})"))
}

fn powers_of_variable() -> String {
    let term = lets(40, "x", |i| format!("(* a{0} a{0})", i - 1), "(= y a39)");
    checked(&format!("(declare-const x Int)(declare-const y Int)(assert {term})(assert (> x 1))"))
}

fn remainders() -> String {
    let term = (0..2_000).fold("x".to_owned(), |t, i| format!("(mod (* 1{i:040} {t}) 3{i:050})"));
    checked(&format!("(declare-const x Int)(assert (= 5 {term}))"))
}

/// Numbers that look random and are the same everywhere.
fn number(row: usize, column: usize, below: u64) -> u64 {
    let z = ((row as u64) << 32 | column as u64).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (z ^ z >> 27) % below
}

fn dense_system() -> String {
    let coefficient = |r, c| {
        let n = number(r, c, 1_000_000);
        if n.is_multiple_of(3) { format!("(- {n})") } else { n.to_string() }
    };
    let rows = asserted(120, |r| {
        let sum = list(100, |c| format!("(* {} x{c})", coefficient(r, c)));
        format!("(<= (+{sum}) (- {}))", number(r, 1_000, 1_000_000))
    });
    checked(&format!("{}{rows}", declare("x", 100, "Int")))
}

fn knapsack() -> String {
    let small = asserted(50, |i| format!("(and (<= 0 x{i}) (<= x{i} 1))"));
    let sums = asserted(5, |r| {
        let sum = list(50, |c| format!("(* {} x{c})", number(r, c, 1_000_000)));
        format!("(= (+{sum}) {})", 12_500_000 + r)
    });
    checked(&format!("{}{small}{sums}", declare("x", 50, "Int")))
}

fn pigeons() -> String {
    const HOLES: usize = 40;
    let all: String = (0..=HOLES).map(|i| declare(&format!("p{i}_"), HOLES, "Bool")).collect();
    let placed = asserted(HOLES + 1, |i| format!("(or{})", list(HOLES, |j| format!("p{i}_{j}"))));
    let alone = list(HOLES, |j| {
        asserted(HOLES + 1, |i| {
            format!("(and true{})", list(i, |k| format!("(or (not p{i}_{j}) (not p{k}_{j}))")))
        })
    });
    checked(&format!("{all}{placed}{alone}"))
}

fn core() -> String {
    let chain: String = (0..2_000).map(|i| format!("(assert (! (> x{} x{i}) :named a{i}))", i + 1)).collect();
    format!(
        "(set-option :produce-unsat-cores true)(set-option :minimal-unsat-cores true)(set-logic ALL){}{chain}\
         (assert (! (< x2000 x0) :named b))(check-sat)\n",
        declare("x", 2_001, "Int")
    )
}

fn recursion() -> String {
    checked(
        "(declare-const x String)(define-fun-rec f ((s String) (n Int)) Int (ite (= n 0) 0 \
         (+ (f s (- n 1)) (f (str.++ s \"a\") (- n 1)))))(assert (= (f x 60) 5))",
    )
}

fn huge_value() -> String {
    let term = lets(40, "x", |i| format!("(str.++ a{0} a{0} \"b\")", i - 1), "(str.len a39)");
    format!("{}(get-value ({term}))\n", checked("(declare-const x String)(assert (= (str.len x) 60000))"))
}

fn long_model() -> String {
    let all = asserted(200, |i| {
        format!(
            "(and (= (str.len x{i}) 65000) (str.in_re x{i} (re.* (re.union (str.to_re \"ab\") (str.to_re \"c{i}\")))))"
        )
    });
    format!("{}(get-model)\n", checked(&format!("{}{all}", declare("x", 200, "String"))))
}
