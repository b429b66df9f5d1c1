//! The rules of inference: names, formulas, counters, and the trace.
//!
//! To add an inference, add a row to the table below, with its formula as the comment, and send its conclusions with the
//! rule through the inference interface: `conflict`, `fact`, `propagate`, `lemma`, `valid` or `split` of
//! `calculus::Calculus`. Statistics, traces and the audit follow from that call.

macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal),* $(,)?) => {
        /// A rule of inference.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Rule { $($(#[doc = $doc])+ $name),* }

        impl Rule {
            const ALL: &[Rule] = &[$(Rule::$name),*];

            /// The name in traces and statistics.
            pub(crate) fn name(self) -> &'static str {
                match self { $(Rule::$name => $text),* }
            }
        }
    };
}

rules! {
    /// congruence closure: two constants, or two sides of a false equality, are equal
    Equality = "s-conf",
    /// A-Conf: the bounds have no rational or integer solution
    Arith = "a-conf",
    /// a variable of the arithmetic solver is at most n or at least n + 1
    Branch = "lia-branch",
    /// a cutting plane that follows from bounds
    Cut = "lia-cut",
    /// s != t => s < t or s > t
    IntDisequal = "lia-disequal",
    /// (distinct ... s ... t ...) => s != t; if it is false, two arguments are equal
    Distinct = "distinct",
    /// S-Prop: arithmetic leaves one value: t = n
    Fixed = "s-prop",
    /// L-Geq: x = "" or |x| >= 1
    LenGeq = "l-geq",
    /// axioms of a term by its operator: bounds of values and lengths
    Bounds = "bounds",
    /// f(constants) = constant
    Evaluate = "evaluate",
    /// ite(c, a, b) is a if c, else b
    Ite = "ite",
    /// the definition of div, mod and abs
    Division = "division",
    /// a product of terms, linearised around the arithmetic model
    Product = "product",
    /// |p| = n => indexof(p s t r, t, n) = n + indexof(s t, t, 0)
    IndexShift = "index-shift",
    /// indexof(x t y, t, 0) = |x| => replace(x t y, t, u) = x u y
    ReplaceFirst = "replace-first",
    /// to_int(s) >= 0 if and only if s is in [0-9]+
    Numeral = "numeral",
    /// Ext-Simplify: f(x)sigma rewrites to a basic term
    ExtSimplify = "ext-simplify",
    /// Ext-Simplify-Pred: (f(x) = c)sigma rewrites to false
    ExtPred = "ext-simplify-pred",
    /// Ext-Eq: f(x)sigma and g(y)sigma rewrite to one term
    ExtEq = "ext-eq",
    /// x = y1..x..yn => all other yi are empty
    Cycle = "cycle",
    /// F-Unify: equal prefix (or suffix), equal lengths: u = v
    Unify = "f-unify",
    /// prefixes with the same variables and as many characters are equal
    Balance = "f-balance",
    /// one flat form ends: the rest of the other is empty
    EndEmpty = "f-end-empty",
    /// both flat forms have one component left: they are equal
    EndEqual = "f-end-eq",
    /// two constants at the same place differ
    ConstClash = "f-clash",
    /// c w s = w d t with |c| <= |d| has no solution unless c is a rotation of the beginning of d
    Loop = "f-loop",
    /// word equations whose Nielsen graph has no solution; lengths of a solution, to be decided
    Nielsen = "nielsen",
    /// x of length n is aligned with a constant: x is its first n characters
    ConstUnify = "f-const-unify",
    /// x with |x| > 0 is aligned with a constant c: x = c1 . k
    ConstSplit = "f-const-split",
    /// |x| > |y|: x = y . k
    VarSplitProp = "f-split-prop",
    /// the languages of the components of two forms of one class have no string in common
    Disjoint = "disjoint",
    /// L-Split: |x| = |y| or not
    LenSplit = "l-split",
    /// N-Form: two classes with one normal form are equal
    NormalEqual = "n-equal",
    /// Ext-Expand: the definition of an extended term by basic ones
    ExtExpand = "ext-expand",
    /// B-Inst: an instance of not contains(s, t) at a position
    NotContainsAt = "b-inst",
    /// B-Val: a bound on the sum of lengths is decided
    BoundLengths = "b-val",
    /// two functions of one string have the same values: f(x) = g(x)
    Twin = "twin",
    /// no x of these languages has f(x) = g(x); an x that has, to be decided
    Agree = "agree",
    /// the length of f(x), between multiples of that of x
    FunctionLength = "function-length",
    /// no string is in all languages of a class, some of which come through functions
    Image = "image",
    /// x in R(v) is x in R(c) where v = c
    Pattern = "pattern",
    /// a candidate model from the source of a function
    Probe = "probe",
    /// a model with small values
    Small = "small",
    /// no x of this length has f(x) of that length
    ImageLength = "image-length",
    /// to_code is injective on single characters
    CodeInjective = "code-injective",
    /// no string is in all languages of a class, or of its components concatenated
    Membership = "membership",
    /// numerals in languages do not have values that satisfy the constraints; numerals that do, to be decided
    Digits = "digits",
    /// no string of a language has this length
    MemberLength = "member-length",
    /// a language has only these strings of this length
    MemberFew = "member-few",
    /// s != t: they first differ at some position
    Differ = "differ",
    /// x y != y x for powers of one word; x y = y x, x in (ab)+ => y in (ab)*
    Powers = "powers",
    /// the lengths of a language modulo a number
    Residue = "residue",
    /// a string that fits all languages of a component, to be decided
    MemberShared = "member-shared",
    /// str.<= is a total order: a cycle
    Order = "order",
    /// a universal formula holds for the values by which a candidate model falsifies it
    Instance = "instance",
    /// the definition of a recursive function at a call
    Definition = "definition",
    /// congruence of functions and constructors whose arguments have one value in the model
    CarePair = "care-pair",
    /// vectors that are not equal differ in a bit
    Bits = "bits",
    /// the bounds of reals, and of integers as reals, have no solution
    Reals = "r-conf",
    /// integers in real terms do not all have these values
    RealInteger = "r-integer",
    /// to_int(x) <= x < to_int(x) + 1
    RealFloor = "r-floor",
    /// two constructors are in one class
    DataClash = "d-clash",
    /// C(a) = C(b) => a = b
    DataInject = "d-inject",
    /// a selector or tester of a constructor has its value
    DataReduce = "d-reduce",
    /// is-C(x) => x = C(s(x), ...)
    DataExpand = "d-expand",
    /// one of the testers holds
    DataSplit = "d-split",
    /// no value is a part of itself
    DataCycle = "d-cycle",
}

/// Counters and trace.
#[derive(Debug)]
pub(crate) struct Log {
    counts: Vec<u64>,
    pub(crate) tracing: bool,
    pub(crate) lines: Vec<String>,
}

impl Log {
    pub(crate) fn new(tracing: bool) -> Log {
        Log { counts: vec![0; Rule::ALL.len()], tracing, lines: Vec::new() }
    }

    /// Counts an inference.
    pub(crate) fn count(&mut self, rule: Rule) {
        self.counts[rule as usize] += 1;
    }

    /// Writes a line of the trace.
    pub(crate) fn write(&mut self, line: String) {
        self.lines.push(line);
    }

    /// The counters that are not zero.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        Rule::ALL.iter().map(|&r| (r.name(), self.counts[r as usize])).filter(|&(_, n)| n > 0)
    }
}
