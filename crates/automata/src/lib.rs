//! Finite automata and transducers over the characters 0 to 0x2FFFF.
//!
//! Characters are read in classes: the intervals that no letter or set in question divides ([`Alphabet`]). A
//! [`Transducer`] reads a character a step and writes words of constant letters and *copies* of the character read, so
//! that a class of many characters needs one edge, and the same character can be told from one of the same class.
//!
//! | file | holds |
//! |---|---|
//! | `alphabet.rs` | partitions of the characters |
//! | `transducer.rs` | transducers: construction, application, words that use every edge |
//! | `replace.rs` | letter maps, `str.replace`, `str.replace_all` with constants |
//! | `search.rs` | `str.replace_re`, `str.replace_re_all` of a language |
//! | `compose.rs`, `minimal.rs` | composition; the minimal form of a deterministic one |
//! | `nfa.rs` | explicit automata: trimming, reversal, lengths |
//! | `image.rs` | inverse images and images of languages |
//! | `part.rs` | what a part of a concatenation may be, if the whole is in a language |
//! | `lengths.rs` | bounds of the lengths of values |
//! | `twin.rs` | whether two transducers are the same function |
//! | `agree.rs` | a word on which two transducers have one value |
//!
//! Languages come from outside ([`Language`]): deterministic, state by state. Every operation takes [`Fuel`] and returns nothing when it is used
//! up; nothing recurses on the size of the input.

mod agree;
mod alphabet;
mod compose;
mod image;
mod language;
mod lengths;
mod minimal;
mod nfa;
mod part;
mod replace;
mod search;
mod transducer;
mod twin;

pub use agree::{Agreement, agree};
pub use alphabet::{Alphabet, MAX_LETTER};
pub use compose::compose;
pub use image::{image, inverse};
pub use language::{Everything, Fuel, Language, determinise};
pub use minimal::minimal;
pub use nfa::Nfa;
pub use part::{Part, part};
pub use replace::{letters, replace, replace_all};
pub use search::{replace_re, replace_re_all};
pub use transducer::{Edge, Sym, Transducer};
pub use twin::{Twin, compare};
