//! Runs a program for its version or a few commands. Not for campaigns: only the time is limited.

use super::file::Probe;
use super::{Error, Version};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Maximum amount of output that is read.
const MAX_OUTPUT: u64 = 1 << 20;

/// The output and end of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// Its exit code; none if it was ended, by us or a signal.
    pub code: Option<i32>,
    /// It did not end in time.
    pub late: bool,
    /// The time it took.
    pub wall: Duration,
}

/// Runs a program with some input, and ends it if it takes too long.
pub fn run(program: &Path, args: &[String], input: &str, limit: Duration) -> std::io::Result<Printed> {
    let start = Instant::now();
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = patiently(|| command.spawn())?;
    let (stdout, stderr) = (gather(child.stdout.take()), gather(child.stderr.take()));
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_owned();
        // A program that does not read must not block us; one that ends early breaks the pipe.
        std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    }
    let mut printed = Printed::default();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break Some(status),
            None if start.elapsed() > limit => break None,
            None => std::thread::sleep(Duration::from_micros(500)),
        }
    };
    printed.wall = start.elapsed();
    match status {
        Some(status) => printed.code = status.code(),
        None => {
            child.kill()?;
            child.wait()?;
            printed.late = true;
        }
    }
    // A grandchild may keep the pipe open.
    let text = |from: Receiver<Vec<u8>>| from.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
    printed.stdout = String::from_utf8_lossy(&text(stdout)).into_owned();
    printed.stderr = String::from_utf8_lossy(&text(stderr)).into_owned();
    Ok(printed)
}

/// Retries for a moment while a program that was just written is still open in another thread's child.
pub(crate) fn patiently<T>(mut start: impl FnMut() -> std::io::Result<T>) -> std::io::Result<T> {
    let mut tries = 0;
    loop {
        match start() {
            Err(e) if e.kind() == std::io::ErrorKind::ExecutableFileBusy && tries < 100 => tries += 1,
            done => return done,
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn gather(pipe: Option<impl std::io::Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // The output up to an error counts.
        let _ = pipe.map(|pipe| pipe.take(MAX_OUTPUT).read_to_end(&mut bytes));
        let _ = send.send(bytes);
    });
    receive
}

/// The version of a program.
pub(crate) fn version(program: &Path, probe: &Probe) -> Result<Version, Error> {
    let bad = |why: String| Error::BadProgram { program: program.into(), why };
    let printed = run(program, &probe.args, "", Duration::from_secs(20))
        .map_err(|e| bad(format!("cannot be started: {e}")))?;
    let output = format!("{}\n{}", printed.stdout, printed.stderr);
    let wanted = Version::find(&output, &probe.after);
    wanted.ok_or_else(|| {
        let args = probe.args.join(" ");
        let first = output.lines().find(|l| !l.trim().is_empty()).unwrap_or("nothing");
        let first: String = first.chars().take(120).collect();
        let late = if printed.late { " within 20 s" } else { "" };
        bad(format!("reports no version: `{args}` printed{late}: {first}"))
    })
}
