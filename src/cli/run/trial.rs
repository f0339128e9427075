//! Games that count for nothing, played in memory before a tournament begins: whether every bot starts, and how long
//! games take.
//!
//! They are played exactly as those of the tournament will be, in the same sandbox and by the same limits, but on luck
//! of their own, which tells nothing of the tournament's.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::file::CupFile;
use crate::chance::Hex32;
use crate::cli::failure::{Failure, Kind};
use crate::cli::players::Player;
use crate::cli::sandbox::Sandbox;
use crate::cli::signals::{Bell, Stop};
use crate::host::THIS_EXECUTABLE;
use crate::host::play::{Arena, FaultShown, Finished, Kept, play};
use crate::host::sandbox::scratch::Scratch;
use crate::host::sandbox::users::{self, Claim, User};
use crate::protocol::receive::shown;
use crate::record::entry::HeaderHost;
use crate::record::outcome::GameResult;
use crate::record::writer::Writer;
use crate::referee::{Referee, Setup};
use crate::seat::{BySeat, Seat};
use crate::tournament::cup::Cup;
use crate::tournament::run as engine;

/// How often a game is begun again when the referee itself failed.
const ATTEMPTS: usize = 3;

/// What games are tried with.
pub struct Trial<'a> {
    /// The tournament.
    pub cup: &'a Cup,
    /// Its bots, held.
    pub field: &'a [Player],
    /// What holds them.
    pub sandbox: &'a Sandbox,
    /// An opening, if the tournament has any.
    pub opening: Option<&'a str>,
    /// What ends it all.
    pub stop: &'a Stop,
    /// How many games are played at once.
    pub at_once: usize,
}

/// A whole game that was tried.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tried {
    /// How long it took, starts included.
    pub took: Duration,
    /// How many plies it had.
    pub plies: u64,
}

