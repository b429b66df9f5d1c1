//! Names of theories that stringent carries along without understanding them.
//!
//! A term headed by one of these is opaque: it parses, prints back, agrees with every sort, and the
//! referee says "cannot tell". Any other unknown name is an error.

const PREFIXES: &[&str] = &[
    "bv", "fp.", "seq.", "set.", "bag.", "ff.", "rel.", "tuple", "sep.", "array.", "char.", "int.", "real.", "arc",
    "table.", "nullable.", "is-", "@", "str.from_", "re.from", "pb", "at-most", "at-least", "to_fp", "fun.", "qid",
];

const NAMES: &[&str] = &[
    "select", "store", "concat", "extract", "repeat", "zero_extend", "sign_extend", "rotate_left", "rotate_right",
    "ext_rotate_left", "ext_rotate_right", "int2bv", "bv2nat", "bv2int", "nat2bv", "ubv_to_int", "sbv_to_int",
    "int_to_bv", "fp", "NaN", "+oo", "-oo", "+zero", "-zero", "RNE", "RNA", "RTP", "RTN", "RTZ",
    "roundNearestTiesToEven", "roundNearestTiesToAway", "roundTowardPositive", "roundTowardNegative",
    "roundTowardZero", "fp.to_ubv", "nil", "iand", "exp", "sin", "cos", "tan", "csc", "sec", "cot", "arcsin", "pi",
    "euler", "sqrt", "^", "^0", "bit2bool", "map", "const", "as-array", "default", "union", "intersection",
    "setminus", "subset", "member", "singleton", "insert", "card", "complement", "emptyset", "univset", "choose",
    "is", "update", "witness", "distinct_elems", "divisible_by", "re.derivative", "re.reverse", "re.of.pred",
    "str.replace_re_first", "ubv_to_string", "sbv_to_string", "str.from_ubv", "str.from_sbv", "partial-order",
    "linear-order", "tree-order", "piecewise-linear-order", "transitive-closure", "unit", "Char", "root-obj",
    "hd", "tl", "cons", "head", "tail", "int.pow2", "int.log2", "divk", "div0", "mod0", "/0", "rem", "rem0",
    "=>>", "iff",
];

/// `name` belongs to a theory that is only carried along.
pub fn is_foreign(name: &str) -> bool {
    NAMES.contains(&name) || PREFIXES.iter().any(|p| name.starts_with(p))
}

/// Sorts of such theories.
pub fn is_foreign_sort(name: &str) -> bool {
    [
        "Array", "BitVec", "FloatingPoint", "RoundingMode", "Float16", "Float32", "Float64", "Float128", "Seq", "Set",
        "Bag", "Tuple", "UnitTuple", "Relation", "FiniteField", "Char", "Unicode", "List", "Pair", "RegEx", "Nullable",
        "Table", "FiniteSet", "?",
    ]
    .contains(&name)
}
