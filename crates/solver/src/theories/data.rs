//! Datatypes.
//!
//! After Barrett, Shikanian and Tinelli, *An abstract decision procedure for a theory of inductive data types* (JSAT 2007).
//! For a class of the e-graph with the members `x`, `(cons a b)` and `(cons d e)`:
//!
//! - injectivity: `a = d` and `b = e`; two constructors are a conflict;
//! - `((_ is cons) x)` is true, other testers are false, `(head x)` is `a`;
//! - without a constructor among the members, but with a true tester: `x = (cons (head x) (tail x))`;
//! - if neither, and a selector or tester is applied to it, or the sort is finite: one of the testers holds;
//! - no class is among its own arguments: `x = (cons a y)` and `y = (cons b x)` are a conflict.
//!
//! A selector of another constructor is a function without meaning: congruence suffices.

use crate::calculus::{Calculus, Stop, equality, stop_if};
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use crate::rewrite::data::constructor;
use rustc_hash::FxHashSet;
use smt::term::Role;
use smt::{Fun, Head, Pool, Sort, Term};
use std::collections::BTreeMap;

/// A class of a datatype sort.
#[derive(Default)]
struct Class {
    /// Applications of constructors.
    constructors: Vec<Node>,
    /// Selectors and testers of a member.
    uses: Vec<Node>,
    /// A member.
    member: Option<Node>,
}

/// All rules. True if facts were derived.
pub(super) fn check(c: &mut Calculus<'_>, terms: &[Term]) -> Result<bool, Stop> {
    let classes = classes(c, terms);
    let mut derived = false;
    for class in classes.values() {
        derived |= injectivity(c, class)?;
        derived |= reduce(c, class);
        derived |= expand(c, class);
    }
    if derived {
        return Ok(true);
    }
    acyclic(c, &classes)?;
    let mut sent = false;
    for class in classes.values() {
        sent |= exhaust(c, class);
    }
    stop_if(sent)?;
    Ok(false)
}

fn role(c: &Calculus<'_>, n: Node) -> Role {
    match c.head(c.term(n)) {
        Head::Fun(f) => c.terms.pool.fun(f).role,
        _ => Role::Plain,
    }
}

/// The classes of datatype sorts, with the relevant terms on them.
fn classes(c: &mut Calculus<'_>, terms: &[Term]) -> BTreeMap<Node, Class> {
    let mut out: BTreeMap<Node, Class> = BTreeMap::new();
    for &t in terms {
        let sort = c.sort(t);
        if sort.0 > Sort::REGLAN.0 && c.terms.pool.make_datatype(sort) {
            let n = c.node(t);
            let class = out.entry(c.state.egraph.root(n)).or_default();
            class.member.get_or_insert(n);
            if constructor(c.terms.pool, t).is_some() {
                class.constructors.push(n);
            }
        }
        let Head::Fun(f) = c.head(t) else { continue };
        if matches!(c.terms.pool.fun(f).role, Role::Selector(..) | Role::Tester(_)) {
            let n = c.node(t);
            let Some(&of) = c.state.egraph.args(n).first() else { continue };
            out.entry(c.state.egraph.root(of)).or_default().uses.push(n);
        }
    }
    out
}

/// Equal constructors have equal arguments.
fn injectivity(c: &mut Calculus<'_>, class: &Class) -> Result<bool, Stop> {
    let Some((&first, others)) = class.constructors.split_first() else { return Ok(false) };
    let mut derived = false;
    for &other in others {
        if c.head(c.term(first)) != c.head(c.term(other)) {
            return Err(c.conflict(Rule::DataClash, &[Premise::Eq(first, other)]));
        }
        let (left, right) = (c.state.egraph.args(first).to_vec(), c.state.egraph.args(other).to_vec());
        for (a, b) in left.into_iter().zip(right) {
            derived |= c.fact(Rule::DataInject, a, b, &[Premise::Eq(first, other)]);
        }
    }
    Ok(derived)
}

/// Selectors and testers of a constructor have their values.
fn reduce(c: &mut Calculus<'_>, class: &Class) -> bool {
    let Some(&k) = class.constructors.first() else { return false };
    let Some(found) = constructor(c.terms.pool, c.term(k)) else { return false };
    let mut derived = false;
    for &n in &class.uses {
        let of = c.state.egraph.args(n)[0];
        let value = match role(c, n) {
            Role::Tester(f) if f == found => c.state.truth,
            Role::Tester(_) => c.state.falsity,
            Role::Selector(f, field) if f == found => c.state.egraph.args(k)[field as usize],
            _ => continue,
        };
        let premises: Vec<Premise> = equality(of, k).into_iter().collect();
        derived |= c.fact(Rule::DataReduce, n, value, &premises);
    }
    derived
}

