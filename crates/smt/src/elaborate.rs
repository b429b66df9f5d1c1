//! From s-expressions to sorted terms.
//!
//! The walk is a machine with an explicit stack of [`Frame`]s and a stack of finished terms, so depth costs
//! memory and nothing else. A name is resolved by one array access: every symbol has a current
//! [`Binding`], and scopes undo their changes from a trail when they end. After an error a stand-in
//! term of unknown sort goes on in place of the bad one, so that one run reports many errors.

use crate::diag::{Diagnostic, Span, did_you_mean};
use crate::dialect::{self, Dialect};
use crate::foreign;
use crate::num::{Int, Rat};
use crate::op::{Op, TABLE};
use crate::print::term_text;
use crate::sexpr::{Kind, Quoting, Tree};
use crate::symbol::Symbol;
use crate::term::{AttrValue, Attribute, Fun, Head, Pool, Sort, SortData, SortKind, Term};
use crate::typing::{SortError, agree};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a name means now.
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
    /// A constructor, selector or tester of a datatype: carried along.
    Opaque,
    /// `let`, `forall` and the like.
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

/// What a sort name means.
#[derive(Clone, Debug)]
pub(crate) enum SortBinding {
    /// `declare-sort` or a datatype, with its arity.
    Declared(u32),
    /// `define-sort`: parameters and the sort over them.
    Defined(Box<[Sort]>, Sort),
    Parameter(Sort),
}

/// Text with its tree: what every step of the walk looks at.
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

/// After this many diagnostics nobody reads hints, which take a look at every known name.
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
}

