//! The restart policy: restart if the average LBD of recent learnt clauses exceeds the long-term average.

/// An exponential moving average without bias towards its initial value.
struct Average {
    value: f64,
    rate: f64,
    weight: f64,
}

impl Average {
    fn new(rate: f64) -> Self {
        Average { value: 0.0, rate, weight: 0.0 }
    }

    fn add(&mut self, x: f64) {
        self.value += self.rate * (x - self.value);
        self.weight += self.rate * (1.0 - self.weight);
    }

    fn get(&self) -> f64 {
        if self.weight > 0.0 { self.value / self.weight } else { 0.0 }
    }
}

/// The sequence 1, 1, 2, 1, 1, 2, 4, 1, ... (Luby, Sinclair and Zuckerman 1993), in Knuth's form.
struct Luby {
    u: u64,
    v: u64,
}

impl Luby {
    fn advance(&mut self) {
        if self.u & self.u.wrapping_neg() == self.v {
            (self.u, self.v) = (self.u + 1, 1);
        } else {
            self.v *= 2;
        }
    }
}

/// The restart policy. Phases of frequent restarts by averages alternate with phases of rare ones by the Luby
/// sequence, which suit satisfiable problems and do not depend on LBDs.
pub(crate) struct Restarts {
    fast: Average,
    slow: Average,
    luby: Luby,
    /// Conflicts since the last restart, and in total.
    since: u64,
    conflicts: u64,
    phase_end: u64,
    phase: u64,
    rare: bool,
    /// Restarts after this many conflicts, instead of the policy.
    pub(crate) every: Option<u64>,
}

/// The ratio of the averages at which a restart is due.
const MARGIN: f64 = 1.10;
/// Conflicts between two frequent restarts, at least.
const MIN_INTERVAL: u64 = 10;
/// Conflicts per unit of the Luby sequence.
const LUBY_UNIT: u64 = 200;
/// Conflicts in the first phase.
const FIRST_PHASE: u64 = 1000;

impl Restarts {
    pub(crate) fn new() -> Self {
        Restarts {
            fast: Average::new(1.0 / 32.0),
            slow: Average::new(1.0 / 4096.0),
            luby: Luby { u: 1, v: 1 },
            since: 0,
            conflicts: 0,
            phase_end: FIRST_PHASE,
            phase: FIRST_PHASE,
            rare: false,
            every: None,
        }
    }

    /// Records a learnt clause of this LBD.
    pub(crate) fn conflict(&mut self, lbd: u32) {
        self.fast.add(f64::from(lbd));
        self.slow.add(f64::from(lbd));
        self.since += 1;
        self.conflicts += 1;
        if self.conflicts >= self.phase_end {
            self.rare = !self.rare;
            self.phase += self.phase / 2;
            self.phase_end = self.conflicts + self.phase;
        }
    }

    /// Whether a restart is due.
    pub(crate) fn due(&self) -> bool {
        if let Some(every) = self.every {
            self.since >= every
        } else if self.rare {
            self.since >= LUBY_UNIT * self.luby.v
        } else {
            self.since >= MIN_INTERVAL && self.fast.get() > MARGIN * self.slow.get()
        }
    }

    /// Records a restart.
    pub(crate) fn restarted(&mut self) {
        self.since = 0;
        if self.rare {
            self.luby.advance();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Average, Luby};

    #[test]
    fn luby_sequence() {
        let mut luby = Luby { u: 1, v: 1 };
        let mut found = Vec::new();
        for _ in 0..15 {
            found.push(luby.v);
            luby.advance();
        }
        assert_eq!(found, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    #[test]
    fn average_of_a_constant() {
        let mut average = Average::new(0.01);
        for _ in 0..3 {
            average.add(5.0);
            assert!((average.get() - 5.0).abs() < 1e-9);
        }
    }
}
