//! What the cells of a sequence of versions show, as data and in words. Nothing is claimed of versions that were not run, except that a stretch
//! of failures has no gap where none was found.

use super::search::Class;
use campaign::finding::{Cell, Tried, Versions};

/// The conclusion from versions, oldest first; those that were not run are none.
pub fn conclude(cells: &[Option<Tried>]) -> Versions {
    let class = |i: usize| cells[i].as_ref().map(|t| Class::of(t.cell));
    let name = |i: usize| cells[i].as_ref().map(|t| t.version.clone());
    let run = |i: &usize| matches!(class(*i), Some(Some(_)));
    let newest = (0..cells.len()).rev().find(run);
    let mut versions = Versions {
        tried: cells.iter().flatten().cloned().collect(),
        available: cells.len(),
        newest: newest.and_then(name),
        newest_fails: newest.is_some_and(|i| class(i) == Some(Some(Class::Bad))),
        ..Versions::default()
    };
    let Some(last_bad) = (0..cells.len()).rev().find(|&i| class(i) == Some(Some(Class::Bad))) else {
        return versions;
    };
    let below_good = |i: &usize| class(*i) != Some(Some(Class::Good));
    let stretch = (0..=last_bad).rev().take_while(below_good);
    let first_bad = stretch.filter(|&i| class(i) == Some(Some(Class::Bad))).last().unwrap_or(last_bad);
    versions.first_bad = name(first_bad);
    versions.last_good = first_good(cells, first_bad, (0..first_bad).rev());
    versions.fixed_in = first_good(cells, last_bad, last_bad + 1..cells.len());
    versions
}

/// The first of these that is good, if every change on the way is between neighbours. `from` is the bad version before them.
fn first_good(cells: &[Option<Tried>], from: usize, places: impl Iterator<Item = usize>) -> Option<String> {
    let (mut last, mut skipped) = (cells[from].as_ref()?.cell, false);
    for i in places {
        let Some(tried) = &cells[i] else {
            skipped = true;
            continue;
        };
        match tried.cell {
            Cell::Missing => {}
            cell if cell != last && skipped => return None,
            Cell::Right => return Some(tried.version.clone()),
            cell => (last, skipped) = (cell, false),
        }
    }
    None
}

/// The conclusion in one line: `first bad 4.8.11, last good 4.8.10, fixed in 4.12.2; newest 5.4.0 is right (17 of 51 versions run)`.
pub fn verdict(versions: &Versions) -> String {
    let run = versions.tried.iter().filter(|t| t.cell != Cell::Missing).count();
    let missing = versions.tried.len() - run;
    let missing = if missing == 0 { String::new() } else { format!(", {missing} cannot be run here") };
    let counts = format!("({run} of {} versions run{missing})", versions.available);
    let Some(newest) = &versions.newest else { return format!("no version can be run {counts}") };
    let state = |version: &String| versions.tried.iter().find(|t| t.version == *version);
    let newest = format!("newest {newest} {}", state(newest).map_or("", |t| is(t.cell)));
    match &versions.first_bad {
        None => format!("no version that was run fails; {newest} {counts}"),
        Some(first) => format!("first bad {first}, {}; {newest} {counts}", around(versions, first)),
    }
}

/// The versions before and after the stretch of failures.
fn around(versions: &Versions, first: &str) -> String {
    let place = |v: &str| versions.tried.iter().position(|t| t.version == v);
    let at = place(first).unwrap_or(0);
    let good = versions.last_good.as_deref().and_then(place);
    let older = open_in(&versions.tried[good.map_or(0, |g| g + 1)..at]);
    let before = match (&versions.last_good, older.as_str()) {
        (Some(good), "") => format!("last good {good}"),
        (Some(good), between) => format!("last good {good} ({between} between)"),
        (None, "") if versions.tried[..at].iter().all(|t| t.cell == Cell::Missing) => {
            "the oldest that was run".into()
        }
        (None, "") => "last good not determined".into(),
        (None, older) => format!("no older version known to be right ({older})"),
    };
    let last = versions.tried.iter().rposition(|t| t.cell == Cell::Fails).unwrap_or(at);
    let newer = open_in(&versions.tried[last + 1..]);
    match &versions.fixed_in {
        Some(fixed) => {
            let fixed_at = place(fixed).unwrap_or(last + 1);
            let between = open_in(&versions.tried[last + 1..fixed_at]);
            let between = if between.is_empty() { between } else { format!(" ({between} between)") };
            format!("{before}, fixed in {fixed}{between}")
        }
        None if newer.is_empty() => before,
        None => format!("{before}, last bad {}, none later known to be right", versions.tried[last].version),
    }
}

/// The versions that are neither right nor bad: `4.8.7 slow, 4.8.8–4.8.10 cannot read it`.
fn open_in(tried: &[Tried]) -> String {
    let mut parts: Vec<(Cell, &str, &str)> = Vec::new();
    for t in tried.iter().filter(|t| Class::of(t.cell) == Some(Class::Open)) {
        match parts.last_mut() {
            Some((cell, _, last)) if *cell == t.cell => *last = &t.version,
            _ => parts.push((t.cell, &t.version, &t.version)),
        }
    }
    let text = |(cell, first, last): &(Cell, &str, &str)| format!("{} {}", range(first, last), does(*cell));
    parts.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// `4.8.0–4.8.6`, or one version.
pub(crate) fn range(first: &str, last: &str) -> String {
    if first == last { first.into() } else { format!("{first}–{last}") }
}

fn is(cell: Cell) -> &'static str {
    match cell {
        Cell::Fails => "fails",
        Cell::Right => "is right",
        Cell::Other => "fails in another way",
        Cell::Slow => "is slow",
        Cell::Unknown => "answers unknown",
        Cell::CannotRead => "cannot read it",
        Cell::Missing => "cannot be run",
    }
}

fn does(cell: Cell) -> &'static str {
    match cell {
        Cell::Fails => "fails",
        Cell::Right => "right",
        Cell::Other => "other failure",
        Cell::Slow => "slow",
        Cell::Unknown => "unknown",
        Cell::CannotRead => "cannot read it",
        Cell::Missing => "cannot be run",
    }
}
