//! What is known of a tournament while it runs: counts, points and pace, from finished games alone.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::cli::run::plan::Extent;
use crate::record::outcome::GameResult;
use crate::tournament::Entrant;
use crate::tournament::pairing::KindName;
use crate::tournament::played::{HalfPoints, Played, points};
use crate::tournament::standings::Row;

/// The state of a tournament.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    names: Vec<String>,
    extent: Extent,
    /// How many rounds are paired, and how many games they have.
    paired: (usize, u64),
    /// Whether no game follows those that are finished.
    is_over: bool,
    /// How many games are finished.
    pub finished: u64,
    /// How many of them were finished when this run began.
    before: u64,
    /// The game of each worker that plays.
    running: BTreeMap<usize, u64>,
    /// How many faults bots were charged with, tolerated ones among them; giving up is none.
    pub faults: u64,
    /// How often a game was void.
    pub voids: u64,
    /// How many games stayed without a result.
    pub unresolved: u64,
    scores: Vec<Score>,
    order: Order,
    out: BTreeSet<Entrant>,
}

/// What the leading bots are found by.
#[derive(Clone, Default, Debug)]
enum Order {
    /// Their points, and then the share of those that they could have.
    #[default]
    Points,
    /// The share alone: in a gauntlet some play far more games.
    Share,
    /// Points do not say: in a knockout bots play more and fewer games.
    Unknown,
    /// The standings: the rank of each, the best first.
    Ranks(Vec<(usize, Entrant)>),
}

/// What a bot has reached.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Score {
    /// Its points.
    pub points: HalfPoints,
    /// The most that it could have.
    pub most: HalfPoints,
    /// How many games it finished.
    pub games: u64,
}

impl Tally {
    /// Says who plays, and how long; games may be counted before it is known.
    pub fn name(&mut self, names: Vec<String>, extent: Extent) {
        self.scores.resize(names.len(), Score::default());
        (self.names, self.extent) = (names, extent);
    }

    /// So many rounds are paired, with so many games.
    pub fn paired(&mut self, rounds: usize, games: u64) {
        self.paired = (rounds, games);
    }

    /// Whether games are about to be played, or were.
    pub fn is_begun(&self) -> bool {
        self.paired.0 > 0
    }

    /// No game follows those that are finished.
    pub fn all_are_finished(&mut self) {
        self.is_over = true;
    }

    /// How many games there will be, at least and at most.
    pub fn planned(&self) -> (u64, u64) {
        let (rounds, games) = self.paired;
        if self.is_over { (self.finished, self.finished) } else { self.extent.games(rounds, games, self.out.len()) }
    }

    /// Who leads depends on the format, as long as nobody counted.
    pub fn lead_by(&mut self, format: KindName) {
        self.order = match format {
            KindName::Gauntlet => Order::Share,
            KindName::Knockout => Order::Unknown,
            KindName::RoundRobin | KindName::Swiss | KindName::Pods | KindName::Match => Order::Points,
        };
    }

    /// The standings, the best first.
    pub fn rank(&mut self, rows: &[Row]) {
        self.out.extend(rows.iter().filter(|row| row.is_disqualified).map(|row| row.entrant));
        self.order = Order::Ranks(rows.iter().map(|row| (row.rank, row.entrant)).collect());
    }

    /// Whoever is disqualified stands behind all others.
    pub fn disqualify(&mut self, bot: Entrant) {
        self.out.insert(bot);
    }

    /// A game that was finished earlier.
    pub fn resume(&mut self, game: &Played) {
        self.finished(game);
        self.voids += u64::from(game.voids);
    }

    /// What was finished so far was finished in an earlier run, and says nothing of the pace of this one.
    pub fn begin_run(&mut self) {
        self.before = self.finished;
    }

    /// What a bot is called.
    pub fn name_of(&self, bot: Entrant) -> &str {
        &self.names[bot.index()]
    }

    /// A worker begins a game. The one before it is over, though a set is handed in as a whole.
    pub fn started(&mut self, worker: usize, game: u64) {
        self.running.insert(worker, game);
    }

    /// A game does not run any more.
    pub fn over(&mut self, game: u64) {
        self.running.retain(|_, running| *running != game);
    }

    /// How many games run.
    pub fn running(&self) -> usize {
        self.running.len()
    }

