//! *Nop*: changes nothing; the result may be in another dialect.

use super::{Effect, Info, Job, Transformer};

/// The transformer.
#[derive(Clone, Copy, Debug)]
pub struct Nop;

/// Its description.
pub static INFO: Info =
    Info { name: "nop", about: "change nothing (but --out-lang the dialect)", flags: &[], keeps: "always" };

impl Transformer for Nop {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn apply(&self, _: &mut Job<'_>) -> Effect {
        Effect::NONE
    }
}
