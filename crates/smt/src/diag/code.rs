//! Codes of diagnostics: stable names for programs. Messages may change; codes do not.

use std::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// The subject of a diagnostic.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// All codes.
            pub const ALL: &[Code] = &[$(Code::$name),*];

            /// The stable name.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Code::$name => $text,)*
                }
            }
        }
    };
}

codes! {
    // S-expressions
    /// A `)` without its `(`.
    UnmatchedParenthesis = "unmatched-parenthesis",
    /// A list, string literal or quoted symbol without its end.
    Unclosed = "unclosed",
    /// Bytes that are part of no token.
    InvalidBytes = "invalid-bytes",
    /// A byte order mark at the start of the text.
    ByteOrderMark = "byte-order-mark",

    // Form
    /// A command of another form than the standard gives it.
    MalformedCommand = "malformed-command",
    /// An unknown command.
    UnknownCommand = "unknown-command",
    /// An s-expression that is not a term.
    MalformedTerm = "malformed-term",
    /// An s-expression that is not a sort.
    MalformedSort = "malformed-sort",
    /// A sort that is too deep or too long.
    SortTooLarge = "sort-too-large",
    /// A character that the theory does not have.
    InvalidCharacter = "invalid-character",
    /// Characters outside ASCII in a string literal.
    NonAscii = "non-ascii",

    // Names
    /// A symbol that nothing declares or binds.
    UndeclaredSymbol = "undeclared-symbol",
    /// A sort that nothing declares.
    UndeclaredSort = "undeclared-sort",
    /// A symbol that is declared again while its first declaration is in force.
    Redeclared = "redeclared",
    /// A name that the standard or the theory reserves.
    ReservedName = "reserved-name",
    /// A name that is given twice in one list of names.
    DuplicateName = "duplicate-name",
    /// A `:named` on a term with free variables.
    NamedOpenTerm = "named-open-term",

    // Sorts and scopes
    /// A term whose sort is not the expected one.
    IllSorted = "ill-sorted",
    /// A wrong number of arguments.
    WrongArity = "wrong-arity",
    /// Wrong indices.
    InvalidIndex = "invalid-index",
    /// A `pop` of more levels than are open.
    PopTooFar = "pop-too-far",

    // Other files
    /// A rule of another form than `docs/rules.md` gives it.
    MalformedRule = "malformed-rule",
    /// A rule that an instance refutes, or that cannot be verified.
    UnverifiedRule = "unverified-rule",
    /// A solver profile with unknown or missing settings.
    MalformedProfile = "malformed-profile",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
