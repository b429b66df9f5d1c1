//! `let`: shared terms print in linear size and stay where their variables are.

use super::*;

#[test]
fn shared_terms_print_in_linear_size() {
    let mut pool = Pool::new();
    let mut t = pool.string(&[0x61]);
    for _ in 0..200 {
        t = pool.op(Op::StrConcat, &[t, t]).unwrap();
    }
    let len = pool.op(Op::StrLen, &[t]).unwrap();
    let zero = pool.int(0);
    let positive = pool.op(Op::Gt, &[len, zero]).unwrap();
    let mut script = Script::default();
    script.push(Command::Assert(positive));
    let written = standard(&pool, &script);
    assert!(written.len() < 200 * 60, "{}", written.len());
    let read = parse(&written, Dialect::Smt26, &mut pool);
    assert!(read.assertions().eq([positive]));
}

#[test]
fn shared_terms_below_quantifiers_stay_there() {
    let mut pool = Pool::new();
    let x = pool.names.intern("x");
    let v = pool.var(x, Sort::STRING);
    let mut t = v;
    for _ in 0..200 {
        t = pool.op(Op::StrConcat, &[t, t]).unwrap();
    }
    let equal = pool.op(Op::Eq, &[t, v]).unwrap();
    let inner = pool.mk(Head::Exists, Sort::BOOL, &[v, equal]);
    let both = pool.op(Op::And, &[equal, inner, equal, inner]).unwrap();
    let all = pool.mk(Head::Forall, Sort::BOOL, &[v, both]);
    let mut script = Script::default();
    script.push(Command::Assert(all));
    let written = standard(&pool, &script);
    assert!(written.len() < 2 * 200 * 60, "{}", written.len());
    let read = parse(&written, Dialect::Smt26, &mut pool);
    assert!(read.assertions().eq([all]), "{written}");
}

/// Sharing between the inside and the outside of quantifiers, and between quantifiers.
#[test]
fn terms_shared_across_quantifiers_print_in_linear_size() {
    let mut pool = Pool::new();
    let (x, y) = (pool.names.intern("x"), pool.names.intern("y"));
    let (x, y) = (pool.var(x, Sort::BOOL), pool.var(y, Sort::BOOL));
    for start in [x, pool.bool(true)] {
        let mut t = start;
        for i in 0..200 {
            let v = if i % 2 == 0 {
                y
            } else {
                let name = pool.names.intern(&format!("z{i}"));
                pool.var(name, Sort::BOOL)
            };
            let inner = pool.op(Op::And, &[v, t]).unwrap();
            let one = pool.mk(Head::Forall, Sort::BOOL, &[v, inner]);
            let other = pool.mk(Head::Exists, Sort::BOOL, &[v, inner]);
            t = if i % 3 == 0 {
                pool.op(Op::Or, &[one, other]).unwrap()
            } else {
                pool.op(Op::Or, &[t, one]).unwrap()
            };
        }
        let all = pool.mk(Head::Forall, Sort::BOOL, &[x, t]);
        let mut script = Script::default();
        script.push(Command::Assert(all));
        let written = standard(&pool, &script);
        assert!(written.len() < 200 * 200, "{}", written.len());
        let read = parse(&written, Dialect::Smt26, &mut pool);
        assert!(read.assertions().eq([all]), "{written}");
    }
}

#[test]
fn shared_terms_in_patterns_print_in_linear_size() {
    let mut text = String::from("\"a\"");
    for _ in 0..100 {
        text = format!("(let ((s {text})) (str.++ s s))");
    }
    let written = trip(&format!("(assert (forall ((x Int)) (! true :pattern ({text}))))"));
    assert!(written.len() < 100 * 60, "{}", written.len());
}

#[test]
fn names_of_let_are_free_names() {
    let text = "(declare-const _let_1 Int)\n(assert (let ((y (+ _let_1 1))) (= y y)))\n";
    assert_eq!(
        trip(text),
        "(declare-const _let_1 Int)\n(assert (let ((_let__1 (+ _let_1 1))) (= _let__1 _let__1)))\n"
    );
}
