//! The operator table: one row for every interpreted function symbol.
//!
//! To add an operator, add a variant to [`Op`] and, in the same place, a row to [`TABLE`]; a new last variant is also
//! named in [`Op::LAST`]. The compiler then names the exhaustive matches that lack it, which CONTRIBUTING.md lists. Names
//! follow SMT-LIB: `StrReplaceAll` is `str.replace_all`, with no second spelling. Spellings of other dialects and
//! of particular solvers are aliases: read everywhere, written in the dialects that have them.

use crate::dialect::Dialect;

/// An interpreted function symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs, reason = "each is the SMT-LIB symbol of the same name, see TABLE")]
pub enum Op {
    // Core
    True,
    False,
    Not,
    And,
    Or,
    Xor,
    Implies,
    Eq,
    Distinct,
    Ite,
    // Ints and Reals
    Neg,
    Add,
    Sub,
    Mul,
    RealDiv,
    IntDiv,
    Mod,
    Abs,
    Le,
    Lt,
    Ge,
    Gt,
    Divisible,
    ToReal,
    ToInt,
    IsInt,
    // Strings
    StrConcat,
    StrLen,
    StrLt,
    StrLe,
    StrAt,
    StrSubstr,
    StrPrefixof,
    StrSuffixof,
    StrContains,
    StrIndexof,
    StrReplace,
    StrReplaceAll,
    StrReplaceRe,
    StrReplaceReAll,
    StrIsDigit,
    StrToCode,
    StrFromCode,
    StrToInt,
    StrFromInt,
    // Regular expressions
    StrToRe,
    StrInRe,
    ReNone,
    ReAll,
    ReAllchar,
    ReConcat,
    ReUnion,
    ReInter,
    ReStar,
    ReComp,
    ReDiff,
    RePlus,
    ReOpt,
    ReRange,
    RePower,
    ReLoop,
    // Extensions. A variant added at the end: see `Op::LAST`.
    StrRev,
    StrToLower,
    StrToUpper,
    StrUpdate,
    StrIndexofRe,
    StrLastIndexof,
    // Sequences: see `SEQUENCES`.
    SeqEmpty,
    SeqUnit,
    SeqNth,
    SeqConcat,
    SeqLen,
    SeqAt,
    SeqExtract,
    SeqPrefixof,
    SeqSuffixof,
    SeqContains,
    SeqIndexof,
    SeqReplace,
    SeqReplaceAll,
}

/// A sort in a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum S {
    /// `Bool`
    Bool,
    /// `Int`
    Int,
    /// `Real`
    Real,
    /// `String`
    Str,
    /// `RegLan`
    Re,
    /// Any sort; all `Any` of a signature are the same sort.
    Any,
    /// `Int` or `Real`; all `Num` of a signature are the same sort.
    Num,
}

/// How an operator takes more arguments than its signature lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Exactly the listed arguments.
    Fixed,
    /// `(f a b c)` is `(f (f a b) c)`.
    LeftAssoc,
    /// `(f a b c)` is `(f a (f b c))`.
    RightAssoc,
    /// `(f a b c)` is `(and (f a b) (f b c))`.
    Chainable,
    /// `(f a b c)` holds for each pair.
    Pairwise,
}

/// Where an operator is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// SMT-LIB theory Core.
    Core,
    /// SMT-LIB theories Ints, Reals and Reals_Ints.
    Arith,
    /// SMT-LIB theory Strings (Unicode Strings).
    Strings,
    /// Not in the standard; the text names the solvers that define it.
    Extension(&'static str),
}

/// A spelling other than the 2.6 name.
#[derive(Clone, Copy, Debug)]
pub struct Alias {
    /// The spelling.
    pub name: &'static str,
    /// The dialects that write it; others only read it.
    pub written_in: &'static [Dialect],
    /// The dialects that read it (empty: all of them).
    pub read_in: &'static [Dialect],
    /// The two arguments are swapped.
    pub swapped: bool,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The operator.
    pub op: Op,
    /// Its SMT-LIB 2.6 name.
    pub name: &'static str,
    /// Argument sorts.
    pub params: &'static [S],
    /// Result sort.
    pub ret: S,
    /// Numeral indices it takes.
    pub indices: usize,
    /// How further arguments are taken.
    pub shape: Shape,
    /// Where it is defined.
    pub origin: Origin,
    /// SMT-LIB 2.5 and Norn have it.
    pub in_25: bool,
    /// Other spellings.
    pub aliases: &'static [Alias],
}

