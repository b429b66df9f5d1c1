//! Running a campaign from start to report: shared by `test`, `run` and `edits`.

use crate::Outcome;
use crate::campaign_args::CampaignArgs;
use crate::progress::Progress;
use crate::render::{self, Format};
use anyhow::{Context as _, bail};
use campaign::clean::shell;
use campaign::job::{Job, JobError, New};
use campaign::process::Cancel;
use campaign::profile;
use campaign::report::{self, Conclusion, Data, Options, html, json, text};
use campaign::settings::Settings;
use campaign::store::{InstanceRow, Store, UnreadableRow};
use std::fs::File;
use std::io::{BufWriter, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

/// A campaign as a verb defines it.
pub(crate) struct Plan<'a> {
    /// The verb.
    pub(crate) verb: &'a str,
    /// The seed of the instances.
    pub(crate) seed: u64,
    /// The settings, before the arguments are applied.
    pub(crate) defaults: Settings,
    /// Generates or reads the instances.
    pub(crate) instances: &'a mut dyn FnMut(&Cancel) -> anyhow::Result<Instances>,
}

/// The instances of a campaign.
#[derive(Default)]
pub(crate) struct Instances {
    pub(crate) rows: Vec<InstanceRow>,
    /// The files that should have been some.
    pub(crate) unreadable: Vec<UnreadableRow>,
}

impl From<Vec<InstanceRow>> for Instances {
    fn from(rows: Vec<InstanceRow>) -> Instances {
        Instances { rows, unreadable: Vec::new() }
    }
}

/// Runs a campaign, or resumes one.
pub(crate) fn run(args: &CampaignArgs, plan: &mut Plan<'_>) -> anyhow::Result<Outcome> {
    run_with(args, plan, &|_| String::new())
}

/// Runs a campaign, or resumes one; `more` is appended to the report as text.
pub(crate) fn run_with(
    args: &CampaignArgs,
    plan: &mut Plan<'_>,
    more: &dyn Fn(&Data) -> String,
) -> anyhow::Result<Outcome> {
    let cancel = Cancel::new().context("cannot start")?;
    stop_on_signals(&cancel)?;
    let done = execute(args, plan, &cancel)?;
    if !done.planned {
        resume_notice(&done.job.store, plan.verb);
        return Ok(Outcome::Undetermined);
    }
    let conclusion = print_report(&done.job.store, args, more)?;
    if done.cancelled {
        resume_notice(&done.job.store, plan.verb);
    }
    Ok(outcome(conclusion))
}

/// The exit code of a report.
pub(crate) fn outcome(conclusion: Conclusion) -> Outcome {
    match conclusion {
        Conclusion::Clean => Outcome::Clean,
        Conclusion::Wrong => Outcome::Found,
        Conclusion::Unreadable => Outcome::BadInput,
        Conclusion::Undetermined => Outcome::Undetermined,
    }
}

/// A campaign that was run, or stopped.
pub(crate) struct Done {
    pub(crate) job: Job,
    /// All its instances are in the store.
    pub(crate) planned: bool,
    /// It was stopped.
    pub(crate) cancelled: bool,
}

/// The solver that gives second opinions.
const BUILTIN: &str = "builtin";

/// Runs a campaign, or resumes one, without a report.
pub(crate) fn execute(args: &CampaignArgs, plan: &mut Plan<'_>, cancel: &Cancel) -> anyhow::Result<Done> {
    let mut job = if args.resume { resume(args)? } else { create(args, plan)? };
    if !job.store.is_planned()? {
        check_same_instances(args, plan, &job)?;
        let Instances { rows, unreadable } = (plan.instances)(cancel)?;
        if cancel.is_cancelled() {
            return Ok(Done { job, planned: false, cancelled: true });
        }
        if let Err(e) = job.plan(rows, &unreadable, args.limit) {
            if matches!(e, JobError::NoInstances) && !args.resume {
                job.discard();
            }
            return Err(e.into());
        }
    }
    if job.needs_second_opinion()? {
        job.set_second_opinion(&profile::resolve(BUILTIN)?)?;
    }
    let solvers = job.store.solvers()?;
    let mut progress = Progress::new(solvers.into_iter().map(|s| (s.id, s.name)).collect(), args.quiet);
    let summary = job.run(&mut progress, cancel);
    progress.finish();
    let cancelled = summary?.cancelled;
    Ok(Done { job, planned: true, cancelled })
}

fn create(args: &CampaignArgs, plan: &Plan<'_>) -> anyhow::Result<Job> {
    let solvers = args.solvers()?;
    let settings = args.settings(plan.defaults.clone());
    let store = args.store.as_deref();
    Ok(Job::create(&New { verb: plan.verb, store, seed: plan.seed, settings, solvers: &solvers })?)
}

/// Opens the store of a campaign that was stopped; solvers that are named now join it.
fn resume(args: &CampaignArgs) -> anyhow::Result<Job> {
    let mut job = Job::resume(args.store.as_deref(), &args.named_solvers()?)?;
    args.check_resumed(&job.settings)?;
    args.apply(&mut job.settings);
    Ok(job)
}

/// A campaign that was stopped while it was planned needs the arguments it was started with.
fn check_same_instances(args: &CampaignArgs, plan: &Plan<'_>, job: &Job) -> anyhow::Result<()> {
    if args.resume && job.settings.instances != plan.defaults.instances {
        let command = job.store.campaign()?.command;
        bail!(
            "it was stopped before all instances were stored; resume it with its first arguments: {command}"
        );
    }
    Ok(())
}

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

/// Prints the report, writes the HTML page, and reports where the files are.
pub(crate) fn print_report(
    store: &Store,
    args: &CampaignArgs,
    more: &dyn Fn(&Data) -> String,
) -> anyhow::Result<Conclusion> {
    let mut data = Data::read(store, &[])?;
    let options = Options { styled: std::io::stdout().is_terminal(), ..Options::default() };
    let mut out = anstream::stdout().lock();
    match args.format {
        Format::Text => {
            report::write(&text::Text, store, &mut data, None, &options, &mut out)?;
            write!(out, "{}", more(&data))?;
        }
        Format::Json => report::write(&json::Json, store, &mut data, None, &options, &mut out)?,
    }
    drop(out);
    render::notice(&format!("\nstore:  {}", store.path().display()));
    if !args.no_html {
        let path = args.html.clone().unwrap_or_else(|| store.path().with_extension("html"));
        let file = File::create(&path).with_context(|| format!("cannot write `{}`", path.display()))?;
        report::write(&html::Html, store, &mut data, None, &options, &mut BufWriter::new(file))?;
        render::notice(&format!("report: {}", path.display()));
    }
    Ok(data.conclusion())
}

fn resume_notice(store: &Store, verb: &str) {
    let path = shell(&store.path().display().to_string());
    // The other arguments matter only until all instances are stored.
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
    render::notice(&format!("\nstopped; to resume: {command}"));
}
