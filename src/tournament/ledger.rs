//! What was played of a plan, as short as it can be held: enough to know what is left, what follows, and who is out.
//!
//! A million games are held in a few bytes each. Whoever wants to know more of a game reads the journal.

use sha2::{Digest, Sha256};

use super::Entrant;
use super::pairing::{Meeting, Round, RoundPlayed};
use super::plan::{Plan, PlannedRound};
use super::played::{HalfPoints, Played, points};
use crate::chance::Hex32;
use crate::record::outcome::{GameResult, Reason};
use crate::seat::{BySeat, MAX_SEATS, Seat};

/// What was played so far.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// Of each game the rank of each seat; zeros where the game was not decided, or the seat is not there.
    ranks: Vec<[u8; MAX_SEATS]>,
    /// Whether each set is finished.
    done: Vec<bool>,
    /// How many sets each round still has.
    left: Vec<usize>,
    sets: usize,
    /// In how many games each bot was at fault.
    faulty: Vec<u32>,
    unresolved: u64,
    panics: u64,
}

/// A game that is not as it was planned, or counts twice.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game} {what}")]
pub struct Misfit {
    /// Its number.
    pub game: u64,
    /// What does not fit.
    pub what: &'static str,
}

impl Ledger {
    /// Nothing played yet.
    pub fn new(plan: &Plan) -> Ledger {
        let mut ledger = Ledger {
            ranks: Vec::new(),
            done: Vec::new(),
            left: Vec::new(),
            sets: 0,
            faulty: vec![0; plan.header().bots.len()],
            unresolved: 0,
            panics: 0,
        };
        ledger.grow(plan);
        ledger
    }

    /// Makes room for what was planned in the meantime.
    pub fn grow(&mut self, plan: &Plan) {
        self.ranks.resize(plan.games() as usize, [0; MAX_SEATS]);
        self.done.resize(plan.sets().len(), false);
        let new = &plan.rounds()[self.left.len()..];
        self.left.extend(new.iter().map(|round| round.sets().len()));
    }

    /// Takes in the games of a finished set.
    ///
    /// # Errors
    /// When they are not the games of one planned set, in order, or were taken in before.
    pub fn add(&mut self, plan: &Plan, games: &[Played]) -> Result<(), Misfit> {
        let first = games.first().expect("a set has games");
        let misfit = |game: &Played, what| Misfit { game: game.game, what };
        let set = first.set.checked_sub(1).and_then(|index| usize::try_from(index).ok());
        let set = set.filter(|&set| set < self.done.len()).ok_or_else(|| misfit(first, "belongs to no planned set"))?;
        if self.done[set] {
            return Err(misfit(first, "was played twice"));
        }
        for (game, planned) in games.iter().zip(plan.games_of(set)) {
            let as_planned = (game.game, game.set) == (planned.number, planned.set)
                && game.round == plan.sets()[set].round
                && game.seats == planned.seats;
            if !as_planned || games.len() != plan.games_each() {
                return Err(misfit(game, "is not as it was planned"));
            }
        }
        games.iter().for_each(|game| self.count(game));
        self.done[set] = true;
        self.left[plan.sets()[set].round as usize - 1] -= 1;
        self.sets += 1;
        Ok(())
    }

    fn count(&mut self, game: &Played) {
        if let Some(ranks) = &game.ranks {
            let slots = &mut self.ranks[game.game as usize - 1];
            ranks.seats().for_each(|(seat, &rank)| slots[seat.index()] = rank);
        }
        for (_, bot) in game.seats.seats().filter(|&(seat, _)| is_at_fault(game, seat)) {
            self.faulty[bot.index()] += 1;
        }
        self.unresolved += u64::from(matches!(game.result, GameResult::Void | GameResult::None));
        self.panics += u64::from(game.reason == Reason::Panic);
    }

    /// Whether a set is finished, by its place in the plan.
    pub fn is_done(&self, set: usize) -> bool {
        self.done[set]
    }

    /// How many sets are finished.
    pub fn sets(&self) -> usize {
        self.sets
    }

    /// In how many games a bot was at fault.
    pub fn faulty_games(&self, bot: Entrant) -> u32 {
        self.faulty[bot.index()]
    }

    /// How many games stayed without a result.
    pub fn unresolved(&self) -> u64 {
        self.unresolved
    }

    /// In how many games the rules failed.
    pub fn panics(&self) -> u64 {
        self.panics
    }

    /// Whether all games of a round are finished, by its place in the plan.
    pub fn is_over(&self, round: usize) -> bool {
        self.left[round] == 0
    }

    /// The hash of the results of all games of the first so many rounds: the SHA-256 over four bytes a game, the rank of
    /// each seat, zero where the game was not decided or there is no such seat.
    pub fn results(&self, plan: &Plan, rounds: usize) -> Hex32 {
        let sets = plan.rounds()[..rounds].last().map_or(0, |last| last.sets().end);
        let games = &self.ranks[..sets * plan.games_each()];
        Hex32(Sha256::digest(games.as_flattened()).into())
    }

    /// A round as those see it who pair the next; it should be over.
    pub fn round_played(&self, plan: &Plan, round: &PlannedRound) -> RoundPlayed {
        let PlannedRound { sets_each, byes, .. } = round;
        let paired = Round { meetings: Vec::new(), sets: *sets_each, byes: byes.clone() };
        let mut played = RoundPlayed { round: paired, points: Vec::new() };
        let sets: Vec<usize> = round.sets().collect();
        for sets in sets.chunks((round.sets_each as usize).max(1)) {
            let seats = plan.sets()[sets[0]].seats.clone();
            let mut points = seats.map(|_| HalfPoints(0));
            for game in sets.iter().flat_map(|&set| plan.games_of(set)) {
                for (bot, won) in game.seats.iter().zip(self.points(game.number, seats.len())) {
                    let own = seats.seats().find(|(_, other)| *other == bot).expect("it plays in its meeting").0;
                    points[own].0 += won.0;
                }
            }
            played.round.meetings.push(Meeting { seats });
            played.points.push(points);
        }
        played
    }

