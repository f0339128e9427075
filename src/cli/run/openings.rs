//! The openings of a tournament: read or drawn, and weighed by a built-in bot.

use std::collections::HashMap;
use std::sync::Once;
use std::thread;
use std::time::{Duration, Instant};

use super::file::{CupFile, MOST_BYTES};
use super::progress::Live;
use crate::bots::BotName;
use crate::bots::sparring::{self, Sparring};
use crate::chance::Seed;
use crate::cli::failure::{Failure, Kind};
use crate::cli::input::read_text;
use crate::game::Turn;
use crate::protocol::receive::harmless;
use crate::seat::BySeat;
use crate::tournament::Entrant;
use crate::tournament::cup::{Cup, Openings};
use crate::tournament::openings::{self, BadOpenings, Drawing, Setting, Weighing};
use crate::tournament::plan::{Header, Plan};
use crate::tournament::played::points;

/// How often a bot plays on from an opening.
const PLAYOUTS: u32 = 12;

/// For how long they are weighed without a word.
const SILENT: Duration = Duration::from_secs(1);

/// One of so many moves of it is any legal one: a bot that knows what it wants would play one game twelve times.
const STRAYS: u32 = 8;

/// The openings that the file lists: none where it wants none, nothing where it wants them drawn.
///
/// # Errors
/// A list that cannot be read or played.
pub fn listed(file: &CupFile, cup: &Cup) -> Result<Option<Vec<String>>, Failure> {
    let named = match &cup.openings {
        None => return Ok(Some(Vec::new())),
        Some(Openings::Random(_)) => return Ok(None),
        Some(Openings::File(named)) => named,
    };
    let path = file.resolve(named);
    let text = read_text(&path, MOST_BYTES)
        .map_err(|failure| file.fault(failure.kind(), named.line, "openings.file", failure.words()))?;
    let list = openings::read(&text, setting(cup)).map_err(|error| {
        // A line is told as one of the list.
        let colon = if matches!(error, BadOpenings::Line { .. }) { ":" } else { ": " };
        Failure::new(Kind::BadInput, harmless(&format!("{}{colon}{error}", path.display())))
    });
    list.map(Some)
}

/// The openings that the file wants drawn: those that the tournament was begun with, if it was, or else new ones.
///
/// They are drawn and weighed once: that takes a while, and a later version may play on from them otherwise. If it is
/// another tournament that was begun, be it by what is asked for, it is refused when it is taken up, whatever its openings.
///
/// # Errors
/// When there are not so many, or none at all.
pub fn drawn(
    file: &CupFile,
    cup: &Cup,
    master: &Seed,
    begun: Option<Header>,
    live: &Live,
) -> Result<Vec<String>, Failure> {
    match begun {
        Some(Header { drawn: Some(_), openings, .. }) => Ok(openings),
        _ => draw(file, cup, master, live),
    }
}

/// Draws openings, and weighs them on all processors; where that takes a while, it says so.
fn draw(file: &CupFile, cup: &Cup, master: &Seed, live: &Live) -> Result<Vec<String>, Failure> {
    let Some(drawing) = cup.drawing() else { return Ok(Vec::new()) };
    let Drawing { plies, count, balance } = **drawing;
    let (seed, setting) = (master.of_openings(), setting(cup));
    let (began, said) = (Instant::now(), Once::new());
    let weigh = |moves: &[String]| {
        if began.elapsed() > SILENT {
            said.call_once(|| {
                live.say(&format!("weighing {count} openings with the {} bot …", weigher(setting).as_str()))
            });
        }
        fare(setting, &seed, moves)
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let weighing = balance.then_some(Weighing { weigh: &weigh, threads });
    let drawn = openings::draw(seed, setting, plies, count as usize, weighing)
        .map_err(|error| file.fault(Kind::Config, drawing.line, "openings", error))?;
    if drawn.unbalanced > 0 {
        tracing::info!("{} openings favoured a seat too much, and others were drawn", drawn.unbalanced);
    }
    if drawn.taken_unbalanced > 0 {
        let taken = drawn.taken_unbalanced;
        tracing::warn!("{taken} of {count} openings favour a seat: better ones of {plies} plies were not found");
    }
    Ok(drawn.openings)
}

/// Says so where bots may play the same games again and again: without luck, and without an opening for each set.
pub fn warn_of_repeats(cup: &Cup, plan: &Plan) {
    let openings = plan.header().openings.len().max(1);
    let mut sets: HashMap<Vec<Entrant>, usize> = HashMap::new();
    let repeats = plan.sets().iter().any(|set| {
        let mut bots: Vec<Entrant> = set.seats.iter().copied().collect();
        bots.sort_unstable();
        let count = sets.entry(bots).or_default();
        *count += 1;
        *count > openings
    });
    if repeats && !setting(cup).has_luck() {
        tracing::warn!(
            "{} has no luck, and some bots meet in more sets than there are openings ({}): where they draw nothing \
             from their own seeds, games repeat and tell nothing new; ask for more in [openings]",
            cup.game,
            plan.header().openings.len()
        );
    }
}

/// The game that is played.
pub fn setting(cup: &Cup) -> Setting<'_> {
    Setting { game: cup.game, options: &cup.options, seats: cup.seats }
}

/// Who plays on from openings: the greedy bot, where it plays this.
fn weigher(setting: Setting) -> BotName {
    if BotName::Greedy.plays(setting.game, setting.seats) { BotName::Greedy } else { BotName::Random }
}

/// How the seats fare from a position, as a bot plays on against itself: the points of each in thousandths.
fn fare(setting: Setting, seed: &Seed, moves: &[String]) -> BySeat<u32> {
    let Setting { game, options, seats } = setting;
    let bot = weigher(setting);
    let opening: Vec<&str> = moves.iter().map(String::as_str).collect();
    let mut sums = BySeat::from_fn(seats, |_| 0);
    for number in 0..PLAYOUTS {
        let seed = seed.of_game(&format!("playout {number} of {}", opening.join(" ")));
        let sparring = Sparring { game, options, seed, opening: &opening, strays: STRAYS };
        let (table, _) = sparring::play(sparring, &vec![(bot.as_str(), &[][..]); seats]).expect("the bot plays this");
        let Turn::Over(ranking) = table.turn() else { unreachable!("it was played to its end") };
        for (seat, points) in points(&ranking.ranks(seats)).seats() {
            sums[seat] += points.0 as u32;
        }
    }
    let all = PLAYOUTS * 2 * (seats as u32 - 1);
    sums.map(|sum| sum * 1000 / all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Hex32;
    use crate::table::GameName;

    #[test]
    fn a_lost_position_is_seen_and_a_level_one_too() {
        let of = |moves: &str| {
            let setting = Setting { game: GameName::AltoAhi, options: r#"{"size":5,"walls":0}"#, seats: 2 };
            let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
            fare(setting, &Hex32::from_text("fare"), &moves)
        };
        // Without barriers it is a race, and who begins is ahead in it by a move.
        let ahead = of("c2 b5 c3 c5");
        assert!(ahead.iter().sum::<u32>() >= 998 && ahead[crate::seat::Seat::new(0)] > 900, "{ahead:?}");
        assert_eq!(of("c2 b5 c3 c5"), ahead, "the same seed plays the same games");
    }
}
