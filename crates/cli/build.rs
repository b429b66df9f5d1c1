//! The text of `--version`: in release builds with the commit and its date, where they can be known.
//!
//! `STRINGENT_COMMIT` gives them (for builds from a copy without history). Otherwise they are from git if this file is tracked, or from
//! the commit that `cargo package` records. Debug builds have the number only, so that a commit does not rebuild them.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=STRINGENT_COMMIT");
    let number = env::var("CARGO_PKG_VERSION").expect("cargo sets it");
    let commit = commit().map_or_else(String::new, |c| format!(" ({c})"));
    println!("cargo::rustc-env=STRINGENT_VERSION={number}{commit}");
}

/// The short hash of the commit, and its date if known.
fn commit() -> Option<String> {
    if let Ok(given) = env::var("STRINGENT_COMMIT") {
        return Some(given.trim().to_owned()).filter(|c| !c.is_empty());
    }
    if env::var("PROFILE").is_ok_and(|p| p != "release") {
        return None;
    }
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    packaged(&root).or_else(|| tracked(&root))
}

/// From a package: `"sha1": "…"` in the file that `cargo package` adds.
fn packaged(root: &Path) -> Option<String> {
    let text = std::fs::read_to_string(root.join(".cargo_vcs_info.json")).ok()?;
    let (_, after) = text.split_once("\"sha1\"")?;
    after.split('"').nth(1)?.get(..7).map(str::to_owned)
}

/// From git, unless the sources only happen to be below some other repository.
fn tracked(root: &Path) -> Option<String> {
    git(root, &["ls-files", "--error-unmatch", "build.rs"])?;
    let branch = git(root, &["rev-parse", "--symbolic-full-name", "HEAD"])?;
    for file in ["HEAD", "logs/HEAD", "packed-refs", &branch] {
        let path = root.join(git(root, &["rev-parse", "--git-path", file])?);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    let (hash, date) =
        (git(root, &["log", "-1", "--format=%H"])?, git(root, &["log", "-1", "--format=%cs"])?);
    Some(format!("{} {date}", hash.get(..7)?))
}

fn git(root: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(root).args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
