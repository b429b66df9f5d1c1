//! Debian and its derivatives: apt-get downloads packages, which are unpacked without installing them.
//!
//! Libraries that the system lacks come from the packages that the package depends on. The program is then started by a
//! small script that sets the search path of the loader.

use super::tool::{NETWORK, run, run_with};
use super::{Digests, Error, Job, files};
use crate::profile::Version;
use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

const NO_APT: &str =
    "This solver comes from Debian's packages: it needs Debian, Ubuntu or another derivative.";

/// Downloads, unpacks, gathers missing libraries, and puts the program in its place.
pub(super) fn make(job: &mut Job<'_>) -> Result<Digests, Error> {
    let root = job.work.join("root");
    files::create_dir(&root)?;
    let main = choose(job)?;
    let mut digests = Vec::new();
    let mut waiting: VecDeque<String> = fetch(job, &main, &root, &mut digests)?.into();
    let program = root.join(&job.source.program);
    let mut seen: BTreeSet<String> = waiting.iter().cloned().collect();
    while !missing_libraries(job, &program, &root)?.is_empty() {
        let Some(package) = waiting.pop_front() else {
            let missing = missing_libraries(job, &program, &root)?;
            return Err(job.failed(
                format!("libraries that {} needs are not available", job.title()),
                missing,
                "",
            ));
        };
        if is_installed(job, &package)? {
            continue;
        }
        let further = fetch(job, &package, &root, &mut digests)?;
        waiting.extend(further.into_iter().filter(|p| seen.insert(p.clone())));
    }
    assemble(job, &program, &root)?;
    Ok(digests)
}

/// The package with the requested version: `cvc4=1.8-3`.
fn choose(job: &Job<'_>) -> Result<String, Error> {
    let package = &job.source.package;
    let ran = run(job, "apt-cache", &["madison", package], NO_APT)?;
    let offered: Vec<&str> = ran.stdout.lines().filter_map(|l| l.split('|').nth(1)).map(str::trim).collect();
    if offered.is_empty() {
        let message = format!("apt-get knows no package `{package}`");
        return Err(job.failed(
            message,
            ran.tail(),
            "Its package lists may be missing; `sudo apt-get update` fetches them.",
        ));
    }
    let Some(wanted) = job.version else { return Ok(package.clone()) };
    match offered.iter().find(|v| upstream(v).as_ref() == Some(wanted)) {
        Some(version) => Ok(format!("{package}={version}")),
        None => {
            let have: Vec<String> =
                offered.iter().filter_map(|v| upstream(v)).map(|v| v.to_string()).collect();
            let message =
                format!("this system has no package of {}, only of {}", job.title(), have.join(", "));
            Err(job.failed(message, Vec::new(), ""))
        }
    }
}

/// The versions of the solver that this system has packages of.
pub(super) fn versions(job: &Job<'_>) -> Result<Vec<String>, Error> {
    if job.places.find_program("apt-cache").is_none() {
        return Ok(Vec::new());
    }
    let ran = run(job, "apt-cache", &["madison", &job.source.package], NO_APT)?;
    let offered = ran.stdout.lines().filter_map(|l| upstream(l.split('|').nth(1)?.trim()));
    Ok(offered.map(|v| v.to_string()).collect())
}

/// The solver's version in that of a Debian package: `4.8.12` of `1:4.8.12+dfsg-3.1+b1`.
fn upstream(version: &str) -> Option<Version> {
    let version = version.split_once(':').map_or(version, |(_, rest)| rest);
    let version = version.rsplit_once('-').map_or(version, |(start, _)| start);
    Version::parse(version.split(['+', '~']).next()?)
}

