//! `(get-unsat-assumptions)` after an `unsat` of `check-sat-assuming`: some of the assumptions that are unsatisfiable with the assertions. A model
//! of both, found by the built-in solver, refutes it.

use super::{Claim, exchange, satisfiable};
use crate::ask::Asker;
use crate::variant::Variant;
use crate::witness::{self, Witness};
use campaign::case::Case;
use campaign::compose::compose_parts;
use campaign::outcome::Status;
use campaign::process::Cancel;
use campaign::settings::Wants;
use semantics::Certificate;
use smt::print::{Printer, term_text};
use smt::{Command, Pool, Script, Term};

/// Asks for the unsat assumptions of cases; the lists that have a model. None if it was cancelled.
pub(crate) fn ask<'c>(
    cases: impl Iterator<Item = &'c Case>,
    variant: &Variant,
    asker: &Asker<'_>,
    cancel: &Cancel,
) -> Option<Vec<Claim>> {
    let profile = &variant.solver.profile;
    let wants = Wants { model: false, core: false, named: false, both: false, ..Wants::default() };
    let (mut asked, mut texts) = (Vec::new(), Vec::new());
    for case in cases {
        let Some(cut) = cut(case) else { continue };
        let Ok(parts) = compose_parts(&cut, profile, 0, &wants) else { continue };
        let option = "(set-option :produce-unsat-assumptions true)\n";
        texts.push(format!("{option}{}{}(get-unsat-assumptions)\n", parts.setup, parts.body));
        asked.push(cut);
    }
    let replies = exchange(asker, variant, &texts, cancel)?;
    Some(asked.iter().zip(&replies).filter_map(|(case, reply)| claim(case, reply)).collect())
}

/// The case up to its first check under assumptions that is known to be unsatisfiable.
fn cut(case: &Case) -> Option<Case> {
    let unsat = |i: usize| {
        let query = case.certificate.queries.iter().find(|q| q.command == Some(i));
        query.is_some_and(|q| q.status == Status::Unsat)
    };
    let is = |(i, c): (usize, &Command)| matches!(c, Command::CheckSatAssuming(_)) && unsat(i);
    let end = case.script.commands().enumerate().position(is)?;
    let mut cut = case.clone();
    cut.script.entries.truncate(end + 1);
    cut.certificate = Certificate::of(&cut.pool, &cut.script);
    Some(cut)
}

/// The claim that a list of assumptions is unsatisfiable, if there is a model of it.
fn claim(case: &Case, reply: &str) -> Option<Claim> {
    let last = reply.rfind("unsat\n")?;
    let list = reply[last + "unsat\n".len()..].trim();
    let verdicts = reply.lines().filter(|l| matches!(l.trim(), "sat" | "unsat" | "unknown")).count();
    if verdicts != case.checks() || !list.starts_with('(') || list.contains("(error") {
        return None;
    }
    let check = case.check(case.checks() - 1);
    let given = stated(case, &check.assumptions, list)?;
    let mut pool = case.pool.clone();
    let bare: Vec<Term> = check.assertions.iter().map(|&(_, t)| pool.strip(t)).collect();
    let all: Vec<Term> = bare.iter().chain(&given).copied().collect();
    let Witness::Model(model) = witness::of_terms(&mut pool, &all) else { return None };
    let words = format!("(get-unsat-assumptions) gives {list}, which has a model with the assertions");
    let name = format!("{}/assumptions", case.name);
    let instance = satisfiable(&name, pool, &bare, Some(&given), *model);
    Some(Claim { words, instance })
}

/// The assumptions in a list; none if it cannot be read or has others.
fn stated(case: &Case, assumptions: &[Term], list: &str) -> Option<Vec<Term>> {
    let mut script = Script::default();
    synth::sources::declare(&case.pool, assumptions, &mut script);
    let mut text = String::new();
    for command in script.commands() {
        Printer::new(&case.pool, smt::Dialect::Smt26).command(command, &mut text).ok()?;
    }
    text.push_str(&format!("(check-sat-assuming {list})"));
    let mut pool = Pool::new();
    let parsed = smt::parse(text.as_bytes(), Some(smt::Dialect::Smt26), &mut pool);
    if !parsed.is_ok() {
        return None;
    }
    let Some(Command::CheckSatAssuming(terms)) = parsed.script.commands().last() else { return None };
    let find = |&t: &Term| {
        let text = term_text(&pool, t);
        assumptions.iter().copied().find(|&a| term_text(&case.pool, a) == text)
    };
    terms.iter().map(find).collect()
}
