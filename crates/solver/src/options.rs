//! The options of a check.

use crate::engines::Engines;

/// The configurations that the paper (CAV'17) compares, and the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// No context-dependent simplification, no bounding of lengths.
    Base,
    /// `+s`: context-dependent simplification.
    S,
    /// `+f`: lengths bounded from below by decision (finite model finding).
    F,
    /// `+fs`: both.
    Fs,
    /// `+s`, with expansion only of terms whose value is wrong in a candidate model.
    #[default]
    Auto,
}

impl std::str::FromStr for Strategy {
    type Err = String;

    /// Reads `base`, `+s`, `+f`, `+fs` or `auto`; the `+` may be left out.
    fn from_str(text: &str) -> Result<Strategy, String> {
        Ok(match text.trim_start_matches('+') {
            "base" => Strategy::Base,
            "s" => Strategy::S,
            "f" => Strategy::F,
            "fs" | "sf" => Strategy::Fs,
            "auto" => Strategy::Auto,
            _ => return Err("expected base, +s, +f, +fs or auto".into()),
        })
    }
}

impl Strategy {
    /// Whether extended terms are simplified in context.
    pub(crate) fn simplifies(self) -> bool {
        matches!(self, Strategy::S | Strategy::Fs | Strategy::Auto)
    }

    /// Whether lengths are bounded by decision from the start.
    pub(crate) fn bounds_lengths(self) -> bool {
        matches!(self, Strategy::F | Strategy::Fs)
    }

    /// Whether extended terms are expanded only if a candidate model gives them a wrong value.
    pub(crate) fn expands_by_model(self) -> bool {
        matches!(self, Strategy::Auto)
    }
}

/// Options of a check.
#[derive(Clone, Debug)]
pub struct Options {
    /// The techniques that are used.
    pub strategy: Strategy,
    /// The techniques that are on, among those that can be switched off.
    pub engines: Engines,
    /// `:random-seed`
    pub seed: u64,
    /// Whether unsat cores are requested; assertions are then kept separate.
    pub cores: bool,
    /// Whether cores are minimised.
    pub minimise_cores: bool,
    /// Whether every conclusion is evaluated on many assignments; a false one ends the check with `unknown`.
    pub audit: bool,
    /// Whether every inference is written to the trace.
    pub trace: bool,
    /// The limit of work, in ticks; none: no limit.
    pub ticks: Option<u64>,
    /// Whether a check of a session uses what earlier ones left: models, cores, an engine.
    pub reuse: bool,
    /// The mean ticks of the checks of a session from which on an engine is kept between them.
    pub standing_from: u64,
    /// With more than one, two strategies run side by side; the answer does not depend on their speed.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            strategy: Strategy::Auto,
            engines: Engines::default(),
            seed: 0,
            cores: false,
            minimise_cores: false,
            audit: false,
            trace: false,
            ticks: None,
            reuse: true,
            standing_from: 1_500,
            threads: 1,
        }
    }
}
