//! From s-expressions to sorted terms.
//!
//! A machine with an explicit stack of `Frame`s and a stack of finished terms, so depth costs only memory.
//! A name is resolved by one array access: every symbol has a current `Binding`, and scopes undo their changes
//! from a trail when they end. After an error, a placeholder of unknown sort replaces the bad term, so that one run
//! reports many errors.
//!
//! `commands.rs` and `declare.rs` read commands, `sorts.rs` sorts; `atoms.rs`, `heads.rs` and `binders.rs` read the
//! parts of terms.

mod atoms;
mod binders;
mod commands;
mod data;
mod declare;
mod heads;
mod sorts;

use crate::diag::{Code, Diagnostic, Span, did_you_mean};
use crate::dialect::{self, Dialect};
use crate::foreign;
use crate::num::{Int, Rat};
use crate::op::{Op, SEQUENCES, TABLE};
use crate::print::term_text;
use crate::sexpr::{Kind, Quoting, Tree};
use crate::symbol::Symbol;
use crate::term::{AttrValue, Attribute, Fun, Head, Mark, Pool, Sort, SortData, SortKind, Term};
use crate::typing::{SortError, agree};
use rustc_hash::{FxHashMap, FxHashSet};

/// The current meaning of a name.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Binding {
    #[default]
    Free,
    Op {
        op: Op,
        swapped: bool,
    },
    /// `-`: negation or subtraction.
    Minus,
    Fun(Fun),
    /// Bound by a quantifier or a definition's parameter list.
    Term(Term),
    /// Bound by `let`, below this many binders.
    Let(Term, u32),
    /// A constructor, selector or tester of a datatype that is not read: opaque.
    Opaque,
    /// A constructor or selector.
    Data(data::Part),
    /// A reserved word that starts a term: `let`, `forall`, `!`.
    Keyword(Keyword),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keyword {
    Let,
    Forall,
    Exists,
    Lambda,
    Bang,
    Match,
    Underscore,
    As,
}

/// The meaning of a sort name.
#[derive(Clone, Debug)]
pub(crate) enum SortBinding {
    /// `declare-sort` or a datatype, with its arity.
    Declared(u32),
    /// A datatype in a form that is not read, with its arity.
    Foreign(u32),
    /// `define-sort`: parameters and the sort over them.
    Defined(Box<[Sort]>, Sort),
    Parameter(Sort),
}

impl SortBinding {
    fn arity(&self) -> usize {
        match self {
            SortBinding::Declared(arity) | SortBinding::Foreign(arity) => *arity as usize,
            SortBinding::Defined(params, _) => params.len(),
            SortBinding::Parameter(_) => 0,
        }
    }
}

/// The source text with its tree.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) src: &'a [u8],
    pub(crate) tree: &'a Tree,
}

impl<'a> Source<'a> {
    pub(crate) fn text(self, node: u32) -> &'a [u8] {
        self.tree.node(node).span.of(self.src)
    }

    pub(crate) fn span(self, node: u32) -> Span {
        self.tree.node(node).span
    }

    pub(crate) fn kind(self, node: u32) -> Kind {
        self.tree.node(node).kind
    }

    /// The text of a symbol without its bars.
    pub(crate) fn name(self, node: u32) -> Option<&'a [u8]> {
        match self.kind(node) {
            Kind::Symbol => Some(self.text(node)),
            Kind::Quoted => {
                let t = self.text(node);
                Some(t[1..].strip_suffix(b"|").unwrap_or(&t[1..]))
            }
            _ => None,
        }
    }

    pub(crate) fn lossy(self, node: u32) -> String {
        String::from_utf8_lossy(self.text(node)).into_owned()
    }

    /// The value of a numeral, if it is small.
    pub(crate) fn numeral(self, node: u32) -> Option<u32> {
        if self.kind(node) == Kind::Numeral { self.lossy(node).parse().ok() } else { None }
    }
}

/// No hints after this many diagnostics: each hint compares every known name.
const MAX_HINTS: usize = 100;

/// Levels opened by one `push`, with nothing between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level {
    pub(crate) terms: usize,
    pub(crate) sorts: usize,
    pub(crate) count: u32,
}

