//! Times of runs, in order: each time with the number of runs that took at most as long.

use std::time::Duration;

/// The times of the runs that a solver solved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Microseconds and runs that took at most as long, both rising.
    points: Vec<(u64, u64)>,
}

impl Times {
    /// From times in microseconds, each with a number of runs, in any order.
    pub fn of(mut points: Vec<(u64, u64)>) -> Times {
        merge(&mut points);
        let mut sum = 0;
        for point in &mut points {
            sum += point.1;
            point.1 = sum;
        }
        Times { points }
    }

    /// The number of runs.
    pub fn len(&self) -> u64 {
        self.points.last().map_or(0, |p| p.1)
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// The time of the `rank`th run, counted from 1; zero if there are no runs.
    pub fn at(&self, rank: u64) -> Duration {
        let place = self.points.partition_point(|p| p.1 < rank).min(self.points.len().saturating_sub(1));
        Duration::from_micros(self.points.get(place).map_or(0, |p| p.0))
    }

    /// The time within which this part of the runs is solved.
    pub fn quantile(&self, part: f64) -> Duration {
        self.at(((part * self.len() as f64).ceil() as u64).max(1))
    }

    /// The slowest run.
    pub fn last(&self) -> Option<Duration> {
        self.points.last().map(|p| Duration::from_micros(p.0))
    }

    /// The fastest run.
    pub fn first(&self) -> Option<Duration> {
        self.points.first().map(|p| Duration::from_micros(p.0))
    }

    /// At most `most` of the points: microseconds, and runs that took at most as long; always the last.
    pub fn points(&self, most: usize) -> Vec<(u64, u64)> {
        let n = self.points.len().min(most.max(1));
        (1..=n).map(|i| self.points[i * self.points.len() / n - 1]).collect()
    }
}

/// Sorts times and puts equal ones together.
pub(super) fn merge(points: &mut Vec<(u64, u64)>) {
    points.sort_unstable();
    points.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks() {
        let times = Times::of(vec![(30, 1), (10, 2), (20, 1), (10, 1)]);
        assert_eq!(times.len(), 5);
        let at = |n| times.at(n).as_micros();
        assert_eq!([at(1), at(3), at(4), at(5), at(9)], [10, 10, 20, 30, 30]);
        assert_eq!(times.quantile(0.5).as_micros(), 10);
        assert_eq!(times.quantile(1.0), times.last().expect("one"));
        assert_eq!(times.points(2), [(10, 3), (30, 5)]);
        assert_eq!(Times::default().at(1), Duration::ZERO);
        assert!(Times::default().points(3).is_empty());
    }
}
