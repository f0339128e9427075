//! Alto Ahí, of the Quoridor family: pawns race to the far side, and barriers make the way longer.
//!
//! [`Position`] is the core that a search needs, small and `Copy`; [`AltoAhi`] adds what only a whole game has: the
//! options, the plies played, how often positions occurred, and the end.

mod board;
mod cards;
mod deck;
mod effects;
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
use crate::game::{BadSetup, BoardStyle, EndReason, Game, Ranking, Step, Turn};
use crate::seat::Seat;

pub use cards::Drawn;
pub use deck::{CardCount, Effect, MAX_CARDS, default_deck};
pub use grid::{Barrier, BarrierSet, Barriers, Grid, Heading, Lie, MAX_SIZE, Square, SquareSet, Squares};
pub use illegal::Illegal;
pub use notation::{Move, NotAMove};
pub use options::{Beside, MAX_MAX_PLIES, MAX_WALLS, Options};
pub use state::{Jumps, Position};
pub use view::View;

use cards::{Cards, Hand, TurnGoes};
use history::History;

/// One play of the game.
#[derive(Clone, Debug)]
pub struct AltoAhi {
    position: Position,
    /// What the card game adds; nothing in a game without cards.
    cards: Option<Cards>,
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

    /// The card that the seat to move is carrying out, if it has taken and drawn one.
    pub fn card_in_hand(&self) -> Option<Effect> {
        match self.cards.as_ref()?.hand {
            Hand::Held(held) => Some(held.effect),
            Hand::Empty | Hand::FaceDown => None,
        }
    }

    /// The cards left in the deck, face down: the next one is any of them, each equally likely. None without cards.
    pub fn cards_left(&self) -> impl Iterator<Item = CardCount> {
        self.cards.as_ref().map(|cards| cards.deck.counts()).into_iter().flatten()
    }

    /// How many turns a seat is still going to lose.
    pub fn halts(&self, seat: Seat) -> u32 {
        self.cards.as_ref().map_or(0, |cards| cards.halts[seat.index()])
    }

    fn play(&mut self, mv: Move) {
        assert!(self.end.is_none(), "nobody moves in a game that is over");
        let turn = match &mut self.cards {
            Some(cards) => cards.play(&mut self.position, mv),
            None => {
                self.position.play(mv);
                if matches!(mv, Move::Barrier(_)) {
                    // Without cards barriers stay, so no earlier position can come back.
                    self.history.clear();
                }
                TurnGoes::Over
            }
        };
        self.ply += 1;
        if self.position.winner().is_some() {
            self.end = Some(EndReason::Goal);
            return;
        }
        self.begin_turn(turn);
        if self.end.is_none() && self.ply >= self.max_plies {
            self.end = Some(EndReason::MaxPlies);
        }
    }

    fn turn_over(&mut self, drawn: Drawn) {
        assert!(self.end.is_none(), "no card is drawn in a game that is over");
        let cards = self.cards.as_mut().expect("cards are drawn in the card game");
        let turn = cards.turn_over(&mut self.position, drawn);
        self.begin_turn(turn);
    }

    fn leave(&mut self, seat: Seat) {
        assert!(self.end.is_none(), "nobody leaves a game that is over");
        let turn = match &mut self.cards {
            Some(cards) => cards.leave(&mut self.position, seat),
            None => {
                let its_turn = self.position.to_move() == seat;
                self.position.leave(seat);
                if its_turn { TurnGoes::Over } else { TurnGoes::On }
            }
        };
        self.begin_turn(turn);
    }

    /// When a turn is over and the next begins: counts the position, and ends the game if it was there too often.
    fn begin_turn(&mut self, last: TurnGoes) {
        if last == TurnGoes::On || self.options.repetition == 0 {
            return;
        }
        let mut canonical = Vec::new();
        self.encode(&mut canonical);
        if self.history.count(canonical) >= self.options.repetition {
            self.end = Some(EndReason::Repetition);
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
    type Chance = Drawn;
    type View<'a> = View;
    type Illegal = Illegal;

    fn new(options: &Options, seats: usize) -> Result<AltoAhi, BadSetup> {
        let (options, position, cards) = options.open(seats)?;
        let mut game = AltoAhi {
            position,
            cards,
            ply: 0,
            max_plies: options.max_plies.expect("the options are filled in"),
            end: None,
            history: History::default(),
            options: Arc::new(options),
        };
        game.begin_turn(TurnGoes::Over);
        Ok(game)
    }

    fn options(&self) -> Options {
        (*self.options).clone()
    }

    fn seats(&self) -> usize {
        self.position.grid().seats
    }

    fn most_plies(&self) -> u64 {
        self.max_plies.into()
    }

    fn turn(&self) -> Turn {
        let seats = self.position.seats_in();
        match (self.end, self.position.winner()) {
            (None, _) if self.cards.as_ref().is_some_and(|cards| cards.hand == Hand::FaceDown) => Turn::Chance,
            (None, _) => Turn::Seat(self.position.to_move()),
            (Some(_), Some(winner)) => Turn::Over(Ranking::won_by(winner, seats)),
            (Some(_), None) => Turn::Over(Ranking::draw(seats)),
        }
    }

    fn end(&self) -> Option<EndReason> {
        self.end
    }

    fn legal_moves(&self, out: &mut Vec<Move>) {
        match &self.cards {
            _ if self.end.is_some() => {}
            Some(cards) => cards.legal_moves(&self.position, out),
            None => self.position.legal_moves(out),
        }
    }

    fn count_legal(&self) -> u64 {
        match &self.cards {
            _ if self.end.is_some() => 0,
            Some(cards) => cards.count_legal(&self.position),
            None => self.position.count_legal(),
        }
    }

    fn check(&self, mv: Move) -> Result<(), Illegal> {
        match &self.cards {
            _ if self.end.is_some() => Err(Illegal::Over),
            Some(cards) => cards.check(&self.position, mv),
            None => self.position.check(mv),
        }
    }

    fn draw(&self, chance: &mut Streams) -> Drawn {
        assert!(self.end.is_none(), "no card is drawn in a game that is over");
        self.cards.as_ref().expect("cards are drawn in the card game").draw(chance)
    }

    fn check_chance(&self, outcome: &Drawn) -> Result<(), Illegal> {
        match &self.cards {
            _ if self.end.is_some() => Err(Illegal::Over),
            Some(cards) => cards.check_drawn(*outcome),
            None => Err(Illegal::NoCards),
        }
    }

    fn apply(&mut self, step: Step<Move, Drawn>) {
        match step {
            Step::Move(mv) => self.play(mv),
            Step::Chance(drawn) => self.turn_over(drawn),
            Step::Leave(seat) => self.leave(seat),
        }
    }

    fn view(&self) -> View {
        View::of(self)
    }

    fn encode(&self, out: &mut Vec<u8>) {
        self.position.encode(out);
        if let Some(cards) = &self.cards {
            cards.encode(&self.position, out);
        }
    }

    fn board(&self, out: &mut dyn fmt::Write, style: BoardStyle) -> fmt::Result {
        board::draw(self, out, style)
    }
}
