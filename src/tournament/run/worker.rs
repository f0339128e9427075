//! A worker: plays one sitting after another, each game as it was planned, and hands in what came of it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::SyncSender;
use std::sync::{RwLock, RwLockReadGuard};

use super::halt::Halt;
use super::schedule::Schedule;
use super::{Failed, Means};
use crate::host::cores;
use crate::host::play::{Arena, FaultShown, Finished, Kept, Ponder};
use crate::host::sandbox::users::User;
use crate::record::entry::HeaderHost;
use crate::record::outcome::{GameResult, Reason};
use crate::record::writer::Written;
use crate::referee::Setup;
use crate::seat::{BySeat, Seat};
use crate::tournament::Entrant;
use crate::tournament::folder::Folder;
use crate::tournament::game::{NotPlayed, Spectator, ToPlay, Unrevealed};
use crate::tournament::plan::{Header, Plan, PlannedGame, PlannedSet, luck_id};
use crate::tournament::played::{Charge, Played, PlayedHost};

/// What a worker tells.
pub enum Message {
    /// A game begins.
    Started { worker: usize, game: PlannedGame },
    /// A game was void, and is played again.
    Void { game: PlannedGame, reason: Reason, log: PathBuf },
    /// All games of a set are over, and their logs are written.
    Played { set: usize, games: Vec<Done> },
    /// A set was not played, for its bots do not meet any more.
    Left { set: usize },
    /// A game could not be played, for a reason of ours.
    Failed(NotPlayed),
    /// Somebody stops the referee.
    Stopping,
    /// This worker is done.
    Ended,
}

/// A game that is over, and whose log is written.
pub struct Done {
    pub played: Played,
    pub faults: Vec<FaultShown>,
    pub log: PathBuf,
    /// Where its log was written to, unless it is on the disk already.
    pub file: Option<File>,
    pub clean: bool,
}

impl Done {
    /// Puts its log on the disk, and closes it.
    pub fn settle(&mut self) -> Result<(), Failed> {
        let synced = self.file.take().map_or(Ok(()), |file| file.sync_data());
        synced.map_err(|error| Failed::Io { path: self.log.clone(), error })
    }
}

/// What all workers share.
#[derive(Clone, Copy)]
pub struct Shared<'a> {
    pub means: &'a Means,
    pub folder: &'a Folder,
    pub plan: &'a RwLock<Plan>,
    pub schedule: &'a Schedule,
    pub halt: &'a Halt,
}

impl<'a> Shared<'a> {
    /// The plan as it is now.
    ///
    /// # Panics
    /// If somebody panicked who changed it.
    pub fn plan(&self) -> RwLockReadGuard<'a, Plan> {
        self.plan.read().expect("nobody panics who changes the plan")
    }

    /// Changes the plan.
    ///
    /// # Panics
    /// As [`Shared::plan`].
    pub fn change_plan(&self, change: impl FnOnce(&mut Plan)) {
        change(&mut self.plan.write().expect("nobody panics who changes the plan"));
    }
}

/// One worker.
pub struct Worker<'a> {
    pub number: usize,
    pub shared: Shared<'a>,
    /// The processors that it keeps its games on; none: wherever the system puts them.
    pub cores: Vec<usize>,
    /// The users of its bots, by their places in a meeting; none where none are needed.
    pub users: Vec<User>,
    /// What holds for all games.
    pub header: &'a Header,
    /// The options of the game as text.
    pub options: &'a str,
    pub to: SyncSender<Message>,
}

/// What goes on between the games of a worker.
#[derive(Default)]
struct Processes {
    /// The processes of a sitting, by place in the set and by bot.
    running: Vec<BTreeMap<Entrant, Kept>>,
    /// What is left of others: keepers, for whoever is next.
    idle: Vec<Kept>,
}

impl Processes {
    /// Ends all processes: a sitting begins with new ones.
    fn begin_sitting(&mut self, places: usize) {
        for mut kept in self.running.drain(..).flat_map(BTreeMap::into_values) {
            kept.end();
            self.idle.push(kept);
        }
        self.running.resize_with(places, BTreeMap::new);
    }

    /// What a bot goes on with.
    fn take(&mut self, place: usize, bot: Entrant) -> Kept {
        self.running[place].remove(&bot).or_else(|| self.idle.pop()).unwrap_or_default()
    }

