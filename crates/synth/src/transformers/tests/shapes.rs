//! Every transformer over many shapes of scripts: the output can be parsed, and has the commands of the input.

use super::*;
use proptest::prelude::*;
use smt::print::script_text;
use smt::{Command, Sort};
use std::mem::discriminant;

const SHAPES: &[&str] = &[
    "",
    "(check-sat)",
    "; a comment\n(set-logic QF_S) ; at the end\n(set-option :produce-models true)\n(declare-fun x () String)\n; in between\n(assert (= x \"a b\"))\n(check-sat)\n(get-value (x (str.++ x \"ab\")))\n; last\n",
    "(declare-const x String)(assert (let ((y (str.++ x \"ab\"))) (= y (str.++ y y))))(check-sat)",
    "(declare-const x String)(assert (forall ((y String) (n Int)) (! (=> (= (str.len y) n) (str.contains x y)) :pattern ((str.++ x y)))))(check-sat)",
    "(declare-const x String)(push 1)(declare-const y Int)(assert (= (str.len x) y 3))(check-sat)(pop 1)(declare-const y String)(assert (= x y \"abc\"))(check-sat)",
    "(define-fun f ((a String) (b Int)) String (str.++ a (str.at a b) \"q\"))(declare-const x String)(assert (= x (f x 2) (f \"ab\" 0)))(check-sat)",
    "(define-fun-rec g ((n Int)) String (ite (<= n 0) \"\" (str.++ \"ab\" (g (- n 1)))))(assert (= (g 3) \"ababab\"))(check-sat)",
    "(define-funs-rec ((e ((n Int)) Bool) (o ((n Int)) Bool)) ((ite (= n 0) true (o (- n 1))) (ite (= n 0) false (e (- n 1)))))(assert (e 4))(check-sat)",
    "(declare-const x String)(assert (! (= x (! (str.++ \"a\" \"b\") :named s)) :named A))(assert (str.contains s x))(check-sat)(get-unsat-core)",
    "(declare-datatypes ((P 0)) (((p (q String)))))(declare-const x P)(assert (= (q x) \"ab\"))(check-sat)",
    "(declare-const x String)(declare-const p Bool)(assert (=> p (str.in_re x (re.++ ((_ re.loop 1 3) (re.range \"a\" \"c\")) ((_ re.^ 2) re.allchar) (re.opt (str.to_re \"ab\"))))))(check-sat-assuming (p (not p)))",
    "(declare-sort U 0)(declare-fun u (U String) U)(declare-const c U)(declare-const d U)(assert (distinct c d (u c \"ab\")))(check-sat)",
    "(declare-const r Real)(declare-const n Int)(assert (< r (+ 1.5 (to_real n)) (/ r 2.0)))(assert (= (* 2 n) (div n 3) (mod n 5) (- 7)))(check-sat)",
    "(declare-const x (Seq Int))(declare-const a (Array Int String))(assert (= (select a 0) \"ab\"))(assert (= x (seq.unit 3)))(check-sat)",
    "(declare-const x String)(assert (= x \"\\u{0}\\u{22}\\u{5c}u{41} \"\"q\"\" \\x41\"))(assert (str.< x \"\\u{2ffff}\"))(check-sat)",
    "(declare-const |a b| String)(declare-fun |let x| (Int) String)(assert (= |a b| (|let x| 12345678901234567890123456789)))(check-sat)(exit)",
    "(declare-fun x () String)(assert (str.in.re x (re.++ (str.to.re \"a\\x41\") (re.* (str.to.re \"b\")))))(assert (= (str.to.int x) 3))(check-sat)",
    "(declare-variable x String)(assert (RegexIn x (RegexConcat (Str2Reg \"ab\") (RegexStar (Str2Reg \"c\")))))(assert (= (Length x) (Indexof (Concat x \"d\") \"c\")))(check-sat)",
];

/// The commands but for `set-info`; old dialects have no `declare-const`.
fn kinds(i: &Instance) -> Vec<std::mem::Discriminant<Command>> {
    let standard = |c: &Command| match c {
        Command::DeclareConst(f) => discriminant(&Command::DeclareFun(*f)),
        c => discriminant(c),
    };
    i.script.commands().filter(|c| !matches!(c, Command::SetInfo(..))).map(standard).collect()
}

fn all_names() -> Vec<&'static str> {
    REGISTRY.iter().map(|t| t.name).collect()
}

