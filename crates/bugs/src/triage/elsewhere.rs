//! Whether a representative also fails on the solver of another failure: it is run there, and the result is kept in the store.
//!
//! Two failures of different versions or options may look alike and have different causes: one was fixed, the other was not. A failure joins the
//! group of another solver only if the representative of that group fails on its own solver, in the same way. A representative that cannot be run
//! there, or whose run cannot be judged, is evidence of nothing, so that the failure is not put there.

use super::failures::Subject;
use super::later;
use campaign::finding::{Finding, Member};
use campaign::host::Host;
use campaign::process::Cancel;
use campaign::store::Store;
use sha2::{Digest as _, Sha256};

/// Seeds that are tried: a crash may depend on them.
const SEEDS: u64 = 3;

/// Runs representatives on other solvers of the campaign.
pub(super) struct Elsewhere<'a> {
    pub(super) store: &'a Store,
    pub(super) subjects: &'a [Subject],
    pub(super) cancel: &'a Cancel,
}

impl Elsewhere<'_> {
    /// The failure of a representative is also one of the solver of another failure.
    pub(super) fn fails(&self, first: &Finding, other: &Member) -> bool {
        if first.solver.name == other.solver {
            return true;
        }
        let key = key(first);
        // Without a table of results, as in a store that cannot be read, it is run again.
        if let Ok(Some(known)) = self.store.elsewhere(&key, &other.solver) {
            return known;
        }
        let Some(fails) = self.run(first, other) else { return false };
        drop(self.store.set_elsewhere(&key, &other.solver, fails));
        fails
    }

    /// None if it cannot be run.
    fn run(&self, first: &Finding, other: &Member) -> Option<bool> {
        let subject = self.subjects.iter().find(|s| s.solver.name == other.solver)?;
        let host = Host { progress: &(), cancel: self.cancel };
        let seeds = other.seed..other.seed.saturating_add(SEEDS);
        let own = Some(first.observed.seed).filter(|seed| !seeds.contains(seed));
        for seed in own.into_iter().chain(seeds.clone()) {
            match later::fails_on(first, subject, seed, &host) {
                Ok(true) => return Some(true),
                Ok(false) if self.cancel.is_cancelled() => return None,
                Ok(false) => {}
                Err(_) => return None,
            }
        }
        Some(false)
    }
}

/// The failure of a representative, hashed.
fn key(first: &Finding) -> String {
    let message = first.fingerprint.message.as_deref().unwrap_or_default();
    let parts = [first.kind.code(), message, &first.solver.name, &first.reduced.script];
    Sha256::digest(parts.join("\n").as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
