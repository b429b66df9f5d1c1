//! `(get-value (t …))` against `(get-model)`: both speak of one model, so every term has the value that the evaluator gives it under the
//! definitions of `(get-model)`, and these satisfy the assertions.

use super::{Claim, constants, equations, exchange, literal, satisfiable};
use crate::ask::Asker;
use crate::variant::Variant;
use campaign::case::Case;
use campaign::compose::compose_parts;
use campaign::process::Cancel;
use campaign::settings::Wants;
use semantics::{Evaluator, Model, Satisfaction, ambiguity};
use smt::answer::Item;
use smt::print::{Printer, term_text};
use smt::{Dialect, Op, Pool, Sort, Term};

/// Terms whose values are requested.
const TERMS: usize = 8;

/// Asks for values and models of satisfiable cases; the statements that contradict each other. None if it was cancelled.
pub(crate) fn ask<'c>(
    cases: impl Iterator<Item = &'c Case>,
    variant: &Variant,
    asker: &Asker<'_>,
    cancel: &Cancel,
) -> Option<Vec<Claim>> {
    let queries: Vec<(&Case, Vec<Term>, String)> = cases.filter_map(|case| query(case, variant)).collect();
    let texts: Vec<String> = queries.iter().map(|(_, _, text)| text.clone()).collect();
    let replies = exchange(asker, variant, &texts, cancel)?;
    let dialect = variant.solver.profile.dialect;
    let found = |((case, terms, _), reply): (&(&Case, Vec<Term>, String), &String)| {
        claims(case, terms, reply, dialect).unwrap_or_default()
    };
    Some(queries.iter().zip(&replies).flat_map(found).collect())
}

/// The terms to ask for, and the text.
fn query<'c>(case: &'c Case, variant: &Variant) -> Option<(&'c Case, Vec<Term>, String)> {
    let profile = &variant.solver.profile;
    let pool = &case.pool;
    let wanted = |t: &Term| {
        !pool.has_var(*t)
            && matches!(pool.sort_of(*t), Sort::STRING | Sort::INT | Sort::BOOL)
            && !matches!(pool.head(*t), smt::Head::Annot(_) | smt::Head::Str(_) | smt::Head::Int(_))
    };
    let roots = case.check(0).assertions.into_iter().map(|(_, t)| pool.strip(t));
    let mut own = pool.clone();
    let mut terms: Vec<Term> = constants(case).into_iter().map(|f| own.apply(f, &[])).collect();
    // Those that occur.
    terms.retain(|&t| (t.0 as usize) < pool.len());
    terms.extend(pool.subterms(roots).filter(wanted).take(TERMS));
    let wants = Wants { model: false, core: false, named: false, both: false, ..Wants::default() };
    let parts = compose_parts(case, profile, 0, &wants).ok()?;
    let mut text = "(set-option :produce-models true)\n".to_owned() + &parts.setup + &parts.body;
    text.push_str("(get-model)\n(get-value (");
    for &t in &terms {
        Printer::new(pool, profile.dialect).term(t, &mut text).ok()?;
        text.push(' ');
    }
    text.push_str("))\n");
    (!terms.is_empty()).then_some((case, terms, text))
}

/// The claims in a reply that the evaluator refutes.
fn claims(case: &Case, terms: &[Term], reply: &str, dialect: Dialect) -> Option<Vec<Claim>> {
    if ambiguity::other_escapes(reply.as_bytes(), dialect).is_some() {
        return None;
    }
    let mut pool = case.pool.clone();
    let items = smt::answer::read(reply.as_bytes(), dialect, &mut pool);
    let mut model = Model::new();
    let defined = items.iter().find_map(|i| if let Item::Model(funs) = i { Some(funs) } else { None })?;
    model.define(&pool, defined).ok()?;
    // Constants that it does not mention may have any value.
    model.set_partial(true);
    let values = items.iter().find_map(|i| if let Item::Values(list) = i { Some(list) } else { None })?;
    if values.len() != terms.len() {
        return None;
    }
    let mut found = Vec::new();
    let assertions: Vec<Term> = case.check(0).assertions.iter().map(|&(_, t)| pool.strip(t)).collect();
    let mut e = Evaluator::new(&pool, &model);
    if let Some(t) = assertions.iter().find(|&&t| e.truth(t) == Satisfaction::Fails) {
        let words = format!("the model of (get-model) falsifies {}", term_text(&pool, *t));
        found.push(Claim { words, instance: None });
        return Some(found);
    }
    for (&t, (_, stated)) in terms.iter().zip(values) {
        let (Ok(is), Ok(said)) = (e.eval(t), e.eval(*stated)) else { continue };
        if is != said {
            let mut own = pool.clone();
            let is = literal(&mut own, &is).map_or_else(String::new, |v| term_text(&own, v));
            let (t_text, said) = (term_text(&pool, t), term_text(&pool, *stated));
            let words =
                format!("(get-value) gives {said} for {t_text}, under the model of (get-model) it is {is}");
            found.push(Claim { words, instance: differing(case, &pool, &model, t, *stated) });
        }
    }
    Some(found)
}

/// The model as equations, and that the term has another value than the one stated.
fn differing(case: &Case, pool: &Pool, model: &Model, t: Term, stated: Term) -> Option<(Case, String)> {
    let mut pool = pool.clone();
    let said = Evaluator::new(&pool, model).eval(stated).ok()?;
    let mut all = equations(&mut pool, model, &constants(case))?;
    let v = literal(&mut pool, &said)?;
    let equal = pool.op(Op::Eq, &[t, v]).ok()?;
    all.push(pool.op(Op::Not, &[equal]).ok()?);
    satisfiable(&format!("{}/value", case.name), pool, &all, None, model.clone())
}
