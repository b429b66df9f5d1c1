//! Whether two functions have the same value on all words of a language.
//!
//! Both transducers and the language read the input side by side. The *delay* of a state is what one output is ahead of the other, after
//! their common prefix. The functions are the same if and only if, on the states from which the input can still end, outputs never clash,
//! each state has one delay, and ends make up for it (M.-P. Béal, O. Carton, C. Prieur, J. Sakarovitch, "Squaring transducers", TCS
//! 292, 2003). A delay holds letters only: no later output is known to be a copied character of many.

use crate::alphabet::Alphabet;
use crate::language::{Fuel, Language};
use crate::transducer::{Sym, Transducer, letters_of};
use rustc_hash::FxHashMap;

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Twin {
    /// The values of all words of the language are the same.
    Equal,
    /// There are words with different values; one of these is, if any is given.
    Differ(Vec<Vec<u32>>),
}

/// The longest delay.
const MAX_DELAY: usize = 10_000;

/// Compares two transducers that are functions. None if it takes too much work, or more than `most` states.
pub fn compare(
    f: &Transducer,
    g: &Transducer,
    language: &mut dyn Language,
    most: usize,
    fuel: &mut Fuel,
) -> Option<Twin> {
    let alphabet = f.alphabet.join(&g.alphabet).join(&Alphabet::new(language.cuts()));
    let (f, g) = (f.refined(&alphabet), g.refined(&alphabet));
    let product = Product::new(&f, &g, language, most, fuel)?;
    product.delays(&f, &g, fuel)
}

/// A step of the product.
pub(crate) struct Step {
    pub(crate) class: usize,
    /// The edges of both transducers, by number.
    pub(crate) edges: (usize, usize),
    pub(crate) to: usize,
}

/// All that is reachable, with the states from which the input can end.
pub(crate) struct Product {
    pub(crate) states: Vec<(u32, u32, u32)>,
    pub(crate) steps: Vec<Vec<Step>>,
    pub(crate) ends: Vec<bool>,
    /// The number of steps to an end, by state.
    pub(crate) distance: Vec<Option<usize>>,
    pub(crate) alphabet: Alphabet,
}

impl Product {
    pub(crate) fn new(
        f: &Transducer,
        g: &Transducer,
        language: &mut dyn Language,
        most: usize,
        fuel: &mut Fuel,
    ) -> Option<Product> {
        let start = (f.start, g.start, language.start()?);
        let alphabet = f.alphabet.clone();
        let mut p = Product {
            states: vec![start],
            steps: Vec::new(),
            ends: Vec::new(),
            distance: Vec::new(),
            alphabet,
        };
        let mut numbers: FxHashMap<(u32, u32, u32), usize> = FxHashMap::default();
        numbers.insert(start, 0);
        while let Some(&(q, r, s)) = p.states.get(p.steps.len()) {
            let both = f.ends[q as usize].is_some() && g.ends[r as usize].is_some();
            p.ends.push(both && language.accepts(s));
            let mut steps = Vec::new();
            for class in 0..p.alphabet.len() {
                let next = language.step(s, p.alphabet.representative(class))?;
                if language.is_dead(next) {
                    continue;
                }
                for (i, x) in f.edges[q as usize][class].iter().enumerate() {
                    for (j, y) in g.edges[r as usize][class].iter().enumerate() {
                        fuel.spend(1)?;
                        let state = (x.to, y.to, next);
                        let to = *numbers.entry(state).or_insert_with(|| {
                            p.states.push(state);
                            p.states.len() - 1
                        });
                        steps.push(Step { class, edges: (i, j), to });
                    }
                }
            }
            p.steps.push(steps);
            if p.states.len() > most {
                return None;
            }
        }
        p.distance = p.distances();
        Some(p)
    }

