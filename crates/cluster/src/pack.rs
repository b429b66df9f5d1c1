//! Compression of plans and shards.

use std::io;

/// Compresses bytes.
pub(crate) fn pack(bytes: &[u8]) -> Vec<u8> {
    lz4_flex::compress_prepend_size(bytes)
}

/// The bytes that were compressed.
pub(crate) fn unpack(packed: &[u8]) -> io::Result<Vec<u8>> {
    lz4_flex::decompress_size_prepended(packed).map_err(io::Error::other)
}
