//! Fingerprints: the features of a reduced failure that are the same in every failure of the same cause, as far as the script tells.
//!
//! A shape forgets names, constants and which variable is which, and the order of arguments that does not matter. Operators that hold most
//! formulas together (`=`, `and`, `str.++`) say nothing about the cause: [`key_operators`] leaves them out if others remain.

mod shape;

pub use shape::{formula, shape};

use crate::doc::Doc;
use campaign::finding::Fingerprint;
use campaign::outcome::Kind;
use sha2::{Digest as _, Sha256};
use smt::{Head, Op, Pool, Term};
use std::collections::BTreeSet;

/// The fingerprint of a reduced script, on which a solver of this profile has a failure.
pub fn fingerprint(doc: &Doc, profile: &str, kind: Kind, message: Option<&str>) -> Fingerprint {
    Fingerprint {
        solver: profile.to_owned(),
        kind: kind.code().to_owned(),
        operators: operators(doc).into_iter().map(|op| op.name().to_owned()).collect(),
        shape: shape(doc),
        message: message.map(str::to_owned),
        ..Fingerprint::default()
    }
}

/// The feature by which a failure is put with others, the strongest that a fingerprint has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// The operator that the solver evaluates wrongly on constants. Whether the answer, the model or the core is wrong, is a consequence.
    Evaluation(String),
    /// The kind, and the message of a crash or an error.
    Message(String, String),
    /// The kind, and operators that few formulas have.
    Operators(String, Vec<String>),
    /// The kind, and the shape: all operators are in most formulas.
    Shape(String, String),
}

/// The key of a fingerprint.
pub fn key(f: &Fingerprint) -> Key {
    let kind = f.kind.clone();
    let special = special_operators(&f.operators);
    match (&f.evaluation, &f.message) {
        (Some(operator), _) => Key::Evaluation(operator.clone()),
        (None, Some(message)) => Key::Message(kind, message.clone()),
        (None, None) if special.is_empty() => Key::Shape(kind, f.shape.clone()),
        (None, None) => Key::Operators(kind, special.into_iter().map(str::to_owned).collect()),
    }
}

/// The hash of the key of a fingerprint, eight hexadecimal digits: the same for all failures of a group, as a rule.
pub fn id(fingerprint: &Fingerprint) -> String {
    let (name, parts) = match key(fingerprint) {
        Key::Evaluation(operator) => ("evaluation", vec![operator]),
        Key::Message(kind, message) => ("message", vec![kind, message]),
        Key::Operators(kind, operators) => ("operators", [vec![kind], operators].concat()),
        Key::Shape(kind, shape) => ("shape", vec![kind, shape]),
    };
    hash(
        &[&[fingerprint.solver.as_str(), name][..], &parts.iter().map(String::as_str).collect::<Vec<_>>()]
            .concat(),
    )
}

/// The hash of all features, for a group whose key is that of another one too.
pub fn exact_id(fingerprint: &Fingerprint) -> String {
    let Fingerprint { solver, kind, shape, message, .. } = fingerprint;
    hash(&[solver, kind, shape, message.as_deref().unwrap_or_default()])
}

