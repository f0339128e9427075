//! Crecer: two seats race a piece of height 1 across a board of six by six, growing and fighting on the way.
//!
//! `RULES.md` has the rules in words. [`Core`] is the position alone, for search; [`Crecer`] adds what a whole game
//! needs: how many plies were played, how often the position occurred, and how it ended.

mod board;
mod heights;
mod history;
mod illegal;
mod notation;
mod options;
mod square;
mod state;
#[cfg(test)]
mod tests;
mod view;

use std::fmt;

pub use illegal::Illegal;
pub use notation::{Move, NoSuchMove};
pub use options::{HAND, MOST_PLIES, Options};
pub use square::{InOrder, NoSuchSquare, SIZE, Square, Squares};
pub use state::{Core, Ending, MOST_MOVES, Mutual, Rules};
pub use view::{Stacks, View};

use crate::chance::Streams;
use crate::game::{BadSetup, BoardStyle, EndReason, Game, Never, Ranking, Step, Turn};
use crate::seat::{Seat, SeatSet};
use history::History;

/// One game of Crecer.
#[derive(Clone, Debug)]
pub struct Crecer {
    core: Core,
    ply: u32,
    max_plies: u32,
    history: History,
    end: Option<Ending>,
}

impl Crecer {
    /// The position alone, for search.
    pub const fn core(&self) -> &Core {
        &self.core
    }

    /// How many plies were played.
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// The positions, in their [canonical](Core::canonical) form, at whose next occurrence the game is a draw.
    pub fn spent(&self) -> Vec<Core> {
        self.history.spent()
    }

    /// How the game ended, if it did.
    pub const fn ending(&self) -> Option<Ending> {
        self.end
    }

    fn to_move(&self) -> Option<Seat> {
        if self.end.is_none() { Some(self.core.to_move()) } else { None }
    }

    fn make(&mut self, mv: Move) {
        if let Err(illegal) = self.check(mv) {
            panic!("the move {mv} was not checked: {illegal}");
        }
        let end = self.core.play(mv);
        self.ply += 1;
        let repeated = self.history.add(mv, &self.core);
        let capped = self.ply >= self.max_plies;
        let draw = |due: bool, reason| due.then_some(Ending { winner: None, reason });
        self.end = end.or(draw(repeated, EndReason::Repetition)).or(draw(capped, EndReason::MaxPlies));
    }
}

impl Game for Crecer {
    const NAME: &'static str = "crecer";
    const RULES: &'static str = include_str!("RULES.md");
    const VERSION: u32 = 1;
    const SEATS: &'static [usize] = &[2];

    type Options = Options;
    type Move = Move;
    type Chance = Never;
    type View<'a> = View;
    type Illegal = Illegal;

    fn new(options: &Options, seats: usize) -> Result<Crecer, BadSetup> {
        if seats != 2 {
            return Err(BadSetup::new("seats", format!("crecer is played by 2, not by {seats}")));
        }
        let core = Core::start(options.rules()?);
        let history = History::new(options.repetition, &core);
        Ok(Crecer { core, ply: 0, max_plies: options.max_plies, history, end: None })
    }

    fn options(&self) -> Options {
        let Rules { max_height, attack_up, mutual, backward } = self.core.rules();
        let (max_plies, repetition) = (self.max_plies, self.history.limit());
        Options { max_height, attack_up, mutual, backward, max_plies, repetition }
    }

    fn seats(&self) -> usize {
        2
    }

    fn most_plies(&self) -> u64 {
        self.max_plies.into()
    }

    fn turn(&self) -> Turn {
        let seats = SeatSet::first(2);
        match self.end {
            None => Turn::Seat(self.core.to_move()),
            Some(Ending { winner: Some(winner), .. }) => Turn::Over(Ranking::won_by(winner, seats)),
            Some(Ending { winner: None, .. }) => Turn::Over(Ranking::draw(seats)),
        }
    }

    fn end(&self) -> Option<EndReason> {
        self.end.map(|ending| ending.reason)
    }

    fn legal_moves(&self, out: &mut Vec<Move>) {
        if self.end.is_none() {
            self.core.for_each_legal(|mv| out.push(mv));
        }
    }

    fn count_legal(&self) -> u64 {
        if self.end.is_none() { self.core.count_legal().into() } else { 0 }
    }

    fn check(&self, mv: Move) -> Result<(), Illegal> {
        if self.end.is_some() { Err(Illegal::GameOver) } else { self.core.check(mv) }
    }

    fn draw(&self, _: &mut Streams) -> Never {
        panic!("nothing is left to chance in crecer")
    }

    fn check_chance(&self, outcome: &Never) -> Result<(), Illegal> {
        match *outcome {}
    }

    fn apply(&mut self, step: Step<Move, Never>) {
        match step {
            Step::Move(mv) => self.make(mv),
            Step::Chance(never) => match never {},
            Step::Leave(seat) => panic!("seat {seat} cannot leave a game of two: the other one has won"),
        }
    }

    fn view(&self) -> View {
        View::of(self)
    }

    fn encode(&self, out: &mut Vec<u8>) {
        self.core.encode(out);
    }

    fn board(&self, out: &mut dyn fmt::Write, style: BoardStyle) -> fmt::Result {
        board::draw(&self.core, self.to_move(), out, style)
    }
}
