//! Random terms of the forms that rarely used rules match.

use super::generate::Gen;
use crate::build::op;
use smt::{Op, Sort, Term};

/// The number of forms, which are the arms of [`shape`].
const SHAPES: usize = 59;

/// A term of one of these forms.
pub(super) fn shape(g: &mut Gen) -> Term {
    let s = g.string(2);
    let (x, y, z) = (g.string(1), g.string(1), g.string(0));
    let (i, j) = (g.int(1), g.int(1));
    let p = &mut g.pool;
    let zero = p.int(0);
    match g.dice.below(SHAPES) {
        0 => {
            let s = op(p, Op::StrAt, &[s, i]);
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
        13 => {
            let n = op(p, Op::StrLen, &[x]);
            let n = op(p, Op::Sub, &[zero, n]);
            let one = p.int(1);
            let n = op(p, Op::Sub, &[n, one]);
            let f = g.dice.pick(&[Op::StrFromInt, Op::StrFromCode]);
            op(p, f, &[n])
        }
        14 => {
            let c = g.bool(1);
            let inner = g.pool.mk(smt::Head::Op(Op::Ite), Sort::STRING, &[c, x, y]);
            let args = if g.dice.chance(1, 2) { [c, inner, z] } else { [c, z, inner] };
            g.pool.mk(smt::Head::Op(Op::Ite), Sort::STRING, &args)
        }
        15 => {
            let a = op(p, Op::StrAt, &[x, i]);
            let n = op(p, Op::StrLen, &[a]);
            let xs = op(p, Op::StrConcat, &[x, y, z]);
            let whole = op(p, Op::StrLen, &[xs]);
            op(p, Op::StrSubstr, &[xs, n, whole])
        }
        16 => {
            let n = op(p, Op::StrIndexof, &[s, x, zero]);
            let k = p.int(if g.dice.chance(1, 2) { -1 } else { 0 });
            let f = g.dice.pick(&[Op::Eq, Op::Ge, Op::Lt]);
            p.mk(smt::Head::Op(f), Sort::BOOL, &[n, k])
        }
        17 => {
            let n = op(p, Op::StrToCode, &[s]);
            let k = p.int(if g.dice.chance(1, 2) { -1 } else { 0x61 });
            op(p, Op::Eq, &[n, k])
        }
        18..=20 => {
            let none = p.string(&[]);
            let f = match g.dice.below(6) {
                0 => op(&mut g.pool, Op::StrSubstr, &[x, i, j]),
                1 => op(&mut g.pool, Op::StrReplace, &[x, y, z]),
                2 => op(&mut g.pool, Op::StrReplaceAll, &[x, y, z]),
                3 => op(&mut g.pool, Op::StrFromInt, &[i]),
                4 => op(&mut g.pool, Op::StrFromCode, &[i]),
                _ => op(&mut g.pool, Op::StrRev, &[x]),
            };
            let other = if g.dice.chance(1, 2) { none } else { g.constant() };
            op(&mut g.pool, Op::Eq, &[f, other])
        }
        21 => {
            let f = if g.dice.chance(1, 2) {
                op(&mut g.pool, Op::StrSubstr, &[x, i, j])
            } else {
                op(&mut g.pool, Op::StrReplace, &[x, y, z])
            };
            op(&mut g.pool, Op::Eq, &[f, x])
        }
        22 => {
            let a = op(p, Op::StrConcat, &[x, y, z]);
            let b = op(p, Op::StrConcat, &[z, x]);
            op(p, Op::Eq, &[a, b])
        }
        23 => {
            let (c, d) = (g.constant(), g.constant());
            let r = op(&mut g.pool, Op::StrReplace, &[x, c, c]);
            let f = op(&mut g.pool, Op::StrRev, &[x]);
            let a = op(&mut g.pool, Op::StrConcat, &[r, d, y]);
            let b = op(&mut g.pool, Op::StrConcat, &[f, z, s]);
            op(&mut g.pool, Op::Eq, &[a, b])
        }
        24 => {
            let (a, b) = (op(p, Op::StrRev, &[x]), op(p, Op::StrRev, &[y]));
            op(p, Op::Eq, &[a, b])
        }
        25 => {
            let (c, ab) = (p.string(&[0x63]), p.string(&[0x61, 0x62]));
            let list = op(p, Op::StrConcat, &[x, c, s]);
            op(p, Op::StrContains, &[list, ab])
        }
        26 => {
            let d = p.string(&[0x37]);
            let f = g.dice.pick(&[Op::StrFromInt, Op::StrFromCode]);
            let n = op(p, f, &[i]);
            op(p, Op::Eq, &[n, d])
        }
        27 => {
            let n = op(p, Op::StrLen, &[x]);
            let one = p.int(1);
            let m = op(p, Op::Sub, &[n, one]);
            let inner = op(p, Op::StrSubstr, &[x, one, m]);
            let n = op(p, Op::StrLen, &[inner]);
            let m = op(p, Op::Sub, &[n, one]);
            op(p, Op::StrSubstr, &[inner, one, m])
        }
        29 => {
            let (c, d) = (g.constant(), g.constant());
            let a = op(&mut g.pool, Op::StrConcat, &[x, y, c]);
            let b = op(&mut g.pool, Op::StrConcat, &[z, y, d]);
            op(&mut g.pool, Op::StrSuffixof, &[a, b])
        }
        30 => {
            let n = op(p, Op::StrToCode, &[s]);
            op(p, Op::Ge, &[n, zero])
        }
        31 => {
            let c = op(p, Op::Eq, &[x, y]);
            let args = if g.dice.chance(1, 2) { [c, x, y] } else { [c, y, x] };
            op(p, Op::Ite, &args)
        }
        32 => {
            let k = p.int(g.dice.below(7) as i64 - 3);
            let inner = op(p, Op::Mod, &[i, k]);
            let sum = op(p, Op::Sub, &[inner, j]);
            let f = g.dice.pick(&[Op::IntDiv, Op::Mod]);
            op(p, f, &[sum, k])
        }
        33 => {
            let (n, k) = (op(p, Op::StrLen, &[x]), op(p, Op::StrLen, &[y]));
            let m = op(p, Op::Add, &[n, k]);
            let list = op(p, Op::StrConcat, &[x, s, y, z]);
            op(p, Op::StrSubstr, &[list, zero, m])
        }
        34 => {
            let c = p.string(&[0x61]);
            let list = op(p, Op::StrConcat, &[x, y, x]);
            let f = g.dice.pick(&[Op::StrReplace, Op::StrIndexof]);
            op(p, f, &[list, c, if f == Op::StrReplace { z } else { zero }])
        }
        35 => {
            let none = p.string(&[]);
            op(p, Op::StrIndexof, &[s, none, i])
        }
        36 => {
            let f = g.dice.pick(&[Op::StrPrefixof, Op::StrSuffixof]);
            let a = p.string(&[0x61]);
            op(p, f, &[x, a])
        }
        37..=38 => {
            let c = if g.dice.chance(1, 2) { y } else { p.string(&[0x61]) };
            let n = if g.dice.chance(1, 2) { zero } else { i };
            let m = op(p, Op::StrLen, &[z]);
            let v = if n == zero { x } else { op(p, Op::StrSubstr, &[x, n, m]) };
            let found = op(p, Op::StrIndexof, &[v, c, zero]);
            let k = p.int(g.dice.below(3) as i64 - 1);
            let count = op(p, Op::Add, &[found, k]);
            let cut = op(p, Op::StrSubstr, &[x, n, count]);
            op(p, Op::StrContains, &[cut, c])
        }
        39 => {
            let k = p.int(g.dice.below(4) as i64);
            let n = op(p, Op::StrIndexof, &[s, x, k]);
            let m = p.int(g.dice.below(4) as i64);
            op(p, Op::Ge, &[n, m])
        }
        40..=41 => {
            let n = op(p, Op::StrLen, &[y]);
            let first = op(p, Op::StrSubstr, &[x, zero, if g.dice.chance(1, 2) { n } else { i }]);
            let f = g.dice.pick(&[Op::StrReplace, Op::StrIndexof]);
            op(p, f, &[x, first, if f == Op::StrReplace { z } else { zero }])
        }
        42 => {
            let c = g.bool(1);
            let args = if g.dice.chance(1, 2) { [c, x, y] } else { [c, y, x] };
            let choice = op(&mut g.pool, Op::Ite, &args);
            op(&mut g.pool, Op::Eq, &[choice, x])
        }
        43 => {
            let a = op(p, Op::StrAt, &[x, i]);
            op(p, Op::StrContains, &[a, y])
        }
        44 => {
            let (c, k, l, m) = (g.bool(1), g.number(), g.number(), g.number());
            let choice = op(&mut g.pool, Op::Ite, &[c, k, l]);
            op(&mut g.pool, Op::Ge, &[choice, m])
        }
        45 => {
            let (c, k, m) = (g.bool(1), g.constant(), g.constant());
            let args = if g.dice.chance(1, 2) { [c, k, x] } else { [c, x, k] };
            let choice = op(&mut g.pool, Op::Ite, &args);
            op(&mut g.pool, Op::Eq, &[m, choice])
        }
        46 => {
            let (c, ab) = (p.string(&[0x62, 0x63]), p.string(&[0x61, 0x62]));
            let list = op(p, Op::StrConcat, &[c, x, ab, y]);
            op(p, Op::StrIndexof, &[list, ab, zero])
        }
        47 => {
            let r = op(p, Op::StrToRe, &[y]);
            let f = g.dice.pick(&[Op::StrReplaceRe, Op::StrReplaceReAll, Op::StrIndexofRe]);
            op(p, f, &[x, r, if f == Op::StrIndexofRe { i } else { z }])
        }
        49 | 50 => {
            let a = g.regex(1);
            let p = &mut g.pool;
            let w = op(p, Op::StrToRe, &[x]);
            let f = g.dice.pick(&[Op::ReUnion, Op::ReInter, Op::ReDiff, Op::ReConcat]);
            let args = if g.dice.chance(1, 2) { [a, w] } else { [w, a] };
            let r = op(&mut g.pool, f, &args);
            let f = g.dice.pick(&[Op::ReComp, Op::ReOpt]);
            let r = if g.dice.chance(1, 3) { op(&mut g.pool, f, &[r]) } else { r };
            op(&mut g.pool, Op::StrInRe, &[s, r])
        }
        51 | 57 => {
            let p = &mut g.pool;
            let (w, any, dot) = (op(p, Op::StrToRe, &[x]), op(p, Op::ReAll, &[]), op(p, Op::ReAllchar, &[]));
            let (c, none) = (op(p, Op::ReRange, &[y, z]), op(p, Op::ReNone, &[]));
            let two = op(p, Op::ReConcat, &[dot, dot]);
            let list = match g.dice.below(6) {
                0 => vec![any, w, any],
                1 => vec![dot, w],
                2 => vec![any, w, two],
                3 => vec![any, w, none],
                4 => vec![w, c],
                _ => vec![dot, w, any],
            };
            let r = op(&mut g.pool, Op::ReConcat, &list);
            op(&mut g.pool, Op::StrInRe, &[s, r])
        }
        48 => {
            let (c, d) = (g.constant(), g.constant());
            let p = &mut g.pool;
            let (left, right) = match i.0 % 3 {
                0 => ([c, x, y], [x, d, z]),
                1 => ([y, x, c], [z, d, x]),
                _ => ([c, x, z], [x, d, z]),
            };
            let (left, right) = (op(p, Op::StrConcat, &left), op(p, Op::StrConcat, &right));
            op(p, Op::Eq, &[left, right])
        }
        28 => {
            let (c, d) = (g.constant(), g.constant());
            let n = g.number();
            let list = op(&mut g.pool, Op::StrConcat, &[c, x, y]);
            op(&mut g.pool, Op::StrIndexof, &[list, d, n])
        }
        52 => {
            let n = op(p, Op::StrLen, &[x]);
            let xs = op(p, Op::StrConcat, &[x, s]);
            let more = op(p, Op::Add, &[n, i]);
            op(p, Op::StrSubstr, &[xs, more, j])
        }
        53 => {
            let (from, to) = if g.dice.chance(1, 2) { (0x41, 0x61) } else { (0x61, 0x41) };
            let first = g.dice.below(26) as u32;
            (0..26).fold(z, |t, k| {
                let k = (first + k) % 26;
                let (a, b) = (p.string(&[from + k]), p.string(&[to + k]));
                op(p, Op::StrReplaceAll, &[t, a, b])
            })
        }
        54 | 55 => {
            let f = g.dice.pick(&[Op::StrToLower, Op::StrToUpper]);
            let case = op(p, f, &[x]);
            let (a, b) = (p.string(&[0x61]), g.dice.pick(&[&[][..], &[0x62], &[0x31]]));
            let b = p.string(b);
            let moved = op(p, Op::StrReplaceAll, &[x, a, b]);
            let image = if g.dice.chance(1, 2) { case } else { moved };
            match g.dice.below(5) {
                0 => op(p, Op::StrToInt, &[case]),
                1 => op(p, Op::StrToCode, &[image]),
                2 => {
                    let r = g.regex(2);
                    op(&mut g.pool, Op::StrInRe, &[image, r])
                }
                _ => {
                    let c = g.constant();
                    op(&mut g.pool, Op::StrContains, &[image, c])
                }
            }
        }
        56 => {
            let (a, b) = (p.string(&[0x61]), p.string(&[0x62]));
            let letters = op(p, Op::ReRange, &[a, b]);
            let star = op(p, Op::ReStar, &[letters]);
            let joined = op(p, Op::StrConcat, &[x, s, z]);
            op(p, Op::StrInRe, &[joined, star])
        }
        58 => {
            let inner = op(p, Op::StrReplace, &[x, y, x]);
            op(p, Op::StrReplace, &[inner, x, z])
        }
        n => unreachable!("SHAPES is too large: there is no shape {n}"),
    }
}
