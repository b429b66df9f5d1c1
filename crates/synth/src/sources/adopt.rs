//! Copies terms of other instances, as far as sources can work with them: no definitions, no foreign theories, no declared sorts.

use super::grow::Grower;
use rustc_hash::FxHashMap;
use semantics::instance::{Instance, Truth};
use semantics::model::Meaning;
use semantics::{Model, Value, referee};
use smt::{Fun, Head, Pool, PostOrder, Sort, Term};

/// Files with more terms than this are left out.
const MAX_TERMS: usize = 4_000;

/// Copies terms from one pool to another.
pub(super) struct Adopter<'f> {
    from: &'f Pool,
    /// The copies so far; may be filled with replacements.
    pub(super) done: FxHashMap<Term, Term>,
    /// The functions so far: theirs and ours, in the order of their first use.
    pub(super) funs: Vec<(Fun, Fun)>,
}

impl<'f> Adopter<'f> {
    pub(super) fn new(from: &'f Pool) -> Adopter<'f> {
        Adopter { from, done: FxHashMap::default(), funs: Vec::new() }
    }

    /// The copy of a term; `choose` declares the functions. None if it has what sources do not handle.
    pub(super) fn copy(
        &mut self,
        pool: &mut Pool,
        t: Term,
        choose: &mut dyn FnMut(&mut Pool, Fun) -> Fun,
    ) -> Option<Term> {
        let (mut walk, from) = (PostOrder::new([t]), self.from);
        while let Some(t) = walk.next(|t| (!self.done.contains_key(&t)).then(|| from.args(t).iter().copied()))
        {
            let copy = self.node(pool, t, choose)?;
            self.done.insert(t, copy);
        }
        self.done.get(&t).copied()
    }

    fn node(
        &mut self,
        pool: &mut Pool,
        t: Term,
        choose: &mut dyn FnMut(&mut Pool, Fun) -> Fun,
    ) -> Option<Term> {
        let from = self.from;
        let args: Vec<Term> =
            from.args(t).iter().map(|a| self.done.get(a).copied()).collect::<Option<_>>()?;
        let sort = plain(from.sort_of(t))?;
        let head = match from.head(t) {
            Head::Str(id) => return Some(pool.string(from.word(id))),
            Head::Int(id) => return Some(pool.int(from.int_value(id).clone())),
            Head::Real(id) => return Some(pool.real(from.real_value(id).clone())),
            Head::Annot(_) => return Some(args[0]),
            Head::Indexed(op, id) => Head::Indexed(op, pool.index(from.index_values(id))),
            Head::Fun(f) => Head::Fun(self.fun(pool, f, choose)?),
            Head::Var(name) => Head::Var(pool.names.intern(from.names.name(name))),
            head @ (Head::Op(_) | Head::Forall | Head::Exists) => head,
            Head::Lambda | Head::Opaque(_) => return None,
        };
        Some(pool.mk(head, sort, &args))
    }

    fn fun(&mut self, pool: &mut Pool, f: Fun, choose: &mut dyn FnMut(&mut Pool, Fun) -> Fun) -> Option<Fun> {
        if let Some(&(_, ours)) = self.funs.iter().find(|(theirs, _)| *theirs == f) {
            return Some(ours);
        }
        let data = self.from.fun(f);
        if data.def.is_some() || data.params.iter().any(|&s| plain(s).is_none()) {
            return None;
        }
        let ours = choose(pool, f);
        self.funs.push((f, ours));
        Some(ours)
    }

    /// A declaration like theirs, called `name` or longer if that is taken.
    pub(super) fn declare(from: &Pool, pool: &mut Pool, f: Fun, name: &str) -> Fun {
        let mut name = name.to_owned();
        while pool.names.lookup(&name).is_some() {
            name.push('_');
        }
        let name = pool.names.intern(&name);
        let data = from.fun(f);
        pool.declare(name, data.params.clone(), data.ret)
    }
}

/// The sorts that are the same in every pool.
fn plain(sort: Sort) -> Option<Sort> {
    let known = [Sort::BOOL, Sort::INT, Sort::REAL, Sort::STRING, Sort::REGLAN];
    known.contains(&sort).then_some(sort)
}

/// The assertions in force at the first check; none if there are none, or too many terms.
pub(super) fn assertions(instance: &Instance) -> Option<Vec<Term>> {
    if instance.pool.len() > MAX_TERMS {
        return None;
    }
    let check = referee::check(&instance.script, 0)?;
    let terms: Vec<Term> = check.assertions.iter().map(|&(_, t)| t).chain(check.assumptions).collect();
    (!terms.is_empty()).then_some(terms)
}

/// The model of an instance, if it is known to have one.
pub(super) fn model(instance: &Instance) -> Option<&Model> {
    match &instance.truth {
        Truth::Sat(model) => Some(model),
        _ => None,
    }
}

/// The value of a constant in a model of its own pool: a plain value or a literal.
pub(super) fn constant_value(pool: &Pool, model: &Model, f: Fun) -> Option<Value> {
    let term = match model.lookup(pool, f)? {
        Meaning::Value(v) => return (!matches!(v, Value::Re(_))).then(|| v.clone()),
        Meaning::Definition(d) => pool.fun(d).def.as_ref()?.body,
        Meaning::Term(t) => t,
    };
    match pool.head(term) {
        Head::Str(id) => return Some(Value::Str(semantics::Str::from(pool.word(id)))),
        Head::Int(id) => return Some(Value::Int(pool.int_value(id).clone())),
        _ => {}
    }
    let empty = Model::new();
    semantics::Evaluator::with(pool, &empty, super::config(), semantics::regex::RegexStore::new())
        .eval(term)
        .ok()
        .filter(|v| !matches!(v, Value::Re(_)))
}

impl Grower<'_> {
    /// Takes over constants and functions with the values that a model of theirs gives them, others with random ones.
    pub(super) fn take_over(&mut self, from: &Pool, model: Option<&Model>, funs: &[(Fun, Fun)]) {
        for &(theirs, ours) in funs {
            let data = self.pool.fun(ours);
            let (sort, constant) = (data.ret, data.params.is_empty());
            let t = self.pool.apply(ours, &[]);
            let known = self.constants.iter().any(|(c, _)| *c == t);
            if !constant || known || !matches!(sort, Sort::BOOL | Sort::INT | Sort::STRING) {
                continue;
            }
            let value = model.and_then(|m| constant_value(from, m, theirs));
            let value = value.unwrap_or_else(|| self.value(sort));
            self.model.assign(ours, value.clone());
            self.constants.push((t, value));
        }
    }
}