impl Trial<'_> {
    /// Starts every bot once, and has each of them say `ready`.
    ///
    /// # Errors
    /// When one does not: a line is printed for each of those, but for the last one, which is in the failure.
    pub fn start_all(&self, file: &CupFile) -> Result<(), Failure> {
        let seats = self.cup.seats;
        let tables = self.field.len().div_ceil(seats);
        // The last table is filled up with bots that are tried already.
        let at = |table: usize| BySeat::from_fn(seats, |seat| (table * seats + seat.index()) % self.field.len());
        let faults = Mutex::new(BTreeMap::new());
        self.in_turn(tables, |table, users| {
            let entrants = at(table);
            let finished = self.game(users, &entrants, true)?;
            let mut faults = faults.lock().expect("nobody panics");
            finished.faults.into_iter().for_each(|fault| drop(faults.insert(entrants[fault.seat], fault)));
            Ok(())
        })?;
        let mut failures: Vec<Failure> = faults
            .into_inner()
            .expect("nobody panics")
            .into_iter()
            .map(|(bot, fault)| {
                let bot = &self.cup.bots[bot];
                file.fault(Kind::Config, bot.command.line, "bots.command", words(&bot.name, &fault))
            })
            .collect();
        let Some(last) = failures.pop() else { return Ok(()) };
        failures.iter().for_each(Failure::tell);
        Err(last)
    }

    /// Plays whole games between these bots until so much time is over; how each of them went.
    ///
    /// # Errors
    /// When the referee itself fails, or is stopped.
    pub fn play_for(&self, tables: &[BySeat<usize>], patience: Duration) -> Result<Vec<Tried>, Failure> {
        let began = Instant::now();
        let tried = Mutex::new(Vec::new());
        self.in_turn(tables.len(), |table, users| {
            if began.elapsed() >= patience {
                return Ok(());
            }
            let began = Instant::now();
            let finished = self.game(users, &tables[table], false)?;
            let game = Tried { took: began.elapsed(), plies: finished.end.plies };
            tried.lock().expect("nobody panics").push(game);
            Ok(())
        })?;
        Ok(tried.into_inner().expect("nobody panics"))
    }

    /// Does something for each of so many tables, as many at once as are allowed, each with users of its own, where bots
    /// need them.
    fn in_turn(
        &self,
        tables: usize,
        each: impl Fn(usize, &[User]) -> Result<(), Failure> + Sync,
    ) -> Result<(), Failure> {
        let at_once = self.at_once.min(tables);
        let claims = users::claim(at_once * self.cup.seats).map_err(set_up)?;
        let users: Vec<User> = claims.iter().map(Claim::user).collect();
        let mut users = users.chunks(self.cup.seats);
        let (next, failed) = (AtomicUsize::new(0), Mutex::new(None));
        let fail = |failure: Failure| {
            next.store(tables, Ordering::Relaxed);
            failed.lock().expect("nobody panics").get_or_insert(failure);
        };
        let play = |users: &[User]| {
            loop {
                let table = next.fetch_add(1, Ordering::Relaxed);
                if table >= tables {
                    return;
                }
                if let Err(failure) = each(table, users) {
                    return fail(failure);
                }
            }
        };
        thread::scope(|scope| {
            for _ in 0..at_once {
                let (play, users) = (&play, users.next().unwrap_or_default());
                if let Err(error) = engine::spawn(scope, move || play(users)) {
                    return fail(set_up(error));
                }
            }
        });
        failed.into_inner().expect("nobody panics").map_or(Ok(()), Err)
    }

    /// One game, or only its start; begun again where the referee itself failed.
    fn game(&self, users: &[User], entrants: &BySeat<usize>, only_start: bool) -> Result<Finished, Failure> {
        let mut reason = "";
        for _ in 0..ATTEMPTS {
            let bell = self.stop.bell().map_err(set_up)?;
            let finished = self.attempt(users, entrants, only_start, &bell)?;
            if let Some(kind) = self.stop.kind() {
                return Err(Failure::new(kind, "stopped before the tournament began"));
            }
            if finished.end.outcome.result != GameResult::Void {
                return Ok(finished);
            }
            reason = finished.end.outcome.reason.words();
        }
        Err(Failure::new(Kind::Again, format!("a game before the first could not be played: {reason}")))
    }

    fn attempt(
        &self,
        users: &[User],
        entrants: &BySeat<usize>,
        only_start: bool,
        bell: &Bell,
    ) -> Result<Finished, Failure> {
        let players = entrants.map(|&bot| &self.field[bot]);
        let mut arena = self.arena(users, &players);
        let _scratch = match self.cup.limits.scratch_bytes {
            Some(_) => Some(Scratch::give(arena.bots()).map_err(set_up)?),
            None => None,
        };
        let mut kept = players.map(|_| Kept::default());
        let mut watch = |referee: &Referee| {
            // The first question means that everybody said `ready`.
            if only_start && referee.turn() > 0 {
                bell.ring();
            }
        };
        let mut nowhere = Writer::new(io::sink());
        play(&arena, self.setup(&players), &mut kept, &mut nowhere, Some(bell.readable()), &mut watch)
            .map_err(|error| Failure::new(Kind::Bug, format!("a game before the first cannot begin: {error}")))
    }

    fn arena(&self, users: &[User], players: &BySeat<&Player>) -> Arena {
        let mut confinements = players.map(|player| player.confinement.clone());
        for (seat, confinement) in confinements.iter_mut().enumerate() {
            confinement.user = users.get(seat).copied();
        }
        Arena {
            referee_exe: PathBuf::from(THIS_EXECUTABLE),
            programs: players.map(|player| player.program.clone()),
            confinements,
            ponder: self.cup.run.ponder,
            keep: false,
            groups: self.sandbox.groups(),
        }
    }

    fn setup(&self, players: &BySeat<&Player>) -> Setup {
        let luck = Hex32::from_text("a game before the first");
        Setup {
            game: self.cup.game,
            options: self.cup.options.clone(),
            players: players.map(|player| player.name.clone()),
            game_id: "trial-000001".to_owned(),
            luck_id: "trial-000001".to_owned(),
            game_seed: luck.of_game("trial-000001"),
            bot_seeds: BySeat::from_fn(players.len(), |seat: Seat| luck.of_bot("trial-000001", seat)),
            guessable_seed: true,
            clock: self.cup.clock.clone(),
            limits: self.cup.limits,
            opening: self.opening.unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
            host: HeaderHost {
                referee: env!("CARGO_PKG_VERSION").to_owned(),
                started: None,
                bots: players.iter().map(|player| player.host.clone()).collect(),
                cores: Vec::new(),
                ponder: None,
                sandbox: None,
            },
        }
    }
}

fn set_up(error: io::Error) -> Failure {
    Failure::new(Kind::Io, format!("the referee cannot set itself up: {error}"))
}

/// Why a bot does not start, in a line.
fn words(name: &str, fault: &FaultShown) -> String {
    let last = fault.stderr.lines().rev().find(|line| !line.trim().is_empty());
    let stderr = last.map(|line| format!("; the last on its stderr: {}", shown(line.trim().as_bytes())));
    format!("“{name}” does not start: {}{}", fault.words, stderr.unwrap_or_default())
}
