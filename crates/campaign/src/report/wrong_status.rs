//! Files whose `:status` is wrong: they state `unsat`, and a model that the referee accepts satisfies them.

use super::data::Data;
use crate::clean::{counted, one_line};

/// Maximum number of files in a line; the rest are counted.
const MAX_FILES: usize = 5;

/// `1 file states a wrong :status: a.smt2 (a model satisfies it)`; none if there are none.
pub(super) fn line(data: &Data) -> Option<String> {
    let n = data.wrong_status.len();
    let names = data.wrong_status.iter().take(MAX_FILES).map(|&at| one_line(&data.instances[at].name));
    let mut names: Vec<String> = names.collect();
    if n > MAX_FILES {
        names.push(format!("… and {} more", n - MAX_FILES));
    }
    let (state, satisfies) =
        if n == 1 { ("states", "a model satisfies it") } else { ("state", "models satisfy them") };
    let files = counted(n as u64, "file");
    (n > 0).then(|| format!("{files} {state} a wrong :status: {} ({satisfies})", names.join(", ")))
}
