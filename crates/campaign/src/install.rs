//! Installs solvers from package registries into a cache of the user: no root, nothing on PATH is changed.
//!
//! `CACHE/NAME-VERSION/bin/PROGRAM` is where [`crate::profile::resolve`] looks. A solver is built in a temporary directory
//! beside it, its version is checked, and it is moved to its place when it is complete, under a lock: two installations do not
//! collide, and a killed one leaves nothing that looks like a solver. `install.json` records where it came from, with the digest
//! of each package.

mod cargo;
mod debian;
mod driver;
mod files;
mod pypi;
#[cfg(test)]
mod tests;
mod tool;
mod versions;

pub use versions::{Available, Line};

use crate::profile::spec::{Spec, Which};
use crate::profile::{self, Definition, Places, Registry, Source, Version, probe};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The reason why a solver could not be installed, with advice.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The name, or the profile.
    #[error(transparent)]
    Profile(#[from] profile::Error),
    /// Something failed.
    #[error("{message}{}{}", .detail.iter().map(|l| format!("\n  {l}")).collect::<String>(), line(.hint))]
    Failed {
        /// The message.
        message: String,
        /// The last lines of the output of a tool.
        detail: Vec<String>,
        /// Advice; may be empty.
        hint: String,
    },
    /// A file cannot be written or read.
    #[error("{what}: {why}")]
    Io {
        /// The attempted step.
        what: String,
        /// The reason that the system gives.
        why: std::io::Error,
    },
}

fn line(hint: &str) -> String {
    if hint.is_empty() { String::new() } else { format!("\n{hint}") }
}

impl Error {
    fn new(message: impl Into<String>, hint: impl Into<String>) -> Error {
        Error::Failed { message: message.into(), detail: Vec::new(), hint: hint.into() }
    }
}

/// An installed solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installation {
    /// The profile's name.
    pub name: String,
    /// The version.
    pub version: Version,
    /// The program.
    pub program: PathBuf,
    /// It was there before.
    pub already: bool,
}

/// A package that was used: its file's name and SHA-256.
type Digests = Vec<(String, String)>;

/// An installation in progress.
struct Job<'a> {
    name: &'a str,
    /// The wanted version; none: the newest.
    version: Option<&'a Version>,
    source: &'a Source,
    /// The program's file name.
    program: String,
    /// The directory that becomes the solver's.
    made: PathBuf,
    /// For downloads.
    work: PathBuf,
    places: &'a Places,
    say: &'a mut dyn FnMut(&str),
}

impl Job<'_> {
    /// `z3 4.8.6`, or `z3`.
    fn title(&self) -> String {
        self.version.map_or_else(|| self.name.to_owned(), |v| format!("{} {v}", self.name))
    }

    /// The alternative to an installation.
    fn otherwise(&self) -> String {
        format!("Or name a program that you have: `{}=/path/to/{}`.", self.name, self.program)
    }

    fn failed(&self, message: impl Into<String>, detail: Vec<String>, hint: &str) -> Error {
        let hint = format!("{hint}{}{}", if hint.is_empty() { "" } else { "\n" }, self.otherwise());
        Error::Failed { message: message.into(), detail, hint }
    }

    /// Where the finished program belongs.
    fn bin(&self) -> Result<PathBuf, Error> {
        let bin = self.made.join("bin");
        files::create_dir(&bin)?;
        Ok(bin.join(&self.program))
    }
}

/// Installs the solver `spec`: `z3@4.8.6`, or `z3` for the newest. `log` receives the progress.
pub fn install(spec: &str, places: &Places, say: &mut dyn FnMut(&str)) -> Result<Installation, Error> {
    let parsed = Spec::parse(spec)?;
    let bad = |why: &str| profile::Error::BadSpec { spec: spec.into(), why: why.into() };
    let version = match &parsed.which {
        Which::Any => None,
        Which::Version(text) => {
            Some(Version::parse(text).ok_or_else(|| bad(&format!("`{text}` is not a version")))?)
        }
        Which::Program(_) => return Err(bad("to install, write NAME@VERSION, as in `z3@4.8.6`").into()),
    };
    let named = if parsed.is_file() {
        profile::load(Path::new(&parsed.name))?
    } else {
        profile::find(&parsed.name, places)?
    };
    if let Some(version) = version.as_ref().filter(|v| !named.covers(v)) {
        return Err(bad(&format!(
            "{version} is not one of the versions{} that the profile covers",
            named.range()
        ))
        .into());
    }
    // `z3str3` is installed as `z3`.
    let definition =
        if named.family() == named.name() { named } else { profile::find(named.family(), places)? };
    install_definition(&definition, version.as_ref(), places, say)
}

