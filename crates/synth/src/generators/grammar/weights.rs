//! The weights of operators and sorts.

use crate::parameters::Setting;
use smt::op::TABLE;
use smt::{Op, Sort};

/// The sorts that have weights.
const SORTS: [(&str, Sort); 5] = [
    ("Bool", Sort::BOOL),
    ("Int", Sort::INT),
    ("String", Sort::STRING),
    ("RegLan", Sort::REGLAN),
    ("Real", Sort::REAL),
];

/// Weights of operators and sorts. By default each operator of the standard has 1, and so have Bool, Int and String;
/// extensions (and `divisible`), and reals, have 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    ops: Vec<u32>,
    /// By the number of the sort.
    sorts: [u32; 6],
}

impl Default for Weights {
    fn default() -> Self {
        let rare = |op: Op| matches!(op, Op::Divisible | Op::RealDiv | Op::ToReal | Op::ToInt | Op::IsInt);
        let usual = |op: Op| !op.is_extension() && !rare(op);
        Weights { ops: Op::all().map(|op| u32::from(usual(op))).collect(), sorts: [0, 1, 1, 0, 1, 0] }
    }
}

impl Weights {
    /// Only these operators, each with weight 1.
    pub fn only(ops: &[Op]) -> Weights {
        let mut weights = Weights::default();
        weights.ops.fill(0);
        ops.iter().for_each(|op| weights.ops[*op as usize] = 1);
        weights
    }

    /// The weight of an operator.
    pub fn of(&self, op: Op) -> u32 {
        self.ops[op as usize]
    }

    /// The weight of a sort, where an operator takes any.
    pub fn of_sort(&self, sort: Sort) -> u32 {
        self.sorts[sort.0 as usize]
    }

    /// Sets the weight of a sort.
    pub fn set_sort(&mut self, sort: Sort, weight: u32) {
        self.sorts[sort.0 as usize] = weight;
    }

    /// There are reals.
    pub fn has_reals(&self) -> bool {
        let real = [Op::RealDiv, Op::ToReal, Op::ToInt, Op::IsInt];
        self.of_sort(Sort::REAL) > 0 || real.iter().any(|op| self.of(*op) > 0)
    }

    fn set(&mut self, name: &str, weight: u32) -> Result<(), String> {
        if name == "all" {
            self.ops.fill(weight);
            return Ok(());
        }
        if let Some((_, sort)) = SORTS.iter().find(|(n, _)| *n == name) {
            self.set_sort(*sort, weight);
            return Ok(());
        }
        let mut known = false;
        for row in TABLE.iter().filter(|row| row.name == name) {
            self.ops[row.op as usize] = weight;
            known = true;
        }
        if known {
            return Ok(());
        }
        let sorts = SORTS.iter().map(|(name, _)| *name);
        Err(smt::diag::unknown_name("operator", name, smt::op::names().chain(sorts)))
    }
}

impl Setting for Weights {
    const MANY: bool = true;

    fn take(&mut self, text: &str) -> Result<(), String> {
        for item in text.split(',').filter(|item| !item.is_empty()) {
            // The name may itself have an equals sign.
            let (name, weight) = item.rsplit_once('=').ok_or_else(|| format!("`{item}` is not NAME=N"))?;
            let weight = weight.parse().map_err(|_| format!("`{weight}` is not a weight"))?;
            self.set(name, weight)?;
        }
        Ok(())
    }

    fn show(&self) -> Option<String> {
        let usual = Weights::default();
        let differs = |row: &&smt::op::Row| self.of(row.op) != usual.of(row.op);
        let mut items: Vec<String> =
            TABLE.iter().filter(differs).map(|row| format!("{}={}", row.name, self.of(row.op))).collect();
        items.dedup();
        let sorts = SORTS.iter().filter(|(_, s)| self.of_sort(*s) != usual.of_sort(*s));
        items.extend(sorts.map(|(name, s)| format!("{name}={}", self.of_sort(*s))));
        (!items.is_empty()).then(|| crate::parameters::shell(&items.join(",")))
    }
}
