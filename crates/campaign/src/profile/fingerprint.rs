//! Whether the program of a solver is still the one that a campaign ran.
//!
//! A store records a digest of the program and of the files among its arguments (a script, a configuration). Large files are sampled:
//! their size and 256 blocks, spread evenly, which another build does not leave as they were. Stores of older versions have no
//! digest; there the version that the program reports has to do.

use super::{Places, Solver, resolve};
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{Read as _, Result, Seek as _, SeekFrom};
use std::path::Path;

/// The size of a block.
const BLOCK: u64 = 4096;
/// The number of blocks of a file that are read.
const BLOCKS: u64 = 256;

/// The digest of a solver's program; none if it cannot be read.
pub fn fingerprint(solver: &Solver) -> Option<String> {
    let mut hash = Sha256::new();
    add(&mut hash, &solver.program).ok()?;
    for file in solver.profile.args.iter().map(Path::new).filter(|p| p.is_file()) {
        add(&mut hash, file).ok()?;
    }
    Some(hash.finalize().iter().map(|b| format!("{b:02x}")).collect())
}

fn add(hash: &mut Sha256, path: &Path) -> Result<()> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    hash.update(size.to_le_bytes());
    let step = (size / BLOCKS).max(BLOCK);
    let mut block = Vec::with_capacity(BLOCK as usize);
    for at in (0..size).step_by(step as usize) {
        file.seek(SeekFrom::Start(at))?;
        block.clear();
        (&mut file).take(BLOCK).read_to_end(&mut block)?;
        hash.update(&block);
    }
    Ok(())
}

/// An error with the reason unless the program of `solver` is the one that was recorded, with this digest if there is one.
pub fn check_unchanged(solver: &Solver, recorded: Option<&str>) -> std::result::Result<(), String> {
    let program = solver.program.display();
    let Some(now) = fingerprint(solver) else { return Err(format!("there is no program `{program}`")) };
    match recorded {
        Some(then) if then == now => Ok(()),
        Some(_) => Err(format!("`{program}` is another build now")),
        None => check_version(solver),
    }
}

fn check_version(solver: &Solver) -> std::result::Result<(), String> {
    let program = solver.program.display();
    if solver.version.is_empty() {
        return Err(format!("nothing tells whether `{program}` is the program of that campaign"));
    }
    let found = resolve::find(&solver.profile.name, &Places::from_env())
        .and_then(|definition| resolve::version_of(&definition, &solver.program));
    match found {
        Ok(Some(now)) if now.to_string() == solver.version => Ok(()),
        Ok(Some(now)) => Err(format!("`{program}` is version {now} now")),
        Ok(None) | Err(_) => Err(format!("`{program}` does not report its version")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profile;

    fn solver(program: &Path, args: &[&Path]) -> Solver {
        let args = args.iter().map(|a| a.display().to_string()).collect();
        let profile = Profile { args, ..Profile::default() };
        Solver { name: "s".into(), profile, program: program.into(), version: String::new() }
    }

    #[test]
    fn another_build_is_noticed() {
        let dir = tempfile::tempdir().expect("a folder");
        let (program, script) = (dir.path().join("p"), dir.path().join("x.py"));
        std::fs::write(&program, vec![7; 3 << 20]).expect("written");
        std::fs::write(&script, "1").expect("written");
        let it = solver(&program, &[&script]);
        let then = fingerprint(&it).expect("a digest");
        assert_eq!(check_unchanged(&it, Some(&then)), Ok(()));
        std::fs::write(&script, "2").expect("written");
        let why = check_unchanged(&it, Some(&then)).expect_err("its script differs");
        assert!(why.ends_with("is another build now"), "{why}");
        std::fs::write(&script, "1").expect("written");
        assert_eq!(check_unchanged(&it, Some(&then)), Ok(()));
        std::fs::write(&program, vec![8; 3 << 20]).expect("written");
        assert!(check_unchanged(&it, Some(&then)).is_err());
        assert!(check_unchanged(&it, None).expect_err("unknown").starts_with("nothing tells"));
        std::fs::remove_file(&program).expect("removed");
        assert!(check_unchanged(&it, Some(&then)).expect_err("gone").starts_with("there is no program"));
    }
}
