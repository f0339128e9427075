//! The figures, positions and recorded games of `fixtures/alto-riesgo.json`.

use serde::Deserialize;

use super::*;

#[derive(Deserialize)]
struct Facts {
    falls: Vec<Fall>,
    climb: Vec<Climb>,
    games: Vec<Recorded>,
}

#[derive(Deserialize)]
struct Fall {
    case: String,
    own: Vec<u8>,
    others: Vec<u8>,
    fall: Option<(u8, u8)>,
}

#[derive(Deserialize)]
struct Climb {
    mover_from: u8,
    ascents: u8,
    taken: u8,
    other_lands_on: u8,
}

#[derive(Deserialize)]
struct Recorded {
    players: usize,
    track: String,
    winner: Seat,
    turns: u32,
    log: Vec<PlayedTurn>,
}

#[derive(Deserialize)]
struct PlayedTurn {
    turn: u32,
    player: Seat,
    rolls: Vec<String>,
    end: String,
    ascents: u8,
    from: Option<u8>,
    to: Option<u8>,
    knocked: Option<(Seat, u8)>,
    fall: Option<(u8, u8)>,
    pos: Vec<Vec<u8>>,
}

const FIXTURE: &str = include_str!("../../../../fixtures/alto-riesgo.json");

fn facts() -> Facts {
    serde_json::from_str(FIXTURE).unwrap()
}

#[test]
fn falls_end_where_the_facts_say() {
    let falls = facts().falls;
    assert_eq!(falls.len(), 6);
    for fall in falls {
        let mut others = fall.others.clone();
        others.resize(4, 0);
        let core = mountain("{}", &[&fall.own, &others]);
        assert_eq!(core.fall(Seat::new(0)), fall.fall, "{}", fall.case);
        let after = after(core, "DDDDDD");
        let mut own = fall.own.clone();
        if let Some((from, to)) = fall.fall {
            *own.iter_mut().find(|zone| **zone == from).unwrap() = to;
        }
        own.sort_by(|first, second| second.cmp(first));
        assert_eq!(zones(&after)[0], own, "{}", fall.case);
    }
}

#[test]
fn climbs_knock_as_the_facts_say() {
    for climb in facts().climb {
        let core = mountain("{}", &[&[climb.mover_from, 0, 0, 0], &[climb.taken, 0, 0, 0]]);
        let roll: String = (0..6).map(|die| if die < climb.ascents { 'A' } else { 'D' }).collect();
        let core = after(core, &format!("{roll} climb-{}", climb.mover_from));
        assert_eq!(zones(&core), [[climb.taken, 0, 0, 0], [climb.other_lands_on, 0, 0, 0]]);
    }
}

#[test]
fn recorded_games_replay_roll_by_roll() {
    for game in facts().games {
        let setup = Options { track: game.track.clone(), ..Options::default() };
        let mut core = AltoRiesgo::new(&setup, game.players).unwrap().core;
        for played in &game.log {
            assert!(core.turns() + 1 == played.turn && core.to_move() == played.player);
            core = replay(core, played);
            assert_eq!(zones(&core), played.pos, "turn {}", played.turn);
            let again = played.end == "all_six" || core.phase() == Phase::Over(EndReason::Goal);
            assert_eq!(core.to_move() == played.player, again, "turn {}", played.turn);
        }
        assert_eq!((core.turns(), core.phase()), (game.turns, Phase::Over(EndReason::Goal)));
        assert_eq!(core.ranking().winner(), Some(game.winner));
    }
}

