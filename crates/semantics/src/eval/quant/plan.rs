//! Candidates for the variables of a quantifier: from the guards of its body, or else some likely values.

use super::{Group, Instances, MAX_SEARCHED, any_occurs, linear};
use crate::eval::{Act, Evaluator, Task};
use crate::model::Meaning;
use crate::strings::Str;
use crate::value::Value;
use smt::{Head, Int, Op, Pool, Sort, Term, Walk};

/// Likely values of one variable.
const MAX_LIKELY: usize = 24;

/// Guards and connectives of one body.
const MAX_GUARDS: usize = 10_000;

/// Nodes of a term that is evaluated while planning, as a tree.
const MAX_PEEK_SIZE: usize = 2_000;

/// Steps of such an evaluation.
const MAX_PEEK_STEPS: u32 = 100_000;

/// Length of a string of which all substrings are candidates.
const MAX_WHOLE: usize = 300;

/// An atom that every instance of interest satisfies (or falsifies, if not `positive`).
#[derive(Clone, Copy)]
struct Guard {
    atom: Term,
    positive: bool,
}

/// At most this many values for one group.
const MAX_ROWS: usize = 200_000;

/// At most this many characters in the words of one group.
const MAX_CHARS: usize = 1 << 24;

/// Plans the instances of quantifier `t`; `None` if the sort of a variable has no candidates.
pub(super) fn plan(e: &mut Evaluator<'_>, t: Term, act: u32) -> Option<Instances> {
    let pool = e.pool();
    let forall = pool.head(t) == Head::Forall;
    let (&body, vars) = pool.args(t).split_last()?;
    let guards = guards(pool, body, forall);
    let mut planner = Planner { e, act, vars, guards: &guards, groups: Vec::new(), exact: true };
    planner.splits();
    if let Some((vars, rows)) = linear::samples(planner.e, act, vars, body) {
        planner.groups.push(Group { vars, rows });
    }
    // Sorts have elements, so a variable that does not occur makes no difference.
    for &v in vars.iter().filter(|&&v| occurs(pool, v, body)) {
        planner.single(v, body)?;
    }
    let (groups, exact) = (planner.groups, planner.exact);
    let done = groups.iter().any(|g| g.rows.is_empty());
    let at = vec![0; groups.len()];
    Some(Instances {
        term: t,
        act,
        body,
        current: 0,
        forall,
        exact,
        groups,
        at,
        done,
        tried: 0,
        unknown: None,
    })
}

/// A part of a concatenation whose value is known.
enum Piece {
    /// A string.
    Known(Str),
    /// A variable that occurs first here.
    Free,
    /// The variable with this number again.
    Again(usize),
}

fn as_word(value: &Value) -> Option<&Str> {
    if let Value::Str(w) = value { Some(w) } else { None }
}

impl Evaluator<'_> {
    /// The value of `t` if it is known or cheap to compute.
    pub(in crate::eval) fn peek(&mut self, t: Term, act: Act) -> Option<Value> {
        if let Some(val) = self.get(t, act) {
            return val.clone().ok();
        }
        if !self.is_simple(t) {
            return None;
        }
        // Bounds of quantifiers are small terms: a nested run over the same activations is cheap.
        let tasks = std::mem::take(&mut self.tasks);
        self.tasks.push(Task::Visit(t, act));
        let mut steps = MAX_PEEK_STEPS;
        while let Some(task) = self.tasks.pop() {
            steps -= 1;
            match task {
                _ if steps == 0 => break,
                task => self.step(task),
            }
        }
        self.tasks = tasks;
        self.get(t, act).and_then(|v| v.clone().ok())
    }

    /// `t` is small, has no quantifiers, and calls no function.
    fn is_simple(&self, t: Term) -> bool {
        let mut stack = vec![t];
        let mut seen = 0;
        while let Some(t) = stack.pop() {
            seen += 1;
            if let Head::Fun(f) = self.pool.head(t) {
                // The definition of a constant may have a quantifier.
                let meaning = || match self.model.lookup(self.pool, f) {
                    Some(Meaning::Definition(d)) => self.pool.fun(d).def.as_ref().map(|d| d.body),
                    Some(Meaning::Term(t)) => Some(t),
                    _ => None,
                };
                stack.extend(self.pool.fun(f).def.as_ref().map(|d| d.body).or_else(meaning));
                if !self.pool.args(t).is_empty() {
                    return false;
                }
            }
            if seen > MAX_PEEK_SIZE || self.pool.has_binder(t) {
                return false;
            }
            stack.extend_from_slice(self.pool.args(t));
        }
        true
    }
}

/// `v` occurs in `t`, possibly only where another binder of the same name and sort binds it.
fn occurs(pool: &Pool, v: Term, t: Term) -> bool {
    any_occurs(pool, &[v], t)
}

