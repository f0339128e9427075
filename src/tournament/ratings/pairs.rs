//! Two bots against each other: games, and pairs of games from both sides of the same luck and opening.
//!
//! A pair is worth 0 to 4 half points to the first bot. What luck and opening give to one side, a pair gives to both, so
//! that its result varies less than that of two games apart: testers of chess engines call the five counts
//! *pentanomial*, and Elo and LLR from them need fewer games than from wins, draws and losses (*trinomial*).

use std::collections::{BTreeMap, HashSet};

use super::estimate::{Estimate, estimate};
use super::sprt::Unit;
use super::{Decided, Tally, decided};
use crate::record::course::Course;
use crate::seat::{BySeat, Seat};
use crate::tournament::Entrant;
use crate::tournament::played::Played;

/// What came of the games between two bots, as the first of them sees it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Duel {
    /// Its games, each rival of a table taken on its own.
    pub games: Tally,
    /// Those of them that were played, and not lost by disqualification alone.
    pub played: Tally,
    /// Those of these that are no repetition of another.
    pub distinct_games: Tally,
    /// Its pairs; only where a table has two seats.
    pub pairs: Pairs,
    /// Those of them that are no repetition of another.
    pub distinct_pairs: Pairs,
}

/// Counts of pairs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pairs {
    /// How many pairs were worth 0, 1, 2, 3 and 4 half points.
    pub by_half_points: [u64; 5],
    /// How many of those worth 2 were a win and a loss, and no two draws.
    pub won_and_lost: u64,
}

impl Pairs {
    /// How many there are.
    pub fn count(&self) -> u64 {
        self.by_half_points.iter().sum()
    }

    fn add(&mut self, pair: &Pair) {
        self.by_half_points[usize::from(pair.half_points)] += 1;
        self.won_and_lost += u64::from(pair.is_won_and_lost);
    }

    fn add_all(&mut self, others: &Pairs) {
        self.by_half_points.iter_mut().zip(others.by_half_points).for_each(|(own, other)| *own += other);
        self.won_and_lost += others.won_and_lost;
    }
}

/// Two games of a set between two bots, from both sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// What it was worth to the first bot, 0 to 4.
    pub half_points: u8,
    /// Whether it won one game and lost the other.
    pub is_won_and_lost: bool,
    /// The courses of both games.
    pub courses: [Course; 2],
}

/// The pairs that these games of one set make, as the first of two bots sees them: each game in which it sat first with
/// one in which it sat second, in the order of their numbers. What is left over is in no pair.
pub fn pairs_of_set(first: Entrant, set: &[Decided]) -> Vec<Pair> {
    let from = |seat: usize| set.iter().filter(move |(game, _)| game.seats[Seat::new(seat)] == first);
    let half_points = |ranks: &BySeat<u8>, seat: usize| {
        let (own, rival) = (ranks[Seat::new(seat)], ranks[Seat::new(1 - seat)]);
        u8::from(own < rival) + u8::from(own <= rival)
    };
    let pair = |((one, ranks), (other, turned)): (&Decided, &Decided)| {
        let (here, there) = (half_points(ranks, 0), half_points(turned, 1));
        Pair {
            half_points: here + there,
            is_won_and_lost: here != there && here + there == 2,
            courses: [one.course, other.course],
        }
    };
    from(0).zip(from(1)).map(pair).collect()
}

