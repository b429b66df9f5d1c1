//! When to restart: if the clauses learnt lately have more decision levels than those learnt on the whole.

/// An exponential moving average whose start is not biased towards zero.
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

/// The restart policy. Stretches of quick restarts by averages alternate with stretches of rarer ones by Luby's
/// sequence, which suit satisfiable problems and do not depend on how clauses look.
pub(crate) struct Restarts {
    fast: Average,
    slow: Average,
    luby: Luby,
    /// Conflicts since the last restart, and in all.
    since: u64,
    conflicts: u64,
    stretch_end: u64,
    stretch: u64,
    rare: bool,
    /// Restart after this many conflicts, whatever the policy says.
    pub(crate) every: Option<u64>,
}

const MARGIN: f64 = 1.10;
const QUICK_MINIMUM: u64 = 10;
const LUBY_UNIT: u64 = 200;
const FIRST_STRETCH: u64 = 1000;

impl Restarts {
    pub(crate) fn new() -> Self {
        Restarts {
            fast: Average::new(1.0 / 32.0),
            slow: Average::new(1.0 / 4096.0),
            luby: Luby { u: 1, v: 1 },
            since: 0,
            conflicts: 0,
            stretch_end: FIRST_STRETCH,
            stretch: FIRST_STRETCH,
            rare: false,
            every: None,
        }
    }

    /// A clause of this many levels was learnt.
    pub(crate) fn conflict(&mut self, lbd: u32) {
        self.fast.add(f64::from(lbd));
        self.slow.add(f64::from(lbd));
        self.since += 1;
        self.conflicts += 1;
        if self.conflicts >= self.stretch_end {
            self.rare = !self.rare;
            self.stretch += self.stretch / 2;
            self.stretch_end = self.conflicts + self.stretch;
        }
    }

    /// True if it is time.
    pub(crate) fn due(&self) -> bool {
        if let Some(every) = self.every {
            self.since >= every
        } else if self.rare {
            self.since >= LUBY_UNIT * self.luby.v
        } else {
            self.since >= QUICK_MINIMUM && self.fast.get() > MARGIN * self.slow.get()
        }
    }

    /// A restart was made.
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
    fn luby_begins_as_printed() {
        let mut luby = Luby { u: 1, v: 1 };
        let mut found = Vec::new();
        for _ in 0..15 {
            found.push(luby.v);
            luby.advance();
        }
        assert_eq!(found, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    #[test]
    fn an_average_of_the_same_is_the_same() {
        let mut average = Average::new(0.01);
        for _ in 0..3 {
            average.add(5.0);
            assert!((average.get() - 5.0).abs() < 1e-9);
        }
    }
}
