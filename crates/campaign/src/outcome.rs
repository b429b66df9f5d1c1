//! The vocabulary of a campaign: how a process ended, the answer of the solver, and the verdict on it.
//!
//! The enums are plain data with a stable text form (`code`), which the store holds and reports show.

pub use semantics::Status;

use std::fmt;

/// Declares an enum whose variants have a stable text form.
macro_rules! codes {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $code:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// All of them, in the order of reports.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// Its text form.
            pub fn code(self) -> &'static str {
                match self { $($name::$variant => $code),* }
            }

            /// The value with this text form.
            pub fn from_code(code: &str) -> Option<$name> {
                match code { $($code => Some($name::$variant),)* _ => None }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.code())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.code())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<$name, D::Error> {
                let code = String::deserialize(from)?;
                let unknown = || serde::de::Error::custom(format!("unknown {} `{code}`", stringify!($name)));
                $name::from_code(&code).ok_or_else(unknown)
            }
        }
    };
}

codes! {
    /// The answer of a solver to `check-sat`.
    Answer {
        /// `sat`
        Sat = "sat",
        /// `unsat`
        Unsat = "unsat",
        /// `unknown`
        Unknown = "unknown",
        /// No answer.
        None = "none",
    }
}

codes! {
    /// The referee's finding on the model of a `sat`.
    ModelCheck {
        /// All assertions hold.
        Holds = "holds",
        /// One is false.
        Fails = "fails",
        /// The referee gave up on an assertion.
        Undetermined = "undetermined",
        /// The output cannot be read as a model.
        Unreadable = "unreadable",
        /// None was printed, or none was requested.
        Absent = "absent",
    }
}

codes! {
    /// The finding on the core of an `unsat`.
    CoreCheck {
        /// Unsatisfiable, and no assertion of it can be left out.
        Minimal = "minimal",
        /// Unsatisfiable, but not minimal.
        Imprecise = "imprecise",
        /// It has a model.
        Satisfiable = "satisfiable",
        /// It names something that was not asserted.
        Foreign = "foreign",
        /// Neither shown unsatisfiable nor refuted by a known model.
        Undetermined = "undetermined",
        /// The output cannot be read as a core.
        Unreadable = "unreadable",
        /// None was printed, or none was requested.
        Absent = "absent",
    }
}

codes! {
    /// The verdict on a run: the codes of the ICSE'20 paper, `ok`, `n/a` and `?` for undetermined.
    Verdict {
        /// The answer is correct, and so are the model or core, if requested.
        Ok = "ok",
        /// A correct `sat` with a model that falsifies the formula.
        InvalidModel = "IM",
        /// A correct `unsat` with a core that is not a minimal one.
        InvalidCore = "IC",
        /// `sat` on an unsatisfiable formula.
        WrongSat = "S",
        /// `unsat` on a satisfiable formula.
        WrongUnsat = "U",
        /// `unknown`.
        Unknown = "K",
        /// A time limit.
        Timeout = "T",
        /// A crash, an error message, an answer that cannot be read.
        Error = "E",
        /// The solver does not take the formula, and says so in advance: nothing was asked, nothing is wrong.
        NotApplicable = "n/a",
        /// The answer of the formula is not known, or the evidence cannot be judged.
        Undetermined = "?",
    }
}

