//! The answers, models and cores in an output, without a judgement.

use super::answer::read_model;
use super::answer_of;
use super::output::Output;
use crate::case::Case;
use crate::outcome::Answer;
use crate::profile::Profile;
use semantics::Model;
use smt::Pool;

/// The response to one `check-sat`.
#[derive(Clone, Debug)]
pub struct Response {
    /// The answer.
    pub answer: Answer,
    /// The model, if one was printed; or the reason why it cannot be used.
    pub model: Result<Option<Model>, String>,
    /// The names of the core, if there is one that can be read.
    pub core: Option<Vec<String>>,
}

/// The response to each `check-sat`; terms of models go to `pool`, which is the case's or a clone of it. The error is the one before
/// the first answer, after which all answers are ignored.
pub fn responses(
    case: &Case,
    profile: &Profile,
    stdout: &[u8],
    pool: &mut Pool,
) -> Result<Vec<Response>, String> {
    let output = Output::read(stdout, profile, pool);
    if let Some(message) = output.errors.into_iter().next() {
        return Err(message);
    }
    if output.unsupported {
        return Err("unsupported".into());
    }
    let of = |reply| Response {
        answer: answer_of(reply),
        model: read_model(case, reply, pool),
        core: reply.core(|_| true).map(<[String]>::to_vec),
    };
    Ok(output.replies.iter().map(of).collect())
}
