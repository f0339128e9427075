//! Files that somebody names to be written: whether one can be, before anything is begun.

use std::io;
use std::path::Path;

use super::failure::Failure;
use super::status;
use crate::tournament::folder;

/// Sees to it that a file may be made here, if there is none: it is meant as one, and in the way of no tournament. `begins`
/// is a folder in which one is still to begin, and `instead` a name that would do in the folder of one.
///
/// # Errors
/// When it may not.
pub fn check(path: &Path, begins: Option<&Path>, instead: Option<&str>) -> Result<(), Failure> {
    if path == Path::new("-") {
        return Err(Failure::usage("- does not stand for the output here: name a file (./- if it is called so)"));
    }
    folder::check_free(path, begins, instead).map_err(|error| status::failure(&error))
}

/// What the system says of a file that was to get its name at the end, without the one that it had till then.
pub fn reason(error: &io::Error) -> String {
    let words = error.to_string();
    words.split(" at path ").next().unwrap_or(&words).to_owned()
}
