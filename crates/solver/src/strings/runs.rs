//! Strings that run along a word: prefixes of `(ab)*`, such as `abab` and `aba`. Such a string is determined by its length.
//!
//! - `x, y ∈ (ab)*`, `|x| ≥ |y|`: `x` contains `y`.
//! - `x ∈ (ab)*`: `(str.substr x i n)` is in `(ab)*(ε|a)` if `i` is even, in `(ba)*(ε|b)` if it is odd.
//!
//! Both also for concatenations of such strings and constants, such as `x "ab" y`. Inferred where a candidate model gives the term a wrong value, since
//! otherwise its lengths would be tried one after the other.

use super::membership::{Memberships, form_premises, store};
use super::powers::{MAX_PARTS, only_powers, runs_along};
use super::round::Round;
use crate::builder::Builder;
use crate::calculus::{Calculus, equality};
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use crate::poly::Poly;
use rustc_hash::FxHashMap;
use semantics::regex::Re;
use smt::{Head, Int, Op, Sort, Term};

/// Steps of the regular expression engine for one query.
const BUDGET: u64 = 20_000;
/// The longest word for which all positions modulo its length are told apart.
const MAX_CASES: usize = 8;

/// A string that is a prefix of all long powers of `word`, and why.
#[derive(Clone, Debug)]
struct Run {
    word: Vec<u32>,
    premises: Vec<Premise>,
}

/// The runs of a round.
pub(super) struct Runs<'r> {
    round: &'r Round,
    all: Memberships,
    /// Classes whose language has only powers of a word.
    powers: FxHashMap<Node, Option<Run>>,
}

