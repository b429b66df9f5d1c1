//! The documents and the dictionary of the fuzzer have all rows of the operator table. They are not part of the package, and
//! neither is this file.

use stringent_smt::op::TABLE;

fn document(path: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(path)).expect("a document")
}

#[test]
fn documents_name_every_extension() {
    for path in ["docs/dialects.md", "docs/semantics.md", "docs/stringfuzz-transform.md"] {
        let text = document(path);
        for row in TABLE.iter().filter(|r| r.op.is_extension()) {
            assert!(text.contains(&format!("`{}`", row.name)), "{path} lacks `{}`", row.name);
        }
    }
}

#[test]
fn documents_name_what_old_dialects_lack() {
    let text = document("docs/dialects.md");
    let lacks = text.lines().skip_while(|l| *l != "## Limits").collect::<String>();
    for row in TABLE.iter().filter(|r| !r.in_25) {
        assert!(lacks.contains(&format!("`{}`", row.name)), "Limits of dialects.md lacks `{}`", row.name);
    }
}

#[test]
fn the_dictionary_of_the_fuzzer_has_every_operator() {
    let text = document("fuzz/smt.dict");
    for row in TABLE {
        assert!(text.contains(row.name), "fuzz/smt.dict lacks {}", row.name);
    }
}
