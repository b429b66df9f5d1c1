//! Statistics of scripts.
//!
//! The figures of StringFuzz's `stringstats`, and operators and sorts. Terms are counted as they would be written out
//! in full, with every `let` expanded; they are counted in the graph, with the number of occurrences of each term in the
//! tree, so that sharing and depth cost nothing. Counts saturate at 2⁶⁴−1.

use crate::transformers::live;
use smt::{Command, Head, Op, Pool, Script, Term};
use std::collections::BTreeMap;

/// The figures of a script.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Commands.
    pub commands: u64,
    /// `check-sat` and `check-sat-assuming` commands.
    pub checks: u64,
    /// Assertions.
    pub assertions: u64,
    /// Declared constants.
    pub variables: u64,
    /// Declared functions that take arguments.
    pub functions: u64,
    /// Definitions.
    pub definitions: u64,
    /// Quantifiers.
    pub quantifiers: u64,
    /// Literals: strings, numbers, `true` and `false`.
    pub literals: u64,
    /// Applications of operators and functions to arguments.
    pub expressions: u64,
    /// The depth of the deepest assertion; that of a constant is 1.
    pub max_depth: u64,
    /// The median of the depths of the assertions.
    pub median_depth: f64,
    /// The length of the longest string literal.
    pub max_literal: u64,
    /// The median of the lengths of string literals.
    pub median_literal: f64,
    /// Their average.
    pub average_literal: f64,
    /// The maximal depth of directly nested concatenations.
    pub concat_nesting: u64,
    /// The number of applications of each operator, by its SMT-LIB name.
    pub operators: BTreeMap<&'static str, u64>,
    /// The number of declared constants and functions of each sort, by its text.
    pub sorts: BTreeMap<String, u64>,
}

/// Measures a script.
pub fn stats(pool: &Pool, script: &Script) -> Stats {
    let mut s = Stats { commands: script.entries.len() as u64, ..Stats::default() };
    let mut roots = Vec::new();
    for c in script.commands() {
        s.command(pool, c, &mut roots);
    }
    let live = live(pool, script);
    let times = times(pool, &roots, live.len());
    s.terms(pool, &times);
    s.depths(pool, script, &live);
    s
}

/// The number of occurrences of each term in the trees of `roots`.
fn times(pool: &Pool, roots: &[Term], terms: usize) -> Vec<u64> {
    let mut times = vec![0u64; terms];
    for t in roots {
        times[t.0 as usize] += 1;
    }
    for i in (0..terms).rev() {
        let n = times[i];
        if n > 0 {
            for a in below(pool, Term(i as u32)) {
                let m = &mut times[a.0 as usize];
                *m = m.saturating_add(n);
            }
        }
    }
    times
}

/// The arguments, without the variables where they are bound.
fn below(pool: &Pool, t: Term) -> &[Term] {
    let args = pool.args(t);
    match pool.head(t) {
        Head::Forall | Head::Exists | Head::Lambda => &args[args.len() - 1..],
        _ => args,
    }
}

impl Stats {
    fn command(&mut self, pool: &Pool, c: &Command, roots: &mut Vec<Term>) {
        match c {
            Command::Assert(t) => {
                self.assertions += 1;
                roots.push(*t);
            }
            Command::CheckSat => self.checks += 1,
            Command::CheckSatAssuming(ts) => {
                self.checks += 1;
                roots.extend(ts);
            }
            Command::DeclareFun(f) | Command::DeclareConst(f) => {
                let data = pool.fun(*f);
                let counter = if data.params.is_empty() { &mut self.variables } else { &mut self.functions };
                *counter += 1;
                *self.sorts.entry(pool.sort_text(data.ret)).or_default() += 1;
            }
            Command::DefineFun(f) | Command::DefineConst(f) | Command::DefineFunRec(f) => {
                self.definitions += 1;
                roots.extend(pool.fun(*f).def.iter().map(|d| d.body));
            }
            Command::DefineFunsRec(funs) => {
                self.definitions += funs.len() as u64;
                roots.extend(funs.iter().filter_map(|&f| pool.fun(f).def.as_ref()).map(|d| d.body));
            }
            _ => {}
        }
    }

