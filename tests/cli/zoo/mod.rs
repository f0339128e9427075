//! The zoo: every mode of the bot called `faulty`, and what the referee makes of it.
//!
//! `bots-examples/faulty/README.md` shows the same table to people. `ARBITRO_UPDATE=1 cargo test --test cli zoo::`
//! writes it anew.

mod attacks;
mod rows;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use arbitro::bots::faulty::{MODES, Mode};
use serde_json::Value;

use crate::running::Ended;
use crate::support::{Place, wait_until};
use rows::{Row, TABLE, Verdict};

/// No game of these takes longer: its clock, the end of its processes, and a machine that is busy.
const SOON: Duration = Duration::from_secs(12);

/// The most memory that a referee has in any of these games, in KiB, its own executable included.
const MOST_MEMORY: u64 = 24_000;

/// A game that came to its end.
struct Game {
    place: Place,
    row: Value,
    ended: Ended,
    took: Duration,
    peak: u64,
}

impl Game {
    /// Plays the faulty bot in seat 0 against a bot without a fault; what must hold of every game is asserted.
    fn play(place: Place, faulty: &str, options: &str) -> Game {
        let line = format!("play alto-ahi {faulty} random --set max_plies=8 --log g.jsonl --json {options}");
        let began = Instant::now();
        let mut running = place.start(&line);
        let mut peak = 0;
        wait_until("the game ends", || {
            peak = running.peak_memory().unwrap_or(peak).max(peak);
            running.has_ended()
        });
        let (took, ended) = (began.elapsed(), running.wait());
        assert_eq!(ended.code, Some(0), "{line}: {}", ended.stderr);
        assert!(!ended.stderr.contains("panicked at src/") || faulty.contains("panic"), "{line}: {}", ended.stderr);
        assert!(peak < MOST_MEMORY, "{line}: {peak} KiB");
        place.is_empty_of_processes();
        place.run("verify g.jsonl").code(0);
        let row =
            serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{line}: {error}: {}", ended.stdout));
        Game { place, row, ended, took, peak }
    }

    /// How many processes the faulty bot left.
    fn leftovers(&self) -> u64 {
        let notes = self.place.logged("g.jsonl", "host");
        let ended = notes.iter().find_map(|note| note.get("ended").filter(|ended| ended["seat"] == 0));
        ended.and_then(|ended| ended["leftovers"].as_u64()).expect("its end is noted")
    }
}

/// Plays a row, and asserts that everything is as it says.
fn check(row: &Row) {
    let place = Place::new();
    place.open_to_all();
    let game = Game::play(place, &row.player(), row.options);
    let Game { row: result, ended, took, peak, .. } = &game;
    let context = format!("{} {}: {result}\n{}", row.bot, row.options, ended.stderr);
    println!("{:24} {:24} {:6} ms {peak:6} KiB", row.bot, row.options, took.as_millis());
    assert!(*took < SOON, "{took:?}: {context}");
    match row.verdict {
        Verdict::Fault(kind, says) => {
            let fault = &result["faults"][0];
            assert_eq!(
                (&fault["seat"], &fault["kind"], &fault["tolerated"]),
                (&0.into(), &kind.into(), &false.into()),
                "{context}"
            );
            assert_eq!(
                (&result["faults"][1], &result["reason"], &result["winner"]),
                (&Value::Null, &"faults".into(), &1.into()),
                "{context}"
            );
            let words = fault["words"].as_str().expect("a fault has words");
            for says in says {
                assert!(words.contains(says), "“{says}” is not said: {context}");
            }
        }
        Verdict::None(_) => {
            assert_eq!((&result["faults"][0], &result["reason"]), (&Value::Null, &"max_plies".into()), "{context}");
        }
    }
    let (log, stderr) = (game.place.text("g.jsonl"), game.place.stderr_of(0));
    for word in row.logged {
        assert!(log.contains(word), "“{word}” is not in the log: {context}");
    }
    for word in row.noted {
        assert!(stderr.contains(word), "“{word}” is not on its stderr: {context}\n{stderr}");
    }
    assert!(game.leftovers() >= row.leaves, "{} are left: {context}", game.leftovers());
}

fn check_all(heading: &str) {
    let (_, rows) = TABLE.iter().find(|(name, _)| *name == heading).expect("a heading of the table");
    rows.iter().for_each(check);
}

#[test]
fn bots_that_take_their_time() {
    check_all("Time");
}

