//! The findings that a user names: numbers in a store, `bug.json` files, bundles.

use crate::{input, stored};
use anyhow::{Context as _, bail};
use bugs::issue::{platform, platform_of};
use campaign::finding::Finding;
use campaign::job;
use campaign::store::Store;
use std::path::{Path, PathBuf};

/// A finding, and where it failed.
pub(super) struct Bug {
    pub(super) finding: Finding,
    pub(super) platform: Option<String>,
}

impl Bug {
    /// A name for a folder.
    pub(super) fn slug(&self) -> String {
        match self.finding.number {
            0 => format!(
                "{}-{}",
                self.finding.slug(),
                self.finding.id.chars().filter(char::is_ascii_alphanumeric).collect::<String>()
            ),
            _ => self.finding.slug(),
        }
    }
}

/// The findings, in the order in which they are named; all of the store in order of rank.
pub(super) fn find(names: &[String], store: Option<&Path>, all: bool) -> anyhow::Result<Vec<Bug>> {
    if all {
        let mut list = Stored::open(store)?.list;
        list.sort_by(|a, b| a.finding.rank().cmp(&b.finding.rank()));
        return Ok(list);
    }
    let mut stored = None;
    let mut out = Vec::new();
    for name in names {
        match name.parse::<u32>() {
            Ok(number) => {
                let stored = match &mut stored {
                    Some(stored) => stored,
                    none => none.insert(Stored::open(store)?),
                };
                out.push(stored.take(number)?);
            }
            Err(_) => out.push(read(Path::new(name))?),
        }
    }
    Ok(out)
}

/// A `bug.json`, or a folder that has one.
fn read(path: &Path) -> anyhow::Result<Bug> {
    let file = if path.is_dir() { path.join("bug.json") } else { path.to_owned() };
    if !file.exists() && file != Path::new("-") {
        bail!(
            "there is no `{}`; a finding is a number in a store, a bug.json, or a folder that has one",
            file.display()
        );
    }
    let text = input::read(&file)?;
    let finding =
        serde_json::from_slice(&text.bytes).with_context(|| format!("`{}` is not a finding", text.name))?;
    Ok(Bug { finding, platform: Some(platform()) })
}

/// The findings of a store.
struct Stored {
    path: PathBuf,
    list: Vec<Bug>,
}

impl Stored {
    fn open(path: Option<&Path>) -> anyhow::Result<Stored> {
        let path = match path {
            Some(path) => path.to_owned(),
            None => job::newest().context("no campaign in stringent-results/; name one with --store")?,
        };
        let store: Store = stored::open(&path)?;
        let host = Some(platform_of(&store.campaign()?.host)).filter(|p| !p.is_empty());
        let list: Vec<Bug> =
            (store.findings()?.into_iter()).map(|finding| Bug { finding, platform: host.clone() }).collect();
        if list.is_empty() {
            bail!(
                "`{0}` has no findings; `stringent triage {0}` makes them from its failures",
                path.display()
            );
        }
        Ok(Stored { path, list })
    }

    fn take(&self, number: u32) -> anyhow::Result<Bug> {
        let found = self.list.iter().find(|b| b.finding.number == number).with_context(|| {
            let last = self.list.iter().map(|b| b.finding.number).max().unwrap_or(0);
            format!("there is no finding {number} in `{}`; the last one is {last}", self.path.display())
        })?;
        Ok(Bug { finding: found.finding.clone(), platform: found.platform.clone() })
    }
}
