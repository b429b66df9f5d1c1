//! Running a campaign from start to report: what `test` and `run` share.

use crate::Outcome;
use crate::campaign_args::{CampaignArgs, Fixed, add_solvers, stored_solvers};
use crate::progress::Progress;
use crate::render::{self, Format};
use anyhow::{Context as _, bail};
use campaign::process::Cancel;
use campaign::report::clean::shell;
use campaign::report::{Conclusion, Data, html, json, text};
use campaign::store::{Campaign, InstanceRow, Store};
use campaign::{closing, drive};
use semantics::Reading;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Where stores go if nothing else is said.
const FOLDER: &str = "stringent-results";

/// What is special about a verb.
pub(crate) struct Job<'a> {
    /// Its name.
    pub(crate) verb: &'a str,
    /// The seed that instances are made from.
    pub(crate) seed: u64,
    /// Which semantics to judge by.
    pub(crate) reading: Reading,
    /// Which semantics the known answers are of.
    pub(crate) made_for: Reading,
    /// One process for many instances, unless told otherwise.
    pub(crate) batch: bool,
    /// What the instances are.
    pub(crate) instances: String,
    /// Makes them.
    pub(crate) plan: &'a mut dyn FnMut(&Cancel) -> anyhow::Result<Vec<InstanceRow>>,
}

/// Runs a campaign, or goes on with one.
pub(crate) fn run(args: &CampaignArgs, job: &mut Job<'_>) -> anyhow::Result<Outcome> {
    run_and_tell(args, job, &|_| String::new())
}

/// The same; `more` comes after the report as text.
pub(crate) fn run_and_tell(
    args: &CampaignArgs,
    job: &mut Job<'_>,
    more: &dyn Fn(&Data) -> String,
) -> anyhow::Result<Outcome> {
    let cancel = Cancel::new().context("cannot start")?;
    stop_on_signals(&cancel)?;
    let done = execute(args, job, &cancel)?;
    if !done.planned {
        resume_notice(&done.store, job.verb);
        return Ok(Outcome::Open);
    }
    let conclusion = report(&done.store, args, more)?;
    if done.cancelled {
        resume_notice(&done.store, job.verb);
    }
    Ok(match conclusion {
        Conclusion::Clean => Outcome::Clean,
        Conclusion::Wrong => Outcome::Found,
        Conclusion::Untold => Outcome::Open,
    })
}

/// A campaign that was run, or stopped.
pub(crate) struct Done {
    pub(crate) store: Store,
    /// All its instances were made.
    pub(crate) planned: bool,
    /// It was stopped.
    pub(crate) cancelled: bool,
    _lock: std::fs::File,
}

/// Runs a campaign, or goes on with one, without a report.
pub(crate) fn execute(args: &CampaignArgs, job: &mut Job<'_>, cancel: &Cancel) -> anyhow::Result<Done> {
    let (mut store, fixed) = if args.resume { reopen(args)? } else { create(args, job)? };
    let _lock = lock(store.path())?;
    if !plan(&mut store, args, job, &fixed, cancel)? {
        return Ok(Done { store, planned: false, cancelled: true, _lock });
    }
    let solvers = stored_solvers(&store)?;
    let settings = args.settings(&fixed, job.batch, job.made_for)?;
    let names = solvers.iter().map(|(id, s)| (*id, s.name.clone())).collect();
    let mut progress = Progress::new(names, args.quiet);
    let driven = drive::drive(&mut store, &solvers, &settings, &mut progress, cancel);
    progress.finish();
    let summary = driven?;
    closing::close(&mut store)?;
    if !summary.cancelled {
        store.set_finished(&now())?;
    }
    Ok(Done { store, planned: true, cancelled: summary.cancelled, _lock })
}

/// The first signal ends the campaign cleanly, the second at once.
pub(crate) fn stop_on_signals(cancel: &Cancel) -> anyhow::Result<()> {
    static ASKED: AtomicBool = AtomicBool::new(false);
    let cancel = cancel.clone();
    let handler = move || {
        if ASKED.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
        cancel.cancel();
        render::notice("stopping; once more to end at once");
    };
    ctrlc::set_handler(handler).context("cannot listen to Ctrl-C")
}

