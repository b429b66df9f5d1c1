//! `stringent file`: the text of an issue for a finding, by the rules of the tracker.

mod answer;
mod source;

use crate::Outcome;
use crate::output::write_or_print;
use crate::render::{self, Format};
use answer::Written;
use anyhow::{Context as _, bail};
use bugs::issue::ask::{self, Asked};
use bugs::issue::ledger::{self, Entry, Ledger};
use bugs::issue::policy::{Desk, Policy, Unmet};
use bugs::issue::{Context, Issue, bundle, regress};
use campaign::clean::one_line;
use campaign::finding::Finding;
use campaign::process::Cancel;
use campaign::{profile, provenance};
use source::Bug;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Write the text of an issue for a finding, ready to be filed.
///
/// A finding is a number in a store that was triaged, a `bug.json`, or a bundle. The text has the form that the tracker of the solver asks for, and says only what was
/// checked. A policy decides what may be filed: the newest version, reduced, stable, not known, allowed options, a quota; rules that are not met are listed on stderr.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    /// Findings: numbers in the store, `bug.json` files, or bundles
    #[arg(value_name = "BUG", required_unless_present = "all")]
    bugs: Vec<String>,
    /// The store [default: the newest in stringent-results]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// All findings of the store that the policy allows, in order of rank
    #[arg(long, conflicts_with = "bugs")]
    all: bool,
    /// Write the text to this file [default: standard output]
    #[arg(long, short, value_name = "FILE", conflicts_with = "format")]
    output: Option<PathBuf>,
    /// Write bug.smt2, sent.smt2, bug.json, issue.md and reproduce.sh into this folder; with several findings, a folder for each in it
    #[arg(long, value_name = "DIR")]
    bundle: Option<PathBuf>,
    /// Write the script with its certificate to this file, in the form of regress/known-wrong
    #[arg(long, value_name = "FILE", conflicts_with = "all")]
    regress: Option<PathBuf>,
    /// The policy of the tracker [default: that of the solver]
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// The file of filed issues [default: filed.jsonl in the data folder of the user]
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,
    /// Record that the finding was filed as this issue; nothing else is written
    #[arg(long, value_name = "URL|#N", conflicts_with_all = ["all", "bundle", "regress", "output", "force"])]
    filed: Option<String>,
    /// Write it even if rules are not met
    #[arg(long)]
    force: bool,
    /// Run the solver again: it must fail again, options and requests that it does not need are left out, other seeds are tried, and the known model is asserted
    #[arg(long, conflicts_with = "filed")]
    check: bool,
    /// The platform on which it fails [default: that of the store, or this one]
    #[arg(long, value_name = "TEXT")]
    platform: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

const HELP: &str = "\
Examples:
  stringent file 3
  stringent file 3 --store paper.store --bundle bug-3
  stringent file bug.json --output issue.md
  stringent file --all --bundle issues
  stringent file 3 --filed https://github.com/Z3Prover/z3/issues/10492
  stringent file bug.json --regress regress/known-wrong/from-code-ite.smt2

Exit codes: 0 written, 11 not ready (rules of the policy are not met; --force writes it anyway), 2 usage or bad input \
(no such finding, a file that cannot be read).";

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let found = source::find(&args.bugs, args.store.as_deref(), args.all)?;
    let policy = args.policy.as_deref().map(Policy::read).transpose()?;
    let path = args.ledger.clone().or_else(ledger::default_file).context("name the ledger with --ledger")?;
    let ledger = Ledger::read(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let cancel = Cancel::new().context("cannot start")?;
    if args.check {
        crate::signals::stop_on_signals(&cancel)?;
    }
    let session = Session { args, policy, ledger, cancel };
    if let Some(issue) = &args.filed {
        return session.mark(&found, issue, &path);
    }
    if found.len() > 1 && args.regress.is_some() {
        bail!("--regress writes one file; name one finding");
    }
    let written = session.judge(found)?;
    session.write(&written)?;
    answer::print(&written, args.format, session.to_stdout())?;
    let ready = written.iter().all(|w| w.is_written || args.all);
    Ok(if ready { Outcome::Clean } else { Outcome::Undetermined })
}

/// Runs the solver of a finding again.
fn again(f: &Finding, cancel: &Cancel) -> anyhow::Result<Asked> {
    let solver = profile::resolve(&f.solver.spec)?;
    if solver.version != f.solver.version {
        let (is, was) = (one_line(&solver.version), one_line(&f.solver.version));
        bail!("{} is version {is} now; the finding is about {was}", one_line(&f.solver.spec));
    }
    ask::ask(f, &solver, cancel)
}

