//! The search over a sequence of versions.
//!
//! A version is bad (it has the failure), good (it is right), or open (slow, unknown, another failure, cannot read the script); versions
//! that cannot be run are left out. The newest, the given and the oldest version are run first. Then, for two neighbours among those that
//! were run, of which one is bad and the other is not, the versions in between are bisected, until they are neighbours in the whole
//! sequence: a boundary. Open versions beside a failure are bisected against good ones and against those that are open for another reason, so
//! that the last good version is found beyond them.
//!
//! Bisection assumes that nothing changes back. So the next version on both sides of each boundary is run. If it contradicts (good, bad,
//! *good* where bad was expected), all versions from there to the next one that is known are run, and the search goes on with the new
//! boundaries.
//!
//! Example: `g g g g B g B B B g g`, given the third `B`: the ends are good; bisection finds `g B` on the left of the second `B`; its left
//! neighbour is the first `B`, where good was expected; the versions left of that are run; there are two stretches.

use campaign::finding::Cell;

/// Runs versions, by their places in the sequence.
pub(crate) type Run<'a> = dyn FnMut(&[usize]) -> anyhow::Result<Vec<Cell>> + 'a;

/// Open versions in a row after which the next neighbour is not looked for.
const MAX_OPEN: usize = 3;

/// What a cell says about the failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Bad,
    Good,
    Open,
}

impl Class {
    /// None if the version cannot be run.
    pub(crate) fn of(cell: Cell) -> Option<Class> {
        match cell {
            Cell::Fails => Some(Class::Bad),
            Cell::Right => Some(Class::Good),
            Cell::Other | Cell::Slow | Cell::Unknown | Cell::CannotRead => Some(Class::Open),
            Cell::Missing => None,
        }
    }
}

/// Searches a sequence of `count` versions, oldest first; `given` is the place of one that should fail. Without it, a failing version is
/// looked for everywhere. Returns the cells that were run.
pub(crate) fn search(
    count: usize,
    given: Option<usize>,
    run: &mut Run<'_>,
) -> anyhow::Result<Vec<Option<Cell>>> {
    let mut search = Search { cells: vec![None; count], run };
    search.ends(given)?;
    if given.is_none() {
        search.find_bad()?;
    }
    search.refine()?;
    while search.check_neighbours()? {
        search.refine()?;
    }
    Ok(search.cells)
}

/// Runs all versions.
pub(crate) fn everything(count: usize, run: &mut Run<'_>) -> anyhow::Result<Vec<Option<Cell>>> {
    let mut search = Search { cells: vec![None; count], run };
    search.ask(&(0..count).collect::<Vec<_>>())?;
    Ok(search.cells)
}

struct Search<'a, 'r> {
    cells: Vec<Option<Cell>>,
    run: &'a mut Run<'r>,
}

impl Search<'_, '_> {
    /// Runs those that are not known.
    fn ask(&mut self, places: &[usize]) -> anyhow::Result<()> {
        let new: Vec<usize> = places.iter().copied().filter(|&i| self.cells[i].is_none()).collect();
        if new.is_empty() {
            return Ok(());
        }
        for (i, cell) in new.iter().zip((self.run)(&new)?) {
            self.cells[*i] = Some(cell);
        }
        Ok(())
    }

    /// The class of a version, which is run if it is not known.
    fn class(&mut self, i: usize) -> anyhow::Result<Option<Class>> {
        self.ask(&[i])?;
        Ok(self.cells[i].and_then(Class::of))
    }

    /// Those that were run, with their classes.
    fn known(&self) -> Vec<(usize, Class)> {
        let of = |(i, cell): (usize, &Option<Cell>)| Some((i, Class::of((*cell)?)?));
        self.cells.iter().enumerate().filter_map(of).collect()
    }

