//! What is left of a search: champions with their lineage, beside other solvers, as files, a table or JSON.

use super::fitness::Found;
use super::judge::Judge;
use super::log::Member;
use super::search::Search;
use super::{Args, Bug, Champion, Finding, Solvers, plot, show, write};
use crate::render::{self, Format};
use campaign::measure::Meter;
use campaign::profile::Solver;
use campaign::report::clean;
use semantics::Instance;
use serde_json::json;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

/// Writes the champion of a run, with how it came to be.
pub(super) fn write_champion(
    args: &Args,
    dir: &Path,
    run: usize,
    seed: u64,
    search: &Search<'_>,
    shrunk: Option<Member>,
    judge: &Judge<'_>,
) -> anyhow::Result<Champion> {
    let (champion, _) = search.champion();
    let lineage: Vec<(u32, String, f64)> = search
        .lineage(champion.id)
        .iter()
        .map(|m| (m.generation, m.mutation.clone(), m.found.time))
        .collect();
    let member = shrunk.unwrap_or_else(|| champion.clone());
    let mut text = String::new();
    let what = match (&args.fitness, &member.found.other) {
        (super::Fitness::Gap, Some((other, answer))) => {
            let against = judge.against.map_or("", |s| s.name.as_str());
            format!(", {against}: {} {answer}", clean::time(std::time::Duration::from_secs_f64(*other)))
        }
        _ => String::new(),
    };
    let _ = writeln!(
        text,
        "; {}: {} {}{what}",
        judge.solver.name,
        show::seconds(&member.found),
        member.found.answer
    );
    for (generation, mutation, time) in &lineage {
        let time = clean::time(std::time::Duration::from_secs_f64(*time));
        let _ = writeln!(text, "; generation {generation}: {mutation}, {time}");
    }
    if member.mutation == "shrink" {
        let _ = writeln!(text, "; then made smaller: {} bytes were {}", member.size, champion.size);
    }
    let provenance = format!("stringent {}: break, seed {seed}, run {}", env!("CARGO_PKG_VERSION"), run + 1);
    text.push_str(&instance(&member)?.to_text(&provenance));
    let file = dir.join(format!("champion-{:02}.smt2", run + 1));
    write(&file, &text)?;
    let (judged, skipped) = (search.members.len(), search.skipped);
    let noise = show::noise(search.members.iter());
    Ok(Champion { run, seed, member, file, lineage, judged, skipped, noise, others: Vec::new() })
}

fn instance(member: &Member) -> anyhow::Result<Instance> {
    let mut instance = Instance::from_text(member.text.as_bytes(), None)
        .map_err(|_| anyhow::anyhow!("a script of ours cannot be read again"))?;
    synth::evolve::drop_unused(&mut instance);
    Ok(instance)
}

/// The script as a solver reads it.
fn body(member: &Member) -> String {
    instance(member).map(|i| synth::evolve::body(&i)).unwrap_or_default()
}

/// Keeps a script on which a solver answered wrongly or died.
pub(super) fn keep_bug(dir: &Path, run: usize, member: &Member, bug: Bug) -> anyhow::Result<Finding> {
    let folder = dir.join("findings");
    std::fs::create_dir_all(&folder)?;
    let file = folder.join(format!("run-{:02}-{:06}.smt2", run + 1, member.id));
    write(&file, &format!("; {}\n{}", clean::one_line(bug.what()), member.text))?;
    Ok(Finding { bug, file })
}

/// Runs the other solvers on all champions.
pub(super) fn compare(champions: &mut [Champion], solvers: &[Solver], judge: &Judge<'_>) {
    for champion in champions {
        for solver in solvers {
            let meter = Meter { statistic: None, ..judge.meter.clone() };
            let other =
                Judge { solver, against: None, fitness: super::Fitness::Time, meter, answer: None, ..*judge };
            let Some(found) = other.judge(&champion.member.text, champion.run as u64, None) else { return };
            champion.others.push((solver.name.clone(), found));
        }
    }
}

/// The table, the plot, and where things are; or JSON.
pub(super) fn report(
    args: &Args,
    dir: &Path,
    champions: &[Champion],
    bugs: &[Finding],
    solvers: &Solvers,
    stopped: bool,
) -> anyhow::Result<()> {
    if !solvers.compare.is_empty() && !champions.is_empty() {
        write(
            &dir.join("champions.svg"),
            &plot::champions(champions, &solvers.target.name, args.time_limit),
        )?;
    }
    let mut out = anstream::stdout().lock();
    match args.format {
        Format::Json => writeln!(out, "{:#}", document(args, dir, champions, bugs, solvers, stopped))?,
        Format::Text => write!(out, "{}", text(args, champions, bugs, solvers))?,
    }
    drop(out);
    if !args.quiet {
        render::notice(&format!("\nfolder: {}", dir.display()));
    }
    Ok(())
}

