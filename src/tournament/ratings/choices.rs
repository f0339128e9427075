//! Games as choices: what they say about strength, counted exactly.
//!
//! In the model of Plackett and Luce a ranking is a row of choices: the best of all, then the best of those left, and so
//! on; a bot is chosen with a probability in proportion to its strength. With two seats that is the model of Bradley and
//! Terry.
//!
//! **Ties.** Bots that tie could have come in any order, and each order counts alike: the choices of a game are the
//! average over all strict orders that fit its ranks. With two seats a draw is half a win each way.
//!
//! All counts are whole numbers of [`PARTS`], so that sums are exact and the order of the games cannot matter.

use std::collections::BTreeMap;

use arrayvec::ArrayVec;

use crate::seat::MAX_SEATS;
use crate::tournament::Entrant;

/// Into how many parts a choice is divided where bots tie: enough for every average over the orders of four.
pub const PARTS: u64 = 12;

/// Bots among which one was chosen, in order.
pub type Among = ArrayVec<Entrant, MAX_SEATS>;

/// What games say about strength.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Choices {
    /// How often each bot was chosen, in parts.
    pub chosen: BTreeMap<Entrant, u64>,
    /// How often there was a choice among these, in parts.
    pub among: BTreeMap<Among, u64>,
}

impl Choices {
    /// Takes in games that were decided: who played, each with its rank, and how often it came out so.
    pub fn add(&mut self, players: impl IntoIterator<Item = (Entrant, u8)>, times: u64) {
        let mut levels: BTreeMap<u8, Among> = BTreeMap::new();
        players.into_iter().for_each(|(entrant, rank)| levels.entry(rank).or_default().push(entrant));
        let mut behind = Among::new();
        for level in levels.into_values().rev() {
            self.add_level(&level, &behind, times);
            behind.extend(level);
        }
    }

    /// Bots that tie, ahead of others: after each number of them that may have been chosen already, one more is.
    fn add_level(&mut self, level: &Among, behind: &Among, times: u64) {
        for gone in 0..level.len() {
            if level.len() - gone + behind.len() < 2 {
                continue;
            }
            for &entrant in level {
                *self.chosen.entry(entrant).or_default() += times * PARTS / level.len() as u64;
            }
            let subsets: Vec<u32> =
                (0..1u32 << level.len()).filter(|subset| subset.count_ones() as usize == gone).collect();
            for subset in &subsets {
                let is_left = |&(place, _): &(usize, &Entrant)| subset & 1 << place == 0;
                let left = level.iter().enumerate().filter(is_left).map(|(_, &entrant)| entrant);
                let mut among: Among = left.chain(behind.iter().copied()).collect();
                among.sort_unstable();
                *self.among.entry(among).or_default() += times * PARTS / subsets.len() as u64;
            }
        }
    }

    /// The groups of bots that games connect, the largest first, and of equal ones that with the first bot of the field.
    pub fn groups(&self) -> Vec<Vec<Entrant>> {
        let mut home: BTreeMap<Entrant, Entrant> = BTreeMap::new();
        for among in self.among.keys() {
            let first = root(&home, among[0]);
            for &entrant in among {
                let other = root(&home, entrant);
                home.insert(first.max(other), first.min(other));
                home.entry(entrant).or_insert(first.min(other));
            }
        }
        let mut groups: BTreeMap<Entrant, Vec<Entrant>> = BTreeMap::new();
        for &entrant in home.keys() {
            groups.entry(root(&home, entrant)).or_default().push(entrant);
        }
        let mut groups: Vec<Vec<Entrant>> = groups.into_values().collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        groups
    }
}

/// The first bot of the group that this one is known to be in.
fn root(home: &BTreeMap<Entrant, Entrant>, mut entrant: Entrant) -> Entrant {
    while let Some(&up) = home.get(&entrant).filter(|&&up| up != entrant) {
        entrant = up;
    }
    entrant
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(games: &[(&[u16], &[u8])]) -> Choices {
        let mut choices = Choices::default();
        for (seats, ranks) in games {
            choices.add(seats.iter().map(|&bot| Entrant(bot)).zip(ranks.iter().copied()), 1);
        }
        choices
    }

    fn among(choices: &Choices, bots: &[u16]) -> u64 {
        let bots: Among = bots.iter().map(|&bot| Entrant(bot)).collect();
        choices.among.get(&bots).copied().unwrap_or(0)
    }

    #[test]
    fn a_win_is_one_choice_and_a_draw_half_of_one_each_way() {
        let choices = of(&[(&[3, 1], &[2, 1]), (&[1, 3], &[1, 1])]);
        assert_eq!(among(&choices, &[1, 3]), 24);
        assert_eq!(choices.chosen, BTreeMap::from([(Entrant(1), 18), (Entrant(3), 6)]));
    }

    #[test]
    fn four_in_a_row_are_three_choices() {
        let choices = of(&[(&[0, 1, 2, 3], &[4, 3, 2, 1])]);
        for bots in [&[0, 1, 2, 3][..], &[0, 1, 2], &[0, 1]] {
            assert_eq!(among(&choices, bots), 12);
        }
        assert_eq!(choices.among.len(), 3);
        assert_eq!(choices.chosen, BTreeMap::from([(Entrant(1), 12), (Entrant(2), 12), (Entrant(3), 12)]));
    }

    #[test]
    fn ties_are_the_average_over_all_orders() {
        // Each strict order that fits, with its share, taken in on its own.
        let every_order: Vec<Vec<u8>> = (0..256u32)
            .map(|code| (0..4).map(|seat| (code >> (2 * seat) & 3) as u8 + 1).collect())
            .filter(|ranks: &Vec<u8>| (1..=4).all(|rank| ranks.contains(&rank)))
            .collect();
        assert_eq!(every_order.len(), 24);
        for ranks in [[1, 1, 1, 1], [1, 1, 1, 4], [1, 2, 2, 2], [1, 1, 3, 3], [2, 1, 2, 4], [3, 1, 2, 3]] {
            let fits = |order: &&Vec<u8>| (0..4).all(|a| (0..4).all(|b| ranks[a] >= ranks[b] || order[a] < order[b]));
            let orders: Vec<&Vec<u8>> = every_order.iter().filter(fits).collect();
            let mut sum = Choices::default();
            let seats = [5, 2, 9, 7].map(Entrant);
            orders.iter().for_each(|order| sum.add(seats.into_iter().zip(order.iter().copied()), 1));
            let mut tied = Choices::default();
            tied.add(seats.into_iter().zip(ranks), orders.len() as u64);
            assert_eq!(tied, sum, "{ranks:?}");
        }
    }

    #[test]
    fn bots_that_never_met_even_through_others_are_apart() {
        let choices = of(&[(&[4, 5], &[1, 2]), (&[0, 2], &[1, 2]), (&[7, 2], &[1, 2]), (&[8, 7], &[1, 1])]);
        let groups: Vec<Vec<u16>> =
            choices.groups().into_iter().map(|group| group.into_iter().map(|bot| bot.0).collect()).collect();
        assert_eq!(groups, [vec![0, 2, 7, 8], vec![4, 5]]);
        let joined = of(&[(&[0, 1], &[1, 2]), (&[2, 3], &[1, 2]), (&[3, 1], &[1, 2])]);
        assert_eq!(joined.groups().len(), 1);
    }
}
