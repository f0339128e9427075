//! What is refused, and in which words: options, moves, notation, outcomes.

use super::*;
use crate::game::Notation;

fn refusal(core: &Core, token: &str) -> Illegal {
    let illegal = core.check(token.parse().unwrap()).unwrap_err();
    assert!(!legal(core).contains(&token.to_owned()));
    illegal
}

#[test]
fn each_broken_rule_has_its_own_reason() {
    let start = mountain("{}", &[&[10, 3, 0, 0], &[5, 0, 0, 0]]);
    let two_ascents = after(start, "AADDDW");
    assert_eq!(refusal(&start, "roll"), Illegal::DiceFirst);
    assert_eq!(refusal(&two_ascents, "stop"), Illegal::MustClimb { ascents: 2 });
    assert_eq!(refusal(&two_ascents, "climb-5"), Illegal::NobodyThere { zone: 5 });
    assert_eq!(refusal(&two_ascents, "climb-11"), Illegal::NoSuchZone { zone: 11, summit: 10 });
    assert_eq!(refusal(&two_ascents, "climb-99"), Illegal::NoSuchZone { zone: 99, summit: 10 });
    assert_eq!(refusal(&two_ascents, "climb-10"), Illegal::OnSummit);
    assert_eq!(refusal(&after(start, "AAAAAA"), "roll"), Illegal::NoDice);
    assert_eq!(refusal(&after(start, "WDDDDD"), "climb-3"), Illegal::NoAscents);
    let over = after(mountain(r#"{"max_turns":1}"#, &[&[0; 4], &[0; 4]]), "DDDDDD");
    assert_eq!(refusal(&over, "roll"), Illegal::Over);
}

#[test]
fn an_empty_summit_is_a_zone_without_an_own_climber() {
    let core = after(mountain("{}", &[&[3, 0, 0, 0], &[10, 0, 0, 0]]), "AADDDW");
    assert_eq!(refusal(&core, "climb-10"), Illegal::NobodyThere { zone: 10 });
}

#[test]
fn reasons_tell_what_to_do() {
    let words = Illegal::MustClimb { ascents: 2 }.to_string();
    assert_eq!(
        words,
        "ascents are set aside (2) and a climb cannot be declined: play climb-Z for one of your climbers"
    );
    assert_eq!(Illegal::DiceCount { due: 3, found: 6 }.to_string(), "3 dice are to be thrown, and the outcome shows 6");
}

#[test]
fn forged_outcomes_are_refused() {
    let start = AltoRiesgo::from(mountain("{}", &[&[3, 0, 0, 0], &[0; 4]]));
    let refused = |game: &AltoRiesgo, roll: &str| game.check_chance(&roll.parse().unwrap()).unwrap_err();
    assert_eq!(refused(&start, "AAAAA"), Illegal::DiceCount { due: 6, found: 5 });
    let choice = AltoRiesgo::from(after(*start.core(), "AADDDW"));
    assert_eq!(refused(&choice, "DDD"), Illegal::NoThrowDue);
    let again = AltoRiesgo::from(after(*choice.core(), "roll"));
    assert_eq!(refused(&again, "DDDDDD"), Illegal::DiceCount { due: 3, found: 6 });
    assert_eq!(again.check_chance(&"WAD".parse().unwrap()), Ok(()));
    let over = AltoRiesgo::from(after(mountain(r#"{"max_turns":1}"#, &[&[0; 4], &[0; 4]]), "DDDDDD"));
    assert_eq!(refused(&over, "DDDDDD"), Illegal::NoThrowDue);
}

#[test]
fn rolls_are_read_from_their_letters_only() {
    for text in ["D", "DDWDAD", "AAAAAA"] {
        let roll: Roll = serde_json::from_str(&format!("\"{text}\"")).unwrap();
        assert_eq!(serde_json::to_string(&roll).unwrap(), format!("\"{text}\""));
        assert_eq!(usize::from(roll.dice()), text.len());
    }
    for bad in ["\"\"", "\"DDDDDDD\"", "\"d\"", "\"DXD\"", "\"D D\"", "\"ÄA\"", "6", "[\"D\"]", "null"] {
        assert!(serde_json::from_str::<Roll>(bad).is_err(), "{bad}");
    }
    assert_eq!("".parse::<Roll>(), Err(BadRoll::Length(0)));
    assert_eq!("AX".parse::<Roll>(), Err(BadRoll::Face('X')));
}

#[test]
fn moves_are_read_back_as_they_are_written_and_in_no_other_way() {
    for zone in 0..=99 {
        let mv = Move::Climb(zone);
        assert_eq!(mv.token().parse(), Ok(mv));
    }
    assert_eq!((Move::Roll.token().as_str(), "roll".parse()), ("roll", Ok(Move::Roll)));
    assert_eq!((Move::Stop.token().as_str(), "stop".parse()), ("stop", Ok(Move::Stop)));
    for bad in ["", "pass", "Roll", "roll ", " stop", "climb", "climb4", "climb_4", "Climb-4", "rollstop"] {
        assert_eq!(bad.parse::<Move>(), Err(BadMove::Word), "{bad:?}");
    }
    for bad in ["climb-", "climb--1", "climb-+4", "climb-04", "climb-00", "climb-100", "climb-4 ", "climb-x", "climb-٣"]
    {
        assert_eq!(bad.parse::<Move>(), Err(BadMove::Zone), "{bad:?}");
    }
}

#[test]
fn impossible_options_are_refused_by_field_and_reason() {
    for (json, seats, field, reason) in [
        ("{}", 1, "seats", "the game is played by 2, 3 or 4, not by 1"),
        ("{}", 5, "seats", "the game is played by 2, 3 or 4, not by 5"),
        (r#"{"track":""}"#, 2, "track", "it has no bivouac (B); at least one is needed"),
        (r#"{"track":"CCC"}"#, 2, "track", "it has no bivouac (B); at least one is needed"),
        (r#"{"track":"BCX"}"#, 2, "track", "“X” in place 3 is no zone; B is a bivouac, C a cliff"),
        (r#"{"track":"bcc"}"#, 2, "track", "“b” in place 1 is no zone; B is a bivouac, C a cliff"),
        (r#"{"track":"B\u0007"}"#, 2, "track", "“\\u{7}” in place 2 is no zone; B is a bivouac, C a cliff"),
        (r#"{"track":"BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"}"#, 2, "track", "it has more than 30 zones"),
        (r#"{"climbers":0}"#, 2, "climbers", "0 is not possible; it is 1 to 4"),
        (r#"{"climbers":5}"#, 4, "climbers", "5 is not possible; it is 1 to 4"),
        (r#"{"dice":0}"#, 2, "dice", "0 is not possible; it is 1 to 6"),
        (r#"{"dice":7}"#, 2, "dice", "7 is not possible; it is 1 to 6"),
        (r#"{"max_turns":0}"#, 2, "max_turns", "0 is not possible; it is 1 to 1000000"),
        (r#"{"max_turns":1000001}"#, 2, "max_turns", "1000001 is not possible; it is 1 to 1000000"),
    ] {
        assert_eq!(AltoRiesgo::new(&options(json), seats), Err(BadSetup::new(field, reason)), "{json}");
    }
    for unreadable in
        [r#"{"tie_next":"same"}"#, r#"{"dices":6}"#, r#"{"dice":-1}"#, r#"{"dice":300}"#, r#"{"track":9}"#]
    {
        assert!(serde_json::from_str::<Options>(unreadable).is_err(), "{unreadable}");
    }
}

#[test]
fn options_in_force_are_filled_in_and_start_the_same_game() {
    for (seats, filled) in [
        (2, r#"{"track":"BBCCCBCCC","climbers":4,"dice":6,"tie_next":"same_zone","max_turns":1000}"#),
        (3, r#"{"track":"BBCCCBCCC","climbers":3,"dice":6,"tie_next":"same_zone","max_turns":1000}"#),
        (4, r#"{"track":"BBCCCBCCC","climbers":2,"dice":6,"tie_next":"same_zone","max_turns":1000}"#),
    ] {
        let game = AltoRiesgo::new(&options("{}"), seats).unwrap();
        assert_eq!(serde_json::to_string(&game.options()).unwrap(), filled);
        assert_eq!(AltoRiesgo::new(&game.options(), seats), Ok(game));
    }
    for track in ["B", "CB", "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCB", "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"] {
        let wanted = Options {
            track: track.to_owned(),
            climbers: Some(1),
            dice: 1,
            tie_next: TieNext::LowerOnly,
            max_turns: 1_000_000,
        };
        assert_eq!(AltoRiesgo::new(&wanted, 3).unwrap().options(), wanted);
    }
}
