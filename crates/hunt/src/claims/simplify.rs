//! `(simplify t)`, a command of z3: the result must have the value of `t` under every model. Most terms are closed, from the source
//! `ground`; others are compared under the model of their instance.

use super::{Claim, constants, equations, exchange, satisfiable};
use crate::ask::Asker;
use crate::variant::Variant;
use campaign::case::Case;
use campaign::process::Cancel;
use semantics::{Evaluator, Model, Value, ambiguity};
use smt::print::Printer;
use smt::{Command, Dialect, Pool, Script, Sort, Term};

/// Terms of a case that are simplified.
const TERMS: usize = 2;

/// The solver has the command.
pub(crate) fn has_it(variant: &Variant) -> bool {
    matches!(variant.solver.profile.name.as_str(), "z3" | "z3str3" | "z3-noodler")
}

/// Has terms of these cases simplified; the results that are wrong. None if it was cancelled.
pub(crate) fn ask<'c>(
    cases: impl Iterator<Item = &'c Case>,
    variant: &Variant,
    asker: &Asker<'_>,
    cancel: &Cancel,
) -> Option<Vec<Claim>> {
    let dialect = variant.solver.profile.dialect;
    let queries: Vec<Query> = cases.flat_map(|case| queries(case, dialect)).collect();
    let texts: Vec<String> = queries.iter().map(Query::text).collect();
    let replies = exchange(asker, variant, &texts, cancel)?;
    Some(queries.iter().zip(&replies).filter_map(|(query, reply)| query.claim(reply)).collect())
}

/// A term to simplify.
struct Query {
    name: String,
    dialect: Dialect,
    /// The declarations, and the term, as text.
    declarations: String,
    term: String,
    /// The model that its value is compared under.
    values: Vec<(String, Value)>,
}

/// The terms of a case that are simplified: assertions, and sides of equations.
fn queries(case: &Case, dialect: Dialect) -> Vec<Query> {
    let mut pool = case.pool.clone();
    let terms: Vec<Term> = case.check(0).assertions.iter().map(|&(_, t)| pool.strip(t)).collect();
    let closed = case.declared().next().is_none();
    let Some(model) = case.certificate.model(&mut pool).or_else(|| closed.then(Model::new)) else {
        return Vec::new();
    };
    let known = constants(case);
    if known.len() < case.declared().count() {
        return Vec::new();
    }
    let mut values = Vec::new();
    for f in known {
        let x = pool.apply(f, &[]);
        let Ok(value) = Evaluator::new(&pool, &model).eval(x) else { return Vec::new() };
        values.push((pool.fun_name(f).to_owned(), value));
    }
    let part = |&t: &Term| {
        let args = pool.args(t);
        let side = args.iter().copied().find(|&a| !pool.args(a).is_empty() && !pool.has_var(a));
        side.filter(|&a| matches!(pool.sort_of(a), Sort::STRING | Sort::INT | Sort::BOOL)).unwrap_or(t)
    };
    let wanted: Vec<Term> = terms.iter().flat_map(|t| [part(t), *t]).take(TERMS).collect();
    let declarations = declarations(&pool, case, dialect);
    let query = |t: &Term| {
        let mut text = String::new();
        Printer::new(&pool, dialect).term(*t, &mut text).ok()?;
        let (name, declarations) = (format!("{}/simplify", case.name), declarations.clone()?);
        Some(Query { name, dialect, declarations, term: text, values: values.clone() })
    };
    wanted.iter().filter_map(query).collect()
}

fn declarations(pool: &Pool, case: &Case, dialect: Dialect) -> Option<String> {
    let (mut text, mut script) = (String::new(), Script::default());
    case.declared().for_each(|f| script.push(Command::DeclareFun(f)));
    for command in script.commands() {
        Printer::new(pool, dialect).command(command, &mut text).ok()?;
        text.push('\n');
    }
    Some(text)
}

impl Query {
    fn text(&self) -> String {
        format!("{}(simplify {})\n", self.declarations, self.term)
    }

    /// The claim that the result equals the term, if the model refutes it.
    fn claim(&self, reply: &str) -> Option<Claim> {
        let result = reply.trim();
        let doubtful = ambiguity::other_escapes(result.as_bytes(), self.dialect).is_some();
        if result.is_empty() || result.contains("(error") || doubtful {
            return None;
        }
        let text = format!("{}(assert (not (= {} {result})))", self.declarations, self.term);
        let case = {
            let mut pool = Pool::new();
            let parsed = smt::parse(text.as_bytes(), Some(self.dialect), &mut pool);
            if !parsed.is_ok() {
                return None;
            }
            let certificate = semantics::Certificate::of(&pool, &parsed.script);
            Case { name: self.name.clone(), pool, script: parsed.script, certificate, doubt: None }
        };
        let differ: Vec<Term> = case.script.assertions().collect();
        let mut model = Model::new();
        for f in case.declared() {
            let name = case.pool.fun_name(f);
            let (_, value) = self.values.iter().find(|(n, _)| n == name)?;
            model.assign(f, value.clone());
        }
        let mut pool = case.pool.clone();
        let mut all = equations(&mut pool, &model, &constants(&case))?;
        all.extend(differ);
        let instance = satisfiable(&self.name, pool, &all, None, model)?;
        let words = format!("(simplify {}) gives {result}, which has another value", self.term);
        Some(Claim { words, instance: Some(instance) })
    }
}
