//! Depth costs the evaluator memory, not stack: terms a million deep, on a stack of 256 KiB.

use smt::Pool;
use stringent_semantics::regex::RegexStore;
use stringent_semantics::{Config, Evaluator, Model, Satisfaction};

const DEEP: usize = 1_000_000;

fn on_a_small_stack(f: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(f).expect("a thread");
    if let Err(e) = thread.join() {
        std::panic::resume_unwind(e);
    }
}

fn nest(before: &str, middle: &str, after: &str) -> String {
    format!("{}{middle}{}", before.repeat(DEEP), after.repeat(DEEP))
}

/// The truth of the last assertion, within `config`.
fn truth(text: &str, config: Config) -> Satisfaction {
    let mut pool = Pool::new();
    let parsed = smt::parse(text.as_bytes(), None, &mut pool);
    assert!(parsed.is_ok(), "{:?}", &parsed.diagnostics[..1]);
    let model = Model::new();
    let mut evaluator = Evaluator::with(&pool, &model, config, RegexStore::new());
    let t = parsed.script.assertions().last().expect("an assertion");
    evaluator.truth(t)
}

fn holds(text: String) {
    on_a_small_stack(move || assert_eq!(truth(&text, Config::default()), Satisfaction::Holds));
}

#[test]
fn connectives() {
    holds(format!("(assert {})", nest("(not ", "true", ")")));
    holds(format!("(assert {})", nest("(and true ", "true", ")")));
    holds(format!("(assert {})", nest("(or ", "true", " false)")));
    holds(format!("(assert {})", nest("(=> true ", "true", ")")));
    holds(format!("(assert {})", nest("(= true ", "true", ")")));
}

#[test]
fn ite() {
    holds(format!("(assert {})", nest("(ite true ", "true", " false)")));
    holds(format!("(assert {})", nest("(ite ", "true", " true false)")));
}

#[test]
fn concatenations() {
    holds(format!("(assert (= {DEEP} (str.len {})))", nest("(str.++ \"a\" ", "\"\"", ")")));
    holds(format!("(assert (= {DEEP} (str.len {})))", nest("(str.++ ", "\"\"", " \"a\")")));
    holds(format!("(assert (= \"\" {}))", nest("(str.substr ", "\"\"", " 0 1)")));
}

#[test]
fn sums() {
    holds(format!("(assert (= {DEEP} {}))", nest("(+ 1 ", "0", ")")));
    holds(format!("(assert (= 0 {}))", nest("(- ", "0", ")")));
}

#[test]
fn lets() {
    holds(format!("(assert (let ((x true)) {}))", nest("(let ((x (not x))) ", "x", ")")));
    holds(format!("(assert (let ((x true)) {}))", nest("(let ((x (and x x))) ", "x", ")")));
}

#[test]
fn annotations() {
    holds(format!("(assert {})", nest("(! ", "true", " :weight 1)")));
}

#[test]
fn regular_expressions() {
    let matches = |re: String| format!("(assert (str.in_re \"a\" {re}))");
    let a = "(str.to_re \"a\")";
    holds(matches(nest("(re.* ", a, ")")));
    holds(matches(nest("(re.opt ", a, ")")));
    holds(matches(nest("(re.comp ", a, ")")));
    holds(matches(nest("(re.union re.none ", a, ")")));
    holds(matches(nest("(re.inter re.all ", a, ")")));
    holds(matches(nest("(re.++ (str.to_re \"\") ", a, ")")));
}

#[test]
fn calls() {
    let f = "(define-fun f ((x Bool)) Bool (not x))\n";
    holds(format!("{f}(assert {})", nest("(f ", "true", ")")));
    let rec = "(define-fun-rec g ((n Int)) Bool (ite (= n 0) true (g (- n 1))))\n";
    holds(format!("{rec}(assert (g {DEEP}))"));
}

#[test]
fn quantifiers() {
    holds(format!("(assert {})", nest("(forall ((b Bool)) (or true ", "b", "))")));
}

/// The value may be undetermined, but evaluation must end.
#[test]
fn unbounded_quantifiers() {
    for text in [
        format!("(assert {})", nest("(forall ((x Int)) ", "(= x x)", ")")),
        format!("(assert {})", nest("(exists ((x Int)) (and (< 0 x) ", "(= x 1)", "))")),
    ] {
        on_a_small_stack(move || {
            let config = Config { steps: 50_000, ..Config::default() };
            truth(&text, config);
        });
    }
}
