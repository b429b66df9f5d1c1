//! Sorted terms, hash-consed in a [`Pool`].
//!
//! Only the pool builds terms, and two terms are equal exactly when their ids are. A node is 20 bytes
//! plus 4 per argument. Binders keep their variables by name ([`Head::Var`]). There is no `let`: it becomes
//! sharing on reading, and the printer introduces it where sharing makes the text shorter.

mod bits;
mod constants;
mod data;
mod mark;
mod set;
mod sort;
mod walk;

pub use bits::{BitOp, bits_of_text, literal_text};
pub use constants::{AttrId, IndexId, IntId, RatId, StrId};
pub use data::{Case, Constructor, Datatype, Role, Template};
pub use mark::Mark;
pub use set::SetOp;
pub use sort::{Sort, SortData, SortKind};
pub use walk::{PostOrder, Walk};

use crate::num::{Int, Rat};
use crate::op::Op;
use crate::sexpr::{Kind, Quoting, Reader, Tree};
use crate::symbol::{Interner, Symbol};
use crate::work::spend;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash as _, Hasher as _};

/// A term, hash-consed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(pub u32);

/// A declared or defined function (constants included), one id per declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fun(pub u32);

/// The head of a term; its arguments are in the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Head {
    /// An interpreted operator.
    Op(Op),
    /// An operator with numeral indices, as in `(_ re.loop 1 3)`.
    Indexed(Op, IndexId),
    /// A string constant.
    Str(StrId),
    /// An integer constant. Read from text it is not negative; built by a program it may be.
    Int(IntId),
    /// A rational constant.
    Real(RatId),
    /// A declared or defined function or constant.
    Fun(Fun),
    /// A variable bound by a quantifier or a parameter of a definition.
    Var(Symbol),
    /// `forall`: the arguments are the variables, then the body.
    Forall,
    /// `exists`
    Exists,
    /// `lambda`
    Lambda,
    /// `(! t …)`: one argument.
    Annot(AttrId),
    /// An identifier without semantics here, as written: `bvadd`, `(_ extract 3 0)`, `#b01`.
    Opaque(Symbol),
}

/// An attribute of `!`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Attribute {
    /// The keyword with its colon.
    pub key: Symbol,
    /// Its value.
    pub value: AttrValue,
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AttrValue {
    /// None.
    None,
    /// A symbol, as of `:named`.
    Symbol(Symbol),
    /// Terms, as of `:pattern`.
    Terms(Box<[Term]>),
    /// Anything else, as written.
    Text(Box<str>),
}

#[derive(Clone, Copy, Debug)]
struct Node {
    head: Head,
    sort: Sort,
    start: u32,
    /// Argument count in the low 28 bits, flags above.
    len: u32,
}

const HAS_VAR: u32 = 1 << 31;
const HAS_OPAQUE: u32 = 1 << 30;
const HAS_BINDER: u32 = 1 << 29;
const LEN: u32 = (1 << 28) - 1;

/// A function declaration or definition.
#[derive(Clone, Debug)]
pub struct FunData {
    /// Its name.
    pub name: Symbol,
    /// Parameter sorts.
    pub params: Box<[Sort]>,
    /// Result sort.
    pub ret: Sort,
    /// Its parameters and body, if defined.
    pub def: Option<Definition>,
    /// Its part in a datatype.
    pub role: Role,
}

/// The body of a defined function.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The parameters, as variables.
    pub vars: Box<[Term]>,
    /// The body.
    pub body: Term,
}

/// Owns all terms, sorts, names and functions of a script (or of several that share them).
#[derive(Clone, Debug)]
pub struct Pool {
    /// The names.
    pub names: Interner,
    nodes: Vec<Node>,
    args: Vec<Term>,
    table: HashTable<u32>,
    sorts: Vec<SortData>,
    sort_table: FxHashMap<SortData, Sort>,
    funs: Vec<FunData>,
    chars: Vec<u32>,
    str_ends: Vec<u32>,
    str_table: HashTable<u32>,
    ints: Vec<Int>,
    int_table: FxHashMap<Int, IntId>,
    rats: Vec<Rat>,
    rat_table: FxHashMap<Rat, RatId>,
    indices: Vec<Box<[Int]>>,
    index_table: FxHashMap<Box<[Int]>, IndexId>,
    attrs: Vec<Box<[Attribute]>>,
    attr_table: FxHashMap<Box<[Attribute]>, AttrId>,
    datatypes: data::Datatypes,
}

impl Default for Pool {
    fn default() -> Self {
        Pool::new()
    }
}

