//! `stringent.toml`: the solvers, limits, suites and known failures of a project.
//!
//! It is found in the current folder or a parent of it. Paths in it are relative to its folder. Arguments of the command
//! line win over it.

use crate::profile::{self, Places, spec};
use crate::toml_file::{self, FileError};
use serde::Deserialize;
use smt::diag::did_you_mean;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The name of the file.
pub const FILE: &str = "stringent.toml";

/// A project.
#[derive(Clone, Debug)]
pub struct Project {
    /// The file, as it is shown.
    pub name: String,
    text: String,
    /// The folder that paths in it start from; empty for the current one.
    folder: PathBuf,
    file: File,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    baseline: Option<String>,
    known: Option<String>,
    #[serde(default)]
    solvers: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    limits: Limits,
    #[serde(default)]
    suites: BTreeMap<String, Suite>,
}

/// The limits of runs.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Limits {
    /// Wall-clock time, in seconds.
    time: Option<Spanned<f64>>,
    /// CPU time, in seconds.
    cpu: Option<Spanned<f64>>,
    /// Memory, in MiB; 0 for no limit.
    pub memory: Option<u64>,
    /// Runs at a time.
    pub jobs: Option<NonZero<u16>>,
}

/// A named set of instances.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Suite {
    preset: Option<Spanned<String>>,
    only: Option<Spanned<Vec<String>>>,
    operations: Option<Spanned<Vec<String>>>,
    seed: Option<Spanned<u64>>,
    limit: Option<Spanned<u64>>,
    r#gen: Option<Spanned<String>>,
    count: Option<Spanned<u64>>,
    suite: Option<Spanned<Vec<String>>>,
    paths: Option<Spanned<Vec<String>>>,
    solvers: Option<Spanned<Vec<String>>>,
}

/// Words of a command line, and the place in the file that they come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// The option, or nothing for a verb and its operands.
    pub option: &'static str,
    /// The words.
    pub words: Vec<String>,
    span: Range<usize>,
}

