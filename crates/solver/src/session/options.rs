//! Options of a session: those of the standard, and those of z3 and cvc5 under their names.
//!
//! An option that only guides the search of another solver has no effect here, and is accepted, since clients stop at anything but
//! `success`. One that would change answers is accepted only with the value that changes none: `:encoding` must be `unicode`, and proofs cannot be
//! turned on.

use super::{Response, Session, Style};
use crate::options::Options;
use smt::symbol::Symbol;

/// The options that commands, or the caller, can set.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct Settings {
    /// The options of the engine. `cores` is set by the session.
    pub options: Options,
    /// `:produce-models`
    pub models: bool,
    /// `:produce-unsat-cores`
    pub cores: bool,
    /// `:produce-unsat-assumptions`
    pub unsat_assumptions: bool,
    /// `:produce-assignments`
    pub assignments: bool,
    /// `:print-success`
    pub print_success: bool,
    /// `:global-declarations`
    pub global_declarations: bool,
    /// The time limit of each check, in milliseconds.
    pub time_limit: Option<u64>,
    /// `:verbosity`
    pub verbosity: u64,
    /// `:produce-assertions`, which changes nothing: `get-assertions` is always answered.
    pub assertions: bool,
    /// `:smtlib2_compliant`: `echo` keeps the quotes.
    pub compliant: bool,
    /// A model is printed after each `sat`.
    pub show_models: bool,
    /// A core is printed after each `unsat`.
    pub show_cores: bool,
    /// The input is a file, which is answered as a whole: a check after a refused command is not `sat`, and what
    /// `show_models` and `show_cores` print answers the `get-model` or `get-unsat-core` that follows.
    pub file: bool,
    /// Each answer is explained to the host.
    pub explain: bool,
    /// The form of responses.
    pub style: Style,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            options: Options::default(),
            models: true,
            cores: false,
            unsat_assumptions: false,
            assignments: false,
            assertions: false,
            print_success: false,
            global_declarations: false,
            time_limit: None,
            verbosity: 0,
            compliant: false,
            show_models: false,
            show_cores: false,
            explain: false,
            file: false,
            style: Style::Own,
        }
    }
}

/// An option that can be set and queried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Setting {
    Models,
    Cores,
    UnsatAssumptions,
    Assignments,
    Assertions,
    PrintSuccess,
    GlobalDeclarations,
    MinimiseCores,
    Seed,
    Ticks,
    Time,
    Verbosity,
    Compliant,
    /// The channel of responses: standard output only.
    Regular,
    /// The channel of errors.
    Diagnostic,
    /// Proofs: they cannot be turned on.
    Proofs,
    /// The set of characters: that of the standard only.
    Encoding,
    /// `:dump-models`
    ShowModels,
    /// `:dump-unsat-cores`
    ShowCores,
    /// An option that has no effect here.
    Ignored,
}

/// Names of options; the first name of each is preferred.
const NAMES: &[(&str, Setting)] = &[
    (":produce-models", Setting::Models),
    (":model", Setting::Models),
    (":produce-unsat-cores", Setting::Cores),
    (":unsat_core", Setting::Cores),
    (":produce-unsat-assumptions", Setting::UnsatAssumptions),
    (":produce-assignments", Setting::Assignments),
    (":produce-assertions", Setting::Assertions),
    (":interactive-mode", Setting::Assertions),
    (":print-success", Setting::PrintSuccess),
    (":global-declarations", Setting::GlobalDeclarations),
    (":minimal-unsat-cores", Setting::MinimiseCores),
    (":smt.core.minimize", Setting::MinimiseCores),
    (":minimise-cores", Setting::MinimiseCores),
    (":minimize-cores", Setting::MinimiseCores),
    (":random-seed", Setting::Seed),
    (":seed", Setting::Seed),
    (":sat-random-seed", Setting::Seed),
    (":smt.random_seed", Setting::Seed),
    (":random_seed", Setting::Seed),
    (":sat.random_seed", Setting::Seed),
    (":reproducible-resource-limit", Setting::Ticks),
    (":rlimit", Setting::Ticks),
    (":rlimit-per", Setting::Ticks),
    (":timeout", Setting::Time),
    (":tlimit-per", Setting::Time),
    (":tlimit", Setting::Time),
    (":verbosity", Setting::Verbosity),
    (":smtlib2_compliant", Setting::Compliant),
    (":regular-output-channel", Setting::Regular),
    (":diagnostic-output-channel", Setting::Diagnostic),
    (":produce-proofs", Setting::Proofs),
    (":proof", Setting::Proofs),
    (":encoding", Setting::Encoding),
    (":dump-models", Setting::ShowModels),
    (":dump_models", Setting::ShowModels),
    (":dump-unsat-cores", Setting::ShowCores),
];

