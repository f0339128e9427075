//! Passage: pawns hop home over discs of their own colour, on a board that the seats lay out together.
//!
//! [`Passage`] is a whole play of it: set-up, one or two legs, repetition and limits. What a pawn may do stands in
//! [`Position`], which searches use alone; the rules in words are in `RULES.md`.

mod board;
mod ending;
mod history;
mod illegal;
mod notation;
mod options;
mod squares;
mod state;
#[cfg(test)]
mod tests;
mod view;

use std::fmt;

use arrayvec::ArrayVec;

pub use illegal::{Closed, Illegal, WhyClosed};
pub use notation::{BadDiscs, BadMove, Chance, Discs, Move};
pub use options::{Adjudicate, MOST_PLIES, Options, Placement, Stuck, Terms};
pub use squares::{Colour, HOLES, Iter, SQUARES, Square, Squares};
pub use state::{MOST_MOVES, Moves, PAWNS, Position, Reach};
pub use view::{LegResult, Phase, View};

use crate::chance::{Purpose, Streams};
use crate::game::{BadSetup, BoardStyle, EndReason, Game, Ranking, Step, Turn};
use crate::seat::{Seat, SeatSet};
use history::History;

/// Discs that each side places.
const PLACED_EACH: usize = 3;

/// One play of Passage.
#[derive(Clone, Debug)]
pub struct Passage {
    terms: Terms,
    phase: Phase,
    position: Position,
    /// The colour whose disc left the game.
    starter: Option<Colour>,
    /// The plies of this leg.
    plies: u32,
    history: History,
    results: ArrayVec<LegResult, 2>,
}

impl Passage {
    /// Discs and pawns as they lie now. Before the pawns move, holes are still empty.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The options that it is played with.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The plies of this leg so far, the set-up not counted.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// The [`Position::key`]s of the positions that began the turns of this leg, in their order; none where the options
    /// do without repetition.
    pub fn occurred(&self) -> &[u64] {
        self.history.keys()
    }

    /// The legs that are over.
    pub fn results(&self) -> &[LegResult] {
        &self.results
    }

    /// The leg that is played, or was played last: 1 or 2.
    pub fn leg(&self) -> u8 {
        (self.results.len() as u8 + 1).min(self.terms.legs)
    }

    fn seat_to_move(&self) -> Option<Seat> {
        matches!(self.phase, Phase::Placing | Phase::Moving).then(|| self.position.to_move().seat())
    }

    fn in_hand(&self, colour: Colour) -> u8 {
        (PLACED_EACH - (self.position.discs(colour) & Squares::OUTER).len()) as u8
    }

    fn check_place(&self, hole: Square) -> Result<(), Illegal> {
        if !Squares::OUTER.contains(hole) {
            Err(Illegal::NotOuter(hole))
        } else if !self.position.free_outer().contains(hole) {
            Err(Illegal::HoleTaken(hole))
        } else {
            Ok(())
        }
    }

    fn fill_centre(&mut self, bag: Discs<12>) {
        let [centre @ .., last] = bag.0;
        Squares::CENTRAL.iter().zip(centre).for_each(|(hole, disc)| self.position.set_disc(hole, disc));
        self.starter = Some(last);
        self.position.set_to_move(last);
        self.phase = match self.terms.placement {
            Placement::Seats => Phase::Placing,
            Placement::Chance => Phase::Outer,
        };
    }

    fn fill_outer(&mut self, discs: Discs<6>) {
        Squares::OUTER.iter().zip(discs.0).for_each(|(hole, disc)| self.position.set_disc(hole, disc));
        self.begin_leg();
    }

    fn place(&mut self, hole: Square) {
        self.position = self.position.after(Move::Place(hole));
        if self.position.free_outer().is_empty() {
            self.begin_leg();
        }
    }

    fn move_pawn(&mut self, mv: Move) {
        let before = self.position;
        self.position = before.after(mv);
        self.plies += 1;
        self.history.add(self.position.key());
        if let Some(result) = self.terms.ending(&before, &self.position, self.plies, self.history.occurrences()) {
            self.end_leg(result);
        }
    }

    fn begin_leg(&mut self) {
        self.phase = Phase::Moving;
        self.plies = 0;
        self.history.clear();
        self.history.add(self.position.key());
        if let Some(result) = self.terms.stuck_ending(&self.position) {
            self.end_leg(result);
        }
    }

    fn end_leg(&mut self, result: LegResult) {
        self.results.push(result);
        if self.results.len() < usize::from(self.terms.legs) {
            let starter = self.starter.expect("a leg is played after the starter is known");
            self.position = self.position.turned(starter);
            self.begin_leg();
        } else {
            self.phase = Phase::Over;
        }
    }

    fn ranking(&self) -> Ranking {
        let legs_won = |seat| self.results.iter().filter(|result| result.winner == Some(seat)).count();
        Ranking::by_score(SeatSet::first(2), legs_won)
    }
}

/// As many red discs as black ones, in the order in which a shuffle takes them up.
fn half_red<const N: usize>() -> Discs<N> {
    Discs(std::array::from_fn(|index| if index < N / 2 { Colour::Red } else { Colour::Black }))
}

fn check_halves<const N: usize>(discs: &Discs<N>) -> Result<(), Illegal> {
    let found = discs.count(Colour::Red);
    if found == N / 2 { Ok(()) } else { Err(Illegal::DiscCount { colour: Colour::Red, found, expected: N / 2 }) }
}

impl Game for Passage {
    const NAME: &'static str = "passage";
    const RULES: &'static str = include_str!("RULES.md");
    const VERSION: u32 = 1;
    const SEATS: &'static [usize] = &[2];