/// A failure that was not there again.
fn failed_again(asked: &Asked) -> Option<Unmet> {
    let why = "it did not fail when it was run again".to_owned();
    (asked.failed == Some(false)).then_some(Unmet { rule: "check", why })
}

struct Session<'a> {
    args: &'a Args,
    policy: Option<Policy>,
    ledger: Ledger,
    cancel: Cancel,
}

impl Session<'_> {
    fn policy(&self, f: &Finding) -> anyhow::Result<Policy> {
        match &self.policy {
            Some(policy) => Ok(policy.clone()),
            None => Ok(Policy::shipped(&f.solver.profile)?),
        }
    }

    fn context(&self, bug: &Bug, policy: &Policy) -> anyhow::Result<Context> {
        let platform = self.args.platform.clone().or_else(|| bug.platform.clone());
        let asked = if self.args.check { again(&bug.finding, &self.cancel)? } else { Asked::default() };
        Ok(Context { template: policy.template, platform, asked })
    }

    /// The issues, with the rules that each one does not meet. Those that are written count for the quota of the next ones.
    fn judge(&self, found: Vec<Bug>) -> anyhow::Result<Vec<Written>> {
        let now = provenance::seconds();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut out = Vec::new();
        for mut bug in found {
            let policy = self.policy(&bug.finding)?;
            let context = self.context(&bug, &policy)?;
            bug.finding.stability = bug.finding.stability.or(context.asked.stability);
            let count = counts.entry(policy.name.clone()).or_default();
            let mut unmet = policy.unmet(&bug.finding, &Desk { ledger: &self.ledger, now, written: *count });
            unmet.extend(failed_again(&context.asked));
            let is_written = unmet.is_empty() || self.args.force;
            *count += usize::from(is_written);
            let issue = Issue::of(&bug.finding, &context);
            out.push(Written { bug, issue, context, policy, unmet, is_written, folder: None });
        }
        self.place(&mut out);
        Ok(out)
    }

    /// The folder of each bundle.
    fn place(&self, all: &mut [Written]) {
        let several = all.len() > 1 || self.args.all;
        let Some(folder) = &self.args.bundle else { return };
        for w in all.iter_mut().filter(|w| w.is_written) {
            let own = folder.join(w.bug.slug());
            w.folder = Some(if several { own } else { folder.clone() });
        }
    }

    fn write(&self, all: &[Written]) -> anyhow::Result<()> {
        for w in all.iter().filter(|w| w.is_written) {
            if let Some(folder) = &w.folder {
                bundle::write(&w.bug.finding, &w.context, folder)
                    .with_context(|| format!("cannot write `{}`", folder.display()))?;
            }
            if let Some(file) = &self.args.regress {
                write_or_print(Some(file), &regress::entry(&w.bug.finding))?;
            }
        }
        if let Some(file) = &self.args.output {
            let texts: Vec<String> =
                all.iter().filter(|w| w.is_written).map(|w| w.issue.markdown()).collect();
            if !texts.is_empty() {
                write_or_print(Some(file), &texts.join("\n---\n\n"))?;
            }
        }
        Ok(())
    }

    /// The texts go to standard output.
    fn to_stdout(&self) -> bool {
        self.args.output.is_none() && self.args.bundle.is_none() && self.args.regress.is_none()
    }

    /// Records that findings were filed.
    fn mark(&self, found: &[Bug], issue: &str, path: &Path) -> anyhow::Result<Outcome> {
        let [bug] = found else { bail!("--filed is about one finding; name one") };
        let policy = self.policy(&bug.finding)?;
        if let Some(before) = self.ledger.filed(&policy.name, &bug.finding.id) {
            render::notice(&format!("it was filed already as {}", one_line(&before.issue)));
        }
        let title = Issue::of(&bug.finding, &self.context(bug, &policy)?).title;
        let entry = Entry {
            time: provenance::now(),
            policy: policy.name,
            id: bug.finding.id.clone(),
            title,
            issue: one_line(issue.trim()),
        };
        ledger::append(path, &entry).with_context(|| format!("cannot write `{}`", path.display()))?;
        answer::filed(&entry, path, self.args.format)?;
        Ok(Outcome::Clean)
    }
}
