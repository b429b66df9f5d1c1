//! The evaluator: the value of a term under a model.
//!
//! A machine with an explicit stack of `Task`s, so that a term of depth one million, or a recursive function
//! that calls itself a million times, costs only memory. Values of terms without variables are kept until the model
//! changes; each call of a defined function and each instance of a quantifier is an `Activation` with its own
//! variables and its own memo.
//!
//! Truth is three-valued (Kleene): `and` with a false argument is false whatever the others are. The
//! connectives and `ite` are evaluated lazily, so that recursive definitions stop.

mod call;
mod chain;
mod lazy;
mod quant;

use crate::apply::{MAX_LEN, Machine, Stuck};
use crate::model::{Meaning, Model, element, is_element_name};
use crate::regex::RegexStore;
use crate::strings::{Reading, Str};
use crate::value::{Satisfaction, Seq, Val, Value, Why};
use quant::Instances;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use smt::{Fun, Head, Op, Pool, Sort, Term};

/// Limits and the reading of the standard.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// The reading of the standard.
    pub reading: Reading,
    /// Steps of the machine before it gives up.
    pub steps: u64,
    /// Work of one regular-expression operation before it gives up.
    pub regex_budget: u64,
    /// Instances of one quantifier before it gives up.
    pub instances: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            reading: Reading::Standard,
            steps: 200_000_000,
            regex_budget: 50_000_000,
            instances: 100_000,
        }
    }
}

/// Limits of infinite recursion, well before memory runs out.
const MAX_TASKS: usize = 30_000_000;
const MAX_ACTIVATIONS: usize = 3_000_000;

/// Limit of the characters in all values: a gibibyte.
const MAX_KEPT: usize = 1 << 28;

/// Steps that planning the instances of a quantifier counts for.
const PLAN_COST: u64 = 300;

/// An activation's index; 0 is the top level.
type Act = u32;

#[derive(Default)]
struct Activation {
    env: Vec<(Term, Val)>,
    /// For an instance of a quantifier, the activation around the quantifier, whose variables are visible too.
    outer: Option<Act>,
    memo: FxHashMap<Term, Val>,
}

enum Task {
    Visit(Term, Act),
    /// All arguments have values.
    Build(Term, Act),
    /// A connective or `ite` whose arguments before this one have values.
    Lazy(Term, Act, u32),
    /// A call is done: its value is that of the body in its activation.
    Return {
        call: Term,
        act: Act,
        body: Term,
        inner: Act,
    },
    /// The parts of nested concatenations have values.
    Chain(Term, Act, Box<[Term]>),
    /// An instance of a quantifier is done.
    Instance(Box<Instances>),
}

/// Evaluates terms of one pool under one model.
pub struct Evaluator<'p> {
    pool: &'p Pool,
    model: &'p Model,
    config: Config,
    store: RegexStore,
    memo: Vec<Option<Val>>,
    acts: Vec<Activation>,
    free: Vec<Act>,
    tasks: Vec<Task>,
    completed: Vec<Fun>,
    /// For each quantifier that an instance decided, the variables of the last such instance.
    decided: FxHashMap<Term, Vec<(Term, Val)>>,
    applications: u64,
    /// Steps left before giving up.
    fuel: u64,
    /// Characters in values that are kept.
    kept: usize,
}

impl<'p> Evaluator<'p> {
    /// An evaluator with the default configuration.
    pub fn new(pool: &'p Pool, model: &'p Model) -> Self {
        Evaluator::with(pool, model, Config::default(), RegexStore::new())
    }

    /// An evaluator with this configuration and store of languages.
    pub fn with(pool: &'p Pool, model: &'p Model, config: Config, store: RegexStore) -> Self {
        Evaluator {
            pool,
            model,
            config,
            store,
            memo: Vec::new(),
            acts: vec![Activation::default()],
            free: Vec::new(),
            tasks: Vec::new(),
            completed: Vec::new(),
            decided: FxHashMap::default(),
            applications: 0,
            fuel: 0,
            kept: 0,
        }
    }

    /// The number of operator applications since the last reset: a measure of work.
    pub fn applications(&self) -> u64 {
        self.applications
    }

