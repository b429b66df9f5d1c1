//! Memberships in ground languages: refuted, or given a word.
//!
//! All memberships of a class are one language: the intersection of those that hold and the complements of those that
//! do not. If a class is a concatenation, what its components may be is put together first. An empty language is a
//! conflict; a language without a word of the length that arithmetic gives is a lemma on lengths; otherwise a word is
//! taken for the model. Languages are the referee's (symbolic derivatives), within a budget.

use super::classes::Classes;
use super::normal::Normal;
use crate::egraph::{Node, Premise};
use crate::infer::Rule;
use crate::rewrite::Mode;
use crate::theory::{Stop, Theory};
use rustc_hash::{FxHashMap, FxHashSet};
use sat::Context;
use semantics::regex::{Re, RegexStore};
use semantics::{Config, Evaluator, Model, Value};
use smt::{Head, Op, Sort, Term};

/// Steps of the language solver for one question.
const BUDGET: u64 = 2_000_000;

/// The longest word that is looked for.
const LONGEST: usize = 5_000;

/// Languages of regular expression terms.
#[derive(Default)]
pub(crate) struct Languages {
    store: Option<RegexStore>,
    of: FxHashMap<Term, Option<Re>>,
}

impl std::fmt::Debug for Languages {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Languages({})", self.of.len())
    }
}

/// A membership that has a truth value.
#[derive(Clone, Debug)]
struct Membership {
    /// The language that the string is in: the complement, if it is not in the regular expression.
    language: Re,
    /// Its value, and which node its string is.
    premises: Vec<Premise>,
    /// Only a disequality with a constant, which is a membership as well.
    disequality: bool,
}

