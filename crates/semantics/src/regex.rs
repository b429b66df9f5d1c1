//! Regular expressions as languages.