fn install_definition(
    definition: &Definition,
    version: Option<&Version>,
    places: &Places,
    say: &mut dyn FnMut(&str),
) -> Result<Installation, Error> {
    if let Some(found) = version.and_then(|version| already(definition, version, places)) {
        return Ok(found);
    }
    let source = source_of(definition, version)?;
    let cache = places.cache.as_ref().ok_or_else(|| {
        Error::new("there is no directory for installed solvers", "Set STRINGENT_CACHE to a directory.")
    })?;
    files::create_dir(cache)?;
    let _lock = lock(cache, say)?;
    // Another process may have done it while we waited.
    if let Some(found) = version.and_then(|version| already(definition, version, places)) {
        return Ok(found);
    }
    files::remove_leftovers(cache);
    let temporary = tempfile::Builder::new()
        .prefix(".tmp-")
        .tempdir_in(cache)
        .map_err(|why| Error::Io { what: format!("cannot write to `{}`", cache.display()), why })?;
    let job = Job {
        name: definition.name(),
        version,
        source,
        program: files::file_name(definition.program()),
        made: temporary.path().join("made"),
        work: temporary.path().join("work"),
        places,
        say,
    };
    make(job, definition, cache)
}

/// The first source that has the version.
fn source_of<'a>(definition: &'a Definition, version: Option<&Version>) -> Result<&'a Source, Error> {
    let name = definition.name();
    if definition.sources().is_empty() {
        let message = format!("stringent does not know where to get {name}: its profile has no [[install]]");
        let hint = format!(
            "Get it from its authors, then name the program: `{name}=/path/to/{}`.",
            definition.program()
        );
        return Err(Error::new(message, hint));
    }
    let fits = |source: &&Source| match version {
        Some(version) => source.has(version),
        None => source.only.is_empty(),
    };
    let any = definition
        .sources()
        .iter()
        .find(fits)
        .or_else(|| definition.sources().last().filter(|_| version.is_none()));
    any.ok_or_else(|| {
        let offers = definition.sources().iter().map(|s| match (&s.since, s.only.as_slice()) {
            (Some(since), _) => format!("{since} and later"),
            (None, only) => only.join(", "),
        });
        let offers: Vec<String> = offers.collect();
        Error::new(
            format!("{name} {} is not available", version.map_or("", |v| v.as_str())),
            format!("There are packages of {}.", offers.join("; ")),
        )
    })
}

fn already(definition: &Definition, version: &Version, places: &Places) -> Option<Installation> {
    let installed = places.installed(definition.name(), definition.program());
    let found = installed.into_iter().find(|i| i.version == *version)?;
    let current = match source_of(definition, Some(version)).ok().and_then(|s| s.driver) {
        Some(_) => driver::is_current(found.program.parent()?.parent()?),
        None => true,
    };
    let name = definition.name().to_owned();
    current.then_some(Installation { name, version: found.version, program: found.program, already: true })
}

/// Held until it is dropped, or the process ends.
fn lock(cache: &Path, say: &mut dyn FnMut(&str)) -> Result<File, Error> {
    let path = cache.join(".lock");
    let io = |why| Error::Io { what: format!("cannot lock `{}`", path.display()), why };
    let file = File::options().create(true).append(true).open(&path).map_err(io)?;
    if file.try_lock().is_err() {
        say("waiting for another installation");
        file.lock().map_err(io)?;
    }
    Ok(file)
}

/// Builds the solver in the temporary directory, checks its version, and moves it to its place.
fn make(mut job: Job<'_>, definition: &Definition, cache: &Path) -> Result<Installation, Error> {
    files::create_dir(&job.made)?;
    files::create_dir(&job.work)?;
    let digests = match job.source.from {
        Registry::Pypi => pypi::make(&mut job)?,
        Registry::Debian => debian::make(&mut job)?,
        Registry::Cargo => cargo::make(&mut job)?,
    };
    let version = verify(&job, definition)?;
    let target = cache.join(format!("{}-{version}", job.name));
    files::write_manifest(&job, &version, &digests)?;
    files::replace(&job.made, &target)?;
    let program = target.join("bin").join(&job.program);
    (job.say)(&format!("installed {} {version}: {}", job.name, program.display()));
    Ok(Installation { name: job.name.into(), version, program, already: false })
}

/// The version that the program reports; it must be the wanted one.
fn verify(job: &Job<'_>, definition: &Definition) -> Result<Version, Error> {
    let program = job.made.join("bin").join(&job.program);
    let told = match definition.probe() {
        Some(how) => Some(probe::version(&program, how).map_err(|e| {
            let detail = vec![e.to_string()];
            job.failed(format!("{} was fetched, but does not run here", job.title()), detail, "")
        })?),
        None => None,
    };
    match (told, job.version) {
        (Some(told), Some(wanted)) if told != *wanted => Err(job.failed(
            format!("{} was fetched, but reports version {told}", job.title()),
            Vec::new(),
            "",
        )),
        // As requested: `4.8.6.0` and `4.8.6` are one version.
        (Some(told), _) => Ok(told),
        (None, Some(wanted)) => Ok(wanted.clone()),
        (None, None) => Err(job.failed(
            format!("{} does not report its version", job.name),
            Vec::new(),
            "Name the version to install.",
        )),
    }
}
