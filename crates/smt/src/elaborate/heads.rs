//! Heads of applications, and applications whose arguments are done.

use super::*;

impl Elaborator<'_> {
    pub(super) fn other_head(
        &mut self,
        s: Source<'_>,
        node: u32,
        symbol: Symbol,
        binding: Binding,
    ) -> AppHead {
        match binding {
            // A name of the script is none of a theory.
            Binding::Opaque if foreign::is_foreign(self.pool.names.name(symbol)) => {
                let quoted = format!("|{}|", self.pool.names.name(symbol));
                AppHead::Opaque(self.pool.names.intern(&quoted), Sort::OPAQUE)
            }
            Binding::Opaque => AppHead::Opaque(self.carried_name(symbol), Sort::OPAQUE),
            Binding::Data(part) => AppHead::Data(part, None),
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
                let message = format!("`{}` is a variable and takes no arguments", s.lossy(node));
                self.error(Code::WrongArity, s.span(node), message);
                AppHead::Error
            }
            _ if self.dashed_tester(symbol).is_some() => {
                AppHead::Tester(self.dashed_tester(symbol).expect("checked above"))
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

    /// A name as the head of an opaque term. There `(` and `#` start a text that is not a name, so a name that
    /// starts with one of them keeps its bars.
    pub(super) fn carried_name(&mut self, symbol: Symbol) -> Symbol {
        let name = self.pool.names.name(symbol);
        if name.starts_with(['(', '#']) {
            let quoted = format!("|{name}|");
            return self.pool.names.intern(&quoted);
        }
        symbol
    }

    /// The text at `node` of an opaque term, with its literals in the standard dialect.
    pub(crate) fn carried(&self, s: Source<'_>, node: u32) -> String {
        let text = s.lossy(node);
        if self.dialect == Dialect::Smt26 {
            return text;
        }
        dialect::translate_literals(&text, self.dialect, Dialect::Smt26).unwrap_or(text)
    }

    /// A text that is not a term: only the quotes of its literals change.
    pub(crate) fn requoted(&self, s: Source<'_>, node: u32) -> String {
        let text = s.lossy(node);
        if self.dialect.quoting() == Quoting::Doubled {
            return text;
        }
        dialect::requote(&text, self.dialect.quoting(), Quoting::Doubled)
    }

    /// Records whether a binder between a `let` and a use of its name captures a name in the term it denotes.
    #[inline]
    pub(super) fn used(&mut self, binding: Binding) {
        if let Binding::Let(t, below) = binding
            && self.shadows.last().is_some_and(|&(_, at)| at > below)
            && !self.captured
        {
            let between = self.shadows.iter().rev().take_while(|&&(_, at)| at > below);
            self.captured = between.map(|&(name, _)| name).any(|name| self.pool.mentions(t, name));
        }
    }

    pub(super) fn is_map(&self, sort: Sort) -> bool {
        self.pool.names.name(self.pool.sort_data(sort).name) == "->"
    }

    /// Reports an unbound name, once per name.
    pub(super) fn unknown(&mut self, s: Source<'_>, node: u32, symbol: Symbol) {
        self.failed = true;
        if !self.unknown.insert(symbol) {
            return;
        }
        let name = self.pool.names.name(symbol).to_owned();
        let bound = |i: &usize| !matches!(self.scopes.bindings[*i], Binding::Free);
        let user =
            (0..self.scopes.bindings.len()).filter(bound).map(|i| self.pool.names.name(Symbol(i as u32)));
        let standard = TABLE.iter().map(|r| r.name);
        let near = if self.diagnostics.len() < MAX_HINTS {
            did_you_mean(&name, standard).or_else(|| did_you_mean(&name, user)).map(str::to_owned)
        } else {
            None
        };
        let mut d =
            Diagnostic::error(Code::UndeclaredSymbol, s.span(node), format!("unknown symbol `{name}`"));
        let z3str2 = TABLE.iter().find(|r| r.aliases.iter().any(|a| a.name == name));
        if name.strip_prefix('-').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit() || b == b'.')) {
            d = d.hint(format!("a negative number is written (- {})", &name[1..]));
        } else if let Some(row) = z3str2 {
            d = d.hint(format!("the name of `{}` in dialect 2.0, but this text is in another one", row.name));
        } else if let Some(near) = near {
            d = d.hint(format!("did you mean `{near}`?"));
        }
        self.report(d);
    }

    /// A head that is a list: `(_ f i)` or `(as f S)`; in answers, also a function-valued term.
    pub(super) fn list_head(&mut self, s: Source<'_>, node: u32) -> AppHead {
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
                    Binding::Fun(f) if !agree(self.pool.fun(f).ret, sort) => {
                        let want = self.pool.sort_text(sort);
                        let message = format!("`{}` does not return {want}", s.lossy(*name));
                        self.error(Code::IllSorted, s.span(node), message);
                        AppHead::Error
                    }
                    Binding::Fun(f) => AppHead::Fun(f),
                    Binding::Op { op, swapped } => AppHead::Op { op, swapped },
                    Binding::Data(part) => AppHead::Data(part, Some(sort)),
                    Binding::Free if !self.lenient && !foreign::is_foreign(self.pool.names.name(symbol)) => {
                        self.unknown(s, *name, symbol);
                        AppHead::Error
                    }
                    _ => self.opaque_head(s, node, sort),
                }
            }
            _ if self.lenient => self.opaque_head(s, node, Sort::OPAQUE),
            _ => {
                let message = "expected the name of a function, found a list";
                let d = Diagnostic::error(Code::MalformedTerm, s.span(node), message);
                self.report(d.hint("is an operator missing before it?"));
                AppHead::Error
            }
        }
    }

    pub(super) fn opaque_head(&mut self, s: Source<'_>, node: u32, sort: Sort) -> AppHead {
        let text = self.carried(s, node);
        AppHead::Opaque(self.pool.names.intern(&text), sort)
    }

    pub(super) fn indexed_head(&mut self, s: Source<'_>, node: u32, name: u32, indices: &[u32]) -> AppHead {
        let symbol = self.pool.names.intern_bytes(s.name(name).unwrap_or(s.text(name)));
        if s.text(name) == b"is"
            && let Some(part) = self.tested(s, indices)
        {
            return AppHead::Tester(part);
        }
        let numerals: Option<Vec<Int>> = indices
            .iter()
            .map(|&i| if s.kind(i) == Kind::Numeral { Int::from_decimal(s.text(i)) } else { None })
            .collect();
        match (self.binding(symbol), numerals) {
            (Binding::Op { op, .. }, Some(numerals)) if op.row().indices > 0 => {
                AppHead::Indexed(op, numerals)
            }
            (Binding::Op { op, .. }, _) => {
                let message = match op.row().indices {
                    0 => format!("`{}` takes no index", op.name()),
                    _ => format!("the indices of `{}` must be numerals", op.name()),
                };
                self.error(Code::InvalidIndex, s.span(node), message);
                AppHead::Error
            }
            (Binding::Free, _) if self.lenient || foreign::is_foreign(self.pool.names.name(symbol)) => {
                self.opaque_head(s, node, Sort::OPAQUE)
            }
            (Binding::Opaque, _) => self.opaque_head(s, node, Sort::OPAQUE),
            _ => {
                self.unknown(s, name, symbol);
                AppHead::Error
            }
        }
    }

    /// All arguments of an application are on the `done` stack from `base` on.
    pub(super) fn apply(&mut self, s: Source<'_>, head: AppHead, node: u32, base: usize) {
        let head = match head {
            AppHead::Op { op, .. } if op.is_sequence() => self.sequence_head(s, node, op, base),
            head => head,
        };
        if matches!(head, AppHead::Op { op: Op::StrIndexof | Op::SeqIndexof, .. })
            && self.done.len() == base + 2
            && !self.scopes.numerals_are_real
        {
            // The form without a start of Z3str2 and old z3.
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
            AppHead::Data(part, sort) => self.apply_data(part, sort, base),
            AppHead::Tester(part) => self.apply_tester(part, base),
            // A character is a string of length one here.
            AppHead::Opaque(name, _) if self.is_unit(s, node, name, base) => Ok(self.done[base]),
            AppHead::Opaque(name, sort) => {
                let known = self.pool.set_result(name, args).or_else(|| self.pool.bits_result(name, args));
                let sort = known.unwrap_or(sort);
                Ok(self.pool.mk(Head::Opaque(name), sort, args))
            }
            AppHead::Term(t) => {
                let at = self.pool.names.intern("@");
                let args: Vec<Term> = std::iter::once(t).chain(args.iter().copied()).collect();
                Ok(self.pool.mk(Head::Opaque(at), Sort::OPAQUE, &args))
            }
            AppHead::Error => Ok(self.bad()),
        };
        let t = match built {
            Ok(t) => t,
            Err(e) => self.ill_sorted(s, node, base, &e),
        };
        self.done.truncate(base);
        self.done.push(t);
    }

    /// Reports `e`, unless an argument is of a foreign theory that may overload the name (z3's `str.++` on any
    /// sequence): then the term is opaque.
    pub(super) fn ill_sorted(&mut self, s: Source<'_>, node: u32, base: usize, e: &SortError) -> Term {
        let overloaded = !s.text(node + 1).starts_with(b"seq.");
        let foreign = |&a: &Term| match self.pool.sort_data(self.pool.sort_of(a)).kind {
            SortKind::Foreign => true,
            SortKind::Sequence => overloaded,
            _ => false,
        };
        let core = matches!(
            s.text(node + 1),
            b"=" | b"distinct" | b"ite" | b"and" | b"or" | b"not" | b"=>" | b"xor"
        );
        if !core && self.done[base..].iter().any(foreign) {
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
        let at = e.argument.and_then(|i| s.tree.children(node).nth(i + 1)).unwrap_or(node + 1);
        self.error(e.code, s.span(at), e.message.clone());
        self.bad()
    }

    /// `(re.loop r 1 3)`, `(re.loop r 1)` and `(re.^ r 3)`: the indices as last arguments.
    pub(super) fn unindexed(&mut self, op: Op, base: usize) -> Result<Term, SortError> {
        let args = self.done[base..].to_vec();
        let numerals: Option<Vec<Int>> = args
            .iter()
            .skip(1)
            .map(|&a| match self.pool.head(a) {
                Head::Int(id) => Some(self.pool.int_value(id).clone()),
                // A numeral, where numerals are reals.
                Head::Real(id) if self.scopes.numerals_are_real && self.pool.real_value(id).is_integer() => {
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
                code: Code::InvalidIndex,
                argument: None,
                message: format!("`{0}` takes numeral indices: ((_ {0} …) t)", op.name()),
            }),
        }
    }

    /// The meaning of an operator of sequences: on strings that of strings, and on foreign sorts none.
    fn sequence_head(&mut self, s: Source<'_>, node: u32, op: Op, base: usize) -> AppHead {
        let name = self.pool.names.intern(op.name());
        let sorts: Vec<Sort> = self.done[base..].iter().map(|&a| self.pool.sort_of(a)).collect();
        let known = match op {
            Op::SeqUnit => {
                !self.is_unit(s, node, name, base)
                    && sorts.first().is_some_and(|&sort| self.pool.sequence_of(sort).is_some())
            }
            _ => sorts.iter().any(|&sort| self.pool.element_of(sort).is_some()),
        };
        match op.on_strings() {
            _ if known => AppHead::Op { op, swapped: false },
            Some(op) => AppHead::Op { op, swapped: false },
            None => AppHead::Opaque(name, Sort::OPAQUE),
        }
    }

    /// `(seq.unit c)` of a character constant, as z3 prints some values. A literal is an element of `(Seq String)`.
    pub(super) fn is_unit(&self, s: Source<'_>, node: u32, name: Symbol, base: usize) -> bool {
        let [arg] = self.done[base..] else { return false };
        let is_literal = s.tree.children(node).nth(1).is_some_and(|a| s.kind(a) == Kind::String);
        let is_char =
            !is_literal && matches!(self.pool.head(arg), Head::Str(id) if self.pool.word(id).len() == 1);
        is_char && matches!(self.pool.names.name(name), "seq.unit" | "str.unit")
    }

    /// `((_ re.loop n) r)`: in z3, at least n repetitions.
    pub(super) fn at_least(&mut self, n: &[Int], r: Term) -> Result<Term, SortError> {
        let power = self.pool.indexed(Op::RePower, n, &[r])?;
        let star = self.pool.op(Op::ReStar, &[r])?;
        self.pool.op(Op::ReConcat, &[power, star])
    }
}
