//! The solver against brute force over small boxes, against new instances of itself, and on known
//! hard systems.

use std::collections::BTreeSet;

use super::*;
use crate::dice::Dice;

mod integer;
mod known;
mod large;

/// `sum <= bound`, or `>=`.
#[derive(Clone, Debug)]
struct Fact {
    sum: Vec<i64>,
    is_lower: bool,
    bound: i64,
}

impl Fact {
    fn random(dice: &mut Dice, vars: usize) -> Fact {
        let sum = (0..vars).map(|_| if dice.range(0, 2) == 0 { 0 } else { dice.range(-4, 4) }).collect();
        Fact { sum, is_lower: dice.range(0, 1) == 0, bound: dice.range(-9, 9) }
    }

    /// The bounds of a box, as the first facts of a system.
    fn boxed(vars: usize, low: i64, high: i64) -> Vec<Fact> {
        let side = |i: usize, is_lower, bound| {
            let sum = (0..vars).map(|j| i64::from(i == j)).collect();
            Fact { sum, is_lower, bound }
        };
        (0..vars).flat_map(|i| [side(i, true, low), side(i, false, high)]).collect()
    }

    fn holds(&self, point: &[i64]) -> bool {
        let value = dot(&self.sum, point);
        if self.is_lower { value >= self.bound } else { value <= self.bound }
    }

    fn assert(&self, s: &mut Simplex, vars: &[LVar], tag: Tag) -> Result<(), Vec<Tag>> {
        assert_sum(s, &linear(&self.sum, vars), self.is_lower, &Int::from(self.bound), tag)
    }
}

fn dot(sum: &[i64], point: &[i64]) -> i64 {
    sum.iter().zip(point).map(|(a, b)| a * b).sum()
}

fn linear(sum: &[i64], vars: &[LVar]) -> Vec<(Int, LVar)> {
    sum.iter().zip(vars).map(|(c, v)| (Int::from(*c), *v)).collect()
}

/// Asserts a bound of a sum by its row.
fn assert_sum(
    s: &mut Simplex,
    sum: &[(Int, LVar)],
    is_lower: bool,
    bound: &Int,
    tag: Tag,
) -> Result<(), Vec<Tag>> {
    let (var, factor) = s.row(sum);
    if is_lower != factor.is_negative() {
        let bound = quotient::ceil_div(bound, &factor);
        s.assert_lower(var, &bound, tag)
    } else {
        s.assert_upper(var, &quotient::floor_div(bound, &factor), tag)
    }
}

/// All points of a box.
fn points(vars: usize, low: i64, high: i64) -> Vec<Vec<i64>> {
    (0..vars).fold(vec![Vec::new()], |points, _| {
        let extend = |p: &Vec<i64>| (low..=high).map(|x| [p.as_slice(), &[x]].concat()).collect::<Vec<_>>();
        points.iter().flat_map(extend).collect()
    })
}

/// A callback for a cut and its reasons.
type OnCut<'a> = dyn Fn(&[(Int, LVar)], &Int, &[Tag]) + 'a;

/// Branch and bound over a solver, with reasons.
struct Search<'a> {
    simplex: &'a mut Simplex,
    vars: &'a [LVar],
    /// The reasons of cuts, by tag from `CUTS` on.
    cuts: Vec<Vec<Tag>>,
    fuel: u32,
    /// Called for each cut.
    on_cut: &'a OnCut<'a>,
}

const CUTS: u32 = 1_000_000;
const BRANCH: Tag = Tag(2_000_000);

