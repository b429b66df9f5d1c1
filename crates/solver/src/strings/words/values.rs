//! Values of classes of other sorts than strings and integers, for the candidate model.
//!
//! | sort | value of a class |
//! |---|---|
//! | `Real` | that of the simplex, with a small number for the infinitesimal |
//! | uninterpreted | an element of its own: `(as @U!7 U)` |
//! | set | the elements that are its members |
//! | bit-vector | the bits that are set; without any bit, a value that no other class has |
//! | datatype | its constructor applied to the values of the arguments; without a constructor, a value that no other class has |

use super::{Words, nodes};
use crate::calculus::Calculus;
use crate::egraph::Node;
use crate::rewrite::data::constructor;
use crate::theories::reals;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::symbol::quote;
use smt::term::{Role, SetOp};
use smt::{Fun, Head, Int, Pool, Rat, Sort, Term};
use std::collections::BTreeMap;

/// Attempts to find values that differ.
const ATTEMPTS: usize = 3;

/// A row of the table of a function: arguments and value.
pub(crate) type Row = (Vec<Term>, Term);

/// Values by class.
#[derive(Clone, Default)]
pub(super) struct Values {
    classes: FxHashMap<Node, Term>,
    epsilon: Option<Rat>,
    /// The members of each class of sets.
    members: BTreeMap<Node, Vec<Node>>,
    /// The bits of each class of vectors that has some.
    bits: BTreeMap<Node, Vec<bool>>,
}

impl Values {
    /// The values of all classes of these sorts, where `words` has those of strings and integers.
    pub(super) fn new(c: &mut Calculus<'_>, words: &Words) -> Values {
        let mut out = Values::default();
        if c.state.reals.is_some() {
            let real: Vec<Term> = nodes(c).map(|n| c.term(n)).filter(|&t| c.sort(t) == Sort::REAL).collect();
            out.epsilon = reals::epsilon(c, &real);
        }
        let mut seen: FxHashSet<Node> = FxHashSet::default();
        let mut open: Vec<Node> = Vec::new();
        for n in nodes(c) {
            let sort = c.sort(c.term(n));
            if sort.0 <= Sort::REGLAN.0 || !seen.insert(c.state.egraph.root(n)) {
                continue;
            }
            if c.terms.pool.make_datatype(sort) || is_structured(c.terms.pool, sort) {
                open.push(c.state.egraph.root(n));
            } else {
                let value = element(c.terms.pool, sort, &c.state.egraph.root(n).0.to_string());
                out.classes.insert(c.state.egraph.root(n), value);
            }
        }
        if open.is_empty() {
            return out;
        }
        let constructors = constructors(c);
        out.members = members(c);
        out.bits = bits(c);
        for attempt in 0..ATTEMPTS {
            let mut tried = out.clone();
            if tried.build(c, words, &open, &constructors, 5 + 10 * attempt) || attempt + 1 == ATTEMPTS {
                return tried;
            }
        }
        out
    }

    /// The value of the class of a node.
    pub(super) fn of(&self, c: &mut Calculus<'_>, n: Node) -> Option<Term> {
        let t = c.term(n);
        if c.sort(t) != Sort::REAL {
            return self.classes.get(&c.state.egraph.root(n)).copied();
        }
        let value = self.real(c, t)?;
        Some(c.terms.pool.real(value))
    }

    /// The value of a real term.
    pub(super) fn real(&self, c: &mut Calculus<'_>, t: Term) -> Option<Rat> {
        reals::model_value(c, t, self.epsilon.as_ref()?)
    }

    /// Gives each datatype class a value; the free ones values from number `first` on. False if two have one value.
    fn build(
        &mut self,
        c: &mut Calculus<'_>,
        words: &Words,
        classes: &[Node],
        constructors: &BTreeMap<Node, Node>,
        first: usize,
    ) -> bool {
        let mut used: FxHashSet<Term> = FxHashSet::default();
        let (mut open, mut next, mut distinct) = (classes.to_vec(), first, true);
        while !open.is_empty() {
            let before = open.len();
            let mut rest = Vec::new();
            for root in std::mem::take(&mut open) {
                smt::work::spend(1);
                let value = match constructors.get(&root) {
                    Some(&k) => self.construct(c, words, k),
                    None => self.set(c, words, root).or_else(|| self.vector(c, root)),
                };
                match value {
                    Some(value) => {
                        distinct &= used.insert(value);
                        self.classes.insert(root, value);
                    }
                    None => rest.push(root),
                }
            }
            open = rest;
            if open.len() < before {
                continue;
            }
            // Every open class waits for a free one.
            let is_free = |root: &Node| !constructors.contains_key(root) && !is_set(c, *root);
            let Some(i) = open.iter().position(is_free) else {
                return distinct;
            };
            let root = open.remove(i);
            let sort = c.sort(c.term(root));
            let Some(value) = (0..64).find_map(|k| {
                fresh(c.terms.pool, sort, next + k, &mut Vec::new()).filter(|v| !used.contains(v))
            }) else {
                return distinct;
            };
            next += 1;
            used.insert(value);
            self.classes.insert(root, value);
        }
        distinct
    }

