//! Instances in compressed blocks: each text once, a task reads the blocks of its chunk only.

use crate::error::{Error, io_error};
use crate::files;
use crate::pack::{pack, unpack};
use campaign::outcome::Status;
use campaign::store::InstanceRow;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

/// Maximum number of instances in a block, and of bytes of their texts (a block has one more text at most).
const MAX_INSTANCES: usize = 512;
const MAX_BYTES: usize = 1 << 20;

/// Where a block is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// The place of its first instance.
    first: u64,
    /// The number of its instances.
    count: u64,
    offset: u64,
    length: u64,
    /// The digest of the compressed bytes.
    digest: String,
}

/// An instance in a block.
#[derive(Serialize, Deserialize)]
struct Entry {
    id: i64,
    name: String,
    category: String,
    operation: String,
    status: String,
    source: Vec<u8>,
}

/// Writes blocks, one after the other.
pub(super) struct Blocks<W> {
    out: W,
    waiting: Vec<Entry>,
    bytes: usize,
    places: u64,
    offset: u64,
    pub(super) list: Vec<Block>,
}

impl<W: Write> Blocks<W> {
    pub(super) fn new(out: W) -> Blocks<W> {
        Blocks { out, waiting: Vec::new(), bytes: 0, places: 0, offset: 0, list: Vec::new() }
    }

    pub(super) fn add(&mut self, row: InstanceRow) -> std::io::Result<()> {
        self.bytes += row.source.len();
        self.waiting.push(Entry {
            id: row.id,
            name: row.name,
            category: row.category,
            operation: row.operation,
            status: row.status.code().into(),
            source: row.source,
        });
        if self.waiting.len() >= MAX_INSTANCES || self.bytes >= MAX_BYTES { self.flush() } else { Ok(()) }
    }

    pub(super) fn flush(&mut self) -> std::io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let raw = postcard::to_stdvec(&self.waiting).map_err(std::io::Error::other)?;
        let packed = pack(&raw)?;
        self.out.write_all(&packed)?;
        let (count, length) = (self.waiting.len() as u64, packed.len() as u64);
        let digest = files::digest(&packed);
        self.list.push(Block { first: self.places, count, offset: self.offset, length, digest });
        (self.places, self.offset, self.bytes) = (self.places + count, self.offset + length, 0);
        self.waiting.clear();
        Ok(())
    }

    /// The file, and the number of instances.
    pub(super) fn finish(mut self) -> std::io::Result<(W, Vec<Block>, u64)> {
        self.flush()?;
        Ok((self.out, self.list, self.places))
    }
}

/// The instances of a range of places.
pub(super) fn read(
    path: &Path,
    blocks: &[Block],
    places: Range<u64>,
) -> Result<Vec<(u64, InstanceRow)>, Error> {
    let mut file = File::open(path).map_err(io_error(path))?;
    let from = blocks.partition_point(|b| b.first + b.count <= places.start);
    let mut rows = Vec::new();
    for block in blocks[from..].iter().take_while(|b| b.first < places.end) {
        for (place, entry) in (block.first..).zip(entries(path, &mut file, block)?) {
            if places.contains(&place) {
                rows.push((place, row(path, entry)?));
            }
        }
    }
    Ok(rows)
}

fn entries(path: &Path, file: &mut File, block: &Block) -> Result<Vec<Entry>, Error> {
    let mut packed = Vec::new();
    file.seek(SeekFrom::Start(block.offset)).map_err(io_error(path))?;
    file.take(block.length).read_to_end(&mut packed).map_err(io_error(path))?;
    if files::digest(&packed) != block.digest {
        return Err(Error::plan(path, format!("the block at {} differs from the plan", block.offset)));
    }
    let wrong = |e: String| Error::plan(path, e);
    let raw = unpack(&packed).map_err(|e| wrong(e.to_string()))?;
    postcard::from_bytes(&raw).map_err(|e| wrong(e.to_string()))
}

fn row(path: &Path, entry: Entry) -> Result<InstanceRow, Error> {
    let Entry { id, name, category, operation, status, source } = entry;
    let status =
        Status::from_code(&status).ok_or_else(|| Error::plan(path, format!("`{status}` is not a status")))?;
    Ok(InstanceRow { id, name, category, operation, status, source })
}
