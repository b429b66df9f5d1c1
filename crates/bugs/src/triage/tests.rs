use super::book::Book;
use super::group::{self, Group};
use super::item::{Item, Refused};
use super::known;
use super::numbers::assign;
use crate::doc::Doc;
use crate::fingerprint;
use campaign::finding::{Argument, Examination, Finding, Member, Observed, Reduced, Subject, Versions};
use campaign::known::parse_known;
use campaign::outcome::{Answer, Kind};
use std::cell::RefCell;

/// A reduced failure of z3 on a script.
pub(super) fn found(kind: Kind, script: &str) -> Finding {
    let doc = Doc::from_text(script.as_bytes()).expect("a script");
    let (fingerprint, bytes) = (fingerprint::fingerprint(&doc, "z3", kind, None), doc.size().bytes);
    let fingerprint = campaign::finding::Fingerprint { core: fingerprint::core(&doc), ..fingerprint };
    Finding {
        number: 0,
        id: fingerprint::id(&fingerprint),
        solver: Subject {
            name: "z3-5.0.1".into(),
            profile: "z3".into(),
            version: "5.0.1".into(),
            ..Subject::default()
        },
        kind,
        reduced: Reduced {
            script: doc.to_text(),
            sent: doc.to_text(),
            bytes,
            assertions: doc.assertions(),
            operators: fingerprint.operators.clone(),
            origin: String::new(),
            origin_bytes: 0,
            runs: 1,
            seconds: 0.0,
            complete: true,
            argument: Argument::NotNeeded,
        },
        observed: Observed {
            kind,
            check: 1,
            answer: Answer::Unsat,
            stdout: String::new(),
            stderr: String::new(),
            ending: String::new(),
            evidence: String::new(),
            core: None,
            message: None,
            seconds: 0.0,
            seed: 0,
        },
        fingerprint,
        members: Vec::new(),
        stability: None,
        modes: None,
        versions: None,
        options: None,
        known: Vec::new(),
        related: Vec::new(),
        seen: None,
    }
}

fn wrong(script: &str) -> Finding {
    found(Kind::WrongUnsat, &format!("(declare-const x String)(declare-const y String){script}(check-sat)"))
}

fn item(n: i64, examination: Examination) -> Item {
    let member =
        Member { instance: n.to_string(), solver: "z3-5.0.1".into(), seed: 0, reason: String::new() };
    Item { run: (n, 1, 0), member, bytes: 100 + n.unsigned_abs(), examination }
}

fn items(list: Vec<Finding>) -> Vec<Item> {
    list.into_iter().zip(1..).map(|(f, n)| item(n, Examination::Reduced(Box::new(f)))).collect()
}

/// The groups, if every representative fails on all solvers.
fn groups(items: &[Item]) -> (Vec<Group>, Refused) {
    group::groups(items, &|_, _| true)
}

/// The instances of each group.
fn shown(groups: &[Group]) -> Vec<Vec<&str>> {
    groups.iter().map(|g| g.finding.members.iter().map(|m| m.instance.as_str()).collect()).collect()
}

const REPLACE: &str = "(assert (= x (str.replace x \"a\" y)))";

#[test]
fn failures_with_the_same_special_operators_are_one_bug() {
    let list = items(vec![
        wrong("(assert (= y (str.++ x (str.replace x \"a\" y))))"),
        wrong(REPLACE),
        wrong("(assert (= x (str.replace_all x \"a\" y)))"),
        wrong("(assert (= (str.indexof x y 0) (str.len (str.replace x y \"\"))))"),
    ]);
    let (groups, refused) = groups(&list);
    assert_eq!(shown(&groups), [vec!["1", "2"], vec!["3"], vec!["4"]]);
    assert!(refused.is_empty());
    let reasons: Vec<&str> = groups[0].finding.members.iter().map(|m| m.reason.as_str()).collect();
    assert_eq!(reasons, ["same operators (str.replace)", "the representative"]);
    assert_eq!(groups[0].runs, [(1, 1, 0), (2, 1, 0)]);
    assert!(groups[0].finding.reduced.script.contains("(= x (str.replace x"), "the smallest represents it");
}

