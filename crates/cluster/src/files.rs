//! Files that are complete or not there: a temporary name, fsync, rename, fsync of the folder.

use crate::error::{Error, io_error};
use sha2::{Digest as _, Sha256};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use tempfile::TempDir;

/// The names of temporary files start with this.
pub(crate) const TEMPORARY: &str = ".tmp-";

/// Writes a file as a whole.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    write_as(path, "", bytes)
}

/// Writes a file as a whole; processes that write it at the same time have different words.
pub(crate) fn write_as(path: &Path, word: &str, bytes: &[u8]) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let temporary = folder.join(format!("{TEMPORARY}{name}{word}"));
    let written = File::create(&temporary)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // On a full disk its space is needed.
        let _ = fs::remove_file(&temporary);
    }
    written.map_err(io_error(path))?;
    sync_folder(folder);
    Ok(())
}

/// Has the names in a folder reach the disk. Some file systems cannot do that; they write names at once.
pub(crate) fn sync_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|f| f.sync_all());
}

/// A folder with a temporary name, in which another one is prepared.
pub(crate) fn work_folder(parent: &Path) -> Result<TempDir, Error> {
    create_folder(parent)?;
    tempfile::Builder::new().prefix(TEMPORARY).tempdir_in(parent).map_err(io_error(parent))
}

/// Gives a folder its name. One that has this name and this file has the same contents.
pub(crate) fn publish(work: TempDir, folder: &Path, file: &str) -> Result<(), Error> {
    let work = &work.keep();
    // Temporary folders are private; tasks may run as another user.
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(work, open).map_err(io_error(work))?;
    match fs::rename(work, folder) {
        Err(_) if folder.join(file).is_file() => fs::remove_dir_all(work).map_err(io_error(work))?,
        other => other.map_err(io_error(folder))?,
    }
    sync_folder(folder.parent().unwrap_or(Path::new(".")));
    Ok(())
}

/// Reads a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(io_error(path))
}

/// Creates a folder with its parents.
pub(crate) fn create_folder(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(io_error(path))
}

/// The SHA-256 of some bytes, in hexadecimal.
pub(crate) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}
