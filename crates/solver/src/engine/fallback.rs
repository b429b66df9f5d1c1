//! Other strategies where the default one gives up.
//!
//! The default strategy expands only terms whose value in a candidate model is wrong, and gives up when a rejected candidate
//! leaves nothing to infer. The strategies of the paper expand all terms and bound lengths: another search, which may end.
//! They are tried in turn, each with a multiple of the work done so far, so that an `unknown` stays cheap.

use super::{Answer, Outcome, Statistics};
use crate::options::{Options, Strategy};
use smt::work::Stop;

/// The strategies that are tried.
const STRATEGIES: [Strategy; 2] = [Strategy::Fs, Strategy::S];
/// Ticks of a strategy, at least.
const MIN_TICKS: u64 = 200_000;
/// Ticks of a strategy, in those of the search that gave up.
const PATIENCE: u64 = 4;

/// Replaces an outcome that is unknown by that of another strategy, if one has an answer. `search` runs a strategy.
pub(super) fn fall_back(
    first: Outcome,
    options: &Options,
    stop: &Stop,
    mut search: impl FnMut(&Options) -> Outcome,
) -> Outcome {
    let mut out = first;
    if options.strategy != Strategy::Auto {
        return out;
    }
    for strategy in STRATEGIES {
        let used = ticks(&out.statistics);
        let left = options.ticks.map_or(u64::MAX, |limit| limit.saturating_sub(used));
        if !matches!(out.answer, Answer::Unknown(_)) || out.audit_failure.is_some() || left == 0 || stop() {
            break;
        }
        let limit = MIN_TICKS.max(used.saturating_mul(PATIENCE)).min(left);
        let name = if strategy == Strategy::Fs { "ticks of +fs" } else { "ticks of +s" };
        let next = search(&Options { strategy, ticks: Some(limit), ..options.clone() });
        let work = ticks(&next.statistics);
        out = joined(out, next);
        out.statistics.push((name, work));
    }
    out
}

/// The answer of the second outcome, if it has one, with the work of both.
fn joined(first: Outcome, second: Outcome) -> Outcome {
    let mut statistics = first.statistics;
    for (name, n) in second.statistics {
        match statistics.iter_mut().find(|(other, _)| *other == name) {
            Some((_, sum)) => *sum += n,
            None => statistics.push((name, n)),
        }
    }
    let answer = match second.answer {
        Answer::Unknown(_) if second.audit_failure.is_none() => first.answer,
        decided => decided,
    };
    let trace = first.trace.into_iter().chain(second.trace).collect();
    Outcome { answer, statistics, trace, audit_failure: second.audit_failure }
}

fn ticks(statistics: &Statistics) -> u64 {
    statistics.iter().find(|(name, _)| *name == "ticks").map_or(0, |&(_, n)| n)
}
