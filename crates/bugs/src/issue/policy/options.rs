//! The options of a solver in a finding: those of its command line, as words, and those that the script sets, as `:name`.

use campaign::finding::Finding;

/// The options that a failure needs; all that are used, if that is not known.
pub(super) fn used(f: &Finding) -> Vec<String> {
    match &f.options {
        Some(needed) => needed.iter().map(|o| of_script(o).unwrap_or_else(|| o.clone())).collect(),
        None => {
            let mut all = of_command(&f.solver.command);
            all.extend(f.reduced.sent.lines().filter_map(of_script));
            all
        }
    }
}

/// The options of a command line: `-in`, `--strings-exp`, `smt.string_solver=z3str3`.
pub(crate) fn of_command(command: &str) -> Vec<String> {
    let words = command.split_whitespace().skip(1);
    words.filter(|w| w.starts_with('-') || w.contains('=')).map(str::to_owned).collect()
}

/// It tells how input is read, and is no option in the sense of trackers.
pub(crate) fn is_plumbing(option: &str) -> bool {
    matches!(option, "-in" | "-" | "-smt2" | "-q" | "--quiet")
        || option.contains("{file}")
        || option.starts_with("--lang")
}

/// The name in `(set-option :name value)`.
fn of_script(line: &str) -> Option<String> {
    let rest = line.trim_start().strip_prefix("(set-option")?.trim_start();
    let name = rest.split(|c: char| c.is_whitespace() || c == ')').next()?;
    (!name.is_empty()).then(|| name.to_owned())
}

/// One of these patterns matches the option.
pub(super) fn is_allowed(option: &str, patterns: &[String]) -> bool {
    patterns.iter().any(|p| match p.strip_suffix('*') {
        Some(start) => option.starts_with(start),
        None => option == p,
    })
}
