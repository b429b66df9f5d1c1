//! crates.io: cargo builds the program.

use super::tool::{NETWORK, run};
use super::{Digests, Error, Job, files};

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
