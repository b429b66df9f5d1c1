//! Explicit nondeterministic automata.

/// An automaton: from each state edges for intervals of characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nfa {
    /// By state: the first and the last character, and the state after it.
    pub edges: Vec<Vec<(u32, u32, u32)>>,
    /// The states in which a word is accepted.
    pub accepting: Vec<bool>,
    /// The states in which a word may begin.
    pub initial: Vec<u32>,
}

impl Nfa {
    /// Without states: the empty language.
    pub fn new() -> Nfa {
        Nfa::default()
    }

    /// Adds a state.
    pub fn add(&mut self, accepting: bool) -> u32 {
        self.edges.push(Vec::new());
        self.accepting.push(accepting);
        u32::try_from(self.edges.len() - 1).expect("fewer than 2^32 states")
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there are no states; of a trimmed automaton, whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// Whether a word is accepted.
    pub fn accepts(&self, word: &[u32]) -> bool {
        let mut now = self.initial.clone();
        for &c in word {
            let mut next: Vec<u32> = Vec::new();
            for &s in &now {
                let reads = self.edges[s as usize].iter().filter(|&&(a, b, _)| a <= c && c <= b);
                next.extend(reads.map(|&(_, _, to)| to));
            }
            next.sort_unstable();
            next.dedup();
            now = next;
        }
        now.iter().any(|&s| self.accepting[s as usize])
    }

    /// The language of its words read backwards.
    pub fn reversed(&self) -> Nfa {
        let mut out = Nfa {
            edges: vec![Vec::new(); self.len()],
            accepting: vec![false; self.len()],
            initial: Vec::new(),
        };
        for (from, edges) in (0..).zip(&self.edges) {
            for &(a, b, to) in edges {
                out.edges[to as usize].push((a, b, from));
            }
        }
        self.initial.iter().for_each(|&s| out.accepting[s as usize] = true);
        out.initial = (0..).zip(&self.accepting).filter(|&(_, &end)| end).map(|(s, _)| s).collect();
        out
    }

    /// Without the states that no accepted word visits; edges to one state that touch are joined.
    pub fn trimmed(&self) -> Nfa {
        let forward = self.reachable(&self.initial);
        let back = self.reversed();
        let backward = back.reachable(&back.initial);
        let mut number = vec![u32::MAX; self.len()];
        let mut out = Nfa::new();
        for s in (0..self.len()).filter(|&s| forward[s] && backward[s]) {
            number[s] = out.add(self.accepting[s]);
        }
        for s in (0..self.len()).filter(|&s| number[s] != u32::MAX) {
            let kept = self.edges[s].iter().filter(|e| number[e.2 as usize] != u32::MAX);
            out.edges[number[s] as usize] =
                joined(kept.map(|&(a, b, to)| (a, b, number[to as usize])).collect());
        }
        out.initial = self.initial.iter().map(|&s| number[s as usize]).filter(|&s| s != u32::MAX).collect();
        out.initial.sort_unstable();
        out.initial.dedup();
        out
    }

    fn reachable(&self, from: &[u32]) -> Vec<bool> {
        let mut seen = vec![false; self.len()];
        let mut stack = from.to_vec();
        while let Some(s) = stack.pop() {
            if !std::mem::replace(&mut seen[s as usize], true) {
                stack.extend(self.edges[s as usize].iter().map(|&(_, _, to)| to));
            }
        }
        seen
    }
}

/// Edges sorted by state and character, those that touch joined.
fn joined(mut edges: Vec<(u32, u32, u32)>) -> Vec<(u32, u32, u32)> {
    edges.sort_unstable_by_key(|&(a, b, to)| (to, a, b));
    edges.dedup_by(|next, kept| {
        let touches = next.2 == kept.2 && next.0 <= kept.1.saturating_add(1);
        if touches {
            kept.1 = kept.1.max(next.1);
        }
        touches
    });
    edges.sort_unstable();
    edges
}