/// All bots that met, two by two, the one that was named first in front.
pub fn duels<'a>(games: impl IntoIterator<Item = &'a Played>) -> BTreeMap<(Entrant, Entrant), Duel> {
    let mut duels: BTreeMap<(Entrant, Entrant), Duel> = BTreeMap::new();
    let (mut courses, mut paired) = (HashSet::new(), HashSet::new());
    let mut games = decided(games);
    for (game, ranks) in &games {
        let is_new = !game.is_forfeited() && courses.insert(game.course);
        for ((seat, &one), (other, &two)) in two_by_two(&game.seats) {
            let (first, second, own, rival) = if one < two { (one, two, seat, other) } else { (two, one, other, seat) };
            let duel = duels.entry((first, second)).or_default();
            duel.games.add(ranks[own], ranks[rival], 1);
            if !game.is_forfeited() {
                duel.played.add(ranks[own], ranks[rival], 1);
            }
            if is_new {
                duel.distinct_games.add(ranks[own], ranks[rival], 1);
            }
        }
    }
    games.retain(|(game, _)| game.seats.len() == 2 && !game.is_forfeited());
    let players = |game: &Played| {
        let (here, there) = (game.seats[Seat::new(0)], game.seats[Seat::new(1)]);
        (here.min(there), here.max(there))
    };
    games.sort_by_key(|(game, _)| (game.set, players(game), game.game));
    for set in games.chunk_by(|(one, _), (other, _)| (one.set, players(one)) == (other.set, players(other))) {
        let (first, second) = players(set[0].0);
        let duel = duels.entry((first, second)).or_default();
        for pair in pairs_of_set(first, set) {
            duel.pairs.add(&pair);
            if paired.insert(pair.courses) {
                duel.distinct_pairs.add(&pair);
            }
        }
    }
    duels
}

/// Every two seats of a table, with who sits there.
fn two_by_two(seats: &BySeat<Entrant>) -> impl Iterator<Item = ((Seat, &Entrant), (Seat, &Entrant))> {
    seats.seats().flat_map(|one| seats.seats().filter(move |other| one.0 < other.0).map(move |other| (one, other)))
}

impl Duel {
    /// The results that are no repetition of another, from the worst to the best.
    pub fn distinct_results(&self, unit: Unit) -> Vec<u64> {
        match unit {
            Unit::Pairs => self.distinct_pairs.by_half_points.to_vec(),
            Unit::Games => self.distinct_games.by_half_points().to_vec(),
        }
    }

    /// What the results are counted in: pairs, where there are any.
    pub fn unit(&self) -> Unit {
        if self.pairs.count() > 0 { Unit::Pairs } else { Unit::Games }
    }

    /// How much stronger the first bot is, from pairs where there are any, else from games.
    pub fn estimate(&self) -> Estimate {
        let from_games = || estimate(&self.played.by_half_points(), self.distinct_games.games());
        self.from_pairs().unwrap_or_else(from_games)
    }

    /// The same from pairs alone; nothing where there are none.
    pub fn from_pairs(&self) -> Option<Estimate> {
        (self.unit() == Unit::Pairs).then(|| estimate(&self.pairs.by_half_points, self.distinct_pairs.count()))
    }

    /// Takes in another duel of the same first bot.
    pub fn add_all(&mut self, other: &Duel) {
        self.games.add_all(other.games);
        self.played.add_all(other.played);
        self.distinct_games.add_all(other.distinct_games);
        self.pairs.add_all(&other.pairs);
        self.distinct_pairs.add_all(&other.distinct_pairs);
    }