/// Downloads and unpacks a package; returns the packages that it depends on.
fn fetch(job: &mut Job<'_>, package: &str, root: &Path, digests: &mut Digests) -> Result<Vec<String>, Error> {
    (job.say)(&format!("downloading {package} with apt-get"));
    let before = files::matching(&job.work, "*.deb");
    let ran = run(job, "apt-get", &["download", "-q", package], NO_APT)?;
    let new = files::matching(&job.work, "*.deb").into_iter().find(|f| !before.contains(f));
    let Some(deb) = new.filter(|_| ran.ok) else {
        let hint = if ran.offline() { NETWORK } else { "`sudo apt-get update` may help." };
        return Err(job.failed(format!("apt-get could not download {package}"), ran.tail(), hint));
    };
    digests.push(files::digest_file(&deb)?);
    let (deb, root) = (deb.display().to_string(), root.display().to_string());
    let ran = run(job, "dpkg-deb", &["-x", &deb, &root], NO_APT)?;
    if !ran.ok {
        return Err(job.failed(format!("{package} cannot be unpacked"), ran.tail(), ""));
    }
    Ok(depends(&run(job, "dpkg-deb", &["-f", &deb, "Depends"], NO_APT)?.stdout))
}

/// The names in a `Depends` field, the first where there are alternatives; libraries come first.
fn depends(field: &str) -> Vec<String> {
    let first =
        |d: &str| d.split('|').next().unwrap_or("").split(['(', ':']).next().unwrap_or("").trim().to_owned();
    let mut names: Vec<String> = field.trim().split(',').map(first).filter(|n| !n.is_empty()).collect();
    names.sort_by_key(|n| !n.starts_with("lib"));
    names
}

fn is_installed(job: &Job<'_>, package: &str) -> Result<bool, Error> {
    let ran = run(job, "dpkg-query", &["-W", "-f=${db:Status-Status}", package], NO_APT)?;
    Ok(ran.ok && ran.stdout.trim() == "installed")
}

/// The names of the libraries that the loader does not find.
fn missing_libraries(job: &Job<'_>, program: &Path, root: &Path) -> Result<Vec<String>, Error> {
    let path = std::env::join_paths(library_dirs(root)).unwrap_or_default();
    let program = program.display().to_string();
    let ran = run_with(job, "ldd", &[&program], &[("LD_LIBRARY_PATH", Path::new(&path))], NO_APT)?;
    let missing = ran.stdout.lines().filter(|l| l.ends_with("=> not found"));
    Ok(missing.map(|l| l.trim().to_owned()).collect())
}

/// Where packages put libraries: `usr/lib/x86_64-linux-gnu`.
fn library_dirs(root: &Path) -> Vec<PathBuf> {
    ["usr/lib", "usr/lib/*-linux-gnu*", "lib", "lib/*-linux-gnu*"]
        .iter()
        .flat_map(|pattern| files::matching(root, pattern))
        .collect()
}

/// The program alone, or with its libraries and a script that finds them.
fn assemble(job: &Job<'_>, program: &Path, root: &Path) -> Result<(), Error> {
    let libraries: Vec<PathBuf> =
        library_dirs(root).iter().flat_map(|dir| files::matching(dir, "lib*.so*")).collect();
    let bin = job.bin()?;
    if libraries.is_empty() {
        return files::place_program(program, &bin);
    }
    let (lib, libexec) = (job.made.join("lib"), job.made.join("libexec"));
    files::create_dir(&lib)?;
    files::create_dir(&libexec)?;
    for library in libraries {
        files::rename(&library, &lib.join(files::file_name(&library.display().to_string())))?;
    }
    files::place_program(program, &libexec.join(&job.program))?;
    files::write(&bin, &script(&job.program))?;
    files::executable(&bin)
}

/// Runs the program with its libraries, wherever the directory is moved; no process is left in between.
fn script(program: &str) -> String {
    format!(
        "#!/bin/sh\n\
         here=${{0%/*}}/..\n\
         [ -x \"$here/libexec/{program}\" ] || here=$(dirname \"$(readlink -f \"$0\")\")/..\n\
         LD_LIBRARY_PATH=$here/lib${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}} exec \"$here/libexec/{program}\" \"$@\"\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_packages() {
        let field = "libantlr3c-3.4-0 | libantlr3c-antlrdbg-3.4-0, libc6 (>= 2.33), python3:any, libcln6\n";
        assert_eq!(depends(field), ["libantlr3c-3.4-0", "libc6", "libcln6", "python3"]);
        for (debian, ours) in
            [("1.8-3", "1.8"), ("4.8.12-3.1", "4.8.12"), ("1:5.11.4+dfsg1-2+b1", "5.11.4"), ("2", "2")]
        {
            assert_eq!(upstream(debian), Version::parse(ours), "{debian}");
        }
    }
}
