//! Files: patterns, copies, digests, the record of an installation.

use super::{Digests, Error, Job};
use crate::profile::Version;
use sha2::{Digest as _, Sha256};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

fn io<T>(what: &str, path: &Path, result: std::io::Result<T>) -> Result<T, Error> {
    result.map_err(|why| Error::Io { what: format!("cannot {what} `{}`", path.display()), why })
}

pub(super) fn create_dir(path: &Path) -> Result<(), Error> {
    io("create", path, fs::create_dir_all(path))
}

/// The last part of a path.
pub(super) fn file_name(path: &str) -> String {
    Path::new(path).file_name().map_or_else(|| path.to_owned(), |n| n.to_string_lossy().into_owned())
}

/// All files below a directory that match a pattern, in order: a path in which `*` matches any part of a name.
pub(super) fn matching(dir: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut found = vec![dir.to_path_buf()];
    for part in pattern.split('/') {
        let entries = found.iter().filter_map(|d| fs::read_dir(d).ok()).flatten().flatten();
        found = entries.filter(|e| fits(part, &e.file_name().to_string_lossy())).map(|e| e.path()).collect();
    }
    found.sort();
    found
}

/// Whether a name fits a pattern with `*`.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|after| {
            (0..=after.len()).filter(|&i| after.is_char_boundary(i)).any(|i| fits(rest, &after[i..]))
        }),
    }
}

/// The one file that fits a pattern.
pub(super) fn only(job: &Job<'_>, dir: &Path, pattern: &str) -> Result<PathBuf, Error> {
    match matching(dir, pattern).as_slice() {
        [one] => Ok(one.clone()),
        found => {
            let message =
                format!("the package of {} has {} files `{pattern}`, not one", job.title(), found.len());
            Err(job.failed(message, Vec::new(), ""))
        }
    }
}

/// Moves a program to its place and makes it executable.
pub(super) fn place_program(from: &Path, to: &Path) -> Result<(), Error> {
    io("move", from, fs::rename(from, to))?;
    executable(to)
}

/// Lets a file be executed.
pub(super) fn executable(path: &Path) -> Result<(), Error> {
    io("change", path, fs::set_permissions(path, fs::Permissions::from_mode(0o755)))
}

pub(super) fn write(path: &Path, text: &str) -> Result<(), Error> {
    io("write", path, fs::write(path, text))
}

pub(super) fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    io("move", from, fs::rename(from, to))
}

/// The SHA-256 of some bytes.
pub(super) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

/// The name of a file and the SHA-256 of its content.
pub(super) fn digest_file(path: &Path) -> Result<(String, String), Error> {
    let bytes = io("read", path, fs::read(path))?;
    Ok((file_name(&path.display().to_string()), digest(&bytes)))
}

/// Removes what killed installations left behind. Needs the lock.
pub(super) fn remove_leftovers(cache: &Path) {
    for path in matching(cache, ".tmp-*") {
        // What cannot be removed does no harm.
        let _ = fs::remove_dir_all(path);
    }
}

/// Moves a finished directory to its place, and an existing one away first.
pub(super) fn replace(made: &Path, target: &Path) -> Result<(), Error> {
    if target.exists() {
        let aside = made.with_file_name("replaced");
        rename(target, &aside)?;
    }
    rename(made, target)
}

/// Writes `install.json`.
pub(super) fn write_manifest(job: &Job<'_>, version: &Version, digests: &Digests) -> Result<(), Error> {
    let packages: Vec<_> =
        digests.iter().map(|(name, sha256)| serde_json::json!({ "file": name, "sha256": sha256 })).collect();
    let manifest = serde_json::json!({
        "name": job.name,
        "version": version.as_str(),
        "from": format!("{:?}", job.source.from).to_lowercase(),
        "package": job.source.package,
        "program": format!("bin/{}", job.program),
        "files": packages,
    });
    write(&job.made.join("install.json"), &format!("{manifest:#}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_match_parts_of_names() {
        for (pattern, name, expected) in [
            ("z3", "z3", true),
            ("z3", "z3x", false),
            ("*.data", "z3_solver-4.8.6.0.data", true),
            ("lib*-*.so*", "libcvc5-1234.so.1", true),
            ("lib*-*.so*", "libcvc5.so.1", false),
            ("*", "", true),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn digests_are_sha256() {
        assert_eq!(digest(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
