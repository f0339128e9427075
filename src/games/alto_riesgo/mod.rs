//! Alto Riesgo, a race up a mountain by dice: see `RULES.md` beside this file.
//!
//! [`Core`] is the position and holds the rule; [`AltoRiesgo`] makes it a [`Game`]. There is no repetition in this
//! game, so nothing stands beside the core.

mod board;
mod dice;
mod notation;
mod options;
mod state;
mod view;

#[cfg(test)]
mod tests;

use std::fmt;

pub use self::dice::{BadRoll, Face, MAX_DICE, Roll, Throw};
pub use self::notation::{BadMove, Move};
pub use self::options::{MAX_CLIMBERS, MAX_TRACK, MOST_TURNS, Options, Rules, TieNext};
pub use self::state::{Core, Illegal, Knock, Landing, Phase};
pub use self::view::{BadState, PhaseName, State};

use crate::chance::{Purpose, Streams};
use crate::game::{BadSetup, BoardStyle, EndReason, Game, Step, Turn};
use crate::seat::Seat;

/// One play of Alto Riesgo.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AltoRiesgo {
    core: Core,
}

impl AltoRiesgo {
    /// The position.
    pub const fn core(&self) -> &Core {
        &self.core
    }
}

impl From<Core> for AltoRiesgo {
    /// A game that goes on from this position.
    fn from(core: Core) -> AltoRiesgo {
        AltoRiesgo { core }
    }
}

impl Game for AltoRiesgo {
    const NAME: &'static str = "alto-riesgo";
    const RULES: &'static str = include_str!("RULES.md");
    const VERSION: u32 = 1;
    const SEATS: &'static [usize] = &[2, 3, 4];

    type Options = Options;
    type Move = Move;
    type Chance = Roll;
    type View<'a> = State;
    type Illegal = Illegal;

    fn new(options: &Options, seats: usize) -> Result<AltoRiesgo, BadSetup> {
        Rules::new(options, seats).map(|rules| AltoRiesgo { core: Core::new(rules, seats) })
    }

    fn options(&self) -> Options {
        self.core.rules().options()
    }

    fn seats(&self) -> usize {
        self.core.seats()
    }

    fn most_plies(&self) -> u64 {
        // A turn asks once after each throw that set a die aside.
        let rules = self.core.rules();
        u64::from(rules.max_turns()) * u64::from(rules.dice())
    }

    fn turn(&self) -> Turn {
        match self.core.phase() {
            Phase::Dice => Turn::Chance,
            Phase::Choice => Turn::Seat(self.core.to_move()),
            Phase::Over(_) => Turn::Over(self.core.ranking()),
        }
    }

    fn end(&self) -> Option<EndReason> {
        match self.core.phase() {
            Phase::Over(reason) => Some(reason),
            Phase::Dice | Phase::Choice => None,
        }
    }

    fn legal_moves(&self, out: &mut Vec<Move>) {
        self.core.each_legal(|mv| out.push(mv));
    }

    fn count_legal(&self) -> u64 {
        self.core.count_legal().into()
    }

    fn check(&self, mv: Move) -> Result<(), Illegal> {
        self.core.check(mv)
    }

    fn draw(&self, chance: &mut Streams) -> Roll {
        assert!(self.core.phase() == Phase::Dice, "no dice are to be thrown");
        Roll::draw(self.core.danger(), chance.of(Purpose::Dice(self.core.to_move())))
    }

    fn check_chance(&self, outcome: &Roll) -> Result<(), Illegal> {
        match (self.core.phase(), self.core.danger(), outcome.dice()) {
            (Phase::Choice | Phase::Over(_), _, _) => Err(Illegal::NoThrowDue),
            (Phase::Dice, due, found) if due != found => Err(Illegal::DiceCount { due, found }),
            (Phase::Dice, _, _) => Ok(()),
        }
    }

    fn apply(&mut self, step: Step<Move, Roll>) {
        match step {
            Step::Move(mv) => self.core.play(mv),
            Step::Chance(roll) => {
                if let Err(illegal) = self.check_chance(&roll) {
                    panic!("{roll} is not possible: {illegal}");
                }
                self.core.throw(roll.throw());
            }
            Step::Leave(seat) => self.core.leave(seat),
        }
    }

    fn view(&self) -> State {
        State::of(&self.core)
    }

    fn encode(&self, out: &mut Vec<u8>) {
        let core = &self.core;
        let phase = match core.phase() {
            Phase::Dice => 0,
            Phase::Choice => 1,
            Phase::Over(EndReason::Goal) => 2,
            Phase::Over(_) => 3,
        };
        out.extend([core.seats_in().bits(), core.to_move().index() as u8, phase, core.danger(), core.ascents()]);
        out.extend(core.turns().to_le_bytes());
        Seat::first(core.seats()).for_each(|seat| out.extend_from_slice(core.climbers(seat)));
    }

    fn board(&self, out: &mut dyn fmt::Write, style: BoardStyle) -> fmt::Result {
        board::draw(&self.core, out, style)
    }
}
