//! Reports on stores that were triaged.

use crate::bugs::{bare, nasty, several, triaged, versions, whole};
use crate::fixture::every_kind;
use crate::snapshot;
use stringent_campaign::finding::{Cell, Finding, Member};
use stringent_campaign::outcome::Kind;
use stringent_campaign::report::findings::{Share, is_triaged};
use stringent_campaign::report::{Data, Options, csv, find, html, json, junit, show, text};

/// The part of a page between two ids.
fn between<'p>(page: &'p str, from: &str, to: &str) -> &'p str {
    let start = page.find(&format!("id=\"{from}\"")).expect("a start");
    let end = page[start..].find(&format!("id=\"{to}\"")).map_or(page.len(), |at| start + at);
    &page[start..end]
}

#[test]
fn the_verdict_counts_every_failure_once() {
    let data = triaged(several(), 3).data("t.store");
    let share = Share::of(&data);
    assert_eq!((share.failures, share.bugs, share.left), (15, 5, 1));
    assert_eq!(share.refused, [("it did not fail again".to_owned(), 1)]);
    assert_eq!(
        share.verdict(&data),
        "15 failures are 5 bugs: 1 wrong unsat, 1 wrong sat, 1 invalid model, 1 error, 1 time limit. \
         1 of 2 that were bisected fails in the newest version. 1 matches a known issue."
    );
    let one = triaged(vec![bare(1, Kind::Crash)], 1).data("t.store");
    assert_eq!(Share::of(&one).verdict(&one), "1 failure is 1 bug: 1 error.", "nothing was checked");
    let fixed = triaged(vec![whole(1)], 1).data("t.store");
    assert!(Share::of(&fixed).verdict(&fixed).contains(" None fails in the newest version."));
    let mut slow = whole(1);
    slow.versions.as_mut().expect("some").tried[6].cell = Cell::Slow;
    let slow = triaged(vec![slow], 1).data("t.store");
    assert!(!Share::of(&slow).verdict(&slow).contains("newest"), "a time limit is no right answer");
    let none = triaged(Vec::new(), 1).data("t.store");
    assert_eq!(Share::of(&none).verdict(&none), "No failure was confirmed as a bug.");
    assert!(is_triaged(&none) && !is_triaged(&every_kind().data("")));
}

#[test]
fn the_terminal_has_them_first() {
    let data = triaged(several(), 3).data("t.store");
    let report = text::render(&data, &Options::default());
    snapshot("findings.txt", &report);
    for line in report.lines().filter(|l| !l.contains("stringent ")) {
        assert!(line.chars().count() <= 100, "{line}");
    }
    let many = (1..=60).map(|n| bare(n, Kind::InvalidModel)).collect();
    let many = triaged(many, 1).data("t.store");
    let report = text::render(&many, &Options::default());
    assert!(report.contains("… and 20 more; --all shows them."), "{report}");
    let all = text::render(&many, &Options { all: true, ..Options::default() });
    assert!(!all.contains("more; --all"), "{all}");
}

#[test]
fn one_finding_in_full() {
    let data = triaged(several(), 2).data("t.store");
    let shown =
        |n| show::finding::render(&data, find::finding(&data, n).expect("there"), &Options::default());
    snapshot("show-bug.txt", &shown(1));
    snapshot("show-bare-bug.txt", &shown(5));
    let missing = find::finding(&data, 9).expect_err("none").to_string();
    assert_eq!(missing, "there is no bug 9 in t.store; it has 1 to 5");
    let raw = every_kind().data("all.store");
    let missing = find::finding(&raw, 1).expect_err("none").to_string();
    assert!(
        missing.ends_with("it has none; stringent triage all.store looks for bugs in its failures"),
        "{missing}"
    );
    let run = show::render(&data, &[0], &Options::default());
    assert!(run.contains("\nbug       4: Crash: ASSERTION VIOLATION (4.8.0)\n"), "{run}");
}

