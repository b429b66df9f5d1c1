//! Explains the value of a term: the path of subterms that decides it.

use crate::eval::Evaluator;
use crate::value::{Val, Value, Why};
use smt::print::term_text;
use smt::{Head, Op, Term};
use std::fmt;

/// One line of an explanation.
#[derive(Clone, Debug)]
pub struct Step {
    /// The depth below the explained term.
    pub depth: usize,
    /// The subterm.
    pub term: Term,
    /// Its value.
    pub value: Val,
}

/// The path from `t` down to the constants that decide its value, at most `limit` lines.
///
/// Below a connective only the arguments that decide it are followed: the first false one of a false `and`,
/// the chosen branch of an `ite`, all of a false `or`, the counterexample of a false `forall`.
pub fn explain(e: &mut Evaluator<'_>, t: Term, limit: usize) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut stack = vec![(0, t)];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some((depth, t)) = stack.pop() {
        if steps.len() == limit {
            break;
        }
        if !seen.insert(t) && depth > 0 {
            continue;
        }
        let value = e.eval(t);
        steps.push(Step { depth, term: t, value: value.clone() });
        if let Head::Forall | Head::Exists = e.pool().head(t)
            && let Some(instance) = e.deciding_instance(t)
        {
            for (var, value) in instance {
                steps.push(Step { depth: depth + 1, term: var, value: Ok(value.clone()) });
                seen.insert(var);
                e.bind(var, value);
            }
            let body = *e.pool().args(t).last().expect("a binder has a body");
            stack.push((depth + 1, body));
            continue;
        }
        for &child in deciding(e, t, &value).iter().rev() {
            if !is_constant(e, child) {
                stack.push((depth + 1, child));
            }
        }
    }
    e.unbind();
    steps
}

/// A [`Step`] as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The depth below the explained term.
    pub depth: usize,
    /// The subterm.
    pub term: String,
    /// Its value, or the reason why it has none.
    pub value: Result<String, &'static str>,
}

/// Indented by its depth, long texts shortened.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indent = "  ".repeat(self.depth.min(30) + 1);
        write!(f, "{indent}{}  →  ", shorten(&self.term, 120))?;
        match &self.value {
            Ok(value) => f.write_str(&shorten(value, 120)),
            Err(why) => write!(f, "unknown, {why}"),
        }
    }
}

/// The steps of [`explain`] as text, without terms that are their own values, such as `(str.to_re "a")`.
pub fn lines(e: &mut Evaluator<'_>, t: Term, limit: usize) -> Vec<Line> {
    let steps = explain(e, t, limit);
    let line = |step: Step| Line {
        depth: step.depth,
        term: term_text(e.pool(), step.term),
        value: step.value.map(|v| v.to_smtlib(e.store())).map_err(Why::reason),
    };
    let is_news = |line: &Line| line.depth == 0 || line.value.as_ref() != Ok(&line.term);
    steps.into_iter().map(line).filter(is_news).collect()
}

/// The lines of [`explain`] as one text.
pub fn text(e: &mut Evaluator<'_>, t: Term, limit: usize) -> String {
    lines(e, t, limit).iter().map(|line| format!("{line}\n")).collect()
}

/// `text` with its middle left out, if it has more than `limit` characters.
pub fn shorten(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let head: String = text.chars().take(limit - 20).collect();
    let tail: String = text.chars().skip(text.chars().count() - 17).collect();
    format!("{head} … {tail}")
}

fn is_constant(e: &Evaluator<'_>, t: Term) -> bool {
    matches!(e.pool().head(t), Head::Str(_) | Head::Int(_) | Head::Real(_) | Head::Op(Op::True | Op::False))
}

/// The arguments of `t` that its value hangs on.
fn deciding(e: &mut Evaluator<'_>, t: Term, value: &Val) -> Vec<Term> {
    let pool = e.pool();
    let args = pool.args(t);
    let first = |e: &mut Evaluator<'_>, want: bool| -> Vec<Term> {
        args.iter().copied().find(|&a| e.eval(a) == Ok(Value::Bool(want))).into_iter().collect()
    };
    match (pool.head(t), value) {
        (Head::Forall | Head::Exists | Head::Lambda, _) => Vec::new(),
        (Head::Op(Op::And), Ok(Value::Bool(false))) => first(e, false),
        (Head::Op(Op::Or), Ok(Value::Bool(true))) => first(e, true),
        (Head::Op(Op::Implies), Ok(Value::Bool(true))) => args
            .split_last()
            .map(|(&last, premises)| {
                let fails = premises.iter().copied().find(|&p| e.eval(p) == Ok(Value::Bool(false)));
                vec![fails.unwrap_or(last)]
            })
            .unwrap_or_default(),
        (Head::Op(Op::Ite), _) => match e.eval(args[0]) {
            Ok(Value::Bool(true)) => vec![args[0], args[1]],
            Ok(Value::Bool(false)) => vec![args[0], args[2]],
            _ => vec![args[0]],
        },
        (_, Err(_)) => args.iter().copied().find(|&a| e.eval(a).is_err()).into_iter().collect(),
        _ => args.to_vec(),
    }
}
