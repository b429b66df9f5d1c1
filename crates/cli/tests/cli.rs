//! What a user sees, compared with what the documents say.

#[test]
fn documents_and_commands() {
    trycmd::TestCases::new().case("tests/cmd/*.md").case("../../docs/bad-input.md").run();
}
