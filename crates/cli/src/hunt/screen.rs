//! The screen of a hunt: rates, findings, coverage and the present work, in place on a terminal; a line now and then elsewhere.

use crate::render;
use campaign::clean::{count, shorten};
use campaign::outcome::Verdict;
use hunt::{Observer, Status};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Findings on the screen.
const MAX_FINDINGS: usize = 8;
/// Solvers on the screen.
const MAX_SOLVERS: usize = 8;
/// Lines of the screen.
const LINES: usize = 4 + MAX_FINDINGS + MAX_SOLVERS;
/// The time between lines without a terminal.
const EVERY: Duration = Duration::from_secs(10);
/// The time between updates on a terminal.
const REDRAW: Duration = Duration::from_millis(200);

/// Shows a hunt.
pub(crate) struct Screen {
    all: MultiProgress,
    lines: Vec<ProgressBar>,
    look: Look,
    shown: Mutex<Option<Instant>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Quiet,
    Lines,
    Screen,
}

impl Screen {
    pub(crate) fn new(quiet: bool) -> Screen {
        let look = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Look::Quiet,
            (false, false) => Look::Lines,
            (false, true) => Look::Screen,
        };
        let target =
            if look == Look::Screen { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let all = MultiProgress::with_draw_target(target);
        let style =
            ProgressStyle::with_template("{wide_msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
        let lines = (0..if look == Look::Screen { LINES } else { 0 })
            .map(|_| all.add(ProgressBar::new(0)).with_style(style.clone()))
            .collect();
        Screen { all, lines, look, shown: Mutex::new(None) }
    }

    /// Removes it.
    pub(crate) fn finish(&self) {
        self.lines.iter().for_each(ProgressBar::finish_and_clear);
    }
}

impl Observer for Screen {
    fn show(&self, status: &Status<'_>) {
        let every = if self.look == Look::Lines { EVERY } else { REDRAW };
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if self.look == Look::Quiet || shown.is_some_and(|at| at.elapsed() < every) {
            return;
        }
        *shown = Some(Instant::now());
        if self.look == Look::Lines {
            return render::notice(&line(status));
        }
        let mut texts = lines(status);
        texts.resize(LINES, String::new());
        self.lines.iter().zip(texts).for_each(|(line, text)| line.set_message(text));
    }

    fn notice(&self, text: &str) {
        if self.look != Look::Quiet {
            self.all.suspend(|| render::notice(text));
        }
    }
}

fn elapsed(d: Duration) -> String {
    let s = d.as_secs();
    format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}

/// One line, for output without a terminal.
fn line(status: &Status<'_>) -> String {
    let (seen, all) = status.pairs;
    format!(
        "{}  {} instances, {:.0}/s, {} findings, {} failures, {seen} of {all} operator pairs; {}",
        elapsed(status.elapsed),
        count(status.state.instances()),
        status.rate,
        status.findings.len(),
        count(failures(status)),
        status.doing
    )
}

fn failures(status: &Status<'_>) -> u64 {
    status.state.arms.list.iter().map(|a| a.failures).sum()
}

fn lines(status: &Status<'_>) -> Vec<String> {
    let used =
        status.used.map_or_else(String::new, |u| format!(", {:.0} % of the budget", 100.0 * u.min(1.0)));
    let (seen, all) = status.pairs;
    let share = 100.0 * seen as f64 / all.max(1) as f64;
    let mut out = vec![
        format!("hunt      {}{used}", elapsed(status.elapsed)),
        format!(
            "rate      {} instances, {:.0}/s, {} failures",
            count(status.state.instances()),
            status.rate,
            count(failures(status))
        ),
        format!("coverage  {seen} of {all} operator pairs, {share:.1} %; best source: {}", best(status)),
        format!("now       {}", shorten(status.doing, 100)),
    ];
    for (title, n) in status.findings.iter().take(MAX_FINDINGS) {
        out.push(format!("  bug     {title}, {} failures", count(*n)));
    }
    if status.findings.len() > MAX_FINDINGS {
        let last = out.len() - 1;
        out[last] = format!("  bug     … and {} more", status.findings.len() + 1 - MAX_FINDINGS);
    }
    for (solver, kinds) in status.state.kinds.iter().take(MAX_SOLVERS) {
        let mut tally: BTreeMap<Verdict, u64> = BTreeMap::new();
        kinds.iter().for_each(|(kind, n)| *tally.entry(kind.verdict()).or_default() += n);
        let tally: Vec<String> = tally.iter().map(|(v, n)| format!("{v} {}", count(*n))).collect();
        out.push(format!("  {solver}  {}", tally.join("  ")));
    }
    out
}

/// The source with the most findings, then failures.
fn best(status: &Status<'_>) -> String {
    let mut by_source: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for arm in &status.state.arms.list {
        let sums = by_source.entry(&arm.source).or_default();
        sums.0 += arm.findings;
        sums.1 += arm.failures;
    }
    match by_source.into_iter().max_by_key(|(_, sums)| *sums) {
        Some((source, sums)) if sums.1 > 0 => source.to_owned(),
        _ => "none yet".into(),
    }
}