fn create(args: &CampaignArgs, job: &Job<'_>) -> anyhow::Result<(Store, Fixed)> {
    let solvers = args.solvers()?;
    let fixed = args.fixed(job.reading, job.instances.clone());
    let path = match &args.store {
        Some(path) => path.clone(),
        None => new_path(job.verb)?,
    };
    let campaign = Campaign {
        created: now(),
        version: env!("CARGO_PKG_VERSION").into(),
        command: command_line(),
        host: host(),
        seed: job.seed,
        settings: serde_json::to_string(&fixed)?,
        finished: None,
    };
    let store = Store::create(&path, &campaign)?;
    add_solvers(&store, &solvers)?;
    Ok((store, fixed))
}

/// Opens the store of a campaign that was stopped; solvers that are named now join in.
fn reopen(args: &CampaignArgs) -> anyhow::Result<(Store, Fixed)> {
    let path = match &args.store {
        Some(path) => path.clone(),
        None => newest().context("there is no campaign in stringent-results/; name one with --store")?,
    };
    let store = Store::open(&path)?;
    let fixed: Fixed = serde_json::from_str(&store.campaign()?.settings)
        .with_context(|| format!("{}: its settings cannot be read", path.display()))?;
    args.check_resumed(&fixed)?;
    let known = stored_solvers(&store)?;
    for spec in &args.solver {
        let solver = campaign::profile::resolve(spec)?;
        match known.iter().find(|(_, s)| s.name == solver.name) {
            Some((_, s)) if *s != solver => {
                bail!("`{}` is another program or profile now than when the campaign was started", s.name);
            }
            Some(_) => {}
            None => add_solvers(&store, &[solver])?,
        }
    }
    Ok((store, fixed))
}

/// Keeps other campaigns off the store, until it is dropped or this process ends.
fn lock(path: &Path) -> anyhow::Result<std::fs::File> {
    let file = std::fs::File::open(path).with_context(|| path.display().to_string())?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => bail!("{}: another campaign is using it", path.display()),
        Err(std::fs::TryLockError::Error(e)) => Err(e).with_context(|| path.display().to_string()),
    }
}

/// Removes a store.
pub(crate) fn discard(path: &Path) {
    for suffix in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        let _ = std::fs::remove_file(name);
    }
}

/// Makes the instances, if they are not all there. False if it was stopped meanwhile.
fn plan(
    store: &mut Store,
    args: &CampaignArgs,
    job: &mut Job<'_>,
    fixed: &Fixed,
    cancel: &Cancel,
) -> anyhow::Result<bool> {
    if store.is_planned()? {
        return Ok(true);
    }
    if args.resume && fixed.instances != job.instances {
        let command = store.campaign()?.command;
        bail!("it was stopped while its instances were being made; give the same options as then: {command}");
    }
    store.clear_plan()?;
    let rows = spread((job.plan)(cancel)?, args.limit);
    if cancel.is_cancelled() {
        return Ok(false);
    }
    if rows.is_empty() {
        if !args.resume {
            discard(store.path());
        }
        bail!("there are no instances");
    }
    for chunk in rows.chunks(1000) {
        store.add_instances(chunk)?;
    }
    store.set_planned()?;
    Ok(true)
}

/// At most `limit` of them, evenly spread, numbered from 1.
fn spread(rows: Vec<InstanceRow>, limit: Option<u64>) -> Vec<InstanceRow> {
    let total = rows.len() as u128;
    let wanted = limit.map_or(total, |n| u128::from(n).min(total));
    let mut kept = Vec::new();
    for (i, mut row) in rows.into_iter().enumerate() {
        if kept.len() as u128 * total / wanted.max(1) == i as u128 {
            row.id = kept.len() as i64 + 1;
            kept.push(row);
        }
    }
    kept
}

/// Prints the report, writes the page, says where things are.
pub(crate) fn report(
    store: &Store,
    args: &CampaignArgs,
    more: &dyn Fn(&Data) -> String,
) -> anyhow::Result<Conclusion> {
    let mut data = Data::read(store, &[])?;
    let mut out = anstream::stdout().lock();
    match args.format {
        Format::Text => {
            let options =
                text::Options { styled: std::io::stdout().is_terminal(), ..text::Options::default() };
            data.load_details(store, &text::wanted(&data, &options))?;
            write!(out, "{}{}", text::render(&data, &options), more(&data))?;
        }
        Format::Json => {
            data.load_details(store, &json::wanted(&data))?;
            writeln!(out, "{:#}", json::render(&data))?;
        }
    }
    drop(out);
    render::notice(&format!("\nstore:  {}", store.path().display()));
    if !args.no_html {
        let path = args.html.clone().unwrap_or_else(|| store.path().with_extension("html"));
        let options = html::Options::default();
        data.load_details(store, &html::wanted(&data, &options))?;
        std::fs::write(&path, html::render(&data, None, &options))
            .with_context(|| format!("cannot write `{}`", path.display()))?;
        render::notice(&format!("report: {}", path.display()));
    }
    Ok(data.conclusion())
}

