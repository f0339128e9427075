//! Log files: finding, reading and creating them.

use std::fs::{self, DirEntry, File};
use std::io::{self, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use super::failure::{Failure, Kind};

/// The longest log that is read: none of ours is a hundredth of it.
const MOST_BYTES: u64 = 1 << 30;

/// The logs that are named: files as they are, and of folders every `*.jsonl` in them and below, in order.
pub fn find(named: &[PathBuf]) -> impl Iterator<Item = Result<PathBuf, Failure>> + '_ {
    named.iter().flat_map(|path| match path.is_dir() {
        true => in_folder(path),
        false => vec![Ok(path.clone())],
    })
}

/// Links to folders are not followed: one of them may lead back up here.
fn in_folder(folder: &Path) -> Vec<Result<PathBuf, Failure>> {
    let unreadable = |error| Failure::reading(folder, &error);
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<DirEntry>>>);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => return vec![Err(unreadable(error))],
    };
    entries.sort_by_cached_key(DirEntry::path);
    let found = |entry: DirEntry| {
        let path = entry.path();
        match entry.file_type() {
            Err(error) => vec![Err(unreadable(error))],
            Ok(kind) if kind.is_dir() => in_folder(&path),
            Ok(kind) if path.extension().is_some_and(|ending| ending == "jsonl") => {
                if kind.is_symlink() && path.is_dir() { vec![] } else { vec![Ok(path)] }
            }
            Ok(_) => vec![],
        }
    };
    entries.into_iter().flat_map(found).collect()
}

/// Reads a whole log.
///
/// # Errors
/// When it is not there, is no file, or is too long to be a log.
pub fn read_into(path: &Path, bytes: &mut Vec<u8>) -> Result<(), Failure> {
    bytes.clear();
    let reading = |error| Failure::reading(path, &error);
    let mut file = File::open(path).map_err(reading)?;
    let length = file.metadata().map_err(reading)?.len();
    if length > MOST_BYTES {
        return Err(Failure::new(
            Kind::BadInput,
            format!("{} is too long to be a log: {length} bytes", path.display()),
        ));
    }
    // A file as it is asks for its length again and reads it in one go; anything around it would not.
    file.read_to_end(bytes).map(drop).map_err(reading)
}

/// Sees to it, before anything is played, that a new log can be made here.
///
/// # Errors
/// When there is one already and `force` is not given, when there is no folder for it, or when it is a named pipe or
/// a socket: to open one may take for ever.
pub fn check_free(path: &Path, force: bool) -> Result<(), Failure> {
    let refused = |words: String| Err(Failure::new(Kind::Io, words));
    if path.is_dir() {
        return refused(format!("{} is a folder: name a file in it", path.display()));
    }
    // A pipe without a name, as /dev/stdout may be one, is open already: it is found nowhere, and does no harm.
    let kind = path.canonicalize().and_then(fs::metadata).map(|found| found.file_type());
    if kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket()) {
        return refused(format!("{} is a pipe or a socket: name a file for the log", path.display()));
    }
    if !force && path.symlink_metadata().is_ok() {
        return refused(format!("{} is there already: name another log, or give --force", path.display()));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match folder.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            refused(format!("the folder for the log {} is not there: make it, or name another log", path.display()))
        }
        _ => Ok(()),
    }
}
