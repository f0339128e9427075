//! What a tournament will take, before it begins: games, time, disk, processors.
//!
//! - **The worst case** follows from the clocks: every game has as many plies as the game can have, and every bot uses all
//!   that it has, down to the last period. Nothing but voids and faults of the machine takes longer.
//! - **What is expected** without any game being played is a guess: a game of the usual length, as built-in bots play it
//!   in memory, in which bots use half of their time. `--dry-run=try` plays games of the tournament instead.
//! - **Disk** goes by what logs have been measured to take. What bots write to stderr, and what they note with their
//!   moves, comes on top.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;

use super::plan::games_in_all;
use super::progress::words::duration;
use super::trial::Tried;
use crate::bots::BotName;
use crate::bots::sparring::{self, Sparring};
use crate::chance::{Hex32, Seed};
use crate::clock::{Span, TimeControl};
use crate::host::cores;
use crate::host::play::END_GRACE;
use crate::tournament::cup::Cup;
use crate::tournament::pairing::Kind;
use crate::tournament::plan::Plan;
use crate::tournament::run::Places;

/// How many games are played in memory to see how long one usually is.
const GAMES: u64 = 9;

/// What a game costs beside the time of its bots: starting them, most of all.
const START: Duration = Duration::from_millis(50);

/// What a ply costs beside the time of the bot.
const PLY: Duration = Duration::from_micros(100);

/// The header and the end of a log, in bytes.
const LOG_BYTES: u64 = 1700;

/// A ply in a log, with what is drawn and noted beside it.
const PLY_BYTES: u64 = 180;

/// A game in the journal.
const JOURNAL_BYTES: u64 = 700;

/// Files take up whole blocks.
const BLOCK: u64 = 4096;

/// What a tournament will take.
#[derive(Serialize)]
pub struct Outlook {
    schema: u32,
    name: String,
    game: &'static str,
    seats: usize,
    format: String,
    bots: usize,
    rounds: Option<u64>,
    sets: Count,
    games_each_set: usize,
    games: Count,
    openings: usize,
    at_once: usize,
    cores: usize,
    most_plies: u64,
    usual_plies: u64,
    tried_games: usize,
    expected_seconds: f64,
    worst_case_seconds: f64,
    disk_bytes: u64,
    plan: Hex32,
}

/// A number that may depend on results.
#[derive(Serialize)]
struct Count {
    least: u64,
    most: u64,
}

impl Outlook {
    /// Of this plan, played in these places. Games that were tried say how long games take and how many plies they have.
    pub fn new(cup: &Cup, plan: &Plan, places: &Places, tried: &[Tried]) -> Outlook {
        let at_once = places.0.len();
        let (least, most) = games_in_all(plan);
        let each = plan.games_each() as u64;
        let most_plies = cup.game.open(&cup.options, cup.seats).map_or(0, |table| table.most_plies());
        let usual_plies = match tried {
            [] => usual_plies(cup),
            _ => tried.iter().map(|game| game.plies).sum::<u64>() / tried.len() as u64,
        };
        let rounds = rounds(cup);
        // Where rounds wait for results, each of them ends with some who have nothing to do.
        let barriers = if cup.format.is_fixed() { 1 } else { rounds.unwrap_or(1).max(1) };
        let in_turn = (most / each).div_ceil(barriers).div_ceil(at_once as u64) * barriers * each;
        let game = match tried {
            [] => guess(&cup.clock, cup.seats, usual_plies),
            _ => tried.iter().map(|game| game.took.as_secs_f64()).sum::<f64>() / tried.len() as f64,
        };
        Outlook {
            schema: 1,
            name: cup.name.clone().unwrap_or_default(),
            game: cup.game.as_str(),
            seats: cup.seats,
            format: cup.format.kind.name().to_string(),
            bots: cup.bots.len(),
            rounds,
            sets: Count { least: least / each, most: most / each },
            games_each_set: plan.games_each(),
            games: Count { least, most },
            openings: plan.header().openings.len(),
            at_once,
            cores: cores(places),
            most_plies,
            usual_plies,
            tried_games: tried.len(),
            expected_seconds: in_turn as f64 * game,
            worst_case_seconds: in_turn as f64 * worst_case(&cup.clock, cup.seats, most_plies),
            disk_bytes: most.saturating_mul(disk(usual_plies)),
            plan: plan.sha256(),
        }
    }

