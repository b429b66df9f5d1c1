//! Letter maps: `str.to_lower`, `str.to_upper`, and `str.replace_all` of one character by another, or by nothing.
//!
//! Such a function `h` replaces each character by itself. So it commutes with concatenation and `substr`, and its inverse
//! image commutes with all operators on languages: `h(s) ∈ R` if and only if `s ∈ h⁻¹(R)`, where `h⁻¹(R)` is `R` with each
//! set of characters replaced by its inverse image. For example `(= (str.to_lower s) "a1")` becomes
//! `(str.in_re s (re.++ (re.union (str.to_re "a") (str.to_re "A")) (str.to_re "1")))`.
//!
//! A map that removes a character `c` has the inverse image `c* x c*` of a character `x`, and `c*` of the empty string.

use super::equality::strings;
use super::{Cx, Rule};
use crate::build::{Terms, contains, eq, is, op, parts, three, two, word};
use crate::poly::Poly;
use rustc_hash::FxHashMap;
use semantics::strings::MAX_CHAR;
use smt::{Head, Int, Op, Pool, PostOrder, Sort, Term};

pub(super) static RULES: &[Rule] = &[
    Rule::entailment("letters-chain", &[Op::StrReplaceAll], chain),
    Rule::entailment("letters-twice", CASES, twice),
    Rule::entailment("letters-concat", CASES, over_concat),
    Rule::entailment("letters-substr", &[Op::StrSubstr], of_substr),
    Rule::entailment("letters-code", &[Op::StrToCode], code),
    Rule::entailment("letters-to-int", &[Op::StrToInt], to_int),
    Rule::entailment("letters-in-re", &[Op::StrInRe], membership),
    Rule::entailment("letters-eq", &[Op::Eq], equal_word),
    Rule::entailment("letters-fixed", &[Op::Eq], fixed),
    Rule::entailment("letters-contains", &[Op::StrContains], contains_word),
];

const CASES: &[Op] = &[Op::StrToLower, Op::StrToUpper];

/// Subterms of an expression whose inverse image is built, at most.
const MAX_TERMS: usize = 2_000;
/// Characters of the constants in it, at most.
const MAX_CHARACTERS: usize = 5_000;

/// A map of characters.
#[derive(Clone, Copy)]
enum Map {
    /// Characters from the first to the second move by the third.
    Move(u32, u32, i64),
    /// The character is removed.
    Remove(u32),
}

/// Characters as intervals.
type Set = Vec<(u32, u32)>;

impl Map {
    /// The characters whose image is between two characters; none for a map that removes characters.
    fn before(self, low: u32, high: u32) -> Set {
        let (low, high) = (i64::from(low), i64::from(high));
        let intervals = match self {
            Map::Move(from, to, by) => {
                let (from, to) = (i64::from(from), i64::from(to));
                let moved = (low.max(from + by) - by, high.min(to + by) - by);
                vec![(low, high.min(from - 1)), (low.max(to + 1), high), moved]
            }
            Map::Remove(c) => {
                let c = i64::from(c);
                vec![(low, high.min(c - 1)), (low.max(c + 1), high)]
            }
        };
        let code = |n: i64| u32::try_from(n).expect("a character");
        intervals.into_iter().filter(|(a, b)| a <= b).map(|(a, b)| (code(a), code(b))).collect()
    }

    fn is_fixed(self, c: u32) -> bool {
        self.before(c, c) == [(c, c)]
    }
}

/// The map that a term applies, and its argument.
fn map_of(pool: &Pool, t: Term) -> Option<(Map, Term)> {
    let Head::Op(f) = pool.head(t) else { return None };
    let s = *pool.args(t).first()?;
    let map = match f {
        Op::StrToLower => Map::Move(0x41, 0x5A, 0x20),
        Op::StrToUpper => Map::Move(0x61, 0x7A, -0x20),
        Op::StrReplaceAll => {
            let (_, u, r) = three(pool, t);
            match (word(pool, u)?, word(pool, r)?) {
                (&[c], &[d]) => Map::Move(c, c, i64::from(d) - i64::from(c)),
                (&[c], &[]) => Map::Remove(c),
                _ => return None,
            }
        }
        _ => return None,
    };
    Some((map, s))
}

/// A map that keeps lengths, and its argument.
fn moving(pool: &Pool, t: Term) -> Option<((u32, u32, i64), Term)> {
    match map_of(pool, t)? {
        (Map::Move(from, to, by), s) => Some(((from, to, by), s)),
        (Map::Remove(_), _) => None,
    }
}

