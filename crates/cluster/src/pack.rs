//! Compression of plans and shards.

use std::io;

const LEVEL: i32 = 3;

/// Compresses bytes.
pub(crate) fn pack(bytes: &[u8]) -> io::Result<Vec<u8>> {
    zstd::bulk::compress(bytes, LEVEL)
}

/// The bytes that were compressed.
pub(crate) fn unpack(packed: &[u8]) -> io::Result<Vec<u8>> {
    zstd::stream::decode_all(packed)
}
