//! Begins a tournament in a folder, or takes one up again.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::beside::{is_beside, is_own};
use super::{BadFolder, Fault, Folder, GAMES, JOURNAL, LOCK, PLAN, SEED, files, sweep, sync};
use crate::chance::Seed;
use crate::tournament::journal::{Changed, Journal, JournalFile};
use crate::tournament::ledger::Ledger;
use crate::tournament::plan::{Plan, PlannedBot};
use crate::tournament::played::Played;

/// A tournament that can be played.
pub struct Opened<S = JournalFile> {
    /// Its folder, held against others.
    pub folder: Folder,
    /// Its plan, as far as its rounds are paired.
    pub plan: Plan,
    /// What was played.
    pub ledger: Ledger,
    /// Where finished games go.
    pub journal: Journal<S>,
    /// Whether it was begun before.
    pub resumed: bool,
    /// How many bytes of games that did not count yet were cut off the journal.
    pub torn: u64,
    /// How many logs of games that do not count were removed.
    pub swept: usize,
    /// The names of bots that changed, which was allowed.
    pub changed: Vec<String>,
}

/// Begins this tournament in a folder, or takes it up again if the folder holds this very one.
///
/// `changed_bots` says that bots may differ from those that it was begun with. `look` sees the games of each finished
/// set, in the order in which they were journaled.
///
/// # Errors
/// When the folder holds anything else, is in use, or its files are damaged or do not belong together. Nothing is
/// changed then.
pub fn open(
    path: &Path,
    plan: Plan,
    seed: Seed,
    changed_bots: bool,
    look: &mut dyn FnMut(&Plan, &[Played]),
) -> Result<Opened, BadFolder> {
    // Looked at before anything is made here, and again when nobody else can begin a tournament or go on with one.
    holds_tournament(path)?;
    make(path)?;
    let folder = Folder { path: path.to_owned(), _lock: lock(path)? };
    let games = path.join(GAMES);
    let resumed = holds_tournament(path)? && !is_barely_begun(path)?;
    if !resumed {
        begin(path, &plan, seed)?;
    }
    let on_disk = take_up(path, &plan, seed)?;
    let (ledger, journal) = recount(path, &on_disk, look)?;
    let changed = compare_bots(path, &on_disk, &plan, &journal.changes, changed_bots)?;
    make(&games)?;
    let swept = match resumed {
        true => sweep::sweep(path, |game| counts(&on_disk, &ledger, game)).map_err(BadFolder::io(&games))?,
        false => 0,
    };
    let path = path.join(JOURNAL);
    let resume = || {
        let file = OpenOptions::new().append(true).open(&path)?;
        let mut open = Journal::resume(JournalFile(file), &journal.end)?;
        if !changed.is_empty() {
            open.change(&Changed { bots: changed.clone() })?;
        }
        Ok(open)
    };
    let (torn, open) = (journal.end.torn, resume().map_err(BadFolder::io(&path))?);
    let changed = changed.into_iter().map(|bot| bot.name).collect();
    Ok(Opened { folder, plan: on_disk, ledger, journal: open, resumed, torn, swept, changed })
}

/// Makes a folder, and those that lead to it. Their names are on the disk when this returns: what is in them is not safe
/// before.
fn make(path: &Path) -> Result<(), BadFolder> {
    if path.is_dir() {
        return Ok(());
    }
    // What a path of one word counts from has no name.
    let named = path.parent().filter(|above| !above.as_os_str().is_empty());
    named.map_or(Ok(()), make)?;
    let made = fs::create_dir(path).and_then(|()| sync(named.unwrap_or(Path::new("."))));
    made.map_err(|error| BadFolder::new(path, Fault::NotMade(error)))
}

/// Whether a tournament was begun here; if not, nothing else may lie here.
fn holds_tournament(path: &Path) -> Result<bool, BadFolder> {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Err(BadFolder::new(path, Fault::NoFolder));
        }
        Err(error) => return Err(BadFolder::io(path)(error)),
    };
    let mut own = false;
    for entry in entries {
        let name = entry.map_err(BadFolder::io(path))?.file_name();
        match name.to_str() {
            Some(name) if is_own(name) => own |= name != LOCK,
            Some(name) if is_beside(name) => {}
            _ => return Err(BadFolder::new(&path.join(name), Fault::Foreign)),
        }
    }
    Ok(own)
}

/// How long the lock of a referee that is gone may still be held: a process that it was just starting shares all its open
/// files until it has become another program.
const LINGERING: Duration = Duration::from_millis(500);

/// Tries to take a lock until it is free of whoever is gone.
fn try_lock(file: &File) -> Result<(), TryLockError> {
    let deadline = Instant::now() + LINGERING;
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => thread::sleep(Duration::from_millis(10)),
            done => return done,
        }
    }
}

