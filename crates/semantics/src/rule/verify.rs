//! Evaluates a rule on all small values.

use super::{Rule, RuleKind};
use crate::eval::{Config, Evaluator};
use crate::model::Model;
use crate::regex::RegexStore;
use crate::value::{Satisfaction, Value};
use smt::print::term_text;
use smt::{Dialect, Op, Pool, Sort, Term, Walk};

/// Small values to try, simplest first, as closed terms.
#[derive(Clone, Debug)]
pub struct Domain {
    bools: Vec<Term>,
    ints: Vec<Term>,
    reals: Vec<Term>,
    words: Vec<Term>,
    languages: Vec<Term>,
    /// At most this many assignments per rule; the lists are cut from the end to stay below.
    pub max_cases: usize,
}

impl Domain {
    /// The usual small values.
    pub fn small(pool: &mut Pool) -> Domain {
        let words = [
            "",
            "a",
            "b",
            "ab",
            "aa",
            "ba",
            "0",
            "aba",
            "10",
            "bb",
            "aab",
            "-1",
            "abb",
            "007",
            "A",
            "\u{2FFFF}",
        ];
        let words: Vec<Term> =
            words.iter().map(|w| pool.string(&w.chars().map(u32::from).collect::<Vec<_>>())).collect();
        let ints = [0, 1, -1, 2, 3, -2, 4, 10, 5, 7].map(|n: i64| pool.int(n)).to_vec();
        let reals = [(0, 1), (1, 1), (-1, 1), (1, 2), (-3, 2)];
        let reals = reals.iter().filter_map(|&(n, d)| smt::Rat::new(smt::Int::from(n), smt::Int::from(d)));
        let reals = reals.collect::<Vec<_>>().into_iter().map(|q| pool.real(q)).collect();
        let bools = vec![pool.bool(false), pool.bool(true)];
        let languages = languages(pool, &words);
        Domain { bools, ints, reals, words, languages, max_cases: 200_000 }
    }

    /// Larger lists: all words over a, b and 0 up to length 3, words with other characters, the bounds of codes.
    pub fn large(pool: &mut Pool) -> Domain {
        let mut words = vec![String::new()];
        for n in 0..13 {
            let longer = ["a", "b", "0"].map(|c| format!("{}{c}", words[n]));
            words.extend(longer);
        }
        let corners =
            ["\u{2FFFF}", "1", "10", "-1", "A", "007", "abab", "/", ":", "c", "a\u{2FFFF}", "\u{0}"];
        words.splice(4..4, corners.map(String::from));
        words.extend(('2'..='9').map(String::from));
        let ints = [
            0, 1, -1, 2, 3, 196_607, 196_608, -2, 48, 4, 97, 57, 47, 58, 98, 10, -10, 9, 49, 96, 65, 5, 7,
            53, 100, -100,
        ];
        Domain::of_values(pool, &words, &ints)
    }

    /// These words and integers, simplest first; for other sorts the usual values.
    pub fn of_values(pool: &mut Pool, words: &[String], ints: &[i64]) -> Domain {
        let mut domain = Domain::small(pool);
        let word = |w: &String| pool.string(&w.chars().map(u32::from).collect::<Vec<_>>());
        domain.words = words.iter().map(word).collect();
        domain.ints = ints.iter().map(|&n| pool.int(n)).collect();
        domain
    }

    /// The same with the constants of a rule in front.
    fn with_constants_of(&self, pool: &Pool, rule: &Rule) -> Domain {
        let mut domain = self.clone();
        let mut walk = Walk::new([rule.lhs, rule.rhs].into_iter().chain(rule.when));
        while let Some(t) = walk.next() {
            walk.extend(pool.args(t).iter().copied());
            let list = match pool.head(t) {
                smt::Head::Str(_) => &mut domain.words,
                smt::Head::Int(_) => &mut domain.ints,
                _ => continue,
            };
            list.retain(|&known| known != t);
            list.insert(0, t);
        }
        domain
    }

    fn of(&self, sort: Sort) -> Option<&[Term]> {
        match sort {
            Sort::BOOL => Some(&self.bools),
            Sort::INT => Some(&self.ints),
            Sort::REAL => Some(&self.reals),
            Sort::STRING => Some(&self.words),
            Sort::REGLAN => Some(&self.languages),
            _ => None,
        }
    }

