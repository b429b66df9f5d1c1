//! The experiment on constants: which operators of a formula does the solver evaluate wrongly?
//!
//! A model of the formula gives each application of an operator a value: `(str.replace_all x "a" y)` with `x = "aa"`, `y = "b"` is
//! `(str.replace_all "aa" "a" "b")`, which is `"bb"`. These equations hold, so a solver that answers `unsat` to one of them evaluates that operator wrongly.
//! The model is the known one of a wrong `unsat`, that of a satisfiable unsat core, and otherwise the invalid one that the solver printed.

use crate::doc::Doc;
use crate::fingerprint::special_operators;
use crate::property::core::model_of;
use crate::property::{Detected, Failing, Keep, Setup, detect};
use crate::truth::Keeper;
use campaign::case::Case;
use campaign::finding::Observed;
use campaign::host::Host;
use campaign::judge::responses;
use campaign::outcome::Kind;
use campaign::profile::Profile;
use semantics::referee;
use semantics::regex::RegexStore;
use semantics::{Certificate, Config, Evaluator, Model};
use smt::{Head, Pool, Sort, Term};
use std::collections::BTreeMap;

/// Applications of operators that are tried, at most.
const MAX_FACTS: usize = 400;
/// Bytes of an application, at most.
const MAX_BYTES: usize = 400;

/// The operator whose second argument has operators of its own.
const MEMBERSHIP: &str = "str.in_re";

/// An operator that is evaluated wrongly.
pub(super) struct Wrong {
    /// Its name; none for a membership, where an operator of the regular expression may be the wrong one.
    pub(super) operator: Option<String>,
    /// The application: `(str.replace_all "aa" "a" "b")`.
    pub(super) experiment: String,
    /// The failure of the equation.
    pub(super) failing: Box<Failing>,
}

/// An application of an operator to constants.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fact {
    bytes: usize,
    operator: &'static str,
    application: String,
    /// It has this value, as a formula.
    formula: String,
}

/// Tries the applications of a failure whose answer or model is wrong.
pub(super) fn experiment(
    failing: &Failing,
    setup: &Setup,
    keeper: &Keeper,
    host: &Host<'_>,
) -> anyhow::Result<Option<Wrong>> {
    let start = &failing.start;
    let facts = match start.observed.kind {
        Kind::WrongUnsat => {
            let n = start.observed.check.saturating_sub(1);
            start.label.check(n).model().map(|text| facts_of_text(&start.doc, n, text))
        }
        Kind::InvalidModel | Kind::WrongSat => {
            facts_of_answer(&start.doc, &start.observed, &setup.solver.profile)
        }
        Kind::UnsoundCore => {
            let n = start.observed.check.saturating_sub(1);
            model_of(&start.observed.evidence).map(|text| facts_of_text(&start.doc, n, text))
        }
        _ => None,
    };
    let setup = Setup { keep: Some(Keep::Wrong), repeat: 1, expect: None, ..setup.clone() };
    let lab = Lab { name: &start.name, setup: &setup, keeper, host };
    lab.wrong(facts.unwrap_or_default())
}

struct Lab<'a> {
    name: &'a str,
    setup: &'a Setup,
    keeper: &'a Keeper,
    host: &'a Host<'a>,
}

impl Lab<'_> {
    /// The smallest set with a wrong answer is one fact, else nothing is shown.
    fn wrong(&self, mut facts: Vec<Fact>) -> anyhow::Result<Option<Wrong>> {
        if facts.is_empty() || self.test(&facts)?.is_none() {
            return Ok(None);
        }
        while facts.len() > 1 {
            let second = facts.split_off(facts.len().div_ceil(2));
            if self.test(&facts)?.is_none() {
                facts = second;
            }
        }
        let failing = self.test(&facts)?;
        Ok(failing.zip(facts.pop()).map(|(failing, fact)| Wrong {
            operator: (fact.operator != MEMBERSHIP).then(|| fact.operator.to_owned()),
            experiment: fact.application,
            failing,
        }))
    }

    /// Asserts all facts; the failure, if the solver contradicts them.
    fn test(&self, facts: &[Fact]) -> anyhow::Result<Option<Box<Failing>>> {
        let asserted: String = facts.iter().map(|f| format!("(assert {})\n", f.formula)).collect();
        let Ok(doc) = Doc::from_text(format!("{asserted}(check-sat)\n").as_bytes()) else { return Ok(None) };
        Ok(match detect(self.name, doc, self.setup, self.keeper, self.host)? {
            Detected::Failing(failing) if failing.start.observed.kind == Kind::WrongUnsat => Some(failing),
            Detected::Failing(_) | Detected::Passing(_) | Detected::Flaky { .. } => None,
        })
    }
}

fn facts_of_text(doc: &Doc, n: usize, text: &str) -> Vec<Fact> {
    let mut pool = doc.pool.clone();
    Model::read(text, &mut pool).map(|model| facts(doc, n, &pool, &model)).unwrap_or_default()
}

