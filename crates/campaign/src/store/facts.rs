//! Facts about the text of an instance that reports and comparisons need: computed once, when it is stored.

use sha2::{Digest as _, Sha256};

/// Facts about the text of an instance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Its size in bytes, without `set-info`.
    pub size: u64,
    /// A hash of its text, without `set-info`: equal hashes mean equal formulas.
    pub mark: u64,
    /// The property in which its suite grows, and its value, if it has one.
    pub scale: Option<(String, u64)>,
}

impl Facts {
    /// The facts of a text.
    pub fn of(source: &[u8]) -> Facts {
        let (size, mark) = mark(source);
        Facts { size, mark, scale: scale(source) }
    }
}

/// Size and hash of a text without `set-info` lines, which name versions and commands.
fn mark(source: &[u8]) -> (u64, u64) {
    let mut hasher = Sha256::new();
    let mut size = 0;
    for line in source.split_inclusive(|&b| b == b'\n').filter(|l| !l.starts_with(b"(set-info ")) {
        hasher.update(line);
        size += line.len() as u64;
    }
    let mut first = [0; 8];
    first.copy_from_slice(&hasher.finalize()[..8]);
    (size, u64::from_be_bytes(first))
}

/// The property and value of `(set-info :stringent-scale "depth 88")`, which is among the first lines.
fn scale(source: &[u8]) -> Option<(String, u64)> {
    let line =
        source.split(|&b| b == b'\n').take(12).find(|l| l.starts_with(b"(set-info :stringent-scale "))?;
    let text = std::str::from_utf8(line).ok()?.split('"').nth(1)?;
    let (property, value) = text.rsplit_once(' ')?;
    Some((property.to_owned(), value.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_info_is_not_part_of_the_hash() {
        let a = b"(set-info :source |0.1.0|)\n(assert true)\n";
        let b = b"(set-info :source |0.2.0 and more|)\n(assert true)\n";
        assert_eq!(mark(a), mark(b));
        assert_ne!(mark(a), mark(b"(assert false)\n"));
    }

    #[test]
    fn properties_that_grow() {
        let text = b"(set-logic QF_S)\n(set-info :stringent-scale \"longest length 88\")\n(assert true)\n";
        assert_eq!(scale(text), Some(("longest length".into(), 88)));
        assert_eq!(scale(b"(set-info :stringent-scale \"depth\")\n"), None);
        assert_eq!(scale(b"(assert true)\n"), None);
    }
}
