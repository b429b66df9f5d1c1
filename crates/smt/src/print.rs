//! From terms and scripts to text, in any dialect.
//!
//! A term is printed as a tree, unless sharing makes that tree much larger than the graph: then shared subterms
//! are bound by `let`. The printer is a machine with an explicit stack of `Step`s, so depth costs only memory.

mod commands;
mod names;
mod sharing;

pub use commands::script_text;

use crate::dialect::{self, Dialect};

use crate::op::{Alias, Op};
use crate::script::{Command, Plain, Script};
use crate::sexpr::Quoting;
use crate::symbol::{Symbol, quote};
use crate::term::{AttrValue, Fun, Head, Pool, PostOrder, Role, Sort, Term};
use rustc_hash::FxHashMap;
use sharing::{FreeNames, variables};
use std::borrow::Cow;
use std::fmt::Write as _;

/// A construct that a dialect does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("dialect {dialect} cannot express {what}")]
pub struct Inexpressible {
    /// The dialect.
    pub dialect: Dialect,
    /// The construct.
    pub what: String,
}

/// When to print `let`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sharing {
    /// Where the tree would be much larger than the term.
    #[default]
    Auto,
    /// For every shared subterm other than names and constants.
    Always,
}

/// A tree of at most this many nodes is printed without checking whether `let` would be shorter.
const SMALL_TREE: usize = 1 << 14;

/// `let` is used when it makes the text this many times shorter.
const MIN_LET_GAIN: u64 = 4;

enum Step {
    Term(Term),
    Text(&'static str),
    Owned(String),
    /// The root, or the body of the binder: gets `let`s.
    Scope(Term, Option<Term>),
    /// The body of this binder.
    Body(Term),
    /// Start a `let` of this name.
    Open(u32),
    /// Its definition has been printed: from here on this term is printed as this name.
    Bind(Term, u32),
    /// Remove these names, and close as many parentheses.
    Unbind(Vec<Term>),
    /// The body of this binder ends: restore these names.
    Leave(Term, Vec<(Term, u32)>),
    Attributes(crate::term::AttrId),
}

/// Prints terms and commands.
pub struct Printer<'p> {
    pool: &'p Pool,
    dialect: Dialect,
    sharing: Sharing,
    let_names: FxHashMap<Term, u32>,
    let_prefix: Option<String>,
    next_let: u32,
    /// Printing with `let`: each binder's body is a scope.
    scoped: bool,
    /// For each name, the number of binders around the current position that bind it, parameters included.
    bound: FxHashMap<Symbol, u32>,
    /// The free variables of the subterms, while printing with `let`.
    free: FreeNames,
    /// The term may have other free variables.
    open: bool,
}

impl<'p> Printer<'p> {
    /// A printer for `dialect`.
    pub fn new(pool: &'p Pool, dialect: Dialect) -> Self {
        Printer {
            pool,
            dialect,
            sharing: Sharing::Auto,
            let_names: FxHashMap::default(),
            let_prefix: None,
            next_let: 0,
            scoped: false,
            bound: FxHashMap::default(),
            free: FreeNames::default(),
            open: true,
        }
    }

    /// The same printer with another policy on `let`.
    #[must_use]
    pub fn sharing(mut self, sharing: Sharing) -> Self {
        self.sharing = sharing;
        self
    }

    fn cannot(&self, what: impl Into<String>) -> Inexpressible {
        Inexpressible { dialect: self.dialect, what: what.into() }
    }

    /// Appends `t` to `out`.
    pub fn term(&mut self, t: Term, out: &mut String) -> Result<(), Inexpressible> {
        if self.sharing == Sharing::Auto {
            let mark = out.len();
            if self.run(Step::Term(t), SMALL_TREE, out)? {
                return Ok(());
            }
            out.truncate(mark);
            let (tree, dag) = self.sizes(t);
            if tree / MIN_LET_GAIN <= dag {
                self.run(Step::Term(t), usize::MAX, out)?;
                return Ok(());
            }
        }
        self.next_let = 1;
        self.scoped = true;
        self.free = FreeNames::new(self.pool, t);
        let done = self.run(Step::Scope(t, None), usize::MAX, out);
        self.scoped = false;
        done.map(|_| ())
    }

