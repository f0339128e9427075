//! Watching a game: the board on a terminal, plain lines elsewhere; and its result in words.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use super::show::style;
use crate::clock::Clock;
use crate::game::BoardStyle;
use crate::record::outcome::{GameResult, Outcome};
use crate::referee::Referee;
use crate::seat::{BySeat, Seat};

/// How often the board is drawn again at most.
const FRAME: Duration = Duration::from_millis(80);

/// Shows a running game on stderr.
pub struct Watch<'a> {
    players: &'a BySeat<String>,
    how: How,
    plies: u64,
    drawn: Option<Instant>,
    lines: usize,
}

#[derive(Clone, Copy)]
enum How {
    Nothing,
    Lines,
    Board(BoardStyle),
}

impl<'a> Watch<'a> {
    /// Watches one game. `lines` asks for a line a ply where stderr is no terminal.
    pub fn new(players: &'a BySeat<String>, quiet: bool, lines: bool, ascii: bool) -> Watch<'a> {
        let how = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => How::Nothing,
            (false, true) => How::Board(style(ascii, true)),
            (false, false) if lines => How::Lines,
            (false, false) => How::Nothing,
        };
        Watch { players, how, plies: 0, drawn: None, lines: 0 }
    }

    /// The game begins, or begins again: nothing of it was shown yet.
    pub fn begin(&mut self) {
        (self.plies, self.drawn, self.lines) = (0, None, 0);
    }

    /// Takes a look after something happened.
    pub fn look(&mut self, referee: &Referee) {
        match self.how {
            How::Nothing => {}
            How::Lines => self.line(referee),
            How::Board(style) => self.board(referee, style),
        }
    }

    fn line(&mut self, referee: &Referee) {
        if referee.plies() == self.plies {
            return;
        }
        self.plies = referee.plies();
        if let Some((seat, token)) = referee.last_move() {
            // Whoever closed stderr does not want to know.
            let _ = writeln!(std::io::stderr(), "ply {} seat {seat} {token}", self.plies);
        }
    }

    fn board(&mut self, referee: &Referee, style: BoardStyle) {
        let over = referee.outcome().is_some();
        let news = referee.plies() != self.plies || self.drawn.is_none() || over;
        if !news || !over && self.drawn.is_some_and(|drawn| drawn.elapsed() < FRAME) {
            return;
        }
        self.plies = referee.plies();
        self.drawn = Some(Instant::now());
        let mut text = String::new();
        for (seat, name) in self.players.seats() {
            let left = left_words(referee.clock(seat));
            let asked = if referee.is_asked(seat) { '>' } else { ' ' };
            let _ = writeln!(text, "{asked} {seat} {name}  {left}");
        }
        let _ = match referee.last_move() {
            Some((seat, token)) => writeln!(text, "  ply {}: seat {seat} {token}", self.plies),
            None => writeln!(text, "  starting"),
        };
        text.push_str(&referee.table().board(style));
        let mut frame = String::new();
        if self.lines > 0 {
            let _ = write!(frame, "\x1b[{}A", self.lines);
        }
        text.lines().for_each(|line| {
            let _ = writeln!(frame, "{line}\x1b[K");
        });
        self.lines = text.lines().count();
        let _ = std::io::stderr().write_all(frame.as_bytes());
    }
}

/// What a clock shows: `58.3 s`, and the byo-yomi periods behind it: `0.0 s + 3 periods`.
fn left_words(clock: &Clock) -> String {
    let mut words = match clock.bank() {
        Some(left) => format!("{:.1} s", left.0 as f64 / 1e9),
        None => "no limit".to_owned(),
    };
    if let Some(periods) = clock.periods() {
        let _ = write!(words, " + {periods} {}", if periods == 1 { "period" } else { "periods" });
    }
    words
}

/// The result of a game in one line.
pub fn result_words(outcome: &Outcome, players: &BySeat<String>) -> String {
    let why = outcome.reason.words();
    let called = |seat: Seat| format!("{} (seat {seat})", players[seat]);
    match (outcome.result, &outcome.ranks) {
        (GameResult::Decided, Some(ranks)) => {
            let first = match outcome.winner() {
                Some(winner) => format!("{} wins", called(winner)),
                None => "draw".to_owned(),
            };
            let order: Vec<String> = ranks.seats().map(|(seat, rank)| format!("{} {rank}", called(seat))).collect();
            if players.len() > 2 {
                format!("{first}: {why}; ranks: {}", order.join(", "))
            } else {
                format!("{first}: {why}")
            }
        }
        (GameResult::Void, _) => format!("void, to be played again: {why}"),
        (GameResult::Aborted, _) => format!("aborted: {why}"),
        (GameResult::None | GameResult::Decided, _) => format!("no result: {why}"),
    }
}
