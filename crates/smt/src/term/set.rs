//! Finite sets, `(Set T)`, with the operators of cvc5. They are terms with opaque heads, whose names and sorts are checked here.

use super::{Head, Pool, SortData, SortKind, Term};
use crate::Sort;
use crate::symbol::Symbol;

/// An operator on finite sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOp {
    /// `(as set.empty (Set T))`
    Empty,
    /// `(set.singleton e)`
    Singleton,
    /// `(set.insert e … s)`
    Insert,
    /// `(set.union s t)`
    Union,
    /// `(set.inter s t)`
    Inter,
    /// `(set.minus s t)`
    Minus,
    /// `(set.member e s)`
    Member,
    /// `(set.subset s t)`
    Subset,
}

impl SetOp {
    fn named(name: &str) -> Option<SetOp> {
        Some(match name {
            "set.singleton" => SetOp::Singleton,
            "set.insert" => SetOp::Insert,
            "set.union" => SetOp::Union,
            "set.inter" => SetOp::Inter,
            "set.minus" => SetOp::Minus,
            "set.member" => SetOp::Member,
            "set.subset" => SetOp::Subset,
            _ if name.starts_with("(as set.empty ") => SetOp::Empty,
            _ => return None,
        })
    }
}

impl Pool {
    /// The sort of the elements of a set.
    pub fn set_element(&self, sort: Sort) -> Option<Sort> {
        let data = self.sort_data(sort);
        let is = data.kind == SortKind::Foreign && self.names.name(data.name) == "Set";
        // A datatype may have the name.
        let is = is && !self.templates().iter().any(|t| t.name == data.name);
        is.then(|| data.args.first().copied()).flatten()
    }

    /// The sort of sets of these elements.
    pub fn set_of(&mut self, element: Sort) -> Sort {
        let name = self.names.intern("Set");
        self.sort(SortData { name, args: Box::new([element]), kind: SortKind::Foreign })
    }

    /// The set operator that a term applies to arguments of fitting sorts.
    pub fn set_op(&self, t: Term) -> Option<SetOp> {
        let Head::Opaque(name) = self.head(t) else { return None };
        let op = SetOp::named(self.names.name(name))?;
        let sorts: Vec<Sort> = self.args(t).iter().map(|&a| self.sort_of(a)).collect();
        let is_set = |s: &Sort| self.set_element(*s).is_some();
        let fits = match (op, &sorts[..]) {
            (SetOp::Empty, []) => is_set(&self.sort_of(t)),
            (SetOp::Singleton, [_]) => true,
            (SetOp::Insert, [elements @ .., set]) => {
                !elements.is_empty()
                    && self.set_element(*set).is_some_and(|e| elements.iter().all(|&s| s == e))
            }
            (SetOp::Member, [element, set]) => self.set_element(*set) == Some(*element),
            (SetOp::Union | SetOp::Inter | SetOp::Minus | SetOp::Subset, [a, b]) => a == b && is_set(a),
            _ => false,
        };
        fits.then_some(op)
    }

    /// The sort of an application of a name to arguments, if it is a set operator with a known sort.
    pub(crate) fn set_result(&mut self, name: Symbol, args: &[Term]) -> Option<Sort> {
        let op = SetOp::named(self.names.name(name))?;
        let of = |a: Option<&Term>| a.map(|&a| self.sort_of(a)).filter(|&s| self.set_element(s).is_some());
        match op {
            SetOp::Empty => None,
            SetOp::Singleton => {
                let element = self.sort_of(*args.first()?);
                (element != Sort::OPAQUE).then(|| self.set_of(element))
            }
            SetOp::Insert => of(args.last()),
            SetOp::Union | SetOp::Inter | SetOp::Minus => of(args.first()),
            SetOp::Member => of(args.last()).map(|_| Sort::BOOL),
            SetOp::Subset => of(args.first()).map(|_| Sort::BOOL),
        }
    }
}
