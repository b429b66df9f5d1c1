//! The output of commands, compared with the documents.

#[test]
fn documents_and_commands() {
    trycmd::TestCases::new().case("tests/cmd/*.md").case("../../docs/bad-input.md").run();
}

/// On a machine that has no solvers, whatever this one has.
#[test]
fn solvers() {
    let cases = trycmd::TestCases::new();
    for (name, value) in [("PATH", "/nowhere"), ("XDG_CONFIG_HOME", "/nowhere"), ("STRINGENT_CACHE", "cache")]
    {
        cases.env(name, value);
    }
    cases.case("tests/cmd-solvers/*.md").run();
}
