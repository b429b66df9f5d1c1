//! Merges several instances into one.
//!
//! All assertions of all instances, with names treated in one of three ways ([`Mode`]), and one `check-sat`. Of a script with
//! several checks or levels, the assertions in force at its first check are taken. Logics are joined, options and
//! declarations occur once.
//!
//! Truths combine where that is sound. One unsatisfiable instance makes the result unsatisfiable, with the same core,
//! however names are treated: identifying two names only removes interpretations. If all are satisfiable,
//! their models together are tried, the first value of a constant wins; the result is a model if the referee
//! accepts it, which it does when nothing is shared.

mod import;
mod names;

use import::Importer;
use names::Names;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::instance::{Instance, Truth};
use semantics::model::Meaning;
use semantics::regex::RegexStore;
use semantics::{Config, Evaluator, Model, Value};
use smt::script::Plain;
use smt::{Command, Fun, Pool, Script, Term};

/// The treatment of the names of constants and functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Names are kept: the same name with the same signature is the same symbol. Duplicate assertions are asserted once.
    Concat,
    /// Names that occur in an earlier instance are renamed.
    Disjoint,
    /// One pool of names: the n-th constant (or function) of a signature is the same in all instances.
    Intersecting,
}

/// Why instances cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// There is none.
    #[error("nothing to merge")]
    Nothing,
    /// Two sorts of one name.
    #[error(
        "instance {instance} declares sort `{sort}` differently from an earlier one; sorts are not renamed"
    )]
    Sort {
        /// The number of the instance, from 1.
        instance: usize,
        /// The sort.
        sort: String,
    },
}

/// Merges instances.
pub fn merge(instances: &[Instance], mode: Mode) -> Result<Instance, MergeError> {
    if instances.is_empty() {
        return Err(MergeError::Nothing);
    }
    let mut merger = Merger::new(mode);
    merger.heading(instances);
    for (i, instance) in instances.iter().enumerate() {
        merger.add(i, instance)?;
    }
    merger.script.push(Command::CheckSat);
    Ok(merger.finish(instances))
}

struct Merger {
    mode: Mode,
    pool: Pool,
    script: Script,
    names: Names,
    /// The index of an assertion.
    asserted: FxHashMap<Term, usize>,
    assertions: usize,
    others: FxHashSet<Box<str>>,
    /// For each instance, the images of its functions and assertions.
    became: Vec<Became>,
}

#[derive(Default)]
struct Became {
    /// Declared functions: theirs and ours.
    declared: Vec<(Fun, Fun)>,
    /// By the index of an assertion in its script, that in the merged one.
    assertions: Vec<Option<usize>>,
}

impl Merger {
    fn new(mode: Mode) -> Merger {
        Merger {
            mode,
            pool: Pool::new(),
            script: Script::default(),
            names: Names::default(),
            asserted: FxHashMap::default(),
            assertions: 0,
            others: FxHashSet::default(),
            became: Vec::new(),
        }
    }

    /// A logic that covers all instances, and every option as first set.
    fn heading(&mut self, instances: &[Instance]) {
        let version = self.pool.names.intern(":smt-lib-version");
        self.script.push(Command::SetInfo(version, "2.6".into()));
        if let Some(logic) = logic(instances) {
            let logic = self.pool.names.intern(&logic);
            self.script.push(Command::SetLogic(logic));
        }
        let mut seen = FxHashSet::default();
        for instance in instances {
            for c in instance.script.commands() {
                if let Command::SetOption(key, value) = c {
                    let key = self.pool.names.intern(instance.pool.names.name(*key));
                    if seen.insert(key) {
                        self.script.push(Command::SetOption(key, value.clone()));
                    }
                }
            }
        }
    }

