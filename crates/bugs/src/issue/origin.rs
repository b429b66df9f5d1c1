//! Where a solver comes from, if stringent installed it.

use campaign::finding::{Finding, words};
use campaign::profile::{self, Driver, Places, Registry, Source, Version};

/// A package of a registry.
pub(super) struct Package {
    /// The registry.
    pub(super) from: Registry,
    /// Name and version, as its tool wants them: `z3-solver==5.4.0`.
    pub(super) requirement: String,
    /// It has libraries only; this program was built from them.
    pub(super) driver: Option<Driver>,
    /// The program in the package; `*` matches any part of a name.
    pub(super) program: String,
}

/// The package that has this version of the solver. None if the solver is another program.
pub(super) fn package(f: &Finding) -> Option<Package> {
    let first = f.solver.spec.split(' ').next().unwrap_or_default();
    let (_, version) = first.split_once('@')?;
    if f.solver.spec.contains('=')
        || words::version(f).is_some_and(|v| Version::parse(v) != Version::parse(version))
    {
        return None;
    }
    let version = Version::parse(version)?;
    let named = profile::find(&f.solver.profile, &Places::default()).ok()?;
    let family = profile::find(named.family(), &Places::default()).ok()?;
    let source = family.sources().iter().find(|s| s.has(&version))?;
    Some(of(source, &version))
}

fn of(source: &Source, version: &Version) -> Package {
    let release = source.release(version);
    let requirement = match source.from {
        Registry::Pypi => format!("{}=={release}", source.package),
        Registry::Debian => format!("{}={release}", source.package),
        Registry::Cargo => format!("{}@{release}", source.package),
    };
    Package { from: source.from, requirement, driver: source.driver, program: source.program.clone() }
}

/// How the solver was installed, in Markdown.
pub(super) fn installed(f: &Finding) -> Option<String> {
    let package = package(f)?;
    let name = &package.requirement;
    Some(match (package.from, package.driver) {
        (Registry::Pypi, None) => format!("The program in the Python package: `pip install {name}`"),
        (Registry::Pypi, Some(Driver::Cvc5)) => format!(
            "The library in the Python package `{name}`, called by a small C program that takes the options of the command line"
        ),
        (Registry::Debian, _) => format!("The package `{name}` of Debian"),
        (Registry::Cargo, _) => format!("`cargo install {name}`"),
    })
}