fn resume_notice(store: &Store, verb: &str) {
    let path = shell(&store.path().display().to_string());
    // The options matter only as long as the instances are not all there.
    let command = match store.is_planned() {
        Ok(true) => format!("stringent {verb} --resume --store {path}"),
        _ => {
            let words = std::env::args().skip(1).filter(|w| w != "--resume");
            let mut words: Vec<String> = words.map(|w| shell(&w)).collect();
            if !words.iter().any(|w| w.starts_with("--store")) {
                words.push(format!("--store {path}"));
            }
            format!("stringent {} --resume", words.join(" "))
        }
    };
    render::notice(&format!("\nstopped. To go on: {command}"));
}

/// A new store in the usual place, named by the time.
fn new_path(verb: &str) -> anyhow::Result<PathBuf> {
    std::fs::create_dir_all(FOLDER).with_context(|| format!("cannot make the folder `{FOLDER}`"))?;
    let (time, verb) = (now().replace([':', 'Z'], ""), verb.replace(' ', "-"));
    let named = |n: u32| Path::new(FOLDER).join(format!("{time}-{verb}{}.store", suffix(n)));
    (0..1000).map(named).find(|p| !p.exists()).context("no free name for the store")
}

fn suffix(n: u32) -> String {
    if n == 0 { String::new() } else { format!("-{}", n + 1) }
}

/// The newest store in the usual place.
fn newest() -> Option<PathBuf> {
    let entries = std::fs::read_dir(FOLDER).ok()?.flatten().map(|e| e.path());
    entries.filter(|p| p.extension().is_some_and(|e| e == "store")).max()
}

/// The time, as RFC 3339 in UTC.
pub(crate) fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    timestamp(seconds)
}

/// Seconds since 1970 as RFC 3339. Days to dates as in Hinnant's `civil_from_days`: years start in March, so that the
/// day that may be missing is the last.
fn timestamp(seconds: u64) -> String {
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

fn command_line() -> String {
    let words: Vec<String> = std::env::args().skip(1).map(|w| shell(&w)).collect();
    format!("stringent {}", words.join(" "))
}

/// System, processor and cores.
fn host() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        info.lines().find_map(|l| l.strip_prefix("model name")?.split_once(':').map(|(_, m)| m.trim()));
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    format!("{os} {arch}, {}, {cores} cores", model.unwrap_or("unknown processor"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00Z");
        assert_eq!(timestamp(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(timestamp(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(timestamp(951_868_800), "2000-03-01T00:00:00Z");
        assert_eq!(timestamp(1_794_754_068), "2026-11-15T14:47:48Z");
    }

    #[test]
    fn limits_spread_evenly() {
        let row = |id| InstanceRow {
            id,
            name: id.to_string(),
            category: String::new(),
            operation: String::new(),
            status: campaign::outcome::Status::Unknown,
            source: Vec::new(),
        };
        let rows = || (0..10).map(row).collect::<Vec<_>>();
        let names = |limit| spread(rows(), limit).into_iter().map(|r| r.name).collect::<Vec<_>>().join(" ");
        assert_eq!(names(None), "0 1 2 3 4 5 6 7 8 9");
        assert_eq!(names(Some(3)), "0 3 6");
        assert_eq!(names(Some(4)), "0 2 5 7");
        assert_eq!(names(Some(99)), "0 1 2 3 4 5 6 7 8 9");
        assert!(spread(rows(), Some(4)).iter().map(|r| r.id).eq(1..=4));
        assert!(spread(Vec::new(), Some(4)).is_empty());
    }

    #[test]
    fn words_for_a_shell() {
        assert_eq!(shell("z3@4.8.6"), "z3@4.8.6");
        assert_eq!(shell("it's"), "'it'\\''s'");
        assert_eq!(shell(""), "''");
    }
}
