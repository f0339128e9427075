use std::collections::BTreeSet;

use proptest::prelude::*;

use super::sample::{events, results};
use super::*;
use crate::record::outcome::{GameResult, Reason};
use crate::seat::Seat;
use crate::tournament::pairing::knockout::Knockout;
use crate::tournament::pairing::{Format, Kind, KindName, Meeting, Orders, RoundPlayed};
use crate::tournament::played::{Charge, HalfPoints};
use crate::tournament::ratings::Tally;
use crate::tournament::ratings::sample::{forfeited, game, games};
use crate::tournament::ratings::sprt::{Model, Verdict};

fn standings(results: &Results) -> Standings {
    Standings::of(results).unwrap()
}

/// The bots from the first to the last, each with its rank.
fn order(standings: &Standings) -> String {
    let words = standings.rows.iter().map(|row| format!("{}{}", row.rank, standings.name_of(row.entrant)));
    words.collect::<Vec<_>>().join(" ")
}

fn row(standings: &Standings, bot: u16) -> &Row {
    standings.rows.iter().find(|row| row.entrant == Entrant(bot)).unwrap()
}

const WIN: &[u8] = &[1, 2];
const DRAW: &[u8] = &[1, 1];
const LOSS: &[u8] = &[2, 1];

#[test]
fn a_round_robin_is_counted_by_hand() {
    // a beats b and c, draws with d; b beats c and d; c beats d.
    let all =
        games(&[(&[0, 1], WIN), (&[2, 0], LOSS), (&[0, 3], DRAW), (&[1, 2], WIN), (&[3, 1], LOSS), (&[2, 3], WIN)]);
    let standings = standings(&results(KindName::RoundRobin, 4, all));
    assert_eq!(order(&standings), "1a 2b 3c 4d");
    let a = row(&standings, 0);
    assert_eq!((a.points, a.games), (HalfPoints(5), 3));
    assert_eq!(a.tally, Tally { wins: 2, draws: 1, losses: 0 });
    assert_eq!(a.places, BySeat::collect([3, 0]), "a draw is a shared first place");
    assert_eq!(a.by_seat[Seat::new(0)].points, HalfPoints(3));
    assert_eq!(a.by_seat[Seat::new(1)].tally, Tally { wins: 1, draws: 0, losses: 0 });
    // Points: a 2.5, b 2, c 1, d 0.5. Beaten by a: 2 + 1, and half of 0.5.
    assert_eq!(a.sonneborn_berger, 4 * 3 + 1);
    assert_eq!(row(&standings, 1).sonneborn_berger, 4 + 2);
    assert_eq!(row(&standings, 3).sonneborn_berger, 5, "half of 2.5");
    let scores: Vec<u64> = (0..4).map(|bot| row(&standings, bot).buchholz.0).collect();
    assert_eq!(scores, [7, 8, 10, 11], "what the others have");
    assert_eq!(a.median_buchholz, HalfPoints(2), "without the 2 and the 0.5");
    assert_eq!(standings.duel(Entrant(3), Entrant(0)).unwrap().games, Tally { wins: 0, draws: 1, losses: 0 });
    assert_eq!(standings.duel(Entrant(0), Entrant(0)), None);
    // The first seat won three and drew one of six.
    let first = standings.by_seat[Seat::new(0)];
    assert_eq!(first.tally, Tally { wins: 3, draws: 1, losses: 2 });
    assert_eq!(first.share, Some(3.5 / 6.0));
    let (low, high) = first.interval.unwrap();
    assert!(low > 0.2 && low < 0.3 && high > 0.8 && high < 0.9, "{low} {high}");
    assert!((first.elo.unwrap() - 58.45).abs() < 0.01, "{first:?}");
}