impl Pool {
    /// An empty pool with the built-in sorts.
    pub fn new() -> Self {
        let mut pool = Pool {
            names: Interner::default(),
            nodes: Vec::new(),
            args: Vec::new(),
            table: HashTable::new(),
            sorts: Vec::new(),
            sort_table: FxHashMap::default(),
            funs: Vec::new(),
            chars: Vec::new(),
            str_ends: Vec::new(),
            str_table: HashTable::new(),
            ints: Vec::new(),
            int_table: FxHashMap::default(),
            rats: Vec::new(),
            rat_table: FxHashMap::default(),
            indices: Vec::new(),
            index_table: FxHashMap::default(),
            attrs: Vec::new(),
            attr_table: FxHashMap::default(),
            datatypes: data::Datatypes::default(),
        };
        for name in ["?", "Bool", "Int", "Real", "String", "RegLan"] {
            let name = pool.names.intern(name);
            pool.sort(SortData { name, args: Box::new([]), kind: SortKind::Builtin });
        }
        pool
    }

    // Functions

    /// A new function; its name need not be new.
    pub fn declare(&mut self, name: Symbol, params: Box<[Sort]>, ret: Sort) -> Fun {
        self.funs.push(FunData { name, params, ret, def: None, role: Role::Plain });
        Fun(self.funs.len() as u32 - 1)
    }

    /// Gives a declared function its definition.
    pub fn define(&mut self, f: Fun, vars: Box<[Term]>, body: Term) {
        self.funs[f.0 as usize].def = Some(Definition { vars, body });
    }

    /// The declaration of a function.
    pub fn fun(&self, f: Fun) -> &FunData {
        &self.funs[f.0 as usize]
    }

    /// Its name.
    pub fn fun_name(&self, f: Fun) -> &str {
        self.names.name(self.fun(f).name)
    }

    /// The number of functions; ids are below it.
    pub fn fun_count(&self) -> usize {
        self.funs.len()
    }

    // Terms

    /// The variable `name` of sort `sort`.
    pub fn var(&mut self, name: Symbol, sort: Sort) -> Term {
        self.mk(Head::Var(name), sort, &[])
    }

    /// `f` applied to `args`, which fit its parameters.
    pub fn apply(&mut self, f: Fun, args: &[Term]) -> Term {
        let ret = self.fun(f).ret;
        self.mk(Head::Fun(f), ret, args)
    }

    /// The term with this head, sort and arguments, which must be well sorted; [`Pool::op`] checks that.
    pub fn mk(&mut self, head: Head, sort: Sort, args: &[Term]) -> Term {
        spend(1 + args.len());
        let hash = hash_node(head, sort, args);
        let (nodes, pool_args) = (&self.nodes, &self.args);
        let found = self.table.find(hash, |&i| {
            let n = &nodes[i as usize];
            n.head == head && n.sort == sort && node_args(pool_args, n) == args
        });
        if let Some(&i) = found {
            return Term(i);
        }
        let id = u32::try_from(self.nodes.len()).expect("more than 2^32 terms");
        let flags = args.iter().fold(own_flags(head), |f, &a| f | self.nodes[a.0 as usize].len & !LEN);
        let start = u32::try_from(self.args.len()).expect("more than 2^32 arguments");
        assert!(args.len() <= LEN as usize, "more than 2^28 arguments");
        self.args.extend_from_slice(args);
        self.nodes.push(Node { head, sort, start, len: args.len() as u32 | flags });
        let (nodes, pool_args) = (&self.nodes, &self.args);
        self.table.insert_unique(hash, id, |&i| {
            let n = &nodes[i as usize];
            hash_node(n.head, n.sort, node_args(pool_args, n))
        });
        Term(id)
    }

    /// Reserves space for `terms` more terms: growing step by step rehashes everything each time.
    pub fn reserve(&mut self, terms: usize) {
        self.nodes.reserve(terms);
        self.args.reserve(terms);
        let (nodes, pool_args) = (&self.nodes, &self.args);
        self.table.reserve(terms, |&i| {
            let n = &nodes[i as usize];
            hash_node(n.head, n.sort, node_args(pool_args, n))
        });
    }

    /// The number of terms; ids are below it, and arguments come before the terms that have them.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// There are no terms.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The head of `t`.
    pub fn head(&self, t: Term) -> Head {
        self.nodes[t.0 as usize].head
    }

    /// The arguments of `t`.
    pub fn args(&self, t: Term) -> &[Term] {
        node_args(&self.args, &self.nodes[t.0 as usize])
    }

    /// The sort of `t`.
    pub fn sort_of(&self, t: Term) -> Sort {
        self.nodes[t.0 as usize].sort
    }

    /// A variable occurs in `t`, bound or not.
    pub fn has_var(&self, t: Term) -> bool {
        self.nodes[t.0 as usize].len & HAS_VAR != 0
    }

