//! Terms of the shapes that rare rules are for.

use super::generate::Gen;
use crate::rewrite::build::op;
use smt::{Op, Sort, Term};

/// A term of one of the shapes.
pub(super) fn shape(g: &mut Gen) -> Term {
    let s = g.string(2);
    let (x, y, z) = (g.string(1), g.string(1), g.string(0));
    let (i, j) = (g.int(1), g.int(1));
    let p = &mut g.pool;
    let zero = p.int(0);
    match g.dice.below(14) {
        0 => {
            let c = op(p, Op::StrToCode, &[s]);
            op(p, Op::StrFromCode, &[c])
        }
        1 => {
            let n = op(p, Op::StrLen, &[s]);
            let c = op(p, Op::StrFromCode, &[n]);
            op(p, Op::StrToCode, &[c])
        }
        2 => {
            let n = op(p, Op::StrIndexof, &[s, x, i]);
            let w = op(p, Op::StrFromInt, &[n]);
            op(p, Op::StrToInt, &[w])
        }
        3 => {
            let r = op(p, Op::StrReplace, &[x, y, z]);
            op(p, Op::StrContains, &[r, z])
        }
        4 => {
            let r = op(p, Op::StrReplace, &[x, y, z]);
            let c = g.constant();
            op(&mut g.pool, Op::StrContains, &[r, c])
        }
        5 => {
            let n = op(p, Op::StrLen, &[x]);
            let a = op(p, Op::StrSubstr, &[s, zero, n]);
            let b = op(p, Op::StrSubstr, &[s, n, n]);
            op(p, Op::StrConcat, &[a, b])
        }
        6 => {
            let xs = op(p, Op::StrConcat, &[x, s]);
            let ys = op(p, Op::StrConcat, &[x, y]);
            let f = g.dice.pick(&[Op::Eq, Op::StrLe]);
            p.mk(smt::Head::Op(f), Sort::BOOL, &[xs, ys])
        }
        7 => {
            let zeros = p.string(&[0x30, 0x30]);
            let w = op(p, Op::StrConcat, &[zeros, s]);
            op(p, Op::StrToInt, &[w])
        }
        8 => {
            let n = op(p, Op::StrLen, &[x]);
            let a = op(p, Op::StrSubstr, &[s, n, i]);
            op(p, Op::StrSubstr, &[a, zero, j])
        }
        9 => {
            let c = g.constant();
            let a = g.constant();
            let b = g.constant();
            let f = g.dice.pick(&[Op::StrReplace, Op::StrReplaceAll]);
            let list = op(&mut g.pool, Op::StrConcat, &[a, x, b, y]);
            op(&mut g.pool, f, &[list, c, z])
        }
        10 => {
            let (a, b, c) = (g.constant(), g.constant(), g.constant());
            let list = op(&mut g.pool, Op::StrConcat, &[a, x, b, y, c]);
            let t = g.constant();
            let f = g.dice.pick(&[Op::StrContains, Op::StrIndexof]);
            let args: &[Term] = if f == Op::StrContains { &[list, t] } else { &[list, t, zero] };
            op(&mut g.pool, f, args)
        }
        11 => {
            let (a, b) = (g.constant(), g.constant());
            let c = g.bool(1);
            let choice = g.pool.mk(smt::Head::Op(Op::Ite), Sort::STRING, &[c, a, b]);
            let d = g.dice.pick(&[a, b]);
            op(&mut g.pool, Op::Eq, &[choice, d])
        }
        12 => {
            let xs = op(p, Op::StrConcat, &[x, s, y]);
            let n = op(p, Op::StrLen, &[xs]);
            let k = op(p, Op::StrLen, &[y]);
            let m = op(p, Op::Sub, &[n, k]);
            op(p, Op::StrSubstr, &[xs, m, k])
        }
        _ => {
            let n = op(p, Op::StrLen, &[x]);
            let xs = op(p, Op::StrConcat, &[x, s]);
            let more = op(p, Op::Add, &[n, i]);
            op(p, Op::StrSubstr, &[xs, more, j])
        }
    }
}