    /// The set of the values of the members of a class; none if one is open, or the class is of another sort.
    fn set(&self, c: &mut Calculus<'_>, words: &Words, root: Node) -> Option<Term> {
        let sort = c.sort(c.term(root));
        c.terms.pool.set_element(sort)?;
        let members = self.members.get(&root).map_or(&[][..], |list| list);
        let values: Option<Vec<Term>> = members.iter().map(|&e| self.part(c, words, e)).collect();
        let mut values = values?;
        values.sort_unstable();
        values.dedup();
        let pool = &mut *c.terms.pool;
        let [singleton, union] =
            ["set.singleton", "set.union"].map(|name| Head::Opaque(pool.names.intern(name)));
        let singletons: Vec<Term> = values.into_iter().map(|v| pool.mk(singleton, sort, &[v])).collect();
        let all = singletons.into_iter().reduce(|all, one| pool.mk(union, sort, &[all, one]));
        Some(all.unwrap_or_else(|| empty_set(pool, sort)))
    }

    /// The vector with the bits of a class; none if it has none, or the class is of another sort.
    fn vector(&self, c: &mut Calculus<'_>, root: Node) -> Option<Term> {
        Some(c.terms.pool.bits_literal(self.bits.get(&root)?))
    }

    /// The value of an argument of a constructor, or of a member of a set.
    fn part(&self, c: &mut Calculus<'_>, words: &Words, a: Node) -> Option<Term> {
        match c.sort(c.term(a)) {
            Sort::BOOL => {
                let value = words.value_term(c, a);
                value.or_else(|| Some(c.terms.pool.bool(false)))
            }
            sort if sort == Sort::REAL || sort.0 > Sort::REGLAN.0 => self.of(c, a),
            _ => words.value_term(c, a),
        }
    }

    /// The constructor of a class with the values of its arguments; none if one is open.
    fn construct(&self, c: &mut Calculus<'_>, words: &Words, k: Node) -> Option<Term> {
        let Head::Fun(f) = c.head(c.term(k)) else { return None };
        let args = c.state.egraph.args(k).to_vec();
        let args: Option<Vec<Term>> = args.into_iter().map(|a| self.part(c, words, a)).collect();
        Some(c.terms.pool.apply(f, &args?))
    }
}

/// A constructor of each class that has one.
fn constructors(c: &Calculus<'_>) -> BTreeMap<Node, Node> {
    let mut out = BTreeMap::new();
    for n in nodes(c) {
        if constructor(c.terms.pool, c.term(n)).is_some() {
            out.entry(c.state.egraph.root(n)).or_insert(n);
        }
    }
    out
}

/// Whether the value of a class is made from other values.
fn is_structured(pool: &Pool, sort: Sort) -> bool {
    pool.set_element(sort).is_some() || pool.bit_width(sort).is_some()
}

fn is_set(c: &Calculus<'_>, root: Node) -> bool {
    c.terms.pool.set_element(c.sort(c.term(root))).is_some()
}

/// The members of the classes of sets.
fn members(c: &Calculus<'_>) -> BTreeMap<Node, Vec<Node>> {
    let mut out: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
    for n in nodes(c) {
        if c.terms.pool.set_op(c.term(n)) == Some(SetOp::Member) && c.state.egraph.same(n, c.state.truth) {
            let &[e, s] = c.state.egraph.args(n) else { continue };
            out.entry(c.state.egraph.root(s)).or_default().push(e);
        }
    }
    out
}

/// The bits of the classes of vectors: those of a member in a circuit.
fn bits(c: &Calculus<'_>) -> BTreeMap<Node, Vec<bool>> {
    let mut out = BTreeMap::new();
    for n in nodes(c) {
        if let Some(bits) = c.inferences.bits(c.term(n)) {
            out.entry(c.state.egraph.root(n)).or_insert(bits);
        }
    }
    out
}

/// The vector of the number `n`, modulo the number of vectors.
fn numbered(pool: &mut Pool, width: usize, n: usize) -> Term {
    let bits: Vec<bool> = (0..width).map(|i| i < usize::BITS as usize && n >> i & 1 == 1).collect();
    pool.bits_literal(&bits)
}

fn empty_set(pool: &mut Pool, sort: Sort) -> Term {
    let name = format!("(as set.empty {})", pool.sort_text(sort));
    let head = Head::Opaque(pool.names.intern(&name));
    pool.mk(head, sort, &[])
}