#[test]
fn bots_that_write_what_is_no_answer() {
    check_all("Lines and messages");
}

#[test]
fn bots_that_end_or_close_their_pipes() {
    check_all("Its end");
}

#[test]
fn bots_that_leave_processes() {
    check_all("Processes");
}

#[test]
fn bots_that_take_more_than_they_need() {
    check_all("Resources");
}

#[test]
fn bots_that_attack() {
    check_all("Attacks");
}

#[test]
fn every_mode_has_a_row_and_every_row_a_mode() {
    let headings: Vec<&str> = MODES.iter().map(|(heading, _)| *heading).collect();
    assert_eq!(headings, TABLE.iter().map(|(heading, _)| *heading).collect::<Vec<_>>());
    for ((heading, modes), (_, rows)) in MODES.iter().zip(TABLE) {
        let names: Vec<&str> = modes.iter().map(|mode| mode.name).collect();
        let mut rows: Vec<&str> = rows.iter().map(Row::mode).collect();
        rows.dedup();
        assert_eq!(names, rows, "{heading}");
    }
}

#[test]
fn what_is_left_over_is_seen_while_the_game_goes_on() {
    let place = Place::new();
    let running = place.start("play alto-ahi 'faulty mode=swarm' 'random sleep=500ms' --set max_plies=4 --log g.jsonl");
    wait_until("forty shells are seen", || place.processes().len() > 42);
    assert_eq!(running.wait().code, Some(0));
    place.is_empty_of_processes();
}

#[test]
fn a_program_behind_a_shell_is_ended_with_it() {
    let place = Place::new();
    fs::copy(env!("CARGO_BIN_EXE_arbitro"), place.path("arbitro")).expect("a copy of the program");
    let shell = r#""sh -c './arbitro bot faulty mode=silent; true' ./arbitro""#;
    let game = Game::play(place, shell, "--move-limit 1s");
    assert_eq!(game.row["faults"][0]["kind"], "timeout", "{}", game.row);
    assert_eq!(game.leftovers(), 1);
}

#[test]
fn hostile_text_is_shown_harmlessly() {
    for (mode, shown) in [("escapes", "“\\u{1b}[2J"), ("hostile-text", "stderr: \\u{1b}[2J")] {
        let place = Place::new();
        let played = place.run(&format!("play alto-ahi 'faulty mode={mode}' random --log g.jsonl")).code(0);
        let text = played.stdout() + &played.stderr() + &place.run("show g.jsonl --ply 0").code(0).stdout();
        assert!(text.contains(shown), "{text}");
        assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{text:?}");
    }
}

#[test]
fn a_faulty_bot_plays_every_game_in_every_seat() {
    for row in Place::new().run("games --json").code(0).rows() {
        let (game, seats) = (row["game"].as_str().unwrap(), row["seats"].as_u64().unwrap());
        let place = Place::new();
        let others = "random ".repeat(seats as usize - 1);
        let played = place.play(&format!("{game} {others} 'faulty mode=null turn=2'"));
        assert_eq!(played.faults(), [format!("{} unreadable", seats - 1)], "{}", played.ran.shown());
        assert_eq!(played.row["ranks"][seats as usize - 1], seats, "{}", played.ran.shown());
    }
}

/// The file that shows the table to people.
fn shown() -> String {
    let mut text = rows::README_HEAD.to_owned();
    for ((heading, modes), (_, rows)) in MODES.iter().zip(TABLE) {
        text.push_str(&format!("\n## {heading}\n\n| mode | what it does | what comes of it |\n|---|---|---|\n"));
        for Mode { name, words, .. } in *modes {
            let rows: Vec<&Row> = rows.iter().filter(|row| row.mode() == *name).collect();
            let comes: Vec<String> = rows.iter().enumerate().map(|(nth, row)| row.shown(nth > 0)).collect();
            text.push_str(&format!("| `{name}` | {words} | {} |\n", comes.join("; ")));
        }
    }
    text
}

#[test]
fn the_table_for_people_is_this_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots-examples/faulty/README.md");
    if std::env::var_os("ARBITRO_UPDATE").is_some() {
        fs::write(&path, shown()).expect("the file can be written");
    }
    let kept = fs::read_to_string(&path).expect("the file is there");
    for (kept, now) in kept.lines().zip(shown().lines()) {
        assert_eq!(kept, now, "ARBITRO_UPDATE=1 writes {} anew", path.display());
    }
    assert_eq!(kept, shown());
}
