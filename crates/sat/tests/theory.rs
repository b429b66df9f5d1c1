//! The solver with theories that send lemmas at random moments: answers, models and cores against brute force, every
//! proof step checked, and the notifications checked by the theory.

mod common;

use common::fake::{Counts, Fake, Parity};
use common::{Checker, Clause, Random, brute, holds, satisfies, solver};
use stringent_sat::{Answer, Context, Decision, Final, Lit, NoTheory, Solver, Stats, Theory, Var};

/// A problem split between the solver and the theory.
struct Problem {
    vars: usize,
    clauses: Vec<Clause>,
    fake: Fake,
    solver: Solver,
    checker: Option<std::rc::Rc<std::cell::RefCell<Checker>>>,
}

fn some_clauses(random: &mut Random, vars: usize, at_most: usize) -> Vec<Clause> {
    (0..random.below(at_most + 1))
        .map(|_| {
            let len = if random.chance(5) { 1 } else { 2 + random.below(3) };
            random.clause(vars, len)
        })
        .filter(|c| !c.iter().any(|&l| c.contains(&!l)))
        .collect()
}

impl Problem {
    fn new(random: &mut Random, vars: usize) -> Self {
        let hidden = some_clauses(random, vars, vars * 3);
        let parities = (0..random.below(3))
            .map(|_| {
                let len = 1 + random.below(vars);
                Parity(random.proper_clause(vars, len))
            })
            .collect();
        let mut solver = solver(random.next() % 3, vars, &[]);
        let checker = random.chance(50).then(|| Checker::install(&mut solver));
        if random.chance(50) {
            solver.set_reduction_interval(1 + random.next() % 20);
            solver.set_restart_interval(Some(1 + random.next() % 3));
        }
        let fake = Fake::new(vars, hidden, parities, random.next());
        Problem { vars, clauses: Vec::new(), fake, solver, checker }
    }

    fn add(&mut self, clauses: Vec<Clause>) {
        clauses.iter().for_each(|c| self.solver.add_clause(c));
        self.fake.known.extend(clauses.clone());
        self.clauses.extend(clauses);
    }

    fn brute(&self, assumptions: &[Lit]) -> bool {
        let parities = &self.fake.parities;
        let further =
            |a| satisfies(a, &self.fake.hidden) && parities.iter().all(|p| p.holds(|l| holds(a, l)));
        brute(self.vars, &self.clauses, assumptions, further)
    }

    fn check(&mut self, assumptions: &[Lit]) -> Answer {
        let answer = self.solver.solve(&mut self.fake, assumptions);
        let expected = if self.brute(assumptions) { Answer::Sat } else { Answer::Unsat };
        assert_eq!(answer, expected);
        let true_now = |l: &Lit| self.solver.value(*l) == Some(true);
        if answer == Answer::Sat {
            assert!(assumptions.iter().all(true_now));
            assert!(self.clauses.iter().chain(&self.fake.hidden).all(|c| c.iter().any(true_now)));
            assert!(self.fake.parities.iter().all(|p| p.holds(|l| true_now(&l))));
        } else {
            let failed = self.solver.failed();
            assert!(failed.iter().all(|l| assumptions.contains(l)));
            assert!(!self.brute(failed));
            if let Some(checker) = &self.checker {
                assert_eq!(checker.borrow().last.len(), failed.len());
            }
        }
        answer
    }
}

#[test]
fn hidden_problems_are_solved() {
    let mut random = Random(11);
    let mut answers = [0; 2];
    let mut total = Counts::default();
    for _ in 0..6000 {
        let vars = 2 + random.below(8);
        let mut problem = Problem::new(&mut random, vars);
        for _ in 0..3 {
            let new = some_clauses(&mut random, problem.vars, problem.vars);
            problem.add(new);
            let len = random.below(4);
            let assumptions = random.clause(problem.vars, len);
            let answer = problem.check(&assumptions);
            answers[usize::from(answer == Answer::Sat)] += 1;
        }
        let c = problem.fake.counts;
        total.lemmas += c.lemmas;
        total.conflicts += c.conflicts;
        total.propagations += c.propagations;
        total.false_propagations += c.false_propagations;
        total.vars += c.vars;
        total.explanations += c.explanations;
        total.done += c.done;
        total.late += c.late;
    }
    assert!(answers.iter().all(|&n| n > 3000), "{answers:?}");
    let least = [total.lemmas, total.conflicts, total.propagations, total.false_propagations, total.vars]
        .into_iter()
        .chain([total.explanations, total.done, total.late])
        .min();
    assert!(least > Some(1000), "{total:?}");
}

