//! Canonical texts of scripts: the formula up to names, and its shape.
//!
//! Texts are built bottom-up, one for each shared subterm; one that gets too long is replaced by its hash, so that the work is linear.

use crate::doc::Doc;
use rustc_hash::{FxHashMap, FxHasher};
use smt::script::Plain;
use smt::{Command, Head, Op, Pool, PostOrder, Sort, Term};
use std::hash::{Hash as _, Hasher as _};

/// The longest text of a subterm.
const MAX: usize = 2000;

/// The formula up to the names of constants, functions and variables: equal texts mean equal formulas.
pub fn formula(doc: &Doc) -> String {
    let mut names = Names { by_head: FxHashMap::default() };
    let mut leaf = |pool: &Pool, t: Term| names.name(pool, t);
    let mut texts = Texts::new(&doc.pool, false);
    lines(doc, |t| texts.text(t, &mut leaf)).join("\n")
}

/// The shape: constants, names and the identity of variables forgotten, arguments of commutative operators and assertions sorted.
pub fn shape(doc: &Doc) -> String {
    let mut texts = Texts::new(&doc.pool, true);
    let mut all = lines(doc, |t| texts.text(t, &mut abstracted));
    let is_incremental = all.iter().any(|line| line.starts_with('!'));
    if !is_incremental {
        all.sort_unstable();
    }
    all.join(" ")
}

/// The shape of terms, sorted.
pub(super) fn shape_of(pool: &Pool, terms: &[Term]) -> String {
    let mut texts = Texts::new(pool, true);
    let mut all: Vec<String> = terms.iter().map(|&t| texts.text(t, &mut abstracted)).collect();
    all.sort_unstable();
    all.join(" ")
}

/// The assertions; if the script has several checks or levels, its other commands too, which begin with `!`.
fn lines(doc: &Doc, mut text: impl FnMut(Term) -> String) -> Vec<String> {
    let mut all = Vec::new();
    for command in doc.script.commands() {
        match command {
            Command::Assert(t) => all.push(text(*t)),
            Command::CheckSatAssuming(list) => {
                let list: Vec<String> = list.iter().map(|t| text(*t)).collect();
                all.push(format!("!check {}", list.join(" ")));
            }
            Command::CheckSat => all.push("!check".into()),
            Command::Push(n) => all.push(format!("!push {n}")),
            Command::Pop(n) => all.push(format!("!pop {n}")),
            Command::Plain(plain @ (Plain::Reset | Plain::ResetAssertions)) => {
                all.push(format!("!{}", plain.name()));
            }
            _ => {}
        }
    }
    if all.iter().filter(|line| line.starts_with('!')).count() == 1 {
        all.retain(|line| line != "!check");
    }
    all
}

/// Texts of terms, each built once.
struct Texts<'p> {
    pool: &'p Pool,
    sorted: bool,
    done: FxHashMap<Term, String>,
}

