mod commute;
mod shapes;

use super::*;
use semantics::Status;
use semantics::instance::Truth;
use text::{Form, Transformed, transform};

fn chain(names: &str) -> Chain {
    Chain::new(names.split(','), &Flags::default()).expect("names of transformers")
}

fn run(text: &str, names: &str, seed: u64) -> Transformed {
    transform(text.as_bytes(), &chain(names), seed, &Form::default())
        .unwrap_or_else(|e| panic!("{names}: {e}\n{text}"))
}

fn read(text: &str) -> Instance {
    Instance::from_text(text.as_bytes(), None).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

/// The lines of a text that start so.
fn lines<'t>(text: &'t str, start: &str) -> Vec<&'t str> {
    text.lines().filter(|l| l.starts_with(start)).collect()
}

#[test]
fn reverse_swaps_the_ends() {
    let text = r#"(declare-const x String)
(assert (= (str.++ x "ab" "c") (str.++ "xy" x)))
(assert (str.in_re x (re.++ (str.to_re "ab") re.allchar (re.range "a" "z"))))
(assert (str.prefixof "ab" x))
(assert (str.suffixof "cd" x))
"#;
    let want = [
        r#"(assert (= (str.++ "c" "ba" x) (str.++ x "yx")))"#,
        r#"(assert (str.in_re x (re.++ (re.range "a" "z") re.allchar (str.to_re "ba"))))"#,
        r#"(assert (str.suffixof "ba" x))"#,
        r#"(assert (str.prefixof "dc" x))"#,
    ];
    let once = run(text, "reverse", 0).text;
    assert_eq!(lines(&once, "(assert"), want);
    assert_eq!(run(&once, "reverse", 0).text, text, "twice is nothing");
}

#[test]
fn multiply_by_two_and_three() {
    let text = "(declare-const x String)(assert (= x \"ab\"))(assert (= (str.len x) 2))(assert (str.in_re x (re.range \"a\" \"b\")))";
    let text = run(text, "multiply", 0).text;
    assert_eq!(
        lines(&text, "(assert"),
        [
            "(assert (= x \"aabb\"))",
            "(assert (= (str.len x) 4))",
            "(assert (str.in_re x (re.range \"a\" \"b\")))"
        ]
    );
    let flags = Flags { factor: 3, re_range: true, ..Flags::default() };
    let three = Chain::new(["multiply"], &flags).unwrap();
    let text = transform(text.as_bytes(), &three, 0, &Form::default()).unwrap().text;
    assert_eq!(
        lines(&text, "(assert")[1..],
        ["(assert (= (str.len x) 12))", "(assert (str.in_re x (re.range \"aaa\" \"bbb\")))"]
    );
}

#[test]
fn unprintable_leaves_no_printable_character() {
    let text = "(declare-const x String)(assert (= x \"ab\" \"ba\"))";
    let t = run(text, "unprintable", 3);
    let words: Vec<&str> = t.text.split('"').skip(1).step_by(2).collect();
    assert!(words.iter().all(|w| w.starts_with("\\u{") && !w.contains('a') || w.is_empty()), "{words:?}");
    let flipped: Vec<&str> = words[0].split_inclusive('}').rev().collect();
    assert_eq!(flipped.concat(), words[1], "a permutation");
}

#[test]
fn translate_keeps_digits_and_ranges_by_default() {
    let text =
        "(declare-const x String)(assert (= x \"abc0123\"))(assert (str.in_re x (re.range \"a\" \"z\")))";
    let t = run(text, "translate", 1).text;
    assert!(t.contains("0123\"") && !t.contains("\"abc0") && t.contains("(re.range \"a\" \"z\")"), "{t}");
    let flags = Flags { integers: true, re_range: true, ..Flags::default() };
    let all = Chain::new(["translate"], &flags).unwrap();
    let t = transform(text.as_bytes(), &all, 1, &Form::default()).unwrap().text;
    assert!(!t.contains("0123\"") && !t.contains("(re.range \"a\" \"z\")"), "{t}");
}

