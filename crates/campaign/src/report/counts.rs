//! The columns of tables, and counts by them.

use crate::outcome::{Kind, Verdict};

/// The columns of the table, in their order. A verdict is split where soundness differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Column {
    /// The correct answer.
    Ok,
    /// A model that fails.
    InvalidModel,
    /// A core that has a model, or names something that was not asserted.
    UnsoundCore,
    /// A core that is not minimal.
    ImpreciseCore,
    /// A wrong `sat`.
    WrongSat,
    /// A `sat` of a solver that over-approximates.
    OverApproximation,
    /// A wrong `unsat`.
    WrongUnsat,
    /// `unknown`
    Unknown,
    /// A time limit.
    Timeout,
    /// An error.
    Error,
    /// Not asked.
    NotApplicable,
    /// Undetermined.
    Undetermined,
}

impl Column {
    /// All of them.
    pub const ALL: [Column; 12] = [
        Column::Ok,
        Column::InvalidModel,
        Column::UnsoundCore,
        Column::ImpreciseCore,
        Column::WrongSat,
        Column::OverApproximation,
        Column::WrongUnsat,
        Column::Unknown,
        Column::Timeout,
        Column::Error,
        Column::NotApplicable,
        Column::Undetermined,
    ];

    /// The columns of runs that are neither correct nor failures, in the order of summaries.
    pub const UNSOLVED: [Column; 6] = [
        Column::ImpreciseCore,
        Column::OverApproximation,
        Column::Timeout,
        Column::Unknown,
        Column::NotApplicable,
        Column::Undetermined,
    ];

    /// Which one a run counts in.
    pub fn of(kind: Kind) -> Column {
        match kind.verdict() {
            Verdict::Ok => Column::Ok,
            Verdict::InvalidModel => Column::InvalidModel,
            Verdict::InvalidCore if kind == Kind::ImpreciseCore => Column::ImpreciseCore,
            Verdict::InvalidCore => Column::UnsoundCore,
            Verdict::WrongSat if kind == Kind::OverApproximation => Column::OverApproximation,
            Verdict::WrongSat => Column::WrongSat,
            Verdict::WrongUnsat => Column::WrongUnsat,
            Verdict::Unknown => Column::Unknown,
            Verdict::Timeout => Column::Timeout,
            Verdict::Error => Column::Error,
            Verdict::NotApplicable => Column::NotApplicable,
            Verdict::Undetermined => Column::Undetermined,
        }
    }

    /// Its heading: the code in the paper; `!` marks an unsound core, `~` one that is not minimal, `*` an
    /// over-approximation.
    pub fn head(self) -> &'static str {
        match self {
            Column::Ok => "ok",
            Column::InvalidModel => "IM",
            Column::UnsoundCore => "IC!",
            Column::ImpreciseCore => "IC~",
            Column::WrongSat => "S",
            Column::OverApproximation => "S*",
            Column::WrongUnsat => "U",
            Column::Unknown => "K",
            Column::Timeout => "T",
            Column::Error => "E",
            Column::NotApplicable => "n/a",
            Column::Undetermined => "?",
        }
    }

    /// Its meaning.
    pub fn meaning(self) -> &'static str {
        match self {
            Column::Ok => "correct",
            Column::InvalidModel => "model fails",
            Column::UnsoundCore => "core has a model",
            Column::ImpreciseCore => "core not minimal",
            Column::WrongSat => "wrong sat",
            Column::OverApproximation => "sat by over-approximation",
            Column::WrongUnsat => "wrong unsat",
            Column::Unknown => "unknown",
            Column::Timeout => "time limit",
            Column::Error => "error",
            Column::NotApplicable => "not asked",
            Column::Undetermined => "undetermined",
        }
    }

    /// The key in JSON and CSS.
    pub fn key(self) -> &'static str {
        match self {
            Column::Ok => "ok",
            Column::InvalidModel => "invalid-model",
            Column::UnsoundCore => "unsound-core",
            Column::ImpreciseCore => "imprecise-core",
            Column::WrongSat => "wrong-sat",
            Column::OverApproximation => "over-approximation",
            Column::WrongUnsat => "wrong-unsat",
            Column::Unknown => "unknown",
            Column::Timeout => "timeout",
            Column::Error => "error",
            Column::NotApplicable => "not-applicable",
            Column::Undetermined => "undetermined",
        }
    }
}

/// The count of each column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([u64; 12]);

impl Counts {
    /// The count of one column.
    pub fn get(&self, column: Column) -> u64 {
        self.0[column as usize]
    }

    /// The total.
    pub fn tests(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The total without those that were not asked: what percentages are of.
    pub fn asked(&self) -> u64 {
        self.tests() - self.get(Column::NotApplicable)
    }

    /// Counts a run.
    pub fn count(&mut self, kind: Kind) {
        self.0[Column::of(kind) as usize] += 1;
    }

    /// Counts runs with the same verdict.
    pub fn count_many(&mut self, kind: Kind, runs: u64) {
        self.0[Column::of(kind) as usize] += runs;
    }

    /// Adds others.
    pub fn add(&mut self, other: &Counts) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a += b);
    }
}
