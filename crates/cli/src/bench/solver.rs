//! The built-in solver as a process beside others: start-up, trivial formulas, and memory over many checks.

use super::{Row, measure};
use crate::render::{self, Format};
use anyhow::{Context as _, bail};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

/// Scripts that a solver has nothing to think about, by name.
const TRIVIAL: &[(&str, &str)] = &[
    ("nothing asserted", "(check-sat)"),
    ("x = \"a\"", "(declare-const x String)(assert (= x \"a\"))(check-sat)"),
    (
        "word equation, sat",
        "(declare-const x String)(declare-const y String)(assert (= (str.++ x \"ab\" y) (str.++ \"a\" y \"bc\")))\
         (assert (= (str.len x) 2))(assert (not (= x y)))(check-sat)",
    ),
    (
        "lengths, unsat",
        "(declare-const x String)(declare-const y String)(assert (= (str.++ x x) (str.++ y \"a\")))\
         (assert (= (str.len y) (* 2 (str.len x))))(check-sat)",
    ),
    (
        "contains, indexof, replace",
        "(declare-const x String)(declare-const i Int)(assert (str.contains x \"key=\"))\
         (assert (= i (str.indexof x \"=\" 0)))(assert (> i 5))(assert (= (str.at x (+ i 1)) \"v\"))\
         (assert (not (= (str.replace x \"key\" \"\") x)))(check-sat)",
    ),
];

/// A program and what it takes to have it read a file.
type Program = (String, Vec<String>);

pub(super) fn run(format: Format, runs: usize, peers: &[String], checks: usize) -> anyhow::Result<()> {
    let dir = tempfile::tempdir().context("cannot create a temporary directory")?;
    let programs = programs(peers)?;
    let mut tables = Vec::new();
    for (name, text) in TRIVIAL {
        let script = format!("(set-logic ALL)\n{text}\n");
        tables.push(((*name).to_owned(), table(dir.path(), &script, &programs, runs.max(20))?));
    }
    for count in [checks / 100, checks] {
        render::notice(&format!("{count} checks …"));
        tables.push((
            format!("{count} checks with push and pop"),
            table(dir.path(), &session(count), &programs, 1)?,
        ));
    }
    show(format, runs.max(20), &tables)
}

fn programs(peers: &[String]) -> anyhow::Result<Vec<Program>> {
    let me = std::env::current_exe().context("cannot find this binary")?;
    let words = |command: &str| command.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let mut out = vec![("stringent solve".to_owned(), vec![me.display().to_string(), "solve".into()])];
    if peers.is_empty() {
        let env = |name: &str| std::env::var(name).ok().filter(|p| !p.is_empty());
        out.extend(env("STRINGENT_Z3").map(|p| ("z3".to_owned(), vec![p])));
        let cvc5 = |p: String| vec![p, "--incremental".into(), "--strings-exp".into(), "--quiet".into()];
        out.extend(env("STRINGENT_CVC5").map(|p| ("cvc5".to_owned(), cvc5(p))));
    }
    for peer in peers {
        match peer.split_once('=') {
            Some((name, command)) if !command.trim().is_empty() => {
                out.push((name.to_owned(), words(command)));
            }
            _ => bail!("`{peer}`: a peer is NAME=COMMAND"),
        }
    }
    Ok(out)
}

/// The programs on a script, the fastest of so many runs of each.
fn table(dir: &Path, script: &str, programs: &[Program], runs: usize) -> anyhow::Result<Vec<Row>> {
    let file = dir.join("script.smt2");
    std::fs::write(&file, script).with_context(|| format!("cannot write `{}`", file.display()))?;
    programs
        .iter()
        .map(|(name, command)| {
            let words: Vec<&std::ffi::OsStr> = command.iter().map(AsRef::as_ref).collect();
            measure(name, &words, &file, runs)
        })
        .collect()
}

/// A session with so many checks, each on a level of its own.
fn session(checks: usize) -> String {
    let mut text = String::from("(set-logic ALL)\n(declare-const x String)\n(declare-const i Int)\n");
    for n in 0..checks {
        let _ = writeln!(
            text,
            "(push 1)(declare-const y String)(assert (= x (str.++ y \"w{}\")))(assert (> (str.len x) i {}))(check-sat)(pop 1)",
            n % 100,
            n % 7
        );
    }
    text
}

fn show(format: Format, runs: usize, tables: &[(String, Vec<Row>)]) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if format == Format::Json {
        let row = |ours: f64, r: &Row| {
            serde_json::json!({ "name": r.name, "milliseconds": r.seconds * 1e3, "times_ours": r.seconds / ours,
                "peak_mb": r.peak_mb, "note": r.note })
        };
        let list: Vec<_> = tables
            .iter()
            .map(|(title, rows)| {
                let rows: Vec<_> = rows.iter().map(|r| row(rows[0].seconds, r)).collect();
                serde_json::json!({ "script": title, "rows": rows })
            })
            .collect();
        let doc = serde_json::json!({ "version": env!("CARGO_PKG_VERSION"), "runs": runs, "tables": list });
        writeln!(out, "{doc:#}")?;
        return Ok(());
    }
    writeln!(out, "whole processes, fastest of {runs} (sessions: one run)")?;
    for (title, rows) in tables {
        writeln!(out, "{title}")?;
        for r in rows {
            writeln!(
                out,
                "  {:<18} {:>10.2} ms {:>8.2} × our time {:>8.1} MB  {}",
                r.name,
                r.seconds * 1e3,
                r.seconds / rows[0].seconds,
                r.peak_mb.unwrap_or_default(),
                r.note
            )?;
        }
    }
    Ok(())
}
