//! From the name of a solver to a solver that can be run.

use super::file::Definition;
use super::probe;
use super::shipped::SHIPPED;
use super::spec::is_name;
use super::spec::{Spec, Which};
use super::{Error, Input, Places, Solver, Version};
use smt::diag::did_you_mean;
use std::path::{Path, PathBuf};

/// The solver that `spec` names (see [`super::spec`] for the forms), looked up in the places of the environment.
pub fn resolve(spec: &str) -> Result<Solver, Error> {
    resolve_in(spec, &Places::from_env())
}

/// The default solver: that of this program, if it has one; else the first shipped profile whose program is on PATH, else the
/// newest installed version of the first one with any.
pub fn default_solver() -> Result<Solver, Error> {
    default_solver_in(&Places::from_env())
}

/// [`resolve`] in given places.
pub fn resolve_in(spec: &str, places: &Places) -> Result<Solver, Error> {
    let spec = Spec::parse(spec)?;
    let definition = if spec.is_file() { load(Path::new(&spec.name)) } else { find(&spec.name, places) };
    match (definition, &spec.which) {
        (Ok(definition), _) => resolve_definition(&definition, &spec, places),
        (Err(Error::NoProfile { .. }), Which::Program(program)) if is_name(&spec.name) => {
            command(&spec, program, places)
        }
        (Err(e), _) => Err(e),
    }
}

/// [`default_solver`] in given places.
pub fn default_solver_in(places: &Places) -> Result<Solver, Error> {
    let definitions: Vec<Definition> = shipped().into_iter().filter(|d| d.name() != "generic").collect();
    let on_path = definitions.iter().filter(|d| places.find_program(d.program()).is_some());
    let installed = definitions.iter().filter(|d| !places.installed(d.family(), d.program()).is_empty());
    for definition in on_path.chain(installed) {
        if let Ok(solver) = resolve_in(definition.name(), places) {
            return Ok(solver);
        }
    }
    Err(Error::NoProgram {
        message: "no solver was named, and no known one is on PATH or installed".into(),
        hint:
            "`stringent solvers install z3@5.4.0` installs one; `--solver NAME=COMMAND` runs one of your own"
                .into(),
    })
}

/// The shipped profiles, in the order of preference.
pub fn shipped() -> Vec<Definition> {
    SHIPPED.iter().map(|(name, _)| shipped_one(name).expect("it is in the list")).collect()
}

fn shipped_one(name: &str) -> Option<Definition> {
    let (name, text) = SHIPPED.iter().find(|(n, _)| *n == name)?;
    let origin = format!("{name}.toml");
    // A shipped profile that cannot be read fails the tests.
    Some(Definition::read(&origin, text, &shipped_one).unwrap_or_else(|e| panic!("shipped profile: {e}")))
}

