//! Families of constraints that separate techniques: each grows in one property, and each has a known answer of either kind.
//!
//! A family is one function that writes declarations and assertions of either answer onto a [`Sheet`], and a row of [`FAMILIES`].
//! A satisfiable instance is made around a model that is drawn first. The argument for the unsatisfiable ones is on top of the
//! file of the family. No cores are stated.

mod blowup;
mod equations;
mod filters;
mod java;
mod letters;
mod patterns;
mod sanitizers;
mod sheet;
mod values;

pub use sheet::Sheet;

use super::edits::Mode;
use super::{Builder, Flag, Generator, Info, Parameters};
use crate::dice::Dice;
use crate::parameters::parameters;
use semantics::instance::Truth;

parameters! {
    /// Parameters of all families.
    pub struct Shape {
        /// Satisfiable formulas, unsatisfiable ones, or either at random
        mode: Mode = Mode::Both, "mode" "MODE";
        /// The value of the property that grows; a small one if it is not given
        size: Option<u64> = None, "size" "N";
    }
}

/// Writes an instance of this answer and size.
type Make = fn(&mut Dice, bool, usize, &mut Sheet);

/// A family.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    name: &'static str,
    about: &'static str,
    /// The property that grows, its default and its limits.
    property: &'static str,
    default: u64,
    limits: [u64; 2],
    example: &'static str,
    make: Make,
}

/// All families.
pub const FAMILIES: &[Row] = &[
    letters::ROW,
    sanitizers::ROW,
    filters::ROW,
    java::ROW,
    values::ROW,
    equations::ROW,
    blowup::ROW,
    patterns::ROW,
];

/// The generator of a family.
#[derive(Clone, Debug)]
pub struct Family {
    row: Row,
    shape: Shape,
}

impl Family {
    /// The generator of `FAMILIES[index]`.
    pub fn number(index: usize) -> Box<dyn Generator> {
        Box::new(Family { row: FAMILIES[index], shape: Shape::default() })
    }
}

impl Parameters for Family {
    fn flags(&self) -> Vec<Flag> {
        self.shape.flags()
    }

    fn set(&mut self, flag: &str, value: &str) -> Result<(), String> {
        self.shape.set(flag, value)
    }

    fn given(&self) -> Vec<(&'static str, Option<String>)> {
        self.shape.given()
    }
}

impl Generator for Family {
    fn info(&self) -> Info {
        let Row { name, about, example, .. } = self.row;
        Info { name, about, truth: "always known; no core", example }
    }

    fn check(&self) -> Result<(), String> {
        let [low, high] = self.row.limits;
        match self.shape.size {
            Some(size) if !(low..=high).contains(&size) => Err(format!("--size: from {low} to {high}")),
            _ => Ok(()),
        }
    }

    fn make(&self, dice: &mut Dice, b: &mut Builder) -> Result<Truth, String> {
        let size = self.shape.size.unwrap_or(self.row.default);
        let sat = match self.shape.mode {
            Mode::Both => dice.below(2) == 0,
            mode => mode == Mode::Sat,
        };
        let mut sheet = Sheet::default();
        (self.row.make)(dice, sat, size as usize, &mut sheet);
        b.grows(self.row.property, size);
        sheet.write(sat, b)
    }
}