/// An element of an uninterpreted sort.
fn element(pool: &mut Pool, sort: Sort, number: &str) -> Term {
    let text = pool.sort_text(sort);
    let name = quote(&format!("@{text}!{number}")).into_owned();
    let head = pool.names.intern(&format!("(as {name} {text})"));
    pool.mk(Head::Opaque(head), sort, &[])
}

/// A row of a table for every selector: values where it is applied to another constructor.
pub(crate) fn selectors(pool: &mut Pool) -> Vec<(Fun, Row)> {
    if !pool.has_datatypes() {
        return Vec::new();
    }
    let of_role = |f: &Fun| matches!(pool.fun(*f).role, Role::Selector(..));
    let all: Vec<Fun> = (0..pool.fun_count() as u32).map(Fun).filter(of_role).collect();
    let mut out = Vec::new();
    for f in all {
        let (params, ret) = (pool.fun(f).params.clone(), pool.fun(f).ret);
        let args = params.iter().map(|&s| ground(pool, s, &mut Vec::new())).collect::<Option<Vec<Term>>>();
        if let (Some(args), Some(value)) = (args, ground(pool, ret, &mut Vec::new())) {
            out.push((f, (args, value)));
        }
    }
    out
}

/// Value number `n` of a sort: different numbers give different values if the sort is infinite, as far as numbers go.
fn fresh(pool: &mut Pool, sort: Sort, n: usize, around: &mut Vec<Sort>) -> Option<Term> {
    Some(match sort {
        Sort::BOOL => pool.bool(n % 2 == 1),
        Sort::INT => pool.int(i64::try_from(n).ok()?),
        Sort::REAL => pool.real(Rat::from(Int::from(i64::try_from(n).ok()?))),
        Sort::STRING => pool.string(&vec![u32::from(b'a'); n]),
        Sort::REGLAN | Sort::OPAQUE => return None,
        _ if pool.set_element(sort).is_some() => empty_set(pool, sort),
        _ if pool.make_datatype(sort) => return fresh_data(pool, sort, n, around),
        _ => match pool.bit_width(sort) {
            Some(width) => numbered(pool, width, n),
            None => element(pool, sort, &format!("f{n}")),
        },
    })
}

fn fresh_data(pool: &mut Pool, sort: Sort, n: usize, around: &mut Vec<Sort>) -> Option<Term> {
    if around.len() > 40 {
        return None;
    }
    let list: Vec<(Fun, Vec<Sort>)> =
        pool.datatype(sort)?.constructors.iter().map(|k| (k.fun, pool.fun(k.fun).params.to_vec())).collect();
    around.push(sort);
    // A field that tells values apart: of an infinite sort, first one that is not recursive.
    let mut best: Option<(bool, usize, usize)> = None;
    for (i, (_, fields)) in list.iter().enumerate() {
        for (j, &s) in fields.iter().enumerate() {
            let recursive = pool.has_field(s, sort);
            if !pool.is_finite(s) && best.is_none_or(|b| b.0 && !recursive) {
                best = Some((recursive, i, j));
            }
        }
    }
    let out = match best {
        Some((recursive, i, j)) if n > 0 => {
            let (f, fields) = &list[i];
            let next = if recursive { n - 1 } else { n };
            let mut args = Vec::new();
            for (place, &s) in fields.iter().enumerate() {
                let value =
                    if place == j { fresh(pool, s, next, around) } else { ground(pool, s, &mut Vec::new()) };
                args.push(value);
            }
            let args: Option<Vec<Term>> = args.into_iter().collect();
            args.map(|args| pool.apply(*f, &args))
        }
        _ => ground_data(pool, &list, &mut Vec::new()),
    };
    around.pop();
    out
}

/// A small value of a sort.
fn ground(pool: &mut Pool, sort: Sort, around: &mut Vec<Sort>) -> Option<Term> {
    if !pool.make_datatype(sort) {
        return fresh(pool, sort, 0, around);
    }
    if around.iter().filter(|&&s| s == sort).count() > 1 || around.len() > 40 {
        return None;
    }
    let list: Vec<(Fun, Vec<Sort>)> =
        pool.datatype(sort)?.constructors.iter().map(|k| (k.fun, pool.fun(k.fun).params.to_vec())).collect();
    around.push(sort);
    let out = ground_data(pool, &list, around);
    around.pop();
    out
}

/// The first constructor all of whose arguments have a small value.
fn ground_data(pool: &mut Pool, list: &[(Fun, Vec<Sort>)], around: &mut Vec<Sort>) -> Option<Term> {
    // Constructors without fields first.
    let mut order: Vec<&(Fun, Vec<Sort>)> = list.iter().collect();
    order.sort_by_key(|(_, fields)| fields.len());
    order.into_iter().find_map(|(f, fields)| {
        let args: Option<Vec<Term>> = fields.iter().map(|&s| ground(pool, s, around)).collect();
        Some(pool.apply(*f, &args?))
    })
}
