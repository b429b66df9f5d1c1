//! Reports of hand-made stores: their content, and that nothing in a store can break their format.

mod bugs;
mod compare;
mod findings;
mod fixture;
mod live;
mod wellformed;

use fixture::{Fixture, NASTY, every_kind};
use std::path::Path;
use std::time::Duration;
use stringent_campaign::outcome::{Answer, Kind, Status};
use stringent_campaign::report::tally::{Column, RowKind, Table, timing};
use stringent_campaign::report::{
    Conclusion, Data, FORMATS, Format as _, Options, csv, failure, find, html, json, jsonl, junit, show, text,
};

/// Compares with a file beside the tests; `UPDATE_SNAPSHOTS=1` writes it.
fn snapshot(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots").join(name);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, actual).expect("it writes");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(actual, expected, "{name} differs; UPDATE_SNAPSHOTS=1 writes it");
}

#[test]
fn terminal() {
    let data = every_kind().data("all.store");
    let options = Options::default();
    let plain = text::render(&data, &options);
    snapshot("report.txt", &plain);
    assert!(!plain.contains('\u{1b}'));
    let all = text::render(&data, &Options { all: true, ..Options::default() });
    snapshot("report-all.txt", &all);
    for line in plain.lines().chain(all.lines()).filter(|l| !l.contains("stringent report")) {
        assert!(line.chars().count() <= 100, "{line}");
    }
    let styled = text::render(&data, &Options { styled: true, ..options });
    assert!(styled.contains("\u{1b}[1;31mU wrong-unsat\u{1b}[0m"));
}

/// However many there are and whatever the limit is.
#[test]
fn wrong_results_are_never_left_out() {
    let mut f = Fixture::new("many.store", &["a"]);
    for n in 0..60 {
        let i = f.instance(&format!("n{n}"), "term", &format!("op{n}"), Status::Sat);
        f.run(i, 1, if n % 2 == 0 { Kind::InvalidModel } else { Kind::Crash }, 1);
    }
    let data = f.data("many.store");
    let options = Options { groups: 2, per_solver: 1, ..Options::default() };
    let (report, page) = (text::render(&data, &options), html::render(&data, None, &options));
    for group in data.groups.iter().filter(|g| g.kind.is_unsound()) {
        assert!(report.contains(&format!("{}  IM invalid-model  a  {},", group.number, group.operation)));
        let in_full = report.contains(&format!("stringent show {} --store many.store", group.number));
        assert_eq!(in_full, group.number <= 10, "the others have a line each");
        assert!(page.contains(&format!("id=\"group-{}\"", group.number)));
        assert!(page.contains(&format!("stringent repro {} --store many.store", group.number)));
    }
    assert_eq!(report.matches("E crash").count(), 2);
    assert!(report.contains("28 more groups of errors (28 runs); --all shows them."), "{report}");
    assert!(report.starts_with(
        "30 wrong results and 30 errors in 1 solver × 60 formulas: a 30 invalid models, 30 errors."
    ));
}

/// The same number is the same group in every format, and with some solvers left out.
#[test]
fn groups_keep_their_numbers() {
    let mut f = Fixture::new("two.store", &["a", "b"]);
    for (n, kind) in
        [Kind::WrongUnsat, Kind::InvalidModel, Kind::Crash, Kind::WallTime].into_iter().enumerate()
    {
        let i = f.instance(&format!("n{n}"), "term", "str.at", Status::Sat);
        f.run(i, 1, kind, 1);
        f.run(i, 2, kind, 1);
    }
    let all = f.data("two.store");
    let numbers = |d: &Data| -> Vec<(usize, Kind, String)> {
        d.groups.iter().map(|g| (g.number, g.kind, d.solvers[g.solver].name.clone())).collect()
    };
    let b = Data::read(&f.store, &["b".to_owned()]).expect("it reads");
    let expected: Vec<_> = numbers(&all).into_iter().filter(|(.., solver)| solver == "b").collect();
    assert_eq!(numbers(&b), expected);
    assert_eq!(expected.iter().map(|e| e.0).collect::<Vec<_>>(), [2, 4, 6, 8]);
    for group in &b.groups {
        assert_eq!(b.runs[group.runs[0]].kind, group.kind);
        assert_eq!(b.runs[group.runs[0]].group, Some(group.number));
    }
    let doc = json::render(&all);
    assert_eq!(doc["groups"][1]["number"], 2);
    assert_eq!(doc["failures"][1]["group"], 2);
    assert_eq!(
        (doc["failures"].as_array().map(Vec::len), doc["others"].as_array().map(Vec::len)),
        (Some(6), Some(2))
    );
}

