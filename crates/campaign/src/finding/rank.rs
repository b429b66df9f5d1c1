//! The order of findings: what maintainers want to hear of first.
//!
//! First the kind: a wrong `unsat` hides bugs of the programs that are checked, a wrong `sat` and an invalid model raise false alarms, a crash is at least
//! noticed. Then failures of the newest version, failures that are not known, small scripts, many members.

use super::{Finding, Member, Versions};
use crate::outcome::{Kind, Verdict};
use std::cmp::Reverse;

/// The key by which findings are sorted, first what matters most.
pub type Rank<'a> = (u8, u8, bool, usize, Reverse<usize>, &'a str, &'a str);

impl Finding {
    /// Its rank: the smaller, the more it matters.
    pub fn rank(&self) -> Rank<'_> {
        (
            class(self.kind),
            self.versions.as_ref().map_or(1, newest),
            !self.known.is_empty(),
            self.reduced.bytes,
            Reverse(self.members.len()),
            &self.solver.name,
            &self.id,
        )
    }

    /// A name for files: `07-wrong-unsat-str.replace_all`.
    pub fn slug(&self) -> String {
        let operator = self.reduced.operators.iter().find(|o| o.contains('.'));
        let name: String = operator.map_or("core", |o| o).chars().map(plain).collect();
        format!("{:02}-{}-{name}", self.number, self.kind)
    }
}

impl Member {
    /// The key by which runs are found: instance, solver, seed.
    pub fn key(&self) -> (&str, &str, u64) {
        (&self.instance, &self.solver, self.seed)
    }
}

fn plain(c: char) -> char {
    match c {
        '<' => 'l',
        '+' => 'p',
        '*' => 's',
        c if c.is_ascii_alphanumeric() || "._-".contains(c) => c,
        _ => '-',
    }
}

/// The newest version fails, is not known, or does not fail.
fn newest(versions: &Versions) -> u8 {
    match (versions.newest_fails, &versions.newest) {
        (true, _) => 0,
        (false, None) => 1,
        (false, Some(_)) => 2,
    }
}

/// How bad a kind is, from 0.
fn class(kind: Kind) -> u8 {
    match (kind.verdict(), kind) {
        (Verdict::WrongUnsat, _) => 0,
        (Verdict::WrongSat, Kind::WrongSat) => 1,
        (Verdict::InvalidModel, _) => 2,
        (Verdict::InvalidCore, Kind::UnsoundCore | Kind::ForeignCore) => 3,
        (Verdict::Error, Kind::Crash | Kind::CrashAfterAnswer) => 4,
        (Verdict::Error, _) => 5,
        (Verdict::Timeout | Verdict::Unknown, _) => 6,
        (Verdict::WrongSat | Verdict::InvalidCore, _) => 7,
        (Verdict::Ok | Verdict::NotApplicable | Verdict::Undetermined, _) => 8,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::finding::{Argument, Fingerprint, Known, Observed, Reduced, Subject};
    use crate::outcome::Answer;

    /// A finding of this kind and size.
    pub(crate) fn finding(id: &str, kind: Kind, bytes: usize) -> Finding {
        let script = "(assert (= (str.replace_all \"aa\" \"a\" \"b\") \"bb\"))\n(check-sat)\n".to_owned();
        Finding {
            number: 0,
            id: id.into(),
            solver: Subject { name: "faulty".into(), ..Subject::default() },
            kind,
            reduced: Reduced {
                sent: script.clone(),
                script,
                bytes,
                assertions: 1,
                operators: vec!["=".into(), "str.replace_all".into()],
                origin: "a".into(),
                origin_bytes: 900,
                runs: 10,
                seconds: 0.5,
                complete: true,
                argument: Argument::NotNeeded,
            },
            observed: Observed {
                kind,
                check: 1,
                answer: Answer::Unsat,
                stdout: "unsat\n".into(),
                stderr: String::new(),
                ending: "exit 0".into(),
                evidence: String::new(),
                core: None,
                message: None,
                seconds: 0.01,
                seed: 0,
            },
            fingerprint: Fingerprint::default(),
            members: Vec::new(),
            stability: None,
            modes: None,
            versions: None,
            options: None,
            known: Vec::new(),
            related: Vec::new(),
            seen: None,
        }
    }

    #[test]
    fn wrong_answers_come_before_crashes_and_new_bugs_before_known_ones() {
        let known = Known { issue: "z3#1".into(), title: String::new(), reason: String::new() };
        let old = Versions { newest: Some("5.4.0".into()), ..Versions::default() };
        let new = Versions { newest_fails: true, ..old.clone() };
        let mut list = vec![
            finding("slow", Kind::WallTime, 10),
            finding("crash", Kind::Crash, 10),
            finding("core", Kind::UnsoundCore, 10),
            finding("model", Kind::InvalidModel, 10),
            finding("sat", Kind::WrongSat, 10),
            Finding { versions: Some(old), ..finding("fixed", Kind::WrongUnsat, 10) },
            Finding { known: vec![known], ..finding("known", Kind::WrongUnsat, 10) },
            finding("large", Kind::WrongUnsat, 20),
            finding("small", Kind::WrongUnsat, 10),
            Finding { versions: Some(new), ..finding("newest", Kind::WrongUnsat, 30) },
        ];
        list.sort_by(|a, b| a.rank().cmp(&b.rank()));
        let ids: Vec<&str> = list.iter().map(|f| &*f.id).collect();
        assert_eq!(
            ids,
            ["newest", "small", "large", "known", "fixed", "sat", "model", "core", "crash", "slow"]
        );
    }

    #[test]
    fn slugs_are_file_names() {
        let mut finding = Finding { number: 7, ..finding("a", Kind::WrongUnsat, 1) };
        assert_eq!(finding.slug(), "07-wrong-unsat-str.replace_all");
        finding.reduced.operators = vec!["str.<=".into()];
        assert_eq!(finding.slug(), "07-wrong-unsat-str.l-");
        finding.reduced.operators.clear();
        assert_eq!(finding.slug(), "07-wrong-unsat-core");
    }
}
