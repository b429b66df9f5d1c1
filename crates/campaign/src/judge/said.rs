//! What a solver printed, read again without judging it.

use super::answer::read_model;
use super::answer_of;
use super::output::Output;
use crate::case::Case;
use crate::outcome::Answer;
use crate::profile::Profile;
use semantics::Model;
use smt::Pool;

/// What a solver said to one question.
#[derive(Clone, Debug)]
pub struct Said {
    /// The answer.
    pub answer: Answer,
    /// The model: none if none was printed; or why what was printed cannot be used.
    pub model: Result<Option<Model>, String>,
    /// The names of the core, if there is one that can be read.
    pub core: Option<Vec<String>>,
}

/// What was said to each question; terms of models go to `pool`, which is the case's or a clone of it. An error is what
/// the solver said before its first answer: it did not understand, and nothing after that is believed.
pub fn said(case: &Case, profile: &Profile, stdout: &[u8], pool: &mut Pool) -> Result<Vec<Said>, String> {
    let output = Output::read(stdout, profile, pool);
    if let Some(message) = output.errors.into_iter().next() {
        return Err(message);
    }
    if output.unsupported {
        return Err("unsupported".into());
    }
    let of = |reply| Said {
        answer: answer_of(reply),
        model: read_model(case, reply, pool),
        core: reply.core(|_| true).map(<[String]>::to_vec),
    };
    Ok(output.replies.iter().map(of).collect())
}