#[test]
fn runs_by_number_and_name() {
    let data = every_kind().data("all.store");
    let at = |which: &str| find::run(&data, which, None);
    assert_eq!(data.runs[at("1").expect("there")].kind, Kind::WrongUnsat);
    assert_eq!(data.runs[at("t/operation/crash").expect("there")].kind, Kind::Crash);
    for which in ["99", "0"] {
        let range = "it has 1 to 14; 15 to 25: time limits, unknown and the like";
        let expected = format!("there is no failure {which} in all.store; {range}");
        assert_eq!(at(which).expect_err("none").to_string(), expected);
    }
    assert!(at("crash").expect_err("none").to_string().contains("did you mean `t/operation/crash`"));
    let seed = find::named(&data, "t/operation/crash", Some(9)).expect_err("none");
    assert_eq!(seed.to_string(), "`t/operation/crash` was not run with seed 9");
    let none = Fixture::new("e.store", &["a"]).data("e.store");
    assert_eq!(
        find::run(&none, "1", None).expect_err("none").to_string(),
        "there is no failure 1 in e.store; it has none"
    );
}

/// A wrong result that is one under the standard only is no reason to call a solver wrong without saying so.
#[test]
fn the_reading_is_in_the_summary() {
    let mut f = Fixture::new("r.store", &["a"]);
    let lines = [
        "under another semantics, that of CVC4 before SMT-LIB 2.6, the model satisfies it",
        "under another semantics, that of CVC4 before SMT-LIB 2.6, the model fails too",
        "under another semantics, that of CVC4 before SMT-LIB 2.6, the model fails too",
    ];
    for (n, line) in lines.into_iter().enumerate() {
        let i = f.instance(&format!("n{n}"), "term", "str.replace", Status::Sat);
        let run = f.run(i, 1, Kind::InvalidModel, 1);
        f.add(&stringent_campaign::store::RunRow { evidence: format!("x is false:\n{line}"), ..run });
    }
    let data = f.data("r.store");
    let report = text::render(&data, &Options::default());
    assert!(report.starts_with("3 wrong results (1 only under 2.6 semantics) in 1 solver"), "{report}");
    let head = "str.replace, 3 runs, 2 also under pre-2.6 semantics, 1 only under 2.6 semantics";
    assert!(report.contains(head), "{report}");
    assert!(html::render(&data, None, &Options::default()).contains("1 only under 2.6 semantics"));
    assert_eq!(json::render(&data)["failures"][0]["semantics"], "one");
    assert_eq!(json::render(&data)["groups"][0]["smallest"], "n1", "undisputed ones represent their group");
}

