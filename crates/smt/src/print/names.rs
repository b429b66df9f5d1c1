//! Names, sorts and opaque texts in a dialect.

use super::*;

/// The name of a function in a term: of a constructor perhaps with its sort, of a tester `(_ is C)`.
pub(super) fn function(pool: &Pool, f: Fun) -> Cow<'_, str> {
    match pool.fun(f).role {
        Role::Constructor(_) => pool.constructor_text(f).into(),
        Role::Tester(c) => format!("(_ is {})", quote(pool.fun_name(c))).into(),
        Role::Plain | Role::Selector(..) => quote(pool.fun_name(f)),
    }
}

impl<'p> Printer<'p> {
    /// The head of an opaque term: a name, or a text in the standard dialect.
    pub(super) fn opaque_name(&self, name: &'p str) -> Result<Cow<'p, str>, Inexpressible> {
        if name.starts_with('(') && self.dialect != Dialect::Smt26 {
            return self.carried(name).map(Into::into);
        }
        let taken = |a: &Alias| a.name == name && a.read_in.contains(&self.dialect);
        if Op::all().any(|op| op.row().aliases.iter().any(taken)) {
            return Err(self.cannot(format!("`{name}` as a user's name")));
        }
        Ok(if name.starts_with(['(', '#', '|']) { name.into() } else { quote(name) })
    }

    /// An opaque text, which is in the standard dialect.
    pub(super) fn carried(&self, text: &str) -> Result<String, Inexpressible> {
        dialect::translate_literals(text, Dialect::Smt26, self.dialect)
            .map_err(|c| self.cannot(format!("the character U+{c:04X}")))
    }

    /// A text that is not a term: only the quotes of its literals change.
    pub(super) fn with_quotes<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.dialect.quoting() {
            Quoting::Doubled => text.into(),
            to => dialect::requote(text, Quoting::Doubled, to).into(),
        }
    }

    /// The name of a function or variable of the script. It must not be an operator of the dialect.
    pub(super) fn own_name(&self, name: Symbol) -> Result<Cow<'p, str>, Inexpressible> {
        let name = self.pool.names.name(name);
        if self.taken_names().any(|taken| taken == name) {
            return Err(self.cannot(format!("`{name}` as a user's name")));
        }
        Ok(quote(name))
    }

    /// The dialect's names of operators that have another name in the standard.
    pub(super) fn taken_names(&self) -> impl Iterator<Item = &'static str> + use<'_> {
        let here = |op: &Op| self.dialect != Dialect::Smt26 && op.is_in(self.dialect);
        let spelling = |op: Op| (op.spelling(self.dialect).0, op.name());
        Op::all().filter(here).map(spelling).filter(|(here, standard)| here != standard).map(|(here, _)| here)
    }

    pub(super) fn sort(&self, s: Sort) -> Result<String, Inexpressible> {
        if s == Sort::REGLAN && self.dialect == Dialect::Smt20 {
            return Ok("Regex".into());
        }
        Ok(self.pool.sort_text(s))
    }
}
