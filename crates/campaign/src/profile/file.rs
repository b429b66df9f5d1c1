//! Profile files: the TOML format, and the profile that results for one version of the solver.

use super::error::Mistake;
use super::error::{BadFile, Error};
use super::spec::is_name;
use super::{Batch, Input, KnownIssue, Logic, MemoryLimit, ModelRequest, OptionSet, Profile, Version};
use serde::Deserialize;
use smt::Dialect;
use smt::diag::{Diagnostic, Span, did_you_mean};
use std::collections::BTreeMap;
use toml::Spanned;

/// Declares the settings that a file may give, and that `[[versions]]` may replace, in one list.
macro_rules! settings {
    ($($field:ident: $type:ty,)*) => {
        /// A profile file.
        #[derive(Clone, Debug, Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        pub(crate) struct File {
            /// Its name.
            pub(crate) name: Spanned<String>,
            /// The profile that supplies the missing values.
            pub(crate) base: Option<Spanned<String>>,
            /// A sentence.
            pub(crate) about: Option<String>,
            /// The program.
            pub(crate) program: Option<String>,
            /// How its version is found.
            pub(crate) version: Option<Probe>,
            /// Where it comes from.
            pub(crate) install: Option<Vec<Source>>,
            /// Differences of some versions.
            #[serde(default)]
            versions: Vec<Override>,
            /// Known issues.
            #[serde(default)]
            known: Vec<KnownIssue>,
            /// Sets of options that users use.
            #[serde(default)]
            options: Vec<OptionSet>,
            /// Arguments after those of `args`, or of the base.
            add_args: Option<Vec<String>>,
            $($field: Option<$type>,)*
        }

        /// Differences of some versions: `[[versions]]`.
        #[derive(Clone, Debug, Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        struct Override {
            /// The first of them.
            from: Option<Spanned<String>>,
            /// The first version after them.
            below: Option<Spanned<String>>,
            add_args: Option<Vec<String>>,
            $($field: Option<$type>,)*
        }

        impl File {
            fn apply(&self, profile: &mut Profile) {
                $(if let Some(value) = &self.$field { profile.$field = plain(value); })*
                profile.args.extend(self.add_args.iter().flatten().cloned());
            }
        }

        impl Override {
            fn apply(&self, profile: &mut Profile) {
                $(if let Some(value) = &self.$field { profile.$field = plain(value); })*
                profile.args.extend(self.add_args.iter().flatten().cloned());
            }
        }
    };
}

settings! {
    args: Vec<String>,
    input: Input,
    dialect: Spanned<String>,
    logic: Logic,
    prelude: Vec<String>,
    model: ModelRequest,
    model_prelude: Vec<String>,
    cores: bool,
    core_prelude: Vec<String>,
    incremental_prelude: Vec<String>,
    batch: Batch,
    check_limit: Vec<String>,
    levels: bool,
    over_approximating: bool,
    unsupported: Vec<String>,
    binary: Vec<String>,
    benign: Vec<String>,
    memory: MemoryLimit,
    answers: BTreeMap<String, String>,
}

/// A value without its place in the file.
trait Plain {
    type Value;
    fn plain(&self) -> Self::Value;
}

fn plain<T: Plain>(value: &T) -> T::Value {
    value.plain()
}

macro_rules! plain_by_clone {
    ($($type:ty),*) => { $(impl Plain for $type {
        type Value = $type;
        fn plain(&self) -> $type { self.clone() }
    })* };
}

plain_by_clone!(Vec<String>, BTreeMap<String, String>, Logic, Input, ModelRequest, bool, Batch, MemoryLimit);

/// The name of a dialect; unknown ones are rejected by [`File::mistakes`].
impl Plain for Spanned<String> {
    type Value = Dialect;
    fn plain(&self) -> Dialect {
        self.get_ref().parse().unwrap_or_default()
    }
}

/// How a solver's version is found, and which versions the profile covers.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Probe {
    /// The arguments; none if the version is not determined.
    pub(crate) args: Vec<String>,
    /// The version is the first number after this text.
    #[serde(default)]
    pub(crate) after: String,
    /// The first version that the profile covers.
    pub(crate) from: Option<Spanned<String>>,
    /// The first version that it does not cover.
    pub(crate) below: Option<Spanned<String>>,
}

