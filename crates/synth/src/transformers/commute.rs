//! Operators that commute with reversing and with permutations of the characters: the table, and its proof.
//!
//! *Reverse* and *translate* are built on a bijection `h` of strings (reversing; a permutation π of the characters), which is a bijection of languages as well, and leaves integers, reals, Booleans and the
//! elements of declared sorts alone. Let `M` be an interpretation, and `Mʰ` the one with `c ↦ h(M(c))` for constants and
//! `f ↦ h ∘ M(f) ∘ h⁻¹` for functions. If every operator of the script *commutes* with `h`, that is
//!
//! > the transformed `f`, applied to `h(a₁) … h(aₙ)`, is `h(f(a₁ … aₙ))`,
//!
//! then by induction the value of each transformed term under `Mʰ` is `h` of the value of the term under `M`: Booleans
//! stay the same, quantifiers range over the same values as `h` is onto, and definitions, recursive ones too, keep their
//! meaning. `M ↦ Mʰ` is a bijection of interpretations, so every `check-sat` keeps its answer, known or not.
//!
//! | | reverse | a permutation π |
//! |---|---|---|
//! | core, arithmetic, `ite`, `=`, `distinct`, quantifiers, functions | commute | commute |
//! | `str.++` `re.++` | commute, with their arguments in the other order | commute |
//! | `str.prefixof` `str.suffixof` | become one another | commute |
//! | `str.len` `str.contains` `str.in_re` `str.to_re` `str.rev`, other `re.…` but `re.range` | commute | commute |
//! | `re.range` | commutes | if π maps the range onto the one that it becomes; both ends must be literals |
//! | `str.at` `str.substr` `str.indexof` `str.replace` `str.replace_re` `str.replace_re_all` `str.update` `str.indexof_re` `seq.last_indexof` | no: they depend on one end | commute |
//! | `str.replace_all` | if the pattern is a literal that does not overlap itself (`"aba"` does) | commutes |
//! | `str.is_digit` | commutes | if π maps digits to digits |
//! | `str.to_int` `str.from_int` | no | if π fixes every digit |
//! | `str.to_code` `str.from_code` | commute: one character or none | no, unless π is the identity |
//! | `str.<` `str.<=` | no | no, unless π is the identity |
//! | `str.to_lower` `str.to_upper` | commute | if π commutes with them on every character |
//!
//! Terms of other theories, `lambda`, sorts that contain strings (arrays, sequences) and unknown commands are not
//! covered. The table is checked by brute force over all small words and languages
//! (`transformers/tests/commute.rs`).

use super::permutation::Permutation;
use semantics::certificate::{changes_meaning, head};
use smt::term::SortKind;
use smt::{Command, Head, Op, Pool, Script, Sort, Term};

/// The proof covers the script, and each of its applications of operators commutes. `live` are the terms of the script,
/// by id.
pub fn all_commute(
    pool: &Pool,
    script: &Script,
    live: &[bool],
    commutes: &dyn Fn(&Pool, Op, &[Term]) -> bool,
) -> bool {
    let covered = |t: Term| match pool.head(t) {
        Head::Op(op) | Head::Indexed(op, _) => commutes(pool, op, pool.args(t)),
        Head::Lambda | Head::Opaque(_) => false,
        _ => true,
    };
    script.commands().all(is_known)
        && (0..live.len())
            .filter(|&i| live[i])
            .map(|i| Term(i as u32))
            .all(|t| is_plain(pool, pool.sort_of(t)) && covered(t))
}

/// One of the built-in sorts, or a declared one without parameters.
fn is_plain(pool: &Pool, s: Sort) -> bool {
    let data = pool.sort_data(s);
    s != Sort::OPAQUE && data.args.is_empty() && matches!(data.kind, SortKind::Builtin | SortKind::Declared)
}

/// A command that neither asserts nor defines anything in text only. (Datatypes are seen by their use.)
fn is_known(c: &Command) -> bool {
    let Command::Other(text) = c else { return true };
    !changes_meaning(text) && !head(text).starts_with("define-")
}

/// When an operator commutes with reversing.
#[derive(Clone, Copy)]
enum Reversed {
    Always,
    Never,
    /// The pattern, its second argument, is a literal that does not overlap itself.
    UnborderedPattern,
}

/// When an operator commutes with a permutation that is not the identity.
#[derive(Clone, Copy)]
enum Permuted {
    Always,
    Never,
    /// The range is mapped onto the range that it becomes.
    MappedRange,
    /// Digits are mapped to digits.
    MappedDigits,
    /// No digit moves.
    FixedDigits,
    /// The permutation commutes with the conversion to lower case.
    LowerCase,
    /// The same for upper case.
    UpperCase,
}

