//! `arbitro doctor`: what this machine enforces, item by item, each tried for real.
//!
//! Whatever can be tried in a game is tried in one, with a bot that misbehaves ([`trial`]), held exactly as `arbitro
//! play` holds bots. What is only looked up says so by its place: among the parts of the kernel.

mod attacks;
mod clocks;
mod ends;
mod interpreters;
mod kernel;
mod limits;
mod processes;
mod report;
mod show;
mod trial;

use std::time::Instant;

use super::failure::{Failure, Kind};
use super::sandbox::lacking;
use super::signals::Stop;
use crate::host::cores;
use crate::host::sandbox::{Layers, users};
use report::{Item, Report, State};
use show::Show;
use trial::Lab;

/// Try what this machine enforces, item by item, and say what is missing
///
/// Plays short games with bots that misbehave, and says of each thing whether it holds, what it means for a match where
/// it does not, and what to do. Takes a few seconds. Exits with 0 if `arbitro play --sandbox require` starts here and
/// everything that was tried holds, and with 1 otherwise. With -v it lists every attempt, with -q only what is amiss.
#[derive(clap::Args)]
pub struct Args {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, verbose: bool, quiet: bool) -> Result<(), Failure> {
    let began = Instant::now();
    // Before this program is busy itself.
    let load = clocks::load();
    let failed = |error| Failure::new(Kind::Io, format!("the referee cannot set itself up: {error}"));
    let lab = Lab::open(Stop::listen().map_err(failed)?)?;
    let mut report = Report::new((!args.json).then(|| Show::on_stdout(verbose, quiet)));
    let layers = Layers::of_this_kernel();
    kernel::examine(&mut report, &lab, layers)?;
    clocks::examine(&mut report, load)?;
    // From here on as in a match; where that fails, it was said among the clocks.
    let _ = cores::nearest(1).and_then(|cores| cores::pin(&cores));
    let no_users = users::claim(2).err();
    if no_users.is_none() {
        attacks::examine(&mut report, &lab, layers)?;
        limits::examine(&mut report, &lab)?;
        ends::examine(&mut report, &lab)?;
        interpreters::examine(&mut report, &lab)?;
    } else {
        report.section("Bots")?;
        report.add(Item::new("bots", "whatever bots do", State::Note, "not tried: there are no users for them"))?;
    }
    let no_users = no_users.map(|error| format!("bots cannot be given users of their own: {error}"));
    report.conclude(no_users.or_else(|| lacking(layers)), began.elapsed())
}