    fn terms(&mut self, pool: &Pool, times: &[u64]) {
        let mut lengths: BTreeMap<u64, u64> = BTreeMap::new();
        let mut nesting: Vec<u64> = vec![0; times.len()];
        let add = |to: &mut u64, n: u64| *to = to.saturating_add(n);
        for (i, &n) in times.iter().enumerate().filter(|(_, n)| **n > 0) {
            let t = Term(i as u32);
            match pool.head(t) {
                Head::Str(id) => {
                    add(&mut self.literals, n);
                    add(lengths.entry(pool.word(id).len() as u64).or_default(), n);
                }
                Head::Int(_) | Head::Real(_) | Head::Op(Op::True | Op::False) => add(&mut self.literals, n),
                Head::Forall | Head::Exists => add(&mut self.quantifiers, n),
                _ => {}
            }
            if !pool.args(t).is_empty() && !matches!(pool.head(t), Head::Annot(_)) {
                add(&mut self.expressions, n);
            }
            if let Head::Op(op) | Head::Indexed(op, _) = pool.head(t) {
                if !matches!(op, Op::True | Op::False) {
                    add(self.operators.entry(op.name()).or_default(), n);
                }
                if op == Op::StrConcat {
                    nesting[i] = 1 + pool.args(t).iter().map(|a| nesting[a.0 as usize]).max().unwrap_or(0);
                    self.concat_nesting = self.concat_nesting.max(nesting[i]);
                }
            }
        }
        self.lengths(&lengths);
    }

    fn lengths(&mut self, lengths: &BTreeMap<u64, u64>) {
        let (mut count, mut sum) = (0u128, 0u128);
        for (&length, &n) in lengths {
            count += u128::from(n);
            sum += u128::from(n) * u128::from(length);
        }
        if count == 0 {
            return;
        }
        let nth = |n: u128| {
            let mut before = 0;
            let holds = |(_, times): &(&u64, &u64)| {
                before += u128::from(**times);
                before > n
            };
            lengths.iter().find(holds).map_or(0, |(length, _)| *length)
        };
        self.max_literal = lengths.keys().next_back().copied().unwrap_or(0);
        self.median_literal = (nth((count - 1) / 2) as f64 + nth(count / 2) as f64) / 2.0;
        self.average_literal = sum as f64 / count as f64;
    }

    fn depths(&mut self, pool: &Pool, script: &Script, live: &[bool]) {
        let mut depth = vec![0u64; live.len()];
        for i in (0..live.len()).filter(|&i| live[i]) {
            let t = Term(i as u32);
            let deepest = below(pool, t).iter().map(|a| depth[a.0 as usize]).max().unwrap_or(0);
            depth[i] = deepest + u64::from(!matches!(pool.head(t), Head::Annot(_)));
        }
        let mut of: Vec<u64> = script.assertions().map(|t| depth[t.0 as usize]).collect();
        of.sort_unstable();
        if let Some(&max) = of.last() {
            self.max_depth = max;
            self.median_depth = (of[(of.len() - 1) / 2] as f64 + of[of.len() / 2] as f64) / 2.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Stats {
        let mut pool = Pool::new();
        let parsed = smt::parse(text.as_bytes(), None, &mut pool);
        assert!(parsed.is_ok(), "{:?}", parsed.diagnostics);
        stats(&pool, &parsed.script)
    }

    #[test]
    fn counts_trees() {
        let s = of(r#"(declare-const x String)(declare-fun f (Int) Int)(declare-const n Int)
            (define-fun g ((y String)) String (str.++ y "abc"))
            (assert (! (= x (str.++ "a" (str.++ "" x) "abcd")) :named A))
            (assert (let ((z (+ n 1))) (= z z (f z))))
            (assert (exists ((q Int)) (= q n)))
            (check-sat)"#);
        assert_eq!((s.variables, s.functions, s.definitions, s.quantifiers), (2, 1, 1, 1));
        assert_eq!((s.commands, s.checks, s.assertions), (8, 1, 3));
        // "abc" "a" "" "abcd", and 1 three times.
        assert_eq!(s.literals, 7);
        assert_eq!((s.max_literal, s.median_literal, s.average_literal), (4, 2.0, 2.0));
        // str.++; =, str.++, str.++; =, +, +, f, +; exists, =
        assert_eq!(s.expressions, 11);
        assert_eq!((s.max_depth, s.median_depth), (4, 4.0));
        assert_eq!(s.concat_nesting, 2);
        assert_eq!(s.operators["+"], 3);
        assert_eq!(s.operators["str.++"], 3);
        assert_eq!(s.sorts["Int"], 2);
    }

    #[test]
    fn neither_sharing_nor_depth_costs() {
        let mut text = String::from("(declare-const x String)(assert (= x ");
        for i in 0..200 {
            let before = if i == 0 { "x".into() } else { format!("a{}", i - 1) };
            text.push_str(&format!("(let ((a{i} (str.++ {before} {before}))) "));
        }
        text.push_str(&format!("a199{}))", ")".repeat(200)));
        let s = of(&text);
        assert_eq!(s.expressions, u64::MAX);
        assert_eq!((s.max_depth, s.concat_nesting), (202, 200));
        let deep = 200_000;
        let text = format!("(declare-const p Bool)(assert {}p{})", "(not ".repeat(deep), ")".repeat(deep));
        assert_eq!(of(&text).max_depth, deep as u64 + 1);
    }

    #[test]
    fn an_empty_script() {
        assert_eq!(of(""), Stats::default());
    }
}
