//! The kinds of error messages.
//!
//! Solvers have no common error codes, so messages are classified by words, from the most to the least specific. A message
//! without any of them is an error of no particular kind.

use crate::outcome::Kind;

/// Out of memory.
const MEMORY: &[&str] = &[
    "out of memory",
    "memoryerror",
    "memout",
    "bad_alloc",
    "memory exceeded",
    "memory limit",
    "max. memory",
    "cannot allocate",
    "outofmemoryerror",
    "memory allocation of",
];

/// A limit of the solver itself.
const LIMIT: &[&str] = &[
    "timeout",
    "timed out",
    "time limit",
    "resource limit",
    "resourceout",
    "max. resource",
    "canceled",
    "interrupted",
];

/// A crash or an internal error.
const CRASH: &[&str] = &[
    "assertion violation",
    "assertion failed",
    "assertion failure",
    "unexpected code",
    "segmentation fault",
    "fatal failure",
    "terminate called",
    "internal error",
    "unreachable",
    "panicked at",
    "please file an issue",
    "stack overflow",
    "core dumped",
    "traceback (most recent call last)",
    "unhandled exception",
    "illegal argument detected",
    "suffered a segfault",
];

/// Rejected input.
const REJECTED: &[&str] = &[
    "parse error",
    "parseerror",
    "parser error",
    "syntax",
    "unknown",
    "undeclared",
    "not declared",
    "undefined",
    "unsupported",
    "not supported",
    "not implemented",
    "unimplemented",
    "unrecognized",
    "not recognized",
    "unexpected",
    "expecting",
    "expected",
    "invalid",
    "illegal",
    "incompatible",
    "mismatch",
    "ill-typed",
    "ill-sorted",
    "type error",
    "logicexception",
    "logic",
    "wrong number of arguments",
    "not a ",
    "no such",
    "requires",
    "overload",
];

/// The kind of an error message.
pub(super) fn kind_of(message: &str) -> Kind {
    let lower = message.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|w| lower.contains(w));
    if has(MEMORY) {
        Kind::OutOfMemory
    } else if has(CRASH) {
        Kind::Crash
    } else if has(LIMIT) {
        Kind::OwnLimit
    } else if has(REJECTED) {
        Kind::Rejected
    } else {
        Kind::Message
    }
}

/// The kind of failure that the output of a process without an answer shows, if any.
pub(super) fn kind_of_output(text: &[u8]) -> Option<Kind> {
    let lower = String::from_utf8_lossy(text).to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|w| lower.contains(w));
    if has(MEMORY) {
        Some(Kind::OutOfMemory)
    } else if has(CRASH) {
        Some(Kind::Crash)
    } else if has(&["timeout", "timed out", "time limit", "resource limit"]) {
        Some(Kind::OwnLimit)
    } else if has(&["parse error", "syntax error", "unknown option", "unrecognized option", "unsupported"]) {
        Some(Kind::Rejected)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_real_solvers() {
        let cases = [
            ("line 3 column 21: unknown constant str.foo (String) ", Kind::Rejected),
            ("line 3 column 14: Sorts String and Int are incompatible", Kind::Rejected),
            (
                "Parse Error: <stdin>:1: LogicInfo::setLogicString(): cannot parse logic string: FOO",
                Kind::Rejected,
            ),
            ("out of memory", Kind::OutOfMemory),
            ("line 9 column 10: max. memory exceeded", Kind::OutOfMemory),
            ("std::bad_alloc", Kind::OutOfMemory),
            ("max. resource limit exceeded", Kind::OwnLimit),
            ("canceled", Kind::OwnLimit),
            ("ASSERTION VIOLATION", Kind::Crash),
            ("Fatal failure within CVC4::theory::strings::TheoryStrings", Kind::Crash),
            ("terminate called after throwing an instance of 'std::bad_alloc'", Kind::OutOfMemory),
            ("line 8 column 10: model is not available", Kind::Message),
            ("Overflow encountered when expanding vector", Kind::Message),
        ];
        for (message, kind) in cases {
            assert_eq!(kind_of(message), kind, "{message}");
        }
    }

    #[test]
    fn kinds_of_standard_error() {
        assert_eq!(kind_of_output(b"thread 'main' panicked at src/main.rs:1"), Some(Kind::Crash));
        assert_eq!(kind_of_output(b"memory allocation of 8 bytes failed"), Some(Kind::OutOfMemory));
        assert_eq!(kind_of_output(b"WARNING: something"), None);
    }
}
