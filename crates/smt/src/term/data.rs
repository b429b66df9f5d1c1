//! Datatypes: constructors, selectors and testers are functions with a [`Role`].
//!
//! A declaration is a template over sort parameters; each of its sorts has an instance with functions of its own, made
//! when the sort is first read. `(declare-datatype Option (par (X) ((none) (some (value X)))))` is a template, and `(Option
//! Int)` has an instance in which `some` takes an `Int`.
//!
//! A pool reads datatypes if it was told so ([`Pool::read_datatypes`]); otherwise their terms are foreign.

use super::{Fun, Pool, Sort};
use crate::symbol::{Symbol, quote};
use rustc_hash::FxHashMap;

/// The part that a function has in a datatype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Role {
    /// None.
    #[default]
    Plain,
    /// A constructor, with its place in the datatype.
    Constructor(u32),
    /// A selector of this constructor, with the place of the field.
    Selector(Fun, u32),
    /// The tester of this constructor.
    Tester(Fun),
}

/// A constructor of a template: its name, and its selectors with their sorts.
pub type Case = (Symbol, Box<[(Symbol, Sort)]>);

/// A declared datatype, over its parameters.
#[derive(Clone, Debug)]
pub struct Template {
    /// The name of the sort.
    pub name: Symbol,
    /// The parameters.
    pub params: Box<[Sort]>,
    /// The constructors, each with its selectors and their sorts.
    pub constructors: Box<[Case]>,
}

/// The functions of a datatype sort.
#[derive(Clone, Debug)]
pub struct Datatype {
    /// The constructors, as declared.
    pub constructors: Box<[Constructor]>,
}

/// A constructor with its functions.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// The constructor.
    pub fun: Fun,
    /// Its tester.
    pub tester: Fun,
    /// Its selectors.
    pub selectors: Box<[Fun]>,
}

/// The datatypes of a pool.
#[derive(Clone, Debug, Default)]
pub(super) struct Datatypes {
    read: bool,
    templates: Vec<Template>,
    instances: FxHashMap<Sort, Datatype>,
}

/// Sorts that are instantiated because one of them is, at most: the fields of a datatype may have ever larger sorts.
const MAX_INSTANCES: usize = 32;

impl Pool {
    /// Scripts that are read into this pool may declare datatypes, whose terms then have a meaning.
    pub fn read_datatypes(&mut self) {
        self.datatypes.read = true;
    }

    /// Whether datatypes are read.
    pub fn reads_datatypes(&self) -> bool {
        self.datatypes.read
    }

    /// Whether there are datatypes.
    pub fn has_datatypes(&self) -> bool {
        !self.datatypes.templates.is_empty()
    }

    /// Adds a declaration. A later one of the same name replaces an earlier one.
    pub fn declare_datatype(&mut self, template: Template) -> u32 {
        let name = template.name;
        let sorts = &self.sorts;
        self.datatypes.instances.retain(|s, _| sorts[s.0 as usize].name != name);
        self.datatypes.templates.push(template);
        self.datatypes.templates.len() as u32 - 1
    }

    /// The declarations.
    pub fn templates(&self) -> &[Template] {
        &self.datatypes.templates
    }

    /// The functions of a datatype sort whose instance was made.
    pub fn datatype(&self, sort: Sort) -> Option<&Datatype> {
        self.datatypes.instances.get(&sort)
    }

    /// The datatype of a constructor, selector or tester, and the place of the constructor.
    pub fn constructor_of(&self, f: Fun) -> Option<(Sort, usize)> {
        let constructor = match self.fun(f).role {
            Role::Plain => return None,
            Role::Constructor(_) => f,
            Role::Selector(c, _) | Role::Tester(c) => c,
        };
        match self.fun(constructor).role {
            Role::Constructor(place) => Some((self.fun(constructor).ret, place as usize)),
            _ => None,
        }
    }

    /// Makes the instance of a datatype sort, and those of its fields. False if it is not a datatype.
    pub fn make_datatype(&mut self, sort: Sort) -> bool {
        let (mut todo, mut made) = (vec![sort], 0);
        while let Some(s) = todo.pop() {
            if made < MAX_INSTANCES && !self.datatypes.instances.contains_key(&s) && self.make_instance(s) {
                made += 1;
                let fields = self.datatypes.instances[&s].constructors.iter();
                todo.extend(fields.flat_map(|c| self.funs[c.fun.0 as usize].params.iter().copied()));
            }
        }
        self.datatypes.instances.contains_key(&sort)
    }