#[test]
fn a_wrong_sat_and_an_invalid_model_of_one_shape_are_one_bug() {
    let script = |word: &str| {
        format!("(declare-const i Int)(assert (= (str.substr \"a\" 0 i) \"{word}\"))(check-sat)")
    };
    let other = "(declare-const i Int)(assert (= (str.substr \"a\" i i) \"\"))(check-sat)";
    let list = items(vec![
        found(Kind::InvalidModel, &script("a")),
        found(Kind::WrongSat, &script("b")),
        found(Kind::WrongUnsat, &script("a")),
        found(Kind::InvalidModel, other),
    ]);
    let (groups, _) = groups(&list);
    assert_eq!(shown(&groups), [vec!["3"], vec!["1", "2"], vec!["4"]]);
    assert_eq!(groups[1].finding.kind, Kind::WrongSat, "the worse kind represents it");
}

#[test]
fn equations_of_regular_expressions_are_one_bug() {
    let with = |kind, formula: &str| {
        found(kind, &format!("(declare-const x String)(declare-const p Bool)(assert {formula})(check-sat)"))
    };
    let all = [
        with(Kind::WrongSat, "(= re.none re.all)"),
        with(Kind::WrongSat, "(and p (not (= (re.* re.allchar) re.all)))"),
        with(Kind::InvalidModel, "(distinct (re.diff re.all re.none) (re.comp re.none))"),
        // Other atoms, and other answers, are other bugs.
        with(Kind::WrongSat, "(and (= (re.+ re.allchar) re.all) (str.in_re x (re.+ re.allchar)))"),
        with(Kind::WrongUnsat, "(= (re.opt re.none) (re.opt re.none))"),
    ];
    let (items, reason) =
        (items(all.to_vec()), "both are `sat` with nothing but equations of regular expressions");
    let (groups, _) = groups(&items);
    assert_eq!(groups.len(), 3, "{:?}", shown(&groups));
    let members =
        &groups.iter().find(|g| g.finding.members.len() == 3).expect("a group of three").finding.members;
    assert_eq!(members.iter().filter(|m| m.reason == reason).count(), 2, "{members:?}");
}

#[test]
fn common_operators_need_the_same_shape() {
    let list = items(vec![
        wrong("(assert (= x (str.++ y x)))"),
        wrong("(assert (= y (str.++ x \"a\")))"),
        wrong("(assert (= (str.++ x y) y))"),
        wrong("(assert (= (str.++ x x) y))(assert (= (str.len x) 2))"),
    ]);
    assert_eq!(shown(&groups(&list).0), [vec!["1", "3", "4"], vec!["2"]]);
    let part = &groups(&list).0[0].finding.members[2];
    assert_eq!(part.reason, "its assertions contain those of the representative");
}

#[test]
fn versions_and_options_tell_failures_apart() {
    let of = |first: &str, fixed: Option<&str>| {
        let versions = Versions {
            first_bad: Some(first.into()),
            fixed_in: fixed.map(Into::into),
            last_good: Some("4.8.0".into()),
            ..Versions::default()
        };
        Finding { versions: Some(versions), ..wrong(REPLACE) }
    };
    let list = items(vec![of("4.8.5", None), of("4.8.7", None), of("4.8.5", None), of("4.8.5", Some("4.9"))]);
    let (found, _) = groups(&list);
    assert_eq!(shown(&found), [vec!["1", "3"], vec!["2"], vec!["4"]]);
    let ids: std::collections::BTreeSet<&str> = found.iter().map(|g| g.finding.id.as_str()).collect();
    assert_eq!(ids.len(), 3, "each group has a name of its own");
    let with = |options: &[&str]| Finding {
        options: Some(options.iter().map(|s| (*s).into()).collect()),
        ..wrong(REPLACE)
    };
    assert_eq!(shown(&groups(&items(vec![with(&[]), with(&["smt.seq=1"])])).0), [vec!["1"], vec!["2"]]);
}

