//! Copies terms from one pool to another, with the names that the merged script uses.

use super::Mode;
use super::names::Names;
use crate::transformers::{Named, live};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::symbol::Symbol;
use smt::term::{AttrValue, Attribute, SortData};
use smt::{Fun, Head, Pool, PostOrder, Script, Sort, Term};

/// The destination of terms.
type Parts<'a> = (&'a mut Pool, &'a mut Names, Mode);

/// Copies the terms of one script.
pub(super) struct Importer<'f> {
    from: &'f Pool,
    named: Named,
    /// The names that its binders bind.
    bound: FxHashSet<String>,
    /// The same, as names of ours.
    avoid: FxHashSet<Symbol>,
    terms: Vec<Option<Term>>,
    funs: FxHashMap<Fun, Fun>,
    sorts: FxHashMap<Sort, Sort>,
}

impl<'f> Importer<'f> {
    pub(super) fn new(from: &'f Pool, script: &Script) -> Self {
        let live = live(from, script);
        let named = Named::of(from, &live);
        let variable = |i: usize| match from.head(Term(i as u32)) {
            Head::Var(name) => Some(from.names.name(name).to_owned()),
            _ => None,
        };
        let bound = (0..live.len()).filter(|&i| live[i]).filter_map(variable).collect();
        Importer {
            from,
            named,
            bound,
            avoid: FxHashSet::default(),
            terms: vec![None; from.len()],
            funs: FxHashMap::default(),
            sorts: FxHashMap::default(),
        }
    }

    /// The copy of a declared function, and whether it is new.
    pub(super) fn declare(&mut self, (pool, names, mode): Parts<'_>, f: Fun) -> (Fun, bool) {
        let params: Box<[Sort]> = self.from.fun(f).params.iter().map(|&s| self.sort(pool, s)).collect();
        let ret = self.sort(pool, self.from.fun(f).ret);
        let name = pool.names.intern(self.from.fun_name(f));
        let same = |pool: &Pool, g: Fun| {
            let g = pool.fun(g);
            g.def.is_none() && g.params == params && g.ret == ret
        };
        let known = match mode {
            Mode::Concat => names.get(name).filter(|&g| same(pool, g)),
            Mode::Disjoint => None,
            Mode::Intersecting => {
                let bound = std::mem::take(&mut self.bound);
                self.avoid.extend(bound.iter().map(|n| pool.names.intern(n)));
                names.next(pool, &params, ret, &self.avoid)
            }
        };
        if let Some(ours) = known {
            self.funs.insert(f, ours);
            return (ours, false);
        }
        let name = self.free(pool, names, name);
        let ours = pool.declare(name, params, ret);
        names.add(pool, ours);
        names.share(pool, ours);
        self.funs.insert(f, ours);
        (ours, true)
    }

    /// `name`, or another if it is taken.
    fn free(&self, pool: &mut Pool, names: &Names, name: Symbol) -> Symbol {
        if names.get(name).is_none() {
            return name;
        }
        let base = pool.names.name(name).to_owned();
        names.fresh(pool, self.from, &base)
    }

    /// The copy of a defined function; none if the merged script has it already.
    pub(super) fn define(&mut self, (pool, names, mode): Parts<'_>, f: Fun, recursive: bool) -> Option<Fun> {
        let ours = self.signature(pool, names, f);
        if recursive {
            self.funs.insert(f, ours);
        }
        let (vars, body) = self.definition((pool, names, mode), f)?;
        let name = pool.names.intern(self.from.fun_name(f));
        let twin = names.get(name).filter(|&g| {
            let (g, o) = (pool.fun(g), pool.fun(ours));
            let same = g.def.as_ref().is_some_and(|d| d.vars == vars && d.body == body);
            mode == Mode::Concat && !recursive && same && g.ret == o.ret
        });
        if let Some(twin) = twin {
            self.funs.insert(f, twin);
            return None;
        }
        pool.define(ours, vars, body);
        names.add(pool, ours);
        self.funs.insert(f, ours);
        Some(ours)
    }

    /// Mutually recursive functions.
    pub(super) fn define_many(&mut self, (pool, names, mode): Parts<'_>, funs: &[Fun]) -> Vec<Fun> {
        let ours: Vec<Fun> = funs.iter().map(|&f| self.signature(pool, names, f)).collect();
        for (&f, &g) in funs.iter().zip(&ours) {
            self.funs.insert(f, g);
            names.add(pool, g);
        }
        for (&f, &g) in funs.iter().zip(&ours) {
            if let Some((vars, body)) = self.definition((pool, names, mode), f) {
                pool.define(g, vars, body);
            }
        }
        ours
    }

    /// The copy of a function of a model, with another name.
    pub(super) fn function(&mut self, pool: &mut Pool, f: Fun, name: Symbol) -> Option<Fun> {
        let params = self.from.fun(f).params.iter().map(|&s| self.sort(pool, s)).collect();
        let ret = self.sort(pool, self.from.fun(f).ret);
        let ours = pool.declare(name, params, ret);
        let (vars, body) = self.definition((pool, &mut Names::default(), Mode::Disjoint), f)?;
        pool.define(ours, vars, body);
        Some(ours)
    }

