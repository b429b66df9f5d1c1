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
//! | kind | claim, for all values of `:vars` that satisfy `:when` |
//! |---|---|
//! | `equality` | `lhs = rhs`, of any sort |
//! | `equivalence` | `lhs ⇔ ∃ exists. rhs`; the witnesses show which values make `rhs` true |
//! | `implication` | `(∃ exists. rhs) ⇒ lhs`, which is all that an unsat formula `¬lhs ∧ rhs` needs |
//!
//! No rule is trusted: [`Rule::verify`] evaluates both sides on all small values, in both directions where both
//! are claimed, and requires that the rule applies to some of them. Rules may use the `define-fun`s of their file.

mod verify;

pub use verify::{Domain, Verification};

use smt::diag::{Code, Diagnostic, Span};
use smt::elaborate::Elaborator;
use smt::print::term_text;
use smt::sexpr::{Kind, Quoting, Reader, Tree};
use smt::{Dialect, Pool, Sort, Term};

/// The kind of claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleKind {
    /// Both sides have the same value.
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
    /// Its purpose.
    pub doc: String,
    /// The kind of claim.
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
    /// Its place in the file.
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
                let message = format!("duplicate rule name `{}`", rule.name);
                elaborator.diagnostics.push(Diagnostic::error(Code::DuplicateName, rule.span, message));
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
        let d = Diagnostic::error(Code::MalformedRule, self.tree.node(node).span, message);
        self.elaborator.diagnostics.push(d);
    }

    fn rule(&mut self) -> Option<Rule> {
        let children: Vec<u32> = self.tree.children(0).collect();
        let Some(&name) = children.get(1).filter(|&&n| self.tree.node(n).kind == Kind::Symbol) else {
            self.error(0, "expected (define-rule name :kind … :vars … :lhs … :rhs …)");
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
                    self.error(pair[0], format!("unknown attribute `{key}` of a rule"));
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
                let message =
                    format!("unknown kind `{other}`, expected equality, equivalence or implication");
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
                self.error(pair, "expected a witness (name term)");
                return None;
            };
            names.push(self.text(name));
            terms.push(self.elaborator.read_term(self.src, self.tree, term)?);
        }
        Some((names, terms))
    }

    /// Checks sorts, and sorts the witnesses in the order of the existentials.
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
            Some("the sides of this kind of rule must be Bool".to_owned())
        } else if rule.kind == RuleKind::Equality && !rule.exists.is_empty() {
            Some("an equality cannot have existentials".to_owned())
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
