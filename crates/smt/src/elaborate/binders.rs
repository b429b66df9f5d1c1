//! `let`, quantifiers, `lambda` and annotations.

use super::*;

impl Elaborator<'_> {
    pub(super) fn keyword(&mut self, s: Source<'_>, node: u32, keyword: Keyword) {
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
            (Keyword::Match, [_, t, cases])
                if self.pool.reads_datatypes()
                    && s.kind(*cases) == Kind::List
                    && s.tree.arity(*cases) > 0 =>
            {
                self.enter_match(s, node, *t, *cases);
            }
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
                let d = Diagnostic::error(Code::MalformedTerm, s.span(node), format!("malformed `{name}`"));
                self.report(d.hint(match keyword {
                    Keyword::Let => "(let ((x t) …) body)",
                    Keyword::Bang => "(! t :key value …)",
                    Keyword::Underscore => "(_ name index …)",
                    Keyword::As => "(as name Sort)",
                    Keyword::Forall | Keyword::Exists | Keyword::Lambda | Keyword::Match => {
                        "(forall ((x Sort) …) body)"
                    }
                }));
                let t = self.bad();
                self.done.push(t);
            }
        }
    }

    /// The text of a `match`. Names in it that a `let` around it defines, or whose variables were renamed, get a `let`
    /// inside the text.
    pub(super) fn carried_match(&mut self, s: Source<'_>, node: u32) -> String {
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
    pub(super) fn step_let(
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
            self.error(Code::MalformedTerm, s.span(next), "expected a binding (name term)");
            let t = self.bad();
            return self.done.push(t);
        }
        let mark = self.scopes.trail.len();
        let bindings = s.tree.children(s.tree.children(node).nth(1).expect("checked on entry"));
        for (i, b) in bindings.enumerate() {
            let Some(name) = s.tree.children(b).next().and_then(|n| s.name(n)) else {
                continue;
            };
            let symbol = self.pool.names.intern_bytes(name);
            if i < 1_000 && self.scopes.trail[mark..].iter().any(|(bound, _)| *bound == symbol) {
                self.error(Code::DuplicateName, s.span(b), "duplicate name in one `let`");
            }
            self.bind(symbol, Binding::Let(self.done[base + i], self.binders));
        }
        self.done.truncate(base);
        self.frames.push(Frame::Let { node, next, end, body, base, mark: Some(mark) });
        self.enter(s, body);
    }

    pub(super) fn binder(&mut self, s: Source<'_>, head: Head, vars: u32, body: u32) {
        if s.kind(vars) == Kind::List && s.tree.arity(vars) == 0 {
            self.error(Code::MalformedTerm, s.span(vars), "a binder needs at least one variable");
        }
        let (mark, shadows) = (self.scopes.trail.len(), self.shadows.len());
        self.binders += 1;
        let mut vars = self.sorted_vars(s, vars);
        for (i, var) in vars.iter_mut().enumerate() {
            let (symbol, outer) = self.scopes.trail[mark + i];
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

    /// Renames the variable `symbol` to an unused name.
    pub(super) fn rename(&mut self, symbol: Symbol, var: Term) -> Term {
        let sort = self.pool.sort_of(var);
        let name = self.pool.names.name(symbol).to_owned();
        let fresh = loop {
            let n = self.renamed.entry(symbol).or_insert(0);
            *n += 1;
            let candidate = self.pool.names.intern(&format!("{name}!{n}"));
            if matches!(self.binding(candidate), Binding::Free) {
                break candidate;
            }
        };
        let var = self.pool.var(fresh, sort);
        self.bind(symbol, Binding::Term(var));
        self.bind(fresh, Binding::Term(var));
        var
    }

    /// Reads `((x S) …)` and binds the variables.
    pub(crate) fn sorted_vars(&mut self, s: Source<'_>, list: u32) -> Vec<Term> {
        if s.kind(list) != Kind::List {
            let message = "expected a list of sorted variables ((x Sort) …)";
            self.error(Code::MalformedTerm, s.span(list), message);
            return Vec::new();
        }
        let mut vars = Vec::new();
        for v in s.tree.children(list) {
            let pair: Vec<u32> = s.tree.children(v).collect();
            let Some((name, sort)) =
                pair.first().and_then(|&n| s.name(n)).zip(pair.get(1)).filter(|_| pair.len() == 2)
            else {
                self.error(Code::MalformedTerm, s.span(v), "expected a sorted variable (name Sort)");
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

    pub(super) fn finish_binder(
        &mut self,
        s: Source<'_>,
        head: Head,
        body: u32,
        mut args: Vec<Term>,
        mark: usize,
    ) {
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
                let message = format!("expected a body of sort Bool, found {found}");
                self.error(Code::IllSorted, s.span(body), message);
            }
            Sort::BOOL
        };
        args.push(t);
        let t = if args.len() == 1 { t } else { self.pool.mk(head, sort, &args) };
        self.done.push(t);
    }

    pub(super) fn map_sort(&mut self, mut args: Vec<Sort>, ret: Sort) -> Sort {
        args.push(ret);
        let name = self.pool.names.intern("->");
        let data = SortData { name, args: args.into(), kind: SortKind::Builtin };
        // Functions that return functions may nest without bound; too deep a sort is unknown.
        self.bounded_sort(data).unwrap_or(Sort::OPAQUE)
    }

    pub(super) fn annotation(&mut self, s: Source<'_>, node: u32, parts: &[u32]) {
        let mut todo = vec![parts[0]];
        for pair in parts[1..].windows(2) {
            if matches!(s.text(pair[0]), b":pattern" | b":no-pattern") && s.kind(pair[1]) == Kind::List {
                todo.extend(s.tree.children(pair[1]));
            }
        }
        self.frames.push(Frame::Annot { node, todo, next: 0, base: self.done.len() });
    }

    pub(super) fn finish_annotation(&mut self, s: Source<'_>, node: u32, base: usize) {
        let parts: Vec<u32> = s.tree.children(node).skip(2).collect();
        let mut terms = self.done.split_off(base).into_iter();
        let t = terms.next().expect("the annotated term was walked");
        let mut attrs = Vec::new();
        let mut i = 0;
        while let Some(&key) = parts.get(i) {
            i += 1;
            if s.kind(key) != Kind::Keyword {
                self.error(Code::MalformedTerm, s.span(key), "expected a keyword such as `:named`");
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

    pub(super) fn attr_value(
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
                    self.error(Code::MalformedTerm, s.span(v), "`:named` takes a symbol");
                    return AttrValue::None;
                };
                let symbol = self.pool.names.intern_bytes(name);
                if self.is_theory_name(symbol) {
                    self.theory_name(s, v, &s.lossy(v));
                    return AttrValue::None;
                }
                self.report_redeclared(s, v, symbol);
                if let Some(f) = self.define_name(symbol, t) {
                    self.scopes.declared.insert(f);
                    // In scope for the rest of the command; the end of the command makes it permanent.
                    self.bind(symbol, Binding::Fun(f));
                    self.named.push((symbol, f));
                } else {
                    let message = format!("ignored the name `{}` of a term with free variables", s.lossy(v));
                    self.diagnostics.push(Diagnostic::notice(Code::NamedOpenTerm, s.span(v), message));
                }
                AttrValue::Symbol(symbol)
            }
            _ => match s.name(v) {
                Some(name) => AttrValue::Symbol(self.pool.names.intern_bytes(name)),
                None => AttrValue::Text(self.requoted(s, v).into()),
            },
        }
    }
}
