//! Concats: a variable is a deep concatenation of others, perhaps with a known value and known characters.
//!
//! *Syntactic* depth is one equation with a deep term, *semantic* depth a chain of equations `x0 = x1·x2`, `x2 = x3·x4`, ….
//! The answer is always known, see [`decide`].

mod decide;

use super::{Builder, Generator, Info};
use crate::dice::Dice;
use crate::parameters::{choice, parameters};
use decide::{Extract, Layout};
use semantics::instance::Truth;
use smt::{Op, Sort, Term};

choice! {
    /// The kind of depth.
    pub enum DepthType {
        /// The depth of one term.
        Syntactic = "syntactic",
        /// The length of a chain of equations.
        Semantic = "semantic",
    }
}

parameters! {
    /// Parameters of `concats`.
    pub struct Concats {
        /// The depth of the concatenation
        depth: u64 = 5, "depth" "N";
        /// One deep term, or a chain of equations
        depth_type: DepthType = DepthType::Syntactic, "depth-type" "TYPE";
        /// The value of the concatenation
        solution: Option<String> = None, "solution" "TEXT";
        /// Known characters at random positions of random variables; at most (--extract-max + 1) of each
        extract: u64 = 0, "extract" "N";
        /// The last position of a known character
        extract_max: u64 = 10, "extract-max" "N";
        /// A balanced tree instead of a right-heavy one; it has 2^depth leaves
        balanced: bool = false, "balanced" "";
    }
}

impl Generator for Concats {
    fn info(&self) -> Info {
        Info {
            name: "concats",
            about: "Deep concatenations, and characters of their parts",
            truth: "always known",
            example: "--depth 88 --depth-type semantic --solution solution",
        }
    }

    fn check(&self) -> Result<(), String> {
        let semantic = self.depth_type == DepthType::Semantic;
        if semantic && self.balanced {
            return Err("--balanced: only with --depth-type syntactic".into());
        }
        if self.balanced && self.depth > 22 {
            return Err("--balanced: a depth of at most 22, which is four million leaves".into());
        }
        if self.depth > 10_000_000 {
            return Err("--depth: at most 10000000".into());
        }
        let vars = match (semantic, self.balanced) {
            (true, _) => 2 * self.depth + 1,
            (false, _) if self.depth == 0 => 1,
            (false, true) => (1 << self.depth) + 1,
            (false, false) => self.depth + 2,
        };
        let most = self.extract_max.saturating_add(1).saturating_mul(vars);
        if self.extract > most {
            return Err(format!("--extract: there are only {most} places in {vars} variables"));
        }
        Ok(())
    }

    fn make(&self, dice: &mut Dice, b: &mut Builder) -> Result<Truth, String> {
        let (vars, mut layout) = match self.depth_type {
            DepthType::Semantic => self.semantic(b),
            DepthType::Syntactic => self.syntactic(b),
        };
        if let Some(text) = &self.solution {
            let word: Vec<u32> = text.chars().map(u32::from).collect();
            let literal = b.string(&word);
            let t = b.eq(vars[0], literal);
            layout.solution = Some((word, b.assert(t)));
        }
        let extracts = self.extracts(dice, b, &vars);
        Ok(decide::decide(b, &vars, &layout, &extracts))
    }
}

impl Concats {
    /// `x0 = x1·x2`, `x2 = x3·x4`, …
    fn semantic(&self, b: &mut Builder) -> (Vec<Term>, Layout) {
        let depth = self.depth as usize;
        let vars: Vec<Term> = (0..=2 * depth).map(|i| b.declare("x", i, Sort::STRING)).collect();
        for i in (0..2 * depth).step_by(2) {
            let right = b.concat(vars[i + 1], vars[i + 2]);
            let t = b.eq(vars[i], right);
            b.assert(t);
        }
        let pieces = (0..depth).map(|k| 2 * k + 1).chain([2 * depth]).collect();
        (vars, Layout { pieces, suffixes: (0..depth).map(|k| 2 * k).collect(), ..Layout::default() })
    }

    /// `x0 = (x1·(x2·…))`
    fn syntactic(&self, b: &mut Builder) -> (Vec<Term>, Layout) {
        let leaves = match (self.depth, self.balanced) {
            (0, _) => 0,
            (depth, true) => 1 << depth,
            (depth, false) => depth as usize + 1,
        };
        let vars: Vec<Term> = (0..=leaves).map(|i| b.declare("x", i, Sort::STRING)).collect();
        if leaves == 0 {
            return (vars, Layout { pieces: vec![0], ..Layout::default() });
        }
        let tree = if self.balanced {
            let mut level = vars[1..].to_vec();
            while level.len() > 1 {
                level = level.chunks(2).map(|pair| b.concat(pair[0], pair[1])).collect();
            }
            level[0]
        } else {
            b.chain(Op::StrConcat, Sort::STRING, &vars[1..])
        };
        let t = b.eq(vars[0], tree);
        b.assert(t);
        (vars, Layout { pieces: (1..=leaves).collect(), suffixes: vec![0], ..Layout::default() })
    }

    /// `c = (str.at x i)`, no place twice.
    fn extracts(&self, dice: &mut Dice, b: &mut Builder, vars: &[Term]) -> Vec<Extract> {
        let mut out = Vec::with_capacity(self.extract as usize);
        if self.extract == 0 {
            return out;
        }
        let places = (self.extract_max + 1) as usize;
        let mut taken: rustc_hash::FxHashMap<(usize, usize), ()> = rustc_hash::FxHashMap::default();
        while out.len() < self.extract as usize {
            let (mut var, mut index) = (dice.index(vars.len()), dice.index(places));
            // The next free place, so that it ends when nearly all are taken.
            while taken.insert((var, index), ()).is_some() {
                index += 1;
                if index == places {
                    (var, index) = ((var + 1) % vars.len(), 0);
                }
            }
            let letter = dice.letter();
            let (c, i) = (b.string(&[letter]), b.int(index as u64));
            let at = b.mk(Op::StrAt, Sort::STRING, &[vars[var], i]);
            let t = b.eq(c, at);
            out.push(Extract { var, index, letter, assertion: b.assert(t) });
        }
        out
    }
}