    /// Runs the newest, the given and the oldest version that can be run.
    fn ends(&mut self, given: Option<usize>) -> anyhow::Result<()> {
        let count = self.cells.len();
        for i in (0..count).rev() {
            if self.class(i)?.is_some() {
                break;
            }
        }
        self.ask(given.as_slice())?;
        for i in 0..count {
            if self.class(i)?.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Runs versions, always in the middle of the largest gap, until one is bad.
    fn find_bad(&mut self) -> anyhow::Result<()> {
        while self.known().iter().all(|&(_, class)| class != Class::Bad) {
            let Some(middle) = self.largest_gap() else { break };
            self.ask(&[middle])?;
        }
        Ok(())
    }

    /// The middle of the longest row of versions that were not run.
    fn largest_gap(&self) -> Option<usize> {
        let (mut best, mut from) = (0..0, 0);
        for i in 0..=self.cells.len() {
            if i == self.cells.len() || self.cells[i].is_some() {
                best = if i - from > best.len() { from..i } else { best };
                from = i + 1;
            }
        }
        (!best.is_empty()).then(|| best.start + best.len() / 2)
    }

    /// Bisects until every change that matters is between neighbours.
    fn refine(&mut self) -> anyhow::Result<()> {
        while let Some(place) = self.next_to_refine() {
            self.ask(&[place])?;
        }
        Ok(())
    }

    /// The middle of the versions between two that differ.
    fn next_to_refine(&self) -> Option<usize> {
        let known = self.known();
        (1..known.len()).find_map(|at| {
            let (low, high) = (known[at - 1], known[at]);
            let below = || beside_bad(known[..at].iter().rev());
            let above = || beside_bad(known[at..].iter());
            let matters = match (low.1, high.1) {
                // Slow versions and versions that cannot read the script may have good ones in between.
                (Class::Open, Class::Open) => self.cells[low.0] != self.cells[high.0] && (below() || above()),
                (a, b) if a == b => false,
                (Class::Bad, _) | (_, Class::Bad) => true,
                (Class::Open, _) => below(),
                (Class::Good, _) => above(),
            };
            if matters { self.middle(low.0, high.0) } else { None }
        })
    }

    /// The version that was not run closest to the middle between two places.
    fn middle(&self, low: usize, high: usize) -> Option<usize> {
        let middle = low + (high - low) / 2;
        (low + 1..high).filter(|&i| self.cells[i].is_none()).min_by_key(|&i| i.abs_diff(middle))
    }

    /// Runs the neighbours of all boundaries; true if one was not known.
    fn check_neighbours(&mut self) -> anyhow::Result<bool> {
        let before = self.count();
        let known = self.known();
        for pair in known.windows(2) {
            let ((low, a), (high, b)) = (pair[0], pair[1]);
            if (a == Class::Bad) != (b == Class::Bad) {
                self.walk((0..low).rev(), a)?;
                self.walk(high + 1..self.cells.len(), b)?;
            }
        }
        Ok(self.count() > before)
    }

    fn count(&self) -> usize {
        self.cells.iter().flatten().count()
    }

    /// Looks at versions in order, away from a boundary whose side is of class `side`, up to the first that is bad or good. If that
    /// contradicts the side, those after it are run, up to the next one that is known.
    fn walk(&mut self, places: impl Iterator<Item = usize> + Clone, side: Class) -> anyhow::Result<()> {
        let (mut open, mut rest) = (0, places);
        while let Some(i) = rest.next() {
            let was_known = self.cells[i].is_some();
            match self.class(i)? {
                None => {}
                Some(Class::Open) => open += 1,
                Some(class) => {
                    let contradicts = side != Class::Open && class != side;
                    if contradicts && !was_known {
                        let cells = &self.cells;
                        let stretch: Vec<usize> = rest.take_while(|&j| cells[j].is_none()).collect();
                        self.ask(&stretch)?;
                    }
                    return Ok(());
                }
            }
            if open == MAX_OPEN {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// The first of these that is not open is bad.
fn beside_bad<'k>(mut classes: impl Iterator<Item = &'k (usize, Class)>) -> bool {
    classes.find(|(_, class)| *class != Class::Open).is_some_and(|(_, class)| *class == Class::Bad)
}
