//! Cores: named assertions that are unsatisfiable together.
//!
//! A core is refuted by a model of it. Such models are known: for each member of the known minimal core, one of all other
//! assertions. So a core without a member is refuted by that member's model, and a core with all members is unsatisfiable, and
//! minimal only if it has no others. Comparing lists decides nothing: there may be other minimal cores than the known one,
//! and a core that no known model refutes is undetermined.

use super::evidence;
use super::output::Reply;
use super::{Bench, Judged};
use crate::compose::Requests;
use crate::outcome::{Answer, CoreCheck, Kind};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::Satisfaction;
use semantics::referee::Check;
use smt::{Pool, Term};

impl Bench<'_> {
    /// The verdict on a correct `unsat`, by its core.
    pub(super) fn core(&self, n: usize, reply: &Reply, requested: Requests, pool: &mut Pool) -> Judged {
        let found =
            |kind, core, evidence: String| Judged { core, ..Judged::new(kind, Answer::Unsat, evidence) };
        let undetermined = |core, why: String| found(Kind::CoreUndetermined, core, why);
        if !requested.core {
            return found(Kind::CorrectUnsat, CoreCheck::Absent, String::new());
        }
        let check = self.case.check(n);
        let terms = named(pool, &check);
        let assumed = assumptions(pool, &check);
        let known = |name: &str| terms.contains_key(name) || assumed.contains(name);
        let Some(core) = reply.core(known) else {
            let why = reply.unreadable();
            let check = if why.is_some() { CoreCheck::Unreadable } else { CoreCheck::Absent };
            return undetermined(
                check,
                why.map_or("no core was printed".into(), |w| format!("its core: {w}")),
            );
        };
        if let Some(foreign) = core.iter().find(|name| !known(name.as_str())) {
            let evidence = format!("the core names `{foreign}`, which was not asserted\n{}", shown(core));
            return found(Kind::ForeignCore, CoreCheck::Foreign, evidence);
        }
        let mut core: Vec<String> = core.iter().filter(|name| !assumed.contains(*name)).cloned().collect();
        core.sort_unstable();
        core.dedup();
        let core = &core[..];
        let Some(known) = self.case.certificate.core().filter(|_| self.case.checks() == 1) else {
            // Nothing to judge it by; the answer itself is correct.
            return found(Kind::CorrectUnsat, CoreCheck::Undetermined, String::new());
        };
        let missing: Vec<&String> = known.iter().filter(|name| !core.contains(name)).collect();
        if missing.is_empty() && core.len() == known.len() {
            return found(Kind::MinimalCore, CoreCheck::Minimal, String::new());
        }
        if missing.is_empty() {
            let evidence = format!("{}\nsmaller: {}", shown(core), shown(&known));
            return found(Kind::ImpreciseCore, CoreCheck::Imprecise, evidence);
        }
        let terms = terms.into_iter().map(|(name, t)| (name.to_owned(), t)).collect();
        match missing.iter().find_map(|name| self.refute(name, core, &terms, &check)) {
            Some(text) => found(
                Kind::UnsoundCore,
                CoreCheck::Satisfiable,
                format!("{}\nthis model satisfies every assertion of it\n{text}", shown(core)),
            ),
            None => {
                undetermined(CoreCheck::Undetermined, format!("{}\nno known model refutes it", shown(core)))
            }
        }
    }

    /// The known model of all assertions but `name`, if it satisfies all of `core` and the assertions without a name.
    fn refute(
        &self,
        name: &str,
        core: &[String],
        terms: &FxHashMap<String, Term>,
        check: &Check,
    ) -> Option<String> {
        let mut pool = self.case.pool.clone();
        let model = self.case.certificate.drop_model(name, &mut pool)?;
        let kept = |t: &Term| core.iter().any(|c| terms[c] == *t) || pool.given_name(*t).is_none();
        let assertions = check.assertions.iter().copied().filter(|(_, t)| kept(t)).collect();
        let part = Check { assertions, assumptions: Vec::new(), command: check.command };
        let account = evidence::account(self.case, &mut pool, &model, &part, self.rules.config());
        if account.truth != Satisfaction::Holds {
            return None;
        }
        Some(account.text + &self.other_reading(&pool, &model, &part, true))
    }
}

fn named<'p>(pool: &'p Pool, check: &Check) -> FxHashMap<&'p str, Term> {
    let name = |&(_, t): &(usize, Term)| Some((pool.names.name(pool.given_name(t)?), t));
    check.assertions.iter().filter_map(name).collect()
}

/// The names of the assumptions of `check-sat-assuming` in a core: solvers list them as well.
fn assumptions(pool: &Pool, check: &Check) -> FxHashSet<String> {
    let mut names = FxHashSet::default();
    for &t in &check.assumptions {
        let mut atom = t;
        while pool.head(atom) == smt::Head::Op(smt::Op::Not) {
            atom = pool.args(atom)[0];
        }
        for t in [t, atom] {
            let text = smt::print::term_text(pool, t);
            names.insert(text.trim_matches('|').to_owned());
            names.insert(text);
        }
    }
    names
}

fn shown(core: &[String]) -> String {
    let core: Vec<_> = core.iter().map(|name| smt::symbol::quote(name)).collect();
    format!("core: ({})", core.join(" "))
}
