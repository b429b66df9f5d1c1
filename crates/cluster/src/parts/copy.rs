//! A copy of the files of a part: one file, complete or refused.
//!
//! A magic line, the length and the digest of the head, the head, and the compressed files, whose digest is in the head. The head is small: the
//! driver reads heads to show progress, whole copies only of parts that are done.

use crate::error::{Error, io_error};
use crate::files;
use crate::pack::{pack, unpack as unpacked};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Component, Path};

const MAGIC: &[u8] = b"stringent part 1\n";
/// Bytes of the digest of the head.
const DIGEST: usize = 32;
/// The longest head.
const MAX_HEAD: usize = 1 << 20;

/// Numbers that are added up over all parts, by what is counted.
pub type Counts = BTreeMap<String, u64>;

/// Files with their paths in the folder of the part.
pub type Files = Vec<(String, Vec<u8>)>;

/// What is known of a copy without its files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The digest of the description.
    pub parts: String,
    /// The part.
    pub part: u64,
    /// Its number among the copies of the part, from 1.
    pub number: u64,
    /// The part is done.
    pub done: bool,
    /// The machine that made it.
    pub host: String,
    /// What the part has counted.
    pub counts: Counts,
    /// The digest of the compressed files.
    pub(super) payload: String,
}

/// Writes a copy; `word` is one that no other process uses.
pub(super) fn write(folder: &Path, word: &str, head: &Head, files: &Files) -> Result<(), Error> {
    let path = folder.join(head.part.to_string());
    let wrong = |why: String| Error::plan(&path, why);
    let raw = postcard::to_stdvec(files).map_err(|e| wrong(e.to_string()))?;
    let packed = pack(&raw).map_err(io_error(&path))?;
    let head = Head { payload: files::digest(&packed), ..head.clone() };
    let text = serde_json::to_vec(&head).map_err(|e| wrong(e.to_string()))?;
    let length = u32::try_from(text.len()).map_err(|e| wrong(e.to_string()))?.to_le_bytes();
    let bytes = [MAGIC, &length, &Sha256::digest(&text)[..], &text, &packed].concat();
    files::write_as(&path, word, &bytes)
}

/// The head of a copy; none if there is no copy.
pub(super) fn head(path: &Path, parts: &str, part: u64) -> Result<Option<Head>, String> {
    match File::open(path) {
        Ok(mut file) => read_head(&mut file, parts, part).map(Some),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e.to_string()),
    }
}

fn read_head(file: &mut File, parts: &str, part: u64) -> Result<Head, String> {
    let mut start = [0; MAGIC.len() + 4 + DIGEST];
    file.read_exact(&mut start).map_err(|_| "torn: it ends too early")?;
    let rest = start.strip_prefix(MAGIC).ok_or("not a copy of a part")?;
    let (length, digest) = rest.split_at(4);
    let length = length.try_into().map_or(usize::MAX, |bytes| u32::from_le_bytes(bytes) as usize);
    if length > MAX_HEAD {
        return Err("not a copy of a part".into());
    }
    let mut text = vec![0; length];
    file.read_exact(&mut text).map_err(|_| "torn: it ends too early")?;
    if Sha256::digest(&text)[..] != *digest {
        return Err("torn: its digest is wrong".into());
    }
    let head: Head = serde_json::from_slice(&text).map_err(|e| e.to_string())?;
    match head {
        head if head.parts != parts => Err("of another search".into()),
        head if head.part != part => Err(format!("it is of part {}", head.part)),
        head => Ok(head),
    }
}

/// Reads a whole copy.
pub(super) fn read(path: &Path, parts: &str, part: u64) -> Result<(Head, Files), String> {
    let mut file = File::open(path).map_err(|e| e.to_string())?;
    let head = read_head(&mut file, parts, part)?;
    let mut packed = Vec::new();
    file.read_to_end(&mut packed).map_err(|e| e.to_string())?;
    if files::digest(&packed) != head.payload {
        return Err("torn: its digest is wrong".into());
    }
    let raw = unpacked(&packed).map_err(|e| e.to_string())?;
    Ok((head, postcard::from_bytes(&raw).map_err(|e| e.to_string())?))
}

/// Writes files into a folder.
pub(super) fn unpack(files: &Files, folder: &Path) -> Result<(), Error> {
    for (name, bytes) in files {
        let inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if !inside || name.is_empty() {
            return Err(Error::plan(folder, format!("`{name}` is not a name in it")));
        }
        let path = folder.join(name);
        files::create_folder(path.parent().unwrap_or(folder))?;
        std::fs::write(&path, bytes).map_err(io_error(&path))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_outside_the_folder_are_refused() {
        let dir = tempfile::tempdir().expect("a folder");
        for name in ["", "../a", "/etc/a", "a/../../b", "."] {
            assert!(unpack(&vec![(name.into(), Vec::new())], dir.path()).is_err(), "{name}");
        }
        unpack(&vec![("findings/a".into(), b"x".to_vec())], dir.path()).expect("written");
        assert_eq!(std::fs::read(dir.path().join("findings/a")).expect("readable"), b"x");
    }
}
