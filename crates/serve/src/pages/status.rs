//! How far a campaign is: progress, rate, time left, and the conclusion.

use crate::watch::Snapshot;
use campaign::clean::{bytes, count};
use campaign::report::tally::{Column, Counts, Table};
use campaign::report::{Conclusion, Data, conclusion};
use maud::{Markup, html};

/// The state of a campaign in a word, and its class.
pub(super) fn state(snapshot: &Snapshot) -> (&'static str, &'static str) {
    let Some(data) = &snapshot.data else {
        return if snapshot.error.is_some() { ("unreadable", "s-error") } else { ("being read", "s-wait") };
    };
    match (&data.campaign.finished, snapshot.is_moving) {
        (Some(_), _) => ("finished", "s-done"),
        (None, Some(true)) => ("running", "s-run"),
        (None, Some(false)) => ("no new runs", "s-stop"),
        (None, None) => ("not finished", "s-wait"),
    }
}

/// Progress in words: `12,000 of 20,000 runs (60 %), 132 runs/s, about 4 min left`.
pub(super) fn progress(snapshot: &Snapshot, data: &Data) -> Markup {
    let (done, all) = (data.totals.runs, (data.expected() as u64).max(1));
    let (word, class) = state(snapshot);
    html! {
        div.progress {
            span class={"state " (class)} { (word) }
            @if data.campaign.finished.is_none() {
                progress max=(all) value=(done.min(all)) aria-label="Runs recorded" { (percent(done, all)) }
            }
            span.figures { (parts(snapshot, data).join(" · ")) }
        }
        @if snapshot.read < 1.0 { p.note { "The store is being read: " (format!("{:.0}", snapshot.read * 100.0)) " % so far." } }
        @if let Some(error) = &snapshot.error { p.bad role="alert" { (campaign::clean::one_line(error)) } }
    }
}

fn parts(snapshot: &Snapshot, data: &Data) -> Vec<String> {
    let (done, all) = (data.totals.runs, data.expected() as u64);
    let mut out = vec![match data.campaign.finished.is_some() && done >= all {
        true => format!("{} runs", count(done)),
        false => format!("{} of {} runs ({})", count(done), count(all), percent(done, all)),
    }];
    if let (Some(rate), None) = (snapshot.rate, &data.campaign.finished) {
        out.push(format!("{} runs/s", if rate < 10.0 { format!("{rate:.1}") } else { count(rate as u64) }));
        if rate > 0.0 && all > done {
            out.push(format!("about {} left", duration((all - done) as f64 / rate)));
        }
    }
    if snapshot.bytes > 0 {
        out.push(bytes(snapshot.bytes));
    }
    out
}

fn percent(done: u64, all: u64) -> String {
    let part = done as f64 * 100.0 / all.max(1) as f64;
    // Never 100 % before all are done.
    format!("{:.0} %", if done < all { part.floor().min(99.0) } else { part })
}

/// A time that is still to come: `40 s`, `4 min`, `3 h 20 min`, `2 d 4 h`.
fn duration(seconds: f64) -> String {
    let s = seconds.ceil() as u64;
    match s {
        0..=99 => format!("{s} s"),
        100..=5999 => format!("{} min", s.div_ceil(60)),
        6000..=172_799 => format!("{} h {} min", s / 3600, s % 3600 / 60),
        _ => format!("{} d {} h", s / 86_400, s % 86_400 / 3600),
    }
}

/// The conclusion of the report.
pub(super) fn line(data: &Data, table: &Table) -> Markup {
    let class = match data.conclusion() {
        Conclusion::Clean => "good",
        Conclusion::Wrong => "bad",
        Conclusion::Unreadable | Conclusion::Undetermined => "undetermined",
    };
    html! { @if data.totals.runs > 0 { p class={"conclusion " (class)} { (conclusion::line(data, table)) } } }
}

/// The verdicts as a bar of shares.
pub(super) fn bar(counts: &Counts) -> Markup {
    let all = counts.tests().max(1) as f64;
    let mut at = 0.0;
    let mut parts = Vec::new();
    for column in Column::ALL {
        let width = counts.get(column) as f64 * 100.0 / all;
        if width > 0.0 {
            parts.push((column, at, width));
        }
        at += width;
    }
    let words: Vec<String> =
        parts.iter().map(|(c, _, _)| format!("{} {}", count(counts.get(*c)), c.meaning())).collect();
    html! {
        svg.share role="img" viewBox="0 0 100 4" preserveAspectRatio="none" aria-label=(words.join(", ")) {
            @for (column, at, width) in &parts {
                rect class={"c-" (column.key())} x=(format!("{at:.3}")) y="0" width=(format!("{width:.3}")) height="4" {
                    title { (count(counts.get(*column))) " " (column.meaning()) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_shares() {
        let times = [0.2, 99.0, 100.0, 3599.0, 7300.0, 200_000.0].map(duration);
        assert_eq!(times, ["1 s", "99 s", "2 min", "60 min", "2 h 1 min", "2 d 7 h"]);
        assert_eq!(
            [percent(0, 0), percent(999, 1000), percent(1000, 1000), percent(1, 3)],
            ["0 %", "99 %", "100 %", "33 %"]
        );
    }
}
