//! Instances that other sources work on: of other sources, or files of the corpus.

use super::adopt::{Adopter, assertions, model};
use super::grow::Grower;
use super::{Made, Material, Source};
use super::{
    codes, counters, cuts, digits, domains, functions, model_first, needles, open_regex, order, quantified,
    refute, reglan, replacing, small, spot, stars, swarm, units,
};
use crate::dice::Dice;
use semantics::Instance;
use semantics::instance::Truth;
use smt::{Fun, Pool, Term};

/// The sources to take instances from, each as often as it is listed.
static SOURCES: &[&Source] = &[
    &model_first::MODEL_FIRST,
    &model_first::MODEL_FIRST,
    &refute::REFUTE,
    &refute::REFUTE,
    &refute::REFUTE,
    &small::SMALL,
    &swarm::SWARM,
    &domains::DOMAINS,
    &needles::NEEDLES,
    &cuts::CUTS,
    &codes::CODES,
    &digits::DIGITS,
    &order::ORDER,
    &units::UNITS,
    &stars::STARS,
    &replacing::REPLACING,
    &counters::COUNTERS,
    &open_regex::OPEN_REGEX,
    &reglan::REGLAN,
    &quantified::QUANTIFIED,
    &functions::FUNCTIONS,
];

/// Assertions with their answer.
pub(super) struct Base {
    pub(super) pool: Pool,
    pub(super) assertions: Vec<Term>,
    pub(super) truth: Truth,
    /// Where it is from.
    pub(super) from: &'static str,
}

/// An instance of another source, or of the corpus now and then.
pub(super) fn draw(dice: &mut Dice, material: &Material) -> Option<Base> {
    draw_if(dice, material, &|_| true, &|_| true)
}

/// The same of sources and of files that fit.
pub(super) fn draw_if(
    dice: &mut Dice,
    material: &Material,
    file_fits: &dyn Fn(&Instance) -> bool,
    source_fits: &dyn Fn(&Source) -> bool,
) -> Option<Base> {
    if !material.corpus.is_empty() && dice.one_in(3) {
        let file = dice.pick(&material.corpus);
        return if file_fits(file) { of_file(dice, material, file) } else { None };
    }
    let source = *dice.pick(SOURCES);
    if !source_fits(source) {
        return None;
    }
    let made = (source.make)(dice, material)?;
    Some(of_made(made, source.name))
}

fn of_made(made: Made, from: &'static str) -> Base {
    let assertions = made.instance.script.assertions().collect();
    Base { pool: made.instance.pool, assertions, truth: made.instance.truth, from }
}

/// A file of the corpus, in a pool of its own.
fn of_file(dice: &mut Dice, material: &Material, file: &Instance) -> Option<Base> {
    let (mut g, assertions) = grown(dice, material, file)?;
    let truth = match &file.truth {
        Truth::Sat(_) => {
            let made = spot::labelled(g, &assertions);
            return Some(of_made(made, "corpus"));
        }
        Truth::Unsat(_) => Truth::Unsat(Vec::new()),
        Truth::Unknown => Truth::Unknown,
    };
    let pool = std::mem::take(&mut g.pool);
    Some(Base { pool, assertions, truth, from: "corpus" })
}

/// A grower with the assertions, constants and values of a file.
pub(super) fn grown<'a>(
    dice: &'a mut Dice,
    material: &'a Material,
    file: &Instance,
) -> Option<(Grower<'a>, Vec<Term>)> {
    let theirs = assertions(file)?;
    let mut g = Grower::new(dice, &material.shape);
    let mut adopter = Adopter::new(&file.pool);
    let mut choose = |pool: &mut Pool, f: Fun| Adopter::declare(&file.pool, pool, f, file.pool.fun_name(f));
    let mut ours = Vec::with_capacity(theirs.len());
    for t in theirs {
        ours.push(adopter.copy(&mut g.pool, t, &mut choose)?);
    }
    g.take_over(&file.pool, model(file), &adopter.funs);
    Some((g, ours))
}