    /// Candidate lists for `vars` whose product stays below the limit.
    fn lists(&self, pool: &Pool, vars: &[Term]) -> Option<Vec<&[Term]>> {
        let mut lists: Vec<&[Term]> =
            vars.iter().map(|&v| self.of(pool.sort_of(v))).collect::<Option<_>>()?;
        while lists.iter().map(|l| l.len()).product::<usize>() > self.max_cases {
            let longest = lists.iter().enumerate().max_by_key(|(_, l)| l.len()).map(|(i, _)| i)?;
            let list = lists[longest];
            if list.len() <= 2 {
                break;
            }
            lists[longest] = &list[..list.len() - 1];
        }
        Some(lists)
    }
}

fn languages(pool: &mut Pool, words: &[Term]) -> Vec<Term> {
    let mut op = |op: Op, args: &[Term]| pool.op(op, args).expect("well sorted");
    let none = op(Op::ReNone, &[]);
    let all = op(Op::ReAll, &[]);
    let any = op(Op::ReAllchar, &[]);
    let empty = op(Op::StrToRe, &words[..1]);
    let a = op(Op::StrToRe, &words[1..2]);
    let ab = op(Op::StrToRe, &words[3..4]);
    let star = op(Op::ReStar, &[a]);
    let plus = op(Op::RePlus, &[ab]);
    let union = op(Op::ReUnion, &[a, ab]);
    let range = op(Op::ReRange, &[words[1], words[2]]);
    let comp = op(Op::ReComp, &[a]);
    vec![none, empty, a, any, star, all, union, comp, range, plus, ab]
}

/// The result of verification.
#[derive(Clone, Debug, Default)]
pub struct Verification {
    /// Assignments tried, in both directions.
    pub cases: usize,
    /// Those to which the rule applied: the condition held, and for an equivalence or implication the premise was
    /// true.
    pub fired: usize,
    /// Those where a side could not be evaluated.
    pub undecided: usize,
    /// The first assignment that refutes the rule, as text.
    pub counterexample: Option<String>,
    /// A variable's sort has no small values.
    pub no_domain: bool,
}

impl Verification {
    /// No counterexample, and the rule applied to some assignment.
    pub fn ok(&self) -> bool {
        self.counterexample.is_none() && self.fired > 0 && self.undecided == 0 && !self.no_domain
    }

    /// The result as text.
    pub fn summary(&self) -> String {
        if let Some(c) = &self.counterexample {
            return format!("WRONG: {c}");
        }
        if self.no_domain {
            return "cannot be tried: no small values for the sort of a variable".into();
        }
        if self.fired == 0 {
            return format!("never fires in {} cases", self.cases);
        }
        if self.undecided > 0 {
            return format!("{} of {} cases are undetermined", self.undecided, self.cases);
        }
        format!("holds in {} cases, fires in {}", self.cases, self.fired)
    }
}

impl Rule {
    /// Evaluates the rule on all small values.
    pub fn verify(&self, pool: &mut Pool, domain: &Domain, config: Config) -> Verification {
        let goal = match self.kind {
            RuleKind::Equality => pool.op(Op::Eq, &[self.lhs, self.rhs]).ok(),
            _ => None,
        };
        let model = Model::new();
        let domain = &domain.with_constants_of(pool, self);
        let e = Evaluator::with(pool, &model, config, RegexStore::new());
        let mut check = Checker { rule: self, domain, e, found: Verification::default() };
        match (self.kind, goal) {
            (RuleKind::Equality, Some(goal)) => check.equality(goal),
            (RuleKind::Equality, None) => check.found.no_domain = true,
            (RuleKind::Equivalence, _) => {
                check.forward();
                check.backward();
            }
            (RuleKind::Implication, _) => check.backward(),
        }
        check.found
    }

    /// The defined functions that the rule uses, directly or not, in the order of their definition.
    fn definitions(&self, pool: &Pool) -> Vec<smt::Fun> {
        let mut found = std::collections::BTreeSet::new();
        let mut walk = Walk::new([self.lhs, self.rhs].into_iter().chain(self.when));
        while let Some(t) = walk.next() {
            walk.enter(pool, t);
            if let smt::Head::Fun(f) = pool.head(t)
                && let Some(def) = &pool.fun(f).def
                && found.insert(f)
            {
                walk.push(def.body);
            }
        }
        found.into_iter().collect()
    }

