//! Substitution, subterms and fresh names.

use rustc_hash::{FxHashMap, FxHashSet};
use smt::symbol::Symbol;
use smt::term::{AttrValue, Attribute};
use smt::{Head, Op, Pool, Sort, Term};

/// `t` with terms replaced by others. Nothing is captured: callers use fresh names.
pub fn substitute(pool: &mut Pool, t: Term, map: &FxHashMap<Term, Term>) -> Term {
    pool.replace(t, &mut map.clone())
}

/// The same without patterns.
pub fn substitute_without_patterns(pool: &mut Pool, t: Term, map: &FxHashMap<Term, Term>) -> Term {
    pool.rebuild(t, &mut map.clone(), |pool, t, children| {
        let Head::Annot(id) = pool.head(t) else { return pool.with_children(t, children) };
        let kept = pool.attributes(id).iter().filter(|a| !matches!(a.value, AttrValue::Terms(_)));
        let kept: Box<[Attribute]> = kept.cloned().collect();
        if kept.is_empty() { children[0] } else { pool.annotate(children[0], kept) }
    })
}

/// `t` with `(- 1)` as the constant −1, so that it counts as one constant.
pub fn with_negative_literals(pool: &mut Pool, t: Term) -> Term {
    pool.rebuild(t, &mut FxHashMap::default(), |pool, t, children| {
        match (pool.head(t), children.first().map(|&c| pool.head(c))) {
            (Head::Op(Op::Neg), Some(Head::Int(n))) if children.len() == 1 => {
                let n = -pool.int_value(n).clone();
                pool.int(n)
            }
            _ => pool.with_children(t, children),
        }
    })
}

/// The variables that are free in `t`, in the order of its text. Names are unique: a variable that is bound
/// anywhere is free nowhere.
pub fn free_vars(pool: &Pool, t: Term) -> Vec<Term> {
    let all: Vec<Term> = pool.subterms([t]).collect();
    let bound: FxHashSet<Term> = all.iter().flat_map(|&t| pool.bound_vars(t)).copied().collect();
    let is_free = |t: &Term| matches!(pool.head(*t), Head::Var(_)) && !bound.contains(t);
    all.into_iter().filter(is_free).collect()
}

/// The constants in `t`: strings, integers and Booleans, in the order of its text.
pub fn literals(pool: &Pool, t: Term) -> Vec<Term> {
    let is_literal =
        |t: &Term| matches!(pool.head(*t), Head::Str(_) | Head::Int(_) | Head::Op(Op::True | Op::False));
    pool.subterms([t]).filter(is_literal).collect()
}

/// The `forall`s in `t`.
pub fn universals(pool: &Pool, t: Term) -> Vec<Term> {
    pool.subterms([t]).filter(|&t| pool.head(t) == Head::Forall).collect()
}

/// A variable called `base`, or `base_2`, `base_3`, … if that is taken.
pub fn fresh(pool: &mut Pool, taken: &mut FxHashSet<Term>, base: &str, sort: Sort) -> Term {
    let name = free_name(pool, taken, base);
    let v = pool.var(name, sort);
    taken.insert(v);
    v
}

/// The same for a constant.
pub fn fresh_constant(pool: &mut Pool, taken: &mut FxHashSet<Term>, base: &str, sort: Sort) -> Term {
    let name = free_name(pool, taken, base);
    let c = constant(pool, name, sort);
    taken.insert(c);
    c
}

/// A new constant.
pub fn constant(pool: &mut Pool, name: Symbol, sort: Sort) -> Term {
    let f = pool.declare(name, Box::new([]), sort);
    pool.apply(f, &[])
}

/// `base`, or `base_2`, `base_3`, …: the first that none of `taken` has.
fn free_name(pool: &mut Pool, taken: &FxHashSet<Term>, base: &str) -> Symbol {
    let mut name = pool.names.intern(base);
    let mut n = 1;
    while taken.iter().any(|&t| symbol_of(pool, t) == Some(name)) {
        n += 1;
        name = pool.names.intern(&format!("{base}_{n}"));
    }
    name
}

/// The name of a variable or constant; empty for other terms.
pub fn name_of(pool: &Pool, t: Term) -> &str {
    symbol_of(pool, t).map_or("", |name| pool.names.name(name))
}

/// The name of a variable or constant.
pub fn symbol_of(pool: &Pool, t: Term) -> Option<Symbol> {
    match pool.head(t) {
        Head::Var(name) => Some(name),
        Head::Fun(f) => Some(pool.fun(f).name),
        _ => None,
    }
}
