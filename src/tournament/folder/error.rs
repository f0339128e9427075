//! Why a folder cannot be played in, or read.

use std::io;
use std::path::{Path, PathBuf};

use crate::tournament::journal::BadJournal;
use crate::tournament::ledger::Misfit;
use crate::tournament::plan::BadPlan;

/// A folder that cannot be taken, with what to do about it.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {fault}", path = .path.display())]
pub struct BadFolder {
    /// The folder, or the file in it.
    pub path: PathBuf,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a folder or a file in it.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the texts say what each is, and the fields are the things named in them")]
pub enum Fault {
    #[error("{0}")]
    Io(io::Error),
    #[error("it is no folder: name a new or an empty one, or that of this tournament")]
    NoFolder,
    #[error("it cannot be made: {0}; name a folder elsewhere")]
    NotMade(io::Error),
    #[error("another referee{} plays here: wait until it ends, or name another folder", process_words(.process))]
    InUse { process: Option<u32> },
    #[error("it belongs to no tournament: take it out of the folder, or name a new or an empty folder")]
    Foreign,
    #[error("it would be in the way of the tournament whose folder it lies in: name {}", instead_words(.instead))]
    InTheWay { instead: Option<PathBuf> },
    #[error("there is no tournament here")]
    NoTournament,
    #[error("it is missing, and other files of the tournament are there: bring it back, or begin in a new folder")]
    Missing,
    #[error(
        "another tournament was begun here: it differs in {}; name a new folder, or bring back the tournament's file as \
         it was", .differences.join(", ")
    )]
    OtherPlan { differences: Vec<&'static str> },
    #[error(
        "it is the journal of another plan than the one beside it: they differ in {}; bring back the files as they were \
         written", .differences.join(", ")
    )]
    OtherJournal { differences: Vec<&'static str> },
    #[error(
        "it was changed after the journal was begun: a plan is never changed by hand; bring back the file as it was written"
    )]
    EditedPlan,
    #[error(
        "these bots are not what they were when the tournament began: {}; bring back their files, or say that they may \
         differ (--changed-bots), which the journal notes", .bots.join(", ")
    )]
    ChangedBots { bots: Vec<String> },
    #[error(
        "it does not follow from the results in the journal: bring back the files as they were written; or, if the journal \
         was cut, take away this file and those numbered behind it, and their rounds are paired again"
    )]
    OtherResults,
    #[error(
        "its rounds are not those that this version of arbitro pairs: bring back the files as they were written, or go on \
         with the version that began the tournament"
    )]
    OtherRounds,
    #[error("it is not the seed that the plan was made with: bring back the file as it was written")]
    OtherSeed,
    #[error(transparent)]
    Plan(#[from] BadPlan),
    #[error(transparent)]
    Journal(#[from] BadJournal),
    #[error("{0}; bring back the files as they were written")]
    Misfit(#[from] Misfit),
}

impl BadFolder {
    /// Something wrong at a path.
    pub fn new(path: &Path, fault: impl Into<Fault>) -> BadFolder {
        BadFolder { path: path.to_owned(), fault: fault.into() }
    }

    /// What makes an error of the system one of this path.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> BadFolder {
        move |error| BadFolder::new(path, Fault::Io(error))
    }
}

fn process_words(process: &Option<u32>) -> String {
    process.map(|process| format!(" (process {process})")).unwrap_or_default()
}

fn instead_words(instead: &Option<PathBuf>) -> String {
    instead.as_ref().map_or("one elsewhere".to_owned(), |name| format!("{}, or one elsewhere", name.display()))
}