fn hash(parts: &[&str]) -> String {
    let digest = Sha256::digest(parts.join("\n").as_bytes());
    digest[..4].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The shape after rewriting by the built-in solver; empty if the script is a session, has terms that it does not rewrite, or if only connectives and
/// constants are left.
pub fn core(doc: &Doc) -> String {
    let terms: Vec<Term> = doc.script.assertions().collect();
    if !semantics::certificate::has_one_check(&doc.script)
        || solver::session::unsupported(&doc.pool, &terms).is_some()
    {
        return String::new();
    }
    let mut pool = doc.pool.clone();
    let mut rewritten: Vec<Term> = terms.iter().map(|&t| solver::normal_form(&mut pool, t)).collect();
    rewritten.retain(|&t| pool.head(t) != Head::Op(Op::True));
    let is_glue = operators_of(&pool, rewritten.iter().copied()).iter().all(|op| GLUE.contains(op));
    if is_glue { String::new() } else { shape::shape_of(&pool, &rewritten) }
}

/// The operators of a script, sorted by name.
pub fn operators(doc: &Doc) -> Vec<Op> {
    operators_of(&doc.pool, doc.all_roots())
}

fn operators_of(pool: &Pool, roots: impl IntoIterator<Item = Term>) -> Vec<Op> {
    let mut all: Vec<Op> = pool
        .subterms(roots)
        .filter_map(|t| match pool.head(t) {
            Head::Op(op) | Head::Indexed(op, _) => Some(op),
            _ => None,
        })
        .collect();
    all.sort_unstable_by_key(|op| op.name());
    all.dedup();
    all
}

/// The operators among `names` that tell most about a cause.
pub fn key_operators(names: &[String]) -> BTreeSet<&str> {
    let all = || without(names, &[]);
    [special_operators(names), without(names, GLUE)]
        .into_iter()
        .find(|set| !set.is_empty())
        .unwrap_or_else(all)
}

/// The operators among `names` that few formulas have.
pub fn special_operators(names: &[String]) -> BTreeSet<&str> {
    without(names, &[GLUE, COMMON].concat())
}

fn without<'n>(names: &'n [String], left_out: &[Op]) -> BTreeSet<&'n str> {
    let is_left_out = |name: &str| left_out.iter().any(|op| op.name() == name);
    names.iter().map(String::as_str).filter(|name| !is_left_out(name)).collect()
}

/// Operators that combine others.
const GLUE: &[Op] = &[
    Op::True,
    Op::False,
    Op::Not,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Implies,
    Op::Eq,
    Op::Distinct,
    Op::Ite,
    Op::Neg,
    Op::Add,
    Op::Sub,
    Op::Le,
    Op::Lt,
    Op::Ge,
    Op::Gt,
    Op::Divisible,
];

/// Operators of most string formulas, and constants.
const COMMON: &[Op] =
    &[Op::StrConcat, Op::StrLen, Op::StrToRe, Op::StrInRe, Op::ReNone, Op::ReAll, Op::ReAllchar];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_operators_are_the_rarest() {
        let names = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        let key =
            |list: &[&str]| key_operators(&names(list)).into_iter().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(key(&["=", "not", "str.++", "str.replace"]), ["str.replace"]);
        assert_eq!(key(&["=", "str.++", "str.len"]), ["str.++", "str.len"]);
        assert_eq!(key(&["not", "re.+", "re.none", "str.in_re"]), ["re.+"]);
        assert_eq!(key(&["=", "not"]), ["=", "not"]);
        assert!(key(&[]).is_empty());
    }

    #[test]
    fn ids_depend_on_the_strongest_feature() {
        let doc = |text: &str| Doc::from_text(text.as_bytes()).expect("a script");
        let a = doc("(declare-const x String)(assert (= x (str.replace x \"a\" \"b\")))(check-sat)");
        let b = doc("(declare-const y String)(assert (distinct (str.replace y \"b\" \"c\") y))(check-sat)");
        let c = doc("(declare-const y String)(assert (= (str.replace_all y \"b\" \"c\") y))(check-sat)");
        let print = |doc: &Doc| fingerprint(doc, "z3", Kind::WrongUnsat, None);
        assert_eq!(id(&print(&a)), id(&print(&b)), "the same operator");
        assert_ne!(exact_id(&print(&a)), exact_id(&print(&b)));
        assert_ne!(id(&print(&a)), id(&print(&c)));
        let later = Fingerprint { options: vec!["smt.seq=1".into()], ..print(&a) };
        assert_eq!(id(&later), id(&print(&a)), "a later step adds features");
        let evaluated = |f: Fingerprint| Fingerprint { evaluation: Some("str.replace".into()), ..f };
        let model = fingerprint(&c, "z3", Kind::InvalidModel, None);
        assert_eq!(id(&evaluated(print(&a))), id(&evaluated(model)), "whatever the consequence");
        let common = |text: &str| id(&print(&doc(text)));
        assert_ne!(
            common("(declare-const x String)(assert (= x (str.++ x x)))"),
            common("(declare-const x String)(assert (= x (str.++ x \"a\")))")
        );
        assert_eq!(print(&a).operators, ["=", "str.replace"]);
        assert_eq!(id(&print(&a)).len(), 8);
    }
}
