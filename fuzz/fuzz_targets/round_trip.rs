//! A script without errors stays the same when printed and read again, in every dialect that can express it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use smt::dialect::{escape, unescape};
use smt::print::script_text;
use smt::script::Plain;
use smt::sexpr::{Kind, Quoting, Reader, Tree};
use smt::{Command, Dialect, Parsed, Pool, Script};

fuzz_target!(|text: &[u8]| {
    for dialect in Dialect::ALL {
        let mut pool = Pool::new();
        let parsed = smt::parse(text, Some(dialect), &mut pool);
        if parsed.is_ok() {
            check(text, &parsed, &pool);
            continue;
        }
        // The commands that are well formed may be a script on their own.
        let rest =
            script_text(&pool, &parsed.script, Dialect::Smt26, None, None).expect("2.6 can express every script");
        let mut pool = Pool::new();
        let parsed = smt::parse(rest.as_bytes(), Some(Dialect::Smt26), &mut pool);
        if dialect == Dialect::Smt26 && parsed.is_ok() {
            check(rest.as_bytes(), &parsed, &pool);
        }
    }
});

fn check(text: &[u8], parsed: &Parsed, pool: &Pool) {
    let want = standard(pool, &parsed.script);
    for to in Dialect::ALL {
        // With comments.
        let comments = to == parsed.script.dialect;
        let (src, trailing) = if comments { (Some(text), Some(parsed.trailing)) } else { (None, None) };
        match script_text(pool, &parsed.script, to, src, trailing) {
            Ok(written) => again(&written, to, &want, parsed.script.dialect),
            Err(e) => assert_ne!(to, Dialect::Smt26, "{e}"),
        }
    }
}

fn again(written: &str, dialect: Dialect, want: &str, from: Dialect) {
    let mut pool = Pool::new();
    let parsed = smt::parse(written.as_bytes(), Some(dialect), &mut pool);
    assert!(parsed.is_ok(), "from {from}, in {dialect}: {written}\n{:?}", parsed.diagnostics);
    let got = standard(&pool, &parsed.script);
    assert!(got == want, "from {from} by {dialect}:\n{want}became\n{got}by\n{written}");
}

/// The script in 2.6, without what may differ: its version, the commands that SMT-LIB 2.0 does not have, and the
/// escapes in opaque texts.
fn standard(pool: &Pool, script: &Script) -> String {
    let mut script = script.clone();
    script.entries.retain(|e| match &e.command {
        Command::SetInfo(key, _) | Command::SetOption(key, _) => pool.names.name(*key) != ":smt-lib-version",
        _ => true,
    });
    // Text after `exit` is not read.
    let exit = script.commands().position(|c| *c == Command::Plain(Plain::Exit));
    script.entries.truncate(exit.map_or(usize::MAX, |i| i + 1));
    for entry in &mut script.entries {
        match entry.command {
            Command::DeclareConst(f) => entry.command = Command::DeclareFun(f),
            Command::DefineConst(f) => entry.command = Command::DefineFun(f),
            _ => {}
        }
    }
    let text = script_text(pool, &script, Dialect::Smt26, None, None).expect("2.6 can express every script");
    normal_literals(&text)
}

fn normal_literals(text: &str) -> String {
    let (mut out, mut done) = (String::new(), 0);
    let mut reader = Reader::new(text.as_bytes(), Quoting::Doubled);
    let (mut tree, mut word) = (Tree::default(), Vec::new());
    while reader.read(&mut tree) {
        for node in tree.nodes.iter().filter(|n| n.kind == Kind::String) {
            let (start, end) = (node.span.start as usize, node.span.end as usize);
            out.push_str(&text[done..start]);
            word.clear();
            unescape(&text.as_bytes()[start + 1..end - 1], Dialect::Smt26, &mut word);
            escape(&word, Dialect::Smt26, &mut out).expect("2.6 can express every character");
            done = end;
        }
    }
    assert!(reader.diagnostics.is_empty(), "what was written is malformed: {text}");
    out.push_str(&text[done..]);
    out
}
