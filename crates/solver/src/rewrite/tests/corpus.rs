//! The scripts of this repository, and of the directory in `REWRITE_CORPUS` if it is set: every step on their assertions is
//! evaluated, and none with `:status sat` is rewritten to false.

use super::super::*;
use super::generate::Dice;
use semantics::{Evaluator, Model, Str, Value, Why};
use smt::Int;
use std::path::Path;

fn scripts(dir: &Path, out: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            scripts(&path, out);
        } else if path.extension().is_some_and(|e| e == "smt2") {
            out.push(path);
        }
    }
}

/// A model of strings in the script, and substrings of them.
fn random_model(pool: &Pool, dice: &mut Dice) -> Model {
    let mut words: Vec<Vec<u32>> = vec![vec![], vec![0x61], vec![0x30]];
    let constants = (0..pool.len() as u32).map(Term).filter_map(|t| build::word(pool, t));
    words.extend(constants.filter(|w| w.len() < 50).take(60).map(<[u32]>::to_vec));
    let mut model = Model::new();
    for f in (0..pool.fun_count() as u32).map(smt::Fun) {
        let data = pool.fun(f);
        if !data.params.is_empty() || data.def.is_some() {
            continue;
        }
        let value = match data.ret {
            Sort::STRING => {
                let mut w = words[dice.below(words.len())].clone();
                if dice.chance(1, 2) {
                    w.extend_from_slice(&words[dice.below(words.len())]);
                }
                if dice.chance(1, 3) {
                    w.truncate(dice.below(w.len() + 1));
                }
                Value::Str(Str::from(w))
            }
            Sort::INT => Value::Int(Int::from(dice.below(12) as i64 - 3)),
            Sort::BOOL => Value::Bool(dice.chance(1, 2)),
            _ => continue,
        };
        model.assign(f, value);
    }
    model
}

#[test]
fn steps_on_a_corpus_are_equivalences() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if !root.join("regress").is_dir() {
        return; // a package of this crate alone
    }
    let mut paths = Vec::new();
    scripts(&root.join("regress"), &mut paths);
    scripts(&root.join("examples"), &mut paths);
    if let Ok(dir) = std::env::var("REWRITE_CORPUS") {
        scripts(Path::new(&dir), &mut paths);
    }
    paths.sort();
    let mut steps = 0;
    for path in &paths {
        let Ok(text) = std::fs::read(path) else { continue };
        if text.len() > 300_000 {
            continue;
        }
        let mut pool = Pool::new();
        let parsed = smt::parse(&text, None, &mut pool);
        let sat = String::from_utf8_lossy(&text).contains("status sat");
        let plain = !parsed.script.commands().any(|c| matches!(c, smt::Command::Push(_)));
        let asserted: Vec<Term> = parsed
            .script
            .commands()
            .filter_map(|c| if let smt::Command::Assert(t) = c { Some(*t) } else { None })
            .collect();
        let mut rw = Rewriter::new();
        let results: Vec<Term> = asserted.iter().map(|&t| rw.rewrite(&mut pool, Mode::Full, t)).collect();
        assert_eq!(rw.exhausted(), 0, "{}", path.display());
        let fails = results.iter().any(|&t| build::truth(&pool, t) == Some(false));
        assert!(!(fails && sat && plain), "{} is refuted, but its status is sat", path.display());
        steps += rw.trace.len();
        evaluate(&pool, &rw.trace, &path.display().to_string());
    }
    assert!(steps > 100, "only {steps} steps were evaluated");
}

fn evaluate(pool: &Pool, steps: &[(&'static str, Term, Term)], name: &str) {
    let mut dice = Dice::new(7);
    for _ in 0..30 {
        let model = random_model(pool, &mut dice);
        let config =
            semantics::Config { steps: 200_000, regex_budget: 200_000, instances: 10, ..Default::default() };
        let mut e = Evaluator::with(pool, &model, config, semantics::regex::RegexStore::new());
        for &(rule, before, after) in steps.iter().take(3_000) {
            if pool.has_binder(before) || pool.has_opaque(before) {
                continue;
            }
            let (a, b) = (e.eval(before), e.eval(after));
            let (Ok(a), false) = (a, matches!(b, Err(Why::DivisionByZero(_) | Why::Budget(_)))) else {
                continue;
            };
            let text = |t: Term| smt::print::term_text(pool, t);
            assert!(b.as_ref() == Ok(&a), "{name}, {rule}:\n{}\n{}\n{a:?} {b:?}", text(before), text(after));
        }
    }
}
