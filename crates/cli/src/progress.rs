//! Progress on standard error: a bar with rates and tallies on a terminal, a line every few seconds elsewhere.

use crate::render;
use campaign::drive::Observer;
use campaign::outcome::Verdict;
use campaign::store::RunRow;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

/// Maximum number of solvers with their own line below the bar.
const MAX_LINES: usize = 12;
/// The time between lines without a terminal.
const EVERY: Duration = Duration::from_secs(5);
/// The time between updates on a terminal.
const REDRAW: Duration = Duration::from_millis(150);

/// Shows the progress of a campaign.
pub(crate) struct Progress {
    solvers: Vec<(i64, String)>,
    tallies: BTreeMap<(i64, Verdict), u64>,
    look: Look,
    total: u64,
    recorded: u64,
    done: u64,
    started: Instant,
    shown: Instant,
}

enum Look {
    Quiet,
    Lines,
    Bar { bar: ProgressBar, lines: Vec<ProgressBar> },
}

impl Progress {
    /// For solvers by key and name.
    pub(crate) fn new(solvers: Vec<(i64, String)>, quiet: bool) -> Progress {
        let look = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Look::Quiet,
            (false, false) => Look::Lines,
            (false, true) => bar(solvers.len()),
        };
        let now = Instant::now();
        let tallies = BTreeMap::new();
        Progress { solvers, tallies, look, total: 0, recorded: 0, done: 0, started: now, shown: now }
    }

    /// Removes it from the screen.
    pub(crate) fn finish(&self) {
        if let Look::Bar { bar, lines } = &self.look {
            lines.iter().for_each(ProgressBar::finish_and_clear);
            bar.finish_and_clear();
        }
    }

    /// `ok 120  K 3  U 1`
    fn tally(&self, solver: i64) -> String {
        let parts: Vec<String> = Verdict::ALL
            .iter()
            .filter_map(|&v| Some(format!("{v} {}", self.tallies.get(&(solver, v))?)))
            .collect();
        parts.join("  ")
    }

    fn redraw(&mut self) {
        let every = if matches!(self.look, Look::Lines) { EVERY } else { REDRAW };
        if self.shown.elapsed() < every {
            return;
        }
        self.shown = Instant::now();
        match &self.look {
            Look::Quiet => {}
            Look::Lines => render::notice(&self.line()),
            Look::Bar { bar, lines } => {
                bar.set_position(self.recorded + self.done);
                let wide = self.solvers.iter().map(|(_, name)| name.len()).max().unwrap_or(0);
                for (line, (id, name)) in lines.iter().zip(&self.solvers) {
                    line.set_message(format!("{name:<wide$}  {}", self.tally(*id)));
                }
            }
        }
    }

    /// One line, for output without a terminal.
    fn line(&self) -> String {
        let spent = self.started.elapsed().as_secs_f64();
        let rate = self.done as f64 / spent.max(1e-3);
        let at = self.recorded + self.done;
        let left = (self.total - at.min(self.total)) as f64 / rate.max(1e-6);
        let left = if self.done == 0 { String::new() } else { format!(", {} left", short(left)) };
        let tallies: Vec<String> =
            self.solvers.iter().map(|(id, name)| format!("{name}: {}", self.tally(*id))).collect();
        format!("{at} of {} runs, {rate:.0}/s{left}; {}", self.total, tallies.join("; "))
    }
}

/// `75 s`, `12 min`, `3.4 h`
fn short(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

fn bar(solvers: usize) -> Look {
    let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
    let bar = all.add(ProgressBar::new(0));
    let style = "{bar:30} {pos}/{len} runs  {per_sec}  {elapsed} so far, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    let lines: Vec<ProgressBar> = (0..solvers.min(MAX_LINES)).map(|_| all.add(ProgressBar::new(0))).collect();
    for line in &lines {
        if let Ok(style) = ProgressStyle::with_template("  {wide_msg}") {
            line.set_style(style);
        }
    }
    Look::Bar { bar, lines }
}

impl Observer for Progress {
    fn planned(&mut self, total: u64, recorded: u64) {
        (self.total, self.recorded, self.started) = (total, recorded, Instant::now());
        if let Look::Bar { bar, .. } = &self.look {
            bar.set_length(total);
            bar.set_position(recorded);
            bar.reset_eta();
        }
    }

    fn finished(&mut self, run: &RunRow) {
        self.done += 1;
        *self.tallies.entry((run.solver, run.verdict())).or_default() += 1;
        self.redraw();
    }

    fn tick(&mut self) {
        self.redraw();
    }
}