    /// The rule's negation as a script that a solver must find unsat, as independent evidence. For an
    /// equivalence with existentials this is the direction from right to left.
    pub fn refutation(&self, pool: &mut Pool) -> String {
        let mut out = format!("; rule {}\n(set-logic ALL)\n", self.name);
        for f in self.definitions(pool) {
            let mut printer = smt::print::Printer::new(pool, Dialect::Smt26);
            printer.command(&smt::Command::DefineFunRec(f), &mut out).expect("2.6 has every definition");
            out.push('\n');
        }
        for &v in self.vars.iter().chain(&self.exists) {
            out += &format!("(declare-const {} {})\n", term_text(pool, v), pool.sort_text(pool.sort_of(v)));
        }
        if let Some(w) = self.when {
            out += &format!("(assert {})\n", term_text(pool, w));
        }
        let (lhs, rhs) = (term_text(pool, self.lhs), term_text(pool, self.rhs));
        if self.kind == RuleKind::Equality || self.kind == RuleKind::Equivalence && self.exists.is_empty() {
            out += &format!("(assert (distinct {lhs} {rhs}))\n");
        } else {
            out += &format!("(assert (not {lhs}))\n(assert {rhs})\n");
        }
        out + "(check-sat)\n"
    }
}

struct Checker<'a, 'p> {
    rule: &'a Rule,
    domain: &'a Domain,
    e: Evaluator<'p>,
    found: Verification,
}

impl Checker<'_, '_> {
    /// Calls `case` for every assignment of `vars`, until a counterexample is found.
    fn each(&mut self, vars: &[Term], mut case: impl FnMut(&mut Self) -> Option<bool>) {
        let domain = self.domain;
        let Some(lists) = domain.lists(self.e.pool(), vars) else {
            self.found.no_domain = true;
            return;
        };
        let mut at = vec![0; vars.len()];
        loop {
            self.e.unbind();
            for ((&v, list), &i) in vars.iter().zip(&lists).zip(&at) {
                if let Ok(value) = self.e.eval(list[i]) {
                    self.e.bind(v, value);
                }
            }
            self.found.cases += 1;
            match case(self) {
                Some(true) => {}
                Some(false) => {
                    self.found.counterexample = Some(self.assignment(vars));
                    return;
                }
                None => self.found.undecided += 1,
            }
            if !advance(&mut at, &lists) {
                return;
            }
        }
    }

    fn assignment(&mut self, vars: &[Term]) -> String {
        let show = |e: &mut Evaluator<'_>, t: Term| {
            e.eval(t).map_or_else(|w| w.reason().to_owned(), |v| v.to_smtlib(e.store()))
        };
        let mut parts: Vec<String> = vars
            .iter()
            .map(|&v| format!("{} = {}", term_text(self.e.pool(), v), show(&mut self.e, v)))
            .collect();
        let (lhs, rhs) = (show(&mut self.e, self.rule.lhs), show(&mut self.e, self.rule.rhs));
        parts.push(format!("left {lhs}"));
        parts.push(format!("right {rhs}"));
        parts.join(", ")
    }

    /// Whether the condition holds; `None` if undetermined.
    fn when(&mut self) -> Option<bool> {
        self.rule.when.map_or(Some(true), |w| self.truth(w))
    }

    fn truth(&mut self, t: Term) -> Option<bool> {
        match self.e.truth(t) {
            Satisfaction::Holds => Some(true),
            Satisfaction::Fails => Some(false),
            Satisfaction::Undetermined(_) => None,
        }
    }

    fn equality(&mut self, goal: Term) {
        let vars = self.rule.vars.clone();
        self.each(&vars, |c| {
            if !c.when()? {
                return Some(true);
            }
            c.found.fired += 1;
            c.truth(goal)
        });
    }

    /// From left to right: where the left side holds, the witnesses make the right one hold; where there
    /// are no existentials, the right one holds.
    fn forward(&mut self) {
        let vars = self.rule.vars.clone();
        self.each(&vars, |c| {
            if !c.when()? || !c.truth(c.rule.lhs)? {
                return Some(true);
            }
            c.found.fired += 1;
            let rule = c.rule;
            let values: Vec<Option<Value>> = rule.witness.iter().map(|&w| c.e.eval(w).ok()).collect();
            for (&v, value) in rule.exists.iter().zip(values) {
                c.e.bind(v, value?);
            }
            c.truth(rule.rhs)
        });
    }

    /// From right to left.
    fn backward(&mut self) {
        if self.found.counterexample.is_some() {
            return;
        }
        let vars: Vec<Term> = self.rule.vars.iter().chain(&self.rule.exists).copied().collect();
        self.each(&vars, |c| {
            if !c.when()? || !c.truth(c.rule.rhs)? {
                return Some(true);
            }
            c.found.fired += 1;
            c.truth(c.rule.lhs)
        });
    }
}

fn advance(at: &mut [usize], lists: &[&[Term]]) -> bool {
    for (i, list) in at.iter_mut().zip(lists) {
        *i += 1;
        if *i < list.len() {
            return true;
        }
        *i = 0;
    }
    false
}
