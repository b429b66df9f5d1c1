//! Equalities of strings with the same parts on both sides.
//!
//! `(= (str.++ "ab" x) (str.++ x "ba"))` holds for the strings `a`, `aba`, `ababa`, …: `x` is in `(ab)*a`. And
//! `(= (str.++ x "a" y) (str.++ y "b" x))` is false, because one side has more `a`s.

use super::equality::strings;
use super::{Cx, Rule};
use crate::build::{Terms, and, concat, eq, op, parts, word};
use smt::{Op, Pool, Term};
use std::collections::BTreeMap;

pub(super) static RULES: &[Rule] =
    &[Rule::new("str-eq-characters", &[Op::Eq], characters), Rule::new("str-eq-loop", &[Op::Eq], looped)];

/// Characters that are counted, at most.
const MAX_CHARACTERS: usize = 1 << 14;

/// match: `(= s t)` where, without the parts that are on both sides, one side has characters that the other, which is
/// constant, does not have as often
/// result: `false`
fn characters(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = strings(cx.pool, t)?;
    let mut others: BTreeMap<Term, i64> = BTreeMap::new();
    let (mut words, mut length) = (Vec::new(), 0);
    for (side, sign) in [(a, 1), (b, -1)] {
        for p in parts(cx.pool, side) {
            match word(cx.pool, p) {
                Some(w) => {
                    length += w.len();
                    words.push((p, sign));
                }
                None => *others.entry(p).or_default() += sign,
            }
        }
    }
    let open_left = others.values().any(|&n| n > 0);
    let open_right = others.values().any(|&n| n < 0);
    if open_left && open_right || length > MAX_CHARACTERS {
        return None;
    }
    let mut counts: BTreeMap<u32, i64> = BTreeMap::new();
    for (p, sign) in words {
        word(cx.pool, p)?.iter().for_each(|&c| *counts.entry(c).or_default() += sign);
    }
    let clash = counts.values().any(|&n| n > 0 && !open_right || n < 0 && !open_left);
    clash.then(|| cx.pool.bool(false))
}

/// match: `(= (str.++ c w s) (str.++ w d t))` with constants `c` and `d`, |d| >= |c|; or the mirror image
/// result: `(and (str.in_re w (re.++ (re.* p) u)) (= s (str.++ e t)))` where `d` is `d' e`, |d'| = |c|, `c` is a power of `p`,
/// `p` is `u v`, and `d'` is the same power of `v u`; `false` if there are no such `u` and `v`
fn looped(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = strings(cx.pool, t)?;
    let (a, b) = (parts(cx.pool, a), parts(cx.pool, b));
    for mirrored in [false, true] {
        for (a, b) in [(&a, &b), (&b, &a)] {
            if let Some(found) = find(cx.pool, a, b, mirrored) {
                return Some(found.write(cx.pool));
            }
        }
    }
    None
}

/// A loop: `c w = w d` with constants of equal length, and the rest of both sides.
struct Loop {
    /// `c`, or `d` in the mirror image `w c = d w`.
    front: Vec<u32>,
    back: Vec<u32>,
    looped: Terms,
    rest: (Terms, Terms),
}

fn find(pool: &mut Pool, a: &[Term], b: &[Term], mirrored: bool) -> Option<Loop> {
    let oriented = |list: &[Term]| -> Terms {
        if mirrored { list.iter().rev().copied().collect() } else { list.iter().copied().collect() }
    };
    let (a, b) = (oriented(a), oriented(b));
    let c = word(pool, *a.first()?)?.to_vec();
    let same = a[1..].iter().zip(&b).take_while(|(x, y)| x == y).count();
    let k =
        (1..=same).find(|&k| b.get(k).is_some_and(|&d| word(pool, d).is_some_and(|d| d.len() >= c.len())))?;
    let d = word(pool, b[k])?.to_vec();
    let (used, left) = if mirrored {
        let (left, used) = d.split_at(d.len() - c.len());
        (used.to_vec(), left.to_vec())
    } else {
        let (used, left) = d.split_at(c.len());
        (used.to_vec(), left.to_vec())
    };
    let mut rest_b: Terms = b[k + 1..].iter().copied().collect();
    if !left.is_empty() {
        rest_b.insert(0, pool.string(&left));
    }
    let rest = (oriented(&a[1 + k..]), oriented(&rest_b));
    let (front, back) = if mirrored { (used, c) } else { (c, used) };
    Some(Loop { front, back, looped: oriented(&b[..k]), rest })
}

impl Loop {
    fn write(&self, pool: &mut Pool) -> Term {
        let Some((root, at)) = rotation(&self.front, &self.back) else { return pool.bool(false) };
        let w = concat(pool, &self.looped);
        let (root_term, start) = (pool.string(root), pool.string(&root[..at]));
        let root_re = op(pool, Op::StrToRe, &[root_term]);
        let many = op(pool, Op::ReStar, &[root_re]);
        let start_re = op(pool, Op::StrToRe, &[start]);
        let language = if at == 0 { many } else { op(pool, Op::ReConcat, &[many, start_re]) };
        let member = op(pool, Op::StrInRe, &[w, language]);
        let (s, t) = (concat(pool, &self.rest.0), concat(pool, &self.rest.1));
        let rest = eq(pool, s, t);
        and(pool, &[member, rest])
    }
}

/// For words of equal length: the primitive root `u v` of `c`, and the length of `u`, such that `d` is a power of `v u`.
/// None if `d` is not a rotation of `c`.
///
/// Then `c w = w d` holds exactly for the words `(u v)^k u`: `w` is a prefix of `c c c …`, so it is `c^k u` with `c = u v`,
/// and `c^(k+1) u = c^k u d` is equivalent to `d = v u`.
pub(crate) fn rotation<'c>(c: &'c [u32], d: &[u32]) -> Option<(&'c [u32], usize)> {
    let n = c.len();
    let is_root = |p: &usize| n.is_multiple_of(*p) && c[*p..] == c[..n - *p];
    let root = &c[..(1..=n).find(is_root)?];
    let rotates_to = |&i: &usize| c[i..] == d[..n - i] && c[..i] == d[n - i..];
    (0..root.len()).find(rotates_to).map(|i| (root, i))
}

#[cfg(test)]
mod tests {
    use super::rotation;

    /// All words over two characters up to a length: `c w = w d` holds exactly for the words stated.
    #[test]
    fn rotations() {
        let words =
            |n: usize| (0..1u32 << n).map(move |bits| (0..n).map(|i| bits >> i & 1).collect::<Vec<u32>>());
        for n in 1..=4 {
            for c in words(n) {
                for d in words(n) {
                    let found = rotation(&c, &d);
                    for w in (0..=6).flat_map(words) {
                        let holds = [&c[..], &w].concat() == [&w[..], &d].concat();
                        let stated = found.is_some_and(|(p, i)| {
                            w.len() % p.len() == i && w.iter().zip(p.iter().cycle()).all(|(a, b)| a == b)
                        });
                        assert_eq!(holds, stated, "{c:?} {d:?} {w:?}");
                    }
                }
            }
        }
    }
}