/// For narrow screens: nothing is wider than its box, and the order is that of importance.
#[test]
fn the_page_is_for_small_screens_too() {
    let data = every_kind().data("all.store");
    let page = html::render(&data, None, &Options::default());
    assert!(page.contains("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"));
    let places = [
        "conclusion bad",
        "id=\"failures\"",
        "id=\"results\"",
        "id=\"plots\"",
        "id=\"times\"",
        "id=\"others\"",
    ];
    let places: Vec<usize> = places.iter().map(|p| page.find(p).expect("a section")).collect();
    assert!(places.is_sorted(), "{places:?}");
    assert_eq!(page.matches("<table").count(), page.matches("<div class=\"scroll\"><table").count());
    let formulas = page.matches("<div class=\"copied\"><pre class=\"smt\"").count();
    assert_eq!(formulas, failure::failures(&data).len() + failure::others(&data).len());
    assert!(page.matches("<button class=\"copy\" type=\"button\" hidden>").count() > formulas);
    for svg in page.split("<svg").skip(1) {
        let tag = svg.split('>').next().unwrap_or_default();
        assert!(!tag.contains(" width="), "{tag}");
    }
}

#[test]
fn every_run_is_named_on_request() {
    let data = every_kind().data("all.store");
    let all = text::render(&data, &Options { all: true, ..Options::default() });
    for at in failure::failures(&data).into_iter().chain(failure::others(&data)) {
        assert!(all.contains(&format!("stringent show {} ", data.runs[at].group.expect("in a group"))));
    }
    assert!(!all.contains("--all"), "nothing is left out");
}

#[test]
fn one_run_in_full() {
    let data = every_kind().data("all.store");
    let runs = find::named(&data, "t/constant/invalid-model", None).expect("there");
    snapshot("show.txt", &show::render(&data, &runs, &Options::default()));
}

#[test]
fn the_table_counts_each_run_once() {
    let data = every_kind().data("all.store");
    let table = Table::new(&data);
    let total = table.total();
    assert_eq!(total.counts[0].tests(), Kind::ALL.len() as u64);
    let figures: Vec<u64> = Column::ALL.iter().map(|c| total.counts[0].get(*c)).collect();
    assert_eq!(figures, [4, 1, 2, 1, 1, 1, 1, 1, 3, 9, 2, 5]);
    let labels: Vec<&str> = table.rows.iter().map(|r| r.label.as_str()).collect();
    let expected =
        ["operation", "constant", "term", "sat", "equivalent", "core", "redundancy", "unsat", "total"];
    assert_eq!(labels, expected);
    let sum =
        |kind| -> u64 { table.rows.iter().filter(|r| r.kind == kind).map(|r| r.counts[0].tests()).sum() };
    assert_eq!(sum(RowKind::Category), sum(RowKind::Total));
    assert_eq!(sum(RowKind::Subtotal), sum(RowKind::Total));
}

#[test]
fn folders_have_their_sums_at_the_end() {
    let mut f = Fixture::new("run.store", &["a"]);
    for (name, folder, status) in
        [("x/1", "x", Status::Sat), ("x/2", "x", Status::Unknown), ("y/1", "y", Status::Unsat)]
    {
        let i = f.instance(name, folder, "", status);
        f.run(i, 1, Kind::CorrectSat, 1);
    }
    let table = Table::new(&f.data("run.store"));
    let labels: Vec<&str> = table.rows.iter().map(|r| r.label.as_str()).collect();
    assert_eq!(labels, ["x", "y", "sat", "unsat", "unknown", "total"]);
}

#[test]
fn variants_follow_the_categories_of_the_paper() {
    let mut f = Fixture::new("v.store", &["a"]);
    for category in ["redundancy+p", "more", "core+p", "redundancy", "core", "equivalent+p"] {
        let i = f.instance(category, category, "", Status::Unsat);
        f.run(i, 1, Kind::MinimalCore, 1);
    }
    let table = Table::new(&f.data("v.store"));
    let labels: Vec<&str> = table.categories().map(|r| r.label.as_str()).collect();
    assert_eq!(labels, ["core", "redundancy", "equivalent+p", "core+p", "redundancy+p", "more"]);
}

