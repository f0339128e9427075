//! `arbitro show`: the board of a log as text.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use super::failure::{Failure, Kind};
use super::logs;
use crate::game::BoardStyle;
use crate::protocol::receive::harmless;
use crate::record::verify::{Finding, Position, replay_to};

/// Print the board of a log, at its end or after some ply
#[derive(clap::Args)]
pub struct Args {
    /// The log
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// After this ply; 0 is the beginning
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    ply: Option<u64>,
    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,
}

pub fn run(args: Args) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    logs::read_into(&args.log, &mut bytes)?;
    let mut position = replay_to(&bytes, args.ply).map_err(|finding| {
        let kind = if matches!(finding, Finding::NotALog(_)) { Kind::BadInput } else { Kind::No };
        Failure::new(kind, harmless(&format!("{}: {finding}", args.log.display())))
    })?;
    position.header.players = position.header.players.map(|name| harmless(name));
    if let Some(ply) = args.ply.filter(|&ply| ply != position.ply) {
        let words = format!("the game has {} plies: there is no ply {ply}", position.ply);
        return Err(Failure::usage(words));
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", title(&position))?;
    write!(out, "{}", position.table.board(style(args.ascii, out.is_terminal())))?;
    if let Some(end) = &position.end {
        writeln!(out, "{}", super::watch::result_words(&end.outcome, &position.header.players))?;
    }
    Ok(())
}

/// How a board is drawn on this stream.
pub fn style(ascii: bool, terminal: bool) -> BoardStyle {
    let colour = terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    BoardStyle { unicode: !ascii, colour }
}

fn title(position: &Position) -> String {
    let header = &position.header;
    let players: Vec<String> = header.players.seats().map(|(seat, name)| format!("{seat} {name}")).collect();
    let last = match &position.last_move {
        Some(mv) => format!("ply {}: seat {} played {}", mv.ply, mv.seat, mv.token),
        None => "before the first ply".to_owned(),
    };
    format!("{} — {} — {last}", header.game, players.join(", "))
}
