//! What the rules of a game are: the trait [`Game`], and the words that all games share.
//!
//! A game is the complete state of one play of it, changed by [`Step`]s and by nothing else. Rules read no clock, no
//! environment and no random source: chance comes in as a step with its outcome in it. Nothing here or in `games` uses
//! floating point or a hash map with a random order, so that a log replays to the same bytes everywhere.

use std::fmt::{self, Debug};
use std::str::FromStr;

use arrayvec::{ArrayString, ArrayVec};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::chance::Streams;
use crate::seat::{BySeat, MAX_SEATS, Seat, SeatSet};

/// A move as text: one short word without blanks, such as `e2`, `e3h` or `a1-b2`.
pub type Token = ArrayString<12>;

/// The text of a move in which a seat that has no legal move passes.
pub const PASS: &str = "pass";

/// The rules of one game, as the complete state of one play of it, hidden parts included.
pub trait Game: Clone + Send + Sync + 'static {
    /// The game's name on the command line, on the wire and in logs.
    const NAME: &'static str;
    /// The rules in words: the game's own `RULES.md`.
    const RULES: &'static str;
    /// The version of these rules: raised by every change that could decide a game differently.
    const VERSION: u32;
    /// The numbers of seats that the game can be played with, the usual one first.
    const SEATS: &'static [usize];

    /// What can be chosen about a game; every field has a default, and unknown fields are refused.
    type Options: Clone + Default + Debug + Serialize + DeserializeOwned + Send;
    /// One decision of one seat. Its notation, by [`Notation`] and [`FromStr`], is its only text form.
    type Move: Notation;
    /// The outcome of a chance step; [`Never`] where there is none.
    type Chance: Clone + Eq + Debug + Serialize + DeserializeOwned + Send;
    /// The public state as bots see it, built up from nothing so that nothing hidden can slip in.
    type View<'a>: Serialize
    where
        Self: 'a;
    /// Which rule a move breaks, in words for the author of a bot.
    type Illegal: std::error::Error + Send + Sync + 'static;

    /// A new game.
    ///
    /// # Errors
    /// The option that cannot be played with, and why.
    fn new(options: &Self::Options, seats: usize) -> Result<Self, BadSetup>;

    /// The options in force, every field filled in: from these the same game starts in any later version.
    fn options(&self) -> Self::Options;

    /// How many seats the game started with.
    fn seats(&self) -> usize;

    /// More plies than this a play of it never has, from its beginning, whatever is played.
    fn most_plies(&self) -> u64;

    /// Who decides next, or how the game ended.
    fn turn(&self) -> Turn;

    /// Why the game is over, when it is.
    fn end(&self) -> Option<EndReason>;

    /// Appends the legal moves, in a fixed order; none unless a seat is to move.
    fn legal_moves(&self, out: &mut Vec<Self::Move>);

    /// The number of legal moves, without listing them where that is quicker.
    fn count_legal(&self) -> u64 {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.len() as u64
    }

    /// Whether the move is legal: agrees with [`Game::legal_moves`].
    ///
    /// # Errors
    /// The rule that the move breaks.
    fn check(&self, mv: Self::Move) -> Result<(), Self::Illegal>;

    /// Draws the outcome of the chance step that is due; changes nothing.
    ///
    /// # Panics
    /// If no chance step is due.
    fn draw(&self, chance: &mut Streams) -> Self::Chance;

    /// Whether the outcome is possible for the chance step that is due.
    ///
    /// # Errors
    /// What is impossible about it.
    fn check_chance(&self, outcome: &Self::Chance) -> Result<(), Self::Illegal>;

    /// Makes the step: the only way in which a game changes.
    ///
    /// # Panics
    /// If the step was not checked and is not legal now.
    fn apply(&mut self, step: Step<Self::Move, Self::Chance>);

    /// The public state.
    fn view(&self) -> Self::View<'_>;

    /// Appends canonical bytes of the position: everything that decides the future, and nothing else.
    fn encode(&self, out: &mut Vec<u8>);

    /// Draws the board as text.
    ///
    /// # Errors
    /// Only those of the writer.
    fn board(&self, out: &mut dyn fmt::Write, style: BoardStyle) -> fmt::Result;
}

