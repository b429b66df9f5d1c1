//! `stringent solvers check` with the real solvers.

use std::process::Command;

/// The program of a solver, from the environment. Without it there is nothing to test, and a test that tests
/// nothing must not pass.
fn solver(variable: &str) -> String {
    std::env::var(variable).ok().filter(|path| !path.is_empty()).unwrap_or_else(|| {
        panic!("{variable} is not set: run the tests with tools/test, which fetches the solvers and sets it")
    })
}

#[test]
fn z3_and_cvc5_pass_the_check_of_their_profiles() {
    let specs = [format!("z3='{}'", solver("STRINGENT_Z3")), format!("cvc5='{}'", solver("STRINGENT_CVC5"))];
    let output = Command::new(env!("CARGO_BIN_EXE_stringent"))
        .args(["solvers", "check", "--format", "json"])
        .args(specs)
        .output()
        .expect("stringent runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    for solver in report["solvers"].as_array().expect("a list") {
        let findings = solver["findings"].as_object().expect("an object");
        assert_eq!(findings.len(), 7);
        assert!(findings.values().all(|f| f == "ok"), "{solver}");
    }
}