impl Search<'_> {
    fn explain(&self, tags: Vec<Tag>) -> Vec<Tag> {
        let mut all = BTreeSet::new();
        let mut stack = tags;
        while let Some(tag) = stack.pop() {
            if (CUTS..BRANCH.0).contains(&tag.0) {
                stack.extend_from_slice(&self.cuts[(tag.0 - CUTS) as usize]);
            } else {
                all.insert(tag);
            }
        }
        all.into_iter().collect()
    }

    fn run(&mut self) -> Result<Vec<i64>, Vec<Tag>> {
        loop {
            self.fuel = self.fuel.checked_sub(1).expect("the search ends");
            if let Err(tags) = self.simplex.check() {
                return Err(self.explain(tags));
            }
            match self.simplex.check_int() {
                IntResult::Model => {
                    let value = |v: &LVar| self.simplex.value(*v).floor().to_i64().expect("small");
                    assert!(
                        (0..self.simplex.values.len())
                            .all(|v| self.simplex.value(LVar(v as u32)).is_integer())
                    );
                    return Ok(self.vars.iter().map(value).collect());
                }
                IntResult::Conflict(tags) => return Err(self.explain(tags)),
                IntResult::Cut(sum, bound, tags) => {
                    let value = sum.iter().fold(Rat::ZERO, |value, (coef, var)| {
                        value + Rat::from(coef.clone()) * self.simplex.value(*var)
                    });
                    assert!(value > Rat::from(bound.clone()), "the cut cuts something off");
                    let reasons = self.explain(tags);
                    (self.on_cut)(&sum, &bound, &reasons);
                    let tag = Tag(CUTS + self.cuts.len() as u32);
                    self.cuts.push(reasons);
                    if let Err(tags) = assert_sum(self.simplex, &sum, false, &bound, tag) {
                        return Err(self.explain(tags));
                    }
                }
                IntResult::Branch(var, n) => return self.branch(var, &n),
            }
        }
    }

    fn branch(&mut self, var: LVar, n: &Int) -> Result<Vec<i64>, Vec<Tag>> {
        let mut reasons = BTreeSet::new();
        for is_lower in [false, true] {
            let bound = if is_lower { n + &Int::ONE } else { n.clone() };
            self.simplex.push();
            let answer = assert_sum(self.simplex, &[(Int::ONE, var)], is_lower, &bound, BRANCH);
            let answer = answer.map_err(|tags| self.explain(tags)).and_then(|()| self.run());
            self.simplex.pop(1);
            match answer {
                Ok(point) => return Ok(point),
                Err(tags) => reasons.extend(tags.into_iter().filter(|tag| *tag != BRANCH)),
            }
        }
        Err(reasons.into_iter().collect())
    }
}

fn search(s: &mut Simplex, vars: &[LVar], on_cut: &OnCut<'_>) -> Result<Vec<i64>, Vec<Tag>> {
    Search { simplex: s, vars, cuts: Vec::new(), fuel: 5000, on_cut }.run()
}

fn subset(facts: &[Fact], tags: &[Tag]) -> Vec<Fact> {
    tags.iter().filter(|tag| **tag != BRANCH).map(|tag| facts[tag.0 as usize].clone()).collect()
}

/// No point of a box larger than the one the facts describe satisfies the facts with these tags.
fn assert_conflict(facts: &[Fact], tags: &[Tag], vars: usize) {
    let core = subset(facts, tags);
    let wide = points(vars, -7, 7).into_iter().find(|p| core.iter().all(|f| f.holds(p)));
    assert_eq!(wide, None, "{core:?}");
}

/// All points of the box that satisfy the facts with these tags satisfy the cut.
fn assert_cut(facts: &[Fact], vars: &[LVar], sum: &[(Int, LVar)], bound: &Int, tags: &[Tag]) {
    let core = subset(facts, tags);
    let coef = |v: &LVar| sum.iter().find(|(_, x)| x == v).map_or(0, |(c, _)| c.to_i64().unwrap());
    let coefs: Vec<i64> = vars.iter().map(coef).collect();
    for p in points(vars.len(), -7, 7).iter().filter(|p| core.iter().all(|f| f.holds(p))) {
        assert!(Int::from(dot(&coefs, p)) <= *bound, "{sum:?} <= {bound} cuts off {p:?} of {core:?}");
    }
}

fn assert_all(s: &mut Simplex, vars: &[LVar], facts: &[Fact], base: usize) -> Result<(), Vec<Tag>> {
    let mut list = facts.iter().enumerate();
    list.try_for_each(|(i, fact)| fact.assert(s, vars, Tag((base + i) as u32)))
}