use Dialect::{Norn, Smt20, Smt25};
use Op::*;
use Origin::{Arith, Core, Extension, Strings};
use S::{Any, Bool, Int, Num, Re, Real, Str};
use Shape::{Chainable, Fixed, LeftAssoc, Pairwise, RightAssoc};

const fn row(op: Op, name: &'static str, params: &'static [S], ret: S, shape: Shape, origin: Origin) -> Row {
    Row { op, name, params, ret, indices: 0, shape, origin, in_25: true, aliases: &[] }
}

impl Row {
    const fn alias(self, aliases: &'static [Alias]) -> Row {
        Row { aliases, ..self }
    }

    /// New in SMT-LIB 2.6, or an extension of its time.
    const fn since_26(self) -> Row {
        Row { in_25: false, ..self }
    }

    const fn indexed(self, indices: usize) -> Row {
        Row { indices, ..self }
    }
}

/// An alias that is read in all dialects and written in none.
const fn read(name: &'static str) -> Alias {
    Alias { name, written_in: &[], read_in: &[], swapped: false }
}

/// The name in SMT-LIB 2.5 and Norn; current solvers still read many of these.
const fn old(name: &'static str) -> Alias {
    Alias { name, written_in: &[Smt25, Norn], read_in: &[], swapped: false }
}

/// The name in Z3str2's dialect, where users cannot declare it.
const fn z3str2(name: &'static str) -> Alias {
    Alias { name, written_in: &[Smt20], read_in: &[Smt20], swapped: false }
}

/// Another spelling that Z3str2 reads.
const fn z3str2_also(name: &'static str) -> Alias {
    Alias { name, written_in: &[], read_in: &[Smt20], swapped: false }
}

const fn z3str2_swapped(name: &'static str) -> Alias {
    Alias { name, written_in: &[Smt20], read_in: &[Smt20], swapped: true }
}

