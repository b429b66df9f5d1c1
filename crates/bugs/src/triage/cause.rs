//! Whether two reduced failures have one cause, as far as can be judged.
//!
//! | rule | evidence |
//! |---|---|
//! | evaluation | the solver evaluates the same operator wrongly on constants, or that operator is the only special one of an unsound result |
//! | message | crashes or errors with the same message |
//! | shape | the reduced scripts are the same up to names and constants |
//! | rewritten | they are the same after rewriting by the built-in solver |
//! | part | all assertions of one are in the other |
//! | languages | they are unsound `sat`, and all their atoms are equations of regular expressions |
//! | operators | they have the same special operators |
//! | versions | they fail in the same versions and with the same options, and share a special operator |
//!
//! Operators are special if few formulas have them. Evidence against: another solver, another kind of failure (except for the first rule, and for a wrong `sat` and an invalid model by shape or languages), other versions, other options.

use super::languages::is_about_equations;
use super::pattern::is_in_shape;
use crate::fingerprint::special_operators;
use campaign::clean::listed;
use campaign::finding::{Finding, Versions};
use campaign::outcome::Kind;

/// A reason to put two failures together. The first is the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rule {
    Evaluation,
    Message,
    Shape,
    Rewritten,
    Part,
    Languages,
    Operators,
    Versions,
}

/// The strongest reason why `other` has the cause of `first`, if there is one; with a text for people.
pub(super) fn same(first: &Finding, other: &Finding) -> Option<(Rule, String)> {
    let (a, b) = (&first.fingerprint, &other.fingerprint);
    if a.solver != b.solver || is_telling_apart(first, other) {
        return None;
    }
    match (&a.evaluation, &b.evaluation) {
        (Some(one), Some(two)) if one == two => {
            return Some((Rule::Evaluation, format!("{one} is evaluated wrongly on constants")));
        }
        // One operator is rewritten to the other.
        (Some(_), Some(_)) => {
            return (a.kind == b.kind && a.shape == b.shape).then(|| (Rule::Shape, "same shape".into()));
        }
        (Some(operator), None) if is_about(other, operator) => {
            return Some((Rule::Evaluation, only(operator)));
        }
        (None, Some(operator)) if is_about(first, operator) => {
            return Some((Rule::Evaluation, only(operator)));
        }
        _ => {}
    }
    if a.kind != b.kind {
        let same = is_sat(first) && is_sat(other) && a.shape == b.shape;
        let shape = || (Rule::Shape, "same shape, also a model that falsifies it".into());
        return same.then(shape).or_else(|| Some((Rule::Languages, languages(first, other)?)));
    }
    if a.message.is_some() || b.message.is_some() {
        return (a.message == b.message).then(|| (Rule::Message, "same message".into()));
    }
    let rules: [(Rule, &dyn Fn() -> Option<String>); 6] = [
        (Rule::Shape, &|| (a.shape == b.shape).then(|| "same shape".into())),
        (Rule::Rewritten, &|| {
            (a.core == b.core && !a.core.is_empty()).then(|| "same shape after rewriting".into())
        }),
        (Rule::Part, &|| part(first, other)),
        (Rule::Languages, &|| languages(first, other)),
        (Rule::Operators, &|| operators(first, other)),
        (Rule::Versions, &|| versions(first, other)),
    ];
    rules.into_iter().find_map(|(rule, text)| Some((rule, text()?)))
}

/// It is unsound, and this is its only special operator.
fn is_about(f: &Finding, operator: &str) -> bool {
    f.kind.is_unsound() && special_operators(&f.fingerprint.operators).into_iter().eq([operator])
}

/// It is an unsound `sat`: whether the answer or only the model is known to be wrong, depends on the formula.
fn is_sat(f: &Finding) -> bool {
    matches!(f.kind, Kind::WrongSat | Kind::InvalidModel)
}

fn only(operator: &str) -> String {
    format!("its only special operator, {operator}, is evaluated wrongly on constants")
}

/// Versions or options tell them apart. Options of different profiles do not.
pub(super) fn is_telling_apart(a: &Finding, b: &Finding) -> bool {
    if a.solver.profile != b.solver.profile {
        return false;
    }
    let versions = match (&a.versions, &b.versions) {
        (Some(a), Some(b)) => a.first_bad.is_some() && b.first_bad.is_some() && stretch(a) != stretch(b),
        _ => false,
    };
    let options = matches!((&a.options, &b.options), (Some(a), Some(b)) if a != b);
    versions || options
}

/// The versions that fail.
fn stretch(v: &Versions) -> (Option<&str>, Option<&str>) {
    (v.first_bad.as_deref(), v.fixed_in.as_deref())
}

fn part(first: &Finding, other: &Finding) -> Option<String> {
    let (a, b) = (&first.fingerprint, &other.fingerprint);
    is_in_shape(&a.shape, &b.shape).then(|| "its assertions contain those of the representative".into())
}

fn languages(first: &Finding, other: &Finding) -> Option<String> {
    let is = |f| is_sat(f) && is_about_equations(f);
    (is(first) && is(other))
        .then(|| "both are `sat` with nothing but equations of regular expressions".into())
}

fn operators(first: &Finding, other: &Finding) -> Option<String> {
    let (a, b) = (&first.fingerprint, &other.fingerprint);
    let special = special_operators(&a.operators);
    (!special.is_empty() && special == special_operators(&b.operators))
        .then(|| format!("same operators ({}){}", listed(&special), in_versions(first, other)))
}

fn in_versions(a: &Finding, b: &Finding) -> &'static str {
    if a.versions.is_some() && b.versions.is_some() { " and versions" } else { "" }
}

/// Versions that start or end within those that were run tell something; all versions do not.
fn versions(first: &Finding, other: &Finding) -> Option<String> {
    let (a, b) = (first.versions.as_ref()?, other.versions.as_ref()?);
    let bounded = |v: &Versions| v.last_good.is_some() || v.fixed_in.is_some();
    let shared: Vec<&str> = special_operators(&first.fingerprint.operators)
        .intersection(&special_operators(&other.fingerprint.operators))
        .copied()
        .collect();
    let told = bounded(a) && bounded(b) && !shared.is_empty() && stretch(a) == stretch(b);
    told.then(|| format!("same versions and options, both with {}", listed(shared)))
}
