//! Fake solvers: small scripts in a temporary folder, and the files they leave behind.

#![allow(dead_code, reason = "not every test file uses all of it")]

pub(crate) mod campaign_of;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use stringent_campaign::process::Limits;
use stringent_campaign::profile::MemoryLimit;

/// A folder of fake solvers. A script finds its name as `$PIDS`, a file to note the processes it starts in.
pub(crate) struct Fakes {
    dir: tempfile::TempDir,
}

impl Fakes {
    pub(crate) fn new() -> Fakes {
        Fakes { dir: tempfile::tempdir().expect("a temporary folder") }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// A shell script. `$PIDS` is replaced by the file for process numbers, `$DIR` by the folder.
    pub(crate) fn sh(&self, name: &str, text: &str) -> PathBuf {
        self.write(name, &format!("#!/bin/sh\n{text}\n"))
    }

    /// A python script, likewise; `os`, `sys`, `time`, `signal` are imported and `note()` notes a process.
    pub(crate) fn python(&self, name: &str, text: &str) -> PathBuf {
        let head = "#!/usr/bin/env -S python3 -S\nimport os, sys, time, signal\n\
            def note(): os.write(os.open('$PIDS', os.O_WRONLY | os.O_APPEND | os.O_CREAT), b'%d\\n' % os.getpid())\n";
        self.write(name, &format!("{head}{text}\n"))
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        let dir = self.dir.path().to_str().expect("a plain name");
        let text = text.replace("$PIDS", &format!("{dir}/pids")).replace("$DIR", dir);
        fs::write(&path, text).expect("a script");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("made executable");
        path
    }

    /// The processes that were noted.
    pub(crate) fn pids(&self) -> Vec<i32> {
        let text = fs::read_to_string(self.path("pids")).unwrap_or_default();
        text.lines().map(|l| l.parse().expect("a number")).collect()
    }

    /// Waits until this number of processes is noted.
    pub(crate) fn await_pids(&self, count: usize) -> Vec<i32> {
        let end = Instant::now() + Duration::from_secs(60);
        while self.pids().len() < count {
            assert!(Instant::now() < end, "only {:?} of {count} processes came up", self.pids());
            std::thread::sleep(Duration::from_millis(5));
        }
        self.pids()
    }

    /// Asserts that `count` processes were noted and none is left, not even as a zombie.
    pub(crate) fn assert_ended(&self, count: usize) {
        let pids = self.pids();
        assert_eq!(pids.len(), count, "{pids:?}");
        let left: Vec<_> = pids.into_iter().filter(|&p| exists(p)).collect();
        assert!(left.is_empty(), "left behind: {left:?}");
    }
}

pub(crate) fn exists(pid: i32) -> bool {
    Path::new(&format!("/proc/{pid}")).exists()
}

/// Waits until a process has ended.
pub(crate) fn await_end(pid: i32) {
    let end = Instant::now() + Duration::from_secs(60);
    // Whoever adopted it may take its time to reap it: a zombie is dead.
    while exists(pid) && !is_zombie(pid) {
        assert!(Instant::now() < end, "{pid} lives on");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn is_zombie(pid: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('Z'))
}

/// Limits that nothing well-behaved meets.
pub(crate) fn roomy() -> Limits {
    Limits {
        wall: Duration::from_secs(60),
        cpu: None,
        idle: None,
        memory: None,
        memory_how: MemoryLimit::AddressSpace,
        output: 1 << 20,
    }
}

/// Limits for one that hangs.
pub(crate) fn short() -> Limits {
    Limits { wall: Duration::from_secs(2), ..roomy() }
}
