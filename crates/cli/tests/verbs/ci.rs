//! The examples of docs/ci.md: the project file is read, and the steps of the workflows are run as they are written, but for the
//! installation, with the solver of the project file.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use yaml_rust2::{Yaml, YamlLoader};

/// Wrong on one operation, otherwise of no opinion.
const SOLVER: &str = "#!/bin/sh\nif grep -q str.prefixof \"$2\"; then echo unsat; else echo unknown; fi\n";

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/ci").join(name);
    std::fs::read_to_string(path).expect("an example")
}

fn yaml(name: &str) -> Yaml {
    YamlLoader::load_from_str(&example(name)).expect("YAML").remove(0)
}

/// A project with the example's file and its solver, but without known failures.
fn project() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).expect("written");
    write("stringent.toml", &example("stringent.toml"));
    write("known.toml", "");
    write("mysolver", SOLVER);
    let solver = dir.path().join("mysolver");
    std::fs::set_permissions(solver, std::fs::Permissions::from_mode(0o755)).expect("executable");
    dir
}

/// Runs a step as a build server does: by a shell that stops at the first error, with this program on PATH.
fn shell(dir: &Path, script: &str, env: &[(&str, String)]) -> Output {
    let bin = PathBuf::from(env!("CARGO_BIN_EXE_stringent"));
    let bin = bin.parent().expect("a folder").display().to_string();
    let path = format!("{bin}:{}", std::env::var("PATH").expect("a PATH"));
    let mut command = Command::new("bash");
    command.args(["-e", "-c", script]).current_dir(dir).env("PATH", path).stdin(Stdio::null());
    command.envs(env.iter().map(|(k, v)| (k, v.as_str()))).output().expect("bash runs")
}

#[track_caller]
fn expect(output: &Output, code: i32) -> String {
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{text}");
    text
}

/// The commands of a job, other than the installation.
fn github_steps(job: &str) -> Vec<String> {
    let file = yaml("github.yml");
    let steps = file["jobs"][job]["steps"].as_vec().expect("steps").clone();
    let runs = steps.iter().filter(|s| s["name"].as_str() != Some("Install"));
    runs.filter_map(|s| s["run"].as_str().map(str::to_owned)).collect()
}

fn gitlab_steps(job: &str) -> Vec<String> {
    let file = yaml("gitlab.yml");
    let script = file[job]["script"].as_vec().expect("a script").clone();
    let lines = script.iter().map(|line| line.as_str().expect("a command").to_owned());
    lines.filter(|line| !line.starts_with("cargo install")).collect()
}

