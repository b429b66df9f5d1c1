//! The versions of a solver: those that can be installed, and a solver of each.
//!
//! Registries are asked by their own tools, and the list is kept for a day. A version has the name that the profile uses: `4.8.6` for the
//! package's `4.8.6.0`, `4.8.0` for `4.8.0.0.post1`. Versions that turned out not to run here are kept with the list, so that they are
//! not downloaded again.

use super::{Error, Job, cargo, debian, files, pypi};
use crate::profile::spec::{Spec, Which};
use crate::profile::{self, Definition, Places, Registry, Solver, Source, Version};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long a list is kept.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// All versions of a solver, with the arguments that it was named with.
#[derive(Clone, Debug)]
pub struct Line {
    definition: Definition,
    spec: Spec,
    places: Places,
}

/// The versions of a solver that can be had.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Available {
    /// Oldest first.
    pub versions: Vec<Version>,
    /// Why there may be more, for people.
    pub note: Option<String>,
}

/// The list that is kept.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Kept {
    /// When the registries were asked, in seconds since 1970.
    asked: u64,
    versions: Vec<String>,
    /// Versions that cannot be installed or started, and why.
    #[serde(default)]
    unusable: BTreeMap<String, String>,
}

impl Line {
    /// The versions of the solver `spec`: `z3`, `z3@4.8.6`, `z3@4.8.6 smt.string_solver=z3str3`. A program without a profile has none.
    pub fn of(spec: &str, places: &Places) -> Result<Line, Error> {
        let parsed = Spec::parse(spec)?;
        let found = if parsed.is_file() {
            profile::load(Path::new(&parsed.name))
        } else {
            profile::find(&parsed.name, places)
        };
        let definition = match (found, &parsed.which) {
            (Ok(definition), _) => definition,
            (Err(profile::Error::NoProfile { .. }), Which::Program(_)) => {
                return Err(no_versions(&parsed.name));
            }
            (Err(e), _) => return Err(e.into()),
        };
        let line = Line { definition, spec: parsed, places: places.clone() };
        if line.definition.sources().is_empty() && line.installed().is_empty() {
            return Err(no_versions(line.name()));
        }
        Ok(line)
    }

    /// The name of the profile.
    pub fn name(&self) -> &str {
        self.definition.name()
    }

    /// The version that it was named with.
    pub fn named(&self) -> Option<Version> {
        match &self.spec.which {
            Which::Version(text) => Version::parse(text),
            Which::Any | Which::Program(_) => None,
        }
    }

    /// Further arguments that it was named with.
    pub fn extra(&self) -> &[String] {
        &self.spec.extra
    }

    /// The installed versions, oldest first.
    pub fn installed(&self) -> Vec<Version> {
        let all = self.places.installed(self.definition.family(), self.definition.program());
        let mut versions: Vec<Version> = all.into_iter().map(|i| i.version).collect();
        versions.retain(|v| self.definition.covers(v));
        versions.dedup();
        versions
    }

    /// The installed versions and, unless `offline`, those that can be installed.
    pub fn available(&self, offline: bool, say: &mut dyn FnMut(&str)) -> Available {
        let mut all = Available { versions: self.installed(), note: None };
        if offline {
            let count = all.versions.len();
            all.note = Some(format!("offline: only the {count} installed versions of {} count", self.name()));
            return all;
        }
        let (kept, note) = self.list(say);
        all.versions.extend(kept.versions.iter().filter_map(|v| Version::parse(v)));
        all.versions.retain(|v| self.definition.covers(v));
        // The sort is stable: of two spellings the installed one stays.
        all.versions.sort();
        all.versions.dedup();
        all.note = note;
        all
    }

    /// The solver of a version, which is installed if it is not there and `offline` is not set.
    pub fn solver(
        &self,
        version: &Version,
        offline: bool,
        say: &mut dyn FnMut(&str),
    ) -> Result<Solver, Error> {
        let which = Which::Version(version.to_string());
        let spec = Spec { which, ..self.spec.clone() };
        let found = profile::resolve_definition(&self.definition, &spec, &self.places);
        if found.is_ok() || offline {
            return Ok(found?);
        }
        if let Some(why) = self.kept().unusable.get(version.as_str()) {
            return Err(Error::new(why.as_str(), ""));
        }
        match super::install(&format!("{}@{version}", self.spec.name), &self.places, say) {
            Ok(_) => Ok(profile::resolve_definition(&self.definition, &spec, &self.places)?),
            Err(e) => {
                self.remember_unusable(version, &e);
                Err(e)
            }
        }
    }

