//! The result of a search, as text and JSON.

use super::best::{Best, Finding};
use super::fitness::{Bug, Fitness, Found};
use super::folder::Folder;
use super::{Options, Solvers, show};
use crate::Report;
use campaign::clean;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

/// The result of a search.
pub struct Outcome {
    /// Its folder.
    pub dir: PathBuf,
    /// It was stopped, and can be continued.
    pub stopped: bool,
    best: Vec<Best>,
    options: Options,
    solvers: Solvers,
    bugs: Vec<Finding>,
    spent: Duration,
}

impl Outcome {
    pub(super) fn new(
        folder: &Folder,
        solvers: Solvers,
        best: Vec<Best>,
        bugs: Vec<Finding>,
        spent: Duration,
        stopped: bool,
    ) -> Outcome {
        let (dir, options) = (folder.dir().to_owned(), folder.options.clone());
        Outcome { dir, stopped, best, options, solvers, bugs, spent }
    }

    /// A solver answered wrongly or crashed.
    pub fn has_bug(&self) -> bool {
        self.bugs.iter().any(|f| matches!(f.bug, Bug::Certain(_)))
    }

    /// It was stopped, a run did not find a script of the kind that was searched for, or two solvers disagree.
    pub fn is_undetermined(&self) -> bool {
        self.stopped || self.best.iter().any(|b| b.file.is_none()) || !self.bugs.is_empty()
    }

    /// How much was done.
    pub fn judged(&self) -> String {
        let skipped: u64 = self.best.iter().map(|b| b.skipped).sum();
        format!("{} judged, {skipped} skipped by their size", clean::counted(self.scripts(), "script"))
    }

    /// How much was done, and how fast.
    pub fn summary(&self) -> String {
        let rate = self.scripts() as f64 / self.spent.as_secs_f64().max(1e-6);
        format!("{}, {} wall-clock time, {rate:.0}/s", self.judged(), clean::time(self.spent))
    }

    fn scripts(&self) -> u64 {
        self.best.iter().map(|b| b.judged as u64).sum()
    }

    /// The statistic that is searched for.
    fn statistic(&self) -> Option<&str> {
        match &self.options.fitness {
            Fitness::Statistic(name) => Some(name),
            Fitness::Time | Fitness::Memory | Fitness::Gap | Fitness::Unknown => None,
        }
    }

    fn table(&self) -> String {
        let mut heading: Vec<String> =
            ["run", "seed", "judged", "mutations", "bytes", "lines", "answer"].map(String::from).into();
        heading.extend(self.statistic().map(str::to_owned));
        let Solvers { target, against, compare } = &self.solvers;
        heading.extend([target].into_iter().chain(against).chain(compare).map(|s| s.name.clone()));
        let rows: Vec<Vec<String>> = self.best.iter().map(|b| self.row(b)).collect();
        show::table(&heading, &rows)
    }

    fn row(&self, b: &Best) -> Vec<String> {
        let found = &b.member.found;
        let mut row = vec![
            (b.run + 1).to_string(),
            b.seed.to_string(),
            b.judged.to_string(),
            (b.lineage.len() - 1).to_string(),
            b.member.size.to_string(),
            b.body().lines().count().to_string(),
            found.answer.clone(),
        ];
        if self.statistic().is_some() {
            row.push(found.statistic.map_or_else(String::new, |n| n.to_string()));
        }
        row.push(show::seconds(found));
        if self.solvers.against.is_some() {
            let time = |(time, _): &(f64, String)| clean::time(Duration::from_secs_f64(*time));
            row.push(found.other.as_ref().map_or_else(String::new, time));
        }
        let other = |f: &Found| if f.unfit.is_some() { "error".into() } else { show::seconds(f) };
        row.extend(b.others.iter().map(|(_, f)| other(f)));
        row
    }

    /// The mean noise of all runs; none if the fitness is not a time.
    fn noise(&self) -> Option<f64> {
        let noises: Vec<f64> = self.best.iter().filter_map(|b| b.noise).collect();
        let counts = !noises.is_empty() && self.statistic().is_none();
        counts.then(|| noises.iter().sum::<f64>() / noises.len() as f64)
    }
}

impl Report for Outcome {
    fn text(&self) -> String {
        if self.best.is_empty() {
            return "stopped before the first script was judged\n".into();
        }
        let mut out = self.table();
        if let [only @ Best { file: Some(_), .. }] = &self.best[..] {
            let _ = writeln!(out, "\nlineage:");
            for a in &only.lineage {
                let (generation, mutation) = (a.generation, &a.mutation);
                let _ = writeln!(out, "  generation {generation:>4}  {mutation:<16} {:>9}", a.shown_time());
            }
            let _ = writeln!(out, "\n{}", only.body().trim_end());
        }
        for b in self.best.iter().filter(|b| b.file.is_none()) {
            let _ = writeln!(out, "\nrun {}: {}", b.run + 1, self.options.fitness.miss());
            if let Some(why) = &b.member.found.unfit {
                let _ = writeln!(out, "the best one is unfit: {}", clean::one_line(why));
            }
        }
        if let Some(noise) = self.noise() {
            let _ = writeln!(out, "\nnoise: times of one script differ by ± {:.0} %", noise * 100.0);
        }
        for f in &self.bugs {
            let _ = writeln!(out, "\nfinding: {}\n  {}", clean::one_line(f.bug.what()), f.file.display());
        }
        out
    }

    fn json(&self) -> Value {
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "seed": self.options.seed,
            "solver": self.solvers.target.name,
            "against": self.solvers.against.as_ref().map(|s| &s.name),
            "time-limit": self.options.time_limit,
            "mutators": self.options.mutators.to_string(),
            "folder": self.dir,
            "stopped": self.stopped,
            "best": self.best.iter().map(best).collect::<Vec<_>>(),
            "findings": self.bugs.iter().map(|f| json!({"what": f.bug.what(), "file": f.file})).collect::<Vec<_>>(),
        })
    }
}

fn best(b: &Best) -> Value {
    let others: Vec<_> = b.others.iter().map(|(name, f)| json!({"solver": name, "found": f})).collect();
    let lineage: Vec<_> = b
        .lineage
        .iter()
        .map(|a| json!({"generation": a.generation, "mutation": a.mutation, "time": a.time}))
        .collect();
    json!({
        "run": b.run + 1, "seed": b.seed, "judged": b.judged, "skipped": b.skipped, "noise": b.noise,
        "size": b.member.size, "found": b.member.found, "file": b.file, "script": b.member.text,
        "lineage": lineage, "others": others,
    })
}
