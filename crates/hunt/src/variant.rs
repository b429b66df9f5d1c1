//! Variants: a solver with one of its sets of options, and the material for its instances.

use crate::coverage::Coverage;
use campaign::profile::{OptionSet, Places, Solver, find};
use semantics::instance::Instance;
use smt::Op;
use std::sync::Arc;
use synth::sources::{Library, Material, Shape};

/// A solver with options.
pub struct Variant {
    /// The solver.
    pub solver: Solver,
    /// Its key in the store.
    pub id: i64,
    /// The material for its instances, without the operators that it lacks.
    pub material: Material,
    /// Chainable operators that it takes with two arguments only.
    pub(crate) binary: Vec<Op>,
}

impl Variant {
    /// The same solver with another seed, if it has one.
    pub(crate) fn reseeded(&self) -> Option<Variant> {
        let mut solver = self.solver.clone();
        let profile = &mut solver.profile;
        let mut seeded = false;
        for text in profile.args.iter_mut().chain(&mut profile.prelude) {
            seeded |= text.contains("{seed}");
            *text = text.replace("{seed}", "7");
        }
        solver.name.push_str("+seed7");
        seeded.then(|| Variant {
            solver,
            id: self.id,
            material: Material::default(),
            binary: self.binary.clone(),
        })
    }
}

/// Which sets of options are used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sets {
    /// Those that users use.
    #[default]
    Usual,
    /// Also those that the solver's documents advise against.
    Experimental,
    /// None: the options of the profile only.
    None,
    /// These.
    Named(Vec<String>),
}

/// The solvers of a hunt: each as it is, and with the wanted sets of options.
pub fn with_options(solvers: &[Solver], sets: &Sets) -> anyhow::Result<Vec<Solver>> {
    let mut all = Vec::new();
    let mut known = Vec::new();
    for solver in solvers {
        all.push(solver.clone());
        let Ok(definition) = find(&solver.profile.name, &Places::from_env()) else { continue };
        let fitting = |o: &&OptionSet| o.fits(&solver.version);
        for set in definition.options().filter(fitting) {
            known.push(set.name().to_owned());
            let wanted = match sets {
                Sets::Usual => !set.experimental,
                Sets::Experimental => true,
                Sets::None => false,
                Sets::Named(names) => names.iter().any(|n| n == set.name()),
            };
            if wanted {
                all.push(set.applied(solver));
            }
        }
    }
    if let Sets::Named(names) = sets
        && let Some(missing) = names.iter().find(|n| !known.contains(n))
    {
        anyhow::ensure!(!known.is_empty(), "unknown option set `{missing}`; these solvers have none");
        anyhow::bail!("{}", smt::diag::unknown_name("option set", missing, known.iter().map(String::as_str)));
    }
    Ok(all)
}

/// The solver has the operator.
pub fn has_operator(solver: &Solver, op: Op) -> bool {
    let profile = &solver.profile;
    op.is_in(profile.dialect) && !profile.unsupported.iter().any(|name| name == op.name())
}

/// Legal pairs of operators that some solver has: those that were seen, and all.
pub(crate) fn pairs<'s>(coverage: &Coverage, solvers: impl Iterator<Item = &'s Solver>) -> (u64, u64) {
    let solvers: Vec<_> = solvers.collect();
    coverage.count(&|op| solvers.iter().any(|s| has_operator(s, op)))
}

/// Chainable operators that the solver takes with two arguments only.
pub(crate) fn binary(solver: &Solver) -> Vec<Op> {
    Op::all().filter(|op| solver.profile.binary.iter().any(|name| name == op.name())).collect()
}

/// The material for a solver.
pub fn material(
    solver: &Solver,
    shape: &Shape,
    rules: &Arc<Library>,
    corpus: &Arc<Vec<Instance>>,
) -> Material {
    let mut shape = shape.clone();
    let sequences = smt::op::SEQUENCES.iter().map(|row| row.op);
    let lacking = Op::all().chain(sequences).filter(|&op| !has_operator(solver, op));
    shape.weights.splice(0..0, lacking.map(|op| (op.name().to_owned(), 0)));
    Material { corpus: Arc::clone(corpus), rules: Arc::clone(rules), shape }
}