/// Options without an effect: they guide the search, check or print what is printed in the same way anyway.
const WITHOUT_EFFECT: &[&str] = &[
    ":incremental",
    ":auto_config",
    ":auto-config",
    // z3
    ":model_validate",
    ":model-validate",
    ":well_sorted_check",
    ":type_check",
    ":warning",
    ":verbose",
    ":stats",
    ":ctrl_c",
    // cvc5
    ":fp-exp",
    ":arrays-exp",
    ":sets-exp",
    ":bags-exp",
    ":seq-exp",
    ":finite-model-find",
    ":rewrite-divk",
    ":check-models",
    ":check-unsat-cores",
    ":check-proofs",
    ":debug-check-models",
    ":decision",
    ":simplification",
    ":unconstrained-simp",
    ":full-saturate-quant",
    ":enum-inst",
    ":mbqi",
    ":cegqi",
    ":re-elim",
    ":regexp-elim",
    ":arith-rewrite-equalities",
    ":jh-rlv-order",
    ":ho-elim",
    ":parse-skolem-definitions",
    ":model-cores",
    ":produce-interpolants",
    ":produce-abducts",
    ":produce-difficulty",
    ":sort-inference",
    ":interactive",
    ":interactive-prompt",
    ":model-witness-value",
    ":fmf-bound",
    ":pre-skolem-quant",
    ":ext-rew-prep",
    ":static-learning",
    ":repeat-simp",
    ":ite-simp",
    ":early-exit",
    ":uf-ss",
    ":uf-lazy-ll",
    ":ackermann",
    ":learned-rewrite",
    ":model-var-elim-uneval",
    ":parsing-mode",
    ":expr-depth",
    ":default-expr-depth",
    ":default-dag-thresh",
    ":stats-all",
    ":stats-internal",
];

/// Groups of options without an effect: modules of z3, and techniques of cvc5.
const GROUPS_WITHOUT_EFFECT: &[&str] = &[
    ":pp.",
    ":model.",
    ":smt.",
    ":sat.",
    ":sls.",
    ":nlsat.",
    ":nnf.",
    ":opt.",
    ":fp.",
    ":lp.",
    ":rcf.",
    ":algebraic.",
    ":ackermannization.",
    ":combined_solver.",
    ":model_evaluator.",
    ":parallel.",
    ":parser.",
    ":rewriter.",
    ":solver.",
    ":tactic.",
    ":strings-",
    ":nl-",
    ":quant-",
    ":bv-",
    ":arith-",
    ":print-",
    ":dag-",
];

/// Members of such groups that change answers: the number of characters, and unnamed assertions in cores.
const WITH_EFFECT: &[&str] = &[":strings-alpha-card", ":print-cores-full"];

/// The other options of cvc5 without an effect; `=` after those that have a value.
const OF_CVC5: &str = include_str!("cvc5-options.txt");

/// The names of all options that have an effect.
pub fn option_names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(name, _)| *name)
}

/// Whether an option of cvc5 that has no effect here has a value, which can be the next word of a command line.
pub fn takes_value(name: &str) -> bool {
    OF_CVC5.split_whitespace().any(|option| option.strip_suffix('=') == Some(name))
}

