//! Strings that always or never contain another: by parts, by length, by character.

use crate::build::{Terms, is, parts, three, word};
use crate::poly::Poly;
use rustc_hash::FxHashMap;
use semantics::strings as s;
use smt::{Head, Int, Op, Pool, Term, work};

/// The depth to which a part is searched.
const MAX_DEPTH: u32 = 4;

/// Whether `s` always contains `t`, by their parts, or because `t` is a substring of `s` syntactically.
pub(crate) fn always_contains(pool: &Pool, s: Term, t: Term) -> bool {
    if s == t {
        return true;
    }
    let (hay, needle) = (parts(pool, s), parts(pool, t));
    match needle[..] {
        [] => true,
        [only] => hay.iter().any(|&a| part_contains(pool, a, only, 0)) || cut_from(pool, s, only),
        _ => (0..hay.len()).any(|i| occurs_at(pool, &hay[i..], &needle)),
    }
}

/// The least number of parts at the front of `hay` that always contain `t`.
pub(crate) fn first_found(pool: &Pool, hay: &[Term], t: Term) -> Option<usize> {
    let needle = parts(pool, t);
    match needle[..] {
        [] => None,
        [only] => hay.iter().position(|&a| part_contains(pool, a, only, 0)).map(|i| i + 1),
        _ => hay.windows(needle.len()).position(|w| occurs_at(pool, w, &needle)).map(|i| i + needle.len()),
    }
}

/// Whether `t` is a nested `str.substr` of `s`.
fn cut_from(pool: &Pool, s: Term, mut t: Term) -> bool {
    for _ in 0..MAX_DEPTH {
        if !is(pool, t, Op::StrSubstr) {
            return false;
        }
        t = pool.args(t)[0];
        if t == s {
            return true;
        }
    }
    false
}

/// Whether the needle, of two or more parts, starts at the end of the first part and ends at the start of a later one.
fn occurs_at(pool: &Pool, hay: &[Term], needle: &[Term]) -> bool {
    let last = needle.len() - 1;
    hay.len() > last
        && ends_with(pool, hay[0], needle[0])
        && hay[1..last] == needle[1..last]
        && starts_with(pool, hay[last], needle[last])
}

fn ends_with(pool: &Pool, a: Term, b: Term) -> bool {
    a == b || matches!((word(pool, a), word(pool, b)), (Some(a), Some(b)) if a.ends_with(b))
}

fn starts_with(pool: &Pool, a: Term, b: Term) -> bool {
    a == b || matches!((word(pool, a), word(pool, b)), (Some(a), Some(b)) if a.starts_with(b))
}

fn part_contains(pool: &Pool, a: Term, b: Term, depth: u32) -> bool {
    if a == b {
        return true;
    }
    if depth >= MAX_DEPTH {
        return false;
    }
    match (word(pool, a), word(pool, b)) {
        (Some(a), Some(b)) => {
            work::spend(a.len());
            return s::contains(a, b);
        }
        (_, Some([])) => return true,
        _ => {}
    }
    if is(pool, b, Op::StrSubstr) && part_contains(pool, a, pool.args(b)[0], depth + 1) {
        return true;
    }
    match pool.head(a) {
        Head::Op(Op::StrReplace | Op::Ite) => {
            let (x, y, z) = three(pool, a);
            let other = if is(pool, a, Op::Ite) { y } else { x };
            part_found(pool, other, b, depth + 1) && part_found(pool, z, b, depth + 1)
        }
        _ => false,
    }
}

fn part_found(pool: &Pool, s: Term, b: Term, depth: u32) -> bool {
    s == b || parts(pool, s).iter().any(|&a| part_contains(pool, a, b, depth))
}

/// Whether `s` never contains `t`.
pub(crate) fn never_contains(pool: &mut Pool, s: Term, t: Term) -> bool {
    if constant_lacks(pool, s, t) || alphabet_lacks(pool, s, t) || fewer(pool, s, t) || cut_before(pool, s, t)
    {
        return true;
    }
    let spare = super::length(pool, t).sub(&super::length(pool, s));
    super::positive(pool, &spare)
}

/// Whether `s` is a constant or a substring of one, in which the constants of `t` do not occur one after another.
fn constant_lacks(pool: &Pool, s: Term, t: Term) -> bool {
    let mut whole = s;
    while is(pool, whole, Op::StrSubstr) {
        whole = pool.args(whole)[0];
    }
    let Some(mut hay) = word(pool, whole) else { return false };
    for part in parts(pool, t) {
        let Some(w) = word(pool, part) else { continue };
        let Some(n) = s::indexof(hay, w, &Int::ZERO, s::Reading::Standard).to_usize() else {
            return true;
        };
        hay = &hay[n + w.len()..];
    }
    false
}

