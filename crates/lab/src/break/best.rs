//! The best script of a run: its lineage, its file, and its times on other solvers.

use super::fitness::{Bug, Fitness, Found};
use super::folder::write;
use super::judge::{Judge, Judging as _};
use super::log::Member;
use super::search::Search;
use super::show;
use campaign::clean;
use campaign::measure::Meter;
use campaign::profile::Solver;
use semantics::Instance;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The best script of a run.
pub(super) struct Best {
    /// The number of the run, from 0.
    pub(super) run: usize,
    /// Its seed.
    pub(super) seed: u64,
    /// The script.
    pub(super) member: Member,
    /// Its file; none if it is not one that was searched for.
    pub(super) file: Option<PathBuf>,
    /// The mutations that led to it.
    pub(super) lineage: Vec<Ancestor>,
    /// Scripts that were judged.
    pub(super) judged: usize,
    /// Children that were not run because of their size.
    pub(super) skipped: u64,
    /// Half the median spread of times of one script, relative to their median.
    pub(super) noise: Option<f64>,
    /// The other solvers on it.
    pub(super) others: Vec<(String, Found)>,
}

/// A script on which a solver is wrong.
pub(super) struct Finding {
    pub(super) bug: Bug,
    pub(super) file: PathBuf,
}

/// A member of a lineage.
pub(super) struct Ancestor {
    /// Its generation.
    pub(super) generation: u32,
    /// The mutation that produced it.
    pub(super) mutation: String,
    /// The solver's time, in seconds.
    pub(super) time: f64,
}

impl Best {
    /// The script as a solver reads it.
    pub(super) fn body(&self) -> String {
        instance(&self.member).map(|i| synth::evolve::body(&i)).unwrap_or_default()
    }
}

/// Writes the best script of a run, with its lineage.
pub(super) fn write_best(
    dir: &Path,
    run: usize,
    search: &Search<'_>,
    shrunk: Option<Member>,
    judge: &Judge<'_>,
) -> anyhow::Result<Best> {
    let (found, _) = search.best();
    let lineage = search.lineage(found.id).into_iter().map(Ancestor::of).collect();
    let mut best = Best {
        run,
        seed: search.seed(),
        file: None,
        lineage,
        judged: search.members.len(),
        skipped: search.skipped,
        noise: show::noise(search.members.iter()),
        others: Vec::new(),
        member: found.clone(),
    };
    let mut text = best.header(judge);
    if let Some(shrunk) = shrunk {
        let _ = writeln!(text, "; then made smaller: {} bytes were {}", shrunk.size, found.size);
        best.member = shrunk;
    }
    let provenance =
        format!("stringent {}: break, seed {}, run {}", env!("CARGO_PKG_VERSION"), best.seed, run + 1);
    text.push_str(&instance(&best.member)?.to_text(&provenance));
    if judge.fitness.is_hit(&found.found) {
        let file = dir.join(format!("best-{:02}.smt2", run + 1));
        write(&file, &text)?;
        best.file = Some(file);
    }
    Ok(best)
}

impl Ancestor {
    fn of(member: &Member) -> Ancestor {
        let (generation, mutation) = (member.generation, member.mutation.clone());
        Ancestor { generation, mutation, time: member.found.time }
    }

    pub(super) fn shown_time(&self) -> String {
        clean::time(Duration::from_secs_f64(self.time))
    }
}

impl Best {
    /// The result and the lineage, as comments.
    fn header(&self, judge: &Judge<'_>) -> String {
        let found = &self.member.found;
        let mut out = format!("; {}: {} {}", judge.solver.name, show::seconds(found), found.answer);
        if let (Fitness::Gap, Some((time, answer)), Some(against)) =
            (&judge.fitness, &found.other, judge.against)
        {
            let time = clean::time(Duration::from_secs_f64(*time));
            let _ = write!(out, ", {}: {time} {answer}", against.name);
        }
        out.push('\n');
        for a in &self.lineage {
            let _ = writeln!(out, "; generation {}: {}, {}", a.generation, a.mutation, a.shown_time());
        }
        out
    }
}

/// A member as an instance, without declarations that nothing uses.
fn instance(member: &Member) -> anyhow::Result<Instance> {
    let mut instance = Instance::from_text(member.text.as_bytes(), None)
        .map_err(|_| anyhow::anyhow!("member {} of the log cannot be parsed", member.id))?;
    synth::evolve::drop_unused(&mut instance);
    Ok(instance)
}

/// Keeps a script on which a solver answered wrongly or crashed.
pub(super) fn keep_bug(dir: &Path, run: usize, member: &Member, bug: Bug) -> anyhow::Result<Finding> {
    let folder = dir.join("findings");
    std::fs::create_dir_all(&folder)?;
    let file = folder.join(format!("run-{:02}-{:06}.smt2", run + 1, member.id));
    write(&file, &format!("; {}\n{}", clean::one_line(bug.what()), member.text))?;
    Ok(Finding { bug, file })
}

/// Runs other solvers on all best scripts.
pub(super) fn compare(found: &mut [Best], solvers: &[Solver], judge: &Judge<'_>) {
    for best in found {
        for solver in solvers {
            let meter = Meter { statistic: None, ..judge.meter.clone() };
            let other =
                Judge { solver, against: None, fitness: Fitness::Time, meter, answer: None, ..*judge };
            let Some(found) = other.judge(&best.member.text, best.run as u64, None) else { return };
            best.others.push((solver.name.clone(), found));
        }
    }
}