/// The facts of the model that a solver printed.
fn facts_of_answer(doc: &Doc, observed: &Observed, profile: &Profile) -> Option<Vec<Fact>> {
    let certificate = Certificate::of(&doc.pool, &doc.script);
    let (mut pool, script) = (doc.pool.clone(), doc.script.clone());
    let case = Case { name: String::new(), pool: pool.clone(), script, certificate, doubt: None };
    let n = observed.check.saturating_sub(1);
    let response =
        responses(&case, profile, observed.stdout.as_bytes(), &mut pool).ok()?.into_iter().nth(n)?;
    let model = response.model.ok()??;
    Some(facts(doc, n, &pool, &model))
}

/// The applications of special operators at check `n` under a model whose terms are in `pool`, the smallest first.
fn facts(doc: &Doc, n: usize, pool: &Pool, model: &Model) -> Vec<Fact> {
    let check = referee::check(&doc.script, n).unwrap_or_default();
    let roots = check.assertions.iter().map(|&(_, t)| t).chain(check.assumptions.iter().copied());
    let config = Config { steps: 2_000_000, regex_budget: 2_000_000, ..Config::default() };
    let mut e = Evaluator::with(pool, model, config, RegexStore::new());
    let found = pool.subterms(roots).filter_map(|t| fact(&mut e, t));
    let all: BTreeMap<String, Fact> = found.take(MAX_FACTS).map(|f| (f.formula.clone(), f)).collect();
    let mut all: Vec<Fact> = all.into_values().collect();
    all.sort();
    all
}

fn fact(e: &mut Evaluator<'_>, t: Term) -> Option<Fact> {
    let pool = e.pool();
    let (Head::Op(op) | Head::Indexed(op, _)) = pool.head(t) else { return None };
    let is_special = !special_operators(&[op.name().to_owned()]).is_empty() || op.name() == MEMBERSHIP;
    let sort = pool.sort_of(t);
    if !is_special || pool.has_var(t) || ![Sort::STRING, Sort::INT, Sort::BOOL].contains(&sort) {
        return None;
    }
    let args = pool.args(t).iter().map(|&a| constant(e, a)).collect::<Option<Vec<String>>>()?;
    let head = match pool.head(t) {
        Head::Indexed(_, id) => {
            let indices: Vec<String> = pool.index_values(id).iter().map(ToString::to_string).collect();
            format!("(_ {} {})", op.name(), indices.join(" "))
        }
        _ => op.name().to_owned(),
    };
    let application = format!("({head} {})", args.join(" "));
    let value = e.eval(t).ok()?.to_smtlib(e.store());
    let formula = match value.as_str() {
        "true" => application.clone(),
        "false" => format!("(not {application})"),
        value => format!("(= {application} {value})"),
    };
    let bytes = application.len();
    (bytes <= MAX_BYTES).then(|| Fact { bytes, operator: op.name(), application, formula })
}

/// The value of an argument as text. A regular expression stays as it is, if it is ground.
fn constant(e: &mut Evaluator<'_>, t: Term) -> Option<String> {
    let pool = e.pool();
    if pool.sort_of(t) != Sort::REGLAN {
        return Some(e.eval(t).ok()?.to_smtlib(e.store()));
    }
    let open = |t: Term| matches!(pool.head(t), Head::Fun(_) | Head::Var(_) | Head::Opaque(_));
    (!pool.subterms([t]).any(open)).then(|| smt::print::term_text(pool, t))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(script: &str, model: &str) -> Vec<String> {
        let doc = Doc::from_text(script.as_bytes()).expect("a script");
        facts_of_text(&doc, 0, model).into_iter().map(|f| f.formula).collect()
    }

    #[test]
    fn applications_get_the_values_of_the_model() {
        let script = "(declare-const x String)(declare-const i Int)\
            (assert (= (str.replace_all (str.substr x 0 i) \"a\" \"b\") (str.++ \"b\" x)))\
            (assert (str.in_re x ((_ re.^ 2) (re.* (str.to_re \"a\")))))(check-sat)";
        let found = shown(script, "((define-fun x () String \"aa\") (define-fun i () Int 1))");
        assert_eq!(
            found,
            [
                "(= (str.substr \"aa\" 0 1) \"a\")",
                "(= (str.replace_all \"a\" \"a\" \"b\") \"b\")",
                "(str.in_re \"aa\" ((_ re.^ 2) (re.* (str.to_re \"a\"))))",
            ]
        );
    }

    #[test]
    fn bound_variables_and_common_operators_are_left_out() {
        let script = "(declare-const x String)(assert (= (str.len x) 1))\
            (assert (exists ((y String)) (str.prefixof y x)))(check-sat)";
        assert!(shown(script, "((define-fun x () String \"a\"))").is_empty());
    }
}
