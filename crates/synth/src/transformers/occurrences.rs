//! Numbers the occurrences of terms in a script, and replaces some of them.
//!
//! A term may move only to a place where its symbols mean the same: constants and functions are known from their declaration
//! on and until its level is popped, variables below their binder only. [`Survey::fits`] decides.

use super::walk::{Named, Place, SMALL_TREE, live, places, put, with_args};
use super::walk::{is_within, names_given};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::script::Plain;
use smt::symbol::Symbol;
use smt::{Command, Fun, Head, Op, Pool, PostOrder, Script, Sort, Term};

/// An occurrence of a term.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurrence {
    /// The term.
    pub(crate) term: Term,
    /// The number of the place, and of the occurrence in it (in the order of the text).
    pub(crate) place: usize,
    pub(crate) index: u32,
    /// The number after the last one below it.
    pub(crate) end: u32,
    /// The binder or definition whose variables are known here.
    scope: u32,
    /// Directly below this operator.
    pub(crate) parent: Option<Op>,
}

/// The occurrences of a script.
pub(crate) struct Survey {
    pub(crate) places: Vec<(Place, Term)>,
    pub(crate) all: Vec<Occurrence>,
    /// From which command on, and up to which, the symbols of a term are known.
    known: FxHashMap<Term, (usize, usize)>,
}

/// Terms whose trees are larger are skipped.
const MAX_TREE: u64 = SMALL_TREE * 64;

impl Survey {
    /// Lists the occurrences down to a depth. Arguments of annotations count as if these were not there.
    pub(crate) fn new(pool: &Pool, script: &Script, depth: u32) -> Survey {
        let mut survey =
            Survey { places: places(pool, script), all: Vec::new(), known: FxHashMap::default() };
        let lives = lives(pool, script);
        let mut scopes = 0;
        for p in 0..survey.places.len() {
            let root = survey.places[p].1;
            scopes += 1;
            if is_within(pool, root, MAX_TREE) {
                survey.walk(pool, p, root, depth, &mut scopes);
                survey.validity(pool, root, &lives, script.entries.len());
            }
        }
        survey
    }

    fn walk(&mut self, pool: &Pool, place: usize, root: Term, limit: u32, scopes: &mut u32) {
        enum Step {
            Visit(Term, u32, u32, Option<Op>),
            Leave(Option<usize>),
        }
        let (mut index, first, mut named) = (0, self.all.len(), FxHashSet::default());
        let mut stack = vec![Step::Visit(root, 0, *scopes, None)];
        while let Some(step) = stack.pop() {
            let (term, depth, scope, parent) = match step {
                Step::Visit(t, depth, scope, parent) => (t, depth, scope, parent),
                Step::Leave(slot) => {
                    if let Some(slot) = slot {
                        self.all[slot].end = index;
                    }
                    continue;
                }
            };
            if names_given(pool, term).any(|n| !named.insert(n)) {
                // A name is given once: a shared term must not become two different terms.
                return self.all.truncate(first);
            }
            let slot = (depth <= limit).then_some(self.all.len());
            if slot.is_some() {
                self.all.push(Occurrence { term, place, index, end: 0, scope, parent });
            }
            index += 1;
            stack.push(Step::Leave(slot));
            let (below, parent, scope) = match pool.head(term) {
                Head::Annot(_) => (depth, parent, scope),
                Head::Forall | Head::Exists | Head::Lambda => {
                    *scopes += 1;
                    (depth + 1, None, *scopes)
                }
                Head::Op(op) => (depth + 1, Some(op), scope),
                _ => (depth + 1, None, scope),
            };
            stack.extend(pool.args(term).iter().rev().map(|&a| Step::Visit(a, below, scope, parent)));
        }
    }

    /// Computes for each subterm where its symbols are known.
    fn validity(&mut self, pool: &Pool, root: Term, lives: &FxHashMap<Fun, (usize, usize)>, end: usize) {
        let mut walk = PostOrder::new([root]);
        while let Some(t) =
            walk.next(|t| (!self.known.contains_key(&t)).then(|| pool.args(t).iter().copied()))
        {
            let own = match pool.head(t) {
                Head::Fun(f) => lives.get(&f).copied().unwrap_or((usize::MAX, 0)),
                // A name that it gives must stay in place; text may contain names.
                Head::Annot(_) | Head::Opaque(_) => (usize::MAX, 0),
                _ => (0, end),
            };
            let both = pool.args(t).iter().fold(own, |(lo, hi), a| {
                let (l, h) = self.known[a];
                (lo.max(l), hi.min(h))
            });
            self.known.insert(t, both);
        }
    }

    /// The term at `from` may occur at `to` as well.
    pub(crate) fn fits(&self, pool: &Pool, from: &Occurrence, to: &Occurrence) -> bool {
        let (lo, hi) = self.known[&from.term];
        let command = self.places[to.place].0.command;
        let scoped = !pool.has_var(from.term) || from.scope == to.scope && !pool.has_binder(from.term);
        (lo..hi).contains(&command) && scoped
    }

