//! What is known of the answer, across a transformation.
//!
//! *Reverse* and *translate* are built on a bijection `h` of words (reading backwards; a permutation π of the
//! characters, letter by letter), which is a bijection of languages as well, and leaves integers, reals, Booleans and the
//! elements of declared sorts alone. Let `M` be an interpretation, and `Mʰ` the one with `c ↦ h(M(c))` for constants and
//! `f ↦ h ∘ M(f) ∘ h⁻¹` for functions. If every operator of the script *commutes* with `h`, that is
//!
//! > what `f` has become, applied to `h(a₁) … h(aₙ)`, is `h(f(a₁ … aₙ))`,
//!
//! then by induction each term has become one whose value under `Mʰ` is `h` of its value under `M`: Booleans stay
//! what they are, quantifiers range over the same values as `h` is onto, and definitions, recursive ones too, define what
//! they did. `M ↦ Mʰ` is a bijection of interpretations, so every `check-sat` keeps its answer, whether or not it is known.
//!
//! | | reverse | a permutation π |
//! |---|---|---|
//! | core, arithmetic, `ite`, `=`, `distinct`, quantifiers, functions | commute | commute |
//! | `str.++` `re.++` | commute, with their arguments in the other order | commute |
//! | `str.prefixof` `str.suffixof` | become one another | commute |
//! | `str.len` `str.contains` `str.in_re` `str.to_re` `str.rev`, other `re.…` but `re.range` | commute | commute |
//! | `re.range` | commutes | if π maps the range onto the one that it becomes; both ends must be literals |
//! | `str.at` `str.substr` `str.indexof` `str.replace` `str.replace_re` `str.replace_re_all` `str.update` `str.indexof_re` `seq.last_indexof` | no: they count or look from one end | commute |
//! | `str.replace_all` | if the pattern is a literal that does not overlap itself (`"aba"` does) | commutes |
//! | `str.is_digit` | commutes | if π maps digits to digits |
//! | `str.to_int` `str.from_int` | no | if π fixes every digit |
//! | `str.to_code` `str.from_code` | commute: one character or none | no, unless π is the identity |
//! | `str.<` `str.<=` | no | no, unless π is the identity |
//! | `str.to_lower` `str.to_upper` | commute | if π commutes with them on every character |
//!
//! Terms of other theories, `lambda`, sorts that have strings in them (arrays, sequences) and unknown commands end it:
//! then nothing is known. The table is checked by brute force over all small words and languages
//! (`transformers/tests/commute.rs`).

use super::Effect;
use super::permutation::Permutation;
use semantics::instance::{Instance, Truth};
use semantics::model::Meaning;
use semantics::regex::RegexStore;
use semantics::{Config, Evaluator, Model};
use smt::term::SortKind;
use smt::{Command, Fun, Head, Op, Pool, Script, Sort, Term};

/// The script is of what the proof covers, and each of its applications of operators commutes. `live` are the terms of
/// the script, by id.
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

/// A command that cannot assert anything that is not seen. (Datatypes are seen by their use.)
fn is_known(c: &Command) -> bool {
    let Command::Other(text) = c else { return true };
    let inside = text.trim_start_matches('(').trim_start();
    let harmless = ["declare-", "get-", "minimize", "maximize", "assert-soft", "display", "simplify", "eval"];
    harmless.iter().any(|h| inside.starts_with(h))
}

/// The operator commutes with reading backwards.
pub fn commutes_with_reverse(pool: &Pool, op: Op, args: &[Term]) -> bool {
    match op {
        Op::True | Op::False | Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies | Op::Eq | Op::Distinct => {
            true
        }
        Op::Ite | Op::Neg | Op::Add | Op::Sub | Op::Mul | Op::RealDiv | Op::IntDiv | Op::Mod | Op::Abs => {
            true
        }
        Op::Le | Op::Lt | Op::Ge | Op::Gt | Op::Divisible | Op::ToReal | Op::ToInt | Op::IsInt => true,
        Op::StrConcat | Op::StrLen | Op::StrPrefixof | Op::StrSuffixof | Op::StrContains => true,
        Op::StrIsDigit | Op::StrToCode | Op::StrFromCode | Op::StrRev | Op::StrToLower | Op::StrToUpper => {
            true
        }
        Op::StrToRe | Op::StrInRe | Op::ReNone | Op::ReAll | Op::ReAllchar | Op::ReConcat | Op::ReUnion => {
            true
        }
        Op::ReInter | Op::ReStar | Op::ReComp | Op::ReDiff | Op::RePlus | Op::ReOpt | Op::ReRange => true,
        Op::RePower | Op::ReLoop => true,
        Op::StrReplaceAll => match pool.head(args[1]) {
            Head::Str(id) => is_unbordered(pool.word(id)),
            _ => false,
        },
        Op::StrLt | Op::StrLe | Op::StrAt | Op::StrSubstr | Op::StrIndexof | Op::StrReplace => false,
        Op::StrReplaceRe | Op::StrReplaceReAll | Op::StrToInt | Op::StrFromInt | Op::StrUpdate => false,
        Op::StrIndexofRe | Op::StrLastIndexof => false,
    }
}

