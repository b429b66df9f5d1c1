//! Overlaps: `A·X = X·B` for constants `A`, `B` of one length and a concatenation `X` of variables.
//!
//! The answer is always known. `A·X = X·B` has a solution exactly if `A = u·v` and `B = v·u` for some `u`, `v` (Lyndon and
//! Schützenberger, 1962), and then `X = u` is one. The variables occur nowhere else, so that the first can be `u` and
//! the others empty. The core is the only assertion.

use super::build::Values;
use super::{Builder, Generator, Info};
use crate::dice::Dice;
use crate::parameters::parameters;
use semantics::instance::Truth;
use smt::{Op, Sort, Term};

parameters! {
    /// Parameters of `overlaps`.
    pub struct Overlaps {
        /// Variables, at least 1
        num_vars: u64 = 2, "num-vars" "N";
        /// The length of the constants
        length_of_consts: u64 = 5, "length-of-consts" "N";
        /// Make the second constant a rotation of the first, so that there is a solution
        rotation: bool = false, "rotation" "";
    }
}

impl Generator for Overlaps {
    fn info(&self) -> Info {
        Info {
            name: "overlaps",
            about: "An equation A·X = X·B, with X a concatenation of variables",
            truth: "always known",
            example: "--num-vars 10 --length-of-consts 3",
        }
    }

    fn check(&self) -> Result<(), String> {
        if self.num_vars < 1 { Err("--num-vars: at least 1".into()) } else { Ok(()) }
    }

    fn make(&self, dice: &mut Dice, b: &mut Builder) -> Result<Truth, String> {
        let left = dice.word(self.length_of_consts);
        let right = if self.rotation && !left.is_empty() {
            let mut word = left.clone();
            word.rotate_left(dice.index(left.len()));
            word
        } else {
            dice.word(self.length_of_consts)
        };
        let vars: Vec<Term> = (0..self.num_vars as usize).map(|i| b.declare("x", i, Sort::STRING)).collect();
        let middle = b.chain(Op::StrConcat, Sort::STRING, &vars);
        let (a, c) = (b.string(&left), b.string(&right));
        let (ax, xb) = (b.concat(a, middle), b.concat(middle, c));
        let t = b.eq(ax, xb);
        b.assert(t);
        let Some(split) = rotation(&left, &right) else { return Ok(Truth::Unsat(vec![0])) };
        let mut values = Values::new(b);
        values.word(vars[0], &left[..split]);
        for &v in &vars[1..] {
            values.word(v, &[]);
        }
        Ok(values.sat())
    }
}

/// The position to cut `a` at so that its parts in the other order are `b`.
fn rotation(a: &[u32], b: &[u32]) -> Option<usize> {
    let at = |i: usize| a[i..] == b[..a.len() - i] && a[..i] == b[a.len() - i..];
    (0..a.len().max(1)).find(|&i| at(i))
}
