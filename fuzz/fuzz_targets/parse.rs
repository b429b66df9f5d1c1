//! Arbitrary bytes: reading ends in every dialect, and spans are consistent.

#![no_main]

use libfuzzer_sys::fuzz_target;
use smt::diag::position;
use smt::sexpr::{Kind, Quoting, Reader, Tree};
use smt::{Dialect, Pool, Span};

fuzz_target!(|text: &[u8]| {
    for quoting in [Quoting::Doubled, Quoting::Backslash] {
        lossless(text, quoting);
    }
    smt::dialect::detect(text);
    for dialect in Dialect::ALL {
        scripts(text, dialect);
    }
});

/// Every byte is in the trivia before a top-level expression, in the expression, or after the last one.
fn lossless(text: &[u8], quoting: Quoting) {
    let mut reader = Reader::new(text, quoting);
    let mut tree = Tree::default();
    let mut at = if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    loop {
        let trivia = reader.skip_trivia();
        assert_eq!(trivia.start as usize, at, "a gap before the trivia");
        assert!(is_trivia(trivia.of(text)));
        let malformed = reader.diagnostics.len();
        if !reader.read(&mut tree) {
            assert_eq!(trivia.end as usize, text.len(), "the end is missing");
            break;
        }
        let root = tree.node(0);
        assert_eq!(root.span.start, trivia.end, "a gap before the expression");
        at = root.span.end as usize;
        assert_eq!(at, reader.position());
        assert!(root.span.end > root.span.start, "reading stands still");
        nested(text, &tree, reader.diagnostics.len() == malformed);
    }
}

/// Nodes follow each other in the order of the text; between them are trivia and parentheses only.
fn nested(text: &[u8], tree: &Tree, well_formed: bool) {
    let mut at = tree.node(0).span.start as usize;
    let mut open: Vec<u32> = Vec::new();
    for i in 0..=tree.nodes.len() as u32 {
        while let Some(&list) = open.last().filter(|&&l| tree.node(l).next <= i) {
            open.pop();
            let end = tree.node(list).span.end as usize;
            assert!(at <= end);
            if well_formed {
                assert!(is_trivia(&text[at..end - 1]) && text[end - 1] == b')');
            }
            at = end;
        }
        if i as usize == tree.nodes.len() {
            break;
        }
        let node = tree.node(i);
        assert!(node.next > i && node.next as usize <= tree.nodes.len());
        assert!(is_trivia(&text[at..node.span.start as usize]), "text is lost");
        if let Some(&parent) = open.last() {
            assert!(node.span.end <= tree.node(parent).span.end, "a child ends after its parent");
        }
        if node.kind == Kind::List {
            assert_eq!(text[node.span.start as usize], b'(');
            at = node.span.start as usize + 1;
            open.push(i);
        } else {
            at = node.span.end as usize;
        }
    }
    assert!(open.is_empty());
}

fn is_trivia(text: &[u8]) -> bool {
    text.split(|&b| b == b'\n').all(|line| {
        let code = line.split(|&b| b == b';').next().unwrap_or_default();
        code.iter().all(|b| matches!(b, b' ' | b'\t' | b'\r' | 0x0C))
    })
}

fn scripts(text: &[u8], dialect: Dialect) {
    let mut pool = Pool::new();
    let parsed = smt::parse(text, Some(dialect), &mut pool);
    let inside = |s: Span| s.start <= s.end && s.end as usize <= text.len();
    let mut at = 0;
    for entry in &parsed.script.entries {
        assert!(inside(entry.trivia) && inside(entry.span));
        assert!(at <= entry.trivia.start && entry.trivia.end == entry.span.start);
        at = entry.span.end;
    }
    assert!(inside(parsed.trailing) && at <= parsed.trailing.start);
    let mut before = 0;
    for d in &parsed.diagnostics {
        assert!(inside(d.span) && before <= d.span.start, "{d:?}");
        assert!(!d.message.is_empty() && d.hint.as_deref() != Some(""), "{d:?}");
        before = d.span.start;
        let (from, to) = (position(text, d.span.start as usize), position(text, d.span.end as usize));
        assert!(from.line >= 1 && from.column >= 1 && (from.line, from.column) <= (to.line, to.column));
    }
}
