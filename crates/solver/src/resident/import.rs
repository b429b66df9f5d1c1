//! Copies of terms from one pool in another.
//!
//! Constants are the same if they have one name and one sort. Terms with definitions, binders, functions with
//! parameters, or sorts other than Bool, Int, String and RegLan are not copied.

use rustc_hash::FxHashMap;
use smt::{Fun, Head, Pool, PostOrder, Sort, Term};

/// The constants that were copied.
#[derive(Default)]
pub(super) struct Importer {
    constants: FxHashMap<(Box<str>, Sort), Fun>,
}

impl Importer {
    /// The copy of a constant.
    pub(super) fn known(&self, from: &Pool, f: Fun) -> Option<Fun> {
        self.constants.get(&(from.fun_name(f).into(), from.fun(f).ret)).copied()
    }

    /// The copy of a term.
    pub(super) fn term(&mut self, from: &Pool, t: Term, to: &mut Pool) -> Option<Term> {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut walk = PostOrder::new([t]);
        let mut args: Vec<Term> = Vec::new();
        while let Some(t) =
            walk.next(|t| (!done.contains_key(&t)).then(|| from.args(t).iter().rev().copied()))
        {
            args.clear();
            args.extend(from.args(t).iter().map(|a| done[a]));
            let copy = self.node(from, t, to, &args)?;
            done.insert(t, copy);
        }
        done.get(&t).copied()
    }

    /// The copy of a term whose arguments are copied.
    fn node(&mut self, from: &Pool, t: Term, to: &mut Pool, args: &[Term]) -> Option<Term> {
        let sort = from.sort_of(t);
        if !matches!(sort, Sort::BOOL | Sort::INT | Sort::STRING | Sort::REGLAN) {
            return None;
        }
        let head = match from.head(t) {
            Head::Op(op) => Head::Op(op),
            Head::Indexed(op, id) => Head::Indexed(op, to.index(from.index_values(id))),
            Head::Str(id) => return Some(to.string(from.word(id))),
            Head::Int(id) => return Some(to.int(from.int_value(id).clone())),
            Head::Annot(_) => return args.first().copied(),
            Head::Fun(f) => Head::Fun(self.constant(from, f, to)?),
            _ => return None,
        };
        Some(to.mk(head, sort, args))
    }

    fn constant(&mut self, from: &Pool, f: Fun, to: &mut Pool) -> Option<Fun> {
        let data = from.fun(f);
        if data.def.is_some() || !data.params.is_empty() {
            return None;
        }
        let key = (Box::from(from.fun_name(f)), data.ret);
        Some(*self.constants.entry(key).or_insert_with_key(|(name, sort)| {
            let name = to.names.intern(name);
            to.declare(name, Box::new([]), *sort)
        }))
    }
}
