//! Bit-vectors: every operator on all values of up to four bits, beside machine arithmetic, and models of z3 and cvc5.

use stringent_semantics::smt::{self, Pool};
use stringent_semantics::{Conclusion, Evaluator, Model, Options, Satisfaction, judge};

/// An operator with the number that its result is, for a width and two numbers; of relations 0 or 1.
type Row = (&'static str, fn(u32, i64, i64) -> i64);

fn signed(n: u32, a: i64) -> i64 {
    if a >> (n - 1) & 1 == 1 { a - (1 << n) } else { a }
}

fn outside(n: u32, a: i64) -> i64 {
    i64::from(a < -(1 << (n - 1)) || a >= 1 << (n - 1))
}

/// Both arguments and the result have the same width.
const FUNCTIONS: &[Row] = &[
    ("bvand", |_, a, b| a & b),
    ("bvor", |_, a, b| a | b),
    ("bvxor", |_, a, b| a ^ b),
    ("bvnand", |_, a, b| !(a & b)),
    ("bvnor", |_, a, b| !(a | b)),
    ("bvxnor", |_, a, b| !(a ^ b)),
    ("bvadd", |_, a, b| a + b),
    ("bvsub", |_, a, b| a - b),
    ("bvmul", |_, a, b| a * b),
    ("bvudiv", |_, a, b| if b == 0 { -1 } else { a / b }),
    ("bvurem", |_, a, b| if b == 0 { a } else { a % b }),
    ("bvsdiv", |n, a, b| match (signed(n, a), signed(n, b)) {
        (a, 0) => {
            if a < 0 {
                1
            } else {
                -1
            }
        }
        (a, b) => a / b,
    }),
    ("bvsrem", |n, a, b| match (signed(n, a), signed(n, b)) {
        (a, 0) => a,
        (a, b) => a % b,
    }),
    ("bvsmod", |n, a, b| match (signed(n, a), signed(n, b)) {
        (a, 0) => a,
        (a, b) => (a % b + b) % b,
    }),
    ("bvshl", |_, a, b| a << b),
    ("bvlshr", |_, a, b| a >> b),
    ("bvashr", |n, a, b| signed(n, a) >> b),
];

const RELATIONS: &[Row] = &[
    ("bvult", |_, a, b| i64::from(a < b)),
    ("bvule", |_, a, b| i64::from(a <= b)),
    ("bvugt", |_, a, b| i64::from(a > b)),
    ("bvuge", |_, a, b| i64::from(a >= b)),
    ("bvslt", |n, a, b| i64::from(signed(n, a) < signed(n, b))),
    ("bvsle", |n, a, b| i64::from(signed(n, a) <= signed(n, b))),
    ("bvsgt", |n, a, b| i64::from(signed(n, a) > signed(n, b))),
    ("bvsge", |n, a, b| i64::from(signed(n, a) >= signed(n, b))),
    ("bvuaddo", |n, a, b| i64::from(a + b >= 1 << n)),
    ("bvusubo", |_, a, b| i64::from(a < b)),
    ("bvumulo", |n, a, b| i64::from(a * b >= 1 << n)),
    ("bvsaddo", |n, a, b| outside(n, signed(n, a) + signed(n, b))),
    ("bvssubo", |n, a, b| outside(n, signed(n, a) - signed(n, b))),
    ("bvsmulo", |n, a, b| outside(n, signed(n, a) * signed(n, b))),
    ("bvsdivo", |n, a, b| i64::from(signed(n, a) == -(1 << (n - 1)) && signed(n, b) == -1)),
];

fn literal(n: u32, a: i64) -> String {
    (0..n).rev().fold("#b".to_owned(), |text, i| text + if a >> i & 1 == 1 { "1" } else { "0" })
}

/// All of them hold.
fn check(formulas: &[String]) {
    let mut pool = Pool::new();
    let script: String = formulas.iter().map(|f| format!("(assert {f})")).collect();
    let parsed = smt::parse(script.as_bytes(), None, &mut pool);
    assert!(parsed.is_ok(), "{:?}", parsed.diagnostics);
    let model = Model::new();
    let mut e = Evaluator::new(&pool, &model);
    for (formula, t) in formulas.iter().zip(parsed.script.assertions()) {
        assert_eq!(e.truth(t), Satisfaction::Holds, "{formula}");
    }
}

#[test]
fn operators_on_all_small_vectors() {
    for n in 1..=4 {
        let mut formulas = Vec::new();
        for (a, b) in (0..1 << n).flat_map(|a| (0..1 << n).map(move |b| (a, b))) {
            let (x, y) = (literal(n, a), literal(n, b));
            for (op, value) in FUNCTIONS {
                formulas.push(format!("(= ({op} {x} {y}) {})", literal(n, value(n, a, b))));
            }
            for (op, value) in RELATIONS {
                formulas.push(format!("(= ({op} {x} {y}) {})", value(n, a, b) == 1));
            }
            formulas.push(format!("(= (concat {x} {y}) {})", literal(2 * n, a << n | b)));
            formulas.push(format!("(= (bvcomp {x} {y}) {})", literal(1, i64::from(a == b))));
        }
        check(&formulas);
    }
}

#[test]
fn operators_on_one_small_vector() {
    for n in 1..=4 {
        let mut formulas = Vec::new();
        for a in 0..1 << n {
            let x = literal(n, a);
            let mut is = |op: &str, value: String| formulas.push(format!("(= ({op} {x}) {value})"));
            is("bvnot", literal(n, !a));
            is("bvneg", literal(n, -a));
            is("bvnego", (a == 1 << (n - 1)).to_string());
            is("ubv_to_int", a.to_string());
            let s = signed(n, a);
            is("sbv_to_int", if s < 0 { format!("(- {})", -s) } else { s.to_string() });
            is("(_ repeat 2)", literal(2 * n, a << n | a));
            is("(_ zero_extend 2)", literal(n + 2, a));
            is("(_ sign_extend 2)", literal(n + 2, s));
            for k in 0..6 {
                let j = k % n;
                is(&format!("(_ rotate_left {k})"), literal(n, a << j | a >> (n - j)));
                is(&format!("(_ rotate_right {k})"), literal(n, a >> j | a << (n - j)));
            }
            for (i, j) in (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))) {
                is(&format!("(_ extract {i} {j})"), literal(i - j + 1, a >> j));
            }
        }
        for i in -20..20i64 {
            let number = if i < 0 { format!("(- {})", -i) } else { i.to_string() };
            formulas.push(format!("(= ((_ int_to_bv {n}) {number}) {})", literal(n, i)));
        }
        check(&formulas);
    }
}

