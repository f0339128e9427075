//! The rules a second time, written plainly over lists and text, and random games in which both have to agree.

use super::*;
use crate::chance::Draws;
use crate::games::conformance;

struct Plain {
    track: Vec<char>,
    climbers: Vec<Vec<usize>>,
    lower_only: bool,
}

impl Plain {
    fn summit(&self) -> usize {
        self.track.len() + 1
    }

    fn is_open(&self, zone: usize) -> bool {
        zone == 0 || self.track[zone - 1] == 'B' || !self.climbers.iter().flatten().any(|&stands| stands == zone)
    }

    fn drop_below(&self, zone: usize) -> usize {
        (0..zone).rev().find(|&lower| self.is_open(lower)).unwrap()
    }

    fn climb(&mut self, seat: usize, from: usize, ascents: usize) {
        let to = (from + ascents).min(self.summit());
        let mover = self.climbers[seat].iter().position(|&zone| zone == from).unwrap();
        self.climbers[seat].remove(mover);
        if to < self.summit() && !self.is_open(to) {
            let down = self.drop_below(to);
            let knocked = self.climbers.iter_mut().flatten().find(|zone| **zone == to).unwrap();
            *knocked = down;
        }
        self.climbers[seat].push(to);
    }

    fn fall(&mut self, seat: usize) {
        let summit = self.summit();
        let mut walking: Vec<usize> = self.climbers[seat].iter().copied().filter(|&zone| zone < summit).collect();
        let arrived = self.climbers[seat].len() - walking.len();
        walking.sort();
        let highest = walking.pop().unwrap();
        let next = walking.iter().rev().find(|&&zone| zone < highest || !self.lower_only);
        let to = match next {
            Some(&zone) if zone > 0 => self.drop_below(zone),
            _ => 0,
        };
        walking.push(to);
        walking.extend(vec![summit; arrived]);
        self.climbers[seat] = walking;
    }

    fn sorted(&self) -> Vec<Vec<u8>> {
        let sort = |zones: &Vec<usize>| {
            let mut zones: Vec<u8> = zones.iter().map(|&zone| zone as u8).collect();
            zones.sort_by(|first, second| second.cmp(first));
            zones
        };
        self.climbers.iter().map(sort).collect()
    }
}

/// A game of random moves in which both rules, and the ways through state and list, are compared at every step.
fn compare(json: &str, seats: usize, seed: &str, leave: bool) -> EndReason {
    let mut streams = Streams::new(Hex32::from_text(seed));
    let mut choices = streams.of(Purpose::Opening).clone();
    let mut game = AltoRiesgo::new(&options(json), seats).unwrap();
    let setup = game.options();
    let mut plain = Plain {
        track: setup.track.chars().collect(),
        climbers: vec![vec![0; setup.climbers.unwrap().into()]; seats],
        lower_only: setup.tie_next == TieNext::LowerOnly,
    };
    loop {
        let core = game.core;
        assert_eq!(zones(&core), plain.sorted());
        assert_eq!(State::of(&core).position(*core.rules()).ok(), game.end().is_none().then_some(core));
        let seat = core.to_move().index();
        if leave && core.seats_in().len() > 2 && choices.below(60) == 0 && game.end().is_none() {
            let gone = core.seats_in().iter().nth(choices.below(core.seats_in().len() as u32) as usize).unwrap();
            plain.climbers[gone.index()].clear();
            game.apply(Step::Leave(gone));
            continue;
        }
        match game.turn() {
            Turn::Over(ranking) => {
                assert_eq!(ranking.seats(), core.seats_in());
                return game.end().unwrap();
            }
            Turn::Chance => {
                let roll = game.draw(&mut streams);
                if roll.throw() == Throw::default() {
                    plain.fall(seat);
                }
                game.apply(Step::Chance(roll));
            }
            Turn::Seat(_) => {
                let mv = random_move(&game, &mut choices);
                if let Move::Climb(from) = mv {
                    plain.climb(seat, from.into(), core.ascents().into());
                }
                game.apply(Step::Move(mv));
            }
        }
    }
}

fn random_move(game: &AltoRiesgo, choices: &mut Draws) -> Move {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    assert_eq!(moves.len() as u64, game.count_legal());
    assert!(!moves.is_empty());
    let tokens = (0..=31).map(Move::Climb).chain([Move::Roll, Move::Stop]);
    tokens.for_each(|mv| assert_eq!(game.check(mv).is_ok(), moves.contains(&mv), "{mv:?}"));
    moves[choices.below(moves.len() as u32) as usize]
}

/// Options of every kind: each field at both ends of its range, tracks short and long, with few and many cliffs.
const KINDS: [&str; 7] = [
    "{}",
    r#"{"tie_next":"lower_only"}"#,
    r#"{"track":"BCCCCCCCCCCCC","climbers":4}"#,
    r#"{"track":"CCCCCCBC","climbers":3,"tie_next":"lower_only","max_turns":120}"#,
    r#"{"track":"B","climbers":1}"#,
    r#"{"dice":1,"max_turns":200}"#,
    r#"{"track":"CCCCCCCCCCCCCCCCCCCCCCCCCCCCCB","climbers":4,"dice":3,"max_turns":300}"#,
];

#[test]
fn random_games_agree_with_the_rules_written_plainly() {
    let mut ends = Vec::new();
    for (json, seats) in KINDS.iter().flat_map(|json| [2, 3, 4].map(|seats| (json, seats))) {
        for (seed, leave) in [("a", false), ("b", false), ("c", true)] {
            ends.push(compare(json, seats, seed, leave));
        }
    }
    assert!(ends.contains(&EndReason::Goal) && ends.contains(&EndReason::MaxTurns));
}

/// Plays random games of every kind against the promises of all games, none longer than so many turns.
fn keep_promises(two_seats: u32, more_seats: u32) {
    let ends_early = r#"{"max_turns":7}"#;
    for (json, seats) in KINDS.iter().chain([&ends_early]).flat_map(|json| [2, 3, 4].map(|seats| (json, seats))) {
        let mut options = options(json);
        options.max_turns = options.max_turns.min(if seats == 2 { two_seats } else { more_seats });
        // A turn has at most one ply a die: each throw after which a seat is asked sets a die aside.
        let ply_bound = options.max_turns * u32::from(options.dice);
        conformance::check::<AltoRiesgo>(&options, seats, 1, ply_bound);
    }
}

#[test]
fn what_every_game_promises_is_kept() {
    // With more than two seats many a step is also the start of a whole game without one of them.
    keep_promises(1000, 24);
}

#[test]
#[ignore = "deep: run with --release --ignored"]
fn what_every_game_promises_is_kept_deep() {
    keep_promises(1000, 1000);
}
