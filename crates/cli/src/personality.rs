//! Personalities: this program under the name and with the command line of another solver.
//!
//! Programs that drive z3, cvc5 or CVC4 start it by name, with flags of its own. Called by such a name (`stringent link DIR` makes
//! the links), or as `stringent solve --as z3 …`, this program reads those flags, and prints the version, the header of models and the errors in
//! the form of that solver. A flag that only changes heuristics has no effect; one that is not known, or that would change answers, is an error.
//!
//! Options that are also options of sessions (`timeout=500`, `--strings-exp`) are read from the table of sessions, so that
//! there is one list of them.

mod cvc;
mod z3;

use solver::session::Style;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A solver whose place this program can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Personality {
    /// z3.
    Z3,
    /// cvc5.
    Cvc5,
    /// CVC4.
    Cvc4,
}

impl Personality {
    /// All of them.
    pub(crate) const ALL: [Personality; 3] = [Personality::Z3, Personality::Cvc5, Personality::Cvc4];

    /// The name of the program.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Personality::Z3 => "z3",
            Personality::Cvc5 => "cvc5",
            Personality::Cvc4 => "cvc4",
        }
    }

    fn named(name: &str) -> Option<Personality> {
        Personality::ALL.into_iter().find(|p| p.name() == name)
    }

    /// The form of models and errors.
    pub(crate) fn style(self) -> Style {
        match self {
            Personality::Z3 => Style::Z3,
            Personality::Cvc5 => Style::Cvc5,
            Personality::Cvc4 => Style::Cvc4,
        }
    }

    /// The answer to `--version`: the first line has the shape that clients search for a version, and our name.
    fn version(self) -> String {
        let (version, own) = (self.style().version(), env!("CARGO_PKG_VERSION"));
        match self {
            Personality::Z3 => format!("Z3 version {version} - 64 bit - stringent {own}"),
            Personality::Cvc5 => format!("This is cvc5 version {version} [stringent {own}]"),
            Personality::Cvc4 => format!("This is CVC4 version {version} [stringent {own}]"),
        }
    }
}

/// A command line of another solver, as a request to ours.
#[derive(Debug, Default)]
pub(crate) struct Request {
    /// The script; none for a session on stdin.
    pub(crate) file: Option<PathBuf>,
    /// Options of the session, by name and value.
    pub(crate) options: Vec<(String, String)>,
    /// The time of the whole process, in milliseconds.
    pub(crate) total_ms: Option<u64>,
    /// The memory of the process, in MiB.
    pub(crate) memory_mib: Option<u64>,
    /// Print a model after each `sat`.
    pub(crate) show_models: bool,
    /// Print a core after each `unsat`.
    pub(crate) show_cores: bool,
    /// Write statistics to stderr.
    pub(crate) stats: bool,
}

/// The meaning of a command line.
#[derive(Debug)]
enum Line {
    Solve(Request),
    Version,
    Help,
    /// The options of z3's command line.
    Parameters,
}

/// A flag that cannot be taken, in the words of the solver; and the exit code.
#[derive(Debug, PartialEq, Eq)]
struct Refusal {
    message: String,
    code: u8,
}

/// The result of reading a command line of another solver.
pub(crate) enum Read {
    /// Solve in its place.
    Solve(Personality, Request),
    /// Version, help or a refusal was printed.
    Printed(ExitCode),
}

/// Reads the command line if this process was started under another name, or by `solve --as NAME`.
pub(crate) fn read() -> Option<Read> {
    let mut words = std::env::args_os();
    let own = words.next()?;
    let words: Vec<OsString> = words.collect();
    let (personality, flags) = selected(Path::new(&own), &words)?;
    Some(interpret(personality, flags))
}

/// The personality that the name of the program, or `solve --as`, selects, and the words that are its flags.
fn selected<'w>(own: &Path, words: &'w [OsString]) -> Option<(Personality, &'w [OsString])> {
    let name = own.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if let Some(personality) = Personality::named(name.strip_suffix(".exe").unwrap_or(name)) {
        return Some((personality, words));
    }
    let word = |i: usize| words.get(i).and_then(|w| w.to_str());
    if word(0) != Some("solve") {
        return None;
    }
    match word(1)?.strip_prefix("--as")? {
        "" => Some((Personality::named(word(2)?)?, &words[3..])),
        rest => Some((Personality::named(rest.strip_prefix('=')?)?, &words[2..])),
    }
}

