//! Preprocessing by evaluation: models of the original assertions extend to the remaining ones, and models of those carry
//! back.

use super::*;
use crate::dice::Dice;
use semantics::{Satisfaction, Str, Value};
use smt::Int;

fn parse(text: &str, pool: &mut Pool) -> Vec<Term> {
    let parsed = smt::parse(text.as_bytes(), None, pool);
    assert!(parsed.is_ok(), "{:?}", parsed.diagnostics);
    parsed.script.assertions().collect()
}

fn plain_run(pool: &mut Pool, assertions: &[Term]) -> Preprocessed {
    run(pool, assertions, &mut negative_literals, false)
}

/// A rewriter that only turns `(- 1)` into a literal.
fn negative_literals(pool: &mut Pool, t: Term) -> Term {
    let mut parts: Vec<Term> = terms::parts(pool, t, usize::MAX).unwrap().into_iter().collect();
    parts.sort();
    let mut map = FxHashMap::default();
    for t in parts {
        if let (Head::Op(Op::Neg), &[a]) = (pool.head(t), pool.args(t))
            && let Head::Int(n) = pool.head(a)
        {
            let n = -pool.int_value(n).clone();
            map.insert(t, pool.int(n));
        }
    }
    pool.replace(t, &mut map)
}

fn holds(pool: &Pool, model: &Model, assertions: &[Term]) -> bool {
    let mut e = Evaluator::new(pool, model);
    assertions.iter().all(|&t| match e.truth(t) {
        Satisfaction::Holds => true,
        Satisfaction::Fails => false,
        Satisfaction::Undetermined(why) => panic!("{why:?}"),
    })
}

fn domain(sort: Sort) -> Vec<Value> {
    match sort {
        Sort::BOOL => vec![Value::Bool(false), Value::Bool(true)],
        Sort::INT => (-2..=2).map(|n: i64| Value::Int(Int::from(n))).collect(),
        _ => ["", "a", "b", "ab", "ba", "0"].iter().map(|w| Value::Str(Str::from_text(w).unwrap())).collect(),
    }
}

/// Calls `f` with every assignment of the domains to the constants, or with `most` random ones if there are more.
fn assignments(pool: &Pool, funs: &[Fun], dice: &mut Dice, most: usize, mut f: impl FnMut(&mut Model)) {
    let domains: Vec<Vec<Value>> = funs.iter().map(|&c| domain(pool.fun(c).ret)).collect();
    let all = domains.iter().try_fold(1usize, |n, d| n.checked_mul(d.len())).unwrap_or(usize::MAX);
    for i in 0..all.min(most) {
        let (mut model, mut i) = (Model::new(), i);
        for (&c, d) in funs.iter().zip(&domains) {
            let at = if all <= most { i % d.len() } else { dice.below(d.len()) };
            i /= d.len();
            model.assign(c, d[at].clone());
        }
        f(&mut model);
    }
}

/// Checks both directions; the number of models in each.
fn agree(pool: &mut Pool, given: &[Term], pre: &Preprocessed, dice: &mut Dice) -> (usize, usize) {
    let gone: FxHashSet<Fun> = pre.defs.iter().map(|d| d.0).collect();
    let fresh: FxHashSet<Fun> = pre.fresh.iter().map(|d| d.0).collect();
    let constants: Vec<Fun> = (0..pool.fun_count() as u32)
        .map(Fun)
        .filter(|&f| pool.fun(f).params.is_empty() && pool.fun(f).def.is_none())
        .collect();
    let original: Vec<Fun> = constants.iter().copied().filter(|f| !fresh.contains(f)).collect();
    let left: Vec<Fun> = constants.iter().copied().filter(|f| !gone.contains(f)).collect();
    let (mut there, mut back) = (0, 0);
    let pool = &*pool;
    assignments(pool, &original, dice, 3_000, |model| {
        if holds(pool, model, given) {
            let values: Vec<Value> = {
                let mut e = Evaluator::new(pool, model);
                pre.fresh.iter().map(|f| e.eval(f.1).unwrap()).collect()
            };
            pre.fresh.iter().zip(values).for_each(|(f, v)| model.assign(f.0, v));
            assert!(holds(pool, model, &pre.assertions), "a model is lost");
            there += 1;
        }
    });
    assignments(pool, &left, dice, 3_000, |model| {
        if holds(pool, model, &pre.assertions) {
            pre.carry_back(pool, model).unwrap();
            assert!(holds(pool, model, given), "a model is made up");
            back += 1;
        }
    });
    (there, back)
}

