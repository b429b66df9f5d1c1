//! A string for every class, and values of nodes under them. Other sorts have theirs from `words/values.rs`.
//!
//! A class without a constant or a concatenation is free: its length comes from arithmetic, and it is filled with a
//! character that occurs nowhere else. With `|x| = 2` and `|y| = 1` in the arithmetic model, `x` is `"aa"`, `y` is `"b"`
//! and `(str.++ y x)` is `"baa"`. So different classes have different strings, and disequalities and negated predicates
//! hold without further inferences.

mod values;

pub(crate) use values::{Row, selectors};

use super::codes::characters;
use super::round::Round;
use crate::builder::Builder;
use crate::calculus::Calculus;
use crate::egraph::Node;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::strings::MAX_CHAR;
use semantics::{Evaluator, Model, Str, Value};
use smt::{Head, Int, Op, Rat, Sort, Term};
use values::Values;

/// The longest string that is built.
const MAX_WORD: usize = 1 << 16;
/// The last character of ASCII that is printed as it is.
const LAST_PRINTABLE: u32 = 0x7E;
/// Passes in which functions are computed from the strings of their arguments, at most.
const MAX_PASSES: usize = 4;

/// Strings by class.
#[derive(Clone)]
pub(crate) struct Words {
    strings: FxHashMap<Node, Vec<u32>>,
    /// The value of integer constants, instead of that in arithmetic.
    integer: Option<usize>,
    /// The values of other sorts.
    others: Values,
}

impl Words {
    /// Strings for all classes; none if one is too long.
    pub(super) fn new(c: &mut Calculus<'_>, round: &Round) -> Option<Words> {
        let mut words = Words { strings: free_words(c, round)?, integer: None, others: Values::default() };
        words.fill(c, round)?;
        words.others = Values::new(c, &words);
        debug_assert!(words.strings.values().flatten().all(|&k| k <= MAX_CHAR));
        Some(words)
    }

    /// The strings after functions were computed from those of their arguments; none if all are the same, or one is too
    /// long. They may contradict what is known of a class, so nothing is inferred from them.
    pub(super) fn computed(&self, c: &mut Calculus<'_>, round: &Round) -> Option<Words> {
        let mut words = self.clone();
        if !words.compute(c, round) {
            return None;
        }
        words.fill(c, round)?;
        for _ in 1..MAX_PASSES {
            if !words.compute(c, round) {
                break;
            }
            words.fill(c, round)?;
        }
        words.others = Values::new(c, &words);
        Some(words)
    }

    /// The strings that follow from others for some classes: functions are computed, whatever their lengths in arithmetic. As with
    /// [`Words::computed`], nothing is inferred from them.
    pub(super) fn forward(
        &self,
        c: &mut Calculus<'_>,
        round: &Round,
        given: &[(Node, Vec<u32>)],
    ) -> Option<Words> {
        let mut words = self.clone();
        words.strings.extend(given.iter().cloned());
        words.fill(c, round)?;
        for _ in 0..MAX_PASSES {
            if !words.recompute(c, round, given) {
                break;
            }
            words.fill(c, round)?;
        }
        Some(words)
    }

    /// The strings with letters in the place of the other characters that stand for any; none if there are no such characters. As with
    /// [`Words::computed`], nothing is inferred from them.
    pub(super) fn printable(&self, c: &mut Calculus<'_>) -> Option<Words> {
        let mut used = used_characters(c);
        let mut strange: Vec<u32> = self
            .strings
            .values()
            .flatten()
            .copied()
            .filter(|k| *k > LAST_PRINTABLE && !used.contains(k))
            .collect();
        if strange.is_empty() {
            return None;
        }
        strange.sort_unstable();
        strange.dedup();
        used.extend(self.strings.values().flatten());
        let letters = unusual_characters().take_while(|&k| k <= LAST_PRINTABLE).filter(|k| !used.contains(k));
        let map: FxHashMap<u32, u32> = strange.into_iter().zip(letters).collect();
        let mut words = self.clone();
        for k in words.strings.values_mut().flatten() {
            *k = map.get(k).copied().unwrap_or(*k);
        }
        words.others = Values::new(c, &words);
        Some(words)
    }

