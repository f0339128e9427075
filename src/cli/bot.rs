//! `arbitro bot`: the built-in bots, as programs of their own.

use std::io::Write;

use super::failure::{Failure, Kind};
use crate::bots::{self, BotError, BotName};
use crate::table::GameName;

/// Play as one of the built-in bots, speaking the protocol on stdin and stdout
#[derive(clap::Args)]
pub struct Args {
    /// The bot
    #[arg(value_name = "NAME", required_unless_present = "list")]
    name: Option<String>,
    /// Options of the bot, such as depth=3
    #[arg(value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// List the bots, what each plays, and its options
    #[arg(long)]
    list: bool,
}

pub fn run(args: Args) -> Result<(), Failure> {
    let Some(name) = args.name.filter(|_| !args.list) else { return list() };
    let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
    bots::run(&name, &args.options, input, output, std::io::stderr()).map_err(|error| Failure::new(kind(&error), error))
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
            let seats: Vec<String> =
                game.seats().iter().filter(|&&seats| bot.plays(game, seats)).map(usize::to_string).collect();
            if !seats.is_empty() {
                writeln!(out, "           plays {game} with {} seats", seats.join(" or "))?;
            }
        }
        for (key, words) in bot.options() {
            writeln!(out, "           {key}=…  {words}")?;
        }
    }
    Ok(())
}