#[test]
fn who_is_level_on_points_is_told_apart_by_the_games_against_each_other() {
    // b and c have 2 points each, and c beat b; the others are level in everything.
    let all = games(&[(&[2, 1], WIN), (&[1, 0], WIN), (&[1, 3], WIN), (&[2, 0], WIN), (&[2, 3], LOSS), (&[0, 3], WIN)]);
    let table = standings(&results(KindName::RoundRobin, 4, all));
    assert_eq!(order(&table), "1c 2b 3a 4d");
    assert_eq!(row(&table, 1).median_buchholz, HalfPoints(2), "a and d have 1 point each, c has 2");
    // In a circle nobody is ahead, and all share a rank in the order of the field.
    let circle = games(&[(&[2, 1], WIN), (&[1, 0], WIN), (&[0, 2], WIN)]);
    assert_eq!(order(&standings(&results(KindName::RoundRobin, 3, circle))), "1a 1b 1c");
}

#[test]
fn a_gauntlet_goes_by_the_share_of_the_points() {
    // a plays everybody twice and wins three of six; c won its only decided games.
    let mut all =
        games(&[(&[0, 1], WIN), (&[1, 0], LOSS), (&[0, 2], LOSS), (&[2, 0], WIN), (&[0, 3], WIN), (&[3, 0], WIN)]);
    let gauntlet = standings(&results(KindName::Gauntlet, 5, all.clone()));
    assert_eq!(order(&gauntlet), "1c 2a 3d 4b 4e");
    all.truncate(4);
    assert_eq!(order(&standings(&results(KindName::Gauntlet, 3, all))), "1c 2a 3b");
}

#[test]
fn a_swiss_tournament_goes_by_the_rivals_before_the_games_against_each_other() {
    // a, b, d and f have one point each. b beat a, but a met stronger rivals: b, c and e have 1, 2 and 3 points.
    let rounds = [[(1, 0), (2, 3), (4, 5)], [(0, 2), (5, 1), (4, 3)], [(4, 0), (3, 1), (2, 5)]];
    let mut all = Vec::new();
    for (round, meetings) in (1..).zip(rounds) {
        for (winner, loser) in meetings {
            all.push(Played { round, ..game(all.len() as u64 + 1, &[winner, loser], WIN) });
        }
    }
    let table = standings(&results(KindName::Swiss, 6, all));
    let scores: Vec<u64> = (0..6).map(|bot| row(&table, bot).buchholz.0 / 2).collect();
    assert_eq!(scores, [6, 3, 3, 6, 3, 6]);
    assert_eq!(order(&table), "1e 2c 3a 4d 4f 6b", "a is before d and f because c, which it beat, has two points");
}

#[test]
fn byes_are_credited_and_count_as_somebody_as_strong_as_oneself() {
    // Round 1: a beats b, c has nobody. Round 2: c beats a, b has nobody.
    let mut all = games(&[(&[0, 1], WIN), (&[2, 0], WIN)]);
    all[1].round = 2;
    let bye = |round, bot| Bye { round, entrant: Entrant(bot), points: HalfPoints(2) };
    let swiss = Results { byes: vec![bye(1, 2), bye(2, 1)], ..results(KindName::Swiss, 3, all) };
    let standings = standings(&swiss);
    assert_eq!(order(&standings), "1c 2a 3b");
    let c = row(&standings, 2);
    assert_eq!((c.points, c.bye_points, c.byes, c.games), (HalfPoints(4), HalfPoints(2), 1, 1));
    assert_eq!(c.tally, Tally { wins: 1, draws: 0, losses: 0 }, "a bye is no game");
    assert_eq!(c.buchholz, HalfPoints(2 + 4), "a, and its own points");
    assert_eq!(c.sonneborn_berger, 2 * 2 + 2 * 4);
    // a and b are level on points; a met stronger rivals: 1 + 2 against 1 + 1.
    assert_eq!((row(&standings, 0).buchholz, row(&standings, 1).buchholz), (HalfPoints(2 + 4), HalfPoints(2 + 2)));
}