    /// How many games this run finished.
    pub fn of_this_run(&self) -> u64 {
        self.finished - self.before
    }

    /// A finished game.
    pub fn finished(&mut self, game: &Played) {
        self.finished += 1;
        self.faults += game.faults.iter().filter(|charge| charge.is_fault()).count() as u64;
        self.unresolved += u64::from(matches!(game.result, GameResult::Void | GameResult::None));
        let Some(ranks) = &game.ranks else { return };
        for ((_, bot), won) in game.seats.seats().zip(points(ranks).iter()) {
            let score = self.score(*bot);
            score.points.0 += won.0;
            score.most.0 += 2 * (game.seats.len() as u64 - 1);
            score.games += 1;
        }
    }

    /// Points that a bot is credited with for a bye.
    pub fn credit(&mut self, bot: Entrant, points: HalfPoints) {
        let score = self.score(bot);
        score.points.0 += points.0;
        score.most.0 += points.0;
    }

    /// The same for several.
    pub fn credit_all(&mut self, byes: &[Entrant], points: HalfPoints) {
        byes.iter().for_each(|&bot| self.credit(bot, points));
    }

    fn score(&mut self, bot: Entrant) -> &mut Score {
        let needed = self.scores.len().max(bot.index() + 1);
        self.scores.resize(needed, Score::default());
        &mut self.scores[bot.index()]
    }

    /// The first so many with their ranks, as far as it is known who leads; those that are level as they are seeded. Who has
    /// no decided game has a rank in the standings only.
    pub fn leading(&self, count: usize) -> Vec<(usize, &str, Score)> {
        let with_score = |(rank, bot): (usize, Entrant)| (rank, self.name_of(bot), self.scores[bot.index()]);
        let by_share = match &self.order {
            Order::Unknown => return Vec::new(),
            Order::Ranks(ranks) => return ranks.iter().take(count).copied().map(with_score).collect(),
            Order::Share => true,
            Order::Points => false,
        };
        let mut order: Vec<Entrant> = Entrant::field(self.names.len()).collect();
        order.sort_by(|one, other| {
            let (one_out, other_out) = (self.out.contains(one), self.out.contains(other));
            let (one, other) = (self.scores[one.index()], self.scores[other.index()]);
            // a/b against c/d, without rounding.
            let shares = |one: Score, other: Score| u128::from(one.points.0) * u128::from(other.most.0);
            let share = shares(other, one).cmp(&shares(one, other));
            let points = other.points.cmp(&one.points);
            one_out.cmp(&other_out).then(if by_share { share } else { points.then(share) })
        });
        order.retain(|bot| self.scores[bot.index()].most.0 > 0);
        (1..).zip(order).take(count).map(with_score).collect()
    }

    /// Games a second in this run, which lasts so long; nothing before the first.
    pub fn rate(&self, lasted: Duration) -> Option<f64> {
        let games = self.of_this_run();
        (games > 0 && !lasted.is_zero()).then(|| games as f64 / lasted.as_secs_f64())
    }

