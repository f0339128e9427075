//! Which bots come together.
//!
//! The balanced design is cyclic: a few base groups, and each of them again with every bot replaced by the next one, as
//! often as there are bots. So every bot is in as many meetings as every other, by construction, and how often two bots
//! meet depends on nothing but how far apart they are in the circle of the field. Base groups are changed, one bot at a
//! time, as long as that brings the counts of these distances closer together. There are as few of them as are found to
//! let every pair meet at least once, and no pair more than once more often than another: in one time around, every pair
//! meets once or twice. A further time around is chosen in the light of those before it.

use serde::{Deserialize, Serialize};

use crate::seat::BySeat;
use crate::tournament::Entrant;

/// Which bots come together in one time around.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Design {
    /// Every set of bots that fits a table. It is the usual design as long as it has no more than 500 meetings.
    Complete,
    /// As few of them as let everybody meet everybody. Where that is no less than everything, it is everything.
    Balanced,
}

/// The most meetings for which the complete design is taken unasked.
const FEW: u64 = 500;

/// How many beginnings are tried before there is one base group more.
const BEGINNINGS: usize = 40;

/// The groups of one time around after the other, without end.
pub enum Rounds {
    Complete(Vec<BySeat<Entrant>>),
    Balanced { circle: Circle, base_groups: usize },
}

impl Rounds {
    pub fn new(field: usize, seats: usize, design: Option<Design>) -> Rounds {
        match balanced(field, seats, design) {
            Some(base_groups) => Rounds::Balanced { circle: Circle::new(field, seats), base_groups },
            None => Rounds::Complete(complete(field, seats)),
        }
    }
}

impl Iterator for Rounds {
    type Item = Vec<BySeat<Entrant>>;

    fn next(&mut self) -> Option<Vec<BySeat<Entrant>>> {
        Some(match self {
            Rounds::Complete(groups) => groups.clone(),
            Rounds::Balanced { circle, base_groups } => {
                let base = circle.best(*base_groups);
                circle.add(&base);
                let field = circle.field;
                let turned =
                    |by| base.iter().map(move |group| BySeat::collect(group.iter().map(|bot| at((bot + by) % field))));
                (0..field).flat_map(turned).collect()
            }
        })
    }
}

/// How many meetings one time around has.
pub fn meetings(field: usize, seats: usize, design: Option<Design>) -> u64 {
    match balanced(field, seats, design) {
        Some(base_groups) => (field * base_groups) as u64,
        None => choose(field, seats),
    }
}

/// How many base groups the balanced design has, where that is the one to play.
fn balanced(field: usize, seats: usize, design: Option<Design>) -> Option<usize> {
    let everything = choose(field, seats);
    let least = fewest_base_groups(field, seats);
    let design = design.unwrap_or(if everything <= FEW { Design::Complete } else { Design::Balanced });
    if design == Design::Complete || (field * least) as u64 >= everything {
        return None;
    }
    // So large a field is refused, and need not be thought through.
    if (field * least) as u64 > crate::tournament::pairing::MOST_SETS {
        return Some(least);
    }
    let circle = Circle::new(field, seats);
    let enough = (least..).find(|&base_groups| circle.after(&circle.best(base_groups)).is_even());
    enough.filter(|base_groups| ((field * base_groups) as u64) < everything)
}

/// How many base groups have as many pairs as there are.
fn fewest_base_groups(field: usize, seats: usize) -> usize {
    (field - 1).div_ceil(seats * (seats - 1))
}

/// Every group there is, in such an order that everybody plays early and late.
fn complete(field: usize, seats: usize) -> Vec<BySeat<Entrant>> {
    let mut groups = vec![Vec::new()];
    for _ in 0..seats {
        let longer = |group: Vec<usize>| {
            let from = group.last().map_or(0, |last| last + 1);
            (from..field).map(move |bot| group.iter().copied().chain([bot]).collect())
        };
        groups = groups.into_iter().flat_map(longer).collect();
    }
    groups.sort_by_key(|group: &Vec<usize>| group.iter().sum::<usize>() % field);
    groups.into_iter().map(|group| BySeat::collect(group.into_iter().map(at))).collect()
}

/// Binomial coefficients; the largest number where they are larger.
fn choose(from: usize, count: usize) -> u64 {
    let step = |product: u128, place: usize| product * (from - place) as u128 / (place as u128 + 1);
    u64::try_from((0..count).fold(1, step)).unwrap_or(u64::MAX)
}

fn at(place: usize) -> Entrant {
    Entrant(place as u16)
}

