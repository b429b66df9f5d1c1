//! `stringent --help`: the verbs by purpose, as in README.md.
//!
//! A new verb gets a place in `GROUPS`; a test fails without it.

use clap::CommandFactory as _;
use clap::error::ErrorKind;
use std::fmt::Write as _;

const GROUPS: [(&str, &[&str]); 6] = [
    ("Test solvers", &["demo", "test", "run", "hunt", "break", "edits"]),
    ("Results", &["report", "serve", "show", "repro"]),
    ("From failures to bug reports", &["triage", "reduce", "bisect", "file"]),
    ("Solve", &["solve", "eval", "link"]),
    (
        "Scripts and rules",
        &["synth", "gen", "suite", "transform", "merge", "stats", "check", "convert", "rules"],
    ),
    (
        "Setup and tools",
        &["solvers", "store", "cluster", "worker", "selftest", "bench", "completions", "man", "help"],
    ),
];

/// What a command line that asks for help gets. Only then is the whole command built, which takes longer than a short run.
pub(crate) fn printed(error: clap::Error) -> Result<clap::ArgMatches, clap::Error> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            grouped(crate::Cli::command()).try_get_matches()
        }
        _ => Err(error),
    }
}

/// The command with its verbs in groups.
fn grouped(mut command: clap::Command) -> clap::Command {
    command.build();
    let header = *command.get_styles().get_header();
    let literal = *command.get_styles().get_literal();
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for (title, verbs) in GROUPS {
        let _ = write!(text, "\n{header}{title}:{header:#}\n");
        for verb in command.get_subcommands().filter(|v| verbs.contains(&v.get_name())) {
            let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {literal}{:<11}{literal:#}  {about}", verb.get_name());
        }
    }
    let _ = write!(text, "\n{header}Options:{header:#}\n{{options}}{{after-help}}");
    command.help_template(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_verb_has_one_place() {
        let mut command = crate::Cli::command();
        command.build();
        let mut verbs: Vec<_> =
            command.get_subcommands().filter(|v| !v.is_hide_set()).map(clap::Command::get_name).collect();
        let mut listed: Vec<_> = GROUPS.iter().flat_map(|(_, verbs)| verbs.iter().copied()).collect();
        verbs.sort_unstable();
        listed.sort_unstable();
        assert_eq!(verbs, listed);
    }

    #[test]
    fn help_names_each_verb_once() {
        let help = grouped(crate::Cli::command()).render_help().to_string();
        for (title, verbs) in GROUPS {
            assert!(help.contains(&format!("\n{title}:\n")), "{title}: {help}");
            for verb in verbs {
                assert_eq!(help.matches(&format!("\n  {verb} ")).count(), 1, "{verb}: {help}");
            }
        }
        assert!(help.trim_end().ends_with("full)."), "{help}");
    }
}
