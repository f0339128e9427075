//! `--reuse`: programs that go on from game to game.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::Place;

/// A bot that says on stderr which process it is and each game and turn it is asked for, whatever it is asked.
const TELLING: &str = r#"while read -r line; do
    case $line in
    *'"type":"hello"'*) seed=${line#*'"bot_seed":"'}; echo "$$ hello ${seed%%'"'*}" >&2; echo '{"type":"ready"}' ;;
    *'"type":"turn"'*)
        turn=${line#*'"turn":'}; turn=${turn%%[!0-9]*}; move=${line#*'"legal":["'}; move=${move%%'"'*}
        echo "$$ turn $turn" >&2; answer ;;
    esac
done"#;

/// What the bot in a seat said of itself in a game: its process, and the turns it was asked for.
fn told(place: &Place, log: &str, seat: u64) -> (String, Vec<u64>) {
    let notes = place.logged(log, "host");
    let text: String = notes
        .iter()
        .filter(|note| note["stderr"]["seat"] == seat)
        .filter_map(|note| note["stderr"]["text"].as_str())
        .collect();
    let processes: BTreeSet<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(processes.len(), 1, "{log}: {text}");
    let turns = text.lines().filter_map(|line| line.split_once(" turn ")?.1.parse().ok()).collect();
    (processes.into_iter().next().unwrap().to_owned(), turns)
}

fn rows(place: &Place, line: &str) -> Vec<Value> {
    place.run(line).code(0).rows()
}

#[test]
fn a_program_goes_on_and_the_numbers_of_its_questions_never_repeat() {
    let place = Place::new();
    let bot = place.bot("bot", TELLING);
    let line = format!("play alto-ahi {bot} random --games 3 --set max_plies=6 --seed 1 --json");
    let kept = rows(&place, &format!("{line} --reuse --log kept.jsonl"));
    let (first, second) = (told(&place, "kept-1.jsonl", 0), told(&place, "kept-2.jsonl", 0));
    assert_eq!(first.0, second.0, "it is the same process");
    assert_eq!((first.1, second.1), (vec![1, 3, 5], vec![7, 9, 11]));
    // The games are the same as with new programs, to the last byte that is of the game.
    let fresh = rows(&place, &format!("{line} --log fresh.jsonl"));
    let hashes = |rows: &[Value]| rows.iter().map(|row| row["game_sha256"].clone()).collect::<Vec<_>>();
    assert_eq!(hashes(&kept), hashes(&fresh));
    assert_ne!(told(&place, "fresh-1.jsonl", 0).0, told(&place, "fresh-2.jsonl", 0).0);
    place.run("verify .").code(0);
    place.is_empty_of_processes();
}

#[test]
fn the_kernel_does_not_count_the_processor_time_of_several_games_together() {
    let place = Place::new();
    let bot = place.bot("bot", &format!("ulimit -t >&2; {TELLING}"));
    let line = format!("play alto-ahi {bot} random --set max_plies=6 --limit cpu=5s --json");
    for (options, limit) in [("--log fresh.jsonl", "6\n"), ("--reuse --log kept.jsonl", "unlimited\n")] {
        rows(&place, &format!("{line} {options}"));
        let notes = place.logged(options.rsplit(' ').next().unwrap(), "host");
        let said = notes.iter().find_map(|note| note["stderr"]["text"].as_str()).expect("it says something");
        assert!(said.starts_with(limit), "{options}: {said}");
    }
}

#[test]
fn games_that_share_their_luck_never_share_a_program() {
    let place = Place::new();
    let bot = place.bot("bot", TELLING);
    rows(
        &place,
        &format!("play alto-riesgo {bot} {bot} --games 6 --swap --reuse --set max_turns=12 --log g.jsonl --json"),
    );
    let game = |number: u64| {
        let log = format!("g-{number}.jsonl");
        let luck = place.logged(&log, "header").remove(0)["luck_id"].clone();
        (luck, BTreeSet::from([0, 1].map(|seat| told(&place, &log, seat).0)))
    };
    let games: Vec<_> = (1..=6).map(game).collect();
    assert_eq!((&games[0].0, &games[0].1.len()), (&games[1].0, &2));
    assert!(games[0].1.is_disjoint(&games[1].1), "games 1 and 2 have the same luck: {games:?}");
    assert_eq!(games[0].1, games[2].1, "games 1 and 3 do not");
    assert_eq!(games[1].1, games[5].1);
    place.is_empty_of_processes();
}

#[test]
fn a_program_at_fault_does_not_go_on_and_its_rival_does() {
    let place = Place::new();
    let rival = place.bot("rival", TELLING);
    // Its first process ends in the middle of its second game.
    let bot = place.bot("bot", "games=0\nwhile read -r line; do case $line in *hello*) games=$((games + 1)); echo '{\"type\":\"ready\"}';; *'\"turn\"'*) [ $games = 2 ] && exit 3; turn=${line#*'\"turn\":'}; turn=${turn%%[!0-9]*}; move=${line#*'\"legal\":[\"'}; move=${move%%'\"'*}; answer;; esac; done");
    let line = format!("play alto-ahi {rival} {bot} --games 4 --set max_plies=4 --reuse --log g.jsonl --json");
    let played = rows(&place, &line);
    let reasons: Vec<&Value> = played.iter().map(|row| &row["reason"]).collect();
    assert_eq!(reasons, [&json!("max_plies"), &json!("faults"), &json!("max_plies"), &json!("faults")]);
    let processes: BTreeSet<String> = (1..=4).map(|number| told(&place, &format!("g-{number}.jsonl"), 0).0).collect();
    assert_eq!(processes.len(), 1, "{processes:?}");
    place.run("verify .").code(0);
    place.is_empty_of_processes();
}

#[test]
fn a_folder_for_one_game_does_not_go_with_programs_for_several() {
    Place::new().refuses(2, "play alto-ahi random random --reuse --limit scratch=1MiB", &["--reuse", "scratch"]);
}