/// The field in a circle, and how often bots meet that are so far apart in it.
#[derive(Clone)]
pub struct Circle {
    field: usize,
    seats: usize,
    /// By distance, from 0 (which nobody has to another) to half the field.
    met: Vec<u64>,
}

impl Circle {
    fn new(field: usize, seats: usize) -> Circle {
        Circle { field, seats, met: vec![0; field / 2 + 1] }
    }

    /// With what these base groups add.
    fn after(&self, base: &[Vec<usize>]) -> Circle {
        let mut after = self.clone();
        after.add(base);
        after
    }

    fn add(&mut self, base: &[Vec<usize>]) {
        for group in base {
            for (place, &bot) in group.iter().enumerate() {
                self.join(bot, &group[..place]);
            }
        }
    }

    /// Whether every pair has met, and none more than once more often than another.
    fn is_even(&self) -> bool {
        let counts = || self.met[1..].iter();
        counts().min() > Some(&0) && self.spread() <= 1
    }

    fn spread(&self) -> u64 {
        let counts = || self.met[1..].iter();
        counts().max().unwrap_or(&0) - counts().min().unwrap_or(&0)
    }

    /// The base groups, so many, that make the counts most even of those that are found.
    fn best(&self, base_groups: usize) -> Vec<Vec<usize>> {
        let mut best: Option<(u64, Vec<Vec<usize>>)> = None;
        // Large fields have so many distances that one beginning is as good as another.
        for beginning in 0..if self.field <= 200 { BEGINNINGS } else { 2 } {
            let (circle, base) = self.climbed(base_groups, beginning);
            let worse_than_even = if circle.is_even() { 0 } else { circle.spread().max(2) };
            if best.as_ref().is_none_or(|(least, _)| worse_than_even < *least) {
                best = Some((worse_than_even, base));
            }
            if worse_than_even == 0 {
                break;
            }
        }
        best.expect("there is a beginning").1
    }

    /// Base groups that no change of one bot makes more even.
    fn climbed(&self, base_groups: usize, beginning: usize) -> (Circle, Vec<Vec<usize>>) {
        let mut circle = self.clone();
        let mut base = Vec::new();
        for number in 1..=base_groups {
            let mut group = vec![0];
            while group.len() < self.seats {
                let bot = circle.cheapest(&group, beginning * number * group.len());
                circle.join(bot, &group);
                group.push(bot);
            }
            base.push(group);
        }
        let mut changed = true;
        while changed && !circle.is_even() {
            changed = false;
            for group in &mut base {
                for place in 0..group.len() {
                    let old = group.remove(place);
                    circle.leave(old, group);
                    let new = circle.cheapest(group, old);
                    let better = circle.cost(new, group) < circle.cost(old, group);
                    let bot = if better { new } else { old };
                    changed |= better;
                    circle.join(bot, group);
                    group.insert(place, bot);
                }
            }
        }
        (circle, base)
    }

    /// The bot that makes the counts most even when it joins a group; the first from `from` on, where several do.
    fn cheapest(&mut self, group: &[usize], from: usize) -> usize {
        let circle = (from..from + self.field).map(|bot| bot % self.field);
        let others: Vec<usize> = circle.filter(|bot| !group.contains(bot)).collect();
        others.into_iter().min_by_key(|&bot| self.cost(bot, group)).expect("the field is larger than a table")
    }

    /// By how much the sum of squares of what all pairs have met grows, for each two bots of the field.
    fn cost(&mut self, bot: usize, group: &[usize]) -> u64 {
        let mut cost = 0;
        for &other in group {
            let (distance, times) = self.between(bot, other);
            let pairs = if times == 2 { 1 } else { 2 };
            cost += pairs * (2 * self.met[distance] * times + times * times);
            self.met[distance] += times;
        }
        self.leave(bot, group);
        cost
    }

    fn join(&mut self, bot: usize, group: &[usize]) {
        for &other in group {
            let (distance, times) = self.between(bot, other);
            self.met[distance] += times;
        }
    }

    fn leave(&mut self, bot: usize, group: &[usize]) {
        for &other in group {
            let (distance, times) = self.between(bot, other);
            self.met[distance] -= times;
        }
    }

    /// How far apart two bots are, and how often two bots that far apart meet when the group of these goes around once:
    /// twice if they are opposite each other, for then they come back with their places swapped.
    fn between(&self, one: usize, other: usize) -> (usize, u64) {
        let way = one.abs_diff(other);
        let distance = way.min(self.field - way);
        (distance, if 2 * distance == self.field { 2 } else { 1 })
    }
}
