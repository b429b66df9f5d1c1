//! Sorts, hash-consed like terms.

use super::Pool;
use crate::symbol::{Symbol, quote};

/// A sort, hash-consed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sort(pub u32);

#[allow(missing_docs, reason = "each is the sort of its name")]
impl Sort {
    /// The unknown sort of an opaque term; agrees with every sort.
    pub const OPAQUE: Sort = Sort(0);
    pub const BOOL: Sort = Sort(1);
    pub const INT: Sort = Sort(2);
    pub const REAL: Sort = Sort(3);
    pub const STRING: Sort = Sort(4);
    pub const REGLAN: Sort = Sort(5);
}

/// The name and arguments of a sort.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SortData {
    /// Its name with its indices, as written: `Int`, `Array`, `(_ BitVec 8)`, `->`.
    pub name: Symbol,
    /// Its arguments.
    pub args: Box<[Sort]>,
    /// The origin of the name.
    pub kind: SortKind,
}

/// The origin of a sort's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SortKind {
    /// One of the built-in sorts.
    Builtin,
    /// Declared by the script (`declare-sort`, a datatype).
    Declared,
    /// A sort of a foreign theory.
    Foreign,
    /// A parameter of `define-sort` or `par`.
    Parameter,
    /// `(Seq T)`, where T is a sort whose values are known; other sequences are foreign.
    Sequence,
}

impl Pool {
    /// The sort with this name and these arguments.
    pub fn sort(&mut self, mut data: SortData) -> Sort {
        if data.kind == SortKind::Sequence && !self.is_element(&data.args) {
            data.kind = SortKind::Foreign;
        }
        let (sorts, table) = (&mut self.sorts, &mut self.sort_table);
        *table.entry(data).or_insert_with_key(|data| {
            sorts.push(data.clone());
            Sort(sorts.len() as u32 - 1)
        })
    }

    fn is_element(&self, args: &[Sort]) -> bool {
        let [sort] = *args else { return false };
        match self.sort_data(sort).kind {
            SortKind::Builtin => matches!(sort, Sort::BOOL | Sort::INT | Sort::REAL | Sort::STRING),
            SortKind::Declared | SortKind::Parameter | SortKind::Sequence => true,
            SortKind::Foreign => false,
        }
    }

    /// The sort of sequences of `element`; none if there are no values of it that are known.
    pub fn sequence_of(&mut self, element: Sort) -> Option<Sort> {
        let name = self.names.intern("Seq");
        let sort = self.sort(SortData { name, args: Box::new([element]), kind: SortKind::Sequence });
        self.element_of(sort).is_some().then_some(sort)
    }

    /// The sort of the elements of a sequence.
    pub fn element_of(&self, sort: Sort) -> Option<Sort> {
        let data = self.sort_data(sort);
        (data.kind == SortKind::Sequence).then(|| data.args[0])
    }

    /// Whether there is a declared sort, or a datatype, with this name and these arguments.
    pub(crate) fn declares_sort(&self, name: Symbol, args: &[Sort]) -> bool {
        let data = SortData { name, args: args.into(), kind: SortKind::Declared };
        self.sort_table.contains_key(&data) || self.templates().iter().any(|t| t.name == name)
    }

    /// The name and arguments of a sort.
    pub fn sort_data(&self, s: Sort) -> &SortData {
        &self.sorts[s.0 as usize]
    }

    /// A sort as SMT-LIB text.
    pub fn sort_text(&self, s: Sort) -> String {
        let data = self.sort_data(s);
        let name = self.names.name(data.name);
        let name =
            if name.starts_with('(') && data.kind == SortKind::Foreign { name.into() } else { quote(name) };
        if data.args.is_empty() {
            return name.into_owned();
        }
        // Sorts nest only as deep as the sort parser allows, so this recursion is bounded.
        let args: Vec<_> = data.args.iter().map(|&a| self.sort_text(a)).collect();
        format!("({name} {})", args.join(" "))
    }
}