    /// Resets the count of applications.
    pub fn reset_applications(&mut self) {
        self.applications = 0;
    }

    /// The store of languages.
    pub fn store(&self) -> &RegexStore {
        &self.store
    }

    /// Returns the store.
    pub fn into_store(self) -> RegexStore {
        self.store
    }

    /// The pool.
    pub fn pool(&self) -> &'p Pool {
        self.pool
    }

    /// Forgets all values and continues with another model.
    pub fn set_model(&mut self, model: &'p Model) {
        self.model = model;
        self.memo.clear();
        self.acts.truncate(1);
        self.acts[0] = Activation::default();
        self.free.clear();
        self.completed.clear();
        self.decided.clear();
        self.kept = 0;
    }

    /// The constants and functions without a value in the model, which got a default.
    pub fn completed(&self) -> &[Fun] {
        &self.completed
    }

    /// Gives the free variable `var` a value for all evaluations until the next [`Evaluator::unbind`].
    pub fn bind(&mut self, var: Term, value: Value) {
        self.acts[0].env.push((var, Ok(value)));
        self.acts[0].memo.clear();
    }

    /// The instance that decided quantifier `t` when it was last evaluated: a counterexample of a false `forall`, a
    /// witness of a true `exists`.
    pub fn deciding_instance(&self, t: Term) -> Option<Vec<(Term, Value)>> {
        let vars = &self.pool.args(t)[..self.pool.args(t).len() - 1];
        let env = self.decided.get(&t)?;
        let value = |&v: &Term| {
            let (_, val) = env.iter().rev().find(|(var, _)| *var == v)?;
            Some((v, val.clone().ok()?))
        };
        Some(vars.iter().filter_map(value).collect())
    }

    /// Forgets all bound variables and the values that depend on them.
    pub fn unbind(&mut self) {
        self.acts[0].env.clear();
        self.acts[0].memo.clear();
    }

    /// Whether the model satisfies `t`, a `Bool` term.
    pub fn truth(&mut self, t: Term) -> Satisfaction {
        Satisfaction::of(&self.eval(t), t)
    }

    /// The value of `t`.
    pub fn eval(&mut self, t: Term) -> Val {
        if self.memo.len() < self.pool.len() {
            smt::work::spend((self.pool.len() - self.memo.len()) / 8);
            self.memo.resize(self.pool.len(), None);
        }
        self.tasks.clear();
        self.tasks.push(Task::Visit(t, 0));
        self.fuel = self.config.steps;
        while let Some(task) = self.tasks.pop() {
            self.fuel = self.fuel.saturating_sub(1);
            smt::work::spend(1);
            if self.fuel == 0 || self.tasks.len() > MAX_TASKS || self.acts.len() > MAX_ACTIVATIONS {
                self.tasks = Vec::new();
                self.acts.truncate(1);
                self.free.clear();
                return Err(Why::Budget(t));
            }
            self.step(task);
        }
        self.get(t, 0).cloned().unwrap_or(Err(Why::Budget(t)))
    }

    fn step(&mut self, task: Task) {
        match task {
            Task::Visit(t, act) => self.visit(t, act),
            Task::Build(t, act) => self.build(t, act),
            Task::Lazy(t, act, i) => self.lazy(t, act, i),
            Task::Return { call, act, body, inner } => {
                let val = self.get(body, inner).cloned().unwrap_or(Err(Why::Budget(body)));
                self.release(inner);
                self.put(call, act, val);
            }
            Task::Chain(t, act, parts) => self.chain(t, act, &parts),
            Task::Instance(state) => self.instance(state),
        }
    }

    pub(crate) fn get(&self, t: Term, act: Act) -> Option<&Val> {
        look_up(self.pool, &self.memo, &self.acts, t, act)
    }

    fn put(&mut self, t: Term, act: Act, val: Val) {
        let val = self.afford(t, val);
        if !self.pool.has_var(t) {
            self.memo[t.0 as usize] = Some(val);
        } else if let Head::Var(_) = self.pool.head(t) {
            self.acts[act as usize].env.push((t, val));
        } else {
            self.acts[act as usize].memo.insert(t, val);
        }
    }

    /// Counts the characters that are kept; beyond the limit the term has no value.
    fn afford(&mut self, t: Term, val: Val) -> Val {
        let size = match &val {
            Ok(Value::Str(w)) => w.len(),
            Ok(Value::Seq(s)) => 8 * s.len(),
            _ => 0,
        };
        if size > 0 {
            self.kept += size;
            smt::work::spend(size / 8);
            if self.kept > MAX_KEPT {
                return Err(Why::Budget(t));
            }
        }
        val
    }

    fn activate(&mut self, env: Vec<(Term, Val)>, outer: Option<Act>) -> Act {
        if let Some(act) = self.free.pop() {
            self.acts[act as usize].env = env;
            self.acts[act as usize].outer = outer;
            return act;
        }
        self.acts.push(Activation { env, outer, memo: FxHashMap::default() });
        self.acts.len() as Act - 1
    }

    fn release(&mut self, act: Act) {
        if act != 0 {
            self.acts[act as usize].env.clear();
            self.acts[act as usize].memo.clear();
            self.free.push(act);
        }
    }

    fn visit(&mut self, t: Term, act: Act) {
        if self.get(t, act).is_some() {
            return;
        }
        match self.pool.head(t) {
            Head::Str(id) => self.put(t, act, Ok(Value::Str(Str::from(self.pool.word(id))))),
            Head::Int(id) => self.put(t, act, Ok(Value::Int(self.pool.int_value(id).clone()))),
            Head::Real(id) => self.put(t, act, Ok(Value::Real(self.pool.real_value(id).clone()))),
            Head::Var(_) => self.put(t, act, Err(Why::Unbound(t))),
            Head::Op(Op::And | Op::Or | Op::Implies | Op::Ite) => self.tasks.push(Task::Lazy(t, act, 0)),
            Head::Op(Op::Eq) if self.reflexive(t) => self.put(t, act, Ok(Value::Bool(true))),
            Head::Op(Op::Distinct) if self.repeats(t) => self.put(t, act, Ok(Value::Bool(false))),
            Head::Op(Op::StrConcat) if self.is_long_chain(t) => self.visit_chain(t, act),
            Head::Op(Op::SeqEmpty) => {
                let sort = self.pool.sort_text(self.pool.sort_of(t));
                self.put(t, act, Ok(Value::Seq(Seq::empty(sort))));
            }
            Head::Op(_) | Head::Indexed(..) | Head::Annot(_) => self.visit_args(t, act),
            Head::Fun(_) => self.visit_args(t, act),
            Head::Forall | Head::Exists => self.quantifier(t, act),
            Head::Lambda => self.put(t, act, Err(Why::HigherOrder(t))),
            Head::Opaque(name) => {
                if self.pool.set_op(t).is_some() {
                    return self.visit_args(t, act);
                }
                match self.pool.literal_bits(t) {
                    Some(bits) => {
                        let literal = crate::value::bits::value(&bits).ok_or(Why::Opaque(t));
                        return self.put(t, act, literal);
                    }
                    None if self.pool.bit_op(t).is_some() => return self.visit_args(t, act),
                    None => {}
                }
                let name = self.pool.names.name(name);
                let val = if self.pool.args(t).is_empty() && is_element_name(name) {
                    Ok(Value::Element(element(name).into()))
                } else {
                    Err(Why::Opaque(t))
                };
                self.put(t, act, val);
            }
        }
    }

    /// `(= t t)` holds even if the value of `t` is undetermined.
    fn reflexive(&self, t: Term) -> bool {
        self.pool.args(t).windows(2).all(|p| p[0] == p[1])
    }

    /// `(distinct t … t)` fails even if the value of `t` is undetermined.
    fn repeats(&self, t: Term) -> bool {
        let args = self.pool.args(t);
        args.len() <= 64 && args.iter().enumerate().any(|(i, a)| args[..i].contains(a))
    }

    fn visit_args(&mut self, t: Term, act: Act) {
        self.tasks.push(Task::Build(t, act));
        for &a in self.pool.args(t) {
            if self.get(a, act).is_none() {
                self.tasks.push(Task::Visit(a, act));
            }
        }
    }

    fn build(&mut self, t: Term, act: Act) {
        match self.pool.head(t) {
            Head::Op(Op::SeqUnit) => self.unit(t, act),
            Head::Op(op) => self.apply(t, act, op, &[]),
            Head::Indexed(op, id) => self.apply(t, act, op, self.pool.index_values(id)),
            Head::Annot(_) => {
                let val = self.get(self.pool.args(t)[0], act).cloned().unwrap_or(Err(Why::Budget(t)));
                self.put(t, act, val);
            }
            Head::Fun(f) => self.call(t, act, f),
            Head::Opaque(_) => self.apply_set(t, act),
            _ => unreachable!("only applications are built"),
        }
    }

    /// `(seq.unit a)`, whose value has the sort of the term.
    fn unit(&mut self, t: Term, act: Act) {
        self.applications += 1;
        let a = self.pool.args(t)[0];
        let item = self.get(a, act).cloned().unwrap_or(Err(Why::Budget(a)));
        let seq =
            |item| Seq::new(self.pool.sort_text(self.pool.sort_of(t)), vec![item]).ok_or(Why::Budget(t));
        let val = item.and_then(seq).map(Value::Seq);
        self.put(t, act, val);
    }

    fn apply(&mut self, t: Term, act: Act, op: Op, indices: &[smt::Int]) {
        self.applications += 1;
        let args = self.pool.args(t);
        let mut values: SmallVec<[&Value; 8]> = SmallVec::with_capacity(args.len());
        let mut unknown = None;
        // Not `get`, so that the store can be borrowed at the same time.
        let (memo, acts, pool) = (&self.memo, &self.acts, self.pool);
        for &a in args {
            let val = look_up(pool, memo, acts, a, act);
            match val {
                Some(Ok(v)) => values.push(v),
                Some(Err(why)) => unknown = unknown.or(Some(*why)),
                None => unknown = unknown.or(Some(Why::Budget(a))),
            }
        }
        let (reading, regex_budget) = (self.config.reading, self.config.regex_budget);
        let mut machine = Machine { store: &mut self.store, reading, regex_budget };
        let val = match unknown {
            None => machine.apply(op, indices, &values).map_err(|stuck| why(stuck, t)),
            Some(why) => partly_known(&mut machine, op, &values).ok_or(why),
        };
        drop(values);
        if let Err(Why::DivisionByZero(_)) = val
            && let Some(f) = self.division_by_zero(op)
        {
            return self.divide_by_zero(t, act, f);
        }
        self.put(t, act, val);
    }
}