/// Whether `s` is a nested substring of a prefix that ends before the first `t` ends: `(str.substr u 0 k)` with
/// k < `(str.indexof u t 0)` + |t|. Instead of `u` the index may be that in a substring of `u` with the same start.
fn cut_before(pool: &mut Pool, s: Term, t: Term) -> bool {
    let mut whole = s;
    while is(pool, whole, Op::StrSubstr) {
        if ends_before(pool, whole, t) {
            return true;
        }
        whole = pool.args(whole)[0];
    }
    false
}

fn ends_before(pool: &mut Pool, cut: Term, t: Term) -> bool {
    let (u, n, m) = three(pool, cut);
    let count = Poly::of(pool, m);
    let [(m, k)] = &count.terms[..] else { return false };
    if *k != Int::ONE || !is(pool, *m, Op::StrIndexof) {
        return false;
    }
    let (v, found, from) = three(pool, *m);
    let start = |i: Term| crate::build::int(pool, i).is_some_and(Int::is_zero);
    if !start(from) || !(v == u && start(n) || is(pool, v, Op::StrSubstr) && pool.args(v)[..2] == [u, n]) {
        return false;
    }
    // Every string that contains t contains the needle of the index.
    if !always_contains(pool, t, found) {
        return false;
    }
    let spare = super::length(pool, found).shift(-1);
    super::nonneg(pool, &spare) && super::nonneg(pool, &spare.sub(&Poly::constant(count.constant)))
}

/// Whether `t` has a character that `s` never has.
fn alphabet_lacks(pool: &Pool, s: Term, t: Term) -> bool {
    let mut asked: smallvec::SmallVec<[u32; 8]> = smallvec::SmallVec::new();
    for part in parts(pool, t) {
        for &c in word(pool, part).unwrap_or(&[]) {
            if asked.contains(&c) {
                continue;
            }
            if lacks_char(pool, s, c) {
                return true;
            }
            asked.push(c);
            if asked.len() >= 8 {
                return false;
            }
        }
    }
    false
}

/// Whether the character `c` never occurs in `s`.
pub(crate) fn lacks_char(pool: &Pool, s: Term, c: u32) -> bool {
    let mut stack: Terms = [s].into_iter().collect();
    for _ in 0..32 {
        let Some(u) = stack.pop() else {
            return true;
        };
        let args = pool.args(u);
        match pool.head(u) {
            Head::Str(id) if !pool.word(id).contains(&c) => {}
            Head::Op(Op::StrConcat) => stack.extend_from_slice(args),
            Head::Op(Op::StrSubstr | Op::StrRev) => stack.push(args[0]),
            // All occurrences of the character itself are replaced.
            Head::Op(Op::StrReplaceAll) if word(pool, args[1]) == Some(&[c]) => stack.push(args[2]),
            Head::Op(Op::StrReplace | Op::StrReplaceAll | Op::StrUpdate) => stack.extend([args[0], args[2]]),
            Head::Op(Op::Ite) => stack.extend([args[1], args[2]]),
            Head::Op(Op::StrFromInt) if !(0x30..=0x39).contains(&c) => {}
            Head::Op(Op::StrToLower) if (0x41..=0x5A).contains(&c) => {}
            Head::Op(Op::StrToUpper) if (0x61..=0x7A).contains(&c) => {}
            _ => return false,
        }
    }
    false
}

/// Whether, without their common parts, `s` is constant and has fewer of some character than the constants of `t`.
fn fewer(pool: &Pool, s: Term, t: Term) -> bool {
    let (hay, mut needle) = (parts(pool, s), parts(pool, t));
    let mut counts: FxHashMap<u32, i64> = FxHashMap::default();
    for part in hay {
        if let Some(w) = word(pool, part) {
            work::spend(w.len());
            for &c in w {
                *counts.entry(c).or_default() += 1;
            }
        } else if let Some(i) = needle.iter().position(|&p| p == part) {
            needle.remove(i);
        } else {
            return false;
        }
    }
    for part in needle {
        for &c in word(pool, part).unwrap_or(&[]) {
            let left = counts.entry(c).or_default();
            *left -= 1;
            if *left < 0 {
                return true;
            }
        }
    }
    false
}