/// Sorts by their first letter.
fn sort_named(c: u8) -> Sort {
    match c {
        b'b' => Sort::BOOL,
        b'i' => Sort::INT,
        _ => Sort::STRING,
    }
}

struct Gen<'a> {
    pool: &'a mut Pool,
    dice: &'a mut Dice,
    consts: Vec<Term>,
}

impl Gen<'_> {
    fn op(&mut self, op: Op, args: &[Term]) -> Term {
        self.pool.op(op, args).unwrap()
    }

    fn leaf(&mut self, sort: Sort) -> Term {
        let fit: Vec<Term> = self.consts.iter().copied().filter(|&c| self.pool.sort_of(c) == sort).collect();
        if self.dice.below(5) > 0 {
            return self.dice.pick(&fit);
        }
        match sort {
            Sort::BOOL => self.dice.pick(&fit),
            Sort::INT => {
                let n = self.dice.below(3) as i64 - 1;
                self.pool.int(n)
            }
            _ => {
                let word = self.dice.pick(&["", "a", "ab"]);
                self.pool.string(&word.bytes().map(u32::from).collect::<Vec<_>>())
            }
        }
    }

    /// A random term; the recursion is as deep as `depth`.
    fn term(&mut self, sort: Sort, depth: usize) -> Term {
        if depth == 0 || self.dice.below(6) == 0 {
            return self.leaf(sort);
        }
        let d = depth - 1;
        let (op, sorts): (Op, &str) = match sort {
            Sort::BOOL => self.dice.pick(&[
                (Op::Not, "b"),
                (Op::And, "bb"),
                (Op::Or, "bb"),
                (Op::Or, "bb"),
                (Op::Xor, "bb"),
                (Op::Eq, "bb"),
                (Op::Eq, "ss"),
                (Op::Eq, "ii"),
                (Op::Distinct, "ss"),
                (Op::Distinct, "ii"),
                (Op::Le, "ii"),
                (Op::Lt, "ii"),
                (Op::Ge, "ii"),
                (Op::Gt, "ii"),
                (Op::StrLt, "ss"),
                (Op::StrLe, "ss"),
                (Op::StrContains, "ss"),
                (Op::StrPrefixof, "ss"),
                (Op::StrSuffixof, "ss"),
                (Op::StrIsDigit, "s"),
                (Op::Ite, "bbb"),
            ]),
            Sort::INT => self.dice.pick(&[
                (Op::Add, "ii"),
                (Op::Add, "iii"),
                (Op::Sub, "ii"),
                (Op::Sub, "iii"),
                (Op::Neg, "i"),
                (Op::StrLen, "s"),
                (Op::Ite, "bii"),
                (Op::IntDiv, "i"),
                (Op::Mul, "i"),
            ]),
            _ => self.dice.pick(&[
                (Op::StrConcat, "ss"),
                (Op::StrConcat, "ss"),
                (Op::StrRev, "s"),
                (Op::Ite, "bss"),
                (Op::StrReplace, "sss"),
            ]),
        };
        let mut args: Vec<Term> = sorts.bytes().map(|c| self.term(sort_named(c), d)).collect();
        if matches!(op, Op::IntDiv | Op::Mul) {
            let n = self.dice.pick(&[-2, -1, 1, 2]);
            args.push(self.pool.int(n));
        }
        self.op(op, &args)
    }

    fn assertion(&mut self) -> Term {
        match self.dice.below(4) {
            0 => {
                let c = self.dice.below(self.consts.len());
                let c = self.consts[c];
                let sort = self.pool.sort_of(c);
                let t = self.term(sort, 2);
                self.op(Op::Eq, &[t, c])
            }
            1 => {
                let (a, b) = (self.term(Sort::INT, 2), self.term(Sort::INT, 1));
                self.op(Op::Eq, &[a, b])
            }
            _ => self.term(Sort::BOOL, 3),
        }
    }
}

