//! The public state as bots see it, and the way back from it to a position that can be played on.
//!
//! Nothing of this game is hidden but throws to come, so the state holds all of a [`Core`] except its rules.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::options::{MAX_CLIMBERS, Rules};
use super::state::{Core, Phase};
use crate::seat::{BySeat, Seat};

/// The public state: what stands under `state` on the wire.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct State {
    /// The seat whose turn it is; nobody when the game is over.
    pub turn: Option<Seat>,
    /// Where the turn stands.
    pub phase: PhaseName,
    /// The turns that have ended, of all seats together.
    pub turns_played: u32,
    /// The zones of each seat's climbers, the highest first; an empty list for a seat that is out.
    pub climbers: BySeat<ArrayVec<u8, MAX_CLIMBERS>>,
    /// The dice that are not set aside: to be thrown, or showing danger.
    pub danger: u8,
    /// The ascents set aside in this turn.
    pub ascents: u8,
    /// The weather dice set aside in this turn.
    pub weather: u8,
}

/// Where a turn stands, in a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PhaseName {
    /// Dice are to be thrown.
    Dice,
    /// The seat decides.
    Choice,
    /// The game is over.
    Over,
}

/// A state that is no position of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadState {
    /// Another number of seats than 2 to 4.
    #[error("there are {0} lists of climbers; a game has 2 to 4 seats")]
    Seats(usize),
    /// Another number of climbers than the options have.
    #[error("{seat:?} has {found} climbers; each seat has {due}, or none when it is out")]
    Climbers {
        /// Whose climbers they are.
        seat: Seat,
        /// Their number.
        found: usize,
        /// The number in the options.
        due: u8,
    },
    /// A zone above the Summit.
    #[error("there is no zone {0}")]
    Zone(u8),
    /// Two climbers on a cliff.
    #[error("two climbers stand on the cliff of zone {0}, which holds one")]
    Cliff(u8),
    /// Dice that do not add up to those of the options, or that do not fit the phase.
    #[error("the dice do not add up: {danger} of danger, {ascents} of ascent and {weather} of weather")]
    Dice {
        /// The dice not set aside.
        danger: u8,
        /// The ascents.
        ascents: u8,
        /// The weathers.
        weather: u8,
    },
    /// A turn of no seat, or of one that is out.
    #[error("it is the turn of no seat that is in")]
    Turn,
    /// A finished game.
    #[error("the game is over, and there is nothing left to play")]
    Over,
}

impl State {
    /// The public state of a position.
    pub fn of(core: &Core) -> State {
        let (phase, turn) = match core.phase() {
            Phase::Dice => (PhaseName::Dice, Some(core.to_move())),
            Phase::Choice => (PhaseName::Choice, Some(core.to_move())),
            Phase::Over(_) => (PhaseName::Over, None),
        };
        State {
            turn,
            phase,
            turns_played: core.turns(),
            climbers: BySeat::from_fn(core.seats(), |seat| core.climbers(seat).iter().copied().collect()),
            danger: core.danger(),
            ascents: core.ascents(),
            weather: core.weather(),
        }
    }

    /// The position with this state, in a game with these rules that is not over.
    ///
    /// # Errors
    /// What keeps it from being a position.
    pub fn position(&self, rules: Rules) -> Result<Core, BadState> {
        let seats = self.climbers.len();
        if !(2..=4).contains(&seats) {
            return Err(BadState::Seats(seats));
        }
        let mut core = Core::new(rules, seats);
        core.seats_in = self.climbers.seats().filter(|(_, zones)| !zones.is_empty()).map(|(seat, _)| seat).collect();
        for (seat, zones) in self.climbers.seats() {
            self.put(&mut core, seat, zones)?;
        }
        core.turns = self.turns_played;
        core.to_move = self.turn.filter(|&seat| core.seats_in.contains(seat)).ok_or(BadState::Turn)?;
        core.phase = match self.phase {
            PhaseName::Dice => Phase::Dice,
            PhaseName::Choice => Phase::Choice,
            PhaseName::Over => return Err(BadState::Over),
        };
        self.set_dice(&mut core)?;
        let arrived = core.seats_in.iter().any(|seat| core.has_arrived(seat));
        if arrived || core.turns >= rules.max_turns() { Err(BadState::Over) } else { Ok(core) }
    }

    /// Puts the climbers of a seat on the track.
    fn put(&self, core: &mut Core, seat: Seat, zones: &[u8]) -> Result<(), BadState> {
        let due = core.rules.climbers();
        if !zones.is_empty() && zones.len() != usize::from(due) {
            return Err(BadState::Climbers { seat, found: zones.len(), due });
        }
        for (place, &zone) in zones.iter().enumerate() {
            if zone > core.rules.summit() {
                return Err(BadState::Zone(zone));
            }
            if core.taken >> zone & 1 != 0 {
                return Err(BadState::Cliff(zone));
            }
            core.climbers[seat.index()][place] = zone;
            core.taken |= core.rules.cliffs() & 1 << zone;
        }
        core.climbers[seat.index()].sort_unstable_by(|first, second| second.cmp(first));
        Ok(())
    }

    fn set_dice(&self, core: &mut Core) -> Result<(), BadState> {
        let State { danger, ascents, weather, .. } = *self;
        let sum = u32::from(danger) + u32::from(ascents) + u32::from(weather);
        let fits = if core.phase == Phase::Dice { danger > 0 } else { danger < core.rules.dice() };
        if !fits || sum != u32::from(core.rules.dice()) {
            return Err(BadState::Dice { danger, ascents, weather });
        }
        (core.danger, core.ascents) = (danger, ascents);
        Ok(())
    }
}
