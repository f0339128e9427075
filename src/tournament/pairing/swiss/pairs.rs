//! The pairs of a round, score group by score group from the top.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use integer_blossom::min_weight_perfect_matching;

use super::cost::{Cost, Level};
use super::history::{Float, History, Player};
use super::seats::{self, Preference, Strength};
use crate::tournament::Entrant;

/// The field in the order of its points, who is seeded first before others with as many.
pub struct Table<'a> {
    history: &'a History,
    rows: Vec<Row<'a>>,
}

/// A bot in the table.
struct Row<'a> {
    player: &'a Player,
    /// Which seat it should have, where that matters.
    preference: Option<Preference>,
}

/// Two rows of the table, the higher first. The lower one may be that behind the last, where nobody stands: whoever is
/// paired with that has the bye.
pub type Pair = (usize, usize);

impl Table<'_> {
    /// Orders the field, without those who are out.
    pub fn of<'a>(history: &'a History, out: &BTreeSet<Entrant>, seats_matter: bool) -> Table<'a> {
        let row = |player| Row { player, preference: seats::preference(player).filter(|_| seats_matter) };
        let inside = history.players.iter().filter(|player| !out.contains(&player.bot));
        let mut rows: Vec<Row> = inside.map(row).collect();
        // A stable sort: the order of the field among equals.
        rows.sort_by_key(|row| Reverse(row.player.score));
        Table { history, rows }
    }

    /// The pairs in the order of their higher bots; one bot of an odd field has no rival.
    pub fn pairs(&self) -> Vec<(&Player, Option<&Player>)> {
        let mut pairs = self.rows_paired();
        pairs.sort_unstable();
        let player = |row: usize| self.rows.get(row).map(|row| row.player);
        pairs.into_iter().map(|(higher, lower)| (self.rows[higher].player, player(lower))).collect()
    }

    fn rows_paired(&self) -> Vec<Pair> {
        let mut pairing =
            Pairing { table: self, open: (0..self.rows.len().next_multiple_of(2)).collect(), pairs: Vec::new() };
        let mut from = 0;
        for group in self.rows.chunk_by(|one, other| one.player.score == other.player.score) {
            let group = from..from + group.len();
            from = group.end;
            pairing.pair_floated(&group);
            pairing.pair_halves(&group);
        }
        // One bot is left in an odd field, and nobody.
        if let [last, nobody] = pairing.open[..] {
            pairing.pairs.push((last, nobody));
        }
        assert_eq!(pairing.pairs.len(), self.rows.len().div_ceil(2), "everybody is paired");
        pairing.pairs
    }

    /// What it costs to pair these two, whoever else is paired. Of all ways to pair the round, the one that is found has
    /// the least sum of these.
    fn cost(&self, (higher, lower): Pair) -> Cost {
        let higher = &self.rows[higher];
        let Some(lower) = self.rows.get(lower) else {
            let bye = (i64::from(higher.player.byes) << 40) + higher.player.score as i64;
            return Cost::default().with(Level::Bye, bye);
        };
        let met = i64::from(self.history.met(higher.player.bot, lower.player.bot));
        let points = (higher.player.score - lower.player.score) as i64;
        let denied = seats::denied(higher.preference, lower.preference);
        Cost::default()
            .with(Level::Rematch, if met > 0 { (1 << 32) + met } else { 0 })
            .with(Level::Points, points.pow(2))
            .with(Level::SameSeat, i64::from(denied == Some(Strength::Absolute)))
    }

    /// What it costs beyond that while the score group that ends at `end` is paired.
    fn cost_in_group(&self, end: usize, pair: Pair) -> Cost {
        let (higher, lower) = (&self.rows[pair.0], self.rows.get(pair.1));
        let cost = self.cost(pair);
        if pair.0 >= end {
            return cost;
        }
        let floats =
            |float| move |row: &Row, back| i64::from(row.player.floats.iter().rev().nth(back) == Some(&Some(float)));
        let (down, up) = (floats(Float::Down), floats(Float::Up));
        match lower.filter(|_| pair.1 < end) {
            None => cost
                .with(Level::Floaters, (1 << 32) + higher.player.score as i64)
                .with(Level::FloatAgain, counts([down(higher, 0), 0, down(higher, 1), 0])),
            Some(lower) if higher.player.score > lower.player.score => cost
                .with(Level::Seats, cost_of_seats(higher, lower))
                .with(Level::FloatAgain, counts([down(higher, 0), up(lower, 0), down(higher, 1), up(lower, 1)])),
            Some(lower) => cost.with(Level::Seats, cost_of_seats(higher, lower)),
        }
    }
}

fn cost_of_seats(one: &Row, other: &Row) -> i64 {
    match seats::denied(one.preference, other.preference) {
        None => 0,
        Some(Strength::Mild) => counts([0, 0, 1, 0]),
        Some(Strength::Strong | Strength::Absolute) => counts([0, 0, 1, 1]),
    }
}

/// Several counts of bots in one number, the first of which matters most.
fn counts(counts: [i64; 4]) -> i64 {
    counts.iter().fold(0, |number, count| (number << 15) + count)
}