codes! {
    /// The verdict in its finest form; it implies the [`Verdict`] and the [`Severity`].
    Kind {
        /// ok: `sat` with a model that the referee accepts.
        ValidModel = "valid-model",
        /// ok: `sat`, no model requested.
        CorrectSat = "correct-sat",
        /// ok: `unsat` with a minimal core.
        MinimalCore = "minimal-core",
        /// ok: `unsat`, no core requested.
        CorrectUnsat = "correct-unsat",
        /// IM: the model falsifies an assertion.
        InvalidModel = "invalid-model",
        /// IC, unsound: the core has a model.
        UnsoundCore = "unsound-core",
        /// IC, unsound: the core names something that was not asserted.
        ForeignCore = "foreign-core",
        /// IC, imprecise: the core is not minimal.
        ImpreciseCore = "imprecise-core",
        /// S: the formula is known to be unsatisfiable.
        WrongSat = "wrong-sat",
        /// S, of a solver that over-approximates: imprecise, not unsound.
        OverApproximation = "over-approximation",
        /// U: the formula is known to be satisfiable, or has a checked model of another solver.
        WrongUnsat = "wrong-unsat",
        /// K
        Unknown = "unknown",
        /// T: wall-clock time.
        WallTime = "wall-time",
        /// T: CPU time.
        CpuTime = "cpu-time",
        /// T: the solver gave up at its own limit.
        OwnLimit = "own-limit",
        /// E: died by a signal or an abnormal exit code without an answer.
        Crash = "crash",
        /// E: answered, then crashed.
        CrashAfterAnswer = "crash-after-answer",
        /// E: out of memory, by our limit or by its own message.
        OutOfMemory = "out-of-memory",
        /// E: rejected the input: syntax, an unknown symbol, an unsupported operator or logic.
        Rejected = "rejected",
        /// E: any other error message.
        Message = "error-message",
        /// E: the output is not an answer.
        Garbage = "garbage",
        /// E: ended without output.
        Silent = "silent",
        /// E: printed more than the limit.
        Flood = "flood",
        /// E: could not be started.
        NotStarted = "not-started",
        /// n/a: the instance was not sent: the solver's dialect cannot express it.
        NotAsked = "not-asked",
        /// n/a: rejected for an operator that the solver's profile lists as unsupported.
        Unsupported = "unsupported",
        /// ?: the instance was not sent: it cannot be read.
        NotSent = "not-sent",
        /// ?: a correct answer whose model is missing, unreadable or undetermined.
        ModelUndetermined = "model-undetermined",
        /// ?: a correct answer whose core is missing, unreadable or undetermined.
        CoreUndetermined = "core-undetermined",
        /// ?: the answer of the formula is not known.
        Unlabelled = "unlabelled",
        /// ?: solvers disagree, and no proof decides.
        Disagreement = "disagreement",
    }
}

codes! {
    /// How bad a verdict is, worst first.
    Severity {
        /// A wrong answer, a model that fails, a core that has a model.
        Unsound = "unsound",
        /// A crash, an error message, no answer that can be read.
        Error = "error",
        /// Correct but coarse: a core that is not minimal, a `sat` of a solver that over-approximates.
        Imprecise = "imprecise",
        /// A time limit.
        Slow = "slow",
        /// `unknown`.
        Unknown = "unknown",
        /// Not asked.
        NotApplicable = "n/a",
        /// Undetermined.
        Undetermined = "undetermined",
        /// Nothing is wrong.
        Fine = "ok",
    }
}

impl Kind {
    /// Its verdict.
    pub fn verdict(self) -> Verdict {
        match self {
            Kind::ValidModel | Kind::CorrectSat | Kind::MinimalCore | Kind::CorrectUnsat => Verdict::Ok,
            Kind::InvalidModel => Verdict::InvalidModel,
            Kind::UnsoundCore | Kind::ForeignCore | Kind::ImpreciseCore => Verdict::InvalidCore,
            Kind::WrongSat | Kind::OverApproximation => Verdict::WrongSat,
            Kind::WrongUnsat => Verdict::WrongUnsat,
            Kind::Unknown => Verdict::Unknown,
            Kind::WallTime | Kind::CpuTime | Kind::OwnLimit => Verdict::Timeout,
            Kind::Crash
            | Kind::CrashAfterAnswer
            | Kind::OutOfMemory
            | Kind::Rejected
            | Kind::Message
            | Kind::Garbage
            | Kind::Silent
            | Kind::Flood
            | Kind::NotStarted => Verdict::Error,
            Kind::NotAsked | Kind::Unsupported => Verdict::NotApplicable,
            Kind::NotSent
            | Kind::ModelUndetermined
            | Kind::CoreUndetermined
            | Kind::Unlabelled
            | Kind::Disagreement => Verdict::Undetermined,
        }
    }

