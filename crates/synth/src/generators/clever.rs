//! Clever: whether a client computes the same with an old and a new library. (After a branch of StringFuzz, for the problem of
//! "Client-specific equivalence checking", Mora and others, 2018.)
//!
//! `old_lib` and `new_lib` are random functions, `client_old` and `client_new` one random program of `ite`s that calls the
//! one or the other; it is asserted that they differ on some input. With `--slice` only the path to the first call is
//! asserted, and that the two libraries differ there.
//!
//! The answer: random inputs on which the two differ are a model; if the two libraries are the same term, there is
//! none, and the core is the assertion that they differ.

use super::grammar::{Grammar, Scope, Terms, Weights};
use super::{Builder, Generator, Info};
use crate::dice::Dice;
use crate::parameters::{Setting, parameters};
use crate::substitute::substitute;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::instance::Truth;
use semantics::regex::RegexStore;
use semantics::{Config, Evaluator, Model, Str, Value};
use smt::op::S;
use smt::{Command, Fun, Head, Int, Op, Sort, Term};

/// The sorts of variables, by letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sorts(Vec<Sort>);

const SORTS: [(char, Sort); 3] = [('s', Sort::STRING), ('i', Sort::INT), ('b', Sort::BOOL)];

impl Setting for Sorts {
    fn take(&mut self, text: &str) -> Result<(), String> {
        let sort = |c: char| SORTS.iter().find(|(l, _)| *l == c).map(|(_, s)| *s);
        let sorts: Option<Vec<Sort>> = text.chars().map(sort).collect();
        let error = || format!("`{text}`: letters of s (String), i (Int), b (Bool)");
        self.0 = sorts.filter(|s| !s.is_empty()).ok_or_else(error)?;
        Ok(())
    }

    fn show(&self) -> Option<String> {
        let letter = |s: &Sort| SORTS.iter().find(|(_, t)| t == s).map(|(l, _)| *l);
        Some(self.0.iter().filter_map(letter).collect())
    }
}

parameters! {
    /// Parameters of `clever`.
    pub struct Clever {
        /// Inputs of the client
        num_client_vars: u64 = 3, "num-client-vars" "N";
        /// Parameters of the library function
        num_lib_vars: u64 = 2, "num-lib-vars" "N";
        /// Maximal nesting of the branches of the client
        client_depth: u64 = 10, "client-depth" "N";
        /// Maximal nesting of the branches of the library
        lib_depth: u64 = 5, "lib-depth" "N";
        /// Calls of the library in the client
        num_lib_calls: u64 = 1, "num-lib-calls" "N";
        /// Maximal depth of the expressions in branches
        expr_depth: u64 = 3, "expr-depth" "N";
        /// The longest string literal
        max_string: u64 = 10, "max-string" "N";
        /// The greatest integer literal
        max_int: u64 = 10, "max-int" "N";
        /// Probability that a leaf is a literal, not a variable
        literal_chance: f64 = 0.1, "literal-chance" "P";
        /// The sorts of variables and results: s String, i Int, b Bool; repeat a letter for more of it
        sorts: Sorts = Sorts(vec![Sort::INT]), "sorts" "LETTERS";
        /// Only the path to the first call, not the complete client
        slice: bool = false, "slice" "";
    }
}

/// The operators of expressions; those with other sorts than requested are excluded.
const OPS: &[Op] = &[
    Op::Not,
    Op::And,
    Op::Or,
    Op::Eq,
    Op::Gt,
    Op::Lt,
    Op::Ge,
    Op::Le,
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::Neg,
    Op::StrConcat,
    Op::StrLen,
    Op::StrAt,
    Op::StrSubstr,
    Op::StrContains,
    Op::StrPrefixof,
    Op::StrSuffixof,
    Op::StrIndexof,
    Op::StrReplace,
];

/// The maximal number of branches in one program.
const MAX_BRANCHES: usize = 50_000;

/// Random inputs that are tried.
const TRIES: usize = 16;

