//! Progress of experiments on standard error: a bar on a terminal; elsewhere an occasional line, if the verb prints them.

use crate::render;
use crate::signals::stop_on_signals;
use anyhow::Context as _;
use campaign::process::Cancel;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lab::{Host, Progress};
use std::io::IsTerminal as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time between lines where there is no terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(5);
/// Time between changes on a terminal.
const REDRAW: Duration = Duration::from_millis(150);

/// A progress bar.
pub(crate) struct Bar {
    bar: ProgressBar,
    lines: bool,
    shown: Mutex<Instant>,
}

impl Bar {
    /// A bar for `total` units of work, in the template of `indicatif`.
    pub(crate) fn new(total: u64, template: &str) -> Bar {
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr()).with_style(style);
        Bar { bar, lines: false, shown: Mutex::new(Instant::now()) }
    }

    /// Also prints lines where there is no terminal; prints nothing if `quiet`.
    pub(crate) fn lines(mut self, quiet: bool) -> Bar {
        self.lines = !quiet && !std::io::stderr().is_terminal();
        if quiet {
            self.bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        self
    }

    fn show(&self, done: u64, state: &dyn Fn() -> String) {
        if self.lines {
            return render::notice(&state());
        }
        self.bar.set_position(done);
        self.bar.set_message(state());
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar {
    fn update(&self, done: u64, state: &dyn Fn() -> String) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let every = if self.lines { BETWEEN_LINES } else { REDRAW };
        if shown.elapsed() < every || (self.bar.is_hidden() && !self.lines) {
            return;
        }
        *shown = Instant::now();
        self.show(done, state);
    }

    fn stage(&self, done: u64, state: &dyn Fn() -> String) {
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        if self.lines || !self.bar.is_hidden() {
            self.show(done, state);
        }
    }

    fn notice(&self, text: &str) {
        self.bar.suspend(|| render::notice(text));
    }
}

/// Runs an experiment that signals can stop, and removes the bar afterwards.
pub(crate) fn with_host<T>(
    bar: &Bar,
    experiment: impl FnOnce(&Host<'_>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let cancel = Cancel::new().context("cannot start")?;
    stop_on_signals(&cancel)?;
    let result = experiment(&Host { progress: bar, cancel: &cancel });
    bar.finish();
    result
}
