//! Constants: literals, symbols, `(_ char #x41)`, `(as c S)`.

use super::*;

impl Elaborator<'_> {
    pub(super) fn atom(&mut self, s: Source<'_>, node: u32) -> Term {
        let text = s.text(node);
        match s.kind(node) {
            Kind::Symbol => self.symbol(s, node, text),
            Kind::Quoted => self.symbol(s, node, s.name(node).unwrap_or(text)),
            Kind::Numeral => {
                let n = Int::from_decimal(text).unwrap_or_default();
                if self.scopes.numerals_are_real { self.pool.real(Rat::from(n)) } else { self.pool.int(n) }
            }
            Kind::Decimal => {
                let q = Rat::from_decimal_literal(text).unwrap_or_default();
                self.pool.real(q)
            }
            Kind::String => self.string(s, node),
            Kind::Hex | Kind::Binary => self.bits(text),
            Kind::Keyword | Kind::Junk | Kind::List => {
                let message = format!("`{}` is not a term", s.lossy(node).escape_default());
                self.error(Code::MalformedTerm, s.span(node), message);
                self.bad()
            }
        }
    }

    pub(super) fn string(&mut self, s: Source<'_>, node: u32) -> Term {
        let text = s.text(node);
        let inside = &text[1..];
        let inside = if text.len() > 1 { inside.strip_suffix(b"\"").unwrap_or(inside) } else { inside };
        if !inside.is_ascii() {
            self.not_ascii(s, node, inside);
        }
        let mut word = std::mem::take(&mut self.word);
        word.clear();
        if !dialect::unescape(inside, self.dialect, &mut word) {
            let message = "character above U+2FFFF, the largest of the theory";
            self.error(Code::InvalidCharacter, s.span(node), message);
        }
        let t = self.pool.string(&word);
        self.word = word;
        t
    }

    /// Reports once that a literal has characters that the standard does not allow, and how they are read.
    pub(super) fn not_ascii(&mut self, s: Source<'_>, node: u32, inside: &[u8]) {
        if std::mem::replace(&mut self.reported_non_ascii, true) || self.lenient {
            return;
        }
        let how =
            if std::str::from_utf8(inside).is_ok() { "read as UTF-8" } else { "not UTF-8, read as Latin-1" };
        let message = format!("non-ASCII bytes in a string literal, {how}");
        let d = Diagnostic::notice(Code::NonAscii, s.span(node), message);
        self.diagnostics.push(d.hint("the standard allows such characters only as escapes"));
    }

    pub(super) fn bits(&mut self, text: &[u8]) -> Term {
        let width = if text[1] == b'x' { 4 * (text.len() - 2) } else { text.len() - 2 };
        let name = self.pool.names.intern(&format!("(_ BitVec {width})"));
        let sort = self.pool.sort(SortData { name, args: Box::new([]), kind: SortKind::Foreign });
        let head = self.pool.names.intern_bytes(text);
        self.pool.mk(Head::Opaque(head), sort, &[])
    }

    #[inline]
    pub(super) fn symbol(&mut self, s: Source<'_>, node: u32, name: &[u8]) -> Term {
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
            Binding::Data(part) if part.field.is_none() => self.data_constant(s, node, part, None),
            Binding::Keyword(_) if s.kind(node) == Kind::Symbol => {
                self.error(
                    Code::ReservedName,
                    s.span(node),
                    format!("`{}` is a reserved word", s.lossy(node)),
                );
                self.bad()
            }
            Binding::Free | Binding::Keyword(_) => {
                if let Some(n) = self.signed_numeral(name) {
                    return n;
                }
                let known = !name.starts_with(b"@") && foreign::is_foreign(self.pool.names.name(symbol));
                if self.lenient || known {
                    return self.opaque_constant(symbol, Sort::OPAQUE);
                }
                self.unknown(s, node, symbol);
                self.bad()
            }
            Binding::Op { .. } | Binding::Minus | Binding::Data(_) => {
                self.error(Code::WrongArity, s.span(node), format!("`{}` needs arguments", s.lossy(node)));
                self.bad()
            }
        }
    }

    /// `-5`, which some solvers print for `(- 5)`, and z3 and cvc5 read.
    pub(super) fn signed_numeral(&mut self, name: &[u8]) -> Option<Term> {
        let digits = name.strip_prefix(b"-").filter(|_| self.lenient || self.signed)?;
        if let Some(n) = Int::from_decimal(digits) {
            let real = self.scopes.numerals_are_real;
            return Some(if real { self.pool.real(Rat::from(-n)) } else { self.pool.int(-n) });
        }
        let q = Rat::from_decimal_literal(digits)?;
        Some(self.pool.real(-q))
    }

    pub(super) fn opaque_constant(&mut self, symbol: Symbol, sort: Sort) -> Term {
        let name = self.carried_name(symbol);
        self.pool.mk(Head::Opaque(name), sort, &[])
    }

    pub(super) fn constant(&mut self, f: Fun) -> Term {
        if self.pool.fun(f).params.is_empty() {
            return self.pool.apply(f, &[]);
        }
        // A function as a value: higher order, in SMT-LIB 2.7 only.
        let data = self.pool.fun(f);
        let (params, ret, name) = (data.params.to_vec(), data.ret, data.name);
        let sort = self.map_sort(params, ret);
        self.opaque_constant(name, sort)
    }

    /// `(_ char #x41)`, `(_ bv5 8)`, `(_ as-array f)`
    pub(super) fn indexed_constant(&mut self, s: Source<'_>, node: u32, name: u32, indices: &[u32]) -> Term {
        if matches!(s.text(name), b"char" | b"Char") {
            return self.char_constant(s, node, indices);
        }
        match self.indexed_head(s, node, name, indices) {
            AppHead::Opaque(symbol, sort) => {
                let sort = self.pool.bits_result(symbol, &[]).unwrap_or(sort);
                self.pool.mk(Head::Opaque(symbol), sort, &[])
            }
            AppHead::Error => self.bad(),
            _ => {
                self.error(Code::WrongArity, s.span(node), format!("`{}` needs an argument", s.lossy(node)));
                self.bad()
            }
        }
    }

    pub(super) fn char_constant(&mut self, s: Source<'_>, node: u32, indices: &[u32]) -> Term {
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
                let message = "not a character of the theory";
                let d = Diagnostic::error(Code::InvalidCharacter, s.span(node), message);
                self.report(d.hint("(_ char #xN) with one to five hexadecimal digits, at most #x2FFFF"));
                self.bad()
            }
        }
    }

    /// `(as name Sort)` as a constant.
    pub(super) fn qualified(&mut self, s: Source<'_>, node: u32, name: u32, sort: u32) -> Term {
        let Some(sort) = self.sort(s, sort) else {
            return self.bad();
        };
        match (s.text(name), sort) {
            (b"seq.empty", Sort::STRING) => return self.pool.string(&[]),
            (b"seq.empty", _) if self.pool.element_of(sort).is_some() => {
                return self.pool.empty_sequence(sort);
            }
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
                Binding::Data(part) if part.field.is_none() => {
                    return self.data_constant(s, node, part, Some(sort));
                }
                binding @ (Binding::Term(t) | Binding::Let(t, _)) if agree(self.pool.sort_of(t), sort) => {
                    self.used(binding);
                    return t;
                }
                Binding::Fun(_) | Binding::Term(_) | Binding::Let(..) => {
                    let want = self.pool.sort_text(sort);
                    let message = format!("`{}` is not of sort {want}", s.lossy(name));
                    self.error(Code::IllSorted, s.span(node), message);
                    return self.bad();
                }
                _ => {}
            }
        }
        if s.text(name).starts_with(b"@") {
            // An element of a declared sort: only solvers name them.
            if !self.lenient {
                let message =
                    format!("`{}`: names that start with `@` are reserved for solvers", s.lossy(name));
                self.error(Code::ReservedName, s.span(name), message);
                return self.bad();
            }
            let head = self.pool.names.intern_bytes(s.text(name));
            return self.pool.mk(Head::Opaque(head), sort, &[]);
        }
        let text = self.carried(s, node);
        let head = self.pool.names.intern(&text);
        self.pool.mk(Head::Opaque(head), sort, &[])
    }
}