    /// By breadth-first search backwards from the ends.
    fn distances(&self) -> Vec<Option<usize>> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        for (from, steps) in self.steps.iter().enumerate() {
            steps.iter().for_each(|s| before[s.to].push(from));
        }
        let mut distance: Vec<Option<usize>> = self.ends.iter().map(|&end| end.then_some(0)).collect();
        let mut queue: Vec<usize> = (0..self.ends.len()).filter(|&s| self.ends[s]).collect();
        let mut at = 0;
        while let Some(&s) = queue.get(at) {
            for &b in &before[s] {
                if distance[b].is_none() {
                    distance[b] = distance[s].map(|d| d + 1);
                    queue.push(b);
                }
            }
            at += 1;
        }
        distance
    }

    /// Follows the delays.
    fn delays(&self, f: &Transducer, g: &Transducer, fuel: &mut Fuel) -> Option<Twin> {
        if self.distance[0].is_none() {
            return Some(Twin::Equal);
        }
        let letter = |&c: &u32| Sym::Letter(c);
        let lead = [f, g].map(|t| t.lead.iter().map(letter).collect::<Vec<Sym>>());
        let Ok(first) = Delay::default().after(&lead[0], &lead[1]) else {
            return Some(Twin::Differ(vec![self.completion(0)]));
        };
        let mut delay: Vec<Option<Delay>> = vec![None; self.states.len()];
        let mut paths: Vec<Vec<u32>> = vec![Vec::new(); self.states.len()];
        delay[0] = Some(first);
        let mut queue = vec![0];
        let mut at = 0;
        while let Some(&s) = queue.get(at) {
            at += 1;
            let (q, r, _) = self.states[s];
            let now = delay[s].clone().expect("states in the queue have a delay");
            if self.ends[s] && !now.closes(&f.ends[q as usize], &g.ends[r as usize]) {
                return Some(Twin::Differ(vec![paths[s].clone()]));
            }
            for step in self.steps[s].iter().filter(|step| self.distance[step.to].is_some()) {
                let x = &f.edges[q as usize][step.class][step.edges.0];
                let y = &g.edges[r as usize][step.class][step.edges.1];
                fuel.spend(1 + x.out.len() + y.out.len() + now.word.len())?;
                let path = [&paths[s][..], &[self.alphabet.representative(step.class)]].concat();
                let next = now.after(&x.out, &y.out).ok().filter(|d| d.word.len() <= MAX_DELAY);
                let whole = |p: &[u32]| [p, &self.completion(step.to)].concat();
                match (next, &delay[step.to]) {
                    (None, _) => return Some(Twin::Differ(vec![whole(&path)])),
                    (Some(next), None) => {
                        delay[step.to] = Some(next);
                        paths[step.to] = path;
                        queue.push(step.to);
                    }
                    (Some(next), Some(known)) if next != *known => {
                        return Some(Twin::Differ(vec![whole(&path), whole(&paths[step.to])]));
                    }
                    _ => {}
                }
            }
        }
        Some(Twin::Equal)
    }

    /// A shortest word from a state to an end.
    fn completion(&self, mut s: usize) -> Vec<u32> {
        let mut word = Vec::new();
        while let Some(d) = self.distance[s].filter(|&d| d > 0) {
            let step = self.steps[s].iter().find(|step| self.distance[step.to] == Some(d - 1));
            let step = step.expect("a state at a distance has a step towards the end");
            word.push(self.alphabet.representative(step.class));
            s = step.to;
        }
        word
    }
}

/// What one output is ahead of the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Delay {
    /// Whether the second is ahead.
    second: bool,
    word: Vec<u32>,
}

/// The outputs differ.
struct Clash;

impl Delay {
    /// The delay after both have written more.
    fn after(&self, x: &[Sym], y: &[Sym]) -> Result<Delay, Clash> {
        let ahead: Vec<Sym> = self.word.iter().map(|&c| Sym::Letter(c)).collect();
        let (x, y) =
            if self.second { (x.to_vec(), [&ahead, y].concat()) } else { ([&ahead, x].concat(), y.to_vec()) };
        let common = x.iter().zip(&y).take_while(|(a, b)| a == b).count();
        let (x, y) = (&x[common..], &y[common..]);
        if !x.is_empty() && !y.is_empty() {
            return Err(Clash);
        }
        let second = !y.is_empty();
        let rest = if second { y } else { x };
        if rest.contains(&Sym::Copy) {
            return Err(Clash);
        }
        Ok(Delay { second, word: letters_of(rest, 0) })
    }

    /// Whether the ends make up for it.
    fn closes(&self, x: &Option<Box<[u32]>>, y: &Option<Box<[u32]>>) -> bool {
        let (Some(x), Some(y)) = (x, y) else { return false };
        if self.second { **x == [&self.word, &y[..]].concat() } else { **y == [&self.word, &x[..]].concat() }
    }
}
