//! `--version`, and the build script that finds the commit.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The build script, compiled.
fn script() -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("build-script");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("build.rs");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let done = Command::new(rustc).args(["--edition", "2024", "-o"]).arg(&program).arg(source).status();
    assert!(done.expect("rustc runs").success());
    program
}

fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("version").join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("a folder");
    fs::write(dir.join("build.rs"), "").expect("a file");
    dir
}

fn git(dir: &Path, args: &[&str]) {
    let who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
    let mut command = Command::new("git");
    command.arg("-C").arg(dir).args(who).args(args).env("GIT_COMMITTER_DATE", "2020-05-23T12:00:00Z");
    assert!(command.status().expect("git runs").success(), "git {args:?}");
}

#[test]
fn debug_builds_show_the_number_alone() {
    let output = Command::new(env!("CARGO_BIN_EXE_stringent")).arg("--version").output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    if cfg!(debug_assertions) {
        assert_eq!(text, concat!("stringent ", env!("CARGO_PKG_VERSION"), "\n"));
    } else {
        assert!(text.starts_with(concat!("stringent ", env!("CARGO_PKG_VERSION"))), "{text}");
    }
}

#[test]
fn the_commit_is_that_of_the_sources() {
    let script = script();
    let version = |dir: &Path, profile: &str, given: Option<&str>| {
        let mut command = Command::new(&script);
        command.env("CARGO_PKG_VERSION", "1.2.3").env("CARGO_MANIFEST_DIR", dir).env("PROFILE", profile);
        command.env_remove("STRINGENT_COMMIT").envs(given.map(|g| ("STRINGENT_COMMIT", g)));
        let output = String::from_utf8(command.output().expect("it runs").stdout).expect("text");
        let line = output.lines().find_map(|l| l.strip_prefix("cargo::rustc-env=STRINGENT_VERSION="));
        (line.expect("a version").to_owned(), output.contains("HEAD"))
    };
    let plain = ("1.2.3".to_owned(), false);

    // Below the repository of something else, such as this one.
    let dir = folder("foreign");
    assert_eq!(version(&dir, "release", None), plain);
    assert_eq!(version(&dir, "release", Some("")), plain);
    assert_eq!(version(&dir, "release", Some("abcdef0 2020-01-01")).0, "1.2.3 (abcdef0 2020-01-01)");

    let dir = folder("package");
    let info = "{\n  \"git\": {\n    \"sha1\": \"0123456789abcdef0123456789abcdef01234567\"\n  }\n}\n";
    fs::write(dir.join(".cargo_vcs_info.json"), info).expect("a file");
    assert_eq!(version(&dir, "release", None).0, "1.2.3 (0123456)");

    let dir = folder("repository");
    git(&dir, &["init", "-q"]);
    git(&dir, &["add", "build.rs"]);
    git(&dir, &["commit", "-q", "-m", "one"]);
    let (text, watched) = version(&dir, "release", None);
    assert!(text.starts_with("1.2.3 (") && text.ends_with(" 2020-05-23)") && text.len() == 26, "{text}");
    assert!(watched, "a new commit must be noticed");
    assert_eq!(version(&dir, "debug", None), plain);
}
