//! Findings that probably have one cause, although they are different groups.
//!
//! A group has one profile and, as a rule, one kind of failure. A fault in the rewriter of z3 is in its sequence solver and in Z3str3, and makes
//! one formula wrongly unsatisfiable and gives another one an invalid model: four groups. They are not put together, since a
//! maintainer wants to see each of them fixed, but each names the others, with the reason:
//!
//! | rule | evidence |
//! |---|---|
//! | formula | the reduced formulas are the same up to names and constants |
//! | operators | they have the same special operators, and fail in the same versions, of which the first or the last is known |
//!
//! Both need the same program, soundness failures or the same message, and versions that do not tell them apart: if both were bisected, the oldest and the
//! newest version that fails are the same.

use super::cause::is_telling_apart;
use crate::fingerprint::special_operators;
use campaign::clean::listed;
use campaign::finding::{Cell, Finding, Related, Versions};

/// Profiles of one program, whose versions are the same.
const PROGRAMS: [&[&str]; 1] = [&["z3", "z3str3"]];

/// Names the findings that probably have the same cause.
pub(super) fn relate(findings: &mut [&mut Finding]) {
    let related: Vec<Vec<Related>> = findings
        .iter()
        .enumerate()
        .map(|(at, f)| {
            let others = findings.iter().enumerate().filter(|(other, _)| *other != at);
            let mut related: Vec<Related> = others.filter_map(|(_, other)| between(f, other)).collect();
            related.sort_by_key(|r| r.number);
            related
        })
        .collect();
    findings.iter_mut().zip(related).for_each(|(f, related)| f.related = related);
}

fn between(f: &Finding, other: &Finding) -> Option<Related> {
    let reason = reason(f, other)?;
    Some(Related { number: other.number, id: other.id.clone(), reason })
}

/// Why two findings probably have one cause.
fn reason(a: &Finding, b: &Finding) -> Option<String> {
    if !is_one_program(&a.solver.profile, &b.solver.profile) || !is_alike(a, b) || is_telling_apart(a, b) {
        return None;
    }
    let versions = match (&a.versions, &b.versions) {
        (Some(v), Some(w)) => Some(same_versions(v, w)?),
        _ => None,
    };
    let (f, g) = (&a.fingerprint, &b.fingerprint);
    let formula = f.shape == g.shape || (!f.core.is_empty() && f.core == g.core);
    if formula {
        let words = "the same formula up to names and constants";
        return Some(match versions {
            Some((text, _)) => format!("{words}, {text}"),
            None => format!("{words}; versions were not compared"),
        });
    }
    let special = special_operators(&f.operators);
    let (text, true) = versions? else { return None };
    (!special.is_empty() && special == special_operators(&g.operators))
        .then(|| format!("the same operators ({}), {text}", listed(special)))
}

fn is_one_program(a: &str, b: &str) -> bool {
    a == b || PROGRAMS.iter().any(|names| names.contains(&a) && names.contains(&b))
}

/// Both are soundness failures, or crashes or errors with one message.
fn is_alike(a: &Finding, b: &Finding) -> bool {
    let message = &a.fingerprint.message;
    (a.kind.is_unsound() && b.kind.is_unsound())
        || (a.kind == b.kind && message.is_some() && *message == b.fingerprint.message)
}

/// The versions that fail, in words, if they are the same; and whether the oldest or the newest of them is not one of all that were run. None if they
/// differ, or if one of the two fails in none.
fn same_versions(a: &Versions, b: &Versions) -> Option<(String, bool)> {
    let ((first, last), other) = (stretch(a)?, stretch(b)?);
    if (first, last) != other {
        return None;
    }
    let bounded = |v: &Versions| {
        let run: Vec<&str> =
            v.tried.iter().filter(|t| can_tell(t.cell)).map(|t| t.version.as_str()).collect();
        run.first() != Some(&first) || run.last() != Some(&last)
    };
    let versions = if first == last { first.to_owned() } else { format!("{first} to {last}") };
    Some((format!("which fails in the same versions ({versions})"), bounded(a) && bounded(b)))
}

/// The oldest and the newest version of the last stretch that fails.
fn stretch(v: &Versions) -> Option<(&str, &str)> {
    let last = v.tried.iter().rfind(|t| t.cell == Cell::Fails)?;
    Some((v.first_bad.as_deref()?, &last.version))
}

