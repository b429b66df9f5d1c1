//! A set of jobs by their numbers, one bit each: 12.5 MB for 10⁸ jobs.

use std::ops::Range;

/// Jobs that are done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    words: Vec<u64>,
    len: u64,
    count: u64,
}

impl Done {
    /// None of `len` jobs.
    pub fn new(len: u64) -> Done {
        Done { words: vec![0; len.div_ceil(64) as usize], len, count: 0 }
    }

    /// Adds a job; false if it was in the set. Numbers past the end are ignored.
    pub fn add(&mut self, job: u64) -> bool {
        if job >= self.len || self.has(job) {
            return false;
        }
        self.words[(job / 64) as usize] |= 1 << (job % 64);
        self.count += 1;
        true
    }

    /// The job is done.
    pub fn has(&self, job: u64) -> bool {
        self.words.get((job / 64) as usize).is_some_and(|w| w >> (job % 64) & 1 == 1)
    }

    /// The number of jobs that are done.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The number of all jobs.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// There are no jobs.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of jobs in a range that are not done.
    pub fn open_in(&self, range: Range<u64>) -> u64 {
        let (mut at, end, mut open) = (range.start, range.end.min(self.len), 0);
        while at < end {
            let stop = (at / 64 * 64 + 64).min(end);
            let (low, wide) = (at % 64, stop - at);
            let mask = if wide == 64 { u64::MAX } else { ((1 << wide) - 1) << low };
            let set = self.words[(at / 64) as usize] & mask;
            open += wide - u64::from(set.count_ones());
            at = stop;
        }
        open
    }

    /// The bits, as bytes.
    pub fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|w| w.to_le_bytes()).collect()
    }

    /// A set from its bits; none if their number is wrong.
    pub fn from_bytes(len: u64, bytes: &[u8]) -> Option<Done> {
        if bytes.len() as u64 != len.div_ceil(64) * 8 {
            return None;
        }
        let word = |b: &[u8]| b.try_into().map(u64::from_le_bytes).ok();
        let words = bytes.chunks(8).map(word).collect::<Option<Vec<u64>>>()?;
        let count = words.iter().map(|w| u64::from(w.count_ones())).sum();
        Some(Done { words, len, count })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_range_of_a_small_set() {
        let mut done = Done::new(200);
        for job in (0..200).filter(|j| j % 3 == 0 || (60..70).contains(j)) {
            assert!(done.add(job));
            assert!(!done.add(job));
        }
        assert!(!done.add(200) && !done.has(200) && !done.has(u64::MAX));
        for from in 0..=200 {
            for to in from..=210 {
                let open = (from..to.min(200)).filter(|&j| !done.has(j)).count() as u64;
                assert_eq!(done.open_in(from..to), open, "{from}..{to}");
            }
        }
        assert_eq!(Done::from_bytes(200, &done.bytes()), Some(done.clone()));
        assert_eq!(Done::from_bytes(500, &done.bytes()), None);
        assert_eq!(done.count() + done.open_in(0..200), done.len());
    }
}
