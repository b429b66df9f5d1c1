use super::conjecture::Judge;
use super::guard::Guard;
use super::*;
use semantics::Config;
use semantics::rule::{Domain, load};

fn small() -> Options {
    Options { size: 3, points: 64, cases: 2_000, rules: 10_000, ..Options::default() }
}

fn run(options: &Options, threads: usize) -> Mined {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| mine(options, &|| false))
}

/// The kept rules of a small run, before selection.
fn kept(pool: &mut Pool, options: &Options) -> Vec<Law> {
    let mut miner = Miner::new(pool, options, &THEMES[0], Tally::default(), &|| false);
    assert!((2..=options.size).all(|size| miner.layer(size)));
    miner.laws.all().to_vec()
}

/// Whether a rule with these sides, up to names, is kept.
fn has(pool: &mut Pool, laws: &[Law], text: &str) -> bool {
    let rule = load(text.as_bytes(), pool).expect("a rule").remove(0);
    laws.iter().any(|law| {
        let there = matching::unify(pool, &[(law.left, rule.lhs), (law.right, rule.rhs)]);
        there.is_some()
    })
}

#[test]
fn it_finds_well_known_rules() {
    let mut pool = Pool::new();
    let laws = kept(&mut pool, &Options { size: 4, ..small() });
    for text in [
        r#"(define-rule r :vars ((x String)) :lhs (str.++ x "") :rhs x)"#,
        "(define-rule r :vars ((x String) (y String)) :lhs (str.replace x x y) :rhs y)",
        "(define-rule r :vars ((x String) (y String)) :lhs (str.replace_all x y y) :rhs x)",
        "(define-rule r :vars ((x String)) :lhs (str.contains x x) :rhs true)",
        "(define-rule r :vars ((x String)) :lhs (re.* (re.+ (str.to_re x))) :rhs (re.* (str.to_re x)))",
    ] {
        assert!(has(&mut pool, &laws, text), "{text}");
    }
    let false_rule = "(define-rule r :vars ((x String)) :lhs (str.from_int (str.to_int x)) :rhs x)";
    assert!(!has(&mut pool, &laws, false_rule));
}

/// Words that neither the grid nor the larger domain has.
#[test]
fn its_rules_hold_elsewhere() {
    let mined = run(&small(), 2);
    let mut pool = Pool::new();
    let rules = load(mined.text.as_bytes(), &mut pool).expect("a rule file");
    assert!(rules.len() > 40, "{}", rules.len());
    let words = ["cd", "c", "dcd", "dc5", "59", "5", "\u{ff}\u{fe}c", "cccc"].map(String::from);
    let domain = Domain::of_values(&mut pool, &words, &[6, -7, 53, 99, 1000]);
    for rule in &rules {
        let found = rule.verify(&mut pool, &domain, Config::default());
        assert!(found.counterexample.is_none(), "{}: {}", rule.name, found.summary());
    }
}

#[test]
fn threads_do_not_matter() {
    let options = small();
    let (one, three) = (run(&options, 1), run(&options, 3));
    assert_eq!(one.text, three.text);
    assert_eq!(one.tally, three.tally);
}

#[test]
fn it_stops() {
    let mined = mine(&small(), &|| true);
    assert_eq!((mined.tally.size, mined.text.as_str()), (0, ""));
    let few = Options { terms: 400, ..small() };
    let mined = mine(&few, &|| false);
    assert!(mined.tally.terms <= 600 && mined.tally.size < 3, "{:?}", mined.tally);
}

#[test]
fn a_coarse_grid_makes_no_wrong_rule() {
    let options = Options { points: 2, size: 2, ..small() };
    let mined = run(&options, 2);
    assert!(mined.tally.refuted > 0);
    let mut pool = Pool::new();
    let domain = Domain::small(&mut pool);
    for rule in load(mined.text.as_bytes(), &mut pool).expect("a rule file") {
        assert!(rule.verify(&mut pool, &domain, Config::default()).ok(), "{}", rule.name);
    }
}

fn one(pool: &mut Pool, text: &str) -> Rule {
    load(text.as_bytes(), pool).expect("a rule").remove(0)
}

#[test]
fn constants_become_variables_with_conditions() {
    let mut pool = Pool::new();
    let mut judge = Judge::new(&mut pool, 5_000);
    let mut conditions = |text: &str| {
        let rule = one(&mut pool, text);
        let law = judge.law(&mut pool, Law::new(rule.lhs, rule.rhs)).expect("it holds");
        let guards: Vec<_> = law.variables(&pool).into_iter().filter_map(|v| Guard::of(&pool, v)).collect();
        (guards, law.variables(&pool).len())
    };
    let prefix = r#"(define-rule r :vars ((x String)) :lhs (str.contains "a" x) :rhs (str.prefixof x "a"))"#;
    assert_eq!(conditions(prefix), (vec![Guard::Short], 2));
    let digit = r#"(define-rule r :vars ((x String)) :lhs (str.is_digit (str.++ x "0")) :rhs (= x ""))"#;
    assert_eq!(conditions(digit), (vec![Guard::Digit], 2));
    let nonempty = r#"(define-rule r :vars ((x String)) :lhs (= x (str.++ x "a")) :rhs false)"#;
    assert_eq!(conditions(nonempty), (vec![Guard::Nonempty], 2));
}

