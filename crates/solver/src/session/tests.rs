//! The session with an engine that tries small values and gives every kind of answer. Like the real one it creates terms,
//! functions and names, which must be removed.

use super::*;
use crate::engine::{Answer, Outcome};
use semantics::{Evaluator, Satisfaction, Str, Value};
use smt::{Head, Int, Sort};
use std::rc::Rc;

/// The declared constants in the assertions.
fn constants(pool: &Pool, terms: &[Term]) -> Vec<Fun> {
    let declared = |t| match pool.head(t) {
        Head::Fun(f) if pool.fun(f).def.is_none() && pool.fun(f).params.is_empty() => Some(f),
        _ => None,
    };
    let mut found: Vec<Fun> = pool.subterms(terms.iter().copied()).filter_map(declared).collect();
    found.sort();
    found.dedup();
    found
}

fn values(sort: Sort) -> Vec<Value> {
    match sort {
        Sort::BOOL => vec![Value::Bool(false), Value::Bool(true)],
        Sort::INT => (-2..4).map(|n| Value::Int(Int::from(n))).collect(),
        _ => ["", "a", "b", "ab", "\u{1}\""]
            .iter()
            .map(|w| Value::Str(w.chars().map(u32::from).collect::<Vec<u32>>().into()))
            .collect(),
    }
}

/// A model among small values, or none.
fn search(pool: &Pool, terms: &[Term]) -> Option<Model> {
    let funs = constants(pool, terms);
    let domains: Vec<Vec<Value>> = funs.iter().map(|&f| values(pool.fun(f).ret)).collect();
    let count: usize = domains.iter().map(Vec::len).product();
    (0..count).find_map(|mut n| {
        let mut model = Model::new();
        for (&f, domain) in funs.iter().zip(&domains) {
            model.assign(f, domain[n % domain.len()].clone());
            n /= domain.len();
        }
        let mut e = Evaluator::new(pool, &model);
        terms.iter().all(|&t| e.truth(t) == Satisfaction::Holds).then_some(model)
    })
}

fn small(pool: &mut Pool, terms: &[Term], options: &Options, stop: &Stop) -> Outcome {
    // Terms and names that the session has to remove.
    let name = pool.names.intern("k!skolem");
    let k = pool.declare(name, Box::new([]), Sort::STRING);
    let term = pool.apply(k, &[]);
    let word = pool.string(&[1, 2, 3]);
    pool.mk(Head::Op(smt::Op::StrConcat), Sort::STRING, &[term, word]);
    let answer = if stop() {
        Answer::Unknown("stopped".into())
    } else if let Some(mut model) = search(pool, terms) {
        model.assign(k, Value::Str(Str::empty()));
        if let Some(name) = pool.names.lookup("with-function") {
            let x = pool.names.intern("x!0");
            let var = pool.var(x, Sort::INT);
            let f = pool.declare(name, Box::new([Sort::INT]), Sort::INT);
            pool.define(f, Box::new([var]), var);
            model.define(pool, &[f]).expect("it is new");
        }
        Answer::Sat(Box::new(model))
    } else {
        let mut core: Vec<usize> = (0..terms.len()).collect();
        let mut i = 0;
        while options.cores && i < core.len() {
            let rest: Vec<Term> = core.iter().filter(|&&j| j != core[i]).map(|&j| terms[j]).collect();
            if search(pool, &rest).is_none() {
                core.remove(i);
            } else {
                i += 1;
            }
        }
        Answer::Unsat(core)
    };
    Outcome { answer, statistics: vec![("decisions", 7)], trace: Vec::new(), audit_failure: None }
}

fn failing(_: &mut Pool, _: &[Term], _: &Options, _: &Stop) -> Outcome {
    panic!("as it should")
}

#[derive(Default)]
struct Lines {
    out: Vec<String>,
    limit: Option<u64>,
}

impl Host for Lines {
    fn respond(&mut self, text: &str) -> bool {
        self.out.push(text.to_owned());
        true
    }

    fn start(&mut self, limit: Option<u64>) -> Stop {
        self.limit = limit;
        Rc::new(move || limit == Some(1))
    }
}

const START: Position = Position { line: 1, column: 1 };

