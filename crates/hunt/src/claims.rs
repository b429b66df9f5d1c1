//! What a solver states besides its answers: values, simplified terms, unsat assumptions. The evaluator compares each statement with a model;
//! a false one becomes an instance with a known answer, on which the solver should go wrong in the usual way too.
//!
//! ```text
//! (simplify t) gives s, and t is not s under a model   ─▶  the model as equations, (not (= t s))          sat
//! (get-value (t)) gives v, and t is not v in (get-model) ─▶  the model as equations, (not (= t v))          sat
//! (get-unsat-assumptions) gives U, and U has a model   ─▶  the assertions, (check-sat-assuming U)         sat
//! ```
//!
//! If the solver answers the instance correctly, its statement is still false: it is kept as a remark.

pub(crate) mod assumptions;
pub(crate) mod simplify;
pub(crate) mod values;

use crate::ask::Asker;
use crate::variant::Variant;
use campaign::case::Case;
use campaign::process::Cancel;
use campaign::profile::Batch;
use semantics::instance::{Instance, Truth};
use semantics::{Evaluator, Model, Value};
use smt::{Command, Fun, Op, Pool, Script, Sort, Term};

/// A statement that the evaluator refutes.
#[derive(Debug)]
pub(crate) struct Claim {
    /// The statement and what refutes it, in words.
    pub(crate) words: String,
    /// An instance that is satisfiable because of it, with its text.
    pub(crate) instance: Option<(Case, String)>,
}

/// Sends texts to one process; the output of each. None if it was cancelled.
fn exchange(asker: &Asker<'_>, variant: &Variant, texts: &[String], cancel: &Cancel) -> Option<Vec<String>> {
    // Without `reset`, one text.
    let count = if variant.solver.profile.batch == Batch::Reset { texts.len() } else { texts.len().min(1) };
    if count == 0 {
        return Some(Vec::new());
    }
    let mut all = String::new();
    for (k, text) in texts[..count].iter().enumerate() {
        let reset = if k + 1 < count { "(reset)\n" } else { "" };
        all.push_str(&format!("{text}(echo \"claim-{k}\")\n{reset}"));
    }
    let ended = asker.run(Ok(all.into_bytes()), cancel)?;
    Some(divided(&String::from_utf8_lossy(&ended.stdout), count))
}

/// The parts of an output before each marker; those that are missing have none.
fn divided(output: &str, count: usize) -> Vec<String> {
    let (mut parts, mut part) = (Vec::new(), String::new());
    for line in output.lines() {
        let marker = format!("claim-{}", parts.len());
        if line.trim().trim_matches('"') == marker {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push_str(line);
            part.push('\n');
        }
    }
    parts.truncate(count);
    parts
}

/// The constants of a case that have plain values.
fn constants(case: &Case) -> Vec<Fun> {
    let plain = |f: &Fun| {
        let fun = case.pool.fun(*f);
        fun.params.is_empty() && matches!(fun.ret, Sort::STRING | Sort::INT | Sort::BOOL)
    };
    case.declared().filter(plain).collect()
}

/// The literal of a value.
pub(crate) fn literal(pool: &mut Pool, value: &Value) -> Option<Term> {
    Some(match value {
        Value::Bool(b) => pool.bool(*b),
        Value::Str(w) => pool.string(w),
        Value::Int(n) if n.is_negative() => {
            let positive = pool.int(n.abs());
            pool.op(Op::Neg, &[positive]).ok()?
        }
        Value::Int(n) => pool.int(n.clone()),
        _ => return None,
    })
}

/// `(= x v)` for those of these constants that a model has a value for.
pub(crate) fn equations(pool: &mut Pool, model: &Model, funs: &[Fun]) -> Option<Vec<Term>> {
    let mut list = Vec::new();
    for &f in funs {
        let x = pool.apply(f, &[]);
        let Ok(value) = Evaluator::new(pool, model).eval(x) else { continue };
        let v = literal(pool, &value)?;
        list.push(pool.op(Op::Eq, &[x, v]).ok()?);
    }
    Some(list)
}

/// An instance with a model; none if the referee does not accept it.
pub(crate) fn satisfiable(
    name: &str,
    pool: Pool,
    assertions: &[Term],
    assumptions: Option<&[Term]>,
    model: Model,
) -> Option<(Case, String)> {
    let mut script = Script::default();
    let all: Vec<Term> = assertions.iter().chain(assumptions.unwrap_or_default()).copied().collect();
    synth::sources::declare(&pool, &all, &mut script);
    assertions.iter().for_each(|&t| script.push(Command::Assert(t)));
    script.push(match assumptions {
        Some(list) => Command::CheckSatAssuming(list.into()),
        None => Command::CheckSat,
    });
    let mut instance = Instance { pool, script, truth: Truth::Sat(Box::new(model)) };
    instance.confirm();
    if !matches!(instance.truth, Truth::Sat(_)) {
        return None;
    }
    let text = format!("(set-logic ALL)\n{}", instance.to_text(""));
    let case = Case::from_text(name, text.as_bytes()).ok()?;
    // Its model was read back, too.
    (case.certificate.status() == semantics::Status::Sat).then_some((case, text))
}

#[cfg(test)]
mod tests;
