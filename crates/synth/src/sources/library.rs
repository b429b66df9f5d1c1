//! The rules that formulas are built around, loaded once.

use crate::rules::ALL;
use semantics::Config;
use semantics::rule::{self, Domain, Rule};
use smt::diag::Diagnostic;
use smt::{Pool, Term, Walk};

/// Rules with their terms.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// The terms.
    pub pool: Pool,
    /// The rules.
    pub rules: Vec<Rule>,
}

impl Library {
    /// The shipped rules that need no quantifier.
    pub fn shipped() -> Library {
        let mut library = Library::default();
        for (_, text) in ALL {
            library.add(text).expect("shipped rules are valid");
        }
        library
    }

    /// Adds the rules of a file.
    pub fn add(&mut self, text: &str) -> Result<(), Vec<Diagnostic>> {
        let rules = rule::load(text.as_bytes(), &mut self.pool)?;
        let pool = &self.pool;
        let plain =
            |r: &Rule| [Some(r.lhs), Some(r.rhs), r.when].into_iter().flatten().all(|t| is_plain(pool, t));
        self.rules.extend(rules.into_iter().filter(plain));
        Ok(())
    }

    /// The first rule that does not hold on all small values, and why.
    pub fn refuted(&self) -> Option<(String, String)> {
        let mut pool = self.pool.clone();
        let domain = Domain::small(&mut pool);
        let found = self.rules.iter().map(|r| (r, r.verify(&mut pool, &domain, Config::default())));
        found.filter(|(_, v)| !v.ok()).map(|(r, v)| (r.name.clone(), v.summary())).next()
    }
}

/// A term without quantifiers, annotations and defined functions.
fn is_plain(pool: &Pool, t: Term) -> bool {
    let mut walk = Walk::new([t]);
    while let Some(t) = walk.next() {
        if matches!(pool.head(t), smt::Head::Annot(_) | smt::Head::Fun(_)) || pool.head(t).is_binder() {
            return false;
        }
        walk.extend(pool.args(t).iter().copied());
    }
    true
}