impl Generator for Clever {
    fn info(&self) -> Info {
        Info {
            name: "clever",
            about: "Whether a random client is the same with an old and a new library function",
            truth: "known if a random input shows a difference, or if the libraries are the same term",
            example: "--client-depth 20 --num-lib-calls 3 --sorts iis",
        }
    }

    fn check(&self) -> Result<(), String> {
        let positive = [
            ("client-depth", self.client_depth),
            ("lib-depth", self.lib_depth),
            ("num-lib-calls", self.num_lib_calls),
            ("expr-depth", self.expr_depth),
        ];
        match positive.iter().find(|(_, n)| *n < 1) {
            Some((flag, _)) => Err(format!("--{flag}: at least 1")),
            None => Ok(()),
        }
    }

    fn make(&self, dice: &mut Dice, b: &mut Builder) -> Result<Truth, String> {
        b.logic("ALL");
        let grammar = self.grammar();
        let sort = *dice.pick(&self.sorts.0);
        let params: Vec<Sort> = (0..self.num_lib_vars).map(|_| *dice.pick(&self.sorts.0)).collect();
        let libraries = ["old_lib", "new_lib"].map(|name| {
            let (vars, scope) = self.parameters(b, &params, "p");
            let body = self.program(&grammar, &scope, dice, b, sort, self.lib_depth);
            (define(b, name, &params, sort, vars, body), body)
        });
        let inputs: Vec<Sort> = (0..self.num_client_vars).map(|_| *dice.pick(&self.sorts.0)).collect();
        let constants: Vec<Term> = inputs.iter().enumerate().map(|(i, &s)| b.declare("x", i, s)).collect();
        for (f, _) in &libraries {
            b.push(Command::DefineFun(*f));
        }
        let [(old, old_body), (new, new_body)] = libraries;
        let client = Client { shape: self, grammar: &grammar, params: &params, lib: old, sort };
        let same = old_body == new_body;
        let differ = if self.slice {
            let mut scope = Scope::default();
            inputs.iter().zip(&constants).for_each(|(&s, &x)| scope.add(s, x));
            let (body, calls) = client.body(&scope, dice, b);
            for t in path_to(b, body, calls[0]) {
                b.assert(t);
            }
            let renamed = rename(b, calls[0], old, new);
            b.eq(calls[0], renamed)
        } else {
            let (vars, scope) = self.parameters(b, &inputs, "c");
            let (body, _) = client.body(&scope, dice, b);
            let renamed = rename(b, body, old, new);
            let sort = b.terms().sort_of(body);
            let call = [("client_old", body), ("client_new", renamed)].map(|(name, body)| {
                let f = define(b, name, &inputs, sort, vars.clone(), body);
                b.push(Command::DefineFun(f));
                b.pool().apply(f, &constants)
            });
            b.eq(call[0], call[1])
        };
        let t = b.not(differ);
        let assertion = b.assert(t);
        if same {
            return Ok(Truth::Unsat(vec![assertion]));
        }
        Ok(self.try_inputs(dice, b, &constants))
    }
}

/// Builds a client.
struct Client<'c> {
    shape: &'c Clever,
    grammar: &'c Grammar,
    params: &'c [Sort],
    lib: Fun,
    sort: Sort,
}

impl Clever {
    fn grammar(&self) -> Grammar {
        let requested = |s: Sort| s == Sort::BOOL || self.sorts.0.contains(&s);
        let sort = |s: &S| match s {
            S::Str => Sort::STRING,
            S::Int | S::Num => Sort::INT,
            _ => Sort::BOOL,
        };
        let usable = |op: &Op| op.row().params.iter().chain([&op.row().ret]).all(|s| requested(sort(s)));
        let ops: Vec<Op> = OPS.iter().copied().filter(usable).collect();
        let mut weights = Weights::only(&ops);
        for (_, s) in SORTS {
            weights.set_sort(s, u32::from(requested(s)));
        }
        Grammar {
            letters: 0,
            weights,
            max_terms: 2,
            max_string: self.max_string,
            max_int: self.max_int,
            literal_chance: self.literal_chance,
            meaningful: true,
        }
    }