/// The table, in the order of [`Op`].
pub static TABLE: &[Row] = &[
    row(True, "true", &[], Bool, Fixed, Core),
    row(False, "false", &[], Bool, Fixed, Core),
    row(Not, "not", &[Bool], Bool, Fixed, Core),
    row(And, "and", &[Bool, Bool], Bool, LeftAssoc, Core),
    row(Or, "or", &[Bool, Bool], Bool, LeftAssoc, Core),
    row(Xor, "xor", &[Bool, Bool], Bool, LeftAssoc, Core),
    row(Implies, "=>", &[Bool, Bool], Bool, RightAssoc, Core).alias(&[read("implies")]),
    row(Eq, "=", &[Any, Any], Bool, Chainable, Core),
    row(Distinct, "distinct", &[Any, Any], Bool, Pairwise, Core),
    row(Ite, "ite", &[Bool, Any, Any], Any, Fixed, Core).alias(&[read("if")]),
    row(Neg, "-", &[Num], Num, Fixed, Arith),
    row(Add, "+", &[Num, Num], Num, LeftAssoc, Arith),
    row(Sub, "-", &[Num, Num], Num, LeftAssoc, Arith),
    row(Mul, "*", &[Num, Num], Num, LeftAssoc, Arith),
    row(RealDiv, "/", &[Real, Real], Real, LeftAssoc, Arith),
    row(IntDiv, "div", &[Int, Int], Int, LeftAssoc, Arith),
    row(Mod, "mod", &[Int, Int], Int, Fixed, Arith),
    row(Abs, "abs", &[Num], Num, Fixed, Arith),
    row(Le, "<=", &[Num, Num], Bool, Chainable, Arith),
    row(Lt, "<", &[Num, Num], Bool, Chainable, Arith),
    row(Ge, ">=", &[Num, Num], Bool, Chainable, Arith),
    row(Gt, ">", &[Num, Num], Bool, Chainable, Arith),
    row(Divisible, "divisible", &[Int], Bool, Fixed, Arith).indexed(1),
    row(ToReal, "to_real", &[Int], Real, Fixed, Arith),
    row(ToInt, "to_int", &[Real], Int, Fixed, Arith),
    row(IsInt, "is_int", &[Real], Bool, Fixed, Arith),
    row(StrConcat, "str.++", &[Str, Str], Str, LeftAssoc, Strings).alias(&[z3str2("Concat"), read("seq.++")]),
    row(StrLen, "str.len", &[Str], Int, Fixed, Strings).alias(&[z3str2("Length"), read("seq.len")]),
    row(StrLt, "str.<", &[Str, Str], Bool, Chainable, Strings).alias(&[read("str.lt")]),
    row(StrLe, "str.<=", &[Str, Str], Bool, Chainable, Strings).alias(&[read("str.le")]),
    row(StrAt, "str.at", &[Str, Int], Str, Fixed, Strings).alias(&[z3str2("CharAt"), read("seq.at")]),
    row(StrSubstr, "str.substr", &[Str, Int, Int], Str, Fixed, Strings).alias(&[
        z3str2("Substring"),
        read("str.substring"),
        read("seq.extract"),
    ]),
    row(StrPrefixof, "str.prefixof", &[Str, Str], Bool, Fixed, Strings)
        .alias(&[z3str2_swapped("StartsWith"), read("seq.prefixof")]),
    row(StrSuffixof, "str.suffixof", &[Str, Str], Bool, Fixed, Strings)
        .alias(&[z3str2_swapped("EndsWith"), read("seq.suffixof")]),
    row(StrContains, "str.contains", &[Str, Str], Bool, Fixed, Strings)
        .alias(&[z3str2("Contains"), read("seq.contains")]),
    row(StrIndexof, "str.indexof", &[Str, Str, Int], Int, Fixed, Strings).alias(&[
        z3str2("Indexof2"),
        z3str2_also("IndexOf2"),
        z3str2_also("Indexof"),
        z3str2_also("IndexOf"),
        read("seq.indexof"),
    ]),
    row(StrReplace, "str.replace", &[Str, Str, Str], Str, Fixed, Strings)
        .alias(&[z3str2("Replace"), read("seq.replace")]),
    row(StrReplaceAll, "str.replace_all", &[Str, Str, Str], Str, Fixed, Strings).alias(&[
        old("str.replaceall"),
        read("str.replace-all"),
        read("seq.replace_all"),
    ]),
    row(StrReplaceRe, "str.replace_re", &[Str, Re, Str], Str, Fixed, Strings)
        .since_26()
        .alias(&[read("seq.replace_re")]),
    row(StrReplaceReAll, "str.replace_re_all", &[Str, Re, Str], Str, Fixed, Strings)
        .since_26()
        .alias(&[read("seq.replace_re_all")]),
    row(StrIsDigit, "str.is_digit", &[Str], Bool, Fixed, Strings).since_26().alias(&[read("str.is-digit")]),
    row(StrToCode, "str.to_code", &[Str], Int, Fixed, Strings).alias(&[old("str.code"), read("str.to-code")]),
    row(StrFromCode, "str.from_code", &[Int], Str, Fixed, Strings)
        .alias(&[old("str.from-code"), read("int.to.code")]),
    row(StrToInt, "str.to_int", &[Str], Int, Fixed, Strings).alias(&[old("str.to.int"), read("str.to-int")]),
    row(StrFromInt, "str.from_int", &[Int], Str, Fixed, Strings).alias(&[
        old("int.to.str"),
        read("str.from-int"),
        read("str.from.int"),
    ]),
    row(StrToRe, "str.to_re", &[Str], Re, Fixed, Strings).alias(&[
        old("str.to.re"),
        z3str2("Str2Reg"),
        read("seq.to.re"),
        read("seq.to_re"),
        read("str.to-re"),
    ]),
    row(StrInRe, "str.in_re", &[Str, Re], Bool, Fixed, Strings).alias(&[
        old("str.in.re"),
        z3str2("RegexIn"),
        read("seq.in.re"),
        read("seq.in_re"),
        read("str.in-re"),
    ]),
    row(ReNone, "re.none", &[], Re, Fixed, Strings).alias(&[old("re.nostr"), read("re.empty")]),
    row(ReAll, "re.all", &[], Re, Fixed, Strings).alias(&[read("re.allstr"), read("re.full")]),
    row(ReAllchar, "re.allchar", &[], Re, Fixed, Strings),
    row(ReConcat, "re.++", &[Re, Re], Re, LeftAssoc, Strings).alias(&[z3str2("RegexConcat")]),
    row(ReUnion, "re.union", &[Re, Re], Re, LeftAssoc, Strings).alias(&[z3str2("RegexUnion")]),
    row(ReInter, "re.inter", &[Re, Re], Re, LeftAssoc, Strings).alias(&[read("re.intersect")]),
    row(ReStar, "re.*", &[Re], Re, Fixed, Strings).alias(&[z3str2("RegexStar")]),
    row(ReComp, "re.comp", &[Re], Re, Fixed, Strings).alias(&[old("re.complement")]),
    row(ReDiff, "re.diff", &[Re, Re], Re, LeftAssoc, Strings).since_26(),
    row(RePlus, "re.+", &[Re], Re, Fixed, Strings).alias(&[z3str2("RegexPlus")]),
    row(ReOpt, "re.opt", &[Re], Re, Fixed, Strings),
    row(ReRange, "re.range", &[Str, Str], Re, Fixed, Strings).alias(&[z3str2("RegexCharRange")]),
    row(RePower, "re.^", &[Re], Re, Fixed, Strings).since_26().indexed(1),
    row(ReLoop, "re.loop", &[Re], Re, Fixed, Strings).indexed(2),
    row(StrRev, "str.rev", &[Str], Str, Fixed, Extension("cvc5")).alias(&[read("seq.rev")]),
    row(StrToLower, "str.to_lower", &[Str], Str, Fixed, Extension("cvc5"))
        .alias(&[old("str.tolower"), read("str.to-lower")]),
    row(StrToUpper, "str.to_upper", &[Str], Str, Fixed, Extension("cvc5"))
        .alias(&[old("str.toupper"), read("str.to-upper")]),
    row(StrUpdate, "str.update", &[Str, Int, Str], Str, Fixed, Extension("cvc5"))
        .since_26()
        .alias(&[read("seq.update")]),
    row(StrIndexofRe, "str.indexof_re", &[Str, Re, Int], Int, Fixed, Extension("cvc5")).since_26(),
    row(StrLastIndexof, "seq.last_indexof", &[Str, Str], Int, Fixed, Extension("z3")).alias(&[
        read("str.last_indexof"),
        z3str2("LastIndexof"),
        z3str2_also("LastIndexOf"),
    ]),
];