#[test]
fn a_failure_joins_a_group_whose_representative_fails_on_its_version() {
    let mut list = items(vec![
        wrong(REPLACE),
        wrong("(assert (= y (str.replace x \"a\" (str.++ x y))))"),
        wrong("(assert (= (str.++ y x) (str.replace x \"a\" (str.++ x y))))"),
    ]);
    for (n, version) in [(1, "z3-4.8.6"), (2, "z3-4.8.12")] {
        let Examination::Reduced(f) = &mut list[n].examination else { panic!("reduced") };
        f.solver.name = version.into();
        list[n].member.solver = version.into();
    }
    assert_eq!(shown(&groups(&list).0), [["1", "2", "3"]]);
    let asked = RefCell::new(Vec::new());
    let only = |first: &Finding, other: &Member| {
        asked.borrow_mut().push((first.solver.name.clone(), other.solver.clone()));
        first.solver.name == "z3-4.8.6"
    };
    assert_eq!(shown(&group::groups(&list, &only).0), [vec!["1"], vec!["2", "3"]]);
    let asked: Vec<String> = asked.take().into_iter().map(|(a, b)| format!("{a} {b}")).collect();
    assert_eq!(asked, ["z3-5.0.1 z3-4.8.6", "z3-5.0.1 z3-4.8.12", "z3-4.8.6 z3-4.8.12"]);
}

#[test]
fn an_evaluation_explains_failures_of_its_own_solver() {
    let mut first = found(Kind::WrongUnsat, "(assert (= (str.replace \"\" \"\" \"\") \"\"))(check-sat)");
    first.fingerprint.evaluation = Some("str.replace".into());
    let (kind, operator) = (Kind::WrongUnsat, "str.replace".to_owned());
    let explained = Examination::Explained { kind, operator, experiment: String::new() };
    let member = item(1, explained.clone()).member;
    let mut list = items(vec![Finding { members: vec![member], ..first }]);
    list.extend([item(2, explained.clone()), item(3, explained)]);
    list[2].member.solver = "z3-4.8.6".into();
    let (groups, refused) = groups(&list);
    assert_eq!(shown(&groups), [["1", "2"]]);
    assert_eq!(refused[0].1, "no finding is about the evaluation of str.replace");
    let book = Book::of(&list);
    assert_eq!(list.iter().map(|i| book.lacks(i)).collect::<Vec<_>>(), [false, false, true]);
}

#[test]
fn a_wrong_evaluation_explains_all_kinds() {
    let evaluated = |mut f: Finding| {
        f.fingerprint.evaluation = Some("str.replace_all".into());
        f
    };
    let ground = "(assert (= (str.replace_all \"aa\" \"a\" \"b\") \"bb\"))(check-sat)";
    let model = "(declare-const x String)(assert (= \"bb\" (str.replace_all x \"a\" \"b\")))(check-sat)";
    let mut list = items(vec![
        evaluated(found(Kind::WrongUnsat, ground)),
        evaluated(found(Kind::InvalidModel, model)),
        found(
            Kind::WrongSat,
            "(declare-const x String)(assert (= x (str.replace_all x x \"b\")))(check-sat)",
        ),
        found(
            Kind::WrongSat,
            "(declare-const x String)(assert (= x (str.replace_all x (str.at x 0) x)))(check-sat)",
        ),
    ]);
    let (kind, operator) = (Kind::WrongUnsat, "str.replace_all".to_owned());
    let experiment = "(str.replace_all \"ba\" \"a\" \"b\")".to_owned();
    list.push(item(5, Examination::Explained { kind, operator, experiment }));
    let (groups, refused) = groups(&list);
    assert_eq!(shown(&groups), [vec!["1", "2", "3", "5"], vec!["4"]]);
    assert!(refused.is_empty());
    assert_eq!(groups[0].finding.kind, Kind::WrongUnsat);
}

