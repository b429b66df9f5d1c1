//! From s-expressions to sorts.

use super::*;

/// Sorts nested deeper than this are rejected, which bounds the recursion.
const MAX_DEPTH: usize = 200;

/// Sorts of more names than this are rejected: nested definitions could double them again and again.
const MAX_SIZE: usize = 4_096;

/// A sort that scripts cannot declare.
pub(crate) fn is_builtin(name: &[u8]) -> bool {
    matches!(name, b"Bool" | b"Int" | b"Real" | b"String" | b"RegLan")
}

impl Elaborator<'_> {
    /// The sort at `node`; `None` after reporting errors.
    pub(crate) fn sort(&mut self, s: Source<'_>, node: u32) -> Option<Sort> {
        self.sort_at(s, node, 0)
    }

    fn sort_at(&mut self, s: Source<'_>, node: u32, depth: usize) -> Option<Sort> {
        if depth > MAX_DEPTH {
            self.error(
                Code::SortTooLarge,
                s.span(node),
                format!("sort nested deeper than {MAX_DEPTH} levels"),
            );
            return None;
        }
        if let Some(name) = s.name(node) {
            return match name {
                b"Bool" => Some(Sort::BOOL),
                b"Int" => Some(Sort::INT),
                b"Real" => Some(Sort::REAL),
                b"String" => Some(Sort::STRING),
                b"RegLan" => Some(Sort::REGLAN),
                b"Regex" | b"RegEx" if !self.is_sort(name) => Some(Sort::REGLAN),
                _ => self.named_sort(s, node, name, &[]),
            };
        }
        let children: Vec<u32> = s.tree.children(node).collect();
        match children.split_first() {
            Some((&head, [_, ..])) if s.text(head) == b"_" => self.indexed_sort(s, node, children[1]),
            Some((&head, args)) if !args.is_empty() => self.applied_sort(s, node, head, args, depth),
            _ => {
                self.no_sort(s, node);
                None
            }
        }
    }

    fn no_sort(&mut self, s: Source<'_>, node: u32) {
        self.error(Code::MalformedSort, s.span(node), format!("`{}` is not a sort", s.lossy(node)));
    }

    fn applied_sort(
        &mut self,
        s: Source<'_>,
        node: u32,
        head: u32,
        args: &[u32],
        depth: usize,
    ) -> Option<Sort> {
        let sorts: Option<Vec<Sort>> = args.iter().map(|&a| self.sort_at(s, a, depth + 1)).collect();
        let sorts = sorts?;
        let Some(name) = s.name(head) else {
            self.no_sort(s, node);
            return None;
        };
        match (name, sorts.as_slice()) {
            _ if self.is_sort(name) => {}
            // z3 and old CVC4 print these for String and RegLan.
            (b"RegEx", [Sort::STRING]) => return Some(Sort::REGLAN),
            (b"Seq", [elem]) if self.pool.sort_text(*elem) == "Char" => return Some(Sort::STRING),
            (b"Seq", [_]) => {
                let name = self.pool.names.intern("Seq");
                let data = SortData { name, args: sorts.into(), kind: SortKind::Sequence };
                return self.bounded_sort(data).or_else(|| self.too_large(s, node));
            }
            (b"->", _) => {
                let name = self.pool.names.intern("->");
                let data = SortData { name, args: sorts.into(), kind: SortKind::Builtin };
                return self.bounded_sort(data).or_else(|| self.too_large(s, node));
            }
            _ => {}
        }
        self.named_sort(s, head, name, &sorts)
    }

    /// A foreign sort such as `(_ BitVec 8)`, kept as written.
    fn indexed_sort(&mut self, s: Source<'_>, node: u32, name: u32) -> Option<Sort> {
        let text = s.lossy(name);
        if !foreign::is_foreign_sort(&text) {
            self.error(Code::UndeclaredSort, s.span(name), format!("unknown sort `{text}`"));
            return None;
        }
        let index =
            |k: Kind| matches!(k, Kind::Numeral | Kind::Symbol | Kind::Quoted | Kind::Hex | Kind::Binary);
        if let Some(bad) = s.tree.children(node).find(|&c| !index(s.kind(c))) {
            self.error(
                Code::InvalidIndex,
                s.span(bad),
                "expected a numeral or a symbol as the index of a sort",
            );
            return None;
        }
        let parts: Vec<String> = s.tree.children(node).map(|c| s.lossy(c)).collect();
        let name = self.pool.names.intern(&format!("({})", parts.join(" ")));
        Some(self.pool.sort(SortData { name, args: Box::new([]), kind: SortKind::Foreign }))
    }

    fn named_sort(&mut self, s: Source<'_>, node: u32, name: &[u8], args: &[Sort]) -> Option<Sort> {
        let symbol = self.pool.names.intern_bytes(name);
        let kind = match self.scopes.sorts.get(&symbol) {
            Some(SortBinding::Parameter(sort)) => return Some(*sort),
            Some(SortBinding::Declared(arity)) if *arity as usize == args.len() => SortKind::Declared,
            Some(SortBinding::Foreign(arity)) if *arity as usize == args.len() => SortKind::Foreign,
            Some(SortBinding::Defined(params, body)) if params.len() == args.len() => {
                let map = params.iter().copied().zip(args.iter().copied()).collect();
                let body = *body;
                return self.instantiate(body, &map).or_else(|| self.too_large(s, node));
            }
            Some(binding) => {
                let (want, found) = (binding.arity(), args.len());
                let message = format!("sort `{}` takes {want} argument(s), found {found}", s.lossy(node));
                self.error(Code::WrongArity, s.span(node), message);
                return None;
            }
            // In an answer to a script that declares it.
            None if self.lenient && self.pool.declares_sort(symbol, args) => SortKind::Declared,
            None if foreign::is_foreign_sort(self.pool.names.name(symbol)) => SortKind::Foreign,
            None if self.lenient => SortKind::Declared,
            None => {
                self.unknown_sort(s, node);
                return None;
            }
        };
        let data = SortData { name: symbol, args: args.into(), kind };
        let sort = self.bounded_sort(data).or_else(|| self.too_large(s, node))?;
        if self.pool.has_datatypes() && !args.iter().any(|&a| self.has_parameter(a)) {
            self.pool.make_datatype(sort);
        }
        Some(sort)
    }

    /// The sort has a parameter of `par` or `define-sort`. The recursion is as deep as the sort, which is bounded.
    fn has_parameter(&self, sort: Sort) -> bool {
        let data = self.pool.sort_data(sort);
        data.kind == SortKind::Parameter || data.args.iter().any(|&a| self.has_parameter(a))
    }

    /// The script declares or defines this sort.
    fn is_sort(&self, name: &[u8]) -> bool {
        let name = str::from_utf8(name).ok().and_then(|n| self.pool.names.lookup(n));
        name.is_some_and(|n| self.scopes.sorts.contains_key(&n))
    }

    /// The sort of `data`, unless it is too large.
    pub(crate) fn bounded_sort(&mut self, data: SortData) -> Option<Sort> {
        let (mut size, mut stack) = (0, vec![(&data, 1)]);
        while let Some((sort, depth)) = stack.pop() {
            size += 1;
            if size > MAX_SIZE || depth > MAX_DEPTH {
                return None;
            }
            stack.extend(sort.args.iter().map(|&a| (self.pool.sort_data(a), depth + 1)));
        }
        Some(self.pool.sort(data))
    }

    fn too_large(&mut self, s: Source<'_>, node: u32) -> Option<Sort> {
        let message = format!("sort with more than {MAX_SIZE} names or {MAX_DEPTH} levels");
        self.error(Code::SortTooLarge, s.span(node), message);
        None
    }

    fn unknown_sort(&mut self, s: Source<'_>, node: u32) {
        let name = s.lossy(node);
        let known = ["Bool", "Int", "Real", "String", "RegLan", "Array", "BitVec"];
        let declared = self.scopes.sorts.keys().map(|&k| self.pool.names.name(k));
        let near = did_you_mean(&name, known.into_iter().chain(declared)).map(str::to_owned);
        let mut d = Diagnostic::error(Code::UndeclaredSort, s.span(node), format!("unknown sort `{name}`"));
        if let Some(near) = near {
            d = d.hint(format!("did you mean `{near}`?"));
        }
        self.report(d);
    }

    /// `body` with parameters replaced; as deep as the definition was. `None` if it is too large.
    fn instantiate(&mut self, body: Sort, map: &FxHashMap<Sort, Sort>) -> Option<Sort> {
        if let Some(&s) = map.get(&body) {
            return Some(s);
        }
        let data = self.pool.sort_data(body).clone();
        if data.args.is_empty() {
            return Some(body);
        }
        let args: Option<Box<[Sort]>> = data.args.iter().map(|&a| self.instantiate(a, map)).collect();
        self.bounded_sort(SortData { args: args?, ..data })
    }

    /// Reads `(P …)` as sort parameters and brings them into scope; undo with the sort trail.
    pub(crate) fn sort_params(&mut self, s: Source<'_>, list: u32) -> Vec<Sort> {
        let mut params = Vec::new();
        if s.kind(list) != Kind::List {
            self.error(Code::MalformedCommand, s.span(list), "expected a list of sort parameters");
        }
        for p in s.tree.children(list) {
            let Some(name) = s.name(p).filter(|n| !is_builtin(n)) else {
                self.error(
                    Code::MalformedCommand,
                    s.span(p),
                    "expected a sort parameter: a symbol other than a built-in sort",
                );
                continue;
            };
            let symbol = self.pool.names.intern_bytes(name);
            let sort =
                self.pool.sort(SortData { name: symbol, args: Box::new([]), kind: SortKind::Parameter });
            self.bind_sort(symbol, SortBinding::Parameter(sort));
            params.push(sort);
        }
        params
    }

    pub(crate) fn bind_sort(&mut self, symbol: crate::symbol::Symbol, binding: SortBinding) {
        let old = self.scopes.sorts.insert(symbol, binding);
        self.scopes.sort_trail.push((symbol, old));
    }

    /// Permanent if declarations are global, else until the level ends.
    pub(crate) fn bind_global_sort(&mut self, symbol: crate::symbol::Symbol, binding: SortBinding) {
        self.bind_sort(symbol, binding);
        if self.scopes.global_declarations && !self.scopes.levels.is_empty() {
            self.scopes.sort_trail.pop();
        }
    }

    pub(crate) fn unbind_sorts_to(&mut self, mark: usize) {
        while self.scopes.sort_trail.len() > mark {
            let (symbol, old) = self.scopes.sort_trail.pop().expect("the trail is longer than the mark");
            match old {
                Some(b) => self.scopes.sorts.insert(symbol, b),
                None => self.scopes.sorts.remove(&symbol),
            };
        }
    }
}
