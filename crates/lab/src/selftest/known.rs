//! Known disagreements, listed in `known.smt2`.
//!
//! An entry excuses applications of one operator, for one solver, where a condition on the arguments holds. A disagreement is known
//! only if it disappears when the excused applications are replaced by their values.

use super::ask::Session;
use super::case::{self, Case, constant, rebuild};
use super::generate::Subject;
use anyhow::{Context as _, bail};
use semantics::{Evaluator, Model, Satisfaction, Value};
use smt::{Command, Dialect, Fun, Head, Op, Pool, Term};
use std::collections::HashMap;

const FILE: &str = include_str!("known.smt2");

struct Entry {
    solver: String,
    version: String,
    op: Op,
    condition: Fun,
}

/// All entries.
pub(super) struct Known {
    pool: Pool,
    entries: Vec<Entry>,
}

impl Known {
    /// The list of stringent.
    pub(super) fn built_in() -> anyhow::Result<Known> {
        Known::parse(FILE).context("known.smt2")
    }

    fn parse(text: &str) -> anyhow::Result<Known> {
        let mut pool = Pool::new();
        let parsed = smt::parse(text.as_bytes(), Some(Dialect::Smt26), &mut pool);
        if let Some(d) = parsed.diagnostics.iter().find(|d| d.severity == smt::Severity::Error) {
            bail!("{}", d.message);
        }
        let mut entries = Vec::new();
        let mut info: HashMap<String, String> = HashMap::new();
        for entry in &parsed.script.entries {
            match &entry.command {
                Command::SetInfo(key, value) => {
                    let value = value.trim_matches('"').to_owned();
                    info.insert(pool.names.name(*key).to_owned(), value);
                }
                Command::DefineFun(f) => entries.push(read_entry(&info, *f)?),
                _ => {}
            }
        }
        Ok(Known { pool, entries })
    }

    /// Whether the disagreement on `case` is a known one.
    pub(super) fn explains(&self, session: &mut Session<'_>, case: &Case, seed: u64, depth: usize) -> bool {
        let solver = &session.support.solver;
        let theirs: Vec<&Entry> = self
            .entries
            .iter()
            .filter(|e| e.solver == solver.profile.name && solver.version.starts_with(&e.version))
            .collect();
        if theirs.is_empty() {
            return false;
        }
        let Some((mut pool, t)) = case.term(seed, depth) else {
            return false;
        };
        let excused = self.excused(&theirs, &pool, t);
        let replaced =
            rebuild(&mut pool, t, |pool, part| excused.get(&part).and_then(|value| constant(pool, value)));
        !excused.is_empty() && case.with(&pool, replaced).is_some_and(|without| session.agrees(&without))
    }

    /// The parts of `t` that an entry excuses, and their values.
    fn excused(&self, entries: &[&Entry], pool: &Pool, t: Term) -> HashMap<Term, Value> {
        let model = Model::new();
        let mut e = case::evaluator(pool, &model);
        let mut excused = HashMap::new();
        for part in case::parts(pool, t) {
            let args: Vec<Option<Value>> = pool.args(part).iter().map(|&a| e.eval(a).ok()).collect();
            let Head::Op(op) = pool.head(part) else {
                continue;
            };
            let holds = entries.iter().any(|entry| entry.op == op && self.holds(entry, &args));
            if let (true, Ok(value)) = (holds, e.eval(part)) {
                excused.insert(part, value);
            }
        }
        excused
    }

    /// The condition holds of these arguments. It cannot depend on languages.
    fn holds(&self, entry: &Entry, args: &[Option<Value>]) -> bool {
        let Some(def) = &self.pool.fun(entry.condition).def else {
            return false;
        };
        let model = Model::new();
        let mut e = Evaluator::new(&self.pool, &model);
        for (&var, value) in def.vars.iter().zip(args) {
            if let Some(value) = value.as_ref().filter(|v| !matches!(v, Value::Re(_))) {
                e.bind(var, value.clone());
            }
        }
        def.vars.len() == args.len() && e.truth(def.body) == Satisfaction::Holds
    }
}

fn read_entry(info: &HashMap<String, String>, condition: Fun) -> anyhow::Result<Entry> {
    let get = |key: &str| info.get(key).with_context(|| format!("an entry without {key}"));
    let operator = get(":operator")?;
    let op = Subject::all().find_map(|s| match s {
        Subject::Op(op) if s.label() == operator => Some(op),
        _ => None,
    });
    get(":reason")?;
    Ok(Entry {
        solver: get(":solver")?.clone(),
        version: get(":version")?.clone(),
        op: op.with_context(|| format!("there is no operator `{operator}`"))?,
        condition,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_well_formed() {
        Known::built_in().expect("well-formed");
    }

    #[test]
    fn an_entry_excuses_exactly_the_cases_of_its_condition() {
        let known = Known::parse(
            r#"(set-info :solver "s") (set-info :version "1") (set-info :operator "str.at") (set-info :reason "r")
               (define-fun entry ((w String) (n Int)) Bool (and (= w "") (< n 0)))"#,
        )
        .expect("well-formed");
        let entries: Vec<&Entry> = known.entries.iter().collect();
        let mut pool = Pool::new();
        let script = br#"(assert (= (str.++ (str.at "" (- 1)) (str.at "" 1) (str.at "a" (- 1)) (str.substr "" (- 1) 1)) "x"))"#;
        let parsed = smt::parse(script, None, &mut pool);
        let t = parsed.script.assertions().next().expect("one");
        let excused = known.excused(&entries, &pool, t);
        let texts: Vec<_> = excused.keys().map(|&t| smt::print::term_text(&pool, t)).collect();
        assert_eq!(texts, [r#"(str.at "" (- 1))"#]);
    }
}