/// The operators of sequences `(Seq T)`, in the order of [`Op`] after those of [`TABLE`]: apart from it, so that what draws or tests
/// operators of the table has none of them. In their signatures `Str` is the sequence and `Any` its elements.
///
/// They are those that z3 and cvc5 both document (docs/semantics.md); the standard has none.
pub static SEQUENCES: &[Row] = &[
    sequence(SeqEmpty, "seq.empty", &[], Str, Fixed),
    sequence(SeqUnit, "seq.unit", &[Any], Str, Fixed),
    sequence(SeqNth, "seq.nth", &[Str, Int], Any, Fixed),
    sequence(SeqConcat, "seq.++", &[Str, Str], Str, LeftAssoc),
    sequence(SeqLen, "seq.len", &[Str], Int, Fixed),
    sequence(SeqAt, "seq.at", &[Str, Int], Str, Fixed),
    sequence(SeqExtract, "seq.extract", &[Str, Int, Int], Str, Fixed),
    sequence(SeqPrefixof, "seq.prefixof", &[Str, Str], Bool, Fixed),
    sequence(SeqSuffixof, "seq.suffixof", &[Str, Str], Bool, Fixed),
    sequence(SeqContains, "seq.contains", &[Str, Str], Bool, Fixed),
    sequence(SeqIndexof, "seq.indexof", &[Str, Str, Int], Int, Fixed),
    sequence(SeqReplace, "seq.replace", &[Str, Str, Str], Str, Fixed),
    sequence(SeqReplaceAll, "seq.replace_all", &[Str, Str, Str], Str, Fixed),
];

const fn sequence(op: Op, name: &'static str, params: &'static [S], ret: S, shape: Shape) -> Row {
    row(op, name, params, ret, shape, Extension("z3 and cvc5"))
}

const _: () = {
    let mut i = 0;
    while i < TABLE.len() + SEQUENCES.len() {
        let row = if i < TABLE.len() { &TABLE[i] } else { &SEQUENCES[i - TABLE.len()] };
        assert!(row.op as usize == i, "the table is not in the order of the enum");
        i += 1;
    }
    assert!(TABLE.len() == Op::LAST as usize + 1, "a row is missing, or `Op::LAST` is not the last variant");
    assert!(i == SeqReplaceAll as usize + 1, "a row of a sequence operator is missing");
};