impl<'p> Texts<'p> {
    fn new(pool: &'p Pool, sorted: bool) -> Texts<'p> {
        Texts { pool, sorted, done: FxHashMap::default() }
    }

    fn text(&mut self, root: Term, leaf: &mut dyn FnMut(&Pool, Term) -> String) -> String {
        let (pool, mut walk) = (self.pool, PostOrder::new([root]));
        while let Some(t) = walk.next(|t| (!self.done.contains_key(&t)).then(|| pool.args(t).iter().copied()))
        {
            let text = self.node(t, leaf);
            self.done.insert(t, if text.len() > MAX { format!("#{:016x}", hash(&text)) } else { text });
        }
        self.done[&root].clone()
    }

    fn node(&self, t: Term, leaf: &mut dyn FnMut(&Pool, Term) -> String) -> String {
        let mut args: Vec<&str> = self.pool.args(t).iter().map(|a| &*self.done[a]).collect();
        match self.pool.head(t) {
            Head::Annot(_) => return args[0].to_owned(),
            Head::Op(Op::Neg) if self.sorted && args == ["1"] => return "1".into(),
            Head::Op(op) if self.sorted && is_commutative(op) => args.sort_unstable(),
            _ => {}
        }
        let head = match self.pool.head(t) {
            Head::Op(op) => op.name().to_owned(),
            Head::Indexed(op, _) if self.sorted => op.name().to_owned(),
            Head::Indexed(op, id) => format!("{} {:?}", op.name(), self.pool.index_values(id)),
            Head::Forall => "forall".into(),
            Head::Exists => "exists".into(),
            Head::Lambda => "lambda".into(),
            _ => leaf(self.pool, t),
        };
        if args.is_empty() { head } else { format!("({head} {})", args.join(" ")) }
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}

fn is_commutative(op: Op) -> bool {
    use Op::{Add, And, Distinct, Eq, Mul, Or, ReInter, ReUnion, Xor};
    matches!(op, And | Or | Xor | Eq | Distinct | Add | Mul | ReUnion | ReInter)
}

/// A leaf of a shape: the sort of a variable, any constant.
fn abstracted(pool: &Pool, t: Term) -> String {
    match pool.head(t) {
        Head::Str(_) => "\"\"".into(),
        Head::Int(_) => "1".into(),
        Head::Real(_) => "1.0".into(),
        Head::Fun(_) if pool.args(t).is_empty() => letter(pool, pool.sort_of(t)),
        Head::Fun(_) => format!("f{}", pool.args(t).len()),
        Head::Var(_) => letter(pool, pool.sort_of(t)),
        Head::Opaque(name) => pool.names.name(name).to_owned(),
        _ => unreachable!("not a leaf"),
    }
}

/// A variable of this sort.
fn letter(pool: &Pool, sort: Sort) -> String {
    match sort {
        Sort::STRING => "s".into(),
        Sort::INT => "i".into(),
        Sort::BOOL => "b".into(),
        Sort::REGLAN => "r".into(),
        other => pool.sort_text(other),
    }
}

/// Names in the order in which they occur.
struct Names {
    by_head: FxHashMap<Head, usize>,
}

impl Names {
    fn name(&mut self, pool: &Pool, t: Term) -> String {
        match pool.head(t) {
            head @ (Head::Fun(_) | Head::Var(_)) => {
                let next = self.by_head.len();
                let number = *self.by_head.entry(head).or_insert(next);
                format!("{}{number}", letter(pool, pool.sort_of(t)))
            }
            Head::Opaque(name) => pool.names.name(name).to_owned(),
            _ => smt::print::term_text(pool, t),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doc(text: &str) -> Doc {
        Doc::from_text(text.as_bytes()).expect("a script")
    }

    #[test]
    fn formulas_are_the_same_up_to_names() {
        let a =
            doc("(declare-const x String)(declare-const y String)(assert (= (str.++ x y) \"a\"))(check-sat)");
        let b = doc(
            "(declare-const y String)(declare-const z String)(assert (! (= (str.++ z y) \"a\") :named n))(check-sat)",
        );
        let c = doc("(declare-const y String)(assert (= (str.++ y y) \"a\"))(check-sat)");
        let d =
            doc("(declare-const x String)(declare-const y String)(assert (= (str.++ x y) \"b\"))(check-sat)");
        assert_eq!(formula(&a), formula(&b));
        assert_ne!(formula(&a), formula(&c));
        assert_ne!(formula(&a), formula(&d));
        assert_eq!(shape(&a), shape(&c));
        assert_eq!(shape(&a), shape(&d));
        assert_eq!(shape(&a), "(= \"\" (str.++ s s))");
    }

    #[test]
    fn order_does_not_matter_where_it_has_no_meaning() {
        let a = doc("(declare-const i Int)(assert (= i (- 3)))(assert (or (< i 0) (= i 2)))(check-sat)");
        let b = doc("(declare-const k Int)(assert (or (= 2 k) (< k 9)))(assert (= 5 k))(check-sat)");
        assert_eq!(shape(&a), shape(&b));
        let c = doc("(declare-const k Int)(assert (or (= 2 k) (< 9 k)))(assert (= 5 k))(check-sat)");
        assert_ne!(shape(&a), shape(&c));
    }

    #[test]
    fn levels_and_checks_are_part_of_the_shape() {
        let a = doc("(declare-const b Bool)(push 1)(assert b)(check-sat)(pop 1)(check-sat)");
        assert_eq!(shape(&a), "!push 1 b !check !pop 1 !check");
        let b = doc("(declare-const b Bool)(assert b)(check-sat)");
        assert_eq!(shape(&b), "b");
    }

    #[test]
    fn a_deep_or_shared_term_is_linear_work() {
        let levels = 2000;
        let lets: String =
            (1..levels).map(|n| format!("(let ((v{n} (str.++ v{} v{})))", n - 1, n - 1)).collect();
        let (last, close) = (levels - 1, ")".repeat(levels));
        let doc = doc(&format!("(declare-const x String)(assert (let ((v0 x)) {lets} (= v{last} x){close})"));
        assert!(shape(&doc).len() <= MAX);
        assert_eq!(formula(&doc), formula(&doc.clone()));
    }
}