/// Where a solver comes from: `[[install]]`. The first one with the version is used.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Source {
    /// The kind of registry.
    pub from: Registry,
    /// The package there.
    pub package: String,
    /// The program in the package: a path, in which `*` matches any part of a name. For a package with
    /// libraries only, the library that the driver is linked with.
    #[serde(default)]
    pub program: String,
    /// The package has libraries only, and this is the program that is built from them.
    pub driver: Option<Driver>,
    /// It has these versions only.
    #[serde(default)]
    pub only: Vec<String>,
    /// The first version that it has.
    pub since: Option<String>,
    /// The package's own number of a version, where that differs: `"4.8.0" = "4.8.0.0.post1"`.
    #[serde(default)]
    pub releases: BTreeMap<String, String>,
}

/// A kind of registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Registry {
    /// The Python package index, by pip.
    Pypi,
    /// Debian or a derivative, by apt-get.
    Debian,
    /// crates.io, by cargo.
    Cargo,
}

/// A program that is built from a package's libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Driver {
    /// The C program for the libraries of cvc5.
    Cvc5,
}

impl Source {
    /// Whether it has the version, according to the profile.
    pub fn has(&self, version: &Version) -> bool {
        let parsed = |text: &String| Version::parse(text);
        let listed = self.only.is_empty() || self.only.iter().filter_map(parsed).any(|v| v == *version);
        listed && self.since.as_ref().and_then(parsed).is_none_or(|since| since <= *version)
    }

    /// The package's own number of the version.
    pub fn release(&self, version: &Version) -> String {
        let same = |(ours, _): &(&String, &String)| Version::parse(ours).as_ref() == Some(version);
        self.releases.iter().find(same).map_or(version.as_str(), |(_, theirs)| theirs).to_owned()
    }
}

/// A file that was read and checked.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Where it was read: `z3.toml` for a shipped one, else a path.
    pub origin: String,
    /// Its text.
    pub text: String,
    /// The files that it is based on, and itself.
    layers: Vec<File>,
}

impl Definition {
    /// Reads a file; `base` finds the text of the profile that one is based on.
    pub fn read(
        origin: &str,
        text: &str,
        base: &dyn Fn(&str) -> Option<Definition>,
    ) -> Result<Definition, Error> {
        let bad = |span: std::ops::Range<usize>, message: String, hint: Option<String>| {
            let span = Span::new(span.start, span.end);
            let mut diagnostic = Diagnostic::error(smt::Code::MalformedProfile, span, message);
            diagnostic.hint = hint;
            Error::BadFile(Box::new(BadFile { file: origin.into(), text: text.into(), diagnostic }))
        };
        let file: File = toml::from_str(text).map_err(|e| {
            let (message, hint) = readable(e.message());
            bad(e.span().unwrap_or(0..0), message, hint)
        })?;
        if let Some((span, message, hint)) = file.mistakes().into_iter().next() {
            return Err(bad(span, message, hint.map(Into::into)));
        }
        let mut layers = match &file.base {
            None => Vec::new(),
            Some(name) => match base(name.get_ref()) {
                Some(definition) => definition.layers,
                None => {
                    return Err(bad(name.span(), format!("there is no profile `{}`", name.get_ref()), None));
                }
            },
        };
        layers.push(file);
        Ok(Definition { origin: origin.into(), text: text.into(), layers })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.file().name.get_ref()
    }

    /// The name of the profile whose program it runs, and under which that is installed: its own, or that of
    /// its base.
    pub fn family(&self) -> &str {
        let own = self.layers.iter().rev().find(|l| l.install.is_some() || l.program.is_some());
        own.unwrap_or(self.file()).name.get_ref()
    }

    /// A sentence about it.
    pub fn about(&self) -> &str {
        self.last(|l| l.about.as_deref()).unwrap_or("")
    }

    /// The program.
    pub fn program(&self) -> &str {
        self.last(|l| l.program.as_deref()).unwrap_or_else(|| self.name())
    }

    /// Where it comes from.
    pub fn sources(&self) -> &[Source] {
        self.last(|l| l.install.as_deref()).unwrap_or(&[])
    }

    /// Its known issues, and those of the profiles that it is based on.
    pub fn known(&self) -> impl Iterator<Item = &KnownIssue> {
        self.layers.iter().flat_map(|l| &l.known)
    }

    /// Its sets of options, and those of the profiles that it is based on.
    pub fn options(&self) -> impl Iterator<Item = &OptionSet> {
        self.layers.iter().flat_map(|l| &l.options)
    }

    /// How its version is found.
    pub(crate) fn probe(&self) -> Option<&Probe> {
        self.last(|l| l.version.as_ref()).filter(|p| !p.args.is_empty())
    }

