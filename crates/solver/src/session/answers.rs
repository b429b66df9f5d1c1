//! Queries of the last check: models, values, cores, assignments.

use super::{Mode, Session, Style};
use semantics::model::Meaning;
use semantics::value::{default_value, set};
use semantics::{Evaluator, Model, Value};
use smt::print::term_text;
use smt::symbol::quote;
use smt::{Fun, Pool, Sort, Term};
use std::fmt::Write as _;

impl Session<'_> {
    pub(super) fn model(&self) -> Result<&Model, String> {
        if !self.settings.models {
            return Err("model generation is not enabled, set :produce-models to true".into());
        }
        match &self.mode {
            Mode::Sat(model) => Ok(model),
            _ => Err("model is not available".into()),
        }
    }

    pub(super) fn get_model(&self) -> Result<String, String> {
        let model = self.model()?;
        let pool = &*self.elaborator.pool;
        let mut out = String::from(self.settings.style.model_header());
        for &f in &self.declared {
            if self.elaborator.lookup(pool.fun_name(f)) == Some(f) {
                interpretation(pool, model, f, self.settings.style, &mut out);
            }
        }
        // Functions of the model only.
        for name in ["div0", "mod0"] {
            if let Some(Meaning::Definition(f)) = model.by_name(name, 1)
                && self.elaborator.lookup(name).is_none()
            {
                interpretation(pool, model, f, self.settings.style, &mut out);
            }
        }
        out.push_str("\n)");
        Ok(self.settings.style.model_elements(out))
    }

    pub(super) fn get_value(&self, terms: &[Term]) -> Result<String, String> {
        let model = self.model()?;
        let pool = &*self.elaborator.pool;
        let mut evaluator = Evaluator::new(pool, model);
        let mut out = String::from("(");
        for (i, &t) in terms.iter().enumerate() {
            let text = match self.as_function(t) {
                Some(f) => self.function_text(f)?,
                None => value_in(pool, &mut evaluator, t)?,
            };
            let space = if i == 0 { "" } else { self.settings.style.between_values() };
            let _ = write!(out, "{space}({} {text})", term_text(pool, t));
        }
        out.push(')');
        Ok(out)
    }

    /// The value of a term in the model.
    pub(super) fn value_of(&self, t: Term) -> Result<String, String> {
        if let Some(f) = self.as_function(t) {
            return self.function_text(f);
        }
        let pool = &*self.elaborator.pool;
        value_in(pool, &mut Evaluator::new(pool, self.model()?), t)
    }

    pub(super) fn get_assignment(&self) -> Result<String, String> {
        if !self.settings.assignments && self.settings.style != Style::Z3 {
            return Err("assignments are not enabled, set :produce-assignments to true".into());
        }
        let Mode::Sat(model) = &self.mode else { return Err("assignment is not available".into()) };
        let pool = &*self.elaborator.pool;
        let mut evaluator = Evaluator::new(pool, model);
        let mut parts = Vec::new();
        for &f in self.labels.iter().filter(|&&f| pool.fun(f).ret == Sort::BOOL) {
            let Some(def) = &pool.fun(f).def else { continue };
            if let Ok(Value::Bool(b)) = evaluator.eval(def.body) {
                parts.push(format!("({} {b})", quote(pool.fun_name(f))));
            }
        }
        Ok(format!("({})", parts.join(" ")))
    }

    pub(super) fn get_assertions(&self) -> String {
        let pool = &*self.elaborator.pool;
        let parts: Vec<String> = self.assertions.iter().map(|a| term_text(pool, a.term)).collect();
        self.settings.style.list(&parts, "\n ")
    }

    pub(super) fn get_unsat_core(&self) -> Result<String, String> {
        if !self.settings.cores {
            return Err("unsat core construction is not enabled, set :produce-unsat-cores to true".into());
        }
        let Mode::Unsat(core, _) = &self.mode else { return Err("unsat core is not available".into()) };
        let names = core.iter().filter_map(|&i| self.assertions.get(i)?.name.as_deref());
        let names = names.map(|name| quote(name).into());
        // A core of z3 has the assumptions as well, and its clients read them there.
        let assumed = if self.settings.style == Style::Z3 { self.assumed_in_core() } else { Vec::new() };
        let names: Vec<String> = assumed.into_iter().chain(names).collect();
        Ok(self.settings.style.list(&names, " "))
    }

    pub(super) fn get_unsat_assumptions(&self) -> Result<String, String> {
        if !self.settings.unsat_assumptions {
            let how = "set :produce-unsat-assumptions to true";
            return Err(format!("unsat assumptions construction is not enabled, {how}"));
        }
        if !matches!(self.mode, Mode::Unsat(..)) {
            return Err("unsat assumptions are not available".into());
        }
        Ok(format!("({})", self.assumed_in_core().join(" ")))
    }

    /// The assumptions that are in the core.
    fn assumed_in_core(&self) -> Vec<String> {
        let Mode::Unsat(core, assumptions) = &self.mode else { return Vec::new() };
        let pool = &*self.elaborator.pool;
        let first = self.assertions.len();
        let assumed = core.iter().filter_map(|&i| assumptions.get(i.checked_sub(first)?));
        assumed.map(|&t| term_text(pool, t)).collect()
    }
}

