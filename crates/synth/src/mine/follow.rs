//! Which rules follow from others by rewriting.
//!
//! Rules that make terms smaller rewrite both sides of a rule, anywhere in them, until nothing changes. If the results are the same, the rule
//! follows from those. For example, `(str.len (str.replace_all x y y)) = (str.len x)` follows from
//! `(str.replace_all x y y) = x`.

use super::conjecture::Law;
use super::matching::{Binding, occurrences, unify};
use rustc_hash::FxHashMap;
use semantics::rule::{Rule, RuleKind};
use smt::{Head, Op, Pool, Sort, Term};

/// The most steps of one term.
const STEPS: usize = 40;

/// Rules to rewrite with.
#[derive(Debug, Default)]
pub struct Known {
    /// Rules with their condition, by the operator on the left.
    by_head: FxHashMap<Head, Vec<(Law, Vec<Term>)>>,
    /// Equal languages, as written by hand: two sides of a membership.
    languages: Vec<Law>,
}

impl Known {
    /// The rules written by hand.
    pub fn new(pool: &mut Pool, rules: &[Rule]) -> Known {
        let mut known = Known::default();
        for rule in rules.iter().filter(|r| r.exists.is_empty() && r.kind != RuleKind::Implication) {
            let when: Vec<Term> = rule.when.into_iter().collect();
            for law in [Law::new(rule.lhs, rule.rhs), Law::new(rule.rhs, rule.lhs)] {
                known.insert(pool, law, when.clone());
                known.languages.extend(languages(pool, law));
            }
        }
        known
    }

    /// Adds a mined rule.
    pub fn add(&mut self, pool: &Pool, law: Law) {
        self.insert(pool, law, Vec::new());
    }

    fn insert(&mut self, pool: &Pool, law: Law, when: Vec<Term>) {
        self.by_head.entry(pool.head(law.left)).or_default().push((law, when));
    }

    /// Whether a rule follows.
    pub fn imply(&self, pool: &mut Pool, law: Law) -> bool {
        let conditions = law.conditions(pool);
        self.instance(pool, law, &conditions) || {
            let [left, right] = [law.left, law.right].map(|t| self.normal(pool, t, &conditions));
            same(pool, left, right)
        }
    }

    /// Whether it is an instance of a rule, or one written by hand is an instance of it, with a word for a language.
    fn instance(&self, pool: &mut Pool, law: Law, conditions: &[Term]) -> bool {
        let swapped = Law::new(law.right, law.left);
        let direct = [law, swapped].into_iter().any(|l| {
            let rules = self.by_head.get(&pool.head(l.left)).map_or(&[][..], Vec::as_slice);
            rules.iter().any(|(rule, when)| {
                let found = unify(pool, &[(rule.left, l.left), (rule.right, l.right)]);
                found.is_some_and(|binding| allowed(pool, when, &binding, conditions))
            })
        });
        direct
            || pool.sort_of(law.left) == Sort::REGLAN
                && self.languages.iter().any(|rule| {
                    let either =
                        |a: Law, b: Law| unify(pool, &[(a.left, b.left), (a.right, b.right)]).is_some();
                    either(*rule, law) || either(law, *rule)
                })
    }

    /// The term, rewritten.
    fn normal(&self, pool: &mut Pool, t: Term, conditions: &[Term]) -> Term {
        let mut t = t;
        for _ in 0..STEPS {
            let next = occurrences(pool, t)
                .into_iter()
                .find_map(|part| Some((part, self.step(pool, part, conditions)?)));
            let Some((part, new)) = next else { break };
            t = pool.replace(t, &mut FxHashMap::from_iter([(part, new)]));
        }
        t
    }

    fn step(&self, pool: &mut Pool, t: Term, conditions: &[Term]) -> Option<Term> {
        self.by_head.get(&pool.head(t))?.iter().find_map(|(rule, when)| {
            let binding = unify(pool, &[(rule.left, t)]).filter(|_| rule.shrinks(pool))?;
            allowed(pool, when, &binding, conditions).then(|| pool.replace(rule.right, &mut binding.clone()))
        })
    }
}

/// Whether the conditions of a rule are among the given ones.
fn allowed(pool: &mut Pool, when: &[Term], binding: &Binding, conditions: &[Term]) -> bool {
    when.iter().all(|&w| {
        let w = pool.replace(w, &mut binding.clone());
        conditions.contains(&w)
    })
}

/// Equal terms up to the order of arguments.
fn same(pool: &Pool, a: Term, b: Term) -> bool {
    a == b || unify(pool, &[(a, b)]).is_some_and(|binding| binding.iter().all(|(v, t)| v == t))
}

/// The languages of an equivalence of memberships.
fn languages(pool: &Pool, law: Law) -> Option<Law> {
    let member = Head::Op(Op::StrInRe);
    if pool.head(law.left) != member || pool.head(law.right) != member {
        return None;
    }
    let (a, b) = (pool.args(law.left), pool.args(law.right));
    (a[0] == b[0]).then(|| Law::new(a[1], b[1]))
}