#[test]
fn models_are_carried_along_and_cores_stay() {
    let text = r#"(set-logic QF_SLIA)
(set-info :status sat)
(set-info :stringent-model "((x ""abc"") (n 3))")
(declare-const x String)
(declare-const n Int)
(assert (and (str.prefixof "ab" x) (= n (str.len x))))
(check-sat)
"#;
    for (names, model) in [
        ("reverse", "((x \"\"cba\"\") (n 3))"),
        ("nop", "((x \"\"abc\"\") (n 3))"),
        ("reverse,reverse", "((x \"\"abc\"\") (n 3))"),
        ("multiply", "((x \"\"aabbcc\"\") (n 6))"),
        ("reverse,multiply", "((x \"\"ccbbaa\"\") (n 6))"),
    ] {
        let t = run(text, names, 0);
        assert_eq!(t.status, Status::Sat, "{names}");
        assert!(t.text.contains(model), "{names}: {}", t.text);
        assert!(matches!(read(&t.text).truth, Truth::Sat(_)));
    }
    let t = run(text, "translate,unprintable,reverse", 0);
    assert!(matches!(read(&t.text).truth, Truth::Sat(_)), "{}", t.text);
    let text = r#"(set-info :status unsat)
(set-info :stringent-core "(A)")
(declare-const x String)
(assert (! (= x (str.++ "a" x)) :named A))
(assert (! (= x "b") :named B))
(check-sat)
"#;
    let t = run(text, "translate,reverse,unprintable", 0);
    assert!(matches!(&read(&t.text).truth, Truth::Unsat(core) if core[..] == [0]), "{}", t.text);
    let t = run(text, "multiply", 0);
    assert!(t.status == Status::Unknown && t.text.contains("(set-info :status unknown)"), "{}", t.text);
    assert!(!t.text.contains(":stringent-core"));
}

#[test]
fn a_fuzzed_formula_is_satisfiable_only_by_its_model() {
    let text = r#"(set-info :status sat)
(set-info :stringent-model "((x ""abc"") (y ""abc""))")
(declare-const x String)
(declare-const y String)
(assert (or (= x y) (str.contains x "z") (str.<= x y)))
(check-sat)
"#;
    let statuses: Vec<Status> = (0..60).map(|seed| run(text, "fuzz", seed).status).collect();
    assert!(statuses.contains(&Status::Sat) && statuses.contains(&Status::Unknown));
    assert!((0..60).all(|seed| {
        let t = run(text, "fuzz", seed);
        (t.status == Status::Sat) == matches!(read(&t.text).truth, Truth::Sat(_))
    }));
}

#[test]
fn a_status_stated_by_the_file() {
    let text = |op: &str, status: &str| {
        format!(
            "(declare-const x String)(push 1)(assert {op})(set-info :status {status})(check-sat)(pop 1)\
             (set-info :status sat)(check-sat)"
        )
    };
    let kept = run(&text("(= x (str.++ \"a\" x))", "unsat"), "reverse", 0).text;
    assert_eq!(lines(&kept, "(set-info"), ["(set-info :status unsat)", "(set-info :status sat)"]);
    let lost = run(&text("(= x (str.at x 0))", "sat"), "reverse,nop", 0).text;
    // Nothing was changed, so nothing is lost.
    assert_eq!(lines(&lost, "(set-info"), ["(set-info :status sat)", "(set-info :status sat)"]);
    let lost = run(&text("(= \"ab\" (str.at x 0))", "unsat"), "reverse", 0).text;
    assert_eq!(lines(&lost, "(set-info"), ["(set-info :status unknown)", "(set-info :status unknown)"]);
}

