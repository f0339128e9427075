//! Bots over plain buffers, and whole games between them without processes or clocks.

use std::io;

use serde_json::Value;

use super::sparring::{self, Entrant, Sparring};
use super::*;
use crate::chance::Hex32;
use crate::game::Turn;
use crate::seat::Seat;
use crate::table::Table;

/// How a match is played.
#[derive(Clone, Copy)]
pub(super) struct Setup<'a> {
    pub game: GameName,
    pub options: &'a str,
    /// Decides the bots' seeds and, where there is chance, the luck.
    pub seed: &'a str,
    /// Moves played before the first turn.
    pub opening: &'a [&'a str],
}

/// Plays one game between bots; the finished game and its moves.
pub(super) fn play(setup: Setup, entrants: &[Entrant]) -> (Box<dyn Table>, Vec<String>) {
    let Setup { game, options, seed, opening } = setup;
    sparring::play(Sparring { game, options, seed: Hex32::from_text(seed), opening, strays: 0 }, entrants).unwrap()
}

const HELLO: &str = r#"{"type":"hello","game":"alto-ahi","options":{"size":9},"seat":0,"players":["a","b"],"bot_seed":"0000000000000000000000000000000000000000000000000000000000000007"}"#;

/// Everything that a bot writes about this input, and its notes.
fn heard_all(name: &str, input: &str) -> (String, String) {
    let (mut output, mut notes) = (Vec::new(), Vec::new());
    run(name, &[""; 0], input.as_bytes(), &mut output, &mut notes).unwrap();
    (String::from_utf8(output).unwrap(), String::from_utf8(notes).unwrap())
}

fn setup(game: GameName, seed: &str) -> Setup<'_> {
    Setup { game, options: "{}", seed, opening: &[] }
}