/// Turns s-expressions into terms and commands; keeps the scopes of a script between them.
pub struct Elaborator<'p> {
    /// Where the terms go.
    pub pool: &'p mut Pool,
    /// What was wrong so far.
    pub diagnostics: Vec<Diagnostic>,
    pub(crate) dialect: Dialect,
    pub(crate) bindings: Vec<Binding>,
    pub(crate) trail: Vec<(Symbol, Binding)>,
    pub(crate) sorts: FxHashMap<Symbol, SortBinding>,
    pub(crate) sort_trail: Vec<(Symbol, Option<SortBinding>)>,
    /// Trail lengths at each `push`, and how many levels it opened.
    pub(crate) levels: Vec<Level>,
    pub(crate) global_declarations: bool,
    pub(crate) numerals_are_real: bool,
    /// Declarations whose definition is a term named by `:named`, made while a term is read.
    pub(crate) named: Vec<(Symbol, Term)>,
    /// Reading a solver's answer: unknown names are values of their own.
    pub(crate) lenient: bool,
    /// A `let` was read; the caller resets it.
    pub(crate) saw_let: bool,
    told_not_ascii: bool,
    failed: bool,
    keywords: FxHashMap<Symbol, Keyword>,
    /// `let`, `forall` or the like is also a name of the user's.
    pub(crate) keyword_rebound: bool,
    /// The binders around the term being read.
    binders: u32,
    /// Names bound by them that meant something outside, and below how many binders.
    shadows: Vec<(Symbol, u32)>,
    /// A term that `let` names was used where a binder gives one of its names another meaning.
    captured: bool,
    /// Such binders get variables of other names.
    renaming: bool,
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
            bindings: Vec::new(),
            trail: Vec::new(),
            sorts: FxHashMap::default(),
            sort_trail: Vec::new(),
            levels: Vec::new(),
            global_declarations: false,
            numerals_are_real: false,
            named: Vec::new(),
            lenient: false,
            saw_let: false,
            told_not_ascii: false,
            failed: false,
            keywords: FxHashMap::default(),
            keyword_rebound: false,
            binders: 0,
            shadows: Vec::new(),
            captured: false,
            renaming: false,
            frames: Vec::new(),
            done: Vec::new(),
            word: Vec::new(),
            unknown: FxHashSet::default(),
        };
        e.prelude();
        e
    }

    /// An elaborator for solvers' answers: unknown names and sorts are carried along.
    pub fn lenient(pool: &'p mut Pool, dialect: Dialect) -> Self {
        Elaborator { lenient: true, ..Elaborator::new(pool, dialect) }
    }

    fn prelude(&mut self) {
        for row in TABLE {
            self.bind_name(row.name, Binding::Op { op: row.op, swapped: false });
            let dialect = self.dialect;
            for a in row.aliases.iter().filter(|a| a.read_in.is_empty() || a.read_in.contains(&dialect)) {
                self.bind_name(a.name, Binding::Op { op: row.op, swapped: a.swapped });
            }
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
        self.trail.clear();
    }

    fn bind_name(&mut self, name: &str, binding: Binding) {
        let s = self.pool.names.intern(name);
        self.bind(s, binding);
    }

    pub(crate) fn bind(&mut self, s: Symbol, binding: Binding) {
        if self.bindings.len() <= s.0 as usize {
            self.bindings.resize(self.pool.names.len().max(s.0 as usize + 1), Binding::Free);
        }
        let old = std::mem::replace(&mut self.bindings[s.0 as usize], binding);
        self.keyword_rebound |= matches!(old, Binding::Keyword(_));
        self.trail.push((s, old));
    }

    pub(crate) fn unbind_to(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let (s, old) = self.trail.pop().expect("the trail is longer than the mark");
            self.bindings[s.0 as usize] = old;
        }
    }

    pub(crate) fn binding(&self, s: Symbol) -> Binding {
        self.bindings.get(s.0 as usize).copied().unwrap_or_default()
    }

    /// The function or constant that `name` stands for now.
    pub fn lookup(&self, name: &str) -> Option<Fun> {
        match self.binding(self.pool.names.lookup(name)?) {
            Binding::Fun(f) => Some(f),
            _ => None,
        }
    }

    /// Reads the term at `node` of `tree`, a part of `src`.
    pub fn read_term(&mut self, src: &[u8], tree: &Tree, node: u32) -> Option<Term> {
        self.term(Source { src, tree }, node)
    }

    /// Reads `((x Sort) …)` and brings the variables into scope; [`Elaborator::leave`] ends it.
    pub fn read_vars(&mut self, src: &[u8], tree: &Tree, node: u32) -> Vec<Term> {
        self.sorted_vars(Source { src, tree }, node)
    }

    /// A mark to give to [`Elaborator::leave`].
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes everything out of scope that came into it since `mark`.
    pub fn leave(&mut self, mark: usize) {
        self.unbind_to(mark);
    }

    pub(crate) fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(span, message));
    }

    pub(crate) fn report(&mut self, d: Diagnostic) {
        self.failed = true;
        self.diagnostics.push(d);
    }

    fn bad(&mut self) -> Term {
        let s = self.pool.names.intern("<error>");
        self.pool.mk(Head::Opaque(s), Sort::OPAQUE, &[])
    }

    /// The term at `node`; `None` after reporting what is wrong with it.
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
        self.frames.clear();
        self.done.clear();
        let mark = self.trail.len();
        self.enter(s, node);
        while let Some(frame) = self.frames.pop() {
            self.step(s, frame);
        }
        self.unbind_to(mark);
        let t = self.done.pop().expect("a walk leaves one term");
        (!self.failed).then_some(t)
    }

    /// Starts on `node`: an atom is finished at once, a list becomes a frame.
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
                self.step_let(s, node, next, end, body, base, mark)
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
        }
    }

    fn enter_list(&mut self, s: Source<'_>, node: u32) {
        let end = s.tree.node(node).next;
        let first = node + 1;
        if first >= end {
            self.error(s.span(node), "`()` is no term");
            let t = self.bad();
            return self.done.push(t);
        }
        let base = self.done.len();
        let head = if s.kind(first) == Kind::List {
            self.list_head(s, first)
        } else if let Some(name) = s.name(first) {
            let symbol = self.pool.names.intern_bytes(name);
            if self.keyword_rebound
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
            self.error(s.span(first), format!("`{}` is no function", s.lossy(first)));
            AppHead::Error
        };
        self.frames.push(Frame::App { head, node, next: s.tree.node(first).next, end, base });
    }

    fn other_head(&mut self, s: Source<'_>, node: u32, symbol: Symbol, binding: Binding) -> AppHead {
        match binding {
            Binding::Opaque => AppHead::Opaque(self.carried_name(symbol), Sort::OPAQUE),
            Binding::Term(t) | Binding::Let(t, _)
                if self.pool.sort_of(t) == Sort::OPAQUE || self.is_map(self.pool.sort_of(t)) =>
            {
                self.used(binding);
                match self.pool.head(t) {
                    Head::Var(name) => AppHead::Opaque(self.carried_name(name), Sort::OPAQUE),
                    _ => AppHead::Term(t),
                }
            }
            Binding::Term(_) | Binding::Let(..) => {
                self.error(s.span(node), format!("`{}` is a variable, it takes no arguments", s.lossy(node)));
                AppHead::Error
            }
            _ if self.lenient || foreign::is_foreign(self.pool.names.name(symbol)) => {
                AppHead::Opaque(self.carried_name(symbol), Sort::OPAQUE)
            }
            _ => {
                self.unknown(s, node, symbol);
                AppHead::Error
            }
        }
    }

    /// A name as the head of an opaque term. There `(` and `#` start a text that is no name, so a name that
    /// starts with one of them keeps its bars.
    fn carried_name(&mut self, symbol: Symbol) -> Symbol {
        let name = self.pool.names.name(symbol);
        if name.starts_with(['(', '#']) {
            let quoted = format!("|{name}|");
            return self.pool.names.intern(&quoted);
        }
        symbol
    }

    /// The text at `node`, to be carried along: its literals are in the standard dialect.
    pub(crate) fn carried(&self, s: Source<'_>, node: u32) -> String {
        let text = s.lossy(node);
        if self.dialect == Dialect::Smt26 {
            return text;
        }
        dialect::translate_literals(&text, self.dialect, Dialect::Smt26).unwrap_or(text)
    }

    /// The same for a text that is no term.
    pub(crate) fn told(&self, s: Source<'_>, node: u32) -> String {
        let text = s.lossy(node);
        if self.dialect.quoting() == Quoting::Doubled {
            return text;
        }
        dialect::requote(&text, self.dialect.quoting(), Quoting::Doubled)
    }

    /// Notes whether a binder between a `let` and the use of its name captures a name of what it stands for.
    #[inline]
    fn used(&mut self, binding: Binding) {
        if let Binding::Let(t, below) = binding
            && self.shadows.last().is_some_and(|&(_, at)| at > below)
            && !self.captured
        {
            let between = self.shadows.iter().rev().take_while(|&&(_, at)| at > below);
            self.captured = between.map(|&(name, _)| name).any(|name| self.pool.mentions(t, name));
        }
    }

    fn is_map(&self, sort: Sort) -> bool {
        self.pool.names.name(self.pool.sort_data(sort).name) == "->"
    }

    /// Reports a name that nothing binds: once per name.
    fn unknown(&mut self, s: Source<'_>, node: u32, symbol: Symbol) {
        self.failed = true;
        if !self.unknown.insert(symbol) {
            return;
        }
        let name = self.pool.names.name(symbol).to_owned();
        let bound = |i: &usize| !matches!(self.bindings[*i], Binding::Free);
        let user = (0..self.bindings.len()).filter(bound).map(|i| self.pool.names.name(Symbol(i as u32)));
        let standard = TABLE.iter().map(|r| r.name);
        let near = if self.diagnostics.len() < MAX_HINTS {
            did_you_mean(&name, standard).or_else(|| did_you_mean(&name, user)).map(str::to_owned)
        } else {
            None
        };
        let mut d = Diagnostic::error(s.span(node), format!("unknown symbol `{name}`"));
        let z3str2 = TABLE.iter().find(|r| r.aliases.iter().any(|a| a.name == name));
        if name.strip_prefix('-').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit() || b == b'.')) {
            d = d.hint(format!("a negative number is written (- {})", &name[1..]));
        } else if let Some(row) = z3str2 {
            d = d.hint(format!("dialect 2.0's name of `{}`, but this text is not in that dialect", row.name));
        } else if let Some(near) = near {
            d = d.hint(format!("did you mean `{near}`?"));
        }
        self.report(d);
    }

    /// A head that is a list: `(_ f i)` or `(as f S)`; in answers, also a function-valued term.
    fn list_head(&mut self, s: Source<'_>, node: u32) -> AppHead {
        let mut children = s.tree.children(node);
        let first = children.next().map_or(&b""[..], |c| s.text(c));
        let rest: Vec<u32> = children.collect();
        match (first, rest.as_slice()) {
            (b"_", [name, indices @ ..]) => self.indexed_head(s, node, *name, indices),
            (b"as", [name, sort]) => {
                if s.kind(*name) == Kind::List {
                    return self.opaque_head(s, node, Sort::OPAQUE);
                }
                let sort = self.sort(s, *sort).unwrap_or(Sort::OPAQUE);
                let symbol = self.pool.names.intern_bytes(s.name(*name).unwrap_or(s.text(*name)));
                match self.binding(symbol) {
                    Binding::Fun(f) => AppHead::Fun(f),
                    Binding::Op { op, swapped } => AppHead::Op { op, swapped },
                    _ => self.opaque_head(s, node, sort),
                }
            }
            _ if self.lenient => self.opaque_head(s, node, Sort::OPAQUE),
            _ => {
                self.report(
                    Diagnostic::error(s.span(node), "a list where the name of a function is needed")
                        .hint("is an operator missing before it?"),
                );
                AppHead::Error
            }
        }
    }

    fn opaque_head(&mut self, s: Source<'_>, node: u32, sort: Sort) -> AppHead {
        let text = self.carried(s, node);
        AppHead::Opaque(self.pool.names.intern(&text), sort)
    }

    fn indexed_head(&mut self, s: Source<'_>, node: u32, name: u32, indices: &[u32]) -> AppHead {
        let symbol = self.pool.names.intern_bytes(s.name(name).unwrap_or(s.text(name)));
        let numerals: Option<Vec<Int>> = indices
            .iter()
            .map(|&i| if s.kind(i) == Kind::Numeral { Int::from_decimal(s.text(i)) } else { None })
            .collect();
        match (self.binding(symbol), numerals) {
            (Binding::Op { op, .. }, Some(numerals)) if op.row().indices > 0 => {
                AppHead::Indexed(op, numerals)
            }
            (Binding::Op { op, .. }, _) => {
                let why = if op.row().indices > 0 { "its indices are numerals" } else { "it takes no index" };
                self.error(s.span(node), format!("`{}`: {why}", op.name()));
                AppHead::Error
            }
            (Binding::Free, _) if foreign::is_foreign(self.pool.names.name(symbol)) => {
                self.opaque_head(s, node, Sort::OPAQUE)
            }
            (Binding::Opaque, _) => self.opaque_head(s, node, Sort::OPAQUE),
            _ => {
                self.unknown(s, name, symbol);
                AppHead::Error
            }
        }
    }

    fn keyword(&mut self, s: Source<'_>, node: u32, keyword: Keyword) {
        let children: Vec<u32> = s.tree.children(node).collect();
        match (keyword, children.as_slice()) {
            (Keyword::Let, [_, bindings, body]) if s.kind(*bindings) == Kind::List => {
                self.saw_let = true;
                let base = self.done.len();
                let (next, end) = (*bindings + 1, s.tree.node(*bindings).next);
                self.frames.push(Frame::Let { node, next, end, body: *body, base, mark: None });
            }
            (Keyword::Forall, [_, vars, body]) => self.binder(s, Head::Forall, *vars, *body),
            (Keyword::Exists, [_, vars, body]) => self.binder(s, Head::Exists, *vars, *body),
            (Keyword::Lambda, [_, vars, body]) => self.binder(s, Head::Lambda, *vars, *body),
            (Keyword::Bang, [_, _, ..]) => self.annotation(s, node, &children[1..]),
            (Keyword::Match, _) => {
                let text = self.carried_match(s, node);
                let head = self.pool.names.intern(&text);
                let t = self.pool.mk(Head::Opaque(head), Sort::OPAQUE, &[]);
                self.done.push(t);
            }
            (Keyword::Underscore, [_, name, indices @ ..]) => {
                let t = self.indexed_constant(s, node, *name, indices);
                self.done.push(t);
            }
            (Keyword::As, [_, _, sort]) => {
                let t = self.qualified(s, node, children[1], *sort);
                self.done.push(t);
            }
            _ => {
                let name = s.lossy(children[0]);
                self.report(Diagnostic::error(s.span(node), format!("malformed `{name}`")).hint(
                    match keyword {
                        Keyword::Let => "(let ((x t) …) body)",
                        Keyword::Bang => "(! t :key value …)",
                        Keyword::Underscore => "(_ name index …)",
                        Keyword::As => "(as name Sort)",
                        _ => "(forall ((x Sort) …) body)",
                    },
                ));
                let t = self.bad();
                self.done.push(t);
            }
        }
    }

    /// The text of a `match`. What the names in it stand for is not in the text if a `let` around it says so,
    /// or if their variables were renamed: then the text gets a `let` of its own.
    fn carried_match(&mut self, s: Source<'_>, node: u32) -> String {
        let mut text = self.carried(s, node);
        let mut seen = FxHashSet::default();
        for i in node..s.tree.node(node).next {
            let Some(name) = s.name(i) else { continue };
            let symbol = self.pool.names.intern_bytes(name);
            let binding = self.binding(symbol);
            let (Binding::Let(t, _) | Binding::Term(t)) = binding else {
                continue;
            };
            self.used(binding);
            if self.pool.head(t) != Head::Var(symbol) && seen.insert(symbol) {
                let name = crate::symbol::quote(self.pool.names.name(symbol));
                text = format!("(let (({name} {})) {text})", term_text(self.pool, t));
            }
        }
        text
    }

    #[allow(clippy::too_many_arguments, reason = "the fields of the frame")]
    fn step_let(
        &mut self,
        s: Source<'_>,
        node: u32,
        next: u32,
        end: u32,
        body: u32,
        base: usize,
        mark: Option<usize>,
    ) {
        if let Some(mark) = mark {
            return self.unbind_to(mark);
        }
        if next < end {
            let after = s.tree.node(next).next;
            let pair: Vec<u32> = s.tree.children(next).collect();
            self.frames.push(Frame::Let { node, next: after, end, body, base, mark: None });
            if let [name, value] = pair[..]
                && s.name(name).is_some()
            {
                return self.enter(s, value);
            }
            self.error(s.span(next), "a `let` binding is (name term)");
            let t = self.bad();
            return self.done.push(t);
        }
        let mark = self.trail.len();
        let bindings = s.tree.children(s.tree.children(node).nth(1).expect("checked on entry"));
        for (i, b) in bindings.enumerate() {
            let Some(name) = s.tree.children(b).next().and_then(|n| s.name(n)) else {
                continue;
            };
            let symbol = self.pool.names.intern_bytes(name);
            self.bind(symbol, Binding::Let(self.done[base + i], self.binders));
        }
        self.done.truncate(base);
        self.frames.push(Frame::Let { node, next, end, body, base, mark: Some(mark) });
        self.enter(s, body);
    }

    fn binder(&mut self, s: Source<'_>, head: Head, vars: u32, body: u32) {
        let (mark, shadows) = (self.trail.len(), self.shadows.len());
        self.binders += 1;
        let mut vars = self.sorted_vars(s, vars);
        for (i, var) in vars.iter_mut().enumerate() {
            let (symbol, outer) = self.trail[mark + i];
            let means_something = !matches!(outer, Binding::Free)
                || self.lenient
                || foreign::is_foreign(self.pool.names.name(symbol));
            if means_something {
                self.shadows.push((symbol, self.binders));
                if self.renaming {
                    *var = self.rename(symbol, *var);
                }
            }
        }
        self.frames.push(Frame::Binder { head, body, vars, mark, shadows, done: false });
    }

    /// Gives the variable called `symbol` here a name that means nothing else here.
    fn rename(&mut self, symbol: Symbol, var: Term) -> Term {
        let sort = self.pool.sort_of(var);
        let name = self.pool.names.name(symbol).to_owned();
        let mut n = 1;
        let fresh = loop {
            let candidate = self.pool.names.intern(&format!("{name}!{n}"));
            if matches!(self.binding(candidate), Binding::Free) {
                break candidate;
            }
            n += 1;
        };
        let var = self.pool.var(fresh, sort);
        self.bind(symbol, Binding::Term(var));
        self.bind(fresh, Binding::Term(var));
        var
    }

    /// Reads `((x S) …)` and binds the variables.
    pub(crate) fn sorted_vars(&mut self, s: Source<'_>, list: u32) -> Vec<Term> {
        if s.kind(list) != Kind::List {
            self.error(s.span(list), "a list of sorted variables ((x Sort) …) is needed here");
            return Vec::new();
        }
        let mut vars = Vec::new();
        for v in s.tree.children(list) {
            let pair: Vec<u32> = s.tree.children(v).collect();
            let Some((name, sort)) =
                pair.first().and_then(|&n| s.name(n)).zip(pair.get(1)).filter(|_| pair.len() == 2)
            else {
                self.error(s.span(v), "a sorted variable is (name Sort)");
                continue;
            };
            let symbol = self.pool.names.intern_bytes(name);
            let sort = self.sort(s, *sort).unwrap_or(Sort::OPAQUE);
            let var = self.pool.var(symbol, sort);
            self.bind(symbol, Binding::Term(var));
            vars.push(var);
        }
        vars
    }

    fn finish_binder(&mut self, s: Source<'_>, head: Head, body: u32, mut args: Vec<Term>, mark: usize) {
        self.unbind_to(mark);
        self.binders -= 1;
        let t = self.done.pop().expect("the body was walked");
        let sort = self.pool.sort_of(t);
        let sort = if head == Head::Lambda {
            let params: Vec<Sort> = args.iter().map(|&v| self.pool.sort_of(v)).collect();
            self.map_sort(params, sort)
        } else {
            if !agree(sort, Sort::BOOL) {
                let found = self.pool.sort_text(sort);
                self.error(
                    s.span(body),
                    format!("the body of a quantifier has sort {found}, it should be Bool"),
                );
            }
            Sort::BOOL
        };
        args.push(t);
        let t = if args.len() == 1 { t } else { self.pool.mk(head, sort, &args) };
        self.done.push(t);
    }

    fn map_sort(&mut self, mut args: Vec<Sort>, ret: Sort) -> Sort {
        args.push(ret);
        let name = self.pool.names.intern("->");
        let data = SortData { name, args: args.into(), kind: SortKind::Builtin };
        // Of a function that returns a function and so on without end: nobody understands it anyway.
        self.bounded_sort(data).unwrap_or(Sort::OPAQUE)
    }

    fn annotation(&mut self, s: Source<'_>, node: u32, parts: &[u32]) {
        let mut todo = vec![parts[0]];
        for pair in parts[1..].windows(2) {
            if matches!(s.text(pair[0]), b":pattern" | b":no-pattern") && s.kind(pair[1]) == Kind::List {
                todo.extend(s.tree.children(pair[1]));
            }
        }
        self.frames.push(Frame::Annot { node, todo, next: 0, base: self.done.len() });
    }

    fn finish_annotation(&mut self, s: Source<'_>, node: u32, base: usize) {
        let parts: Vec<u32> = s.tree.children(node).skip(2).collect();
        let mut terms = self.done.split_off(base).into_iter();
        let t = terms.next().expect("the annotated term was walked");
        let mut attrs = Vec::new();
        let mut i = 0;
        while let Some(&key) = parts.get(i) {
            i += 1;
            if s.kind(key) != Kind::Keyword {
                self.error(s.span(key), "an attribute starts with a keyword such as `:named`");
                continue;
            }
            let value = parts.get(i).copied().filter(|&v| s.kind(v) != Kind::Keyword);
            i += usize::from(value.is_some());
            let value = self.attr_value(s, key, value, t, &mut terms);
            attrs.push(Attribute { key: self.pool.names.intern_bytes(s.text(key)), value });
        }
        let annotated = if attrs.is_empty() { t } else { self.pool.annotate(t, attrs.into()) };
        self.done.push(annotated);
    }

    fn attr_value(
        &mut self,
        s: Source<'_>,
        key: u32,
        value: Option<u32>,
        t: Term,
        terms: &mut impl Iterator<Item = Term>,
    ) -> AttrValue {
        let Some(v) = value else { return AttrValue::None };
        match s.text(key) {
            b":pattern" | b":no-pattern" if s.kind(v) == Kind::List => {
                AttrValue::Terms(terms.take(s.tree.arity(v)).collect())
            }
            b":named" => {
                let Some(name) = s.name(v) else {
                    self.error(s.span(v), "`:named` takes a symbol");
                    return AttrValue::None;
                };
                let symbol = self.pool.names.intern_bytes(name);
                if self.is_theory_name(symbol) {
                    self.error(s.span(v), format!("`{}` is a name of the theory", s.lossy(v)));
                    return AttrValue::None;
                }
                self.named.push((symbol, t));
                AttrValue::Symbol(symbol)
            }
            _ => match s.name(v) {
                Some(name) => AttrValue::Symbol(self.pool.names.intern_bytes(name)),
                None => AttrValue::Text(self.told(s, v).into()),
            },
        }
    }

    /// All arguments of an application are on the `done` stack from `base` on.
    fn apply(&mut self, s: Source<'_>, head: AppHead, node: u32, base: usize) {
        if matches!(head, AppHead::Op { op: Op::StrIndexof, .. })
            && self.done.len() == base + 2
            && !self.numerals_are_real
        {
            // Z3str2's and old z3's form without a start.
            let zero = self.pool.int(0);
            self.done.push(zero);
        }
        let args = &self.done[base..];
        let built = match head {
            AppHead::Op { op, swapped: false } if op.row().indices == 0 => self.pool.op(op, args),
            AppHead::Op { op, swapped: false } => self.unindexed(op, base),
            AppHead::Op { op, .. } => {
                let flipped: Vec<Term> = args.iter().rev().copied().collect();
                self.pool
                    .op(op, &flipped)
                    .map_err(|e| SortError { argument: e.argument.map(|i| flipped.len() - 1 - i), ..e })
            }
            AppHead::Indexed(Op::ReLoop, n) if n.len() == 1 && args.len() == 1 => {
                let r = args[0];
                self.at_least(&n, r)
            }
            AppHead::Indexed(op, indices) => self.pool.indexed(op, &indices, args),
            AppHead::Minus => self.pool.op(if args.len() == 1 { Op::Neg } else { Op::Sub }, args),
            AppHead::Fun(f) => self.pool.apply_checked(f, args),
            AppHead::Opaque(name, sort) => Ok(self.pool.mk(Head::Opaque(name), sort, args)),
            AppHead::Term(t) => {
                let at = self.pool.names.intern("@");
                let args: Vec<Term> = std::iter::once(t).chain(args.iter().copied()).collect();
                Ok(self.pool.mk(Head::Opaque(at), Sort::OPAQUE, &args))
            }
            AppHead::Error => Err(SortError { argument: None, message: String::new() }),
        };
        let t = match built {
            Ok(t) => t,
            Err(e) => self.ill_sorted(s, node, base, &e),
        };
        self.done.truncate(base);
        self.done.push(t);
    }

    /// Reports `e`, unless an argument is of a foreign theory that may well overload the name
    /// (z3's `str.++` on any sequence): then the term is carried along.
    fn ill_sorted(&mut self, s: Source<'_>, node: u32, base: usize, e: &SortError) -> Term {
        let foreign = |&a: &Term| self.pool.sort_data(self.pool.sort_of(a)).kind == SortKind::Foreign;
        if !e.message.is_empty() && self.done[base..].iter().any(foreign) {
            let head = match s.name(node + 1) {
                Some(name) => {
                    let symbol = self.pool.names.intern_bytes(name);
                    self.carried_name(symbol)
                }
                None => {
                    let text = self.carried(s, node + 1);
                    self.pool.names.intern(&text)
                }
            };
            let args = self.done[base..].to_vec();
            return self.pool.mk(Head::Opaque(head), Sort::OPAQUE, &args);
        }
        if !e.message.is_empty() {
            let at = e.argument.and_then(|i| s.tree.children(node).nth(i + 1)).unwrap_or(node + 1);
            self.error(s.span(at), e.message.clone());
        }
        self.bad()
    }

    /// `(re.loop r 1 3)`, `(re.loop r 1)` and `(re.^ r 3)`: the indices as last arguments.
    fn unindexed(&mut self, op: Op, base: usize) -> Result<Term, SortError> {
        let args = self.done[base..].to_vec();
        let numerals: Option<Vec<Int>> = args
            .iter()
            .skip(1)
            .map(|&a| match self.pool.head(a) {
                Head::Int(id) => Some(self.pool.int_value(id).clone()),
                // A numeral, where numerals are reals.
                Head::Real(id) if self.numerals_are_real && self.pool.real_value(id).is_integer() => {
                    Some(self.pool.real_value(id).numer().clone())
                }
                _ => None,
            })
            .map(|n| n.filter(|n| !n.is_negative()))
            .collect();
        match numerals {
            Some(n) if op == Op::ReLoop && n.len() == 1 => self.at_least(&n, args[0]),
            Some(n) if n.len() == op.row().indices => self.pool.indexed(op, &n, &args[..1]),
            _ => Err(SortError {
                argument: None,
                message: format!("`{0}` takes numeral indices: ((_ {0} …) t)", op.name()),
            }),
        }
    }

    /// `((_ re.loop n) r)`, z3's way to say "at least n times".
    fn at_least(&mut self, n: &[Int], r: Term) -> Result<Term, SortError> {
        let power = self.pool.indexed(Op::RePower, n, &[r])?;
        let star = self.pool.op(Op::ReStar, &[r])?;
        self.pool.op(Op::ReConcat, &[power, star])
    }

    fn atom(&mut self, s: Source<'_>, node: u32) -> Term {
        let text = s.text(node);
        match s.kind(node) {
            Kind::Symbol => self.symbol(s, node, text),
            Kind::Quoted => self.symbol(s, node, s.name(node).unwrap_or(text)),
            Kind::Numeral => {
                let n = Int::from_decimal(text).unwrap_or_default();
                if self.numerals_are_real { self.pool.real(Rat::from(n)) } else { self.pool.int(n) }
            }
            Kind::Decimal => {
                let q = Rat::from_decimal_literal(text).unwrap_or_default();
                self.pool.real(q)
            }
            Kind::String => self.string(s, node),
            Kind::Hex | Kind::Binary => self.bits(text),
            Kind::Keyword | Kind::Junk | Kind::List => {
                self.error(s.span(node), format!("`{}` is no term", s.lossy(node).escape_default()));
                self.bad()
            }
        }
    }

    fn string(&mut self, s: Source<'_>, node: u32) -> Term {
        let text = s.text(node);
        let inside = &text[1..];
        let inside = if text.len() > 1 { inside.strip_suffix(b"\"").unwrap_or(inside) } else { inside };
        if !inside.is_ascii() {
            self.not_ascii(s, node, inside);
        }
        let mut word = std::mem::take(&mut self.word);
        word.clear();
        if !dialect::unescape(inside, self.dialect, &mut word) {
            self.error(s.span(node), "a character past U+2FFFF, the last one of the theory");
        }
        let t = self.pool.string(&word);
        self.word = word;
        t
    }

    /// Tells once that a literal has more than the standard allows, and how it is read.
    fn not_ascii(&mut self, s: Source<'_>, node: u32, inside: &[u8]) {
        if std::mem::replace(&mut self.told_not_ascii, true) || self.lenient {
            return;
        }
        let how =
            if std::str::from_utf8(inside).is_ok() { "read as UTF-8" } else { "not UTF-8, read as Latin-1" };
        let message = format!("bytes past ASCII in a literal, {how}");
        self.diagnostics.push(
            Diagnostic::notice(s.span(node), message)
                .hint("the standard has such characters only as escapes"),
        );
    }

    fn bits(&mut self, text: &[u8]) -> Term {
        let width = if text[1] == b'x' { 4 * (text.len() - 2) } else { text.len() - 2 };
        let name = self.pool.names.intern(&format!("(_ BitVec {width})"));
        let sort = self.pool.sort(SortData { name, args: Box::new([]), kind: SortKind::Foreign });
        let head = self.pool.names.intern_bytes(text);
        self.pool.mk(Head::Opaque(head), sort, &[])
    }

    #[inline]
    fn symbol(&mut self, s: Source<'_>, node: u32, name: &[u8]) -> Term {
        let symbol = self.pool.names.intern_bytes(name);
        match self.binding(symbol) {
            Binding::Term(t) => t,
            binding @ Binding::Let(t, _) => {
                self.used(binding);
                t
            }
            Binding::Fun(f) => self.constant(f),
            Binding::Op { op, .. } if op.row().params.is_empty() => {
                self.pool.op(op, &[]).unwrap_or_else(|_| self.bad())
            }
            Binding::Opaque => self.opaque_constant(symbol, Sort::OPAQUE),
            Binding::Keyword(_) if s.kind(node) == Kind::Symbol => {
                self.error(s.span(node), format!("`{}` is a reserved word", s.lossy(node)));
                self.bad()
            }
            Binding::Free | Binding::Keyword(_) => {
                if let Some(n) = self.signed(name) {
                    return n;
                }
                if self.lenient || foreign::is_foreign(self.pool.names.name(symbol)) {
                    return self.opaque_constant(symbol, Sort::OPAQUE);
                }
                self.unknown(s, node, symbol);
                self.bad()
            }
            Binding::Op { .. } | Binding::Minus => {
                self.error(s.span(node), format!("`{}` needs arguments", s.lossy(node)));
                self.bad()
            }
        }
    }

    /// `-5`, which some solvers print for `(- 5)`.
    fn signed(&mut self, name: &[u8]) -> Option<Term> {
        let digits = name.strip_prefix(b"-").filter(|_| self.lenient)?;
        if let Some(n) = Int::from_decimal(digits) {
            return Some(self.pool.int(-n));
        }
        let q = Rat::from_decimal_literal(digits)?;
        Some(self.pool.real(-q))
    }

    fn opaque_constant(&mut self, symbol: Symbol, sort: Sort) -> Term {
        let name = self.carried_name(symbol);
        self.pool.mk(Head::Opaque(name), sort, &[])
    }

    fn constant(&mut self, f: Fun) -> Term {
        if self.pool.fun(f).params.is_empty() {
            return self.pool.apply(f, &[]);
        }
        // A function as a value: higher order, which only 2.7's map sorts have.
        let data = self.pool.fun(f);
        let (params, ret, name) = (data.params.to_vec(), data.ret, data.name);
        let sort = self.map_sort(params, ret);
        self.opaque_constant(name, sort)
    }

    /// `(_ char #x41)`, `(_ bv5 8)`, `(_ as-array f)`
    fn indexed_constant(&mut self, s: Source<'_>, node: u32, name: u32, indices: &[u32]) -> Term {
        if matches!(s.text(name), b"char" | b"Char") {
            return self.char_constant(s, node, indices);
        }
        match self.indexed_head(s, node, name, indices) {
            AppHead::Opaque(symbol, sort) => self.pool.mk(Head::Opaque(symbol), sort, &[]),
            AppHead::Error => self.bad(),
            _ => {
                self.error(s.span(node), format!("`{}` needs an argument", s.lossy(node)));
                self.bad()
            }
        }
    }

    fn char_constant(&mut self, s: Source<'_>, node: u32, indices: &[u32]) -> Term {
        let code = match indices {
            [i] if s.kind(*i) == Kind::Hex => {
                u32::from_str_radix(&s.lossy(*i)[2..], 16).ok().filter(|_| s.text(*i).len() <= 7)
            }
            [i] if s.kind(*i) == Kind::Numeral => s.lossy(*i).parse().ok(),
            _ => None,
        };
        match code.filter(|&c| c <= dialect::MAX_CHAR) {
            Some(c) => self.pool.string(&[c]),
            None => {
                self.report(
                    Diagnostic::error(s.span(node), "no character of the theory")
                        .hint("(_ char #xN) with one to five hexadecimal digits, at most #x2FFFF"),
                );
                self.bad()
            }
        }
    }

    /// `(as name Sort)` as a constant.
    fn qualified(&mut self, s: Source<'_>, node: u32, name: u32, sort: u32) -> Term {
        let Some(sort) = self.sort(s, sort) else {
            return self.bad();
        };
        match (s.text(name), sort) {
            (b"seq.empty", Sort::STRING) => return self.pool.string(&[]),
            (b"re.empty" | b"re.none", _) => {
                return self.pool.op(Op::ReNone, &[]).unwrap_or_else(|_| self.bad());
            }
            (b"re.all" | b"re.full", _) => {
                return self.pool.op(Op::ReAll, &[]).unwrap_or_else(|_| self.bad());
            }
            (b"re.allchar", _) => return self.pool.op(Op::ReAllchar, &[]).unwrap_or_else(|_| self.bad()),
            _ => {}
        }
        if let Some(text) = s.name(name) {
            let symbol = self.pool.names.intern_bytes(text);
            match self.binding(symbol) {
                Binding::Fun(f)
                    if self.pool.fun(f).params.is_empty() && agree(self.pool.fun(f).ret, sort) =>
                {
                    return self.pool.apply(f, &[]);
                }
                Binding::Fun(f) if !self.pool.fun(f).params.is_empty() => {}
                binding @ (Binding::Term(t) | Binding::Let(t, _)) if agree(self.pool.sort_of(t), sort) => {
                    self.used(binding);
                    return t;
                }
                Binding::Fun(_) | Binding::Term(_) | Binding::Let(..) => {
                    let want = self.pool.sort_text(sort);
                    self.error(s.span(node), format!("`{}` is not of sort {want}", s.lossy(name)));
                    return self.bad();
                }
                _ => {}
            }
        }
        let text = self.carried(s, node);
        let head = self.pool.names.intern(&text);
        self.pool.mk(Head::Opaque(head), sort, &[])
    }
}
