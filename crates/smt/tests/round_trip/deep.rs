//! A million levels, on a small stack.

use super::*;

const DEEP: usize = 1_000_000;

/// Deep enough to detect a recursion.
const QUITE_DEEP: usize = 100_000;

/// Runs `f` on a stack that is too small for deep recursion.
fn on_a_small_stack(f: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(f).unwrap();
    if let Err(e) = thread.join() {
        std::panic::resume_unwind(e);
    }
}

fn nest(before: &str, middle: &str, after: &str) -> String {
    format!("{}{middle}{}", before.repeat(DEEP), after.repeat(DEEP))
}

fn less(before: &str, middle: &str, after: &str) -> String {
    format!("{}{middle}{}", before.repeat(QUITE_DEEP), after.repeat(QUITE_DEEP))
}

/// Reads, prints and reads again; the text stays the same.
fn deep_trip(text: String) {
    on_a_small_stack(move || {
        let mut pool = Pool::new();
        let script = parse(&text, Dialect::Smt26, &mut pool);
        let written = standard(&pool, &script);
        drop((script, pool));
        let mut pool = Pool::new();
        let script = parse(&written, Dialect::Smt26, &mut pool);
        assert!(standard(&pool, &script) == written);
        drop(pool);
        drop(script);
    });
}

#[test]
fn deep_not() {
    deep_trip(format!("(assert {})", nest("(not ", "true", ")")));
}

#[test]
fn deep_concatenation() {
    deep_trip(format!("(assert (= \"\" {}))", nest("(str.++ \"a\" ", "\"\"", ")")));
    deep_trip(format!("(assert (= \"\" {}))", less("(str.++ ", "\"\"", " \"a\")")));
}

#[test]
fn deep_ite() {
    deep_trip(format!("(assert {})", nest("(ite true ", "true", " false)")));
    deep_trip(format!("(assert {})", less("(ite ", "true", " true false)")));
}

#[test]
fn deep_let() {
    deep_trip(format!("(assert (let ((x true)) {}))", nest("(let ((x (not x))) ", "x", ")")));
    deep_trip(format!("(assert {})", less("(let ((x ", "true", ")) (not x))")));
}

#[test]
fn deep_sharing() {
    deep_trip(format!("(assert (let ((x true)) {}))", nest("(let ((x (and x x))) ", "x", ")")));
}

#[test]
fn deep_quantifiers() {
    deep_trip(format!("(assert {})", nest("(forall ((x Int)) ", "(= x 1)", ")")));
    deep_trip(format!("(assert {})", less("(exists ((x Int)) (and (= x 1) ", "(= x 1)", "))")));
}

#[test]
fn deep_quantifiers_with_let() {
    deep_trip(format!("(assert {})", nest("(forall ((x Int)) (let ((y x)) ", "(= y 1)", "))")));
}

#[test]
fn deep_regular_expressions() {
    deep_trip(format!("(assert (str.in_re \"\" {}))", nest("(re.* ", "re.all", ")")));
    deep_trip(format!("(assert (str.in_re \"\" {}))", less("((_ re.loop 1 2) ", "re.all", ")")));
}

#[test]
fn deep_annotations() {
    deep_trip(format!("(assert {})", nest("(! ", "true", " :weight 1)")));
    deep_trip(format!("(assert (! true :pattern ({})))", less("(not ", "true", ")")));
}

#[test]
fn deep_functions() {
    let call = less("(f ", "0", ")");
    deep_trip(format!("(declare-fun f (Int) Int)\n(assert (= 0 {call}))"));
    deep_trip(format!("(define-fun-rec f ((x Int)) Int {})", less("(f ", "x", ")")));
}

