//! From s-expressions to sorts.

use crate::diag::{Diagnostic, did_you_mean};
use crate::elaborate::{Elaborator, SortBinding, Source};
use crate::foreign;
use crate::sexpr::Kind;
use crate::term::{Sort, SortData, SortKind};
use rustc_hash::FxHashMap;

/// Sorts nested deeper than this are refused; nobody writes them, and it bounds the recursion.
const MAX_DEPTH: usize = 200;

impl Elaborator<'_> {
    /// The sort at `node`; `None` after reporting what is wrong with it.
    pub(crate) fn sort(&mut self, s: Source<'_>, node: u32) -> Option<Sort> {
        self.sort_at(s, node, 0)
    }

    fn sort_at(&mut self, s: Source<'_>, node: u32, depth: usize) -> Option<Sort> {
        if depth > MAX_DEPTH {
            self.error(
                s.span(node),
                format!("a sort nested deeper than {MAX_DEPTH} levels"),
            );
            return None;
        }
        if let Some(name) = s.name(node) {
            return match name {
                b"Bool" => Some(Sort::BOOL),
                b"Int" => Some(Sort::INT),
                b"Real" => Some(Sort::REAL),
                b"String" => Some(Sort::STRING),
                b"RegLan" | b"Regex" | b"RegEx" => Some(Sort::REGLAN),
                _ => self.named_sort(s, node, name, &[]),
            };
        }
        let children: Vec<u32> = s.tree.children(node).collect();
        match children.split_first() {
            Some((&head, [_, ..])) if s.text(head) == b"_" => self.indexed_sort(s, node, children[1]),
            Some((&head, args)) if !args.is_empty() => self.applied_sort(s, node, head, args, depth),
            _ => {
                self.error(s.span(node), format!("`{}` is no sort", s.lossy(node)));
                None
            }
        }
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
            self.error(s.span(node), format!("`{}` is no sort", s.lossy(node)));
            return None;
        };
        match (name, sorts.as_slice()) {
            // z3 and old CVC4 print these for String and RegLan.
            (b"RegEx", [Sort::STRING]) => return Some(Sort::REGLAN),
            (b"Seq", [elem]) if self.pool.sort_text(*elem) == "Char" => return Some(Sort::STRING),
            (b"->", _) => {
                let name = self.pool.names.intern("->");
                return Some(self.pool.sort(SortData {
                    name,
                    args: sorts.into(),
                    kind: SortKind::Builtin,
                }));
            }
            _ => {}
        }
        self.named_sort(s, head, name, &sorts)
    }

    /// `(_ BitVec 8)` and the like: carried along as written.
    fn indexed_sort(&mut self, s: Source<'_>, node: u32, name: u32) -> Option<Sort> {
        let text = s.lossy(name);
        if !foreign::is_foreign_sort(&text) {
            self.error(s.span(name), format!("unknown sort `{text}`"));
            return None;
        }
        let parts: Vec<String> = s.tree.children(node).map(|c| s.lossy(c)).collect();
        let name = self.pool.names.intern(&format!("({})", parts.join(" ")));
        Some(self.pool.sort(SortData {
            name,
            args: Box::new([]),
            kind: SortKind::Foreign,
        }))
    }

    fn named_sort(&mut self, s: Source<'_>, node: u32, name: &[u8], args: &[Sort]) -> Option<Sort> {
        let symbol = self.pool.names.intern_bytes(name);
        let kind = match self.sorts.get(&symbol) {
            Some(SortBinding::Parameter(sort)) => return Some(*sort),
            Some(SortBinding::Declared(arity)) if *arity as usize == args.len() => SortKind::Declared,
            Some(SortBinding::Defined(params, body)) if params.len() == args.len() => {
                let map = params.iter().copied().zip(args.iter().copied()).collect();
                let body = *body;
                return Some(self.instantiate(body, &map));
            }
            Some(_) => {
                self.error(
                    s.span(node),
                    format!("sort `{}` with {} argument(s)", s.lossy(node), args.len()),
                );
                return None;
            }
            None if foreign::is_foreign_sort(self.pool.names.name(symbol)) => SortKind::Foreign,
            None if self.lenient => SortKind::Declared,
            None => {
                self.unknown_sort(s, node);
                return None;
            }
        };
        Some(self.pool.sort(SortData {
            name: symbol,
            args: args.into(),
            kind,
        }))
    }

    fn unknown_sort(&mut self, s: Source<'_>, node: u32) {
        let name = s.lossy(node);
        let known = ["Bool", "Int", "Real", "String", "RegLan", "Array", "BitVec"];
        let declared = self.sorts.keys().map(|&k| self.pool.names.name(k));
        let near = did_you_mean(&name, known.into_iter().chain(declared)).map(str::to_owned);
        let mut d = Diagnostic::error(s.span(node), format!("unknown sort `{name}`"));
        if let Some(near) = near {
            d = d.hint(format!("did you mean `{near}`?"));
        }
        self.report(d);
    }

    /// `body` with parameters replaced; as deep as the definition was.
    fn instantiate(&mut self, body: Sort, map: &FxHashMap<Sort, Sort>) -> Sort {
        if let Some(&s) = map.get(&body) {
            return s;
        }
        let data = self.pool.sort_data(body).clone();
        if data.args.is_empty() {
            return body;
        }
        let args = data.args.iter().map(|&a| self.instantiate(a, map)).collect();
        self.pool.sort(SortData { args, ..data })
    }

    /// Reads `(P …)` as sort parameters and brings them into scope; undo with the sort trail.
    pub(crate) fn sort_params(&mut self, s: Source<'_>, list: u32) -> Vec<Sort> {
        let mut params = Vec::new();
        if s.kind(list) != Kind::List {
            self.error(s.span(list), "a list of sort parameters is needed here");
        }
        for p in s.tree.children(list) {
            let Some(name) = s.name(p) else { continue };
            let symbol = self.pool.names.intern_bytes(name);
            let sort = self.pool.sort(SortData {
                name: symbol,
                args: Box::new([]),
                kind: SortKind::Parameter,
            });
            self.bind_sort(symbol, SortBinding::Parameter(sort));
            params.push(sort);
        }
        params
    }

    pub(crate) fn bind_sort(&mut self, symbol: crate::symbol::Symbol, binding: SortBinding) {
        let old = self.sorts.insert(symbol, binding);
        self.sort_trail.push((symbol, old));
    }

    pub(crate) fn unbind_sorts_to(&mut self, mark: usize) {
        while self.sort_trail.len() > mark {
            let (symbol, old) = self.sort_trail.pop().expect("the trail is longer than the mark");
            match old {
                Some(b) => self.sorts.insert(symbol, b),
                None => self.sorts.remove(&symbol),
            };
        }
    }
}
