//! The state machine of one game: what each event means, and what follows from it.

mod faults;

use std::io::Write;

use serde_json::value::RawValue;

use super::player::{Charge, Player, Question, Time};
use super::{CannotBegin, Effect, Event, Gone, Setup, Usage, words};
use crate::chance::Streams;
use crate::clock::{Clock, Moment, Span};
use crate::game::{Token, Turn};
use crate::protocol::limits::Limits;
use crate::protocol::lines::{Lines, TooLong};
use crate::protocol::receive::{self, Message, Ready};
use crate::protocol::send;
use crate::record::FORMAT;
use crate::record::entry::{Chance, ChosenBy, End, Entry, Header, Move, MoveHost, Note, PositionHash};
use crate::record::outcome::{GameResult, Outcome, Reason, Standing};
use crate::seat::{BySeat, Seat, SeatSet};
use crate::table::Table;

/// How much a frozen bot may compute between two looks without a word: what ends takes some time for that, and time is
/// counted in steps.
const AWAKE: Span = Span::from_ms(20);

/// The referee of one game.
pub struct Referee {
    setup: Setup,
    table: Box<dyn Table>,
    chance: Streams,
    players: BySeat<Player>,
    standing: Standing,
    phase: Phase,
    /// The number of the last question of this game.
    turn: u64,
    /// How much higher the numbers are that bots are told: as many questions were asked before in the lives of their
    /// processes. The log does not know of it, for it is no part of the game.
    asked_before: u64,
    plies: u64,
    last_move: Option<(Seat, Token)>,
    /// Every step so far as the items of a JSON list, for the `events` of each player.
    events: Vec<u8>,
}

#[derive(Clone, PartialEq, Eq)]
enum Phase {
    /// Waiting for `ready`; these seats failed.
    Starting { failed: SeatSet },
    /// This seat is asked.
    Playing(Seat),
    /// Over.
    Over(Outcome),
}

impl Referee {
    /// Opens the game, and asks every bot whether it is ready. `asked_before` is the highest number of a question that
    /// the processes of the bots were asked in earlier games, 0 if all are new.
    ///
    /// # Errors
    /// An option, or a move of the opening, that cannot be played with.
    pub fn new(setup: Setup, asked_before: u64, out: &mut Vec<Effect>) -> Result<Referee, CannotBegin> {
        let seats = setup.players.len();
        let table = setup.game.open(&setup.options, seats)?;
        let mut referee = Referee {
            chance: Streams::new(setup.game_seed),
            players: setup.players.map(|_| Player::new(&setup.clock, &setup.limits)),
            standing: Standing::new(seats),
            phase: Phase::Starting { failed: SeatSet::EMPTY },
            turn: 0,
            asked_before,
            plies: 0,
            last_move: None,
            events: Vec::new(),
            table,
            setup,
        };
        referee.open(out);
        referee.play_opening(out)?;
        for seat in Seat::first(seats) {
            referee.greet(seat);
            out.push(Effect::Send(seat));
        }
        Ok(referee)
    }

    /// Takes in what happened at this moment; what is to be done is appended. Moments never go back.
    ///
    /// # Panics
    /// Only by a bug, of the rules or of the referee.
    pub fn handle(&mut self, at: Moment, event: Event, out: &mut Vec<Effect>) {
        if let Phase::Over(_) = self.phase {
            return;
        }
        match event {
            Event::Sending { seat } => self.sending(at, seat),
            Event::Bytes { seat, bytes } => self.bytes(at, seat, bytes, out),
            Event::Stderr { seat, bytes } => self.stderr(at, seat, bytes, out),
            Event::Gone { seat, how } => self.gone(at, seat, how, out),
            // What ends the time comes behind it, and must not find it looked at already.
            Event::Load { seat, load } => return self.players[seat].load = Some(load),
            Event::Used { seat, usage } => self.used(at, seat, &usage, out),
            Event::Tick => {}
            Event::Broken => {
                return self.end(at, Outcome::without_ranks(Reason::Infrastructure), out);
            }
            Event::Panicked => return self.end(at, Outcome::without_ranks(Reason::Panic), out),
            Event::Stop => return self.end(at, Outcome::without_ranks(Reason::Interrupted), out),
        }
        self.look_at_the_time(at, out);
    }

