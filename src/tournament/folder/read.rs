//! Reads a tournament from its folder, whether somebody plays in it or not.

use std::path::Path;

use super::{BadFolder, Fault, JOURNAL, PLAN, files, is_begun};
use crate::tournament::journal::Changed;
use crate::tournament::ledger::Ledger;
use crate::tournament::plan::{Header, Plan};
use crate::tournament::played::Played;

/// Everything that counts of a tournament.
#[derive(Clone, Debug)]
pub struct Record {
    /// The plan, as far as its rounds are paired.
    pub plan: Plan,
    /// The finished games in the order of their numbers.
    pub played: Vec<Played>,
    /// What changed in the bots in the meantime, in order.
    pub changes: Vec<Changed>,
}

/// Reads a tournament. It holds what was finished when it was read; nothing is changed.
///
/// # Errors
/// When there is none, or its files are damaged or do not belong together.
pub fn read(folder: &Path) -> Result<Record, BadFolder> {
    if !folder.join(PLAN).exists() {
        return Err(BadFolder::new(folder, Fault::NoTournament));
    }
    // In this order: a referee that plays writes a further file of the plan before games of it.
    let mut reader = files::read_journal(folder)?;
    let (journal, mut played) = (folder.join(JOURNAL), Vec::new());
    while reader.next_set(&mut played).map_err(|error| BadFolder::new(&journal, error))? {}
    let plan = files::read_plan(folder)?;
    files::compare(folder, &plan, reader.header())?;
    // The games of a set stand together, and stay so.
    played.sort_by_key(|game| game.set);
    let mut ledger = Ledger::new(&plan);
    for games in played.chunks(plan.games_each()) {
        ledger.add(&plan, games).map_err(|misfit| BadFolder::new(&journal, misfit))?;
    }
    files::check_rounds(folder, &plan, &ledger)?;
    Ok(Record { plan, played, changes: reader.changes().to_vec() })
}

/// What holds for all games of the tournament that was begun here, if one was. Whether its plan is still what it was
/// begun with is found when it is [taken up again](super::open).
///
/// # Errors
/// When the plan cannot be read.
pub fn begun(folder: &Path) -> Result<Option<Header>, BadFolder> {
    is_begun(folder).then(|| files::read_header(folder)).transpose()
}