#[test]
fn random_systems_agree_with_brute_force() {
    let mut dice = Dice::new(1);
    let (mut sat, mut unsat) = (0, 0);
    for _ in 0..1500 {
        let n = dice.range(1, 3) as usize;
        let mut facts = Fact::boxed(n, -3, 3);
        for _ in 0..dice.range(1, 6) {
            let fact = Fact::random(&mut dice, n);
            if dice.range(0, 3) == 0 {
                facts.push(Fact { is_lower: !fact.is_lower, ..fact.clone() });
            }
            facts.push(fact);
        }
        let mut s = Simplex::default();
        let vars: Vec<LVar> = (0..n).map(|_| s.new_var()).collect();
        let model = points(n, -3, 3).into_iter().find(|p| facts.iter().all(|f| f.holds(p)));
        let on_cut = |sum: &[(Int, LVar)], bound: &Int, tags: &[Tag]| {
            // A cut below a branch depends on it and is not checked.
            if !tags.contains(&BRANCH) {
                assert_cut(&facts, &vars, sum, bound, tags);
            }
        };
        let answer = assert_all(&mut s, &vars, &facts, 0).and_then(|()| search(&mut s, &vars, &on_cut));
        match answer {
            Ok(point) => {
                sat += 1;
                assert!(facts.iter().all(|f| f.holds(&point)), "{point:?} {facts:?}");
            }
            Err(tags) => {
                unsat += 1;
                assert_eq!(model, None, "{facts:?}");
                assert_conflict(&facts, &tags, n);
            }
        }
    }
    assert!(sat > 300 && unsat > 300, "{sat} {unsat}");
}

/// The rational check alone: a new instance finds the reasons of a conflict in conflict.
#[test]
fn push_and_pop_agree_with_new_instances() {
    let mut dice = Dice::new(2);
    for _ in 0..150 {
        let n = 4;
        let mut s = Simplex::default();
        let vars: Vec<LVar> = (0..n).map(|_| s.new_var()).collect();
        let mut levels: Vec<Vec<(Fact, Tag)>> = vec![Vec::new()];
        let mut next = 0;
        for _ in 0..60 {
            match dice.range(0, 5) {
                0 => {
                    s.push();
                    levels.push(Vec::new());
                }
                1 if levels.len() > 1 => {
                    let count = dice.range(1, levels.len() as i64 - 1) as usize;
                    s.pop(count);
                    levels.truncate(levels.len() - count);
                }
                _ => {
                    let fact = Fact::random(&mut dice, n);
                    let tag = Tag(next);
                    next += 1;
                    let answer = fact.assert(&mut s, &vars, tag);
                    let all: Vec<_> = levels.iter().flatten().cloned().chain([(fact.clone(), tag)]).collect();
                    let answer = answer.and_then(|()| s.check());
                    compare_with_fresh(&s, &vars, &all, answer.as_ref().err());
                    if answer.is_err() && levels.len() > 1 {
                        s.pop(1);
                        levels.pop();
                    } else if answer.is_err() {
                        break;
                    } else {
                        levels.last_mut().unwrap().push((fact, tag));
                    }
                    let (sum, c) = (Fact::random(&mut dice, n).sum, dice.range(-5, 5));
                    compare_entailment(&mut s, &vars, &levels.concat(), &sum, c);
                    if dice.range(0, 3) == 0 && s.check().is_ok() {
                        s.check_int();
                        compare_with_fresh(&s, &vars, &levels.concat(), None);
                    }
                }
            }
        }
    }
}

fn rational(n: usize, facts: &[(Fact, Tag)]) -> Result<(), Vec<Tag>> {
    let mut s = Simplex::default();
    let vars: Vec<LVar> = (0..n).map(|_| s.new_var()).collect();
    facts.iter().try_for_each(|(fact, tag)| fact.assert(&mut s, &vars, *tag))?;
    s.check()
}