/// Plays a recorded turn through the whole game interface, checked step by step.
fn replay(core: Core, played: &PlayedTurn) -> Core {
    let mut game = AltoRiesgo::from(core);
    for (index, roll) in played.rolls.iter().enumerate() {
        if index > 0 {
            game.check(Move::Roll).unwrap();
            game.apply(Step::Move(Move::Roll));
        }
        let roll: Roll = roll.parse().unwrap();
        game.check_chance(&roll).unwrap();
        if played.end == "fall" && index + 1 == played.rolls.len() {
            assert_eq!(game.core.ascents(), played.ascents);
            assert_eq!(game.core.fall(played.player), played.fall);
        }
        game.apply(Step::Chance(roll));
    }
    if played.end == "fall" {
        return game.core;
    }
    assert_eq!(game.turn(), Turn::Seat(played.player));
    assert_eq!((game.core.ascents(), game.core.danger() == 0), (played.ascents, played.end == "all_six"));
    let mv = played.from.map_or(Move::Stop, Move::Climb);
    if let Some(from) = played.from {
        let landing = game.core.landing(from);
        assert_eq!(Some(landing.to), played.to);
        assert_eq!(landing.knocked.map(|knock| (knock.seat, knock.to)), played.knocked);
    }
    game.check(mv).unwrap();
    game.apply(Step::Move(mv));
    game.core
}

#[test]
fn of_n_dice_one_throw_in_two_to_the_n_is_a_fall() {
    for dice in 1..=6u8 {
        let start = mountain(&format!(r#"{{"dice":{dice}}}"#), &[&[6, 0, 0, 0], &[0; 4]]);
        let all = 6u32.pow(dice.into());
        let mut falls = 0;
        for outcome in 0..all {
            let faces: String =
                (0..dice).map(|die| b"DDDAAW"[(outcome / 6u32.pow(die.into()) % 6) as usize] as char).collect();
            let mut core = start;
            core.throw(faces.parse::<Roll>().unwrap().throw());
            falls += u32::from(core.climbers(Seat::new(0))[0] == 0);
        }
        assert_eq!(falls << dice, all, "{dice} dice");
    }
}

#[test]
fn throws_are_counted_as_often_as_their_outcomes() {
    for dice in 1..=6u8 {
        let mut counts = std::collections::BTreeMap::new();
        for outcome in 0..6u32.pow(dice.into()) {
            let faces: String =
                (0..dice).map(|die| b"DDDAAW"[(outcome / 6u32.pow(die.into()) % 6) as usize] as char).collect();
            let throw = faces.parse::<Roll>().unwrap().throw();
            assert_eq!(Throw::numbered(dice, outcome), throw);
            *counts.entry((throw.ascents, throw.weather)).or_insert(0) += 1;
        }
        assert!(Throw::all(dice).map(|(throw, ways)| ((throw.ascents, throw.weather), ways)).eq(counts), "{dice}");
    }
}

/// How many of the outcomes of all dice still to be thrown, n + (n − 1) + … + 1 of them, are a fall for a seat that
/// rolls again while it has fewer ascents than `enough`.
fn falls(core: Core, enough: u8) -> u128 {
    let dice = core.danger();
    let outcomes = |dice: u32| 6u128.pow(dice * (dice + 1) / 2);
    let each = |(throw, ways): (Throw, u32)| {
        let mut next = core;
        next.throw(throw);
        let later = u32::from(dice) * u32::from(dice - 1) / 2;
        let falls_later = match next.phase() {
            Phase::Choice if next.ascents() < enough && next.may_roll() => {
                next.play(Move::Roll);
                falls(next, enough) * (6u128.pow(later) / outcomes(next.danger().into()))
            }
            Phase::Choice => 0,
            Phase::Dice | Phase::Over(_) => 6u128.pow(later),
        };
        u128::from(ways) * falls_later
    };
    Throw::all(dice).map(each).sum()
}

#[test]
fn the_risk_of_rolling_for_k_ascents_is_that_of_the_facts() {
    let facts: serde_json::Value = serde_json::from_str(FIXTURE).unwrap();
    let risks = facts["one_turn_exact"]["reroll while ascents < k"].as_object().unwrap();
    assert_eq!(risks.len(), 4);
    let core = mountain("{}", &[&[0; 4], &[0; 4]]);
    let all = 6u128.pow(21);
    for (enough, risk) in risks {
        let falls = falls(core, enough.parse().unwrap());
        // Written with three or four places, so it is within half of the last one.
        let text = risk.to_string();
        let places = text.split('.').nth(1).unwrap().len() as u32;
        let written: u128 = text.replace('.', "").parse().unwrap();
        let scale = 10u128.pow(places);
        assert!((falls * scale).abs_diff(written * all) * 2 <= all, "{enough}: {}", falls * 1_000_000 / all);
    }
}