enum AppHead {
    Op {
        op: Op,
        swapped: bool,
    },
    Indexed(Op, Vec<Int>),
    /// A constructor or selector, and the sort of `(as C S)`.
    Data(data::Part, Option<Sort>),
    /// The tester of a constructor.
    Tester(data::Part),
    Minus,
    Fun(Fun),
    Opaque(Symbol, Sort),
    /// A term applied, which only higher-order logics have: `(@ f x)`.
    Term(Term),
    Error,
}

enum Frame {
    App { head: AppHead, node: u32, next: u32, end: u32, base: usize },
    Let { node: u32, next: u32, end: u32, body: u32, base: usize, mark: Option<usize> },
    Binder { head: Head, body: u32, vars: Vec<Term>, mark: usize, shadows: usize, done: bool },
    Annot { node: u32, todo: Vec<u32>, next: usize, base: usize },
    Match(Box<data::Match>),
}

/// The meanings of names, and the settings that `reset` undoes.
#[derive(Default)]
struct Scopes {
    /// By symbol.
    bindings: Vec<Binding>,
    trail: Vec<(Symbol, Binding)>,
    sorts: FxHashMap<Symbol, SortBinding>,
    sort_trail: Vec<(Symbol, Option<SortBinding>)>,
    /// Trail lengths at each `push`, and the number of levels it opened.
    levels: Vec<Level>,
    /// The functions whose names may not be declared again while they are in force.
    declared: FxHashSet<Fun>,
    global_declarations: bool,
    numerals_are_real: bool,
    /// A reserved word such as `let` is also a user's name.
    keyword_rebound: bool,
}

/// Turns s-expressions into terms and commands; keeps the scopes of a script between them.
pub struct Elaborator<'p> {
    /// The pool that owns the terms.
    pub pool: &'p mut Pool,
    /// The findings so far.
    pub diagnostics: Vec<Diagnostic>,
    pub(crate) dialect: Dialect,
    scopes: Scopes,
    /// Constants that `:named` defined in the terms of the current command.
    pub(crate) named: Vec<(Symbol, Fun)>,
    /// Reading a solver's answer: unknown names are abstract values.
    pub(crate) lenient: bool,
    /// A `let` was read; the caller resets it.
    pub(crate) saw_let: bool,
    /// Reads as z3 does where it deviates from the standard: `a:b` is no name, and `reset-assertions` keeps all declarations.
    pub like_z3: bool,
    /// `-5` is a number, as in z3 and cvc5.
    pub signed: bool,
    reported_non_ascii: bool,
    failed: bool,
    keywords: FxHashMap<Symbol, Keyword>,
    /// The binders around the term being read.
    binders: u32,
    /// Names that they bind and that had a meaning outside, with the number of binders above.
    shadows: Vec<(Symbol, u32)>,
    /// A term named by `let` was used below a binder that captures one of its names.
    captured: bool,
    /// The variables of such binders are renamed.
    renaming: bool,
    /// The number of renamings of each name.
    renamed: FxHashMap<Symbol, u32>,
    frames: Vec<Frame>,
    done: Vec<Term>,
    word: Vec<u32>,
    unknown: FxHashSet<Symbol>,
}

impl<'p> Elaborator<'p> {
    /// An elaborator with only the operators of `dialect` in scope.
    pub fn new(pool: &'p mut Pool, dialect: Dialect) -> Self {
        let mut e = Elaborator {
            pool,
            diagnostics: Vec::new(),
            dialect,
            scopes: Scopes::default(),
            named: Vec::new(),
            lenient: false,
            saw_let: false,
            like_z3: false,
            signed: false,
            reported_non_ascii: false,
            failed: false,
            keywords: FxHashMap::default(),
            binders: 0,
            shadows: Vec::new(),
            captured: false,
            renaming: false,
            renamed: FxHashMap::default(),
            frames: Vec::new(),
            done: Vec::new(),
            word: Vec::new(),
            unknown: FxHashSet::default(),
        };
        e.prelude();
        e
    }

    /// An elaborator for solvers' answers: unknown names and sorts are accepted.
    pub fn lenient(pool: &'p mut Pool, dialect: Dialect) -> Self {
        let mut e = Elaborator { lenient: true, ..Elaborator::new(pool, dialect) };
        e.bind_datatypes();
        e
    }