#[test]
fn crashes_are_grouped_by_message() {
    let crash = |message: &str, script: &str| {
        let mut f = found(Kind::Crash, &format!("(declare-const x String)(assert {script})(check-sat)"));
        f.fingerprint.message = Some(message.into());
        f
    };
    let list = items(vec![
        crash("ASSERT a.cpp", "(= x (str.replace x x x))"),
        crash("ASSERT b.cpp", "(= x (str.replace x x x))"),
        crash("ASSERT a.cpp", "(str.<= x x)"),
    ]);
    assert_eq!(
        shown(&groups(&list).0),
        [vec!["3", "1"], vec!["2"]].map(|mut v| {
            v.sort_unstable();
            v
        })
    );
}

#[test]
fn links_are_followed_and_what_leads_nowhere_is_reported() {
    let same = |instance: &str| Examination::Same { instance: instance.into(), seed: 0 };
    let alike = Examination::Alike { instance: "2".into(), seed: 0, why: "same message as 2".into() };
    let list = vec![
        item(1, alike),
        item(2, same("3")),
        item(3, Examination::Reduced(Box::new(wrong(REPLACE)))),
        item(4, same("5")),
        item(5, Examination::Refused { why: "it did not fail again".into() }),
    ];
    let (groups, refused) = groups(&list);
    assert_eq!(shown(&groups), [["1", "2", "3"]]);
    assert_eq!(groups[0].finding.members[0].reason, "same message as 2");
    let why: Vec<&str> = refused.iter().map(|(_, why)| why.as_str()).collect();
    assert_eq!(why, ["it belongs to 5, which is in no group", "it did not fail again"]);
}

#[test]
fn numbers_are_kept() {
    let all = vec![wrong(REPLACE), wrong("(assert (str.<= x y))"), wrong("(assert (str.contains x y))")];
    let (mut first, _) = groups(&items(all.clone()));
    assign(&mut first, &[]);
    let mut numbers: Vec<u32> = first.iter().map(|g| g.finding.number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2, 3]);
    let old: Vec<Finding> =
        first.iter().filter(|g| g.finding.number > 1).map(|g| g.finding.clone()).collect();
    let (mut second, _) = groups(&items(all));
    assign(&mut second, &old);
    for (a, b) in first.iter().zip(&second) {
        let expected = if a.finding.number == 1 { 4 } else { a.finding.number };
        assert_eq!(b.finding.number, expected);
    }
}

#[test]
fn a_group_with_another_name_keeps_the_number_of_its_members() {
    let (mut first, _) = groups(&items(vec![wrong(REPLACE)]));
    assign(&mut first, &[]);
    let old = Finding { id: "00000000".into(), number: 7, ..first[0].finding.clone() };
    let (mut second, _) = groups(&items(vec![wrong(REPLACE)]));
    assign(&mut second, &[old]);
    assert_eq!(second[0].finding.number, 7);
}

#[test]
fn known_issues_match_with_a_reason() {
    let f = wrong("(assert (= x (str.replace y \"\" x)))");
    let [known] = &known::matching(&f, &[])[..] else { panic!("one issue") };
    assert_eq!(known.issue, "Z3Prover/z3#10410");
    assert_eq!(
        known.reason,
        "it is also a wrong-unsat with the pattern (str.replace _ \"\" _), and its versions include 5.0.1; the formulas were not compared"
    );
    assert!(known::matching(&wrong(REPLACE), &[]).is_empty(), "no empty word");
    let mut newer = f.clone();
    newer.solver.version = "5.4.0".into();
    assert!(known::matching(&newer, &[]).is_empty(), "another version");
    newer.solver.version = String::new();
    assert!(known::matching(&newer, &[]).is_empty(), "an unknown version");
    let mut other = f.clone();
    other.solver.profile = "cvc5".into();
    assert!(known::matching(&other, &[]).is_empty(), "another solver");
    let users = parse_known(
        "mine.toml",
        "[[known]]\nissue = \"a\"\ntitle = \"t\"\nkinds = [\"U\"]\noperators = [\"str.replace\"]",
    );
    let users = users.expect("a list");
    assert_eq!(known::matching(&wrong(REPLACE), &users)[0].issue, "a");
    assert!(
        known::matching(&found(Kind::Crash, "(assert (= (str.replace \"\" \"\" \"\") \"\"))"), &users)
            .is_empty()
    );
}
