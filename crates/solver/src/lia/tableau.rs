//! The tableau of the simplex method: sparse rows, with occurrence lists by column.
//!
//! A row is an equation `sum a_i * x_i = 0` with integer coefficients and no common divisor, so
//! pivoting needs no fractions. One variable of each row is *basic*: it occurs in no other row.
//! Entries of rows and cells of columns point at each other, which makes removal constant time.

use smt::Int;
use smt::work::spend;

use super::quotient::{exact_div, is_unit};

/// The row of a non-basic variable.
pub(super) const NO_ROW: u32 = u32::MAX;

/// A variable with its coefficient in a row.
#[derive(Debug)]
pub(super) struct Entry {
    /// The variable.
    pub(super) var: u32,
    /// Its coefficient, not zero.
    pub(super) coef: Int,
    /// The index of the cell of this entry in the column of the variable.
    cell: u32,
}

/// The position of an entry of a variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// The row.
    pub(super) row: u32,
    /// The index of the entry in the row.
    pub(super) entry: u32,
}

/// An equation.
#[derive(Debug)]
struct Row {
    base: u32,
    entries: Vec<Entry>,
}

/// The equations and their basic variables.
#[derive(Debug, Default)]
pub(super) struct Tableau {
    rows: Vec<Row>,
    cols: Vec<Vec<Cell>>,
    row_of: Vec<u32>,
    /// Scratch memory: for the variables of one row, the index of the entry plus one.
    marks: Vec<u32>,
    /// Removed rows, for reuse.
    spare: Vec<u32>,
}

impl Tableau {
    /// Adds a variable in no row.
    pub(super) fn new_var(&mut self) {
        self.cols.push(Vec::new());
        self.row_of.push(NO_ROW);
        self.marks.push(0);
    }

    /// The number of rows, those removed included.
    pub(super) fn row_count(&self) -> u32 {
        self.rows.len() as u32
    }

    /// The entries of a row; none if it was removed.
    pub(super) fn entries(&self, row: u32) -> &[Entry] {
        &self.rows[row as usize].entries
    }

    /// The cells of a variable.
    pub(super) fn column(&self, var: u32) -> &[Cell] {
        &self.cols[var as usize]
    }

    /// The basic variable of a row.
    pub(super) fn base(&self, row: u32) -> u32 {
        self.rows[row as usize].base
    }

    /// The row in which the variable is basic, or [`NO_ROW`].
    pub(super) fn row_of(&self, var: u32) -> u32 {
        self.row_of[var as usize]
    }

    /// Whether the variable is basic.
    pub(super) fn is_basic(&self, var: u32) -> bool {
        self.row_of[var as usize] != NO_ROW
    }

    /// The coefficient at a cell.
    pub(super) fn coef(&self, cell: Cell) -> &Int {
        &self.rows[cell.row as usize].entries[cell.entry as usize].coef
    }

    /// The coefficient of the basic variable of a row.
    pub(super) fn base_coef(&self, row: u32) -> &Int {
        self.coef(self.cols[self.base(row) as usize][0])
    }

    /// Adds the row `sum = var` with basic variable `var`, which is in no row.
    pub(super) fn add_row(&mut self, var: u32, sum: &[(u32, Int)]) -> u32 {
        let row = self.spare.pop().unwrap_or_else(|| {
            self.rows.push(Row { base: var, entries: Vec::new() });
            self.rows.len() as u32 - 1
        });
        self.rows[row as usize].base = var;
        for (x, coef) in sum {
            self.insert(row, *x, coef.clone());
        }
        self.insert(row, var, Int::MINUS_ONE);
        for (x, _) in sum {
            let other = self.row_of(*x);
            if other != NO_ROW {
                self.eliminate(*x, other, row);
            }
        }
        self.row_of[var as usize] = row;
        row
    }

    /// Removes the row in which `var` is basic.
    pub(super) fn remove_row(&mut self, var: u32) {
        let row = self.row_of(var);
        while let Some(last) = self.rows[row as usize].entries.len().checked_sub(1) {
            self.remove(row, last);
        }
        self.row_of[var as usize] = NO_ROW;
        self.spare.push(row);
    }

