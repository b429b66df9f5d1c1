//! Substitution, subterms and fresh names.

use rustc_hash::{FxHashMap, FxHashSet};
use smt::symbol::Symbol;
use smt::term::{AttrValue, Attribute};
use smt::{Head, Op, Pool, Sort, Term};

/// `t` with terms replaced by others. Nothing is captured: callers use fresh names.
pub fn substitute(pool: &mut Pool, t: Term, map: &FxHashMap<Term, Term>) -> Term {
    rebuild(pool, t, &mut |_, t| map.get(&t).copied(), true)
}

/// The same without patterns.
pub fn substitute_without_patterns(pool: &mut Pool, t: Term, map: &FxHashMap<Term, Term>) -> Term {
    rebuild(pool, t, &mut |_, t| map.get(&t).copied(), false)
}

/// `t` with `(- 1)` as the constant −1, so that it counts as one constant.
pub fn with_negative_literals(pool: &mut Pool, t: Term) -> Term {
    let mut literal = |pool: &mut Pool, t: Term| {
        let Head::Op(Op::Neg) = pool.head(t) else { return None };
        let Head::Int(n) = pool.head(pool.args(t)[0]) else { return None };
        let n = -pool.int_value(n).clone();
        Some(pool.int(n))
    };
    rebuild(pool, t, &mut literal, true)
}

/// Rebuilds `t` from the leaves up; `replace` gives the replacement of a term.
fn rebuild(
    pool: &mut Pool,
    t: Term,
    replace: &mut dyn FnMut(&mut Pool, Term) -> Option<Term>,
    patterns: bool,
) -> Term {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    let mut stack = vec![(t, false)];
    while let Some((t, ready)) = stack.pop() {
        if done.contains_key(&t) {
            continue;
        }
        if !ready {
            if let Some(new) = replace(pool, t) {
                done.insert(t, new);
                continue;
            }
            stack.push((t, true));
            stack.extend(pool.children(t).map(|c| (c, false)));
            continue;
        }
        let args: Vec<Term> = pool.args(t).iter().map(|a| done[a]).collect();
        let new = match pool.head(t) {
            Head::Annot(id) => {
                let keep = |a: &Attribute| patterns || !matches!(a.value, AttrValue::Terms(_));
                let attrs: Vec<Attribute> =
                    pool.attributes(id).iter().filter(|a| keep(a)).map(|a| renew(a, &done)).collect();
                if attrs.is_empty() { args[0] } else { pool.annotate(args[0], attrs.into()) }
            }
            _ if args == pool.args(t) => t,
            head => {
                let sort = pool.sort_of(t);
                pool.mk(head, sort, &args)
            }
        };
        done.insert(t, new);
    }
    done[&t]
}

fn renew(a: &Attribute, done: &FxHashMap<Term, Term>) -> Attribute {
    let value = match &a.value {
        AttrValue::Terms(terms) => AttrValue::Terms(terms.iter().map(|t| done[t]).collect()),
        other => other.clone(),
    };
    Attribute { key: a.key, value }
}

/// All subterms, each once, in the order of their text; patterns are left out.
pub fn subterms(pool: &Pool, t: Term) -> Vec<Term> {
    let (mut out, mut seen, mut stack) = (Vec::new(), FxHashSet::default(), vec![t]);
    while let Some(t) = stack.pop() {
        if seen.insert(t) {
            out.push(t);
            stack.extend(pool.args(t).iter().rev());
        }
    }
    out
}

/// The variables that are free in `t`, in the order of its text. Names are unique: a variable that is bound
/// anywhere is free nowhere.
pub fn free_vars(pool: &Pool, t: Term) -> Vec<Term> {
    let all = subterms(pool, t);
    let bound: FxHashSet<Term> = all.iter().flat_map(|&t| bound_by(pool, t)).copied().collect();
    let is_free = |t: &Term| matches!(pool.head(*t), Head::Var(_)) && !bound.contains(t);
    all.into_iter().filter(is_free).collect()
}

/// The variables that the quantifier `t` binds.
pub fn bound_by(pool: &Pool, t: Term) -> &[Term] {
    match pool.head(t) {
        Head::Forall | Head::Exists | Head::Lambda => pool.args(t).split_last().map_or(&[], |(_, vars)| vars),
        _ => &[],
    }
}

/// The constants in `t`: strings, integers and Booleans, in the order of its text.
pub fn literals(pool: &Pool, t: Term) -> Vec<Term> {
    let is_literal =
        |t: &Term| matches!(pool.head(*t), Head::Str(_) | Head::Int(_) | Head::Op(Op::True | Op::False));
    subterms(pool, t).into_iter().filter(is_literal).collect()
}

/// The `forall`s in `t`.
pub fn universals(pool: &Pool, t: Term) -> Vec<Term> {
    subterms(pool, t).into_iter().filter(|&t| pool.head(t) == Head::Forall).collect()
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