impl Theory<'_> {
    /// Looks at all memberships; words for the model are left in `classes`.
    pub(crate) fn memberships(&mut self, ctx: &mut Context<'_>, classes: &mut Classes) -> Result<(), Stop> {
        let by_class = self.memberships_by_class(classes);
        if by_class.is_empty() {
            return Ok(());
        }
        let codes = self.code_values(classes);
        let mut composite: Vec<Node> = Vec::new();
        for &root in &classes.roots.clone() {
            let Some(list) = by_class.get(&root).filter(|l| is_real(l)) else { continue };
            let Some(normal) = classes.normal.get(&root).cloned() else { continue };
            self.refute(ctx, &normal, list, &by_class)?;
            if normal.parts != [root] {
                composite.push(root);
            }
        }
        for root in composite {
            let normal = classes.normal[&root].clone();
            self.choose_parts(ctx, classes, &normal, &by_class[&root], &by_class, &codes)?;
        }
        for &root in &classes.roots.clone() {
            if let Some(list) = by_class.get(&root).filter(|l| is_real(l))
                && classes.normal.get(&root).is_some_and(|n| n.parts == [root])
                && !classes.chosen.contains_key(&root)
            {
                self.choose(ctx, classes, root, list, &codes)?;
            }
        }
        Ok(())
    }

    /// The least and the greatest length of a word of an expression, if it is ground and has words as far as can be seen.
    pub(crate) fn lengths_of(&mut self, r: Term) -> Option<(u64, u64)> {
        let language = self.language(r)?;
        Some(self.store().lengths(language)).filter(|(least, most)| least <= most)
    }

    fn memberships_by_class(&mut self, classes: &Classes) -> FxHashMap<Node, Vec<Membership>> {
        let mut out: FxHashMap<Node, Vec<Membership>> = FxHashMap::default();
        for &n in &classes.extended {
            let t = self.eg.term(n);
            if !matches!(self.pool.head(t), Head::Op(Op::StrInRe)) {
                continue;
            }
            let (Some(value), &[string, _]) = (self.eg.value(n), self.eg.args(n)) else { continue };
            if self.eg.value(string).is_some() {
                continue;
            }
            let root = self.eg.root(string);
            let Some(language) = self.language(self.pool.args(t)[1]) else { continue };
            let positive = self.eg.same(value, self.truth);
            let language = if positive { language } else { self.store().comp(language) };
            let premises = Self::because(n, value).into_iter().chain(Self::because(string, root)).collect();
            out.entry(root).or_default().push(Membership { language, premises, disequality: false });
        }
        if !out.is_empty() {
            self.add_disequalities(&mut out);
        }
        out
    }

    /// `x != "c"`: x is in the complement of "c".
    fn add_disequalities(&mut self, out: &mut FxHashMap<Node, Vec<Membership>>) {
        for k in 0..self.asserted.len() {
            let l = self.asserted[k];
            let Some(t) = self.cnf.atom(l.var()).filter(|_| !l.is_positive()) else { continue };
            let (Head::Op(Op::Eq), &[a, b]) = (self.pool.head(t), self.pool.args(t)) else { continue };
            if self.pool.sort_of(a) != Sort::STRING {
                continue;
            }
            let (a, b) = (self.node(a), self.node(b));
            for (x, c) in [(a, b), (b, a)] {
                let Some(value) = self.eg.value(c).filter(|_| self.eg.value(x).is_none()) else { continue };
                let Some(word) = self.word_of(value).map(<[u32]>::to_vec) else { continue };
                let only = self.store().word(&word);
                let language = self.store().comp(only);
                let root = self.eg.root(x);
                let mut premises = vec![Premise::Lit(l)];
                premises.extend(Self::because(x, root));
                premises.extend(Self::because(c, value));
                out.entry(root).or_default().push(Membership { language, premises, disequality: true });
            }
        }
    }

    fn store(&mut self) -> &mut RegexStore {
        self.strings.languages.store.get_or_insert_with(RegexStore::new)
    }

    /// The language of a ground regular expression.
    fn language(&mut self, t: Term) -> Option<Re> {
        if let Some(&known) = self.strings.languages.of.get(&t) {
            return known;
        }
        let store = self.strings.languages.store.take().unwrap_or_default();
        let model = {
            let mut m = Model::new();
            m.set_partial(true);
            m
        };
        let mut e = Evaluator::with(self.pool, &model, Config::default(), store);
        let re = match e.eval(t) {
            Ok(Value::Re(r)) => Some(r),
            _ => None,
        };
        self.strings.languages.store = Some(e.into_store());
        self.strings.languages.of.insert(t, re);
        re
    }

    fn together(&mut self, list: &[Membership]) -> Re {
        let all: Vec<Re> = list.iter().map(|m| m.language).collect();
        self.store().inter(&all)
    }

    /// What a component of a normal form may be, and why.
    fn part_language(
        &mut self,
        part: Node,
        by_class: &FxHashMap<Node, Vec<Membership>>,
    ) -> (Re, Vec<Premise>) {
        if let Some(w) = self.word_of(part).map(<[u32]>::to_vec) {
            return (self.store().word(&w), Vec::new());
        }
        let mut languages = Vec::new();
        let mut premises = Vec::new();
        for m in by_class.get(&part).into_iter().flatten() {
            languages.push(m.language);
            premises.extend(m.premises.iter().copied());
        }
        let len = self.len_node(part);
        if let Some(value) = self.eg.value(len)
            && let Some(n) = self.small_int(value).filter(|&n| n <= LONGEST)
        {
            let any = self.store().allchar();
            let exact = self.store().power(any, n as u64);
            languages.push(exact);
            premises.extend(Self::because(len, value));
        }
        let language = match languages[..] {
            [] => self.store().all(),
            _ => self.store().inter(&languages),
        };
        (language, premises)
    }

    /// A conflict if no word is in all languages of a class, its components taken together.
    fn refute(
        &mut self,
        ctx: &mut Context<'_>,
        normal: &Normal,
        list: &[Membership],
        by_class: &FxHashMap<Node, Vec<Membership>>,
    ) -> Result<(), Stop> {
        let whole = self.together(list);
        if self.is_empty(whole) {
            let needed = self.needed_memberships(list.to_vec());
            let premises: Vec<Premise> = needed.iter().flat_map(|m| m.premises.clone()).collect();
            return Err(self.conflict(ctx, Rule::Membership, &premises));
        }
        let mut parts = Vec::new();
        let mut premises: Vec<Premise> = Vec::new();
        for &p in &normal.parts {
            let (language, why) = self.part_language(p, by_class);
            parts.push(language);
            premises.extend(why);
        }
        let form = self.store().concat(&parts);
        let both = self.store().inter(&[form, whole]);
        if self.is_empty(both) {
            premises.extend(normal.premises());
            // The memberships are about the root of the class.
            let root = self.eg.root(normal.term);
            premises.extend(Self::because(normal.term, root));
            premises.extend(list.iter().flat_map(|m| m.premises.clone()));
            return Err(self.conflict(ctx, Rule::Membership, &premises));
        }
        Ok(())
    }

    fn is_empty(&mut self, language: Re) -> bool {
        self.store().is_empty_language(language, BUDGET) == Some(true)
    }

    /// Memberships without which the language would not be empty.
    fn needed_memberships(&mut self, mut list: Vec<Membership>) -> Vec<Membership> {
        let mut k = 0;
        while k < list.len() && list.len() > 1 {
            let mut fewer = list.clone();
            fewer.remove(k);
            let language = self.together(&fewer);
            if self.is_empty(language) {
                list = fewer;
            } else {
                k += 1;
            }
        }
        list
    }

    /// A word for a free class, of the length that arithmetic gives; or what lengths there are.
    fn choose(
        &mut self,
        ctx: &mut Context<'_>,
        classes: &mut Classes,
        root: Node,
        list: &[Membership],
        codes: &FxHashMap<Node, u32>,
    ) -> Result<(), Stop> {
        let n = self.model_length(root);
        if n > LONGEST {
            return Ok(());
        }
        let language = self.together(list);
        if let Some(&c) = codes.get(&root).filter(|_| n == 1) {
            if self.store().try_matches(language, &[c], BUDGET) != Some(false) {
                return Ok(());
            }
            let premises: Vec<Premise> = list.iter().flat_map(|m| m.premises.clone()).collect();
            let other = self.other_code(root, c);
            return if self.lemma(ctx, Rule::MemberLength, &premises, &[other]) { Err(Stop) } else { Ok(()) };
        }
        let any = self.store().allchar();
        let exact = self.store().power(any, n as u64);
        let here = self.store().inter(&[language, exact]);
        match self.store().shortest_member(here, BUDGET) {
            None => Ok(()),
            Some(Some(word)) => {
                let word = self.unused_word(classes, here, word);
                classes.chosen.insert(root, word);
                Ok(())
            }
            Some(None) => self.say_lengths(ctx, root, list, language, n),
        }
    }

    /// A word that no other class was given, if there is one.
    fn unused_word(&mut self, classes: &Classes, language: Re, first: Vec<u32>) -> Vec<u32> {
        let mut taken: FxHashSet<&Vec<u32>> =
            classes.chosen.values().filter(|w| w.len() == first.len()).collect();
        if taken.len() > 30 {
            taken.clear();
        }
        if !taken.contains(&first) {
            return first;
        }
        let words: Vec<Re> = taken.iter().map(|w| self.store().word(w)).collect();
        let used = self.store().union(&words);
        let others = self.store().comp(used);
        let left = self.store().inter(&[language, others]);
        match self.store().shortest_member(left, BUDGET) {
            Some(Some(word)) => word,
            _ => first,
        }
    }

    /// No word has length `n`: they are shorter, or at least as long as the next.
    fn say_lengths(
        &mut self,
        ctx: &mut Context<'_>,
        root: Node,
        list: &[Membership],
        language: Re,
        n: usize,
    ) -> Result<(), Stop> {
        let any = self.store().allchar();
        let more = self.store().power(any, n as u64 + 1);
        let all = self.store().all();
        let longer = self.store().concat(&[more, all]);
        let longer = self.store().inter(&[language, longer]);
        let shortest = self.store().shortest_member(language, BUDGET).flatten().map(|w| w.len());
        let next = self.store().shortest_member(longer, BUDGET);
        let t = self.eg.term(root);
        let len = self.len(t);
        let here = self.pool.int(i64::try_from(n).expect("short"));
        let mut conclusion = Vec::new();
        if shortest.is_none_or(|s| s < n) {
            conclusion.push(self.greater(here, len));
        }
        match next {
            Some(Some(word)) => {
                let next = self.pool.int(i64::try_from(word.len()).expect("short"));
                conclusion.push(self.ge(len, next));
            }
            Some(None) => {}
            None => conclusion.push(self.greater(len, here)),
        }
        let premises: Vec<Premise> = list.iter().flat_map(|m| m.premises.clone()).collect();
        if self.lemma(ctx, Rule::MemberLength, &premises, &conclusion) { Err(Stop) } else { Ok(()) }
    }

    /// Words for the components of a concatenation, of the lengths that arithmetic gives.
    fn choose_parts(
        &mut self,
        ctx: &mut Context<'_>,
        classes: &mut Classes,
        normal: &Normal,
        list: &[Membership],
        by_class: &FxHashMap<Node, Vec<Membership>>,
        codes: &FxHashMap<Node, u32>,
    ) -> Result<(), Stop> {
        let any = self.store().allchar();
        let mut pieces = Vec::new();
        let mut lengths = Vec::new();
        let mut premises: Vec<Premise> = list.iter().flat_map(|m| m.premises.clone()).collect();
        let mut greedy = false;
        let mut coded = Vec::new();
        for &p in &normal.parts {
            let (language, why) = self.part_language(p, by_class);
            premises.extend(why);
            let length = match self.word_of(p) {
                Some(w) => w.len(),
                None => self.model_length(p),
            };
            if length > LONGEST {
                return Ok(());
            }
            let exact = match (classes.chosen.get(&p), codes.get(&p)) {
                (Some(word), _) => {
                    greedy = true;
                    let word = word.clone();
                    self.store().word(&word)
                }
                (None, Some(&c)) if length == 1 => {
                    coded.push((p, c));
                    self.store().word(&[c])
                }
                _ => self.store().power(any, length as u64),
            };
            pieces.push(self.store().inter(&[language, exact]));
            lengths.push((p, length));
        }
        let form = self.store().concat(&pieces);
        let whole = self.together(list);
        let both = self.store().inter(&[form, whole]);
        match self.store().shortest_member(both, BUDGET) {
            None => Ok(()),
            Some(Some(word)) => {
                let mut at = 0;
                for (p, length) in lengths {
                    let piece = word[at..at + length].to_vec();
                    at += length;
                    if self.word_of(p).is_none() {
                        classes.chosen.entry(p).or_insert(piece);
                    }
                }
                Ok(())
            }
            Some(None) if greedy => Ok(()),
            Some(None) => {
                premises.extend(normal.premises());
                let root = self.eg.root(normal.term);
                premises.extend(Self::because(normal.term, root));
                let mut conclusion = Vec::new();
                for (p, c) in coded {
                    conclusion.push(self.other_code(p, c));
                }
                let mut seen: FxHashSet<Node> = FxHashSet::default();
                for (p, length) in lengths {
                    if self.word_of(p).is_none() && seen.insert(p) {
                        let t = self.eg.term(p);
                        let (len, n) = (self.len(t), self.pool.int(i64::try_from(length).expect("short")));
                        let same = self.eq(len, n);
                        conclusion.push(self.not(same));
                    }
                }
                if self.lemma(ctx, Rule::MemberLength, &premises, &conclusion) { Err(Stop) } else { Ok(()) }
            }
        }
    }

    /// The code of a class is not this one.
    fn other_code(&mut self, x: Node, c: u32) -> Term {
        self.in_mode(Mode::WithoutEntailment, |th| {
            let t = th.eg.term(x);
            let code = th.mk(Op::StrToCode, Sort::INT, &[t]);
            let value = th.pool.int(i64::from(c));
            let same = th.eq(code, value);
            th.not(same)
        })
    }
}

/// Whether there is more than disequalities.
fn is_real(list: &[Membership]) -> bool {
    list.iter().any(|m| !m.disequality)
}
