//! Signals that stop long work.

use crate::render;
use anyhow::Context as _;
use campaign::process::Cancel;
use std::sync::atomic::{AtomicBool, Ordering};

/// The first signal ends the campaign cleanly, the second one immediately.
pub(crate) fn stop_on_signals(cancel: &Cancel) -> anyhow::Result<()> {
    static STOPPED: AtomicBool = AtomicBool::new(false);
    let cancel = cancel.clone();
    let handler = move || {
        if STOPPED.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
        cancel.cancel();
        render::notice("stopping; press Ctrl-C again to exit at once");
    };
    ctrlc::set_handler(handler).context("cannot handle Ctrl-C")
}
