//! Lists of edits as formulas: the definitions of the operations, the operands, and the assertions.

use crate::edits::words::LAST;
use crate::edits::{Edit, Kind};
use crate::generators::Builder;
use crate::generators::build::Values;
use semantics::Value;
use semantics::instance::Truth;
use smt::{Command, Fun, Op, Sort, Term};

/// Whether an operand is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// It does.
    Known,
    /// It is a declared constant.
    Unknown,
}

/// A formula to be written.
pub(super) struct Formula {
    /// The distance of the words.
    pub(super) distance: usize,
    /// The edits, the first to be applied first, and what of them is known: character and index.
    pub(super) steps: Vec<(Edit, Operand, Operand)>,
    /// For each edit the least and the greatest character it may put in; or none at all.
    pub(super) ranges: Vec<(u32, u32)>,
    /// The sum of the unknown indices, if it is asserted.
    pub(super) sum: Option<i64>,
    /// The edits lead to the second word.
    pub(super) sat: bool,
}

/// A range of characters with `c` in it.
pub(super) fn around(c: u32, below: u64, above: u64) -> (u32, u32) {
    (c.saturating_sub(below as u32), (c + above as u32).min(LAST))
}

impl Formula {
    /// The edits whose indices are unknown.
    pub(super) fn unknown_indices(&self) -> impl Iterator<Item = Edit> + '_ {
        self.steps.iter().filter(|(_, _, index)| *index == Operand::Unknown).map(|(e, _, _)| *e)
    }

    /// Writes it and returns its truth.
    pub(super) fn write(&self, from: &[u32], to: &[u32], b: &mut Builder) -> Truth {
        let functions = Kind::ALL.map(|kind| {
            let used = self.steps.iter().any(|(e, _, _)| e.kind == kind);
            used.then(|| define(kind, b))
        });
        let mut chain = b.string(from);
        let (mut characters, mut indices) = (Vec::new(), Vec::new());
        for (n, (edit, character, index)) in self.steps.iter().enumerate() {
            let mut operands = Vec::with_capacity(3);
            if edit.kind != Kind::Remove {
                operands.push(match character {
                    Operand::Known => b.string(&[edit.character]),
                    Operand::Unknown => {
                        let c = b.declare("c", n, Sort::STRING);
                        characters.push((c, n));
                        c
                    }
                });
            }
            operands.push(match index {
                Operand::Known => int(edit.index, b),
                Operand::Unknown => {
                    let i = b.declare("i", n, Sort::INT);
                    indices.push((i, n));
                    i
                }
            });
            operands.push(chain);
            let function = functions[edit.kind as usize].expect("it is used");
            chain = b.pool().apply(function, &operands);
        }
        self.constrain(&characters, &indices, b);
        let to = b.string(to);
        let equation = b.eq(chain, to);
        b.assert(equation);
        if self.sat { self.model(&characters, &indices, b) } else { Truth::Unsat(Vec::new()) }
    }

    /// Asserts the constraints on operands.
    fn constrain(&self, characters: &[(Term, usize)], indices: &[(Term, usize)], b: &mut Builder) {
        for &(c, n) in characters {
            let (length, one) = (b.len(c), b.int(1));
            let equation = b.eq(length, one);
            b.assert(equation);
            if let Some((low, high)) = self.ranges.get(n) {
                let ends = [b.string(&[*low]), b.string(&[*high])];
                let range = b.mk(Op::ReRange, Sort::REGLAN, &ends);
                let member = b.mk(Op::StrInRe, Sort::BOOL, &[c, range]);
                b.assert(member);
            }
        }
        let Some(sum) = self.sum.filter(|_| !indices.is_empty()) else { return };
        let terms: Vec<Term> = indices.iter().map(|(i, _)| *i).collect();
        let left = if let [only] = terms[..] { only } else { b.mk(Op::Add, Sort::INT, &terms) };
        let right = int(sum, b);
        let equation = b.eq(left, right);
        b.assert(equation);
    }

    fn model(&self, characters: &[(Term, usize)], indices: &[(Term, usize)], b: &Builder) -> Truth {
        let mut values = Values::new(b);
        for &(c, n) in characters {
            values.word(c, &[self.steps[n].0.character]);
        }
        for &(i, n) in indices {
            values.value(i, Value::Int(smt::Int::from(self.steps[n].0.index)));
        }
        values.sat()
    }
}

/// The integer constant `n`.
fn int(n: i64, b: &mut Builder) -> Term {
    let size = b.int(n.unsigned_abs());
    if n < 0 { b.mk(Op::Neg, Sort::INT, &[size]) } else { size }
}

/// The function of a kind of edits, defined in the script.
fn define(kind: Kind, b: &mut Builder) -> Fun {
    let name = match kind {
        Kind::Insert => "edit_insert",
        Kind::Remove => "edit_remove",
        Kind::Replace => "edit_replace",
    };
    let f = b.defined(name, |b| function(kind, name, b));
    b.push(Command::DefineFun(f));
    f
}

/// As in the report's Figure 3; the others alike.
fn function(kind: Kind, name: &str, b: &mut Builder) -> Fun {
    let mut var = |name: &str, sort: Sort| {
        let name = b.pool().names.intern(name);
        b.pool().var(name, sort)
    };
    let put = match kind {
        Kind::Insert => Some(var("to_insert", Sort::STRING)),
        Kind::Remove => None,
        Kind::Replace => Some(var("replacement", Sort::STRING)),
    };
    let (index, source) = (var("index", Sort::INT), var("source", Sort::STRING));
    let (zero, length) = (b.int(0), b.len(source));
    let rest = if kind == Kind::Insert {
        index
    } else {
        let one = b.int(1);
        b.mk(Op::Add, Sort::INT, &[index, one])
    };
    let left = b.mk(Op::StrSubstr, Sort::STRING, &[source, zero, index]);
    let right = b.mk(Op::StrSubstr, Sort::STRING, &[source, rest, length]);
    let parts: Vec<Term> = [Some(left), put, Some(right)].into_iter().flatten().collect();
    let edited = b.mk(Op::StrConcat, Sort::STRING, &parts);
    let from = b.mk(Op::Ge, Sort::BOOL, &[index, zero]);
    let end = if kind == Kind::Insert { Op::Le } else { Op::Lt };
    let until = b.mk(end, Sort::BOOL, &[index, length]);
    let inside = b.mk(Op::And, Sort::BOOL, &[from, until]);
    let body = b.mk(Op::Ite, Sort::STRING, &[inside, edited, source]);
    let vars: Vec<Term> = put.into_iter().chain([index, source]).collect();
    let pool = b.pool();
    let sorts = vars.iter().map(|v| pool.sort_of(*v)).collect();
    let name = pool.names.intern(name);
    let f = pool.declare(name, sorts, Sort::STRING);
    pool.define(f, vars.into(), body);
    f
}