#[test]
fn the_page_has_cards_before_runs() {
    let data = triaged(several(), 3).data("t.store");
    let page = html::render(&data, None, &Options::default());
    let verdict = page.find("<p class=\"conclusion bad\">15 failures are 5 bugs: ").expect("a verdict");
    let order: Vec<usize> =
        ["id=\"bugs\"", "id=\"bug-1\"", "id=\"bug-2\"", "id=\"failures\"", "id=\"results\""]
            .iter()
            .map(|id| page.find(id).expect("a section"))
            .collect();
    assert!(verdict < order[0] && order.is_sorted(), "{order:?}");
    assert!(page.contains("1 failure was refused: it did not fail again (1)."));
    assert!(page.contains("1 failure was not examined."));
    let card = between(&page, "bug-1", "bug-2");
    for text in [
        "Wrong unsat: str.replace_all (4.8.0)",
        "every assertion holds under this model",
        "s = &quot;aa&quot;",
        "<dt>first bad</dt><dd>4.8.4</dd>",
        "<dt>last good</dt><dd>4.8.3</dd>",
        "<dt>options</dt><dd>smt.string_solver=z3str3</dd>",
        "fails in 9 of 10 runs with different seeds",
        "fails in a fresh process, not in an incremental session",
        "Z3Prover/z3#1234, replace_all is wrong on overlaps",
        "stringent show --bug 1 --store t.store",
        "stringent file 1 --store t.store",
        "<li class=\"v-fails\" title=\"fails: d4\"><b>✗</b>4.8.4</li>",
        "3 failing runs",
        "Script as the solver reads it",
    ] {
        assert!(card.contains(text), "{text}\n{card}");
    }
    assert!(card.contains("<button class=\"copy\" type=\"button\" hidden>copy</button>"));
}

/// A link to a run leads to that run.
#[test]
fn members_lead_to_their_runs() {
    let data = triaged(several(), 3).data("t.store");
    let page = html::render(&data, None, &Options::default());
    let links: Vec<&str> =
        page.split("href=\"#run-").skip(1).map(|p| &p[..p.find('"').expect("an end")]).collect();
    assert_eq!(links.len(), 15);
    for at in links {
        assert_eq!(page.matches(&format!("id=\"run-{at}\"")).count(), 1, "run {at}");
    }
    let few = html::render(&data, None, &Options { per_solver: 1, ..Options::default() });
    for at in few.split("href=\"#run-").skip(1).map(|p| &p[..p.find('"').expect("an end")]) {
        assert!(few.contains(&format!("id=\"run-{at}\"")), "run {at} is not in the page");
    }
}

#[test]
fn nothing_is_said_that_was_not_checked() {
    let data = triaged(vec![bare(1, Kind::WrongUnsat)], 1).data("t.store");
    let page = html::render(&data, None, &Options::default());
    let card = between(&page, "bug-1", "failures");
    let shown = show::finding::render(&data, &data.findings[0], &Options::default());
    for word in [
        "first bad",
        "last good",
        "fixed",
        "newest",
        "options",
        "seeds",
        "mode",
        "known",
        "Versions",
        "class=\"versions\"",
    ] {
        assert!(!card.contains(&format!("<dt>{word}")) && !card.contains(&format!("<h4>{word}")), "{word}");
        assert!(!shown.contains(&format!("\n{word}")), "{word} in {shown}");
    }
    assert!(!page.contains("newest version") && !page.contains("known issue"));
    assert!(card.contains("No model is recorded here"), "{card}");
}

#[test]
fn every_kind_has_a_card() {
    let findings = Kind::ALL.iter().zip(1..).map(|(&kind, n)| bare(n, kind)).collect();
    let data = triaged(findings, 1).data("t.store");
    let page = html::render(&data, None, &Options::default());
    assert_eq!(page.matches("<details class=\"bug c-").count(), Kind::ALL.len());
    for f in &data.findings {
        assert!(!show::finding::render(&data, f, &Options::default()).contains("\nwhy       \n"));
    }
}

#[test]
fn large_triages_give_small_pages() {
    let findings = (1..=60).map(|n| Finding { versions: Some(versions(60)), ..whole(n) }).collect();
    let data = triaged(findings, 7).data("t.store");
    let options = Options::default();
    let page = html::render(&data, None, &options);
    let bugs = between(&page, "bugs", "failures");
    assert!(bugs.len() < 2 << 20, "{} bytes", bugs.len());
    assert_eq!(bugs.matches("href=\"#run-").count(), 420);
    let open = bugs
        .split("<details class=\"bug ")
        .skip(1)
        .filter(|c| c.split('>').next().is_some_and(|t| t.ends_with(" open")));
    assert_eq!(open.count(), 10);
    assert!(page.contains("420 failures are 60 bugs"));
    let none = html::render(&data, None, &Options { bytes: 0, ..options });
    assert_eq!(between(&none, "bugs", "failures").matches("Formula and output are omitted").count(), 60);
}

