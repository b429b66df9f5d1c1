//! Edits that make a script smaller, by kind.
//!
//! A [`Pass`] offers [edits](Edit) on a script, each with its [effect](Effect) on the answers, and [`apply()`] does any of them
//! together: delta debugging tries subsets. Every result is standard SMT-LIB, well sorted, without unused declarations, and
//! smaller by [`Size`](crate::doc::Size), so that reduction ends.

mod abstraction;
mod annotations;
mod apply;
mod arity;
mod assertions;
mod assuming;
mod bounds;
mod build;
mod checks;
mod commands;
mod constants;
mod edit;
mod evaluate;
mod facts;
mod global;
mod inline;
mod last;
mod lets;
mod levels;
mod literals;
mod names;
mod operators;
mod order;
mod others;
mod parameters;
mod quantifiers;
mod regexes;
mod rename;
mod simplify;
mod solve;
mod split;
mod subterms;
mod survey;
mod tidy;
mod variables;

pub use apply::{Candidate, apply};
pub use edit::Edit;

use crate::doc::Doc;
#[cfg(doc)]
use crate::doc::Effect;

/// A kind of edit.
pub trait Pass: Sync {
    /// Its name, for progress and `--passes`.
    fn name(&self) -> &'static str;

    /// The edits that it offers on a script, the largest first.
    fn edits(&self, doc: &Doc) -> Vec<Edit>;
}

/// All passes, in the order in which they pay: large steps that are cheap to find come first.
pub const PASSES: &[&dyn Pass] = &[
    &levels::Levels,
    &checks::Checks,
    &assertions::Assertions,
    &commands::Commands,
    &assuming::Assuming,
    &split::Split,
    &annotations::Annotations,
    &constants::Constants,
    &subterms::Arguments,
    &arity::Arity,
    &inline::Inline,
    &solve::Solve,
    &abstraction::Own,
    &subterms::Descendants,
    &quantifiers::Quantifiers,
    &simplify::Simplify,
    &bounds::Bounds,
    &evaluate::Evaluate,
    &variables::Values,
    &variables::Merge,
    &parameters::Parameters,
    &regexes::Regexes,
    &literals::Literals,
    &literals::LiteralsAt,
    &operators::Operators,
    &abstraction::Fresh,
    &others::Others,
    &last::Last,
    &lets::Lets,
    &literals::Characters,
    &rename::Rename,
];

/// The passes with these names, in the order of [`PASSES`]. The error names one that does not exist.
pub fn by_names(names: &[String]) -> Result<Vec<&'static dyn Pass>, String> {
    let known = |name: &String| PASSES.iter().any(|p| p.name() == name);
    if let Some(unknown) = names.iter().find(|name| !known(name)) {
        let all: Vec<&str> = PASSES.iter().map(|p| p.name()).collect();
        return Err(format!("there is no pass `{unknown}`; the passes are {}", all.join(", ")));
    }
    Ok(PASSES.iter().copied().filter(|p| names.iter().any(|name| name == p.name())).collect())
}

#[cfg(test)]
mod tests;