    fn make_instance(&mut self, sort: Sort) -> bool {
        let data = self.sort_data(sort).clone();
        let fits = |t: &&Template| t.name == data.name && t.params.len() == data.args.len();
        let Some(template) = self.datatypes.templates.iter().rev().find(fits).cloned() else { return false };
        let map: FxHashMap<Sort, Sort> = template.params.iter().copied().zip(data.args).collect();
        let mut constructors = Vec::new();
        for (place, (name, fields)) in template.constructors.iter().enumerate() {
            constructors.push(self.make_constructor(sort, place as u32, *name, fields, &map));
        }
        self.datatypes.instances.insert(sort, Datatype { constructors: constructors.into() });
        true
    }

    fn make_constructor(
        &mut self,
        sort: Sort,
        place: u32,
        name: Symbol,
        fields: &[(Symbol, Sort)],
        map: &FxHashMap<Sort, Sort>,
    ) -> Constructor {
        let params: Box<[Sort]> = fields.iter().map(|&(_, s)| self.substitute(s, &mut map.clone())).collect();
        let fun = self.declare(name, params.clone(), sort);
        self.funs[fun.0 as usize].role = Role::Constructor(place);
        let tester = self.declare(name, Box::new([sort]), Sort::BOOL);
        self.funs[tester.0 as usize].role = Role::Tester(fun);
        let selectors = fields.iter().zip(&params).enumerate().map(|(i, (&(selector, _), &ret))| {
            let f = self.declare(selector, Box::new([sort]), ret);
            self.funs[f.0 as usize].role = Role::Selector(fun, i as u32);
            f
        });
        let selectors = selectors.collect();
        Constructor { fun, tester, selectors }
    }

    /// A sort with parameters replaced. The recursion is as deep as the sort, which is bounded.
    pub(crate) fn substitute(&mut self, sort: Sort, map: &mut FxHashMap<Sort, Sort>) -> Sort {
        if let Some(&s) = map.get(&sort) {
            return s;
        }
        let data = self.sort_data(sort).clone();
        if data.args.is_empty() {
            return sort;
        }
        let args = data.args.iter().map(|&a| self.substitute(a, map)).collect();
        let new = self.sort(super::SortData { args, ..data });
        map.insert(sort, new);
        new
    }

    /// The name of a constructor in a term: with its sort where the arguments do not determine it.
    pub fn constructor_text(&self, f: Fun) -> String {
        let data = self.fun(f);
        let name = quote(self.names.name(data.name));
        let sort = self.sort_data(data.ret);
        if sort.args.is_empty() || !data.params.is_empty() && self.determined(f) {
            return name.into_owned();
        }
        format!("(as {name} {})", self.sort_text(data.ret))
    }

    /// The fields of a constructor mention all parameters of the datatype.
    fn determined(&self, f: Fun) -> bool {
        let Role::Constructor(place) = self.fun(f).role else { return true };
        let name = self.sort_data(self.fun(f).ret).name;
        let Some(template) = self.datatypes.templates.iter().rev().find(|t| t.name == name) else {
            return true;
        };
        let mut seen: Vec<Sort> = Vec::new();
        let fields = template.constructors.get(place as usize).map_or(&[][..], |(_, fields)| fields);
        let mut stack: Vec<Sort> = fields.iter().map(|&(_, s)| s).collect();
        while let Some(s) = stack.pop() {
            if !seen.contains(&s) {
                seen.push(s);
                stack.extend(self.sort_data(s).args.iter());
            }
        }
        template.params.iter().all(|p| seen.contains(p))
    }

    /// Whether a sort has finitely many values. The depth is bounded by the number of datatypes.
    pub fn is_finite(&self, sort: Sort) -> bool {
        self.is_finite_within(sort, &mut Vec::new())
    }

    fn is_finite_within(&self, sort: Sort, around: &mut Vec<Sort>) -> bool {
        if sort == Sort::BOOL || self.bit_width(sort).is_some() {
            return true;
        }
        let Some(d) = self.datatype(sort) else { return false };
        if around.contains(&sort) || around.len() > 50 {
            return false;
        }
        around.push(sort);
        let mut fields = d.constructors.iter().flat_map(|k| self.fun(k.fun).params.iter());
        let all = fields.all(|&s| self.is_finite_within(s, around));
        around.pop();
        all
    }

    /// Whether a value of a datatype may have a value of the sort `wanted` in it.
    pub fn has_field(&self, sort: Sort, wanted: Sort) -> bool {
        let (mut seen, mut todo) = (rustc_hash::FxHashSet::default(), vec![sort]);
        while let Some(s) = todo.pop() {
            if s == wanted {
                return true;
            }
            if let Some(d) = self.datatype(s)
                && seen.insert(s)
            {
                todo.extend(d.constructors.iter().flat_map(|k| self.fun(k.fun).params.iter().copied()));
            }
        }
        false
    }

    pub(super) fn cut_datatypes(&mut self, templates: usize, funs: usize) {
        self.datatypes.templates.truncate(templates);
        self.datatypes.instances.retain(|_, d| d.constructors.iter().all(|c| (c.tester.0 as usize) < funs));
    }
}