/// Reads a result back, and checks all that holds of every result.
fn check(text: &str, names: &str, seed: u64, flags: &Flags) -> String {
    let form = Form { provenance: "test \"it\"".into(), ..Form::default() };
    let chain = Chain::new(names.split(','), flags).unwrap();
    let t = match transform(text.as_bytes(), &chain, seed, &form) {
        Ok(t) => t,
        // Old dialects cannot express every character.
        Err(text::TextError::Inexpressible(_)) => return String::new(),
        Err(e) => panic!("{names}: {e}"),
    };
    let again = transform(text.as_bytes(), &chain, seed, &form).unwrap();
    assert_eq!(t.text, again.text, "{names}: the same seed, the same bytes");
    let (before, after) = (read(text), read_as(&t.text, text));
    assert_eq!(kinds(&before), kinds(&after), "{names} {seed}:\n{}", t.text);
    assert!(after.script.assertions().all(|a| smt::typing::agree(after.pool.sort_of(a), Sort::BOOL)));
    let print = |i: &Instance| script_text(&i.pool, &i.script, Dialect::Smt26, None, None).unwrap();
    let printed = print(&after);
    let back = Instance::from_text(printed.as_bytes(), Some(Dialect::Smt26))
        .unwrap_or_else(|e| panic!("{e:?} {printed}"));
    assert_eq!(printed, print(&back), "{names}: printing and reading again");
    t.text
}

/// In the dialect of the original: the result may have nothing telling left.
fn read_as(text: &str, original: &str) -> Instance {
    let dialect = smt::dialect::detect(original.as_bytes());
    Instance::from_text(text.as_bytes(), Some(dialect))
        .unwrap_or_else(|e| panic!("{e:?}\n{text}\nfrom\n{original}"))
}

fn many_flags() -> Vec<Flags> {
    vec![
        Flags::default(),
        Flags { re_range: true, str_to_re: true, factor: 3, integers: true, depth: 9, ..Flags::default() },
        Flags { within_ranges: true, factor: 1, depth: 0, ..Flags::default() },
    ]
}

#[test]
fn every_transformer_on_every_shape() {
    for names in all_names() {
        for flags in many_flags() {
            for text in SHAPES {
                for seed in 0..12 {
                    check(text, names, seed, &flags);
                }
            }
        }
    }
}

#[test]
fn chains_on_every_shape() {
    for seed in 0..30 {
        for text in SHAPES {
            check(text, "fuzz,graft,reverse", seed, &Flags::default());
            check(text, "graft,insert-operator,rotate,translate,fuzz,unprintable", seed, &Flags::default());
        }
    }
}

#[test]
fn comments_logic_options_and_let_survive() {
    let t = check(SHAPES[2], "reverse", 0, &Flags::default());
    for kept in [
        "; a comment\n",
        "; in between\n",
        "; last\n",
        "(set-logic QF_S)",
        "(set-option :produce-models true)",
    ] {
        assert!(t.contains(kept), "{kept} in\n{t}");
    }
    assert!(t.contains("(get-value (x (str.++ \"ba\" x)))"), "{t}");
    assert!(t.contains(":source \"test \"\"it\"\"\""), "{t}");
    assert!(check(SHAPES[3], "reverse", 0, &Flags::default()).contains("(let (("));
    assert!(check(SHAPES[4], "translate", 0, &Flags::default()).contains(":pattern ((str.++ x y))"));
}

/// A name means the changed term wherever it is used.
#[test]
fn names_follow_their_terms() {
    for names in ["reverse", "multiply", "fuzz", "graft", "insert-operator"] {
        let mut instance = read(SHAPES[9]);
        chain(names).apply(&mut instance, 1, Dialect::Smt26);
        let written = script_text(&instance.pool, &instance.script, Dialect::Smt26, None, None).unwrap();
        let back = read(&written);
        let body = |i: &Instance| {
            let f =
                (0..i.pool.fun_count() as u32).map(smt::Fun).find(|&f| i.pool.fun_name(f) == "s").unwrap();
            smt::print::term_text(&i.pool, i.pool.fun(f).def.as_ref().unwrap().body)
        };
        assert_eq!(body(&instance), body(&back), "{names}");
    }
}

#[test]
fn random_transformers_change_scripts() {
    let text = "(declare-const x String)(declare-const y String)(assert (= (str.++ x \"abc\" y) (str.replace x y \"de\")))(assert (< (str.len x) 5))(check-sat)";
    for names in ["fuzz", "graft", "rotate", "insert-operator", "translate", "unprintable"] {
        let results: std::collections::BTreeSet<String> =
            (0..10).map(|seed| check(text, names, seed, &Flags::default())).collect();
        let least = if names == "unprintable" { 2 } else { 4 };
        assert!(results.len() >= least, "{names}: {results:?}");
    }
}