impl Project {
    /// The project of a folder: the file in it or in the nearest parent that has one.
    pub fn find(folder: &Path) -> Result<Option<Project>, FileError> {
        for (up, dir) in folder.ancestors().enumerate() {
            let file = dir.join(FILE);
            if file.is_file() {
                let shown = if up == 0 { PathBuf::from(FILE) } else { file };
                return Project::read(&shown).map(Some);
            }
        }
        Ok(None)
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Project, FileError> {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Project::parse(&path.display().to_string(), &toml_file::text(path)?, folder)
    }

    /// Reads the text of the file `name` in `folder`.
    pub fn parse(name: &str, text: &str, folder: PathBuf) -> Result<Project, FileError> {
        let file: File = toml_file::parse(name, text)?;
        let project = Project { name: name.to_owned(), text: text.to_owned(), folder, file };
        for seconds in [&project.file.limits.time, &project.file.limits.cpu].into_iter().flatten() {
            if !(*seconds.get_ref() > 0.0 && *seconds.get_ref() <= 1e7) {
                return Err(project.mistake(
                    seconds.span(),
                    "expected a number of seconds above 0".into(),
                    None,
                ));
            }
        }
        for suite in project.file.suites.values() {
            project.suite_solvers(suite)?;
        }
        Ok(project)
    }

    /// A mistake in words that were taken from the file.
    pub fn bad_words(&self, words: &Words, message: String) -> FileError {
        self.mistake(words.span.clone(), message, None)
    }

    fn mistake(&self, span: Range<usize>, message: String, hint: Option<String>) -> FileError {
        toml_file::mistake(&self.name, &self.text, span, message, hint)
    }

    /// A path of the file, from the current folder.
    fn path(&self, path: &str) -> String {
        self.folder.join(path).display().to_string()
    }

    /// The file of known failures.
    pub fn baseline(&self) -> Option<PathBuf> {
        self.file.baseline.as_ref().map(|path| PathBuf::from(self.path(path)))
    }

    /// The file of known issues of solvers.
    pub fn known(&self) -> Option<PathBuf> {
        self.file.known.as_ref().map(|path| PathBuf::from(self.path(path)))
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.file.limits
    }

    /// The specifications of all solvers.
    pub fn solvers(&self) -> Vec<String> {
        self.file.solvers.keys().filter_map(|name| self.solver(name)).collect()
    }

    /// The specification of the solver that the project calls so.
    pub fn solver(&self, name: &str) -> Option<String> {
        self.file.solvers.get(name).map(|value| self.spec(name, value.get_ref()))
    }

    /// `z3@5.4.0`, a profile file, or a command.
    fn spec(&self, name: &str, value: &str) -> String {
        let words = spec::words(value).unwrap_or_default();
        let Some(first) = words.first() else { return value.to_owned() };
        let head = first.split(['@', '=', ':']).next().unwrap_or_default();
        let rest = value.strip_prefix(first.as_str());
        match rest {
            Some(rest) if head.ends_with(".toml") => format!("{}{rest}", self.path(first)),
            _ if profile::find(head, &Places::from_env()).is_ok() => value.to_owned(),
            Some(rest) if first.contains('/') => format!("{name}={}{rest}", self.path(first)),
            _ => format!("{name}={value}"),
        }
    }

    /// The names of the suites.
    pub fn suite_names(&self) -> Vec<&str> {
        self.file.suites.keys().map(String::as_str).collect()
    }

    /// The name of the suite that is run if none is named: the only one, or `default`; none if there are no suites.
    pub fn default_suite(&self) -> Result<Option<&str>, String> {
        match &self.suite_names()[..] {
            [] => Ok(None),
            [only] => Ok(Some(only)),
            names if names.contains(&"default") => Ok(Some("default")),
            names => Err(format!(
                "{} has several suites: name one ({}), or call one `default`",
                self.name,
                names.join(", ")
            )),
        }
    }

    fn suite(&self, name: &str) -> Result<&Suite, String> {
        self.file.suites.get(name).ok_or_else(|| {
            let names = self.suite_names();
            let near = did_you_mean(name, names.iter().copied());
            let hint = near.map_or_else(String::new, |n| format!(". Did you mean `{n}`?"));
            format!("there is no suite `{name}` in {}, only: {}{hint}", self.name, names.join(", "))
        })
    }

    /// A suite as words of a command line: of `run` if it has paths, else of `test`.
    pub fn suite_words(&self, name: &str) -> Result<Vec<Words>, String> {
        let suite = self.suite(name)?;
        let mut out = vec![match &suite.paths {
            Some(paths) => {
                let words = paths.get_ref().iter().map(|p| self.path(p));
                Words {
                    option: "",
                    words: ["run".into()].into_iter().chain(words).collect(),
                    span: paths.span(),
                }
            }
            None => Words { option: "", words: vec!["test".into()], span: 0..0 },
        }];
        out.extend(suite.options());
        Ok(out)
    }

    /// The specifications of the solvers of a suite: those it names, else all.
    pub fn solvers_of(&self, name: &str) -> Result<Vec<String>, String> {
        let suite = self.suite(name)?;
        let named = self.suite_solvers(suite).map_err(|e| e.to_string())?;
        Ok(named.unwrap_or_else(|| self.solvers()))
    }

    fn suite_solvers(&self, suite: &Suite) -> Result<Option<Vec<String>>, FileError> {
        let Some(names) = &suite.solvers else { return Ok(None) };
        let known = || self.file.solvers.keys().map(String::as_str);
        let one = |name: &String| {
            self.solver(name).ok_or_else(|| {
                let hint = match did_you_mean(name, known()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("one of {}", known().collect::<Vec<_>>().join(", ")),
                };
                self.mistake(names.span(), format!("there is no `{name}` in [solvers]"), Some(hint))
            })
        };
        names.get_ref().iter().map(one).collect::<Result<_, _>>().map(Some)
    }
}

impl Limits {
    /// Wall-clock time, in seconds.
    pub fn time(&self) -> Option<f64> {
        self.time.as_ref().map(|s| *s.get_ref())
    }

