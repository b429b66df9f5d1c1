//! Datatypes, where the pool reads them: declarations, constructors, selectors, testers and `match`.
//!
//! `(match t ((nil a) ((cons x y) b)))` becomes `(ite ((_ is nil) t) a b)` with the selectors applied to `t` for `x` and `y`.

use super::*;
use crate::term::{Case, Template};

/// The meaning of a name of a datatype: the declaration, the constructor, and the field of a selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) template: u32,
    pub(crate) constructor: u32,
    pub(crate) field: Option<u32>,
}

/// A `match` whose cases are being read.
pub(super) struct Match {
    node: u32,
    /// Patterns and bodies.
    cases: Vec<(u32, u32)>,
    next: usize,
    base: usize,
    scrutinee: Option<Term>,
    /// The tests of the cases that were read; none for a variable.
    tests: Vec<Option<Term>>,
    mark: usize,
}

/// The parts of `name` and its constructors in a declaration.
struct Declared {
    name: u32,
    arity: usize,
    params: Option<u32>,
    constructors: Vec<u32>,
}

impl Elaborator<'_> {
    /// Declares datatypes. False for the declaration of old versions with parameters.
    pub(super) fn declare_datatypes(&mut self, s: Source<'_>, args: &[u32]) -> Option<bool> {
        let &[first, second] = args else {
            self.error(Code::MalformedCommand, s.span(0), "a declaration of datatypes has two arguments");
            return None;
        };
        let list = if s.name(first).is_some() {
            let (params, constructors) = self.cases(s, second);
            let arity = params.map_or(0, |p| s.tree.arity(p));
            Some(vec![Declared { name: first, arity, params, constructors }])
        } else {
            let names: Vec<u32> = s.tree.children(first).collect();
            let bodies: Vec<u32> = s.tree.children(second).collect();
            if names.is_empty() {
                // `(declare-datatypes () ((Color (red) (green))))` of old versions.
                let old = bodies.iter().map(|&body| {
                    let parts: Vec<u32> = s.tree.children(body).collect();
                    let (&name, constructors) = parts.split_first()?;
                    s.name(name)?;
                    Some(Declared { name, arity: 0, params: None, constructors: constructors.to_vec() })
                });
                old.collect::<Option<Vec<_>>>().filter(|list| !list.is_empty())
            } else if names.iter().all(|&n| s.name(n).is_some()) {
                return Some(false);
            } else {
                let new = names.iter().zip(&bodies).map(|(&n, &body)| {
                    let parts: Vec<u32> = s.tree.children(n).collect();
                    let &[name, arity] = &parts[..] else { return None };
                    let arity = s.numeral(arity)? as usize;
                    let (params, constructors) = self.cases(s, body);
                    Some(Declared { name, arity, params, constructors })
                });
                new.collect::<Option<Vec<_>>>().filter(|_| names.len() == bodies.len())
            }
        };
        let Some(list) = list else {
            let message = "expected the datatypes ((name arity) …) and as many lists of constructors";
            self.error(Code::MalformedCommand, s.span(0), message);
            return None;
        };
        let mut names = Vec::new();
        for d in &list {
            let symbol = self.new_sort_name(s, d.name)?;
            self.bind_global_sort(symbol, SortBinding::Declared(d.arity as u32));
            names.push(symbol);
        }
        let mut templates = Vec::new();
        for (d, &name) in list.iter().zip(&names) {
            templates.push(self.template(s, d, name)?);
        }
        if let Some(i) = ill_founded(self.pool, &templates) {
            let name = self.pool.names.name(templates[i].name).to_owned();
            self.error(
                Code::MalformedCommand,
                s.span(list[i].name),
                format!("datatype `{name}` has no values"),
            );
            return None;
        }
        let nullary: Vec<SortData> = templates
            .iter()
            .filter(|t| t.params.is_empty())
            .map(|t| SortData { name: t.name, args: Box::new([]), kind: SortKind::Declared })
            .collect();
        for t in templates {
            self.bind_template(t);
        }
        for data in nullary {
            let sort = self.pool.sort(data);
            self.pool.make_datatype(sort);
        }
        Some(true)
    }

    fn bind_template(&mut self, t: Template) {
        let constructors = t.constructors.clone();
        let template = self.pool.declare_datatype(t);
        for (i, (name, fields)) in constructors.iter().enumerate() {
            let part = Part { template, constructor: i as u32, field: None };
            self.bind_global(*name, Binding::Data(part));
            for (k, (selector, _)) in fields.iter().enumerate() {
                self.bind_global(*selector, Binding::Data(Part { field: Some(k as u32), ..part }));
            }
        }
    }

    /// `(par (X …) (…))`: the lists of parameters and of constructors.
    pub(super) fn par(&self, s: Source<'_>, node: u32) -> Option<(u32, u32)> {
        if s.kind(node) != Kind::List {
            return None;
        }
        let parts: Vec<u32> = s.tree.children(node).collect();
        match parts[..] {
            [par, params, body] if s.name(par) == Some(b"par") => Some((params, body)),
            _ => None,
        }
    }

    fn template(&mut self, s: Source<'_>, d: &Declared, name: Symbol) -> Option<Template> {
        let (mark, errors) = (self.scopes.sort_trail.len(), self.diagnostics.len());
        let params = d.params.map_or_else(Vec::new, |params| self.sort_params(s, params));
        let constructors =
            (params.len() == d.arity).then(|| self.read_constructors(s, &d.constructors)).flatten();
        self.unbind_sorts_to(mark);
        if constructors.is_none() && self.diagnostics.len() == errors {
            let message = "expected the constructors ((name (selector Sort) …) …) of the datatype";
            self.error(Code::MalformedCommand, s.span(d.name), message);
        }
        let constructors = constructors.filter(|_| self.diagnostics.len() == errors)?;
        Some(Template { name, params: params.into(), constructors })
    }

    /// The list of parameters, if there is one, and the constructors.
    fn cases(&self, s: Source<'_>, node: u32) -> (Option<u32>, Vec<u32>) {
        let (params, body) = self.par(s, node).map_or((None, node), |(params, body)| (Some(params), body));
        let list = s.kind(body) == Kind::List;
        (params, if list { s.tree.children(body).collect() } else { Vec::new() })
    }

    fn read_constructors(&mut self, s: Source<'_>, list: &[u32]) -> Option<Box<[Case]>> {
        if list.is_empty() {
            return None;
        }
        let (mut out, mut seen) = (Vec::new(), FxHashSet::default());
        for &c in list {
            let parts: Vec<u32> =
                if s.kind(c) == Kind::List { s.tree.children(c).collect() } else { vec![c] };
            let (&name, fields) = parts.split_first()?;
            let symbol = self.new_name(s, name)?;
            let mut selectors = Vec::new();
            for &field in fields {
                let pair: Vec<u32> = s.tree.children(field).collect();
                let &[selector, sort] = &pair[..] else { return None };
                let (selector_name, sort) = (self.new_name(s, selector)?, self.sort(s, sort)?);
                if !seen.insert(selector_name) {
                    self.error(Code::DuplicateName, s.span(selector), "duplicate name in a datatype");
                }
                selectors.push((selector_name, sort));
            }
            if !seen.insert(symbol) {
                self.error(Code::DuplicateName, s.span(name), "duplicate name in a datatype");
            }
            out.push((symbol, selectors.into()));
        }
        Some(out.into())
    }

    /// Brings the names of all datatypes of the pool into scope.
    pub(super) fn bind_datatypes(&mut self) {
        let templates: Vec<Template> = self.pool.templates().to_vec();
        for (template, t) in templates.into_iter().enumerate() {
            for (i, (name, fields)) in t.constructors.iter().enumerate() {
                let part = Part { template: template as u32, constructor: i as u32, field: None };
                self.bind(*name, Binding::Data(part));
                for (k, (selector, _)) in fields.iter().enumerate() {
                    self.bind(*selector, Binding::Data(Part { field: Some(k as u32), ..part }));
                }
            }
        }
    }

    /// The datatype sort of a constructor, by a sort that was stated or by its arguments; of a selector, by its argument.
    fn data_sort(&mut self, part: Part, stated: Option<Sort>, args: &[Term]) -> Option<Sort> {
        let template = self.pool.templates().get(part.template as usize)?.clone();
        if let Some(sort) = stated {
            return (self.pool.sort_data(sort).name == template.name).then_some(sort);
        }
        if part.field.is_some() {
            let sort = self.pool.sort_of(*args.first()?);
            return (self.pool.sort_data(sort).name == template.name).then_some(sort);
        }
        let mut map = FxHashMap::default();
        let fields = &template.constructors[part.constructor as usize].1;
        for (&(_, want), &a) in fields.iter().zip(args) {
            let found = self.pool.sort_of(a);
            self.match_sorts(want, found, &template.params, &mut map);
        }
        let args: Option<Box<[Sort]>> = template.params.iter().map(|p| map.get(p).copied()).collect();
        let data = SortData { name: template.name, args: args?, kind: SortKind::Declared };
        self.bounded_sort(data)
    }

    /// The sorts of the parameters in `want` where it is the sort `found`.
    fn match_sorts(&self, want: Sort, found: Sort, params: &[Sort], map: &mut FxHashMap<Sort, Sort>) {
        if params.contains(&want) {
            map.entry(want).or_insert(found);
            return;
        }
        let (w, f) = (self.pool.sort_data(want), self.pool.sort_data(found));
        if w.name == f.name {
            for (&a, &b) in w.args.iter().zip(&f.args) {
                self.match_sorts(a, b, params, map);
            }
        }
    }

    /// The function that a name of a datatype denotes.
    pub(super) fn data_function(&mut self, part: Part, stated: Option<Sort>, args: &[Term]) -> Option<Fun> {
        let sort = self.data_sort(part, stated, args)?;
        if !self.pool.make_datatype(sort) {
            return None;
        }
        let constructor = self.pool.datatype(sort)?.constructors.get(part.constructor as usize)?;
        match part.field {
            None => Some(constructor.fun),
            Some(k) => constructor.selectors.get(k as usize).copied(),
        }
    }

    /// The tester of a constructor for a term.
    fn tester(&mut self, part: Part, t: Term) -> Option<Fun> {
        let sort = self.data_sort(Part { field: Some(0), ..part }, None, &[t])?;
        self.pool.make_datatype(sort);
        Some(self.pool.datatype(sort)?.constructors.get(part.constructor as usize)?.tester)
    }

    /// An application of a name of a datatype.
    pub(super) fn apply_data(
        &mut self,
        part: Part,
        stated: Option<Sort>,
        base: usize,
    ) -> Result<Term, SortError> {
        let args = self.done[base..].to_vec();
        match self.data_function(part, stated, &args) {
            Some(f) => self.pool.apply_checked(f, &args),
            None => Err(self.no_sort_of_data(part, &args)),
        }
    }

    pub(super) fn apply_tester(&mut self, part: Part, base: usize) -> Result<Term, SortError> {
        let args = self.done[base..].to_vec();
        match args.first().and_then(|&t| self.tester(part, t)) {
            Some(f) => self.pool.apply_checked(f, &args),
            None => Err(self.no_sort_of_data(part, &args)),
        }
    }

    fn no_sort_of_data(&self, part: Part, args: &[Term]) -> SortError {
        let template = &self.pool.templates()[part.template as usize];
        let name = self.pool.names.name(template.name);
        let message = if args.is_empty() || part.field.is_none() {
            let constructor = self.pool.names.name(template.constructors[part.constructor as usize].0);
            format!(
                "the arguments do not determine the sort of `{constructor}`: (as {constructor} ({name} …))"
            )
        } else {
            let found = self.pool.sort_text(self.pool.sort_of(args[0]));
            format!("argument 1 has sort {found}, expected {name}")
        };
        SortError { code: Code::IllSorted, argument: (!args.is_empty()).then_some(0), message }
    }

    /// A constructor as a constant.
    pub(super) fn data_constant(
        &mut self,
        s: Source<'_>,
        node: u32,
        part: Part,
        stated: Option<Sort>,
    ) -> Term {
        let base = self.done.len();
        match self.apply_data(part, stated, base) {
            Ok(t) => t,
            Err(e) => {
                self.error(e.code, s.span(node), e.message);
                self.bad()
            }
        }
    }

    /// The constructor of `(_ is C)` and of z3's `(_ is (C () S))`.
    pub(super) fn tested(&mut self, s: Source<'_>, indices: &[u32]) -> Option<Part> {
        let &[index] = indices else { return None };
        let name = if s.kind(index) == Kind::List { s.tree.children(index).next()? } else { index };
        let symbol = self.pool.names.intern_bytes(s.name(name)?);
        match self.binding(symbol) {
            Binding::Data(part) if part.field.is_none() => Some(part),
            _ => None,
        }
    }

    /// The constructor of the tester `is-C`.
    pub(super) fn dashed_tester(&mut self, symbol: Symbol) -> Option<Part> {
        let name = self.pool.names.name(symbol).strip_prefix("is-")?;
        match self.binding(self.pool.names.lookup(name)?) {
            Binding::Data(part) if part.field.is_none() => Some(part),
            _ => None,
        }
    }

    // Match

    /// Enters `(match t (((C x …) body) …))`.
    pub(super) fn enter_match(&mut self, s: Source<'_>, node: u32, t: u32, list: u32) {
        let mut cases = Vec::new();
        for case in s.tree.children(list) {
            let pair: Vec<u32> = s.tree.children(case).collect();
            let &[pattern, body] = &pair[..] else {
                self.error(Code::MalformedTerm, s.span(case), "expected a case (pattern term)");
                continue;
            };
            cases.push((pattern, body));
        }
        let (base, mark) = (self.done.len(), self.scopes.trail.len());
        let frame = Match { node, cases, next: 0, base, scrutinee: None, tests: Vec::new(), mark };
        self.frames.push(Frame::Match(Box::new(frame)));
        self.enter(s, t);
    }

    pub(super) fn step_match(&mut self, s: Source<'_>, mut m: Box<Match>) {
        let t = match m.scrutinee {
            Some(t) => {
                self.unbind_to(m.mark);
                t
            }
            None => {
                let t = self.done.pop().expect("the term was read");
                m.scrutinee = Some(t);
                t
            }
        };
        let Some(&(pattern, body)) = m.cases.get(m.next) else { return self.finish_match(s, &m) };
        m.next += 1;
        let test = self.pattern(s, pattern, t);
        m.tests.push(test);
        self.frames.push(Frame::Match(m));
        self.enter(s, body);
    }

    /// Binds the variables of a pattern. Returns its test; none if every value fits.
    fn pattern(&mut self, s: Source<'_>, node: u32, t: Term) -> Option<Term> {
        let parts: Vec<u32> =
            if s.kind(node) == Kind::List { s.tree.children(node).collect() } else { vec![node] };
        let name = parts.first().and_then(|&n| s.name(n));
        let symbol = name.map(|n| self.pool.names.intern_bytes(n));
        let part = match symbol.map(|n| (n, self.binding(n))) {
            Some((_, Binding::Data(part))) if part.field.is_none() => part,
            Some((n, _)) if s.kind(node) != Kind::List => {
                self.bind(n, Binding::Let(t, self.binders));
                return None;
            }
            _ => {
                self.error(
                    Code::MalformedTerm,
                    s.span(node),
                    "expected a pattern: a variable or (constructor variable …)",
                );
                return None;
            }
        };
        let Some(tester) = self.tester(part, t) else {
            self.error(Code::IllSorted, s.span(node), "the pattern is of another sort than the term");
            return None;
        };
        let sort = self.pool.sort_of(t);
        let selectors = self
            .pool
            .datatype(sort)
            .map_or_else(Vec::new, |d| d.constructors[part.constructor as usize].selectors.to_vec());
        if selectors.len() != parts.len() - 1 {
            let message =
                format!("the constructor takes {} argument(s), found {}", selectors.len(), parts.len() - 1);
            self.error(Code::WrongArity, s.span(node), message);
        }
        for (&v, f) in parts[1..].iter().zip(selectors) {
            let Some(name) = s.name(v) else { continue };
            let symbol = self.pool.names.intern_bytes(name);
            let value = self.pool.apply(f, &[t]);
            self.bind(symbol, Binding::Let(value, self.binders));
        }
        Some(self.pool.apply(tester, &[t]))
    }

    /// The cases as `ite`, the last one without a test.
    fn finish_match(&mut self, s: Source<'_>, m: &Match) {
        let bodies = self.done.split_off(m.base);
        let scrutinee = m.scrutinee.expect("the term was read first");
        if !self.failed && !self.covers(scrutinee, &m.tests) {
            self.error(
                Code::MalformedTerm,
                s.span(m.node),
                "the cases of `match` do not cover all constructors",
            );
        }
        if self.failed || bodies.is_empty() {
            let t = self.bad();
            return self.done.push(t);
        }
        let end = m.tests.iter().position(Option::is_none).unwrap_or(bodies.len() - 1);
        let mut out = bodies[end];
        for (test, &body) in m.tests[..end].iter().zip(&bodies).rev() {
            let test = test.expect("variables come last");
            out = match self.pool.op(Op::Ite, &[test, body, out]) {
                Ok(t) => t,
                Err(e) => {
                    self.error(e.code, s.span(m.node), e.message);
                    self.bad()
                }
            };
        }
        self.done.push(out);
    }

    fn covers(&self, t: Term, tests: &[Option<Term>]) -> bool {
        let Some(d) = self.pool.datatype(self.pool.sort_of(t)) else { return tests.contains(&None) };
        tests.contains(&None)
            || d.constructors
                .iter()
                .all(|c| tests.iter().flatten().any(|&test| self.pool.head(test) == Head::Fun(c.tester)))
    }
}

/// A datatype of a declaration whose constructors all need a value of a datatype without values.
fn ill_founded(pool: &Pool, templates: &[Template]) -> Option<usize> {
    let mut founded: Vec<bool> = vec![false; templates.len()];
    let open = |sort: Sort, founded: &[bool]| {
        let name = pool.sort_data(sort).name;
        templates.iter().position(|t| t.name == name).is_some_and(|i| !founded[i])
    };
    loop {
        let mut changed = false;
        for (i, t) in templates.iter().enumerate() {
            let has =
                t.constructors.iter().any(|(_, fields)| !fields.iter().any(|&(_, s)| open(s, &founded)));
            changed |= has && !founded[i];
            founded[i] |= has;
        }
        if !changed {
            return founded.iter().position(|f| !f);
        }
    }
}