fn value_in(pool: &Pool, evaluator: &mut Evaluator<'_>, t: Term) -> Result<String, String> {
    let value = evaluator.eval(t).map_err(|why| {
        format!("the value of {} is undetermined: {}", term_text(pool, why.term()), why.reason())
    })?;
    Ok(value_text(pool, &value, pool.sort_of(t), evaluator.store()))
}

/// Appends the definition that `model` gives to `f`.
fn interpretation(pool: &Pool, model: &Model, f: Fun, style: Style, out: &mut String) {
    let (before, between) = style.around_definition();
    let data = pool.fun(f);
    let meaning = model.lookup(pool, f);
    let (name, ret) = (quote(pool.fun_name(f)), pool.sort_text(data.ret));
    if let Some(Meaning::Definition(d)) = meaning
        && pool.fun(d).params == data.params
        && let Some(def) = &pool.fun(d).def
    {
        let vars: Vec<String> = def
            .vars
            .iter()
            .map(|&v| format!("({} {})", term_text(pool, v), pool.sort_text(pool.sort_of(v))))
            .collect();
        let (vars, body) = (vars.join(" "), term_text(pool, def.body));
        let _ = write!(out, "{before}(define-fun {name} ({vars}) {ret}{between}{body})");
        return;
    }
    let store = semantics::regex::RegexStore::new();
    let value = match meaning {
        Some(Meaning::Value(v)) => value_text(pool, v, data.ret, &store),
        Some(Meaning::Term(t)) => term_text(pool, t),
        _ => default_value(pool, data.ret, &store)
            .map_or_else(|| "?".into(), |v| value_text(pool, &v, data.ret, &store)),
    };
    let params: Vec<String> =
        data.params.iter().enumerate().map(|(i, &s)| format!("(x!{i} {})", pool.sort_text(s))).collect();
    let _ = write!(out, "{before}(define-fun {name} ({}) {ret}{between}{value})", params.join(" "));
}

/// A value as SMT-LIB text; an element of a declared sort with its sort.
pub(super) fn value_text(
    pool: &Pool,
    value: &Value,
    sort: Sort,
    store: &semantics::regex::RegexStore,
) -> String {
    match value {
        Value::Element(name) if !name.starts_with('(') => {
            format!("(as {} {})", quote(name), pool.sort_text(sort))
        }
        Value::Data(d) if let Some((elements, of)) = set::elements(value).zip(pool.set_element(sort)) => {
            set::union_text(d.constructor(), elements.iter().map(|e| value_text(pool, e, of, store)))
        }
        Value::Data(d) if !d.args().is_empty() => {
            let constructors = pool.datatype(sort).map_or(&[][..], |d| &d.constructors);
            let constructor = constructors.iter().find(|k| pool.constructor_text(k.fun) == d.constructor());
            let fields = constructor.map_or(&[][..], |k| &pool.fun(k.fun).params);
            let mut text = format!("({}", d.constructor());
            // Values are at most a thousand levels deep.
            for (v, &s) in d.args().iter().zip(fields) {
                text.push(' ');
                text.push_str(&value_text(pool, v, s, store));
            }
            text + ")"
        }
        _ => value.to_smtlib(store),
    }
}
