//! A word of a regular expression, found while the expression is built from literals, stars, pluses, unions and
//! concatenations; and a way to make it longer, if the expression has one.

/// Words of a language.
#[derive(Clone, Debug, Default)]
pub(super) struct Sample {
    /// A short word.
    pub(super) word: Vec<u32>,
    /// `before · repeated^k · after` is in the language for each `k`; `repeated` is not empty.
    pump: Option<Pump>,
}

#[derive(Clone, Debug)]
struct Pump {
    before: Vec<u32>,
    repeated: Vec<u32>,
    after: Vec<u32>,
}

impl Sample {
    pub(super) fn literal(word: Vec<u32>) -> Sample {
        Sample { word, pump: None }
    }

    /// Concatenation: `other` follows.
    pub(super) fn then(&mut self, other: Sample) {
        match (&mut self.pump, other.pump) {
            (Some(p), _) => p.after.extend(&other.word),
            (none, Some(mut p)) => {
                let mut before = self.word.clone();
                before.append(&mut p.before);
                p.before = before;
                *none = Some(p);
            }
            (None, None) => {}
        }
        self.word.extend(other.word);
    }

    /// Union.
    pub(super) fn either(a: Sample, b: Sample) -> Sample {
        let (short, long) = if b.word.len() < a.word.len() { (b, a) } else { (a, b) };
        Sample { word: short.word, pump: short.pump.or(long.pump) }
    }

    pub(super) fn star(self) -> Sample {
        Sample { pump: self.repeated(&[]), word: Vec::new() }
    }

    pub(super) fn plus(self) -> Sample {
        Sample { pump: self.repeated(&self.word), word: self.word }
    }

    /// The word any number of times, after `before`; if it is empty, the repeatable part inside.
    fn repeated(&self, before: &[u32]) -> Option<Pump> {
        if self.word.is_empty() {
            return self.pump.clone();
        }
        Some(Pump { before: before.to_vec(), repeated: self.word.clone(), after: Vec::new() })
    }

    /// A word of at least this length, if one is easy to find.
    pub(super) fn at_least(&self, length: u64) -> Option<Vec<u32>> {
        if self.word.len() as u64 >= length {
            return Some(self.word.clone());
        }
        let p = self.pump.as_ref()?;
        let missing = length.saturating_sub((p.before.len() + p.after.len()) as u64);
        let times = missing.div_ceil(p.repeated.len() as u64);
        if times.saturating_mul(p.repeated.len() as u64) > crate::generators::build::MAX_MODEL {
            return None;
        }
        let mut word = p.before.clone();
        (0..times).for_each(|_| word.extend(&p.repeated));
        word.extend(&p.after);
        Some(word)
    }
}
