//! Fragments of several files of a corpus in one script: assertions and Boolean subterms, with constants of the same sort identified now and then.

use super::adopt::{Adopter, assertions, model};
use super::grow::Grower;
use super::{Made, Material, Source, spot};
use crate::dice::Dice;
use semantics::Instance;
use smt::{Fun, Op, Pool, Sort, Term};

pub(super) static RECOMBINE: Source = Source {
    name: "recombine",
    about: "fragments of several files of the corpus, with some constants identified",
    truth: "sat if the values of the files' models happen to hold, otherwise unknown",
    needs_corpus: true,
    make,
};

/// Attempts at a fragment.
const TRIES: usize = 12;

fn make(dice: &mut Dice, material: &Material) -> Option<Made> {
    if material.corpus.is_empty() {
        return None;
    }
    let mut g = Grower::new(dice, &material.shape);
    let wanted = 2 + g.dice.index(material.shape.assertions.max(1));
    let mut all = Vec::new();
    for _ in 0..TRIES {
        let file = g.dice.pick(&material.corpus);
        all.extend(fragments(&mut g, file).unwrap_or_default());
        if all.len() >= wanted {
            break;
        }
    }
    if all.len() < 2 {
        return None;
    }
    if g.dice.one_in(4) {
        let (a, b) = (all.pop()?, all.pop()?);
        let op = *g.dice.pick(&[Op::Or, Op::Eq, Op::Implies]);
        all.push(g.op(op, &[a, b]));
    }
    g.dice.shuffle(&mut all);
    Some(spot::labelled(g, &all))
}

/// One to three fragments of a file.
fn fragments(g: &mut Grower<'_>, file: &Instance) -> Option<Vec<Term>> {
    let list = assertions(file)?;
    // Names change, so that variables of quantifiers might capture them.
    let usable = |t: &Term| file.pool.sort_of(*t) == Sort::BOOL && !file.pool.has_var(*t);
    let mut picked = Vec::new();
    for _ in 0..1 + g.dice.index(3) {
        let mut t = *g.dice.pick(&list);
        if g.dice.one_in(4) {
            let parts: Vec<Term> = file.pool.subterms([t]).filter(usable).collect();
            t = if parts.is_empty() { t } else { *g.dice.pick(&parts) };
        }
        if usable(&t) && !picked.contains(&t) {
            picked.push(t);
        }
    }
    copied(g, file, &picked)
}

fn copied(g: &mut Grower<'_>, file: &Instance, terms: &[Term]) -> Option<Vec<Term>> {
    let known: Vec<Fun> = g.constants.iter().filter_map(|&(t, _)| g.fun(t)).collect();
    let mut adopter = Adopter::new(&file.pool);
    let dice = &mut *g.dice;
    let mut choose = |pool: &mut Pool, f: Fun| {
        let data = file.pool.fun(f);
        let same: Vec<Fun> = known
            .iter()
            .copied()
            .filter(|&k| data.params.is_empty() && pool.fun(k).ret == data.ret)
            .collect();
        if !same.is_empty() && dice.one_in(2) {
            return *dice.pick(&same);
        }
        Adopter::declare(&file.pool, pool, f, file.pool.fun_name(f))
    };
    let mut out = Vec::new();
    for &t in terms {
        out.push(adopter.copy(&mut g.pool, t, &mut choose)?);
    }
    let funs = adopter.funs;
    g.take_over(&file.pool, model(file), &funs);
    Some(out)
}
