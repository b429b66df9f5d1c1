//! The formulas: satisfiable ones of the suite, with constants that can be checked by eye.

use synth::constants::Constants;
use synth::suite::{Options, Preset};
use synth::text::Category;

/// Operations that people know from other languages.
const OPERATIONS: [&str; 6] =
    ["str.replace_all", "str.replace", "str.substr", "str.at", "str.<=", "str.contains"];
/// The strings in them.
const STRINGS: [&str; 5] = ["a", "b", "aa", "ab", "aba"];

/// The options of the suite.
pub(super) fn options() -> Options {
    let mut options = Options::new(Preset::Full);
    options.only = vec![Category::Constant];
    options.operations = OPERATIONS.map(String::from).into();
    let strings = STRINGS.map(String::from).into();
    options.constants = Some(Constants { strings, ints: vec![0, 1, 2], ..Constants::full() });
    options.maker = format!("stringent {}: demo", env!("CARGO_PKG_VERSION"));
    options
}