#[test]
fn a_meeting_without_a_result_is_a_round_that_nobody_lost_by() {
    // Round 1: a beats b, c beats d. Round 2: the game of a and c stays void, b beats d.
    let mut all = games(&[(&[0, 1], WIN), (&[2, 3], WIN), (&[0, 2], WIN), (&[1, 3], WIN)]);
    all[2..].iter_mut().for_each(|game| game.round = 2);
    (all[2].result, all[2].ranks, all[2].reason) = (GameResult::Void, None, Reason::RefereeLate);
    let table = standings(&results(KindName::Swiss, 4, all.clone()));
    let scores: Vec<u64> = (0..4).map(|bot| row(&table, bot).buchholz.0).collect();
    assert_eq!(scores, [2 + 2, 2, 2, 2 + 2], "a met b, and somebody as strong as itself; b met a and d");
    assert_eq!(row(&table, 0).sonneborn_berger, 2 * 2, "what it won of b");
    assert_eq!(order(&table), "1a 2b 2c 4d");
    // With another game of that meeting decided, it was a meeting like any other.
    all.push(Played { round: 2, ..game(5, &[2, 0], WIN) });
    let table = standings(&results(KindName::Swiss, 4, all));
    assert_eq!((row(&table, 0).buchholz, row(&table, 2).buchholz), (HalfPoints(2 + 4), HalfPoints(2)));
}

#[test]
fn a_meeting_that_was_not_played_counts_as_a_bye_in_a_swiss_alone() {
    // Round 1: a beats b, c beats d. Round 2: c is disqualified, and a gets its points; d beats b.
    let mut all = games(&[(&[0, 1], WIN), (&[2, 3], WIN), (&[0, 2], WIN), (&[3, 1], WIN)]);
    all[2..].iter_mut().for_each(|game| game.round = 2);
    all[2] = forfeited(all[2].clone(), 1);
    let of = |format| {
        let out = BTreeSet::from([Entrant(2)]);
        standings(&Results { disqualified: out, ..results(format, 4, all.clone()) })
    };
    let (swiss, robin) = (of(KindName::Swiss), of(KindName::RoundRobin));
    let scores = |table: &Standings, bot| (row(table, bot).buchholz.0, row(table, bot).sonneborn_berger);
    assert_eq!((scores(&swiss, 0), scores(&swiss, 2)), ((4, 2 * 4), (2 + 2, 2 * 2)));
    assert_eq!((scores(&robin, 0), scores(&robin, 2)), ((2, 2 * 2), (2 + 4, 2 * 2)));
}

#[test]
fn a_rival_counts_once_a_round_for_buchholz_however_many_games_a_meeting_has() {
    let mut all = games(&[(&[0, 1], WIN), (&[1, 0], LOSS), (&[0, 1], DRAW)]);
    let once = standings(&results(KindName::Swiss, 2, all.clone()));
    assert_eq!(row(&once, 1).buchholz, HalfPoints(5));
    all[2].round = 2;
    assert_eq!(row(&standings(&results(KindName::Swiss, 2, all)), 1).buchholz, HalfPoints(10));
}

#[test]
fn a_table_of_four_counts_places_and_rivals() {
    let all = games(&[(&[3, 1, 0, 2], &[1, 2, 2, 4]), (&[0, 1, 2, 3], &[1, 2, 3, 4])]);
    let standings = standings(&results(KindName::Pods, 4, all));
    let points: Vec<u64> = (0..4).map(|bot| row(&standings, bot).points.0).collect();
    assert_eq!(points, [3 + 6, 3 + 4, 2, 6]);
    assert_eq!(row(&standings, 0).places, BySeat::collect([1, 1, 0, 0]));
    assert_eq!(row(&standings, 2).places, BySeat::collect([0, 0, 1, 1]));
    assert_eq!(row(&standings, 3).tally, Tally { wins: 3, draws: 0, losses: 3 });
    assert_eq!(row(&standings, 1).by_seat[Seat::new(1)].games, 2);
    let shares: f64 = standings.by_seat.iter().map(|seat| seat.share.unwrap()).sum();
    assert!((shares - 2.0).abs() < 1e-12, "half of the points for each seat on average");
    assert!(standings.by_seat.iter().all(|seat| seat.elo.is_none() && seat.interval.is_some()));
    // Of a game one bot has three results, which hang together; a duel has one.
    assert!(standings.against_all().iter().all(|all| all.estimate() == Default::default()));
    assert_eq!(standings.duel(Entrant(0), Entrant(3)).unwrap().estimate().elo, Some(0.0));
    // a: 3.5 - 3.5 - 1 - 3 points; who was beaten by how much, game by game.
    assert_eq!(row(&standings, 0).sonneborn_berger, (7 + 2 * 2) + (2 * 7 + 2 * 2 + 2 * 6));
}

