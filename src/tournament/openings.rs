//! Openings: moves that are played before the first question, so that games without luck differ.
//!
//! They are read from a list, or drawn from the master seed. An opening is a row of moves with no chance step between
//! them: what luck decides is decided by each game's own luck, and a move behind it could be illegal in one game and
//! not in the next. So where a game begins with luck, there are no openings.
//!
//! Drawn openings are distinct by the position that they lead to, and nobody has won or is stuck in one. They can be
//! weighed besides: whoever knows bots says how the seats fare when one of them plays on against itself
//! ([`Weighing`]), and an opening that one seat nearly always wins or loses from is drawn anew, within bounds. Such an
//! opening is not unfair, for every order of seats is played from it; it only shows nothing.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use crate::chance::{Draws, Purpose, Seed, Streams};
use crate::game::{PASS, Turn};
use crate::seat::BySeat;
use crate::table::{GameName, Table};

/// The most share of the points that can be had, in thousandths, that a seat may reach from a drawn opening; and as much
/// above nothing is the least. A bot that plays on twelve times and wins eleven times is above it; from a level position
/// that happens once in 160 times.
pub const MOST_SHARE: u32 = 850;

/// How many positions are looked at for each opening that is wanted, before fewer than wanted, or unbalanced ones, are
/// taken for all that there is.
pub const TRIES_EACH: usize = 20;

/// The most openings that can be drawn or read.
pub const MOST_OPENINGS: usize = 100_000;

/// How many positions are held at most until they are weighed.
const BATCH: usize = 1000;

/// The most plies of an opening.
pub const MOST_PLIES: u32 = 1000;

/// How many random games are played to see whether there is luck in them.
const LOOKED_FOR_LUCK: usize = 4;

/// The game that openings are for.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The game.
    pub game: GameName,
    /// Its options, a JSON object.
    pub options: &'a str,
    /// How many play.
    pub seats: usize,
}

/// What is asked for of openings that are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drawing {
    /// How many plies each has.
    pub plies: u32,
    /// How many there are, all of them different.
    pub count: u32,
    /// Whether those that favour a seat too much are drawn anew.
    pub balance: bool,
}

/// Says how the seats fare from a position: the points of each in thousandths of all that it can have.
pub type Weigh<'a> = dyn Fn(&[String]) -> BySeat<u32> + Sync + 'a;

/// How drawn openings are weighed.
#[derive(Clone, Copy)]
pub struct Weighing<'a> {
    /// What weighs them.
    pub weigh: &'a Weigh<'a>,
    /// How many threads do it at once, which changes nothing in what comes of it.
    pub threads: usize,
}

/// Why there are no such openings.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadOpenings {
    /// A line of a list that is no opening.
    #[error("{line}: {words}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it, and what to do.
        words: String,
    },
    /// A list without openings.
    #[error("there is no opening in it: write one a line, its moves separated by blanks")]
    Empty,
    /// More than are ever needed.
    #[error("there are more than {MOST_OPENINGS} openings in it: take some away")]
    TooMany,
    /// A game that begins with luck.
    #[error("{0} begins with luck, so no opening can be known beforehand, and none is needed: leave [openings] out")]
    Luck(GameName),
    /// There are not so many.
    #[error("only {found} openings of {plies} plies were found that differ: take a smaller `count`, or more `plies`")]
    TooFew {
        /// How many were found.
        found: usize,
        /// How many plies they have.
        plies: u32,
    },
}

/// Openings that were drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// Them, each a row of moves separated by blanks.
    pub openings: Vec<String>,
    /// How many were drawn and favoured a seat too much.
    pub unbalanced: usize,
    /// How many of those were taken all the same, for want of better ones.
    pub taken_unbalanced: usize,
}

impl Setting<'_> {
    /// The game at its beginning.
    ///
    /// # Panics
    /// If the options cannot be played with: they were tried before.
    pub fn table(&self) -> Box<dyn Table> {
        self.game.open(self.options, self.seats).expect("the options were tried")
    }

    /// Whether luck decided anything in some random games.
    ///
    /// # Panics
    /// As [`table`](Setting::table).
    pub fn has_luck(&self) -> bool {
        let mut streams = Streams::new(Seed::from_text("is there luck"));
        (0..LOOKED_FOR_LUCK).any(|_| {
            let mut table = self.table();
            loop {
                match table.turn() {
                    Turn::Over(_) => return false,
                    Turn::Chance => return true,
                    Turn::Seat(_) => {
                        let legal = table.legal();
                        let drawn = streams.of(Purpose::Opening).below(legal.len() as u32) as usize;
                        table.play(&legal[drawn]).expect("it is legal");
                    }
                }
            }
        })
    }
}

/// Reads a list of openings: one a line, its moves separated by blanks; `#` begins a comment.
///
/// # Errors
/// The first line that cannot be played, and why.
pub fn read(text: &str, setting: Setting) -> Result<Vec<String>, BadOpenings> {
    let mut openings: Vec<String> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for (number, line) in text.lines().enumerate() {
        let moves: Vec<&str> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
        if moves.is_empty() {
            continue;
        }
        if openings.len() == MOST_OPENINGS {
            return Err(BadOpenings::TooMany);
        }
        let wrong = |words: String| BadOpenings::Line { line: number + 1, words };
        let opening = checked(&moves, setting).map_err(wrong)?;
        if let Some(other) = known.insert(opening.clone(), number + 1) {
            return Err(wrong(format!("this opening stands in line {other} already: take one of them away")));
        }
        openings.push(opening);
    }
    if openings.is_empty() { Err(BadOpenings::Empty) } else { Ok(openings) }
}