    /// Parameters of a function, as variables.
    fn parameters(&self, b: &mut Builder, sorts: &[Sort], stem: &str) -> (Box<[Term]>, Scope) {
        let mut scope = Scope::default();
        let mut vars = Vec::with_capacity(sorts.len());
        for (i, &s) in sorts.iter().enumerate() {
            let name = b.pool().names.intern(&format!("{stem}{i}"));
            let v = b.pool().var(name, s);
            scope.add(s, v);
            vars.push(v);
        }
        (vars.into(), scope)
    }

    /// Nested branches with expressions.
    fn program(
        &self,
        grammar: &Grammar,
        scope: &Scope,
        dice: &mut Dice,
        b: &mut Builder,
        sort: Sort,
        depth: u64,
    ) -> Term {
        enum Task {
            Make(u64),
            Join(Term),
        }
        let (mut tasks, mut made) = (vec![Task::Make(depth)], Vec::new());
        let mut branches = 0;
        while let Some(task) = tasks.pop() {
            match task {
                Task::Make(depth) if depth > 0 && branches < MAX_BRANCHES => {
                    branches += 1;
                    let condition = Terms { grammar, scope, dice }.term(b, Sort::BOOL, self.expr_depth);
                    let (yes, no) = (dice.below(depth), dice.below(depth));
                    tasks.extend([Task::Join(condition), Task::Make(no), Task::Make(yes)]);
                }
                Task::Make(_) => made.push(Terms { grammar, scope, dice }.term(b, sort, self.expr_depth)),
                Task::Join(condition) => {
                    let (no, yes) = (made.pop().expect("made"), made.pop().expect("made"));
                    made.push(b.mk(Op::Ite, sort, &[condition, yes, no]));
                }
            }
        }
        made.pop().expect("a program was made")
    }

    /// Looks for a model among random inputs.
    fn try_inputs(&self, dice: &mut Dice, b: &mut Builder, constants: &[Term]) -> Truth {
        let config = Config { steps: 2_000_000, ..Config::default() };
        let assertions: Vec<Term> = b.made().script.assertions().collect();
        for _ in 0..TRIES {
            let mut model = Box::<Model>::default();
            for &x in constants {
                let value = match b.terms().sort_of(x) {
                    Sort::STRING => {
                        let length = dice.between(0, self.max_string);
                        Value::Str(Str::from(&dice.word(length)[..]))
                    }
                    Sort::BOOL => Value::Bool(dice.below(2) == 0),
                    _ => {
                        let n = Int::from(dice.between(0, self.max_int));
                        Value::Int(if dice.below(4) == 0 { -n } else { n })
                    }
                };
                if let Head::Fun(f) = b.terms().head(x) {
                    model.assign(f, value);
                }
            }
            let mut e = Evaluator::with(b.terms(), &model, config, RegexStore::new());
            if assertions.iter().all(|&t| e.truth(t) == semantics::Satisfaction::Holds) {
                return Truth::Sat(model);
            }
        }
        Truth::Unknown
    }
}

