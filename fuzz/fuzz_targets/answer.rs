//! Arbitrary bytes as a solver's output: reading ends and drops nothing.

#![no_main]

use libfuzzer_sys::fuzz_target;
use smt::answer::{Item, read};
use smt::print::term_text;
use smt::sexpr::{Kind, Reader, Tree};
use smt::{Dialect, Pool};

fuzz_target!(|output: &[u8]| {
    for dialect in [Dialect::Smt25, Dialect::Smt26] {
        let mut pool = Pool::new();
        let items = read(output, dialect, &mut pool);
        let mut left = items.iter();
        let mut reader = Reader::new(output, dialect.quoting());
        let mut tree = Tree::default();
        loop {
            reader.skip_trivia();
            let at = reader.position();
            let Some(&first) = output.get(at) else { break };
            let item = left.next().expect("a piece of the output is lost");
            if first != b'(' {
                let end = at + output[at..].iter().position(|&b| b == b'\n').unwrap_or(output.len() - at);
                word(&String::from_utf8_lossy(&output[at..end]), item);
                reader.seek(end);
                continue;
            }
            let malformed = reader.diagnostics.len();
            assert!(reader.read(&mut tree));
            if reader.diagnostics.len() > malformed {
                assert!(matches!(item, Item::Truncated(_)), "{item:?}");
            } else {
                list(output, &tree, item);
            }
        }
        assert_eq!(left.next(), None, "an item out of nothing");
        for item in &items {
            printed(&pool, item);
        }
    }
});

fn word(line: &str, item: &Item) {
    let kept = match item {
        Item::Error(text) | Item::Other(text) => line.trim() == text,
        Item::Verdict(_) | Item::Timeout | Item::Unsupported | Item::Success => true,
        _ => false,
    };
    assert!(kept, "`{line}` became {item:?}");
}

/// An item has as many parts as the list it was read from.
fn list(output: &[u8], tree: &Tree, item: &Item) {
    let children: Vec<u32> = tree.children(0).collect();
    let text = |node: u32| tree.node(node).span.of(output);
    let head = |node: u32| tree.children(node).next().map_or(&b""[..], text);
    match item {
        Item::Model(funs) => {
            // `(model …)`, a list of definitions, or a single definition.
            let parts = match children.first().map(|&c| text(c)) {
                Some(b"model") => &children[1..],
                Some(b"define-fun" | b"define-fun-rec" | b"define-const") => &[0][..],
                _ => &children,
            };
            let defined: usize = parts
                .iter()
                .map(|&p| match head(p) {
                    b"define-fun" | b"define-fun-rec" | b"define-const" => 1,
                    b"define-funs-rec" => tree.children(p).nth(1).map_or(0, |sigs| tree.arity(sigs)),
                    b"declare-fun" | b"declare-const" | b"declare-sort" | b"declare-datatype"
                    | b"declare-datatypes" | b"forall" => 0,
                    _ => panic!("in a model: {}", String::from_utf8_lossy(text(p))),
                })
                .sum();
            assert_eq!(funs.len(), defined);
        }
        Item::Values(values) => assert_eq!(values.len(), children.len()),
        Item::Names(names) => assert_eq!(names.len(), children.len()),
        Item::Empty => assert!(children.is_empty()),
        Item::Error(_) => assert_eq!(text(children[0]), b"error"),
        Item::ReasonUnknown(_) | Item::Info(..) => assert_eq!(children.len(), 2),
        Item::Other(all) => {
            assert_eq!(*all, String::from_utf8_lossy(text(0)));
            let defines = |&c: &u32| tree.node(c).kind == Kind::List && head(c) == b"define-fun";
            assert!(!children.iter().all(defines), "a model that is not one: {all}");
        }
        Item::Unreadable(why) => assert!(!why.is_empty()),
        other => panic!("a list became {other:?}"),
    }
}

fn printed(pool: &Pool, item: &Item) {
    match item {
        Item::Model(funs) => {
            for &f in funs {
                let def = pool.fun(f).def.as_ref().expect("a model defines");
                assert!(!term_text(pool, def.body).is_empty());
            }
        }
        Item::Values(values) => {
            for (text, value) in values {
                assert!(!text.is_empty() && !term_text(pool, *value).is_empty());
            }
        }
        _ => {}
    }
}
