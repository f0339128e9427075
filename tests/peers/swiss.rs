//! Swiss rounds against py4swiss and caissify-pairings, which pair by the FIDE Dutch rules: the one by those that were in
//! force until January 2026, the other by those since.
//!
//! What is compared is the next round of the same tournament, which goes on with our pairs. Not everything can be equal:
//! to FIDE, nobody must have the same colour three times in a row, while here that may happen before bots of very
//! different points meet. So these are checked: nobody meets twice where they find a way to avoid it; the bye goes to
//! nobody with more points than theirs does; the differences in points are no greater. And most rounds are theirs.

use std::collections::BTreeSet;

use arbitro::chance::{Draws, Purpose, Seed, Streams};
use arbitro::seat::{BySeat, Seat};
use arbitro::tournament::Entrant;
use arbitro::tournament::pairing::{Format, Orders, Round, RoundPlayed};
use arbitro::tournament::played::HalfPoints;
use serde_json::{Value, json};

use crate::peer::Peer;

/// Two numbers of bots, the smaller one first; 0 for nobody.
type Pairs = BTreeSet<(u16, u16)>;

#[test]
fn rounds_are_those_of_py4swiss() {
    let told = json!({ "ask": "py4swiss" });
    compare("py4swiss", &told, Orders::One, 80, 92);
}

#[test]
fn rounds_are_those_of_caissify() {
    let told = json!({ "ask": "caissify" });
    compare("caissify", &told, Orders::One, 40, 92);
}

#[test]
fn rounds_without_regard_to_seats_are_those_of_caissify() {
    let told = json!({ "ask": "caissify", "seats": false });
    compare("caissify, without seats", &told, Orders::Turns, 40, 95);
}

/// Plays tournaments, asks for each of their rounds, and wants so many in a hundred to be the same.
fn compare(name: &str, question: &Value, orders: Orders, cups: u32, least: usize) {
    let Some(mut peer) = Peer::start("pairings.py", &["py4swiss", "caissify_pairings"]) else { return };
    let mut streams = Streams::new(Seed::from_text(name));
    let luck = streams.of(Purpose::SetUp);
    let (mut rounds_of_both, mut equal_rounds, mut pairs_of_both, mut equal_pairs) = (0, 0, 0, 0);
    for _ in 0..cups {
        let field = 6 + luck.below(35) as usize;
        let rounds = (3 + luck.below(7)).min(field as u32 / 2);
        let format = json!({ "kind": "swiss", "rounds": rounds, "orders": orders });
        let format: Format = serde_json::from_value(format).unwrap();
        let mut cup = Cup { field, win: 2 * orders.games(2), before: Vec::new() };
        for number in 1..=rounds {
            let round = format.round(number, field, 2, &cup.before, &BTreeSet::new()).unwrap();
            let mut question = question.clone();
            question["field"] = json!(field);
            question["rounds"] = json!(rounds);
            question["before"] = cup.before.iter().map(|played| cup.told(played)).collect();
            let theirs: Option<Vec<(u16, u16)>> = serde_json::from_value(peer.ask(&question)).unwrap();
            if let Some(theirs) = theirs {
                let theirs = theirs.into_iter().map(ordered).collect();
                let own = pairs_of(&round);
                assert!(cup.is_no_worse(&own, &theirs), "{name}: {own:?} instead of {theirs:?} in {cup:?}");
                rounds_of_both += 1;
                equal_rounds += usize::from(own == theirs);
                pairs_of_both += own.len();
                equal_pairs += own.intersection(&theirs).count();
            }
            cup.play(round, luck);
        }
    }
    println!("{name}: {equal_rounds} of {rounds_of_both} rounds are the same, {equal_pairs} of {pairs_of_both} pairs");
    assert!(100 * equal_rounds >= least * rounds_of_both, "{equal_rounds} of {rounds_of_both} rounds are too few");
}

fn ordered(pair: (u16, u16)) -> (u16, u16) {
    if pair.1 == 0 { pair } else { (pair.0.min(pair.1), pair.0.max(pair.1)) }
}

fn pairs_of(round: &Round) -> Pairs {
    let number = |bot: &Entrant| bot.0 + 1;
    let meetings = round.meetings.iter().map(|meeting| meeting.seats.map(number));
    let byes = round.byes.iter().map(|bot| (number(bot), 0));
    meetings.map(|seats| ordered((seats[Seat::new(0)], seats[Seat::new(1)]))).chain(byes).collect()
}

/// A tournament so far.
#[derive(Debug)]
struct Cup {
    field: usize,
    /// The half-points of a won meeting.
    win: u64,
    before: Vec<RoundPlayed>,
}

impl Cup {
    fn is_no_worse(&self, own: &Pairs, theirs: &Pairs) -> bool {
        let met: Pairs = self.before.iter().flat_map(|played| pairs_of(&played.round)).collect();
        let points = self.points();
        let points_of = |number: u16| points[usize::from(number) - 1];
        let worth = |pairs: &Pairs| {
            let apart = |&(one, other): &(u16, u16)| points_of(one).abs_diff(points_of(other)).pow(2);
            let bye = pairs.iter().find(|pair| pair.1 == 0).map(|pair| points_of(pair.0));
            // A bye that was had before counts as a rematch with nobody.
            (pairs.intersection(&met).count(), bye, pairs.iter().filter(|pair| pair.1 != 0).map(apart).sum::<u64>())
        };
        worth(own) <= worth(theirs)
    }

    fn points(&self) -> Vec<u64> {
        let mut points = vec![0; self.field];
        for played in &self.before {
            for (meeting, won) in played.round.meetings.iter().zip(&played.points) {
                meeting.seats.iter().zip(won).for_each(|(bot, won)| points[bot.index()] += won.0);
            }
            played.round.byes.iter().for_each(|bot| points[bot.index()] += self.win);
        }
        points
    }

    /// The result of a round as the script wants it: won, level or lost.
    fn told(&self, played: &RoundPlayed) -> Value {
        let result = |points: &BySeat<HalfPoints>| match points[Seat::new(0)].0 {
            0 => "0",
            points if points == self.win => "1",
            _ => "=",
        };
        let pair = |(meeting, points)| {
            let numbers = |seats: &BySeat<Entrant>| seats.map(|bot| bot.0 + 1);
            let meeting: &arbitro::tournament::pairing::Meeting = meeting;
            let seats = numbers(&meeting.seats);
            json!([seats[Seat::new(0)], seats[Seat::new(1)], result(points)])
        };
        let pairs: Vec<Value> = played.round.meetings.iter().zip(&played.points).map(pair).collect();
        json!({ "pairs": pairs, "byes": played.round.byes.iter().map(|bot| bot.0 + 1).collect::<Vec<_>>() })
    }

    /// Plays a round in which the higher seed wins more often than not.
    fn play(&mut self, round: Round, luck: &mut Draws) {
        let play = |seats: &BySeat<Entrant>| {
            let favoured = i64::from(seats[Seat::new(1)].0) - i64::from(seats[Seat::new(0)].0);
            let first = match i64::from(luck.below(100)) + favoured {
                ..35 => 0,
                35..65 => self.win / 2,
                _ => self.win,
            };
            BySeat::collect([HalfPoints(first), HalfPoints(self.win - first)])
        };
        let points = round.meetings.iter().map(|meeting| &meeting.seats).map(play).collect();
        self.before.push(RoundPlayed { round, points });
    }
}
