//! Texts by content: each is stored once, compressed, and rows refer to it by a number.
//!
//! A text is identified by the first 16 bytes of its SHA-256. The first byte of the stored data tells how it is stored: 0 as it is, 1 as
//! a zstd frame. The empty text is not stored; the reference to it is NULL. Stores of format 2 have texts in the rows themselves, which
//! [`read`] accepts.

use super::db::{Database, DbError, Insert, Row, Type, Value, list};
use rustc_hash::FxHashMap;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

/// References that are remembered; all are forgotten when there are more.
const REMEMBERED: usize = 1 << 16;
/// Texts that are looked up in one query.
const LOOKUP: usize = 64;
/// Texts that are shorter are not compressed.
const MIN_COMPRESSED: usize = 48;
/// The longest text that is read.
const MAX_TEXT: usize = 1 << 30;
const LEVEL: i32 = 3;

const COLUMNS: [(&str, Type); 3] = [("hash", Type::Bytes), ("size", Type::Int), ("data", Type::Bytes)];

type Hash = [u8; 16];

/// The texts of a store that this process has seen.
#[derive(Default)]
pub(super) struct Texts {
    known: FxHashMap<Hash, i64>,
    compressor: Option<zstd::bulk::Compressor<'static>>,
}

/// References to texts that a transaction has added; remembered when it is committed.
#[derive(Default)]
pub(super) struct Added(FxHashMap<Hash, i64>);

impl Texts {
    /// The references to these texts, which are added where they are missing.
    pub(super) fn references(
        &mut self,
        db: &dyn Database,
        texts: &[&[u8]],
    ) -> Result<(Vec<Option<i64>>, Added), DbError> {
        let hashes: Vec<Option<Hash>> = texts.iter().map(|t| (!t.is_empty()).then(|| hash(t))).collect();
        // In the order of the hashes, so that concurrent writers lock rows in one order.
        let mut open: BTreeMap<Hash, &[u8]> = BTreeMap::new();
        for (hash, text) in hashes.iter().zip(texts) {
            open.extend(hash.filter(|h| !self.known.contains_key(h)).map(|h| (h, *text)));
        }
        let mut added = Added::default();
        find(db, &open, &mut added)?;
        open.retain(|hash, _| !added.0.contains_key(hash));
        if !open.is_empty() {
            self.insert(db, &open)?;
            find(db, &open, &mut added)?;
        }
        let at = |hash: &Hash| self.known.get(hash).or_else(|| added.0.get(hash)).copied();
        let missing = || DbError::Value("a text that was added is missing".into());
        let all = hashes.iter().map(|hash| hash.map(|h| at(&h).ok_or_else(missing)).transpose());
        Ok((all.collect::<Result<_, _>>()?, added))
    }

    fn insert(&mut self, db: &dyn Database, open: &BTreeMap<Hash, &[u8]>) -> Result<(), DbError> {
        let packed: Vec<Vec<u8>> = open.values().map(|text| self.packed(text)).collect();
        let mut rows: Vec<Vec<Value<'_>>> = Vec::with_capacity(open.len());
        for ((hash, text), data) in open.iter().zip(&packed) {
            rows.push(vec![Value::Bytes(hash), Value::Int(text.len() as i64), Value::Bytes(data)]);
        }
        let insert = Insert { table: "content", columns: &COLUMNS, conflict: "ON CONFLICT DO NOTHING" };
        db.insert(&insert, &rows).map(drop)
    }

    /// A text as it is stored.
    fn packed(&mut self, text: &[u8]) -> Vec<u8> {
        if text.len() >= MIN_COMPRESSED {
            if self.compressor.is_none() {
                self.compressor = zstd::bulk::Compressor::new(LEVEL).ok();
            }
            let frame = self.compressor.as_mut().and_then(|c| c.compress(text).ok());
            if let Some(frame) = frame.filter(|f| f.len() < text.len()) {
                return [&[1][..], &frame].concat();
            }
        }
        [&[0][..], text].concat()
    }

    /// Forgets all references.
    pub(super) fn forget(&mut self) {
        self.known.clear();
    }

    /// Remembers the references of a transaction that was committed.
    pub(super) fn remember(&mut self, added: Added) {
        if self.known.len() + added.0.len() > REMEMBERED {
            self.known.clear();
        }
        self.known.extend(added.0);
    }
}

/// Finds the texts that are stored.
fn find(db: &dyn Database, open: &BTreeMap<Hash, &[u8]>, added: &mut Added) -> Result<(), DbError> {
    let marks = vec!["?"; LOOKUP].join(", ");
    let sql = format!("SELECT hash, id FROM content WHERE hash IN ({marks})");
    let hashes: Vec<&Hash> = open.keys().collect();
    for chunk in hashes.chunks(LOOKUP) {
        // The last one is repeated, so that there is one statement.
        let last = chunk[chunk.len() - 1];
        let values: Vec<Value<'_>> = chunk
            .iter()
            .copied()
            .chain(std::iter::repeat(last))
            .take(LOOKUP)
            .map(|h| Value::Bytes(h))
            .collect();
        let found = list(db, &sql, &values, |row| Ok((row.get::<Vec<u8>>(0)?, row.get::<i64>(1)?)))?;
        added.0.extend(found.into_iter().filter_map(|(hash, id)| Some((Hash::try_from(hash).ok()?, id))));
    }
    Ok(())
}

/// The identity of a text.
pub(super) fn hash(text: &[u8]) -> Hash {
    let mut first = [0; 16];
    first.copy_from_slice(&Sha256::digest(text)[..16]);
    first
}

/// The text of two columns: the reference, and the stored data that it refers to.
pub(super) fn read(row: &Row<'_>, column: usize) -> Result<Vec<u8>, DbError> {
    match (row.value(column)?, row.value(column + 1)?) {
        (_, Value::Bytes(data)) => unpacked(data),
        (Value::Null, _) => Ok(Vec::new()),
        (Value::Text(text), _) => Ok(text.as_bytes().to_owned()),
        (Value::Bytes(bytes), _) => Ok(bytes.to_owned()),
        (reference, _) => Err(DbError::Value(format!("the text {reference} is missing"))),
    }
}

/// A text from its stored form.
pub(super) fn unpacked(data: &[u8]) -> Result<Vec<u8>, DbError> {
    let bad = || DbError::Value("a compressed text cannot be read".into());
    match data.split_first() {
        Some((0, text)) => Ok(text.to_owned()),
        Some((1, frame)) => {
            let size = zstd::zstd_safe::get_frame_content_size(frame).ok().flatten().ok_or_else(bad)?;
            let size = usize::try_from(size).ok().filter(|n| *n <= MAX_TEXT).ok_or_else(bad)?;
            zstd::bulk::decompress(frame, size).map_err(|_| bad())
        }
        _ => Err(bad()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_they_were_packed() {
        let mut texts = Texts::default();
        let long = b"(assert (= x y))\n".repeat(1000);
        for text in [&b""[..], b"x", b"\x01\x28\xb5\x2f\xfd", &long, &[0xff; 60]] {
            assert_eq!(unpacked(&texts.packed(text)).expect("readable"), text);
        }
        assert!(texts.packed(&long).len() < 200);
        for bad in [&b""[..], b"\x01", b"\x01\x28\xb5\x2f\xfd", b"\x02abc"] {
            assert!(unpacked(bad).is_err());
        }
    }
}