    fn prelude(&mut self) {
        for row in TABLE {
            self.bind_name(row.name, Binding::Op { op: row.op, swapped: false });
            let dialect = self.dialect;
            for a in row.aliases.iter().filter(|a| a.read_in.is_empty() || a.read_in.contains(&dialect)) {
                self.bind_name(a.name, Binding::Op { op: row.op, swapped: a.swapped });
            }
        }
        for row in SEQUENCES.iter().filter(|row| row.op != Op::SeqEmpty) {
            self.bind_name(row.name, Binding::Op { op: row.op, swapped: false });
        }
        self.bind_name("-", Binding::Minus);
        for (name, keyword) in [
            ("let", Keyword::Let),
            ("forall", Keyword::Forall),
            ("exists", Keyword::Exists),
            ("lambda", Keyword::Lambda),
            ("!", Keyword::Bang),
            ("match", Keyword::Match),
            ("_", Keyword::Underscore),
            ("as", Keyword::As),
        ] {
            self.bind_name(name, Binding::Keyword(keyword));
            let symbol = self.pool.names.intern(name);
            self.keywords.insert(symbol, keyword);
        }
        self.scopes.trail.clear();
    }

    fn bind_name(&mut self, name: &str, binding: Binding) {
        let s = self.pool.names.intern(name);
        self.bind(s, binding);
    }

    pub(crate) fn bind(&mut self, s: Symbol, binding: Binding) {
        if self.scopes.bindings.len() <= s.0 as usize {
            self.scopes.bindings.resize(self.pool.names.len().max(s.0 as usize + 1), Binding::Free);
        }
        let old = std::mem::replace(&mut self.scopes.bindings[s.0 as usize], binding);
        self.scopes.keyword_rebound |= matches!(old, Binding::Keyword(_));
        self.scopes.trail.push((s, old));
    }

    pub(crate) fn unbind_to(&mut self, mark: usize) {
        while self.scopes.trail.len() > mark {
            let (s, old) = self.scopes.trail.pop().expect("the trail is longer than the mark");
            self.scopes.bindings[s.0 as usize] = old;
        }
    }

    pub(crate) fn binding(&self, s: Symbol) -> Binding {
        self.scopes.bindings.get(s.0 as usize).copied().unwrap_or_default()
    }

    /// The function or constant that `name` currently denotes.
    pub fn lookup(&self, name: &str) -> Option<Fun> {
        match self.binding(self.pool.names.lookup(name)?) {
            Binding::Fun(f) => Some(f),
            _ => None,
        }
    }

    /// Reads the term at `node` of `tree`, which was read from `src`.
    pub fn read_term(&mut self, src: &[u8], tree: &Tree, node: u32) -> Option<Term> {
        self.term(Source { src, tree }, node)
    }

    /// Reads `((x Sort) …)` and brings the variables into scope; [`Elaborator::leave`] ends it.
    pub fn read_vars(&mut self, src: &[u8], tree: &Tree, node: u32) -> Vec<Term> {
        self.sorted_vars(Source { src, tree }, node)
    }

    /// A mark to give to [`Elaborator::leave`].
    pub fn mark(&self) -> usize {
        self.scopes.trail.len()
    }

    /// Removes from scope everything bound since `mark`.
    pub fn leave(&mut self, mark: usize) {
        self.unbind_to(mark);
    }

    /// Removes from the pool everything added since `mark`, and from scope the names of the removed items. Levels
    /// opened since must have been closed.
    pub fn cut_back(&mut self, mark: &Mark) {
        if self.pool.fun_count() > mark.funs() || self.pool.templates().len() > mark.templates() {
            for binding in &mut self.scopes.bindings {
                let gone = match *binding {
                    Binding::Fun(f) => f.0 as usize >= mark.funs(),
                    Binding::Term(t) | Binding::Let(t, _) => t.0 as usize >= mark.terms(),
                    Binding::Data(part) => part.template as usize >= mark.templates(),
                    _ => false,
                };
                if gone {
                    *binding = Binding::Free;
                }
            }
            self.scopes.declared.retain(|f| (f.0 as usize) < mark.funs());
        }
        self.scopes.bindings.truncate(mark.names());
        self.scopes.sorts.retain(|s, _| (s.0 as usize) < mark.names());
        self.unknown.clear();
        self.pool.cut_back(mark);
    }

