//! Values of functions, `(get-value (f))`: a table as an array in z3, and as a `lambda` in cvc5.
//!
//! z3 prints `(store (store ((as const (Array Int Int)) 2) 5 7) 1 3)`, and cvc5 `(lambda ((x!0 Int)) (ite (= x!0 1) 3 …))`. A function whose body
//! is no table, as that of a `define-fun`, is a `lambda` in both.

use super::Session;
use semantics::model::Meaning;
use semantics::value::default_value;
use smt::print::term_text;
use smt::{Fun, Head, Op, Pool, Term};
use std::fmt::Write as _;

impl Session<'_> {
    /// The function that a term is, without arguments.
    pub(super) fn as_function(&self, t: Term) -> Option<Fun> {
        let pool = &*self.elaborator.pool;
        let (Head::Opaque(name), true) = (pool.head(t), pool.args(t).is_empty()) else { return None };
        self.elaborator.lookup(pool.names.name(name)).filter(|&f| !pool.fun(f).params.is_empty())
    }

    /// The value of a function in the model.
    pub(super) fn function_text(&self, f: Fun) -> Result<String, String> {
        let model = self.model()?;
        let pool = &*self.elaborator.pool;
        let data = pool.fun(f);
        let defined = match model.lookup(pool, f) {
            Some(Meaning::Definition(d)) if data.def.is_none() && pool.fun(d).params == data.params => d,
            _ => f,
        };
        let sorts: Vec<String> = data.params.iter().map(|&s| pool.sort_text(s)).collect();
        let ret = pool.sort_text(data.ret);
        let constant = |value: &str| format!("((as const (Array {} {ret})) {value})", sorts.join(" "));
        let arrays = !self.settings.style.is_cvc();
        let Some(def) = &pool.fun(defined).def else {
            let store = semantics::regex::RegexStore::new();
            let value = default_value(pool, data.ret, &store)
                .ok_or_else(|| format!("the value of {} is undetermined", pool.fun_name(f)))?;
            let value = super::answers::value_text(pool, &value, data.ret, &store);
            if arrays {
                return Ok(constant(&value));
            }
            let vars: Vec<String> = sorts.iter().enumerate().map(|(i, s)| format!("(x!{i} {s})")).collect();
            return Ok(format!("(lambda ({}) {value})", vars.join(" ")));
        };
        if arrays && let Some((rows, otherwise)) = table(pool, &def.vars, def.body) {
            let mut text = "(store ".repeat(rows.len());
            text.push_str(&constant(&term_text(pool, otherwise)));
            // The first row is that of the outermost `store`.
            for (args, value) in rows.iter().rev() {
                for &a in args {
                    let _ = write!(text, " {}", term_text(pool, a));
                }
                let _ = write!(text, " {})", term_text(pool, *value));
            }
            return Ok(text);
        }
        let var = |&v: &Term| format!("({} {})", term_text(pool, v), pool.sort_text(pool.sort_of(v)));
        let vars: Vec<String> = def.vars.iter().map(var).collect();
        Ok(format!("(lambda ({}) {})", vars.join(" "), term_text(pool, def.body)))
    }
}

/// Arguments and the value for them.
type Case = (Vec<Term>, Term);

/// The rows of a body `(ite (and (= x a) (= y b)) value …)`, and the value of all other arguments.
fn table(pool: &Pool, vars: &[Term], mut body: Term) -> Option<(Vec<Case>, Term)> {
    let mut rows = Vec::new();
    while let (Head::Op(Op::Ite), &[test, value, rest]) = (pool.head(body), pool.args(body)) {
        let tests = match pool.head(test) {
            Head::Op(Op::And) => pool.args(test),
            _ => &[test][..],
        };
        let is = |(&v, &t): (&Term, &Term)| match (pool.head(t), pool.args(t)) {
            (Head::Op(Op::Eq), &[a, b]) if a == v => Some(b),
            (Head::Op(Op::Eq), &[a, b]) if b == v => Some(a),
            _ => None,
        };
        let args: Vec<Term> = vars.iter().zip(tests).map(is).collect::<Option<_>>()?;
        if tests.len() != vars.len() {
            return None;
        }
        rows.push((args, value));
        body = rest;
    }
    let constant = |t: Term| !pool.subterms([t]).any(|u| matches!(pool.head(u), Head::Var(_)));
    let closed = rows.iter().all(|(args, value)| args.iter().all(|&a| constant(a)) && constant(*value));
    (closed && constant(body)).then_some((rows, body))
}