#[test]
fn random_assertions_keep_their_models() {
    let (mut there, mut back, mut gone, mut fresh) = (0, 0, 0, 0);
    for seed in 1..250u64 {
        let mut dice = Dice::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut pool = Pool::new();
        let mut consts = Vec::new();
        for (name, sort) in
            [("x", Sort::STRING), ("y", Sort::STRING), ("i", Sort::INT), ("j", Sort::INT), ("p", Sort::BOOL)]
        {
            let name = pool.names.intern(name);
            let f = pool.declare(name, Box::new([]), sort);
            consts.push(pool.apply(f, &[]));
        }
        let mut g = Gen { pool: &mut pool, dice: &mut dice, consts };
        let given: Vec<Term> = (0..1 + g.dice.below(3)).map(|_| g.assertion()).collect();
        let pre = plain_run(&mut pool, &given);
        assert_eq!(pre.incomplete, None);
        gone += pre.defs.len();
        fresh += pre.fresh.len();
        let (t, b) = agree(&mut pool, &given, &pre, &mut dice);
        there += t;
        back += b;
    }
    assert!(there > 10_000 && back > 10_000 && gone > 200 && fresh > 100, "{there} {back} {gone} {fresh}");
}

/// Each rule alone: an application with a free constant becomes a constant.
#[test]
fn each_rule_applies() {
    for t in [
        "(+ x j)",
        "(+ j j x)",
        "(- x j j)",
        "(- j x)",
        "(- j j x j)",
        "(- x)",
        "(* x (- 1))",
        "(div x 3)",
        "(div x (- 2))",
        "(ite (= j 1) x x2)",
        "(ite b x j)",
        "(ite b j x)",
        "(ite b x x2)",
    ] {
        check_rule(t, "(<= (* @ @) (+ j 4))");
    }
    for t in [
        "(= x j)",
        "(distinct j x)",
        "(= b c)",
        "(xor c b)",
        "(distinct b c)",
        "(not b)",
        "(and b b2)",
        "(or b b2)",
        "(<= x j)",
        "(<= j x)",
        "(< x j)",
        "(< j x)",
        "(>= x j)",
        "(>= j x)",
        "(> x j)",
        "(> j x)",
        "(= s w)",
        "(distinct w s)",
        "(str.< w s)",
        "(str.<= s w)",
        "(str.contains w s)",
        "(str.prefixof s w)",
        "(str.suffixof s w)",
        "(str.contains s \"ab\")",
        "(str.prefixof \"ab\" s)",
        "(str.suffixof \"ab\" s)",
        "(str.is_digit s)",
    ] {
        check_rule(t, "(and (=> @ (= j 1)) (or c @))");
    }
    for t in ["(str.++ s s2)", "(str.rev s)", "(ite b s w)"] {
        check_rule(t, "(= (str.++ @ w) (str.++ w @))");
    }
    for t in [
        "(str.< s w)",
        "(str.<= w s)",
        "(str.++ s w)",
        "(str.contains s w)",
        "(* x 2)",
        "(+ x x)",
        "(and b c)",
    ] {
        let context = match t {
            "(str.++ s w)" => "(= (str.++ @ w) (str.++ w @))",
            "(* x 2)" | "(+ x x)" => "(<= (* @ @) (+ j 4))",
            _ => "(and (=> @ (= j 1)) (or c @))",
        };
        assert!(preprocessed(t, context).2.fresh.is_empty(), "{t} cannot have every value");
    }
}

/// Preprocesses `t` in a context where `c`, `j` and `w` occur several times, so that they are not eliminated.
fn preprocessed(t: &str, context: &str) -> (Pool, Vec<Term>, Preprocessed) {
    let mut pool = Pool::new();
    let text = format!(
        "(declare-const x Int)(declare-const x2 Int)(declare-const j Int)(declare-const b Bool)\
         (declare-const b2 Bool)(declare-const c Bool)(declare-const s String)(declare-const s2 String)\
         (declare-const w String)(define-fun keep () Bool (or (= w (str.++ w w)) (= (* j j) j) (= c (> (* j j) 1))))\
         (assert keep)(assert (or keep c (not (= w \"a\"))(< (* j j j) (str.len w))))(assert {})",
        context.replace('@', t)
    );
    let given = parse(&text, &mut pool);
    let pre = plain_run(&mut pool, &given);
    (pool, given, pre)
}

fn check_rule(t: &str, context: &str) {
    let (mut pool, given, pre) = preprocessed(t, context);
    assert!(!pre.fresh.is_empty(), "{t}: nothing was done");
    let (there, back) = agree(&mut pool, &given, &pre, &mut Dice::new(77));
    assert!(there > 0 && back > 0, "{t}: {there} {back}");
}

