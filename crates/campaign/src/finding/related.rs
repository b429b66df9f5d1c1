//! Findings that probably have one cause.

use super::Finding;
use serde::{Deserialize, Serialize};

/// Another finding that probably has the same cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Related {
    /// Its number in the store.
    pub number: u32,
    /// Its name.
    pub id: String,
    /// Why, for people: `the same formula up to names and constants, on the same versions`.
    pub reason: String,
}

/// The number of causes, if findings that are related have one.
pub fn causes(findings: &[Finding]) -> usize {
    let mut cause: Vec<usize> = (0..findings.len()).collect();
    for (at, f) in findings.iter().enumerate() {
        for other in &f.related {
            let Some(to) = findings.iter().position(|g| g.number == other.number) else { continue };
            let (from, to) = (cause[at], cause[to]);
            cause.iter_mut().filter(|c| **c == from).for_each(|c| *c = to);
        }
    }
    cause.sort_unstable();
    cause.dedup();
    cause.len()
}

#[cfg(test)]
mod tests {
    use super::super::tests::finding;
    use super::*;
    use crate::outcome::Kind;

    #[test]
    fn findings_with_a_chain_of_relations_have_one_cause() {
        let number = |n: u32, to: &[u32]| {
            let related =
                to.iter().map(|&number| Related { number, id: String::new(), reason: String::new() });
            Finding { number: n, related: related.collect(), ..finding("x", Kind::Crash, 1) }
        };
        assert_eq!(causes(&[]), 0);
        assert_eq!(causes(&[number(1, &[]), number(2, &[9])]), 2);
        assert_eq!(causes(&[number(1, &[2]), number(2, &[1, 4]), number(3, &[]), number(4, &[])]), 2);
        assert_eq!(causes(&[number(1, &[3]), number(2, &[4]), number(3, &[]), number(4, &[3])]), 1);
    }
}
