//! Who meets whom: formats as functions of the field and of what was played before. Nothing here plays, reads or writes.

use super::Entrant;
use super::played::HalfPoints;
use crate::seat::BySeat;

/// Bots that play each other, in the order of the seats of their first game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meeting {
    /// Who sits where in the first game of each set; the other games of the set turn the seats.
    pub seats: BySeat<Entrant>,
}

/// What is played before anything is paired anew.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Round {
    /// Who meets whom, in the order in which they are to be played.
    pub meetings: Vec<Meeting>,
    /// Who has nobody to play in this round, and is credited with a won meeting.
    pub byes: Vec<Entrant>,
}

/// A round that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundPlayed {
    /// What was paired.
    pub round: Round,
    /// What each seat of each meeting, as named in [`Meeting::seats`], won in all games of the meeting together.
    pub points: Vec<BySeat<HalfPoints>>,
}