#[test]
fn what_was_not_decided_is_told_and_counts_for_nobody() {
    let mut all = games(&[(&[0, 1], WIN), (&[0, 1], WIN), (&[0, 1], WIN)]);
    (all[1].result, all[1].ranks, all[1].voids) = (GameResult::Void, None, 2);
    all[1].reason = Reason::RefereeLate;
    (all[2].result, all[2].ranks) = (GameResult::None, None);
    all[2].reason = Reason::NobodyReady;
    let standings = standings(&Results { planned: Some(5), ..results(KindName::Match, 2, all) });
    let counts = &standings.games;
    assert_eq!((counts.planned, counts.played, counts.decided, counts.unresolved), (Some(5), 3, 1, 2));
    assert_eq!(counts.voids, 2);
    assert_eq!(counts.reasons, BTreeMap::from([("goal", 1), ("nobody_ready", 1), ("referee_late", 1)]));
    for bot in [0, 1] {
        let row = row(&standings, bot);
        assert_eq!((row.games, row.unresolved, row.voids, row.time.games), (1, 2, 2, 3));
    }
    assert_eq!(row(&standings, 0).points, HalfPoints(2));
    assert_eq!(row(&standings, 1).time, Time { games: 3, total_us: 6000, most_us: 3000 });
}

#[test]
fn faults_go_by_kind_and_giving_up_is_none() {
    let mut all = games(&[(&[0, 1], WIN), (&[1, 0], LOSS)]);
    let charge = |seat, kind: &str, tolerated| Charge { seat: Seat::new(seat), kind: kind.to_owned(), tolerated };
    all[0].faults = vec![charge(1, "timeout", true), charge(1, "timeout", false), charge(0, "illegal", true)];
    all[1].faults = vec![charge(0, "resigned", false)];
    let standings = standings(&results(KindName::Match, 2, all));
    let (a, b) = (row(&standings, 0), row(&standings, 1));
    assert_eq!(b.faults, BTreeMap::from([("timeout".to_owned(), 1)]));
    assert_eq!(b.tolerated, BTreeMap::from([("timeout".to_owned(), 1)]));
    assert_eq!((b.resigned, b.faults_in_all()), (1, 1));
    assert_eq!((a.resigned, a.faults_in_all()), (0, 0));
    assert_eq!(a.tolerated, BTreeMap::from([("illegal".to_owned(), 1)]));
}

#[test]
fn who_is_disqualified_stands_last_and_what_was_played_against_it_counts() {
    let all = games(&[(&[0, 1], WIN), (&[0, 2], WIN), (&[1, 2], WIN)]);
    let standings =
        standings(&Results { disqualified: BTreeSet::from([Entrant(0)]), ..results(KindName::RoundRobin, 3, all) });
    assert_eq!(order(&standings), "1b 2c 3a");
    assert!(row(&standings, 0).is_disqualified);
    assert_eq!(row(&standings, 0).points, HalfPoints(4));
}

#[test]
fn games_lost_by_disqualification_alone_give_points_and_tell_nothing_of_strength() {
    let mut all = games(&[(&[0, 1], WIN), (&[1, 0], WIN), (&[0, 2], WIN), (&[2, 0], LOSS), (&[2, 1], WIN)]);
    (all[1].set, all[3].set) = (1, 3);
    let played = standings(&results(KindName::RoundRobin, 3, all.clone()));
    all.push(Played { set: 6, ..forfeited(game(6, &[1, 2], WIN), 1) });
    all.push(Played { set: 6, ..forfeited(game(7, &[2, 1], LOSS), 0) });
    let both = standings(&results(KindName::RoundRobin, 3, all));
    assert_eq!((&played.ratings, &played.by_seat), (&both.ratings, &both.by_seat));
    assert_eq!(row(&both, 1).points, HalfPoints(6), "three wins");
    let (out, rival) = (row(&both, 2), row(&both, 1));
    assert_eq!((out.forfeited, out.faults_in_all(), rival.forfeited), (2, 0, 0), "that is no fault");
    assert_eq!((out.games, out.time, rival.time), (5, row(&played, 2).time, row(&played, 1).time));
    let counts = &both.games;
    assert_eq!((counts.decided, counts.forfeited, counts.distinct, counts.repeated()), (7, 2, 5, 0));
    for (bots, duel) in &played.duels {
        let after = &both.duels[bots];
        assert_eq!((duel.pairs, duel.estimate()), (after.pairs, after.estimate()));
    }
    let of_one_and_two = &both.duels[&(Entrant(1), Entrant(2))];
    assert_eq!((of_one_and_two.games.games(), of_one_and_two.played.games()), (3, 1), "the crosstable has them");
}

