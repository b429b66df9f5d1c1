//! All truths of both suites verified again, from the texts: models by the referee, cores by their drop-one models,
//! unsatisfiable formulas attacked by a search for a model.

use rayon::prelude::*;
use semantics::referee::{Judgement, check};
use semantics::{Evaluator, Model, Satisfaction, Status};
use smt::{Command, Dialect, Pool, Script};
use stringent_synth::attack::attack;
use stringent_synth::suite::{Options, Patterns, Preset, generate};
use stringent_synth::text::Text;

fn suite(preset: Preset, patterns: Patterns) -> Vec<Text> {
    let mut options = Options::new(preset);
    options.patterns = patterns;
    let mut texts = Vec::new();
    generate(&options, &mut |t| {
        texts.push(t);
        true
    })
    .expect("our own rules are sound");
    texts
}

struct Read {
    pool: Pool,
    script: Script,
}

fn read(text: &Text) -> Read {
    let mut pool = Pool::new();
    let parsed = smt::parse(text.source.as_bytes(), Some(Dialect::Smt26), &mut pool);
    assert!(parsed.diagnostics.is_empty(), "{}: {:?}", text.name, parsed.diagnostics);
    Read { pool, script: parsed.script }
}

/// The values of a `set-info` attribute that occurs any number of times.
fn infos(read: &Read, key: &str) -> Vec<String> {
    let found = read.script.commands().filter_map(|c| match c {
        Command::SetInfo(k, v) if read.pool.names.name(*k) == key => {
            let text = v.strip_prefix('"').and_then(|v| v.strip_suffix('"')).expect("a string");
            Some(text.replace("\"\"", "\""))
        }
        _ => None,
    });
    found.collect()
}

/// A model from its text `((x "a") …)`.
fn model_of(read: &mut Read, text: &str) -> Model {
    let mut model = Model::new();
    let items = smt::answer::read(text.as_bytes(), Dialect::Smt26, &mut read.pool);
    for item in &items {
        model.add(&read.pool, item);
    }
    model
}

fn judge(read: &Read, model: &Model, without: Option<&str>) -> Satisfaction {
    let mut check = check(&read.script, 0).expect("one check-sat");
    check.assertions.retain(|&(_, t)| {
        let name = read.pool.given_name(t).map(|n| read.pool.names.name(n));
        without.is_none() || name != without
    });
    let mut e = Evaluator::new(&read.pool, model);
    let truth = Judgement::of(&check, &mut e).overall();
    assert!(e.completed().is_empty(), "the model is complete");
    truth
}

fn sat_models_hold(preset: Preset) {
    let texts = suite(preset, Patterns::Without);
    let sat: Vec<&Text> = texts.iter().filter(|t| t.status == Status::Sat).collect();
    assert!(sat.len() > 3000);
    sat.par_iter().for_each(|text| {
        let mut read = read(text);
        let model = infos(&read, ":stringent-model");
        assert_eq!(model.len(), 1, "{}", text.name);
        let model = model_of(&mut read, &model[0]);
        assert_eq!(judge(&read, &model, None), Satisfaction::Holds, "{}\n{}", text.name, text.source);
    });
}

#[test]
fn the_models_of_icse20_hold() {
    sat_models_hold(Preset::Icse20);
}

#[test]
fn the_models_of_full_hold() {
    sat_models_hold(Preset::Full);
}

/// Each drop-one model satisfies all other assertions. Under some quantifiers it is undetermined; those are
/// counted, and never false.
fn drops_hold(preset: Preset) -> (usize, usize) {
    let texts = suite(preset, Patterns::Without);
    let unsat: Vec<&Text> = texts.iter().filter(|t| t.status == Status::Unsat).collect();
    let counts = unsat.par_iter().map(|text| {
        let mut read = read(text);
        let (mut held, mut undetermined) = (0, 0);
        let core = infos(&read, ":stringent-core").remove(0);
        let drops = infos(&read, ":stringent-drop");
        assert!(core.split_whitespace().count() >= drops.len(), "{}", text.name);
        assert!(!drops.is_empty(), "{}: {core}", text.name);
        for drop in drops {
            let (name, model) = drop[1..drop.len() - 1].split_once(' ').expect("a name and a model");
            let model = model_of(&mut read, model);
            match judge(&read, &model, Some(name)) {
                Satisfaction::Holds => held += 1,
                Satisfaction::Fails => panic!("{} without {name}: {model:?}\n{}", text.name, text.source),
                Satisfaction::Undetermined(_) => undetermined += 1,
            }
        }
        (held, undetermined)
    });
    counts.reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
}

#[test]
fn the_cores_of_icse20_are_needed() {
    // Untold are those under whose quantifiers the referee cannot see; `Refutation::plain` holds there.
    assert_eq!(drops_hold(Preset::Icse20), (1100, 59));
}

#[test]
fn the_cores_of_full_are_needed() {
    let (held, undetermined) = drops_hold(Preset::Full);
    assert!(held > 1500 && undetermined * 10 < held, "{held} held, {undetermined} undetermined");
}

/// No unsatisfiable formula has a model with words up to length 2 over two letters, and small integers. (`stringent
/// synth --attack 4` looks further.)
fn attacked(preset: Preset) {
    let texts = suite(preset, Patterns::Without);
    let unsat: Vec<&Text> = texts.iter().filter(|t| t.status == Status::Unsat).collect();
    let exhausted = unsat
        .par_iter()
        .filter(|text| match attack(&text.source, 2, 5_000) {
            Ok(exhausted) => exhausted,
            Err(model) => panic!("{} has the model {model}\n{}", text.name, text.source),
        })
        .count();
    assert!(exhausted * 2 > unsat.len(), "{exhausted} of {}", unsat.len());
}

#[test]
fn the_attack_finds_models() {
    let source = "(declare-const s String)(declare-const n Int)\
                  (assert (! (= (str.len s) n) :named a))(assert (> n 1))(assert (str.contains s \"1\"))";
    assert!(attack(source, 2, 5_000).is_err());
}

#[test]
fn no_unsatisfiable_formula_of_icse20_has_a_small_model() {
    attacked(Preset::Icse20);
}

#[test]
fn no_unsatisfiable_formula_of_full_has_a_small_model() {
    attacked(Preset::Full);
}

/// The equality NC1 without its side condition is wrong, and formulas built with it are refuted.
#[test]
fn a_wrong_rule_is_detected() {
    let mut options = Options::new(Preset::Icse20);
    options.operations = vec!["str.at".into()];
    options.patterns = Patterns::Without;
    options.only = vec![stringent_synth::text::Category::Core];
    let wrong = "(define-rule wrong :vars ((s String)) :lhs (str.at s 0) :rhs s)";
    options.rules = vec![("wrong".into(), wrong.into())];
    let mut refuted = 0;
    generate(&options, &mut |t| {
        let uses_it = t.source.contains("by wrong");
        let model = attack(&t.source, 2, 5_000).is_err();
        assert!(uses_it || !model, "{}", t.source);
        refuted += usize::from(model);
        true
    })
    .expect("it is well sorted");
    assert!(refuted > 0);
}