    /// Nodes of `t` as a tree (saturating) and as a graph.
    fn sizes(&self, t: Term) -> (u64, u64) {
        let mut tree: FxHashMap<Term, u64> = FxHashMap::default();
        let mut walk = PostOrder::new([t]);
        while let Some(u) = walk.next(|u| (!tree.contains_key(&u)).then(|| self.pool.children(u))) {
            let size = self.pool.children(u).fold(1u64, |n, a| n.saturating_add(tree[&a]));
            tree.insert(u, size);
        }
        (tree[&t], tree.len() as u64)
    }

    /// Runs the machine; false if more than `budget` nodes were needed.
    fn run(&mut self, start: Step, budget: usize, out: &mut String) -> Result<bool, Inexpressible> {
        let mut stack = vec![start];
        let mut nodes = 0;
        while let Some(step) = stack.pop() {
            match step {
                Step::Text(s) => out.push_str(s),
                Step::Owned(s) => out.push_str(&s),
                Step::Term(t) => {
                    nodes += 1;
                    if nodes > budget {
                        return Ok(false);
                    }
                    self.node(t, &mut stack, out)?;
                }
                Step::Scope(t, binder) => self.scope(t, binder, &mut stack),
                Step::Body(binder) => self.enter_body(binder, &mut stack),
                Step::Leave(binder, hidden) => {
                    for name in variables(self.pool, binder) {
                        *self.bound.entry(name).or_default() -= 1;
                    }
                    self.let_names.extend(hidden);
                }
                Step::Open(n) => {
                    let prefix = self.let_prefix.as_deref().unwrap_or("_let_");
                    let _ = write!(out, "(let (({prefix}{n} ");
                }
                Step::Bind(t, n) => {
                    self.let_names.insert(t, n);
                    out.push_str(")) ");
                }
                Step::Unbind(terms) => {
                    for t in terms {
                        self.let_names.remove(&t);
                        out.push(')');
                    }
                }
                Step::Attributes(id) => self.attributes(id, &mut stack)?,
            }
        }
        Ok(true)
    }

    fn scope(&mut self, root: Term, binder: Option<Term>, stack: &mut Vec<Step>) {
        if let Head::Annot(id) = self.pool.head(root)
            && !self.let_names.contains_key(&root)
        {
            // Solvers expect names and patterns at the top.
            stack.push(Step::Attributes(id));
            stack.push(Step::Scope(self.pool.args(root)[0], binder));
            return stack.push(Step::Text("(! "));
        }
        let shared = self.shared(root, binder);
        if self.let_prefix.is_none() && !shared.is_empty() {
            self.let_prefix = Some(free_prefix(self.pool));
        }
        stack.push(Step::Unbind(shared.clone()));
        stack.push(Step::Term(root));
        let first = self.next_let;
        self.next_let += shared.len() as u32;
        for (i, &t) in shared.iter().enumerate().rev() {
            stack.push(Step::Bind(t, first + i as u32));
            stack.push(Step::Term(t));
            stack.push(Step::Open(first + i as u32));
        }
    }

    /// Enters the body of a binder. Where it rebinds a name, the terms named by an outer `let` that contain the name
    /// mean something else inside, so they lose their `let` names.
    fn enter_body(&mut self, binder: Term, stack: &mut Vec<Step>) {
        let mut hidden = Vec::new();
        for name in variables(self.pool, binder) {
            let times = self.bound.entry(name).or_default();
            *times += 1;
            if *times > 1 || self.open {
                let pool = self.pool;
                hidden.extend(self.let_names.extract_if(|&t, _| pool.mentions(t, name)));
            }
        }
        stack.push(Step::Leave(binder, hidden));
        let &body = self.pool.args(binder).last().expect("a binder has a body");
        stack.push(Step::Scope(body, Some(binder)));
    }