    /// CPU time, in seconds.
    pub fn cpu(&self) -> Option<f64> {
        self.cpu.as_ref().map(|s| *s.get_ref())
    }
}

impl Suite {
    /// Its keys as options.
    fn options(&self) -> Vec<Words> {
        let text = |option, value: &Option<Spanned<String>>| {
            value.as_ref().map(|v| option_words(option, std::slice::from_ref(v.get_ref()), v.span()))
        };
        let number = |option, value: &Option<Spanned<u64>>| {
            value.as_ref().map(|v| option_words(option, &[v.get_ref().to_string()], v.span()))
        };
        let list = |option, value: &Option<Spanned<Vec<String>>>| {
            value.as_ref().map(|v| option_words(option, v.get_ref(), v.span()))
        };
        let all = [
            text("preset", &self.preset),
            list("only", &self.only),
            list("operation", &self.operations),
            number("seed", &self.seed),
            number("limit", &self.limit),
            text("gen", &self.r#gen),
            number("count", &self.count),
            list("suite", &self.suite),
        ];
        all.into_iter().flatten().collect()
    }
}

fn option_words(option: &'static str, values: &[String], span: Range<usize>) -> Words {
    Words { option, words: values.iter().map(|v| format!("--{option}={v}")).collect(), span }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
baseline = \"known.toml\"

[solvers]
z3 = \"z3@5.4.0\"
mine = \"./build/mine --smt2 {file}\"
other = \"other -q\"
tuned = \"profiles/tuned.toml\"

[limits]
time = 5
memory = 2048

[suites.default]
preset = \"full\"
only = [\"constant\", \"core\"]
limit = 300

[suites.files]
paths = [\"benchmarks\"]
solvers = [\"mine\"]
";

    fn project(text: &str) -> Result<Project, String> {
        Project::parse(FILE, text, PathBuf::from("proj")).map_err(|e| e.to_string())
    }

    #[test]
    fn paths_start_at_the_file() {
        let p = project(TEXT).expect("a project");
        assert_eq!(p.baseline(), Some(PathBuf::from("proj/known.toml")));
        assert_eq!(
            p.solvers(),
            [
                "mine=proj/./build/mine --smt2 {file}",
                "other=other -q",
                "proj/profiles/tuned.toml",
                "z3@5.4.0"
            ]
        );
        assert_eq!((p.limits().time(), p.limits().memory, p.limits().jobs), (Some(5.0), Some(2048), None));
    }

    #[test]
    fn suites_are_command_lines() {
        let p = project(TEXT).expect("a project");
        let line = |name: &str| {
            let words = p.suite_words(name).expect("a suite").into_iter().flat_map(|w| w.words);
            words.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(line("default"), "test --preset=full --only=constant --only=core --limit=300");
        assert_eq!(line("files"), "run proj/benchmarks");
        assert_eq!(p.default_suite(), Ok(Some("default")));
        assert_eq!(p.solvers_of("files").expect("a suite"), ["mine=proj/./build/mine --smt2 {file}"]);
        let wrong = p.suite_words("file").expect_err("none");
        assert_eq!(
            wrong,
            "there is no suite `file` in stringent.toml, only: default, files. Did you mean `files`?"
        );
        let several = project("[suites.a]\n[suites.b]\n").expect("a project");
        assert!(several.default_suite().is_err());
    }

    #[test]
    fn mistakes_have_a_place() {
        let wrong = project("[limits]\ntimes = 5\n").expect_err("refused");
        assert!(wrong.starts_with("stringent.toml:2:1: unknown key `times`"), "{wrong}");
        assert!(wrong.contains("^^^^^") && wrong.contains("did you mean `time`?"), "{wrong}");
        let wrong = project("[suites.a]\nlimits = 5\n").expect_err("refused");
        assert!(wrong.starts_with("stringent.toml:2:1: unknown key `limits`"), "{wrong}");
        let wrong = project("[limits]\ntime = -1\n").expect_err("refused");
        assert!(wrong.starts_with("stringent.toml:2:8: expected a number of seconds above 0"), "{wrong}");
        let wrong = project("[solvers]\nz3 = \"z3\"\n[suites.a]\nsolvers = [\"z4\"]\n").expect_err("refused");
        assert!(wrong.starts_with("stringent.toml:4:11: there is no `z4` in [solvers]"), "{wrong}");
        let wrong = project("[suites.a\n").expect_err("refused");
        assert!(wrong.starts_with("stringent.toml:1:"), "{wrong}");
    }
}
