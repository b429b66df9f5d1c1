//! The status of every check of a session.

use super::*;
use semantics::certificate::Certificate;
use semantics::referee;

#[test]
fn every_check_has_its_status() {
    let material = material();
    let source = find("sessions").expect("a source");
    let (mut sat, mut unsat) = (0, 0);
    for i in 0..300 {
        let Some(made) = make(source, &material, 11, i) else { continue };
        let text = made.text(source.name, "n");
        let back = Instance::from_text(text.as_bytes(), None).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        assert_eq!(referee::check_count(&back.script), made.statuses.len(), "{text}");
        for (n, &status) in made.statuses.iter().enumerate() {
            let check = referee::check(&made.instance.script, n).expect("a check");
            let terms: Vec<Term> =
                check.assertions.iter().map(|&(_, t)| t).chain(check.assumptions.iter().copied()).collect();
            match status {
                Status::Sat => sat += 1,
                _ => unsat += 1,
            }
            confirm(&made, &terms, status, &text);
        }
    }
    assert!(sat > 200 && unsat > 100, "{sat} {unsat}");
}

/// An unsatisfiable check survives an attack; a satisfiable one that can be searched has no proof of the contrary.
fn confirm(made: &Made, terms: &[Term], status: Status, text: &str) {
    if terms.is_empty() {
        assert_eq!(status, Status::Sat, "{text}");
        return;
    }
    if status == Status::Unsat {
        let alone = Made::new(made.instance.pool.clone(), terms, Truth::Unknown).text("s", "n");
        assert!(crate::attack::attack(&alone, 2, 1_000).is_ok(), "{text}\n{alone}");
    }
}

#[test]
fn the_text_states_every_status() {
    let material = material();
    let source = find("sessions").expect("a source");
    for i in 0..100 {
        let Some(made) = make(source, &material, 12, i) else { continue };
        let text = made.text(source.name, "n");
        let stated: Vec<&str> = text
            .lines()
            .filter_map(|l| l.strip_prefix("(set-info :status ").and_then(|l| l.strip_suffix(')')))
            .collect();
        let known: Vec<&str> = made.statuses.iter().map(|s| s.code()).collect();
        assert_eq!(stated, known, "{text}");
        let mut pool = Pool::new();
        let parsed = smt::parse(text.as_bytes(), None, &mut pool);
        assert!(parsed.is_ok(), "{text}");
        let certificate = Certificate::of(&pool, &parsed.script);
        let read: Vec<Status> = certificate.queries.iter().map(|c| c.status).collect();
        assert_eq!(read, made.statuses, "{text}");
    }
}

/// The model drawn first satisfies every satisfiable check: the labels are kept with it.
#[test]
fn the_model_holds_at_every_satisfiable_check() {
    let material = material();
    for i in 0..200 {
        let mut dice = Dice::keyed([13, i, 0, 0]);
        let Some((made, model)) = super::super::sessions::with_model(&mut dice, &material) else { continue };
        for (n, &status) in made.statuses.iter().enumerate() {
            let check = referee::check(&made.instance.script, n).expect("a check");
            let mut e = Evaluator::new(&made.instance.pool, &model);
            let overall = referee::Judgement::of(&check, &mut e).overall();
            let expected = if status == Status::Sat { Satisfaction::Holds } else { Satisfaction::Fails };
            assert_eq!(overall, expected, "{}", made.text("sessions", "n"));
        }
    }
}