#[test]
fn a_status_of_a_text_with_two_meanings_does_not_count() {
    let text = "(declare-const x String)(assert (or (= x \"\") (= x \"\\0\")))(assert (= (str.len x) 1))(set-info :status sat)(check-sat)";
    assert_eq!(run(text, "nop", 0).status, Status::Unknown);
    let form = Form { from: Some(Dialect::Smt25), ..Form::default() };
    assert_eq!(transform(text.as_bytes(), &chain("reverse"), 0, &form).unwrap().status, Status::Sat);
    let twice = "(declare-const x String)(declare-const x String)(assert (= x \"ab\"))(set-info :status sat)(check-sat)";
    assert_eq!(run(twice, "reverse", 0).status, Status::Unknown);
}

#[test]
fn rotation_of_commutative_operators_keeps_the_answer() {
    let text = |op: &str| {
        format!(
            "(declare-const x String)(declare-const y String)(assert ({op} x y \"a\"))(set-info :status unsat)(check-sat)"
        )
    };
    for seed in 0..20 {
        assert_eq!(run(&text("="), "rotate", seed).status, Status::Unsat);
        let t = run(&text("str.<"), "rotate", seed);
        let same = t.text.contains("(str.< x y \"a\")");
        assert_eq!(t.status == Status::Unsat, same, "{}", t.text);
    }
    assert!((0..20).any(|seed| run(&text("="), "rotate", seed).text.contains("(= y \"a\" x)")));
}

#[test]
fn insertion_puts_the_operator_there() {
    let text = "(declare-const x String)(declare-const n Int)(assert (= x \"ab\"))(assert (< n 3))";
    for op in
        smt::op::TABLE.iter().filter(|r| !r.params.is_empty() && r.ret != smt::op::S::Re && r.name != "-")
    {
        let flags = Flags { operator: Some(op.op), ..Flags::default() };
        let insert = Chain::new(["insert-operator"], &flags).unwrap();
        let found = (0..4).any(|seed| {
            let t = transform(text.as_bytes(), &insert, seed, &Form::default()).unwrap().text;
            read(&t);
            t.contains(&format!("({} ", op.name)) || t.contains(&format!("(_ {} ", op.name))
        });
        assert!(found || matches!(op.name, "/" | "to_real"), "{}", op.name);
    }
}

#[test]
fn names_are_checked() {
    let Err(e) = Chain::new(["fuz"], &Flags::default()) else { panic!("`fuz` is none") };
    assert!(e.to_string().ends_with("Did you mean `fuzz`?"), "{e}");
}

#[test]
fn the_recipe_names_chains_and_omits_duplicates() {
    use recipe::{Recipe, Seed, transformed_suite};
    let text = "(declare-const x String)(assert (= x (str.++ \"ab\" x)))(set-info :status unsat)(check-sat)";
    let seeds = vec![
        Seed { name: "a/one".into(), source: text.into() },
        Seed { name: "two".into(), source: b"(assert".to_vec() },
        Seed { name: "three".into(), source: b"(declare-const x Bool)(assert x)(check-sat)".to_vec() },
    ];
    let recipe = Recipe { form: Form { provenance: "test".into(), ..Form::default() }, ..Recipe::default() };
    let mut made = Vec::new();
    let tally = transformed_suite(&seeds, &recipe, &mut |m| {
        made.push(m);
        true
    })
    .unwrap();
    assert_eq!(tally.skipped.len(), 1);
    assert!(tally.duplicates > 0 && tally.made == made.len());
    let find = |name: &str| made.iter().find(|m| m.name == name);
    let both = find("a/one-fuzz-graft").or(find("a/one-fuzz-rotate")).expect("chains of two");
    assert!(both.source.contains("test, a/one-fuzz-"));
    assert!(find("a/one-reverse").is_some_and(|m| m.status == Status::Unsat));
    assert!(find("a/one-reverse-reverse").is_none(), "that is the seed again");
    // The same bytes as one chain makes.
    let direct = run(text, "translate,reverse", 0).text;
    let suite = &find("a/one-translate-reverse").expect("it differs").source;
    let without =
        |t: &str| t.lines().filter(|l| !l.contains(":source")).map(|l| format!("{l}\n")).collect::<String>();
    assert_eq!(without(suite), without(&direct));
    let names: std::collections::BTreeSet<&str> = made.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names.len(), made.len());
}
