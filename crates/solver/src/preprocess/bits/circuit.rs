//! Circuits of gates over bits, as clauses for the SAT solver.
//!
//! A gate with constant or repeated inputs is simplified, and equal gates are made once.

use rustc_hash::FxHashMap;
use smt::Term;
use smt::work::spend;

/// Clauses, at most.
const MAX_CLAUSES: usize = 3_000_000;

/// A wire: a variable of the circuit or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Wire(u32);

impl Wire {
    pub(crate) const TRUE: Wire = Wire(0);
    pub(crate) const FALSE: Wire = Wire(1);

    /// The number of its variable in [`Circuit::sources`], and whether it is not negated.
    pub(crate) fn parts(self) -> (usize, bool) {
        (self.0 as usize / 2, self.0 & 1 == 0)
    }

    /// The constant wire.
    pub(super) fn constant(value: bool) -> Wire {
        if value { Wire::TRUE } else { Wire::FALSE }
    }

    fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// Without negation, and whether there was one.
    fn split(self) -> (Wire, bool) {
        (Wire(self.0 & !1), self.0 & 1 == 1)
    }

    fn flip(self, negated: bool) -> Wire {
        Wire(self.0 ^ u32::from(negated))
    }
}

impl std::ops::Not for Wire {
    type Output = Wire;

    fn not(self) -> Wire {
        self.flip(true)
    }
}

/// What a variable of a circuit is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    /// The constant true.
    True,
    /// A formula.
    Formula(Term),
    /// A bit of a vector that no gate makes.
    Bit(Term, u32),
    /// The output of a gate.
    Gate,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    And,
    Xor,
    Ite,
    Majority,
    Parity,
}

/// A circuit.
#[derive(Clone, Debug)]
pub(crate) struct Circuit {
    /// The variables.
    pub(crate) sources: Vec<Source>,
    /// The place of each: that of a bit in its vector, and the highest one of the inputs of a gate.
    places: Vec<u32>,
    clauses: Vec<Wire>,
    ends: Vec<usize>,
    gates: FxHashMap<(Kind, [Wire; 3]), Wire>,
    formulas: FxHashMap<Term, Wire>,
}

impl Default for Circuit {
    fn default() -> Self {
        Circuit {
            sources: vec![Source::True],
            places: vec![0],
            clauses: Vec::new(),
            ends: Vec::new(),
            gates: FxHashMap::default(),
            formulas: FxHashMap::default(),
        }
    }
}

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("gate")
    }
}

impl Circuit {
    /// The clauses.
    pub(crate) fn clauses(&self) -> impl Iterator<Item = &[Wire]> {
        self.ends.iter().enumerate().map(|(i, &end)| {
            let start = if i == 0 { 0 } else { self.ends[i - 1] };
            &self.clauses[start..end]
        })
    }

