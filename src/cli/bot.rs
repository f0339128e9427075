//! `arbitro bot`: the built-in bots, as programs of their own.

use std::io::Write;

use super::failure::{Failure, Kind};
use crate::bots::{self, BotError, BotName, faulty};
use crate::seat::alternatives;
use crate::table::GameName;

/// Play as one of the built-in bots, speaking the protocol on stdin and stdout
#[derive(clap::Args)]
pub struct Args {
    /// The bot
    #[arg(value_name = "NAME", required_unless_present_any = ["list", "list_modes"])]
    name: Option<String>,
    /// Options of the bot, such as depth=3
    #[arg(value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// How the bot called faulty misbehaves: the same as mode=MODE
    #[arg(long, value_name = "MODE")]
    mode: Option<String>,
    /// List the bots, what each plays, and its options
    #[arg(long)]
    list: bool,
    /// List the modes of the bot called faulty
    #[arg(long)]
    list_modes: bool,
}

pub fn run(args: Args) -> Result<(), Failure> {
    if args.list_modes {
        return list_modes();
    }
    let Some(name) = args.name.filter(|_| !args.list) else { return list() };
    let options: Vec<String> = args.options.into_iter().chain(args.mode.map(|mode| format!("mode={mode}"))).collect();
    let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
    bots::run(&name, &options, input, output, std::io::stderr()).map_err(|error| Failure::new(kind(&error), error))
}

/// Who must act when a bot cannot play.
pub fn kind(error: &BotError) -> Kind {
    match error {
        BotError::Name(_) | BotError::Option(_) => Kind::Usage,
        BotError::DoesNotPlay { .. } => Kind::Config,
        BotError::Hello(_) => Kind::BadInput,
        BotError::Io(_) => Kind::Io,
    }
}

fn list() -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    for &bot in BotName::ALL {
        writeln!(out, "{:10} {}", bot.as_str(), bot.words())?;
        for &game in GameName::ALL {
            let seats: Vec<usize> = game.seats().iter().copied().filter(|&seats| bot.plays(game, seats)).collect();
            if !seats.is_empty() {
                writeln!(out, "           plays {game} with {} seats", alternatives(&seats))?;
            }
        }
        for (key, words) in bot.options() {
            writeln!(out, "           {key}=…  {words}")?;
        }
    }
    Ok(())
}

fn list_modes() -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    for (heading, modes) in faulty::MODES {
        writeln!(out, "{heading}")?;
        modes.iter().try_for_each(|mode| writeln!(out, "  {:16} {}", mode.name, mode.words))?;
    }
    Ok(())
}