/// A move's text form; the other way is its [`FromStr`].
pub trait Notation: Copy + Eq + Debug + FromStr<Err: fmt::Display> + Send {
    /// The move as text, read back by [`FromStr`] to the same move.
    fn token(self) -> Token;

    /// Appends the move as an item of a JSON list that is not its first: a comma, and the text in quotes. A game may have
    /// a quicker way than through the token: whole lists are written at every ply.
    fn append_item(self, list: &mut Vec<u8>) {
        list.extend_from_slice(b",\"");
        list.extend_from_slice(self.token().as_bytes());
        list.push(b'"');
    }
}

/// The chance outcome of a game without chance: there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Never {}

/// Who decides next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Turn {
    /// This seat is to move.
    Seat(Seat),
    /// A chance step is due.
    Chance,
    /// The game is over. The ranking covers the seats still in; the referee ranks those that left.
    Over(Ranking),
}

/// One change of a game: the unit of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step<M, C> {
    /// The seat to move decides.
    Move(M),
    /// Chance decides.
    Chance(C),
    /// A seat is out, with two or more seats still in (so only in games of three or four); it may be any seat, at any moment.
    Leave(Seat),
}

/// Why a game ended by its own rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndReason {
    /// A seat reached the goal of the game.
    Goal,
    /// A seat lost the last piece that it needs.
    NoPieces,
    /// A seat had no legal move, where the options make that decide the game.
    Stuck,
    /// Two passes in succession.
    Passes,
    /// The same position too often.
    Repetition,
    /// As many plies as the options allow.
    MaxPlies,
    /// As many turns as the options allow.
    MaxTurns,
    /// As many plies as the options allow, decided by progress.
    Progress,
    /// All legs played.
    Legs,
}

impl EndReason {
    /// All reasons.
    pub const ALL: [EndReason; 9] = [
        EndReason::Goal,
        EndReason::NoPieces,
        EndReason::Stuck,
        EndReason::Passes,
        EndReason::Repetition,
        EndReason::MaxPlies,
        EndReason::MaxTurns,
        EndReason::Progress,
        EndReason::Legs,
    ];

    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            EndReason::Goal => "goal",
            EndReason::NoPieces => "no_pieces",
            EndReason::Stuck => "stuck",
            EndReason::Passes => "passes",
            EndReason::Repetition => "repetition",
            EndReason::MaxPlies => "max_plies",
            EndReason::MaxTurns => "max_turns",
            EndReason::Progress => "progress",
            EndReason::Legs => "legs",
        }
    }

    /// The reason in words, to stand behind the result.
    pub const fn words(self) -> &'static str {
        match self {
            EndReason::Goal => "the goal was reached",
            EndReason::NoPieces => "no piece that can win was left",
            EndReason::Stuck => "no legal move was left",
            EndReason::Passes => "two passes in succession",
            EndReason::Repetition => "the position was repeated too often",
            EndReason::MaxPlies => "the limit of plies was reached",
            EndReason::MaxTurns => "the limit of turns was reached",
            EndReason::Progress => "the limit of plies was reached, and progress decided",
            EndReason::Legs => "all legs were played",
        }
    }
}

/// The order in which seats finished: groups that tie, the best first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ranking(ArrayVec<SeatSet, MAX_SEATS>);

impl Ranking {
    /// The ranking in which `winner` is alone in front of the other seats of `seats`, which tie.
    pub fn won_by(winner: Seat, seats: SeatSet) -> Ranking {
        let mut ranking = Ranking::default();
        ranking.push(SeatSet::only(winner));
        ranking.push(seats.without(winner));
        ranking
    }

    /// The ranking in which all these seats tie.
    pub fn draw(seats: SeatSet) -> Ranking {
        let mut ranking = Ranking::default();
        ranking.push(seats);
        ranking
    }