    /// What each seat won in a game.
    fn points(&self, game: u64, seats: usize) -> BySeat<HalfPoints> {
        let ranks = &self.ranks[game as usize - 1][..seats];
        match ranks.contains(&0) {
            true => BySeat::from_fn(seats, |_| HalfPoints(0)),
            false => points(&BySeat::collect(ranks.iter().copied())),
        }
    }
}

/// Whether a seat was at fault in a game: giving up is no fault, and what is tolerated is not counted.
pub fn is_at_fault(game: &Played, seat: Seat) -> bool {
    game.faults.iter().any(|fault| fault.seat == seat && !fault.tolerated && fault.is_fault())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::plan::Header;
    use crate::tournament::played::Charge;
    use crate::tournament::samples::{header, round, set};

    fn plan() -> Plan {
        Plan::new(header(4), [round([[0, 1], [2, 3]], &[], 2), round([[3, 0]], &[1], 1)])
    }

    fn charge(kind: &str, tolerated: bool) -> Charge {
        Charge { seat: Seat::new(0), kind: kind.to_owned(), tolerated }
    }

    #[test]
    fn a_round_is_over_when_all_its_sets_are_and_gives_its_points_by_bot() {
        let plan = plan();
        let mut ledger = Ledger::new(&plan);
        let first = &plan.rounds()[0];
        for index in [3, 0, 1] {
            ledger.add(&plan, &set(&plan, index)).unwrap();
        }
        assert!(!ledger.is_over(0) && !ledger.is_done(2) && ledger.is_done(3));
        // Bot 2 wins both games of this set, and the seats of the others win theirs.
        let mut games = set(&plan, 2);
        games[1].ranks = Some(BySeat::collect([2, 1]));
        ledger.add(&plan, &games).unwrap();
        assert!(ledger.is_over(0) && !ledger.is_over(1));
        let played = ledger.round_played(&plan, first);
        assert_eq!(played.round.meetings[1].seats, BySeat::collect([Entrant(2), Entrant(3)]));
        assert_eq!(played.points, [[4, 4], [6, 2]].map(|points| BySeat::collect(points.map(HalfPoints))));
        assert_eq!(ledger.round_played(&plan, &plan.rounds()[1]).round.byes, [Entrant(1)]);
    }

    #[test]
    fn games_without_a_result_count_for_nobody_and_are_counted_apart() {
        let plan = plan();
        let mut ledger = Ledger::new(&plan);
        let mut games = set(&plan, 4);
        (games[0].result, games[0].ranks, games[0].reason) = (GameResult::Void, None, Reason::Panic);
        (games[1].result, games[1].ranks, games[1].reason) = (GameResult::None, None, Reason::NobodyReady);
        ledger.add(&plan, &games).unwrap();
        assert_eq!((ledger.unresolved(), ledger.panics()), (2, 1));
        let played = ledger.round_played(&plan, &plan.rounds()[1]);
        assert_eq!(played.points, [BySeat::collect([HalfPoints(0), HalfPoints(0)])]);
    }

    #[test]
    fn faults_are_counted_by_games_and_only_real_ones() {
        let plan = plan();
        let mut ledger = Ledger::new(&plan);
        let mut games = set(&plan, 0);
        games[0].faults = vec![charge("timeout", false), charge("exited", false)];
        games[1].faults = vec![charge("timeout", true), charge("resigned", false)];
        ledger.add(&plan, &games).unwrap();
        assert_eq!([0, 1].map(|bot| ledger.faulty_games(Entrant(bot))), [1, 0]);
    }

    #[test]
    fn results_are_a_hash_of_the_ranks_in_the_order_of_the_games() {
        let plan = plan();
        let all = |order: &[usize]| {
            let mut ledger = Ledger::new(&plan);
            order.iter().for_each(|&index| ledger.add(&plan, &set(&plan, index)).unwrap());
            ledger
        };
        let ledger = all(&[0, 1, 2, 3]);
        let expected: [u8; 32] = Sha256::digest([1, 2, 0, 0].repeat(8)).into();
        assert_eq!(ledger.results(&plan, 1), Hex32(expected));
        assert_eq!(all(&[3, 1, 0, 2, 4]).results(&plan, 1), Hex32(expected));
        assert_ne!(ledger.results(&plan, 2), Hex32(expected));
        let mut other = all(&[0, 1, 2]);
        let mut games = set(&plan, 3);
        games[0].ranks = Some(BySeat::collect([2, 1]));
        other.add(&plan, &games).unwrap();
        assert_ne!(other.results(&plan, 1), Hex32(expected));
    }

    #[test]
    fn what_is_planned_later_finds_room() {
        let mut plan = Plan::new(Header { bots: header(4).bots, ..header(4) }, [round([[0, 1]], &[], 1)]);
        let mut ledger = Ledger::new(&plan);
        ledger.add(&plan, &set(&plan, 0)).unwrap();
        plan.extend([round([[2, 3]], &[], 1)], ledger.results(&plan, 1));
        ledger.grow(&plan);
        ledger.add(&plan, &set(&plan, 1)).unwrap();
        assert_eq!(ledger.sets(), 2);
        let again = ledger.add(&plan, &set(&plan, 1)).expect_err("twice").to_string();
        assert_eq!(again, "game 3 was played twice");
    }
}
