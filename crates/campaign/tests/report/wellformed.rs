//! The page, its plots and the JUnit document are well-formed, whatever is in the store.

use crate::bugs::{nasty as nasty_finding, several, triaged};
use crate::fixture::{Fixture, NASTY, every_kind};
use quick_xml::Reader;
use quick_xml::events::Event;
use stringent_campaign::outcome::{Kind, Status};
use stringent_campaign::report::compare::compare;
use stringent_campaign::report::{Data, Options, html, junit};

/// Elements of HTML that have no end.
const VOID: [&[u8]; 4] = [b"meta", b"input", b"br", b"link"];

/// Checks that elements are nested; their names in order, and all text.
fn parse(text: &str) -> (Vec<String>, String) {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    let (mut stack, mut seen, mut content) = (Vec::new(), Vec::new(), String::new());
    loop {
        match reader.read_event().expect("it parses") {
            Event::Start(e) => {
                for attribute in e.html_attributes() {
                    attribute.expect("an attribute");
                }
                let name = e.name().as_ref().to_vec();
                seen.push(String::from_utf8(name.clone()).expect("a name"));
                if !VOID.contains(&name.as_slice()) {
                    stack.push(name);
                }
            }
            Event::End(e) => assert_eq!(stack.pop().as_deref(), Some(e.name().as_ref())),
            Event::Text(t) => content.push_str(&String::from_utf8_lossy(&t)),
            Event::Eof => break,
            _ => {}
        }
    }
    assert!(stack.is_empty(), "open at the end: {stack:?}");
    (seen, content)
}

/// The page without its style and script, which are not markup.
fn body(page: &str) -> String {
    let cut = |text: &str, from: &str, to: &str| {
        let (a, b) = (text.find(from).expect("a start") + from.len(), text.find(to).expect("an end"));
        format!("{}{}", &text[..a], &text[b..])
    };
    let page = page.strip_prefix("<!DOCTYPE html>").expect("a doctype");
    cut(&cut(page, "<style>", "</style>"), "<script>", "</script>")
}

fn nasty(solvers: usize, instances: usize) -> Fixture {
    let names: Vec<String> = (0..solvers).map(|i| format!("{NASTY}{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut f = Fixture::new("n.store", &names);
    for n in 0..instances {
        let i = f.text(&format!("{NASTY}{n}"), NASTY, NASTY, Status::Sat, NASTY);
        for s in 0..solvers {
            let kind = Kind::ALL[(n + s) % Kind::ALL.len()];
            let mut run = f.run(i, s as i64 + 1, kind, 1 + (n * 37) as u64);
            run.output = b"sat\n\xff\x00\x1b[0m</pre></details></script>".to_vec();
            run.evidence = NASTY.into();
            run.command = NASTY.into();
            run.ending = NASTY.into();
            f.add(&run);
        }
    }
    f
}

fn check(data: &Data) -> Vec<String> {
    let page = html::render(data, None, &Options::default());
    let (elements, _) = parse(&body(&page));
    assert_eq!(elements.iter().filter(|e| *e == "script").count(), 1, "only our own script");
    let markup = body(&page).to_lowercase();
    for outside in ["src=", "href=\"http", "url(", "@import", "<img", "<iframe", "onerror="] {
        assert!(!markup.contains(outside), "{outside}");
    }
    assert!(!page.contains("alert(1)<"), "content is escaped");
    elements
}

#[test]
fn pages_of_every_size() {
    for (solvers, instances) in [(1, 1), (1, 40), (2, 60), (5, 30), (12, 33)] {
        let data = nasty(solvers, instances).data(NASTY);
        let elements = check(&data);
        let plots = elements.iter().filter(|e| *e == "svg").count();
        let pairs = solvers.min(4) * (solvers.min(4) - 1) / 2;
        // Bars and pairs always; the lines and their legend, which has a small one for each solver.
        assert!(plots > pairs + solvers, "{plots} plots of {solvers} solvers");
    }
}

/// Findings with hostile texts, of every kind.
#[test]
fn pages_of_findings() {
    check(&triaged(several(), 2).data("t.store"));
    let all = Kind::ALL.iter().zip(1..).map(|(&kind, n)| nasty_finding(n, kind)).collect();
    let data = triaged(all, 1).data(NASTY);
    let elements = check(&data);
    assert!(elements.iter().filter(|e| *e == "details").count() > Kind::ALL.len());
    let xml = junit::render(&data, false).expect("it serialises");
    parse(&xml);
    assert_eq!(xml.chars().find(|c| c.is_control() && !"\n\t\r".contains(*c)), None);
}

#[test]
fn pages_of_nothing() {
    let empty = Fixture::new("e.store", &["a"]);
    check(&empty.data("e.store"));
    let none = Fixture::new("e.store", &[]);
    check(&none.data("e.store"));
    let mut unsolved = Fixture::new("u.store", &["a", "b"]);
    let i = unsolved.instance("x", "term", "", Status::Sat);
    unsolved.run(i, 1, Kind::WallTime, 15_000);
    check(&unsolved.data("u.store"));
}

#[test]
fn plots_have_descriptions() {
    let data = every_kind().data("all.store");
    let page = html::render(&data, None, &Options::default());
    let svgs = page.matches("<svg role=\"img\"").count();
    assert_eq!(svgs, 3, "lines, bars, one pair");
    assert_eq!(page.matches("<desc id=").count(), svgs);
    assert!(page.contains("Both solve 4 (a faster on 0, b on 4); only a 0; only b"));
}

#[test]
fn only_the_requested_pairs() {
    let data = nasty(5, 3).data("n.store");
    let name = |i: usize| data.solvers[i].name.clone();
    let options = Options { pairs: vec![(name(4), name(0))], ..Options::default() };
    let page = html::render(&data, None, &options);
    assert_eq!(page.matches("id=\"scatter-").count(), 2, "the title and the description of one");
    assert!(page.contains("id=\"scatter-4-0-t\""));
}

#[test]
fn comparisons_are_well_formed() {
    let (old, new) = (nasty(2, 20), nasty(2, 25));
    let (old, mut new) = (old.data(NASTY), new.data("new"));
    for (i, run) in new.runs.iter_mut().enumerate() {
        run.row.kind = Kind::ALL[(i * 7) % Kind::ALL.len()];
    }
    let c = compare(&old, &new, &[]).expect("they compare");
    assert!(!c.broken.is_empty() && !c.fixed.is_empty() && !c.added.is_empty());
    let page = html::render(&new, Some(&c), &Options::default());
    let (elements, _) = parse(&body(&page));
    assert_eq!(elements.iter().filter(|e| *e == "script").count(), 1);
}

#[test]
fn junit_is_xml() {
    let data = nasty(2, 33).data(NASTY);
    let xml = junit::render(&data, false).expect("it serialises");
    let (elements, _) = parse(&xml);
    assert_eq!(elements.iter().filter(|e| *e == "testcase").count(), 66);
    let bad = xml.chars().find(|c| c.is_control() && !"\n\t\r".contains(*c));
    assert_eq!(bad, None, "XML has no control characters");
}
