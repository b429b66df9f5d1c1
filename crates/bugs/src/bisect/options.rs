//! The options that a failure needs: each argument of the solver, each command before the script and each request that can be left out,
//! is; the rest is needed.
//!
//! Arguments without which the solver does not read the script (`-in`, `{file}`, `--lang=…`) are no options. First all are dropped
//! at once, then one at a time, until none can be dropped any more.

use super::cell::Question;
use campaign::profile::Profile;

/// Something that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Arg(usize),
    Prelude(usize),
    ModelPrelude(usize),
    CorePrelude(usize),
    IncrementalPrelude(usize),
    /// The request for a model, with its prelude.
    Model,
    /// The request for a core, with its prelude.
    Core,
}

/// The parts of a profile that a question uses and that can be left out; requests come first, since their preludes go with them.
fn parts(profile: &Profile, question: &Question) -> Vec<Part> {
    let wants = &question.wants;
    let model = wants.model.then_some(Part::Model);
    let core = (wants.core && profile.cores && question.case.has_names()).then_some(Part::Core);
    let args = (0..profile.args.len()).filter(|&i| !is_plumbing(&profile.args[i])).map(Part::Arg);
    let mut all: Vec<Part> = model.into_iter().chain(core).chain(args).collect();
    all.extend((0..profile.prelude.len()).map(Part::Prelude));
    if model.is_some() {
        all.extend((0..profile.model_prelude.len()).map(Part::ModelPrelude));
    }
    if core.is_some() {
        all.extend((0..profile.core_prelude.len()).map(Part::CorePrelude));
    }
    if !question.case.is_plain() {
        all.extend((0..profile.incremental_prelude.len()).map(Part::IncrementalPrelude));
    }
    all
}

/// An argument that tells how input is read.
fn is_plumbing(arg: &str) -> bool {
    matches!(arg, "-in" | "-" | "-smt2" | "-q" | "--quiet")
        || arg.contains("{file}")
        || arg.starts_with("--lang")
}

/// The profile and the question with these parts only.
fn with(profile: &Profile, question: &Question, kept: &[Part]) -> (Profile, Question) {
    let (mut p, mut q) = (profile.clone(), question.clone());
    let all = parts(profile, question);
    let gone = |part: Part| all.contains(&part) && !kept.contains(&part);
    let filter = |list: &mut Vec<String>, part: fn(usize) -> Part| {
        let mut at = 0..;
        list.retain(|_| at.next().is_some_and(|i| !gone(part(i))));
    };
    // An empty list stands for the usual option; an empty line is none.
    let filter_kept = |list: &mut Vec<String>, part: fn(usize) -> Part| {
        let had = !list.is_empty();
        filter(list, part);
        if had && list.is_empty() {
            list.push(String::new());
        }
    };
    filter(&mut p.args, Part::Arg);
    filter(&mut p.prelude, Part::Prelude);
    filter(&mut p.incremental_prelude, Part::IncrementalPrelude);
    filter_kept(&mut p.model_prelude, Part::ModelPrelude);
    filter_kept(&mut p.core_prelude, Part::CorePrelude);
    q.wants.model &= !gone(Part::Model);
    q.wants.both &= !gone(Part::Model);
    q.wants.core &= !gone(Part::Core);
    (p, q)
}

/// The text of a part, as a person would write it; requests have none of their own.
fn text(profile: &Profile, part: Part) -> Option<&str> {
    let line = match part {
        Part::Arg(i) => &profile.args[i],
        Part::Prelude(i) => &profile.prelude[i],
        Part::ModelPrelude(i) => &profile.model_prelude[i],
        Part::CorePrelude(i) => &profile.core_prelude[i],
        Part::IncrementalPrelude(i) => &profile.incremental_prelude[i],
        Part::Model | Part::Core => return None,
    };
    Some(line.trim())
}

/// The options without which a solver with this profile does not fail. `fails` runs it; none stops.
pub(super) fn minimise(
    profile: &Profile,
    question: &Question,
    fails: &mut dyn FnMut(&Profile, &Question) -> Option<bool>,
) -> Option<Vec<String>> {
    let mut kept = parts(profile, question);
    let mut test = |kept: &[Part]| {
        let (profile, question) = with(profile, question, kept);
        fails(&profile, &question)
    };
    if test(&[])? {
        return Some(Vec::new());
    }
    let mut at = 0;
    let mut since = 0;
    while since < kept.len() {
        at %= kept.len();
        let mut fewer = kept.clone();
        fewer.remove(at);
        if test(&fewer)? {
            (kept, since) = (fewer, 0);
        } else {
            (at, since) = (at + 1, since + 1);
        }
    }
    Some(kept.into_iter().filter_map(|part| text(profile, part)).map(ToOwned::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bisect::cell::Failure;
    use campaign::case::Case;
    use campaign::compose::compose;
    use campaign::settings::Wants;
    use std::time::Duration;

    fn question() -> Question {
        let text = b"(declare-const x Int)(assert (! (= x 1) :named a))(check-sat)";
        Question {
            case: Case::from_text("a", text).expect("a script"),
            failure: Failure::Wrong,
            wants: Wants::default(),
            seeds: vec![0],
            time: Duration::from_secs(1),
            memory: None,
            message: None,
        }
    }

    fn profile() -> Profile {
        let lines = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect();
        Profile {
            args: lines(&["-in", "solver=old", "mode=fast"]),
            prelude: lines(&["(set-option :seed 0)", "(set-option :b true)"]),
            model_prelude: lines(&["(set-option :produce-models true)"]),
            core_prelude: lines(&["(set-option :produce-unsat-cores true)"]),
            cores: true,
            ..Profile::default()
        }
    }

    /// The options that are needed if a solver fails whenever its command line and script have all these texts.
    fn needed(wanted: &[&str]) -> Vec<String> {
        let mut fails = |p: &Profile, q: &Question| {
            let script = compose(&q.case, p, 0, &q.wants).expect("a script");
            let all = format!("{} {}", p.args.join(" "), String::from_utf8_lossy(&script));
            assert!(p.args.contains(&"-in".to_owned()), "the solver could not read");
            Some(wanted.iter().all(|w| all.contains(w)))
        };
        minimise(&profile(), &question(), &mut fails).expect("not stopped")
    }

    #[test]
    fn only_needed_options_are_left() {
        assert_eq!(needed(&[]), Vec::<String>::new());
        assert_eq!(needed(&["solver=old"]), ["solver=old"]);
        assert_eq!(needed(&["mode=fast", ":b true"]), ["mode=fast", "(set-option :b true)"]);
        assert_eq!(
            needed(&["get-unsat-core", "solver=old"]),
            ["solver=old"],
            "the request needs no option here"
        );
        assert_eq!(needed(&["produce-unsat-cores"]), ["(set-option :produce-unsat-cores true)"]);
    }

    #[test]
    fn a_stop_ends_it() {
        assert_eq!(minimise(&profile(), &question(), &mut |_, _| None), None);
    }
}
