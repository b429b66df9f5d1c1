//! The effects of edits on random scripts, by evaluation.
//!
//! Every pass, single edits and several together: all assignments of small values are tried before and after. A model that an effect promises and
//! that is none refutes it.

use super::generator::script;
use super::*;
use crate::doc::Doc;
use rustc_hash::FxHashMap;
use semantics::referee::{Check, Judgement, check, check_count};
use semantics::regex::RegexStore;
use semantics::{Config, Evaluator, Model, Satisfaction, Str, Value};
use smt::{Fun, Pool, Sort, Term};
use synth::dice::Dice;

/// Values of constants, by name.
type Assignment = Vec<(String, Value)>;

fn values(sort: Sort) -> Vec<Value> {
    let word = |text: &str| Value::Str(Str::from_text(text).expect("characters"));
    match sort {
        Sort::BOOL => vec![Value::Bool(false), Value::Bool(true)],
        Sort::INT => [0, 1, -1, 3].map(|n: i64| Value::Int(n.into())).to_vec(),
        Sort::STRING => ["", "a", "ab", "c"].map(word).to_vec(),
        _ => Vec::new(),
    }
}

fn constants(doc: &Doc) -> Vec<Fun> {
    doc.script.declared().collect()
}

/// Random assignments of small values to the constants of a script.
fn assignments(doc: &Doc, dice: &mut Dice, count: usize) -> Vec<Assignment> {
    let one = |_| {
        let value =
            |f: Fun| (doc.pool.fun_name(f).to_owned(), dice.pick(&values(doc.pool.fun(f).ret)).clone());
        constants(doc).into_iter().map(value).collect()
    };
    (0..count).map(one).collect()
}

fn model(doc: &Doc, assignment: &Assignment) -> Model {
    let mut model = Model::new();
    for f in constants(doc) {
        if let Some((_, value)) = assignment.iter().find(|(name, _)| name == doc.pool.fun_name(f)) {
            model.assign(f, value.clone());
        }
    }
    model
}

fn evaluator<'p>(pool: &'p Pool, model: &'p Model) -> Evaluator<'p> {
    let config = Config { steps: 100_000, regex_budget: 100_000, ..Config::default() };
    Evaluator::with(pool, model, config, RegexStore::new())
}

fn satisfies(doc: &Doc, check: &Check, assignment: &Assignment) -> Satisfaction {
    let model = model(doc, assignment);
    Judgement::of(check, &mut evaluator(&doc.pool, &model)).overall()
}

/// The checks of the new script with those of the old one.
fn pairs(old: &Doc, new: &Candidate) -> Vec<(Check, Check)> {
    let all =
        |doc: &Doc| (0..check_count(&doc.script)).filter_map(|n| check(&doc.script, n)).collect::<Vec<_>>();
    let before = all(old);
    let origin = |c: &Check| c.command.and_then(|at| new.origin[at]);
    all(&new.doc)
        .into_iter()
        .filter_map(|c| {
            let of = before.iter().find(|b| b.command.is_some() && b.command == origin(&c))?;
            Some((of.clone(), c))
        })
        .collect()
}

/// The assignment for the new script. None if it is not determined by that for the old one.
fn carried(old: &Doc, new: &Candidate, assignment: &Assignment) -> Option<Assignment> {
    let model = model(old, assignment);
    let mut e = evaluator(&old.pool, &model);
    let mut out = Vec::new();
    for f in constants(&new.doc) {
        let name = new.doc.pool.fun_name(f);
        let before = new.renamed.iter().find(|(n, _)| n == name).map_or(name, |(_, o)| o);
        let value = match new.fresh.iter().find(|(n, _)| n == name) {
            Some((_, t)) => e.eval(*t).ok()?,
            None => assignment.iter().find(|(n, _)| n == before)?.1.clone(),
        };
        out.push((name.to_owned(), value));
    }
    Some(out)
}

