//! Where profiles and solvers are looked for: PATH, the user's profiles, the cache of installed solvers.

use super::Version;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The name of this program in profiles.
pub const SELF: &str = "{self}";

/// This program, if it has a solver.
static OWN: OnceLock<PathBuf> = OnceLock::new();

/// Registers this program: `program solve -` is the solver of the profile `builtin`.
pub fn set_own_program(program: PathBuf) {
    let _ = OWN.set(program);
}

/// Where to look. Tests have their own; programs take it from the environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The directories of PATH.
    pub path: Vec<PathBuf>,
    /// The user's profiles: `$XDG_CONFIG_HOME/stringent/solvers`, else `~/.config/stringent/solvers`.
    pub profiles: Option<PathBuf>,
    /// Installed solvers: `$STRINGENT_CACHE`, else `$XDG_CACHE_HOME/stringent/solvers`, else
    /// `~/.cache/stringent/solvers`.
    pub cache: Option<PathBuf>,
    /// This program, if it has a solver.
    pub own: Option<PathBuf>,
}

/// A solver in the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// Its version, from the name of its directory.
    pub version: Version,
    /// Its program.
    pub program: PathBuf,
}

impl Places {
    /// From the environment.
    pub fn from_env() -> Places {
        let places = Places::from_lookup(|name| std::env::var_os(name).filter(|v| !v.is_empty()));
        Places { own: OWN.get().cloned(), ..places }
    }

    /// From environment variables.
    pub fn from_lookup(var: impl Fn(&str) -> Option<OsString>) -> Places {
        let home = |variable: &str, fallback: &str| {
            let set = var(variable).map(PathBuf::from).filter(|p| p.is_absolute());
            set.or_else(|| var("HOME").map(|h| Path::new(&h).join(fallback)))
        };
        Places {
            path: var("PATH").map(|p| std::env::split_paths(&p).collect()).unwrap_or_default(),
            profiles: home("XDG_CONFIG_HOME", ".config").map(|d| d.join("stringent/solvers")),
            cache: var("STRINGENT_CACHE")
                .map(PathBuf::from)
                .or_else(|| home("XDG_CACHE_HOME", ".cache").map(|d| d.join("stringent/solvers")))
                // Tools run in other directories.
                .map(|d| std::path::absolute(&d).unwrap_or(d)),
            own: None,
        }
    }

    /// A program: this one if it is [`SELF`], a path if it has a `/`, else the first of that name on PATH.
    pub fn find_program(&self, program: &str) -> Option<PathBuf> {
        if program == SELF {
            return self.own.clone();
        }
        if program.contains('/') {
            let path = PathBuf::from(program);
            return is_program(&path).then_some(path);
        }
        self.path.iter().map(|dir| dir.join(program)).find(|p| is_program(p))
    }

    /// The installed solvers of a family, oldest first.
    pub fn installed(&self, family: &str, program: &str) -> Vec<Installed> {
        let entries = self.cache.iter().filter_map(|c| std::fs::read_dir(c).ok()).flatten().flatten();
        let mut found: Vec<Installed> = entries
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let version = Version::parse(name.strip_prefix(family)?.strip_prefix('-')?)?;
                let program = entry.path().join("bin").join(Path::new(program).file_name()?);
                is_program(&program).then_some(Installed { version, program })
            })
            .collect();
        found.sort_by(|a, b| (&a.version, &a.program).cmp(&(&b.version, &b.program)));
        found
    }
}

/// Whether it is a file that may be executed.
pub(crate) fn is_program(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(vars: &[(&str, &str)]) -> Places {
        Places::from_lookup(|name| vars.iter().find(|(n, _)| *n == name).map(|(_, v)| v.into()))
    }

    #[test]
    fn environment_variables_set_the_directories() {
        let p = places(&[("HOME", "/h"), ("PATH", "/a:/b")]);
        assert_eq!(p.path, [PathBuf::from("/a"), "/b".into()]);
        assert_eq!(p.profiles, Some("/h/.config/stringent/solvers".into()));
        assert_eq!(p.cache, Some("/h/.cache/stringent/solvers".into()));
        let p = places(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "/x"), ("XDG_CACHE_HOME", "relative")]);
        assert_eq!(p.profiles, Some("/x/stringent/solvers".into()));
        assert_eq!(p.cache, Some("/h/.cache/stringent/solvers".into()), "relative ones do not count");
        assert_eq!(places(&[("STRINGENT_CACHE", "/c")]).cache, Some("/c".into()));
        assert_eq!(places(&[]), Places::default());
    }
}