#[test]
fn failures_come_worst_and_smallest_first() {
    let mut f = Fixture::new("g.store", &["a"]);
    let kinds = [Kind::WallTime, Kind::Crash, Kind::InvalidModel, Kind::WrongUnsat, Kind::WrongUnsat];
    for (i, kind) in kinds.into_iter().enumerate() {
        let text = format!("(assert {})\n", "x".repeat(90 - i));
        let instance = f.text(&format!("n{i}"), "c", "str.at", Status::Sat, &text);
        f.run(instance, 1, kind, 1);
    }
    let data = f.data("g.store");
    let groups = &data.groups;
    let order: Vec<Kind> = groups.iter().map(|g| g.kind).collect();
    assert_eq!(order, [Kind::WrongUnsat, Kind::InvalidModel, Kind::Crash, Kind::WallTime]);
    assert_eq!(data.instances[data.runs[groups[0].runs[0]].instance].name, "n4");
    assert_eq!(groups[0].runs.len(), 2);
}

#[test]
fn commands_send_the_script_to_the_solver() {
    let data = every_kind().data("my store");
    let run = data.runs.iter().find(|r| r.solver == 0).expect("one");
    assert_eq!(
        failure::solver_command(&data, run, "a --seed 0").expect("sent"),
        "stringent report 'my store' --extract t/operation/valid-model --solver a > x.smt2 && a --seed 0 < x.smt2"
    );
    let line = failure::solver_command(&data, run, "").expect("sent");
    assert!(line.ends_with("'/opt/0 x/bin/solver' --seed 0 < x.smt2"), "{line}");
    let run = data.runs.iter().find(|r| r.solver == 1).expect("one");
    let line = failure::solver_command(&data, run, "b --tlimit=15000 /tmp/gone.smt2").expect("sent");
    assert!(line.ends_with("'/opt/1 x/bin/solver' --tlimit=15000 x.smt2"), "{line}");
}

/// A script that was not sent has no command that runs it, in no format; the rest of the report counts without it.
#[test]
fn not_asked() {
    let mut f = Fixture::new("n.store", &["a", "b"]);
    for (name, kind) in [("one", Kind::NotAsked), ("two", Kind::Unsupported), ("three", Kind::ValidModel)] {
        let i = f.instance(name, "term", "str.at", Status::Sat);
        f.run(i, 1, kind, 1);
        f.run(i, 2, Kind::ValidModel, 1);
    }
    f.store.set_finished("now").expect("it writes");
    let data = f.data("n.store");
    assert_eq!(data.conclusion(), Conclusion::Clean);
    assert_eq!(failure::solver_command(&data, &data.runs[0], ""), None);
    let said = "takes 1 of 3 instances (dialect 2.0 cannot express str.replace_all: 1; its profile lists str.rev as unsupported: 1)";
    assert_eq!(data.takes[0].describe(9), said);
    assert!(data.takes[1].is_all());
    let report = text::render(&data, &Options::default());
    assert!(report.replace("\n     ", " ").contains(&format!("a {}", data.takes[0].describe(4))), "{report}");
    let counts = Table::new(&data).total().counts[0];
    assert_eq!((counts.get(Column::NotApplicable), counts.asked(), counts.tests()), (2, 1, 3));
    assert!(html::render(&data, None, &Options::default()).contains("100.0 % of 1"));
    assert_eq!(json::render(&data)["takes"]["a"]["taken"], 1);
    assert!(show::render(&data, &[0], &Options::default()).contains("verdict   n/a not-asked"));
    assert!(!show::render(&data, &[0], &Options::default()).contains("--extract"));
}

#[test]
fn scripts_are_as_they_were_sent() {
    let mut f = Fixture::new("x.store", &["a"]);
    let text = "(set-logic QF_SLIA)\n(set-info :status sat)\n(declare-const s String)\n(assert (= s \"a\"))\n(check-sat)\n";
    let i = f.text("x", "term", "", Status::Sat, text);
    f.run(i, 1, Kind::ValidModel, 1);
    let data = f.data("x.store");
    let row = f.store.instance(i).expect("it reads").expect("it is there");
    let sent = show::script(&data, &data.runs[0], &row).expect("expressible");
    let sent = String::from_utf8(sent).expect("text");
    assert!(sent.contains("(assert (= s \"a\"))") && sent.contains("(get-model)"), "{sent}");
    assert!(!sent.contains(":status"), "the answer is not sent");
    let row = stringent_campaign::store::InstanceRow { source: b"(assert".to_vec(), ..row };
    assert!(show::script(&data, &data.runs[0], &row).is_err());
}

