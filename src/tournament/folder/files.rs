//! The files of a tournament, each of them complete or not there at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{BadFolder, Fault, JOURNAL, PLAN, SEED, UNFINISHED, sync};
use crate::chance::Seed;
use crate::tournament::journal::{self, Reader};
use crate::tournament::ledger::Ledger;
use crate::tournament::pairing::Format;
use crate::tournament::plan::{Header, Plan, file_name};

/// Writes a file under another name first, so that it is complete, and on the disk, once it has its own.
fn write(path: &Path, mode: u32, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), BadFolder> {
    let written = || {
        let mut unfinished = path.as_os_str().to_owned();
        unfinished.push(UNFINISHED);
        let unfinished = PathBuf::from(unfinished);
        let _ = fs::remove_file(&unfinished);
        let file = OpenOptions::new().write(true).create_new(true).mode(mode).open(&unfinished)?;
        let mut buffer = BufWriter::with_capacity(1 << 20, file);
        fill(&mut buffer)?;
        buffer.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(&unfinished, path)?;
        path.parent().map_or(Ok(()), sync)
    };
    written().map_err(BadFolder::io(path))
}

/// Writes a file of a plan, by its number from 0.
pub fn write_plan(folder: &Path, plan: &Plan, part: usize) -> Result<(), BadFolder> {
    write(&folder.join(file_name(part)), 0o666, |to| plan.write(part, to).map(drop))
}

/// Writes the master seed, for nobody else to read.
pub fn write_seed(folder: &Path, seed: Seed) -> Result<(), BadFolder> {
    write(&folder.join(SEED), 0o600, |to| writeln!(to, "{seed}"))
}

/// Writes the journal of a plan, without games.
pub fn write_journal(folder: &Path, plan: &Plan) -> Result<(), BadFolder> {
    let header = journal::Header::of(plan);
    write(&folder.join(JOURNAL), 0o666, |to| to.write_all(&journal::beginning(&header)))
}

/// Reads a plan with all its files.
pub fn read_plan(folder: &Path) -> Result<Plan, BadFolder> {
    let path = folder.join(PLAN);
    let mut plan = Plan::read(reader(&path)?).map_err(|error| BadFolder::new(&path, error))?;
    loop {
        let path = folder.join(file_name(plan.parts()));
        if !path.exists() {
            return Ok(plan);
        }
        plan.read_further(reader(&path)?).map_err(|error| BadFolder::new(&path, error))?;
    }
}

/// Reads what holds for all games of a plan, and nothing else of it.
pub fn read_header(folder: &Path) -> Result<Header, BadFolder> {
    let path = folder.join(PLAN);
    Plan::read_header(reader(&path)?).map_err(|error| BadFolder::new(&path, error))
}

/// Begins to read the journal.
pub fn read_journal(folder: &Path) -> Result<Reader<BufReader<File>>, BadFolder> {
    let path = folder.join(JOURNAL);
    Reader::new(reader(&path)?).map_err(|error| BadFolder::new(&path, error))
}

/// A plan must be the one that its journal was begun for.
pub fn compare(folder: &Path, plan: &Plan, journal: &journal::Header) -> Result<(), BadFolder> {
    let own = journal::Header::of(plan);
    let differences = own.differences(journal);
    match (*journal == own, &differences[..]) {
        (true, _) => Ok(()),
        (false, []) => Err(BadFolder::new(&folder.join(PLAN), Fault::EditedPlan)),
        (false, _) => Err(BadFolder::new(&folder.join(JOURNAL), Fault::OtherJournal { differences })),
    }
}

/// The rounds of a plan, as far as those before them are over, must be those that its format pairs.
pub fn check_rounds(folder: &Path, plan: &Plan, ledger: &Ledger) -> Result<(), BadFolder> {
    // Of a format that is not known nothing can be said, and whoever needs it says so.
    let format = Format::deserialize(&plan.header().pairing).ok().filter(|format| !format.is_fixed());
    let Some(format) = format else { return Ok(()) };
    let over = (0..plan.rounds().len()).take_while(|&round| ledger.is_over(round)).count();
    let rounds: Vec<_> = plan.rounds().iter().take(over + 1).map(|round| ledger.round_played(plan, round)).collect();
    match format.is_history(plan.header().bots.len(), &rounds) {
        true => Ok(()),
        false => Err(BadFolder::new(&folder.join(PLAN), Fault::OtherRounds)),
    }
}

/// Reads the master seed, if it is there.
pub fn read_seed(folder: &Path) -> Result<Option<Seed>, BadFolder> {
    let path = folder.join(SEED);
    match fs::read(&path) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes);
            text.trim().parse().map(Some).map_err(|_| BadFolder::new(&path, Fault::OtherSeed))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(BadFolder::io(&path)(error)),
    }
}

fn reader(path: &Path) -> Result<BufReader<File>, BadFolder> {
    match File::open(path) {
        Ok(file) => Ok(BufReader::with_capacity(1 << 20, file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(BadFolder::new(path, Fault::Missing)),
        Err(error) => Err(BadFolder::io(path)(error)),
    }
}
