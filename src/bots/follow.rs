//! Following a game by its events, and playing it by a strategy that sees the typed position.

use std::io::{self, Write};

use serde_json::Value;
use serde_json::value::RawValue;

use super::options::Options;
use super::wire::{Event, Hello, Question, write_move, write_move_with};
use super::{BotError, Player};
use crate::chance::Draws;
use crate::game::{Game, Notation, Step, Turn};
use crate::seat::{Seat, SeatSet};

/// What decides the moves of one seat in one game.
pub trait Strategy<G: Game>: Sized + 'static {
    /// Sits down to a game that begins.
    fn sit_down(hello: &Hello, options: &Options) -> Self;

    /// Chooses a legal move for its seat, which is to move.
    fn choose(&mut self, game: &G, question: &Question) -> Choice<G::Move>;
}

/// A move, and what is to be noted about it.
pub struct Choice<M> {
    /// The move.
    pub mv: M,
    /// A JSON object for the log.
    pub info: Option<String>,
}

impl<M> From<M> for Choice<M> {
    fn from(mv: M) -> Choice<M> {
        Choice { mv, info: None }
    }
}

/// A bot that plays by a strategy, and by the bare list of legal moves should it ever lose track of the game.
pub struct Thinker<G: Game, S> {
    followed: Followed<G>,
    strategy: S,
    seat: Seat,
    lost: bool,
    draws: Draws,
}

/// Sits down to a game with a strategy.
///
/// # Errors
/// When `hello` has options that the game cannot be played with.
pub fn sit_down<G: Game, S: Strategy<G>>(hello: &Hello, options: &Options) -> Result<Box<dyn Player>, BotError> {
    Ok(Box::new(Thinker {
        followed: Followed::<G>::new(hello)?,
        strategy: S::sit_down(hello, options),
        seat: hello.seat,
        lost: false,
        draws: hello.draws(),
    }))
}

impl<G: Game, S: Strategy<G>> Player for Thinker<G, S> {
    fn answer(&mut self, turn: &[u8], answer: &mut Vec<u8>, notes: &mut dyn Write) -> io::Result<()> {
        let question = match Question::read(turn) {
            Ok(question) => question,
            Err(error) => return writeln!(notes, "a turn stays unanswered, for it cannot be read: {error}"),
        };
        if !self.lost {
            match self.think(&question) {
                Ok(choice) => {
                    let token = choice.mv.token();
                    write_move_with(answer, question.turn, &token, choice.info.as_deref());
                    return Ok(());
                }
                Err(why) => {
                    self.lost = true;
                    writeln!(notes, "lost track of the game, and goes on with any legal move: {why}")?;
                }
            }
        }
        if question.legal.is_empty() {
            return writeln!(notes, "a turn stays unanswered, for its list of legal moves is empty");
        }
        let drawn = self.draws.below(question.legal.len() as u32) as usize;
        write_move(answer, question.turn, &question.legal[drawn]);
        Ok(())
    }
}

impl<G: Game, S: Strategy<G>> Thinker<G, S> {
    /// The strategy's move, or where this game and the referee's part.
    fn think(&mut self, question: &Question) -> Result<Choice<G::Move>, String> {
        self.followed.catch_up(&question.events)?;
        let game = &self.followed.game;
        if game.turn() != Turn::Seat(self.seat) {
            return Err(format!("it is not the turn of seat {} here", self.seat));
        }
        if let Some(state) = question.state {
            compare(game, state)?;
        }
        let choice = self.strategy.choose(game, question);
        let token = choice.mv.token();
        if question.legal.is_empty() || question.legal.iter().any(|legal| *legal == *token) {
            Ok(choice)
        } else {
            Err(format!("{token} is not among the legal moves"))
        }
    }
}

fn compare<G: Game>(game: &G, state: &RawValue) -> Result<(), String> {
    let own = serde_json::to_string(&game.view()).expect("a view is plain data");
    if own == state.get() {
        return Ok(());
    }
    // It may be the same, written otherwise.
    let read = |text: &str| serde_json::from_str::<Value>(text).ok();
    if read(&own) == read(state.get()) {
        return Ok(());
    }
    Err(format!("the state is {} here, and was sent as {}", own, state.get()))
}

/// A game that is kept up with by the steps that the referee tells.
struct Followed<G: Game> {
    game: G,
    seats_in: SeatSet,
}

impl<G: Game> Followed<G> {
    fn new(hello: &Hello) -> Result<Followed<G>, BotError> {
        let bad = |error: String| BotError::Hello(error);
        let options: G::Options = serde_json::from_str(hello.options.get()).map_err(|error| bad(error.to_string()))?;
        let seats = hello.players.len();
        let game = G::new(&options, seats).map_err(|error| bad(error.to_string()))?;
        Ok(Followed { game, seats_in: SeatSet::first(seats) })
    }

    fn catch_up(&mut self, events: &[Event]) -> Result<(), String> {
        for event in events {
            match event {
                Event { token: Some(token), .. } => self.play(token)?,
                Event { chance: Some(outcome), .. } => self.play_chance(outcome)?,
                Event { leave: Some(seat), .. } => self.leave(*seat)?,
                // Nothing that changes the game, as far as is known; if it did, the states will differ.
                _ => {}
            }
        }
        Ok(())
    }

    fn play(&mut self, token: &str) -> Result<(), String> {
        let mv: G::Move = token.parse().map_err(|error| format!("{token}: {error}"))?;
        self.game.check(mv).map_err(|error| format!("{token}: {error}"))?;
        self.game.apply(Step::Move(mv));
        Ok(())
    }

    fn play_chance(&mut self, outcome: &RawValue) -> Result<(), String> {
        let bad = |error: &dyn std::fmt::Display| format!("{}: {error}", outcome.get());
        if self.game.turn() != Turn::Chance {
            return Err(bad(&"no chance step is due"));
        }
        let read: G::Chance = serde_json::from_str(outcome.get()).map_err(|error| bad(&error))?;
        self.game.check_chance(&read).map_err(|error| bad(&error))?;
        self.game.apply(Step::Chance(read));
        Ok(())
    }

    fn leave(&mut self, seat: Seat) -> Result<(), String> {
        if matches!(self.game.turn(), Turn::Over(_)) || !self.seats_in.contains(seat) || self.seats_in.len() <= 2 {
            return Err(format!("seat {seat} cannot leave"));
        }
        self.seats_in = self.seats_in.without(seat);
        self.game.apply(Step::Leave(seat));
        Ok(())
    }
}