/// The term with another argument.
fn with_argument(pool: &mut Pool, t: Term, s: Term) -> Term {
    let (head, sort) = (pool.head(t), pool.sort_of(t));
    let mut args = pool.args(t).to_vec();
    args[0] = s;
    pool.mk(head, sort, &args)
}

/// match: 26 nested `(str.replace_all … "A" "a")`, one for each letter, in any order; or the other way
/// result: `str.to_lower`, `str.to_upper`
fn chain(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (mut s, mut seen, mut by) = (t, 0_u32, None);
    while is(cx.pool, s, Op::StrReplaceAll) {
        let ((c, _, distance), below) = moving(cx.pool, s)?;
        let letter = match distance {
            0x20 => c.checked_sub(0x41),
            -0x20 => c.checked_sub(0x61),
            _ => None,
        };
        let bit = 1 << letter.filter(|&k| k < 26)?;
        if *by.get_or_insert(distance) != distance || seen & bit != 0 {
            return None;
        }
        seen |= bit;
        s = below;
        if seen == (1 << 26) - 1 {
            let f = if by == Some(0x20) { Op::StrToLower } else { Op::StrToUpper };
            return Some(op(cx.pool, f, &[s]));
        }
    }
    None
}

/// match: `(str.to_lower (str.to_upper s))` and the like
/// result: the outer one only
fn twice(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let s = cx.pool.args(t)[0];
    if !is(cx.pool, s, Op::StrToLower) && !is(cx.pool, s, Op::StrToUpper) {
        return None;
    }
    let inner = cx.pool.args(s)[0];
    Some(with_argument(cx.pool, t, inner))
}

/// match: `(str.to_lower (str.++ a b …))`
/// result: `(str.++ (str.to_lower a) (str.to_lower b) …)`
fn over_concat(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let list: Terms = parts(cx.pool, cx.pool.args(t)[0]);
    if list.len() < 2 {
        return None;
    }
    let images: Vec<Term> = list.iter().map(|&a| with_argument(cx.pool, t, a)).collect();
    Some(op(cx.pool, Op::StrConcat, &images))
}

/// match: `(str.substr (h s) n m)` of a map that keeps lengths, unless it is a part of a chain with other replacements, which is compared as a whole
/// result: `(h (str.substr s n m))`
fn of_substr(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (image, n, m) = three(cx.pool, t);
    let (_, s) = moving(cx.pool, image)?;
    let mut inner = s;
    while let Some((_, below)) = moving(cx.pool, inner) {
        inner = below;
    }
    let replaces = |f: Op| is(cx.pool, inner, f);
    if [Op::StrReplaceAll, Op::StrReplace, Op::StrReplaceRe, Op::StrReplaceReAll].into_iter().any(replaces) {
        return None;
    }
    let part = op(cx.pool, Op::StrSubstr, &[s, n, m]);
    Some(with_argument(cx.pool, image, part))
}

/// match: `(str.to_code (h s))` of a map that keeps lengths
/// result: `(ite (<= from (str.to_code s) to) (+ (str.to_code s) by) (str.to_code s))`
fn code(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let ((from, to, by), s) = moving(cx.pool, cx.pool.args(t)[0])?;
    let code = op(cx.pool, Op::StrToCode, &[s]);
    let inside = super::arith::between(cx.pool, &Poly::monomial(code), from.into(), to.into());
    let by = cx.pool.int(by);
    let moved = op(cx.pool, Op::Add, &[code, by]);
    Some(cx.pool.mk(Head::Op(Op::Ite), Sort::INT, &[inside, moved, code]))
}

/// match: `(str.to_int (str.to_lower s))`, `(str.to_int (str.to_upper s))`
/// result: `(str.to_int s)`
fn to_int(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let image = cx.pool.args(t)[0];
    if !is(cx.pool, image, Op::StrToLower) && !is(cx.pool, image, Op::StrToUpper) {
        return None;
    }
    let s = cx.pool.args(image)[0];
    Some(op(cx.pool, Op::StrToInt, &[s]))
}

/// match: `(str.in_re (h s) r)` of a ground expression
/// result: `(str.in_re s r')` with the inverse image of `r`
fn membership(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (image, r) = two(cx.pool, t)?;
    let (map, s) = map_of(cx.pool, image)?;
    let r = inverse(cx, map, r)?;
    Some(op(cx.pool, Op::StrInRe, &[s, r]))
}

