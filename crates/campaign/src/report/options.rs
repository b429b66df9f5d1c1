//! The options of report formats.

/// The options of report formats; each format uses those that concern it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Text: groups of errors to show; the rest are counted. Wrong results are always shown.
    pub groups: usize,
    /// Text: settings, all tables, all groups and every run in them.
    pub all: bool,
    /// Text: the table of categories of each solver, and all times.
    pub tables: bool,
    /// Text: commands need not name the store, since it is the newest in the default place.
    pub newest: bool,
    /// Text: with escape codes for bold and colour.
    pub styled: bool,
    /// HTML: failures of each solver to show in full; the rest are counted.
    pub per_solver: usize,
    /// HTML: the most bytes of formulas, outputs and evidence in the page.
    pub bytes: usize,
    /// HTML: pairs of solvers to plot against each other, by name; all pairs of the first four if there are none.
    pub pairs: Vec<(String, String)>,
    /// JUnit: unknowns, time limits and undetermined verdicts are failures.
    pub strict: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            groups: 5,
            all: false,
            tables: false,
            newest: false,
            styled: false,
            per_solver: 500,
            bytes: 16 << 20,
            pairs: Vec::new(),
            strict: false,
        }
    }
}