    fn add(&mut self, number: usize, instance: &Instance) -> Result<(), MergeError> {
        let mut became =
            Became { assertions: vec![None; instance.script.assertions().count()], ..Became::default() };
        let mut import = Importer::new(&instance.pool, &instance.script);
        self.names.next_instance();
        for step in in_force(&instance.script) {
            let entry = &instance.script.entries[step.command];
            match &entry.command {
                Command::Assert(t) => {
                    let t = import.term(self.parts(), *t);
                    became.assertions[step.assertion] = Some(self.assert(t, entry.lets));
                }
                Command::CheckSatAssuming(ts) => {
                    for &t in ts {
                        let t = import.term(self.parts(), t);
                        self.assert(t, entry.lets);
                    }
                }
                Command::DeclareFun(f) | Command::DeclareConst(f) => {
                    let (ours, new) = import.declare(self.parts(), *f);
                    became.declared.push((*f, ours));
                    if new {
                        let constant = matches!(entry.command, Command::DeclareConst(_));
                        self.script.push(if constant {
                            Command::DeclareConst(ours)
                        } else {
                            Command::DeclareFun(ours)
                        });
                    }
                }
                other => self.other(number, instance, other, entry.lets, &mut import)?,
            }
        }
        self.became.push(became);
        Ok(())
    }

    fn parts(&mut self) -> (&mut Pool, &mut Names, Mode) {
        (&mut self.pool, &mut self.names, self.mode)
    }

    /// Asserts `t`; its index.
    fn assert(&mut self, t: Term, lets: bool) -> usize {
        let known = self.asserted.get(&t).filter(|_| self.mode == Mode::Concat);
        if let Some(&index) = known {
            return index;
        }
        self.asserted.insert(t, self.assertions);
        self.push(Command::Assert(t), lets);
        self.assertions += 1;
        self.assertions - 1
    }

    fn push(&mut self, command: Command, lets: bool) {
        self.script.push(command);
        if let Some(last) = self.script.entries.last_mut() {
            last.lets = lets;
        }
    }

