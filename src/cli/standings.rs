//! `arbitro standings`: who stands where in a tournament, finished or not.

use std::io::Write;
use std::path::PathBuf;

use super::failure::{Failure, Kind};
use super::status;
use crate::report::standings::{View, csv, human, json, markdown};
use crate::tournament::folder;
use crate::tournament::standings::{Results, Standings};

/// Show the standings and ratings of a tournament, from its journal alone
#[derive(clap::Args)]
pub struct Args {
    /// The folder of the tournament
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// How to write them
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Show the time that each bot used: measured, so that equal games may differ in it
    #[arg(long)]
    times: bool,
}

/// What standings are written in.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// Tables for a terminal
    Human,
    /// One JSON object with everything
    Json,
    /// A line a bot
    Csv,
    /// Tables for a README or an issue
    Markdown,
}

pub fn run(args: Args) -> Result<(), Failure> {
    let record = folder::read(&args.folder).map_err(|error| status::failure(&error))?;
    let bad = |error| Failure::new(Kind::BadInput, format!("{}: {error}", args.folder.display()));
    let standings = Results::of(record).and_then(|results| Standings::of(&results)).map_err(bad)?;
    let view = View { times: args.times };
    let shown = match args.format {
        Format::Human => human(&standings, view),
        Format::Json => json(&standings, view),
        Format::Csv => csv(&standings, view),
        Format::Markdown => markdown(&standings, view),
    };
    let mut out = std::io::stdout().lock();
    out.write_all(shown.as_bytes())?;
    Ok(out.flush()?)
}
