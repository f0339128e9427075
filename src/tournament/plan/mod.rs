//! The plan of a tournament: who plays whom, in which seats, from which opening, on which luck, and in which processes.
//!
//! A plan never changes once it is written. Everything else of a tournament refers to it by its SHA-256, which is that
//! of the file's bytes (as `sha256sum plan.jsonl` prints it). Where a format pairs by results, each further round is a
//! file of its own that names the file before it and the results that it follows from; so the chain of hashes holds.
//!
//! # What is planned
//!
//! Rounds are made of meetings, meetings of sets, sets of games. The games of a set have the same bots, the same luck
//! and the same opening, and differ in who sits where. All numbers count from 1 through the whole tournament, so a
//! game's number alone says all about it.
//!
//! - **Openings** go by the place of a set: the first sets of all meetings of a round begin with the same opening, the
//!   second ones with the next, and the next round goes on where this one ended. So whoever plays every round meets the
//!   same openings as everybody else. When all were played they come again.
//! - **Sittings** say which processes play what, if processes are reused at all: up to so many sets of one meeting in a
//!   row are one sitting, played by the same processes, one for each bot and place in the set. The games of a set share
//!   their luck, so two of them never share a process. As the sittings stand in the plan, a process has the same games
//!   behind it however many games run at once. (After an interruption the rest of a sitting is played by new processes.)

mod header;
mod text;

#[cfg(test)]
mod tests;

use std::ops::Range;

pub use header::{FORMAT, Header, PlannedBot};
pub use text::{BadPlan, file_name};

use super::Entrant;
use super::pairing::{Meeting, Round};
use crate::chance::Hex32;
use crate::seat::BySeat;

/// A plan, as far as its rounds are paired.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    header: Header,
    parts: Vec<Part>,
    rounds: Vec<PlannedRound>,
    sets: Vec<PlannedSet>,
}

/// One file of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Part {
    /// The rounds in it.
    rounds: Range<usize>,
    /// What it follows from; nothing for the first.
    follows: Option<Follows>,
    sha256: Hex32,
}

/// What a further file of a plan follows from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Follows {
    /// The file before it.
    previous: Hex32,
    /// The results of all games before it.
    results: Hex32,
}

/// A round of the plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedRound {
    /// How many meetings were planned before it.
    pub meetings_before: u32,
    /// How many meetings it has.
    pub meetings: u32,
    /// How many sets each meeting is played in.
    pub sets_each: u32,
    /// How many sets were planned before it.
    pub sets_before: usize,
    /// How many sets somebody who played every round played before it.
    openings_before: u64,
    /// Who has nobody to play.
    pub byes: Vec<Entrant>,
}

impl PlannedRound {
    /// The places of its sets in [`Plan::sets`].
    pub fn sets(&self) -> Range<usize> {
        self.sets_before..self.sets_before + self.meetings as usize * self.sets_each as usize
    }
}

/// A set of games with the same bots, luck and opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedSet {
    /// Its round, from 1.
    pub round: u32,
    /// Its meeting, from 1 through the whole tournament.
    pub meeting: u32,
    /// Who sits where in its first game.
    pub seats: BySeat<Entrant>,
    /// Its opening, by its place in the header's list, if there are any.
    pub opening: Option<u32>,
    /// The sitting that it belongs to, from 1 through the whole tournament.
    pub sitting: u32,
}

/// One game of the plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedGame {
    /// Its number, from 1.
    pub number: u64,
    /// The number of its set, from 1.
    pub set: u64,
    /// Its place in the set, from 0.
    pub place: usize,
    /// Who sits where.
    pub seats: BySeat<Entrant>,
}

impl PlannedGame {
    /// What the game is called in logs and by bots.
    pub fn id(&self) -> String {
        game_id(self.number)
    }
}

/// What the game with this number is called in logs and by bots.
pub fn game_id(number: u64) -> String {
    format!("game-{number:07}")
}

/// What the luck of the set with this number is called.
pub fn luck_id(set: u64) -> String {
    format!("set-{set:07}")
}

impl Plan {
    /// The plan of a tournament whose first rounds are these: all of them, where pairings do not go by results.
    ///
    /// # Panics
    /// If a round does not fit the header: another number of seats, or a bot that there is not.
    pub fn new(header: Header, rounds: impl IntoIterator<Item = Round>) -> Plan {
        let mut plan = Plan { header, parts: Vec::new(), rounds: Vec::new(), sets: Vec::new() };
        rounds.into_iter().for_each(|round| plan.add(round));
        plan.close(None);
        plan
    }

    /// Adds rounds that follow from the results of all games so far, as a further file.
    ///
    /// # Panics
    /// As [`Plan::new`].
    pub fn extend(&mut self, rounds: impl IntoIterator<Item = Round>, results: Hex32) {
        rounds.into_iter().for_each(|round| self.add(round));
        self.close(Some(results));
    }

    /// What holds for all games.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The hash of its first file, by which everything refers to it.
    pub fn sha256(&self) -> Hex32 {
        self.parts[0].sha256
    }