    /// Definitions, sorts, and commands that are kept as text.
    fn other(
        &mut self,
        number: usize,
        instance: &Instance,
        c: &Command,
        lets: bool,
        import: &mut Importer<'_>,
    ) -> Result<(), MergeError> {
        match c {
            Command::DefineFun(f) | Command::DefineConst(f) | Command::DefineFunRec(f) => {
                let recursive = matches!(c, Command::DefineFunRec(_));
                if let Some(ours) = import.define(self.parts(), *f, recursive) {
                    let make = match c {
                        Command::DefineFun(_) => Command::DefineFun,
                        Command::DefineConst(_) => Command::DefineConst,
                        _ => Command::DefineFunRec,
                    };
                    self.push(make(ours), lets);
                }
            }
            Command::DefineFunsRec(funs) => {
                let ours = import.define_many(self.parts(), funs);
                self.push(Command::DefineFunsRec(ours.into()), lets);
            }
            Command::DeclareSort(name, arity) => {
                let text = instance.pool.names.name(*name);
                let ours = self.pool.names.intern(text);
                match self.names.sort(ours, *arity) {
                    None => self.push(Command::DeclareSort(ours, *arity), false),
                    Some(true) => {}
                    Some(false) => {
                        return Err(MergeError::Sort { instance: number + 1, sort: text.into() });
                    }
                }
            }
            // Terms have the sort that it abbreviates; only commands kept as text may use its name.
            Command::DefineSort(name, params, sort) => {
                let ours = self.pool.names.intern(instance.pool.names.name(*name));
                if self.names.sort(ours, u32::MAX).is_none() {
                    let params =
                        params.iter().map(|&p| self.pool.names.intern(instance.pool.names.name(p))).collect();
                    let sort = import.sort(&mut self.pool, *sort);
                    self.push(Command::DefineSort(ours, params, sort), false);
                }
            }
            Command::Other(text) if self.others.insert(text.clone()) => {
                self.push(Command::Other(text.clone()), false);
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(self, instances: &[Instance]) -> Instance {
        let unsat = instances.iter().zip(&self.became).find_map(|(i, b)| match &i.truth {
            Truth::Unsat(core) => Some(core.iter().map(|&a| b.assertions[a]).collect::<Option<Vec<_>>>()),
            _ => None,
        });
        let Merger { mut pool, script, became, .. } = self;
        let truth = match unsat {
            Some(core) => Truth::Unsat(core.unwrap_or_default()),
            None => union(&mut pool, instances, &became).map_or(Truth::Unknown, |m| Truth::Sat(Box::new(m))),
        };
        let mut merged = Instance { pool, script, truth };
        merged.confirm();
        merged
    }
}

/// The union of all models, if every instance has one.
fn union(pool: &mut Pool, instances: &[Instance], became: &[Became]) -> Option<Model> {
    let mut union = Model::new();
    let mut seen = FxHashSet::default();
    for (instance, became) in instances.iter().zip(became) {
        let Truth::Sat(model) = &instance.truth else { return None };
        for (&(_, ours), value) in became.declared.iter().zip(values(instance, model, &became.declared)?) {
            if !seen.insert(ours) {
                continue;
            }
            match value {
                Known::Value(v) => union.assign(ours, v),
                Known::Function(d) => {
                    let mut import = Importer::new(&instance.pool, &instance.script);
                    let name = pool.fun(ours).name;
                    let d = import.function(pool, d, name)?;
                    union.define(pool, &[d]).ok()?;
                }
                Known::Nothing => {}
            }
        }
    }
    Some(union)
}

/// The value of a function in a model.
enum Known {
    Value(Value),
    Function(Fun),
    Nothing,
}

/// The values of declared constants and functions; none if one of them cannot be copied.
fn values(instance: &Instance, model: &Model, declared: &[(Fun, Fun)]) -> Option<Vec<Known>> {
    let mut pool = instance.pool.clone();
    let terms: Vec<Option<Term>> =
        declared.iter().map(|&(f, _)| pool.fun(f).params.is_empty().then(|| pool.apply(f, &[]))).collect();
    let mut e = Evaluator::with(&pool, model, Config::default(), RegexStore::new());
    let mut out = Vec::new();
    for (&(f, _), t) in declared.iter().zip(terms) {
        out.push(match t {
            // A language is bound to its store.
            Some(t) => match e.eval(t).ok()? {
                Value::Re(_) => return None,
                value => Known::Value(value),
            },
            None => match model.lookup(&pool, f) {
                Some(Meaning::Definition(d)) => Known::Function(d),
                Some(_) => return None,
                None => Known::Nothing,
            },
        });
    }
    Some(out)
}

/// A logic that contains all scripts, if there is an obvious one.
fn logic(instances: &[Instance]) -> Option<String> {
    let of = |i: &Instance| {
        i.script.commands().find_map(|c| match c {
            Command::SetLogic(l) => Some(i.pool.names.name(*l).to_owned()),
            _ => None,
        })
    };
    let logics: Vec<Option<String>> = instances.iter().map(of).collect();
    let first = logics[0].clone();
    if logics.iter().all(|l| *l == first) {
        return first;
    }
    let strings = |l: &Option<String>| matches!(l.as_deref(), Some("QF_S" | "QF_SLIA"));
    Some(if logics.iter().all(strings) { "QF_SLIA" } else { "ALL" }.into())
}

/// A command in force at the first check of the script.
struct Step {
    command: usize,
    /// The index among the assertions of the script, if it is one.
    assertion: usize,
}

fn in_force(script: &Script) -> Vec<Step> {
    let (mut kept, mut levels, mut assertion) = (Vec::new(), Vec::new(), 0);
    for (command, c) in script.commands().enumerate() {
        match c {
            Command::Push(n) => levels.extend(std::iter::repeat_n(kept.len(), (*n).min(1 << 16) as usize)),
            Command::Pop(n) => {
                let left = levels.len().saturating_sub(*n as usize);
                kept.truncate(levels.get(left).copied().unwrap_or(kept.len()));
                levels.truncate(left);
            }
            Command::Plain(Plain::Reset) => {
                kept.clear();
                levels.clear();
            }
            Command::Plain(Plain::ResetAssertions) => {
                kept.truncate(levels.first().copied().unwrap_or(kept.len()));
                kept.retain(|s: &Step| !matches!(script.entries[s.command].command, Command::Assert(_)));
                levels.clear();
            }
            Command::Plain(Plain::Exit) | Command::CheckSat => break,
            Command::CheckSatAssuming(_) => {
                kept.push(Step { command, assertion });
                break;
            }
            _ => kept.push(Step { command, assertion }),
        }
        assertion += usize::from(matches!(c, Command::Assert(_)));
    }
    kept
}

#[cfg(test)]
mod tests;