    /// Prints it for people.
    ///
    /// # Errors
    /// Those of the output.
    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let title = if self.name.is_empty() { String::new() } else { format!("{}: ", self.name) };
        let rounds = self.rounds.map(|rounds| format!("{rounds} round{}, ", plural(rounds))).unwrap_or_default();
        writeln!(out, "{title}{}, {} bots, {} with {} seats", self.format, self.bots, self.game, self.seats)?;
        let sets = format!("{} set{} of {}", self.sets, plural(self.sets.most), self.games_each_set);
        writeln!(out, "games       {} ({rounds}{sets})", self.games)?;
        if self.openings > 0 {
            writeln!(out, "openings    {}", self.openings)?;
        }
        let processors = if self.cores == 1 { "processor" } else { "processors" };
        writeln!(out, "at once     {} on {} {processors}", self.at_once, self.cores)?;
        let basis = match self.tried_games {
            0 => {
                format!("{} plies a game, bots that use half of their time; --dry-run=try plays some", self.usual_plies)
            }
            1 => format!("one game was tried, of {} plies", self.usual_plies),
            tried => format!("{tried} games were tried, of {} plies each", self.usual_plies),
        };
        writeln!(out, "expected    {} ({basis})", time(self.expected_seconds))?;
        writeln!(
            out,
            "worst case  {} ({} plies a game, all time used)",
            time(self.worst_case_seconds),
            self.most_plies
        )?;
        writeln!(out, "disk        {}", size(self.disk_bytes))?;
        writeln!(out, "plan        {}", self.plan)
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.least == self.most {
            true => write!(f, "{}", self.most),
            false => write!(f, "{} to {}", self.least, self.most),
        }
    }
}

/// How many processors are used: those on which games are kept, or all that there are.
fn cores(places: &Places) -> usize {
    let all = || cores::allowed().map_or(1, |allowed| allowed.len());
    let kept: BTreeSet<usize> = places.0.iter().flatten().copied().collect();
    if kept.is_empty() { all().min(places.0.len()) } else { kept.len() }
}

/// How many rounds there will be, where that is known.
fn rounds(cup: &Cup) -> Option<u64> {
    let (bots, seats) = (cup.bots.len(), cup.seats);
    match cup.format.kind {
        Kind::Swiss { rounds, .. } => Some(rounds.into()),
        // At least; sets that decide ties are rounds of their own.
        Kind::Knockout(_) => Some(bots.next_power_of_two().trailing_zeros().into()),
        _ => cup.format.planned(bots, seats).map(|rounds| rounds.count() as u64),
    }
}

/// How many plies a game usually has: the median of some between built-in bots.
fn usual_plies(cup: &Cup) -> u64 {
    let bot = if BotName::Greedy.plays(cup.game, cup.seats) { BotName::Greedy } else { BotName::Random };
    let length = |number: u64| {
        let seed = Seed::from_text(&format!("outlook {number}"));
        let sparring = Sparring { game: cup.game, options: &cup.options, seed, opening: &[], strays: 8 };
        let played = sparring::play(sparring, &vec![(bot.as_str(), &[][..]); cup.seats]).expect("the bot plays this");
        played.1.len() as u64
    };
    let mut lengths: Vec<u64> = (0..GAMES).map(length).collect();
    lengths.sort_unstable();
    lengths[lengths.len() / 2]
}