/// match: `(= (h s) w)` of a map that keeps lengths and a constant
/// result: `(str.in_re s r)` with the inverse image of `w`; `(= s w)` if that is only `w`
fn equal_word(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = strings(cx.pool, t)?;
    for (image, w) in [(a, b), (b, a)] {
        let (Some((map, s)), Some(letters)) = (moving(cx.pool, image), word(cx.pool, w)) else { continue };
        let map = Map::Move(map.0, map.1, map.2);
        if letters.iter().all(|&c| map.is_fixed(c)) {
            return Some(eq(cx.pool, s, w));
        }
        let only = op(cx.pool, Op::StrToRe, &[w]);
        let r = inverse(cx, map, only)?;
        return Some(op(cx.pool, Op::StrInRe, &[s, r]));
    }
    None
}

/// match: `(= (h s) s)` of a map that keeps lengths
/// result: `(str.in_re s (re.* r))` with the characters that the map keeps
fn fixed(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (a, b) = strings(cx.pool, t)?;
    for (image, s) in [(a, b), (b, a)] {
        if let Some(((from, to, _), of)) = moving(cx.pool, image)
            && of == s
        {
            let kept = match (from.checked_sub(1), to < MAX_CHAR) {
                (Some(last), true) => vec![(0, last), (to + 1, MAX_CHAR)],
                (Some(last), false) => vec![(0, last)],
                (None, _) => vec![(to + 1, MAX_CHAR)],
            };
            let kept = set(cx.pool, &kept);
            let all = op(cx.pool, Op::ReStar, &[kept]);
            return Some(op(cx.pool, Op::StrInRe, &[s, all]));
        }
    }
    None
}

/// match: `(str.contains (h s) w)` of a map that keeps lengths and a constant
/// result: `(str.in_re s (re.++ re.all r re.all))` with the inverse image of `w`; `(str.contains s w)` if that is only `w`
fn contains_word(cx: &mut Cx<'_>, t: Term) -> Option<Term> {
    let (image, w) = two(cx.pool, t)?;
    let ((from, to, by), s) = moving(cx.pool, image)?;
    let map = Map::Move(from, to, by);
    let letters = word(cx.pool, w).filter(|w| !w.is_empty())?;
    if letters.iter().all(|&c| map.is_fixed(c)) {
        return Some(contains(cx.pool, s, w));
    }
    let only = op(cx.pool, Op::StrToRe, &[w]);
    let r = inverse(cx, map, only)?;
    let all = op(cx.pool, Op::ReAll, &[]);
    let around = op(cx.pool, Op::ReConcat, &[all, r, all]);
    Some(op(cx.pool, Op::StrInRe, &[s, around]))
}

/// A set of characters as an expression.
fn set(pool: &mut Pool, intervals: &[(u32, u32)]) -> Term {
    let one = |pool: &mut Pool, &(low, high): &(u32, u32)| {
        let (a, b) = (pool.string(&[low]), pool.string(&[high]));
        if low == high { op(pool, Op::StrToRe, &[a]) } else { op(pool, Op::ReRange, &[a, b]) }
    };
    match intervals {
        [] => op(pool, Op::ReNone, &[]),
        [only] => one(pool, only),
        _ => {
            let list: Vec<Term> = intervals.iter().map(|i| one(pool, i)).collect();
            op(pool, Op::ReUnion, &list)
        }
    }
}

fn sequence(pool: &mut Pool, list: &[Term]) -> Term {
    match list {
        [] => {
            let nothing = pool.string(&[]);
            op(pool, Op::StrToRe, &[nothing])
        }
        [only] => *only,
        _ => op(pool, Op::ReConcat, list),
    }
}

/// The inverse image of a ground expression.
fn inverse(cx: &mut Cx<'_>, map: Map, r: Term) -> Option<Term> {
    cx.regexes.language(cx.pool, r)?;
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    let mut characters = 0;
    let mut order = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut walk = PostOrder::new([r]);
    while let Some(t) = walk.next(|t| seen.insert(t).then(|| super::regex::below(cx.pool, t))) {
        order.push(t);
        if is(cx.pool, t, Op::StrToRe) {
            characters += word(cx.pool, cx.pool.args(t)[0])?.len();
        }
        if order.len() > MAX_TERMS || characters > MAX_CHARACTERS {
            return None;
        }
    }
    for t in order {
        let image = inverse_of(cx.pool, map, t, &done)?;
        done.insert(t, image);
    }
    done.get(&r).copied()
}