#[test]
fn conclusions() {
    let mut f = Fixture::new("c.store", &["a"]);
    let i = f.instance("x", "term", "str.at", Status::Sat);
    let run = f.run(i, 1, Kind::ValidModel, 1);
    assert_eq!(f.data("").conclusion(), Conclusion::Undetermined, "it is not finished");
    f.store.set_finished("now").expect("it writes");
    let mut conclude = |kind| {
        f.add(&stringent_campaign::store::RunRow { kind, ..run.clone() });
        f.data("").conclusion()
    };
    assert_eq!(conclude(Kind::ValidModel), Conclusion::Clean);
    assert_eq!(conclude(Kind::WallTime), Conclusion::Clean);
    assert_eq!(conclude(Kind::ImpreciseCore), Conclusion::Clean);
    assert_eq!(conclude(Kind::NotAsked), Conclusion::Clean);
    assert_eq!(conclude(Kind::Unsupported), Conclusion::Clean);
    assert_eq!(conclude(Kind::ModelUndetermined), Conclusion::Undetermined);
    assert_eq!(conclude(Kind::Crash), Conclusion::Wrong);
    assert_eq!(conclude(Kind::InvalidModel), Conclusion::Wrong);
}

#[test]
fn times() {
    let mut f = Fixture::new("t.store", &["a", "b"]);
    for (n, millis) in [10, 20, 30, 40].into_iter().enumerate() {
        let i = f.instance(&format!("{n}"), "term", "", Status::Sat);
        f.run(i, 1, Kind::ValidModel, millis);
    }
    let i = f.instance("slow", "term", "", Status::Sat);
    f.run(i, 1, Kind::WallTime, 15_000);
    let i = f.instance("not asked", "term", "", Status::Sat);
    f.run(i, 1, Kind::NotAsked, 0);
    let t = timing(&f.data(""));
    let ms = Duration::from_millis;
    assert_eq!((t[0].median, t[0].p95, t[0].slowest), (ms(20), ms(40), ms(40)));
    assert_eq!(t[0].wall, ms(15_100));
    assert_eq!(t[0].par2, Some(ms(6020)), "(0.1 s + 2 · 15 s) / 5");
    assert_eq!((t[1].runs, t[1].par2), (0, None));
}

/// An answer that nothing refutes counts with its time in PAR-2; no answer does not.
#[test]
fn answers_in_doubt_cost_their_time() {
    let par2 = |answer| {
        let mut f = Fixture::new("t.store", &["a"]);
        let i = f.instance("x", "term", "", Status::Unknown);
        let run = f.run(i, 1, Kind::ModelUndetermined, 10);
        f.add(&stringent_campaign::store::RunRow { answer, ..run });
        timing(&f.data(""))[0].par2
    };
    assert_eq!(par2(Answer::Sat), Some(Duration::from_millis(10)));
    assert_eq!(par2(Answer::None), Some(Duration::from_secs(30)));
}