/// All the time that the clocks leave to a game of so many plies, in seconds: the banks with what comes to them, or what
/// single moves may take, whichever is less.
fn time_of_clocks(clock: &TimeControl, seats: usize, plies: u64) -> f64 {
    let seconds = |span: Span| span.0 as f64 / 1e9;
    let plies = plies as f64;
    let by_moves = clock.move_limit.map(|limit| plies * seconds(limit + clock.margin));
    let by_banks = clock.bank.map(|bank| {
        let byo_yomi = clock.byo_yomi.map_or((0.0, 0.0), |byo_yomi| {
            (seconds(byo_yomi.period), seconds(byo_yomi.period) * f64::from(byo_yomi.periods))
        });
        let a_ply = seconds(clock.increment) + seconds(clock.delay) + seconds(clock.margin) + byo_yomi.0;
        seats as f64 * (seconds(bank) + byo_yomi.1) + plies * a_ply
    });
    match (by_moves, by_banks) {
        (Some(moves), Some(banks)) => moves.min(banks),
        (one, other) => one.or(other).unwrap_or(0.0),
    }
}

/// How long a game takes at most, in seconds.
fn worst_case(clock: &TimeControl, seats: usize, plies: u64) -> f64 {
    let outside = clock.startup.unwrap_or_default() + END_GRACE;
    outside.0 as f64 / 1e9 + time_of_clocks(clock, seats, plies) + plies as f64 * PLY.as_secs_f64()
}

/// How long a game may take, in seconds, if bots use half of their time.
fn guess(clock: &TimeControl, seats: usize, plies: u64) -> f64 {
    START.as_secs_f64() + plies as f64 * PLY.as_secs_f64() + time_of_clocks(clock, seats, plies) / 2.0
}

/// What a game takes on the disk, in bytes.
fn disk(plies: u64) -> u64 {
    (LOG_BYTES + plies * PLY_BYTES).next_multiple_of(BLOCK) + JOURNAL_BYTES
}

fn time(seconds: f64) -> String {
    Duration::try_from_secs_f64(seconds).map_or("for ever".to_owned(), duration)
}

/// A size in the largest unit that leaves a number above 1.
fn size(bytes: u64) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB"];
    let mut number = bytes as f64;
    let mut unit = 0;
    while number >= 1000.0 && unit + 1 < units.len() {
        number /= 1000.0;
        unit += 1;
    }
    if number < 10.0 && unit > 0 {
        format!("{number:.1} {}", units[unit])
    } else {
        format!("{number:.0} {}", units[unit])
    }
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str, move_limit: Option<u64>) -> TimeControl {
        let mut clock = TimeControl { move_limit: move_limit.map(Span::from_secs), ..TimeControl::default() };
        clock.set_clock(text).unwrap();
        clock.guarded()
    }

    #[test]
    fn the_worst_case_is_what_the_clocks_leave() {
        let time = |text, limit| time_of_clocks(&clock(text, limit), 2, 100);
        assert_eq!(time("10s+1s", None), 2.0 * 10.0 + 100.0);
        assert_eq!(time("10s+1s", Some(1)), 100.0);
        assert_eq!(time("10s/d2s", None), 20.0 + 200.0);
        assert_eq!(time("10s/3x30s", None), 2.0 * (10.0 + 90.0) + 3000.0);
        assert_eq!(time("unlimited", None), 360_000.0);
        assert_eq!(time("unlimited", Some(2)), 200.0);
        let worst = worst_case(&clock("10s", None), 4, 100);
        assert!((worst - (10.0 + 0.1 + 40.0 + 0.01)).abs() < 1e-9, "{worst}");
    }

    #[test]
    fn sizes_can_be_read() {
        assert_eq!(
            [0, 999, 1000, 123_456, 7_650_000].map(size),
            ["0 bytes", "999 bytes", "1.0 kB", "123 kB", "7.7 MB"]
        );
        assert_eq!((disk(10), disk(20)), (4096 + 700, 8192 + 700));
    }
}
