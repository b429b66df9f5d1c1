//! Files whose `:status` is wrong: they state `unsat`, and a model that the referee accepts satisfies them.

use super::data::{Data, Instance};
use crate::clean::{counted, one_line};
use crate::judge::WRONG_STATUS;
use crate::store::RunRow;
use std::collections::BTreeSet;

/// Maximum number of files in a line; the rest are counted.
const MAX_FILES: usize = 5;

/// The places of these instances; `noted` has the runs with their evidence.
pub(super) fn find(noted: &[RunRow], instances: &[Instance]) -> Vec<usize> {
    let refuted = noted.iter().filter(|r| r.evidence.contains(WRONG_STATUS));
    let ids: BTreeSet<i64> = refuted.map(|r| r.instance).collect();
    (0..instances.len()).filter(|&at| ids.contains(&instances[at].id)).collect()
}

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
