//! Rules as data: equivalences, equalities and implications in SMT-LIB text, verified before they are used.
//!
//! ```text
//! (define-rule contains-split
//!   :doc "A string contains another iff it can be split around it."
//!   :kind equivalence
//!   :vars ((s String) (t String))
//!   :exists ((pre String) (post String))
//!   :lhs (str.contains s t)
//!   :rhs (= s (str.++ pre t post))
//!   :witness ((pre (str.substr s 0 (str.indexof s t 0)))
//!             (post (str.substr s (+ (str.indexof s t 0) (str.len t)) (str.len s)))))
//! ```
//!
//! | kind | says, for all values of `:vars` that satisfy `:when` |
//! |---|---|
//! | `equality` | `lhs = rhs`, of any sort |
//! | `equivalence` | `lhs ⇔ ∃ exists. rhs`; the witnesses show which values make `rhs` true |
//! | `implication` | `(∃ exists. rhs) ⇒ lhs`, which is all that an unsat formula `¬lhs ∧ rhs` needs |
//!
//! Nobody trusts a rule because a paper printed it: [`Rule::verify`] evaluates both sides on all small values,
//! in both directions where both are claimed, and demands that the rule fires. A rule file may hold
//! `define-fun`s for its rules to use.

use crate::eval::{Config, Evaluator};
use crate::model::Model;
use crate::regex::RegexStore;
use crate::value::{Truth, Value};
use smt::diag::{Diagnostic, Span};
use smt::elaborate::Elaborator;
use smt::print::term_text;
use smt::sexpr::{Kind, Quoting, Reader, Tree};
use smt::{Dialect, Op, Pool, Sort, Term};

/// What a rule claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleKind {
    /// Both sides denote the same.
    Equality,
    /// Both sides have the same truth.
    Equivalence,
    /// The right side implies the left one.
    Implication,
}

/// A rule of a rule file.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name, unique in its file.
    pub name: String,
    /// What it is for.
    pub doc: String,
    /// What it claims.
    pub kind: RuleKind,
    /// Its variables.
    pub vars: Vec<Term>,
    /// Variables of the right side that are existentially quantified there.
    pub exists: Vec<Term>,
    /// The side condition.
    pub when: Option<Term>,
    /// The left side.
    pub lhs: Term,
    /// The right side.
    pub rhs: Term,
    /// For each existential, a term over `vars` that makes the right side true when the left one is.
    pub witness: Vec<Term>,
    /// Where it stands.
    pub span: Span,
}

/// Reads a rule file. All errors are reported together.
pub fn load(src: &[u8], pool: &mut Pool) -> Result<Vec<Rule>, Vec<Diagnostic>> {
    let mut reader = Reader::new(src, Quoting::Doubled);
    let mut tree = Tree::default();
    let mut elaborator = Elaborator::new(pool, Dialect::Smt26);
    let mut rules: Vec<Rule> = Vec::new();
    while reader.read(&mut tree) {
        let head = tree.children(0).next().map_or(&b""[..], |h| tree.node(h).span.of(src));
        if head != b"define-rule" {
            elaborator.command(src, &tree);
            continue;
        }
        let loaded = Loader { src, tree: &tree, elaborator: &mut elaborator }.rule();
        if let Some(rule) = loaded {
            if rules.iter().any(|r| r.name == rule.name) {
                let message = format!("a second rule called `{}`", rule.name);
                elaborator.diagnostics.push(Diagnostic::error(rule.span, message));
            }
            rules.push(rule);
        }
    }
    let mut errors = std::mem::take(&mut elaborator.diagnostics);
    errors.append(&mut reader.diagnostics);
    errors.retain(|d| d.severity == smt::Severity::Error);
    if errors.is_empty() { Ok(rules) } else { Err(errors) }
}

struct Loader<'a, 'p> {
    src: &'a [u8],
    tree: &'a Tree,
    elaborator: &'a mut Elaborator<'p>,
}

/// The attributes of a rule: the index of each value.
#[derive(Default)]
struct Parts {
    doc: Option<u32>,
    kind: Option<u32>,
    vars: Option<u32>,
    exists: Option<u32>,
    when: Option<u32>,
    lhs: Option<u32>,
    rhs: Option<u32>,
    witness: Option<u32>,
}

