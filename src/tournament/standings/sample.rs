//! Results for tests.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{Bye, Results};
use crate::record::course::Course;
use crate::record::outcome::GameResult;
use crate::tournament::Entrant;
use crate::tournament::pairing::KindName;
use crate::tournament::played::{HalfPoints, Played};
use crate::tournament::ratings::sample::{forfeited, game};

/// Results of a field of so many bots, called a, b, c and so on.
pub fn results(format: KindName, bots: usize, games: Vec<Played>) -> Results {
    Results {
        name: "cup".to_owned(),
        game: "alto-ahi".to_owned(),
        format,
        seats: games.first().map_or(2, |game| game.seats.len()),
        bots: ('a'..='z').take(bots).map(String::from).collect(),
        bracket: None,
        planned: Some(games.len() as u64),
        games,
        byes: vec![],
        disqualified: BTreeSet::new(),
        is_final: false,
        sprt: None,
    }
}

/// Who sits down, how they come out, the round, and whether there is anything odd about the game.
type Drawn = (Vec<u16>, Vec<u8>, u32, u8);

/// Events of any format, with games that were not decided, repeated ones, forfeits and byes.
pub fn events() -> impl Strategy<Value = Results> {
    const FORMATS: [KindName; 5] =
        [KindName::RoundRobin, KindName::Gauntlet, KindName::Swiss, KindName::Knockout, KindName::Pods];
    (2..=4usize, 4..=8usize, proptest::sample::select(&FORMATS[..])).prop_flat_map(|(seats, bots, format)| {
        let players = Just((0..bots as u16).collect::<Vec<u16>>()).prop_shuffle();
        let one = (players, proptest::collection::vec(0..3u8, seats), 1..=3u32, 0..8u8);
        let byes = proptest::collection::vec((1..=3u32, 0..bots as u16), 0..4);
        (proptest::collection::vec(one, 0..30), byes).prop_map(move |(drawn, byes)| {
            let one = |(number, (players, levels, round, odd)): (u64, &Drawn)| {
                let place = |own: &u8| 1 + levels.iter().filter(|level| *level < own).count() as u8;
                let ranks: Vec<u8> = levels.iter().map(place).collect();
                let mut game =
                    Played { round: *round, set: number.div_ceil(2), ..game(number, &players[..seats], &ranks) };
                match odd {
                    0 => (game.result, game.ranks, game.voids) = (GameResult::Void, None, 2),
                    1 => game.course = Course::of(&format!("{:?} {ranks:?}", game.seats)),
                    2 => {
                        let worst = (0..seats).max_by_key(|&seat| ranks[seat]).unwrap();
                        game = forfeited(game, worst);
                    }
                    _ => {}
                }
                game
            };
            let games: Vec<Played> = (1..).zip(&drawn).map(one).collect();
            let bye = |&(round, bot): &(u32, u16)| Bye { round, entrant: Entrant(bot), points: HalfPoints(2) };
            Results { byes: byes.iter().map(bye).collect(), ..results(format, bots, games) }
        })
    })
}