/// The moves as the game writes them, if they can be played one after another with nobody else to decide.
fn checked(moves: &[&str], setting: Setting) -> Result<String, String> {
    if moves.len() > MOST_PLIES as usize {
        return Err(format!("an opening has at most {MOST_PLIES} moves, and this one has {}", moves.len()));
    }
    let mut table = setting.table();
    let mut played: Vec<String> = Vec::new();
    for (index, token) in moves.iter().enumerate() {
        let at = |words: &str| format!("move {} of the opening, “{token}”: {words}", index + 1);
        match table.turn() {
            Turn::Seat(_) => {}
            Turn::Chance if index == 0 => return Err(BadOpenings::Luck(setting.game).to_string()),
            Turn::Chance => return Err(at("luck decides before it, so it may not be legal; end the opening before")),
            Turn::Over(_) => return Err(at("the game is over before it; leave it and the last move before it out")),
        }
        played.push(table.play(token).map_err(|refusal| at(&refusal.to_string()))?.to_string());
    }
    match table.turn() {
        Turn::Over(_) => Err("this opening plays the game to its end: leave its last move out".to_owned()),
        Turn::Seat(_) | Turn::Chance => Ok(played.join(" ")),
    }
}

/// Draws openings from the seed of a tournament's openings, the same ones each time: each ply is one of the legal moves
/// after which neither luck decides nor a seat can only pass nor the game is over, every one of them as likely.
///
/// # Errors
/// When the game begins with luck, or there are not so many openings.
pub fn draw(
    seed: Seed,
    setting: Setting,
    plies: u32,
    count: usize,
    weighing: Option<Weighing>,
) -> Result<Drawn, BadOpenings> {
    if setting.table().turn() == Turn::Chance {
        return Err(BadOpenings::Luck(setting.game));
    }
    let mut streams = Streams::new(seed);
    let draws = streams.of(Purpose::Opening);
    let mut known = std::collections::HashSet::new();
    let mut walks = (0..count.saturating_mul(TRIES_EACH))
        .filter_map(|_| walk(draws, setting, plies))
        .filter_map(|(moves, position)| known.insert(position).then_some(moves));
    let mut openings = Vec::with_capacity(count);
    // By how much they favour a seat, and then in the order in which they were drawn.
    let mut unbalanced: BTreeMap<(u32, usize), String> = BTreeMap::new();
    while openings.len() < count {
        // No more than are missing, so that none is weighed for nothing.
        let batch: Vec<Vec<String>> = walks.by_ref().take((count - openings.len()).min(BATCH)).collect();
        if batch.is_empty() {
            break;
        }
        let leads = weighing.map_or_else(|| vec![0; batch.len()], |weighing| weighing.leads(&batch));
        for (moves, lead) in batch.iter().zip(leads) {
            match moves.join(" ") {
                moves if lead > lead_of(MOST_SHARE) => drop(unbalanced.insert((lead, unbalanced.len()), moves)),
                moves => openings.push(moves),
            }
        }
    }
    let found = openings.len() + unbalanced.len();
    if found < count {
        return Err(BadOpenings::TooFew { found, plies });
    }
    let rejected = unbalanced.len();
    let missing = count - openings.len();
    openings.extend(unbalanced.into_values().take(missing));
    Ok(Drawn { openings, unbalanced: rejected, taken_unbalanced: missing })
}

impl Weighing<'_> {
    /// By how much each of these rows of moves favours a seat.
    fn leads(&self, batch: &[Vec<String>]) -> Vec<u32> {
        let leads: Vec<AtomicU32> = batch.iter().map(|_| AtomicU32::new(0)).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(moves) = batch.get(index) else { return };
                leads[index].store(lead(&(self.weigh)(moves)), Ordering::Relaxed);
            }
        };
        std::thread::scope(|scope| {
            // Where the system refuses one, those that there are do all.
            let others = 1..self.threads.min(batch.len());
            let _others: Vec<_> =
                others.map_while(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
            work();
        });
        leads.into_iter().map(AtomicU32::into_inner).collect()
    }
}

/// By how much the seat that is furthest from half of the points is away from it.
fn lead(points: &BySeat<u32>) -> u32 {
    points.iter().copied().map(lead_of).max().unwrap_or(0)
}

fn lead_of(share: u32) -> u32 {
    share.abs_diff(500)
}

/// A row of random moves and the hash of where it leads; none where it came to a place without a further one.
fn walk(draws: &mut Draws, setting: Setting, plies: u32) -> Option<(Vec<String>, u64)> {
    let mut table = setting.table();
    let mut moves = Vec::with_capacity(plies as usize);
    for _ in 0..plies {
        let (token, next) = step(draws, table.as_ref())?;
        moves.push(token);
        table = next;
    }
    Some((moves, table.hash()))
}

/// One random move that can be part of an opening. Where a move cannot, it is put aside and another one is drawn, so
/// that few positions are looked at.
fn step(draws: &mut Draws, table: &dyn Table) -> Option<(String, Box<dyn Table>)> {
    let mut legal = table.legal();
    while !legal.is_empty() {
        let token = legal.remove(draws.below(legal.len() as u32) as usize);
        let mut next = table.copy();
        next.play(&token).expect("it is legal");
        let stuck = || next.count_legal() == 1 && next.legal()[0].as_str() == PASS;
        if matches!(next.turn(), Turn::Seat(_)) && !stuck() {
            return Some((token.to_string(), next));
        }
    }
    None
}
