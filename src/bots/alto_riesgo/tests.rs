//! The chances of a turn against the rules' own figures, and choices that are plain.

use super::turn::{Advice, Turn};
use super::worth::{Chances, Weights, Worth};
use crate::bots::tests::{Setup, play};
use crate::chance::{Hex32, Purpose, Streams};
use crate::game::Game;
use crate::games::alto_riesgo::{AltoRiesgo, Core, Move, Options, Phase, PhaseName, Roll, Rules, State, Throw};
use crate::seat::{BySeat, Seat};
use crate::table::GameName;

/// Seat 0 about to throw all dice, with the climbers of each seat on these zones.
fn mountain(options: &str, climbers: &[&[u8]]) -> Core {
    let options: Options = serde_json::from_str(options).unwrap();
    let climbers = BySeat::collect(climbers.iter().map(|zones| zones.iter().copied().collect()));
    let rules = Rules::new(&options, climbers.len()).unwrap();
    let state = State {
        turn: Some(Seat::new(0)),
        phase: PhaseName::Dice,
        turns_played: 0,
        climbers,
        danger: rules.dice(),
        ascents: 0,
        weather: 0,
    };
    state.position(rules).unwrap()
}

/// Seat 0 asked after one throw of six dice.
fn asked(climbers: &[&[u8]], ascents: u8, weather: u8) -> Core {
    let mut core = mountain("{}", climbers);
    core.throw(Throw { ascents, weather });
    core
}

fn worth_of(core: &Core) -> Worth {
    Worth::new(core.rules(), Weights::default())
}

/// What `odds` does.
fn advice(core: &Core) -> Advice {
    let worth = worth_of(core);
    Turn::new(|core: &Core| worth.of(core)).best(core)
}

/// What `greedy` does, where it has no two ways.
fn greedy_move(core: &Core) -> Move {
    let best = super::greedy::best_moves(core);
    assert_eq!(best.len(), 1, "{best:?}");
    best[0]
}

/// All or nothing for seat 0 of two.
fn sure(wins: bool) -> Chances {
    if wins { [1.0, 0.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0, 0.0] }
}