fn text(args: &Args, champions: &[Champion], bugs: &[Finding], solvers: &Solvers) -> String {
    let mut heading: Vec<String> =
        ["run", "seed", "judged", "mutations", "bytes", "lines", "answer"].map(String::from).into();
    let statistic = matches!(args.fitness, super::Fitness::Statistic(_));
    if let super::Fitness::Statistic(name) = &args.fitness {
        heading.push(name.clone());
    }
    heading.push(solvers.target.name.clone());
    heading.extend(solvers.against.iter().map(|s| s.name.clone()));
    heading.extend(solvers.compare.iter().map(|s| s.name.clone()));
    let other = |f: &Found| if f.unfit.is_some() { "error".into() } else { show::seconds(f) };
    let row = |c: &Champion| {
        let lines = body(&c.member).lines().count();
        let mut row = vec![
            (c.run + 1).to_string(),
            c.seed.to_string(),
            c.judged.to_string(),
            (c.lineage.len() - 1).to_string(),
            c.member.size.to_string(),
            lines.to_string(),
            c.member.found.answer.clone(),
        ];
        if statistic {
            row.push(c.member.found.statistic.map_or_else(String::new, |n| n.to_string()));
        }
        row.push(show::seconds(&c.member.found));
        if let (Some(_), Some((time, _))) = (&solvers.against, &c.member.found.other) {
            row.push(clean::time(std::time::Duration::from_secs_f64(*time)));
        } else if solvers.against.is_some() {
            row.push(String::new());
        }
        row.extend(c.others.iter().map(|(_, f)| other(f)));
        row
    };
    let rows: Vec<Vec<String>> = champions.iter().map(row).collect();
    let mut out = show::table(&heading, &rows, 0);
    if let [only] = champions {
        let _ = writeln!(out, "\nlineage:");
        for (generation, mutation, time) in &only.lineage {
            let time = clean::time(std::time::Duration::from_secs_f64(*time));
            let _ = writeln!(out, "  generation {generation:>4}  {mutation:<16} {time:>9}");
        }
        let _ = writeln!(out, "\n{}", body(&only.member).trim_end());
    }
    for c in champions.iter().filter(|c| c.member.found.unfit.is_some()) {
        let why = clean::one_line(c.member.found.unfit.as_deref().unwrap_or(""));
        let _ = writeln!(out, "\nrun {}: no fit script was found; the best one is not: {why}", c.run + 1);
    }
    let noises: Vec<f64> = champions.iter().filter_map(|c| c.noise).collect();
    if !noises.is_empty() && !matches!(args.fitness, super::Fitness::Statistic(_)) {
        let mean = noises.iter().sum::<f64>() / noises.len() as f64;
        let _ = writeln!(out, "\nnoise: times of one script differ by ± {:.0} %", mean * 100.0);
    }
    for bug in bugs {
        let _ = writeln!(
            out,
            "\nfound on the way: {}\n  {}",
            clean::one_line(bug.bug.what()),
            bug.file.display()
        );
    }
    out
}

fn document(
    args: &Args,
    dir: &Path,
    champions: &[Champion],
    bugs: &[Finding],
    solvers: &Solvers,
    stopped: bool,
) -> serde_json::Value {
    let champion = |c: &Champion| {
        let others: Vec<_> = c.others.iter().map(|(name, f)| json!({"solver": name, "found": f})).collect();
        let lineage: Vec<_> = c
            .lineage
            .iter()
            .map(|(generation, mutation, time)| json!({"generation": generation, "mutation": mutation, "time": time}))
            .collect();
        json!({
            "run": c.run + 1, "seed": c.seed, "judged": c.judged, "skipped": c.skipped, "noise": c.noise,
            "size": c.member.size, "found": c.member.found, "file": c.file, "script": c.member.text,
            "lineage": lineage, "others": others,
        })
    };
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "seed": args.seed,
        "solver": solvers.target.name,
        "against": solvers.against.as_ref().map(|s| &s.name),
        "time-limit": args.time_limit,
        "mutators": args.mutators.to_string(),
        "folder": dir,
        "stopped": stopped,
        "champions": champions.iter().map(champion).collect::<Vec<_>>(),
        "findings": bugs.iter().map(|f| json!({"what": f.bug.what(), "file": f.file})).collect::<Vec<_>>(),
    })
}
