//! What a user can set.

/// The configurations that the seed compares, and the default, which has all that we know.
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
    /// Everything.
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

/// Options of a check.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which techniques are used.
    pub strategy: Strategy,
    /// `:random-seed`
    pub seed: u64,
    /// Whether unsat cores are asked for; assertions are then kept apart.
    pub cores: bool,
    /// Whether cores are made as small as can be.
    pub minimise_cores: bool,
    /// Every lemma is evaluated on many assignments; a false one ends the check with an error.
    pub audit: bool,
    /// Every inference is written to the trace.
    pub trace: bool,
    /// Work before giving up; none: no limit.
    pub ticks: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            strategy: Strategy::Auto,
            seed: 0,
            cores: false,
            minimise_cores: false,
            audit: false,
            trace: false,
            ticks: None,
        }
    }
}