    fn put_back(&mut self, place: usize, bot: Entrant, kept: Kept) {
        if kept.runs() {
            self.running[place].insert(bot, kept);
        } else {
            self.idle.push(kept);
        }
    }
}

/// Why a set was not finished.
enum Unfinished {
    Interrupted,
    Failed(NotPlayed),
}

impl From<NotPlayed> for Unfinished {
    fn from(error: NotPlayed) -> Unfinished {
        Unfinished::Failed(error)
    }
}

impl Worker<'_> {
    /// Plays until nothing is left, or all is to stop.
    pub fn work(self) {
        let _ending = Ending(&self);
        // Where processors cannot be chosen, games are played all the same.
        let pinned = if self.cores.is_empty() { Ok(()) } else { cores::pin(&self.cores) };
        if let Err(error) = pinned.and_then(|()| cores::wake_exactly()) {
            tracing::warn!("games are not kept on processors of their own: {error}");
        }
        let mut processes = Processes::default();
        while let Some(sets) = self.shared.schedule.next() {
            if !self.sitting(&sets, &mut processes) {
                return;
            }
        }
    }

    /// Plays the sets of one sitting; whether to go on.
    fn sitting(&self, sets: &[usize], processes: &mut Processes) -> bool {
        processes.begin_sitting(self.header.orders.games(self.header.seats) as usize);
        for &index in sets {
            let (set, games) = self.planned(index);
            if self.shared.halt.is_turned() {
                return false;
            }
            let message = match self.shared.schedule.is_open(&set.seats) {
                false => Message::Left { set: index },
                true => match self.set(&set, &games, processes) {
                    Ok(games) => Message::Played { set: index, games },
                    Err(unfinished) => {
                        remove_logs(self.shared.folder, games.iter().map(|game| game.number));
                        if let Unfinished::Failed(error) = unfinished {
                            self.tell(Message::Failed(error));
                        }
                        return false;
                    }
                },
            };
            self.tell(message);
        }
        true
    }

    fn planned(&self, index: usize) -> (PlannedSet, Vec<PlannedGame>) {
        let plan = self.shared.plan();
        (plan.sets()[index].clone(), plan.games_of(index).collect())
    }

    /// Plays the games of a set, and reveals their luck after the last of them.
    fn set(&self, set: &PlannedSet, games: &[PlannedGame], processes: &mut Processes) -> Result<Vec<Done>, Unfinished> {
        let mut unrevealed = Vec::new();
        for game in games {
            let played = self.game(set, game, processes)?;
            if played.finished.end.outcome.result == GameResult::Aborted {
                return Err(Unfinished::Interrupted);
            }
            unrevealed.push(played);
        }
        games.iter().zip(unrevealed).map(|(game, played)| Ok(done(set, game, played)?)).collect()
    }

    fn game(&self, set: &PlannedSet, game: &PlannedGame, processes: &mut Processes) -> Result<Unrevealed, NotPlayed> {
        let log = self.shared.folder.log(game.number);
        make_room(&log).map_err(|error| NotPlayed::Log { log: log.clone(), error })?;
        let mut to_play = ToPlay {
            arena: self.arena(game),
            setup: self.setup(set, game),
            log: &log,
            replace: true,
            stop: self.shared.halt.readable(),
        };
        let mut kept = game.seats.map(|&bot| processes.take(game.place, bot));
        let played = to_play.play(&mut kept, &mut Telling { worker: self, game });
        game.seats.iter().zip(kept).for_each(|(&bot, kept)| processes.put_back(game.place, bot, kept));
        played
    }

    fn arena(&self, game: &PlannedGame) -> Arena {
        let means = self.shared.means;
        let mut confinements = game.seats.map(|bot| means.bots[bot.index()].confinement.clone());
        for (bot, confinement) in game.seats.iter().zip(confinements.iter_mut()) {
            // The same user wherever it sits: what it left behind in another seat is its own.
            let place = game.seats.iter().filter(|other| *other < bot).count();
            confinement.user = self.users.get(place).copied();
        }
        Arena {
            referee_exe: means.referee_exe.clone(),
            programs: game.seats.map(|bot| means.bots[bot.index()].program.clone()),
            confinements,
            ponder: self.header.ponder,
            keep: self.header.reuse > 0,
            groups: means.groups.clone(),
        }
    }

    fn setup(&self, set: &PlannedSet, game: &PlannedGame) -> Setup {
        let (means, header) = (self.shared.means, self.header);
        let (game_id, luck_id) = (game.id(), luck_id(game.set));
        let opening = set.opening.map_or("", |index| &header.openings[index as usize]);
        Setup {
            game: header.game,
            options: self.options.to_owned(),
            players: game.seats.map(|bot| header.bots[bot.index()].name.clone()),
            game_seed: means.seed.of_game(&luck_id),
            bot_seeds: BySeat::from_fn(game.seats.len(), |seat: Seat| means.seed.of_bot(&game_id, seat)),
            game_id,
            luck_id,
            guessable_seed: false,
            clock: header.clock.clone(),
            limits: header.limits,
            opening: opening.split_whitespace().map(str::to_owned).collect(),
            host: HeaderHost {
                referee: env!("CARGO_PKG_VERSION").to_owned(),
                started: None,
                bots: game.seats.iter().map(|bot| means.bots[bot.index()].host.clone()).collect(),
                cores: self.cores.clone(),
                ponder: Some(self.ponder_words()),
                sandbox: Some(means.sandbox.clone()),
            },
        }
    }

    fn ponder_words(&self) -> String {
        match self.header.ponder {
            Ponder::Stop if self.shared.means.freezes_all => "stop".to_owned(),
            Ponder::Stop => "stop (best effort: a bot that leaves its process group runs on)".to_owned(),
            Ponder::Allow => "allow".to_owned(),
        }
    }

    /// Whoever listened may have stopped.
    fn tell(&self, message: Message) {
        let _ = self.to.send(message);
    }
}