    /// The file of the kept list.
    fn file(&self) -> Option<PathBuf> {
        let cache = self.places.cache.as_ref()?;
        Some(cache.join(".versions").join(format!("{}.json", self.definition.family())))
    }

    fn kept(&self) -> Kept {
        let text = self.file().and_then(|f| std::fs::read_to_string(f).ok());
        text.and_then(|t| serde_json::from_str(&t).ok()).unwrap_or_default()
    }

    /// A list that cannot be kept is asked for again.
    fn keep(&self, kept: &Kept) {
        let Some(file) = self.file() else { return };
        let Ok(text) = serde_json::to_string_pretty(kept) else { return };
        let whole = file.with_extension(format!("{}.tmp", std::process::id()));
        let written = file.parent().is_some_and(|dir| files::create_dir(dir).is_ok())
            && files::write(&whole, &(text + "\n")).is_ok();
        if written {
            let _ = files::rename(&whole, &file);
        }
    }

    fn remember_unusable(&self, version: &Version, e: &Error) {
        let text = e.to_string();
        let network = text.contains(super::tool::NETWORK);
        if let (false, Error::Failed { message, .. }) = (network, e) {
            let mut kept = self.kept();
            kept.unusable.insert(version.to_string(), message.clone());
            self.keep(&kept);
        }
    }

    /// The list of the registries: the kept one, if it is fresh; and why it may be incomplete.
    fn list(&self, say: &mut dyn FnMut(&str)) -> (Kept, Option<String>) {
        let kept = self.kept();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
        if kept.asked > 0 && now.saturating_sub(kept.asked) < KEPT.as_secs() {
            return (kept, None);
        }
        match self.ask(say) {
            Ok(versions) => {
                let kept = Kept { asked: now, versions, unusable: BTreeMap::new() };
                self.keep(&kept);
                (kept, None)
            }
            Err(e) => {
                let note = if kept.asked == 0 {
                    format!(
                        "the versions of {} cannot be listed, only installed ones count: {e}",
                        self.name()
                    )
                } else {
                    format!("the versions of {} cannot be listed, an older list is used: {e}", self.name())
                };
                (kept, Some(note))
            }
        }
    }

    /// Asks the registries.
    fn ask(&self, say: &mut dyn FnMut(&str)) -> Result<Vec<String>, Error> {
        let mut versions: Vec<Version> = Vec::new();
        for source in self.definition.sources() {
            let fresh = if source.only.is_empty() {
                ours(source, &self.offered(source, say)?)
            } else {
                source.only.iter().filter_map(|v| Version::parse(v)).collect()
            };
            versions.extend(fresh);
        }
        versions.sort();
        versions.dedup();
        Ok(versions.iter().map(Version::to_string).collect())
    }

    /// The versions of a package, as its registry writes them.
    fn offered(&self, source: &Source, say: &mut dyn FnMut(&str)) -> Result<Vec<String>, Error> {
        let io = |why| Error::Io { what: "cannot create a temporary folder".into(), why };
        let folder = tempfile::tempdir().map_err(io)?;
        let mut job = Job {
            name: self.name(),
            version: None,
            source,
            program: String::new(),
            made: folder.path().join("made"),
            work: folder.path().to_path_buf(),
            places: &self.places,
            say,
        };
        match source.from {
            Registry::Pypi => pypi::versions(&mut job),
            Registry::Debian => debian::versions(&job),
            Registry::Cargo => cargo::versions(&mut job),
        }
    }
}

fn no_versions(name: &str) -> Error {
    Error::new(
        format!("`{name}` has no versions that stringent can install"),
        "Name a solver whose profile says where its versions come from, as in `z3` or `z3@4.8.6`.",
    )
}