impl<'r> Runs<'r> {
    pub(super) fn new(c: &mut Calculus<'_>, round: &'r Round) -> Option<Runs<'r>> {
        let all = Memberships::new(c, round, |_| false)?;
        Some(Runs { round, all, powers: FxHashMap::default() })
    }

    /// States what follows for a term whose value is wrong in the candidate model. True if that is new.
    pub(super) fn infer(&mut self, c: &mut Calculus<'_>, n: Node) -> bool {
        match c.head(c.term(n)) {
            Head::Op(Op::StrContains) => self.contained(c, n),
            Head::Op(Op::StrSubstr) => self.cut(c, n),
            _ => false,
        }
    }

    /// `(str.contains s u)`, or `s` is too short.
    fn contained(&mut self, c: &mut Calculus<'_>, n: Node) -> bool {
        let &[s, u] = c.state.egraph.args(n) else { return false };
        let (Some(hay), Some(needle)) = (self.of(c, s), self.of(c, u)) else { return false };
        let k = hay.word.len();
        let Some(shift) = (0..k).find(|&d| rotated(&hay.word, d) == needle.word) else { return false };
        let (t, s, u) = (c.term(n), c.term(s), c.term(u));
        let (room, shift) = (c.len(u), c.int(shift as i64));
        let (len, room) = (c.len(s), c.plus(room, shift));
        let fits = c.ge(len, room);
        let short = c.not(fits);
        let premises = [hay.premises, needle.premises].concat();
        c.lemma(Rule::Powers, &premises, &[t, short])
    }

    /// The language of `(str.substr s i m)`, which depends on `i` modulo the length of the word.
    fn cut(&mut self, c: &mut Calculus<'_>, n: Node) -> bool {
        let &[s, i, _] = c.state.egraph.args(n) else { return false };
        let Some(run) = self.of(c, s) else { return false };
        let (t, i, k) = (c.term(n), c.term(i), run.word.len());
        let mut premises = run.premises;
        if let Some((phase, why)) = self.residue(c, i, k) {
            premises.extend(why);
            let member = along(c, t, &rotated(&run.word, phase));
            return c.lemma(Rule::Powers, &premises, &[member]);
        }
        if k > MAX_CASES {
            return false;
        }
        let modulus = c.int(k as i64);
        let rest = c.mk(Op::Mod, &[i, modulus]);
        let mut sent = false;
        for phase in 0..k {
            let r = c.int(phase as i64);
            let here = c.eq(rest, r);
            let (other, member) = (c.not(here), along(c, t, &rotated(&run.word, phase)));
            sent |= c.lemma(Rule::Powers, &premises, &[other, member]);
        }
        sent
    }

    /// A number modulo `k`: a sum of multiples of `k` and of lengths that are.
    fn residue(&mut self, c: &mut Calculus<'_>, i: Term, k: usize) -> Option<(usize, Vec<Premise>)> {
        let sum = Poly::of(c.terms.pool, i);
        let k = Int::from(k as i64);
        let mut premises = Vec::new();
        for (t, coefficient) in &sum.terms {
            if coefficient.divisible_by(&k) {
                continue;
            }
            let (Head::Op(Op::StrLen), &[x]) = (c.head(*t), c.terms.pool.args(*t)) else { return None };
            let x = c.state.egraph.node(x)?;
            let root = c.state.egraph.root(x);
            let power = self.power(c, root)?;
            let length = Int::from(power.word.len() as i64);
            if !(coefficient * &length).divisible_by(&k) {
                return None;
            }
            premises.extend(equality(x, root).into_iter().chain(power.premises));
        }
        Some((sum.constant.mod_euclid_smt(&k)?.to_usize()?, premises))
    }

    /// A string as a run: of a language, or of a form.
    fn of(&mut self, c: &mut Calculus<'_>, n: Node) -> Option<Run> {
        let root = c.state.egraph.root(n);
        if let Some(power) = self.power(c, root) {
            let premises = power.premises.into_iter().chain(equality(n, root)).collect();
            return Some(Run { word: power.word, premises });
        }
        let form = self.round.normal.get(&root).cloned()?;
        if form.parts.len() < 2 || form.parts.len() > MAX_PARTS {
            return None;
        }
        let Run { word, mut premises } = self.of_parts(c, &form.parts)?;
        premises.extend(form_premises(c, &form));
        premises.extend(equality(n, root));
        Some(Run { word, premises })
    }

    /// A concatenation of powers, constants between them, and a run at the end.
    fn of_parts(&mut self, c: &mut Calculus<'_>, parts: &[Node]) -> Option<Run> {
        let mut before = 0;
        let first = parts.iter().find_map(|&p| match c.word_of(p) {
            Some(w) => {
                before += w.len();
                None
            }
            None => Some(self.power(c, p)),
        })??;
        let k = first.word.len();
        let word = rotated(&first.word, (k - before % k) % k);
        let (mut phase, mut premises) = (0, Vec::new());
        for (j, &p) in parts.iter().enumerate() {
            if let Some(w) = c.word_of(p) {
                if w.iter().enumerate().any(|(i, a)| *a != word[(phase + i) % k]) {
                    return None;
                }
                phase = (phase + w.len()) % k;
                continue;
            }
            let here = rotated(&word, phase);
            premises.extend(match self.power(c, p) {
                Some(power) if power.word == here => power.premises,
                Some(_) => return None,
                None if j + 1 == parts.len() => self.along(c, p, &here)?,
                None => return None,
            });
        }
        Some(Run { word, premises })
    }

    /// The word of which all strings in the language of a class are powers.
    fn power(&mut self, c: &mut Calculus<'_>, root: Node) -> Option<Run> {
        if let Some(known) = self.powers.get(&root) {
            return known.clone();
        }
        let found = self.language(c, root).and_then(|(language, premises)| {
            let word = only_powers(c, language, BUDGET)?;
            Some(Run { word, premises })
        });
        self.powers.insert(root, found.clone());
        found
    }

    /// Why all strings in the language of a class run along a word.
    fn along(&self, c: &mut Calculus<'_>, root: Node, word: &[u32]) -> Option<Vec<Premise>> {
        let (language, premises) = self.language(c, root)?;
        runs_along(c, language, word, BUDGET).then_some(premises)
    }

    /// The language of a class by its memberships alone, which hold for all lengths.
    fn language(&self, c: &mut Calculus<'_>, root: Node) -> Option<(Re, Vec<Premise>)> {
        let list: Vec<_> = self.all.of(root)?.iter().filter(|m| !m.weak).collect();
        let languages: Vec<Re> = list.iter().map(|m| m.language).collect();
        let premises = list.iter().flat_map(|m| m.premises.iter().copied()).collect();
        Some((store(c).inter(&languages), premises))
    }
}

/// That a term is a prefix of powers of a word.
fn along(c: &mut Calculus<'_>, t: Term, word: &[u32]) -> Term {
    let constant = |c: &mut Calculus<'_>, w: &[u32]| {
        let w = c.terms.pool.string(w);
        c.terms.pool.mk(Head::Op(Op::StrToRe), Sort::REGLAN, &[w])
    };
    let once = constant(c, word);
    let mut all = c.terms.pool.mk(Head::Op(Op::ReStar), Sort::REGLAN, &[once]);
    if word.len() > 1 {
        let ends: Vec<Term> = (0..word.len()).map(|n| constant(c, &word[..n])).collect();
        let end = c.terms.pool.mk(Head::Op(Op::ReUnion), Sort::REGLAN, &ends);
        all = c.terms.pool.mk(Head::Op(Op::ReConcat), Sort::REGLAN, &[all, end]);
    }
    c.mk(Op::StrInRe, &[t, all])
}

/// A word from its character number `n` on, around its end.
fn rotated(word: &[u32], n: usize) -> Vec<u32> {
    [&word[n..], &word[..n]].concat()
}
