//! Integer reasoning, on systems whose rational solutions are not integers.

use super::*;

/// A system with a rational solution, to which the solver has moved.
fn feasible(dice: &mut Dice, equalities: i64, boxed: bool) -> Option<(Simplex, Vec<LVar>, Vec<Fact>)> {
    let n = 3;
    let mut facts = if boxed { Fact::boxed(n, -3, 3) } else { Vec::new() };
    let coefs = |dice: &mut Dice| (0..n).map(|_| dice.range(-7, 7)).collect::<Vec<_>>();
    for _ in 0..equalities {
        let (sum, bound) = (coefs(dice), dice.range(-9, 9));
        facts.push(Fact { sum: sum.clone(), is_lower: true, bound });
        facts.push(Fact { sum, is_lower: false, bound });
    }
    for _ in 0..dice.range(1, 3) {
        facts.push(Fact { sum: coefs(dice), is_lower: dice.range(0, 1) == 0, bound: dice.range(-9, 9) });
    }
    let mut s = Simplex::default();
    let vars: Vec<LVar> = (0..n).map(|_| s.new_var()).collect();
    assert_all(&mut s, &vars, &facts, 0).and_then(|()| s.check()).ok().map(|()| (s, vars, facts))
}

#[test]
fn cuts_hold_at_all_integer_points() {
    let mut dice = Dice::new(4);
    let mut cuts = 0;
    for i in 0..800 {
        let Some((mut s, vars, facts)) = feasible(&mut dice, i % 3 / 2, i % 2 == 0) else { continue };
        for row in 0..s.tableau.row_count() {
            if s.values[s.tableau.base(row) as usize].is_int() {
                continue;
            }
            match s.cut(row) {
                Some(IntResult::Cut(sum, bound, tags)) => {
                    cuts += 1;
                    assert_cut(&facts, &vars, &sum, &bound, &tags);
                }
                Some(IntResult::Conflict(tags)) => assert_conflict(&facts, &tags, vars.len()),
                Some(other) => panic!("{other:?} is no cut"),
                None => {}
            }
        }
    }
    assert!(cuts > 300, "{cuts}");
}

#[test]
fn integer_elimination_agrees_with_brute_force() {
    let mut dice = Dice::new(5);
    let (mut conflicts, mut cuts, mut models) = (0, 0, 0);
    for i in 0..1500 {
        let Some((mut s, vars, facts)) = feasible(&mut dice, 1 + i % 2, i % 4 == 0) else { continue };
        for row in 0..s.tableau.row_count() {
            if let Some(tags) = s.divisibility(row) {
                assert_conflict(&facts, &report(tags), vars.len());
            }
        }
        match s.solve_equalities() {
            Some(IntResult::Conflict(tags)) => {
                conflicts += 1;
                assert_conflict(&facts, &tags, vars.len());
            }
            Some(IntResult::Cut(sum, bound, tags)) => {
                cuts += 1;
                assert_cut(&facts, &vars, &sum, &bound, &tags);
            }
            Some(IntResult::Model) => {
                models += 1;
                let point: Vec<i64> = vars.iter().map(|v| s.value(*v).floor().to_i64().unwrap()).collect();
                assert!(facts.iter().all(|f| f.holds(&point)), "{point:?} {facts:?}");
            }
            Some(other) => panic!("{other:?} comes from no equation"),
            None => {}
        }
    }
    assert!(conflicts > 50 && cuts > 100 && models > 100, "{conflicts} {cuts} {models}");
}

/// Constants computed from a point: there is a solution, and no bound excludes it.
#[test]
fn solvable_equalities_are_solved() {
    let mut dice = Dice::new(6);
    for _ in 0..500 {
        let n = 5;
        let point: Vec<i64> = (0..n).map(|_| dice.range(-20, 20)).collect();
        let mut s = Simplex::default();
        let vars: Vec<LVar> = (0..n).map(|_| s.new_var()).collect();
        for i in 0..dice.range(1, 4) {
            let sum: Vec<i64> = (0..n).map(|_| dice.range(-9, 9)).collect();
            let bound = dot(&sum, &point);
            for is_lower in [true, false] {
                let fact = Fact { sum: sum.clone(), is_lower, bound };
                fact.assert(&mut s, &vars, Tag(i as u32)).unwrap();
            }
        }
        s.check().unwrap();
        assert_eq!(s.check_int(), IntResult::Model);
        let found: Vec<_> = vars.iter().map(|v| s.value(*v)).collect();
        assert!(found.iter().all(Rat::is_integer), "{found:?}");
    }
}