    /// The next moment at which [`Event::Tick`] is due, if nothing else happens before.
    pub fn deadline(&self) -> Option<Moment> {
        self.players.iter().filter_map(|player| player.question.as_ref()?.wakes_at()).min()
    }

    /// The message to send to a seat.
    pub fn message(&self, seat: Seat) -> &[u8] {
        &self.players[seat].message
    }

    /// What the bots may send and use.
    pub fn limits(&self) -> &Limits {
        &self.setup.limits
    }

    /// Whether the seat has a question to answer.
    pub fn is_asked(&self, seat: Seat) -> bool {
        self.players[seat].question.is_some()
    }

    /// The board, to look at.
    pub fn table(&self) -> &dyn Table {
        self.table.as_ref()
    }

    /// The highest number of a question that a bot was told so far.
    pub fn asked(&self) -> u64 {
        self.asked_before + self.turn
    }

    /// How many plies were played.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// The last ply: who played what.
    pub fn last_move(&self) -> Option<(Seat, Token)> {
        self.last_move
    }

    /// The number of the last question of this game.
    pub fn turn(&self) -> u64 {
        self.turn
    }

    /// The clock of a seat: what it has left.
    pub fn clock(&self, seat: Seat) -> &Clock {
        &self.players[seat].clock
    }

