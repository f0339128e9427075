//! What the rounds so far say about each bot.

use crate::seat::Seat;
use crate::tournament::Entrant;
use crate::tournament::pairing::RoundPlayed;
use crate::tournament::played::HalfPoints;

/// A bot that was not paired with an equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Float {
    /// It met somebody with fewer points, or had a bye.
    Down,
    /// It met somebody with more points.
    Up,
}

/// A bot, and what it went through.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// Which.
    pub bot: Entrant,
    /// What it has won, byes included.
    pub score: u64,
    /// How many byes it had.
    pub byes: u32,
    /// Round by round, whether it had the first seat; nothing in a round with a bye or at rest.
    pub first: Vec<Option<bool>>,
    /// Round by round, whether it floated.
    pub floats: Vec<Option<Float>>,
}

/// All bots, and who has met whom.
pub struct History {
    /// In the order of the field.
    pub players: Vec<Player>,
    met: Vec<u32>,
    rounds: usize,
}

impl History {
    /// Reads the rounds.
    pub fn of(field: usize, bye: HalfPoints, before: &[RoundPlayed]) -> History {
        let new = |bot| Player { bot, score: 0, byes: 0, first: Vec::new(), floats: Vec::new() };
        let players = Entrant::field(field).map(new).collect();
        let mut history = History { players, met: vec![0; field * field], rounds: 0 };
        before.iter().for_each(|played| history.add(played, bye));
        history
    }

    fn add(&mut self, played: &RoundPlayed, bye: HalfPoints) {
        let scores: Vec<u64> = self.players.iter().map(|player| player.score).collect();
        for (meeting, points) in played.round.meetings.iter().zip(&played.points) {
            for (seat, &bot) in meeting.seats.seats() {
                let rival = meeting.seats[seat.next(2)].index();
                let player = &mut self.players[bot.index()];
                player.score += points[seat].0;
                player.first.push(Some(seat == Seat::new(0)));
                player.floats.push(match scores[bot.index()].cmp(&scores[rival]) {
                    std::cmp::Ordering::Greater => Some(Float::Down),
                    std::cmp::Ordering::Less => Some(Float::Up),
                    std::cmp::Ordering::Equal => None,
                });
                self.met[bot.index() * scores.len() + rival] += 1;
            }
        }
        for &bot in &played.round.byes {
            let player = &mut self.players[bot.index()];
            player.score += bye.0;
            player.byes += 1;
            player.first.push(None);
            player.floats.push(Some(Float::Down));
        }
        self.rounds += 1;
        for player in &mut self.players {
            player.first.resize(self.rounds, None);
            player.floats.resize(self.rounds, None);
        }
    }

    /// How often two bots have met.
    pub fn met(&self, one: Entrant, other: Entrant) -> u32 {
        self.met[one.index() * self.players.len() + other.index()]
    }
}