#[allow(clippy::print_stdout, clippy::print_stderr, reason = "the output of the solver whose place is taken")]
fn interpret(personality: Personality, flags: &[OsString]) -> Read {
    let line = match personality {
        Personality::Z3 => z3::read(flags),
        Personality::Cvc5 | Personality::Cvc4 => cvc::read(flags),
    };
    match line {
        Ok(Line::Version) => println!("{}", personality.version()),
        Ok(Line::Parameters) => print!("{}", parameters()),
        Ok(Line::Help) => print!("{}", help(personality)),
        Ok(Line::Solve(request)) => return Read::Solve(personality, request),
        Err(refusal) => return Read::Printed(refuse(personality, &refusal)),
    }
    Read::Printed(ExitCode::SUCCESS)
}

/// Prints a refusal where the solver does: z3 on stderr, cvc5 as an error on stdout.
#[allow(clippy::print_stdout, clippy::print_stderr, reason = "the output of the solver whose place is taken")]
fn refuse(personality: Personality, refusal: &Refusal) -> ExitCode {
    match personality {
        Personality::Z3 => eprintln!("{}", refusal.message),
        Personality::Cvc5 | Personality::Cvc4 => {
            println!("(error \"{}\")", refusal.message.replace('"', "\"\""));
        }
    }
    ExitCode::from(refusal.code)
}

fn help(personality: Personality) -> String {
    let flags = match personality {
        Personality::Z3 => z3::HELP,
        Personality::Cvc5 | Personality::Cvc4 => cvc::HELP,
    };
    let name = personality.name();
    format!(
        "stringent in the place of {name}.\n\nUsage: {name} [FLAGS] [FILE]\n\n{flags}\nThe options of the built-in solver: stringent solve --help\n"
    )
}

/// The refusal of a file that cannot be opened.
pub(crate) fn no_file(personality: Personality, file: &Path) -> ExitCode {
    let file = file.display();
    let refusal = match personality {
        Personality::Z3 => {
            Refusal { message: format!("(error \"failed to open file '{file}'\")"), code: 108 }
        }
        Personality::Cvc5 | Personality::Cvc4 => {
            Refusal { message: format!("Couldn't open file: {file}"), code: 1 }
        }
    };
    refuse(personality, &refusal)
}

/// The options with an effect, without the colon.
fn parameters() -> String {
    let names = solver::session::option_names().map(|name| format!("    {}\n", name.trim_start_matches(':')));
    format!("Global parameters\n{}", names.collect::<String>())
}

/// The refusal of an option that the session does not have.
pub(crate) fn unknown_option(personality: Personality, name: &str) -> ExitCode {
    let refusal = match personality {
        Personality::Z3 => z3::unknown_parameter(name),
        Personality::Cvc5 | Personality::Cvc4 => cvc::unrecognized(name),
    };
    refuse(personality, &refusal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn the_name_of_the_program_selects() {
        let flags = words("-in -smt2");
        for personality in Personality::ALL {
            let path = Path::new("/opt/bin").join(personality.name());
            assert_eq!(selected(&path, &flags), Some((personality, &flags[..])));
        }
        for other in ["stringent", "z3-4.8.6", "Z3", "cvc"] {
            assert_eq!(selected(Path::new(other), &flags), None, "{other}");
        }
    }

    #[test]
    fn solve_as_selects() {
        let own = Path::new("stringent");
        for line in ["solve --as z3 -in", "solve --as=z3 -in"] {
            let line = words(line);
            let (personality, flags) = selected(own, &line).expect("a personality");
            assert_eq!((personality, flags), (Personality::Z3, &words("-in")[..]));
        }
        for line in
            ["solve --as", "solve --as yices", "solve --assume z3", "solve a.smt2", "test --as z3", ""]
        {
            assert_eq!(selected(own, &words(line)), None, "{line}");
        }
    }
}
