//! The failure of a script: found by running the solver, or named by the user; measured if it is flaky.
//!
//! 1. The script is run as a campaign runs it, several times until a failure is suspected, then once with nothing but its checks.
//! 2. For each suspected failure, the worst first, the property is tested with the fewest requests (`get-model`, names) with which it is there.
//! 3. It is tested again, to see how often it is there.

mod passing;
mod suspect;

use super::Start;
use super::found::{Detected, Passing, Setup};
use super::found::{is_unsettled, rated, startup, stopped};
use super::run::{Run, Runner, case};
use super::{Keep, Property, Test, slower};
use crate::doc::Doc;
use crate::truth::{Keeper, Label};
use campaign::finding::{Observed, Stability};
use campaign::host::Host;
use campaign::settings::Wants;
use semantics::{Certificate, Status};
use std::cell::OnceCell;
use std::time::Duration;

/// Runs the solver on a script and judges it.
pub fn detect(
    name: &str,
    doc: Doc,
    setup: &Setup,
    keeper: &Keeper,
    host: &Host<'_>,
) -> anyhow::Result<Detected> {
    if let Some(Keep::Slower { solver, factor }) = &setup.keep {
        return slower::detect(name, doc, setup, solver, *factor, host);
    }
    Detection::new(doc, setup, keeper, host)?.result(name)
}

/// A script whose failure is looked for.
struct Detection<'a> {
    /// As it was read, with its certificate.
    original: Doc,
    /// Without it.
    doc: Doc,
    /// The answers that the script or the user states, unchecked.
    stated: Vec<Status>,
    setup: &'a Setup,
    keeper: &'a Keeper,
    host: &'a Host<'a>,
    /// The known answers, or the reason why there are none; found when they matter.
    label: OnceCell<Result<Label, String>>,
}

/// A property that the script has.
struct Found {
    property: Box<dyn Property>,
    observed: Observed,
    label: Label,
}

/// What a run tells.
enum Told {
    Found(Box<Found>),
    /// A failure was there, but in none of so many further runs.
    Flaky(String, u32),
    Nothing,
}

impl<'a> Detection<'a> {
    fn new(original: Doc, setup: &'a Setup, keeper: &'a Keeper, host: &'a Host<'a>) -> anyhow::Result<Self> {
        let doc = Doc::from_text(original.text().as_bytes())
            .map_err(|e| anyhow::anyhow!("the script cannot be read back: {}", e[0].message))?;
        let queries = Certificate::of(&original.pool, &original.script).queries;
        let stated = queries.iter().map(|q| setup.expect.unwrap_or(q.status)).collect();
        Ok(Detection { original, doc, stated, setup, keeper, host, label: OnceCell::new() })
    }

    fn result(&self, name: &str) -> anyhow::Result<Detected> {
        self.refuse_trivial_limit()?;
        let (mut runs, mut failed) = (0, 0);
        let mut last = None;
        let mut flaky = None;
        let least = Wants { model: false, core: false, named: false, both: false, ..Wants::default() };
        let repeat = self.setup.repeat.max(1) as usize;
        for wants in std::iter::repeat_n(Wants::default(), repeat).chain([least]) {
            let run = self.probe(wants)?;
            runs += 1;
            match self.told(&run)? {
                Told::Found(found) => return self.measured(name, *found),
                Told::Flaky(property, tests) => {
                    failed += 1;
                    runs += tests;
                    flaky = Some(property);
                }
                Told::Nothing => {}
            }
            last = last.or(Some(run));
        }
        let run = last.expect("it was run");
        Ok(match flaky {
            Some(property) => Detected::Flaky { property, rate: Stability { runs, failed } },
            None => Detected::Passing(self.passing(&run)),
        })
    }

    /// Runs the script as a campaign does.
    fn probe(&self, wants: Wants) -> anyhow::Result<Run> {
        let runner = self.runner(wants, self.first_limit());
        runner.run_case(case(&self.doc, &self.stated), self.host.cancel).map_err(stopped)
    }

    fn runner(&self, wants: Wants, limit: Duration) -> Runner {
        let Setup { solver, seed, memory, .. } = self.setup;
        Runner { solver: solver.clone(), seed: *seed, wants, memory: *memory, limit }
    }

    /// The limit of the first runs.
    fn first_limit(&self) -> Duration {
        match self.setup.keep {
            Some(Keep::Slow(Some(least))) => least,
            _ => self.setup.time_limit.unwrap_or(self.setup.first_limit),
        }
    }

    /// The limit of a test: a smaller script that needs much longer than the original does not fail in the same way.
    fn test_limit(&self, run: &Run) -> Duration {
        match self.setup.keep {
            Some(Keep::Slow(_)) => self.first_limit(),
            _ => self.setup.time_limit.unwrap_or(run.ended.work() * 2 + self.setup.slack),
        }
    }

    /// A limit that the empty script meets means nothing.
    fn refuse_trivial_limit(&self) -> anyhow::Result<()> {
        if !matches!(self.setup.keep, Some(Keep::Slow(_))) {
            return Ok(());
        }
        let limit = self.first_limit();
        let least = startup(&self.runner(Wants::default(), limit), self.host)?;
        let name = &self.setup.solver.name;
        anyhow::ensure!(
            least < limit,
            "{name} needs {limit:?} for the empty script already; use a longer time"
        );
        Ok(())
    }

    /// The known answers; if there are none, the reason.
    fn label(&self) -> &Result<Label, String> {
        self.label.get_or_init(|| {
            let found = self.keeper.start(&self.original, self.setup.expect, self.host.cancel);
            found.map_err(|why| why.0)
        })
    }

    /// Tests for the failures that a run shows, the worst first.
    fn told(&self, run: &Run) -> anyhow::Result<Told> {
        let mut flaky = None;
        let mut tests = 0;
        for suspect in self.suspects(run) {
            let limit = self.test_limit(run);
            let mut description = String::new();
            for wants in suspect.variants() {
                let (property, label) = self.property(&suspect, run, self.runner(wants, limit));
                if let Test::Holds(observed) = self.test(&*property, &label)? {
                    return Ok(Told::Found(Box::new(Found { property, observed: *observed, label })));
                }
                description = property.describe();
                tests += 1;
            }
            flaky = flaky.or(suspect.is_certain().then_some(description));
        }
        Ok(flaky.map_or(Told::Nothing, |property| Told::Flaky(property, tests)))
    }

    fn test(&self, property: &dyn Property, label: &Label) -> anyhow::Result<Test> {
        match property.test(&self.doc, label, self.setup.seed.into(), self.host.cancel) {
            Test::Stopped(stop) => Err(stopped(stop)),
            test => Ok(test),
        }
    }

    /// Tests a property that held once some more times.
    fn measured(&self, name: &str, found: Found) -> anyhow::Result<Detected> {
        let Found { property, observed, label } = found;
        let mut rate = Stability { runs: 1, failed: 1 };
        while is_unsettled(rate, self.setup.repeat) {
            rate.runs += 1;
            rate.failed += u32::from(matches!(self.test(&*property, &label)?, Test::Holds(_)));
        }
        let start = Start { name: name.into(), doc: self.doc.clone(), label, observed };
        Ok(rated(start, property, rate, (self.setup.repeat, self.setup.threshold)))
    }
}