/// A knockout of so many bots after so many rounds, in which the bot named later is better by one half point.
fn knockout(field: usize, rounds: usize) -> Results {
    let rules = Knockout { sets: 1, extra_sets: 0, third_place: true };
    let format = Format { kind: Kind::Knockout(rules), orders: Orders::Turns };
    let (mut before, mut all): (Vec<RoundPlayed>, Vec<Played>) = (vec![], vec![]);
    for round in 1..=rounds as u32 {
        let paired = format.round(round, field, 2, &before, &BTreeSet::new()).unwrap();
        let points = |meeting: &Meeting| meeting.seats.map(|bot| HalfPoints(u64::from(bot.0)));
        for meeting in &paired.meetings {
            let seats: Vec<u16> = meeting.seats.iter().map(|bot| bot.0).collect();
            let ranks = if seats[0] > seats[1] { WIN } else { LOSS };
            all.push(Played { round, ..game(all.len() as u64 + 1, &seats, ranks) });
        }
        let points = paired.meetings.iter().map(points).collect();
        before.push(RoundPlayed { round: paired, points });
    }
    Results { bracket: format.bracket(field, &before), ..results(KindName::Knockout, field, all) }
}

#[test]
fn a_knockout_goes_by_the_stage_reached() {
    // Seeds 1 to 5 are a to e; a, b and c have byes, and e beats d.
    let words = |rounds: usize| {
        let table = standings(&knockout(5, rounds));
        let reached: Vec<String> = table.rows.iter().map(|row| row.reached.unwrap().words()).collect();
        (order(&table), reached.join(", "))
    };
    assert_eq!(words(0), ("1a 1b 1c 4d 4e".to_owned(), "last 4, last 4, last 4, last 8, last 8".to_owned()));
    assert_eq!(words(1), ("1a 1b 1c 1e 5d".to_owned(), "last 4, last 4, last 4, last 4, last 8".to_owned()));
    // e beats a, and c beats b; then e wins the final, and b the game for the third place.
    assert_eq!(words(2), ("1c 1e 3a 3b 5d".to_owned(), "final, final, last 4, last 4, last 8".to_owned()));
    assert_eq!(words(3), ("1e 2c 3b 4a 5d".to_owned(), "won, final, last 4, last 4, last 8".to_owned()));
}

#[test]
fn a_match_that_stopped_counts_nothing_behind_the_stop() {
    let sprt = Sprt::new(0.0, 150.0, 0.05, 0.05, Model::Logistic).unwrap();
    let pair = |set: u64| {
        let (first, second) = if set.is_multiple_of(5) { (LOSS, LOSS) } else { (WIN, LOSS) };
        [Played { set, ..game(2 * set - 1, &[0, 1], first) }, Played { set, ..game(2 * set, &[1, 0], second) }]
    };
    let of = |sets: u64| {
        let all: Vec<Played> = (1..=sets).flat_map(pair).collect();
        standings(&Results { sprt: Some((sprt, Unit::Pairs)), planned: Some(400), ..results(KindName::Match, 2, all) })
    };
    let long = of(200);
    let tested = long.sprt.clone().unwrap();
    let stop = tested.stop.unwrap();
    assert_eq!((stop.verdict, tested.llr), (Verdict::H1, Some(stop.llr)));
    assert_eq!(long.games.played, 2 * stop.set);
    assert_eq!(long, of(stop.set + 3), "whatever was going on when it stopped");
    let running = of(stop.set - 1).sprt.unwrap();
    assert_eq!((running.stop, running.llr.is_some_and(|llr| llr < stop.llr)), (None, true));
}