fn compare_with_fresh(s: &Simplex, vars: &[LVar], facts: &[(Fact, Tag)], conflict: Option<&Vec<Tag>>) {
    assert_eq!(rational(vars.len(), facts).is_err(), conflict.is_some(), "{facts:?}");
    match conflict {
        Some(tags) => {
            let core: Vec<_> = facts.iter().filter(|(_, tag)| tags.contains(tag)).cloned().collect();
            assert_eq!(core.len(), tags.len());
            assert!(rational(vars.len(), &core).is_err(), "{core:?}");
            // A row's explanation is minimal.
            for i in 0..core.len() {
                let less = [&core[..i], &core[i + 1..]].concat();
                assert!(rational(vars.len(), &less).is_ok(), "{core:?}");
            }
        }
        None => {
            for (fact, _) in facts {
                let value = fact
                    .sum
                    .iter()
                    .zip(vars)
                    .fold(Rat::ZERO, |sum, (c, v)| sum + Rat::from(Int::from(*c)) * s.value(*v));
                let bound = Rat::from(Int::from(fact.bound));
                assert!(if fact.is_lower { value >= bound } else { value <= bound });
            }
        }
    }
}

fn compare_entailment(s: &mut Simplex, vars: &[LVar], facts: &[(Fact, Tag)], sum: &[i64], c: i64) {
    if s.check().is_err() {
        return;
    }
    let before: Vec<Rat> = (0..s.values.len()).map(|v| s.value(LVar(v as u32))).collect();
    let answer = s.entails_ge(&linear(sum, vars), &Int::from(c), 1000);
    assert!(before.iter().enumerate().all(|(v, value)| s.value(LVar(v as u32)) == *value));
    let opposite = (Fact { sum: sum.to_vec(), is_lower: false, bound: c - 1 }, Tag::NONE);
    let with = |facts: &[(Fact, Tag)]| {
        rational(vars.len(), &[facts, std::slice::from_ref(&opposite)].concat()).is_err()
    };
    let trivial = sum.iter().all(|c| *c == 0);
    assert_eq!(answer.is_some(), if trivial { c <= 0 } else { with(facts) }, "{facts:?} |= {sum:?} >= {c}");
    if let Some(tags) = answer.filter(|_| !trivial) {
        let core: Vec<_> = facts.iter().filter(|(_, tag)| tags.contains(tag)).cloned().collect();
        assert!(with(&core));
    }
    assert_eq!(s.check(), Ok(()));
}

#[test]
fn entailments_and_intervals_hold_at_all_points() {
    let mut dice = Dice::new(3);
    let mut entailed = 0;
    for _ in 0..600 {
        let n = 3;
        let mut facts = Fact::boxed(n, -3, 3);
        facts.truncate(dice.range(2, 6) as usize);
        facts.extend((0..dice.range(1, 4)).map(|_| Fact::random(&mut dice, n)));
        let mut s = Simplex::default();
        let vars: Vec<LVar> = (0..n).map(|_| s.new_var()).collect();
        if assert_all(&mut s, &vars, &facts, 0).and_then(|()| s.check()).is_err() {
            continue;
        }
        let all = points(n, -6, 6);
        for _ in 0..4 {
            let (sum, c) = (Fact::random(&mut dice, n).sum, dice.range(-12, 4));
            let lin = linear(&sum, &vars);
            if let Some(tags) = s.entails_ge(&lin, &Int::from(c), 1000) {
                entailed += 1;
                let core = subset(&facts, &tags);
                assert!(all.iter().filter(|p| core.iter().all(|f| f.holds(p))).all(|p| dot(&sum, p) >= c));
            }
            let (low, high) = s.bounds_of(&lin);
            for (limit, is_lower) in [(low, true), (high, false)] {
                let Some((bound, tags)) = limit else { continue };
                let core = subset(&facts, &tags);
                let fact = Fact { sum: sum.clone(), is_lower, bound: bound.to_i64().unwrap() };
                assert!(all.iter().filter(|p| core.iter().all(|f| f.holds(p))).all(|p| fact.holds(p)));
            }
        }
    }
    assert!(entailed > 200, "{entailed}");
}
