//! Interned names.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher as _;

/// An interned name, without the bars of a quoted symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// Hash of a byte string.
pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut h = FxHasher::default();
    h.write(bytes);
    h.finish()
}

/// Interns names. Names that are not UTF-8 are kept lossily.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    text: String,
    ends: Vec<u32>,
    table: HashTable<u32>,
}

impl Interner {
    /// The symbol of `name`.
    pub fn intern(&mut self, name: &str) -> Symbol {
        let hash = hash_bytes(name.as_bytes());
        if let Some(&i) = self.table.find(hash, |&i| slice(&self.text, &self.ends, i) == name) {
            return Symbol(i);
        }
        let id = self.ends.len() as u32;
        self.text.push_str(name);
        self.ends.push(self.text.len() as u32);
        let (text, ends) = (&self.text, &self.ends);
        self.table.insert_unique(hash, id, |&i| hash_bytes(slice(text, ends, i).as_bytes()));
        Symbol(id)
    }

    /// The symbol of a name given as bytes.
    pub fn intern_bytes(&mut self, name: &[u8]) -> Symbol {
        let known = |&i: &u32| slice(&self.text, &self.ends, i).as_bytes() == name;
        if let Some(&i) = self.table.find(hash_bytes(name), known) {
            return Symbol(i);
        }
        match std::str::from_utf8(name) {
            Ok(s) => self.intern(s),
            Err(_) => self.intern(&String::from_utf8_lossy(name)),
        }
    }

    /// The symbol of `name` if it has been interned.
    pub fn lookup(&self, name: &str) -> Option<Symbol> {
        self.table
            .find(hash_bytes(name.as_bytes()), |&i| slice(&self.text, &self.ends, i) == name)
            .map(|&i| Symbol(i))
    }

    /// The name of a symbol.
    pub fn name(&self, s: Symbol) -> &str {
        slice(&self.text, &self.ends, s.0)
    }

    /// The number of symbols.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Forgets all symbols but the first `len`.
    pub(crate) fn truncate(&mut self, len: usize) {
        for id in len..self.ends.len() {
            let hash = hash_bytes(slice(&self.text, &self.ends, id as u32).as_bytes());
            if let Ok(entry) = self.table.find_entry(hash, |&i| i as usize == id) {
                entry.remove();
            }
        }
        self.ends.truncate(len);
        self.text.truncate(self.ends.last().map_or(0, |&end| end as usize));
    }

    /// There are no symbols.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

fn slice<'a>(text: &'a str, ends: &[u32], i: u32) -> &'a str {
    let start = if i == 0 { 0 } else { ends[i as usize - 1] as usize };
    &text[start..ends[i as usize] as usize]
}

/// `name` as a symbol of a script: with bars unless it is a simple symbol.
pub fn quote(name: &str) -> std::borrow::Cow<'_, str> {
    let simple = !name.is_empty()
        && !name.as_bytes()[0].is_ascii_digit()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-/*=%?!.$_~&^<>@".contains(&b));
    // No reserved word ends with a digit, and most generated names do.
    let digit = || name.as_bytes().last().is_some_and(u8::is_ascii_digit);
    if simple && (digit() || !RESERVED.contains(&name) && !COMMANDS.contains(&name)) {
        name.into()
    } else {
        format!("|{name}|").into()
    }
}

/// The reserved words of SMT-LIB other than the names of commands.
const RESERVED: [&str; 14] = [
    "!",
    "_",
    "as",
    "exists",
    "forall",
    "lambda",
    "let",
    "match",
    "par",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
];

/// The names of the commands of SMT-LIB 2.7, and `define-const`.
pub const COMMANDS: &[&str] = &[
    "assert",
    "check-sat",
    "check-sat-assuming",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-sort",
    "declare-sort-parameter",
    "define-const",
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "define-sort",
    "echo",
    "exit",
    "get-assertions",
    "get-assignment",
    "get-info",
    "get-model",
    "get-option",
    "get-proof",
    "get-unsat-assumptions",
    "get-unsat-core",
    "get-value",
    "pop",
    "push",
    "reset",
    "reset-assertions",
    "set-info",
    "set-logic",
    "set-option",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interning_is_injective() {
        let mut i = Interner::default();
        let names: Vec<_> = (0..1000).map(|n| format!("x{n}")).collect();
        let ids: Vec<_> = names.iter().map(|n| i.intern(n)).collect();
        assert!(names.iter().zip(&ids).all(|(n, &id)| i.intern(n) == id && i.name(id) == n));
        assert_eq!(i.len(), 1000);
    }

    #[test]
    fn quoting() {
        assert_eq!(quote("a.b_c"), "a.b_c");
        assert_eq!(quote("a b"), "|a b|");
        assert_eq!(quote("0a"), "|0a|");
        assert_eq!(quote("let"), "|let|");
        assert_eq!(quote(""), "||");
        assert_eq!(quote("é"), "|é|");
    }
}
