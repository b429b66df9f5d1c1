//! Arms: which source is run next on which solver. A bandit whose yield decides.
//!
//! The yield of a unit is the number of new findings, of failures that are not like known ones, and of pairs of operators that were not seen
//! before. A unit with time limits counts as several, since it takes the time of several. Half of the units of a round go to the arms with the largest upper confidence bound on the mean yield; the others go round
//! all arms, so that none is forgotten: there an arm misses a turn for every two of its time limits, so that a source that mostly runs into them does not take the time of the others. Old yields count less and less. Choices
//! depend on counts only, not on time or threads.

use serde::{Deserialize, Serialize};

/// A source on a solver.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Arm {
    /// The name of the source.
    pub source: String,
    /// The name of the solver, with its options.
    pub solver: String,
    /// Instances that were run.
    pub instances: u64,
    /// Runs that failed.
    pub failures: u64,
    /// Findings whose representative is from here.
    pub findings: u64,
    /// The sum of yields, and the number of units; older ones count less.
    reward: f64,
    weight: f64,
    /// Turns that it misses, for its time limits.
    #[serde(default)]
    debt: f64,
}

/// All arms of a hunt.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Arms {
    /// The arms.
    pub list: Vec<Arm>,
    /// The arm that is next in turn.
    turn: usize,
}

/// How much of an old yield counts after a round.
const MEMORY: f64 = 0.97;

/// How many units a time limit counts for: a unit takes about as long as two time limits.
const SLOW: f64 = 0.5;

/// The most turns that an arm misses in a row.
const MAX_DEBT: f64 = 3.0;

/// The yield of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Yield {
    /// Findings that are new.
    pub findings: u64,
    /// Failures that are not like known ones.
    pub failures: u64,
    /// Pairs of operators that are new.
    pub pairs: u64,
}

impl Yield {
    /// Between 0 and 1.
    fn worth(self) -> f64 {
        (self.findings as f64 + 0.3 * (self.failures as f64).sqrt() + 0.01 * self.pairs as f64).min(1.0)
    }
}

impl Arms {
    /// The place of an arm, which is added if it is new.
    pub fn place(&mut self, source: &str, solver: &str) -> usize {
        let same = |a: &Arm| a.source == source && a.solver == solver;
        self.list.iter().position(same).unwrap_or_else(|| {
            let (source, solver) = (source.to_owned(), solver.to_owned());
            self.list.push(Arm { source, solver, ..Arm::default() });
            self.list.len() - 1
        })
    }

    /// The arms of the next round, `count` of them.
    pub fn next_round(&mut self, count: usize) -> Vec<usize> {
        if self.list.is_empty() {
            return Vec::new();
        }
        let mut chosen = self.in_turn(count.div_ceil(2));
        let total: f64 = self.list.iter().map(|a| a.weight).sum();
        // Each choice counts as a unit, so that a round does not go to one arm only.
        let mut planned: Vec<f64> = self.list.iter().map(|a| a.weight).collect();
        while chosen.len() < count {
            let bound = |at: usize| {
                let mean = self.list[at].reward / self.list[at].weight.max(1.0);
                mean + (0.5 * (total + 2.0).ln() / (planned[at] + 1.0)).sqrt()
            };
            let best = (0..self.list.len()).max_by(|&a, &b| bound(a).total_cmp(&bound(b)).then(b.cmp(&a)));
            let best = best.unwrap_or(0);
            planned[best] += 1.0;
            chosen.push(best);
        }
        chosen
    }

    /// The next arms that have no turn to miss.
    fn in_turn(&mut self, count: usize) -> Vec<usize> {
        let mut chosen = Vec::new();
        while chosen.len() < count {
            let arm = &mut self.list[self.turn];
            if arm.debt < 1.0 {
                chosen.push(self.turn);
            } else {
                arm.debt -= 1.0;
            }
            self.turn = (self.turn + 1) % self.list.len();
        }
        chosen
    }