/// Variants of a game that a bot might not be made for.
fn variants(game: GameName) -> &'static [&'static str] {
    match game {
        GameName::AltoAhi => &["{}", r#"{"size":5,"cards":true,"repetition":3}"#, r#"{"size":3,"max_plies":20}"#],
        GameName::Crecer => &["{}", r#"{"max_height":1,"repetition":2}"#, r#"{"backward":false,"max_plies":20}"#],
        GameName::Passage => &["{}", r#"{"legs":2,"repetition":0,"stuck":"loss"}"#, r#"{"placement":"chance"}"#],
        _ => &["{}"],
    }
}

#[test]
fn every_bot_plays_what_it_says_to_the_end() {
    for (&bot, &game) in BotName::ALL.iter().flat_map(|bot| GameName::ALL.iter().map(move |game| (bot, game))) {
        let searches = bot.options().iter().any(|(key, _)| *key == "nodes");
        let limits: &[&str] = match bot {
            BotName::Faulty => &["mode=honest"],
            _ if searches => &["nodes=50"],
            _ => &[],
        };
        for &seats in game.seats() {
            assert!(bot.plays(game, seats) || !matches!(bot, BotName::Random | BotName::Faulty));
            if bot.plays(game, seats) {
                for options in variants(game) {
                    let setup = Setup { options, ..setup(game, "end") };
                    let (table, _) = play(setup, &vec![(bot.as_str(), limits); seats]);
                    assert!(table.end().is_some());
                }
            }
        }
    }
}

#[test]
fn equal_seeds_play_equal_games_and_others_do_not() {
    let moves = |seed| play(setup(GameName::AltoAhi, seed), &[("random", &[]), ("random", &[])]).1;
    assert_eq!(moves("one"), moves("one"));
    assert_ne!(moves("one"), moves("two"));
}

#[test]
fn a_turn_is_understood_however_it_is_written() {
    let lines = [
        r#"{"type":"turn","turn":5,"state":{"legal":["z9"]},"events":[],"legal":["e2"],"clock":{"move_ms":null,"left_ms":[1,2]}}"#,
        r#"{"type":"turn","turn":5,"state":{},"events":[],"legal":["e2"],"clock":{"left_ms":[1,2]},"more":{"legal":["z9"]}}"#,
        r#"{"legal":["e2"],"turn":5,"more":[{}],"type":"turn"}"#,
        r#" { "type" : "turn", "turn" : 5, "legal" : [ "e\u0032" ] } "#,
        r#"{"type":"turn","turn":5,"state":{},"events":[],"legal":["e2"],"clock":{"left_ms":[1,{}]}}"#,
    ];
    for line in lines {
        let (output, notes) = heard_all("random", &format!("{HELLO}\n{line}\n"));
        assert_eq!(output.lines().nth(1), Some(r#"{"type":"move","turn":5,"move":"e2"}"#), "{line}");
        assert_eq!(notes, "");
    }
}

#[test]
fn a_list_of_odd_words_is_read_as_json() {
    let line = r#"{"type":"turn","turn":5,"state":{},"events":[],"legal":["a,\"]"],"clock":{"left_ms":[]}}"#;
    let (output, _) = heard_all("random", &format!("{HELLO}\n{line}\n"));
    assert_eq!(output.lines().nth(1), Some(r#"{"type":"move","turn":5,"move":"a,\"]"}"#));
    let line = r#"{"type":"turn","turn":5,"state":{},"events":[],"legal":["a,b"],"clock":{"left_ms":[]}}"#;
    let (output, _) = heard_all("random", &format!("{HELLO}\n{line}\n"));
    assert_eq!(output.lines().nth(1), Some(r#"{"type":"move","turn":5,"move":"a,b"}"#));
}

#[test]
fn what_needs_no_answer_gets_none() {
    for line in ["", "{}", "{\"type\":\"weather\"}", "null", "\u{feff}", "{\"type\":\"over\",\"result\":\"void\"}"] {
        let (output, notes) = heard_all("random", &format!("{HELLO}\n{line}\n"));
        assert_eq!(output.lines().count(), 1, "{line}");
        assert_eq!(notes, "");
    }
}

#[test]
fn a_process_plays_one_game_after_the_other() {
    let turn = |turn: u64| format!("{{\"type\":\"turn\",\"turn\":{turn},\"legal\":[\"e2\"]}}");
    let over = r#"{"type":"over","result":"decided","ranks":[1,2],"reason":"goal"}"#;
    let (output, notes) = heard_all("random", &[HELLO, &turn(1), over, HELLO, &turn(2), over].join("\n"));
    assert_eq!(output.lines().count(), 4);
    assert!(output.ends_with("{\"type\":\"move\",\"turn\":2,\"move\":\"e2\"}\n"));
    assert_eq!(notes, "");
    let (output, notes) = heard_all("random", &[HELLO, over, &turn(3)].join("\n"));
    assert_eq!((output.lines().count(), notes.contains("before any hello")), (1, true));
}

#[test]
fn a_turn_without_moves_is_left_alone_with_a_note() {
    for line in ["{\"type\":\"turn\",\"turn\":1}", "{\"type\":\"turn\",\"turn\":1,\"legal\":[]}", "{\"type\":\"turn\"}"]
    {
        let (output, notes) = heard_all("random", &format!("{HELLO}\n{line}\n"));
        assert_eq!(output.lines().count(), 1);
        assert!(notes.contains("unanswered"), "{notes}");
    }
}

#[test]
fn what_cannot_be_played_with_is_said() {
    let error = |name: &str, options: &[&str], input: &str| {
        run(name, options, input.as_bytes(), io::sink(), io::sink()).unwrap_err().to_string()
    };
    assert!(error("deep-thought", &[], "").contains("there is random"));
    assert!(error("random", &["fast"], "").contains("write key=value; the keys are sleep, think"));
    assert!(error("random", &["speed=3"], "").contains("no such key"));
    assert!(error("random", &["sleep=3"], "").contains("500ms"));
    assert!(error("random", &[], "{\"type\":\"hello\"}\n").contains("missing field `game`"));
    assert_eq!(
        error("random", &[], &HELLO.replace("alto-ahi", "chess")),
        "random does not play chess with 2 seats; `arbitro bot --list` says what plays what"
    );
}

#[test]
fn a_bot_can_be_made_slow() {
    let input = format!("{HELLO}\n{{\"type\":\"turn\",\"turn\":1,\"legal\":[\"e2\"]}}\n");
    for option in ["sleep=30ms", "think=30ms"] {
        let began = std::time::Instant::now();
        run("random", &[option], input.as_bytes(), io::sink(), io::sink()).unwrap();
        assert!(began.elapsed().as_millis() >= 30, "{option}");
    }
}

/// What a bot writes about one turn in the given state, and its notes.
fn heard_one(name: &str, events: &str, state: &str, legal: &str) -> (String, String) {
    let turn =
        format!(r#"{{"type":"turn","turn":9,"state":{state},"events":[{events}],"legal":{legal},"clock":{{}}}}"#);
    let (output, notes) = heard_all(name, &format!("{HELLO}\n{turn}\n"));
    (output.lines().nth(1).unwrap_or_default().to_owned(), notes)
}

/// The events, the state and the legal moves after some moves from the start.
fn after(moves: &str) -> (String, String, String) {
    let mut table = GameName::AltoAhi.open("{}", 2).unwrap();
    let mut events = Vec::new();
    for token in moves.split(' ') {
        let Turn::Seat(seat) = table.turn() else { panic!("over") };
        table.play(token).unwrap();
        events.push(format!(r#"{{"seat":{seat},"move":"{token}","by":"opening"}}"#));
    }
    let (mut state, mut legal) = (Vec::new(), Vec::new());
    table.state_json(&mut state);
    table.legal_json(&mut legal);
    (events.join(","), String::from_utf8(state).unwrap(), String::from_utf8(legal).unwrap())
}

#[test]
fn a_thinking_bot_follows_the_events_and_finds_the_winning_step() {
    let (events, state, legal) = after("e2 d9 e3 a1h e4 e9 e5 d9 e6 e9 e7 d9 f7 e9 f8 d9");
    let (answer, notes) = heard_one("greedy", &events, &state, &legal);
    assert_eq!((answer.as_str(), notes.as_str()), (r#"{"type":"move","turn":9,"move":"f9"}"#, ""));
    // The same state in other words, and an event of a kind that is not known.
    let (answer, notes) =
        heard_one("greedy", &format!(r#"{{"weather":"fine"}},{events}"#), &state.replace(':', " : "), &legal);
    assert_eq!((answer.as_str(), notes.as_str()), (r#"{"type":"move","turn":9,"move":"f9"}"#, ""));
}

#[test]
fn a_bot_that_lost_track_says_so_and_goes_on_with_the_legal_list() {
    let (events, state, legal) = after("e2 e8");
    for (events, state, legal, why) in [
        (events.replace("e8", "e9h"), state.clone(), legal.clone(), "e9h: "),
        (events.clone(), state.replace("e8", "d8"), legal.clone(), "was sent as"),
        (events.clone(), state.clone(), r#"["pass"]"#.to_owned(), "not among the legal moves"),
        (format!(r#"{events},{{"leave":1}}"#), state.clone(), legal.clone(), "seat 1 cannot leave"),
        (format!(r#"{events},{{"chance":[1]}}"#), state.clone(), legal.clone(), "no chance step is due"),
        (format!(r#"{events},{{"seat":0,"move":"e3"}}"#), state, legal, "not the turn of seat 0"),
    ] {
        let (answer, notes) = heard_one("greedy", &events, &state, &legal);
        let token = serde_json::from_str::<Value>(&answer).unwrap()["move"].as_str().unwrap().to_owned();
        assert!(legal.contains(&format!("\"{token}\"")), "{answer}");
        assert!(notes.starts_with("lost track of the game") && notes.contains(why), "{notes}");
        assert_eq!(notes.lines().count(), 1);
    }
}

#[test]
fn thinking_bots_follow_seats_that_leave() {
    let hello = HELLO.replace(r#"["a","b"]"#, r#"["a","b","c","d"]"#);
    let mut table = GameName::AltoAhi.open("{}", 4).unwrap();
    table.leave(Seat::new(2));
    let mut state = Vec::new();
    table.state_json(&mut state);
    let state = String::from_utf8(state).unwrap();
    let turn = format!(r#"{{"type":"turn","turn":1,"state":{state},"events":[{{"leave":2}}],"legal":["e2"]}}"#);
    let (output, notes) = heard_all("greedy", &format!("{hello}\n{turn}\n"));
    assert_eq!((output.lines().nth(1), notes.as_str()), (Some(r#"{"type":"move","turn":1,"move":"e2"}"#), ""));
}