/// The versions of a package under our names, pre-releases left out.
fn ours(source: &Source, theirs: &[String]) -> Vec<Version> {
    let name = |release: &String| {
        let renamed = source.releases.iter().find(|(_, theirs)| *theirs == release);
        let numbers = renamed.map_or_else(|| plain(release), |(ours, _)| Some(ours.clone()))?;
        Version::parse(&numbers).filter(|v| source.has(v))
    };
    theirs.iter().filter_map(name).collect()
}

/// `4.8.6` for `4.8.6.0` and `4.8.6.0.post1`; none for a pre-release.
fn plain(release: &str) -> Option<String> {
    let numbers = release.split(".post").next()?;
    let final_release = numbers.chars().all(|c| c.is_ascii_digit() || c == '.');
    final_release.then(|| pypi::short(numbers))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source() -> Source {
        let z3 = profile::find("z3", &Places::default()).expect("it is shipped");
        z3.sources().iter().find(|s| s.only.is_empty()).expect("a source of many versions").clone()
    }

    #[test]
    fn versions_of_packages_have_the_names_of_the_profile() {
        let theirs = ["4.5.1.0.post2", "4.5.1.0", "4.8.0.0.post1", "4.8.6.0", "4.12.2.0rc1", "5.4.0.0"];
        let theirs: Vec<String> = theirs.map(String::from).into();
        let mut names: Vec<String> = ours(&source(), &theirs).iter().map(Version::to_string).collect();
        names.dedup();
        assert_eq!(names, ["4.5.1", "4.8.0", "4.8.6", "5.4.0"]);
    }

    #[test]
    fn a_program_without_a_profile_has_no_versions() {
        for spec in ["mine=./prog", "generic"] {
            let e = Line::of(spec, &Places::default()).expect_err(spec).to_string();
            assert!(e.contains("has no versions"), "{e}");
        }
    }

    /// A cache with a kept list and two programs that print nothing.
    fn places(asked: u64) -> (tempfile::TempDir, Places) {
        let cache = tempfile::tempdir().expect("a folder");
        for version in ["4.8.6", "5.4.0"] {
            let program = cache.path().join(format!("z3-{version}/bin/z3"));
            std::fs::create_dir_all(program.parent().expect("a parent")).expect("a folder");
            std::fs::write(&program, "").expect("a file");
            files::executable(&program).expect("a program");
        }
        let versions = ["4.8.5", "4.8.6", "4.15.4"].map(String::from).into();
        let unusable = BTreeMap::from([("4.8.5".into(), "it does not run here".into())]);
        let places = Places { cache: Some(cache.path().into()), ..Places::default() };
        let line = Line::of("z3", &places).expect("a line");
        line.keep(&Kept { asked, versions, unusable });
        (cache, places)
    }

    fn names(available: &Available) -> Vec<&str> {
        available.versions.iter().map(Version::as_str).collect()
    }

    #[test]
    fn a_fresh_list_is_used_and_joined_with_installed_versions() {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs();
        let (_cache, places) = places(now);
        let z3 = Line::of("z3@4.8.6", &places).expect("a line");
        let all = z3.available(false, &mut |_| {});
        assert_eq!((names(&all), &all.note), (vec!["4.8.5", "4.8.6", "4.15.4", "5.4.0"], &None));
        let z3str3 = Line::of("z3str3", &places).expect("a line");
        assert_eq!(names(&z3str3.available(false, &mut |_| {})), ["4.8.5", "4.8.6"], "it was removed later");
        let bad = z3.solver(&Version::parse("4.8.5").expect("a version"), false, &mut |_| {});
        assert!(bad.expect_err("unusable").to_string().contains("does not run here"));
    }

    #[test]
    fn without_registries_installed_versions_count_and_a_note_tells() {
        let (_cache, places) = places(1);
        let z3 = Line::of("z3", &places).expect("a line");
        let offline = z3.available(true, &mut |_| {});
        assert_eq!(names(&offline), ["4.8.6", "5.4.0"]);
        assert!(offline.note.expect("a note").contains("only the 2 installed"));
        let old = z3.available(false, &mut |_| {});
        assert_eq!(names(&old), ["4.8.5", "4.8.6", "4.15.4", "5.4.0"], "no tool is on PATH: the old list");
        assert!(old.note.expect("a note").contains("an older list is used"));
    }
}
