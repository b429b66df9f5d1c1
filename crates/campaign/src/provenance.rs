//! Where results come from: the time, the command, the machine, the version.

use crate::clean::shell;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// The version of stringent.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

static BUILD: OnceLock<&'static str> = OnceLock::new();

/// Sets what [`build`] returns; the first one counts.
pub fn set_build(text: &'static str) {
    let _ = BUILD.set(text);
}

/// The version of stringent with its commit, if that is known: machines of a cluster must have the same one.
pub fn build() -> &'static str {
    BUILD.get().copied().unwrap_or(VERSION)
}

/// The current time, as RFC 3339 in UTC.
pub fn now() -> String {
    timestamp(seconds())
}

/// The current time, in seconds since 1970.
pub fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs())
}

/// Seconds since 1970 as RFC 3339. Days to dates as in Hinnant's `civil_from_days`: years start in March, so that the
/// leap day is the last day of a year.
pub fn timestamp(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{date:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

/// The command line of this process, quoted for a shell.
pub fn command_line() -> String {
    let words: Vec<String> = std::env::args_os().skip(1).map(|w| shell(&w.to_string_lossy())).collect();
    format!("stringent {}", words.join(" "))
}

/// The number of cores.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The machine: operating system, architecture, CPU, cores.
pub fn host() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        info.lines().find_map(|l| l.strip_prefix("model name")?.split_once(':').map(|(_, m)| m.trim()));
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    format!("{os} {arch}, {}, {} cores", model.unwrap_or("unknown CPU"), cores())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00Z");
        assert_eq!(timestamp(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(timestamp(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(timestamp(951_868_800), "2000-03-01T00:00:00Z");
        assert_eq!(timestamp(1_794_754_068), "2026-11-15T14:47:48Z");
    }
}
