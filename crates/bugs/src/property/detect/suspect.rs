//! The failures that a run may show, before they are tested.

use super::Detection;
use crate::property::core::BadCore;
use crate::property::crash::{Crash, is_crash};
use crate::property::error::{ErrorMessage, is_error};
use crate::property::fails::{Fails, Failure};
use crate::property::model::InvalidModel;
use crate::property::run::{Run, Runner, case};
use crate::property::slow::{Slow, is_slow};
use crate::property::unknown::Unknown;
use crate::property::wrong::Wrong;
use crate::property::{Keep, Property};
use crate::truth::Label;
use campaign::judge::{Judged, Scope};
use campaign::outcome::{Answer, Kind, ModelCheck, Status};
use campaign::settings::Wants;

/// A failure that a run may show.
pub(super) enum Suspect {
    Wrong {
        /// [`Kind::WrongSat`] or [`Kind::WrongUnsat`].
        kind: Kind,
        /// The judge says so too.
        certain: bool,
    },
    Model(Option<Scope>),
    Core,
    /// The index of the finding.
    Crash(usize),
    /// The index of the finding.
    Error(usize),
    Unknown,
    Slow,
}

impl Suspect {
    /// The requests to try, fewest first.
    pub(super) fn variants(&self) -> Vec<Wants> {
        let all = Wants::default();
        let none = Wants { model: false, core: false, named: false, both: false, ..all };
        let model = Wants { model: true, both: true, ..none };
        let core = Wants { core: true, named: true, ..none };
        match self {
            Suspect::Wrong { kind: Kind::WrongSat, .. } => vec![model, none, all],
            Suspect::Model(_) => vec![model, all],
            Suspect::Core => vec![core, all],
            Suspect::Slow => vec![none, all],
            Suspect::Wrong { .. } | Suspect::Crash(_) | Suspect::Error(_) | Suspect::Unknown => {
                vec![none, model, core, all]
            }
        }
    }

    /// The run that raised it shows the failure itself, so that a test without it shows that it is flaky.
    pub(super) fn is_certain(&self) -> bool {
        match self {
            Suspect::Wrong { certain, .. } => *certain,
            Suspect::Model(_) | Suspect::Core | Suspect::Crash(_) => true,
            Suspect::Error(_) | Suspect::Unknown | Suspect::Slow => true,
        }
    }
}

impl Detection<'_> {
    /// The failures that a run may show, the worst first; only the one to keep, if one is named.
    pub(super) fn suspects(&self, run: &Run) -> Vec<Suspect> {
        let keep = match &self.setup.keep {
            Some(keep) => std::slice::from_ref(keep),
            None => &[Keep::Wrong, Keep::Model, Keep::Core, Keep::Crash, Keep::Error],
        };
        keep.iter().filter_map(|keep| self.suspect(keep, run)).collect()
    }

    fn suspect(&self, keep: &Keep, run: &Run) -> Option<Suspect> {
        let any = |wanted: &dyn Fn(&Judged) -> bool| run.findings.iter().position(wanted);
        match keep {
            Keep::Wrong => self.wrong(run),
            Keep::Model => {
                let at = any(&|f| f.model == ModelCheck::Fails)?;
                Some(Suspect::Model(Scope::of(&run.findings[at].evidence)))
            }
            Keep::Core => {
                self.bad_core(run, &self.runner(Wants::default(), self.first_limit())).map(|_| Suspect::Core)
            }
            Keep::Crash => any(&|f| is_crash(f.kind)).map(Suspect::Crash),
            Keep::Error => {
                any(&|f| is_error(f.kind) || f.kind == Kind::Unsupported && self.setup.keep.is_some())
                    .map(Suspect::Error)
            }
            Keep::Unknown => any(&|f| f.kind == Kind::Unknown).map(|_| Suspect::Unknown),
            Keep::Slow(_) => is_slow(run, self.first_limit()).then_some(Suspect::Slow),
            Keep::Slower { .. } => None,
        }
    }

    /// An answer that is not the known one. Answers whose model the referee accepts are right.
    fn wrong(&self, run: &Run) -> Option<Suspect> {
        let is_open =
            |f: &&Judged| matches!(f.answer, Answer::Sat | Answer::Unsat) && f.model != ModelCheck::Holds;
        let open: Vec<&Judged> = run.findings.iter().filter(|f| f.check > 0).filter(is_open).collect();
        if open.is_empty() {
            return None;
        }
        let label = self.label().as_ref().ok()?;
        let kind = open.iter().find_map(|f| match (f.answer, label.check(f.check - 1).status) {
            (Answer::Sat, Status::Unsat) => Some(Kind::WrongSat),
            (Answer::Unsat, Status::Sat) => Some(Kind::WrongUnsat),
            _ => None,
        })?;
        let runner = self.runner(Wants::default(), self.first_limit());
        let judged = runner.judge(case(&self.doc, &label.statuses()), run.ended.clone());
        let certain = judged.findings.iter().any(|f| f.kind == kind);
        Some(Suspect::Wrong { kind, certain })
    }

    fn bad_core(&self, run: &Run, runner: &Runner) -> Option<BadCore> {
        let printed = run.findings.iter().any(|f| f.answer == Answer::Unsat);
        if !printed || !run.case.has_names() || !runner.solver.profile.cores {
            return None;
        }
        let unknown = Label::not_needed(&self.doc);
        let label = self.label().as_ref().unwrap_or(&unknown);
        BadCore::of(run, runner, &self.doc, label, self.keeper, self.keeper.drop_models(&self.original))
    }

    /// The property of a suspect, and the label that it needs.
    pub(super) fn property(
        &self,
        suspect: &Suspect,
        run: &Run,
        runner: Runner,
    ) -> (Box<dyn Property>, Label) {
        let observed = |at: usize| run.observed(&run.findings[at]);
        let failure: Box<dyn Failure> = match suspect {
            Suspect::Wrong { kind, .. } => Box::new(Wrong { kind: *kind }),
            Suspect::Model(scope) => Box::new(InvalidModel { scope: *scope }),
            Suspect::Core => Box::new(self.bad_core(run, &runner).expect("it was there")),
            Suspect::Crash(at) => Box::new(Crash::of(&observed(*at))),
            Suspect::Error(at) => Box::new(ErrorMessage::of(&observed(*at))),
            Suspect::Unknown => Box::new(Unknown),
            Suspect::Slow => Box::new(Slow(self.first_limit())),
        };
        let label = match self.label.get() {
            Some(Ok(label)) if failure.needs_truth() => label.clone(),
            _ => Label::not_needed(&self.doc),
        };
        (Box::new(Fails { runner, failure }), label)
    }
}
