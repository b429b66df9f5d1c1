//! Explicit automata.

/// An automaton: by state, whether it accepts, and its edges, each with the first and the last character and the state after it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Automaton {
    edges: Vec<Vec<(u32, u32, u32)>>,
    accepting: Vec<bool>,
    /// The least and the greatest length of the words from each state; the former is greater if there are none.
    lengths: Vec<(u64, u64)>,
}

impl Automaton {
    /// From accepting states and edges. All states must be below the number of both lists.
    pub fn new(edges: Vec<Vec<(u32, u32, u32)>>, accepting: Vec<bool>) -> Automaton {
        let mut automaton = Automaton { lengths: vec![(u64::MAX, 0); accepting.len()], edges, accepting };
        automaton.measure();
        automaton
    }

    /// The least lengths by breadth-first search from the ends; the greatest once all that follow are known, which on cycles is never.
    fn measure(&mut self) {
        let n = self.accepting.len();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); n];
        for (from, edges) in self.edges.iter().enumerate() {
            smt::work::spend(1 + edges.len());
            edges.iter().for_each(|&(_, _, to)| before[to as usize].push(from));
        }
        let mut queue: Vec<usize> = (0..n).filter(|&s| self.accepting[s]).collect();
        queue.iter().for_each(|&s| self.lengths[s] = (0, u64::MAX));
        let mut at = 0;
        while let Some(&s) = queue.get(at) {
            for &b in &before[s] {
                if self.lengths[b].0 == u64::MAX {
                    self.lengths[b] = (self.lengths[s].0 + 1, u64::MAX);
                    queue.push(b);
                }
            }
            at += 1;
        }
        let live = |lengths: &[(u64, u64)], s: usize| lengths[s].0 < u64::MAX;
        let follows =
            |s: &Vec<(u32, u32, u32)>| s.iter().filter(|e| live(&self.lengths, e.2 as usize)).count();
        let mut open: Vec<usize> = self.edges.iter().map(follows).collect();
        let mut most: Vec<u64> = vec![0; n];
        let mut known: Vec<usize> = queue.iter().copied().filter(|&s| open[s] == 0).collect();
        while let Some(s) = known.pop() {
            self.lengths[s].1 = most[s];
            for &b in &before[s] {
                most[b] = most[b].max(most[s] + 1);
                open[b] -= 1;
                if open[b] == 0 {
                    known.push(b);
                }
            }
        }
    }

    pub(super) fn edges(&self, state: u32) -> &[(u32, u32, u32)] {
        &self.edges[state as usize]
    }

    pub(super) fn all_edges(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.edges.iter().flatten().map(|&(first, last, _)| (first, last))
    }

    pub(super) fn accepts(&self, state: u32) -> bool {
        self.accepting[state as usize]
    }

    pub(super) fn lengths(&self, state: u32) -> (u64, u64) {
        self.lengths[state as usize]
    }

    /// The automaton of the words read backwards, and the states where these start if words start in `state`.
    pub(super) fn reversed(&self, state: u32) -> (Automaton, Vec<u32>) {
        let mut edges = vec![Vec::new(); self.edges.len()];
        for (from, list) in (0..).zip(&self.edges) {
            for &(first, last, to) in list {
                edges[to as usize].push((first, last, from));
            }
        }
        let accepting = (0..).take(self.edges.len()).map(|s: u32| s == state).collect();
        let ends = (0..).zip(&self.accepting).filter(|&(_, &end)| end).map(|(s, _)| s).collect();
        (Automaton::new(edges, accepting), ends)
    }
}
