//! Watching a game: the board on a terminal, plain lines elsewhere; and its result in words.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use unicode_width::UnicodeWidthChar;

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
    /// How many lines of the frame before stand above the cursor, and the window that it was made for.
    lines: usize,
    window: Window,
}

/// The size of a terminal in characters.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Window {
    rows: usize,
    columns: usize,
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
        Watch { players, how, plies: 0, drawn: None, lines: 0, window: Window::of_stderr() }
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
        let window = Window::of_stderr();
        let mut frame = String::new();
        // A window of another width broke the lines elsewhere, so nobody knows where the frame before begins.
        if self.lines > 0 && window == self.window {
            // Line by line: a terminal that is cleared from its top keeps what was there among what went by.
            let up = format!("\x1b[{}A", self.lines);
            let _ = write!(frame, "{up}{}{up}", "\x1b[K\n".repeat(self.lines));
        }
        self.window = window;
        let (heads, board) = (self.heads(referee), referee.table().board(style));
        let board: Vec<&str> = board.lines().collect();
        let lines = if over { whole(&heads, &board) } else { fitting(&heads, &board, window) };
        lines.iter().for_each(|line| {
            let _ = writeln!(frame, "{line}");
        });
        self.lines = lines.len();
        let _ = std::io::stderr().write_all(frame.as_bytes());
    }

    /// Who plays and how much time is left, a line a seat, and the last move.
    fn heads(&self, referee: &Referee) -> Vec<String> {
        let seats = self.players.seats().map(|(seat, name)| {
            let left = left_words(referee.clock(seat));
            let asked = if referee.is_asked(seat) { '>' } else { ' ' };
            format!("{asked} {seat} {name}  {left}")
        });
        let last = match referee.last_move() {
            Some((seat, token)) => format!("  ply {}: seat {seat} {token}", self.plies),
            None => "  starting".to_owned(),
        };
        seats.chain([last]).collect()
    }
}

impl Window {
    /// The window of stderr; the usual one where the terminal does not know its own.
    fn of_stderr() -> Window {
        match rustix::termios::tcgetwinsize(std::io::stderr()) {
            Ok(size) if size.ws_row > 0 && size.ws_col > 0 => {
                Window { rows: size.ws_row.into(), columns: size.ws_col.into() }
            }
            _ => Window { rows: 24, columns: 80 },
        }
    }
}

/// All lines of a frame.
fn whole(heads: &[String], board: &[&str]) -> Vec<String> {
    heads.iter().map(String::as_str).chain(board.iter().copied()).map(str::to_owned).collect()
}

/// The lines of a frame that stay on the screen together, with the cursor below them: all of them, or the board below
/// one line with all the rest, or no board.
fn fitting(heads: &[String], board: &[&str], window: Window) -> Vec<String> {
    let room = window.rows.saturating_sub(1);
    let lines = if heads.len() + board.len() <= room {
        whole(heads, board)
    } else if board.len() < room {
        whole(&[heads.concat()], board)
    } else {
        heads.to_vec()
    };
    lines.iter().take(room).map(|line| cut(line, window.columns)).collect()
}

/// A line cut at the width of the window; escape sequences take no room, and those behind the cut are kept, for one of
/// them may be what ends a colour.
fn cut(line: &str, columns: usize) -> String {
    let (mut kept, mut width, mut escape) = (String::new(), 0, false);
    for character in line.chars() {
        escape |= character == '\x1b';
        if escape {
            escape = !character.is_ascii_alphabetic();
            kept.push(character);
            continue;
        }
        width += character.width().unwrap_or(0);
        if width <= columns {
            kept.push(character);
        }
    }
    kept
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

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(board: usize, rows: usize) -> Vec<String> {
        let heads = ["> 0 ann  1.0 s", "  1 bob  2.0 s", "  ply 3: seat 1 e4"].map(str::to_owned);
        let board: Vec<String> = (0..board).map(|row| format!("row {row}")).collect();
        fitting(&heads, &board.iter().map(String::as_str).collect::<Vec<_>>(), Window { rows, columns: 80 })
    }

    #[test]
    fn a_frame_leaves_the_window_a_line_for_the_cursor() {
        assert_eq!(frame(21, 25).len(), 24);
        for rows in 0..30 {
            assert!(frame(21, rows).len() <= rows.saturating_sub(1), "{rows} rows");
        }
    }

    #[test]
    fn what_does_not_fit_is_put_into_one_line_or_left_out() {
        let folded = frame(21, 24);
        assert_eq!(folded.len(), 22);
        assert_eq!(folded[0], "> 0 ann  1.0 s  1 bob  2.0 s  ply 3: seat 1 e4");
        assert_eq!(folded[21], "row 20");
        assert_eq!(frame(24, 24), frame(0, 24), "no half of a board");
    }

    #[test]
    fn a_line_is_cut_where_the_window_ends_and_its_colours_end_with_it() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdef", 4), "abcd");
        assert_eq!(cut("a\x1b[1;31mbcdef\x1b[0m", 3), "a\x1b[1;31mbc\x1b[0m");
        assert_eq!(cut("│日本", 4), "│日", "a wide character is not halved");
    }
}