    /// It may be moved or replaced: none of its symbols is bound to its place, and its parent does not require a literal.
    pub(crate) fn is_movable(&self, pool: &Pool, o: &Occurrence, str_to_re: bool) -> bool {
        let (lo, hi) = self.known[&o.term];
        let literal = matches!(pool.head(o.term), Head::Int(_) | Head::Real(_));
        let tied = match o.parent {
            Some(Op::ReRange) => true,
            Some(Op::StrToRe) => !str_to_re,
            Some(Op::Mul | Op::IntDiv | Op::Mod | Op::RealDiv | Op::Neg) => literal,
            _ => false,
        };
        lo < hi && !tied && pool.sort_of(o.term) != Sort::OPAQUE && !is_binding(pool, o)
    }

    /// Replaces occurrences that do not overlap; `new` is by place and index.
    pub(crate) fn replace(
        &self,
        pool: &mut Pool,
        script: &mut Script,
        new: &FxHashMap<(usize, u32), (Term, u32)>,
    ) {
        let named = Named::of(pool, &live(pool, script));
        let mut touched: Vec<usize> = new.keys().map(|k| k.0).collect();
        touched.sort_unstable();
        touched.dedup();
        for p in touched {
            let (place, root) = self.places[p];
            let t = replaced(pool, p, root, new, &named);
            put(pool, script, place, t);
        }
    }
}

/// A variable where it is bound.
fn is_binding(pool: &Pool, o: &Occurrence) -> bool {
    o.parent.is_none() && matches!(pool.head(o.term), Head::Var(_))
}

fn replaced(
    pool: &mut Pool,
    place: usize,
    root: Term,
    new: &FxHashMap<(usize, u32), (Term, u32)>,
    named: &Named,
) -> Term {
    let mut index = 0;
    let mut stack = vec![(root, false)];
    let mut out: Vec<Term> = Vec::new();
    while let Some((t, ready)) = stack.pop() {
        if !ready {
            if let Some(&(with, end)) = new.get(&(place, index)) {
                out.push(with);
                index = end;
                continue;
            }
            index += 1;
            stack.push((t, true));
            stack.extend(pool.args(t).iter().rev().map(|&a| (a, false)));
            continue;
        }
        let args: Vec<Term> = out.drain(out.len() - pool.args(t).len()..).collect();
        let made = with_args(pool, t, &args);
        if let Head::Annot(_) = pool.head(t) {
            for f in named.funs(pool, t) {
                pool.define(f, Box::new([]), args[0]);
            }
        }
        out.push(made);
    }
    out.pop().expect("the root was walked")
}

/// From which command on, and up to which, each function is known.
fn lives(pool: &Pool, script: &Script) -> FxHashMap<Fun, (usize, usize)> {
    let named = Named::of(pool, &live(pool, script));
    let mut lives: FxHashMap<Fun, (usize, usize)> = FxHashMap::default();
    let mut open: Vec<Fun> = Vec::new();
    let mut levels: Vec<usize> = Vec::new();
    let end = script.entries.len();
    for (i, c) in script.commands().enumerate() {
        let mut begin = |f: Fun, from: usize| {
            lives.insert(f, (from, end));
            open.push(f);
        };
        match c {
            Command::DeclareFun(f) | Command::DeclareConst(f) => begin(*f, i + 1),
            Command::DefineFun(f) | Command::DefineConst(f) => begin(*f, i + 1),
            Command::DefineFunRec(f) => begin(*f, i),
            Command::DefineFunsRec(funs) => funs.iter().for_each(|&f| begin(f, i)),
            Command::Assert(t) if pool.given_name(*t).is_some() => {
                named.funs(pool, *t).into_iter().for_each(|f| begin(f, i + 1));
            }
            Command::Push(n) => levels.extend(std::iter::repeat_n(open.len(), (*n).min(1 << 16) as usize)),
            Command::Pop(n) => {
                let keep = levels.len().saturating_sub(*n as usize);
                let from = levels.get(keep).copied().unwrap_or(open.len());
                levels.truncate(keep);
                for f in open.drain(from..) {
                    lives.entry(f).and_modify(|l| l.1 = i);
                }
            }
            Command::Plain(Plain::Reset | Plain::ResetAssertions) => {
                levels.clear();
                for f in open.drain(..) {
                    lives.entry(f).and_modify(|l| l.1 = i);
                }
            }
            _ => {}
        }
    }
    hidden(pool, script, &mut lives);
    lives
}

/// Functions with a common name are not moved: the meaning of the name depends on the place.
fn hidden(pool: &Pool, script: &Script, lives: &mut FxHashMap<Fun, (usize, usize)>) {
    let mut count: FxHashMap<Symbol, u32> = FxHashMap::default();
    for f in lives.keys() {
        *count.entry(pool.fun(*f).name).or_default() += 1;
    }
    // Nor one whose name a binder binds.
    let live = live(pool, script);
    for t in (0..live.len()).filter(|&i| live[i]).map(|i| Term(i as u32)) {
        if let Head::Var(name) = pool.head(t) {
            *count.entry(name).or_default() += 2;
        }
        for name in names_given(pool, t) {
            *count.entry(name).or_default() += 1;
        }
    }
    for f in super::walk::defined(script) {
        for v in pool.fun(f).def.iter().flat_map(|d| d.vars.iter()) {
            if let Head::Var(name) = pool.head(*v) {
                *count.entry(name).or_default() += 2;
            }
        }
    }
    lives.retain(|f, _| count[&pool.fun(*f).name] < 2);
}