/// Neither depth nor sharing is a matter of stack or time.
#[test]
fn deep_and_shared_terms() {
    let depth = 100_000;
    let deep = format!(
        "(declare-const x String)(assert (= x {}x{}))(check-sat)",
        "(str.++ \"ab\" ".repeat(depth),
        ")".repeat(depth)
    );
    let mut shared = String::from("(declare-const x String)(assert (let ((a0 (str.++ x \"ab\"))) ");
    for i in 1..100 {
        shared.push_str(&format!("(let ((a{i} (str.++ a{0} a{0} \"c\"))) ", i - 1));
    }
    shared.push_str(&format!("(= x a99){}))", ")".repeat(99)));
    let run = move || {
        for names in all_names() {
            for text in [&deep, &shared] {
                let t = transform(text.as_bytes(), &chain(names), 5, &Form::default()).unwrap();
                assert!(t.text.len() < 3 * text.len() + 1000, "{names}: {}", t.text.len());
                read(&t.text);
            }
        }
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(run).unwrap().join().unwrap();
}

fn string_term(depth: u32) -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        Just("x".to_owned()),
        Just("y".to_owned()),
        "[ab01]{0,3}".prop_map(|w| format!("\"{w}\""))
    ];
    leaf.prop_recursive(depth, 24, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(|v| format!("(str.++ {})", v.join(" "))),
            (inner.clone(), 0..3).prop_map(|(s, n)| format!("(str.at {s} {n})")),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("(str.replace_all {a} {b} {c})")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("(ite (= n (str.len {a})) {b} {a})")),
        ]
    })
    .boxed()
}

fn atom() -> impl Strategy<Value = String> {
    let pair = (string_term(3), string_term(3));
    (pair, 0..7, "[a-c]").prop_map(|((a, b), k, c)| match k {
        0 => format!("(= {a} {b})"),
        1 => format!("(str.prefixof {a} {b})"),
        2 => format!("(not (str.contains {a} {b}))"),
        3 => format!("(< (str.len {a}) n)"),
        4 => format!("(str.in_re {a} (re.++ (re.* (re.range \"a\" \"{c}\")) (str.to_re \"b{c}\")))"),
        5 => format!("(str.is_digit {a})"),
        _ => format!("(exists ((z String)) (= (str.++ z {a}) {b}))"),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Any formula, any chain of two, any seed.
    #[test]
    fn for_all_formulas(atoms in prop::collection::vec(atom(), 1..4), a in 0..REGISTRY.len(), b in 0..REGISTRY.len(), seed in 0u64..1000) {
        let asserts: String = atoms.iter().map(|a| format!("(assert {a})\n")).collect();
        let text = format!("(declare-const x String)(declare-const y String)(declare-const n Int)\n{asserts}(check-sat)");
        check(&text, &format!("{},{}", REGISTRY[a].name, REGISTRY[b].name), seed, &Flags::default());
    }

    /// A model that holds, holds afterwards, wherever the answer is kept.
    #[test]
    fn kept_answers_are_correct(atoms in prop::collection::vec(atom(), 1..4), x in "[ab0]{0,3}", y in "[ab1]{0,2}", n in 0i64..5, which in 0..4usize, seed in 0u64..1000) {
        let decls = "(declare-const x String)(declare-const y String)(declare-const n Int)";
        let holds: Vec<String> = atoms.into_iter().map(|a| {
            let text = format!("(set-info :status sat)(set-info :stringent-model \"((x \"\"{x}\"\") (y \"\"{y}\"\") (n {n}))\"){decls}(assert {a})");
            if matches!(read(&text).truth, Truth::Sat(_)) { a } else { format!("(not {a})") }
        }).collect();
        let asserts: String = holds.iter().map(|a| format!("(assert {a})\n")).collect();
        let text = format!("(set-info :status sat)(set-info :stringent-model \"((x \"\"{x}\"\") (y \"\"{y}\"\") (n {n}))\"){decls}{asserts}(check-sat)");
        let mut instance = read(&text);
        prop_assume!(matches!(instance.truth, Truth::Sat(_)));
        let mut untouched = instance.clone();
        untouched.truth = Truth::Unsat(Vec::new());
        let names = ["reverse", "translate", "unprintable", "rotate"][which];
        chain(names).apply(&mut untouched, seed, Dialect::Smt26);
        let kept = matches!(untouched.truth, Truth::Unsat(_));
        chain(names).apply(&mut instance, seed, Dialect::Smt26);
        prop_assert!(!kept || matches!(instance.truth, Truth::Sat(_)), "{names}: {text}");
    }
}
