//! Conjectures: verified on a larger domain, and generalised.

use super::grammar::variable;
use super::matching::{occurrences, size};
use rustc_hash::FxHashMap;
use semantics::Config;
use semantics::rule::{Domain, Rule, RuleKind};
use smt::{Head, Pool, Term};

/// The cases in which a conjecture is tried first.
const QUICK: usize = 3_000;

/// `left = right`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Law {
    /// The later term.
    pub left: Term,
    /// The first term of the class.
    pub right: Term,
}

impl Law {
    /// `left = right`.
    pub fn new(left: Term, right: Term) -> Law {
        Law { left, right }
    }

    /// Whether each instance of the right side is smaller than that of the left one.
    pub fn shrinks(&self, pool: &Pool) -> bool {
        let (left, right) = (occurrences(pool, self.left), occurrences(pool, self.right));
        let count = |list: &[Term], v: Term| list.iter().filter(|&&t| t == v).count();
        let is_variable = |t: &&Term| matches!(pool.head(**t), Head::Var(_));
        right.len() < left.len()
            && right.iter().filter(is_variable).all(|&v| count(&right, v) <= count(&left, v))
    }

    /// Its variables.
    pub fn variables(&self, pool: &Pool) -> Vec<Term> {
        let mut found = Vec::new();
        for t in occurrences(pool, self.left).into_iter().chain(occurrences(pool, self.right)) {
            if matches!(pool.head(t), Head::Var(_)) && !found.contains(&t) {
                found.push(t);
            }
        }
        found
    }

    /// As a rule.
    pub fn rule(&self, pool: &Pool) -> Rule {
        Rule {
            name: String::new(),
            doc: String::new(),
            kind: RuleKind::Equality,
            vars: self.variables(pool),
            exists: Vec::new(),
            when: None,
            lhs: self.left,
            rhs: self.right,
            witness: Vec::new(),
            span: smt::diag::Span::default(),
        }
    }
}

/// Verifies conjectures.
#[derive(Debug)]
pub struct Judge {
    domain: Domain,
    cases: usize,
    fresh: u32,
}

impl Judge {
    /// A judge that tries this many cases.
    pub fn new(pool: &mut Pool, cases: usize) -> Judge {
        Judge { domain: Domain::large(pool), cases, fresh: 0 }
    }

    /// The rule of a conjecture, as general as it holds; none if it does not hold.
    pub fn law(&mut self, pool: &mut Pool, law: Law) -> Option<Law> {
        let law = self.holds(pool, law).then(|| self.general(pool, law))?;
        self.holds_in(pool, law, self.cases).then_some(law)
    }

    /// Whether no case refutes it: few cases first.
    fn holds(&mut self, pool: &mut Pool, law: Law) -> bool {
        self.holds_in(pool, law, QUICK) && self.holds_in(pool, law, self.cases)
    }

    fn holds_in(&mut self, pool: &mut Pool, law: Law, cases: usize) -> bool {
        self.domain.max_cases = cases;
        law.rule(pool).verify(pool, &self.domain, Config::default()).ok()
    }

    /// Replaces subterms by variables, the largest first, as long as it holds.
    fn general(&mut self, pool: &mut Pool, law: Law) -> Law {
        let mut law = law;
        let mut parts = occurrences(pool, law.left);
        parts.retain(|&t| t != law.left && !matches!(pool.head(t), Head::Var(_)));
        parts.sort_by_key(|&t| (std::cmp::Reverse(size(pool, t)), t.0));
        parts.dedup();
        for part in parts {
            if !occurrences(pool, law.left).contains(&part) {
                continue;
            }
            self.fresh += 1;
            let v = variable(pool, &format!("v{}", self.fresh), pool.sort_of(part));
            let map = FxHashMap::from_iter([(part, v)]);
            let [left, right] = [law.left, law.right].map(|t| pool.replace(t, &mut map.clone()));
            let wider = Law::new(left, right);
            if !wider.is_trivial(pool) && self.holds(pool, wider) {
                law = wider;
            }
        }
        law
    }
}

impl Law {
    /// Whether both sides are equal, or the right one has a variable that the left one has not.
    fn is_trivial(&self, pool: &Pool) -> bool {
        let left = occurrences(pool, self.left);
        let is_new = |t: &Term| matches!(pool.head(*t), Head::Var(_)) && !left.contains(t);
        self.left == self.right || occurrences(pool, self.right).iter().any(is_new)
    }
}