/// The table.
fn commutes(op: Op) -> (Reversed, Permuted) {
    match op {
        Op::True
        | Op::False
        | Op::Not
        | Op::And
        | Op::Or
        | Op::Xor
        | Op::Implies
        | Op::Eq
        | Op::Distinct
        | Op::Ite
        | Op::Neg
        | Op::Add
        | Op::Sub
        | Op::Mul
        | Op::RealDiv
        | Op::IntDiv
        | Op::Mod
        | Op::Abs
        | Op::Le
        | Op::Lt
        | Op::Ge
        | Op::Gt
        | Op::Divisible
        | Op::ToReal
        | Op::ToInt
        | Op::IsInt
        | Op::StrConcat
        | Op::StrLen
        | Op::StrPrefixof
        | Op::StrSuffixof
        | Op::StrContains
        | Op::StrRev
        | Op::StrToRe
        | Op::StrInRe
        | Op::ReNone
        | Op::ReAll
        | Op::ReAllchar
        | Op::ReConcat
        | Op::ReUnion
        | Op::ReInter
        | Op::ReStar
        | Op::ReComp
        | Op::ReDiff
        | Op::RePlus
        | Op::ReOpt
        | Op::RePower
        | Op::ReLoop => (Reversed::Always, Permuted::Always),
        Op::ReRange => (Reversed::Always, Permuted::MappedRange),
        Op::StrAt
        | Op::StrSubstr
        | Op::StrIndexof
        | Op::StrReplace
        | Op::StrReplaceRe
        | Op::StrReplaceReAll
        | Op::StrUpdate
        | Op::StrIndexofRe
        | Op::StrLastIndexof => (Reversed::Never, Permuted::Always),
        Op::StrReplaceAll => (Reversed::UnborderedPattern, Permuted::Always),
        Op::StrIsDigit => (Reversed::Always, Permuted::MappedDigits),
        Op::StrToInt | Op::StrFromInt => (Reversed::Never, Permuted::FixedDigits),
        Op::StrToCode | Op::StrFromCode => (Reversed::Always, Permuted::Never),
        Op::StrLt | Op::StrLe => (Reversed::Never, Permuted::Never),
        Op::StrToLower => (Reversed::Always, Permuted::LowerCase),
        Op::StrToUpper => (Reversed::Always, Permuted::UpperCase),
        // Elements are no characters.
        Op::SeqEmpty | Op::SeqUnit | Op::SeqNth | Op::SeqConcat | Op::SeqLen | Op::SeqAt | Op::SeqExtract => {
            (Reversed::Never, Permuted::Never)
        }
        Op::SeqPrefixof
        | Op::SeqSuffixof
        | Op::SeqContains
        | Op::SeqIndexof
        | Op::SeqReplace
        | Op::SeqReplaceAll => (Reversed::Never, Permuted::Never),
    }
}

/// The table has `Never` for reversing.
#[cfg(test)]
pub(super) fn is_never_reversed(op: Op) -> bool {
    matches!(commutes(op).0, Reversed::Never)
}

/// The application of `op` commutes with reversing.
pub fn commutes_with_reverse(pool: &Pool, op: Op, args: &[Term]) -> bool {
    match commutes(op).0 {
        Reversed::Always => true,
        Reversed::Never => false,
        Reversed::UnborderedPattern => match pool.head(args[1]) {
            Head::Str(id) => is_unbordered(pool.word(id)),
            _ => false,
        },
    }
}

/// No proper prefix of the string is a suffix of it: its occurrences in any string do not overlap, and which of them are
/// replaced does not depend on the end at which the search starts.
fn is_unbordered(w: &[u32]) -> bool {
    (1..w.len()).all(|n| w[..n] != w[w.len() - n..])
}

/// The application of `op` commutes with a permutation. With `re_range`, the ends of ranges are permuted, too.
pub fn commutes_with(pi: &Permutation, re_range: bool, pool: &Pool, op: Op, args: &[Term]) -> bool {
    if pi.is_identity() {
        return true;
    }
    match commutes(op).1 {
        Permuted::Always => true,
        Permuted::Never => false,
        Permuted::MappedRange => range_commutes(pi, re_range, pool, args),
        Permuted::MappedDigits => DIGITS.into_iter().all(|c| DIGITS.contains(&pi.image(c))),
        Permuted::FixedDigits => DIGITS.into_iter().all(|c| pi.image(c) == c),
        Permuted::LowerCase => pi.commutes_with_function(|c| if UPPER.contains(&c) { c + 32 } else { c }),
        Permuted::UpperCase => pi.commutes_with_function(|c| if LOWER.contains(&c) { c - 32 } else { c }),
    }
}

const DIGITS: std::ops::RangeInclusive<u32> = 0x30..=0x39;
const UPPER: std::ops::RangeInclusive<u32> = 0x41..=0x5A;
const LOWER: std::ops::RangeInclusive<u32> = 0x61..=0x7A;

/// The two characters of a range, `None` in it if an end is a literal of another length: then it is empty.
pub(super) fn range_ends(pool: &Pool, args: &[Term]) -> Option<Option<(u32, u32)>> {
    let end = |t: Term| match pool.head(pool.strip(t)) {
        Head::Str(id) => Some(pool.word(id)),
        _ => None,
    };
    match (end(args[0])?, end(args[1])?) {
        (&[lo], &[hi]) => Some(Some((lo, hi))),
        _ => Some(None),
    }
}

fn range_commutes(pi: &Permutation, re_range: bool, pool: &Pool, args: &[Term]) -> bool {
    match range_ends(pool, args) {
        None => false,
        Some(None) => true,
        Some(Some((lo, hi))) => {
            let (new_lo, new_hi) = if re_range { (pi.image(lo), pi.image(hi)) } else { (lo, hi) };
            pi.maps_range(lo, hi, new_lo, new_hi)
        }
    }
}
