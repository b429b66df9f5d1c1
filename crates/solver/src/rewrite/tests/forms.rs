//! Examples of normal forms, on which other modules rely.

use super::super::*;

const DECLARATIONS: &str = "(declare-const x String)(declare-const y String)(declare-const z String)
    (declare-const i Int)(declare-const j Int)(declare-const p Bool)(declare-const q Bool)";

/// Terms and their normal forms.
const FORMS: &[(&str, &str)] = &[
    // Connectives
    ("(not (not p))", "p"),
    ("(and q p (and p true))", "(and p q)"),
    ("(or p (not p) q)", "true"),
    ("(=> p q)", "(or q (not p))"),
    ("(xor p q)", "(not (= p q))"),
    ("(distinct x y)", "(not (= x y))"),
    ("(= p true)", "p"),
    ("(= (not p) q)", "(not (= p q))"),
    ("(ite p q false)", "(and p q)"),
    ("(! p :named top)", "p"),
    // Integers
    ("(+ i 1 (- i) 2)", "3"),
    ("(- (* 2 j) i 3)", "(+ (* (- 1) i) (* 2 j) (- 3))"),
    ("(< i 3)", "(not (>= i 3))"),
    ("(<= i 3)", "(not (>= i 4))"),
    ("(> (* 2 i) 3)", "(>= i 2)"),
    ("(>= 3 i)", "(not (>= i 4))"),
    ("(< 0 i j)", "(and (>= i 1) (not (>= (+ i (* (- 1) j)) 0)))"),
    ("(= 3 i)", "(= i 3)"),
    ("(= (+ i 1) (- j))", "(= (+ i j) (- 1))"),
    ("(= (* 2 i) (+ (* 2 j) 1))", "false"),
    ("(= (str.len y) (str.len x))", "(= (str.len y) (str.len x))"),
    ("(>= (str.len x) 0)", "true"),
    ("(= (str.len x) (- 1))", "false"),
    ("((_ divisible 3) i)", "(= (mod i 3) 0)"),
    ("(mod (+ (* 3 i) j 4) 3)", "(mod (+ j 1) 3)"),
    ("(div (+ (* 3 i) 4) (- 3))", "(+ (* (- 1) i) (- 1))"),
    // Concatenation and length
    (r#"(str.++ "a" "" (str.++ "b" x))"#, r#"(str.++ "ab" x)"#),
    (r#"(str.len (str.++ "ab" x y))"#, "(+ (str.len x) (str.len y) 2)"),
    (r#"(str.len (str.replace x "a" "b"))"#, "(str.len x)"),
    ("(str.++ (str.substr x 0 1) (str.substr x 1 (- (str.len x) 1)))", "x"),
    // Substrings
    ("(str.at x i)", "(str.substr x i 1)"),
    ("(str.substr (str.++ x y) (str.len x) (str.len y))", "y"),
    (r#"(str.substr (str.++ "abc" x) 1 1)"#, r#""b""#),
    (r#"(str.substr (str.++ "abc" x) 1 4)"#, r#"(str.++ "bc" (str.substr x 0 2))"#),
    (
        "(str.substr (str.substr x 1 (- (str.len x) 1)) 1 (str.len x))",
        "(str.substr x 2 (+ (str.len x) (- 2)))",
    ),
    ("(str.substr x (str.len x) i)", r#""""#),
    ("(str.prefixof x y)", "(= x (str.substr y 0 (str.len x)))"),
    (r#"(str.prefixof "ab" (str.++ "a" x))"#, r#"(= (str.substr x 0 1) "b")"#),
    (r#"(str.suffixof "ab" (str.++ x "b"))"#, r#"(= (str.substr x (+ (str.len x) (- 1)) 1) "a")"#),
    ("(str.suffixof x (str.++ y x))", "true"),
    // Containment
    (r#"(str.contains (str.++ "abc" x) "d")"#, r#"(str.contains x "d")"#),
    (r#"(str.contains (str.++ x "c" y) "ab")"#, r#"(or (str.contains x "ab") (str.contains y "ab"))"#),
    (r#"(str.contains (str.++ x "ab" y) "b")"#, "true"),
    (r#"(str.contains x (str.++ x "a"))"#, "false"),
    (r#"(str.contains "abc" (str.++ "c" x "a"))"#, "false"),
    ("(str.contains (str.++ x y) (str.substr x i j))", "true"),
    (r#"(str.contains (str.replace_all x "a" "b") "a")"#, "false"),
    (r#"(str.contains (str.substr x 0 (str.indexof x "," 0)) ",")"#, "false"),
    (r#"(str.contains (str.replace x y x) y)"#, "(str.contains x y)"),
    (r#"(str.contains "" x)"#, r#"(= x "")"#),
    // Positions
    (r#"(str.indexof (str.++ "ab" x) "b" 0)"#, "1"),
    ("(str.indexof x y (- 1))", "(- 1)"),
    (r#"(str.indexof x "" 0)"#, "0"),
    ("(str.indexof (str.++ x y) x 0)", "0"),
    ("(= (str.indexof x y 0) (- 1))", "(not (str.contains x y))"),
    ("(< (str.indexof x y 0) 0)", "(not (str.contains x y))"),
    // Replacement
    (r#"(str.replace x "" y)"#, "(str.++ y x)"),
    (r#"(str.replace_all x "" y)"#, "x"),
    ("(str.replace x y y)", "x"),
    ("(str.replace (str.++ x y) x z)", "(str.++ z y)"),
    (r#"(str.replace (str.++ "abc" x) "d" y)"#, r#"(str.++ "abc" (str.replace x "d" y))"#),
    (r#"(str.replace_all (str.++ "aba" x) "a" y)"#, r#"(str.++ y "b" y (str.replace_all x "a" y))"#),
    // Conversions and order
    ("(str.is_digit x)", "(and (>= (str.to_code x) 48) (not (>= (str.to_code x) 58)))"),
    ("(= (str.to_code x) 97)", r#"(= x "a")"#),
    ("(str.to_int (str.from_int (str.len x)))", "(str.len x)"),
    (r#"(str.to_int (str.++ x "a"))"#, "(- 1)"),
    ("(str.< x y)", "(not (str.<= y x))"),
    (r#"(str.<= (str.++ "ab" x) (str.++ "ac" y))"#, "true"),
    // Languages
    (r#"(str.in_re "aab" (re.++ (re.* (str.to_re "a")) (str.to_re "b")))"#, "true"),
    (r#"(str.in_re x (str.to_re "a"))"#, r#"(= x "a")"#),
    (r#"(str.in_re x (re.union (str.to_re "a") (str.to_re "b")))"#, r#"(or (= x "a") (= x "b"))"#),
    // Equalities of strings
    (r#"(= "a" x)"#, r#"(= x "a")"#),
    ("(= y x)", "(= x y)"),
    (r#"(= (str.++ "ab" x "c") (str.++ "a" y "dc"))"#, r#"(= (str.++ "b" x) (str.++ y "d"))"#),
    (r#"(= (str.++ "ab" x) (str.++ "b" y))"#, "false"),
    (r#"(= (str.++ x y) "")"#, r#"(and (= x "") (= y ""))"#),
    (r#"(= x (str.++ x "a" y))"#, "false"),
    (r#"(= (str.at x i) "ab")"#, "false"),
    (r#"(= (str.++ x x) "a")"#, "false"),
];

/// Equalities of strings and their extended normal forms.
const EXTENDED: &[(&str, &str)] = &[
    ("(= x (str.++ y x))", r#"(= y "")"#),
    (r#"(= x (str.replace x "a" "b"))"#, r#"(not (str.contains x "a"))"#),
    (r#"(= (str.++ x "a" y) "bbb")"#, "false"),
    (r#"(= (str.from_int i) "12")"#, "(= i 12)"),
    (r#"(= (str.from_int i) "012")"#, "false"),
    (r#"(= (str.from_int i) "")"#, "(not (>= i 0))"),
    (r#"(= (str.substr x 0 2) "")"#, "(not (>= (str.len x) 1))"),
    ("(= (str.++ (str.rev x) y) (str.++ x z))", "(and (= y z) (= x (str.rev x)))"),
    (r#"(= (str.replace x y "") "")"#, r#"(or (and (= x "") (not (= y ""))) (= x y))"#),
];

/// Parses a term, with all variables before it in the pool.
fn read(pool: &mut Pool, text: &str) -> Term {
    let script = format!("{DECLARATIONS}(get-value (x y z i j p q))(get-value ({text}))");
    let parsed = smt::parse(script.as_bytes(), Some(smt::Dialect::Smt26), pool);
    assert!(parsed.is_ok(), "{text}: {:?}", parsed.diagnostics);
    let values = parsed.script.commands().filter_map(|c| match c {
        smt::Command::GetValue(terms) => Some(terms[0]),
        _ => None,
    });
    values.last().expect("it was just written")
}

fn check(forms: &[(&str, &str)], rewrite: fn(&mut Rewriter, &mut Pool, Term) -> Term) {
    let mut wrong = Vec::new();
    for (text, want) in forms {
        let mut pool = Pool::new();
        let t = read(&mut pool, text);
        let u = rewrite(&mut Rewriter::new(), &mut pool, t);
        let got = smt::print::term_text(&pool, u);
        if got != *want {
            wrong.push(format!("{text}\n  became {got}\n  not    {want}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn normal_forms() {
    check(FORMS, |rw, pool, t| rw.rewrite(pool, Mode::Full, t));
}

#[test]
fn extended_equalities() {
    check(EXTENDED, |rw, pool, t| {
        let (a, b) = build::two(pool, t).expect("an equality");
        rw.rewrite_eq(pool, a, b)
    });
}

#[test]
fn entailment_rules_are_for_the_full_mode() {
    let mut pool = Pool::new();
    let t = read(&mut pool, "(>= (str.len x) 0)");
    let mut rw = Rewriter::new();
    assert_eq!(rw.rewrite(&mut pool, Mode::WithoutEntailment, t), t);
    assert_eq!(rw.rewrite(&mut pool, Mode::Full, t), pool.bool(true));
    assert_eq!(rw.rewrite(&mut pool, Mode::WithoutEntailment, t), t, "each mode has its own memo");
}
