//! A finding as a file of `regress/known-wrong`: the script with its certificate, and a comment on top that names the solver, its version
//! and the wrong result.

use campaign::clean::one_line;
use campaign::finding::{Finding, words};
use campaign::outcome::Kind;

/// The text of the file.
pub fn entry(f: &Finding) -> String {
    let name = if f.solver.profile.is_empty() { &f.solver.name } else { &f.solver.profile };
    let version = words::version(f).map_or_else(String::new, |v| format!(" {v}"));
    let reduced = if f.reduced.runs > 0 && f.reduced.origin_bytes > f.reduced.bytes {
        " Reduced automatically."
    } else {
        ""
    };
    let script = f.reduced.script.trim_end();
    format!("; {}{version}: {}.{reduced}\n{script}\n", one_line(name), one_line(&result(f)))
}

/// The wrong result, in a few words.
fn result(f: &Finding) -> String {
    let o = &f.observed;
    match f.kind {
        Kind::WrongUnsat | Kind::WrongSat | Kind::OverApproximation | Kind::Unknown => o.answer.to_string(),
        Kind::UnsoundCore => {
            let names: Vec<_> = o.core.iter().flatten().map(|n| smt::symbol::quote(n).into_owned()).collect();
            format!("the unsat core ({}), which is satisfiable", names.join(" "))
        }
        kind => words::failure(kind).to_lowercase(),
    }
}