    /// The same strings, with a value for all integer constants.
    pub(super) fn with_integer(&self, k: usize) -> Words {
        Words { integer: Some(k), ..self.clone() }
    }

    /// The length of the longest string.
    pub(super) fn longest(&self) -> usize {
        self.strings.values().map(Vec::len).max().unwrap_or(0)
    }

    /// Gives free classes the value of a function. True if a string changed.
    fn recompute(&mut self, c: &mut Calculus<'_>, round: &Round, given: &[(Node, Vec<u32>)]) -> bool {
        let mut changed = false;
        let mut seen: FxHashSet<Node> = given.iter().map(|&(n, _)| n).collect();
        for &n in &round.extended {
            let root = c.state.egraph.root(n);
            if !is_computed(c.head(c.term(n)))
                || !round.is_free(root)
                || c.word_of(root).is_some()
                || !seen.insert(root)
            {
                continue;
            }
            let ground = application_to_values(c, self, n);
            let model = Model::new();
            let Ok(Value::Str(word)) = Evaluator::new(c.terms.pool, &model).eval(ground) else { continue };
            if self.strings.get(&root).is_none_or(|w| w[..] != word[..]) && word.len() <= MAX_WORD {
                self.strings.insert(root, word.to_vec());
                changed = true;
            }
        }
        changed
    }

    /// Strings of constants and concatenations, from those of free classes.
    fn fill(&mut self, c: &Calculus<'_>, round: &Round) -> Option<()> {
        for &root in &round.roots {
            let Some(n) = round.normal.get(&root) else { continue };
            let mut word = Vec::new();
            for &p in &n.parts {
                match c.word_of(p) {
                    Some(w) => word.extend_from_slice(w),
                    None => word.extend_from_slice(self.strings.get(&p)?),
                }
                if word.len() > MAX_WORD {
                    return None;
                }
            }
            self.strings.insert(root, word);
        }
        Some(())
    }

    /// Gives free classes that a function defines its value, if it has the length of the class: `(str.to_lower x)` for `x =
    /// "A"` is `"a"`. True if a string changed.
    fn compute(&mut self, c: &mut Calculus<'_>, round: &Round) -> bool {
        let (mut changed, mut seen) = (false, FxHashSet::default());
        for &n in &round.extended {
            let root = c.state.egraph.root(n);
            let open = is_computed(c.head(c.term(n)))
                && round.is_free(root)
                && c.word_of(root).is_none()
                && !round.chosen.contains_key(&root);
            if !open || !seen.insert(root) {
                continue;
            }
            let ground = application_to_values(c, self, n);
            let model = Model::new();
            let Ok(Value::Str(word)) = Evaluator::new(c.terms.pool, &model).eval(ground) else { continue };
            let old = self.strings.get(&root);
            if old.is_some_and(|w| w.len() == word.len() && w[..] != word[..]) {
                self.strings.insert(root, word.to_vec());
                changed = true;
            }
        }
        changed
    }

    /// The string of the class of a node.
    pub(super) fn of_class(&self, c: &Calculus<'_>, n: Node) -> Option<&[u32]> {
        self.strings.get(&c.state.egraph.root(n)).map(Vec::as_slice)
    }

    /// The string of a node: its constant, or that of its class.
    pub(crate) fn of<'a>(&'a self, c: &'a Calculus<'_>, n: Node) -> Option<&'a [u32]> {
        match c.state.egraph.value(n).and_then(|v| c.word_of(v)) {
            Some(w) => Some(w),
            None => self.of_class(c, n),
        }
    }

    /// The value of a node.
    pub(super) fn value(&self, c: &mut Calculus<'_>, n: Node) -> Option<Value> {
        let t = c.term(n);
        match c.sort(t) {
            Sort::STRING => self.of(c, n).map(|w| Value::Str(Str::concat(&[w]))),
            Sort::INT => Some(Value::Int(match self.integer {
                Some(k) => Int::from(k),
                None => c.model_value(t).floor(),
            })),
            Sort::BOOL => {
                let assigned = c.inferences.literal_of(t).and_then(|l| c.inferences.value(l));
                Some(Value::Bool(assigned.or_else(|| truth_value(c, n)).unwrap_or(false)))
            }
            Sort::REGLAN | Sort::OPAQUE => None,
            _ => {
                let value = self.others.of(c, n)?;
                Evaluator::new(c.terms.pool, &Model::new()).eval(value).ok()
            }
        }
    }

    /// The value of a real term.
    pub(crate) fn real(&self, c: &mut Calculus<'_>, t: Term) -> Option<Rat> {
        self.others.real(c, t)
    }

    /// The value of a node as a term.
    pub(crate) fn value_term(&self, c: &mut Calculus<'_>, n: Node) -> Option<Term> {
        let t = c.term(n);
        let constant = c.state.egraph.value(n).map(|v| c.term(v));
        match c.sort(t) {
            Sort::BOOL => constant,
            Sort::STRING => constant.or_else(|| self.of_class(c, n).map(|w| c.terms.pool.string(w))),
            Sort::INT => {
                let value = c.model_value(t).floor();
                Some(c.terms.pool.int(value))
            }
            Sort::REGLAN | Sort::OPAQUE => None,
            _ => self.others.of(c, n),
        }
    }
}