/// A round that is being paired.
struct Pairing<'a> {
    table: &'a Table<'a>,
    /// Who is not paired yet, from the top of the table to its bottom.
    open: Vec<usize>,
    pairs: Vec<Pair>,
}

impl Pairing<'_> {
    /// Pairs those who floated down to this group, as far as they meet somebody in it: the highest of them meets the
    /// highest of the group that it can, and so on.
    fn pair_floated(&mut self, group: &Range<usize>) {
        let floated: Vec<usize> = self.open.iter().copied().take_while(|row| *row < group.start).collect();
        if floated.is_empty() {
            return;
        }
        let digits = Digits::of_base(group.len());
        let order = |(higher, lower): Pair, cost: Cost| match floated.binary_search(&higher) {
            // Who floats on is worse off than with the last of the group.
            Ok(place) if lower >= group.start => {
                cost.with(Level::Rivals, digits.digit(place, lower.min(group.end) - group.start))
            }
            _ => cost,
        };
        let cheapest = self.cheapest(group.end, order);
        self.decide(cheapest.into_iter().filter(|pair| pair.0 < group.start && pair.1 < group.end).collect());
    }

    /// Pairs the others of this group with each other, all but those who float: the top half of them meets the bottom
    /// half, in the order of the table.
    fn pair_halves(&mut self, group: &Range<usize>) {
        let rest: Vec<usize> = self.open.iter().copied().filter(|row| group.contains(row)).collect();
        let all = rest.len() / 2;
        let mut pairs = self.halves_paired(group, &rest, all);
        // What matters more may make more of them float than the one of an odd number; the halves are smaller then.
        if pairs.len() < all {
            pairs = self.halves_paired(group, &rest, pairs.len());
        }
        self.decide(pairs);
    }

    fn halves_paired(&self, group: &Range<usize>, rest: &[usize], half: usize) -> Vec<Pair> {
        if half == 0 {
            return Vec::new();
        }
        let halves = Halves::of(half);
        let order = |(higher, lower): Pair, cost: Cost| match (rest.binary_search(&higher), rest.binary_search(&lower))
        {
            (Ok(higher), Ok(lower)) => halves.cost_of_pair((higher, lower), cost),
            (Ok(higher), Err(_)) if lower >= group.end => halves.cost_of_floating(higher, cost),
            _ => cost,
        };
        let mut pairs = self.cheapest(group.end, order);
        pairs.retain(|pair| group.contains(&pair.0) && group.contains(&pair.1));
        pairs
    }

    /// The cheapest pairs of all who are open, while the group that ends at `end` orders its own like this.
    fn cheapest(&self, end: usize, order: impl Fn(Pair, Cost) -> Cost) -> Vec<Pair> {
        let count = self.open.len();
        let mut costs = vec![Cost::default(); count * count];
        for (column, &lower) in self.open.iter().enumerate() {
            for (row, &higher) in self.open[..column].iter().enumerate() {
                costs[row * count + column] = order((higher, lower), self.table.cost_in_group(end, (higher, lower)));
            }
        }
        let mates = min_weight_perfect_matching(&costs, count).into_iter().enumerate();
        mates.filter(|(place, mate)| place < mate).map(|(place, mate)| (self.open[place], self.open[mate])).collect()
    }

    fn decide(&mut self, pairs: Vec<Pair>) {
        self.open.retain(|row| !pairs.iter().any(|pair| pair.0 == *row || pair.1 == *row));
        self.pairs.extend(pairs);
    }
}

/// The two halves of a group.
struct Halves {
    /// How many there are in each; who stands below both floats.
    half: usize,
    digits: Digits,
}

impl Halves {
    fn of(half: usize) -> Halves {
        Halves { half, digits: Digits::of_base(half + 2) }
    }

    /// What a pair costs more, by the places of its bots in the group.
    fn cost_of_pair(&self, (higher, lower): Pair, cost: Cost) -> Cost {
        let half = self.half;
        // As few as possible change halves, and they come from near the middle.
        let exchanges =
            if higher >= half { (1 << 32) + (higher + 1 - half) as i64 } else { half.saturating_sub(lower) as i64 };
        cost.with(Level::Exchanges, exchanges)
            .with(Level::Rivals, self.digits.digit(higher, (lower + 1).saturating_sub(half)))
            .with(Level::Apart, (lower as i64 - higher as i64 - half as i64).pow(2))
    }

    /// What it costs more that the bot in this place floats: in the top half, it is exchanged for one of the bottom half.
    fn cost_of_floating(&self, place: usize, cost: Cost) -> Cost {
        cost.with(Level::Exchanges, self.half.saturating_sub(place) as i64)
    }
}

/// Numbers as long as an `i64` can hold, the first digits of which matter most.
struct Digits {
    bits: usize,
    places: usize,
}

impl Digits {
    /// With digits from 0 to `base`.
    fn of_base(base: usize) -> Digits {
        let bits = (usize::BITS - base.leading_zeros()) as usize;
        // The matching doubles these numbers, and adds up those of several pairs.
        Digits { bits, places: 50 / bits }
    }

    /// This digit in this place, from 0; nothing where a number does not have so many.
    fn digit(&self, place: usize, digit: usize) -> i64 {
        if place < self.places { (digit as i64) << (self.bits * (self.places - 1 - place)) } else { 0 }
    }
}
