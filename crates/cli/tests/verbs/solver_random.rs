//! Random formulas with known answers under every strategy, a part of them with the audit on: no wrong answer.

use std::process::Command;

const STRATEGIES: [&str; 5] = ["base", "+s", "+f", "+fs", "auto"];

/// Runs `stringent selftest solver`; the formulas of each strategy are other ones.
fn selftest(strategy: &str, from: usize, count: usize) -> serde_json::Value {
    let output = Command::new(env!("CARGO_BIN_EXE_stringent"))
        .args(["selftest", "solver", "--format", "json", "--audit", "30", "--ticks", "3000", "--seed", "4"])
        .args(["--strategy", strategy, "--from", &from.to_string(), "--count", &count.to_string()])
        .output()
        .expect("stringent runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{strategy}: {text}\n{errors}");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn no_strategy_is_wrong_on_random_formulas() {
    for (n, strategy) in STRATEGIES.into_iter().enumerate() {
        let report = selftest(strategy, n * 600, 600);
        let asked: u64 =
            report["counts"].as_array().expect("a list").iter().filter_map(|c| c["count"].as_u64()).sum();
        assert_eq!(asked, 600, "{report}");
        assert_eq!(report["findings"].as_array().map(Vec::len), Some(0), "{report}");
    }
}
