//! Candidate models: words for all classes, then the referee's word on the original assertions.
//!
//! A class without a constant or a concatenation is free: its length comes from arithmetic, and it is filled with a
//! character of its own that occurs nowhere else. So different classes have different words, disequalities and
//! negated predicates hold by default, and only what must be true and is not leads to expansion.

use super::classes::Classes;
use crate::egraph::Node;
use crate::theory::{Stop, Theory};
use rustc_hash::{FxHashMap, FxHashSet};
use sat::Context;
use semantics::{Evaluator, Model, Satisfaction, Str, Value};
use smt::{Fun, Head, Op, Sort, Term};

/// The last character of the alphabet.
const MAX_CHARACTER: u32 = 0x2FFFF;

/// The longest word that is made.
const MAX_WORD: usize = 1 << 16;

impl Theory<'_> {
    /// Makes a model and has it judged. Ok(true): accepted. Ok(false): nothing can be done about it.
    pub(crate) fn candidate(&mut self, ctx: &mut Context<'_>) -> Result<bool, Stop> {
        let classes = std::mem::take(&mut self.strings.lengths.classes);
        let words = self.words(&classes);
        debug_assert!(words.iter().flat_map(|w| w.values()).flatten().all(|&c| c <= MAX_CHARACTER));
        let Some(words) = words else {
            if self.bound_on_demand(ctx) {
                return Err(Stop);
            }
            self.give_up("a word of the model would be too long");
            return Ok(false);
        };
        let mut model = self.assignment(ctx, &words);
        self.add_functions(&mut model, &words);
        let mut accepted = model.clone();
        if self.prepared.carry_back(self.pool, &mut accepted).is_ok() && self.accepts(&accepted) {
            self.found = Some(accepted);
            return Ok(true);
        }
        self.repair(ctx, &classes, &words, &model)
    }

    fn give_up(&mut self, why: &str) {
        self.incomplete.get_or_insert_with(|| why.to_owned());
    }

    /// The referee's word.
    fn accepts(&self, model: &Model) -> bool {
        let mut e = Evaluator::new(self.pool, model);
        self.originals.iter().all(|&t| e.truth(t) == Satisfaction::Holds)
    }

    /// A word for every class.
    fn words(&mut self, classes: &Classes) -> Option<FxHashMap<Node, Vec<u32>>> {
        let codes = self.code_values(classes);
        let mut used: FxHashSet<u32> = self.characters();
        let mut letters = letters();
        let mut words: FxHashMap<Node, Vec<u32>> = FxHashMap::default();
        for &root in &classes.roots {
            let Some(n) = classes.normal.get(&root) else { continue };
            if n.parts != [root] || self.word_of(root).is_some() {
                continue;
            }
            let t = self.eg.term(root);
            let len = self.len(t);
            let length = self
                .ar
                .value(self.pool, self.rw, self.mode, len)
                .floor()
                .to_usize()
                .filter(|&n| n <= MAX_WORD)?;
            let word = match (codes.get(&root), classes.chosen.get(&root)) {
                (_, Some(word)) if length == word.len() => word.clone(),
                (Some(&c), _) if length == 1 => vec![c],
                _ => {
                    let c = letters.by_ref().find(|c| used.insert(*c))?;
                    vec![c; length]
                }
            };
            words.insert(root, word);
        }
        for &root in &classes.roots {
            let Some(n) = classes.normal.get(&root) else { continue };
            let mut word = Vec::new();
            for &p in &n.parts {
                match self.word_of(p) {
                    Some(w) => word.extend_from_slice(w),
                    None => word.extend_from_slice(words.get(&p)?),
                }
                if word.len() > MAX_WORD {
                    return None;
                }
            }
            words.insert(root, word);
        }
        Some(words)
    }

    /// Characters that the arithmetic model gives to classes.
    pub(crate) fn code_values(&mut self, classes: &Classes) -> FxHashMap<Node, u32> {
        let mut out = FxHashMap::default();
        for &n in &classes.extended {
            let t = self.eg.term(n);
            if matches!(self.pool.head(t), Head::Op(Op::StrToCode)) {
                let value = self.ar.value(self.pool, self.rw, self.mode, t).floor();
                let code = value.to_i64().and_then(|c| u32::try_from(c).ok());
                if let Some(c) = code.filter(|&c| c <= MAX_CHARACTER) {
                    out.insert(self.eg.root(self.eg.args(n)[0]), c);
                }
            }
        }
        out
    }

    /// The characters of all constants in the e-graph.
    fn characters(&self) -> FxHashSet<u32> {
        let mut out = FxHashSet::default();
        for i in 0..self.eg.len() {
            if let Some(w) = self.word_of(Node(u32::try_from(i).expect("nodes are numbered by u32"))) {
                out.extend(w.iter().copied());
            }
        }
        out
    }

    /// Values for all declared constants and skolems that are nodes.
    fn assignment(&mut self, ctx: &Context<'_>, words: &FxHashMap<Node, Vec<u32>>) -> Model {
        let mut model = Model::new();
        for i in 0..self.eg.len() {
            let n = Node(u32::try_from(i).expect("nodes are numbered by u32"));
            let t = self.eg.term(n);
            let Head::Fun(f) = self.pool.head(t) else { continue };
            if !self.pool.args(t).is_empty() {
                continue;
            }
            if let Some(value) = self.value_of(ctx, n, words) {
                model.assign(f, value);
            }
        }
        model
    }

    /// The value of a node.
    fn value_of(&mut self, ctx: &Context<'_>, n: Node, words: &FxHashMap<Node, Vec<u32>>) -> Option<Value> {
        let t = self.eg.term(n);
        match self.pool.sort_of(t) {
            Sort::STRING => {
                if let Some(w) = self.eg.value(n).and_then(|v| self.word_of(v)) {
                    return Some(Value::Str(Str::concat(&[w])));
                }
                let word = words.get(&self.eg.root(n))?;
                Some(Value::Str(Str::concat(&[word])))
            }
            Sort::INT => Some(Value::Int(self.ar.value(self.pool, self.rw, self.mode, t).floor())),
            Sort::BOOL => {
                let assigned = self.cnf.known(t).and_then(|l| ctx.value(l));
                let merged = || self.eg.value(n).map(|v| self.eg.same(v, self.truth));
                Some(Value::Bool(assigned.or_else(merged).unwrap_or(false)))
            }
            _ => None,
        }
    }

    /// Interpretations of uninterpreted functions, from the applications that are nodes.
    fn add_functions(&mut self, model: &mut Model, words: &FxHashMap<Node, Vec<u32>>) {
        let mut tables: std::collections::BTreeMap<Fun, Vec<(Vec<Term>, Term)>> = Default::default();
        for i in 0..self.eg.len() {
            let n = Node(u32::try_from(i).expect("nodes are numbered by u32"));
            let t = self.eg.term(n);
            let Head::Fun(f) = self.pool.head(t) else { continue };
            if self.pool.args(t).is_empty() || self.pool.fun(f).def.is_some() {
                continue;
            }
            let args: Option<Vec<Term>> =
                self.eg.args(n).to_vec().into_iter().map(|a| self.value_term(a, words)).collect();
            if let (Some(args), Some(value)) = (args, self.value_term(n, words)) {
                let rows = tables.entry(f).or_default();
                if !rows.iter().any(|(a, _)| *a == args) {
                    rows.push((args, value));
                }
            }
        }
        let mut funs = Vec::new();
        for (f, rows) in tables {
            if let Some(g) = self.table_function(f, &rows) {
                funs.push(g);
            }
        }
        let _ = model.define(self.pool, &funs);
    }

    fn value_term(&mut self, n: Node, words: &FxHashMap<Node, Vec<u32>>) -> Option<Term> {
        let t = self.eg.term(n);
        match self.pool.sort_of(t) {
            Sort::STRING => {
                if let Some(v) = self.eg.value(n) {
                    return Some(self.eg.term(v));
                }
                let word = words.get(&self.eg.root(n))?.clone();
                Some(self.pool.string(&word))
            }
            Sort::INT => {
                let value = self.ar.value(self.pool, self.rw, self.mode, t).floor();
                Some(self.pool.int(value))
            }
            Sort::BOOL => Some(self.eg.term(self.eg.value(n)?)),
            _ => None,
        }
    }

    /// A function of the same name that is defined by a table.
    fn table_function(&mut self, f: Fun, rows: &[(Vec<Term>, Term)]) -> Option<Fun> {
        let data = self.pool.fun(f).clone();
        let vars: Vec<Term> = data
            .params
            .iter()
            .enumerate()
            .map(|(i, &sort)| {
                let name = self.pool.names.intern(&format!("x!{i}"));
                self.pool.var(name, sort)
            })
            .collect();
        let mut body = rows.last()?.1;
        for (args, value) in rows.iter().rev().skip(1) {
            let tests: Vec<Term> = vars
                .iter()
                .zip(args)
                .map(|(&v, &a)| self.pool.mk(Head::Op(Op::Eq), Sort::BOOL, &[v, a]))
                .collect();
            let test = match tests[..] {
                [t] => t,
                _ => self.pool.mk(Head::Op(Op::And), Sort::BOOL, &tests),
            };
            body = self.pool.mk(Head::Op(Op::Ite), data.ret, &[test, *value, body]);
        }
        let g = self.pool.declare(data.name, data.params, data.ret);
        self.pool.define(g, vars.into(), body);
        Some(g)
    }

    /// The model is not accepted: terms whose value is wrong are expanded, the simplest first.
    fn repair(
        &mut self,
        ctx: &mut Context<'_>,
        classes: &Classes,
        words: &FxHashMap<Node, Vec<u32>>,
        model: &Model,
    ) -> Result<bool, Stop> {
        let wrong = self.wrong_terms(classes, words, model);
        let mut levels: Vec<u32> = wrong.iter().map(|&(n, _)| self.expansion_level(n)).collect();
        levels.sort_unstable();
        levels.dedup();
        for level in levels {
            let mut said = false;
            for (n, place) in &wrong {
                if self.expansion_level(*n) != level {
                    continue;
                }
                said |= match place {
                    Some(k) => self.not_contains_at(ctx, *n, *k),
                    None => self.expand(ctx, *n),
                };
            }
            if said {
                return Err(Stop);
            }
        }
        if self.care_pairs(ctx, model) {
            return Err(Stop);
        }
        let what = wrong.first().map_or_else(
            || "the candidate model was not accepted".to_owned(),
            |&(n, _)| format!("incomplete for {}", self.head_name(self.eg.term(n))),
        );
        self.give_up(&what);
        if self.log.tracing {
            let text: Vec<String> = wrong.iter().map(|&(n, _)| self.text(self.eg.term(n))).collect();
            self.log.say(|| format!("gave up           wrong: {}", text.join(" ")));
            self.trace_model(model);
        }
        Ok(false)
    }

    /// The model that was not accepted, and which assertions fail, for the trace.
    fn trace_model(&mut self, model: &Model) {
        let store = semantics::regex::RegexStore::new();
        let mut lines = Vec::new();
        for i in 0..self.eg.len() {
            let t = self.eg.term(Node(u32::try_from(i).expect("nodes are numbered by u32")));
            if let Head::Fun(f) = self.pool.head(t)
                && let Some(semantics::model::Meaning::Value(v)) = model.lookup(self.pool, f)
            {
                lines.push(format!("                   {} = {}", self.text(t), v.to_smtlib(&store)));
            }
        }
        let mut e = Evaluator::new(self.pool, model);
        for &t in &self.prepared.assertions {
            let truth = e.truth(t);
            if truth != Satisfaction::Holds {
                lines.push(format!("                   {truth:?}: {}", self.text(t)));
            }
        }
        lines.sort();
        self.log.lines.extend(lines);
    }

    fn head_name(&self, t: Term) -> String {
        match self.pool.head(t) {
            Head::Op(op) | Head::Indexed(op, _) => op.row().name.to_owned(),
            _ => self.text(t),
        }
    }

    /// Extended terms whose class has another value than the model gives them; for a false `contains`, the place.
    fn wrong_terms(
        &mut self,
        classes: &Classes,
        words: &FxHashMap<Node, Vec<u32>>,
        model: &Model,
    ) -> Vec<(Node, Option<usize>)> {
        let mut out = Vec::new();
        for &n in &classes.extended {
            let t = self.eg.term(n);
            let claimed = match self.pool.sort_of(t) {
                Sort::STRING => words.get(&self.eg.root(n)).map(|w| Value::Str(Str::concat(&[w]))),
                Sort::INT => Some(Value::Int(self.ar.value(self.pool, self.rw, self.mode, t).floor())),
                Sort::BOOL => self.eg.value(n).map(|v| Value::Bool(self.eg.same(v, self.truth))),
                _ => None,
            };
            let Some(claimed) = claimed else { continue };
            // The arguments by the words of their classes, so that one wrong term does not make all above it wrong.
            let args: Option<Vec<Term>> =
                self.eg.args(n).to_vec().into_iter().map(|a| self.argument_term(a, words)).collect();
            let ground = match args {
                Some(args) => self.pool.mk(self.pool.head(t), self.pool.sort_of(t), &args),
                None => t,
            };
            let mut e = Evaluator::new(self.pool, model);
            let Ok(actual) = e.eval(ground) else { continue };
            if actual == claimed {
                continue;
            }
            let place = self.occurrence(n, words, &claimed);
            out.push((n, place));
        }
        out
    }

    fn argument_term(&mut self, a: Node, words: &FxHashMap<Node, Vec<u32>>) -> Option<Term> {
        let t = self.eg.term(a);
        match self.pool.sort_of(t) {
            Sort::STRING | Sort::INT => self.value_term(a, words),
            _ => Some(t),
        }
    }

    /// Where the needle is in a `contains` that should be false.
    fn occurrence(&self, n: Node, words: &FxHashMap<Node, Vec<u32>>, claimed: &Value) -> Option<usize> {
        let t = self.eg.term(n);
        if !matches!(self.pool.head(t), Head::Op(Op::StrContains)) || *claimed != Value::Bool(false) {
            return None;
        }
        let word = |a: Node| -> Option<Vec<u32>> {
            match self.eg.value(a).and_then(|v| self.word_of(v)) {
                Some(w) => Some(w.to_vec()),
                None => words.get(&self.eg.root(a)).cloned(),
            }
        };
        let (s, u) = (word(self.eg.args(n)[0])?, word(self.eg.args(n)[1])?);
        if u.is_empty() {
            return Some(0);
        }
        s.windows(u.len()).position(|w| w == u)
    }

    /// Two applications of one function whose arguments have equal values in the model: are they equal or not?
    fn care_pairs(&mut self, ctx: &mut Context<'_>, _model: &Model) -> bool {
        let mut groups: std::collections::BTreeMap<Fun, Vec<Node>> = Default::default();
        for i in 0..self.eg.len() {
            let n = Node(u32::try_from(i).expect("nodes are numbered by u32"));
            let t = self.eg.term(n);
            if let Head::Fun(f) = self.pool.head(t)
                && !self.pool.args(t).is_empty()
            {
                groups.entry(f).or_default().push(n);
            }
        }
        let mut said = false;
        for nodes in groups.values() {
            for (i, &a) in nodes.iter().enumerate() {
                for &b in &nodes[..i] {
                    if !self.eg.same(a, b) {
                        said |= self.care_pair(ctx, a, b);
                    }
                }
            }
        }
        said
    }

    fn care_pair(&mut self, ctx: &mut Context<'_>, a: Node, b: Node) -> bool {
        let pairs: Vec<(Node, Node)> =
            self.eg.args(a).to_vec().into_iter().zip(self.eg.args(b).to_vec()).collect();
        for (x, y) in pairs {
            let (s, t) = (self.eg.term(x), self.eg.term(y));
            if self.eg.same(x, y) || self.pool.sort_of(s) != Sort::INT {
                continue;
            }
            let d = self.difference(s, t);
            if !self.ar.value_of(&d).is_zero() {
                return false;
            }
            let atom = self.eq(s, t);
            if self.split(ctx, crate::infer::Rule::CarePair, &[], atom, true) {
                return true;
            }
        }
        false
    }
}

/// Characters for free classes: letters first, digits never, then everything above Latin-1.
fn letters() -> impl Iterator<Item = u32> {
    ('a'..='z').chain('A'..='Z').map(u32::from).chain(0x100..=MAX_CHARACTER)
}
