//! The command line of cvc5 and CVC4: `--flag`, `--no-flag`, `--flag=value`, `--flag value`, short flags, one file.

use super::{Line, Refusal, Request};
use std::ffi::OsString;
use std::path::PathBuf;

pub(super) const HELP: &str = "  --lang LANG, -L LANG      smt, smt2, smt2.6
  --incremental, -i         no effect: sessions are incremental
  --produce-models, -m      models can be requested
  --produce-unsat-cores     cores can be requested
  --dump-models             print a model after each sat
  --dump-unsat-cores        print a core after each unsat
  --tlimit=MS               time of the whole process
  --tlimit-per=MS           time of each check
  --rlimit-per=N, --seed=N  work of each check; random seed
  --stats, --quiet, -q      print statistics; no effect
  --NAME, --NAME=VALUE      any other option of the session, such as --strings-exp
  --version, --help
";

/// Flags whose value may be the next word.
const WITH_VALUE: &[&str] = &[
    "lang",
    "input-language",
    "output-lang",
    "output-language",
    "output",
    "force-logic",
    "tlimit",
    "tlimit-per",
    "rlimit",
    "rlimit-per",
    "seed",
    "random-seed",
    "sat-random-seed",
    "verbosity",
    "decision",
    "simplification",
];

/// Reads the words after the name of the program.
pub(super) fn read(words: &[OsString]) -> Result<Line, Refusal> {
    let mut request = Request::default();
    let mut rest = words.iter();
    let mut files_only = false;
    while let Some(word) = rest.next() {
        let text = word.to_str().unwrap_or_default();
        if text == "--" && !files_only {
            files_only = true;
            continue;
        }
        let Some(flag) = text.strip_prefix('-').filter(|flag| !flag.is_empty() && !files_only) else {
            add_file(&mut request, PathBuf::from(word))?;
            continue;
        };
        let flags = match flag.strip_prefix('-') {
            Some(long) => vec![long.to_owned()],
            None => short_flags(flag).ok_or_else(|| unrecognized(text))?,
        };
        for flag in flags {
            let (name, mut value) = match flag.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (flag.as_str(), None),
            };
            match name {
                "version" => return Ok(Line::Version),
                "help" => return Ok(Line::Help),
                _ => {}
            }
            if value.is_none() && (WITH_VALUE.contains(&name) || solver::session::takes_value(name)) {
                let next = rest.next().and_then(|word| word.to_str());
                value = Some(next.ok_or_else(|| missing(name))?.to_owned());
            }
            apply(&mut request, name, value)?;
        }
    }
    Ok(Line::Solve(request))
}

/// The long forms of short flags, which may be joined: `-im`.
fn short_flags(flags: &str) -> Option<Vec<String>> {
    short(flags).map(|flag| vec![flag]).or_else(|| flags.chars().map(|c| short(&c.to_string())).collect())
}

/// The long form of a short flag; `-L` may have its value attached.
fn short(flag: &str) -> Option<String> {
    let long = match flag {
        "i" => "incremental",
        "m" => "produce-models",
        "q" | "quiet" => "quiet",
        "v" | "vv" | "vvv" => "verbose",
        "qq" => "quiet",
        "V" => "version",
        "h" => "help",
        "L" => "lang",
        "s" => "seed",
        "o" => "output",
        _ => return flag.strip_prefix('L').map(|value| format!("lang={value}")),
    };
    Some(long.to_owned())
}

fn apply(request: &mut Request, name: &str, value: Option<String>) -> Result<(), Refusal> {
    match (name, value) {
        ("quiet" | "verbose" | "interactive" | "no-interactive", _) => {}
        ("output" | "output-lang" | "output-language", _) => {}
        ("force-logic", _) => {}
        ("lang" | "input-language", Some(lang)) => language(&lang)?,
        ("tlimit", Some(ms)) => {
            let ms: u64 = ms.parse().map_err(|_| missing(name))?;
            request.total_ms = Some(ms).filter(|&ms| ms > 0);
        }
        ("dump-models", None) => request.show_models = true,
        ("dump-unsat-cores", None) => request.show_cores = true,
        ("stats", None) => request.stats = true,
        (_, value) => request.options.push(session_option(name, value)),
    }
    Ok(())
}

/// A flag as an option of the session: `--no-NAME` sets it to false, `--NAME` to true.
fn session_option(name: &str, value: Option<String>) -> (String, String) {
    match (name.strip_prefix("no-"), value) {
        (_, Some(value)) => (name.to_owned(), value),
        (Some(name), None) => (name.to_owned(), "false".into()),
        (None, None) => (name.to_owned(), "true".into()),
    }
}

/// An error unless scripts are SMT-LIB 2.
fn language(name: &str) -> Result<(), Refusal> {
    let version = name.strip_prefix("smtlib").or_else(|| name.strip_prefix("smt"));
    match version {
        Some("" | "2" | "2.0" | "2.5" | "2.6" | "2.6.1" | "2.7") => Ok(()),
        _ => Err(Refusal { message: format!("the language {name} is not supported"), code: 1 }),
    }
}

fn add_file(request: &mut Request, file: PathBuf) -> Result<(), Refusal> {
    match request.file.replace(file) {
        None => Ok(()),
        Some(_) => Err(Refusal { message: "Too many input files specified.".into(), code: 1 }),
    }
}

fn missing(name: &str) -> Refusal {
    Refusal { message: format!("option --{name} needs a value"), code: 1 }
}

/// The refusal of a flag.
pub(super) fn unrecognized(name: &str) -> Refusal {
    let name = name.trim_start_matches('-');
    Refusal { message: format!("unrecognized option: {name}, or a value that is not supported"), code: 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Result<Line, Refusal> {
        let words: Vec<OsString> = text.split_whitespace().map(OsString::from).collect();
        read(&words)
    }

    fn request(text: &str) -> Request {
        match line(text) {
            Ok(Line::Solve(request)) => request,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn the_command_lines_of_clients_are_read() {
        for text in [
            "--quiet --lang=smt2 --incremental",
            "-q --no-interactive --lang smt2 --produce-models",
            "--lang smt --incremental --nl-cov",
            "--lang smt2 --incremental --strings-exp --fp-exp",
            "--lang=smt -q --strings-exp",
            "--rewrite-divk --lang smt --finite-model-find",
        ] {
            assert_eq!(request(text).file, None, "{text}");
        }
        let r = request("--produce-models --lang smt --quiet --strings-exp --tlimit=10000 a.smt2");
        assert_eq!((r.total_ms, r.file), (Some(10_000), Some("a.smt2".into())));
        assert_eq!(request("--tlimit 500").total_ms, Some(500));
        assert_eq!(request("--no-strings-exp").options, [("strings-exp".into(), "false".into())]);
        assert_eq!(request("--seed=4 -").options, [("seed".into(), "4".into())]);
        assert_eq!(request("-s 4").options, [("seed".into(), "4".into())]);
        assert_eq!(request("-qim").options.len(), 2);
        assert_eq!(request("--user-pat use --macros-quant -- -a.smt2").file, Some("-a.smt2".into()));
    }

    #[test]
    fn other_languages_and_bad_values_are_refused() {
        for text in ["--lang=sygus2", "--lang tptp", "--lang", "--tlimit=x", "-x", "a.smt2 b.smt2"] {
            assert!(line(text).is_err(), "{text}");
        }
    }
}
