//! Deep and shared terms.

use super::super::*;
use crate::build::op;
use smt::Int;

const LEVELS: usize = 100_000;

fn constants(pool: &mut Pool, n: usize, sort: Sort) -> Vec<Term> {
    let make = |i: usize| {
        let name = pool.names.intern(&format!("v{i}"));
        let f = pool.declare(name, Box::new([]), sort);
        pool.apply(f, &[])
    };
    (0..n).map(make).collect()
}

#[test]
fn deep_concatenations() {
    for left in [true, false] {
        let mut pool = Pool::new();
        let vars = constants(&mut pool, LEVELS, Sort::STRING);
        let nested = |pool: &mut Pool, a, b| op(pool, Op::StrConcat, &if left { [a, b] } else { [b, a] });
        let t = vars.iter().copied().reduce(|a, b| nested(&mut pool, a, b)).expect("there are some");
        let u = Rewriter::new().rewrite(&mut pool, Mode::Full, t);
        assert_eq!(pool.args(u).len(), LEVELS);
        let n = op(&mut pool, Op::StrLen, &[t]);
        let u = Rewriter::new().rewrite(&mut pool, Mode::Full, n);
        assert_eq!(Poly::of(&pool, u).terms.len(), LEVELS);
    }
}

#[test]
fn deep_sums_and_connectives() {
    let mut pool = Pool::new();
    let vars = constants(&mut pool, LEVELS, Sort::INT);
    let t = vars.iter().copied().reduce(|a, b| op(&mut pool, Op::Sub, &[b, a])).expect("there are some");
    let u = Rewriter::new().rewrite(&mut pool, Mode::Full, t);
    assert_eq!(Poly::of(&pool, u).terms.len(), LEVELS);
    let vars = constants(&mut pool, LEVELS, Sort::BOOL);
    for f in [Op::And, Op::Or, Op::Implies] {
        let t = vars.iter().copied().reduce(|a, b| op(&mut pool, f, &[b, a])).expect("there are some");
        let u = Rewriter::new().rewrite(&mut pool, Mode::Full, t);
        assert_eq!(pool.args(u).len(), LEVELS);
    }
    let mut t = vars[0];
    for _ in 0..LEVELS {
        t = op(&mut pool, Op::Not, &[t]);
    }
    assert_eq!(Rewriter::new().rewrite(&mut pool, Mode::Full, t), vars[0]);
}

#[test]
fn deep_functions_of_strings() {
    let mut pool = Pool::new();
    let vars = constants(&mut pool, 2, Sort::STRING);
    let one = pool.int(1);
    for f in [Op::StrReplace, Op::StrSubstr, Op::StrIndexof] {
        let mut t = vars[0];
        for _ in 0..LEVELS / 10 {
            t = match f {
                Op::StrReplace => op(&mut pool, f, &[t, vars[1], vars[0]]),
                Op::StrSubstr => op(&mut pool, f, &[t, one, one]),
                _ => {
                    let n = op(&mut pool, f, &[t, vars[1], one]);
                    op(&mut pool, Op::StrFromInt, &[n])
                }
            };
        }
        let mut rw = Rewriter::new();
        rw.rewrite(&mut pool, Mode::Full, t);
        assert_eq!(rw.exhausted(), 0);
    }
}

#[test]
fn shared_terms() {
    let mut pool = Pool::new();
    let (mut s, mut n, mut b) = {
        let s = constants(&mut pool, 1, Sort::STRING)[0];
        let n = constants(&mut pool, 1, Sort::INT)[0];
        (s, n, constants(&mut pool, 1, Sort::BOOL)[0])
    };
    for _ in 0..60 {
        s = op(&mut pool, Op::StrConcat, &[s, s]);
        n = op(&mut pool, Op::Add, &[n, n]);
        b = op(&mut pool, Op::And, &[b, b]);
    }
    let mut rw = Rewriter::new();
    rw.rewrite(&mut pool, Mode::Full, s);
    let n = rw.rewrite(&mut pool, Mode::Full, n);
    assert_eq!(Poly::of(&pool, n).terms[0].1, Int::from(2).pow(60));
    let b = rw.rewrite(&mut pool, Mode::Full, b);
    assert!(pool.args(b).is_empty());
}

#[test]
fn wide_terms() {
    let mut pool = Pool::new();
    let vars = constants(&mut pool, 5_000, Sort::STRING);
    let between = pool.string(&[0x63]);
    let list: Vec<Term> = vars.iter().flat_map(|&v| [v, between]).collect();
    let list = op(&mut pool, Op::StrConcat, &list);
    let (ab, size) = (pool.string(&[0x61, 0x62]), op(&mut pool, Op::StrLen, &[vars[0]]));
    let found = op(&mut pool, Op::StrContains, &[list, ab]);
    let replaced = op(&mut pool, Op::StrReplaceAll, &[list, ab, between]);
    let all = op(&mut pool, Op::StrConcat, &[list, ab]);
    let first = op(&mut pool, Op::StrReplace, &[all, ab, between]);
    let place = op(&mut pool, Op::StrSubstr, &[all, size, size]);
    let (start, mut rw) = (pool.len(), Rewriter::new());
    rw.rewrite(&mut pool, Mode::Full, first);
    rw.rewrite(&mut pool, Mode::Full, place);
    let found = rw.rewrite(&mut pool, Mode::Full, found);
    assert_eq!(pool.args(found).len(), vars.len());
    let replaced = rw.rewrite(&mut pool, Mode::Full, replaced);
    assert_eq!(pool.args(replaced).len(), 2 * vars.len());
    assert!(pool.len() - start < 20 * vars.len(), "more than linear");
}