    /// How long the rest will take at this pace, at most.
    pub fn left(&self, lasted: Duration) -> Option<Duration> {
        let rest = self.planned().1.saturating_sub(self.finished);
        let seconds = rest as f64 / self.rate(lasted)?;
        Duration::try_from_secs_f64(seconds).ok()
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::chance::Hex32;
    use crate::record::outcome::Reason;
    use crate::seat::BySeat;
    use crate::tournament::played::{Charge, DISQUALIFIED, PlayedHost};

    /// A game between the first bots of a field.
    pub fn game(ranks: Option<&[u8]>, charges: &[&str]) -> Played {
        let seats = ranks.map_or(2, <[u8]>::len);
        Played {
            game: 1,
            round: 1,
            set: 1,
            seats: BySeat::collect(Entrant::field(seats)),
            result: if ranks.is_some() { GameResult::Decided } else { GameResult::None },
            ranks: ranks.map(|ranks| BySeat::collect(ranks.iter().copied())),
            reason: if ranks.is_some() { Reason::Faults } else { Reason::NobodyReady },
            plies: 7,
            faults: charges
                .iter()
                .map(|&kind| Charge { seat: crate::seat::Seat::new(0), kind: kind.to_owned(), tolerated: false })
                .collect(),
            voids: 0,
            course: serde_json::from_str("\"0123456789abcdef\"").expect("16 hex digits"),
            game_sha256: Hex32([1; 32]),
            sha256: Hex32([2; 32]),
            host: PlayedHost { thought_us: BySeat::from_fn(seats, |_| 5), took_us: 11 },
        }
    }

    /// A tournament of these bots, of which nothing is played.
    pub fn of(names: &[&str], planned: u64) -> Tally {
        let mut tally = Tally::default();
        tally.name(names.iter().map(|&name| name.to_owned()).collect(), Extent::default());
        tally.paired(1, planned);
        tally
    }

    fn names(tally: &Tally) -> Vec<&str> {
        tally.leading(9).into_iter().map(|(_, name, _)| name).collect()
    }

    #[test]
    fn a_worker_plays_one_game() {
        let mut tally = of(&["a", "b"], 10);
        // Both games of a set, and then the set is over.
        tally.started(0, 1);
        tally.started(1, 3);
        tally.started(0, 2);
        assert_eq!(tally.running(), 2);
        [1, 2].into_iter().for_each(|game| tally.over(game));
        assert_eq!(tally.running(), 1);
        // Void, and played again.
        tally.over(3);
        assert_eq!(tally.running(), 0);
        tally.started(1, 3);
        assert_eq!(tally.running(), 1);
    }

    #[test]
    fn points_and_faults_are_counted() {
        let mut tally = of(&["a", "b", "c"], 10);
        tally.finished(&game(Some(&[2, 1]), &["crash", "resigned"]));
        tally.finished(&game(Some(&[1, 1]), &[]));
        tally.finished(&game(None, &["crash", DISQUALIFIED]));
        assert_eq!((tally.finished, tally.faults, tally.unresolved), (3, 2, 1));
        let leading = tally.leading(2);
        let score = |points, most, games| Score { points: HalfPoints(points), most: HalfPoints(most), games };
        assert_eq!(leading, [(1, "b", score(3, 4, 2)), (2, "a", score(1, 4, 2))]);
        tally.credit(Entrant(2), HalfPoints(4));
        assert_eq!(names(&tally)[0], "c");
    }

    #[test]
    fn those_with_equal_points_stand_by_their_share_and_then_by_their_seed() {
        let mut tally = of(&["a", "b", "c", "d"], 10);
        tally.finished(&game(Some(&[2, 2, 1, 4]), &[]));
        tally.finished(&game(Some(&[1, 2]), &[]));
        // c has 3 of 3 points, a 1½ and 1 of 4, b 1½ of 4, d nothing.
        assert_eq!(names(&tally), ["c", "a", "b", "d"]);
        let mut level = of(&["x", "y", "z"], 1);
        level.finished(&game(Some(&[1, 1]), &[]));
        assert_eq!(names(&level), ["x", "y"], "nobody knows of z yet");
    }

    #[test]
    fn who_leads_depends_on_the_format_and_who_is_out_does_not_lead() {
        let mut tally = of(&["a", "b", "c"], 10);
        (0..3).for_each(|_| tally.finished(&game(Some(&[2, 1]), &[])));
        (0..3).for_each(|_| tally.finished(&game(Some(&[1, 2]), &[])));
        tally.credit(Entrant(2), HalfPoints(2));
        assert_eq!(names(&tally), ["a", "b", "c"], "6 of 12, 6 of 12 and 2 of 2");
        tally.lead_by(KindName::Gauntlet);
        assert_eq!(names(&tally), ["c", "a", "b"]);
        tally.disqualify(Entrant(2));
        assert_eq!(names(&tally), ["a", "b", "c"]);
        tally.lead_by(KindName::Knockout);
        assert!(names(&tally).is_empty(), "nobody knows before the standings do");
    }

    #[test]
    fn the_pace_is_that_of_this_run() {
        let mut tally = of(&["a", "b"], 10);
        let second = Duration::from_secs(1);
        assert_eq!((tally.rate(second), tally.left(second)), (None, None));
        (0..4).for_each(|_| tally.finished(&game(Some(&[1, 2]), &[])));
        tally.begin_run();
        assert_eq!(tally.rate(second), None);
        tally.finished(&game(Some(&[1, 2]), &[]));
        assert_eq!((tally.of_this_run(), tally.rate(second * 2)), (1, Some(0.5)));
        assert_eq!(tally.left(second * 2), Some(second * 10));
    }
}