    /// Makes `var`, which occurs in `row`, its basic variable.
    pub(super) fn pivot(&mut self, row: u32, var: u32) {
        while self.cols[var as usize].len() > 1 {
            let cells = &self.cols[var as usize];
            let last = cells[cells.len() - 1].row;
            let target = if last == row { cells[0].row } else { last };
            self.eliminate(var, row, target);
        }
        let old = std::mem::replace(&mut self.rows[row as usize].base, var);
        self.row_of[old as usize] = NO_ROW;
        self.row_of[var as usize] = row;
    }

    /// Adds to `target` the multiple of `source` that cancels `var`, which occurs in both.
    fn eliminate(&mut self, var: u32, source: u32, target: u32) {
        let find = |row: u32| {
            let entries = &self.rows[row as usize].entries;
            let column = &self.cols[var as usize];
            // The shorter of the two lists is searched.
            if entries.len() < column.len() {
                entries.iter().find(|e| e.var == var).map(|e| e.coef.clone())
            } else {
                column.iter().find(|c| c.row == row).map(|c| self.coef(*c).clone())
            }
            .expect("the variable occurs in the row")
        };
        let (a, b) = (find(source), find(target));
        let (keep, add) = if is_unit(&a) {
            (Int::ONE, -(b * &a))
        } else {
            let divisor = a.gcd(&b);
            let (keep, add) = (exact_div(&a, &divisor), -exact_div(&b, &divisor));
            if keep.is_negative() { (-keep, -add) } else { (keep, add) }
        };
        self.combine(target, &keep, source, &add);
    }

    /// Replaces row `target` by `keep * target + add * source`, divided by its content.
    fn combine(&mut self, target: u32, keep: &Int, source: u32, add: &Int) {
        spend(1 + self.rows[target as usize].entries.len() + self.rows[source as usize].entries.len());
        let scale = *keep != Int::ONE;
        let entries = &mut self.rows[target as usize].entries;
        for (i, entry) in entries.iter_mut().enumerate() {
            self.marks[entry.var as usize] = i as u32 + 1;
            if scale {
                entry.coef *= keep;
            }
        }
        let marked = entries.len();
        let count = self.rows[source as usize].entries.len();
        let mut cancelled = false;
        for i in 0..count {
            let entry = &self.rows[source as usize].entries[i];
            let (var, summand) = (entry.var, &entry.coef * add);
            let mark = self.marks[var as usize];
            if mark == 0 {
                self.insert(target, var, summand);
            } else {
                let coef = &mut self.rows[target as usize].entries[mark as usize - 1].coef;
                *coef += &summand;
                cancelled |= coef.is_zero();
            }
        }
        for i in 0..marked {
            self.marks[self.rows[target as usize].entries[i].var as usize] = 0;
        }
        if cancelled {
            for i in (0..marked).rev() {
                if self.rows[target as usize].entries[i].coef.is_zero() {
                    self.remove(target, i);
                }
            }
        }
        self.divide_by_content(target);
    }

    fn divide_by_content(&mut self, row: u32) {
        if self.row_of[self.base(row) as usize] == row && is_unit(self.base_coef(row)) {
            return;
        }
        let entries = &mut self.rows[row as usize].entries;
        let mut content = Int::ZERO;
        for entry in entries.iter() {
            if is_unit(&entry.coef) {
                return;
            }
            content = content.gcd(&entry.coef);
            if content == Int::ONE {
                return;
            }
        }
        for entry in entries {
            entry.coef = exact_div(&entry.coef, &content);
        }
    }

    fn insert(&mut self, row: u32, var: u32, coef: Int) {
        let entries = &mut self.rows[row as usize].entries;
        let column = &mut self.cols[var as usize];
        column.push(Cell { row, entry: entries.len() as u32 });
        entries.push(Entry { var, coef, cell: column.len() as u32 - 1 });
    }

    fn remove(&mut self, row: u32, index: usize) {
        let entries = &mut self.rows[row as usize].entries;
        let gone = entries.swap_remove(index);
        if let Some(moved) = entries.get(index) {
            self.cols[moved.var as usize][moved.cell as usize].entry = index as u32;
        }
        let column = &mut self.cols[gone.var as usize];
        column.swap_remove(gone.cell as usize);
        if let Some(moved) = column.get(gone.cell as usize) {
            self.rows[moved.row as usize].entries[moved.entry as usize].cell = gone.cell;
        }
    }
}