#[test]
fn deep_opaque_texts() {
    deep_trip(format!("(set-info :source {})", nest("(a ", "b", ")")));
    deep_trip(format!("(set-option :strange {})", less("(", "", ")")));
    deep_trip(format!("(frobnicate {})", nest("(a ", "\"b\"", ")")));
    deep_trip(format!("(declare-datatypes ((T 0)) {})", nest("(a ", "b", ")")));
    deep_trip(format!("(assert (= #b1 {}))", less("(bvnot ", "#b1", ")")));
    deep_trip(format!("(assert (match {} ((x true))))", less("(c ", "d", ")")));
}

#[test]
fn deep_lambdas() {
    deep_trip(format!("(assert (= 1 {}))", less("(@ (lambda ((x Int)) ", "x", ") 1)")));
    on_a_small_stack(|| {
        let text = format!("(assert {})", less("(lambda ((x Int)) ", "x", ")"));
        assert!(stringent_smt::parse(text.as_bytes(), None, &mut Pool::new()).errors() <= 1);
    });
}

#[test]
fn deep_and_wrong() {
    on_a_small_stack(|| {
        for (text, want) in [
            (
                format!("(assert {})", nest("(not ", "1", ")")),
                "argument 1 of `not` has sort Int, expected Bool",
            ),
            (format!("(assert {})", nest("(not ", "y", ")")), "unknown symbol `y`"),
            (nest("(assert ", "", ""), "unclosed `(`"),
            (nest("", "(assert true)", ")"), "unmatched `)`"),
            (
                format!("(declare-const x {})", nest("(Array Int ", "Int", ")")),
                "sort nested deeper than 200 levels",
            ),
        ] {
            let parsed = stringent_smt::parse(text.as_bytes(), None, &mut Pool::new());
            assert!(!parsed.is_ok());
            assert_eq!(parsed.diagnostics[0].message, want);
        }
    });
}

#[test]
fn deep_answers() {
    on_a_small_stack(|| {
        let mut pool = Pool::new();
        let value = nest("(str.++ \"a\" ", "x", ")");
        let text = format!("sat\n((define-fun x () String {value}))\n((x {value}))\n{}", nest("(", "", ""));
        let items = stringent_smt::answer::read(text.as_bytes(), Dialect::Smt26, &mut pool);
        assert!(matches!(&items[1], stringent_smt::answer::Item::Model(funs) if funs.len() == 1));
        assert!(matches!(&items[2], stringent_smt::answer::Item::Values(values) if values.len() == 1));
        assert!(matches!(&items[3], stringent_smt::answer::Item::Truncated(_)));
    });
}

/// Nothing here is quadratic in the number of names.
#[test]
fn wide_terms() {
    let n = 20_000;
    let many = |f: &dyn Fn(usize) -> String| (0..n).map(f).collect::<String>();
    let start = std::time::Instant::now();
    for text in [
        format!("(assert (forall ({}) (= x0 1)))", many(&|i| format!("(x{i} Int)"))),
        format!("(assert (let ({}) (= x0 1)))", many(&|i| format!("(x{i} {i})"))),
        format!("(assert (and {}))", many(&|i| format!("(! (= {i} 1) :named n{i}) n{i} "))),
        // Each of these quantifiers captures the variable that `y` stands for.
        format!(
            "(assert (forall ((x Int)) (let ((y x)) {}(= x y){})))",
            "(forall ((x Int)) ".repeat(n),
            ")".repeat(n)
        ),
        format!("{}{}", "(push 1)".repeat(n), "(pop 1)".repeat(n)),
        many(&|i| format!("(declare-const x{} Int)", i % (n / 2))),
    ] {
        trip(&text);
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn sorts_are_bounded() {
    let mut text = String::from("(define-sort S0 (X) (Array X X))\n");
    for i in 0..40 {
        text += &format!("(define-sort S{} (X) (S{i} (S{i} X)))\n", i + 1);
    }
    text += "(declare-const x (S40 Int))\n";
    let parsed = stringent_smt::parse(text.as_bytes(), None, &mut Pool::new());
    assert_eq!(parsed.diagnostics[0].message, "sort with more than 4096 names or 200 levels");
}