/// The value of `t` in activation `act`, if it is known. Terms without variables have one value everywhere.
#[inline]
fn look_up<'a>(
    pool: &Pool,
    memo: &'a [Option<Val>],
    acts: &'a [Activation],
    t: Term,
    act: Act,
) -> Option<&'a Val> {
    if !pool.has_var(t) {
        return memo[t.0 as usize].as_ref();
    }
    let mut a = &acts[act as usize];
    if !matches!(pool.head(t), Head::Var(_)) {
        return a.memo.get(&t);
    }
    loop {
        if let Some((_, val)) = a.env.iter().rev().find(|(v, _)| *v == t) {
            return Some(val);
        }
        a = &acts[a.outer? as usize];
    }
}

fn why(stuck: Stuck, t: Term) -> Why {
    match stuck {
        Stuck::DivisionByZero => Why::DivisionByZero(t),
        Stuck::OutOfBounds => Why::OutOfBounds(t),
        Stuck::Budget => Why::Budget(t),
        Stuck::Shape => Why::ModelShape(t),
    }
}

/// The value if only these arguments are known: two different ones decide `=`, two equal ones `distinct`.
fn partly_known(machine: &mut Machine<'_>, op: Op, known: &[&Value]) -> Option<Value> {
    match op {
        // Equality is transitive: it suffices to compare with the first known value.
        Op::Eq if known.iter().skip(1).any(|x| machine.equal(known[0], x) == Ok(false)) => {
            Some(Value::Bool(false))
        }
        Op::Distinct if machine.distinct(known) == Ok(false) => Some(Value::Bool(false)),
        _ => None,
    }
}