    /// How the game ended, if it did.
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.phase {
            Phase::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    // Beginning.

    fn open(&mut self, out: &mut Vec<Effect>) {
        let setup = &self.setup;
        let header = Header {
            format: FORMAT,
            game: setup.game,
            rules: setup.game.rules_version(),
            options: raw(self.table.options_json()),
            players: setup.players.clone(),
            game_id: setup.game_id.clone(),
            luck_id: setup.luck_id.clone(),
            clock: setup.clock.clone(),
            limits: setup.limits,
            commitment: setup.game_seed.commitment(&setup.game_id),
            guessable_seed: setup.guessable_seed,
            host: setup.host.clone(),
        };
        out.push(Effect::Log(Entry::Header(Box::new(header))));
    }

    fn play_opening(&mut self, out: &mut Vec<Effect>) -> Result<(), CannotBegin> {
        for (index, token) in std::mem::take(&mut self.setup.opening).into_iter().enumerate() {
            self.play_chance(out);
            let Turn::Seat(seat) = self.table.turn() else { return Err(CannotBegin::OpeningEnds) };
            let played = self.table.play(&token);
            let played = played.map_err(|refusal| CannotBegin::Opening { number: index + 1, token, refusal })?;
            self.log_move(0, seat, played, Some(ChosenBy::Opening), None, out);
        }
        if let Turn::Over(_) = self.table.turn() { Err(CannotBegin::OpeningEnds) } else { Ok(()) }
    }

    fn greet(&mut self, seat: Seat) {
        let setup = &self.setup;
        let hello = send::Hello {
            game: setup.game,
            options: &raw(self.table.options_json()),
            seat,
            players: &setup.players,
            clock: &setup.clock,
            limits: &setup.limits,
            game_id: &setup.game_id,
            bot_seed: setup.bot_seeds[seat],
            commitment: setup.game_seed.commitment(&setup.game_id),
        };
        let player = &mut self.players[seat];
        player.message.clear();
        send::hello(&mut player.message, &hello);
        player.question = Some(Question::new(0));
    }

    fn ready(&mut self, at: Moment, seat: Seat, ready: &Ready, out: &mut Vec<Effect>) {
        let player = &mut self.players[seat];
        player.wants_legal = ready.legal.unwrap_or(true);
        player.answered();
        let name = ready.name.as_ref().map(|name| receive::shown(name.as_bytes()));
        let name = name.map(|name| name.chars().take(crate::protocol::limits::NAME_CHARS).collect());
        out.push(note(Note::Ready { seat, at, name }));
        self.start_if_all_known(at, out);
    }

    /// Start-up faults are simultaneous: they count once every seat is ready or has failed.
    fn start_if_all_known(&mut self, at: Moment, out: &mut Vec<Effect>) {
        let Phase::Starting { failed } = self.phase else { return };
        if self.players.iter().any(|player| player.question.is_some()) {
            return;
        }
        self.standing.leave(failed);
        if let Some(outcome) = self.standing.decided() {
            return self.end(at, outcome, out);
        }
        self.log_failed_starts(out);
        failed.iter().for_each(|seat| self.leave(seat, out));
        self.advance(at, out);
    }

    /// In the order of the seats, not in which they failed: that is chance, and equal games have equal logs.
    fn log_failed_starts(&mut self, out: &mut Vec<Effect>) {
        let faults = self.players.iter_mut().filter_map(|player| player.failed_start.take());
        out.extend(faults.map(|fault| Effect::Log(Entry::Fault(fault))));
    }

    // What bots do.

    fn sending(&mut self, at: Moment, seat: Seat) {
        let (player, control) = (&mut self.players[seat], &self.setup.clock);
        if let Some(question) = &mut player.question {
            let deadline = match question.turn {
                0 => control.startup.map(|startup| at + startup),
                _ => player.clock.deadline(control, at),
            };
            question.send(at, deadline);
        }
    }

    fn bytes(&mut self, at: Moment, seat: Seat, bytes: &[u8], out: &mut Vec<Effect>) {
        let mut lines = std::mem::replace(&mut self.players[seat].lines, Lines::new(0));
        let mut rest = bytes;
        while !self.players[seat].stopped && self.outcome().is_none() {
            let player = &mut self.players[seat];
            // What is beyond the limit on output is not read at all, so that it makes no difference how much of it came
            // together with what is not.
            let room = self.setup.limits.output_bytes as u64 - (player.read - player.answered_at);
            let within = &rest[..rest.len().min(room as usize)];
            let (taken, line) = lines.next(within);
            player.read += taken as u64;
            let complete = line.is_some();
            match line {
                Some(Ok(line)) => self.line(at, seat, line, out),
                Some(Err(TooLong)) => self.misbehave(at, seat, words::too_long(&self.setup.limits), out),
                None if within.len() < rest.len() => {
                    self.misbehave(at, seat, words::output_limit(&self.setup.limits), out);
                }
                None => {}
            }
            rest = &rest[taken..];
            if !complete {
                break;
            }
        }
        self.players[seat].lines = lines;
    }

    fn line(&mut self, at: Moment, seat: Seat, line: &[u8], out: &mut Vec<Effect>) {
        let question = self.players[seat].question.as_ref();
        let asked = question.map(|question| question.turn);
        let answers = |turn: u64| asked.is_some_and(|asked| asked > 0 && turn == self.asked_before + asked);
        match receive::read(line) {
            Ok(Message::Ready(ready)) if asked == Some(0) => {
                if self.in_time(at, seat, out) {
                    self.ready(at, seat, &ready, out);
                }
            }
            Ok(Message::Move(mv)) if answers(mv.turn) => {
                if self.in_time(at, seat, out) {
                    match mv.checked_info(self.setup.limits.info_bytes) {
                        Ok(info) => self.answer(at, seat, &mv.token, info, out),
                        Err(error) => self.unreadable(at, seat, words::unreadable(line, &error), out),
                    }
                }
            }
            Ok(Message::Resign(resign)) if answers(resign.turn) => {
                if self.in_time(at, seat, out) {
                    self.misbehave(at, seat, words::resigned(), out);
                }
            }
            Ok(_) => self.unasked(at, seat, line, out),
            Err(error) => self.unreadable(at, seat, words::unreadable(line, &error), out),
        }
    }

    /// Whether a complete answer that came at `at` counts; if not, what follows from it is done.
    fn in_time(&mut self, at: Moment, seat: Seat, out: &mut Vec<Effect>) -> bool {
        let player = &self.players[seat];
        let question = player.question.as_ref().expect("an answer has a question");
        match question.time(at) {
            Time::Running => return true,
            Time::Grace => self.end(at, Outcome::without_ranks(Reason::RefereeLate), out),
            Time::Fallen => {
                let charge = words::late_answer(player, question, &self.setup.clock, at);
                self.charge(at, seat, charge, out);
            }
        }
        false
    }

    fn answer(&mut self, at: Moment, seat: Seat, token: &str, info: Option<&RawValue>, out: &mut Vec<Effect>) {
        let player = &mut self.players[seat];
        let question = player.question.as_ref().expect("an answer has a question");
        let (turn, sent, used) = (question.turn, question.sent.unwrap_or(at), question.used(at));
        match self.table.play(token) {
            Ok(token) => {
                let overrun = player.clock.charge(&self.setup.clock, used).overrun;
                let (left, periods) = (player.clock.bank(), player.clock.periods());
                let load = player.load.take();
                player.answered();
                let host = MoveHost { sent, got: at, left, periods, overrun, load, info: info.map(ToOwned::to_owned) };
                self.log_move(turn, seat, token, None, Some(host), out);
                self.advance(at, out);
            }
            Err(refusal) => self.charge(at, seat, words::illegal(token, &refusal), out),
        }
    }

    fn unasked(&mut self, at: Moment, seat: Seat, line: &[u8], out: &mut Vec<Effect>) {
        let player = &mut self.players[seat];
        player.unasked += 1;
        if player.unasked > self.setup.limits.unasked_lines {
            return self.misbehave(at, seat, words::unasked(line, &self.setup.limits), out);
        }
        out.push(note(Note::Ignored { seat, at, line: receive::shown(line) }));
    }

    fn unreadable(&mut self, at: Moment, seat: Seat, charge: Charge, out: &mut Vec<Effect>) {
        let player = &mut self.players[seat];
        if player.skipped >= self.setup.limits.lenient {
            return self.misbehave(at, seat, charge, out);
        }
        player.skipped += 1;
        out.push(note(Note::Ignored { seat, at, line: charge.found.unwrap_or_default() }));
    }

    fn stderr(&mut self, at: Moment, seat: Seat, bytes: &[u8], out: &mut Vec<Effect>) {
        let player = &mut self.players[seat];
        if let Some(text) = player.stderr.push(bytes) {
            out.push(note(Note::Stderr { seat, turn: self.turn, at, text }));
        }
        if player.stderr.total() > self.setup.limits.stderr_bytes && !player.stopped {
            self.misbehave(at, seat, words::stderr_limit(&self.setup.limits), out);
        }
    }

    fn used(&mut self, at: Moment, seat: Seat, usage: &Usage, out: &mut Vec<Effect>) {
        if usage.cpu_frozen >= AWAKE && self.players[seat].noted_awake != Some(self.turn) {
            self.players[seat].noted_awake = Some(self.turn);
            out.push(note(Note::Awake { seat, turn: self.turn, at, cpu: usage.cpu_frozen }));
        }
        if let (Some(charge), false) = (words::exceeded(usage, &self.setup.limits), self.players[seat].stopped) {
            self.misbehave(at, seat, charge, out);
        }
    }

    fn gone(&mut self, at: Moment, seat: Seat, how: Gone, out: &mut Vec<Effect>) {
        if !self.players[seat].stopped {
            let charge = words::gone(how, &self.players[seat]);
            self.misbehave(at, seat, charge, out);
        }
    }

    // The course of the game.

    fn play_chance(&mut self, out: &mut Vec<Effect>) {
        while self.table.turn() == Turn::Chance {
            let outcome = self.table.draw(&mut self.chance);
            self.event(|events| write!(events, r#"{{"chance":{outcome}}}"#));
            out.push(Effect::Log(Entry::Chance(Chance {
                outcome: raw(outcome),
                hash: PositionHash(self.table.hash()),
            })));
        }
    }

    fn advance(&mut self, at: Moment, out: &mut Vec<Effect>) {
        self.play_chance(out);
        match self.table.turn() {
            Turn::Chance => unreachable!("chance was played"),
            Turn::Over(ranking) => {
                let reason = self.table.end().expect("a game that is over says why");
                self.end(at, self.standing.finished(ranking, reason), out);
            }
            Turn::Seat(seat) => {
                self.phase = Phase::Playing(seat);
                self.turn += 1;
                match self.players[seat].pending.take() {
                    Some(charge) => self.charge(at, seat, charge, out),
                    None => self.ask(seat, out),
                }
            }
        }
    }

    fn ask(&mut self, seat: Seat, out: &mut Vec<Effect>) {
        let player = &mut self.players[seat];
        let (turn, allowance) = (self.turn, player.clock.allowance(&self.setup.clock));
        let mut message = std::mem::take(&mut player.message);
        message.clear();
        player.question = Some(Question::new(turn));
        let seen = std::mem::replace(&mut player.events_sent, self.events.len());
        let news = self.events[seen..].strip_prefix(b",").unwrap_or(&self.events[seen..]);
        let wants_legal = player.wants_legal;
        send::turn(&mut message, self.asked_before + turn, |parts| {
            parts.value("state", |out| self.table.state_json(out));
            parts.list("events", news);
            if wants_legal {
                parts.value("legal", |out| self.table.legal_json(out));
            }
            parts.clock(allowance, self.players.iter().map(|player| &player.clock));
        });
        self.players[seat].message = message;
        out.push(Effect::Send(seat));
    }

    fn log_move(
        &mut self,
        turn: u64,
        seat: Seat,
        token: Token,
        by: Option<ChosenBy>,
        host: Option<MoveHost>,
        out: &mut Vec<Effect>,
    ) {
        self.plies += 1;
        self.last_move = Some((seat, token));
        self.event(|events| match by {
            None => write!(events, r#"{{"seat":{seat},"move":"{token}"}}"#),
            Some(ChosenBy::Opening) => write!(events, r#"{{"seat":{seat},"move":"{token}","by":"opening"}}"#),
            Some(ChosenBy::Strike) => write!(events, r#"{{"seat":{seat},"move":"{token}","by":"strike"}}"#),
        });
        let hash = PositionHash(self.table.hash());
        out.push(Effect::Log(Entry::Move(Move { ply: self.plies, turn, seat, token, hash, by, host })));
    }

    fn state_json(&self) -> String {
        let mut state = Vec::new();
        self.table.state_json(&mut state);
        String::from_utf8(state).expect("JSON is text")
    }

    fn event(&mut self, item: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) {
        if !self.events.is_empty() {
            self.events.push(b',');
        }
        item(&mut self.events).expect("memory takes all bytes");
    }

    fn end(&mut self, at: Moment, outcome: Outcome, out: &mut Vec<Effect>) {
        self.log_failed_starts(out);
        for seat in Seat::first(self.players.len()) {
            let player = &mut self.players[seat];
            player.question = None;
            if let Some((dropped, text)) = player.stderr.tail() {
                out.push(note(Note::StderrTail { seat, dropped, text }));
            }
            if !player.stopped {
                player.message.clear();
                let over = send::Over {
                    result: outcome.result.as_str(),
                    ranks: outcome.ranks.as_ref(),
                    reason: outcome.reason.as_str(),
                };
                send::over(&mut player.message, &over);
                out.push(Effect::Send(seat));
            }
        }
        // A void or aborted game is played again on the same seed, which therefore stays secret.
        let counts = matches!(outcome.result, GameResult::Decided | GameResult::None);
        let end = End {
            plies: self.plies,
            // After a failure of the rules nothing more is asked of them.
            state: raw(if outcome.reason == Reason::Panic { "null".to_owned() } else { self.state_json() }),
            game_seed: counts.then_some(self.setup.game_seed),
            bot_seeds: counts.then(|| self.setup.bot_seeds.clone()),
            outcome: outcome.clone(),
            at,
        };
        self.phase = Phase::Over(outcome);
        out.push(Effect::Done(Box::new(end)));
    }
}

fn raw(json: String) -> Box<RawValue> {
    RawValue::from_string(json).expect("games write JSON")
}

fn note(note: Note) -> Effect {
    Effect::Log(Entry::Note(Box::new(note)))
}
