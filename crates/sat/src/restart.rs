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

/// The restart policy. Stretches of quick restarts alternate with ever longer stretches of rare ones, which suit
/// satisfiable problems.
pub(crate) struct Restarts {
    fast: Average,
    slow: Average,
    since: u64,
    conflicts: u64,
    stretch_end: u64,
    stretch: u64,
    rare: bool,
}

const MARGIN: f64 = 1.15;
const QUICK_MINIMUM: u64 = 10;
const RARE_MINIMUM: u64 = 400;
const FIRST_STRETCH: u64 = 1000;

impl Restarts {
    pub(crate) fn new() -> Self {
        Restarts {
            fast: Average::new(1.0 / 32.0),
            slow: Average::new(1.0 / 4096.0),
            since: 0,
            conflicts: 0,
            stretch_end: FIRST_STRETCH,
            stretch: FIRST_STRETCH,
            rare: false,
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
        let minimum = if self.rare { RARE_MINIMUM } else { QUICK_MINIMUM };
        self.since >= minimum && self.fast.get() > MARGIN * self.slow.get()
    }

    /// A restart was made.
    pub(crate) fn restarted(&mut self) {
        self.since = 0;
    }
}
