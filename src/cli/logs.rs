//! Log files: finding, reading and creating them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read};
use std::path::{Path, PathBuf};

use super::failure::{Failure, Kind};

/// The longest log that is read: none of ours is a hundredth of it.
const MOST_BYTES: u64 = 1 << 30;

/// The logs that are named: files as they are, and of folders every `*.jsonl` in them, in order.
pub fn find(named: &[PathBuf]) -> impl Iterator<Item = Result<PathBuf, Failure>> + '_ {
    named.iter().flat_map(|path| match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => in_folder(path),
        _ => vec![Ok(path.clone())],
    })
}

fn in_folder(folder: &Path) -> Vec<Result<PathBuf, Failure>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return vec![Err(Failure::reading(folder, &error))],
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let is_log = |path: &Path| path.extension().is_some_and(|ending| ending == "jsonl");
    paths
        .into_iter()
        .flat_map(|path| match path.is_dir() {
            true => in_folder(&path),
            false if is_log(&path) => vec![Ok(path)],
            false => vec![],
        })
        .collect()
}

/// Reads a whole log.
///
/// # Errors
/// When it is not there, is no file, or is too long to be a log.
pub fn read_into(path: &Path, bytes: &mut Vec<u8>) -> Result<(), Failure> {
    bytes.clear();
    let reading = |error| Failure::reading(path, &error);
    let file = File::open(path).map_err(reading)?;
    let length = file.metadata().map_err(reading)?.len();
    if length > MOST_BYTES {
        return Err(Failure::new(
            Kind::BadInput,
            format!("{} is too long to be a log: {length} bytes", path.display()),
        ));
    }
    file.take(MOST_BYTES).read_to_end(bytes).map(drop).map_err(reading)
}

/// Creates the file of a new log.
///
/// # Errors
/// When there is one already and `force` is not given, or it cannot be written.
pub fn create(path: &Path, force: bool) -> Result<BufWriter<File>, Failure> {
    let mut how = OpenOptions::new();
    how.write(true);
    if force {
        how.create(true).truncate(true)
    } else {
        how.create_new(true)
    };
    let file = how.open(path).map_err(|error| {
        let words = match error.kind() {
            io::ErrorKind::AlreadyExists => {
                format!("{} is there already: name another log, or give --force", path.display())
            }
            io::ErrorKind::NotFound => {
                format!("the folder for the log {} is not there: make it, or name another log", path.display())
            }
            _ => format!("the log {} cannot be written: {error}", path.display()),
        };
        Failure::new(Kind::Io, words)
    })?;
    Ok(BufWriter::with_capacity(64 * 1024, file))
}