#[test]
fn a_game_that_nobody_was_left_to_play_is_unresolved() {
    let mut all = vec![forfeited(game(1, &[0, 1], WIN), 0)];
    (all[0].ranks, all[0].result, all[0].reason) = (None, GameResult::None, Reason::NobodyReady);
    let standings = standings(&results(KindName::Match, 2, all));
    let counts = &standings.games;
    assert_eq!((counts.decided, counts.forfeited, counts.unresolved, counts.repeated()), (0, 0, 1, 0));
    assert_eq!(counts.reasons, BTreeMap::from([("disqualified", 1)]), "whether programs got ready was not tried");
    assert_eq!((row(&standings, 0).forfeited, row(&standings, 0).games), (0, 0));
}

#[test]
fn a_repeated_game_is_found() {
    let mut all = games(&[(&[0, 1], WIN), (&[0, 1], WIN), (&[1, 0], WIN)]);
    all[1].course = all[0].course;
    let standings = standings(&results(KindName::Match, 2, all));
    assert_eq!((standings.games.decided, standings.games.distinct, standings.games.repeated()), (3, 2, 1));
}

#[test]
fn results_that_are_none_of_one_event_are_refused_in_words() {
    let words = |change: &dyn Fn(&mut Results)| {
        let mut results = results(KindName::Match, 2, games(&[(&[0, 1], WIN), (&[1, 0], DRAW)]));
        change(&mut results);
        Standings::of(&results).unwrap_err().to_string()
    };
    assert_eq!(words(&|results| results.games[1].game = 1), "game 1 is there twice");
    assert_eq!(
        words(&|results| results.games[1].seats = BySeat::collect([Entrant(0), Entrant(2)])),
        "game 2 names bot 2, and there are only 2"
    );
    assert_eq!(
        words(&|results| results.games[0].seats = BySeat::collect([Entrant(1), Entrant(1)])),
        "in game 1 a bot has two seats"
    );
    assert_eq!(words(&|results| results.seats = 3), "game 1 has 2 seats, and the games of this event have 3");
    for ranks in [[2, 2], [1, 3], [0, 1], [1, 0]] {
        assert_eq!(
            words(&|results| results.games[0].ranks = Some(BySeat::collect(ranks))),
            "game 1 was decided, and its ranks are not those of a game",
            "{ranks:?}"
        );
    }
    assert_eq!(
        words(&|results| results.games[0].ranks = None),
        "game 1 was decided, and its ranks are not those of a game"
    );
    assert!(
        words(&|results| results.games[0].host.thought_us = BySeat::collect([1])).starts_with("game 1 has 2 seats")
    );
    assert_eq!(
        words(&|results| results.byes = vec![Bye { round: 1, entrant: Entrant(7), points: HalfPoints(2) }]),
        "bot 7 is not of the field"
    );
    assert_eq!(words(&|results| results.disqualified = BTreeSet::from([Entrant(9)])), "bot 9 is not of the field");
    let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Logistic).unwrap();
    assert_eq!(
        words(&|results| {
            results.sprt = Some((sprt, Unit::Pairs));
            results.bots.push("c".to_owned());
        }),
        "a match that stops by itself has two bots at tables of two"
    );
}

#[test]
fn nothing_played_gives_standings_too() {
    for format in
        [KindName::RoundRobin, KindName::Gauntlet, KindName::Swiss, KindName::Knockout, KindName::Pods, KindName::Match]
    {
        for bots in 0..4 {
            // A knockout without a bracket is one of which nothing is known.
            let standings = standings(&results(format, bots, vec![]));
            assert_eq!(standings.rows.len(), bots);
            assert!(standings.rows.iter().all(|row| row.rank == 1 && row.points == HalfPoints(0)));
            assert!(standings.by_seat.iter().all(|seat| *seat == SeatShare::default()));
        }
    }
}