    /// The ranking by a score of each seat, more being better and equal scores ties.
    pub fn by_score<S: Ord>(seats: SeatSet, score: impl Fn(Seat) -> S) -> Ranking {
        let mut ranking = Ranking::default();
        let mut rest = seats;
        while let Some(best) = rest.iter().map(&score).max() {
            let group: SeatSet = rest.iter().filter(|&seat| score(seat) == best).collect();
            ranking.push(group);
            rest = rest.minus(group);
        }
        ranking
    }

    /// Adds a group of tied seats behind all others; an empty one changes nothing.
    pub fn push(&mut self, group: SeatSet) {
        if !group.is_empty() {
            self.0.push(group);
        }
    }

    /// The groups of tied seats, the best first.
    pub fn groups(&self) -> impl Iterator<Item = SeatSet> {
        self.0.iter().copied()
    }

    /// The seats that are ranked at all.
    pub fn seats(&self) -> SeatSet {
        self.groups().fold(SeatSet::EMPTY, SeatSet::union)
    }

    /// The only seat in front, if there is one.
    pub fn winner(&self) -> Option<Seat> {
        self.0.first().filter(|group| group.len() == 1).and_then(|group| group.iter().next())
    }

    /// The rank of each of `seats` seats: 1 plus the number of seats ranked better (1, 2, 2, 4).
    ///
    /// # Panics
    /// If one of the seats is not ranked.
    pub fn ranks(&self, seats: usize) -> BySeat<u8> {
        BySeat::from_fn(seats, |seat| {
            let better = self.0.iter().take_while(|group| !group.contains(seat));
            assert!(self.seats().contains(seat), "a ranking covers all seats");
            1 + better.map(|group| group.len() as u8).sum::<u8>()
        })
    }
}

/// An option that a game cannot be played with.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct BadSetup {
    /// The option, or `seats`.
    pub field: String,
    /// What is wrong with its value, and which values are possible.
    pub reason: String,
}

impl BadSetup {
    /// The field and what is wrong with it.
    pub fn new(field: impl Into<String>, reason: impl Into<String>) -> BadSetup {
        BadSetup { field: field.into(), reason: reason.into() }
    }
}

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BoardStyle {
    /// With box-drawing characters; without, ASCII only.
    pub unicode: bool,
    /// With colours, as ANSI escape sequences.
    pub colour: bool,
}

/// The number of sequences of exactly `depth` plies from this position; a finished game contributes nothing.
///
/// The last ply is counted without being played (“bulk counting”).
///
/// # Errors
/// When a chance step is due somewhere on the way: perft counts moves, not luck.
pub fn perft<G: Game>(game: &G, depth: u32) -> Result<u64, ChanceInPerft> {
    match (depth, game.turn()) {
        (0, _) => Ok(1),
        (_, Turn::Chance) => Err(ChanceInPerft),
        (_, Turn::Over(_)) => Ok(0),
        (1, Turn::Seat(_)) => Ok(game.count_legal()),
        (_, Turn::Seat(_)) => {
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            moves.into_iter().try_fold(0, |sum, mv| {
                let mut next = game.clone();
                next.apply(Step::Move(mv));
                Ok(sum + perft(&next, depth - 1)?)
            })
        }
    }
}

/// A perft that met a chance step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a chance step is due in this position or behind it, and perft counts moves only")]
pub struct ChanceInPerft;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_is_one_plus_the_number_ranked_better() {
        let scores = [3, 5, 3, 1];
        let ranking = Ranking::by_score(SeatSet::first(4), |seat| scores[seat.index()]);
        assert_eq!(ranking.ranks(4), BySeat::collect([2, 1, 2, 4]));
        assert_eq!(ranking.winner(), Some(Seat::new(1)));
    }

    #[test]
    fn a_draw_has_no_winner_and_a_win_has_one() {
        assert_eq!(Ranking::draw(SeatSet::first(2)).winner(), None);
        let mut ranking = Ranking::won_by(Seat::new(1), SeatSet::first(4).without(Seat::new(3)));
        ranking.push(SeatSet::only(Seat::new(3)));
        assert_eq!(ranking.ranks(4), BySeat::collect([2, 1, 2, 4]));
    }
}