/// No proper beginning of the word is an end of it: its occurrences in any word do not overlap, and which of
/// them are replaced does not depend on the end from which one looks.
fn is_unbordered(w: &[u32]) -> bool {
    (1..w.len()).all(|n| w[..n] != w[w.len() - n..])
}

/// The operator commutes with a permutation. With `re_range`, the ends of ranges were permuted, too.
pub fn commutes_with(pi: &Permutation, re_range: bool, pool: &Pool, op: Op, args: &[Term]) -> bool {
    if pi.is_identity() {
        return true;
    }
    match op {
        Op::True | Op::False | Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies | Op::Eq | Op::Distinct => {
            true
        }
        Op::Ite | Op::Neg | Op::Add | Op::Sub | Op::Mul | Op::RealDiv | Op::IntDiv | Op::Mod | Op::Abs => {
            true
        }
        Op::Le | Op::Lt | Op::Ge | Op::Gt | Op::Divisible | Op::ToReal | Op::ToInt | Op::IsInt => true,
        Op::StrConcat | Op::StrLen | Op::StrPrefixof | Op::StrSuffixof | Op::StrContains => true,
        Op::StrAt | Op::StrSubstr | Op::StrIndexof | Op::StrReplace | Op::StrReplaceAll => true,
        Op::StrReplaceRe | Op::StrReplaceReAll | Op::StrRev | Op::StrUpdate | Op::StrIndexofRe => true,
        Op::StrLastIndexof | Op::StrToRe | Op::StrInRe | Op::ReNone | Op::ReAll | Op::ReAllchar => true,
        Op::ReConcat | Op::ReUnion | Op::ReInter | Op::ReStar | Op::ReComp | Op::ReDiff | Op::RePlus => true,
        Op::ReOpt | Op::RePower | Op::ReLoop => true,
        Op::ReRange => range_commutes(pi, re_range, pool, args),
        Op::StrIsDigit => DIGITS.into_iter().all(|c| DIGITS.contains(&pi.image(c))),
        Op::StrToInt | Op::StrFromInt => DIGITS.into_iter().all(|c| pi.image(c) == c),
        Op::StrToLower => pi.commutes_with_function(|c| if UPPER.contains(&c) { c + 32 } else { c }),
        Op::StrToUpper => pi.commutes_with_function(|c| if LOWER.contains(&c) { c - 32 } else { c }),
        Op::StrLt | Op::StrLe | Op::StrToCode | Op::StrFromCode => false,
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

/// Brings the truth of an instance whose script was just changed up to date, and with it the `:status` attributes of the
/// script, each of which speaks of the next `check-sat`.
pub fn carry(instance: &mut Instance, effect: &Effect) {
    if effect.unchanged {
        return;
    }
    instance.truth = match std::mem::replace(&mut instance.truth, Truth::Unknown) {
        Truth::Sat(model) => {
            mapped(instance, *model, effect).map_or(Truth::Unknown, |m| Truth::Sat(Box::new(m)))
        }
        Truth::Unsat(core) if effect.keeps => Truth::Unsat(core),
        _ => Truth::Unknown,
    };
    let verdict = instance.judge();
    if verdict != Some(semantics::Satisfaction::Holds) && verdict.is_some() {
        instance.truth = Truth::Unknown;
    }
    if !effect.keeps || verdict == Some(semantics::Satisfaction::Fails) {
        instance.set_status(instance.truth.status());
    }
}

/// The model with its values changed along; none if one of them cannot be.
fn mapped(instance: &mut Instance, model: Model, effect: &Effect) -> Option<Model> {
    let Some(map) = &effect.values else { return Some(model) };
    let funs: Vec<Fun> = instance.declared().collect();
    let terms: Vec<Option<Term>> = funs
        .iter()
        .map(|&f| instance.pool.fun(f).params.is_empty().then(|| instance.pool.apply(f, &[])))
        .collect();
    let pool = &instance.pool;
    let mut e = Evaluator::with(pool, &model, Config::default(), RegexStore::new());
    let mut new = Model::new();
    for (&f, t) in funs.iter().zip(&terms) {
        match t {
            Some(t) => new.assign(f, map(&e.eval(*t).ok()?)?),
            None => keep_function(pool, &model, f, &mut new)?,
        }
    }
    Some(new)
}

/// A function whose values and arguments do not change.
fn keep_function(pool: &Pool, model: &Model, f: Fun, new: &mut Model) -> Option<()> {
    let data = pool.fun(f);
    let changes = |s: &Sort| matches!(*s, Sort::STRING | Sort::REGLAN | Sort::INT | Sort::REAL);
    if data.params.iter().chain([&data.ret]).any(changes) {
        return None;
    }
    match model.lookup(pool, f) {
        Some(Meaning::Definition(d)) => new.define(pool, &[d]).ok(),
        Some(_) => None,
        None => Some(()),
    }
}
