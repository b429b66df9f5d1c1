//! The replacement of matches of a language, the leftmost first and of these the shortest.
//!
//! A run guesses where matches start. States are a mode, the derivative `D` of the language that the current match has reached, and
//! obligations `O`: derivatives at positions of which was guessed that no match starts there. A run dies when an obligation
//! accepts. Exactly one run succeeds on each word, so the transducer is functional and total.

use crate::alphabet::Alphabet;
use crate::language::{Fuel, Language};
use crate::transducer::{Sym, Transducer};
use rustc_hash::FxHashMap;

/// The mode of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mode {
    /// Characters are copied; a match may start.
    Search,
    /// A match has started, and reached this state of the language.
    Match(u32),
    /// The match is over, and no other is replaced.
    Copy,
}

/// The state of a run: its mode, and its obligations in ascending order.
type Run = (Mode, Vec<u32>);

/// `str.replace_re_all` of the language by `w`: all matches that are not empty.
pub fn replace_re_all(language: &mut dyn Language, w: &[u32], fuel: &mut Fuel) -> Option<Transducer> {
    build(language, w, true, fuel)
}

/// `str.replace_re` of the language by `w`: the first match, which may be empty.
pub fn replace_re(language: &mut dyn Language, w: &[u32], fuel: &mut Fuel) -> Option<Transducer> {
    let start = language.start()?;
    if language.accepts(start) {
        return Some(crate::replace::replace(&[], w));
    }
    build(language, w, false, fuel)
}

struct Search<'a> {
    language: &'a mut dyn Language,
    start: u32,
    /// Mode after a match.
    after: Mode,
    word: Vec<Sym>,
}

fn build(language: &mut dyn Language, w: &[u32], all: bool, fuel: &mut Fuel) -> Option<Transducer> {
    let mut t = Transducer::new(Alphabet::new(language.cuts()));
    let start = language.start()?;
    let after = if all { Mode::Search } else { Mode::Copy };
    let word = w.iter().map(|&c| Sym::Letter(c)).collect();
    let mut search = Search { language, start, after, word };
    let first: Run = (Mode::Search, Vec::new());
    t.ends[0] = Some(Box::default());
    let mut numbers: FxHashMap<Run, u32> = FxHashMap::default();
    numbers.insert(first.clone(), 0);
    let mut runs = vec![first];
    let mut at = 0;
    while let Some(run) = runs.get(at).cloned() {
        for class in 0..t.alphabet.len() {
            let letter = t.alphabet.representative(class);
            fuel.spend(1 + run.1.len())?;
            for (out, next) in search.steps(&run, letter)? {
                let end = (!matches!(next.0, Mode::Match(_))).then(Box::default);
                let to = *numbers.entry(next.clone()).or_insert_with(|| {
                    runs.push(next);
                    t.add(end)
                });
                t.edge(u32::try_from(at).expect("few states"), class, out, to);
            }
        }
        at += 1;
    }
    Some(t)
}

impl Search<'_> {
    /// The steps of a run with a character.
    fn steps(&mut self, (mode, obligations): &Run, letter: u32) -> Option<Vec<(Vec<Sym>, Run)>> {
        let mut out = Vec::new();
        if let Some(kept) = self.moved(obligations, letter)? {
            match *mode {
                Mode::Search => out.extend(self.in_match(self.start, kept, letter)?),
                Mode::Match(d) => out.extend(self.in_match(d, kept, letter)?),
                Mode::Copy => out.push((vec![Sym::Copy], (Mode::Copy, kept))),
            }
        }
        if *mode == Mode::Search {
            let more: Vec<u32> = obligations.iter().copied().chain([self.start]).collect();
            if let Some(kept) = self.moved(&more, letter)? {
                out.push((vec![Sym::Copy], (Mode::Search, kept)));
            }
        }
        Some(out)
    }

    /// A match reads a character.
    fn in_match(&mut self, d: u32, kept: Vec<u32>, letter: u32) -> Option<Option<(Vec<Sym>, Run)>> {
        let next = self.language.step(d, letter)?;
        Some(if self.language.accepts(next) {
            Some((self.word.clone(), (self.after, kept)))
        } else if self.language.is_dead(next) {
            None
        } else {
            Some((Vec::new(), (Mode::Match(next), kept)))
        })
    }

    /// Obligations after a character; the inner none if one accepts.
    fn moved(&mut self, obligations: &[u32], letter: u32) -> Option<Option<Vec<u32>>> {
        let mut kept = Vec::new();
        for &o in obligations {
            let next = self.language.step(o, letter)?;
            if self.language.accepts(next) {
                return Some(None);
            }
            if !self.language.is_dead(next) {
                kept.push(next);
            }
        }
        kept.sort_unstable();
        kept.dedup();
        Some(Some(kept))
    }
}