/// Tells that a worker is done, however that came. If it panicked, all others stop too.
struct Ending<'a>(&'a Worker<'a>);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.shared.halt.turn();
            self.0.shared.schedule.close();
        }
        self.0.tell(Message::Ended);
    }
}

/// Tells of one game while it is played.
struct Telling<'a> {
    worker: &'a Worker<'a>,
    game: &'a PlannedGame,
}

impl Spectator for Telling<'_> {
    fn begins(&mut self) {
        self.worker.tell(Message::Started { worker: self.worker.number, game: self.game.clone() });
    }

    fn void(&mut self, finished: &Finished, log: &Path) {
        let (game, reason, log) = (self.game.clone(), finished.end.outcome.reason, log.to_owned());
        self.worker.tell(Message::Void { game, reason, log });
    }
}

/// Reveals a game: its log is complete then.
fn done(set: &PlannedSet, game: &PlannedGame, unrevealed: Unrevealed) -> Result<Done, NotPlayed> {
    let (log, voids, took) = (unrevealed.log().to_owned(), unrevealed.voids, unrevealed.took);
    let (finished, Written { digests, course, thought, to }) = unrevealed.reveal()?;
    let Finished { end, faults, clean } = finished;
    let charge =
        |fault: &FaultShown| Charge { seat: fault.seat, kind: fault.kind.to_owned(), tolerated: fault.tolerated };
    let played = Played {
        game: game.number,
        round: set.round,
        set: game.set,
        seats: game.seats.clone(),
        result: end.outcome.result,
        ranks: end.outcome.ranks,
        reason: end.outcome.reason,
        plies: end.plies,
        faults: faults.iter().map(charge).collect(),
        voids: voids as u32,
        course,
        game_sha256: digests.game_sha256,
        sha256: digests.sha256,
        host: PlayedHost { thought_us: thought.map(|thought| thought.0 / 1000), took_us: took.as_micros() as u64 },
    };
    Ok(Done { played, faults, log, file: Some(to), clean })
}

/// Makes the folder of a log.
fn make_room(log: &Path) -> io::Result<()> {
    let folder = log.parent().expect("logs lie in folders");
    if folder.is_dir() { Ok(()) } else { std::fs::create_dir_all(folder) }
}

/// Removes what there is of games that do not count. What cannot be removed now is swept away the next time.
pub fn remove_logs(folder: &Folder, games: impl IntoIterator<Item = u64>) {
    games.into_iter().for_each(|game| folder.remove_logs(game));
}
