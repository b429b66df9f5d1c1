//! Why a run is no failure, in plain words.

use super::{Detection, Keep, Passing, Run};
use campaign::clean;
use campaign::judge::Judged;
use campaign::outcome::{Answer, ModelCheck, Verdict};

impl Detection<'_> {
    /// The run, and why it is no failure.
    pub(super) fn passing(&self, run: &Run) -> Passing {
        let summary = run.summary();
        let told = self.told_by(summary);
        let reason = match &self.setup.keep {
            Some(keep) => format!("it does not {}: {told}", wanted(keep)),
            None => told,
        };
        Passing { observed: run.observed(summary), reason, judged: self.is_judged(summary) }
    }

    /// Nothing about the run is undetermined that matters.
    fn is_judged(&self, found: &Judged) -> bool {
        match found.verdict() {
            Verdict::NotApplicable => false,
            Verdict::Undetermined => found.model == ModelCheck::Holds || self.is_right(found),
            _ => true,
        }
    }

    /// The answer is the known one.
    fn is_right(&self, found: &Judged) -> bool {
        let known = self.label.get().and_then(|label| label.as_ref().ok());
        known.is_some_and(|label| label.check(found.check.max(1) - 1).status.code() == found.answer.code())
    }

    fn told_by(&self, found: &Judged) -> String {
        let asked = self.setup.keep.is_some();
        let hint = |text: &str| if asked { String::new() } else { format!("; `--keep {text}` keeps that") };
        match found.verdict() {
            Verdict::Timeout => {
                format!("it hits the time limit of {}{}", clean::time(self.first_limit()), hint("slow"))
            }
            Verdict::Unknown => format!("it answers unknown{}", hint("unknown")),
            Verdict::Error => {
                format!("it reports an error{}: {}", hint("error"), first_line(&found.evidence))
            }
            Verdict::NotApplicable => first_line(&found.evidence).to_owned(),
            _ => self.answered(found),
        }
    }

    fn answered(&self, found: &Judged) -> String {
        let answer = found.answer;
        if found.model == ModelCheck::Holds {
            return "it answers sat, and the referee accepts its model".into();
        }
        if !matches!(answer, Answer::Sat | Answer::Unsat) {
            return format!("there is nothing to judge: {}", first_line(&found.evidence));
        }
        match self.label.get() {
            Some(Err(why)) => format!("it answers {answer}, which cannot be judged: {why}"),
            Some(Ok(_)) if self.is_right(found) => format!("it answers {answer}, which is right"),
            Some(Ok(_)) | None => format!("it answers {answer}, and nothing shows that this is wrong"),
        }
    }
}

fn wanted(keep: &Keep) -> &'static str {
    match keep {
        Keep::Wrong => "answer wrongly",
        Keep::Model => "print an invalid model",
        Keep::Core => "print a wrong core",
        Keep::Crash => "crash",
        Keep::Error => "report an error",
        Keep::Unknown => "answer unknown",
        Keep::Slow(_) | Keep::Slower { .. } => "take that long",
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