/// The SMT-LIB 2.6 names of all operators, each once.
pub fn names() -> impl Iterator<Item = &'static str> + Clone {
    let first = |(at, row): &(usize, &'static Row)| TABLE[..*at].iter().all(|r| r.name != row.name);
    TABLE.iter().enumerate().filter(first).map(|(_, row)| row.name)
}

impl Op {
    /// The last variant of the table, from which the compiler knows how many rows there must be.
    pub const LAST: Op = StrLastIndexof;

    /// This operator's row.
    pub fn row(self) -> &'static Row {
        let at = self as usize;
        TABLE.get(at).unwrap_or_else(|| &SEQUENCES[at - TABLE.len()])
    }

    /// An operator of sequences.
    pub fn is_sequence(self) -> bool {
        self as usize >= TABLE.len()
    }

    /// The same operator on strings, for one of sequences that has it.
    pub fn on_strings(self) -> Option<Op> {
        let alias = |row: &&Row| row.aliases.iter().any(|a| a.name == self.name());
        TABLE.iter().find(alias).map(|row| row.op)
    }

    /// The same operator on sequences, for one of strings that has it.
    pub fn on_sequences(self) -> Option<Op> {
        SEQUENCES.iter().map(|row| row.op).find(|op| op.on_strings() == Some(self))
    }

    /// Its SMT-LIB 2.6 name.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// All operators of the table.
    pub fn all() -> impl Iterator<Item = Op> {
        TABLE.iter().map(|r| r.op)
    }

    /// Not defined by the SMT-LIB standard.
    pub fn is_extension(self) -> bool {
        matches!(self.row().origin, Extension(_))
    }

    /// The name in `dialect`, and whether its two arguments are swapped there.
    pub fn spelling(self, dialect: Dialect) -> (&'static str, bool) {
        self.row()
            .aliases
            .iter()
            .find(|a| a.written_in.contains(&dialect))
            .map_or((self.name(), false), |a| (a.name, a.swapped))
    }

    /// `dialect` has the operator.
    pub fn is_in(self, dialect: Dialect) -> bool {
        match dialect {
            _ if matches!(self.row().origin, Core | Arith) => true,
            Dialect::Smt26 => true,
            Smt20 => self.row().aliases.iter().any(|a| a.written_in.contains(&Smt20)),
            Smt25 | Norn => self.row().in_25,
        }
    }

    /// The smallest and largest number of arguments. Like z3 and cvc5, accepts a single argument of an associative
    /// operator.
    pub fn arity(self) -> (usize, usize) {
        let row = self.row();
        match row.shape {
            Fixed => (row.params.len(), row.params.len()),
            LeftAssoc => (1, usize::MAX),
            RightAssoc | Chainable | Pairwise => (2, usize::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_unambiguous() {
        let mut seen = std::collections::BTreeMap::new();
        for row in TABLE.iter().filter(|r| r.op != Neg) {
            for name in std::iter::once(row.name).chain(row.aliases.iter().map(|a| a.name)) {
                assert!(seen.insert(name, row.op).is_none(), "{name} occurs twice");
            }
        }
    }

    #[test]
    fn most_sequence_operators_are_those_of_strings() {
        for op in SEQUENCES.iter().map(|row| row.op) {
            let own = matches!(op, SeqEmpty | SeqUnit | SeqNth);
            assert_eq!(op.on_strings().is_none(), own, "{op:?}");
            assert!(op.is_sequence() && op.is_extension());
            if let Some(twin) = op.on_strings() {
                assert!(!twin.is_sequence());
                assert_eq!(twin.on_sequences(), Some(op));
                assert_eq!((twin.row().params, twin.row().ret), (op.row().params, op.row().ret));
            }
        }
    }

    #[test]
    fn spelling_follows_the_dialect() {
        assert_eq!(StrInRe.spelling(Dialect::Smt25), ("str.in.re", false));
        assert_eq!(StrPrefixof.spelling(Dialect::Smt20), ("StartsWith", true));
        assert_eq!(StrInRe.spelling(Dialect::Smt26), ("str.in_re", false));
    }
}