    /// Clears the diagnostics so far: an error that was reported is reported again.
    pub fn forget_diagnostics(&mut self) {
        self.diagnostics.clear();
        self.unknown.clear();
        self.reported_non_ascii = false;
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    fn report(&mut self, d: Diagnostic) {
        self.failed = true;
        self.diagnostics.push(d);
    }

    fn bad(&mut self) -> Term {
        let s = self.pool.names.intern("<error>");
        self.pool.mk(Head::Opaque(s), Sort::OPAQUE, &[])
    }

    /// The term at `node`; `None` after reporting errors.
    pub(crate) fn term(&mut self, s: Source<'_>, node: u32) -> Option<Term> {
        let named = self.named.len();
        self.renaming = false;
        let t = self.walk(s, node);
        if !self.captured || self.failed {
            return t;
        }
        self.named.truncate(named);
        self.renaming = true;
        self.walk(s, node)
    }

    fn walk(&mut self, s: Source<'_>, node: u32) -> Option<Term> {
        self.failed = false;
        self.captured = false;
        self.binders = 0;
        self.shadows.clear();
        self.renamed.clear();
        self.frames.clear();
        self.done.clear();
        let mark = self.scopes.trail.len();
        self.enter(s, node);
        while let Some(frame) = self.frames.pop() {
            self.step(s, frame);
        }
        self.unbind_to(mark);
        let t = self.done.pop().expect("one term is left");
        (!self.failed).then_some(t)
    }

    /// Enters `node`: an atom is finished at once, a list becomes a frame.
    #[inline]
    fn enter(&mut self, s: Source<'_>, node: u32) {
        if s.kind(node) == Kind::List {
            self.enter_list(s, node);
        } else {
            let t = self.atom(s, node);
            self.done.push(t);
        }
    }

    fn step(&mut self, s: Source<'_>, frame: Frame) {
        match frame {
            Frame::App { head, node, mut next, end, base } => {
                while next < end {
                    let child = next;
                    next = s.tree.node(child).next;
                    if s.kind(child) == Kind::List {
                        self.frames.push(Frame::App { head, node, next, end, base });
                        return self.enter_list(s, child);
                    }
                    let t = self.atom(s, child);
                    self.done.push(t);
                }
                self.apply(s, head, node, base);
            }
            Frame::Let { node, next, end, body, base, mark } => {
                self.step_let(s, node, next, end, body, base, mark);
            }
            Frame::Binder { head, body, vars, mark, shadows, done } => {
                if done {
                    self.shadows.truncate(shadows);
                    return self.finish_binder(s, head, body, vars, mark);
                }
                self.frames.push(Frame::Binder { head, body, vars, mark, shadows, done: true });
                self.enter(s, body);
            }
            Frame::Annot { node, todo, next, base } => {
                if let Some(&t) = todo.get(next) {
                    self.frames.push(Frame::Annot { node, todo, next: next + 1, base });
                    return self.enter(s, t);
                }
                self.finish_annotation(s, node, base);
            }
            Frame::Match(m) => self.step_match(s, m),
        }
    }

    fn enter_list(&mut self, s: Source<'_>, node: u32) {
        let end = s.tree.node(node).next;
        let first = node + 1;
        if first >= end {
            self.error(Code::MalformedTerm, s.span(node), "`()` is not a term");
            let t = self.bad();
            return self.done.push(t);
        }
        let base = self.done.len();
        let head = if s.kind(first) == Kind::List {
            self.list_head(s, first)
        } else if let Some(name) = s.name(first) {
            let symbol = self.pool.names.intern_bytes(name);
            if self.scopes.keyword_rebound
                && s.kind(first) == Kind::Symbol
                && let Some(&k) = self.keywords.get(&symbol)
            {
                return self.keyword(s, node, k);
            }
            match self.binding(symbol) {
                Binding::Op { op, swapped } => AppHead::Op { op, swapped },
                Binding::Fun(f) => AppHead::Fun(f),
                Binding::Minus => AppHead::Minus,
                Binding::Keyword(k) if s.kind(first) == Kind::Symbol => return self.keyword(s, node, k),
                other => self.other_head(s, first, symbol, other),
            }
        } else {
            self.error(Code::MalformedTerm, s.span(first), format!("`{}` is not a function", s.lossy(first)));
            AppHead::Error
        };
        self.frames.push(Frame::App { head, node, next: s.tree.node(first).next, end, base });
    }
}
