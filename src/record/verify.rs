//! Checks a log: replays every move, draws every outcome again, recomputes every clock, ranking and hash.

use super::entry::{Chance, ChosenBy, End, Entry, Fault, FaultKind, Header, Leave, Move};
use super::outcome::{GameResult, Outcome, Standing};
use super::reader::{Ending, Line, NotALog, Reader};
use crate::chance::{Hex32, Purpose, Streams};
use crate::clock::{Clock, Moment, Span};
use crate::game::Turn;
use crate::seat::{BySeat, Seat, SeatSet};
use crate::table::Table;

/// A log in which everything holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// How the game ended.
    pub outcome: Outcome,
    /// How many plies it has.
    pub plies: u64,
    /// Whether its chance was drawn again from the revealed seed; a void or aborted game does not reveal it.
    pub seed_checked: bool,
    /// The hash of the game without what was measured or local.
    pub game_sha256: Hex32,
}

/// A log in which something does not hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Finding {
    /// No log at all, or none that this program can read.
    #[error(transparent)]
    NotALog(#[from] NotALog),
    /// It ends before its end line; what is there holds.
    #[error(
        "line {line}: the log ends after ply {ply} without its end line: it was cut off, or the referee did not finish"
    )]
    Truncated {
        /// The last line.
        line: usize,
        /// The last ply.
        ply: u64,
    },
    /// Something differs.
    #[error("line {line}, ply {ply}: {what}")]
    Differs {
        /// The line, from 1.
        line: usize,
        /// The ply that it belongs to, or the last one before it.
        ply: u64,
        /// What differs, and from what.
        what: String,
    },
}

/// Checks one log.
///
/// # Errors
/// The first thing that does not hold.
pub fn verify(bytes: &[u8]) -> Result<Verified, Finding> {
    let (mut reader, header) = Reader::new(bytes)?;
    let mut replay =
        Replay::new(&header, reader.peek_end()).map_err(|what| Finding::Differs { line: 1, ply: 0, what })?;
    loop {
        let line = reader.read();
        let at = |what: String, ply: u64| Finding::Differs { line: reader.number(), ply, what };
        match line {
            Err(super::reader::BadLine::CutOff) => {
                return Err(Finding::Truncated { line: reader.number(), ply: replay.plies });
            }
            Err(error) => return Err(at(error.to_string(), replay.plies)),
            Ok(None) => return Err(Finding::Truncated { line: reader.number(), ply: replay.plies }),
            Ok(Some(Line::Entry(entry))) => replay.entry(&entry).map_err(|what| at(what, replay.plies))?,
            Ok(Some(Line::End(ending))) => {
                let ply = replay.plies;
                return replay.end(&ending).map_err(|what| at(what, ply));
            }
        }
    }
}

/// Plays a log again up to a ply: the position there.
///
/// # Errors
/// The first thing before that ply that does not hold.
pub fn replay_to(bytes: &[u8], ply: Option<u64>) -> Result<Position, Finding> {
    let (mut reader, header) = Reader::new(bytes)?;
    let mut replay = Replay::new(&header, None).map_err(|what| Finding::Differs { line: 1, ply: 0, what })?;
    let mut last_move = None;
    let mut end = None;
    while ply.is_none_or(|ply| replay.plies < ply || ply > 0 && replay.table.turn() == Turn::Chance) {
        match reader.read() {
            Ok(Some(Line::Entry(Entry::Header(_)))) | Err(_) | Ok(None) => break,
            Ok(Some(Line::End(ending))) => {
                end = Some(ending.end);
                break;
            }
            Ok(Some(Line::Entry(entry))) => {
                replay.entry(&entry).map_err(|what| Finding::Differs {
                    line: reader.number(),
                    ply: replay.plies,
                    what,
                })?;
                if let Entry::Move(mv) = entry {
                    last_move = Some(mv);
                }
            }
        }
    }
    Ok(Position { ply: replay.plies, table: replay.table, header, last_move, end })
}

