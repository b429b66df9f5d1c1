//! The solver without a theory, against brute force and on known families, with every proof step checked.

mod common;

use common::{Checker, Clause, Random, brute, satisfies, solver};
use stringent_sat::{Answer, Lit, NoTheory, Solver, Var};

/// The model as a number, unassigned variables false.
fn model(solver: &Solver, vars: usize) -> u64 {
    (0..vars).filter(|&v| solver.value(Var(v as u32).lit(true)) == Some(true)).fold(0, |m, v| m | 1 << v)
}

/// Solves, and compares the answer, the model and the core with brute force.
fn check(solver: &mut Solver, vars: usize, clauses: &[Clause], assumptions: &[Lit]) -> Answer {
    let answer = solver.solve(&mut NoTheory, assumptions);
    let expected = brute(vars, clauses, assumptions, |_| true);
    assert_eq!(
        answer,
        if expected { Answer::Sat } else { Answer::Unsat },
        "{clauses:?} under {assumptions:?}"
    );
    if answer == Answer::Sat {
        let m = model(solver, vars);
        assert!(satisfies(m, clauses) && assumptions.iter().all(|&l| common::holds(m, l)));
    } else {
        assert!(solver.failed().iter().all(|l| assumptions.contains(l)));
        assert!(!brute(vars, clauses, solver.failed(), |_| true), "core {:?}", solver.failed());
    }
    answer
}

#[test]
fn brute_force_agrees() {
    let mut random = Random(1);
    let mut answers = [0; 2];
    for round in 0..6000 {
        let vars = 1 + random.below(9);
        let mut clauses: Vec<Clause> = Vec::new();
        let mut solver = solver(round % 3, vars, &[]);
        let checker = Checker::install(&mut solver);
        for _ in 0..4 {
            for _ in 0..random.below(vars * 2 + 1) {
                let len = if random.chance(2) { 1 } else { 2 + random.below(3) };
                let clause = random.clause(vars, len);
                solver.add_clause(&clause);
                clauses.push(clause);
            }
            let len = random.below(5);
            let assumptions = random.clause(vars, len);
            let answer = check(&mut solver, vars, &clauses, &assumptions);
            answers[usize::from(answer == Answer::Sat)] += 1;
            if answer == Answer::Unsat {
                let mut core: Clause = solver.failed().iter().map(|&l| !l).collect();
                let mut last = checker.borrow().last.clone();
                core.sort();
                last.sort();
                assert_eq!(core, last);
            }
        }
    }
    assert!(answers.iter().all(|&n| n > 5000), "{answers:?}");
}

#[test]
fn random_three_sat_models_hold() {
    let mut random = Random(2);
    let mut sat = 0;
    for round in 0..12 {
        let vars = 150;
        let clauses: Vec<Clause> = (0..vars * 42 / 10).map(|_| random.proper_clause(vars, 3)).collect();
        let mut solver = solver(round, vars, &clauses);
        if solver.solve(&mut NoTheory, &[]) == Answer::Sat {
            sat += 1;
            assert!(clauses.iter().all(|c| c.iter().any(|&l| solver.value(l) == Some(true))));
        } else {
            assert_eq!(solver.failed(), []);
        }
    }
    assert!((1..12).contains(&sat), "{sat}");
}

#[test]
fn random_refutations_are_checked() {
    let mut random = Random(3);
    for _ in 0..3 {
        let vars = 60;
        let clauses: Vec<Clause> = (0..vars * 6).map(|_| random.proper_clause(vars, 3)).collect();
        let mut solver = solver(0, vars, &[]);
        solver.set_reduction_interval(20);
        let checker = Checker::install(&mut solver);
        clauses.iter().for_each(|c| solver.add_clause(c));
        assert_eq!(solver.solve(&mut NoTheory, &[]), Answer::Unsat);
        assert_eq!(checker.borrow().last, []);
        assert!(checker.borrow().deleted > 10);
    }
}

/// The pigeon hole problem, with one pigeon more than holes.
fn pigeons(holes: usize) -> (usize, Vec<Clause>) {
    let at = |p: usize, h: usize| Var((p * holes + h) as u32);
    let mut clauses: Vec<Clause> =
        (0..=holes).map(|p| (0..holes).map(|h| at(p, h).lit(true)).collect()).collect();
    for h in 0..holes {
        for p in 0..=holes {
            clauses.extend((0..p).map(|q| vec![at(p, h).lit(false), at(q, h).lit(false)]));
        }
    }
    ((holes + 1) * holes, clauses)
}

#[test]
fn pigeon_hole_problems_are_unsat() {
    for holes in 1..=7 {
        let (vars, clauses) = pigeons(holes);
        let mut solver = solver(0, vars, &clauses);
        assert_eq!(solver.solve(&mut NoTheory, &[]), Answer::Unsat);
        assert_eq!(solver.failed(), []);
    }
}

#[test]
fn search_continues_after_the_tick_limit() {
    let (vars, clauses) = pigeons(7);
    let mut solver = solver(0, vars, &clauses);
    let mut rounds = 0;
    loop {
        solver.set_tick_limit(Some(solver.ticks() + 5000));
        match solver.solve(&mut NoTheory, &[]) {
            Answer::Unknown => rounds += 1,
            Answer::Unsat => break,
            Answer::Sat => panic!("pigeons fit"),
        }
    }
    assert!(rounds > 1);
}

#[test]
fn cores_of_selectors() {
    let (vars, clauses) = pigeons(4);
    let mut solver = solver(0, vars, &[]);
    let selectors: Vec<Lit> = clauses.iter().map(|_| solver.new_var().lit(true)).collect();
    for (clause, &s) in clauses.iter().zip(&selectors) {
        let mut clause = clause.clone();
        clause.push(!s);
        solver.add_clause(&clause);
    }
    assert_eq!(solver.solve(&mut NoTheory, &selectors), Answer::Unsat);
    assert_eq!(solver.failed().len(), selectors.len(), "every clause is needed");
    assert_eq!(solver.solve(&mut NoTheory, &selectors[1..]), Answer::Sat);
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let mut random = Random(4);
    let clauses: Vec<Clause> = (0..420).map(|_| random.proper_clause(100, 3)).collect();
    let run = |seed| {
        let mut solver = solver(seed, 100, &clauses);
        solver.solve(&mut NoTheory, &[]);
        (solver.ticks(), solver.stats())
    };
    assert_eq!(run(5), run(5));
}
