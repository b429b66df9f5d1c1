//! The remark on wrong results that depend on the reading of the standard: `2 only under 2.6 semantics`.

use super::data::{Data, Group};
use crate::judge::Scope;
use crate::outcome::Kind;
use semantics::Reading;

/// The remark on a group; empty if readings do not differ on its formulas.
pub fn remark(data: &Data, group: &Group) -> String {
    let of = |scope| group.size.scopes.get(&scope).copied().unwrap_or(0);
    let counts = [Scope::Both, Scope::One, Scope::Open].map(|s| (s, of(s)));
    match counts.iter().find(|(_, n)| *n == group.size.runs) {
        Some((scope, _)) => phrase(data, group.kind, *scope),
        None => counted_scopes(data, group.kind, &counts),
    }
}

/// `2 also under pre-2.6 semantics, 3 only under 2.6 semantics`; those with 0 are left out.
pub fn counted_scopes(data: &Data, kind: Kind, counts: &[(Scope, u64)]) -> String {
    let used = counts.iter().filter(|(_, n)| *n > 0);
    let parts: Vec<String> = used.map(|(s, n)| format!("{n} {}", phrase(data, kind, *s))).collect();
    parts.join(", ")
}

/// A scope in words. That a model fails does not prove that there is none, so a wrong `sat` may have another verdict there.
pub fn phrase(data: &Data, kind: Kind, scope: Scope) -> String {
    let (this, other) = match data.campaign.settings.rules.reading {
        Reading::Standard => ("2.6", "pre-2.6"),
        Reading::Pre26 => ("pre-2.6", "2.6"),
    };
    match scope {
        Scope::Both if kind == Kind::WrongSat => {
            format!("with a model that fails under {other} semantics too")
        }
        Scope::Both => format!("also under {other} semantics"),
        Scope::One => format!("only under {this} semantics"),
        Scope::Open => format!("undetermined under {other} semantics"),
    }
}