    /// Whether the profile covers this version.
    pub fn covers(&self, version: &Version) -> bool {
        self.layers.iter().filter_map(|l| l.version.as_ref()).all(|p| within(&p.from, &p.below, version))
    }

    /// The versions that it covers, in words: ` below 4.15.2`; empty for all.
    pub fn range(&self) -> String {
        let probes = self.layers.iter().filter_map(|l| l.version.as_ref());
        probes.fold(String::new(), |mut text, p| {
            for (word, bound) in [("from", &p.from), ("below", &p.below)] {
                if let Some(bound) = bound {
                    text += &format!(" {word} {}", bound.get_ref());
                }
            }
            text
        })
    }

    /// The profile for a version; without one, for the newest.
    pub fn profile(&self, version: Option<&Version>) -> Profile {
        let mut profile = Profile {
            name: self.name().into(),
            about: self.about().into(),
            program: self.program().into(),
            ..Profile::default()
        };
        for layer in &self.layers {
            layer.apply(&mut profile);
            for change in layer.versions.iter().filter(|c| c.fits(version)) {
                change.apply(&mut profile);
            }
        }
        profile
    }

    fn file(&self) -> &File {
        self.layers.last().expect("a definition has its own file")
    }

    fn last<'a, T>(&'a self, get: impl Fn(&'a File) -> Option<T>) -> Option<T> {
        self.layers.iter().rev().find_map(get)
    }
}

impl Override {
    /// Whether it applies to this version; without one, to the newest.
    fn fits(&self, version: Option<&Version>) -> bool {
        version.map_or(self.below.is_none(), |version| within(&self.from, &self.below, version))
    }
}

fn within(from: &Option<Spanned<String>>, below: &Option<Spanned<String>>, version: &Version) -> bool {
    let bound = |b: &Option<Spanned<String>>| b.as_ref().and_then(|b| Version::parse(b.get_ref()));
    bound(from).is_none_or(|from| from <= *version) && bound(below).is_none_or(|below| *version < below)
}

impl File {
    /// The errors beyond its syntax.
    fn mistakes(&self) -> Vec<Mistake> {
        let mut found = Vec::new();
        if !is_name(self.name.get_ref()) {
            let message = format!("`{}` cannot be the name of a profile", self.name.get_ref());
            found.push((
                self.name.span(),
                message,
                Some("letters, digits, `.`, `_`, `-`, with a letter first"),
            ));
        }
        let dialects = self.dialect.iter().chain(self.versions.iter().filter_map(|v| v.dialect.as_ref()));
        for dialect in dialects.filter(|d| d.get_ref().parse::<Dialect>().is_err()) {
            let message = format!("unknown dialect `{}`", dialect.get_ref());
            found.push((dialect.span(), message, Some("one of 2.0, 2.5, 2.6, norn")));
        }
        let probe = self.version.iter().flat_map(|p| [&p.from, &p.below]);
        let bounds = probe.chain(self.versions.iter().flat_map(|v| [&v.from, &v.below])).flatten();
        for bound in bounds.filter(|b| Version::parse(b.get_ref()).is_none()) {
            found.push((bound.span(), format!("`{}` is not a version", bound.get_ref()), None));
        }
        found.extend(self.known.iter().flat_map(KnownIssue::mistakes));
        found.extend(self.options.iter().flat_map(OptionSet::mistakes));
        found.sort_by_key(|m| m.0.start);
        found
    }
}

/// The message of the TOML reader, with the nearest name in place of a list of all.
pub(crate) fn readable(message: &str) -> (String, Option<String>) {
    let message = message
        .replace('\n', ", ")
        .replace("unknown field", "unknown key")
        .replace("missing field", "missing key")
        .replace("a sequence", "a list")
        .replace("expected u8", "expected a number from 0 to 255")
        .replace("expected u32", "expected a number from 0")
        .replace("expected u64", "expected a number from 0")
        .replace("expected usize", "expected a number from 0");
    let Some((start, list)) =
        message.split_once(", expected one of ").filter(|_| message.starts_with("unknown"))
    else {
        return (message, None);
    };
    let word = start.split('`').nth(1).unwrap_or("");
    let known = || list.split('`').skip(1).step_by(2);
    let hint = match did_you_mean(word, known()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("one of {}", known().collect::<Vec<_>>().join(", ")),
    };
    (start.to_owned(), Some(hint))
}
