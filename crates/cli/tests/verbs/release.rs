//! Release archives and their installer: packed by `tools/release` around this build, unpacked, installed and removed.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const NAME: &str = concat!("stringent-", env!("CARGO_PKG_VERSION"), "-x86_64-unknown-linux-gnu");

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A new folder with a release: a script that starts this build is packed instead of it, which is faster.
fn release(test: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("release").join(test);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("a folder");
    let program = dir.join("program");
    fs::write(&program, format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_stringent")))
        .expect("a script");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a program");
    let made = Command::new(repository().join("tools/release"))
        .arg("--program")
        .arg(&program)
        .arg("--out")
        .args([&dir, Path::new("x86_64-unknown-linux-gnu")])
        .env("SOURCE_DATE_EPOCH", "1600000000")
        .output()
        .expect("tools/release runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    dir
}

fn unpacked(test: &str) -> PathBuf {
    let dir = release(test);
    let tar = Command::new("tar").arg("xzf").arg(format!("{NAME}.tar.gz")).current_dir(&dir).status();
    assert!(tar.expect("tar runs").success());
    dir
}

fn install(dir: &Path, args: &[&str], home: Option<&Path>) -> Output {
    let mut command = Command::new("sh");
    command.arg(dir.join(NAME).join("install.sh")).args(args).env_remove("XDG_DATA_HOME").env_remove("HOME");
    if let Some(home) = home {
        command.env("HOME", home);
    }
    command.output().expect("the installer runs")
}

/// The files below a folder, by their paths from it.
fn files(dir: &Path) -> BTreeSet<String> {
    let (mut found, mut todo) = (BTreeSet::new(), vec![dir.to_path_buf()]);
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                todo.push(path);
            } else {
                found.insert(path.strip_prefix(dir).expect("below it").display().to_string());
            }
        }
    }
    found
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn an_archive_has_program_pages_completions_and_licences() {
    let dir = unpacked("contents");
    let found = files(&dir.join(NAME));
    let wanted = [
        "stringent",
        "install.sh",
        "README.md",
        "CHANGELOG.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "THIRD-PARTY.txt",
        "completions/stringent.bash",
        "completions/_stringent",
        "completions/stringent.fish",
        "man/stringent.1",
        "man/stringent-solve.1",
        "docs/install.md",
        "examples/substr.smt2",
    ];
    for name in wanted {
        assert!(found.contains(name), "{name} is missing: {found:?}");
    }
    let licences = fs::read_to_string(dir.join(NAME).join("THIRD-PARTY.txt")).expect("a text");
    assert!(licences.contains("    rusqlite 0."), "{}", &licences[..500]);
    let sums = Command::new("sha256sum").args(["--check", "SHA256SUMS"]).current_dir(&dir).output();
    assert!(sums.expect("sha256sum runs").status.success());
}

#[test]
fn the_same_program_gives_the_same_archive() {
    let bytes = |test: &str| fs::read(release(test).join(format!("{NAME}.tar.gz"))).expect("an archive");
    let (one, two) = (bytes("same"), bytes("same"));
    assert!(one == two, "the archives differ");
}

#[test]
fn installs_for_one_user_and_removes_every_file() {
    let dir = unpacked("install");
    let home = dir.join("ho me");
    let done = install(&dir, &[], Some(&home));
    assert!(done.status.success(), "{}", text(&done.stderr));
    let found = files(&home.join(".local"));
    for name in [
        "bin/stringent",
        "share/man/man1/stringent-test.1",
        "share/bash-completion/completions/stringent",
        "share/zsh/site-functions/_stringent",
        "share/fish/vendor_completions.d/stringent.fish",
        "share/doc/stringent/LICENSE-MIT",
    ] {
        assert!(found.contains(name), "{name} is missing: {found:?}");
        assert!(name.ends_with("FILES") || text(&done.stdout).contains(name), "{name} was not told");
    }
    assert!(text(&done.stdout).contains("is not in PATH"));
    let version = Command::new(home.join(".local/bin/stringent")).arg("--version").output();
    assert!(
        text(&version.expect("it runs").stdout).starts_with(concat!("stringent ", env!("CARGO_PKG_VERSION")))
    );
    // A file of an older version goes with the next installation.
    let old = home.join(".local/share/man/man1/stringent-old.1");
    fs::write(&old, "").expect("a file");
    let list = home.join(".local/share/doc/stringent/FILES");
    let lines = fs::read_to_string(&list).expect("a list");
    fs::write(&list, format!("{lines}{}\n", old.display())).expect("a list");
    assert!(install(&dir, &[], Some(&home)).status.success());
    assert_eq!(files(&home.join(".local")), found);
    let gone = install(&dir, &["--uninstall"], Some(&home));
    assert!(gone.status.success(), "{}", text(&gone.stderr));
    assert_eq!(files(&home), BTreeSet::new());
}

#[test]
fn installs_below_a_prefix_and_refuses_clearly() {
    let dir = unpacked("prefix");
    let prefix = dir.join("opt");
    let prefix = prefix.to_str().expect("a name");
    assert!(install(&dir, &["--prefix", prefix], None).status.success());
    assert!(files(Path::new(prefix)).contains("share/man/man1/stringent.1"));
    let refused = |args: &[&str], home: Option<&Path>, code: i32, why: &str| {
        let output = install(&dir, args, home);
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        assert!(text(&output.stderr).contains(why), "{args:?}: {}", text(&output.stderr));
    };
    refused(&[], None, 2, "HOME is not set: say where to install, with --prefix DIR");
    refused(&[], Some(Path::new("")), 2, "HOME is not set");
    refused(&["--prefix"], None, 2, "--prefix needs a folder");
    refused(&["--frobnicate"], None, 2, "unknown argument --frobnicate");
    refused(&["--uninstall", "--prefix", "/nowhere"], None, 1, "nothing is installed below /nowhere");
    refused(&["--prefix", "/dev/null"], None, 1, "cannot make /dev/null");
    fs::write(dir.join(NAME).join("stringent"), "no program").expect("a file");
    refused(&["--prefix", prefix], None, 1, "cannot be run here");
}

/// With shellcheck, if it is installed.
#[test]
fn the_installer_is_plain_posix_shell() {
    let script = repository().join("tools/install.sh");
    let read = Command::new("sh").arg("-n").arg(&script).status().expect("sh runs");
    assert!(read.success());
    if let Ok(found) = Command::new("shellcheck").args(["--shell", "sh"]).arg(&script).output() {
        assert!(found.status.success(), "{}", text(&found.stdout));
    }
}