/// A class without a constructor and with a true tester, or of a datatype with one constructor, is an application of it.
fn expand(c: &mut Calculus<'_>, class: &Class) -> bool {
    if !class.constructors.is_empty() || class.uses.is_empty() {
        return false;
    }
    for &n in &class.uses {
        let of = c.state.egraph.args(n)[0];
        match role(c, n) {
            Role::Tester(f) if c.state.egraph.same(n, c.state.truth) => {
                return build(c, of, f, &[Premise::Eq(n, c.state.truth)]);
            }
            Role::Selector(f, _) if constructors(c.terms.pool, c.sort(c.term(of))).len() == 1 => {
                return build(c, of, f, &[]);
            }
            _ => {}
        }
    }
    false
}

/// `x = (C (s x) …)`
fn build(c: &mut Calculus<'_>, x: Node, f: Fun, premises: &[Premise]) -> bool {
    let t = c.term(x);
    let Some(selectors) = selectors(c.terms.pool, f) else { return false };
    let args: Vec<Term> = selectors.into_iter().map(|s| c.terms.pool.apply(s, &[t])).collect();
    let whole = c.terms.pool.apply(f, &args);
    let whole = c.derived_node(whole);
    c.fact(Rule::DataExpand, x, whole, premises)
}

fn selectors(pool: &Pool, f: Fun) -> Option<Vec<Fun>> {
    let (sort, place) = pool.constructor_of(f)?;
    Some(pool.datatype(sort)?.constructors.get(place)?.selectors.to_vec())
}

fn constructors(pool: &Pool, sort: Sort) -> &[smt::term::Constructor] {
    pool.datatype(sort).map_or(&[], |d| &d.constructors)
}

/// One of the testers holds.
fn exhaust(c: &mut Calculus<'_>, class: &Class) -> bool {
    let Some(member) = class.member else { return false };
    let sort = c.sort(c.term(member));
    if !class.constructors.is_empty() || class.uses.is_empty() && !c.terms.pool.is_finite(sort) {
        return false;
    }
    let of = class.uses.first().map_or(member, |&n| c.state.egraph.args(n)[0]);
    let t = c.term(of);
    let testers: Vec<Fun> = constructors(c.terms.pool, sort).iter().map(|k| k.tester).collect();
    if testers.len() == 1 {
        // A finite datatype with one constructor.
        let f = constructors(c.terms.pool, sort)[0].fun;
        return build(c, of, f, &[]);
    }
    let tests: Vec<Term> = testers.into_iter().map(|f| c.terms.pool.apply(f, &[t])).collect();
    c.lemma(Rule::DataSplit, &[], &tests)
}

/// A class that is on a path.
struct Frame {
    root: Node,
    constructor: Node,
    next: usize,
}

/// No value is a part of itself.
fn acyclic(c: &mut Calculus<'_>, classes: &BTreeMap<Node, Class>) -> Result<(), Stop> {
    let mut done: FxHashSet<Node> = FxHashSet::default();
    for (&start, class) in classes {
        let Some(&k) = class.constructors.first() else { continue };
        if done.contains(&start) {
            continue;
        }
        let mut path = vec![Frame { root: start, constructor: k, next: 0 }];
        while let Some(frame) = path.last_mut() {
            smt::work::spend(1);
            let args = c.state.egraph.args(frame.constructor);
            let Some(&a) = args.get(frame.next) else {
                done.insert(frame.root);
                path.pop();
                continue;
            };
            frame.next += 1;
            let root = c.state.egraph.root(a);
            if let Some(i) = path.iter().position(|f| f.root == root) {
                return Err(cycle(c, &path[i..]));
            }
            let constructor = classes.get(&root).and_then(|class| class.constructors.first());
            if let Some(&constructor) = constructor
                && !done.contains(&root)
            {
                path.push(Frame { root, constructor, next: 0 });
            }
        }
    }
    Ok(())
}

/// Each argument on the path is equal to the next constructor, the last one to the first.
fn cycle(c: &mut Calculus<'_>, path: &[Frame]) -> Stop {
    let mut premises = Vec::new();
    for (i, frame) in path.iter().enumerate() {
        let argument = c.state.egraph.args(frame.constructor)[frame.next - 1];
        let next = path.get(i + 1).unwrap_or(&path[0]).constructor;
        premises.extend(equality(argument, next));
    }
    c.conflict(Rule::DataCycle, &premises)
}