    type Options = Options;
    type Move = Move;
    type Chance = Chance;
    type View<'a> = View;
    type Illegal = Illegal;

    fn new(options: &Options, seats: usize) -> Result<Passage, BadSetup> {
        if seats != 2 {
            return Err(BadSetup::new("seats", format!("{seats} cannot play: the game is for 2")));
        }
        let terms = Terms::of(options)?;
        let mut game = Passage {
            terms,
            phase: Phase::Bag,
            position: Position::bare(terms.bridge_on_neutral),
            starter: None,
            plies: 0,
            history: History::new(terms.repetition > 0),
            results: ArrayVec::new(),
        };
        if let Some((layout, starter)) = terms.given {
            game.starter = Some(starter);
            game.position = Position::start(layout, starter, terms.bridge_on_neutral);
            game.begin_leg();
        }
        Ok(game)
    }

    fn options(&self) -> Options {
        self.terms.options()
    }

    fn seats(&self) -> usize {
        2
    }

    fn most_plies(&self) -> u64 {
        // Placing the discs of the outer holes counts to no leg.
        2 * PLACED_EACH as u64 + u64::from(self.terms.max_plies) * u64::from(self.terms.legs)
    }

    fn turn(&self) -> Turn {
        match self.phase {
            Phase::Bag | Phase::Outer => Turn::Chance,
            Phase::Placing | Phase::Moving => Turn::Seat(self.position.to_move().seat()),
            Phase::Over => Turn::Over(self.ranking()),
        }
    }

    fn end(&self) -> Option<EndReason> {
        match (self.phase, &self.results[..]) {
            (Phase::Over, [only]) => Some(only.reason),
            (Phase::Over, _) => Some(EndReason::Legs),
            _ => None,
        }
    }

    fn legal_moves(&self, out: &mut Vec<Move>) {
        match self.phase {
            Phase::Placing => out.extend(self.position.free_outer().iter().map(Move::Place)),
            Phase::Moving => self.position.add_legal_moves(out),
            Phase::Bag | Phase::Outer | Phase::Over => {}
        }
    }

    fn count_legal(&self) -> u64 {
        match self.phase {
            Phase::Placing => self.position.free_outer().len() as u64,
            Phase::Moving => self.position.count_legal() as u64,
            Phase::Bag | Phase::Outer | Phase::Over => 0,
        }
    }

    fn check(&self, mv: Move) -> Result<(), Illegal> {
        match (self.phase, mv) {
            (Phase::Bag | Phase::Outer, _) => Err(Illegal::ChanceFirst),
            (Phase::Placing, Move::Place(hole)) => self.check_place(hole),
            (Phase::Placing, _) => Err(Illegal::PlaceFirst),
            (Phase::Moving, _) => self.position.check(mv),
            (Phase::Over, _) => Err(Illegal::GameOver),
        }
    }

    fn draw(&self, chance: &mut Streams) -> Chance {
        let draws = chance.of(Purpose::SetUp);
        match self.phase {
            Phase::Bag => {
                let mut bag = half_red();
                draws.shuffle(&mut bag.0);
                Chance::Bag(bag)
            }
            Phase::Outer => {
                let mut discs = half_red();
                draws.shuffle(&mut discs.0);
                Chance::Outer(discs)
            }
            Phase::Placing | Phase::Moving | Phase::Over => panic!("no chance step is due"),
        }
    }

    fn check_chance(&self, outcome: &Chance) -> Result<(), Illegal> {
        const BAG: &str = "bag";
        const OUTER: &str = "outer holes";
        match (self.phase, outcome) {
            (Phase::Bag, Chance::Bag(discs)) => check_halves(discs),
            (Phase::Outer, Chance::Outer(discs)) => check_halves(discs),
            (Phase::Bag, Chance::Outer(_)) => Err(Illegal::OtherChance { due: BAG, found: OUTER }),
            (Phase::Outer, Chance::Bag(_)) => Err(Illegal::OtherChance { due: OUTER, found: BAG }),
            (Phase::Placing | Phase::Moving | Phase::Over, _) => Err(Illegal::NoChance),
        }
    }

    fn apply(&mut self, step: Step<Move, Chance>) {
        match step {
            Step::Move(mv) => {
                self.check(mv).unwrap_or_else(|illegal| panic!("{mv} was not checked: {illegal}"));
                match mv {
                    Move::Place(hole) => self.place(hole),
                    Move::Step { .. } | Move::Pass => self.move_pawn(mv),
                }
            }
            Step::Chance(outcome) => {
                self.check_chance(&outcome).unwrap_or_else(|illegal| panic!("{outcome:?} was not checked: {illegal}"));
                match outcome {
                    Chance::Bag(bag) => self.fill_centre(bag),
                    Chance::Outer(discs) => self.fill_outer(discs),
                }
            }
            Step::Leave(seat) => panic!("{seat:?} cannot leave a game of two seats: the other one wins"),
        }
    }

    fn view(&self) -> View {
        View::of(self)
    }

    fn encode(&self, out: &mut Vec<u8>) {
        let winner = |leg: usize| match self.results.get(leg) {
            None => 0,
            Some(LegResult { winner: None, .. }) => 1,
            Some(LegResult { winner: Some(seat), .. }) => 2 + seat.index() as u8,
        };
        out.extend([self.phase as u8, winner(0), winner(1)]);
        out.extend(self.position.key().to_le_bytes());
        // The disc that is missing tells who starts, so the starter is not written.
        Colour::BOTH.iter().for_each(|&colour| out.extend(self.position.discs(colour).bits().to_le_bytes()));
    }

    fn board(&self, out: &mut dyn fmt::Write, style: BoardStyle) -> fmt::Result {
        board::draw(self, out, style)
    }
}