fn answers(script: &str) -> Vec<String> {
    let mut pool = Pool::new();
    let mut session = Session::new(&mut pool, Dialect::Smt26, Settings::default()).with_engine(small);
    let mut host = Lines::default();
    session.run(script.as_bytes(), Dialect::Smt26, START, &mut host);
    host.out
}

#[test]
fn a_model_has_every_declaration_in_force() {
    let got = answers(
        "(declare-const x String)(declare-const |a b| Int)(declare-fun p (String) Bool)(declare-sort U 0)
         (declare-const u U)(declare-const free String)
         (assert (and (= x \"\\u{1}\"\"\") (= |a b| (- 1))))(check-sat)(get-model)
         (get-value (x (+ |a b| 1) (str.++ x \"z\") (p x) u))",
    );
    assert_eq!(
        got,
        [
            "sat",
            "(\n  (define-fun x () String \"\\u{1}\"\"\")\n  (define-fun |a b| () Int (- 1))\n  \
         (define-fun p ((x!0 String)) Bool false)\n  (define-fun u () U (as |@default U| U))\n  \
         (define-fun free () String \"\")\n)",
            "((x \"\\u{1}\"\"\")\n ((+ |a b| 1) 0)\n ((str.++ x \"z\") \"\\u{1}\"\"z\")\n ((p x) false)\n \
         (u (as |@default U| U)))",
        ]
    );
}

#[test]
fn a_model_may_refer_to_terms() {
    let got = answers(
        "(declare-fun with-function (Int) Int)(check-sat)(get-model)(get-value ((with-function 3)))(get-model)
         (declare-const y Int)(get-model)(assert (= (with-function y) 3))(check-sat)(get-value (y))",
    );
    let model = "(\n  (define-fun with-function ((x!0 Int)) Int x!0)\n)";
    assert_eq!(got[..4], ["sat", model, "(((with-function 3) 3))", model]);
    assert!(got[4].contains("model is not available"), "{got:?}");
}

#[test]
fn cores_and_assumptions() {
    let got = answers(
        "(set-option :produce-unsat-cores true)(set-option :produce-unsat-assumptions true)
         (set-option :produce-assignments true)
         (declare-const x Int)(declare-const p Bool)(declare-const q Bool)
         (assert (! (> x 1) :named |big one|))(assert (! (< x 3) :named b))(assert (! (=> p (< x 1)) :named c))
         (check-sat-assuming (q p))(get-unsat-assumptions)(get-unsat-core)(get-model)
         (check-sat-assuming (q (not p)))(get-assignment)(get-value (x q))(get-unsat-core)
         (push)(assert (! (= x 0) :named d))(check-sat)(get-unsat-core)(pop)(check-sat)",
    );
    assert_eq!(got[..3], ["unsat", "(p)", "(|big one| c)"]);
    assert!(got[3].contains("model is not available"));
    assert_eq!(got[4..7], ["sat", "((|big one| true) (b true) (c true))", "((x 2)\n (q true))"]);
    assert!(got[7].contains("unsat core is not available"));
    assert_eq!(got[8..], ["unsat", "(|big one| d)", "sat"]);
}

#[test]
fn commands_that_are_not_enabled_are_refused() {
    let got = answers(
        "(set-option :produce-models false)(assert false)(check-sat)(get-unsat-core)(get-unsat-assumptions)
         (get-assignment)(get-model)(get-info :reason-unknown)(get-proof)(set-option :produce-models 3)",
    );
    assert_eq!(got[0], "unsat");
    assert!(got[1..6].iter().all(|line| line.starts_with("(error \"line ")), "{got:?}");
    assert_eq!(got[6], "unsupported");
    assert!(got[7].contains("true or false"));
}

#[test]
fn options_are_kept_and_reset() {
    let got = answers(
        "(set-option :random-seed 7)(get-option :smt.random_seed)(set-option :timeout 0)(get-option :tlimit-per)
         (set-option :rlimit 12)(get-option :reproducible-resource-limit)(get-option :frobnicate)
         (set-option :regular-output-channel \"x.txt\")(set-option :verbosity 2)(get-option :verbosity)
         (get-info :name)(get-info :error-behavior)(push 3)(get-info :assertion-stack-levels)(check-sat)
         (get-info :all-statistics)(set-option :smtlib2_compliant true)(echo \"a\"\"b\")
         (reset)(get-option :random-seed)(get-info :assertion-stack-levels)(echo \"a\"\"b\")",
    );
    assert_eq!(
        got,
        [
            "7",
            "0",
            "12",
            "unsupported",
            "unsupported",
            "2",
            "(:name \"stringent\")",
            "(:error-behavior continued-execution)",
            "(:assertion-stack-levels 3)",
            "sat",
            "(:decisions 7)",
            "\"a\"\"b\"",
            "0",
            "(:assertion-stack-levels 0)",
            "a\"b",
        ]
    );
}

#[test]
fn a_timeout_is_reported() {
    let got = answers("(set-option :timeout 1)(check-sat)(get-info :reason-unknown)");
    assert_eq!(got, ["unknown", "(:reason-unknown timeout)"]);
}

#[test]
fn unsupported_assertions_make_checks_unknown() {
    let got = answers(
        "(declare-const a (Array Int Int))(declare-const x String)(define-fun f () Bool (= a a))(declare-const r Real)
         (push)(assert f)(check-sat)(get-info :reason-unknown)(check-sat)(pop)(check-sat)
         (push)(assert (= (select a 1) 2))(check-sat)(pop)(check-sat-assuming ((= r 1.0)))(check-sat)
         (declare-datatypes ((T 0)) (((c (d Int)))))(declare-const t T)(push)(assert (= (d t) 3))(check-sat)(pop)(check-sat)",
    );
    assert_eq!(got[0], "unknown");
    assert!(got[1].contains("(Array Int Int) is not supported"), "{got:?}");
    assert_eq!(got[2..], ["unknown", "sat", "unknown", "unsat", "sat", "unsat", "sat"]);
}

#[test]
fn malformed_commands_have_no_effect() {
    let got = answers(
        "(declare-const x String)\n(define-fun x () Int (= 1))\n(define-fun g () Int (= 1 1))\n(assert (= g 1))\n\
         (declare-const x Int)\n  (assert (= x 3))\n(assert (= x \"a\"))(check-sat)(get-value (x))\n)(check-sat)\nfoo bar\n(check-sat)",
    );
    let errors: Vec<&String> = got.iter().filter(|l| l.starts_with("(error")).collect();
    let places: Vec<&str> =
        errors.iter().map(|e| e["(error \"".len()..].split(':').next().expect("a place")).collect();
    assert_eq!(
        places,
        [
            "line 2 column 23",
            "line 3 column 22",
            "line 4 column 12",
            "line 5 column 16",
            "line 6 column 16",
            "line 8 column 1",
            "line 9 column 1",
        ]
    );
    let rest: Vec<&String> = got.iter().filter(|l| !l.starts_with("(error")).collect();
    assert_eq!(rest, ["sat", "((x \"a\"))", "sat", "sat"]);
}

#[test]
fn pop_removes_declarations() {
    let got = answers(
        "(declare-const x Int)(push 2)(declare-const y Int)(assert (! (= x y) :named n))(check-sat)(pop 1)(assert n)
         (push)(declare-const y String)(assert (= y \"a\"))(check-sat)(get-value (y))(pop)(pop)(get-assertions)
         (set-option :global-declarations true)(push)(declare-const z Int)(assert (= z 2))(pop)(assert (= z 3))
         (check-sat)(get-value (z))(reset-assertions)(assert (= z 1))(check-sat)(get-value (z))",
    );
    assert_eq!(got[0], "sat");
    assert!(got[1].contains("unknown symbol `n`"));
    assert_eq!(got[2..], ["sat", "((y \"a\"))", "()", "sat", "((z 3))", "sat", "((z 1))"]);
}

#[test]
fn memory_does_not_grow() {
    let mut pool = Pool::new();
    let mut session = Session::new(&mut pool, Dialect::Smt26, Settings::default()).with_engine(small);
    let mut host = Lines::default();
    let mut run = |session: &mut Session<'_>, text: &str| {
        host.out.clear();
        session.run(text.as_bytes(), Dialect::Smt26, START, &mut host);
        host.out.clone()
    };
    run(
        &mut session,
        "(declare-const x String)(declare-const p Bool)(assert (str.prefixof \"a\" x))(check-sat)",
    );
    let before = session.pool().mark();
    for i in 0..200 {
        let text = format!(
            "(push)(declare-const y{i} Int)(define-fun g{i} () String \"w{i}\")
             (assert (! (= y{i} (str.len x)) :named n{i}))
             (check-sat)(get-value (x (str.++ x \"v{i}\" g{i}) (! p :named m{i})))(get-info :i{i})
             (check-sat-assuming (p (= x \"u{i}\")))(get-model)(set-info :k{i} v{i})
             (assert (= z{i} 1))(define-fun h{i} () Int \"a\")(pop)(check-sat-assuming ((= x \"t{i}\") p))(get-model)
             (check-sat)(check-sat)"
        );
        let got = run(&mut session, &text);
        assert_eq!(got[0], "sat");
        assert_eq!(got[3], "unsat", "{got:?}");
        assert_eq!(got.last().expect("an answer"), "sat");
    }
    assert_eq!(session.pool().mark(), before);
    run(&mut session, "(reset)");
    assert_eq!(session.pool().mark(), session.start);
    for i in 0..20 {
        let text =
            format!("(declare-sort S{i} 0)(declare-const x{i} S{i})(assert (= x{i} x{i}))(reset-assertions)");
        assert_eq!(run(&mut session, &text), [""; 0]);
    }
    assert_eq!(session.pool().mark(), session.start);
}

#[test]
fn the_session_survives_a_panic_of_the_engine() {
    let mut pool = Pool::new();
    let mut session = Session::new(&mut pool, Dialect::Smt26, Settings::default()).with_engine(failing);
    let mut host = Lines::default();
    let text = "(check-sat)(get-info :reason-unknown)(echo \"here\")";
    assert_eq!(session.run(text.as_bytes(), Dialect::Smt26, START, &mut host), Flow::Continue);
    assert!(host.out[0].contains("internal error"));
    assert_eq!(host.out[1..], ["(:reason-unknown \"internal error\")", "here"]);
    assert!(session.is_broken());
}

#[test]
fn success_is_printed_on_request_and_exit_ends() {
    let got = answers(
        "(set-option :print-success true)(set-logic QF_WHATEVER)(declare-const x Int)(exit)(check-sat)",
    );
    assert_eq!(got, ["success", "success", "success", "success"]);
}

#[test]
fn a_name_cannot_be_declared_twice() {
    let got = answers(
        "(declare-const v Int)(push)(declare-const w Int)\n(declare-const v Int)(check-sat)(get-model)(pop)(declare-const w Int)",
    );
    let model = "(\n  (define-fun v () Int 0)\n  (define-fun w () Int 0)\n)";
    assert_eq!(got, ["(error \"line 2 column 16: `v` is already declared\")", "sat", model]);
}

/// A random command, by a number.
fn command(what: u8, n: u8, open: &mut u32) -> String {
    match what {
        0 | 1 => {
            *open += 1;
            "(push)".into()
        }
        2 | 3 if *open > 0 => {
            *open -= 1;
            "(pop)".into()
        }
        4 => format!("(declare-const v{n} Int)(assert (> v{n} (str.len x)))"),
        5 => format!("(assert (! (distinct x \"w{n}\") :named n{n}))"),
        6 => format!("(assert (= (str.len x) {}))", n % 3),
        7 => format!("(assert (str.prefixof x (str.++ x \"{n}\" \"{n}\")))"),
        8 => "(assert (= undeclared 1))".into(),
        9 => format!("(check-sat-assuming ((= x \"a\") (= y {n})))(get-model)(get-value (x (+ y {n})))"),
        _ => "(check-sat)(get-model)(get-value ((str.++ x \"z\")))(get-assertions)".into(),
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(60))]

    /// After any history, a session answers as a new one with the same assertions and declarations: with the same model,
    /// unless it may use those of earlier checks.
    #[test]
    fn a_session_answers_as_a_new_one(
        steps in proptest::collection::vec((0u8..12, 0u8..5), 1..30),
        reuse in proptest::bool::ANY,
    ) {
        let preamble = "(declare-const x String)(declare-const y Int)";
        let (mut open, mut history) = (0, preamble.to_owned());
        // The commands in force, by level.
        let mut levels: Vec<Vec<String>> = vec![Vec::new()];
        let (mut want, mut got_all) = (Vec::new(), Vec::new());
        let mut pool = Pool::new();
        let mut session = Session::new(&mut pool, Dialect::Smt26, with_reuse(reuse)).with_engine(small);
        session.run(history.as_bytes(), Dialect::Smt26, START, &mut Lines::default());
        for (what, n) in steps {
            let text = command(what, n, &mut open);
            let mut host = Lines::default();
            session.run(text.as_bytes(), Dialect::Smt26, START, &mut host);
            history.push_str(&text);
            match text.as_str() {
                "(push)" => levels.push(Vec::new()),
                "(pop)" => drop(levels.pop()),
                _ if text.starts_with("(check") => {
                    let force: String = levels.concat().concat();
                    want.push(answers(&format!("{preamble}{force}{text}")).into_iter()
                        .skip_while(|l| !l.starts_with("sat") && !l.starts_with("unsat")).collect::<Vec<_>>());
                    got_all.push(host.out);
                }
                _ => levels.last_mut().expect("one is open").push(text),
            }
        }
        let plain = |all: &[Vec<String>]| -> Vec<Vec<String>> {
            // Positions in errors differ.
            let kept = |t: &&String| !t.starts_with("(error") && (!reuse || t.ends_with("sat"));
            all.iter().map(|l| l.iter().filter(kept).cloned().collect()).collect()
        };
        proptest::prop_assert_eq!(plain(&got_all), plain(&want), "{}", history);
    }
}

fn with_reuse(reuse: bool) -> Settings {
    Settings { options: Options { reuse, ..Options::default() }, ..Settings::default() }
}

/// The answers of a session to a script, and the number of checks for which it called the engine.
fn answers_and_calls(script: &str) -> (Vec<String>, usize) {
    thread_local!(static CALLS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) });
    fn counting(pool: &mut Pool, terms: &[Term], options: &Options, stop: &Stop) -> Outcome {
        CALLS.set(CALLS.get() + 1);
        small(pool, terms, options, stop)
    }
    CALLS.set(0);
    let mut pool = Pool::new();
    let mut session = Session::new(&mut pool, Dialect::Smt26, Settings::default()).with_engine(counting);
    let mut host = Lines::default();
    session.run(script.as_bytes(), Dialect::Smt26, START, &mut host);
    (host.out, CALLS.get())
}

#[test]
fn a_model_answers_later_checks() {
    let (got, calls) = answers_and_calls(
        "(declare-const x String)(declare-const y Int)(assert (= x \"ab\"))(push)(assert (= y 2))(check-sat)(pop)
        (check-sat)(push)(assert (< 0 y 3))(declare-const new Int)(check-sat)(get-value (x y new))(pop)
        (push)(assert (= y 3))(check-sat)(get-value (x y))",
    );
    assert_eq!(got, ["sat", "sat", "sat", "((x \"ab\")\n (y 2)\n (new 0))", "sat", "((x \"ab\")\n (y 3))"]);
    assert_eq!(calls, 2);
}

#[test]
fn a_core_answers_later_checks() {
    let core = "(set-option :produce-unsat-cores true)(declare-const x String)(declare-const y Int)
        (assert (! (= x \"a\") :named a))(push)(assert (! (= y 1) :named b))(assert (! (= x \"b\") :named c))
        (check-sat)(get-unsat-core)(pop)";
    let again = "(push)(assert (! (= x \"b\") :named other))(assert (= y 0))(check-sat)(get-unsat-core)";
    assert_eq!(
        answers_and_calls(&format!("{core}{again}")),
        (vec!["unsat".into(), "(a c)".into(), "unsat".into(), "(a other)".into()], 1)
    );
    let other = "(push)(assert (! (= x \"bb\") :named other))(assert (= y 0))(check-sat)";
    assert_eq!(answers_and_calls(&format!("{core}{other}")).1, 2);
}

/// A name that is declared again, with another sort or shadowing, is another constant.
#[test]
fn names_with_two_meanings_answer_nothing() {
    let (got, calls) = answers_and_calls(
        "(push)(declare-const x Int)(assert (distinct x x))(check-sat)(pop)(push)(declare-const x String)
        (assert (distinct x x))(check-sat)(pop)(push)(declare-const x Int)(assert (distinct x x))(check-sat)",
    );
    assert_eq!((got, calls), (vec!["unsat".to_owned(); 3], 2));
    let (got, calls) = answers_and_calls(
        "(declare-const x Int)(push)(define-fun p () Bool (= x 0))(assert (and p (= x 1)))(check-sat)(pop)
        (define-fun p () Bool (= x 1))(assert (and p (= x 1)))(check-sat)",
    );
    assert_eq!((got, calls), (vec!["unsat".to_owned(), "sat".to_owned()], 2));
}

fn of_file(script: &str, change: impl FnOnce(&mut Settings)) -> Vec<String> {
    let mut settings = Settings { file: true, ..Settings::default() };
    change(&mut settings);
    let mut pool = Pool::new();
    let mut session = Session::new(&mut pool, Dialect::Smt26, settings).with_engine(small);
    let mut host = Lines::default();
    session.run(script.as_bytes(), Dialect::Smt26, START, &mut host);
    host.out
}

#[test]
fn a_file_with_a_refused_assertion_is_not_sat() {
    let text = "(declare-const x Int)(assert (= y 1))(check-sat)(get-info :reason-unknown)";
    let got = of_file(text, |_| ());
    assert!(got[0].starts_with("(error \"line 1 column 33: unknown symbol `y`"), "{got:?}");
    assert_eq!(got[1], "unknown");
    assert!(got[2].starts_with("(:reason-unknown \"an assertion was refused: line 1 column 33: "), "{got:?}");
    assert_eq!(answers(text)[1], "sat", "a session continues");
}

#[test]
fn more_assertions_cannot_make_unsat_wrong() {
    let text = "(declare-const x Int)(assert false)(assert (= y 1))(check-sat)";
    assert_eq!(of_file(text, |_| ())[1], "unsat");
    let text =
        "(declare-const x Int)(declare-const x Bool)(assert false)(check-sat)(get-info :reason-unknown)";
    let got = of_file(text, |_| ());
    assert_eq!(got[1], "unknown");
    assert!(got[2].contains("a command was refused"), "{got:?}");
}

#[test]
fn names_of_formulas_are_not_given_twice() {
    let text = "(declare-const x Bool)(assert (! x :named a))(assert (! (not x) :named a))(check-sat)
        (push)(assert (! true :named b))(pop)(assert (! true :named b))(check-sat)";
    let got = of_file(text, |s| s.file = false);
    assert!(got[0].contains("`a` is already declared"), "{got:?}");
    assert_eq!(got[1..], ["sat", "sat"]);
}

#[test]
fn in_the_place_of_z3_it_reads_what_z3_reads() {
    for (script, refused) in [
        ("(declare-const a Bool)(assert a)(reset-assertions)(assert (not a))(check-sat)", "unknown symbol"),
        ("(declare-const x Int)(assert (= x -1))(check-sat)", "unknown symbol"),
        ("(set-logic QF_LRA)(assert (= (/ -1 2) -0.5))(check-sat)", "unknown symbol"),
    ] {
        let with = |style| of_file(script, |s| (s.style, s.file) = (style, false));
        assert_eq!(with(Style::Z3), ["sat"], "{script}");
        assert!(with(Style::Own)[0].contains(refused), "{script}");
    }
    let levels = "(push 1)(declare-const x Int)(assert false)(reset-assertions)(assert (= x 1))(check-sat)(pop 1)(check-sat)";
    assert_eq!(of_file(levels, |s| s.style = Style::Z3), ["sat", "sat"]);
    let assumed = "(declare-const a Bool)(declare-const b Bool)(set-option :produce-unsat-cores true)(assert (! (not b) :named n))
        (check-sat a (not a))(get-unsat-core)(check-sat a)(check-sat b)(get-unsat-core)";
    let found = of_file(assumed, |s| s.style = Style::Z3);
    assert_eq!(found, ["unsat", "(a (not a))", "sat", "unsat", "(b n)"]);
    let name = of_file("(declare-const a:b Bool)", |s| s.style = Style::Z3);
    assert!(name[0].contains("not a symbol"), "{name:?}");
}

#[test]
fn a_refused_assertion_is_popped_with_its_level() {
    let text =
        "(push)(assert y)(check-sat)(pop)(check-sat)(push 2)(assert y)(push)(check-sat)(pop 2)(check-sat)
        (pop)(check-sat)(assert y)(check-sat)(reset-assertions)(check-sat)(assert y)(reset)(check-sat)";
    let verdicts: Vec<String> =
        of_file(text, |_| ()).into_iter().filter(|r| !r.starts_with("(error")).collect();
    assert_eq!(verdicts, ["unknown", "sat", "unknown", "sat", "sat", "unknown", "sat", "sat"]);
}

#[test]
fn a_refused_push_is_not_popped() {
    let text = "(push 1)(assert false)(push zz)(pop 1)(check-sat)(reset-assertions)(check-sat)";
    let verdicts = of_file(text, |_| ());
    assert_eq!(verdicts[1..], ["unknown", "sat"], "{verdicts:?}");
}

#[test]
fn unknown_commands_may_change_the_problem() {
    assert_eq!(of_file("(asert false)(check-sat)", |_| ()), ["unsupported", "unknown"]);
    let soft = of_file("(assert-soft false)(check-sat)", |_| ());
    assert_eq!(soft, ["(error \"line 1 column 1: optimisation is not supported\")", "sat"]);
}

#[test]
fn refused_queries_change_nothing() {
    let text = "(get-value (y))(set-option :produce-models maybe)(check-sat-assuming (y))(check-sat)";
    assert_eq!(of_file(text, |_| ()).last().map(String::as_str), Some("sat"));
}

#[test]
fn text_that_is_no_command_makes_a_file_unknown() {
    for text in [")(check-sat)", "assert(check-sat)", "(assert)(check-sat)", "(declare-const x)(check-sat)"] {
        assert_eq!(of_file(text, |_| ()).last().map(String::as_str), Some("unknown"), "{text}");
    }
}

#[test]
fn a_file_prints_each_model_once() {
    let show = |s: &mut Settings| s.show_models = true;
    let text = "(declare-const x Int)(check-sat)(get-model)(get-value (x))(check-sat)(check-sat)(echo \"a\")(get-model)";
    let got = of_file(text, show);
    let models = got.iter().filter(|r| r.contains("define-fun")).count();
    assert_eq!(models, 3, "{got:?}");
    assert_eq!(got.iter().filter(|r| r.starts_with("sat\n(")).count(), 3, "{got:?}");
    let twice = of_file("(check-sat)(get-model)(get-model)", show);
    assert_eq!(twice.len(), 2, "a second request is answered: {twice:?}");
    let after_pop = of_file("(push)(check-sat)(pop)(get-model)", show);
    assert!(after_pop[1].contains("model is not available"), "{after_pop:?}");
}

#[test]
fn a_file_prints_each_core_once() {
    let show = |s: &mut Settings| (s.cores, s.show_cores) = (true, true);
    let text = "(assert (! false :named a))(check-sat)(get-unsat-core)(get-model)";
    let got = of_file(text, show);
    assert_eq!(got[0], "unsat\n(a)");
    assert!(got[1].contains("model is not available"), "{got:?}");
}

#[test]
fn a_session_answers_every_request() {
    let mut pool = Pool::new();
    let settings = Settings { show_models: true, ..Settings::default() };
    let mut session = Session::new(&mut pool, Dialect::Smt26, settings).with_engine(small);
    let mut host = Lines::default();
    session.run(b"(declare-const x Int)(check-sat)(get-model)", Dialect::Smt26, START, &mut host);
    assert_eq!(host.out.len(), 2);
}

/// The limit of one millisecond is up at once, in [`Lines`].
#[test]
fn queries_and_reading_have_the_limit_of_checks() {
    let long = format!("(get-value ((str.++ {})))", "\"a\" ".repeat(5_000));
    let text = format!("(declare-const x Int)(check-sat)(set-option :timeout 1){long}(check-sat)");
    let got = answers(&text);
    assert!(got[1].contains("the time limit was reached"), "{:?}", &got[1]);
    assert_eq!(got[2], "unknown", "the session continues");
    let file = format!("(set-option :timeout 1)(assert (= {}))(check-sat)(echo \"a\")", "1 ".repeat(5_000));
    let got = of_file(&file, |_| ());
    assert_eq!(got[0], "unknown");
    assert!(got[1].contains("before all commands were read"), "{got:?}");
    assert_eq!(got.len(), 2);
}