    /// Adds the arms of another hunt, without its findings.
    pub fn absorb(&mut self, other: &Arms) {
        for arm in &other.list {
            let at = self.place(&arm.source, &arm.solver);
            let mine = &mut self.list[at];
            mine.instances += arm.instances;
            mine.failures += arm.failures;
            mine.reward += arm.reward;
            mine.weight += arm.weight;
        }
    }

    /// Forgets a part of the past.
    pub fn age(&mut self) {
        for arm in &mut self.list {
            arm.reward *= MEMORY;
            arm.weight *= MEMORY;
        }
    }

    /// Records a unit, in which `slow` runs ended at a time limit.
    pub fn record(&mut self, at: usize, gained: Yield, slow: u64) {
        let arm = &mut self.list[at];
        arm.reward += gained.worth();
        arm.weight += 1.0 + SLOW * slow as f64;
        arm.debt = (arm.debt + SLOW * slow as f64).min(MAX_DEBT);
    }

    /// Records findings that triage found to be new.
    pub fn reward(&mut self, at: usize, findings: u64) {
        let arm = &mut self.list[at];
        arm.findings += findings;
        arm.reward += Yield { findings, ..Yield::default() }.worth();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arms(n: usize) -> Arms {
        let mut arms = Arms::default();
        for i in 0..n {
            assert_eq!(arms.place(&format!("s{i}"), "z3"), i);
        }
        arms
    }

    #[test]
    fn every_arm_gets_its_turn() {
        let mut arms = arms(7);
        let mut seen = [0; 7];
        for _ in 0..7 {
            for at in arms.next_round(4) {
                seen[at] += 1;
                arms.record(at, Yield::default(), 0);
            }
            arms.age();
        }
        assert!(seen.iter().all(|&n| n >= 2), "{seen:?}");
    }

    #[test]
    fn a_fruitful_arm_gets_more() {
        let mut arms = arms(10);
        let mut seen = [0; 10];
        for _ in 0..40 {
            for at in arms.next_round(8) {
                seen[at] += 1;
                let failures = u64::from(at == 3);
                arms.record(at, Yield { failures, ..Yield::default() }, 0);
            }
            arms.age();
        }
        let others = seen.iter().enumerate().filter(|(i, _)| *i != 3).map(|(_, n)| n).max();
        assert!(seen[3] > 2 * others.copied().unwrap_or(0), "{seen:?}");
    }

    /// Arms 0 to 4 yield as much as the others, in four time limits more.
    #[test]
    fn a_slow_arm_gets_less() {
        let mut arms = arms(10);
        let mut seen = [0; 10];
        for _ in 0..40 {
            for at in arms.next_round(8) {
                seen[at] += 1;
                let pairs = 3;
                arms.record(at, Yield { pairs, ..Yield::default() }, if at < 5 { 4 } else { 0 });
            }
            arms.age();
        }
        let (slow, quick): (u32, u32) = (seen[..5].iter().sum(), seen[5..].iter().sum());
        assert!(slow * 2 < quick, "{seen:?}");
    }

    /// All are in turn again and again, also those that only run into time limits.
    #[test]
    fn an_arm_with_time_limits_misses_turns_and_is_not_forgotten() {
        let mut arms = arms(6);
        let mut seen = [0; 6];
        for _ in 0..30 {
            for at in arms.in_turn(4) {
                seen[at] += 1;
                arms.record(at, Yield::default(), if at == 2 { 9 } else { 0 });
            }
        }
        assert!(seen[2] >= 5 && seen[2] * 3 < seen[1], "{seen:?}");
    }

    #[test]
    fn the_same_past_gives_the_same_choice() {
        let (mut a, mut b) = (arms(5), arms(5));
        for _ in 0..10 {
            let (x, y) = (a.next_round(6), b.next_round(6));
            assert_eq!(x, y);
            x.iter().for_each(|&at| a.record(at, Yield { pairs: at as u64, ..Yield::default() }, 0));
            y.iter().for_each(|&at| b.record(at, Yield { pairs: at as u64, ..Yield::default() }, 0));
        }
    }
}