#[test]
fn long_lists_of_runs_are_cut() {
    let data = triaged(vec![whole(1)], 400).data("t.store");
    let page = html::render(&data, None, &Options::default());
    let bugs = between(&page, "bugs", "failures");
    assert_eq!(bugs.matches("same shape").count(), 100);
    assert!(bugs.contains("… and 300 more, in <code>stringent show --bug 1 --store t.store</code>"));
    let shown = show::finding::render(&data, &data.findings[0], &Options::default());
    assert_eq!(shown.matches("same shape").count(), 400);
}

#[test]
fn documents_for_programs_have_them() {
    let f = triaged(several(), 2);
    let data = f.data("t.store");
    let doc = json::render(&data);
    assert_eq!(doc["triage"]["failures"], 10);
    assert_eq!(doc["triage"]["not_examined"], 1);
    assert_eq!(doc["triage"]["refused"][0]["reason"], "it did not fail again");
    assert_eq!(doc["findings"][0]["number"], 1);
    assert_eq!(doc["findings"][0]["title"], "Wrong unsat: str.replace_all (4.8.0)");
    assert_eq!(doc["findings"][0]["reason"]["values"][0]["value"], "\"aa\"");
    assert_eq!(doc["failures"][0]["finding"], 1);
    let read: Finding = serde_json::from_value(doc["findings"][0].clone()).expect("as in bug.json");
    assert_eq!(read, data.findings[0]);
    let mut out = Vec::new();
    csv::write(&data, &mut out).expect("it writes");
    let lines = String::from_utf8(out).expect("text");
    let columns = |l: &str| l.split(',').count();
    assert!(lines.lines().all(|l| columns(l) == columns(lines.lines().next().expect("a header"))));
    assert!(
        lines.starts_with("instance,") && lines.lines().next().is_some_and(|l| l.ends_with(",size,finding"))
    );
    let raw = json::render(&every_kind().data(""));
    assert!(raw.get("findings").is_none() && raw.get("triage").is_none());
    assert!(raw["failures"][0].get("finding").is_none());
}

/// A bug is one failure for a build server, and its runs are none.
#[test]
fn junit_has_one_failure_for_a_bug() {
    let mut data = triaged(several(), 3).data("t.store");
    let count = |xml: &str, what: &str| xml.matches(what).count();
    let xml = junit::render(&data, false).expect("it serialises");
    assert_eq!(
        (count(&xml, "<failure "), count(&xml, "<error ")),
        (3, 4),
        "5 bugs, a refused run, a run that was not examined"
    );
    assert!(xml.contains("<testcase name=\"bug 1: Wrong unsat: str.replace_all (4.8.0)\""), "{xml}");
    assert!(xml.contains("message=\"U wrong-unsat (known sat, answered unsat), bug 1\""), "{xml}");
    let places: Vec<usize> = (0..data.runs.len()).filter(|&at| data.runs[at].finding == Some(1)).collect();
    data.known.extend(places.iter().map(|&at| (at, "note".into())));
    let xml = junit::render(&data, false).expect("it serialises");
    assert_eq!(count(&xml, "<failure "), 2, "known failures do not fail");
}

#[test]
fn findings_of_some_solvers() {
    let mut of_b = bare(2, Kind::Crash);
    of_b.solver.name = "b".into();
    let mut of_both = bare(3, Kind::Crash);
    of_both.members.push(Member { instance: "x".into(), solver: "b".into(), seed: 0, reason: String::new() });
    let f = triaged(vec![bare(1, Kind::Crash), of_b, of_both], 0);
    let b = Data::read(&f.store, &["b".to_owned()]).expect("it reads");
    assert_eq!(b.findings.iter().map(|f| f.number).collect::<Vec<_>>(), [3, 2]);
}

#[test]
fn findings_are_escaped_for_the_terminal() {
    let data = triaged(vec![nasty(1, Kind::WrongUnsat), nasty(2, Kind::WrongSat), nasty(3, Kind::Crash)], 1)
        .data("n");
    let mut all = text::render(&data, &Options::default());
    data.findings.iter().for_each(|f| all.push_str(&show::finding::render(&data, f, &Options::default())));
    let bad = all.chars().find(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}');
    assert_eq!(bad, None, "{all:?}");
}
