//! A position: a game, and the moves that lead there.

use clap::Args;

use super::failure::Failure;
use super::input::GameArgs;
use crate::chance::{Seed, Streams};
use crate::game::Turn;
use crate::table::{Refusal, Table};

/// A game and the moves played in it.
#[derive(Args)]
pub struct PositionArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// The number of seats; the usual one of the game if not given
    #[arg(long, value_name = "N")]
    pub seats: Option<usize>,
    /// Moves that lead to the position, separated by blanks; the outcome of a chance step as JSON, as logs have it
    #[arg(long, value_name = "MOVES", default_value = "", allow_hyphen_values = true)]
    pub moves: String,
}

impl PositionArgs {
    /// The position.
    ///
    /// # Errors
    /// What cannot be played, and why.
    pub fn open(&self) -> Result<Box<dyn Table>, Failure> {
        let mut table = self.game.open(self.seats.unwrap_or(self.game.game.seats()[0]))?;
        for (index, word) in self.moves.split_whitespace().enumerate() {
            let played = match table.turn() {
                Turn::Chance => table.play_chance(word),
                _ => table.play(word).map(drop),
            };
            played.map_err(|refusal| {
                let what = match (table.turn(), refusal) {
                    (Turn::Chance, Refusal::Unreadable { .. }) => {
                        let example = table.draw(&mut Streams::new(Seed::from_text("example")));
                        format!("a chance step is due there; write its outcome as logs have it, such as {example}")
                    }
                    (_, refusal) => refusal.to_string(),
                };
                Failure::usage(format!("move {} of --moves, {word}: {what}", index + 1))
            })?;
        }
        Ok(table)
    }
}
