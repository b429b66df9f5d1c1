//! Policies: which findings may be filed.

use crate::fixture::{bare, core, from_code, replace};
use campaign::finding::{Cell, Finding, Known, Stability};
use campaign::outcome::Kind;
use stringent_bugs::issue::Template;
use stringent_bugs::issue::ledger::{Entry, Ledger};
use stringent_bugs::issue::policy::{Desk, Policy};

const DAY: u64 = 86_400;

fn entry(time: &str, id: &str) -> Entry {
    let policy = "cvc5".into();
    Entry { time: time.into(), policy, id: id.into(), title: "t".into(), issue: "#9".into() }
}

fn rules(policy: &Policy, f: &Finding) -> Vec<&'static str> {
    let desk = Desk { ledger: &Ledger::default(), now: 0, written: 0 };
    policy.unmet(f, &desk).iter().map(|u| u.rule).collect()
}

fn shipped(name: &str) -> Policy {
    Policy::shipped(name).expect("a policy")
}

#[test]
fn the_policy_follows_the_solver() {
    assert_eq!((shipped("z3").name, shipped("z3").template), ("z3".into(), Template::Z3));
    assert_eq!((shipped("cvc5").name, shipped("cvc5").template), ("cvc5".into(), Template::Cvc5));
    assert_eq!(shipped("oxiz").name, "default");
}

#[test]
fn a_complete_finding_is_ready() {
    assert_eq!(rules(&shipped("z3"), &from_code()), [""; 0]);
}

#[test]
fn each_rule_refuses() {
    let z3 = shipped("z3");
    let one = |change: &dyn Fn(&mut Finding)| {
        let mut f = from_code();
        change(&mut f);
        rules(&z3, &f)
    };
    assert_eq!(one(&|f| f.kind = Kind::ImpreciseCore), ["kinds"]);
    assert_eq!(one(&|f| f.reduced.argument = campaign::finding::Argument::NotNeeded), ["proved"]);
    assert_eq!(one(&|f| f.versions = None), ["newest"]);
    assert_eq!(one(&|f| f.versions.as_mut().expect("versions").newest_fails = false), ["newest"]);
    assert_eq!(one(&|f| f.solver.version = "4.13.0".into()), ["newest"]);
    let known = Known { issue: "#1".into(), title: String::new(), reason: String::new() };
    assert_eq!(one(&|f| f.known.push(known.clone())), ["new"]);
    assert_eq!(one(&|f| f.reduced.complete = false), ["reduced"]);
    assert_eq!(one(&|f| f.reduced.bytes = 1001), ["max-bytes"]);
    assert_eq!(one(&|f| f.reduced.assertions = 11), ["max-assertions"]);
    assert_eq!(one(&|f| f.stability = None), ["stable"]);
    assert_eq!(one(&|f| f.stability = Some(Stability { runs: 10, failed: 4 })), ["stable"]);
    assert_eq!(one(&|f| f.options = Some(vec!["smt.string_solver=z3str3".into()])), ["options"]);
    assert_eq!(one(&|f| f.options = Some(vec!["(set-option :smt.x true)".into()])), ["options"]);
    assert_eq!(one(&|f| f.options = None), [""; 0], "only -in");
    assert_eq!(
        rules(&z3, &bare("z3", Kind::WrongUnsat)),
        ["proved", "newest", "reduced", "stable"],
        "what is not known is not met"
    );
    assert!(rules(&z3, &core()).contains(&"stable"));
}

#[test]
fn quotas_count_what_was_filed_and_what_is_written() {
    let cvc5 = shipped("cvc5");
    let mut f = replace();
    f.stability = Some(Stability { runs: 3, failed: 3 });
    f.versions = Some(crate::fixture::tried(&[("1.4.2", Cell::Fails, "")]));
    // 1970-01-11 is the eleventh day; the quota is about seven days.
    let ledger = Ledger {
        entries: vec![
            entry("1970-01-03T00:00:00Z", "a"),
            entry("1970-01-05T00:00:00Z", "b"),
            entry("1970-01-10T00:00:00Z", "c"),
        ],
    };
    let unmet = |written, now, ledger: &Ledger| -> Vec<String> {
        cvc5.unmet(&f, &Desk { ledger, now, written })
            .into_iter()
            .map(|u| format!("{}: {}", u.rule, u.why))
            .collect()
    };
    assert_eq!(unmet(0, 10 * DAY, &ledger), [""; 0]);
    assert_eq!(
        unmet(1, 10 * DAY, &ledger),
        ["quota: at most 3 issues in 7 days; 2 filed in that time, 1 more in this call"]
    );
    assert_eq!(unmet(0, 8 * DAY, &ledger), ["quota: at most 3 issues in 7 days; 3 filed in that time"]);
    let own = Ledger { entries: vec![entry("1970-01-01T00:00:00Z", &f.id)] };
    assert_eq!(unmet(0, 99 * DAY, &own), ["filed: it was filed already: #9 (1970-01-01T00:00:00Z)"]);
}

#[test]
fn a_policy_of_the_user() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("p.toml");
    std::fs::write(&file, "name = \"mine\"\nkinds = [\"crash\"]\nquota = { issues = 0, days = 1 }\n")
        .expect("written");
    let policy = Policy::read(&file).expect("a policy");
    assert_eq!(rules(&policy, &from_code()), ["kinds", "quota"]);
    std::fs::write(&file, "name = \"mine\"\nquotas = 3\n").expect("written");
    let e = Policy::read(&file).expect_err("an unknown key").to_string();
    assert!(e.contains("p.toml:2:1") && e.contains("quotas"), "{e}");
}
