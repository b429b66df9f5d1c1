//! Calls of functions that are defined, interpreted by the model, part of a datatype, or neither.

use super::*;
use crate::value::{Data, default_value};
use smt::term::Role;

impl Evaluator<'_> {
    /// The model's own function for division by zero, if it has one (z3's `div0`, `mod0`, `/0`).
    pub(super) fn division_by_zero(&self, op: Op) -> Option<Fun> {
        let name = match op {
            Op::IntDiv => "div0",
            Op::Mod => "mod0",
            Op::RealDiv => "/0",
            _ => return None,
        };
        let Some(Meaning::Definition(f)) =
            self.model.by_name(name, 2).or_else(|| self.model.by_name(name, 1))
        else {
            return None;
        };
        // Not if the script declares a function of this name.
        let params = self.pool.fun(f).params.len();
        let of_script = (0..self.pool.fun_count() as u32)
            .map(Fun)
            .any(|g| g != f && self.pool.fun_name(g) == name && self.pool.fun(g).params.len() == params);
        (!of_script).then_some(f)
    }

    pub(super) fn divide_by_zero(&mut self, t: Term, act: Act, f: Fun) {
        let args = self.pool.args(t);
        if args.len() != 2 {
            return self.put(t, act, Err(Why::DivisionByZero(t)));
        }
        let mut given = vec![args[0]];
        given.extend(args.iter().skip(1).take(self.pool.fun(f).params.len().saturating_sub(1)));
        self.enter(t, act, f, &given);
    }

    pub(super) fn call(&mut self, t: Term, act: Act, f: Fun) {
        let args = self.pool.args(t);
        if self.pool.fun(f).role != Role::Plain {
            return self.call_data(t, act, f);
        }
        if self.pool.fun(f).def.is_some() {
            return self.enter(t, act, f, args);
        }
        match self.model.lookup(self.pool, f) {
            Some(Meaning::Value(v)) => {
                let val = if args.is_empty() { Ok(v.clone()) } else { Err(Why::ModelShape(t)) };
                self.put(t, act, val);
            }
            Some(Meaning::Definition(d)) if d != f && self.same_shape(f, d) => self.enter(t, act, d, args),
            Some(meaning) if !args.is_empty() && self.lambda(meaning, args.len()).is_some() => {
                let lambda = self.lambda(meaning, args.len()).expect("checked above");
                let (&body, vars) = self.pool.args(lambda).split_last().expect("a binder has a body");
                self.enter_body(t, act, vars, body, args);
            }
            Some(Meaning::Term(body))
                if args.is_empty() && self.agree(self.pool.fun(f).ret, self.pool.sort_of(body)) =>
            {
                self.tasks.push(Task::Return { call: t, act, body, inner: 0 });
                self.tasks.push(Task::Visit(body, 0));
            }
            // `((x 1))` for a real x.
            Some(Meaning::Term(body)) if self.pool.fun(f).ret == Sort::REAL && args.is_empty() => {
                let val = match self.peek(body, 0) {
                    Some(Value::Int(n)) => Ok(Value::Real(smt::Rat::from(n))),
                    Some(Value::Real(q)) => Ok(Value::Real(q)),
                    _ => Err(Why::ModelShape(t)),
                };
                self.put(t, act, val);
            }
            Some(_) => self.put(t, act, Err(Why::ModelShape(t))),
            None => self.complete(t, act, f),
        }
    }

    /// A constructor, selector or tester.
    fn call_data(&mut self, t: Term, act: Act, f: Fun) {
        let mut values = Vec::new();
        for &a in self.pool.args(t) {
            match self.get(a, act) {
                Some(Ok(v)) => values.push(v.clone()),
                Some(Err(why)) => {
                    let why = *why;
                    return self.put(t, act, Err(why));
                }
                None => return self.put(t, act, Err(Why::Budget(a))),
            }
        }
        let is = |constructor: Fun| match values.first() {
            Some(Value::Data(d)) => Ok(d.constructor() == self.pool.constructor_text(constructor)),
            _ => Err(Why::ModelShape(t)),
        };
        let val = match self.pool.fun(f).role {
            Role::Tester(c) => is(c).map(Value::Bool),
            Role::Selector(c, field) => match is(c) {
                Ok(true) => match &values[0] {
                    Value::Data(d) => d.args().get(field as usize).cloned().ok_or(Why::ModelShape(t)),
                    _ => Err(Why::ModelShape(t)),
                },
                Ok(false) => return self.misapplied(t, act, f),
                Err(why) => Err(why),
            },
            _ => Data::value(&self.pool.constructor_text(f), values).ok_or(Why::Budget(t)),
        };
        self.put(t, act, val);
    }

    /// An operator on sets or bit-vectors.
    pub(super) fn apply_set(&mut self, t: Term, act: Act) {
        let args =
            self.pool.args(t).iter().map(|&a| self.get(a, act).cloned().unwrap_or(Err(Why::Budget(a))));
        let val = args.collect::<Result<Vec<Value>, Why>>().and_then(|values| {
            let value = match (self.pool.set_op(t), self.pool.bit_op(t)) {
                (Some(op), _) => crate::value::set::apply(self.pool, op, self.pool.sort_of(t), &values),
                (_, Some(op)) => crate::value::bits::apply(op, &values),
                _ => return Err(Why::Opaque(t)),
            };
            value.ok_or(Why::ModelShape(t))
        });
        self.put(t, act, val);
    }

    /// A selector of another constructor: the model may define it.
    fn misapplied(&mut self, t: Term, act: Act, f: Fun) {
        match self.model.lookup(self.pool, f) {
            Some(Meaning::Definition(d)) if d != f && self.same_shape(f, d) => {
                self.enter(t, act, d, self.pool.args(t));
            }
            _ => self.put(t, act, Err(Why::Misapplied(t))),
        }
    }

    pub(super) fn agree(&self, a: Sort, b: Sort) -> bool {
        smt::typing::agree(a, b)
    }

    pub(super) fn same_shape(&self, f: Fun, d: Fun) -> bool {
        let (f, d) = (self.pool.fun(f), self.pool.fun(d));
        let declared = |s: Sort| s.0 > Sort::REGLAN.0 && self.pool.element_of(s).is_none();
        // Declared sorts have fresh ids in each script; their names are in the elements anyway.
        let fits = |a: Sort, b: Sort| self.agree(a, b) || declared(a) && declared(b);
        f.params.len() == d.params.len()
            && fits(f.ret, d.ret)
            && f.params.iter().zip(&*d.params).all(|(&a, &b)| fits(a, b))
    }

    /// The `lambda` of `n` parameters that a model gives as the value of a function.
    fn lambda(&self, meaning: Meaning<'_>, n: usize) -> Option<Term> {
        let body = match meaning {
            Meaning::Term(t) => t,
            Meaning::Definition(d) if self.pool.fun(d).params.is_empty() => {
                self.pool.fun(d).def.as_ref()?.body
            }
            _ => return None,
        };
        (self.pool.head(body) == Head::Lambda && self.pool.args(body).len() == n + 1).then_some(body)
    }

    /// Enters the body of `f` with the values of `args`.
    pub(super) fn enter(&mut self, t: Term, act: Act, f: Fun, args: &[Term]) {
        let Some(def) = &self.pool.fun(f).def else {
            return self.complete(t, act, f);
        };
        let (vars, body) = (&*def.vars, def.body);
        self.enter_body(t, act, vars, body, args);
    }

    fn enter_body(&mut self, t: Term, act: Act, vars: &[Term], body: Term, args: &[Term]) {
        let value = |&a: &Term| self.get(a, act).cloned().unwrap_or(Err(Why::Budget(a)));
        let env: Vec<(Term, Val)> = vars.iter().copied().zip(args.iter().map(value)).collect();
        let inner = if env.is_empty() { 0 } else { self.activate(env, None) };
        self.tasks.push(Task::Return { call: t, act, body, inner });
        self.tasks.push(Task::Visit(body, inner));
    }

    /// Model completion: a default for functions without a value.
    pub(super) fn complete(&mut self, t: Term, act: Act, f: Fun) {
        let ret = self.pool.fun(f).ret;
        let kind = self.pool.sort_data(ret).kind;
        let name = self.pool.fun_name(f);
        let declared = kind == smt::term::SortKind::Declared;
        if declared && is_element_name(name) {
            return self.put(t, act, Ok(Value::Element(name.into())));
        }
        if self.model.is_partial() {
            return self.put(t, act, Err(Why::Unmentioned(t)));
        }
        if !self.completed.contains(&f) {
            self.completed.push(f);
        }
        let sort = self.pool.sort_text(ret);
        if declared && let Some(other) = self.model.constant_of(self.pool, &sort) {
            // An element of the model: its universe may be finite.
            let Some(def) = &self.pool.fun(other).def else { unreachable!("models define their constants") };
            self.tasks.push(Task::Return { call: t, act, body: def.body, inner: 0 });
            return self.tasks.push(Task::Visit(def.body, 0));
        }
        let val = default_value(self.pool, ret, &self.store);
        let foreign = kind == smt::term::SortKind::Foreign;
        let known = !foreign || self.pool.set_element(ret).is_some() || self.pool.bit_width(ret).is_some();
        self.put(t, act, val.filter(|_| known).ok_or(Why::Opaque(t)));
    }
}
