//! Rollback: removes everything that was added to a pool since a mark.
//!
//! A session builds many terms that are not needed after a check, or after the `pop` of their level. Ids are
//! assigned in order, so everything younger than a mark is at the end of its list; the cost is proportional to
//! the smaller part: what is removed, or what stays.

use super::constants::{hash_word, word_at};
use super::{Pool, hash_node, node_args};

/// A state of a [`Pool`] to return to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    names: usize,
    nodes: usize,
    args: usize,
    sorts: usize,
    funs: usize,
    strings: usize,
    ints: usize,
    rats: usize,
    indices: usize,
    attrs: usize,
    templates: usize,
}

impl Mark {
    /// The number of names; symbols that stay are below it.
    pub fn names(&self) -> usize {
        self.names
    }

    /// The number of terms; terms that stay are below it.
    pub fn terms(&self) -> usize {
        self.nodes
    }

    /// The number of functions; functions that stay are below it.
    pub fn funs(&self) -> usize {
        self.funs
    }

    /// The number of declared datatypes; those that stay are below it.
    pub fn templates(&self) -> usize {
        self.templates
    }
}

impl Pool {
    /// The current state, for [`Pool::cut_back`].
    pub fn mark(&self) -> Mark {
        Mark {
            names: self.names.len(),
            nodes: self.nodes.len(),
            args: self.args.len(),
            sorts: self.sorts.len(),
            funs: self.funs.len(),
            strings: self.str_ends.len(),
            ints: self.ints.len(),
            rats: self.rats.len(),
            indices: self.indices.len(),
            attrs: self.attrs.len(),
            templates: self.templates().len(),
        }
    }

    /// Removes the names, sorts, functions, constants and terms that are younger than `mark`. Nothing else may
    /// hold their ids: no definition of an older function, no scope, no model.
    ///
    /// # Panics
    /// If the pool has been cut back to before `mark` in the meantime.
    pub fn cut_back(&mut self, mark: &Mark) {
        assert!(mark.nodes <= self.nodes.len() && mark.names <= self.names.len(), "cut back past the mark");
        self.cut_terms(mark);
        self.cut_strings(mark);
        self.cut_datatypes(mark.templates, mark.funs);
        cut(&mut self.ints, mark.ints, |n| self.int_table.remove(n));
        cut(&mut self.rats, mark.rats, |q| self.rat_table.remove(q));
        cut(&mut self.indices, mark.indices, |list| self.index_table.remove(list));
        cut(&mut self.attrs, mark.attrs, |list| self.attr_table.remove(list));
        cut(&mut self.sorts, mark.sorts, |data| self.sort_table.remove(data));
        self.funs.truncate(mark.funs);
        self.names.truncate(mark.names);
        debug_assert!(
            self.funs.iter().flat_map(|f| &f.def).all(|d| (d.body.0 as usize) < mark.nodes),
            "an older function was defined by a younger term"
        );
    }

    fn cut_terms(&mut self, mark: &Mark) {
        if self.nodes.len() > 2 * mark.nodes {
            return self.refill_terms(mark);
        }
        for id in mark.nodes..self.nodes.len() {
            let node = &self.nodes[id];
            let hash = hash_node(node.head, node.sort, node_args(&self.args, node));
            if let Ok(entry) = self.table.find_entry(hash, |&i| i as usize == id) {
                entry.remove();
            }
        }
        self.nodes.truncate(mark.nodes);
        self.args.truncate(mark.args);
    }

    /// Where less stays than goes, the table is filled again instead.
    fn refill_terms(&mut self, mark: &Mark) {
        self.nodes.truncate(mark.nodes);
        self.args.truncate(mark.args);
        let (nodes, args) = (&self.nodes, &self.args);
        let hash = |&id: &u32| {
            let node = &nodes[id as usize];
            hash_node(node.head, node.sort, node_args(args, node))
        };
        self.table.clear();
        for id in 0..mark.nodes as u32 {
            self.table.insert_unique(hash(&id), id, hash);
        }
    }

    fn refill_strings(&mut self, mark: &Mark) {
        self.str_ends.truncate(mark.strings);
        self.chars.truncate(self.str_ends.last().map_or(0, |&end| end as usize));
        let (chars, ends) = (&self.chars, &self.str_ends);
        let hash = |&id: &u32| hash_word(word_at(chars, ends, id));
        self.str_table.clear();
        for id in 0..mark.strings as u32 {
            self.str_table.insert_unique(hash(&id), id, hash);
        }
    }

    fn cut_strings(&mut self, mark: &Mark) {
        let kept = mark.strings.checked_sub(1).map_or(0, |last| self.str_ends[last] as usize);
        if self.str_ends.len() > 2 * mark.strings && self.chars.len() > 2 * kept {
            return self.refill_strings(mark);
        }
        for id in mark.strings..self.str_ends.len() {
            let hash = hash_word(word_at(&self.chars, &self.str_ends, id as u32));
            if let Ok(entry) = self.str_table.find_entry(hash, |&i| i as usize == id) {
                entry.remove();
            }
        }
        self.str_ends.truncate(mark.strings);
        self.chars.truncate(self.str_ends.last().map_or(0, |&end| end as usize));
    }
}

/// Shortens an interned list, taking its entries out of the table.
fn cut<T, R>(list: &mut Vec<T>, len: usize, mut remove: impl FnMut(&T) -> R) {
    for value in &list[len..] {
        remove(value);
    }
    list.truncate(len);
}

#[cfg(test)]
mod tests {
    use crate::num::{Int, Rat};
    use crate::term::{AttrValue, Attribute, Head, Sort, SortData, SortKind};
    use crate::{Op, Pool, Term};
    use proptest::prelude::*;