/// The term with the values of its arguments' classes, so that one wrong term does not make all terms above it wrong.
pub(super) fn application_to_values(c: &mut Calculus<'_>, words: &Words, n: Node) -> Term {
    let t = c.term(n);
    let mut args = Vec::new();
    for a in c.state.egraph.args(n).to_vec() {
        let value = match c.sort(c.term(a)) {
            Sort::STRING | Sort::INT => words.value_term(c, a),
            _ => Some(c.term(a)),
        };
        let Some(value) = value else { return t };
        args.push(value);
    }
    let (head, sort) = (c.head(t), c.sort(t));
    c.terms.pool.mk(head, sort, &args)
}

/// Whether the string of a class is computed from this application: functions whose values the string calculus does not
/// build from parts of their arguments.
fn is_computed(head: Head) -> bool {
    let Head::Op(op) = head else { return false };
    matches!(
        op,
        Op::StrToLower
            | Op::StrToUpper
            | Op::StrRev
            | Op::StrUpdate
            | Op::StrFromInt
            | Op::StrReplace
            | Op::StrReplaceAll
            | Op::StrReplaceRe
            | Op::StrReplaceReAll
    )
}

/// The truth value of the class of a formula.
pub(super) fn truth_value(c: &Calculus<'_>, n: Node) -> Option<bool> {
    c.state.egraph.value(n).map(|v| c.state.egraph.same(v, c.state.truth))
}

/// Strings for free classes: chosen from languages, by their code, or of a character that is not used.
fn free_words(c: &mut Calculus<'_>, round: &Round) -> Option<FxHashMap<Node, Vec<u32>>> {
    let codes = characters(c, round);
    let mut used = used_characters(c);
    let mut unused = unusual_characters().filter(|&k| used.insert(k));
    let mut words: FxHashMap<Node, Vec<u32>> = FxHashMap::default();
    for &root in &round.roots {
        if !round.is_free(root) || c.word_of(root).is_some() {
            continue;
        }
        let t = c.term(root);
        let len = c.len(t);
        let length = c.model_value(len).floor().to_usize().filter(|&n| n <= MAX_WORD)?;
        let word = match (codes.get(&root), round.chosen.get(&root)) {
            (_, Some(word)) if length == word.len() => word.clone(),
            (Some(&code), _) if length == 1 => vec![code],
            _ => vec![unused.next()?; length],
        };
        words.insert(root, word);
    }
    Some(words)
}

/// The characters of all constants in the e-graph.
fn used_characters(c: &Calculus<'_>) -> FxHashSet<u32> {
    nodes(c).filter_map(|n| c.word_of(n)).flatten().copied().collect()
}

/// All nodes of the e-graph, in the order of their creation.
pub(crate) fn nodes(c: &Calculus<'_>) -> impl Iterator<Item = Node> + use<> {
    (0..u32::try_from(c.state.egraph.len()).expect("nodes are numbered by u32")).map(Node)
}

/// Characters for free classes: letters first, digits never, then everything above Latin-1.
fn unusual_characters() -> impl Iterator<Item = u32> {
    ('a'..='z').chain('A'..='Z').map(u32::from).chain(0x100..=MAX_CHAR)
}
