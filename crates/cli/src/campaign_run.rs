//! Running a campaign from start to report: shared by `test`, `run` and `edits`.

use crate::Outcome;
use crate::campaign_args::CampaignArgs;
use crate::progress::Progress;
use crate::render::{self, Format};
use crate::signals;
use ::cluster::config::Config;
use ::cluster::launch;
use anyhow::{Context as _, bail};
use campaign::clean::{counted, shell};
use campaign::job::{self, Job, JobError, New};
use campaign::process::Cancel;
use campaign::profile;
use campaign::report::{self, Conclusion, Data, Options, html, json, text};
use campaign::settings::Settings;
use campaign::store::{self, Store};
use lab::instances::{self, Source};
use std::fs::File;
use std::io::{BufWriter, IsTerminal as _, Write as _};

/// A campaign as a verb defines it.
pub(crate) struct Plan<'a> {
    /// The verb.
    pub(crate) verb: &'a str,
    /// The seed of the instances.
    pub(crate) seed: u64,
    /// The settings, before the arguments are applied.
    pub(crate) defaults: Settings,
    /// The instances.
    pub(crate) source: &'a mut dyn Source,
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
    // A mistake in it is reported now, not after hours.
    args.project.baseline()?;
    let cancel = Cancel::new().context("cannot start")?;
    signals::stop_on_signals(&cancel)?;
    let mut done = execute(args, plan, &cancel)?;
    if !done.planned {
        resume_notice(args, &done.job.store, plan.verb);
        return Ok(Outcome::Undetermined);
    }
    if args.triage && !done.cancelled {
        crate::triage::after_campaign(&mut done.job, args.quiet, &cancel)?;
    }
    let conclusion = print_report(&done.job.store, args, more)?;
    if done.cancelled {
        resume_notice(args, &done.job.store, plan.verb);
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
    let config = crate::parts::config(args.on, args.cluster.as_deref())?;
    let mut job = if args.resume { resume(args)? } else { create(args, plan)? };
    if !job.store.is_planned()? {
        check_same_instances(args, plan, &job)?;
        let Some(rows) = instances::rows(plan.source, job.settings.selection, cancel)? else {
            return Ok(Done { job, planned: false, cancelled: true });
        };
        job.store.set_unreadable(plan.source.unreadable())?;
        if let Err(e) = job.plan(&rows) {
            if matches!(e, JobError::NoInstances | JobError::EmptyShard(_)) && !args.resume {
                job.discard();
            } else {
                resume_notice(args, &job.store, plan.verb);
            }
            return Err(e.into());
        }
    }
    if job.needs_second_opinion()? {
        job.set_second_opinion(&profile::resolve(BUILTIN)?)?;
    }
    let solvers = job.store.solvers()?;
    let mut progress = Progress::new(solvers.into_iter().map(|s| (s.id, s.name)).collect(), args.quiet);
    let stopped = on_cluster(config.as_ref(), &mut job, &mut progress, cancel);
    let stopped = match stopped {
        Ok(false) => job.run(&mut progress, cancel).map(|summary| summary.cancelled).map_err(Into::into),
        other => other,
    };
    progress.finish();
    if stopped.is_err() {
        resume_notice(args, &job.store, plan.verb);
    }
    let cancelled = stopped?;
    Ok(Done { job, planned: true, cancelled })
}

/// With `--on`, does the runs on the cluster; true if some are not recorded.
fn on_cluster(
    config: Option<&Config>,
    job: &mut Job,
    progress: &mut Progress,
    cancel: &Cancel,
) -> anyhow::Result<bool> {
    let Some(config) = config else { return Ok(false) };
    let mut host = launch::Host {
        observer: progress,
        say: &mut |text| render::notice(text),
        cancel,
        leave: &mut crate::parts::leave_running,
    };
    let report = launch::run(job, config, &mut host)?;
    if report.left {
        render::notice("the jobs go on; `squeue` shows them, and --resume collects their results");
    } else if !report.complete && !cancel.is_cancelled() {
        let missing = counted(report.missing, "run");
        render::notice(&format!("{missing} could not be done on the cluster; --resume tries again"));
    }
    Ok(!report.complete)
}

fn create(args: &CampaignArgs, plan: &Plan<'_>) -> anyhow::Result<Job> {
    let solvers = args.solvers()?;
    let settings = Settings { origin: args.origin(), ..args.settings(plan.defaults.clone()) };
    let store = args.store.as_deref();
    Ok(Job::create(&New { verb: plan.verb, store, seed: plan.seed, settings, solvers: &solvers })?)
}

/// Opens the store of a campaign that was stopped; solvers that are named now join it.
fn resume(args: &CampaignArgs) -> anyhow::Result<Job> {
    let mut job = Job::resume(args.store.as_deref(), &args.named_solvers()?)?;
    args.check_resumed(&job.settings)?;
    args.apply(&mut job.settings);
    // On a cluster it is an error.
    let changed = if args.on.is_none() { job.changed_solvers()? } else { Vec::new() };
    for (name, program) in changed {
        render::notice(&format!(
            "note: `{name}`: {} is another build than at the start of this campaign; the runs that are left are done with it",
            program.display()
        ));
    }
    Ok(job)
}

/// The instances of a campaign that was stopped before they were stored are made again, and must be the same.
fn check_same_instances(args: &CampaignArgs, plan: &Plan<'_>, job: &Job) -> anyhow::Result<()> {
    if args.resume && job.settings.instances != plan.defaults.instances {
        let campaign = job.store.campaign()?;
        bail!(
            "it was stopped before all instances were stored, by stringent {}; start it again: {}",
            campaign.version,
            campaign.command
        );
    }
    Ok(())
}

/// Prints the report, writes the HTML page, and reports where the files are.
pub(crate) fn print_report(
    store: &Store,
    args: &CampaignArgs,
    more: &dyn Fn(&Data) -> String,
) -> anyhow::Result<Conclusion> {
    let mut data = Data::read(store, &[])?;
    let baseline = args.project.baseline()?;
    if let Some(baseline) = &baseline {
        baseline.apply(&mut data);
    }
    let newest = job::is_newest(store.path());
    let options = Options { styled: std::io::stdout().is_terminal(), newest, ..Options::default() };
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
        let path = args.html.clone().unwrap_or_else(|| store::beside(store.path()).with_extension("html"));
        let file = File::create(&path).with_context(|| format!("cannot write `{}`", path.display()))?;
        report::write(&html::Html, store, &mut data, None, &options, &mut BufWriter::new(file))?;
        render::notice(&format!("report: {}", path.display()));
    }
    args.project.write(&data, baseline.as_ref())?;
    Ok(data.conclusion())
}

fn resume_notice(args: &CampaignArgs, store: &Store, verb: &str) {
    let path = shell(&store.path().display().to_string());
    let on = args.on.map_or("", |_| " --on slurm");
    let cluster =
        args.cluster.iter().map(|file| format!(" --cluster {}", shell(&file.display().to_string())));
    let cluster = cluster.collect::<String>();
    render::notice(&format!("\nstopped; to resume: stringent {verb} --resume{on}{cluster} --store {path}"));
}