/// All parts, one after the other.
fn run_shards(dir: &Path, steps: &[String], env: impl Fn(usize) -> Vec<(&'static str, String)>) {
    for shard in 1..=4 {
        for step in steps {
            let text = expect(&shell(dir, step, &env(shard)), 0);
            assert!(text.contains("using stringent.toml, suite default"), "{text}");
        }
    }
}

/// The report finds failures, then knows them, then knows them as fixed.
fn check_report(dir: &Path, steps: &[String]) {
    let (last, before) = steps.split_last().expect("steps");
    for step in before {
        expect(&shell(dir, step, &[]), 0);
    }
    let text = expect(&shell(dir, last, &[]), 10);
    assert!(text.contains("wrong-unsat"), "{text}");
    let failing = std::fs::read_to_string(dir.join("report.xml")).expect("JUnit XML");
    assert!(failing.contains("<failure") && failing.contains("mine.constant"), "{failing}");
    assert!(dir.join("report.html").exists());

    expect(&shell(dir, "stringent report all.store --write-baseline known.toml", &[]), 10);
    expect(&shell(dir, &before[before.len() - 1], &[]), 0);
    let text = expect(&shell(dir, last, &[]), 0);
    assert!(text.contains("known failure") && text.contains("unsound"), "nothing is hidden: {text}");
    assert!(!std::fs::read_to_string(dir.join("report.xml")).expect("JUnit XML").contains("<failure"));
}

#[test]
fn the_github_workflow_runs() {
    let dir = project();
    run_shards(dir.path(), &github_steps("test"), |n| vec![("SHARD", n.to_string())]);
    check_report(dir.path(), &github_steps("report"));
}

#[test]
fn the_gitlab_pipeline_runs() {
    let dir = project();
    let parallel = yaml("gitlab.yml")["stringent-test"]["parallel"].as_i64().expect("a number");
    run_shards(dir.path(), &gitlab_steps("stringent-test"), |n| {
        vec![("CI_NODE_INDEX", n.to_string()), ("CI_NODE_TOTAL", parallel.to_string())]
    });
    check_report(dir.path(), &gitlab_steps("stringent-report"));
}

#[test]
fn fixed_failures_are_told() {
    let dir = project();
    let test = "stringent test --no-html --quiet --limit 20 --only operation --only constant --preset icse20 \
                --operation str.prefixof";
    // The file to write need not be there, though the project names it.
    std::fs::remove_file(dir.path().join("known.toml")).expect("removed");
    expect(&shell(dir.path(), &format!("{test} --store a.store --write-baseline known.toml"), &[]), 10);
    let text = expect(&shell(dir.path(), &format!("{test} --store b.store"), &[]), 0);
    assert!(text.contains("known failure") && !text.contains("fixed"), "{text}");
    let written = std::fs::read_to_string(dir.path().join("known.toml")).expect("known failures");
    let fixed = written.replacen("kind = ", "reason = \"it's odd\"\nkind = ", 1);
    std::fs::write(dir.path().join("known.toml"), &fixed).expect("written");
    // Written again, reasons stay.
    expect(&shell(dir.path(), "stringent report a.store --write-baseline known.toml", &[]), 0);
    let again = std::fs::read_to_string(dir.path().join("known.toml")).expect("known failures");
    assert_eq!(again.matches("it's odd").count(), 1, "{again}");
    // A correct solver: this one.
    let text = shell(dir.path(), &format!("{test} --store c.store --solver builtin"), &[]);
    let text = expect(&text, 0);
    assert!(text.contains("about solvers or instances that were not run"), "{text}");
    let anyone = again.replace("solver = \"mine\"", "solver = \"*\"");
    std::fs::write(dir.path().join("known.toml"), anyone).expect("written");
    let text = expect(&shell(dir.path(), "stringent report c.store", &[]), 0);
    assert!(text.contains("0 known failures") && text.contains("remove them from known.toml"), "{text}");
}

#[test]
fn every_suite_of_the_example_is_accepted() {
    let dir = project();
    std::fs::create_dir(dir.path().join("regress")).expect("a folder");
    std::fs::write(dir.path().join("regress/a.smt2"), "(set-info :status sat)\n(check-sat)\n")
        .expect("written");
    for suite in ["default", "replace", "regexes", "concats", "files"] {
        let script = format!("stringent test {suite} --limit 2 --no-html --quiet --store {suite}.store");
        let output = shell(dir.path(), &script, &[]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.contains(&format!("using stringent.toml, suite {suite}")), "{text}");
        assert_ne!(output.status.code(), Some(2), "{text}");
        assert!(dir.path().join(format!("{suite}.store")).exists());
    }
    let deep = dir.path().join("a/b");
    std::fs::create_dir_all(&deep).expect("a folder");
    let text = expect(&shell(&deep, "stringent test --limit 4 --no-html --quiet --store s", &[]), 0);
    assert!(text.contains("/stringent.toml, suite default"), "{text}");
}

#[test]
fn mistakes_in_a_project_file_have_a_place() {
    let dir = project();
    let file = |text: &str| std::fs::write(dir.path().join("stringent.toml"), text).expect("written");
    file("[suites.a]\npreset = \"ful\"\n");
    let text = expect(&shell(dir.path(), "stringent test", &[]), 2);
    assert!(text.contains("stringent.toml:2:10: invalid value 'ful' for '--preset <PRESET>'"), "{text}");
    assert!(text.contains("^^^^^"), "{text}");
    file("[suites.a]\n[suites.b]\n");
    let text = expect(&shell(dir.path(), "stringent test", &[]), 2);
    assert!(text.contains("several suites: name one (a, b), or call one `default`"), "{text}");
    let text = expect(&shell(dir.path(), "stringent test c", &[]), 2);
    assert!(text.contains("there is no suite `c` in stringent.toml, only: a, b"), "{text}");
    let text = expect(&shell(dir.path(), "stringent test c --no-config", &[]), 2);
    assert!(text.contains("no suite `c`: there is no stringent.toml"), "{text}");
    file("baseline = \"none.toml\"\n");
    let text = expect(&shell(dir.path(), "stringent test --limit 1", &[]), 2);
    assert!(text.contains("cannot read `none.toml`"), "{text}");
    let text = expect(&shell(dir.path(), "stringent test --limit 1 --write-baseline other.toml", &[]), 2);
    assert!(text.contains("cannot read `none.toml`"), "{text}");
    std::fs::write(dir.path().join("bad.toml"), "[[known]]\nsolver = \"x\"\nkind = \"U\"\n")
        .expect("written");
    let text = expect(&shell(dir.path(), "stringent test --limit 1 --baseline bad.toml", &[]), 2);
    assert!(text.contains("bad.toml:2:10: an entry needs an instance, a mark or an operation"), "{text}");
}
