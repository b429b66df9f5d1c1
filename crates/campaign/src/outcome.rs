//! The vocabulary of a campaign: how a process ended, what the solver said, and what that amounts to.
//!
//! The enums are plain data with a stable text form (`code`), which is what the store holds and reports show.

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

            /// The one with this text form.
            pub fn from_code(code: &str) -> Option<$name> {
                match code { $($code => Some($name::$variant),)* _ => None }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.code())
            }
        }
    };
}

codes! {
    /// What the solver said to `check-sat`.
    Answer {
        /// `sat`
        Sat = "sat",
        /// `unsat`
        Unsat = "unsat",
        /// `unknown`
        Unknown = "unknown",
        /// Nothing that is an answer.
        None = "none",
    }
}

codes! {
    /// What the referee found about the model of a `sat`.
    ModelCheck {
        /// All assertions hold.
        Holds = "holds",
        /// One is false.
        Fails = "fails",
        /// Cannot be told: the referee gave up on an assertion.
        Untold = "untold",
        /// What was printed cannot be read as a model.
        Unreadable = "unreadable",
        /// None was printed, or none was asked for.
        Absent = "absent",
    }
}

codes! {
    /// What was found about the core of an `unsat`.
    CoreCheck {
        /// Unsatisfiable, and no assertion of it can be left out.
        Minimal = "minimal",
        /// Unsatisfiable, but larger than it need be.
        Imprecise = "imprecise",
        /// It has a model.
        Satisfiable = "satisfiable",
        /// It names something that was not asserted.
        Foreign = "foreign",
        /// Cannot be told.
        Untold = "untold",
        /// What was printed cannot be read as a core.
        Unreadable = "unreadable",
        /// None was printed, or none was asked for.
        Absent = "absent",
    }
}

codes! {
    /// The verdict on a run: the letters of the ICSE'20 paper, `ok`, and `?` where nothing can be said.
    Verdict {
        /// The right answer, and nothing wrong with its model or core.
        Ok = "ok",
        /// Rightly `sat`, but the model falsifies the formula.
        InvalidModel = "IM",
        /// Rightly `unsat`, but the core is not a minimal one.
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
        /// Nothing can be said: nothing is known of the formula, or the evidence cannot be judged.
        Untold = "?",
    }
}

codes! {
    /// The finer kind of a verdict.
    Kind {
        /// ok: `sat` with a model that the referee accepts.
        GoodModel = "good-model",
        /// ok: `sat`, no model asked for.
        RightSat = "right-sat",
        /// ok: `unsat` with a minimal core.
        GoodCore = "good-core",
        /// ok: `unsat`, no core asked for.
        RightUnsat = "right-unsat",
        /// IM: the model falsifies an assertion.
        BadModel = "bad-model",
        /// IC, unsound: the core has a model.
        UnsoundCore = "unsound-core",
        /// IC, unsound: the core names what was not asserted.
        ForeignCore = "foreign-core",
        /// IC, imprecise: the core is not minimal.
        ImpreciseCore = "imprecise-core",
        /// S: as the truth of the formula tells.
        WrongSat = "wrong-sat",
        /// S, of a solver that over-approximates: imprecise, not unsound.
        OverApproximation = "over-approximation",
        /// U: as the truth of the formula, or another solver's checked model, tells.
        WrongUnsat = "wrong-unsat",
        /// K
        Unknown = "unknown",
        /// K: the operator is listed as unsupported in the solver's profile, and it said so.
        Unsupported = "unsupported",
        /// T: the wall clock.
        WallTime = "wall-time",
        /// T: processor time.
        CpuTime = "cpu-time",
        /// T: the solver itself gave up at its own limit.
        OwnLimit = "own-limit",
        /// E: died by a signal or an abnormal exit code with no answer.
        Crash = "crash",
        /// E: answered, then crashed.
        CrashAfterAnswer = "crash-after-answer",
        /// E: out of memory, by our limit or by its own word.
        OutOfMemory = "out-of-memory",
        /// E: rejected the input: syntax, an unknown symbol, an unsupported operator or logic.
        Rejected = "rejected",
        /// E: any other error message.
        Message = "error-message",
        /// E: what it printed is not an answer.
        Garbage = "garbage",
        /// E: printed nothing and ended.
        Silent = "silent",
        /// E: printed more than the limit.
        Flood = "flood",
        /// E: could not be started.
        NotStarted = "not-started",
        /// ?: right answer, but its model was not printed, cannot be read or cannot be judged.
        ModelUntold = "model-untold",
        /// ?: right answer, but its core was not printed, cannot be read or cannot be judged.
        CoreUntold = "core-untold",
        /// ?: nothing is known of the formula.
        Open = "open",
        /// ?: solvers disagree and nothing decides between them.
        Disagreement = "disagreement",
    }
}

impl Verdict {
    /// A wrong result in the sense of soundness; `kind` tells cores and over-approximations apart.
    pub fn unsound(self, kind: Kind) -> bool {
        match self {
            Verdict::InvalidModel | Verdict::WrongUnsat => true,
            Verdict::WrongSat => kind != Kind::OverApproximation,
            Verdict::InvalidCore => kind != Kind::ImpreciseCore,
            _ => false,
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
    /// We ended it: the wall clock.
    WallLimit,
    /// We ended it, or the kernel did: processor time.
    CpuLimit,
    /// We ended it, or the kernel did: memory.
    MemoryLimit,
    /// We ended it: too much output.
    OutputLimit,
    /// We ended it: the campaign was stopped.
    Cancelled,
    /// It could not be started, and why.
    NotStarted(String),
    /// It answered and goes on: a session in batch mode.
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
