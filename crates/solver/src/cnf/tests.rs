//! The clauses of formulas are equivalent to them, for all assignments of four Bool constants; literals that are left
//! undecided are irrelevant.

use super::*;
use crate::dice::Dice;
use sat::{Answer, Final, NoTheory, Solver};
use semantics::{Evaluator, Model, Satisfaction, Value};
use smt::Fun;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

fn constants(pool: &mut Pool) -> Vec<(Fun, Term)> {
    NAMES
        .iter()
        .map(|name| {
            let name = pool.names.intern(name);
            let f = pool.declare(name, Box::new([]), Sort::BOOL);
            (f, pool.apply(f, &[]))
        })
        .collect()
}

fn formula(pool: &mut Pool, dice: &mut Dice, leaves: &[(Fun, Term)], depth: usize) -> Term {
    if depth == 0 || dice.below(6) == 0 {
        return match dice.below(9) {
            0 => pool.bool(true),
            1 => pool.bool(false),
            n => leaves[n % leaves.len()].1,
        };
    }
    let (op, count) = match dice.below(5) {
        0 => (Op::Not, 1),
        1 => (Op::And, 2 + dice.below(2)),
        2 => (Op::Or, 2 + dice.below(2)),
        3 => (Op::Eq, 2),
        _ => (Op::Ite, 3),
    };
    let args: Vec<Term> = (0..count).map(|_| formula(pool, dice, leaves, depth - 1)).collect();
    pool.mk(Head::Op(op), Sort::BOOL, &args)
}

/// Decides by justification, and accepts every assignment.
struct Justified(Cnf);

impl sat::Theory for Justified {
    fn new_level(&mut self) {}
    fn backtrack(&mut self, _level: usize) {
        self.0.back_to(0);
    }
    fn assign(&mut self, _l: Lit) {}
    fn propagate(&mut self, _ctx: &mut Context<'_>) {}
    fn explain(&mut self, _l: Lit, _reason: u32, _out: &mut Vec<Lit>) {}
    fn decide(&mut self, ctx: &mut Context<'_>) -> sat::Decision {
        self.0.decide(ctx).map_or(sat::Decision::Done, sat::Decision::Lit)
    }
    fn final_check(&mut self, _ctx: &mut Context<'_>) -> Final {
        Final::Consistent
    }
}

fn model(leaves: &[(Fun, Term)], bits: usize) -> Model {
    let mut model = Model::new();
    for (i, &(f, _)) in leaves.iter().enumerate() {
        model.assign(f, Value::Bool(bits >> i & 1 == 1));
    }
    model
}

#[test]
fn a_literal_is_its_formula_under_every_assignment() {
    let mut dice = Dice::new(1);
    for _ in 0..300 {
        let mut pool = Pool::new();
        let leaves = constants(&mut pool);
        let t = formula(&mut pool, &mut dice, &leaves, 4);
        let (mut cnf, mut sat) = (Cnf::default(), Solver::new(0));
        let l = cnf.literal(&pool, t, &mut sat);
        let atoms: Vec<Lit> = leaves.iter().map(|&(_, a)| cnf.literal(&pool, a, &mut sat)).collect();
        for bits in 0..16 {
            let assumed: Vec<Lit> =
                atoms.iter().enumerate().map(|(i, &a)| if bits >> i & 1 == 1 { a } else { !a }).collect();
            assert_eq!(sat.solve(&mut NoTheory, &assumed), Answer::Sat);
            let model = model(&leaves, bits);
            let truth = Evaluator::new(&pool, &model).truth(t);
            assert_eq!(
                sat.value(l),
                Some(truth == Satisfaction::Holds),
                "{}",
                smt::print::term_text(&pool, t)
            );
        }
        assert_eq!(cnf.literal(&pool, t, &mut sat), l, "the same the second time");
    }
}

#[test]
fn undecided_literals_are_irrelevant() {
    let mut dice = Dice::new(2);
    let (mut open, mut unsat) = (0, 0);
    for _ in 0..500 {
        let mut pool = Pool::new();
        let leaves = constants(&mut pool);
        let asserted: Vec<Term> = (0..3).map(|_| formula(&mut pool, &mut dice, &leaves, 3)).collect();
        let (mut cnf, mut sat) = (Cnf::default(), Solver::new(0));
        let atoms: Vec<Lit> = leaves.iter().map(|&(_, a)| cnf.literal(&pool, a, &mut sat)).collect();
        for &t in &asserted {
            let l = cnf.literal(&pool, t, &mut sat);
            sat.add_clause(&[l]);
            cnf.add_assertion(l);
        }
        let mut theory = Justified(cnf);
        let answer = sat.solve(&mut theory, &[]);
        let holds = |bits: usize| {
            let model = model(&leaves, bits);
            let mut e = Evaluator::new(&pool, &model);
            asserted.iter().all(|&t| e.truth(t) == Satisfaction::Holds)
        };
        if answer == Answer::Unsat {
            unsat += 1;
            assert!((0..16).all(|bits| !holds(bits)));
            continue;
        }
        // However the open ones are completed, it is a model.
        let agrees = |bits: usize| {
            atoms.iter().enumerate().all(|(i, &a)| sat.value(a).is_none_or(|v| v == (bits >> i & 1 == 1)))
        };
        open += atoms.iter().filter(|&&a| sat.value(a).is_none()).count();
        assert!((0..16).filter(|&bits| agrees(bits)).all(holds));
    }
    assert!(open > 50 && unsat > 20, "{open} open, {unsat} unsat");
}
