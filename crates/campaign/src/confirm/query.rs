//! Queries for a second opinion: the assertions at a `check-sat`, with a model as equalities.

use crate::case::Case;
use crate::compose::has_global_declarations;
use crate::settings::Rules;
use rustc_hash::FxHashSet;
use semantics::regex::RegexStore;
use semantics::{Certificate, Evaluator, Model, Value};
use smt::script::{Entry, Plain};
use smt::{Command, Fun, Op, Pool, Script, Sort, Term};

/// One `check-sat` of a case as a separate case, without levels.
pub(super) struct Flat {
    name: String,
    pub(super) pool: Pool,
    entries: Vec<Entry>,
}

impl Flat {
    /// The `n`th query of `case`, with the assertions that `keep` accepts.
    pub(super) fn of(case: &Case, n: usize, keep: impl Fn(Term) -> bool) -> Flat {
        let check = case.check(n);
        let kept: FxHashSet<usize> =
            check.assertions.iter().filter(|(_, t)| keep(*t)).map(|(at, _)| *at).collect();
        let mut flat = Flat { name: case.name.clone(), pool: case.pool.clone(), entries: Vec::new() };
        let global = has_global_declarations(case);
        let mut levels = Vec::new();
        for (at, entry) in case.script.entries.iter().enumerate() {
            if check.command == Some(at) || entry.command == Command::Plain(Plain::Exit) {
                break;
            }
            flat.add(at, entry, &kept, global, &mut levels);
        }
        check.assumptions.iter().for_each(|&t| flat.entries.push(made(Command::Assert(t))));
        flat
    }

    fn add(
        &mut self,
        at: usize,
        entry: &Entry,
        kept: &FxHashSet<usize>,
        global: bool,
        levels: &mut Vec<usize>,
    ) {
        match &entry.command {
            Command::Push(n) => levels.extend((0..*n).map(|_| self.entries.len())),
            Command::Pop(n) => {
                let open = levels.len().saturating_sub(*n as usize);
                let size = levels.drain(open..).next();
                if let Some(size) = size.filter(|_| !global) {
                    self.entries.truncate(size);
                }
            }
            Command::Plain(Plain::Reset | Plain::ResetAssertions) => {
                levels.clear();
                let all = !global || entry.command == Command::Plain(Plain::Reset);
                self.entries
                    .retain(|e| !all || matches!(e.command, Command::SetLogic(_) | Command::SetOption(..)));
            }
            Command::CheckSat | Command::CheckSatAssuming(_) | Command::SetInfo(..) => {}
            Command::Assert(_) if !kept.contains(&at) => {}
            _ => self.entries.push(entry.clone()),
        }
    }

    fn declared(&self) -> Vec<Fun> {
        let fun = |e: &Entry| match e.command {
            Command::DeclareFun(f) | Command::DeclareConst(f) => Some(f),
            _ => None,
        };
        self.entries.iter().filter_map(fun).collect()
    }

    /// The values of `model`, whose terms are in the pool, as equalities.
    pub(super) fn values(&mut self, model: &Model, rules: &Rules) -> Values {
        let mut values = Values::default();
        let funs = self.declared();
        let (constants, functions): (Vec<Fun>, Vec<Fun>) =
            funs.into_iter().partition(|&f| self.pool.fun(f).params.is_empty());
        let terms: Vec<(Fun, Term)> = constants.iter().map(|&f| (f, self.pool.apply(f, &[]))).collect();
        values.left_out.extend(functions.iter().map(|&f| self.pool.fun_name(f).to_owned()));
        let mut e = Evaluator::with(&self.pool, model, rules.config(), RegexStore::new());
        let found: Vec<_> = terms.iter().map(|&(f, t)| (f, t, e.eval(t).ok())).collect();
        drop(e);
        for (f, t, value) in found {
            let mentioned = model.lookup(&self.pool, f).is_some();
            match value.and_then(|v| equality(&mut self.pool, t, &v)) {
                Some(equal) if mentioned => values.given.push(equal),
                Some(equal) => values.completed.push(equal),
                None => values.left_out.push(self.pool.fun_name(f).to_owned()),
            }
        }
        values
    }

    /// The case that checks it together with `more`.
    pub(super) fn case(&self, more: &[&[Term]]) -> Case {
        let mut script = Script { entries: self.entries.clone(), ..Script::default() };
        more.iter().copied().flatten().for_each(|&t| script.push(Command::Assert(t)));
        let command = Some(script.entries.len());
        script.push(Command::CheckSat);
        Case {
            name: self.name.clone(),
            pool: self.pool.clone(),
            script,
            certificate: Certificate::unknown(command),
            doubt: None,
        }
    }
}

/// A model as equalities.
#[derive(Default)]
pub(super) struct Values {
    /// The constants of the model.
    pub(super) given: Vec<Term>,
    /// Other constants, with the referee's defaults.
    pub(super) completed: Vec<Term>,
    /// Values that no equality expresses: functions, languages, elements of declared sorts.
    pub(super) left_out: Vec<String>,
}

fn made(command: Command) -> Entry {
    let mut script = Script::default();
    script.push(command);
    script.entries.swap_remove(0)
}

fn equality(pool: &mut Pool, constant: Term, value: &Value) -> Option<Term> {
    let value = match value {
        Value::Bool(b) => pool.bool(*b),
        Value::Int(n) if pool.sort_of(constant) == Sort::INT => pool.int(n.clone()),
        Value::Int(_) => return None,
        Value::Real(q) => pool.real(q.clone()),
        Value::Str(s) => pool.string(s),
        Value::Re(_) | Value::Element(_) | Value::Data(_) | Value::Seq(_) => return None,
    };
    pool.op(Op::Eq, &[constant, value]).ok()
}