    fn node(&mut self, t: Term, stack: &mut Vec<Step>, out: &mut String) -> Result<(), Inexpressible> {
        if let Some(n) = self.let_names.get(&t) {
            let prefix = self.let_prefix.as_deref().unwrap_or("_let_");
            let _ = write!(out, "{prefix}{n}");
            return Ok(());
        }
        let args = self.pool.args(t);
        match self.pool.head(t) {
            Head::Op(Op::SeqEmpty) => {
                let _ = write!(out, "(as seq.empty {})", self.pool.sort_text(self.pool.sort_of(t)));
            }
            Head::Op(op) => self.op(op, args, stack, out)?,
            Head::Indexed(op, id) => self.indexed(op, id, args, stack, out)?,
            Head::Str(id) => dialect::escape(self.pool.word(id), self.dialect, out)
                .map_err(|c| self.cannot(format!("the character U+{c:04X}")))?,
            Head::Int(id) => {
                let n = self.pool.int_value(id);
                let _ = if n.is_negative() { write!(out, "(- {})", n.abs()) } else { write!(out, "{n}") };
            }
            Head::Real(id) => {
                let q = self.pool.real_value(id);
                let _ = match q.to_decimal() {
                    Some(text) => write!(out, "{text}"),
                    None => write!(out, "{q}"),
                };
            }
            Head::Fun(f) => self.call(&names::function(self.pool, f), args, stack, out),
            Head::Var(name) => out.push_str(&quote(self.pool.names.name(name))),
            Head::Opaque(name) => {
                let name = self.opaque_name(self.pool.names.name(name))?;
                self.call(&name, args, stack, out);
            }
            Head::Forall => self.binder("forall", t, stack, out)?,
            Head::Exists => self.binder("exists", t, stack, out)?,
            Head::Lambda => self.binder("lambda", t, stack, out)?,
            Head::Annot(id) => {
                out.push_str("(! ");
                stack.push(Step::Attributes(id));
                stack.push(Step::Term(args[0]));
            }
        }
        Ok(())
    }

    fn op(
        &self,
        op: Op,
        args: &[Term],
        stack: &mut Vec<Step>,
        out: &mut String,
    ) -> Result<(), Inexpressible> {
        if self.dialect != Dialect::Smt26 && !op.is_in(self.dialect) {
            return Err(self.cannot(format!("`{}`", op.name())));
        }
        let (name, swapped) = op.spelling(self.dialect);
        if swapped {
            let flipped: Vec<Term> = args.iter().rev().copied().collect();
            self.call(name, &flipped, stack, out);
        } else {
            self.call(name, args, stack, out);
        }
        Ok(())
    }

    fn indexed(
        &self,
        op: Op,
        id: crate::term::IndexId,
        args: &[Term],
        stack: &mut Vec<Step>,
        out: &mut String,
    ) -> Result<(), Inexpressible> {
        if !op.is_in(self.dialect) {
            return Err(self.cannot(format!("`{}`", op.name())));
        }
        let indices = self.pool.index_values(id);
        if op == Op::ReLoop && self.dialect != Dialect::Smt26 {
            // Old CVC4: (re.loop r 1 3).
            let [lo, hi] = indices else {
                return Err(self.cannot("a loop without two bounds"));
            };
            out.push_str("(re.loop ");
            stack.push(Step::Owned(format!(" {lo} {hi})")));
            stack.push(Step::Term(args[0]));
            return Ok(());
        }
        let _ = write!(out, "((_ {}", op.name());
        for i in indices {
            let _ = write!(out, " {i}");
        }
        out.push_str(") ");
        stack.push(Step::Text(")"));
        push_args(args, stack);
        Ok(())
    }

