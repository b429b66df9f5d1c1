//! Inverse images and images of languages under transducers.

use crate::alphabet::Alphabet;
use crate::language::{Fuel, Language};
use crate::nfa::Nfa;
use crate::transducer::{Sym, Transducer};
use rustc_hash::FxHashMap;

/// The words whose value is in the language. A state is one of the transducer and one of the language, which moves by what is
/// written.
pub fn inverse(t: &Transducer, language: &mut dyn Language, most: usize, fuel: &mut Fuel) -> Option<Nfa> {
    let t = t.refined(&t.alphabet.join(&Alphabet::new(language.cuts())));
    let begin = language.start()?;
    let begin = run(language, begin, &t.lead)?;
    let mut pairs = Pairs::default();
    let first = pairs.number(t.start, begin);
    pairs.nfa.initial.push(first);
    let mut at = 0;
    while let Some(&(q, p)) = pairs.list.get(at) {
        if let Some(end) = &t.ends[q as usize] {
            let last = run(language, p, end)?;
            pairs.nfa.accepting[at] = language.accepts(last);
        }
        for class in 0..t.alphabet.len() {
            let (first, last) = t.alphabet.interval(class);
            let letter = t.alphabet.representative(class);
            for e in &t.edges[q as usize][class] {
                fuel.spend(1 + e.out.len())?;
                let word = crate::transducer::letters_of(&e.out, letter);
                let next = run(language, p, &word)?;
                if !language.is_dead(next) {
                    let to = pairs.number(e.to, next);
                    pairs.nfa.edges[at].push((first, last, to));
                }
            }
        }
        if pairs.list.len() > most {
            return None;
        }
        at += 1;
    }
    Some(pairs.nfa.trimmed())
}

/// Pairs of states, numbered as those of an automaton.
#[derive(Default)]
struct Pairs {
    list: Vec<(u32, u32)>,
    numbers: FxHashMap<(u32, u32), u32>,
    nfa: Nfa,
}

impl Pairs {
    fn number(&mut self, q: u32, p: u32) -> u32 {
        *self.numbers.entry((q, p)).or_insert_with(|| {
            self.list.push((q, p));
            self.nfa.add(false)
        })
    }
}

/// The state after a word.
fn run(language: &mut dyn Language, from: u32, word: &[u32]) -> Option<u32> {
    word.iter().try_fold(from, |s, &c| language.step(s, c))
}

/// The values of the words of the language. Words that are written in one step go through states of their own; steps that write
/// nothing are removed at the end.
pub fn image(t: &Transducer, language: &mut dyn Language, most: usize, fuel: &mut Fuel) -> Option<Nfa> {
    let t = t.refined(&t.alphabet.join(&Alphabet::new(language.cuts())));
    let mut out = Silent::default();
    let begin = language.start()?;
    let mut list = vec![(t.start, begin)];
    let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let source = out.add();
    out.nfa.initial.push(source);
    let first = out.add();
    numbers.insert((t.start, begin), first);
    out.path(source, &constants(&t.lead), (0, 0), first)?;
    let end = out.add();
    out.nfa.accepting[end as usize] = true;
    let mut at = 0;
    while let Some(&(q, p)) = list.get(at) {
        let from = numbers[&(q, p)];
        if let Some(word) = t.ends[q as usize].as_ref().filter(|_| language.accepts(p)) {
            out.path(from, &constants(word), (0, 0), end)?;
        }
        for class in 0..t.alphabet.len() {
            let next = language.step(p, t.alphabet.representative(class))?;
            if language.is_dead(next) {
                continue;
            }
            for e in &t.edges[q as usize][class] {
                fuel.spend(1 + e.out.len())?;
                let to = *numbers.entry((e.to, next)).or_insert_with(|| {
                    list.push((e.to, next));
                    out.add()
                });
                out.path(from, &e.out, t.alphabet.interval(class), to)?;
            }
        }
        if out.nfa.len() > most {
            return None;
        }
        at += 1;
    }
    out.closed(fuel)
}

fn constants(word: &[u32]) -> Vec<Sym> {
    word.iter().map(|&c| Sym::Letter(c)).collect()
}

/// An automaton with steps that read nothing.
#[derive(Default)]
struct Silent {
    nfa: Nfa,
    silent: Vec<Vec<u32>>,
}

impl Silent {
    fn add(&mut self) -> u32 {
        self.silent.push(Vec::new());
        self.nfa.add(false)
    }

    /// A path that reads a word; none if two copies must be equal, which intervals do not state.
    fn path(&mut self, from: u32, word: &[Sym], copied: (u32, u32), to: u32) -> Option<()> {
        if word.iter().filter(|&&s| s == Sym::Copy).count() > 1 {
            return None;
        }
        let Some((last, before)) = word.split_last() else {
            self.silent[from as usize].push(to);
            return Some(());
        };
        let interval = |s: Sym| match s {
            Sym::Letter(c) => (c, c),
            Sym::Copy => copied,
        };
        let mut at = from;
        for &s in before {
            let next = self.add();
            let (a, b) = interval(s);
            self.nfa.edges[at as usize].push((a, b, next));
            at = next;
        }
        let (a, b) = interval(*last);
        self.nfa.edges[at as usize].push((a, b, to));
        Some(())
    }

    /// Each state gets the edges of those that it reaches silently.
    fn closed(self, fuel: &mut Fuel) -> Option<Nfa> {
        let mut out = self.nfa.clone();
        for s in 0..self.nfa.len() {
            let mut seen = vec![u32::try_from(s).expect("few states")];
            let mut at = 0;
            while let Some(&x) = seen.get(at) {
                for &y in &self.silent[x as usize] {
                    fuel.spend(1 + seen.len() / 8)?;
                    if !seen.contains(&y) {
                        seen.push(y);
                    }
                }
                at += 1;
            }
            for &x in &seen[1..] {
                fuel.spend(1 + self.nfa.edges[x as usize].len())?;
                out.edges[s].extend(&self.nfa.edges[x as usize]);
                out.accepting[s] |= self.nfa.accepting[x as usize];
            }
        }
        Some(out.trimmed())
    }
}
