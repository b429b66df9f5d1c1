//! Which of all instances a campaign runs: at most N of them, and one shard of these.
//!
//! Both are computed from the number of instances alone, so that only the selected ones have to be made. A limit spreads
//! evenly over all; shards deal the selected ones out in turn, so that each has instances of all categories. Every
//! instance keeps its number in the whole, by which merged shards get the order of a campaign without shards.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The selection of instances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The maximum number, evenly spread.
    pub limit: Option<u64>,
    /// One part of those.
    pub shard: Option<Shard>,
}

/// Part `index` of `count`, counted from 1: `2/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    index: u32,
    count: u32,
}

/// A selected instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selected {
    /// Its place in the source, from 0.
    pub place: u64,
    /// Its key in the store: its number among the selected instances of all shards, from 1.
    pub key: i64,
}

impl Selection {
    /// Nothing is left out.
    pub fn is_all(&self) -> bool {
        self.limit.is_none() && self.shard.is_none()
    }

    /// The selected ones of `total` instances.
    pub fn of(&self, total: u64) -> Vec<Selected> {
        let wanted = self.limit.map_or(total, |n| n.min(total));
        let (first, step) = self.shard.map_or((0, 1), |s| (u64::from(s.index - 1), s.count as usize));
        let place = |k: u64| (u128::from(k) * u128::from(total) / u128::from(wanted)) as u64;
        (first..wanted).step_by(step).map(|k| Selected { place: place(k), key: k as i64 + 1 }).collect()
    }
}

impl Shard {
    /// All shards of a campaign in `count` parts.
    pub fn all(count: u32) -> impl Iterator<Item = Shard> {
        (1..=count).map(move |index| Shard { index, count })
    }

    /// Its index, from 1.
    pub fn index(self) -> u32 {
        self.index
    }

    /// The number of shards.
    pub fn count(self) -> u32 {
        self.count
    }
}

/// `shard 3/3 is missing`
pub fn missing_text(missing: &[Shard]) -> String {
    let all: Vec<String> = missing.iter().map(Shard::to_string).collect();
    match all.len() {
        1 => format!("shard {} is missing", all[0]),
        _ => format!("shards {} are missing", all.join(", ")),
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Shard, String> {
        text.parse()
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let form = || "expected I/N, as in 2/8: part 2 of 8".to_owned();
        let (index, count) = text.split_once('/').ok_or_else(form)?;
        let number = |part: &str| part.trim().parse::<u32>().map_err(|_| form());
        match (number(index)?, number(count)?) {
            (_, 0) => Err("there must be at least one shard".into()),
            (0, count) => Err(format!("shards are counted from 1: 1/{count} to {count}/{count}")),
            (index, count) if index > count => {
                Err(format!("there is no shard {index} of {count}: 1/{count} to {count}/{count}"))
            }
            (index, count) => Ok(Shard { index, count }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(limit: Option<u64>, shard: Option<&str>, total: u64) -> Vec<u64> {
        let shard = shard.map(|s| s.parse().expect("a shard"));
        Selection { limit, shard }.of(total).into_iter().map(|s| s.place).collect()
    }

    /// How instances were selected when all of them were made first.
    fn spread(total: u64, limit: u64) -> Vec<u64> {
        let wanted = u128::from(limit.min(total));
        let mut kept = Vec::new();
        for i in 0..total {
            if kept.len() as u128 * u128::from(total) / wanted.max(1) == u128::from(i) {
                kept.push(i);
            }
        }
        kept
    }

    #[test]
    fn limits_spread_evenly() {
        assert_eq!(places(None, None, 4), [0, 1, 2, 3]);
        assert_eq!(places(Some(3), None, 10), [0, 3, 6]);
        assert_eq!(places(Some(4), None, 10), [0, 2, 5, 7]);
        assert_eq!(places(Some(99), None, 3), [0, 1, 2]);
        assert!(places(Some(4), None, 0).is_empty());
        assert_eq!(places(Some(2), None, u64::MAX), [0, u64::MAX / 2]);
    }

    #[test]
    fn the_same_ones_as_a_walk_over_all() {
        for total in [1, 2, 7, 10, 99, 11_740] {
            for limit in [1, 2, 3, 10, 98, 300, 20_000] {
                assert_eq!(places(Some(limit), None, total), spread(total, limit), "{limit} of {total}");
            }
        }
    }

    #[test]
    fn shards_are_a_partition() {
        for (limit, total, n) in [(None, 10, 3), (Some(7), 100, 4), (Some(3), 10, 5)] {
            let whole = Selection { limit, shard: None }.of(total);
            let mut parts: Vec<Selected> = (1..=n)
                .flat_map(|i| Selection { limit, shard: Some(Shard { index: i, count: n }) }.of(total))
                .collect();
            parts.sort_by_key(|s| s.key);
            assert_eq!(parts, whole);
        }
        assert_eq!(places(None, Some("2/3"), 8), [1, 4, 7]);
    }

    #[test]
    fn shards_as_text() {
        assert_eq!("2/8".parse::<Shard>().map(|s| s.to_string()), Ok("2/8".into()));
        let wrong = |text: &str| text.parse::<Shard>().expect_err("refused");
        assert_eq!(wrong("0/4"), "shards are counted from 1: 1/4 to 4/4");
        assert_eq!(wrong("5/4"), "there is no shard 5 of 4: 1/4 to 4/4");
        assert_eq!(wrong("1/0"), "there must be at least one shard");
        for text in ["", "3", "a/b", "1/2/3", "-1/2"] {
            assert!(wrong(text).starts_with("expected I/N"), "{text}");
        }
    }
}