/// Larger problems, with restarts, deletions and compactions, against a solver that has all clauses.
#[test]
fn larger_hidden_problems_are_solved() {
    let mut random = Random(12);
    let mut total = Stats::default();
    let mut answers = [0; 2];
    for round in 0..20 {
        let vars = 50;
        let clauses: Vec<Clause> = (0..vars * 43 / 10).map(|_| random.proper_clause(vars, 3)).collect();
        let (open, hidden) = clauses.split_at(vars * 2);
        let mut fake = Fake::new(vars, hidden.to_vec(), Vec::new(), random.next());
        fake.known.extend_from_slice(open);
        let mut hiding = solver(round, vars, &[]);
        let checker = (round % 5 == 0).then(|| Checker::install(&mut hiding));
        hiding.set_reduction_interval(10);
        hiding.set_restart_interval((round % 2 == 0).then_some(3));
        open.iter().for_each(|c| hiding.add_clause(c));
        let mut plain = solver(0, vars, &clauses);
        for _ in 0..3 {
            let assumptions = random.clause(vars, 1);
            let answer = hiding.solve(&mut fake, &assumptions);
            assert_eq!(answer, plain.solve(&mut NoTheory, &assumptions));
            answers[usize::from(answer == Answer::Sat)] += 1;
            if answer == Answer::Sat {
                assert!(clauses.iter().all(|c| c.iter().any(|&l| hiding.value(l) == Some(true))));
            } else {
                let failed = hiding.failed().to_vec();
                assert_eq!(plain.solve(&mut NoTheory, &failed), Answer::Unsat);
                assert!(checker.iter().all(|c| c.borrow().last.len() == failed.len()));
            }
        }
        let stats = hiding.stats();
        total.restarts += stats.restarts;
        total.deleted += stats.deleted;
        total.reductions += stats.reductions;
    }
    assert!([total.restarts, total.deleted, total.reductions].iter().all(|&n| n > 100), "{total:?}");
    assert!(answers.iter().all(|&n| n > 5), "{answers:?}");
}

