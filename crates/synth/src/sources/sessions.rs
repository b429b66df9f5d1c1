//! Incremental scripts: levels, several checks, assumptions, `reset-assertions`.
//!
//! One model is drawn first, and all assertions are true under it, but for those of refutations: formulas that leave one value to each constant, and
//! one that is false for these. A check is satisfiable if no refutation is in force, and unsatisfiable otherwise. Assumptions are Boolean constants
//! that imply a true formula or a refutation.

use super::grow::Grower;
use super::{Made, Material, Source, codes, cuts, model_first, needles, open_regex, order, spot, stars};
use crate::dice::Dice;
use rustc_hash::FxHashSet;
use semantics::instance::{Instance, Truth};
use semantics::{Model, Status, Value};
use smt::script::Plain;
use smt::{Command, Fun, Head, Op, Script, Term};

pub(super) static SESSIONS: Source = Source {
    name: "sessions",
    about: "incremental scripts with push, pop, several checks, assumptions and reset-assertions",
    truth: "of each check: sat by the model drawn first, unsat while a refutation is in force",
    needs_corpus: false,
    make,
};

/// The formulas of sessions.
const KINDS: &[spot::Formula] =
    &[needles::formula, cuts::formula, codes::formula, order::formula, stars::formula, open_regex::formula];

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    with_model(dice, material).map(|(made, _)| made)
}

/// A session, with the model of its satisfiable checks.
pub(super) fn with_model(dice: &mut Dice, material: &Material) -> Option<(Made, Model)> {
    let grower = Grower::with_constants(dice, &material.shape);
    let mut s = Session::new(grower);
    s.start();
    for _ in 0..6 + s.g.dice.index(10) {
        s.step();
    }
    s.check();
    if s.statuses.len() < 2 {
        s.check();
    }
    let instance = Instance { pool: s.g.pool, script: s.script, truth: Truth::Unknown };
    Some((Made { instance, statuses: s.statuses, recipe: String::new() }, s.g.model))
}

struct Session<'a> {
    g: Grower<'a>,
    script: Script,
    statuses: Vec<Status>,
    /// The open levels, the first one included.
    levels: Vec<Level>,
    /// Declarations outlive their levels.
    global: bool,
}

#[derive(Default)]
struct Level {
    declared: FxHashSet<Fun>,
    /// Boolean constants that imply something, and whether it is a refutation.
    guards: Vec<(Term, bool)>,
    refuted: bool,
}

impl<'a> Session<'a> {
    fn new(g: Grower<'a>) -> Session<'a> {
        let global = g.dice.one_in(3);
        Session { g, script: Script::default(), statuses: Vec::new(), levels: vec![Level::default()], global }
    }

    /// The logic, after the option that must come before it.
    fn start(&mut self) {
        if self.global {
            let key = self.g.pool.names.intern(":global-declarations");
            self.script.push(Command::SetOption(key, "true".into()));
        }
        let logic = self.g.pool.names.intern("ALL");
        self.script.push(Command::SetLogic(logic));
    }

    fn step(&mut self) {
        match self.g.dice.index(14) {
            0..=3 => self.fact(),
            4 | 5 => self.push(),
            6 | 7 if self.levels.len() > 1 => self.pop(),
            8 => self.refute(),
            9 => self.guard(),
            10 => self.assume(),
            11 if self.global && self.g.dice.one_in(2) => self.reset(),
            _ => self.check(),
        }
    }

    fn top(&mut self) -> &mut Level {
        self.levels.last_mut().expect("the first level stays")
    }

    fn drawn(&mut self) -> Option<Term> {
        if self.g.dice.one_in(3) {
            return model_first::assertion(&mut self.g, 2);
        }
        let kind = *self.g.dice.pick(KINDS);
        let t = kind(&mut self.g)?;
        self.g.made_true(t)
    }

    fn fact(&mut self) {
        if let Some(t) = self.drawn() {
            self.assert(t);
        }
    }

    /// Asserts a term after the declarations that it lacks.
    fn assert(&mut self, t: Term) {
        let mut funs: Vec<Fun> = self
            .g
            .pool
            .subterms([t])
            .filter_map(|t| match self.g.pool.head(t) {
                Head::Fun(f) => Some(f),
                _ => None,
            })
            .filter(|f| !self.levels.iter().any(|l| l.declared.contains(f)))
            .collect();
        funs.sort_unstable_by_key(|f| f.0);
        funs.dedup();
        for f in funs {
            self.script.push(Command::DeclareConst(f));
            // The first level never goes away.
            let level = if self.global { &mut self.levels[0] } else { self.top() };
            level.declared.insert(f);
        }
        self.script.push(Command::Assert(t));
    }

    fn push(&mut self) {
        self.script.push(Command::Push(1));
        self.levels.push(Level::default());
    }

    fn pop(&mut self) {
        let most = self.levels.len() - 1;
        let count = 1 + if self.g.dice.one_in(4) { self.g.dice.index(most) } else { 0 };
        self.script.push(Command::Pop(count as u32));
        self.levels.truncate(self.levels.len() - count);
    }

    /// A refutation, most in a level of its own.
    fn refute(&mut self) {
        if !self.g.dice.one_in(4) {
            self.push();
        }
        if let Some(core) = self.refutation() {
            core.into_iter().for_each(|t| self.assert(t));
            self.top().refuted = true;
        }
    }

    fn refutation(&mut self) -> Option<Vec<Term>> {
        let kind = *self.g.dice.pick(KINDS);
        let t = kind(&mut self.g)?;
        spot::refuted(&mut self.g, t)
    }

    /// A Boolean constant that implies a true formula or a refutation.
    fn guard(&mut self) {
        let refutes = self.g.dice.one_in(2);
        let formula = if refutes {
            let core = self.refutation();
            core.map(|core| self.g.all(&core))
        } else {
            self.drawn()
        };
        let Some(t) = formula else { return };
        let p = self.g.constant(Value::Bool(!refutes));
        let implied = self.g.op(Op::Implies, &[p, t]);
        self.assert(implied);
        self.top().guards.push((p, refutes));
    }

    /// A check under assumptions.
    fn assume(&mut self) {
        let guards: Vec<(Term, bool)> = self.levels.iter().flat_map(|l| l.guards.iter().copied()).collect();
        if guards.is_empty() {
            return self.check();
        }
        let (mut literals, mut refuted) = (Vec::new(), self.is_refuted());
        for (p, refutes) in guards {
            match (refutes, self.g.dice.index(3)) {
                (false, 0) | (true, 1) if self.g.dice.one_in(2) => {}
                (true, 0) => {
                    literals.push(p);
                    refuted = true;
                }
                (true, _) => literals.push(self.g.not(p)),
                (false, _) => literals.push(p),
            }
        }
        self.script.push(Command::CheckSatAssuming(literals.into()));
        self.statuses.push(if refuted { Status::Unsat } else { Status::Sat });
    }

    fn is_refuted(&self) -> bool {
        self.levels.iter().any(|l| l.refuted)
    }

    fn check(&mut self) {
        self.script.push(Command::CheckSat);
        self.statuses.push(if self.is_refuted() { Status::Unsat } else { Status::Sat });
    }

    /// All assertions go; the declarations are global.
    fn reset(&mut self) {
        self.script.push(Command::Plain(Plain::ResetAssertions));
        let declared = std::mem::take(&mut self.levels[0].declared);
        self.levels = vec![Level { declared, ..Level::default() }];
    }
}
