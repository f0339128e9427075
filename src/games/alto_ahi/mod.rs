//! Alto Ahí, of the Quoridor family: pawns race to the far side, and barriers make the way longer.
//!
//! [`Position`] is the core that a search needs, small and `Copy`; [`AltoAhi`] adds what only a whole game has: the
//! options, the plies played, how often positions occurred, and the end.

mod board;
mod grid;
mod history;
mod illegal;
mod names;
mod notation;
mod options;
mod state;
#[cfg(test)]
mod tests;
mod view;
mod ways;

use std::fmt;
use std::sync::Arc;

use crate::chance::Streams;
use crate::game::{BadSetup, BoardStyle, EndReason, Game, Never, Ranking, Step, Turn};
use crate::seat::Seat;

pub use grid::{Barrier, BarrierSet, Barriers, Grid, Heading, Lie, MAX_SIZE, Square, SquareSet, Squares};
pub use illegal::Illegal;
pub use notation::{Move, NotAMove};
pub use options::{Beside, MAX_MAX_PLIES, MAX_WALLS, Options};
pub use state::{Jumps, Position};
pub use view::View;

use history::History;

/// One play of the game.
#[derive(Clone, Debug)]
pub struct AltoAhi {
    position: Position,
    ply: u32,
    max_plies: u32,
    end: Option<EndReason>,
    history: History,
    options: Arc<Options>,
}

impl AltoAhi {
    /// The position: all that a search needs.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The number of plies played.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// Counts the position in which a turn begins, and ends the game if it was there too often.
    fn begin_turn(&mut self) {
        if self.options.repetition == 0 || self.end.is_some() {
            return;
        }
        let mut canonical = Vec::new();
        self.encode(&mut canonical);
        if self.history.count(canonical) >= self.options.repetition {
            self.end = Some(EndReason::Repetition);
        }
    }

    fn play(&mut self, mv: Move) {
        assert!(self.end.is_none(), "nobody moves in a game that is over");
        self.position.play(mv);
        self.ply += 1;
        if self.position.winner().is_some() {
            self.end = Some(EndReason::Goal);
            return;
        }
        if matches!(mv, Move::Barrier(_)) {
            // Barriers stay, so no earlier position can come back.
            self.history.clear();
        }
        self.begin_turn();
        if self.end.is_none() && self.ply >= self.max_plies {
            self.end = Some(EndReason::MaxPlies);
        }
    }
}

impl Game for AltoAhi {
    const NAME: &'static str = "alto-ahi";
    const RULES: &'static str = include_str!("RULES.md");
    const VERSION: u32 = 1;
    const SEATS: &'static [usize] = &[2, 4];

    type Options = Options;
    type Move = Move;
    type Chance = Never;
    type View<'a> = View;
    type Illegal = Illegal;

    fn new(options: &Options, seats: usize) -> Result<AltoAhi, BadSetup> {
        let (options, position) = options.open(seats)?;
        let mut game = AltoAhi {
            position,
            ply: 0,
            max_plies: options.max_plies.expect("the options are filled in"),
            end: None,
            history: History::default(),
            options: Arc::new(options),
        };
        game.begin_turn();
        Ok(game)
    }

    fn options(&self) -> Options {
        (*self.options).clone()
    }

    fn seats(&self) -> usize {
        self.position.grid().seats
    }

    fn turn(&self) -> Turn {
        let seats = self.position.seats_in();
        match (self.end, self.position.winner()) {
            (None, _) => Turn::Seat(self.position.to_move()),
            (Some(_), Some(winner)) => Turn::Over(Ranking::won_by(winner, seats)),
            (Some(_), None) => Turn::Over(Ranking::draw(seats)),
        }
    }

    fn end(&self) -> Option<EndReason> {
        self.end
    }

    fn legal_moves(&self, out: &mut Vec<Move>) {
        if self.end.is_none() {
            self.position.legal_moves(out);
        }
    }

    fn count_legal(&self) -> u64 {
        if self.end.is_none() { self.position.count_legal() } else { 0 }
    }

    fn check(&self, mv: Move) -> Result<(), Illegal> {
        if self.end.is_none() { self.position.check(mv) } else { Err(Illegal::Over) }
    }

    fn draw(&self, _: &mut Streams) -> Never {
        panic!("no chance step is ever due without cards")
    }

    fn check_chance(&self, outcome: &Never) -> Result<(), Illegal> {
        match *outcome {}
    }

    fn apply(&mut self, step: Step<Move, Never>) {
        match step {
            Step::Move(mv) => self.play(mv),
            Step::Chance(outcome) => match outcome {},
            Step::Leave(seat) => self.leave(seat),
        }
    }

    fn view(&self) -> View {
        View::of(self)
    }

    fn encode(&self, out: &mut Vec<u8>) {
        self.position.encode(out);
    }

    fn board(&self, out: &mut dyn fmt::Write, style: BoardStyle) -> fmt::Result {
        board::draw(self, out, style)
    }
}

impl AltoAhi {
    fn leave(&mut self, seat: Seat) {
        assert!(self.end.is_none(), "nobody leaves a game that is over");
        let its_turn = self.position.to_move() == seat;
        self.position.leave(seat);
        if its_turn {
            self.begin_turn();
        }
    }
}
