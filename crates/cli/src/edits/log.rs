//! `stringent edits log`: writes formulas without running solvers.

use super::shape::Shape;
use crate::Outcome;
use crate::r#gen::{self, Common};

/// Write formulas to standard output or to files, without running solvers.
///
/// Each formula states its answer, its model if it has one, and the command and seed that reproduce it. Formula I of seed S is
/// the first formula of seed S + I.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    shape: Shape,
}

const HELP: &str = "\
Examples:
  stringent edits log --from host --to wops
  stringent edits log --mode unsat --length 5..8 --count 1000 --out formulas/
  stringent edits log --word-list words.txt --unknown 0.5 --extra 3 --seed 7 | z3 -in
  stringent edits log --alphabet unicode --count 100000 --stream json

Exit codes: 0 done, 2 bad usage or bad input, or the dialect cannot express it.";

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let (generator, frame) = args.shape.generator()?;
    r#gen::write(&args.common, &generator, frame)
}