/// A lone climber on zone 10 of a mountain of bivouacs, so that a position shows what became of its turn.
fn lone(dice: u8) -> Core {
    let options = format!(r#"{{"track":"{}","climbers":1,"dice":{dice}}}"#, "B".repeat(20));
    mountain(&options, &[&[10], &[0]])
}

#[test]
fn of_n_dice_one_throw_in_two_to_the_n_is_a_fall() {
    for dice in 1..=6 {
        let chances = Turn::new(|core: &Core| sure(core.climbers(Seat::new(0)) != [0])).roll(&lone(dice));
        assert!((chances[1] - 0.5f64.powi(dice.into())).abs() < 1e-12, "{dice} dice: {chances:?}");
    }
}

#[test]
fn the_risk_of_rolling_for_k_ascents_is_that_of_the_facts() {
    let facts: serde_json::Value = serde_json::from_str(include_str!("../../../fixtures/alto-riesgo.json")).unwrap();
    let risks = facts["one_turn_exact"]["reroll while ascents < k"].as_object().unwrap();
    assert_eq!(risks.len(), 4);
    for (enough, risk) in risks {
        let enough: u8 = enough.parse().unwrap();
        // All that matters is to end with enough ascents, or by the last die.
        let is_good = |core: &Core| core.to_move() == Seat::new(0) || core.climbers(Seat::new(0))[0] >= 10 + enough;
        let chances = Turn::new(|core: &Core| sure(is_good(core))).roll(&lone(6));
        assert!((chances[1] - risk.as_f64().unwrap()).abs() < 6e-4, "{enough} ascents: {chances:?}");
    }
}

/// The same as [`Turn`], written down without a memory.
fn plainly(core: &Core, seat: usize, worth: &Worth) -> f64 {
    match core.phase() {
        _ if core.turns() > 0 => worth.of(core)[seat],
        Phase::Over(_) => unreachable!("a turn has ended by then"),
        Phase::Dice => {
            let throw = |(throw, ways)| {
                let mut next = *core;
                next.throw(throw);
                f64::from(ways) * plainly(&next, seat, worth)
            };
            Throw::all(core.danger()).map(throw).sum::<f64>() / 6f64.powi(core.danger().into())
        }
        Phase::Choice => {
            let mut best = 0.0f64;
            core.each_legal(|mv| {
                let mut next = *core;
                next.play(mv);
                best = best.max(plainly(&next, seat, worth));
            });
            best
        }
    }
}

#[test]
fn a_turn_is_worth_what_all_its_throws_and_choices_are() {
    for climbers in [
        &[&[7, 5, 2, 0][..], &[8, 6, 4, 1]][..],
        &[&[9, 8, 7], &[6, 6, 3], &[10, 5, 4]],
        &[&[6, 0], &[8, 7], &[5, 1], &[9, 3]],
    ] {
        let core = mountain(r#"{"dice":4}"#, climbers);
        let worth = worth_of(&core);
        let chances = Turn::new(|core: &Core| worth.of(core)).roll(&core);
        assert!((chances[0] - plainly(&core, 0, &worth)).abs() < 1e-12);
        assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_won_game_is_won_and_not_rolled_for() {
    let core = asked(&[&[10, 10, 10, 9], &[10, 10, 10, 8]], 1, 1);
    let Advice { mv, chances } = advice(&core);
    assert_eq!((mv, chances), (Move::Climb(9), sure(true)));
}

#[test]
fn who_has_nothing_to_lose_rolls() {
    // In Basecamp a fall costs the turn only, and to stop is to lose it for certain.
    assert_eq!(advice(&asked(&[&[0; 4], &[0; 4]], 0, 1)).mv, Move::Roll);
    // The rival is there with its next throw, and three zones are not enough.
    let late = asked(&[&[10, 10, 10, 3], &[10, 10, 10, 9]], 3, 0);
    assert_eq!(advice(&late).mv, Move::Roll);
}

#[test]
fn who_has_much_to_lose_climbs() {
    let core = asked(&[&[9, 0, 0, 0], &[6, 2, 0, 0]], 3, 2);
    assert!(matches!(advice(&core).mv, Move::Climb(_)));
    // The same dice, with another one on a bivouac far below or with nobody to lose.
    let mut stakes = [&[9, 0, 0, 0], &[0; 4]].map(|own| {
        let core = asked(&[own, &[2, 1, 0, 0]], 1, 2);
        advice(&core).mv == Move::Roll
    });
    stakes.reverse();
    assert_eq!(stakes, [true, false]);
}

#[test]
fn a_rival_that_falls_far_is_knocked_off() {
    // From 5 it drops past two taken cliffs to 2; where it is not to be hit, the climb to the bivouac is better.
    let core = |rival: &[u8]| asked(&[&[10, 10, 3, 2], rival], 3, 2);
    let (there, elsewhere) = (core(&[5, 4, 2, 2]), core(&[6, 4, 2, 2]));
    assert_eq!([advice(&there).mv, greedy_move(&there)], [Move::Climb(2); 2]);
    assert_eq!([advice(&elsewhere).mv, greedy_move(&elsewhere)], [Move::Climb(3); 2]);
    // An own one is not.
    let core = asked(&[&[9, 6, 0, 0], &[2, 2, 2, 2]], 3, 2);
    assert!(![advice(&core).mv, greedy_move(&core)].contains(&Move::Climb(6)));
}

#[test]
fn greedy_rolls_by_its_rule_of_thumb() {
    let after = |ascents, weather| super::greedy::best_moves(&asked(&[&[0; 4], &[0; 4]], ascents, weather))[0];
    assert_eq!(
        [after(2, 1), after(2, 2), after(3, 0), after(1, 4)],
        [Move::Roll, Move::Climb(0), Move::Climb(0), Move::Roll]
    );
    assert_eq!(after(0, 6), Move::Stop);
}

#[test]
fn positions_are_worth_more_with_more_of_what_is_good() {
    let worth = |own: &[u8], rival: &[u8]| {
        let core = mountain("{}", &[own, rival]);
        worth_of(&core).of(&core)[0]
    };
    let even = worth(&[6, 2, 0, 0], &[6, 2, 0, 0]);
    assert!(even > 0.5, "to be first is good: {even}");
    assert!(worth(&[6, 6, 0, 0], &[6, 2, 0, 0]) > even);
    assert!(worth(&[6, 2, 0, 0], &[6, 6, 0, 0]) < even);
    // A climber on a cliff is in danger of rivals below it only.
    let turns = |rival: &[u8]| {
        let core = mountain("{}", &[&[8, 6, 0, 0], rival]);
        worth_of(&core).turns(&core, Seat::new(0))
    };
    assert!(turns(&[6, 2, 0, 0]) > turns(&[9, 2, 0, 0]));
    // A fall behind an own climber high up costs less.
    let fall = |own: &[u8]| {
        let core = mountain("{}", &[own, &[0; 4]]);
        let none = Weights { fall: 0.0, ..Weights::default() };
        worth_of(&core).turns(&core, Seat::new(0)) - Worth::new(core.rules(), none).turns(&core, Seat::new(0))
    };
    assert!(fall(&[9, 8, 0, 0]) < fall(&[9, 0, 0, 0]) && fall(&[0; 4]) == 0.0);
}

#[test]
fn a_game_that_is_over_is_worth_its_result() {
    let mut core = mountain(r#"{"max_turns":1}"#, &[&[6, 0, 0], &[6, 0, 0], &[5, 0, 0]]);
    core.throw(Throw { ascents: 0, weather: 1 });
    core.play(Move::Stop);
    assert_eq!(worth_of(&core).of(&core), [0.5, 0.5, 0.0, 0.0]);
}

#[test]
fn every_kind_of_mountain_is_played_to_the_end() {
    let long = format!(r#"{{"track":"{}B","climbers":1,"dice":1,"max_turns":90}}"#, "C".repeat(29));
    for options in [
        &long,
        r#"{"track":"B","climbers":4,"dice":6,"tie_next":"lower_only"}"#,
        r#"{"track":"CCCBCCC","climbers":4,"dice":3,"max_turns":150}"#,
    ] {
        for seats in 2..=4 {
            let setup = Setup { game: GameName::AltoRiesgo, options, seed: "kinds", opening: &[] };
            let entrants = [("odds", &[][..]), ("greedy", &[]), ("odds", &[]), ("random", &[])];
            assert!(play(setup, &entrants[..seats]).0.end().is_some());
        }
    }
}

#[test]
fn seats_that_are_out_have_no_chance_and_the_others_play_on() {
    let mut game = AltoRiesgo::new(&Options::default(), 4).unwrap();
    let mut dice = Streams::new(Hex32::from_text("leave"));
    let mut moves = 0;
    while game.end().is_none() {
        let core = *game.core();
        let mut next = core;
        match core.phase() {
            Phase::Dice if (core.turns(), core.seats_in().len()) == (9, 4) => next.leave(Seat::new(2)),
            Phase::Dice => next.throw(Roll::draw(core.danger(), dice.of(Purpose::Deck)).throw()),
            _ => {
                let Advice { mv, chances } = advice(&core);
                assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{chances:?}");
                assert_eq!(chances[2] == 0.0, core.seats_in().len() == 3, "{chances:?}");
                core.check(mv).unwrap();
                next.play(mv);
                moves += 1;
            }
        }
        game = AltoRiesgo::from(next);
    }
    assert!(moves > 10 && game.core().seats_in().len() == 3);
}