/// Assignments for the old script that agree with one for the new script: with small values for the other constants, and with those of some
/// terms.
fn extended(old: &Doc, new: &Candidate, assignment: &Assignment, terms: &[Term]) -> Vec<Assignment> {
    let mut known: Assignment = Vec::new();
    for (name, value) in assignment {
        let own = new.fresh.iter().any(|(n, _)| n == name);
        let before = new.renamed.iter().find(|(n, _)| n == name).map_or(name, |(_, o)| o);
        if !own {
            known.push((before.clone(), value.clone()));
        }
    }
    let mut all = vec![known];
    for f in constants(old) {
        let name = old.pool.fun_name(f);
        if all[0].iter().any(|(n, _)| n == name) {
            continue;
        }
        let sort = old.pool.fun(f).ret;
        let with = |a: &Assignment| {
            let mut tried = values(sort);
            let model = model(old, a);
            let mut e = evaluator(&old.pool, &model);
            let of_terms =
                terms.iter().filter(|t| old.pool.sort_of(**t) == sort).filter_map(|t| e.eval(*t).ok());
            tried.extend(of_terms);
            tried.dedup();
            tried.into_iter().map(|v| [&a[..], &[(name.to_owned(), v)]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// Assignments of which many satisfy a check.
fn likely(doc: &Doc, dice: &mut Dice) -> Vec<Assignment> {
    let checks: Vec<Check> = (0..check_count(&doc.script)).filter_map(|n| check(&doc.script, n)).collect();
    let holds = |a: &Assignment| checks.iter().any(|c| satisfies(doc, c, a) == Satisfaction::Holds);
    let (mut models, others): (Vec<_>, Vec<_>) = assignments(doc, dice, 150).into_iter().partition(holds);
    models.truncate(12);
    models.extend(others.into_iter().take(6));
    models
}

struct Trial {
    old: Doc,
    before: Vec<Assignment>,
    terms: Vec<Term>,
    dice: Dice,
    refuted: FxHashMap<&'static str, u32>,
}

impl Trial {
    fn new(number: u64) -> Trial {
        let old = doc(&script(7, number));
        let mut dice = Dice::new(11, number);
        let before = likely(&old, &mut dice);
        let terms = old.pool.subterms(old.all_roots()).filter(|t| !old.pool.has_var(*t)).collect();
        Trial { old, before, terms, dice, refuted: FxHashMap::default() }
    }

    fn of_pass(&mut self, pass: &dyn Pass) {
        let edits = pass.edits(&self.old);
        for e in edits.iter().take(6) {
            self.of_edits(pass, std::slice::from_ref(e));
        }
        for _ in 0..6.min(edits.len()) {
            let count = self.dice.index(5.min(edits.len())) + 1;
            let some: Vec<Edit> = (0..count).map(|_| self.dice.pick(&edits).clone()).collect();
            self.of_edits(pass, &some);
        }
        self.of_edits(pass, &edits);
    }

    fn of_edits(&mut self, pass: &dyn Pass, edits: &[Edit]) {
        let Some(new) = apply(&self.old, edits) else { return };
        well_formed(&self.old, &new);
        for (of, check) in pairs(&self.old, &new) {
            if matches!(new.effect, Effect::Weaker | Effect::Equivalent) {
                self.keeps_models(pass, &new, &of, &check);
            }
            if matches!(new.effect, Effect::Stronger | Effect::Equivalent) {
                self.adds_no_models(pass, &new, &of, &check);
            }
        }
    }

    fn keeps_models(&mut self, pass: &dyn Pass, new: &Candidate, of: &Check, check: &Check) {
        for a in &self.before {
            let Some(b) = carried(&self.old, new, a) else { continue };
            if satisfies(&self.old, of, a) == Satisfaction::Holds {
                *self.refuted.entry(pass.name()).or_default() += 1;
                assert_ne!(
                    satisfies(&new.doc, check, &b),
                    Satisfaction::Fails,
                    "{} ({:?}) loses {a:?}\n{}\nbecomes\n{}",
                    pass.name(),
                    new.effect,
                    self.old.text(),
                    new.doc.text()
                );
            }
        }
    }

    fn adds_no_models(&mut self, pass: &dyn Pass, new: &Candidate, of: &Check, check: &Check) {
        let known = self.before.iter().filter_map(|a| carried(&self.old, new, a));
        let known: Vec<Assignment> = known.chain(assignments(&new.doc, &mut self.dice, 6)).collect();
        let terms = if pass.name() == "solve" { &self.terms[..] } else { &[] };
        for a in known {
            if satisfies(&new.doc, check, &a) != Satisfaction::Holds {
                continue;
            }
            *self.refuted.entry(pass.name()).or_default() += 1;
            let was = extended(&self.old, new, &a, terms);
            let fails = was.iter().all(|b| satisfies(&self.old, of, b) == Satisfaction::Fails);
            assert!(
                !fails,
                "{} ({:?}) adds {a:?}\n{}\nbecomes\n{}",
                pass.name(),
                new.effect,
                self.old.text(),
                new.doc.text()
            );
        }
    }
}

/// Smaller, read back as it is, and without unused declarations.
fn well_formed(old: &Doc, new: &Candidate) {
    assert!(new.doc.size() < old.size());
    assert_eq!(doc(new.doc.text()).text(), new.doc.text());
    assert_eq!(new.origin.len(), new.doc.script.entries.len());
    let used = |name: &str| {
        let symbols = new.doc.text().split(|c: char| c.is_whitespace() || c == '(' || c == ')');
        symbols.filter(|s| *s == name).count() > 1
    };
    for f in constants(&new.doc) {
        let name = new.doc.pool.fun_name(f);
        assert!(used(name), "{name} is unused:\n{}", new.doc.text());
    }
}

/// The scripts that are tried.
const SCRIPTS: u64 = 40;

#[test]
fn effects_are_never_refuted() {
    let mut tried: FxHashMap<&str, u32> = FxHashMap::default();
    for number in 0..SCRIPTS {
        let mut trial = Trial::new(number);
        for pass in PASSES {
            trial.of_pass(*pass);
        }
        trial.refuted.into_iter().for_each(|(name, n)| *tried.entry(name).or_default() += n);
    }
    for pass in
        PASSES.iter().filter(|p| !["others", "literals", "characters", "parameters"].contains(&p.name()))
    {
        assert!(tried.contains_key(pass.name()), "no effect of {} was tried: {tried:?}", pass.name());
    }
}