    /// One item to add to a pool; numbers choose names, values and arguments.
    #[derive(Clone, Copy, Debug)]
    struct Step {
        what: u8,
        value: u16,
        arg: u16,
    }

    fn step() -> impl Strategy<Value = Step> {
        (0u8..9, 0u16..40, 0u16..1000).prop_map(|(what, value, arg)| Step { what, value, arg })
    }

    fn name(pool: &mut Pool, value: u16) -> crate::symbol::Symbol {
        pool.names.intern(&format!("n{value}"))
    }

    /// Does the step. What it makes depends on the pool's ids only, so two pools in the same state stay so.
    fn apply(pool: &mut Pool, s: Step) -> Term {
        let some = (!pool.is_empty()).then(|| Term(u32::from(s.arg) % pool.len() as u32));
        match (s.what, some) {
            (0, _) => {
                let word: Vec<u32> = (0..s.value % 70).map(|i| u32::from(i * s.value % 7)).collect();
                pool.string(&word)
            }
            (1, _) => pool.int(i64::from(s.value) - 20),
            (2, _) => pool.real(Rat::from(Int::from(i64::from(s.value)))),
            (3, _) => {
                let n = name(pool, s.value);
                pool.var(n, Sort::INT)
            }
            (4, _) => {
                let n = name(pool, s.value);
                let kind = SortKind::Declared;
                let args: Box<[Sort]> =
                    if s.arg.is_multiple_of(2) { Box::new([]) } else { Box::new([Sort::INT]) };
                let sort = pool.sort(SortData { name: n, args, kind });
                let f = pool.declare(n, Box::new([]), sort);
                pool.apply(f, &[])
            }
            (5, Some(t)) => {
                let n = name(pool, s.value);
                let sort = pool.sort_of(t);
                let f = pool.declare(n, Box::new([]), sort);
                pool.define(f, Box::new([]), t);
                pool.apply(f, &[])
            }
            (6, Some(t)) => {
                let key = pool.names.intern(":named");
                let n = name(pool, s.value);
                pool.annotate(t, Box::new([Attribute { key, value: AttrValue::Symbol(n) }]))
            }
            (7, Some(t)) => {
                let list = [Int::from(i64::from(s.value)), Int::from(1)];
                let id = pool.index(&list);
                pool.mk(Head::Indexed(Op::ReLoop, id), Sort::REGLAN, &[t])
            }
            (_, Some(t)) => {
                let u = Term(u32::from(s.value) % pool.len() as u32);
                pool.mk(Head::Op(Op::StrConcat), Sort::STRING, &[t, u])
            }
            (_, None) => pool.bool(true),
        }
    }

    /// Everything observable about a pool.
    fn picture(pool: &Pool) -> String {
        use std::fmt::Write as _;
        let mut out = format!("{:?}\n", pool.mark());
        for i in 0..pool.len() as u32 {
            let t = Term(i);
            let _ = writeln!(out, "{:?} {:?} {:?}", pool.head(t), pool.args(t), pool.sort_of(t));
            let value = match pool.head(t) {
                Head::Str(id) => format!("{:?}", pool.word(id)),
                Head::Int(id) => format!("{:?}", pool.int_value(id)),
                Head::Real(id) => format!("{:?}", pool.real_value(id)),
                Head::Indexed(_, id) => format!("{:?}", pool.index_values(id)),
                Head::Annot(id) => format!("{:?}", pool.attributes(id)),
                Head::Fun(f) => format!("{:?} {}", pool.fun(f), pool.fun_name(f)),
                Head::Var(s) => pool.names.name(s).to_owned(),
                _ => String::new(),
            };
            let _ = writeln!(out, "{value}");
        }
        out
    }

    proptest! {
        /// After a rollback a pool is equal to one without the removed terms, also in the ids of later terms.
        #[test]
        fn a_rollback_leaves_no_trace(
            before in prop::collection::vec(step(), 0..60),
            gone in prop::collection::vec(step(), 0..200),
            after in prop::collection::vec(step(), 0..100),
        ) {
            let (mut pool, mut fresh) = (Pool::new(), Pool::new());
            for &s in &before {
                prop_assert_eq!(apply(&mut pool, s), apply(&mut fresh, s));
            }
            let mark = pool.mark();
            for &s in &gone {
                apply(&mut pool, s);
            }
            pool.cut_back(&mark);
            prop_assert_eq!(picture(&pool), picture(&fresh));
            for &s in before.iter().chain(&after).chain(&gone) {
                prop_assert_eq!(apply(&mut pool, s), apply(&mut fresh, s));
            }
            prop_assert_eq!(picture(&pool), picture(&fresh));
        }

        /// Marks nest.
        #[test]
        fn marks_nest(
            runs in prop::collection::vec(prop::collection::vec(step(), 0..40), 1..6),
        ) {
            let mut pool = Pool::new();
            let mut states = Vec::new();
            for run in &runs {
                states.push((pool.mark(), picture(&pool)));
                for &s in run {
                    apply(&mut pool, s);
                }
            }
            for (mark, before) in states.iter().rev() {
                pool.cut_back(mark);
                prop_assert_eq!(&picture(&pool), before);
            }
        }
    }

    #[test]
    #[should_panic(expected = "past the mark")]
    fn a_mark_of_removed_terms_is_rejected() {
        let mut pool = Pool::new();
        let early = pool.mark();
        pool.int(5);
        let late = pool.mark();
        pool.cut_back(&early);
        pool.cut_back(&late);
    }
}
