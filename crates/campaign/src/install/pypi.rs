//! The Python package index: pip downloads a wheel, which is a zip file with the program inside.

use super::tool::{NETWORK, Ran, run};
use super::{Digests, Error, Job, driver, files};
use crate::profile::Version;
use std::path::PathBuf;

const NO_PYTHON: &str = "Install Python 3 with pip: the packages python3 and python3-pip of your system.";

/// Downloads, unpacks, and puts the program in its place.
pub(super) fn make(job: &mut Job<'_>) -> Result<Digests, Error> {
    let wheel = download(job)?;
    let digest = files::digest_file(&wheel)?;
    let unpacked = job.work.join("unpacked");
    let (from, to) = (wheel.display().to_string(), unpacked.display().to_string());
    let ran = run(job, "python3", &["-m", "zipfile", "-e", &from, &to], NO_PYTHON)?;
    if !ran.ok {
        return Err(job.failed(format!("`{}` cannot be unpacked", digest.0), ran.tail(), ""));
    }
    if job.source.driver.is_some() {
        driver::make(job, &unpacked)?;
    } else {
        let program = files::only(job, &unpacked, &job.source.program)?;
        files::place_program(&program, &job.bin()?)?;
    }
    keep_licences(job, &unpacked)?;
    Ok(vec![digest])
}

fn keep_licences(job: &Job<'_>, unpacked: &std::path::Path) -> Result<(), Error> {
    for pattern in ["*.dist-info/licenses", "*.dist-info/LICENSE*"] {
        for found in files::matching(unpacked, pattern) {
            files::rename(&found, &job.made.join(files::file_name(&found.display().to_string())))?;
        }
    }
    Ok(())
}

/// The versions of a package that have a wheel for this machine. There is no request for a list that every pip knows; an impossible
/// requirement gets one as its error.
pub(super) fn versions(job: &mut Job<'_>) -> Result<Vec<String>, Error> {
    let package = &job.source.package;
    (job.say)(&format!("asking the Python package index for the versions of {package}"));
    let nothing = format!("{package}==0.0.dev0");
    let ran = pip(job, &nothing, &[])?;
    let mut all = listed(&ran.text);
    if all.is_empty() && (ran.offline() || has_no_pip(&ran)) {
        return Err(explain(job, &nothing, &ran));
    }
    let tags = any_python();
    let more = pip(job, &nothing, &tags.iter().map(String::as_str).collect::<Vec<_>>())?;
    all.extend(listed(&more.text));
    all.sort();
    all.dedup();
    if all.is_empty() {
        return Err(job.failed(format!("pip lists no version of {package}"), ran.tail(), ""));
    }
    Ok(all)
}

fn download(job: &mut Job<'_>) -> Result<PathBuf, Error> {
    let requirement = match job.version {
        Some(version) => format!("{}=={}", job.source.package, job.source.release(version)),
        None => job.source.package.clone(),
    };
    (job.say)(&format!("downloading {requirement} from the Python package index"));
    let mut ran = pip(job, &requirement, &[])?;
    if !ran.ok && !ran.offline() && !has_no_pip(&ran) {
        // Some wheels are for one version of Python; only the solver inside is of interest.
        let tags = any_python();
        let again = pip(job, &requirement, &tags.iter().map(String::as_str).collect::<Vec<_>>())?;
        ran = if again.ok { again } else { ran };
    }
    if !ran.ok {
        return Err(explain(job, &requirement, &ran));
    }
    files::only(job, &job.work, "*.whl")
}

fn pip(job: &Job<'_>, requirement: &str, tags: &[&str]) -> Result<Ran, Error> {
    let mut args = vec!["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input"];
    args.extend(["--retries", "1", "--no-deps", "--only-binary", ":all:", "--dest", "."]);
    args.extend(tags);
    args.push(requirement);
    run(job, "python3", &args, NO_PYTHON)
}

/// Tags of a Python that most wheels support, whichever runs pip.
fn any_python() -> Vec<String> {
    let machine = std::env::consts::ARCH;
    let mut tags: Vec<String> =
        ["--implementation", "cp", "--python-version", "3.11"].map(String::from).into();
    for abi in ["cp311", "abi3", "none"] {
        tags.extend(["--abi".into(), abi.into()]);
    }
    for platform in ["manylinux1", "manylinux2010", "manylinux2014"] {
        tags.extend(["--platform".into(), format!("{platform}_{machine}")]);
    }
    for minor in [17, 24, 27, 28, 31, 34, 35, 38, 39] {
        tags.extend(["--platform".into(), format!("manylinux_2_{minor}_{machine}")]);
    }
    tags
}

fn has_no_pip(ran: &Ran) -> bool {
    ran.text.contains("No module named pip")
}

fn explain(job: &Job<'_>, requirement: &str, ran: &Ran) -> Error {
    if has_no_pip(ran) {
        return job.failed(
            "Python has no pip",
            Vec::new(),
            "Install it: `python3 -m ensurepip --user`, or the package python3-pip.",
        );
    }
    if ran.offline() {
        return job.failed(format!("pip could not download {requirement}"), ran.tail(), NETWORK);
    }
    let versions = offered(&ran.text);
    match (job.version, versions.is_empty()) {
        (Some(wanted), false) => {
            let near = near(wanted, versions);
            let message = format!("there is no {} for this machine on the Python package index", job.title());
            job.failed(message, Vec::new(), &format!("The nearest versions are {}.", near.join(", ")))
        }
        _ => job.failed(format!("pip could not download {requirement}"), ran.tail(), ""),
    }
}

/// The versions that pip lists: `(from versions: 4.8.5.0, 4.8.6.0)`.
fn offered(text: &str) -> Vec<Version> {
    listed(text).iter().filter_map(|v| Version::parse(v)).collect()
}

fn listed(text: &str) -> Vec<String> {
    let after = text.split("from versions:").nth(1).and_then(|rest| rest.split(')').next()).unwrap_or("");
    let versions = after.split(',').map(str::trim).filter(|v| Version::parse(v).is_some());
    versions.map(ToOwned::to_owned).collect()
}

/// The three versions before and the three after a version, in our notation.
fn near(wanted: &Version, mut versions: Vec<Version>) -> Vec<String> {
    versions.sort();
    versions.dedup();
    let at = versions.partition_point(|v| v < wanted);
    let shown = &versions[at.saturating_sub(3)..(at + 3).min(versions.len())];
    shown.iter().map(|v| short(v.as_str())).collect()
}

/// `4.8.6.0` is shown as `4.8.6`.
pub(super) fn short(version: &str) -> String {
    let long = version.split('.').count() > 3;
    version.strip_suffix(".0").filter(|_| long).unwrap_or(version).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_near_a_wrong_one() {
        let text = "ERROR: Could not find a version that satisfies the requirement z3-solver==4.8.99 \
                    (from versions: 4.5.1.0.post2, 4.8.9.0, 4.8.10.0, 4.8.17.0, 4.9.0.0, 5.4.0.0)\nERROR: No";
        let wanted = Version::parse("4.8.99").expect("a version");
        assert_eq!(near(&wanted, offered(text)), ["4.8.9", "4.8.10", "4.8.17", "4.9.0", "5.4.0"]);
        assert!(offered("(from versions: none)").is_empty());
    }
}
