//! Checks a log: replays every move, draws every outcome again, recomputes every clock, ranking and hash.

use super::entry::{Chance, ChosenBy, End, Entry, Fault, FaultKind, Header, Leave, Move};
use super::outcome::{GameResult, Outcome, Reason, Standing};
use super::reader::{BadLine, Ending, Line, NotALog, Reader};
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
        match reader.read() {
            Err(BadLine::CutOff) | Ok(None) => {
                return Err(Finding::Truncated { line: reader.number(), ply: replay.plies });
            }
            Err(error) => return Err(replay.differs(&reader, error.to_string())),
            Ok(Some(Line::Entry(entry))) => replay.entry(&entry).map_err(|what| replay.differs(&reader, what))?,
            Ok(Some(Line::End(ending))) => {
                return replay.end(&ending).map_err(|what| replay.differs(&reader, what));
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
            // A game that still runs, or whose log was cut off, is shown as far as it is.
            Err(BadLine::CutOff) | Ok(None) => break,
            Err(error) => return Err(replay.differs(&reader, error.to_string())),
            Ok(Some(Line::End(ending))) => {
                replay.ended(&ending.end).map_err(|what| replay.differs(&reader, what))?;
                end = Some(ending.end);
                break;
            }
            Ok(Some(Line::Entry(entry))) => {
                replay.entry(&entry).map_err(|what| replay.differs(&reader, what))?;
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
    /// Whether a question was asked.
    asked: bool,
    /// Seats that were charged with a fault and whose leaving is still to come.
    leaving: SeatSet,
    /// The seat whose fault was tolerated just now: the next move is drawn for it.
    struck: Option<Struck>,
    plies: u64,
    last_turn: u64,
    last_moment: Moment,
    chance: Option<Streams>,
}

/// A fault that was tolerated.
#[derive(Clone, Copy)]
struct Struck {
    seat: Seat,
    sent: Moment,
    at: Moment,
}

type Checked = Result<(), String>;

impl<'a> Replay<'a> {
    fn new(header: &'a Header, end: Option<&End>) -> Result<Replay<'a>, String> {
        let seats = header.players.len();
        let table = header.game.open(header.options.get(), seats).map_err(|error| error.to_string())?;
        same("the options in force", table.options_json().as_str(), header.options.get())?;
        Ok(Replay {
            table,
            standing: Standing::new(seats),
            clocks: header.players.map(|_| Clock::new(&header.clock)),
            strikes: header.players.map(|_| 0),
            started: false,
            asked: false,
            leaving: SeatSet::EMPTY,
            struck: None,
            plies: 0,
            last_turn: 0,
            last_moment: Moment(0),
            chance: end.and_then(|end| end.game_seed).map(Streams::new),
            header,
        })
    }

    /// What differs in the line that was read last.
    fn differs(&self, reader: &Reader, what: String) -> Finding {
        Finding::Differs { line: reader.number(), ply: self.plies, what }
    }

    fn entry(&mut self, entry: &Entry) -> Checked {
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
        let struck = self.struck.take();
        same("whether the referee chose the move", struck.is_some(), mv.by == Some(ChosenBy::Strike))?;
        if struck.is_some() {
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
            return self.opening(mv);
        }
        if struck.is_none() {
            self.question(mv.turn)?;
        }
        self.clock(mv, struck)
    }

    fn opening(&self, mv: &Move) -> Checked {
        same("the number of the turn of an opening move", 0, mv.turn)?;
        match self.table.turn() {
            _ if self.started || !self.leaving.is_empty() => Err("an opening move after the start".to_owned()),
            Turn::Over(_) => Err("the opening plays the game to its end".to_owned()),
            _ => Ok(()),
        }
    }

    fn drawn_for_strike(&mut self, mv: &Move) -> Checked {
        let Some(chance) = &mut self.chance else { return Ok(()) };
        let legal = self.table.legal();
        let drawn = chance.of(Purpose::Strike(mv.seat)).below(legal.len() as u32);
        same("the move that the referee drew", legal[drawn as usize], mv.token)
    }

    /// The times of a move, recomputed from when it was asked for and when it came; for one that was drawn after a
    /// strike, those are the times of the strike.
    fn clock(&mut self, mv: &Move, struck: Option<Struck>) -> Checked {
        let host = mv.host.as_ref().ok_or("the move has no times")?;
        let (control, clock) = (&self.header.clock, &mut self.clocks[mv.seat]);
        if let Some(struck) = struck {
            same("the time of the question of a drawn move", struck.sent.0, host.sent.0)?;
            same("the time of a drawn move", struck.at.0, host.got.0)?;
        } else if host.sent < self.last_moment {
            return Err("times run backwards".to_owned());
        }
        if host.got < host.sent {
            return Err("times run backwards".to_owned());
        }
        self.last_moment = host.got;
        let used = host.got.since(host.sent);
        let overrun = if struck.is_some() {
            clock.charge_strike(control, used);
            Span::ZERO
        } else {
            if clock.deadline(control, host.sent).is_some_and(|deadline| host.got > deadline) {
                return Err(format!(
                    "the move took {} ms, which is more than the clock allowed, and no fault is logged",
                    used.ms()
                ));
            }
            clock.charge(control, used).overrun
        };
        same("the overrun in ns", overrun.0, host.overrun.0)?;
        same_left("the time left in ns", clock.bank().map(|left| left.0), host.left.map(|left| left.0))?;
        same_left("the byo-yomi periods left", clock.periods().map(u64::from), host.periods.map(u64::from))
    }

    fn chance(&mut self, chance: &Chance) -> Checked {
        let logged = chance.outcome.get();
        if self.table.turn() != Turn::Chance {
            return Err("a chance step where none is due".to_owned());
        }
        match &mut self.chance {
            // What the seed draws is possible, so comparing it is all there is to check.
            Some(streams) => same("what the revealed seed draws", self.table.draw(streams).as_str(), logged)?,
            None => self
                .table
                .play_chance(logged)
                .map_err(|refusal| format!("the outcome {logged} is not possible: {refusal}"))?,
        }
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
            return Err("a fault of the start in the middle of the game".to_owned());
        }
        let fits = match fault.kind {
            FaultKind::NotStarted | FaultKind::Startup => fault.turn == 0,
            FaultKind::Timeout | FaultKind::Illegal | FaultKind::Resigned => fault.turn > 0,
            _ => true,
        };
        if !fits {
            return Err(format!(
                "a fault of the kind {} cannot be charged at turn {}",
                fault.kind.as_str(),
                fault.turn
            ));
        }
        self.happened(fault)?;
        if fault.kind == FaultKind::Illegal {
            self.was_illegal(fault)?;
        }
        if fault.tolerated {
            return self.strike(fault);
        }
        if fault.turn == 0 {
            self.leaving = self.leaving.with(seat);
        } else {
            self.standing.leave(SeatSet::only(seat));
            self.leaving = SeatSet::only(seat);
        }
        Ok(())
    }

    /// The times of a fault; one for lateness stands after the deadline that the clock gives.
    fn happened(&mut self, fault: &Fault) -> Checked {
        let control = &self.header.clock;
        let host = fault.host.as_ref().ok_or("the fault has no times")?;
        // Faults of the start stand in the order of the seats, whenever they happened.
        let asked_after = if fault.turn > 0 { self.last_moment } else { Moment(0) };
        let sent = host.sent.unwrap_or(asked_after);
        if sent < asked_after || host.at < sent {
            return Err("times run backwards".to_owned());
        }
        self.last_moment = self.last_moment.max(host.at);
        let deadline = match (fault.kind, fault.turn, host.sent) {
            (FaultKind::Timeout, 1.., Some(sent)) => self.clocks[fault.seat].deadline(control, sent),
            (FaultKind::Startup, 0, Some(sent)) => control.startup.map(|startup| sent + startup),
            (FaultKind::Timeout | FaultKind::Startup, ..) => None,
            _ => return Ok(()),
        };
        if deadline.is_some_and(|deadline| host.at > deadline) {
            return Ok(());
        }
        Err(format!("a {} at a moment at which the time was not over", fault.kind.as_str()))
    }

    fn was_illegal(&self, fault: &Fault) -> Checked {
        let found = fault.found.as_deref().ok_or("the refused move is missing")?;
        if self.table.check(found).is_ok() {
            return Err(format!("the move {found} was refused, and is legal"));
        }
        if !fault.tolerated && self.strikes[fault.seat] < self.header.limits.strikes {
            return Err(format!("seat {} had strikes left, and its fault is not tolerated", fault.seat));
        }
        Ok(())
    }

    /// A fault that is tolerated: the next move is drawn.
    fn strike(&mut self, fault: &Fault) -> Checked {
        if !matches!(fault.kind, FaultKind::Timeout | FaultKind::Illegal) || fault.turn == 0 {
            return Err(format!("a fault of the kind {} is never tolerated", fault.kind.as_str()));
        }
        self.strikes[fault.seat] += 1;
        if self.strikes[fault.seat] > self.header.limits.strikes {
            return Err(format!("more faults of seat {} are tolerated than the header allows", fault.seat));
        }
        let host = fault.host.as_ref().ok_or("the fault has no times")?;
        self.struck = Some(Struck { seat: fault.seat, sent: host.sent.unwrap_or(host.at), at: host.at });
        Ok(())
    }

    fn leave(&mut self, leave: &Leave) -> Checked {
        self.settle_start();
        if self.standing.decided().is_some() || matches!(self.table.turn(), Turn::Over(_)) {
            return Err(format!("seat {} leaves after the end of the game", leave.seat));
        }
        if !self.leaving.contains(leave.seat) {
            return Err(format!("seat {} leaves without a fault", leave.seat));
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
        if let Some(Struck { seat, .. }) = self.struck {
            return Err(format!("a move drawn for seat {seat} is due"));
        }
        if turn == 0 || self.last_turn != 0 && Some(turn) != self.last_turn.checked_add(1) {
            return Err(format!("turn {turn} after turn {}", self.last_turn));
        }
        (self.last_turn, self.asked) = (turn, true);
        Ok(())
    }

    /// Whether the game ended where it does, and as it does.
    fn ended(&mut self, end: &End) -> Checked {
        self.settle_start();
        if let Some(Struck { seat, .. }) = self.struck.filter(|_| end.outcome.reason != Reason::Panic) {
            return Err(format!("a move drawn for seat {seat} is due"));
        }
        same("the number of plies", self.plies, end.plies)?;
        if end.outcome.reason != Reason::Panic {
            let mut state = Vec::new();
            self.table.state_json(&mut state);
            same("the state at the end", String::from_utf8_lossy(&state).as_ref(), end.state.get())?;
        }
        self.outcome(&end.outcome)
    }

    fn end(&mut self, ending: &Ending) -> Result<Verified, String> {
        let end = &ending.end;
        self.ended(end)?;
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
        if matches!(logged.result, GameResult::Void | GameResult::Aborted) {
            return self.without_result(logged);
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

    /// A game that counts for nobody; only a failure of the rules can come between the last step and the result.
    fn without_result(&self, logged: &Outcome) -> Checked {
        let fits = logged.reason.result() == logged.result;
        if !fits || logged.ranks.is_some() {
            return Err(format!("no game is {} with this reason or with ranks", logged.result.as_str()));
        }
        let over = matches!(self.table.turn(), Turn::Over(_)) || self.asked && self.standing.decided().is_some();
        if over && logged.reason != Reason::Panic {
            return Err(format!("the game had a result, and the log says {}", logged.result.as_str()));
        }
        Ok(())
    }

    fn seeds(&self, end: &End) -> Checked {
        let bot_seeds = end.bot_seeds.as_ref().map_or(0, BySeat::len);
        let again = matches!(end.outcome.result, GameResult::Void | GameResult::Aborted);
        let revealed = if end.game_seed.is_some() { self.header.players.len() } else { 0 };
        same("the number of revealed bot seeds", revealed, bot_seeds)?;
        match end.game_seed {
            Some(_) if again => Err("the game may be played again and reveals its seed".to_owned()),
            Some(seed) => same("the commitment", seed.commitment(&self.header.game_id), self.header.commitment),
            None if !again => Err("the game is not to be played again and does not reveal its seed".to_owned()),
            None => Ok(()),
        }
    }
}

fn same<T: PartialEq + std::fmt::Display>(what: &str, expected: T, found: T) -> Checked {
    if expected == found { Ok(()) } else { Err(format!("{what} should be {expected}, and the log says {found}")) }
}

fn same_left(what: &str, expected: Option<u64>, found: Option<u64>) -> Checked {
    let shown = |left: Option<u64>| left.map_or_else(|| "none".to_owned(), |left| left.to_string());
    if expected == found { Ok(()) } else { same(what, shown(expected), shown(found)) }
}

fn same_hash(expected: u64, found: u64) -> Checked {
    if expected == found {
        Ok(())
    } else {
        Err(format!("the position should have the hash {expected:016x}, and the log says {found:016x}"))
    }
}