    fn call(&self, name: &str, args: &[Term], stack: &mut Vec<Step>, out: &mut String) {
        if args.is_empty() {
            return out.push_str(name);
        }
        out.push('(');
        out.push_str(name);
        out.push(' ');
        stack.push(Step::Text(")"));
        push_args(args, stack);
    }

    fn binder(
        &mut self,
        name: &str,
        t: Term,
        stack: &mut Vec<Step>,
        out: &mut String,
    ) -> Result<(), Inexpressible> {
        let (&body, vars) = self.pool.args(t).split_last().expect("a binder has a body");
        let _ = write!(out, "({name} ");
        self.sorted_vars(vars, out)?;
        out.push(' ');
        stack.push(Step::Text(")"));
        // Without sharing, a plain step counts towards the node budget.
        stack.push(if self.scoped { Step::Body(t) } else { Step::Term(body) });
        Ok(())
    }

    fn sorted_vars(&self, vars: &[Term], out: &mut String) -> Result<(), Inexpressible> {
        out.push('(');
        for (i, &v) in vars.iter().enumerate() {
            let Head::Var(name) = self.pool.head(v) else {
                continue;
            };
            let sort = self.sort(self.pool.sort_of(v))?;
            let space = if i == 0 { "" } else { " " };
            let _ = write!(out, "{space}({} {sort})", self.own_name(name)?);
        }
        out.push(')');
        Ok(())
    }

    /// Attributes after the annotated term.
    fn attributes(&self, id: crate::term::AttrId, stack: &mut Vec<Step>) -> Result<(), Inexpressible> {
        stack.push(Step::Text(")"));
        for a in self.pool.attributes(id).iter().rev() {
            let key = self.pool.names.name(a.key);
            let text = match &a.value {
                AttrValue::None => format!(" {key}"),
                AttrValue::Symbol(s) if key == ":named" => format!(" {key} {}", self.own_name(*s)?),
                AttrValue::Symbol(s) => format!(" {key} {}", quote(self.pool.names.name(*s))),
                AttrValue::Text(text) => format!(" {key} {}", self.with_quotes(text)),
                AttrValue::Terms(terms) => {
                    stack.push(Step::Text(")"));
                    self.push_patterns(terms, stack);
                    format!(" {key} (")
                }
            };
            stack.push(Step::Owned(text));
        }
        Ok(())
    }

    /// Patterns are printed in full, as solvers expect, unless they are very large.
    fn push_patterns(&self, terms: &[Term], stack: &mut Vec<Step>) {
        for (i, &t) in terms.iter().enumerate().rev() {
            let large = self.scoped && self.sizes(t).0 > SMALL_TREE as u64;
            stack.push(if large { Step::Scope(t, None) } else { Step::Term(t) });
            if i > 0 {
                stack.push(Step::Text(" "));
            }
        }
    }
}

fn push_args(args: &[Term], stack: &mut Vec<Step>) {
    for (i, &a) in args.iter().enumerate().rev() {
        stack.push(Step::Term(a));
        if i > 0 {
            stack.push(Step::Text(" "));
        }
    }
}

/// A prefix for `let` names that no function or variable of the pool starts with.
fn free_prefix(pool: &Pool) -> String {
    let mut prefix = String::from("_let_");
    loop {
        let fun = (0..pool.fun_count()).any(|i| pool.fun_name(Fun(i as u32)).starts_with(&prefix));
        let var = (0..pool.len()).any(|i| match pool.head(Term(i as u32)) {
            Head::Var(name) | Head::Opaque(name) => pool.names.name(name).starts_with(&prefix),
            _ => false,
        });
        if !fun && !var {
            return prefix;
        }
        prefix.push('_');
    }
}

/// A term as SMT-LIB 2.6 text, for messages.
pub fn term_text(pool: &Pool, t: Term) -> String {
    let mut out = String::new();
    Printer::new(pool, Dialect::Smt26).term(t, &mut out).expect("2.6 has every term");
    out
}