#[test]
fn literals_and_lists_of_arguments() {
    check(&[
        "(= #xaF #b10101111 (_ bv175 8) (_ bv431 8))".into(),
        "(= (bvadd #x1 #x2 #x3 #xf) #x5)".into(),
        "(= (concat #x1 #b01 #b1 #b0) #x16)".into(),
        "(distinct #x1 #x2 (bvxor #x1 #x2))".into(),
        "(= (bvmul #xffffffffffffffffffff #xffffffffffffffffffff) #x00000000000000000001)".into(),
        "(= (str.from_int (ubv_to_int #xff)) \"255\")".into(),
    ]);
}

#[test]
fn models_of_others() {
    let script = "(set-logic ALL)(declare-const x (_ BitVec 8))(declare-fun f ((_ BitVec 8)) (_ BitVec 3))(assert (bvult x (concat (f x) #b00000)))(check-sat)";
    for (x, f, wanted) in
        [("#x0f", "#b001", true), ("#b00001111", "#b000", false), ("(_ bv15 8)", "(_ bv1 3)", true)]
    {
        let function =
            format!("(define-fun f ((x!0 (_ BitVec 8))) (_ BitVec 3) (ite (= x!0 #x0f) {f} #b000))");
        let model = format!("sat\n(\n(define-fun x () (_ BitVec 8) {x})\n{function}\n)");
        let report = judge(script, &model, Options::default()).expect("a model");
        let wanted = if wanted { Conclusion::Holds } else { Conclusion::Fails };
        assert_eq!(report.conclusion(), wanted, "{x} {f}: {report}");
    }
}
