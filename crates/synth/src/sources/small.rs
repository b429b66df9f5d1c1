//! Small random formulas whose constants have few values, so that trying all of them decides the formula both ways.

use super::{Made, Material, Source};
use crate::dice::Dice;
use crate::random;
use semantics::instance::Truth;
use smt::Pool;

pub(super) static SMALL: Source = Source {
    name: "small",
    about: "small random formulas, most with few values for each constant",
    truth: "sat by a model, unsat by trying all values, otherwise unknown",
    needs_corpus: false,
    make,
};

fn make(dice: &mut Dice, _: &Material) -> Option<Made> {
    let mut pool = Pool::new();
    let formula = random::formula(&mut pool, dice.below(1 << 32), dice.below(1 << 32));
    let truth = match (formula.truth, formula.witness) {
        (Some(true), Some(at)) => Truth::Sat(Box::new(formula.tried[at].clone())),
        (Some(false), _) => Truth::Unsat((0..formula.assertions.len()).collect()),
        _ => Truth::Unknown,
    };
    let kind = formula.kind.name();
    (!formula.assertions.is_empty()).then(|| Made::new(pool, &formula.assertions, truth).with_recipe(kind))
}
