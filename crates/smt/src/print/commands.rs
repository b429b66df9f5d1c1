//! Commands as text.

use super::*;
use crate::term::names_in;

impl Printer<'_> {
    /// Appends a command, without a line end.
    pub fn command(&mut self, command: &Command, out: &mut String) -> Result<(), Inexpressible> {
        self.check_command(command)?;
        self.open = false;
        self.bound.clear();
        let written = self.command_text(command, out);
        self.open = true;
        written
    }

    pub(super) fn command_text(&mut self, command: &Command, out: &mut String) -> Result<(), Inexpressible> {
        let name = |s: Symbol| quote(self.pool.names.name(s));
        match command {
            Command::SetLogic(l) => {
                let _ = write!(out, "(set-logic {})", name(*l));
            }
            Command::SetInfo(k, v) => self.set("set-info", *k, v, out),
            Command::SetOption(k, v) => self.set("set-option", *k, v, out),
            Command::DeclareSort(s, n) => {
                let _ = write!(out, "(declare-sort {} {n})", name(*s));
            }
            Command::DefineSort(s, params, sort) => {
                let params: Vec<_> = params.iter().map(|&p| name(p)).collect();
                let _ =
                    write!(out, "(define-sort {} ({}) {})", name(*s), params.join(" "), self.sort(*sort)?);
            }
            Command::DeclareConst(f) if !self.dialect.has_only_20_commands() => {
                let _ = write!(
                    out,
                    "(declare-const {} {})",
                    self.own_name(self.pool.fun(*f).name)?,
                    self.sort(self.pool.fun(*f).ret)?
                );
            }
            Command::DeclareFun(f) | Command::DeclareConst(f) => self.declare(*f, out)?,
            Command::DefineConst(f) if !self.dialect.has_only_20_commands() => {
                let _ = write!(
                    out,
                    "(define-const {} {} ",
                    self.own_name(self.pool.fun(*f).name)?,
                    self.sort(self.pool.fun(*f).ret)?
                );
                self.body(*f, out)?;
                out.push(')');
            }
            Command::DefineFun(f) | Command::DefineConst(f) => self.define("define-fun", *f, out)?,
            Command::DefineFunRec(f) => self.define("define-fun-rec", *f, out)?,
            Command::DefineFunsRec(funs) => self.define_many(funs, out)?,
            Command::Assert(t) => {
                out.push_str("(assert ");
                self.term(*t, out)?;
                out.push(')');
            }
            Command::CheckSat => out.push_str("(check-sat)"),
            Command::CheckSatAssuming(terms) => self.list("check-sat-assuming", terms, out)?,
            Command::GetValue(terms) => self.list("get-value", terms, out)?,
            Command::Push(n) => {
                let _ = write!(out, "(push {n})");
            }
            Command::Pop(n) => {
                let _ = write!(out, "(pop {n})");
            }
            Command::GetInfo(k) => {
                let _ = write!(out, "(get-info {})", self.pool.names.name(*k));
            }
            Command::GetOption(k) => {
                let _ = write!(out, "(get-option {})", self.pool.names.name(*k));
            }
            Command::Echo(text) => {
                let _ = write!(out, "(echo {})", self.with_quotes(text));
            }
            Command::Plain(p) => {
                let _ = write!(out, "({})", p.name());
            }
            Command::Other(text) if self.dialect == Dialect::Smt26 => out.push_str(text),
            Command::Other(text) => {
                // A declaration of datatypes gives names to constructors and selectors.
                let own = text.contains("declare-");
                if let Some(name) = self.taken_names().find(|name| own && names_in(text, name)) {
                    return Err(self.cannot(format!("`{name}` as a user's name")));
                }
                out.push_str(&self.carried(text)?);
            }
        }
        Ok(())
    }

    pub(super) fn check_command(&self, command: &Command) -> Result<(), Inexpressible> {
        if let Command::DeclareSort(name, _) | Command::DefineSort(name, ..) = command
            && self.dialect == Dialect::Smt20
            && self.pool.names.name(*name) == "Regex"
        {
            return Err(self.cannot("`Regex` as a user's name"));
        }
        let missing = match command {
            _ if !self.dialect.has_only_20_commands() => None,
            Command::CheckSatAssuming(_) => Some("check-sat-assuming"),
            Command::DefineFunRec(_) => Some("define-fun-rec"),
            Command::DefineFunsRec(_) => Some("define-funs-rec"),
            Command::Echo(_) => Some("echo"),
            Command::Plain(p @ (Plain::Reset | Plain::ResetAssertions | Plain::GetUnsatAssumptions)) => {
                Some(p.name())
            }
            _ => None,
        };
        missing.map_or(Ok(()), |name| {
            Err(self.cannot(format!("`{name}`, its commands are those of SMT-LIB 2.0")))
        })
    }

    pub(super) fn set(&self, command: &str, key: Symbol, value: &str, out: &mut String) {
        let key = self.pool.names.name(key);
        let value = match (key, self.dialect) {
            (":smt-lib-version", Dialect::Smt20 | Dialect::Norn) => "2.0",
            (":smt-lib-version", Dialect::Smt25) => "2.5",
            (":smt-lib-version", Dialect::Smt26) if matches!(value, "2.0" | "2.5") => "2.6",
            _ => value,
        };
        let space = if value.is_empty() { "" } else { " " };
        let _ = write!(out, "({command} {key}{space}{})", self.with_quotes(value));
    }

    pub(super) fn declare(&self, f: Fun, out: &mut String) -> Result<(), Inexpressible> {
        let data = self.pool.fun(f);
        let params: Result<Vec<String>, _> = data.params.iter().map(|&s| self.sort(s)).collect();
        let name = self.own_name(data.name)?;
        let _ = write!(out, "(declare-fun {name} ({}) {})", params?.join(" "), self.sort(data.ret)?);
        Ok(())
    }

    pub(super) fn define(&mut self, command: &str, f: Fun, out: &mut String) -> Result<(), Inexpressible> {
        let _ = write!(out, "({command} ");
        self.signature(f, out)?;
        out.push(' ');
        self.body(f, out)?;
        out.push(')');
        Ok(())
    }

    pub(super) fn signature(&self, f: Fun, out: &mut String) -> Result<(), Inexpressible> {
        let data = self.pool.fun(f);
        let _ = write!(out, "{} ", self.own_name(data.name)?);
        self.sorted_vars(data.def.as_ref().map_or(&[], |d| &d.vars), out)?;
        let _ = write!(out, " {}", self.sort(data.ret)?);
        Ok(())
    }

    pub(super) fn body(&mut self, f: Fun, out: &mut String) -> Result<(), Inexpressible> {
        match &self.pool.fun(f).def {
            Some(def) => {
                let vars = def.vars.iter().filter_map(|&v| match self.pool.head(v) {
                    Head::Var(name) => Some((name, 1)),
                    _ => None,
                });
                self.bound = vars.collect();
                let written = self.term(def.body, out);
                self.bound.clear();
                written
            }
            None => Err(self.cannot(format!("a definition of `{}` without a body", self.pool.fun_name(f)))),
        }
    }

    pub(super) fn define_many(&mut self, funs: &[Fun], out: &mut String) -> Result<(), Inexpressible> {
        out.push_str("(define-funs-rec (");
        for &f in funs {
            out.push('(');
            self.signature(f, out)?;
            out.push(')');
        }
        out.push_str(") (");
        for (i, &f) in funs.iter().enumerate() {
            out.push_str(if i == 0 { "" } else { " " });
            self.body(f, out)?;
        }
        out.push_str("))");
        Ok(())
    }

    pub(super) fn list(
        &mut self,
        command: &str,
        terms: &[Term],
        out: &mut String,
    ) -> Result<(), Inexpressible> {
        let _ = write!(out, "({command} (");
        for (i, &t) in terms.iter().enumerate() {
            out.push_str(if i == 0 { "" } else { " " });
            self.term(t, out)?;
        }
        out.push_str("))");
        Ok(())
    }
}

/// A script as text, one command a line, in `dialect`. With `src`, keeps the comments between commands and in the
/// `trailing` trivia.
pub fn script_text(
    pool: &Pool,
    script: &Script,
    dialect: Dialect,
    src: Option<&[u8]>,
    trailing: Option<crate::diag::Span>,
) -> Result<String, Inexpressible> {
    let mut out = String::new();
    for entry in &script.entries {
        if let Some(src) = src {
            keep_comments(entry.trivia.of(src), &mut out);
        }
        let sharing = if entry.lets { Sharing::Always } else { Sharing::Auto };
        let mut printer = Printer::new(pool, dialect).sharing(sharing);
        printer.command(&entry.command, &mut out)?;
        out.push('\n');
    }
    if let (Some(src), Some(trailing)) = (src, trailing) {
        keep_comments(trailing.of(src), &mut out);
    }
    Ok(out)
}

fn keep_comments(trivia: &[u8], out: &mut String) {
    for line in trivia.split(|&b| b == b'\n') {
        let line = line.trim_ascii();
        if line.starts_with(b";") {
            out.push_str(&String::from_utf8_lossy(line));
            out.push('\n');
        }
    }
}