/// The inverse image of an expression, from those of its arguments.
fn inverse_of(pool: &mut Pool, map: Map, t: Term, done: &FxHashMap<Term, Term>) -> Option<Term> {
    let (f, indices): (Op, Vec<Int>) = match pool.head(t) {
        Head::Op(f) => (f, Vec::new()),
        Head::Indexed(f, id) => (f, pool.index_values(id).to_vec()),
        _ => return None,
    };
    match f {
        Op::StrToRe => {
            let letters = word(pool, pool.args(t)[0])?.to_vec();
            return Some(inverse_word(pool, map, &letters));
        }
        Op::ReRange => {
            let (a, b) = two(pool, t)?;
            let set_of = match (word(pool, a)?, word(pool, b)?) {
                (&[low], &[high]) if low <= high => map.before(low, high),
                _ => Vec::new(),
            };
            return Some(around(pool, map, &set_of));
        }
        Op::ReAllchar => {
            let set_of = map.before(0, MAX_CHAR);
            return Some(if matches!(map, Map::Move(..)) { t } else { around(pool, map, &set_of) });
        }
        Op::ReNone | Op::ReAll => return Some(t),
        _ => {}
    }
    let args: Vec<Term> = pool.args(t).iter().map(|a| done.get(a).copied()).collect::<Option<_>>()?;
    if let Map::Remove(c) = map
        && let Some(special) = repeated(pool, c, f, &indices, args[0])
    {
        return Some(special);
    }
    let head = pool.head(t);
    Some(pool.mk(head, Sort::REGLAN, &args))
}

/// The inverse image of repetitions under the removal of `c`, where the number may be zero.
fn repeated(pool: &mut Pool, c: u32, f: Op, indices: &[Int], r: Term) -> Option<Term> {
    let removed = removed(pool, c);
    let letter = set(pool, &[(c, c)]);
    match f {
        Op::ReStar | Op::RePlus => {
            let either = op(pool, Op::ReUnion, &[r, letter]);
            let star = op(pool, Op::ReStar, &[either]);
            Some(if f == Op::ReStar { star } else { op(pool, Op::ReConcat, &[r, star]) })
        }
        Op::ReOpt => Some(op(pool, Op::ReUnion, &[r, removed])),
        Op::RePower if indices[0].is_zero() => Some(removed),
        Op::ReLoop if indices[0].is_zero() => {
            let some = pool.index(&[Int::ONE, indices[1].clone()]);
            let some = pool.mk(Head::Indexed(Op::ReLoop, some), Sort::REGLAN, &[r]);
            Some(op(pool, Op::ReUnion, &[removed, some]))
        }
        _ => None,
    }
}

/// `c*`
fn removed(pool: &mut Pool, c: u32) -> Term {
    let letter = set(pool, &[(c, c)]);
    op(pool, Op::ReStar, &[letter])
}

/// A set of characters, with removed characters around it.
fn around(pool: &mut Pool, map: Map, intervals: &[(u32, u32)]) -> Term {
    let inside = set(pool, intervals);
    match map {
        Map::Remove(c) if !intervals.is_empty() => {
            let removed = removed(pool, c);
            op(pool, Op::ReConcat, &[removed, inside, removed])
        }
        _ => inside,
    }
}

/// The inverse image of a string: character by character, those that the map keeps together.
fn inverse_word(pool: &mut Pool, map: Map, letters: &[u32]) -> Term {
    let mut list = Vec::new();
    if let Map::Remove(c) = map {
        let removed = removed(pool, c);
        list.push(removed);
        for &x in letters {
            let before = map.before(x, x);
            list.push(set(pool, &before));
            list.push(removed);
        }
        return sequence(pool, &list);
    }
    let mut start = 0;
    for i in 0..=letters.len() {
        if i < letters.len() && map.is_fixed(letters[i]) {
            continue;
        }
        if start < i {
            let run = pool.string(&letters[start..i]);
            list.push(op(pool, Op::StrToRe, &[run]));
        }
        if let Some(&x) = letters.get(i) {
            let before = map.before(x, x);
            list.push(set(pool, &before));
        }
        start = i + 1;
    }
    sequence(pool, &list)
}