/// Reads a profile file.
pub fn load(file: &Path) -> Result<Definition, Error> {
    let unreadable = |why: String| Error::Unreadable { file: file.into(), why };
    let bytes = std::fs::read(file).map_err(|e| unreadable(e.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8 text".into()))?;
    Definition::read(&file.display().to_string(), &text, &shipped_one)
}

/// The user's profile files, by name.
pub fn user_files(places: &Places) -> Vec<PathBuf> {
    let entries = places.profiles.iter().filter_map(|d| std::fs::read_dir(d).ok()).flatten().flatten();
    let toml = |p: &PathBuf| p.extension().is_some_and(|e| e == "toml");
    let mut files: Vec<PathBuf> = entries.map(|e| e.path()).filter(toml).collect();
    files.sort();
    files
}

/// The profile of a name: the user's, else a shipped one.
pub fn find(name: &str, places: &Places) -> Result<Definition, Error> {
    let mut known: Vec<String> = SHIPPED.iter().map(|(n, _)| (*n).to_owned()).collect();
    for file in user_files(places) {
        let expected = file.file_stem().is_some_and(|stem| stem == name);
        match load(&file) {
            Ok(definition) if definition.name() == name => return Ok(definition),
            Ok(definition) => known.push(definition.name().to_owned()),
            // A broken file matters only if it is used.
            Err(e) if expected => return Err(e),
            Err(_) => {}
        }
    }
    shipped_one(name).ok_or_else(|| {
        known.sort();
        known.dedup();
        let meant = did_you_mean(name, known.iter().map(String::as_str)).map(ToOwned::to_owned);
        Error::NoProfile { name: name.into(), meant, known }
    })
}

/// The solver of a profile.
pub(crate) fn resolve_definition(
    definition: &Definition,
    spec: &Spec,
    places: &Places,
) -> Result<Solver, Error> {
    let (program, version) = match &spec.which {
        Which::Any => any_program(definition, places)?,
        Which::Version(version) => installed_program(definition, version, places)?,
        Which::Program(program) => given_program(definition, program, places)?,
    };
    let mut profile = definition.profile(version.as_ref());
    profile.args.extend(spec.extra.iter().cloned());
    let parts = version.iter().map(|v| format!("-{v}")).chain(spec.extra.iter().map(|a| format!("+{a}")));
    let name = parts.fold(definition.name().to_owned(), |name, part| name + &part);
    let version = version.map_or_else(String::new, |v| v.to_string());
    let solver = Solver { name, profile, program, version };
    spec.sets.iter().try_fold(solver, |solver, set| with_set(definition, &solver, set))
}

/// The solver with a set of options of its profile.
fn with_set(definition: &Definition, solver: &Solver, name: &str) -> Result<Solver, Error> {
    let fitting = || definition.options().filter(|o| o.fits(&solver.version));
    if let Some(set) = fitting().find(|o| o.name() == name) {
        return Ok(set.applied(solver));
    }
    let known: Vec<&str> = fitting().map(super::OptionSet::name).collect();
    let has = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    let why = format!("{} has no set of options `{name}`; it has {has}", solver.name);
    Err(Error::BadSpec { spec: format!("{} +{name}", definition.name()), why })
}

/// The version of a program; none if the profile does not define how to find it. The profile must cover it.
pub(super) fn version_of(definition: &Definition, program: &Path) -> Result<Option<Version>, Error> {
    let Some(how) = definition.probe() else { return Ok(None) };
    let version = probe::version(program, how)?;
    if definition.covers(&version) {
        return Ok(Some(version));
    }
    let why = format!(
        "is version {version}, but the profile `{}` covers versions{}",
        definition.name(),
        definition.range()
    );
    Err(Error::BadProgram { program: program.into(), why })
}

fn any_program(definition: &Definition, places: &Places) -> Result<(PathBuf, Option<Version>), Error> {
    let on_path = places.find_program(definition.program());
    let of_path = on_path.map(|program| version_of(definition, &program).map(|version| (program, version)));
    if let Some(Ok(found)) = of_path {
        return Ok(found);
    }
    let installed = places.installed(definition.family(), definition.program());
    let newest = installed.into_iter().rev().find(|i| definition.covers(&i.version));
    match (newest, of_path) {
        (Some(newest), _) => Ok((newest.program, Some(newest.version))),
        (None, Some(Err(e))) => Err(e),
        (None, _) => Err(no_program(definition, None, places)),
    }
}

fn installed_program(
    definition: &Definition,
    wanted: &str,
    places: &Places,
) -> Result<(PathBuf, Option<Version>), Error> {
    let spec = format!("{}@{wanted}", definition.name());
    let version = Version::parse(wanted)
        .ok_or_else(|| Error::BadSpec { spec: spec.clone(), why: format!("`{wanted}` is not a version") })?;
    if !definition.covers(&version) {
        let why = format!("the profile `{}` covers versions{}", definition.name(), definition.range());
        return Err(Error::BadSpec { spec, why });
    }
    let installed = places.installed(definition.family(), definition.program());
    match installed.into_iter().find(|i| i.version == version) {
        Some(found) => Ok((found.program, Some(found.version))),
        None => Err(no_program(definition, Some(wanted), places)),
    }
}

fn given_program(
    definition: &Definition,
    wanted: &str,
    places: &Places,
) -> Result<(PathBuf, Option<Version>), Error> {
    let Some(program) = places.find_program(wanted) else {
        let hint = match Version::parse(wanted) {
            Some(_) => format!("for a version, write `{}@{wanted}`", definition.name()),
            None => "give the path of a program that may be executed".into(),
        };
        return Err(Error::NoProgram { message: format!("there is no program `{wanted}`"), hint });
    };
    let version = version_of(definition, &program)?;
    Ok((program, version))
}

/// The error if there is no program for a profile.
fn no_program(definition: &Definition, version: Option<&str>, places: &Places) -> Error {
    let (name, family) = (definition.name(), definition.family());
    let installed = places.installed(family, definition.program());
    let have: Vec<&str> = installed.iter().map(|i| i.version.as_str()).collect();
    let message = match version {
        Some(version) => format!("{family} {version} is not installed{}", have_text(&have)),
        None => format!(
            "there is no `{}` on PATH, and none is installed for the profile `{name}`",
            definition.program()
        ),
    };
    let install = match (definition.sources().is_empty(), version) {
        (true, _) => format!(
            "its authors distribute it; then name the program: `{name}=/path/to/{}`",
            definition.program()
        ),
        (false, Some(version)) => format!("`stringent solvers install {family}@{version}` installs it"),
        (false, None) => format!(
            "`stringent solvers install {family}@VERSION` installs one; `{name}=/path/to/{}` names one that you have",
            definition.program()
        ),
    };
    Error::NoProgram { message, hint: install }
}

fn have_text(have: &[&str]) -> String {
    if have.is_empty() { String::new() } else { format!(", only {}", have.join(", ")) }
}

/// A solver without a profile of its own: its command line, and the generic profile.
fn command(spec: &Spec, program: &str, places: &Places) -> Result<Solver, Error> {
    let generic = shipped_one("generic").expect("it is in the list");
    let (program, _) = given_program(&generic, program, places)?;
    let mut profile = generic.profile(None);
    profile.name.clone_from(&spec.name);
    profile.about = "given by its command line".into();
    profile.program = program.display().to_string();
    profile.args.clone_from(&spec.extra);
    profile.input = if spec.extra.iter().any(|a| a.contains("{file}")) { Input::File } else { Input::Stdin };
    Ok(Solver { name: spec.name.clone(), profile, program, version: String::new() })
}