/// A model that refutes the status of a file is in every report.
#[test]
fn a_wrong_status_is_reported() {
    let mut f = Fixture::new("w.store", &["a"]);
    for name in ["right", "wrong"] {
        let i = f.instance(name, "term", "", Status::Unsat);
        let run = f.run(i, 1, Kind::ValidModel, 1);
        let says = "the status of the file, unsat, is wrong: the model satisfies every assertion";
        let evidence = if name == "wrong" { says } else { "" }.to_owned();
        f.add(&stringent_campaign::store::RunRow { evidence, ..run });
    }
    let data = f.data("w.store");
    let line = "1 file states a wrong :status: wrong (a model satisfies it)";
    assert!(text::render(&data, &Options::default()).contains(line));
    assert!(html::render(&data, None, &Options::default()).contains(line));
    assert_eq!(json::render(&data)["wrong_status"], serde_json::json!(["wrong"]));
    let shown = show::render(&data, &[1], &Options::default());
    assert!(
        shown.contains("known     unsat, as the file states, which is wrong: a model satisfies it"),
        "{shown}"
    );
}

#[test]
fn json_has_each_failure() {
    let data = every_kind().data("all.store");
    let doc = json::render(&data);
    assert_eq!(doc["conclusion"], "wrong");
    assert_eq!(doc["campaign"]["settings"]["time-limit"], 15.0);
    let failures = doc["failures"].as_array().expect("a list");
    let failures: Vec<_> = failures.iter().chain(doc["others"].as_array().expect("a list")).collect();
    assert_eq!(
        failures.len(),
        Kind::ALL.len() - 6,
        "neither the four that are ok nor the two that were not asked"
    );
    assert_eq!(failures[0]["verdict"], "U");
    assert_eq!(failures[0]["evidence"], "because of wrong-unsat\nand so on");
    assert_eq!(doc["table"][8]["solvers"]["a"]["tests"], Kind::ALL.len());
    let mut lines = Vec::new();
    jsonl::write(&data, &mut lines).expect("it writes");
    let lines = String::from_utf8(lines).expect("text");
    assert_eq!(lines.lines().count(), 2 * Kind::ALL.len());
    for line in lines.lines() {
        let run: serde_json::Value = serde_json::from_str(line).expect("an object");
        assert!(run["instance"].is_string() && run["wall_s"].is_f64());
    }
}

#[test]
fn csv_has_a_line_per_run() {
    let mut f = Fixture::new("c.store", &["a,\"b\""]);
    let i = f.instance("plain", "term", "str.at", Status::Sat);
    f.run(i, 1, Kind::WallTime, 1500);
    let mut out = Vec::new();
    csv::write(&f.data(""), &mut out).expect("it writes");
    let text = String::from_utf8(out).expect("text");
    let mut lines = text.lines();
    let columns = lines.next().expect("a header").split(',').count();
    let line = lines.next().expect("a run");
    assert_eq!(
        line,
        "plain,term,str.at,sat,\"a,\"\"b\"\"\",version 0,0,T,wall-time,slow,none,absent,absent,exit 0,\
         1.500000,0.750000,2048,false,false,35"
    );
    assert_eq!(line.replace("\"a,\"\"b\"\"\"", "x").split(',').count(), columns);
    assert_eq!(lines.next(), None);
}

#[test]
fn junit_separates_failures_errors_and_skips() {
    let data = every_kind().data("all.store");
    let xml = junit::render(&data, false).expect("it serialises");
    let count = |what: &str, xml: &str| xml.matches(what).count();
    assert_eq!(count("<failure ", &xml), 5, "IM, IC! twice, S, U");
    assert_eq!(count("<error ", &xml), 9);
    assert_eq!(count("<skipped ", &xml), 11, "K, T three times, n/a twice, ? five times");
    assert_eq!(count("<testcase ", &xml), 2 * Kind::ALL.len());
    assert!(xml.contains("message=\"U wrong-unsat (known sat, answered unsat)\""));
    let strict = junit::render(&data, true).expect("it serialises");
    assert_eq!((count("<failure ", &strict), count("<skipped ", &strict)), (14, 2), "n/a stays skipped");
}