    /// The variables in an order in which they are best decided: the highest places first, those of different vectors together. With the bits of one
    /// vector after those of another, `a < b < c` is exponential in their width.
    pub(crate) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.sources.len()).collect();
        order.sort_by_key(|&i| (std::cmp::Reverse(self.places[i]), i));
        order
    }

    /// Whether there are too many clauses. Then gates are constant, and the circuit is of no use.
    pub(super) fn is_full(&self) -> bool {
        self.ends.len() > MAX_CLAUSES
    }

    fn variable(&mut self, source: Source, place: u32) -> Wire {
        let n = u32::try_from(self.sources.len()).expect("a circuit has a limit");
        self.sources.push(source);
        self.places.push(place);
        Wire(2 * n)
    }

    /// The wire of a formula.
    pub(super) fn formula(&mut self, t: Term) -> Wire {
        if let Some(&w) = self.formulas.get(&t) {
            return w;
        }
        let w = self.variable(Source::Formula(t), 0);
        self.formulas.insert(t, w);
        w
    }

    /// A new bit of a vector.
    pub(super) fn bit(&mut self, t: Term, i: usize) -> Wire {
        self.variable(Source::Bit(t, i as u32), i as u32)
    }

    /// Adds a clause; constants in it are removed.
    pub(super) fn clause(&mut self, wires: &[Wire]) {
        spend(1);
        if wires.contains(&Wire::TRUE) || self.is_full() {
            return;
        }
        self.clauses.extend(wires.iter().copied().filter(|&w| w != Wire::FALSE));
        self.ends.push(self.clauses.len());
    }

    /// States that two wires are equal.
    pub(super) fn same(&mut self, a: Wire, b: Wire) {
        self.clause(&[!a, b]);
        self.clause(&[a, !b]);
    }

    fn highest(&self, wires: &[Wire]) -> u32 {
        wires.iter().map(|w| self.places[w.parts().0]).max().unwrap_or(0)
    }

    /// The gate with these inputs, and whether it is new.
    fn gate(&mut self, kind: Kind, inputs: [Wire; 3]) -> (Wire, bool) {
        spend(1);
        if self.is_full() {
            return (Wire::TRUE, false);
        }
        if let Some(&w) = self.gates.get(&(kind, inputs)) {
            return (w, false);
        }
        let place = self.highest(&inputs);
        let w = self.variable(Source::Gate, place);
        self.gates.insert((kind, inputs), w);
        (w, true)
    }

    pub(super) fn and(&mut self, a: Wire, b: Wire) -> Wire {
        let (a, b) = (a.min(b), a.max(b));
        if a == !b || a == Wire::FALSE {
            return Wire::FALSE;
        }
        if a == b || a == Wire::TRUE {
            return b;
        }
        let (g, new) = self.gate(Kind::And, [a, b, Wire::TRUE]);
        if new {
            self.clause(&[!g, a]);
            self.clause(&[!g, b]);
            self.clause(&[g, !a, !b]);
        }
        g
    }

    pub(super) fn or(&mut self, a: Wire, b: Wire) -> Wire {
        !self.and(!a, !b)
    }

    /// At least one.
    pub(super) fn any(&mut self, wires: &[Wire]) -> Wire {
        let mut open: Vec<Wire> = wires.iter().copied().filter(|&w| w != Wire::FALSE).collect();
        if open.contains(&Wire::TRUE) {
            return Wire::TRUE;
        }
        open.sort_unstable();
        open.dedup();
        match open[..] {
            [] => Wire::FALSE,
            [only] => only,
            [a, b] => self.or(a, b),
            _ => {
                let place = self.highest(&open);
                let g = self.variable(Source::Gate, place);
                for &w in &open {
                    self.clause(&[g, !w]);
                }
                open.push(!g);
                self.clause(&open);
                g
            }
        }
    }

    pub(super) fn xor(&mut self, a: Wire, b: Wire) -> Wire {
        let ((a, s), (b, t)) = (a.split(), b.split());
        let (a, b, negated) = (a.min(b), a.max(b), s != t);
        if a == b {
            return Wire::constant(negated);
        }
        if a == Wire::TRUE {
            return (!b).flip(negated);
        }
        let (g, new) = self.gate(Kind::Xor, [a, b, Wire::TRUE]);
        if new {
            for clause in [[!g, a, b], [!g, !a, !b], [g, !a, b], [g, a, !b]] {
                self.clause(&clause);
            }
        }
        g.flip(negated)
    }

    pub(super) fn ite(&mut self, c: Wire, a: Wire, b: Wire) -> Wire {
        if c == Wire::TRUE || a == b {
            return a;
        }
        if c == Wire::FALSE {
            return b;
        }
        if a == !b {
            return !self.xor(c, a);
        }
        if a == Wire::TRUE || a == c {
            return self.or(c, b);
        }
        if a == Wire::FALSE || a == !c {
            return self.and(!c, b);
        }
        if b == Wire::TRUE || b == !c {
            return self.or(!c, a);
        }
        if b == Wire::FALSE || b == c {
            return self.and(c, a);
        }
        let (c, a, b) = if c.split().1 { (!c, b, a) } else { (c, a, b) };
        let (g, new) = self.gate(Kind::Ite, [c, a, b]);
        if new {
            let clauses = [[!c, !a, g], [!c, a, !g], [c, !b, g], [c, b, !g], [!a, !b, g], [a, b, !g]];
            for clause in clauses {
                self.clause(&clause);
            }
        }
        g
    }

    /// At least two of three.
    pub(super) fn majority(&mut self, a: Wire, b: Wire, c: Wire) -> Wire {
        let mut w = [a, b, c];
        w.sort_unstable();
        let [a, b, c] = w;
        // Sorted: equal and opposite wires are neighbours.
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        if a.is_constant() {
            return if a == Wire::TRUE { self.or(b, c) } else { self.and(b, c) };
        }
        let negated = a.split().1;
        let [a, b, c] = [a, b, c].map(|w| w.flip(negated));
        let (g, new) = self.gate(Kind::Majority, [a, b, c]);
        if new {
            let clauses = [[!a, !b, g], [!a, !c, g], [!b, !c, g], [a, b, !g], [a, c, !g], [b, c, !g]];
            for clause in clauses {
                self.clause(&clause);
            }
        }
        g.flip(negated)
    }

    /// An odd number of three.
    pub(super) fn parity(&mut self, a: Wire, b: Wire, c: Wire) -> Wire {
        let parts = [a.split(), b.split(), c.split()];
        let negated = parts.iter().filter(|p| p.1).count() % 2 == 1;
        let mut w = parts.map(|p| p.0);
        w.sort_unstable();
        let [a, b, c] = w;
        if a == b {
            return c.flip(negated);
        }
        if b == c {
            return a.flip(negated);
        }
        if a == Wire::TRUE {
            return (!self.xor(b, c)).flip(negated);
        }
        let (g, new) = self.gate(Kind::Parity, [a, b, c]);
        if new {
            for signs in 0..8u32 {
                let [x, y, z] = [(a, 1), (b, 2), (c, 4)].map(|(w, bit)| w.flip(signs & bit != 0));
                // The clause excludes the inputs that make its three literals false.
                let odd = signs.count_ones() % 2 == 1;
                self.clause(&[x, y, z, g.flip(!odd)]);
            }
        }
        g.flip(negated)
    }

    /// Sum and carry of three bits.
    pub(super) fn full_adder(&mut self, a: Wire, b: Wire, c: Wire) -> (Wire, Wire) {
        let (sum, carry) = (self.parity(a, b, c), self.majority(a, b, c));
        if ![a, b, c, sum, carry].iter().any(|w| w.is_constant()) {
            for w in [a, b, c] {
                self.clause(&[!carry, !sum, w]);
                self.clause(&[carry, sum, !w]);
            }
        }
        (sum, carry)
    }
}