type Step = Box<dyn FnOnce(&mut Context<'_>)>;

/// A theory that runs one step per final check.
#[derive(Default)]
struct Script {
    steps: Vec<Step>,
    notified: Vec<Lit>,
    stop: bool,
}

impl Theory for Script {
    fn new_level(&mut self) {}
    fn backtrack(&mut self, _level: usize) {}
    fn assign(&mut self, l: Lit) {
        self.notified.push(l);
    }
    fn propagate(&mut self, _ctx: &mut Context<'_>) {}
    fn explain(&mut self, l: Lit, _reason: u32, _out: &mut Vec<Lit>) {
        panic!("explanation requested for {l:?}");
    }
    fn final_check(&mut self, ctx: &mut Context<'_>) -> Final {
        if self.steps.is_empty() {
            return Final::Consistent;
        }
        self.steps.remove(0)(ctx);
        Final::Continue
    }
    fn stop(&mut self) -> bool {
        self.stop
    }
}

fn lits(solver: &mut Solver, n: usize) -> Vec<Lit> {
    (0..n).map(|_| solver.new_var().lit(true)).collect()
}

#[test]
fn the_empty_lemma_refutes() {
    let mut solver = Solver::new(0);
    let a = lits(&mut solver, 1)[0];
    let mut script = Script { steps: vec![Box::new(|ctx| ctx.lemma(&[]))], ..Script::default() };
    assert_eq!(solver.solve(&mut script, &[a]), Answer::Unsat);
    assert_eq!(solver.failed(), []);
    assert_eq!(solver.solve(&mut NoTheory, &[]), Answer::Unsat);
}

#[test]
fn lemmas_outlive_the_search() {
    let mut solver = Solver::new(0);
    let v = lits(&mut solver, 3);
    let (a, b, c) = (v[0], v[1], v[2]);
    let lemmas = move |ctx: &mut Context<'_>| {
        ctx.lemma(&[a, b, a, b]);
        ctx.lemma(&[a, !b]);
        ctx.lemma(&[!a, c, !c]);
        ctx.lemma(&[!c]);
    };
    let mut script = Script { steps: vec![Box::new(lemmas)], ..Script::default() };
    assert_eq!(solver.solve(&mut script, &[b, c]), Answer::Unsat);
    assert_eq!(solver.failed(), [c]);
    assert_eq!(solver.solve(&mut script, &[!a]), Answer::Unsat);
    assert_eq!(solver.failed(), [!a]);
    assert_eq!(solver.solve(&mut script, &[]), Answer::Sat);
    assert_eq!((solver.value(a), solver.value(c)), (Some(true), Some(false)));
}

#[test]
fn giving_up_keeps_lemmas() {
    let mut solver = Solver::new(0);
    let a = lits(&mut solver, 1)[0];
    struct GiveUp(Lit);
    impl Theory for GiveUp {
        fn new_level(&mut self) {}
        fn backtrack(&mut self, _level: usize) {}
        fn assign(&mut self, _l: Lit) {}
        fn propagate(&mut self, _ctx: &mut Context<'_>) {}
        fn explain(&mut self, _l: Lit, _reason: u32, _out: &mut Vec<Lit>) {}
        fn final_check(&mut self, ctx: &mut Context<'_>) -> Final {
            ctx.lemma(&[self.0]);
            Final::GiveUp
        }
    }
    assert_eq!(solver.solve(&mut GiveUp(a), &[]), Answer::Unknown);
    assert_eq!(solver.solve(&mut NoTheory, &[!a]), Answer::Unsat);
}

#[test]
fn stop_stops() {
    let mut solver = Solver::new(0);
    lits(&mut solver, 1);
    let mut script = Script { stop: true, ..Script::default() };
    assert_eq!(solver.solve(&mut script, &[]), Answer::Unknown);
}

#[test]
fn the_theory_is_notified_of_observed_variables_once() {
    let mut solver = Solver::new(0);
    let v = lits(&mut solver, 3);
    solver.observe(v[1].var());
    v.iter().for_each(|&l| solver.add_clause(&[l]));
    let mut script = Script::default();
    assert_eq!(solver.solve(&mut script, &[]), Answer::Sat);
    assert_eq!(script.notified, [v[1]]);
    solver.observe(v[2].var());
    solver.observe(v[2].var());
    assert_eq!(solver.solve(&mut script, &[]), Answer::Sat);
    assert_eq!(script.notified, [v[1], v[2]]);
}

#[test]
fn a_search_without_theory_does_not_call_it() {
    let mut solver = Solver::new(0);
    let a = lits(&mut solver, 1)[0];
    solver.add_clause(&[a]);
    solver.solve(&mut NoTheory, &[]);
    let stats = solver.stats();
    assert_eq!(stats, Stats { propagations: 1, final_checks: 1, ..Stats::default() });
    assert_eq!(solver.value(Var(0).lit(false)), Some(false));
}

/// A theory that decides on its own variables only after a final check.
#[derive(Default)]
struct Apart {
    vars: Vec<Var>,
    /// The variables that had a value at each final check.
    assigned: Vec<Vec<bool>>,
}

impl Theory for Apart {
    fn new_level(&mut self) {}
    fn backtrack(&mut self, _level: usize) {}
    fn assign(&mut self, _l: Lit) {}
    fn propagate(&mut self, _ctx: &mut Context<'_>) {}
    fn explain(&mut self, l: Lit, _reason: u32, _out: &mut Vec<Lit>) {
        unreachable!("{l:?} was never propagated");
    }
    fn decide(&mut self, _ctx: &mut Context<'_>) -> Decision {
        if self.assigned.is_empty() { Decision::Unobserved } else { Decision::Any }
    }
    fn final_check(&mut self, ctx: &mut Context<'_>) -> Final {
        self.assigned.push(self.vars.iter().map(|v| ctx.value(v.lit(true)).is_some()).collect());
        if self.assigned.len() > 1 { Final::Consistent } else { Final::Continue }
    }
}

/// Variables that the theory does not see are decided first, and the others can be decided afterwards.
#[test]
fn unobserved_variables_are_decided_apart() {
    let mut solver = Solver::new(0);
    let vars: Vec<Var> = (0..6).map(|_| solver.new_var()).collect();
    vars.iter().step_by(2).for_each(|&v| solver.observe(v));
    solver.add_clause(&[vars[1].lit(true), vars[3].lit(true)]);
    let mut theory = Apart { vars, assigned: Vec::new() };
    assert_eq!(solver.solve(&mut theory, &[]), Answer::Sat);
    let odd: Vec<bool> = (0..6).map(|i| i % 2 == 1).collect();
    assert_eq!(theory.assigned, [odd, vec![true; 6]]);
}
