//! crates.io: cargo builds the program.

use super::tool::{NETWORK, run};
use super::{Digests, Error, Job, files};

/// The most versions that are listed.
const MAX_VERSIONS: usize = 100;

const NO_CARGO: &str = "Install Rust: the package cargo of your system, or rustup.";

/// Builds and puts the program in its place.
pub(super) fn make(job: &mut Job<'_>) -> Result<Digests, Error> {
    let package = match job.version {
        Some(version) => format!("{}@{}", job.source.package, job.source.release(version)),
        None => job.source.package.clone(),
    };
    (job.say)(&format!("building {package} with cargo: this takes minutes"));
    let root = job.work.join("root");
    let (root_text, target) = (root.display().to_string(), job.work.join("target").display().to_string());
    let args = ["install", "--quiet", "--locked", "--root", &root_text, "--target-dir", &target, &package];
    let ran = run(job, "cargo", &args, NO_CARGO)?;
    if !ran.ok {
        let hint = if ran.offline() { NETWORK } else { "" };
        return Err(job.failed(format!("cargo could not build {package}"), ran.tail(), hint));
    }
    let built = root.join("bin").join(&job.source.program);
    let digest = files::digest_file(&built)?;
    files::place_program(&built, &job.bin()?)?;
    Ok(vec![digest])
}

/// The versions of the package, newest first. Cargo has no request for a list; it resolves a project that needs a version below the last
/// one that was found, until there is none.
pub(super) fn versions(job: &mut Job<'_>) -> Result<Vec<String>, Error> {
    let package = job.source.package.clone();
    (job.say)(&format!("asking crates.io for the versions of {package}"));
    let src = job.work.join("src");
    files::create_dir(&src)?;
    files::write(&src.join("lib.rs"), "")?;
    let mut found: Vec<String> = Vec::new();
    while found.len() < MAX_VERSIONS {
        let wanted = found.last().map_or_else(|| "*".to_owned(), |v| format!("<{v}"));
        let manifest = format!(
            "[package]\nname = \"versions\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[dependencies]\n{package} = \"{wanted}\"\n\n[workspace]\n"
        );
        files::write(&job.work.join("Cargo.toml"), &manifest)?;
        let _ = std::fs::remove_file(job.work.join("Cargo.lock"));
        let ran = run(job, "cargo", &["generate-lockfile", "--quiet"], NO_CARGO)?;
        if !ran.ok && ran.offline() {
            return Err(job.failed(format!("cargo cannot list {package}"), ran.tail(), NETWORK));
        }
        let lock = std::fs::read_to_string(job.work.join("Cargo.lock")).unwrap_or_default();
        match locked(&lock, &package).filter(|_| ran.ok) {
            Some(version) => found.push(version),
            None if found.is_empty() => {
                return Err(job.failed(format!("cargo lists no version of {package}"), ran.tail(), ""));
            }
            None => break,
        }
    }
    Ok(found)
}

/// The version of a package in a lock file.
fn locked(lock: &str, package: &str) -> Option<String> {
    let after = lock.split(&format!("name = \"{package}\"\nversion = \"")).nth(1)?;
    Some(after.split('"').next()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_in_lock_files() {
        let lock = "[[package]]\nname = \"oxiz\"\nversion = \"0.3.5\"\n\n[[package]]\nname = \"oxiz-cli\"\nversion = \"0.3.4\"\n";
        assert_eq!(locked(lock, "oxiz-cli").as_deref(), Some("0.3.4"));
        assert_eq!(locked(lock, "z3"), None);
    }
}
