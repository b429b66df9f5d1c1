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
use smt::{Head, Op};
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

/// The hash of a fingerprint, eight hexadecimal digits. Features that a later step adds do not change it.
pub fn id(fingerprint: &Fingerprint) -> String {
    let Fingerprint { solver, kind, shape, message, .. } = fingerprint;
    let text = format!("{solver}\n{kind}\n{shape}\n{}", message.as_deref().unwrap_or_default());
    let digest = Sha256::digest(text.as_bytes());
    digest[..4].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The operators of a script, sorted by name.
pub fn operators(doc: &Doc) -> Vec<Op> {
    let mut all: Vec<Op> = doc
        .pool
        .subterms(doc.all_roots())
        .filter_map(|t| match doc.pool.head(t) {
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
    let without = |left_out: &[Op]| -> BTreeSet<&str> {
        let is_left_out = |name: &str| left_out.iter().any(|op| op.name() == name);
        names.iter().map(String::as_str).filter(|name| !is_left_out(name)).collect()
    };
    let common = [GLUE, COMMON].concat();
    [&common[..], GLUE, &[]].into_iter().map(without).find(|set| !set.is_empty()).unwrap_or_default()
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
];

/// Operators of most string formulas.
const COMMON: &[Op] = &[Op::StrConcat, Op::StrLen, Op::StrToRe, Op::StrInRe];

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
        assert_eq!(key(&["=", "not"]), ["=", "not"]);
        assert!(key(&[]).is_empty());
    }

    #[test]
    fn ids_depend_on_the_shape_and_not_on_later_steps() {
        let doc = |text: &str| Doc::from_text(text.as_bytes()).expect("a script");
        let a = doc("(declare-const x String)(assert (= x (str.replace x \"a\" \"b\")))(check-sat)");
        let b = doc("(declare-const y String)(assert (= (str.replace y \"b\" \"c\") y))(check-sat)");
        let c = doc("(declare-const y String)(assert (= (str.replace_all y \"b\" \"c\") y))(check-sat)");
        let print = |doc: &Doc| fingerprint(doc, "z3", Kind::WrongUnsat, None);
        assert_eq!(id(&print(&a)), id(&print(&b)));
        assert_ne!(id(&print(&a)), id(&print(&c)));
        let later = Fingerprint { options: vec!["smt.seq=1".into()], ..print(&a) };
        assert_eq!(id(&later), id(&print(&a)));
        assert_eq!(print(&a).operators, ["=", "str.replace"]);
        assert_eq!(id(&print(&a)).len(), 8);
    }
}