#[test]
fn definitions_are_inlined() {
    let mut pool = Pool::new();
    let given = parse(
        "(declare-const x String)
         (define-fun twice ((s String)) String (str.++ s s))
         (define-fun four ((s String) (t String)) Bool (= t (twice (twice s))))
         (define-fun some ((s String)) Bool (exists ((t String)) (and (str.contains t s) (str.contains t \"a\"))))
         (assert (! (four x (twice \"abab\")) :named first))
         (assert (some x))
         (assert (forall ((y String)) (=> (four y x) (some \"b\"))))",
        &mut pool,
    );
    let pre = run(&mut pool, &given, &mut |_, t| t, true);
    assert_eq!(pre.incomplete, None);
    assert_eq!(pre.assertions.len(), given.len());
    let text: Vec<String> = pre.assertions.iter().map(|&t| smt::print::term_text(&pool, t)).collect();
    assert!(
        text.iter().all(|t| !["twice", "four", "some", "first"].iter().any(|n| t.contains(n))),
        "{text:?}"
    );
    assert!(text[1].contains("exists"));
}

#[test]
fn definitions_that_cannot_be_inlined_are_reported() {
    let cases = [
        (
            "(define-fun-rec f ((n Int)) Int (ite (= n 0) 0 (f (- n 1))))(assert (= (f 3) 0))",
            "recursive function",
        ),
        (
            "(define-fun f ((s String)) Bool (exists ((y String)) (= y s)))(assert (forall ((y String)) (f y)))",
            "quantifier in a definition",
        ),
        (
            "(define-fun f ((s String)) Bool (exists ((s String)) (= \"\" s)))(assert (f \"a\"))",
            "quantifier in a definition",
        ),
    ];
    for (text, why) in cases {
        let mut pool = Pool::new();
        let given = parse(text, &mut pool);
        let pre = run(&mut pool, &given, &mut |_, t| t, true);
        assert_eq!(pre.incomplete.as_deref(), Some(why));
        let whole = |list: &[smt::Term]| smt::print::term_text(&pool, list[0]);
        assert!(whole(&pre.assertions).contains(&whole(&given)), "{}", whole(&pre.assertions));
    }
}

#[test]
fn long_chains_of_equalities() {
    const N: usize = 20_000;
    let mut pool = Pool::new();
    let c: Vec<Term> = (0..N)
        .map(|i| {
            let name = pool.names.intern(&format!("c{i}"));
            let f = pool.declare(name, Box::new([]), Sort::STRING);
            pool.apply(f, &[])
        })
        .collect();
    let a = pool.string(&[97]);
    let mut given = Vec::new();
    for i in 1..N {
        let t = if i % 2 == 0 { c[i] } else { pool.op(Op::StrConcat, &[a, c[i]]).unwrap() };
        given.push(pool.op(Op::Eq, &[c[i - 1], t]).unwrap());
    }
    let len = pool.op(Op::StrLen, &[c[0]]).unwrap();
    let n = pool.int(N as i64 / 2);
    given.push(pool.op(Op::Eq, &[len, n]).unwrap());
    let pre = plain_run(&mut pool, &given);
    // The size of a replacement is limited, so some constants stay.
    assert!(
        pre.assertions.len() < 20 && pre.defs.len() > N - 20,
        "{} {}",
        pre.assertions.len(),
        pre.defs.len()
    );
}

#[test]
fn contradictions_stay_contradictions() {
    let mut pool = Pool::new();
    let text =
        "(declare-const p Bool)(declare-const x Int)(assert (and p (= x 1)))(assert (not p))(assert (= x 2))";
    let given = parse(text, &mut pool);
    let pre = plain_run(&mut pool, &given);
    assert!(!holds(&pool, &Model::new(), &pre.assertions));
}

#[test]
fn replacements_are_not_replaced_in_the_same_round() {
    let mut pool = Pool::new();
    let text =
        "(declare-const x String)(declare-const y String)(declare-const z String)(declare-const w String)
        (assert (= x (str.++ y \"a\")))(assert (= y (str.++ z w)))(assert (= w (str.rev z)))
        (assert (or (= (str.len x) 1) (= (str.len y) (str.len (str.++ w \"b\" x)))))";
    let given = parse(text, &mut pool);
    let pre = plain_run(&mut pool, &given);
    assert_eq!((pre.assertions.len(), pre.defs.len()), (1, 3));
    let (there, back) = agree(&mut pool, &given, &pre, &mut Dice::new(5));
    assert!(there > 0 && back > 0);
    let left = terms::parts(&pool, pre.assertions[0], usize::MAX).unwrap();
    assert!(pre.defs.iter().all(|&(f, _)| left.iter().all(|&t| pool.head(t) != Head::Fun(f))));
}