    /// The same, as the other bot sees it.
    #[must_use]
    pub fn turned(&self) -> Duel {
        let turned = |pairs: &Pairs| {
            let mut by_half_points = pairs.by_half_points;
            by_half_points.reverse();
            Pairs { by_half_points, ..*pairs }
        };
        Duel {
            games: self.games.turned(),
            played: self.played.turned(),
            distinct_games: self.distinct_games.turned(),
            pairs: turned(&self.pairs),
            distinct_pairs: turned(&self.distinct_pairs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::game;
    use super::*;

    /// The games of a set between bots 0 and 1, each with who sat first and the ranks.
    fn set(number: u64, games: &[(u16, [u8; 2])]) -> Vec<Played> {
        let number_of = |place: usize| 10 * number + place as u64;
        let one = |(place, &(first, ranks)): (usize, &(u16, [u8; 2]))| Played {
            set: number,
            ..game(number_of(place), &[first, 1 - first], &ranks)
        };
        games.iter().enumerate().map(one).collect()
    }

    #[test]
    fn pairs_are_counted_by_what_they_are_worth_to_the_first_bot() {
        let (win, loss, draw) = ([1, 2], [2, 1], [1, 1]);
        let all: Vec<Played> = [
            set(1, &[(0, win), (1, loss)]),  // it won both
            set(2, &[(1, draw), (0, win)]),  // 3 halves
            set(3, &[(0, win), (1, win)]),   // the first seat won twice
            set(4, &[(0, draw), (1, draw)]), // drawn twice
            set(5, &[(0, draw), (1, win)]),  // 1 half
            set(6, &[(0, loss), (1, win)]),  // it lost both
            set(7, &[(0, loss)]),            // no pair
            set(8, &[(0, win), (0, win)]),   // none either
            set(9, &[(0, win), (1, loss)]),  // both again
        ]
        .concat();
        let duel = duels(&all).remove(&(Entrant(0), Entrant(1))).unwrap();
        assert_eq!(duel.pairs, Pairs { by_half_points: [1, 1, 2, 1, 2], won_and_lost: 1 });
        assert_eq!(duel.games, Tally { wins: 8, draws: 4, losses: 5 });
        assert_eq!((duel.distinct_games, duel.distinct_pairs), (duel.games, duel.pairs));
        assert_eq!(duel.turned().pairs, Pairs { by_half_points: [2, 1, 2, 1, 1], won_and_lost: 1 });
        assert_eq!(duel.turned().games, Tally { wins: 5, draws: 4, losses: 8 });
    }

    #[test]
    fn a_void_game_leaves_its_set_without_a_pair() {
        let mut all = set(1, &[(0, [1, 2]), (1, [1, 2])]);
        all[1].result = crate::record::outcome::GameResult::Void;
        let duel = &duels(&all)[&(Entrant(0), Entrant(1))];
        assert_eq!((duel.pairs.count(), duel.games.games()), (0, 1));
    }

    #[test]
    fn what_was_played_again_move_for_move_is_counted_once_among_the_distinct() {
        let mut all = [set(1, &[(0, [1, 2]), (1, [1, 2])]), set(2, &[(0, [1, 2]), (1, [2, 1])])].concat();
        for (game, course) in all.iter_mut().zip(["a", "b", "a", "c"]) {
            game.course = Course::of(course);
        }
        all.extend(
            set(3, &[(0, [1, 2]), (1, [2, 1])])
                .into_iter()
                .zip(["a", "c"])
                .map(|(game, course)| Played { course: Course::of(course), ..game }),
        );
        let duel = &duels(&all)[&(Entrant(0), Entrant(1))];
        assert_eq!((duel.games.games(), duel.distinct_games.games()), (6, 3));
        assert_eq!(duel.pairs.by_half_points, [0, 0, 1, 0, 2]);
        assert_eq!(duel.distinct_pairs.by_half_points, [0, 0, 1, 0, 1]);
    }

    #[test]
    fn at_a_table_of_three_everybody_meets_everybody_and_there_are_no_pairs() {
        let set = [(1, [2, 0, 1], [1, 2, 2]), (2, [0, 2, 1], [3, 1, 1]), (3, [1, 2, 0], [1, 3, 1])];
        let games = set.map(|(number, seats, ranks)| Played { set: 1, ..game(number, &seats, &ranks) });
        assert!(duels(&games).values().all(|duel| duel.pairs.count() == 0 && duel.games.games() == 3));
        let duels = duels(&games[..1]);
        let tally = |first: u16, second: u16| duels[&(Entrant(first), Entrant(second))].games;
        assert_eq!(tally(0, 1), Tally { wins: 0, draws: 1, losses: 0 });
        assert_eq!(tally(0, 2), Tally { wins: 0, draws: 0, losses: 1 });
        assert_eq!(tally(1, 2), Tally { wins: 0, draws: 0, losses: 1 });
    }
}