/// Holds the folder, as long as the file is open.
fn lock(folder: &Path) -> Result<File, BadFolder> {
    let path = folder.join(LOCK);
    let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
    let mut file = opened.map_err(BadFolder::io(&path))?;
    match try_lock(&file) {
        Ok(()) => {
            // It says who plays here to whoever comes later.
            let told = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
            told.map_err(BadFolder::io(&path))?;
            Ok(file)
        }
        Err(TryLockError::WouldBlock) => {
            let mut text = String::new();
            let _ = file.read_to_string(&mut text);
            Err(BadFolder::new(folder, Fault::InUse { process: text.trim().parse().ok() }))
        }
        Err(TryLockError::Error(error)) => Err(BadFolder::io(&path)(error)),
    }
}

/// Whether a referee was stopped before it began to play: the plan or the journal was not written yet.
fn is_barely_begun(folder: &Path) -> Result<bool, BadFolder> {
    let missing = [PLAN, JOURNAL].into_iter().find(|name| !folder.join(name).exists());
    let Some(missing) = missing else { return Ok(false) };
    let games = folder.join(GAMES);
    let played = match fs::read_dir(&games) {
        Ok(mut entries) => entries.next().is_some(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(BadFolder::io(&games)(error)),
    };
    let is_second = folder.join(crate::tournament::plan::file_name(1)).exists();
    if played || is_second || missing == PLAN && folder.join(JOURNAL).exists() {
        return Err(BadFolder::new(&folder.join(missing), Fault::Missing));
    }
    Ok(true)
}

/// Writes what is still missing of a new tournament.
fn begin(folder: &Path, plan: &Plan, seed: Seed) -> Result<(), BadFolder> {
    if !folder.join(PLAN).exists() {
        files::write_seed(folder, seed)?;
        files::write_plan(folder, plan, 0)?;
    }
    take_up(folder, plan, seed)?;
    files::write_journal(folder, plan)
}

/// The plan that lies here, which must be this one as far as it decides what is played.
fn take_up(folder: &Path, plan: &Plan, seed: Seed) -> Result<Plan, BadFolder> {
    let path = folder.join(PLAN);
    let on_disk = files::read_plan(folder)?;
    if folder.join(JOURNAL).exists() {
        files::compare(folder, &on_disk, files::read_journal(folder)?.header())?;
    }
    if on_disk.sha256() != plan.sha256() {
        let mut differences = on_disk.header().differences(plan.header());
        if differences.is_empty() && on_disk.first_sets() != plan.first_sets() {
            differences.push("who plays whom");
        }
        if !differences.is_empty() {
            return Err(BadFolder::new(&path, Fault::OtherPlan { differences }));
        }
    }
    match files::read_seed(folder)? {
        Some(found) if found != seed => Err(BadFolder::new(&folder.join(SEED), Fault::OtherSeed)),
        Some(_) => Ok(on_disk),
        None => files::write_seed(folder, seed).map(|()| on_disk),
    }
}

/// What the journal says besides its games.
struct Journaled {
    changes: Vec<Changed>,
    end: crate::tournament::journal::End,
}

/// Counts what was played, and checks that further files of the plan follow from it.
fn recount(
    folder: &Path,
    plan: &Plan,
    look: &mut dyn FnMut(&Plan, &[Played]),
) -> Result<(Ledger, Journaled), BadFolder> {
    let path = folder.join(JOURNAL);
    let mut reader = files::read_journal(folder)?;
    let (mut ledger, mut games) = (Ledger::new(plan), Vec::new());
    while reader.next_set(&mut games).map_err(|error| BadFolder::new(&path, error))? {
        ledger.add(plan, &games).map_err(|misfit| BadFolder::new(&path, misfit))?;
        look(plan, &games);
        games.clear();
    }
    for part in 1..plan.parts() {
        let rounds = plan.rounds_before(part);
        let is_over = (0..rounds).all(|round| ledger.is_over(round));
        if !is_over || plan.follows_from(part) != Some(ledger.results(plan, rounds)) {
            let path = folder.join(crate::tournament::plan::file_name(part));
            return Err(BadFolder::new(&path, Fault::OtherResults));
        }
    }
    files::check_rounds(folder, plan, &ledger)?;
    Ok((ledger, Journaled { changes: reader.changes().to_vec(), end: reader.end() }))
}

/// The bots that consist of something else than when they were last noted.
fn compare_bots(
    folder: &Path,
    on_disk: &Plan,
    plan: &Plan,
    changes: &[Changed],
    may_change: bool,
) -> Result<Vec<PlannedBot>, BadFolder> {
    let mut noted = on_disk.header().clone();
    for changed in changes.iter().flat_map(|changed| &changed.bots) {
        noted.bots.iter_mut().filter(|bot| bot.name == changed.name).for_each(|bot| bot.clone_from(changed));
    }
    let changed: Vec<PlannedBot> = noted.changed_bots(plan.header()).into_iter().cloned().collect();
    if changed.is_empty() || may_change {
        return Ok(changed);
    }
    let bots = changed.into_iter().map(|bot| bot.name).collect();
    Err(BadFolder::new(folder, Fault::ChangedBots { bots }))
}

fn counts(plan: &Plan, ledger: &Ledger, game: u64) -> bool {
    plan.game(game).is_some_and(|game| ledger.is_done(game.set as usize - 1))
}
