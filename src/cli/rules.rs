//! `arbitro rules`: the rules of a game in words.

use std::io::Write;

use super::failure::Failure;
use crate::table::GameName;

/// Print the rules of a game, its notation, its state and its options
#[derive(clap::Args)]
pub struct Args {
    /// The game (see `arbitro games`)
    #[arg(value_name = "GAME")]
    game: GameName,
}

pub fn run(args: Args) -> Result<(), Failure> {
    Ok(std::io::stdout().write_all(args.game.rules().as_bytes())?)
}