    /// How bad it is.
    pub fn severity(self) -> Severity {
        match self.verdict() {
            Verdict::Ok => Severity::Fine,
            Verdict::WrongSat if self == Kind::OverApproximation => Severity::Imprecise,
            Verdict::InvalidCore if self == Kind::ImpreciseCore => Severity::Imprecise,
            Verdict::InvalidModel | Verdict::WrongUnsat | Verdict::WrongSat | Verdict::InvalidCore => {
                Severity::Unsound
            }
            Verdict::Error => Severity::Error,
            Verdict::Timeout => Severity::Slow,
            Verdict::Unknown => Severity::Unknown,
            Verdict::NotApplicable => Severity::NotApplicable,
            Verdict::Undetermined => Severity::Undetermined,
        }
    }

    /// An answer to a formula whose answer is not known, and nothing refutes it: not a failure.
    pub fn is_open(self) -> bool {
        matches!(self, Kind::Unlabelled | Kind::Disagreement)
    }

    /// A wrong result in the sense of soundness.
    pub fn is_unsound(self) -> bool {
        self.severity() == Severity::Unsound
    }

    /// A wrong result or an error.
    pub fn is_failure(self) -> bool {
        matches!(self.severity(), Severity::Unsound | Severity::Error)
    }

    /// The script was sent to the solver.
    pub fn is_sent(self) -> bool {
        !matches!(self, Kind::NotAsked | Kind::NotSent)
    }
}

impl Severity {
    /// The rank by which campaigns are compared: 0 is correct, 4 is unsound. All reasons for no answer rank the same.
    pub fn rank(self) -> u8 {
        match self {
            Severity::Fine => 0,
            Severity::Imprecise => 1,
            Severity::Slow | Severity::Unknown | Severity::NotApplicable | Severity::Undetermined => 2,
            Severity::Error => 3,
            Severity::Unsound => 4,
        }
    }
}

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this exit code.
    Exited(i32),
    /// By a signal that we did not send.
    Signalled(i32),
    /// At the limit on wall-clock time.
    WallLimit,
    /// At the limit on CPU time.
    CpuLimit,
    /// At the memory limit.
    MemoryLimit,
    /// At the output limit.
    OutputLimit,
    /// The campaign was stopped.
    Cancelled,
    /// It could not be started, and why.
    NotStarted(String),
    /// It answered and is still running: a session in batch mode.
    Running,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Exited(code) => write!(f, "exit {code}"),
            Ending::Signalled(signal) => write!(f, "signal {signal}"),
            Ending::WallLimit => f.write_str("wall limit"),
            Ending::CpuLimit => f.write_str("cpu limit"),
            Ending::MemoryLimit => f.write_str("memory limit"),
            Ending::OutputLimit => f.write_str("output limit"),
            Ending::Cancelled => f.write_str("cancelled"),
            Ending::NotStarted(why) => write!(f, "not started: {why}"),
            Ending::Running => f.write_str("running"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severities_follow_soundness() {
        assert_eq!(Kind::ImpreciseCore.severity(), Severity::Imprecise);
        assert_eq!(Kind::UnsoundCore.severity(), Severity::Unsound);
        assert_eq!(Kind::OverApproximation.severity(), Severity::Imprecise);
        assert_eq!(Kind::WrongSat.severity(), Severity::Unsound);
        assert!(Severity::Unsound < Severity::Error && Severity::Error < Severity::Slow);
        assert!(Severity::Unsound.rank() > Severity::Error.rank());
        assert_eq!(Severity::Slow.rank(), Severity::Unknown.rank());
        assert_eq!(Kind::NotAsked.severity(), Severity::NotApplicable);
        assert_eq!(Kind::Unsupported.verdict(), Verdict::NotApplicable);
        assert_eq!(Kind::NotSent.verdict(), Verdict::Undetermined);
    }

    #[test]
    fn every_verdict_has_a_kind() {
        for verdict in Verdict::ALL {
            assert!(Kind::ALL.iter().any(|kind| kind.verdict() == *verdict), "{verdict}");
        }
    }
}
