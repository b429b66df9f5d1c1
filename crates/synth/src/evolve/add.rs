//! *Add*: adds a random constraint over the declared constants, sometimes with a new one.

use crate::dice::Dice;
use crate::generators::Builder;
use crate::generators::RandomAst;
use crate::generators::grammar::{Scope, Terms};
use semantics::Instance;
use smt::script::Entry;
use smt::{Command, Script, Sort, Term};

/// The shape of a constraint.
pub(super) struct Add {
    shape: RandomAst,
    /// Declares a constant of this sort for it.
    fresh: Option<Sort>,
}

/// One constraint in this many has a new constant.
const FRESH_RATE: u64 = 8;

/// A script with some constants and no assertion.
pub(super) fn blank() -> Instance {
    let mut b = Builder::default();
    for (stem, sort, count) in [("s", Sort::STRING, 3), ("i", Sort::INT, 2)] {
        for i in 0..count {
            b.declare(stem, i, sort);
        }
    }
    let mut blank = b.into_instance();
    let logic = blank.pool.names.intern("QF_SLIA");
    blank.script.entries.insert(0, entry(Command::SetLogic(logic)));
    blank.script.push(Command::CheckSat);
    blank
}

impl Add {
    /// Word equations, lengths and memberships half of the time, anything else the other half.
    pub(super) fn draw(dice: &mut Dice) -> Add {
        let shape = RandomAst {
            depth: dice.between(1, 3),
            max_terms: 3,
            max_string: 5,
            letters: 2,
            max_int: 10,
            meaningful: true,
            literal_chance: 0.3,
            word_equation: dice.below(2) == 0,
            ..RandomAst::default()
        };
        let fresh = (dice.one_in(FRESH_RATE)).then(|| *dice.pick(&[Sort::STRING, Sort::INT]));
        Add { shape, fresh }
    }

    /// Adds a constraint. An unsatisfiable script stays unsatisfiable; a model that fails is dropped.
    pub(super) fn add(&self, instance: &mut Instance, dice: &mut Dice) {
        let mut b = Builder::over(std::mem::take(instance));
        let mut scope = scope(&mut b);
        let none = scope.of(Sort::STRING).is_empty() && scope.of(Sort::INT).is_empty();
        if let Some(sort) = self.fresh.or(none.then_some(Sort::STRING)) {
            scope.add(sort, declare(&mut b, sort));
        }
        let t = self.shape.term(&mut Terms { grammar: &self.shape.grammar(), scope: &scope, dice }, &mut b);
        *instance = b.into_instance();
        insert(instance, Command::Assert(t));
        instance.confirm();
        instance.set_status(instance.truth.status());
    }
}

/// The declared constants of the sorts that occur in terms.
fn scope(b: &mut Builder) -> Scope {
    let funs: Vec<smt::Fun> = b.made().declared().collect();
    let mut scope = Scope::default();
    for f in funs {
        let fun = b.terms().fun(f);
        let sort = fun.ret;
        if fun.params.is_empty() && [Sort::BOOL, Sort::INT, Sort::STRING].contains(&sort) {
            let t = b.pool().apply(f, &[]);
            scope.add(sort, t);
        }
    }
    scope
}

/// Declares a constant with a name that is not in use.
fn declare(b: &mut Builder, sort: Sort) -> Term {
    let stem = if sort == Sort::STRING { "s" } else { "i" };
    let free = |n: &usize| b.terms().names.lookup(&format!("{stem}{n}")).is_none();
    let number = (0..).find(free).expect("there is always another");
    let pool = b.pool();
    let name = pool.names.intern(&format!("{stem}{number}"));
    let f = pool.declare(name, Box::new([]), sort);
    let t = pool.apply(f, &[]);
    insert(b.made(), Command::DeclareConst(f));
    t
}

/// Inserts a command before the check.
fn insert(instance: &mut Instance, command: Command) {
    let entries = &mut instance.script.entries;
    let check = |e: &Entry| matches!(e.command, Command::CheckSat | Command::CheckSatAssuming(_));
    let at = entries.iter().position(check).unwrap_or(entries.len());
    entries.insert(at, entry(command));
}

fn entry(command: Command) -> Entry {
    let mut script = Script::default();
    script.push(command);
    script.entries.pop().expect("it was pushed")
}
