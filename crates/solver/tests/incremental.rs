//! `push` and `pop`: a session answers as a new one would, and memory does not grow with the number of checks.

mod common;
#[allow(dead_code, reason = "one generator for all tests")]
#[path = "../src/dice.rs"]
mod dice;

use common::{Output, run, settings};
use dice::Dice;
use smt::diag::Position;
use smt::{Dialect, Pool};
use stringent_solver::options::Strategy;
use stringent_solver::session::Session;

const HEADER: &str = "(declare-const x String) (declare-const y String) (declare-const z String)
(declare-const i Int) (declare-const p Bool) (declare-fun f (String) Int)";

const FORMULAS: &[&str] = &[
    "(= x (str.++ y \"a\"))",
    "(= (str.len y) 3)",
    "(str.contains x \"ba\")",
    "(not (str.contains x \"b\"))",
    "(= (str.at x 0) \"c\")",
    "(= i (str.indexof x \"a\" 0))",
    "(> i 2)",
    "(< i 2)",
    "(=> p (= y z))",
    "p",
    "(= (str.replace x \"a\" \"\") z)",
    "(not (= (f x) (f y)))",
    "(= (f z) i)",
    "(str.< x y)",
    "(= (str.to_code (str.at y 1)) 98)",
    "(distinct x y z)",
    "(= x y)",
    "(= (str.from_int i) z)",
];

/// A random session, and the assertions at each of its checks.
fn session(dice: &mut Dice, steps: usize) -> (String, Vec<Vec<usize>>) {
    let mut text = HEADER.to_owned();
    let mut stack: Vec<Vec<usize>> = vec![Vec::new()];
    let mut checks = Vec::new();
    for _ in 0..steps {
        match dice.below(8) {
            0 | 1 => {
                text += "(push 1)";
                stack.push(Vec::new());
            }
            2 if stack.len() > 1 => {
                text += "(pop 1)";
                stack.pop();
            }
            3 if stack.len() > 2 => {
                text += "(pop 2)";
                stack.truncate(stack.len() - 2);
            }
            4 | 5 => {
                let k = dice.below(FORMULAS.len());
                text += &format!("(assert {})", FORMULAS[k]);
                stack.last_mut().expect("a level").push(k);
            }
            _ => {
                text += "(check-sat)";
                checks.push(stack.concat());
            }
        }
    }
    (text, checks)
}

#[test]
fn a_session_answers_as_a_new_one() {
    let mut dice = Dice::new(0x5EED);
    for _ in 0..25 {
        let (text, checks) = session(&mut dice, 40);
        let output = run(&text, settings(Strategy::Auto, 20_000));
        assert_eq!(output.verdicts.len(), checks.len());
        for (verdict, asserted) in output.verdicts.iter().zip(&checks) {
            let asserted: String = asserted.iter().map(|&k| format!("(assert {})", FORMULAS[k])).collect();
            let fresh = run(&format!("{HEADER}{asserted}(check-sat)"), settings(Strategy::Auto, 20_000));
            assert_eq!(verdict, fresh.verdict(), "{asserted}\nin {text}");
        }
    }
}

/// Settings with which an engine is kept whatever the work of a check.
fn standing_settings() -> stringent_solver::session::Settings {
    let mut settings = settings(Strategy::Auto, 20_000);
    settings.options.standing_from = 0;
    settings
}

/// Checks that the standing engine answered, and the terms that it had at most.
fn standing(output: &Output) -> (u64, u64) {
    let count = |name: &str| {
        let all = output.outcomes.iter().flat_map(|o| &o.statistics);
        all.filter(|(n, _)| *n == name).map(|&(_, k)| k).collect::<Vec<u64>>()
    };
    let terms = count("standing engine, terms").into_iter().max().unwrap_or(0);
    (count("standing engine, checks").iter().sum(), terms)
}

/// Conditions on the path of a parser, over the text `x` and its parts.
const CONDITIONS: &[&str] = &[
    "(= x (str.++ y \":\" z))",
    "(str.contains x \"::\")",
    "(str.prefixof \"a\" x)",
    "(= (str.at x 0) \"b\")",
    "(> (str.len y) 2)",
    "(= (str.len z) 4)",
    "(str.in_re y (re.+ (re.range \"0\" \"9\")))",
    "(= (str.to_int y) i)",
    "(> i 50)",
    "(= (mod i 7) 3)",
    "(= (str.indexof x \":\" 0) 2)",
    "(str.in_re z (re.* (re.union (str.to_re \"ab\") (str.to_re \"c\"))))",
    "(= (str.substr x 1 2) \"7:\")",
    "(< (str.len x) 6)",
    "(str.suffixof z y)",
    "(= (str.replace x \":\" \"\") y)",
    "(or (= y z) (= (str.at z 1) \"c\"))",
    "p",
    "(=> p (str.contains z \"c\"))",
];

