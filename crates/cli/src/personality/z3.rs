//! The command line of z3: `-flag`, `/flag`, `-flag:value`, `parameter=value`, one file.

use super::{Line, Refusal, Request};
use std::ffi::OsString;
use std::path::PathBuf;

pub(super) const HELP: &str = "  -in               a session on stdin
  -smt2 -nw -v:N    no effect
  -T:SECONDS        time of the whole process
  -t:MILLISECONDS   time of each check
  -memory:MB        a check that needs more memory is unknown
  -model            print a model after each sat
  -st               print statistics
  NAME=VALUE        an option of the session, such as timeout=500
  -p, -pd           the options that have an effect
  -version, -h
";

/// Reads the words after the name of the program.
pub(super) fn read(words: &[OsString]) -> Result<Line, Refusal> {
    let mut request = Request::default();
    let mut files_only = false;
    for word in words {
        let Some(text) = word.to_str().filter(|_| !files_only) else {
            add_file(&mut request, PathBuf::from(word));
            continue;
        };
        if text == "--" {
            files_only = true;
            continue;
        }
        match flag(text) {
            Some((name, value)) => match name {
                "version" => return Ok(Line::Version),
                "h" | "?" | "help" => return Ok(Line::Help),
                "p" | "pd" => return Ok(Line::Parameters),
                "file" => {
                    let file = value.filter(|file| !file.is_empty()).ok_or_else(|| invalid(text))?;
                    add_file(&mut request, PathBuf::from(file));
                }
                _ => apply(&mut request, text, name, value)?,
            },
            None => match text.split_once('=').filter(|(name, _)| is_parameter(name)) {
                Some((name, value)) if name.starts_with("memory_") && value.parse::<u64>().is_ok() => {
                    if name == "memory_max_size" {
                        request.memory_mib = mebibytes(value.parse().unwrap_or(0));
                    }
                }
                Some((name, value)) => request.options.push((name.to_owned(), value.to_owned())),
                None => add_file(&mut request, PathBuf::from(word)),
            },
        }
    }
    Ok(Line::Solve(request))
}

/// The name and value of a flag: `-T:5`, `--version`, `/in`. A path is not a flag.
fn flag(text: &str) -> Option<(&str, Option<&str>)> {
    let slash = |text: &'_ str| text.strip_prefix('/').is_some_and(|rest| KNOWN.contains(&head(rest)));
    let name = match text.strip_prefix('-') {
        Some(rest) => rest.strip_prefix('-').unwrap_or(rest),
        None if slash(text) => &text[1..],
        None => return None,
    };
    Some((head(name), name.split_once(':').map(|(_, value)| value)))
}

fn head(flag: &str) -> &str {
    flag.split(':').next().unwrap_or(flag)
}

/// The flags, for those that start with a slash.
const KNOWN: &[&str] = &[
    "in", "smt2", "nw", "v", "T", "t", "memory", "model", "st", "version", "h", "?", "dl", "dimacs", "log",
    "wcnf", "opb", "lp",
];

/// The name of a parameter: words with dots, dashes and underscores.
fn is_parameter(name: &str) -> bool {
    let letter = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    !name.is_empty() && name.bytes().all(letter)
}

fn apply(request: &mut Request, text: &str, name: &str, value: Option<&str>) -> Result<(), Refusal> {
    let number = || match value {
        None | Some("") => Err(invalid(text)),
        Some(v) => v.parse::<u64>().map_err(|_| invalid_number(name)),
    };
    match name {
        "in" | "smt2" | "nw" | "warning" => {}
        "v" => drop(number()?),
        "memory" => request.memory_mib = mebibytes(number()?),
        "T" => request.total_ms = Some(number()?.saturating_mul(1000)).filter(|&ms| ms > 0),
        "t" => request.options.push(("timeout".into(), number()?.to_string())),
        "model" => request.show_models = true,
        "st" => request.stats = true,
        _ => return Err(invalid(text)),
    }
    Ok(())
}

/// The first file is read, as in z3.
#[allow(clippy::print_stderr, reason = "the output of the solver whose place is taken")]
fn add_file(request: &mut Request, file: PathBuf) {
    match request.file {
        None => request.file = Some(file),
        Some(_) => eprintln!("WARNING: input file was already specified."),
    }
}

/// A limit of memory; zero is none.
fn mebibytes(n: u64) -> Option<u64> {
    Some(n).filter(|&n| n > 0)
}

fn invalid(text: &str) -> Refusal {
    Refusal {
        message: format!("Error: invalid command line option: {text}\nFor usage information: z3 -h"),
        code: 109,
    }
}

fn invalid_number(name: &str) -> Refusal {
    Refusal {
        message: format!(
            "Error: invalid argument for -{name} option, it must be a non-negative integer.\nFor usage information: z3 -h"
        ),
        code: 109,
    }
}

/// The refusal of `name=value`.
pub(super) fn unknown_parameter(name: &str) -> Refusal {
    Refusal {
        message: format!("ERROR: unknown parameter '{name}', or a value that is not supported"),
        code: 110,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(line: &str) -> Request {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        match read(&words) {
            Ok(Line::Solve(request)) => request,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn the_command_lines_of_clients_are_read() {
        for line in [
            "-smt2 -in -v:0",
            "-in -smt2",
            "-nw -in -smt2",
            "-in -T:1",
            "/in",
            "-memory:2000 -in",
            "memory_max_size=2000 -in",
        ] {
            assert_eq!(request(line).file, None, "{line}");
        }
        assert_eq!(request("-in -T:2").total_ms, Some(2000));
        let r = request("-t:500 smt.random_seed=7 a.smt2");
        assert_eq!(r.file, Some("a.smt2".into()));
        assert_eq!(r.options, [("timeout".into(), "500".into()), ("smt.random_seed".into(), "7".into())]);
        assert!(request("-model a.smt2").show_models);
        assert_eq!(request("a.smt2 b.smt2").file, Some("a.smt2".into()));
        assert_eq!(request("-- -a.smt2").file, Some("-a.smt2".into()));
        assert_eq!(request("-file:a.smt2").file, Some("a.smt2".into()));
        assert_eq!(request("/tmp/in.smt2").file, Some("/tmp/in.smt2".into()));
        assert_eq!(request("dir=x/a.smt2").options.len(), 1, "as in z3, a word with = is a parameter");
    }

    #[test]
    fn unknown_flags_are_refused() {
        for line in ["-foo", "-file:", "-T:", "-T:x", "-t:-1", "-dimacs", "--incremental"] {
            let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
            assert!(read(&words).is_err(), "{line}");
        }
    }
}