    /// `t` has an opaque subterm.
    pub fn has_opaque(&self, t: Term) -> bool {
        self.nodes[t.0 as usize].len & HAS_OPAQUE != 0
    }

    /// `t` has a quantifier or `lambda` in it.
    pub fn has_binder(&self, t: Term) -> bool {
        self.nodes[t.0 as usize].len & HAS_BINDER != 0
    }

    /// The arguments of `t`, and the patterns that annotate it.
    pub fn children(&self, t: Term) -> impl DoubleEndedIterator<Item = Term> + '_ {
        let attributes = match self.head(t) {
            Head::Annot(id) => self.attributes(id),
            _ => &[],
        };
        let patterns = attributes.iter().flat_map(|a| match &a.value {
            AttrValue::Terms(terms) => &terms[..],
            _ => &[],
        });
        self.args(t).iter().chain(patterns).copied()
    }

    /// `name` occurs in the text of `t`, other than as a variable that `t` itself binds.
    pub fn mentions(&self, t: Term, name: Symbol) -> bool {
        let mut walk = Walk::new([t]);
        while let Some(t) = walk.next() {
            let found = match self.head(t) {
                Head::Var(n) => n == name,
                Head::Fun(f) => self.fun(f).name == name,
                Head::Opaque(n) => n == name || names_in(self.names.name(n), self.names.name(name)),
                _ => false,
            };
            if found {
                return true;
            }
            if !self.bound_vars(t).iter().any(|&v| self.head(v) == Head::Var(name)) {
                walk.enter_children(self, t);
            }
        }
        false
    }

    /// `t` without the annotations on top of it.
    pub fn strip(&self, mut t: Term) -> Term {
        while let Head::Annot(_) = self.head(t) {
            t = self.args(t)[0];
        }
        t
    }

    /// The `:named` name on top of `t`, if there is one.
    pub fn given_name(&self, t: Term) -> Option<Symbol> {
        let Head::Annot(id) = self.head(t) else {
            return None;
        };
        self.attributes(id).iter().find_map(|a| match a.value {
            AttrValue::Symbol(s) if self.names.name(a.key) == ":named" => Some(s),
            _ => None,
        })
    }
}

/// The symbol `name` occurs in `text`, the s-expressions of an opaque term.
pub(crate) fn names_in(text: &str, name: &str) -> bool {
    if !text.starts_with(['(', '|']) || !text.contains(name) {
        return false;
    }
    let mut reader = Reader::new(text.as_bytes(), Quoting::Doubled);
    let mut tree = Tree::default();
    let mut found = false;
    while !found && reader.read(&mut tree) {
        found = tree.nodes.iter().any(|n| match n.kind {
            Kind::Symbol => n.span.of(text.as_bytes()) == name.as_bytes(),
            Kind::Quoted => n.span.of(text.as_bytes())[1..].strip_suffix(b"|") == Some(name.as_bytes()),
            _ => false,
        });
    }
    found
}

fn own_flags(head: Head) -> u32 {
    match head {
        Head::Var(_) => HAS_VAR,
        Head::Opaque(_) => HAS_OPAQUE,
        Head::Forall | Head::Exists | Head::Lambda => HAS_BINDER,
        _ => 0,
    }
}

fn node_args<'a>(args: &'a [Term], n: &Node) -> &'a [Term] {
    &args[n.start as usize..(n.start + (n.len & LEN)) as usize]
}

fn hash_node(head: Head, sort: Sort, args: &[Term]) -> u64 {
    let mut h = FxHasher::default();
    head.hash(&mut h);
    h.write_u32(sort.0);
    for a in args {
        h.write_u32(a.0);
    }
    h.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_are_the_same_term() {
        let mut p = Pool::new();
        let (a, b) = (p.string(&[97]), p.string(&[98]));
        let ab = p.mk(Head::Op(Op::StrConcat), Sort::STRING, &[a, b]);
        let again = p.mk(Head::Op(Op::StrConcat), Sort::STRING, &[a, b]);
        let ba = p.mk(Head::Op(Op::StrConcat), Sort::STRING, &[b, a]);
        assert_eq!(ab, again);
        assert_ne!(ab, ba);
        assert_eq!(p.args(ab), [a, b]);
        assert_eq!(p.len(), 4);
    }

    #[test]
    fn flags_propagate_upwards() {
        let mut p = Pool::new();
        let x = p.names.intern("x");
        let v = p.var(x, Sort::BOOL);
        let not = p.mk(Head::Op(Op::Not), Sort::BOOL, &[v]);
        assert!(p.has_var(not) && !p.has_opaque(not) && !p.has_binder(not));
        let all = p.mk(Head::Forall, Sort::BOOL, &[v, not]);
        assert!(p.has_binder(all));
    }
}
