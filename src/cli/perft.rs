//! `arbitro perft`: counts the sequences of moves from a position, to compare move generators.

use std::io::Write;
use std::time::Instant;

use super::failure::{Failure, Kind};
use super::position::PositionArgs;

/// Count the sequences of moves from a position (chess programmers' perft), bulk counting the last ply
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// The length of the sequences
    #[arg(value_name = "DEPTH")]
    depth: u32,
    /// Print the count behind each first move as well
    #[arg(long)]
    divide: bool,
}

pub fn run(args: Args) -> Result<(), Failure> {
    let table = args.position.open()?;
    let mut out = std::io::stdout().lock();
    let refused = |error| Failure::new(Kind::BadInput, error);
    if args.divide && args.depth > 0 {
        for (token, count) in table.divide(args.depth).map_err(refused)? {
            writeln!(out, "{token} {count}")?;
        }
    }
    for depth in args.depth.min(1)..=args.depth {
        let began = Instant::now();
        let count = table.perft(depth).map_err(refused)?;
        let seconds = began.elapsed().as_secs_f64();
        writeln!(out, "perft {depth} {count}")?;
        tracing::info!("{seconds:.3} s, {:.1} M sequences/s", count as f64 / seconds / 1e6);
    }
    Ok(())
}
