//! Runs that fit a description, a page at a time, within a time: what is not found by then is left to the next page.
//!
//! The ranges of a snapshot tell which solvers and verdicts occur where, so that ranges without any are not read. Texts are compressed in
//! stores; runs whose texts are searched are read one by one.

use campaign::outcome::Kind;
use campaign::report::live::Range;
use campaign::store::{Hit, RunKey, Store, StoreError, Wanted};
use std::time::{Duration, Instant};

/// The time for a page.
const BUDGET: Duration = Duration::from_millis(1500);
/// Runs that are read together when their texts are searched.
const TEXTS: usize = 100;
/// Instances that are looked at together if nothing is known about them.
const STEP: i64 = 500;

/// What to look for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    /// The runs.
    pub(crate) wanted: Wanted,
    /// A text that is in the name, the formula, the output or the evidence.
    pub(crate) text: Option<String>,
    /// After this run.
    pub(crate) after: Option<RunKey>,
    /// Runs of a page.
    pub(crate) limit: usize,
}

/// A page of runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(crate) hits: Vec<Hit>,
    /// Where the next page begins; none if there is none.
    pub(crate) next: Option<RunKey>,
    /// The time was over before the page was full.
    pub(crate) is_cut: bool,
}

impl Search {
    /// Finds a page of runs. `ranges` are those of a snapshot; none if they are not known.
    pub(crate) fn page(&self, store: &Store, ranges: &[Range]) -> Result<Found, StoreError> {
        let end = Instant::now() + BUDGET;
        let extent = store.extent()?;
        let unknown: Vec<Range>;
        let ranges = if ranges.is_empty() {
            let range = |first| Range { first, last: (first + STEP - 1).min(extent.last), found: Vec::new() };
            unknown = (extent.first..=extent.last).step_by(STEP as usize).map(range).collect();
            &unknown
        } else {
            ranges
        };
        let mut found = Found::default();
        let open = ranges.iter().filter(|r| self.after.is_none_or(|(at, _, _)| r.last >= at));
        for range in open.filter(|r| self.is_possible(r)) {
            let mut after = self.after;
            loop {
                let (done, hits) = self.some(store, range, after)?;
                after = hits.last().map(|hit| hit.row.key()).or(after);
                for hit in hits {
                    let key = hit.row.key();
                    if self.fits(store, &hit)? {
                        if found.hits.len() == self.limit {
                            found.next = found.hits.last().map(|hit| hit.row.key());
                            return Ok(found);
                        }
                        found.hits.push(hit);
                    }
                    if self.text.is_some() && Instant::now() > end {
                        return Ok(Found { next: Some(key), is_cut: true, ..found });
                    }
                }
                if done {
                    break;
                }
            }
            if Instant::now() > end && range.last < extent.last {
                let next = Some((range.last, i64::MAX, i64::MAX.cast_unsigned()));
                return Ok(Found { next, is_cut: true, ..found });
            }
        }
        Ok(found)
    }

    /// Some runs of a range, and whether they are the last ones.
    fn some(
        &self,
        store: &Store,
        range: &Range,
        after: Option<RunKey>,
    ) -> Result<(bool, Vec<Hit>), StoreError> {
        let limit = if self.text.is_some() { TEXTS } else { self.limit + 1 };
        let hits = store.find_runs(&self.wanted, (range.first, range.last), after, limit)?;
        Ok((hits.len() < limit, hits))
    }

    fn is_possible(&self, range: &Range) -> bool {
        let solver = |id: i64| self.wanted.solver.is_none_or(|s| s == id);
        let kind = |kind: Kind| self.wanted.kinds.is_empty() || self.wanted.kinds.contains(&kind);
        range.found.is_empty() || range.found.iter().any(|(s, k)| solver(*s) && kind(*k))
    }

    /// Whether the text is in a run.
    fn fits(&self, store: &Store, hit: &Hit) -> Result<bool, StoreError> {
        let Some(text) = &self.text else { return Ok(true) };
        let has = |bytes: &[u8]| has(bytes, text.as_bytes());
        if has(hit.name.as_bytes()) {
            return Ok(true);
        }
        let (instance, solver, seed) = hit.row.key();
        let run = store.run(instance, solver, seed)?;
        if run.is_some_and(|run| has(&run.output) || has(run.evidence.as_bytes())) {
            return Ok(true);
        }
        Ok(store.instance(instance)?.is_some_and(|i| has(&i.source)))
    }
}

/// Whether a text has another one; upper and lower case of ASCII do not differ.
fn has(text: &[u8], part: &[u8]) -> bool {
    part.is_empty() || text.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(store: &Store, search: &Search, ranges: &[Range]) -> Vec<RunKey> {
        let (mut search, mut keys) = (search.clone(), Vec::new());
        loop {
            let found = search.page(store, ranges).expect("read");
            keys.extend(found.hits.iter().map(|hit| hit.row.key()));
            match found.next {
                Some(next) => search.after = Some(next),
                None => return keys,
            }
        }
    }

    #[test]
    fn every_run_is_found_once_with_and_without_ranges() {
        let dir = tempfile::tempdir().expect("a folder");
        let store = Store::sample(&dir.path().join("a.store"), 24_000, &mut |_| {}).expect("a store");
        let mut live = campaign::report::live::Live::open(store.path()).expect("open");
        while live.step().expect("read") == campaign::report::live::Step::More {}
        let ranges = live.ranges();
        assert!(ranges.len() > 1);
        let wanted =
            Wanted { solver: Some(2), kinds: vec![Kind::Crash, Kind::WrongUnsat], ..Wanted::default() };
        let search = Search { wanted, limit: 9, ..Search::default() };
        let expected: Vec<RunKey> = store
            .runs_of(2, &[Kind::Crash, Kind::WrongUnsat])
            .expect("read")
            .iter()
            .map(campaign::store::RunRow::key)
            .collect();
        assert!(expected.len() > 20);
        assert_eq!(all(&store, &search, &ranges), expected);
        assert_eq!(all(&store, &search, &[]), expected);
        let texts = Search { text: Some("STR.LEN (str.at".into()), ..search };
        let with_text = all(&store, &texts, &ranges);
        assert!(!with_text.is_empty() && with_text.len() < expected.len());
    }

    #[test]
    fn texts() {
        assert!(has(b"(Str.Len x)", b"str.len") && has(b"x", b"") && !has(b"", b"x") && !has(b"ab", b"abc"));
    }
}
