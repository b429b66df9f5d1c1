//! Narrower regular expressions.
//!
//! `((_ re.loop 2 5) r)` becomes `((_ re.loop 2 3) r)`, `((_ re.^ 2) r)` or `(re.* r)`; `(re.range "a" "z")` becomes `(re.range "a" "m")` or `(str.to_re "a")`; an expression without
//! constants becomes the shortest of its words. The order between the languages is known in most cases, so that the effect follows from the
//! polarity. Branches of `re.union`, bodies of `re.*` and the constants `re.all`, `re.none` and `re.allchar` come from the passes for arguments and constants.

use super::Pass;
use super::build::is_constant;
use super::edit::{Change, Edit, New, largest};
use super::evaluate::ground;
use super::literals::nearer;
use super::order::Order;
use super::survey::{Occurrence, Survey};
use crate::doc::Doc;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::regex::RegexStore;
use semantics::{Config, Evaluator, Model, Value};
use smt::{Head, Int, Op, Pool, Sort, Term};

/// Narrows regular expressions.
pub(super) struct Regexes;

impl Pass for Regexes {
    fn name(&self) -> &'static str {
        "regexes"
    }

    fn edits(&self, doc: &Doc) -> Vec<Edit> {
        let (survey, words) = (Survey::new(doc), words(doc));
        largest(survey.trees().flat_map(|tree| {
            let of_site = |(at, o): (u32, Occurrence)| {
                let gain = tree.nodes(at);
                let edit = |(new, order): (New, Order)| {
                    let change = Change::At(tree.site(at), new);
                    Edit { effect: o.polarity.effect(order), gain, change }
                };
                let word = words.get(&o.term).map(|w| (New::word(w.clone()), Order::Below));
                narrower(&doc.pool, o.term).into_iter().chain(word).map(edit).collect::<Vec<_>>()
            };
            largest(tree.sites().flat_map(of_site))
        }))
    }
}

/// Expressions with a simpler head.
fn narrower(pool: &Pool, t: Term) -> Vec<(New, Order)> {
    match pool.head(t) {
        Head::Indexed(Op::ReLoop, id) => loops(pool.index_values(id)),
        Head::Indexed(Op::RePower, id) => powers(&pool.index_values(id)[0]),
        Head::Op(Op::ReRange) => ranges(pool, pool.args(t)),
        Head::Op(Op::RePlus) => vec![(of_body(Op::ReStar), Order::Above)],
        _ => Vec::new(),
    }
}

fn of_body(op: Op) -> New {
    New::op(op, vec![New::Arg(0)])
}

fn indexed(op: Op, indices: Vec<Int>) -> New {
    New::App(op, indices, vec![New::Arg(0)])
}

/// `re.loop` with other bounds, or without bounds.
fn loops(bounds: &[Int]) -> Vec<(New, Order)> {
    let [low, high] = bounds else { return Vec::new() };
    let (zero, one) = (Int::from(0), Int::from(1));
    let within = |l: &Int, h: &Int| {
        if low <= l && h <= high && l <= h { Order::Below } else { around(l, h, low, high) }
    };
    let mut out = vec![(of_body(Op::ReStar), Order::Above)];
    let plus = if *low >= one { Order::Above } else { Order::Unknown };
    out.push((of_body(Op::RePlus), plus));
    out.push((of_body(Op::ReOpt), within(&zero, &one)));
    for l in nearer(low) {
        out.push((indexed(Op::ReLoop, vec![l.clone(), high.clone()]), within(&l, high)));
    }
    for h in nearer(high).into_iter().filter(|h| h >= low) {
        out.push((indexed(Op::ReLoop, vec![low.clone(), h.clone()]), within(low, &h)));
    }
    for n in [low, high] {
        out.push((indexed(Op::RePower, vec![n.clone()]), within(n, n)));
    }
    out
}

/// Bounds `l` to `h` compared with `low` to `high`, which they are not inside of.
fn around(l: &Int, h: &Int, low: &Int, high: &Int) -> Order {
    if low > high || (l <= low && high <= h) { Order::Above } else { Order::Unknown }
}

/// `re.^` with another exponent.
fn powers(n: &Int) -> Vec<(New, Order)> {
    let body = if *n == Int::from(1) { Order::Equal } else { Order::Unknown };
    let mut out = vec![(New::Arg(0), body), (of_body(Op::ReStar), Order::Above)];
    out.extend(nearer(n).into_iter().map(|m| (indexed(Op::RePower, vec![m]), Order::Unknown)));
    out
}

/// A range of fewer characters.
fn ranges(pool: &Pool, args: &[Term]) -> Vec<(New, Order)> {
    let letter = |t: Term| match pool.head(t) {
        Head::Str(id) => <[u32; 1]>::try_from(pool.word(id)).ok().map(|[c]| c),
        _ => None,
    };
    let (Some(low), Some(high)) = (letter(args[0]), letter(args[1])) else { return Vec::new() };
    if low > high {
        return vec![(New::constant(Op::ReNone), Order::Equal)];
    }
    let range = |a: u32, b: u32| New::op(Op::ReRange, vec![New::Str(vec![a]), New::Str(vec![b])]);
    let middle = low + (high - low) / 2;
    let one = if low == high { Order::Equal } else { Order::Below };
    let mut out = vec![(New::word(vec![low]), one), (New::word(vec![high]), one)];
    out.push((New::constant(Op::ReAllchar), Order::Above));
    out.extend([(low, middle), (middle, high)].map(|(a, b)| (range(a, b), Order::Below)));
    out.extend(
        [(0x61, 0x61), (0x61, 0x62)]
            .map(|(a, b)| (range(a, b), if low <= a && b <= high { Order::Below } else { Order::Unknown })),
    );
    out
}

/// The work for one word.
const WORK: u64 = 20_000;

/// The most expressions whose words are looked for.
const MOST: usize = 400;

/// A shortest word of each expression without constants.
fn words(doc: &Doc) -> FxHashMap<Term, Vec<u32>> {
    let (pool, model) = (&doc.pool, Model::new());
    let ground: FxHashSet<Term> = ground(doc);
    let config = Config { steps: WORK, regex_budget: WORK, ..Config::default() };
    let mut e = Evaluator::with(pool, &model, config, RegexStore::new());
    let open = |t: &Term| pool.sort_of(*t) == Sort::REGLAN && ground.contains(t) && !is_constant(pool, *t);
    let all: Vec<Term> = pool.subterms(doc.all_roots()).filter(open).take(MOST).collect();
    let values: Vec<_> = all.into_iter().filter_map(|t| Some((t, e.eval(t).ok()?))).collect();
    let mut store = e.into_store();
    let mut word = |(t, value)| match value {
        Value::Re(r) => Some((t, store.shortest_member(r, WORK)??)),
        _ => None,
    };
    values.into_iter().filter_map(&mut word).collect()
}
