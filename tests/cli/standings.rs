//! `arbitro standings`: of a tournament that was played, of one that was not, and of what is none.

use std::path::Path;

use arbitro::chance::Hex32;
use arbitro::clock::TimeControl;
use arbitro::host::play::Ponder;
use arbitro::protocol::limits::Limits;
use arbitro::seat::BySeat;
use arbitro::table::GameName;
use arbitro::tournament::Entrant;
use arbitro::tournament::folder::{self, Opened};
use arbitro::tournament::pairing::{Meeting, Orders, Round};
use arbitro::tournament::plan::{FORMAT, Header, Plan, PlannedBot};
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use serde_json::json;

use crate::support::Place;

const SEED: Hex32 = Hex32([1; 32]);

/// A round robin of these bots with two sets each, in the folder `cup` of a place.
fn begin(place: &Path, bots: &[&str]) -> Opened {
    let bot = |name: &&str| PlannedBot {
        name: (*name).to_owned(),
        command: vec!["random".to_owned()],
        files: [].into(),
        settings: None,
    };
    let header = Header {
        format: FORMAT,
        referee: env!("CARGO_PKG_VERSION").to_owned(),
        name: "Autumn cup".to_owned(),
        game: GameName::AltoAhi,
        rules: GameName::AltoAhi.rules_version(),
        options: json!({}),
        seats: 2,
        orders: Orders::Turns,
        pairing: json!({"kind": "round-robin", "rounds": 2}),
        clock: TimeControl::default(),
        limits: Limits::default(),
        disqualify_after: 0,
        reuse: 0,
        ponder: Ponder::Stop,
        bots: bots.iter().map(bot).collect(),
        drawn: None,
        openings: vec![],
        master: SEED.master_commitment(),
    };
    let field: Vec<u16> = (0..bots.len() as u16).collect();
    let pairs = field.iter().flat_map(|&one| (one + 1..bots.len() as u16).map(move |other| [one, other]));
    let meetings = pairs.map(|seats| Meeting { seats: BySeat::collect(seats.map(Entrant)) }).collect();
    let plan = Plan::new(header, [Round { meetings, sets: 2, byes: vec![] }]);
    folder::open(&place.join("cup"), plan, SEED, false, &mut |_, _| {}).expect("a tournament can begin here")
}

/// Finishes so many sets; the bot named first wins, but for every third game.
fn finish(opened: &mut Opened, sets: usize) {
    for set in 0..sets {
        let games = opened.plan.games_of(set).map(|game| {
            let first_wins = (game.seats.iter().next() < game.seats.iter().nth(1)) != game.number.is_multiple_of(3);
            let text = json!({
                "game": game.number, "round": 1, "set": game.set, "seats": game.seats, "result": "decided",
                "ranks": if first_wins { [1, 2] } else { [2, 1] }, "reason": "goal", "plies": 40,
                "course": format!("{:016x}", game.number), "game_sha256": SEED, "sha256": SEED,
                "host": {"thought_us": [1500 * game.number, 2_000_000], "took_us": 3_000_000},
            });
            serde_json::from_value(text).expect("this is a finished game")
        });
        opened.journal.commit(&games.collect::<Vec<_>>()).expect("the journal takes it");
    }
}

#[test]
fn a_tournament_has_standings_in_every_format() {
    let place = Place::new();
    finish(&mut begin(place.folder(), &["ada", "bela", "cora"]), 6);
    let human = place.run("standings cup").code(0).err(is_empty());
    let human =
        human.says(&["Autumn cup\nalto-ahi, round-robin, 3 bots, 2 seats\n12 of 12 games played, 12 decided; final\n"]);
    human.says(&[" 1  ada      6.0      8  6  0  2  75.0 %", "Each against each", "From each seat"]);
    let told = place.run("standings cup --format json").code(0).rows().remove(0);
    assert_eq!((&told["schema"], &told["games"]["distinct"]), (&json!(1), &json!(12)));
    assert_eq!(told["bots"][0]["name"], "ada");
    assert_eq!(told["head_to_head"][0]["pairs"]["ptnml"], json!([0, 0, 1, 0, 1]));
    let lines = place.run("standings cup --format csv").code(0).lines();
    assert!(lines.len() == 4 && lines[0].starts_with("rank,bot,") && lines[1].starts_with("1,\"ada\","), "{lines:?}");
    place.run("standings cup --format markdown").code(0).says(&["## Autumn cup\n", "| 1 | ada | 6.0 | 8 |"]);
}

#[test]
fn times_show_only_when_asked_for() {
    let place = Place::new();
    finish(&mut begin(place.folder(), &["ada", "bela"]), 1);
    for format in ["human", "json", "csv", "markdown"] {
        let plain = place.run(&format!("standings cup --format {format}")).code(0);
        let timed = place.run(&format!("standings cup --format {format} --times")).code(0);
        assert!(timed.stdout().len() > plain.stdout().len(), "{}", timed.shown());
    }
    place
        .run("standings cup --times")
        .code(0)
        .says(&["Time used, in seconds", " ada    2.001   1.000           2.000"]);
}

#[test]
fn a_tournament_that_goes_on_has_standings_and_is_left_alone() {
    let place = Place::new();
    let mut opened = begin(place.folder(), &["ada", "bela", "cora"]);
    place.run("standings cup").code(0).says(&["0 of 12 games played", " 1  ada      0.0      0  0  0  0    n/a"]);
    finish(&mut opened, 2);
    let before = (place.files(), place.bytes("cup/journal.jsonl"));
    place.run("standings cup").code(0).says(&["4 of 12 games played"]);
    assert_eq!((place.files(), place.bytes("cup/journal.jsonl")), before);
}

#[test]
fn what_is_no_tournament_or_damaged_is_refused() {
    let place = Place::new();
    place.write("empty/notes.txt", "");
    place.refuses(66, "standings empty", &["empty: there is no tournament here"]);
    place.refuses(66, "standings nowhere", &["nowhere: there is no tournament here"]);
    place.refuses(2, "standings empty --format xml", &["[possible values: human, json, csv, markdown]"]);
    finish(&mut begin(place.folder(), &["ada", "bela"]), 2);
    let journal = place.text("cup/journal.jsonl");
    place.write("cup/journal.jsonl", journal.replacen("\"ranks\":[1,2]", "\"ranks\":[2,1]", 1));
    place.refuses(65, "standings cup", &["cup/journal.jsonl: line 2"]);
}

#[test]
fn names_that_would_do_harm_do_none() {
    let place = Place::new();
    finish(&mut begin(place.folder(), &["\x1b[2Jada", "=cmd()", "<script>"]), 6);
    for format in ["human", "json", "csv", "markdown"] {
        let ran = place.run(&format!("standings cup --format {format}")).code(0);
        ran.out(contains("\x1b").not());
    }
    place.run("standings cup --format csv").says(&["\"'=cmd()\""]);
    place.run("standings cup --format markdown").says(&["` <script> `"]);
    place.run("standings cup").says(&["\\u{1b}[2Jada"]);
}
