//! The documents and the dictionary of the fuzzer have all rows of the operator table. A package of this crate alone does not have them.

use stringent_smt::op::TABLE;

/// The text of a file of the repository; none in a package.
fn document(path: &str) -> Option<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join("ARCHITECTURE.md")
        .exists()
        .then(|| std::fs::read_to_string(root.join(path)).expect("a document"))
}

#[test]
fn documents_name_every_extension() {
    for path in ["docs/dialects.md", "docs/semantics.md", "docs/stringfuzz-transform.md"] {
        let Some(text) = document(path) else { return };
        for row in TABLE.iter().filter(|r| r.op.is_extension()) {
            assert!(text.contains(&format!("`{}`", row.name)), "{path} lacks `{}`", row.name);
        }
    }
}

#[test]
fn documents_name_what_old_dialects_lack() {
    let Some(text) = document("docs/dialects.md") else { return };
    let lacks = text.lines().skip_while(|l| *l != "## Limits").collect::<String>();
    for row in TABLE.iter().filter(|r| !r.in_25) {
        assert!(lacks.contains(&format!("`{}`", row.name)), "Limits of dialects.md lacks `{}`", row.name);
    }
}

#[test]
fn the_dictionary_of_the_fuzzer_has_every_operator() {
    let Some(text) = document("fuzz/smt.dict") else { return };
    for row in TABLE {
        assert!(text.contains(row.name), "fuzz/smt.dict lacks {}", row.name);
    }
}
