//! The files to attach to an issue.
//!
//! | file | content |
//! |---|---|
//! | `bug.smt2` | the reduced script with its certificate as `set-info` |
//! | `sent.smt2` | the script as the solver reads it |
//! | `bug.json` | the finding |
//! | `issue.md` | the text of the issue |
//! | `reproduce.sh` | runs a solver and compares |
//!
//! The same finding gives the same bytes.

use super::{Context, Issue, shell};
use campaign::finding::Finding;
use std::io;
use std::path::Path;

/// The names and texts of the files.
pub fn files(f: &Finding, context: &Context) -> Vec<(&'static str, String)> {
    let sent = context.asked.script.as_deref().unwrap_or(&f.reduced.sent);
    vec![
        ("bug.smt2", f.reduced.script.clone()),
        ("sent.smt2", sent.to_owned()),
        ("bug.json", json(f)),
        ("issue.md", Issue::of(f, context).markdown()),
        ("reproduce.sh", shell::script(f, &context.asked)),
    ]
}

/// The finding as it is in `bug.json`.
pub fn json(f: &Finding) -> String {
    serde_json::to_string_pretty(f).map_or_else(|e| format!("{e}\n"), |text| text + "\n")
}

/// Writes the files into a folder, which is created.
pub fn write(f: &Finding, context: &Context, folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (name, text) in files(f, context) {
        std::fs::write(folder.join(name), text)?;
    }
    make_executable(&folder.join("reproduce.sh"))
}

#[cfg(unix)]
fn make_executable(file: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}