/// A session as symbolic execution asks: a path, then other branches at its end.
fn paths(dice: &mut Dice, checks: usize) -> (String, Vec<Vec<String>>) {
    let mut text = String::from(
        "(declare-const x String)(declare-const y String)(declare-const z String)(declare-const i Int)(declare-const p Bool)",
    );
    let mut path: Vec<String> = Vec::new();
    let mut asserted = Vec::new();
    while asserted.len() < checks {
        let condition = CONDITIONS[dice.below(CONDITIONS.len())];
        let branch = if dice.below(2) == 0 { condition.to_owned() } else { format!("(not {condition})") };
        if path.len() > 6 || path.len() > 1 && dice.below(3) == 0 {
            let n = 1 + dice.below(path.len());
            text += &format!("(pop {n})");
            path.truncate(path.len() - n);
        }
        text += &format!("(push 1)(assert {branch})(check-sat)");
        path.push(branch);
        asserted.push(path.clone());
    }
    (text, asserted)
}

#[test]
fn the_standing_engine_answers_as_a_fresh_one() {
    let mut dice = Dice::new(0xBEEF);
    let mut used = 0;
    for _ in 0..8 {
        let (text, checks) = paths(&mut dice, 30);
        let output = run(&text, standing_settings());
        used += standing(&output).0;
        let header = &text[..text.find("(push").expect("a check")];
        for (verdict, asserted) in output.verdicts.iter().zip(&checks) {
            let asserted: String = asserted.iter().map(|t| format!("(assert {t})")).collect();
            let fresh = run(&format!("{header}{asserted}(check-sat)"), settings(Strategy::Auto, 20_000));
            assert!(verdict == fresh.verdict() || fresh.verdict() == "unknown", "{asserted}\nin {text}");
        }
    }
    assert!(used > 50, "{used} checks");
}

#[test]
fn the_standing_engine_is_audited() {
    let mut dice = Dice::new(0xA0D1);
    let (text, _) = paths(&mut dice, 25);
    let mut audited = standing_settings();
    audited.options.audit = true;
    let output = run(&text, audited);
    assert_eq!(output.audit_failure(), None);
    assert!(standing(&output).0 > 3);
}

#[test]
fn the_standing_engine_is_replaced_when_it_has_grown() {
    let mut text = String::from("(declare-const x String)");
    for n in 0..1_500 {
        text += &format!("(push 1)(declare-const k{n} String)(assert (= (str.++ x k{n}) \"word{n}\"))");
        text += &format!("(assert (not (= k{n} \"\")))(assert (str.contains x \"{n}\"))(check-sat)(pop 1)");
    }
    let output = run(&text, standing_settings());
    let (used, terms) = standing(&output);
    assert!(used > 500, "{used} checks");
    assert!(terms < 60_000, "{terms} terms");
}

#[test]
fn memory_does_not_grow_in_twenty_thousand_checks() {
    let mut pool = Pool::new();
    let mut session = Session::new(&mut pool, Dialect::Smt26, settings(Strategy::Auto, 5_000));
    let at = Position { line: 1, column: 1 };
    let mut host = Output::default();
    session.run(HEADER.as_bytes(), Dialect::Smt26, at, &mut host);
    let rounds: Vec<String> = (0..4)
        .map(|n| {
            format!(
                "(push 1)(declare-const k Int)(assert (= (str.len x) (+ k {n})))(assert {})(assert {})(check-sat)(pop 1)",
                FORMULAS[n], FORMULAS[n + 3]
            )
        })
        .collect();
    let mut sizes = Vec::new();
    for n in 0..20_000 {
        session.run(rounds[n % 4].as_bytes(), Dialect::Smt26, at, &mut host);
        host.outcomes.clear();
        host.responses.clear();
        if n % 1_000 == 999 {
            sizes.push(session.pool().len());
        }
    }
    assert_eq!((session.errors(), session.is_broken()), (0, false));
    assert_eq!(host.verdicts.len(), 20_000);
    assert!(host.verdicts.chunks(4).all(|v| v == &host.verdicts[..4]), "the same checks, different answers");
    assert!(sizes.iter().all(|&n| n == sizes[0]), "terms in the pool: {sizes:?}");
}

/// Groups that were popped are not decided again.
#[test]
fn popped_groups_take_no_part() {
    let hard = |n: usize| {
        format!(
            "(push)(assert (= (str.len x) {n}))(assert (str.in_re x (re.+ (str.to_re \"b\"))))(check-sat)(pop)"
        )
    };
    let text = format!(
        "(declare-const x String)(declare-const y String){}{}(push)(assert (= y \"z\"))(check-sat)(pop)",
        hard(3),
        hard(4)
    );
    let output = run(&text, standing_settings());
    assert_eq!(output.verdicts, ["sat"; 3]);
    assert_eq!(standing(&output).0, 2, "{:?}", output.outcomes);
    let last = &output.outcomes[2].statistics;
    assert!(last.contains(&("decisions", 0)), "{last:?}");
}
