//! Removes declarations and definitions that nothing uses any more.

use crate::doc::{Effect, defined};
use rustc_hash::FxHashSet;
use smt::script::Entry;
use smt::sexpr::{Kind, Quoting, Reader, Tree};
use smt::symbol::Symbol;
use smt::{Command, Fun, Head, Pool, Sort, Term, Walk};

/// The functions, sorts and names that a script uses.
#[derive(Default)]
struct Used {
    funs: FxHashSet<Fun>,
    sorts: FxHashSet<Sort>,
    /// In texts that are not understood.
    names: FxHashSet<Box<str>>,
    /// The functions that commands define. Other definitions are those of `:named`, whose terms stand elsewhere.
    defined: FxHashSet<Fun>,
}

/// Removes the commands that only introduce something unused. Returns the effect: a recursive definition may be contradictory.
pub(super) fn tidy(pool: &Pool, entries: &mut Vec<(Option<usize>, Entry)>) -> Effect {
    let used = Used::of(pool, entries.iter().map(|(_, e)| &e.command));
    let mut effect = Effect::Equivalent;
    entries.retain(|(_, e)| {
        let kept = used.needs(pool, &e.command);
        if !kept && matches!(e.command, Command::DefineFunRec(_) | Command::DefineFunsRec(_)) {
            effect = Effect::Weaker;
        }
        kept
    });
    effect
}

impl Used {
    fn of<'c>(pool: &Pool, commands: impl Iterator<Item = &'c Command> + Clone) -> Used {
        let mut used =
            Used { defined: commands.clone().flat_map(defined).copied().collect(), ..Used::default() };
        for c in commands.clone() {
            if let Command::Other(text) = c {
                used.text(text);
            }
        }
        let roots = commands.clone().flat_map(|c| match c {
            Command::Assert(t) => std::slice::from_ref(t),
            Command::CheckSatAssuming(ts) | Command::GetValue(ts) => ts,
            _ => &[],
        });
        used.terms(pool, roots.copied().collect());
        for c in commands {
            if let Command::DeclareFun(f) | Command::DeclareConst(f) = c
                && used.has_fun(pool, *f)
            {
                let data = pool.fun(*f);
                data.params.iter().chain([&data.ret]).for_each(|&s| used.sort(pool, s));
            }
        }
        used
    }

    /// Everything in terms, and in the definitions that they use.
    fn terms(&mut self, pool: &Pool, roots: Vec<Term>) {
        let mut walk = Walk::new(roots);
        while let Some(t) = walk.next() {
            walk.enter_children(pool, t);
            self.sort(pool, pool.sort_of(t));
            match pool.head(t) {
                Head::Fun(f) => {
                    self.funs.insert(f);
                    if let Some(def) = pool.fun(f).def.as_ref().filter(|_| self.defined.contains(&f)) {
                        walk.push(def.body);
                        walk.extend(def.vars.iter().copied());
                    }
                }
                Head::Opaque(name) => self.text(pool.names.name(name)),
                _ => {}
            }
        }
    }

    fn sort(&mut self, pool: &Pool, sort: Sort) {
        let mut open = vec![sort];
        while let Some(s) = open.pop() {
            if self.sorts.insert(s) {
                open.extend(pool.sort_data(s).args.iter());
            }
        }
    }

    /// All symbols of a text.
    fn text(&mut self, text: &str) {
        let mut reader = Reader::new(text.as_bytes(), Quoting::Doubled);
        let mut tree = Tree::default();
        while reader.read(&mut tree) {
            for node in tree.nodes.iter().filter(|n| matches!(n.kind, Kind::Symbol | Kind::Quoted)) {
                let name = &text[node.span.start as usize..node.span.end as usize];
                self.names.insert(name.trim_matches('|').into());
            }
        }
    }

    fn has_fun(&self, pool: &Pool, f: Fun) -> bool {
        self.funs.contains(&f) || self.names.contains(pool.fun_name(f))
    }

    fn has_sort(&self, pool: &Pool, name: Symbol) -> bool {
        self.names.contains(pool.names.name(name))
            || self.sorts.iter().any(|&s| pool.sort_data(s).name == name)
    }

    /// The command does something, or introduces something that is used.
    fn needs(&self, pool: &Pool, c: &Command) -> bool {
        match c {
            Command::DeclareFun(f) | Command::DeclareConst(f) => self.has_fun(pool, *f),
            Command::DeclareSort(name, _) => self.has_sort(pool, *name),
            Command::DefineSort(name, ..) => self.names.contains(pool.names.name(*name)),
            c => defined(c).is_empty() || defined(c).iter().any(|&f| self.has_fun(pool, f)),
        }
    }
}
