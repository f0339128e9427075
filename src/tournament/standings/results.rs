//! What standings are made from: the finished games of an event, and what is known of it besides.

use std::collections::{BTreeSet, HashSet};

use crate::record::outcome::GameResult;
use crate::tournament::Entrant;
use crate::tournament::pairing::KindName;
use crate::tournament::pairing::knockout::Bracket;
use crate::tournament::played::{HalfPoints, Played};
use crate::tournament::ratings::sprt::{Sprt, Stop, Unit};

/// An event as far as it was played.
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    /// What it is called; may be empty.
    pub name: String,
    /// The game.
    pub game: String,
    /// How its rounds were paired.
    pub format: KindName,
    /// How many seats a game has.
    pub seats: usize,
    /// The names of the bots in the order of the field.
    pub bots: Vec<String>,
    /// The finished games, in any order.
    pub games: Vec<Played>,
    /// Who had nobody to play.
    pub byes: Vec<Bye>,
    /// Who is out for its faults.
    pub disqualified: BTreeSet<Entrant>,
    /// How far a knockout has come, if it is one.
    pub bracket: Option<Bracket>,
    /// How many games are planned so far, if that is known.
    pub planned: Option<u64>,
    /// Whether nothing more will be played.
    pub is_final: bool,
    /// The test that the event is, if it is one: of the first bot against the second.
    pub sprt: Option<(Sprt, Unit)>,
}

/// A round in which a bot had nobody to play, and what it was credited with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bye {
    /// The round, from 1.
    pub round: u32,
    /// Who.
    pub entrant: Entrant,
    /// The points credited.
    pub points: HalfPoints,
}

/// Why results make no sense: they are no results of one event.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadResults {
    /// Two games have one number.
    #[error("game {0} is there twice")]
    Twice(u64),
    /// A game has another number of seats.
    #[error("game {game} has {found} seats, and the games of this event have {seats}")]
    Seats {
        /// Its number.
        game: u64,
        /// How many it has.
        found: usize,
        /// How many it should have.
        seats: usize,
    },
    /// A bot that is not of the field.
    #[error("game {game} names bot {bot}, and there are only {bots}")]
    NoSuchBot {
        /// The number of the game.
        game: u64,
        /// The bot, from 0.
        bot: u16,
        /// How many there are.
        bots: usize,
    },
    /// A bot that plays itself.
    #[error("in game {0} a bot has two seats")]
    TwoSeats(u64),
    /// A game that was decided has no ranks, or none that a game can end with.
    #[error("game {0} was decided, and its ranks are not those of a game")]
    Ranks(u64),
    /// A bye or a disqualification of a bot that is not of the field.
    #[error("bot {0} is not of the field")]
    NotOfTheField(u16),
    /// A plan of another version.
    #[error("the plan is paired in a way that this version does not know: {0}")]
    Pairing(String),
    /// A test with more or fewer than two bots.
    #[error("a match that stops by itself has two bots at tables of two")]
    NoMatch,
}

impl Results {
    /// Looks whether these can be the results of one event.
    ///
    /// # Errors
    /// The first thing that shows that they are not.
    pub fn check(&self) -> Result<(), BadResults> {
        let mut numbers = HashSet::with_capacity(self.games.len());
        for game in &self.games {
            if !numbers.insert(game.game) {
                return Err(BadResults::Twice(game.game));
            }
            self.check_game(game)?;
        }
        let named = self.byes.iter().map(|bye| bye.entrant).chain(self.disqualified.iter().copied());
        if let Some(stranger) = named.into_iter().find(|entrant| entrant.index() >= self.bots.len()) {
            return Err(BadResults::NotOfTheField(stranger.0));
        }
        if self.sprt.is_some() && (self.bots.len(), self.seats) != (2, 2) {
            return Err(BadResults::NoMatch);
        }
        Ok(())
    }

    fn check_game(&self, game: &Played) -> Result<(), BadResults> {
        let (number, found) = (game.game, game.seats.len());
        let sizes = [found, game.host.thought_us.len(), game.ranks.as_ref().map_or(found, |ranks| ranks.len())];
        if sizes.iter().any(|&size| size != self.seats) {
            return Err(BadResults::Seats { game: number, found, seats: self.seats });
        }
        if let Some(stranger) = game.seats.iter().find(|entrant| entrant.index() >= self.bots.len()) {
            return Err(BadResults::NoSuchBot { game: number, bot: stranger.0, bots: self.bots.len() });
        }
        if game.seats.iter().collect::<BTreeSet<_>>().len() != found {
            return Err(BadResults::TwoSeats(number));
        }
        let is_place =
            |own: &u8, ranks: &[u8]| usize::from(*own) == 1 + ranks.iter().filter(|rank| *rank < own).count();
        let ranks: Option<Vec<u8>> = game.ranks.as_ref().map(|ranks| ranks.iter().copied().collect());
        let is_sound = ranks.is_some_and(|ranks| ranks.iter().all(|own| is_place(own, &ranks)));
        if game.result == GameResult::Decided && !is_sound {
            return Err(BadResults::Ranks(number));
        }
        Ok(())
    }

    /// The games that count: all, but of a match that stopped by itself none behind the set at which it did. Such games
    /// were going on when it stopped, and how many there were depends on the machine.
    pub fn counted(&self) -> Vec<&Played> {
        let stop = self.stop();
        let counts = |game: &&Played| stop.is_none_or(|stop| game.set <= stop.set);
        self.games.iter().filter(counts).collect()
    }

    /// Where a match stopped by itself, if it did.
    pub fn stop(&self) -> Option<Stop> {
        self.sprt.and_then(|(sprt, unit)| sprt.stop(Entrant(0), unit, &self.games))
    }
}
