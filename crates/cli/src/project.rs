//! `stringent.toml` and the command line: the verb with what the project file adds to its arguments.
//!
//! A suite of the file stands for a command line; the arguments that the user gives win over it.

use crate::test::Given;
use crate::{Cli, Verb, render};
use anyhow::{anyhow, bail};
use campaign::project::{Project, Words};
use clap::Parser as _;

/// The verb with the arguments of the project file that it was not given.
pub(crate) fn completed(mut verb: Verb, given: Given) -> anyhow::Result<Verb> {
    if let Verb::Report(args) = &mut verb {
        if let Some(project) = args.project.project()?
            && args.project.complete(&project)
        {
            notice(&project, None);
        }
        return Ok(verb);
    }
    let (named, default) = match &verb {
        Verb::Test(args) => (args.name.clone(), !given.instances),
        _ => (None, false),
    };
    let Some(args) = verb.campaign() else { return Ok(verb) };
    let Some(project) = args.project.project()? else {
        return match named {
            Some(name) => {
                Err(anyhow!("no suite `{name}`: there is no stringent.toml here or in a parent folder"))
            }
            None => Ok(verb),
        };
    };
    args.project.complete(&project);
    if args.resume {
        notice(&project, None);
        return Ok(verb);
    }
    let suite = match named {
        None if default => project.default_suite().map_err(|e| anyhow!(e))?.map(ToOwned::to_owned),
        named => named,
    };
    args.complete(&project, suite.as_deref())?;
    notice(&project, suite.as_deref());
    match suite {
        Some(name) => of_suite(&project, &name, verb, given.seed),
        None => Ok(verb),
    }
}

fn notice(project: &Project, suite: Option<&str>) {
    let suite = suite.map_or_else(String::new, |name| format!(", suite {name}"));
    render::notice(&format!("using {}{suite}", project.name));
}

/// The verb that a suite stands for, with the campaign of the given one.
fn of_suite(project: &Project, name: &str, mut given: Verb, seed: Option<u64>) -> anyhow::Result<Verb> {
    let mut words = project.suite_words(name).map_err(|e| anyhow!(e))?;
    words.retain(|w| seed.is_none() || w.option != "seed");
    let mut verb = parse(project, &words)?;
    let mut line: Vec<String> = words.into_iter().flat_map(|w| w.words).collect();
    if let (Verb::Test(args), Some(seed)) = (&mut verb, seed) {
        args.suite.seed = seed;
        line.push(format!("--seed={seed}"));
    }
    let (Some(theirs), Some(ours)) = (verb.campaign(), given.campaign()) else {
        bail!("a suite is run by `test` or `run`")
    };
    let mut campaign = ours.clone();
    campaign.limit = campaign.limit.or(theirs.limit);
    campaign.origin = Some(line);
    *theirs = campaign;
    Ok(verb)
}

/// The verb of these words; an error is shown at the key that causes it.
fn parse(project: &Project, words: &[Words]) -> anyhow::Result<Verb> {
    let upto = |n: usize| {
        let line = words[..n].iter().flat_map(|w| w.words.iter().cloned());
        Cli::try_parse_from(std::iter::once("stringent".to_owned()).chain(line))
    };
    for n in 1..words.len() {
        upto(n).map_err(|e| project.bad_words(&words[n - 1], message(&e)))?;
    }
    Ok(upto(words.len()).map_err(|e| project.bad_words(&words[words.len() - 1], message(&e)))?.verb)
}

/// The first paragraph of an error of the command line.
fn message(error: &clap::Error) -> String {
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().take_while(|l| !l.trim().is_empty()).map(str::trim).collect();
    lines.join(" ").trim_start_matches("error: ").to_owned()
}