#[test]
#[ignore = "deep: a million games; in an optimised build"]
fn deep_a_million_games_have_standings() {
    let mut all = Vec::new();
    for number in 1..=1_000_000u64 {
        let (first, step) = (number % 101, 1 + number / 101 % 100);
        let ranks = if (number * 7919) % 101 < 40 + first / 5 { WIN } else { LOSS };
        let seats = [first as u16, ((first + step) % 101) as u16];
        all.push(Played { set: number.div_ceil(2), ..game(number, &seats, ranks) });
    }
    let bots = (0..101).map(|bot| format!("bot {bot}")).collect();
    let results = Results { bots, ..results(KindName::RoundRobin, 2, all) };
    let began = std::time::Instant::now();
    let standings = standings(&results);
    let took = began.elapsed();
    assert_eq!((standings.games.distinct, standings.duels.len()), (1_000_000, 5050));
    assert!(standings.ratings.elo.iter().all(|elo| elo.is_some_and(|elo| elo.error.is_some())));
    println!("{took:?}");
}

#[test]
#[ignore = "deep: a large field; in an optimised build"]
fn deep_a_thousand_bots_have_ratings() {
    // Each meets each, and the better one wins three times in four.
    let mut all = Vec::new();
    for one in 0..1000u16 {
        for other in 0..one {
            let number = all.len() as u64 + 1;
            all.push(game(number, &[one, other], if number.is_multiple_of(4) { LOSS } else { WIN }));
        }
    }
    let began = std::time::Instant::now();
    let ratings = rate(1000, &all);
    let took = began.elapsed();
    assert!(ratings.elo.iter().all(|elo| elo.is_some_and(|elo| elo.error.is_some())));
    println!("{took:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_points_of_all_are_those_that_there_were(results in events()) {
        let standings = Standings::of(&results).unwrap();
        let a_game = results.seats as u64 * (results.seats as u64 - 1);
        let all: u64 = standings.rows.iter().map(|row| row.points.0).sum();
        prop_assert_eq!(all, standings.games.decided * a_game + 2 * results.byes.len() as u64);
        let in_seats: u64 = standings.rows.iter().flat_map(|row| row.by_seat.iter().map(|seat| seat.points.0)).sum();
        prop_assert_eq!(in_seats, standings.games.decided * a_game);
        let tallies = |pick: fn(&Tally) -> u64| standings.rows.iter().map(|row| pick(&row.tally)).sum::<u64>();
        prop_assert_eq!(tallies(|tally| tally.wins), tallies(|tally| tally.losses));
        let of_duels: u64 = standings.duels.values().map(|duel| 2 * duel.games.games()).sum();
        prop_assert_eq!(of_duels, standings.games.decided * a_game);
        for row in &standings.rows {
            prop_assert_eq!(row.places.iter().sum::<u64>(), row.games);
            prop_assert_eq!(row.tally.half_points() + row.bye_points.0, row.points.0);
            prop_assert!(row.median_buchholz <= row.buchholz);
        }
        let shares: f64 = standings.by_seat.iter().filter_map(|seat| seat.share).sum();
        let was_played = standings.games.decided > standings.games.forfeited;
        prop_assert!(!was_played || (shares - results.seats as f64 / 2.0).abs() < 1e-9);
    }

    #[test]
    fn ranks_are_in_order_and_shared_only_by_those_that_are_level(results in events()) {
        let standings = Standings::of(&results).unwrap();
        for (place, pair) in standings.rows.windows(2).enumerate() {
            prop_assert!(pair[1].rank == pair[0].rank || pair[1].rank == place + 2);
            if results.format != KindName::Knockout && results.format != KindName::Gauntlet {
                prop_assert!(pair[0].points >= pair[1].points);
                prop_assert!(pair[0].rank < pair[1].rank || pair[0].tally.wins == pair[1].tally.wins);
            }
        }
    }

    #[test]
    fn the_order_of_the_games_changes_nothing(results in events(), seed in any::<u64>()) {
        let mut shuffled = results.clone();
        shuffled.games.sort_by_key(|game| (game.game ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        prop_assert_eq!(Standings::of(&shuffled).unwrap(), Standings::of(&results).unwrap());
    }
}
