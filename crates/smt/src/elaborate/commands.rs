//! From s-expressions to commands.

use super::*;
use crate::script::{Command, Plain};
use crate::symbol::COMMANDS;

impl Elaborator<'_> {
    /// The command in `tree`; `None` after reporting errors.
    pub fn command(&mut self, src: &[u8], tree: &Tree) -> Option<Command> {
        self.nested_command(Source { src, tree }, 0)
    }

    /// The command at `node`, which need not be the root: a model is a list of commands.
    pub(crate) fn nested_command(&mut self, s: Source<'_>, node: u32) -> Option<Command> {
        let children: Vec<u32> =
            if s.kind(node) == Kind::List { s.tree.children(node).collect() } else { Vec::new() };
        let Some(name) = children.first().and_then(|&c| s.name(c)) else {
            self.error(Code::MalformedCommand, s.span(node), "expected a command `(name …)`");
            return None;
        };
        let mark = self.named.len();
        let command = self.dispatch(s, name, &children[1..]);
        let named = self.named.split_off(mark);
        if command.is_some() {
            for (symbol, f) in named {
                self.bind_global(symbol, Binding::Fun(f));
            }
        }
        command
    }

    /// Declares the function that the definition at `node` defines, so that earlier definitions may use it.
    pub(crate) fn predeclare(&mut self, s: Source<'_>, node: u32) {
        let parts: Vec<u32> = s.tree.children(node).collect();
        let [head, name, params, ret, _] = parts[..] else {
            return;
        };
        if !matches!(s.text(head), b"define-fun" | b"define-fun-rec") || s.kind(params) != Kind::List {
            return;
        }
        let (Some(name), Some(ret)) = (s.name(name), self.sort(s, ret)) else {
            return;
        };
        let sorts: Option<Box<[Sort]>> = s
            .tree
            .children(params)
            .map(|p| s.tree.children(p).nth(1).and_then(|sort| self.sort(s, sort)))
            .collect();
        let symbol = self.pool.names.intern_bytes(name);
        if let (Some(sorts), Binding::Free) = (sorts, self.binding(symbol)) {
            let f = self.pool.declare(symbol, sorts, ret);
            self.bind_global(symbol, Binding::Fun(f));
        }
    }

    fn dispatch(&mut self, s: Source<'_>, name: &[u8], args: &[u32]) -> Option<Command> {
        match (name, args) {
            (b"assert", [t]) => self.bool_term(s, *t).map(Command::Assert),
            (b"check-sat", []) => Some(Command::CheckSat),
            // In z3 its arguments are assumptions.
            (b"check-sat", assumptions) if self.like_z3 => {
                let terms: Option<Box<[Term]>> = assumptions.iter().map(|&t| self.bool_term(s, t)).collect();
                terms.map(Command::CheckSatAssuming)
            }
            (b"check-sat-assuming", [list]) if s.kind(*list) == Kind::List => {
                let terms: Option<Box<[Term]>> =
                    s.tree.children(*list).map(|t| self.bool_term(s, t)).collect();
                terms.map(Command::CheckSatAssuming)
            }
            (b"get-value", [list]) if s.kind(*list) == Kind::List => {
                let terms: Option<Box<[Term]>> = s.tree.children(*list).map(|t| self.term(s, t)).collect();
                terms.map(Command::GetValue)
            }
            (b"declare-fun", [name, params, ret]) => {
                self.declare(s, *name, Some(*params), *ret).map(Command::DeclareFun)
            }
            // `declare-variable` is Z3str2's.
            (b"declare-const" | b"declare-variable", [name, ret]) => {
                self.declare(s, *name, None, *ret).map(Command::DeclareConst)
            }
            (b"define-fun", [name, params, ret, body]) => {
                self.define(s, *name, Some(*params), *ret, *body, false).map(Command::DefineFun)
            }
            (b"define-const", [name, ret, body]) => {
                self.define(s, *name, None, *ret, *body, false).map(Command::DefineConst)
            }
            (b"define-fun-rec", [name, params, ret, body]) => {
                self.define(s, *name, Some(*params), *ret, *body, true).map(Command::DefineFunRec)
            }
            (b"define-funs-rec", [sigs, bodies]) => self.define_many(s, *sigs, *bodies),
            (b"declare-sort", [name, rest @ ..]) if rest.len() <= 1 => {
                self.declare_sort(s, *name, rest.first().copied())
            }
            (b"define-sort", [name, params, sort]) => self.define_sort(s, *name, *params, *sort),
            (b"push" | b"pop", rest) if rest.len() <= 1 => {
                self.push_pop(s, name == b"push", rest.first().copied())
            }
            (b"set-logic", [logic]) => self.set_logic(s, *logic),
            (b"set-info", [key, rest @ ..]) => {
                let (key, value) = self.attribute(s, *key, rest)?;
                Some(Command::SetInfo(key, value))
            }
            (b"set-option", [key, rest @ ..]) => {
                let (key, value) = self.attribute(s, *key, rest)?;
                if self.pool.names.name(key) == ":global-declarations" {
                    self.scopes.global_declarations = &*value == "true";
                }
                Some(Command::SetOption(key, value))
            }
            (b"get-info", [key]) if s.kind(*key) == Kind::Keyword => {
                Some(Command::GetInfo(self.pool.names.intern_bytes(s.text(*key))))
            }
            (b"get-option", [key]) if s.kind(*key) == Kind::Keyword => {
                Some(Command::GetOption(self.pool.names.intern_bytes(s.text(*key))))
            }
            (b"echo", [text]) if s.kind(*text) == Kind::String => {
                Some(Command::Echo(self.requoted(s, *text).into()))
            }
            (
                b"declare-datatype"
                | b"declare-datatypes"
                | b"declare-codatatypes"
                | b"declare-sort-parameter",
                _,
            ) => {
                let known = matches!(name, b"declare-datatype" | b"declare-datatypes");
                if !(known && self.pool.reads_datatypes() && self.declare_datatypes(s, args)?) {
                    self.datatypes(s, args);
                }
                Some(Command::Other(self.carried(s, 0).into()))
            }
            (_, []) => match Plain::ALL.into_iter().find(|p| p.name().as_bytes() == name) {
                Some(p) => {
                    self.plain(p);
                    Some(Command::Plain(p))
                }
                None => self.other(s, name),
            },
            _ => self.other(s, name),
        }
    }

    /// A standard command with the wrong arguments is an error; an unknown command is kept.
    fn other(&mut self, s: Source<'_>, name: &[u8]) -> Option<Command> {
        let name = String::from_utf8_lossy(name);
        if COMMANDS.contains(&&*name) {
            self.error(Code::MalformedCommand, s.span(0), format!("wrong arguments for `{name}`"));
            return None;
        }
        let message = format!("unknown command `{name}`, kept as written");
        let mut d = Diagnostic::notice(Code::UnknownCommand, s.span(1), message);
        if let Some(near) = did_you_mean(&name, COMMANDS.iter().copied()) {
            d = d.hint(format!("did you mean `{near}`?"));
        }
        self.diagnostics.push(d);
        Some(Command::Other(self.carried(s, 0).into()))
    }

    fn bool_term(&mut self, s: Source<'_>, node: u32) -> Option<Term> {
        let t = self.term(s, node)?;
        let sort = self.pool.sort_of(t);
        if agree(sort, Sort::BOOL) {
            return Some(t);
        }
        let found = self.pool.sort_text(sort);
        self.error(Code::IllSorted, s.span(node), format!("expected a term of sort Bool, found {found}"));
        None
    }

    fn push_pop(&mut self, s: Source<'_>, push: bool, levels: Option<u32>) -> Option<Command> {
        let n: u32 = match levels {
            None => 1,
            Some(n) => match s.numeral(n) {
                Some(n) => n,
                None => {
                    self.error(Code::MalformedCommand, s.span(n), "expected a number of levels");
                    return None;
                }
            },
        };
        if push {
            if n > 0 {
                self.scopes.levels.push(Level {
                    terms: self.scopes.trail.len(),
                    sorts: self.scopes.sort_trail.len(),
                    count: n,
                });
            }
            return Some(Command::Push(n));
        }
        let open = self.open_levels(n);
        if open < u64::from(n) {
            let message = format!("cannot pop {n} level(s), only {open} open");
            self.error(Code::PopTooFar, s.span(0), message);
            return None;
        }
        self.close_levels(n);
        Some(Command::Pop(n))
    }

    /// The number of open levels. Stops counting at `limit`: there may be as many `pop`s as levels.
    fn open_levels(&self, limit: u32) -> u64 {
        let mut open = 0;
        for level in self.scopes.levels.iter().rev() {
            open += u64::from(level.count);
            if open >= u64::from(limit) {
                break;
            }
        }
        open
    }

    /// Closes the last `n` levels, which are open.
    fn close_levels(&mut self, mut n: u32) {
        while n > 0 {
            let level = self.scopes.levels.last_mut().expect("the caller counted the levels");
            let closed = level.count.min(n);
            level.count -= closed;
            n -= closed;
            let Level { terms, sorts, count } = *level;
            if count == 0 {
                self.scopes.levels.pop();
            }
            self.unbind_to(terms);
            self.unbind_sorts_to(sorts);
        }
    }

    fn plain(&mut self, p: Plain) {
        match p {
            Plain::Reset => self.reset(),
            Plain::ResetAssertions => self.reset_assertions(),
            _ => {}
        }
    }

    fn reset(&mut self) {
        self.scopes = Scopes::default();
        self.prelude();
    }

    /// Names stay known, but may be declared again. In z3 levels stay open, and declarations in force.
    fn reset_assertions(&mut self) {
        if self.like_z3 {
            return;
        }
        if !self.scopes.global_declarations
            && let Some(&Level { terms, sorts, .. }) = self.scopes.levels.first()
        {
            self.unbind_to(terms);
            self.unbind_sorts_to(sorts);
        }
        self.scopes.levels.clear();
        self.scopes.declared.clear();
    }

    fn set_logic(&mut self, s: Source<'_>, logic: u32) -> Option<Command> {
        let Some(name) = s.name(logic) else {
            self.error(Code::MalformedCommand, s.span(logic), "expected the name of a logic");
            return None;
        };
        // In a logic of reals without integers a numeral is a real.
        let text = String::from_utf8_lossy(name);
        self.scopes.numerals_are_real =
            matches!(text.trim_start_matches("QF_"), "LRA" | "NRA" | "RDL" | "UFLRA" | "UFNRA");
        Some(Command::SetLogic(self.pool.names.intern_bytes(name)))
    }

    fn attribute(&mut self, s: Source<'_>, key: u32, rest: &[u32]) -> Option<(Symbol, Box<str>)> {
        if s.kind(key) != Kind::Keyword || rest.len() > 1 {
            self.error(Code::MalformedCommand, s.span(key), "expected a keyword and at most one value");
            return None;
        }
        let value = rest.first().map_or_else(String::new, |&v| self.requoted(s, v));
        Some((self.pool.names.intern_bytes(s.text(key)), value.into()))
    }
}