#[test]
fn reading_only_some_solvers() {
    let f = every_kind();
    let data = Data::read(&f.store, &["b".to_owned()]).expect("it reads");
    assert_eq!(data.runs.len(), Kind::ALL.len());
    assert!(failure::failures(&data).is_empty());
    assert!(
        text::render(&data, &Options::default())
            .starts_with("No wrong result and no error in 1 solver × 31 formulas. 31 correct.")
    );
    assert!(html::render(&data, None, &Options::default()).contains("None: no wrong result and no error."));
}

#[test]
fn the_page_states_omissions() {
    let data = every_kind().data("all.store");
    let options = Options { per_solver: 3, ..Options::default() };
    let unsound = 5;
    assert_eq!(html::Html.details(&data, &options).len(), unsound);
    let page = html::render(&data, None, &options);
    assert_eq!(page.matches("class=\"failure\"").count(), unsound, "wrong results are never left out");
    let failures = Kind::ALL.len() - 6;
    assert!(page.contains("the worst 3 of each solver, 5 of 14 runs"), "{page}");
    let none = Options { bytes: 0, ..Options::default() };
    let page = html::render(&data, None, &none);
    assert_eq!(page.matches("Formula and output are omitted").count(), failures);
}

#[test]
fn stored_text_is_escaped_for_the_terminal() {
    let mut f = Fixture::new("n.store", &[NASTY]);
    let i = f.text(NASTY, NASTY, NASTY, Status::Sat, NASTY);
    let mut run = f.run(i, 1, Kind::Garbage, 1);
    run.output = b"\xff\xfe\x1b]0;title\x07".to_vec();
    run.evidence = NASTY.into();
    run.command = NASTY.into();
    run.ending = NASTY.into();
    f.add(&run);
    let data = f.data(NASTY);
    let mut all = text::render(&data, &Options { all: true, ..Options::default() });
    all.push_str(&show::render(&data, &[0], &Options::default()));
    let bad = all.chars().find(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}');
    assert_eq!(bad, None);
    assert!(all.contains("\\xFF\\xFE\\u{1b}]0;title\\u{7}"));
    let doc = json::render(&data).to_string();
    assert!(doc.contains("\"output_is_utf8\":false"));
    // Commands in the report have the name as it is printed.
    let printed = stringent_campaign::clean::one_line(NASTY);
    assert_ne!(printed, NASTY);
    assert_eq!(find::named(&data, &printed, None), find::named(&data, NASTY, None));
}

/// Time against the property that grows, drawn for categories that have one; nothing in it breaks the page.
#[test]
fn scaling_curves() {
    let mut f = Fixture::new("scale.store", &["a", NASTY]);
    for (value, millis) in [(1u64, 10), (5, 100), (9, 1000)] {
        let text = format!("(set-info :stringent-scale \"depth {value}\")\n(assert true)\n");
        let id = f.text(&format!("n{value}"), "deep", "", Status::Sat, &text);
        f.run(id, 1, Kind::ValidModel, millis);
        f.run(id, 2, Kind::WallTime, 15_000);
    }
    let data = f.data("scale.store");
    let page = html::render(&data, None, &Options::default());
    assert!(page.contains("deep: time against depth"), "{page}");
    assert!(page.contains("1 to 9 depth; a solves up to 9 (10.0 ms at 1, 1.0 s at 9)"), "{page}");
    assert!(page.contains("solves none"));
    let flat = every_kind().data("all.store");
    assert!(!html::render(&flat, None, &Options::default()).contains("Scaling"));
}

#[test]
fn every_format_writes_a_campaign() {
    let f = every_kind();
    let options = Options::default();
    for format in FORMATS {
        let (mut data, mut out) = (f.data("all.store"), Vec::new());
        stringent_campaign::report::write(*format, &f.store, &mut data, None, &options, &mut out)
            .expect("it writes");
        assert!(!out.is_empty() && !format.about().is_empty(), "{}", format.name());
    }
    let names: std::collections::BTreeSet<&str> = FORMATS.iter().map(|f| f.name()).collect();
    assert_eq!(names.len(), FORMATS.len(), "names are unique");
}
