//! The lossless layer: every byte is in a node or between nodes.

use super::*;

/// Random text with nested lists and many mistakes.
fn scrap() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        6 => prop::sample::select(vec![
            "(", ")", " ", "\n", "\r\n", "\t", "; c", "\"", "\"\"", "|", "\\", "a", "0", "1.5", "#x1F", "#b01", ":k",
            "(assert ", "\n(check-sat)", "(let ((x 1)) ", "é", "\u{feff}", "\u{0}", "#", ".", "str.++",
        ]).prop_map(|s| s.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|p| p.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn no_byte_is_lost(text in scrap(), old in any::<bool>()) {
        let quoting = if old { Quoting::Backslash } else { Quoting::Doubled };
        let mut reader = Reader::new(&text, quoting);
        let mut tree = Tree::default();
        let mut pieces: Vec<&[u8]> = vec![&text[..reader.position()]];
        loop {
            let trivia = reader.skip_trivia();
            pieces.push(trivia.of(&text));
            if !reader.read(&mut tree) {
                break;
            }
            pieces.push(tree.node(0).span.of(&text));
            for (i, node) in tree.nodes.iter().enumerate() {
                prop_assert!(node.next as usize > i && node.next as usize <= tree.nodes.len());
                let mut end = node.span.start;
                for child in tree.children(i as u32) {
                    let span = tree.node(child).span;
                    prop_assert!(end <= span.start && span.end <= node.span.end);
                    end = span.end;
                }
            }
        }
        prop_assert_eq!(pieces.concat(), text);
    }

    #[test]
    fn errors_in_arbitrary_bytes_have_positions(text in scrap()) {
        for dialect in Dialect::ALL {
            let parsed = stringent_smt::parse(&text, Some(dialect), &mut Pool::new());
            for d in &parsed.diagnostics {
                prop_assert!(d.span.start <= d.span.end && d.span.end as usize <= text.len());
            }
        }
    }
}

/// The kind of an atom does not depend on its context.
#[test]
fn atoms_have_their_kinds() {
    let text = "a |b| :c 1 00 1.5 #x1F #b01 \"s\" 1a #y ) \u{1}";
    let mut reader = Reader::new(text.as_bytes(), Quoting::Doubled);
    let mut tree = Tree::default();
    let mut kinds = Vec::new();
    while reader.read(&mut tree) {
        kinds.push(tree.node(0).kind);
    }
    use Kind::{Binary, Decimal, Hex, Junk, Keyword, Numeral, Quoted, String, Symbol};
    assert_eq!(
        kinds,
        [Symbol, Quoted, Keyword, Numeral, Numeral, Decimal, Hex, Binary, String, Symbol, Symbol, Junk, Junk]
    );
}