    /// How many files it has.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// The results that a file of it follows from, by its number from 0; nothing for the first.
    pub fn follows_from(&self, part: usize) -> Option<Hex32> {
        self.parts[part].follows.map(|follows| follows.results)
    }

    /// How many rounds were planned before a file of it, by its number from 0.
    pub fn rounds_before(&self, part: usize) -> usize {
        self.parts[part].rounds.start
    }

    /// The rounds in order.
    pub fn rounds(&self) -> &[PlannedRound] {
        &self.rounds
    }

    /// The sets in order; the first is set 1.
    pub fn sets(&self) -> &[PlannedSet] {
        &self.sets
    }

    /// The sets of its first file.
    pub fn first_sets(&self) -> &[PlannedSet] {
        let rounds = &self.rounds[self.parts[0].rounds.clone()];
        &self.sets[..rounds.last().map_or(0, |last| last.sets().end)]
    }

    /// How many games a set has.
    pub fn games_each(&self) -> usize {
        self.header.orders.games(self.header.seats) as usize
    }

    /// How many games are planned so far.
    pub fn games(&self) -> u64 {
        self.sets.len() as u64 * self.games_each() as u64
    }

    /// The games of a set, by its place in [`Plan::sets`].
    pub fn games_of(&self, set: usize) -> impl ExactSizeIterator<Item = PlannedGame> + use<> {
        let first = set as u64 * self.games_each() as u64 + 1;
        // What the seats of the set are turned by for its number is in them already.
        let orders = self.header.orders.of_set(&self.sets[set].seats, 0).into_iter();
        let game =
            move |(place, seats)| PlannedGame { number: first + place as u64, set: set as u64 + 1, place, seats };
        orders.enumerate().map(game)
    }

    /// The game with this number, if it is planned.
    pub fn game(&self, number: u64) -> Option<PlannedGame> {
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        let (set, place) = (index / self.games_each(), index % self.games_each());
        (set < self.sets.len()).then(|| self.games_of(set).nth(place)).flatten()
    }

    fn add(&mut self, round: Round) {
        let planned = self.begin_round(round.meetings.len() as u32, round.sets, round.byes);
        for (meeting, Meeting { seats }) in round.meetings.iter().enumerate() {
            self.check_seats(seats).unwrap_or_else(|what| panic!("a pairing that does not fit the plan: {what}"));
            for number in 0..planned.sets_each {
                self.sets.push(self.next_set(&planned, meeting as u32, number, seats));
            }
        }
        self.rounds.push(planned);
    }

    fn begin_round(&self, meetings: u32, sets_each: u32, byes: Vec<Entrant>) -> PlannedRound {
        let last = self.rounds.last();
        PlannedRound {
            meetings_before: last.map_or(0, |last| last.meetings_before + last.meetings),
            meetings,
            sets_each,
            sets_before: self.sets.len(),
            openings_before: last.map_or(0, |last| last.openings_before + u64::from(last.sets_each)),
            byes,
        }
    }

    /// The set that comes next: the `number`th of the `meeting`th of a round, both from 0. The seats are those of the
    /// meeting.
    fn next_set(&self, round: &PlannedRound, meeting: u32, number: u32, seats: &BySeat<Entrant>) -> PlannedSet {
        let openings = self.header.openings.len() as u64;
        let opening = (round.openings_before + u64::from(number)).checked_rem(openings);
        let begins_sitting = number.is_multiple_of(self.header.reuse.max(1));
        PlannedSet {
            round: self.rounds.len() as u32 + 1,
            meeting: round.meetings_before + meeting + 1,
            seats: self.header.orders.of_set(seats, number).swap_remove(0),
            opening: opening.map(|opening| opening as u32),
            sitting: self.sets.last().map_or(0, |last| last.sitting) + u32::from(begins_sitting),
        }
    }

    /// Whether these bots can sit at one table.
    fn check_seats(&self, seats: &BySeat<Entrant>) -> Result<(), String> {
        if seats.len() != self.header.seats {
            return Err(format!("{} seats, and the tournament has {}", seats.len(), self.header.seats));
        }
        for (seat, bot) in seats.seats() {
            if bot.index() >= self.header.bots.len() {
                return Err(format!("there is no bot {}", bot.index()));
            }
            if seats.iter().take(seat.index()).any(|other| other == bot) {
                return Err(format!("bot {} has two seats", bot.index()));
            }
        }
        Ok(())
    }

    /// Makes a file of the rounds that are in none yet.
    fn close(&mut self, results: Option<Hex32>) {
        let before = self.parts.last();
        let follows = results
            .map(|results| Follows { previous: before.expect("results come after a first file").sha256, results });
        let rounds = before.map_or(0, |part| part.rounds.end)..self.rounds.len();
        self.parts.push(Part { rounds, follows, sha256: Hex32([0; 32]) });
        let sha256 = self.write(self.parts.len() - 1, &mut std::io::sink()).expect("nothing takes all bytes");
        self.parts.last_mut().expect("it was just made").sha256 = sha256;
    }
}