impl Loader<'_, '_> {
    fn text(&self, node: u32) -> String {
        String::from_utf8_lossy(self.tree.node(node).span.of(self.src)).into_owned()
    }

    fn error(&mut self, node: u32, message: impl Into<String>) {
        let d = Diagnostic::error(self.tree.node(node).span, message);
        self.elaborator.diagnostics.push(d);
    }

    fn rule(&mut self) -> Option<Rule> {
        let children: Vec<u32> = self.tree.children(0).collect();
        let Some(&name) = children.get(1).filter(|&&n| self.tree.node(n).kind == Kind::Symbol) else {
            self.error(0, "(define-rule name :kind … :vars … :lhs … :rhs …)");
            return None;
        };
        let parts = self.parts(&children[2..])?;
        let mark = self.elaborator.mark();
        let rule = self.scoped(name, &parts);
        self.elaborator.leave(mark);
        rule
    }

    fn parts(&mut self, list: &[u32]) -> Option<Parts> {
        let mut parts = Parts::default();
        for pair in list.chunks(2) {
            let key = self.text(pair[0]);
            let slot = match key.as_str() {
                ":doc" => &mut parts.doc,
                ":kind" => &mut parts.kind,
                ":vars" => &mut parts.vars,
                ":exists" => &mut parts.exists,
                ":when" => &mut parts.when,
                ":lhs" => &mut parts.lhs,
                ":rhs" => &mut parts.rhs,
                ":witness" => &mut parts.witness,
                _ => {
                    self.error(pair[0], format!("a rule has no `{key}`"));
                    return None;
                }
            };
            match pair.get(1) {
                Some(&value) if slot.is_none() => *slot = Some(value),
                _ => {
                    self.error(pair[0], format!("`{key}` needs one value, once"));
                    return None;
                }
            }
        }
        Some(parts)
    }

    fn scoped(&mut self, name: u32, parts: &Parts) -> Option<Rule> {
        let errors = self.elaborator.diagnostics.len();
        let (src, tree) = (self.src, self.tree);
        let kind = match parts.kind.map(|k| self.text(k)).as_deref() {
            None | Some("equality") => RuleKind::Equality,
            Some("equivalence") => RuleKind::Equivalence,
            Some("implication") => RuleKind::Implication,
            Some(other) => {
                let message = format!("no kind `{other}`: one of equality, equivalence, implication");
                self.error(parts.kind.unwrap_or(0), message);
                return None;
            }
        };
        let vars = parts.vars.map_or_else(Vec::new, |v| self.elaborator.read_vars(src, tree, v));
        let when = match parts.when {
            Some(w) => Some(self.elaborator.read_term(src, tree, w)?),
            None => None,
        };
        let lhs = self.side(parts.lhs, ":lhs")?;
        // Witnesses are terms over the variables only, so read them before the existentials are in scope.
        let (names, witness) = self.witnesses(parts.witness)?;
        let exists = parts.exists.map_or_else(Vec::new, |v| self.elaborator.read_vars(src, tree, v));
        let rhs = self.side(parts.rhs, ":rhs")?;
        if self.elaborator.diagnostics.len() > errors {
            return None;
        }
        let doc = parts.doc.map_or_else(String::new, |d| self.text(d).trim_matches('"').to_owned());
        let span = tree.node(0).span;
        let name_text = self.text(name);
        let mut rule = Rule { name: name_text, doc, kind, vars, exists, when, lhs, rhs, witness, span };
        self.check(name, &mut rule, &names).then_some(rule)
    }

    fn side(&mut self, node: Option<u32>, key: &str) -> Option<Term> {
        match node {
            Some(node) => self.elaborator.read_term(self.src, self.tree, node),
            None => {
                self.error(0, format!("a rule needs `{key}`"));
                None
            }
        }
    }

    fn witnesses(&mut self, list: Option<u32>) -> Option<(Vec<String>, Vec<Term>)> {
        let (mut names, mut terms) = (Vec::new(), Vec::new());
        let Some(list) = list else { return Some((names, terms)) };
        for pair in self.tree.children(list) {
            let parts: Vec<u32> = self.tree.children(pair).collect();
            let [name, term] = parts[..] else {
                self.error(pair, "a witness is (name term)");
                return None;
            };
            names.push(self.text(name));
            terms.push(self.elaborator.read_term(self.src, self.tree, term)?);
        }
        Some((names, terms))
    }