/// The atoms that guard `body`: premises of an implication under `∀`, conjuncts under `∃`.
fn guards(pool: &Pool, body: Term, forall: bool) -> Vec<Guard> {
    let mut out = Vec::new();
    // (term, is it wanted true): under ∀ only instances where `body` may be false matter.
    let mut stack = vec![(body, !forall)];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some((t, want)) = stack.pop() {
        let t = pool.strip(t);
        if !seen.insert((t, want)) || seen.len() > MAX_GUARDS {
            continue;
        }
        let args = pool.args(t);
        match pool.head(t) {
            Head::Op(Op::Not) => stack.push((args[0], !want)),
            Head::Op(Op::And) if want => stack.extend(args.iter().map(|&a| (a, true))),
            Head::Op(Op::Or) if !want => stack.extend(args.iter().map(|&a| (a, false))),
            Head::Op(Op::Implies) if !want => {
                let (&last, premises) = args.split_last().expect("an implication has arguments");
                stack.push((last, false));
                stack.extend(premises.iter().map(|&a| (a, true)));
            }
            _ => out.push(Guard { atom: t, positive: want }),
        }
    }
    out
}

/// Finds candidates for the variables of one quantifier.
struct Planner<'a, 'p> {
    e: &'a mut Evaluator<'p>,
    act: u32,
    vars: &'p [Term],
    guards: &'a [Guard],
    groups: Vec<Group>,
    exact: bool,
}

impl Planner<'_, '_> {
    fn planned(&self, v: Term) -> bool {
        self.groups.iter().any(|g| g.vars.contains(&v))
    }

    /// The value of a term that none of the quantifier's variables occurs in.
    fn known(&mut self, t: Term) -> Option<Value> {
        if any_occurs(self.e.pool(), self.vars, t) {
            return None;
        }
        self.e.peek(t, self.act)
    }

    /// Guards of the form `s = x·y·x`, with variables and known strings on the right.
    fn splits(&mut self) {
        for g in self.guards.iter().filter(|g| g.positive) {
            let pool = self.e.pool();
            let (Head::Op(Op::Eq), &[a, b]) = (pool.head(g.atom), pool.args(g.atom)) else {
                continue;
            };
            for (whole, parts) in [(a, b), (b, a)] {
                if pool.head(parts) == Head::Op(Op::StrConcat)
                    && let Some(Value::Str(word)) = self.known(whole)
                {
                    self.split(&word, pool.args(parts));
                }
            }
        }
    }

    fn split(&mut self, word: &Str, parts: &[Term]) {
        let mut pieces = Vec::new();
        let mut vars = Vec::new();
        for &p in parts {
            if let Some(k) = vars.iter().position(|&v| v == p) {
                pieces.push(Piece::Again(k));
            } else if self.vars.contains(&p) {
                if self.planned(p) {
                    return;
                }
                vars.push(p);
                pieces.push(Piece::Free);
            } else if let Some(Value::Str(w)) = self.known(p) {
                pieces.push(Piece::Known(w));
            } else {
                return;
            }
        }
        // Partial rows: the values so far and the position reached.
        let mut rows = vec![(Vec::new(), 0usize)];
        for (i, piece) in pieces.iter().enumerate() {
            let last = i + 1 == pieces.len();
            let mut next = Vec::new();
            let width = if matches!(piece, Piece::Free) && !last { word.len() + 1 } else { 1 };
            if rows.len().saturating_mul(width).saturating_mul(word.len().max(1)) > MAX_CHARS {
                return;
            }
            for (values, at) in rows {
                let fixed = match piece {
                    Piece::Known(w) => Some(w),
                    Piece::Again(k) => as_word(&values[*k]),
                    Piece::Free => None,
                };
                match fixed.map(|w| (word[at..].starts_with(w), w.len())) {
                    Some((true, len)) => next.push((values, at + len)),
                    Some((false, _)) => {}
                    None => {
                        for end in if last { word.len()..=word.len() } else { at..=word.len() } {
                            let mut values: Vec<Value> = values.clone();
                            values.push(Value::Str(Str::from(&word[at..end])));
                            next.push((values, end));
                        }
                    }
                }
            }
            if next.len() > MAX_ROWS || next.len().saturating_mul(word.len()) > MAX_CHARS {
                return;
            }
            rows = next;
        }
        let rows = rows.into_iter().filter(|(_, at)| *at == word.len()).map(|(v, _)| v).collect();
        self.groups.push(Group { vars, rows });
    }

    /// Candidates for one variable that no split covers.
    fn single(&mut self, v: Term, body: Term) -> Option<()> {
        if self.planned(v) {
            return Some(());
        }
        let sort = self.e.pool().sort_of(v);
        let bounded = match sort {
            Sort::BOOL => Some(vec![Value::Bool(false), Value::Bool(true)]),
            Sort::INT => self.int_range(v),
            Sort::STRING => self.words(v),
            _ => None,
        };
        let values = match bounded {
            Some(values) => values,
            None => {
                self.exact = false;
                self.likely(sort, body)?
            }
        };
        self.groups.push(Group { vars: vec![v], rows: values.into_iter().map(|x| vec![x]).collect() });
        Some(())
    }