impl Client<'_> {
    /// A program with calls of the library in it, and the calls.
    fn body(&self, scope: &Scope, dice: &mut Dice, b: &mut Builder) -> (Term, Vec<Term>) {
        let shape = self.shape;
        let sort = *dice.pick(&shape.sorts.0);
        let mut body = shape.program(self.grammar, scope, dice, b, sort, shape.client_depth);
        let mut calls = Vec::new();
        for _ in 0..shape.num_lib_calls {
            let call = self.call(scope, dice, b);
            let places = places(b, body, self.sort, &calls);
            match places.is_empty() {
                false => {
                    let place = *dice.pick(&places);
                    body = substitute(b.pool(), body, &FxHashMap::from_iter([(place, call)]));
                }
                true if calls.is_empty() => body = self.around(scope, dice, b, body, call),
                true => break,
            }
            calls.push(call);
        }
        (body, calls)
    }

    fn call(&self, scope: &Scope, dice: &mut Dice, b: &mut Builder) -> Term {
        let mut terms = Terms { grammar: self.grammar, scope, dice };
        let args: Vec<Term> = self.params.iter().map(|&s| terms.term(b, s, self.shape.expr_depth)).collect();
        b.pool().apply(self.lib, &args)
    }

    /// A program with no place for a call: the call decides whether it is taken.
    fn around(&self, scope: &Scope, dice: &mut Dice, b: &mut Builder, body: Term, call: Term) -> Term {
        let sort = b.terms().sort_of(body);
        let mut terms = Terms { grammar: self.grammar, scope, dice };
        let (literal, other) = (terms.literal(b, self.sort), terms.literal(b, sort));
        let condition = b.eq(call, literal);
        b.mk(Op::Ite, sort, &[condition, body, other])
    }
}

fn define(b: &mut Builder, name: &str, params: &[Sort], ret: Sort, vars: Box<[Term]>, body: Term) -> Fun {
    let pool = b.pool();
    let name = pool.names.intern(name);
    let f = pool.declare(name, params.into(), ret);
    pool.define(f, vars, body);
    f
}

/// The subterms of this sort that a call may replace: not the root, no call, nothing inside or around one.
fn places(b: &Builder, body: Term, sort: Sort, calls: &[Term]) -> Vec<Term> {
    let pool = b.terms();
    let (mut seen, mut stack, mut order) = (FxHashSet::default(), vec![body], Vec::new());
    while let Some(t) = stack.pop() {
        if seen.insert(t) {
            order.push(t);
            if !calls.contains(&t) {
                stack.extend(pool.args(t).iter().rev());
            }
        }
    }
    // Ids are in topological order: a term is known to contain a call after its arguments.
    let mut sorted = order.clone();
    sorted.sort_unstable();
    let mut with_call: FxHashSet<Term> = calls.iter().copied().collect();
    for &t in &sorted {
        if pool.args(t).iter().any(|a| with_call.contains(a)) {
            with_call.insert(t);
        }
    }
    order.into_iter().filter(|&t| t != body && pool.sort_of(t) == sort && !with_call.contains(&t)).collect()
}

/// `t` with calls of `old` as calls of `new`.
fn rename(b: &mut Builder, t: Term, old: Fun, new: Fun) -> Term {
    let is_call = |t: &Term| b.terms().head(*t) == Head::Fun(old);
    let calls: Vec<Term> = b.terms().subterms([t]).filter(is_call).collect();
    let mut map = FxHashMap::default();
    for call in calls {
        let args = b.terms().args(call).to_vec();
        let renamed = b.pool().apply(new, &args);
        map.insert(call, renamed);
    }
    substitute(b.pool(), t, &map)
}

/// The conditions under which evaluating `root` comes to `target`, outermost first.
fn path_to(b: &mut Builder, root: Term, target: Term) -> Vec<Term> {
    // The first occurrence of each term: its parent and its argument number.
    let mut from: FxHashMap<Term, (Term, usize)> = FxHashMap::default();
    let mut stack = vec![root];
    let mut seen = FxHashSet::default();
    while let Some(t) = stack.pop() {
        if t == target {
            break;
        }
        if !seen.insert(t) {
            continue;
        }
        let args = b.terms().args(t).to_vec();
        for (i, &a) in args.iter().enumerate().rev() {
            from.entry(a).or_insert((t, i));
            stack.push(a);
        }
    }
    let mut out = Vec::new();
    let mut at = target;
    while let Some(&(parent, i)) = from.get(&at).filter(|_| at != root) {
        if b.terms().head(parent) == Head::Op(Op::Ite) && i > 0 {
            let condition = b.terms().args(parent)[0];
            out.push(if i == 1 { condition } else { b.not(condition) });
        }
        at = parent;
    }
    out.reverse();
    out
}
