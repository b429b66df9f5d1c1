//! *Nop*: changes nothing; the result may be in another dialect.

use super::{Effect, Flags, Job, Transformer};

/// The transformer.
pub static NOP: Transformer = Transformer {
    name: "nop",
    about: "change nothing (but --out-lang the dialect)",
    flags: &[],
    keeps: "always",
    apply,
};

fn apply(_: &Flags, _: &mut Job<'_>) -> Effect {
    Effect::NONE
}