    /// Sorts, and one witness per existential, put in their order.
    fn check(&mut self, at: u32, rule: &mut Rule, names: &[String]) -> bool {
        let pool = &*self.elaborator.pool;
        let bool_sides = [rule.lhs, rule.rhs].iter().all(|&t| pool.sort_of(t) == Sort::BOOL);
        let problem = if rule.exists.iter().any(|v| rule.vars.contains(v)) {
            Some("a variable is both in `:vars` and in `:exists`".to_owned())
        } else if rule.when.is_some_and(|w| pool.sort_of(w) != Sort::BOOL) {
            Some("`:when` is not a Bool".to_owned())
        } else if rule.kind == RuleKind::Equality && pool.sort_of(rule.lhs) != pool.sort_of(rule.rhs) {
            Some("the sides have different sorts".to_owned())
        } else if rule.kind != RuleKind::Equality && !bool_sides {
            Some("the sides of this kind of rule are Bool".to_owned())
        } else if rule.kind == RuleKind::Equality && !rule.exists.is_empty() {
            Some("an equality has no existentials".to_owned())
        } else if rule.kind == RuleKind::Equivalence || !names.is_empty() {
            order_witnesses(pool, rule, names)
        } else {
            None
        };
        if let Some(message) = problem {
            self.error(at, message);
            return false;
        }
        true
    }
}

fn order_witnesses(pool: &Pool, rule: &mut Rule, names: &[String]) -> Option<String> {
    if names.len() != rule.exists.len() {
        return Some(format!("{} existentials but {} witnesses", rule.exists.len(), names.len()));
    }
    let mut ordered = Vec::new();
    for &v in &rule.exists {
        let name = term_text(pool, v);
        let Some(i) = names.iter().position(|n| *n == name) else {
            return Some(format!("no witness for `{name}`"));
        };
        if pool.sort_of(rule.witness[i]) != pool.sort_of(v) {
            return Some(format!("the witness for `{name}` has another sort"));
        }
        ordered.push(rule.witness[i]);
    }
    rule.witness = ordered;
    None
}

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

/// What verification found.
#[derive(Clone, Debug, Default)]
pub struct Verification {
    /// Assignments tried, in both directions.
    pub cases: usize,
    /// Those where the rule had something to say: the condition held, and for an equivalence or implication the
    /// premise was true.
    pub fired: usize,
    /// Those where a side could not be evaluated.
    pub undecided: usize,
    /// The first assignment that refutes the rule, as text.
    pub counterexample: Option<String>,
    /// A variable's sort has no small values.
    pub no_domain: bool,
}

impl Verification {
    /// No counterexample, and it fired.
    pub fn ok(&self) -> bool {
        self.counterexample.is_none() && self.fired > 0 && self.undecided == 0 && !self.no_domain
    }

    /// In words.
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
            return format!("{} of {} cases cannot be told", self.undecided, self.cases);
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
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack: Vec<Term> = self.when.into_iter().chain([self.lhs, self.rhs]).collect();
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            stack.extend_from_slice(pool.args(t));
            if let smt::Head::Fun(f) = pool.head(t)
                && let Some(def) = &pool.fun(f).def
                && found.insert(f)
            {
                stack.push(def.body);
            }
        }
        found.into_iter().collect()
    }

    /// The rule's negation as a script that a solver must find unsat, so that others can confirm it. For an
    /// equivalence with existentials this is the direction from right to left.
    pub fn refutation(&self, pool: &mut Pool) -> String {
        let mut out = format!("; rule {}\n(set-logic ALL)\n", self.name);
        for f in self.definitions(pool) {
            let mut printer = smt::print::Printer::new(pool, Dialect::Smt26);
            printer.command(&smt::Command::DefineFunRec(f), &mut out).expect("2.6 can say every definition");
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

    /// The condition's truth; the outer `None` is "cannot tell".
    fn when(&mut self) -> Option<bool> {
        self.rule.when.map_or(Some(true), |w| self.truth(w))
    }

    fn truth(&mut self, t: Term) -> Option<bool> {
        match self.e.truth(t) {
            Truth::Holds => Some(true),
            Truth::Fails => Some(false),
            Truth::CannotTell(_) => None,
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