/// A position of a log.
pub struct Position {
    /// How many plies were played.
    pub ply: u64,
    /// The board.
    pub table: Box<dyn Table>,
    /// What was played.
    pub header: Header,
    /// The last move.
    pub last_move: Option<Move>,
    /// How the game ended, if the log was read to its end.
    pub end: Option<End>,
}

/// The state of a game while its log is read.
struct Replay<'a> {
    header: &'a Header,
    table: Box<dyn Table>,
    standing: Standing,
    clocks: BySeat<Clock>,
    strikes: BySeat<u32>,
    /// Whether the first question was asked, or the start failed for all but one.
    started: bool,
    /// Seats that were charged with a fault and whose leaving is still to come.
    leaving: SeatSet,
    /// The seat whose fault was tolerated just now: the next move is drawn for it.
    struck: Option<Seat>,
    plies: u64,
    last_turn: u64,
    last_moment: Moment,
    chance: Option<Streams>,
}

type Checked = Result<(), String>;

impl<'a> Replay<'a> {
    fn new(header: &'a Header, end: Option<End>) -> Result<Replay<'a>, String> {
        let seats = header.players.len();
        let table = header.game.open(header.options.get(), seats).map_err(|error| error.to_string())?;
        same("the options in force", table.options_json().as_str(), header.options.get())?;
        Ok(Replay {
            table,
            standing: Standing::new(seats),
            clocks: header.players.map(|_| Clock::new(&header.clock)),
            strikes: header.players.map(|_| 0),
            started: false,
            leaving: SeatSet::EMPTY,
            struck: None,
            plies: 0,
            last_turn: 0,
            last_moment: Moment(0),
            chance: end.and_then(|end| end.game_seed).map(Streams::new),
            header,
        })
    }

    fn entry(&mut self, entry: &Entry) -> Checked {
        if let (Some(seat), Entry::Chance(_) | Entry::Leave(_) | Entry::Fault(_)) = (self.struck, entry) {
            return Err(format!("the move that is drawn for seat {seat} is missing"));
        }
        match entry {
            Entry::Header(_) => Err("a second header".to_owned()),
            Entry::Note(_) => Ok(()),
            Entry::Move(mv) => self.step(mv),
            Entry::Chance(chance) => self.chance(chance),
            Entry::Leave(leave) => self.leave(leave),
            Entry::Fault(fault) => self.fault(fault),
        }
    }

    fn step(&mut self, mv: &Move) -> Checked {
        self.plies += 1;
        same("the number of the ply", self.plies, mv.ply)?;
        self.is_to_move(mv.seat)?;
        let struck = self.struck.take().is_some();
        same("whether the referee chose the move", struck, mv.by == Some(ChosenBy::Strike))?;
        if struck {
            same("the number of the turn", self.last_turn, mv.turn)?;
            self.drawn_for_strike(mv)?;
        }
        let token = self
            .table
            .play(&mv.token)
            .map_err(|refusal| format!("the move {} cannot be played: {refusal}", mv.token))?;
        same("the move", token, mv.token)?;
        same_hash(self.table.hash(), mv.hash.0)?;
        if mv.by == Some(ChosenBy::Opening) {
            same("the turn of an opening move", 0, mv.turn)?;
            return if self.started { Err("an opening move in the middle of the game".to_owned()) } else { Ok(()) };
        }
        if !struck {
            self.question(mv.turn)?;
        }
        self.clock(mv)
    }

    fn drawn_for_strike(&mut self, mv: &Move) -> Checked {
        let Some(chance) = &mut self.chance else { return Ok(()) };
        let legal = self.table.legal();
        let drawn = chance.of(Purpose::Strike(mv.seat)).below(legal.len() as u32);
        same("the move that the referee drew", legal[drawn as usize], mv.token)
    }

    /// The times of a move, recomputed from when it was asked for and when it came.
    fn clock(&mut self, mv: &Move) -> Checked {
        let host = mv.host.as_ref().ok_or("the move has no times")?;
        let (control, clock) = (&self.header.clock, &mut self.clocks[mv.seat]);
        if host.sent < self.last_moment || host.got < host.sent {
            return Err("times run backwards".to_owned());
        }
        self.last_moment = host.got;
        let used = host.got.since(host.sent);
        if mv.by == Some(ChosenBy::Strike) {
            clock.charge_strike(control, used);
        } else {
            if clock.deadline(control, host.sent).is_some_and(|deadline| host.got > deadline) {
                return Err(format!(
                    "the move took {} ms, which is more than the clock allowed, and no fault is logged",
                    used.ms()
                ));
            }
            let overrun = clock.charge(control, used).overrun;
            same("the overrun in ns", overrun.0, host.overrun.0)?;
        }
        let nanos = |left: Option<Span>| left.map_or_else(|| "none".to_owned(), |left| left.0.to_string());
        same("the time left in ns", nanos(clock.bank()), nanos(host.left))
    }

    fn chance(&mut self, chance: &Chance) -> Checked {
        let logged = chance.outcome.get();
        if self.table.turn() != Turn::Chance {
            return Err("a chance step where none is due".to_owned());
        }
        if let Some(streams) = &mut self.chance {
            let drawn = self.table.copy().draw(streams);
            same("what the revealed seed draws", drawn.as_str(), logged)?;
        }
        self.table.play_chance(logged).map_err(|refusal| format!("the outcome {logged} is not possible: {refusal}"))?;
        same_hash(self.table.hash(), chance.hash.0)
    }

    fn fault(&mut self, fault: &Fault) -> Checked {
        let seat = fault.seat;
        if !self.standing.inside().contains(seat) || self.leaving.contains(seat) {
            return Err(format!("a fault of seat {seat}, which is not in the game"));
        }
        if fault.turn > 0 {
            self.is_to_move(seat)?;
            self.question(fault.turn)?;
        } else if self.started {
            return Err("a fault at the start in the middle of the game".to_owned());
        }
        if fault.kind == FaultKind::Illegal {
            let found = fault.found.as_deref().ok_or("an illegal move without the move")?;
            if self.table.check(found).is_ok() {
                return Err(format!("the move {found} was refused, and is legal"));
            }
        }
        self.was_late(fault)?;
        if fault.tolerated {
            if fault.turn == 0 || !matches!(fault.kind, FaultKind::Timeout | FaultKind::Illegal) {
                return Err(format!("a fault is tolerated that never is: {}", fault.kind.as_str()));
            }
            self.strikes[seat] += 1;
            if self.strikes[seat] > self.header.limits.strikes {
                return Err(format!("more faults of seat {seat} are tolerated than the header allows"));
            }
            self.struck = Some(seat);
            return Ok(());
        }
        if fault.turn == 0 {
            self.leaving = self.leaving.with(seat);
        } else {
            self.standing.leave(SeatSet::only(seat));
            self.leaving = SeatSet::only(seat);
        }
        Ok(())
    }

    /// A fault for lateness stands after the deadline that the clock gives.
    fn was_late(&self, fault: &Fault) -> Checked {
        let control = &self.header.clock;
        if !matches!(fault.kind, FaultKind::Timeout | FaultKind::Startup) {
            return Ok(());
        }
        let times = fault.host.as_ref().and_then(|host| Some((host.at, host.sent?)));
        let (at, sent) = times.ok_or("a fault for lateness without its times")?;
        let deadline = match fault.kind {
            FaultKind::Startup => control.startup.map(|startup| sent + startup),
            _ => self.clocks[fault.seat].deadline(control, sent),
        };
        if deadline.is_some_and(|deadline| at > deadline) {
            return Ok(());
        }
        Err(format!("a {} at a moment at which the time was not over", fault.kind.as_str()))
    }

    fn leave(&mut self, leave: &Leave) -> Checked {
        self.settle_start();
        if !self.leaving.contains(leave.seat) {
            return Err(format!("seat {} leaves without a fault", leave.seat));
        }
        if self.standing.decided().is_some() || matches!(self.table.turn(), Turn::Over(_)) {
            return Err(format!("seat {} leaves a game that is over", leave.seat));
        }
        self.leaving = self.leaving.without(leave.seat);
        self.table.leave(leave.seat);
        same_hash(self.table.hash(), leave.hash.0)
    }

    /// Seats that failed to start leave together, once all of them are known.
    fn settle_start(&mut self) {
        if !std::mem::replace(&mut self.started, true) {
            self.standing.leave(self.leaving);
        }
    }

    fn is_to_move(&self, seat: Seat) -> Checked {
        match self.table.turn() {
            Turn::Seat(due) => same("the seat to move", due, seat),
            Turn::Chance => Err("a move where a chance step is due".to_owned()),
            Turn::Over(_) => Err("a move after the game was over".to_owned()),
        }
    }

    /// Questions are numbered one after the other, from any number on where a process played before.
    fn question(&mut self, turn: u64) -> Checked {
        self.settle_start();
        if let Some(seat) = self.leaving.iter().next() {
            return Err(format!("seat {seat} was charged with a fault and is still asked for"));
        }
        if turn == 0 || self.last_turn != 0 && Some(turn) != self.last_turn.checked_add(1) {
            return Err(format!("turn {turn} after turn {}", self.last_turn));
        }
        self.last_turn = turn;
        Ok(())
    }

    fn end(mut self, ending: &Ending) -> Result<Verified, String> {
        let end = &ending.end;
        self.settle_start();
        // Rules that failed may have failed in that very move.
        if let Some(seat) = self.struck.filter(|_| end.outcome.result != GameResult::Void) {
            return Err(format!("the move that is drawn for seat {seat} is missing"));
        }
        same("the number of plies", self.plies, end.plies)?;
        self.outcome(&end.outcome)?;
        self.seeds(end)?;
        same("game_sha256", ending.game_sha256.1, ending.game_sha256.0)?;
        same("sha256", ending.sha256.1, ending.sha256.0)?;
        if ending.rest > 0 {
            return Err(format!("{} bytes follow the end line", ending.rest));
        }
        Ok(Verified {
            outcome: end.outcome.clone(),
            plies: self.plies,
            seed_checked: end.game_seed.is_some(),
            game_sha256: ending.game_sha256.0,
        })
    }

    fn outcome(&self, logged: &Outcome) -> Checked {
        same("the result of a game that ended so", logged.reason.result().as_str(), logged.result.as_str())?;
        if matches!(logged.result, GameResult::Void | GameResult::Aborted) {
            return if logged.ranks.is_none() { Ok(()) } else { Err("a game without a result has ranks".to_owned()) };
        }
        let expected = match (self.standing.decided(), self.table.turn()) {
            (Some(outcome), _) => outcome,
            (None, Turn::Over(ranking)) => {
                self.standing.finished(ranking, self.table.end().ok_or("a game that is over does not say why")?)
            }
            (None, _) => return Err("the end line stands before the end of the game".to_owned()),
        };
        let text = |outcome: &Outcome| serde_json::to_string(outcome).unwrap_or_default();
        same("the outcome", text(&expected), text(logged))
    }

    fn seeds(&self, end: &End) -> Checked {
        match end.game_seed {
            Some(seed) => same("the commitment", seed.commitment(&self.header.game_id), self.header.commitment),
            None if matches!(end.outcome.result, GameResult::Decided | GameResult::None) => {
                Err("the game is not to be played again and does not reveal its seed".to_owned())
            }
            None => Ok(()),
        }
    }
}

fn same<T: PartialEq + std::fmt::Display>(what: &str, expected: T, found: T) -> Checked {
    if expected == found { Ok(()) } else { Err(format!("{what} should be {expected}, and the log says {found}")) }
}

fn same_hash(expected: u64, found: u64) -> Checked {
    if expected == found {
        Ok(())
    } else {
        Err(format!("the position should have the hash {expected:016x}, and the log says {found:016x}"))
    }
}
