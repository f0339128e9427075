//! `arbitro legal`: the legal moves of a position, or why a move is not one of them.

use std::io::Write;

use super::failure::{Failure, Kind};
use super::position::PositionArgs;
use crate::game::Turn;

/// List the legal moves of a position, or explain why a move is not legal
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Say whether this move is legal, and if not which rule it breaks (exit code 1)
    #[arg(long, value_name = "MOVE", allow_hyphen_values = true)]
    explain: Option<String>,
    /// Print a JSON list
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<(), Failure> {
    let mut table = args.position.open()?;
    let mut out = std::io::stdout().lock();
    let why_none = match table.turn() {
        Turn::Seat(_) => None,
        Turn::Chance => Some("no seat is to move: a chance step is due"),
        Turn::Over(_) => Some("no seat is to move: the game is over"),
    };
    if let Some(token) = &args.explain {
        return match table.check(token) {
            Ok(token) => Ok(writeln!(out, "{token} is legal")?),
            Err(refusal) => {
                writeln!(out, "{}", why_none.map_or_else(|| refusal.to_string(), str::to_owned))?;
                Err(Failure::silent(Kind::No))
            }
        };
    }
    if args.json {
        let mut list = Vec::new();
        table.legal_json(&mut list);
        list.push(b'\n');
        return Ok(out.write_all(&list)?);
    }
    if let Some(why) = why_none {
        // It is said beside the answer: whoever cannot be told has the empty list.
        let _ = writeln!(std::io::stderr(), "{why}");
    }
    table.legal().iter().try_for_each(|token| writeln!(out, "{token}"))?;
    Ok(())
}
