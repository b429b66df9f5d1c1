//! The names of the merged script.

use rustc_hash::{FxHashMap, FxHashSet};
use smt::symbol::Symbol;
use smt::{Fun, Pool, Sort};

/// Parameters and result.
type Signature = (Box<[Sort]>, Sort);

#[derive(Default)]
pub(super) struct Names {
    /// By name.
    funs: FxHashMap<Symbol, Fun>,
    /// Declared functions by signature, in order.
    pool: FxHashMap<Signature, Vec<Fun>>,
    /// The number of functions of a signature that the current instance uses from there.
    used: FxHashMap<Signature, usize>,
    sorts: FxHashMap<Symbol, u32>,
    /// The number of the current instance, from 1.
    number: usize,
}

impl Names {
    pub(super) fn next_instance(&mut self) {
        self.used.clear();
        self.number += 1;
    }

    /// The function with this name.
    pub(super) fn get(&self, name: Symbol) -> Option<Fun> {
        self.funs.get(&name).copied()
    }

    /// Adds a function.
    pub(super) fn add(&mut self, pool: &Pool, f: Fun) {
        self.funs.insert(pool.fun(f).name, f);
    }

    /// Puts a declared function into the shared pool.
    pub(super) fn share(&mut self, pool: &Pool, f: Fun) {
        let signature = (pool.fun(f).params.clone(), pool.fun(f).ret);
        *self.used.entry(signature.clone()).or_default() += 1;
        self.pool.entry(signature).or_default().push(f);
    }

    /// The next function of the shared pool with this signature, unless its name is in `avoid`.
    pub(super) fn next(
        &mut self,
        pool: &Pool,
        params: &[Sort],
        ret: Sort,
        avoid: &FxHashSet<Symbol>,
    ) -> Option<Fun> {
        let signature: Signature = (params.into(), ret);
        let used = self.used.entry(signature.clone()).or_default();
        let funs = self.pool.get(&signature)?;
        while let Some(&f) = funs.get(*used) {
            *used += 1;
            if !avoid.contains(&pool.fun(f).name) {
                return Some(f);
            }
        }
        None
    }

    /// A name derived from `base` that neither the merged script nor the current instance has.
    pub(super) fn fresh(&self, pool: &mut Pool, from: &Pool, base: &str) -> Symbol {
        let mut name = format!("{base}_{}", self.number);
        while from.names.lookup(&name).is_some() || pool.names.lookup(&name).is_some() {
            name.push('_');
        }
        pool.names.intern(&name)
    }

    /// Adds a sort; if it was known, whether with the same number of parameters.
    pub(super) fn sort(&mut self, name: Symbol, arity: u32) -> Option<bool> {
        self.sorts.insert(name, arity).map(|before| before == arity)
    }
}
