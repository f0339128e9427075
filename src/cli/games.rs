//! `arbitro games`: which games there are, for how many seats, with which options.

use std::io::Write;

use serde_json::value::RawValue;

use super::failure::{Failure, Kind};
use crate::table::GameName;

/// List the games, their numbers of seats and their options with the defaults
#[derive(clap::Args)]
pub struct Args {
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(serde::Serialize)]
struct Row {
    game: GameName,
    rules: u32,
    seats: usize,
    options: Box<RawValue>,
}

pub fn run(args: Args) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    for &game in GameName::ALL {
        for &seats in game.seats() {
            let table = game.open("{}", seats).map_err(|error| Failure::new(Kind::Bug, error))?;
            let options =
                RawValue::from_string(table.options_json()).map_err(|error| Failure::new(Kind::Bug, error))?;
            if args.json {
                let row = Row { game, rules: game.rules_version(), seats, options };
                serde_json::to_writer(&mut out, &row).map_err(std::io::Error::from)?;
                writeln!(out)?;
            } else {
                writeln!(out, "{:12} {seats} seats  {}", game.as_str(), options.get())?;
            }
        }
    }
    Ok(())
}
