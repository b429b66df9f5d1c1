//! Declarations and definitions of functions, sorts and datatypes.

use super::sorts::is_builtin;
use super::*;
use crate::script::Command;
use crate::term::Walk;

impl Elaborator<'_> {
    pub(super) fn new_name(&mut self, s: Source<'_>, node: u32) -> Option<Symbol> {
        let Some(name) = s.name(node) else {
            self.error(Code::MalformedCommand, s.span(node), format!("`{}` is not a symbol", s.lossy(node)));
            return None;
        };
        if self.like_z3 && s.kind(node) == Kind::Symbol && name.contains(&b':') {
            self.error(Code::MalformedCommand, s.span(node), format!("`{}` is not a symbol", s.lossy(node)));
            return None;
        }
        let symbol = self.pool.names.intern_bytes(name);
        if self.is_theory_name(symbol) {
            let name = self.pool.names.name(symbol).to_owned();
            self.theory_name(s, node, &name);
            return None;
        }
        Some(symbol)
    }

    pub(super) fn theory_name(&mut self, s: Source<'_>, node: u32, name: &str) {
        let message = format!("`{name}` is a theory symbol and cannot be redefined");
        self.error(Code::ReservedName, s.span(node), message);
    }

    /// Scripts cannot give this name another meaning. Aliases and extensions are free names in the standard.
    pub(crate) fn is_theory_name(&self, symbol: Symbol) -> bool {
        match self.binding(symbol) {
            Binding::Op { op, .. } => op.name() == self.pool.names.name(symbol) && !op.is_extension(),
            Binding::Minus => true,
            _ => false,
        }
    }

    pub(super) fn declare(&mut self, s: Source<'_>, name: u32, params: Option<u32>, ret: u32) -> Option<Fun> {
        let symbol = self.new_name(s, name)?;
        let params = match params {
            Some(list) if s.kind(list) == Kind::List => {
                s.tree.children(list).map(|p| self.sort(s, p)).collect::<Option<Box<[Sort]>>>()
            }
            Some(list) => {
                self.error(Code::MalformedCommand, s.span(list), "expected a list of sorts");
                None
            }
            None => Some(Box::new([]) as Box<[Sort]>),
        };
        let (params, ret) = (params?, self.sort(s, ret)?);
        Some(self.introduce(s, name, symbol, params, ret))
    }

    /// Declares and binds. A second declaration while the first is in force, at any level, is reported, and the later
    /// one counts.
    pub(super) fn introduce(
        &mut self,
        s: Source<'_>,
        name: u32,
        symbol: Symbol,
        params: Box<[Sort]>,
        ret: Sort,
    ) -> Fun {
        if self.lenient
            && let Binding::Fun(f) = self.binding(symbol)
            && self.pool.fun(f).def.is_none()
            && self.pool.fun(f).params == params
            && self.pool.fun(f).ret == ret
        {
            return f; // the definition of a function that the model used before
        }
        self.report_redeclared(s, name, symbol);
        let f = self.pool.declare(symbol, params, ret);
        self.scopes.declared.insert(f);
        self.bind_global(symbol, Binding::Fun(f));
        f
    }

    /// Reports a name that is declared while it is in force.
    pub(super) fn report_redeclared(&mut self, s: Source<'_>, name: u32, symbol: Symbol) {
        if matches!(self.binding(symbol), Binding::Fun(f) if self.scopes.declared.contains(&f)) {
            let message = format!("`{}` is already declared", self.pool.names.name(symbol));
            self.diagnostics.push(Diagnostic::notice(Code::Redeclared, s.span(name), message));
        }
    }

    pub(super) fn bind_global(&mut self, symbol: Symbol, binding: Binding) {
        self.bind(symbol, binding);
        if self.scopes.global_declarations && !self.scopes.levels.is_empty() {
            self.scopes.trail.pop(); // never undone
        }
    }

    pub(super) fn define(
        &mut self,
        s: Source<'_>,
        name: u32,
        params: Option<u32>,
        ret: u32,
        body: u32,
        recursive: bool,
    ) -> Option<Fun> {
        let symbol = self.new_name(s, name)?;
        let ret = self.sort(s, ret)?;
        let mark = self.scopes.trail.len();
        let errors = self.diagnostics.len();
        let vars = params.map_or_else(Vec::new, |p| self.sorted_vars(s, p));
        let names: Vec<Head> = vars.iter().map(|&v| self.pool.head(v)).collect();
        if names.iter().enumerate().any(|(i, n)| names[..i].contains(n)) {
            self.error(Code::DuplicateName, s.span(params.unwrap_or(name)), "duplicate parameter name");
        }
        if self.diagnostics.len() > errors {
            self.unbind_to(mark);
            return None;
        }
        let param_sorts: Box<[Sort]> = vars.iter().map(|&v| self.pool.sort_of(v)).collect();
        if recursive {
            self.unbind_to(mark);
            let f = self.introduce(s, name, symbol, param_sorts, ret);
            let mark = self.scopes.trail.len();
            self.rebind(&vars);
            let body = self.body(s, body, ret);
            self.unbind_to(mark);
            self.pool.define(f, vars.into(), body?);
            return Some(f);
        }
        let body = self.body(s, body, ret);
        self.unbind_to(mark);
        let f = self.introduce(s, name, symbol, param_sorts, ret);
        self.pool.define(f, vars.into(), body?);
        Some(f)
    }

    pub(super) fn rebind(&mut self, vars: &[Term]) {
        for &v in vars {
            if let crate::term::Head::Var(name) = self.pool.head(v) {
                self.bind(name, Binding::Term(v));
            }
        }
    }

    pub(super) fn body(&mut self, s: Source<'_>, node: u32, ret: Sort) -> Option<Term> {
        let t = self.term(s, node)?;
        let found = self.pool.sort_of(t);
        if ret == Sort::REAL && found == Sort::INT {
            return Some(self.pool.to_real(t));
        }
        if agree(found, ret) {
            return Some(t);
        }
        let (found, want) = (self.pool.sort_text(found), self.pool.sort_text(ret));
        self.error(Code::IllSorted, s.span(node), format!("expected a body of sort {want}, found {found}"));
        None
    }

    pub(super) fn define_many(&mut self, s: Source<'_>, sigs: u32, bodies: u32) -> Option<Command> {
        let (sigs, bodies): (Vec<u32>, Vec<u32>) =
            (s.tree.children(sigs).collect(), s.tree.children(bodies).collect());
        if sigs.len() != bodies.len() {
            let message = format!("{} signature(s) but {} bodies", sigs.len(), bodies.len());
            self.error(Code::MalformedCommand, s.span(0), message);
            return None;
        }
        let mut funs = Vec::new();
        for &sig in &sigs {
            let parts: Vec<u32> = s.tree.children(sig).collect();
            let [name, params, ret] = parts[..] else {
                self.error(
                    Code::MalformedCommand,
                    s.span(sig),
                    "expected a signature (name ((x Sort) …) Sort)",
                );
                return None;
            };
            let symbol = self.new_name(s, name)?;
            let ret = self.sort(s, ret)?;
            let (mark, errors) = (self.scopes.trail.len(), self.diagnostics.len());
            let vars = self.sorted_vars(s, params);
            self.unbind_to(mark);
            if self.diagnostics.len() > errors {
                return None;
            }
            let sorts = vars.iter().map(|&v| self.pool.sort_of(v)).collect();
            funs.push((self.introduce(s, name, symbol, sorts, ret), vars, ret));
        }
        for ((f, vars, ret), &body) in funs.iter().zip(&bodies) {
            let mark = self.scopes.trail.len();
            self.rebind(vars);
            let body = self.body(s, body, *ret);
            self.unbind_to(mark);
            self.pool.define(*f, vars.clone().into(), body?);
        }
        Some(Command::DefineFunsRec(funs.iter().map(|(f, _, _)| *f).collect()))
    }

    /// A variable occurs that no binder in `t` binds.
    fn is_open(&self, t: Term) -> bool {
        let (mut walk, mut vars) = (Walk::new([t]), Vec::new());
        let mut bound: FxHashSet<Term> = FxHashSet::default();
        while let Some(u) = walk.next() {
            if let Head::Var(_) = self.pool.head(u) {
                vars.push(u);
            }
            bound.extend(self.pool.bound_vars(u));
            walk.extend(self.pool.args(u).iter().copied().filter(|&a| self.pool.has_var(a)));
        }
        vars.iter().any(|v| !bound.contains(v))
    }

    /// `:named` defines a constant as the term.
    pub(crate) fn define_name(&mut self, symbol: Symbol, t: Term) -> Option<Fun> {
        if self.pool.has_var(t) && self.is_open(t) {
            return None; // the standard forbids names of open terms; this one stays an annotation
        }
        let sort = self.pool.sort_of(t);
        let f = self.pool.declare(symbol, Box::new([]), sort);
        self.pool.define(f, Box::new([]), t);
        Some(f)
    }

    pub(super) fn new_sort_name(&mut self, s: Source<'_>, node: u32) -> Option<Symbol> {
        if let Some(name) = s.name(node).filter(|n| is_builtin(n)) {
            self.theory_name(s, node, &String::from_utf8_lossy(name));
            return None;
        }
        self.new_name(s, node)
    }

    pub(super) fn declare_sort(&mut self, s: Source<'_>, name: u32, arity: Option<u32>) -> Option<Command> {
        let symbol = self.new_sort_name(s, name)?;
        let arity = match arity {
            None => 0,
            Some(n) => match s.numeral(n) {
                Some(n) => n,
                None => {
                    self.error(
                        Code::MalformedCommand,
                        s.span(n),
                        "expected a numeral as the arity of the sort",
                    );
                    return None;
                }
            },
        };
        self.bind_global_sort(symbol, SortBinding::Declared(arity));
        Some(Command::DeclareSort(symbol, arity))
    }

    pub(super) fn define_sort(
        &mut self,
        s: Source<'_>,
        name: u32,
        params: u32,
        sort: u32,
    ) -> Option<Command> {
        let symbol = self.new_sort_name(s, name)?;
        let (mark, errors) = (self.scopes.sort_trail.len(), self.diagnostics.len());
        let params = self.sort_params(s, params);
        let sort = self.sort(s, sort);
        self.unbind_sorts_to(mark);
        let sort = sort.filter(|_| self.diagnostics.len() == errors)?;
        let names = params.iter().map(|&p| self.pool.sort_data(p).name).collect();
        self.bind_global_sort(symbol, SortBinding::Defined(params.into(), sort));
        Some(Command::DefineSort(symbol, names, sort))
    }

    /// Brings the names of datatypes into scope, as opaque ones.
    pub(super) fn datatypes(&mut self, s: Source<'_>, args: &[u32]) {
        let Some((&first, rest)) = args.split_first() else {
            return;
        };
        if let Some(name) = s.name(first) {
            let symbol = self.pool.names.intern_bytes(name);
            let arity =
                rest.first().and_then(|&d| self.par(s, d)).map_or(0, |(params, _)| s.tree.arity(params));
            self.bind_global_sort(symbol, self.unread_sort(arity as u32));
            for &d in rest {
                self.constructors(s, d);
            }
            return;
        }
        for decl in s.tree.children(first) {
            let parts: Vec<u32> = s.tree.children(decl).collect();
            if let Some(name) = parts.first().and_then(|&n| s.name(n)) {
                let symbol = self.pool.names.intern_bytes(name);
                let arity = parts.get(1).and_then(|&n| s.numeral(n)).unwrap_or(0);
                self.bind_global_sort(symbol, self.unread_sort(arity));
            }
        }
        for &list in rest {
            for d in s.tree.children(list) {
                self.constructors(s, d);
            }
        }
    }

    /// The sort of a datatype that is not read. Where others are, it is foreign: it may have finitely many values.
    fn unread_sort(&self, arity: u32) -> SortBinding {
        if self.pool.reads_datatypes() { SortBinding::Foreign(arity) } else { SortBinding::Declared(arity) }
    }

    /// Binds every constructor and selector below `node`: any symbol that starts a list or occurs alone
    /// in one. Sort names among them do no harm: sorts have their own name space.
    pub(super) fn constructors(&mut self, s: Source<'_>, node: u32) {
        for i in node..s.tree.node(node).next {
            let Some(name) = s.name(i) else { continue };
            let symbol = self.pool.names.intern_bytes(name);
            if matches!(self.binding(symbol), Binding::Free | Binding::Op { .. })
                && !self.is_theory_name(symbol)
            {
                self.bind_global(symbol, Binding::Opaque);
            }
        }
    }
}
