//! Quantifiers over reals in linear comparisons, against trying all numbers of a grid that is fine enough.

use stringent_semantics::smt::{self, Dialect, Pool};
use stringent_semantics::{Evaluator, Model, Satisfaction};

/// `a x + b y + c < 0`, or another comparison.
#[derive(Clone, Copy)]
struct Atom {
    a: i64,
    b: i64,
    c: i64,
    op: &'static str,
}

impl Atom {
    fn text(self) -> String {
        let Atom { a, b, c, op } = self;
        let n = |n: i64| if n < 0 { format!("(- {}.0)", -n) } else { format!("{n}.0") };
        format!("({op} (+ (* {} x) (* {} y)) {})", n(a), n(b), n(-c))
    }

    /// For `x` and `y` in eighths.
    fn holds(self, x: i64, y: i64) -> bool {
        let n = self.a * x + self.b * y + 8 * self.c;
        match self.op {
            "<" => n < 0,
            "<=" => n <= 0,
            ">" => n > 0,
            ">=" => n >= 0,
            "=" => n == 0,
            _ => n != 0,
        }
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn number(&mut self, most: i64) -> i64 {
        self.below(2 * most as u64 + 1) as i64 - most
    }
}

fn truth(text: &str) -> Satisfaction {
    let mut pool = Pool::new();
    let parsed = smt::parse(format!("(assert {text})").as_bytes(), Some(Dialect::Smt26), &mut pool);
    assert!(parsed.is_ok(), "{text}: {:?}", parsed.diagnostics);
    let t = parsed.script.assertions().next().expect("one");
    Evaluator::new(&pool, &Model::new()).truth(t)
}

#[test]
fn random_formulas() {
    let mut random = Random(5);
    let mut both = [0, 0];
    for _ in 0..600 {
        let ops = ["<", "<=", ">", ">=", "=", "distinct"];
        let atoms: Vec<Atom> = (0..2 + random.below(2))
            .map(|_| Atom {
                a: random.number(1),
                b: random.number(1),
                c: random.number(2),
                op: ops[random.below(6) as usize],
            })
            .collect();
        // A disjunction of conjunctions, as bits.
        let cases: Vec<u64> = (0..2).map(|_| 1 + random.below((1 << atoms.len()) - 1)).collect();
        let parts =
            |case: u64| atoms.iter().enumerate().filter(move |(i, _)| case >> i & 1 == 1).map(|(_, a)| *a);
        let case_text =
            |&case: &u64| format!("(and true {})", parts(case).map(Atom::text).collect::<Vec<_>>().join(" "));
        let body = format!("(or {})", cases.iter().map(case_text).collect::<Vec<_>>().join(" "));
        let holds = |x, y| cases.iter().any(|&case| parts(case).all(|a| a.holds(x, y)));
        // The zeros of differences are halves, so that quarters of x and eighths of y are enough.
        let xs = || (-20..=20).map(|x| 2 * x);
        let ys = || -80..=80;
        let (outer, inner) = (random.below(2) == 0, random.below(2) == 0);
        let of = |all: bool, mut values: Box<dyn Iterator<Item = bool>>| {
            if all { values.all(|b| b) } else { values.any(|b| b) }
        };
        let want = of(
            outer,
            Box::new(xs().map(|x| {
                of(inner, Box::new(ys().map(move |y| holds(x, y)).collect::<Vec<_>>().into_iter()))
            })),
        );
        let name = |all| if all { "forall" } else { "exists" };
        let mut texts = vec![format!("({} ((x Real)) ({} ((y Real)) {body}))", name(outer), name(inner))];
        if outer == inner {
            texts.push(format!("({} ((x Real) (y Real)) {body})", name(outer)));
        }
        for text in texts {
            let wanted = if want { Satisfaction::Holds } else { Satisfaction::Fails };
            assert_eq!(truth(&text), wanted, "{text}");
            both[usize::from(want)] += 1;
        }
    }
    assert!(both.iter().all(|&n| n > 100), "{both:?}");
}

#[test]
fn what_is_not_linear_stays_open() {
    for (text, open) in [
        ("(exists ((x Real)) (= (* x x) 2.0))", true),
        ("(forall ((x Real)) (forall ((x Real)) (< x (+ x 1.0))))", true),
        ("(forall ((w Real)) (exists ((x Real)) (and (< x w) (exists ((w Real)) (< x w)))))", true),
        ("(forall ((x Real) (i Int)) (=> (and (>= i 0) (<= i 2)) (< x (+ x 1.0 (to_real i)))))", true),
        ("(forall ((x Real) (b Bool)) (= (ite b (> x 1.0) (<= x 1.0)) (= b (> x 1.0))))", false),
        ("(forall ((x Real)) (= (> (/ x 2.0) 1.0) (> (* 3.0 (- x)) (- 6.0))))", false),
    ] {
        let value = truth(text);
        assert_eq!(!matches!(value, Satisfaction::Holds | Satisfaction::Fails), open, "{text}: {value:?}");
    }
}