impl Session<'_> {
    fn setting(&self, key: Symbol) -> Option<Setting> {
        let key = self.elaborator.pool.names.name(key);
        let named = NAMES.iter().find(|(name, _)| *name == key).map(|&(_, setting)| setting);
        named.or_else(|| has_no_effect(key).then_some(Setting::Ignored))
    }

    /// Sets an option as the command line of another solver does: without the colon, and also in force after a `reset`.
    /// False if there is no such option, or not with this value.
    pub fn configure(&mut self, name: &str, value: &str) -> bool {
        let key = self.elaborator.pool.names.intern(&format!(":{name}"));
        let set = matches!(self.set_option(key, value), Ok(Response::Success));
        // In z3 it is also the default of `:print-success`, if it is there from the beginning.
        self.settings.print_success |= self.settings.compliant;
        self.initial = self.settings.clone();
        set
    }

    pub(super) fn set_option(&mut self, key: Symbol, value: &str) -> Result<Response, String> {
        let Some(setting) = self.setting(key) else { return Ok(Response::Unsupported) };
        let s = &mut self.settings;
        match setting {
            Setting::Models => s.models = boolean(value)?,
            Setting::Cores => s.cores = boolean(value)?,
            Setting::UnsatAssumptions => s.unsat_assumptions = boolean(value)?,
            Setting::Assignments => s.assignments = boolean(value)?,
            Setting::Assertions => s.assertions = boolean(value)?,
            Setting::PrintSuccess => s.print_success = boolean(value)?,
            Setting::MinimiseCores => s.options.minimise_cores = boolean(value)?,
            Setting::Seed => s.options.seed = number(value)?,
            Setting::Ticks => s.options.ticks = limit(value)?,
            Setting::Time => s.time_limit = limit(value)?.filter(|&ms| ms < u64::from(u32::MAX)),
            Setting::Compliant => s.compliant = boolean(value)?,
            Setting::Verbosity => s.verbosity = number(value)?,
            Setting::GlobalDeclarations => {
                s.global_declarations = boolean(value)?;
                if s.global_declarations {
                    // Declarations from here on outlive the open levels.
                    for level in &mut self.levels {
                        level.mark = None;
                    }
                }
            }
            Setting::Regular if value == "\"stdout\"" => {}
            Setting::Diagnostic if matches!(value, "\"stdout\"" | "\"stderr\"") => {}
            Setting::ShowModels => s.show_models = boolean(value)?,
            Setting::ShowCores => s.show_cores = boolean(value)?,
            Setting::Proofs if !boolean(value)? => {}
            Setting::Encoding if matches!(value, "unicode" | "\"unicode\"") => {}
            Setting::Regular | Setting::Diagnostic | Setting::Proofs | Setting::Encoding => {
                return Ok(Response::Unsupported);
            }
            Setting::Ignored => {}
        }
        Ok(Response::Success)
    }

    pub(super) fn get_option(&self, key: Symbol) -> Response {
        let s = &self.settings;
        let value = match self.setting(key) {
            None | Some(Setting::Ignored) => return Response::Unsupported,
            Some(Setting::Models) => s.models.to_string(),
            Some(Setting::Cores) => s.cores.to_string(),
            Some(Setting::UnsatAssumptions) => s.unsat_assumptions.to_string(),
            Some(Setting::Assignments) => s.assignments.to_string(),
            Some(Setting::Assertions) => s.assertions.to_string(),
            Some(Setting::PrintSuccess) => s.print_success.to_string(),
            Some(Setting::GlobalDeclarations) => s.global_declarations.to_string(),
            Some(Setting::MinimiseCores) => s.options.minimise_cores.to_string(),
            Some(Setting::Seed) => s.options.seed.to_string(),
            Some(Setting::Ticks) => s.options.ticks.unwrap_or(0).to_string(),
            Some(Setting::Time) => s.time_limit.unwrap_or(0).to_string(),
            Some(Setting::Compliant) => s.compliant.to_string(),
            Some(Setting::Verbosity) => s.verbosity.to_string(),
            Some(Setting::ShowModels) => s.show_models.to_string(),
            Some(Setting::ShowCores) => s.show_cores.to_string(),
            Some(Setting::Proofs) => "false".into(),
            Some(Setting::Encoding) => "unicode".into(),
            Some(Setting::Regular | Setting::Diagnostic) => "\"stdout\"".into(),
        };
        Response::Text(value)
    }

    pub(super) fn get_info(&self, key: Symbol) -> Result<Response, String> {
        let key = self.elaborator.pool.names.name(key);
        let value = match key {
            ":name" => format!("\"{}\"", self.settings.style.name()),
            ":version" => format!("\"{}\"", self.settings.style.version()),
            ":authors" => "\"the authors of stringent\"".to_owned(),
            ":error-behavior" => "continued-execution".to_owned(),
            ":assertion-stack-levels" => {
                self.levels.iter().map(|l| u64::from(l.count)).sum::<u64>().to_string()
            }
            ":reason-unknown" => match (&self.reason, &self.mode) {
                (Some(reason), super::Mode::Unknown) => reason_text(reason),
                _ if self.settings.style == Style::Z3 => "\"\"".to_owned(),
                _ => return Err("the last answer is not unknown".into()),
            },
            ":all-statistics" => {
                let rows: Vec<String> = self.statistics.iter().map(|(k, v)| format!(":{k} {v}")).collect();
                return Ok(Response::Text(format!("({})", rows.join("\n "))));
            }
            _ => return Ok(Response::Unsupported),
        };
        Ok(Response::Text(format!("({key} {value})")))
    }
}

/// A symbol such as the standard's `incomplete` and `memout`, or a string.
fn reason_text(reason: &str) -> String {
    if reason.bytes().all(|b| b.is_ascii_lowercase()) && !reason.is_empty() {
        return reason.to_owned();
    }
    format!("\"{}\"", reason.replace('"', "\"\""))
}

/// Whether an option of another solver changes nothing here.
fn has_no_effect(key: &str) -> bool {
    let grouped = || GROUPS_WITHOUT_EFFECT.iter().any(|group| key.starts_with(group));
    let of_cvc5 = || OF_CVC5.split_whitespace().any(|option| option.trim_end_matches('=') == &key[1..]);
    WITHOUT_EFFECT.contains(&key) || !WITH_EFFECT.contains(&key) && (grouped() || of_cvc5())
}

fn boolean(value: &str) -> Result<bool, String> {
    match value {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err("the value must be true or false".into()),
    }
}

fn number(value: &str) -> Result<u64, String> {
    value.parse().map_err(|_| "the value must be a numeral".to_owned())
}

/// A limit; 0 is no limit.
fn limit(value: &str) -> Result<Option<u64>, String> {
    number(value).map(|n| (n > 0).then_some(n))
}
