//! Inlining of definitions, and removal of annotations.
//!
//! The functions that are used are sorted, callees first; each body is expanded once, and a call replaces the parameters
//! in the expanded body. The functions that cannot be sorted are recursive, or call recursive ones: they stay.
//!
//! With `(define-fun f ((n Int)) Int (+ n 1))`, `(f (f k))` becomes `(+ (+ k 1) 1)`.

use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Fun, Head, Pool, PostOrder, Term};

/// Terms added by inlining, at most: nested definitions can grow exponentially.
const MAX_NEW_TERMS: usize = 5_000_000;

/// The expanded assertions, and the reason why some definition was not inlined.
pub(super) fn expand(pool: &mut Pool, assertions: &[Term]) -> (Vec<Term>, Option<String>) {
    let mut e = Expander {
        bodies: FxHashMap::default(),
        done: FxHashMap::default(),
        failure: None,
        end: pool.len() + MAX_NEW_TERMS,
    };
    let (order, recursive) = in_order(pool, assertions);
    if recursive {
        e.failure = Some("recursive function".to_owned());
    }
    for f in order {
        let Some(body) = pool.fun(f).def.as_ref().map(|d| d.body) else { continue };
        let body = e.term(pool, body);
        e.bodies.insert(f, body);
    }
    let out = assertions.iter().map(|&t| e.term(pool, t)).collect();
    (out, e.failure)
}

struct Expander {
    /// Expanded bodies of functions that can be inlined.
    bodies: FxHashMap<Fun, Term>,
    done: FxHashMap<Term, Term>,
    /// Why a definition was not inlined.
    failure: Option<String>,
    /// The size of the pool at which inlining stops.
    end: usize,
}

impl Expander {
    fn term(&mut self, pool: &mut Pool, t: Term) -> Term {
        let mut walk = PostOrder::new([t]);
        let done = |e: &Self, t| e.done.contains_key(&t);
        while let Some(t) = walk.next(|t| (!done(self, t)).then(|| pool.args(t).iter().rev().copied())) {
            let args: Vec<Term> = pool.args(t).iter().map(|a| self.done[a]).collect();
            let new = match pool.head(t) {
                Head::Annot(_) => args[0],
                Head::Fun(f) if pool.fun(f).def.is_some() => self.call(pool, t, f, &args),
                _ => pool.with_children(t, &args),
            };
            self.done.insert(t, new);
        }
        self.done[&t]
    }

    fn call(&mut self, pool: &mut Pool, t: Term, f: Fun, args: &[Term]) -> Term {
        let vars: Vec<Term> = pool.fun(f).def.as_ref().map_or(Vec::new(), |d| d.vars.to_vec());
        let body = self.bodies.get(&f).copied();
        let failure = match body {
            None => "recursive function",
            Some(_) if vars.len() != args.len() => "function used as a value",
            Some(body) if pool.has_binder(body) && captures(pool, body, &vars, args) => {
                "quantifier in a definition"
            }
            Some(_) if pool.len() > self.end => "definitions grow too large",
            Some(body) => {
                let mut map: FxHashMap<Term, Term> = vars.into_iter().zip(args.iter().copied()).collect();
                return pool.replace(body, &mut map);
            }
        };
        self.failure.get_or_insert_with(|| failure.to_owned());
        pool.with_children(t, args)
    }
}

/// Whether replacing the parameters could bind a variable of an argument, or replace one that the body binds.
fn captures(pool: &Pool, body: Term, vars: &[Term], args: &[Term]) -> bool {
    if args.iter().any(|&a| pool.has_var(a)) {
        return true;
    }
    pool.subterms([body]).any(|t| pool.bound_vars(t).iter().any(|b| vars.contains(b)))
}

/// The defined functions that the assertions use, callees first, and whether recursive ones were left out.
fn in_order(pool: &Pool, assertions: &[Term]) -> (Vec<Fun>, bool) {
    let mut calls: Vec<(Fun, Vec<Fun>)> = Vec::new();
    let mut found: FxHashSet<Fun> = FxHashSet::default();
    let mut queue = called(pool, assertions);
    while let Some(f) = queue.pop() {
        if !found.insert(f) {
            continue;
        }
        let body = pool.fun(f).def.as_ref().map(|d| d.body);
        // Each body is traversed separately: all its callees are needed.
        let callees = called(pool, body.as_slice());
        queue.extend(&callees);
        calls.push((f, callees));
    }
    order(&calls)
}

/// Topological sorting by Kahn's algorithm.
fn order(calls: &[(Fun, Vec<Fun>)]) -> (Vec<Fun>, bool) {
    let index: FxHashMap<Fun, usize> = calls.iter().enumerate().map(|(i, c)| (c.0, i)).collect();
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); calls.len()];
    let mut missing: Vec<usize> = calls.iter().map(|c| c.1.len()).collect();
    for (i, (_, callees)) in calls.iter().enumerate() {
        callees.iter().for_each(|f| callers[index[f]].push(i));
    }
    let mut ready: Vec<usize> = (0..calls.len()).filter(|&i| missing[i] == 0).collect();
    let mut out = Vec::new();
    while let Some(i) = ready.pop() {
        out.push(calls[i].0);
        for &j in &callers[i] {
            missing[j] -= 1;
            if missing[j] == 0 {
                ready.push(j);
            }
        }
    }
    let left_out = out.len() < calls.len();
    (out, left_out)
}

/// The defined functions that occur, each once, in the order of the traversal.
fn called(pool: &Pool, roots: &[Term]) -> Vec<Fun> {
    let mut listed = FxHashSet::default();
    let defined = |t| match pool.head(t) {
        Head::Fun(f) if pool.fun(f).def.is_some() => Some(f),
        _ => None,
    };
    pool.subterms(roots.iter().copied()).filter_map(defined).filter(|&f| listed.insert(f)).collect()
}
