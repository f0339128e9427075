//! `arbitro report`: a page of a tournament, finished or not.

use std::fs::{self, File, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::failure::{Failure, Kind};
use super::{output, status};
use crate::report::page::{Event, GENERATOR, event, shown_faults};
use crate::tournament::folder;
use crate::tournament::standings::{Results, Standings};

/// Make a page of a tournament: standings, ratings, plots, faults, and links to the logs, in one file
#[derive(clap::Args)]
pub struct Args {
    /// The folder of the tournament
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The page; report.html in the folder, if it is not said
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write over a file that is no report
    #[arg(long)]
    force: bool,
}

pub fn run(args: Args, quiet: bool) -> Result<(), Failure> {
    let page = args.output.unwrap_or_else(|| args.folder.join("report.html"));
    output::check(&page, None, Some("report.html"))?;
    if !args.force && page.exists() && !is_report(&page) {
        let words = format!("{} is there already and is no report; --force writes over it", page.display());
        return Err(Failure::usage(words));
    }
    let record = folder::read(&args.folder).map_err(|error| status::failure(&error))?;
    let facts = [("plan".to_owned(), record.plan.sha256().to_string())];
    let bad = |error| Failure::new(Kind::BadInput, format!("{}: {error}", args.folder.display()));
    let results = Results::of(record).map_err(bad)?;
    let standings = Standings::of(&results).map_err(bad)?;
    let read = |game: u64| fs::read(folder::log(&args.folder, game)).unwrap_or_default();
    let faults = shown_faults(&results.games, &read);
    let way = way(&page, &args.folder);
    let log = |game: u64| folder::log(&way, game).to_string_lossy().into_owned();
    let text =
        event(&Event { standings: &standings, games: &results.games, facts: &facts, faults: &faults, log: &log });
    write(&page, &text).map_err(|error| {
        let words = format!("{} cannot be written: {}", page.display(), output::reason(&error));
        Failure::new(Kind::Io, words)
    })?;
    if !quiet {
        println!("{}", page.display());
    }
    Ok(())
}

/// Whether a file is a page of ours.
fn is_report(path: &Path) -> bool {
    let mut begin = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4096).read_to_end(&mut begin));
    read.is_ok() && String::from_utf8_lossy(&begin).contains(GENERATOR)
}

/// Writes a file that is there whole, or not at all.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = begin(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// A page that is not whole yet. What is left of it when this is killed may lie beside a tournament, for its name begins
/// like that of a report.
fn begin(folder: &Path) -> std::io::Result<NamedTempFile> {
    // As any new file, within the umask, and not for its owner alone.
    let as_any = Permissions::from_mode(0o666);
    tempfile::Builder::new().prefix("report.").permissions(as_any).tempfile_in(folder)
}

/// The way from a page to a folder: relative, so that both can be moved together; or whole, where they share nothing.
fn way(page: &Path, folder: &Path) -> PathBuf {
    let whole = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let beside = page.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (from, to) = (whole(beside), whole(folder));
    let shared = from.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    let up = from.components().skip(shared).map(|_| Path::new(".."));
    up.collect::<PathBuf>().join(to.components().skip(shared).collect::<PathBuf>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_a_page_that_was_not_finished_may_lie_beside_a_tournament() {
        let folder = tempfile::tempdir().unwrap();
        let begun = begin(folder.path()).unwrap();
        let name = begun.path().file_name().unwrap().to_string_lossy().into_owned();
        assert!(name.starts_with("report."), "{name}");
    }
}