    fn signature(&mut self, pool: &mut Pool, names: &Names, f: Fun) -> Fun {
        let name = pool.names.intern(self.from.fun_name(f));
        let name = self.free(pool, names, name);
        let params = self.from.fun(f).params.iter().map(|&s| self.sort(pool, s)).collect();
        let ret = self.sort(pool, self.from.fun(f).ret);
        pool.declare(name, params, ret)
    }

    fn definition(&mut self, (pool, names, mode): Parts<'_>, f: Fun) -> Option<(Box<[Term]>, Term)> {
        let def = self.from.fun(f).def.clone()?;
        let vars = def.vars.iter().map(|&v| self.term((pool, names, mode), v)).collect();
        Some((vars, self.term((pool, names, mode), def.body)))
    }

    pub(super) fn sort(&mut self, pool: &mut Pool, s: Sort) -> Sort {
        if let Some(&ours) = self.sorts.get(&s) {
            return ours;
        }
        let data = self.from.sort_data(s).clone();
        let name = pool.names.intern(self.from.names.name(data.name));
        // Sorts nest only as deep as the sort parser allows, so this recursion is bounded.
        let args = data.args.iter().map(|&a| self.sort(pool, a)).collect();
        let ours = pool.sort(SortData { name, args, kind: data.kind });
        self.sorts.insert(s, ours);
        ours
    }

    /// The copy of a term; names that it gives are replaced by free ones.
    pub(super) fn term(&mut self, (pool, names, _): Parts<'_>, t: Term) -> Term {
        let (mut walk, from) = (PostOrder::new([t]), self.from);
        while let Some(t) = walk.next(|t| self.terms[t.0 as usize].is_none().then(|| from.children(t))) {
            let ours = self.node(pool, names, t);
            self.terms[t.0 as usize] = Some(ours);
        }
        self.done(t)
    }

    fn done(&self, t: Term) -> Term {
        self.terms[t.0 as usize].expect("children come first")
    }

    fn node(&mut self, pool: &mut Pool, names: &mut Names, t: Term) -> Term {
        let from = self.from;
        let args: Vec<Term> = from.args(t).iter().map(|&a| self.done(a)).collect();
        let sort = self.sort(pool, from.sort_of(t));
        let head = match from.head(t) {
            Head::Str(id) => return pool.string(from.word(id)),
            Head::Int(id) => return pool.int(from.int_value(id).clone()),
            Head::Real(id) => return pool.real(from.real_value(id).clone()),
            Head::Annot(id) => {
                let attrs = from.attributes(id).iter().map(|a| self.attribute(pool, names, t, a, args[0]));
                let attrs = attrs.collect::<Vec<_>>().into();
                return pool.annotate(args[0], attrs);
            }
            Head::Indexed(op, id) => Head::Indexed(op, pool.index(from.index_values(id))),
            Head::Fun(f) => Head::Fun(self.fun(pool, f)),
            Head::Var(name) => Head::Var(pool.names.intern(from.names.name(name))),
            Head::Opaque(name) => Head::Opaque(pool.names.intern(from.names.name(name))),
            head @ (Head::Op(_) | Head::Forall | Head::Exists | Head::Lambda) => head,
        };
        pool.mk(head, sort, &args)
    }

    /// The copy of a function; one that no command declares keeps its name.
    fn fun(&mut self, pool: &mut Pool, f: Fun) -> Fun {
        if let Some(&ours) = self.funs.get(&f) {
            return ours;
        }
        let name = pool.names.intern(self.from.fun_name(f));
        let params = self.from.fun(f).params.iter().map(|&s| self.sort(pool, s)).collect();
        let ret = self.sort(pool, self.from.fun(f).ret);
        let ours = pool.declare(name, params, ret);
        self.funs.insert(f, ours);
        ours
    }

    fn attribute(
        &mut self,
        pool: &mut Pool,
        names: &mut Names,
        t: Term,
        a: &Attribute,
        inner: Term,
    ) -> Attribute {
        let key = pool.names.intern(self.from.names.name(a.key));
        let value = match &a.value {
            AttrValue::Symbol(s) if self.from.names.name(a.key) == ":named" => {
                let name = pool.names.intern(self.from.names.name(*s));
                let name = self.free(pool, names, name);
                let sort = pool.sort_of(inner);
                let ours = pool.declare(name, Box::new([]), sort);
                pool.define(ours, Box::new([]), inner);
                names.add(pool, ours);
                for f in self.named.funs(self.from, t) {
                    if self.from.fun(f).name == *s {
                        self.funs.insert(f, ours);
                    }
                }
                AttrValue::Symbol(name)
            }
            AttrValue::Symbol(s) => AttrValue::Symbol(pool.names.intern(self.from.names.name(*s))),
            AttrValue::Terms(terms) => AttrValue::Terms(terms.iter().map(|&t| self.done(t)).collect()),
            AttrValue::Text(text) => AttrValue::Text(text.clone()),
            AttrValue::None => AttrValue::None,
        };
        Attribute { key, value }
    }
}
