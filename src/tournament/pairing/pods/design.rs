//! Which bots come together.
//!
//! Both designs are cyclic: some base groups, and each of them again with every bot replaced by the next one in the circle
//! of the field, as often as there are bots. So every bot is in as many meetings as every other, and has each place in a
//! group as often, by construction; and how often two bots meet depends on nothing but how far apart they are in the
//! circle.
//!
//! In the complete design, every group is a base group that does not come from another one by going around. A few of them
//! come back to themselves before they have gone all around, such as two pairs of opposite bots; these play as often as
//! it takes to come back, and have their seats dealt out apart.
//!
//! In the balanced design, base groups are changed, one bot at a time, as long as that brings the counts of the distances
//! closer together. There are as few of them as are found to let every pair meet at least once, and no pair more than
//! once more often than another: in one time around, every pair meets once or twice. A further time around is chosen in
//! the light of those before it.

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

/// The groups of one time around.
pub struct Around {
    /// Those in which every bot has every seat as often, each bot in its seat.
    pub seated: Vec<BySeat<Entrant>>,
    /// Those whose seats are not dealt out.
    pub unseated: Vec<BySeat<Entrant>>,
}

/// One time around after the other, without end.
pub struct Rounds {
    circle: Circle,
    design: Base,
}

/// Where the base groups come from.
enum Base {
    /// They are always the same: those that go all around, and those that come back before.
    Complete { whole: Vec<Vec<usize>>, short: Vec<Vec<usize>> },
    /// They are searched for each time, so many of them.
    Balanced(usize),
}

impl Rounds {
    pub fn new(field: usize, seats: usize, design: Option<Design>) -> Rounds {
        let design = match balanced(field, seats, design) {
            Some(base_groups) => Base::Balanced(base_groups),
            None => {
                let all = all_base_groups(field, seats).into_iter();
                let (whole, short) = all.partition(|group| way_back(group, field) == field);
                Base::Complete { whole, short }
            }
        };
        Rounds { circle: Circle::new(field, seats), design }
    }
}

impl Iterator for Rounds {
    type Item = Around;

    fn next(&mut self) -> Option<Around> {
        let field = self.circle.field;
        let turned =
            |group: &[usize], by| BySeat::collect(group.iter().map(|bot| Entrant(((bot + by) % field) as u16)));
        let all_around = |groups: &[Vec<usize>]| {
            in_leaps(field).flat_map(|by| groups.iter().map(move |group| turned(group, by))).collect()
        };
        let and_back = |group: &Vec<usize>| (0..way_back(group, field)).map(|by| turned(group, by)).collect::<Vec<_>>();
        Some(match &self.design {
            Base::Complete { whole, short } => {
                Around { seated: all_around(whole), unseated: short.iter().flat_map(and_back).collect() }
            }
            Base::Balanced(base_groups) => {
                let base = self.circle.best(*base_groups);
                self.circle.add(&base);
                Around { seated: all_around(&base), unseated: Vec::new() }
            }
        })
    }
}

/// All steps around the circle, in such an order that those near to each other are far apart: so everybody plays early and
/// late.
fn in_leaps(field: usize) -> impl Iterator<Item = usize> {
    let shares = |leap: usize| (2..=leap).any(|by| leap.is_multiple_of(by) && field.is_multiple_of(by));
    // Near the golden section.
    let leap = (field * 5 / 8..).find(|&leap| leap > 0 && !shares(leap)).expect("some primes do not divide it");
    (0..field).map(move |place| place * leap % field)
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
    let circle = Circle::new(field, seats);
    let enough = (least..).find(|&base_groups| circle.after(&circle.best(base_groups)).is_even());
    enough.filter(|base_groups| ((field * base_groups) as u64) < everything)
}

/// How many base groups have as many pairs as there are.
fn fewest_base_groups(field: usize, seats: usize) -> usize {
    (field - 1).div_ceil(seats * (seats - 1))
}

/// One of each groups that come from each other by going around: that whose gaps between neighbours are the first in
/// order.
fn all_base_groups(field: usize, seats: usize) -> Vec<Vec<usize>> {
    let mut groups = vec![vec![0]];
    for _ in 1..seats {
        let longer = |group: Vec<usize>| {
            let from = group[group.len() - 1] + 1;
            (from..field).map(move |bot| group.iter().copied().chain([bot]).collect())
        };
        groups = groups.into_iter().flat_map(longer).collect();
    }
    groups.retain(|group| {
        let gaps = gaps(group, field);
        (1..seats).all(|by| gaps <= [&gaps[by..], &gaps[..by]].concat())
    });
    groups
}

/// How many steps each bot of a group is from the next one, all around.
fn gaps(group: &[usize], field: usize) -> Vec<usize> {
    let next = group.iter().skip(1).copied().chain([field + group[0]]);
    group.iter().zip(next).map(|(bot, next)| next - bot).collect()
}

/// After how many steps a base group is the same again.
fn way_back(group: &[usize], field: usize) -> usize {
    let gaps = gaps(group, field);
    let turns = (1..gaps.len()).find(|&by| gaps == [&gaps[by..], &gaps[..by]].concat());
    turns.map_or(field, |by| gaps[..by].iter().sum())
}

/// Binomial coefficients; the largest number where they are larger.
fn choose(from: usize, count: usize) -> u64 {
    let step = |product: u128, place: usize| product * (from - place) as u128 / (place as u128 + 1);
    u64::try_from((0..count).fold(1, step)).unwrap_or(u64::MAX)
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
