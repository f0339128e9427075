//! In which order bots stand, and who shares a rank.
//!
//! Each format has a list of criteria. Bots that are equal by the first are told apart by the second, and so on; those
//! that are equal by all share their rank, and are listed in the order of the field. Whoever is disqualified stands
//! behind all others in every format; what was played against it counts.

use std::cmp::Reverse;

use super::knockout::Reached;
use super::rows::Row;
use crate::tournament::Entrant;
use crate::tournament::pairing::KindName;
use crate::tournament::ratings::pairs::Duel;

/// What bots are ordered by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Criterion {
    /// How far a bot came.
    Stage,
    /// Points.
    Points,
    /// The share of the points that there were to win, for fields in which some play more games than others.
    Score,
    /// Points in the games of those who are still level, if each two of them met, and equally often.
    HeadToHead,
    /// The points of all rivals.
    Buchholz,
    /// The points of the rivals that were beaten.
    SonnebornBerger,
    /// How many rivals were beaten.
    Wins,
}

impl Criterion {
    /// The criteria of a format, the first one first.
    pub const fn of(kind: KindName) -> &'static [Criterion] {
        use Criterion::*;
        match kind {
            KindName::RoundRobin | KindName::Pods => &[Points, HeadToHead, SonnebornBerger, Wins],
            KindName::Gauntlet => &[Score, HeadToHead, Wins],
            KindName::Swiss => &[Points, Buchholz, SonnebornBerger, HeadToHead, Wins],
            KindName::Knockout => &[Stage],
            KindName::Match => &[Points],
        }
    }

    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Criterion::Stage => "stage",
            Criterion::Points => "points",
            Criterion::Score => "score",
            Criterion::HeadToHead => "head_to_head",
            Criterion::Buchholz => "buchholz",
            Criterion::SonnebornBerger => "sonneborn_berger",
            Criterion::Wins => "wins",
        }
    }

    /// What it is called in words.
    pub const fn words(self) -> &'static str {
        match self {
            Criterion::Stage => "stage reached",
            Criterion::Points => "points",
            Criterion::Score => "share of the points",
            Criterion::HeadToHead => "games against each other",
            Criterion::Buchholz => "Buchholz",
            Criterion::SonnebornBerger => "Sonneborn-Berger",
            Criterion::Wins => "wins",
        }
    }
}

/// Orders the rows, the best first, and gives each its rank. `between` is the duel of two bots, as the first sees it.
pub(super) fn rank(rows: &mut Vec<Row>, kind: KindName, between: &dyn Fn(Entrant, Entrant) -> Option<Duel>) {
    let (out, inside): (Vec<Row>, Vec<Row>) = rows.drain(..).partition(|row| row.is_disqualified);
    let mut before = 0;
    for group in [inside, out] {
        for mut level in levels(group, Criterion::of(kind), between) {
            level.iter_mut().for_each(|row| row.rank = before + 1);
            before += level.len();
            rows.append(&mut level);
        }
    }
}

/// Groups of rows that no criterion tells apart, the best first.
fn levels(
    mut group: Vec<Row>,
    criteria: &[Criterion],
    between: &dyn Fn(Entrant, Entrant) -> Option<Duel>,
) -> Vec<Vec<Row>> {
    let Some((criterion, rest)) = criteria.split_first() else {
        group.sort_by_key(|row| row.entrant);
        return if group.is_empty() { vec![] } else { vec![group] };
    };
    if group.len() < 2 {
        return levels(group, &[], between);
    }
    let mut keyed: Vec<(Key, Row)> = keys(&group, *criterion, between).into_iter().zip(group).collect();
    keyed.sort_by_key(|(key, _)| Reverse(*key));
    let mut found = Vec::new();
    let mut level: Vec<(Key, Row)> = Vec::new();
    for (key, row) in keyed {
        if level.last().is_some_and(|(last, _)| *last != key) {
            let rows = std::mem::take(&mut level).into_iter().map(|(_, row)| row).collect();
            found.extend(levels(rows, rest, between));
        }
        level.push((key, row));
    }
    found.extend(levels(level.into_iter().map(|(_, row)| row).collect(), rest, between));
    found
}

/// What a criterion compares: more is better. A share is compared exactly, as a fraction.
#[derive(Clone, Copy, Debug)]
struct Key {
    count: u64,
    of: u64,
}

impl Key {
    fn whole(count: u64) -> Key {
        Key { count, of: 1 }
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> std::cmp::Ordering {
        (u128::from(self.count) * u128::from(other.of)).cmp(&(u128::from(other.count) * u128::from(self.of)))
    }
}

fn keys(group: &[Row], criterion: Criterion, between: &dyn Fn(Entrant, Entrant) -> Option<Duel>) -> Vec<Key> {
    let each = |value: &dyn Fn(&Row) -> u64| group.iter().map(|row| Key::whole(value(row))).collect();
    match criterion {
        Criterion::Stage => each(&|row| row.reached.map_or(0, Reached::worth)),
        Criterion::Points => each(&|row| row.points.0),
        Criterion::Buchholz => each(&|row| row.buchholz.0),
        Criterion::SonnebornBerger => each(&|row| row.sonneborn_berger),
        Criterion::Wins => each(&|row| row.tally.wins),
        Criterion::Score => {
            let share = |row: &Row| Key { count: row.tally.half_points(), of: 2 * row.tally.games() };
            // Nothing won of nothing is the least that there is.
            group.iter().map(|row| if row.games == 0 { Key::whole(0) } else { share(row) }).collect()
        }
        Criterion::HeadToHead => head_to_head(group, between),
    }
}

fn head_to_head(group: &[Row], between: &dyn Fn(Entrant, Entrant) -> Option<Duel>) -> Vec<Key> {
    let mut won = vec![0; group.len()];
    let mut games = None;
    for (place, own) in group.iter().enumerate() {
        for rival in group.iter().filter(|rival| rival.entrant != own.entrant) {
            let tally = between(own.entrant, rival.entrant).unwrap_or_default().games;
            if tally.games() == 0 || *games.get_or_insert(tally.games()) != tally.games() {
                return vec![Key::whole(0); group.len()];
            }
            won[place] += tally.half_points();
        }
    }
    won.into_iter().map(Key::whole).collect()
}
