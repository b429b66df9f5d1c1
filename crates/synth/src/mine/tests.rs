use super::*;
use semantics::Config;
use semantics::rule::{Domain, load};

fn small() -> Options {
    Options { size: 4, points: 48, cases: 5_000, rules: 10_000, ..Options::default() }
}

fn run(options: &Options, threads: usize) -> Mined {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| mine(options, &|| false))
}

/// The kept rules of a small run, before selection.
fn kept(pool: &mut Pool, options: &Options) -> Vec<Law> {
    let mut miner = Miner::new(pool, options, &|| false);
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
    let laws = kept(&mut pool, &small());
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
    assert!(rules.len() > 50, "{}", rules.len());
    let words = ["cd", "c", "dcd", "dc5", "59", "5", "\u{ff}\u{fe}c", "cccc"].map(String::from);
    let domain = Domain::of_values(&mut pool, &words, &[6, -7, 53, 99, 1000]);
    for rule in &rules {
        let found = rule.verify(&mut pool, &domain, Config::default());
        assert!(found.counterexample.is_none(), "{}: {}", rule.name, found.summary());
    }
}

#[test]
fn threads_do_not_matter() {
    let options = Options { size: 3, ..small() };
    let (one, three) = (run(&options, 1), run(&options, 3));
    assert_eq!(one.text, three.text);
    assert_eq!(one.tally, three.tally);
}

#[test]
fn it_stops() {
    let mined = mine(&small(), &|| true);
    assert_eq!((mined.tally.size, mined.text.as_str()), (1, ""));
    let few = Options { terms: 200, ..small() };
    let mined = mine(&few, &|| false);
    assert!(mined.tally.terms <= 200 && mined.tally.size < 4, "{:?}", mined.tally);
}

#[test]
fn a_coarse_grid_makes_no_wrong_rule() {
    let options = Options { points: 2, size: 3, ..small() };
    let mined = run(&options, 2);
    assert!(mined.tally.refuted > 0);
    let mut pool = Pool::new();
    let domain = Domain::small(&mut pool);
    for rule in load(mined.text.as_bytes(), &mut pool).expect("a rule file") {
        assert!(rule.verify(&mut pool, &domain, Config::default()).ok(), "{}", rule.name);
    }
}