/// Rules that hold on all words of the domains but fail past a bound.
#[test]
fn false_rules_are_refuted() {
    let mut pool = Pool::new();
    let attack = Attack::new(&mut pool, 0, ROUNDS, 2_000);
    for text in [
        "(define-rule r :vars ((x String)) :lhs (str.len (str.from_int (str.len x))) :rhs 1)",
        "(define-rule r :vars ((x String)) :lhs (str.to_code (str.from_code (str.len x))) :rhs (str.len x))",
        "(define-rule r :vars ((x String)) :lhs (str.to_code (str.from_code (str.to_int x))) :rhs (str.to_int x))",
        "(define-rule r :vars ((x String)) :lhs (str.is_digit (str.from_code (str.len x))) :rhs false)",
        "(define-rule r :vars ((x String)) :lhs (= 0 (str.to_code x)) :rhs (str.is_digit (str.from_int (str.to_code x))))",
        "(define-rule r :vars ((i Int)) :lhs (str.to_int (str.from_code (str.len (str.from_int i)))) :rhs (- 1))",
        "(define-rule r :vars ((i Int)) :lhs (str.to_code (str.from_code i)) :rhs (str.to_int (str.from_int i)))",
        "(define-rule r :vars ((x String)) :lhs (str.<= x \"\\u{ffff}\") :rhs true)",
        "(define-rule r :vars ((x String)) :lhs (str.prefixof (str.from_int (str.len x)) x) :rhs (= 1 (str.to_int x)))",
        "(define-rule r :vars ((x String)) :lhs (str.is_digit (str.from_int (str.to_int (str.++ x x))))
            :rhs (str.is_digit (str.at x (str.to_int x))))",
        "(define-rule r :vars ((c String) (x String)) :when (= (str.len c) 1)
            :lhs (str.indexof c \"\" (str.to_code x)) :rhs (str.to_int (str.at \"0\" (str.to_code x))))",
        "(define-rule r :vars ((c String) (x String)) :when (str.is_digit c)
            :lhs (str.< c (str.from_code (str.to_int x))) :rhs (str.< x (str.from_code (str.to_int x))))",
        "(define-rule r :vars ((c String) (x String)) :when (<= (str.len c) 1)
            :lhs (str.is_digit (str.from_code (str.len (str.++ x c)))) :rhs (str.is_digit (str.from_code (str.len x))))",
        "(define-rule r :vars ((i Int) (x String)) :when (< i 0)
            :lhs (str.to_code (str.from_code (+ i (str.to_int x)))) :rhs (str.to_int (str.from_int (+ i (str.to_int x)))))",
    ] {
        let rule = one(&mut pool, text);
        assert!(attack.refutes(&mut pool, &rule).is_some(), "{text}");
    }
}

#[test]
fn consequences_are_noticed() {
    let mut pool = Pool::new();
    let small =
        one(&mut pool, "(define-rule r :vars ((x String) (y String)) :lhs (str.replace_all x y y) :rhs x)");
    let known = follow::Known::new(&mut pool, &[small]);
    for (text, follows) in [
        (
            "(define-rule r :vars ((x String) (z String)) :lhs (str.len (str.replace_all z x x)) :rhs (str.len z))",
            true,
        ),
        (
            "(define-rule r :vars ((x String)) :lhs (str.replace_all (str.++ x x) x x) :rhs (str.++ x x))",
            true,
        ),
        ("(define-rule r :vars ((x String)) :lhs (str.replace_all x \"\" x) :rhs x)", false),
    ] {
        let rule = one(&mut pool, text);
        assert_eq!(known.imply(&mut pool, Law::new(rule.lhs, rule.rhs)), follows, "{text}");
    }
}

/// The rules of the file are those of its command; the run takes minutes, so its counts are compared.
#[test]
fn the_shipped_file_is_complete() {
    let header = crate::rules::MINED.lines().take_while(|l| l.starts_with(';')).collect::<Vec<_>>().join(" ");
    let rules = crate::rules::MINED.matches("(define-rule mined-").count();
    assert!(header.starts_with("; Mined rules: stringent rules mine "), "{header}");
    assert!(header.contains(&format!("Selected: {rules}")), "{rules}: {header}");
}
