//! Regular expressions as languages: the `RegLan` half of the SMT-LIB theory of Unicode strings.
//!
//! Like [`strings`](crate::strings), this module judges the answers of solvers, so it is written
//! from the text of the standard. A language is a set
//! of words over the alphabet of the code points 0 to 0x2FFFF; surrogates are ordinary characters.
//!
//! All expressions live in a [`RegexStore`], which keeps equal ones once and hands out small
//! handles, [`Re`]. On them it decides membership ([`RegexStore::matches`]), evaluates the
//! operators that search for a match (`str.replace_re`, `str.replace_re_all`, `str.indexof_re`)
//! and, within a budget, decides properties of languages (emptiness, equivalence, a
//! shortest word).
//!
//! Everything is done with derivatives, by J. Brzozowski ("Derivatives of regular expressions",
//! JACM 11, 1964): the derivative of a language L by a character c is { w | cw ∈ L }, and an
//! expression for it follows from an expression for L by a few rules, also for complement and
//! intersection. `derive.rs` describes what limits their growth; the parts of this module are
//!
//! - `charset.rs`: sets of characters, and partitions of the alphabet,
//! - `span.rs`: how often a loop repeats,
//! - `lexicon.rs`: finite sets of words,
//! - `node.rs`, `store.rs`: expressions, each of them kept once, and the disposal of those no longer needed,
//! - `build.rs`, `merge.rs`: the constructors, and the identities they simplify by,
//! - `derive.rs`: derivatives,
//! - `prepare.rs`: preparation of an expression for reading words,
//! - `matching.rs`: membership, search and replacement,
//! - `automaton.rs`, `explore.rs`: derivatives for callers, explicit automata as expressions,
//! - `decide.rs`: emptiness, equivalence, shortest words; `quotient.rs`: what stands between two words,
//! - `residues.rs`, `remainders.rs`: lengths and values of numerals modulo a number,
//! - `render.rs`: expressions as SMT-LIB terms.
//!
//! Expressions may be a million levels deep: nothing here recurses on their depth.

mod automaton;
mod build;
mod charset;
mod decide;
mod derive;
mod explore;
mod lexicon;
mod matching;
mod merge;
mod node;
mod prepare;
mod quotient;
mod remainders;
mod render;
mod residues;
mod span;
mod store;

#[cfg(test)]
mod tests;

pub use automaton::Automaton;
pub use node::Re;
pub use span::Count;
pub use store::RegexStore;