    /// The integers between the bounds that guards put on `v`, if there are both.
    fn int_range(&mut self, v: Term) -> Option<Vec<Value>> {
        let (mut lo, mut hi): (Option<Int>, Option<Int>) = (None, None);
        for g in self.guards {
            let pool = self.e.pool();
            let Head::Op(op) = pool.head(g.atom) else { continue };
            for pair in pool.args(g.atom).windows(2) {
                let (op, other) = match (pair[0] == v, pair[1] == v) {
                    (true, false) => (op, pair[1]),
                    (false, true) => (mirrored(op), pair[0]),
                    _ => continue,
                };
                let op = if g.positive { op } else { negated(op) };
                if !g.positive && pool.args(g.atom).len() > 2 {
                    continue;
                }
                let Some(Value::Int(n)) = self.known(other) else {
                    continue;
                };
                if matches!(op, Op::Ge | Op::Gt | Op::Eq) {
                    let n = if op == Op::Gt { &n + &Int::ONE } else { n.clone() };
                    lo = Some(lo.map_or(n.clone(), |l| l.max(n)));
                }
                if matches!(op, Op::Le | Op::Lt | Op::Eq) {
                    let n = if op == Op::Lt { &n - &Int::ONE } else { n };
                    hi = Some(hi.map_or(n.clone(), |h| h.min(n)));
                }
            }
        }
        let (lo, hi) = (lo?, hi?);
        if lo > hi {
            return Some(Vec::new());
        }
        let (lo, width) = (lo.clone(), (hi - lo).to_usize()?);
        (width < MAX_ROWS).then(|| (0..=width).map(|i| Value::Int(&lo + &Int::from(i))).collect())
    }

    /// The strings that a guard leaves for `v`: equal to, a prefix, a suffix or a substring of a known string.
    fn words(&mut self, v: Term) -> Option<Vec<Value>> {
        for g in self.guards.iter().filter(|g| g.positive) {
            let pool = self.e.pool();
            let (Head::Op(op), &[a, b]) = (pool.head(g.atom), pool.args(g.atom)) else {
                continue;
            };
            let other = if a == v { b } else { a };
            let about_v = match op {
                Op::Eq => a == v || b == v,
                Op::StrPrefixof | Op::StrSuffixof => a == v,
                Op::StrContains => b == v,
                _ => false,
            };
            if !about_v {
                continue;
            }
            let Some(Value::Str(w)) = self.known(other) else {
                continue;
            };
            let n = w.len();
            if op != Op::Eq && n.saturating_mul(n) > MAX_CHARS {
                continue;
            }
            let ranges: Vec<(usize, usize)> = match op {
                Op::Eq => vec![(0, n)],
                Op::StrPrefixof => (0..=n).map(|i| (0, i)).collect(),
                Op::StrSuffixof => (0..=n).map(|i| (i, n)).collect(),
                _ if n <= MAX_WHOLE => (0..=n).flat_map(|i| (i..=n).map(move |j| (i, j))).collect(),
                _ => continue,
            };
            return Some(ranges.into_iter().map(|(i, j)| Value::Str(Str::from(&w[i..j]))).collect());
        }
        None
    }

    /// Values worth trying: small ones, and the constants of the body.
    fn likely(&mut self, sort: Sort, body: Term) -> Option<Vec<Value>> {
        let mut out: Vec<Value> = match sort {
            Sort::INT => (-1..4).map(|n: i64| Value::Int(Int::from(n))).collect(),
            Sort::STRING => {
                ["", "a", "b", "0"].iter().filter_map(|w| Str::from_text(w)).map(Value::Str).collect()
            }
            _ => return None,
        };
        let pool = self.e.pool();
        let mut walk = Walk::new([body]);
        while let Some(t) = walk.next() {
            if walk.seen().len() > MAX_SEARCHED || out.len() > MAX_LIKELY {
                break;
            }
            walk.extend(pool.args(t).iter().copied());
            if pool.sort_of(t) == sort
                && pool.args(t).is_empty()
                && let Some(value) = self.known(t)
                && !out.contains(&value)
            {
                if let Value::Int(n) = &value {
                    out.push(Value::Int(n + &Int::ONE));
                }
                out.push(value);
            }
        }
        Some(out)
    }
}

/// `a op b` as `b op' a`.
fn mirrored(op: Op) -> Op {
    match op {
        Op::Le => Op::Ge,
        Op::Lt => Op::Gt,
        Op::Ge => Op::Le,
        Op::Gt => Op::Lt,
        other => other,
    }
}

/// The negation of a comparison; of others one that bounds nothing.
fn negated(op: Op) -> Op {
    match op {
        Op::Le => Op::Gt,
        Op::Lt => Op::Ge,
        Op::Ge => Op::Lt,
        Op::Gt => Op::Le,
        _ => Op::Distinct,
    }
}