fn can_tell(cell: Cell) -> bool {
    !matches!(cell, Cell::Missing | Cell::CannotRead)
}

#[cfg(test)]
mod tests {
    use super::super::tests::found;
    use super::*;
    use campaign::finding::Tried;
    use campaign::outcome::Kind;

    const UNSAT: &str = "(declare-const x String)(assert (= (str.replace \"\" x \"a\") \"a\"))(check-sat)";
    const MODEL: &str = "(declare-const y String)(assert (= (str.replace \"\" y \"b\") \"\"))(check-sat)";
    const OTHER: &str = "(declare-const y String)(assert (= (str.replace y \"b\" y) \"\"))(check-sat)";

    fn versions(cells: &[(&str, Cell)]) -> Option<Versions> {
        let tried =
            |(v, cell): &(&str, Cell)| Tried { version: (*v).into(), cell: *cell, detail: String::new() };
        let tried: Vec<Tried> = cells.iter().map(tried).collect();
        let first_bad = tried.iter().find(|t| t.cell == Cell::Fails).map(|t| t.version.clone());
        Some(Versions { tried, first_bad, ..Versions::default() })
    }

    fn str3(mut f: Finding) -> Finding {
        f.solver.profile = "z3str3".into();
        f.fingerprint.solver = "z3str3".into();
        f
    }

    #[test]
    fn one_formula_in_two_groups_is_related() {
        let (a, b) = (found(Kind::WrongUnsat, UNSAT), found(Kind::InvalidModel, MODEL));
        let words = "the same formula up to names and constants; versions were not compared";
        assert_eq!(reason(&a, &b).as_deref(), Some(words));
        assert_eq!(reason(&a, &str3(b.clone())).as_deref(), Some(words));
        assert_eq!(reason(&a, &found(Kind::InvalidModel, OTHER)), None);
        let other = Finding {
            solver: campaign::finding::Subject { profile: "cvc5".into(), ..b.solver.clone() },
            ..b
        };
        assert_eq!(reason(&a, &other), None, "another program");
        assert_eq!(reason(&found(Kind::Crash, UNSAT), &found(Kind::WrongUnsat, UNSAT)), None);
    }

    #[test]
    fn versions_tell_findings_apart() {
        use Cell::{Fails, Right, Unknown};
        let with = |f: Finding, cells: &[(&str, Cell)]| Finding { versions: versions(cells), ..f };
        let (a, b) = (found(Kind::WrongUnsat, UNSAT), found(Kind::InvalidModel, MODEL));
        let a = with(a, &[("4.5.1", Fails), ("4.8.0", Fails), ("4.8.4", Right)]);
        let same = with(b.clone(), &[("4.5.1", Fails), ("4.8.0", Fails), ("4.8.4", Unknown)]);
        let text =
            "the same formula up to names and constants, which fails in the same versions (4.5.1 to 4.8.0)";
        assert_eq!(reason(&a, &same).as_deref(), Some(text));
        let later = with(b, &[("4.5.1", Fails), ("4.8.0", Fails), ("4.8.4", Fails), ("4.8.5", Right)]);
        assert_eq!(reason(&a, &later), None);
        let other = found(Kind::InvalidModel, OTHER);
        let operators = with(other.clone(), &[("4.5.1", Fails), ("4.8.0", Fails), ("4.8.4", Right)]);
        let text = "the same operators (str.replace), which fails in the same versions (4.5.1 to 4.8.0)";
        assert_eq!(reason(&a, &operators).as_deref(), Some(text));
        let always = with(found(Kind::WrongUnsat, UNSAT), &[("4.5.1", Fails), ("4.8.0", Fails)]);
        let all = with(other, &[("4.5.1", Fails), ("4.8.0", Fails)]);
        assert_eq!(reason(&always, &all), None, "all versions tell nothing");
    }

    #[test]
    fn relations_name_the_other_finding() {
        let (mut a, mut b) = (found(Kind::WrongUnsat, UNSAT), found(Kind::InvalidModel, MODEL));
        (a.number, b.number) = (3, 5);
        relate(&mut [&mut a, &mut b]);
        assert_eq!((a.related[0].number, b.related[0].number), (5, 3));
        assert_eq!(a.related[0].id, b.id);
        a.fingerprint.shape = "another".into();
        a.fingerprint.core.clear();
        relate(&mut [&mut a, &mut b]);
        assert!(a.related.is_empty() && b.related.is_empty());
    }
}
