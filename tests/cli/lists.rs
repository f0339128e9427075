//! `arbitro games`, `rules` and the help: what there is.

use predicates::str::{contains, is_empty, starts_with};
use serde_json::{Value, json};

use crate::support::Place;

#[test]
fn games_are_listed_with_their_options() {
    let place = Place::new();
    let ran = place.run("games").code(0).err(is_empty());
    assert!(ran.lines()[0].starts_with("alto-ahi     2 seats  {\"size\":9,\"walls\":10,"), "{}", ran.shown());
    let rows = place.run("games --json").code(0).rows();
    let rows: Vec<&Value> = rows.iter().filter(|row| row["game"] == "alto-ahi").collect();
    assert_eq!((&rows[0]["seats"], &rows[1]["seats"]), (&json!(2), &json!(4)));
    assert_eq!(
        (&rows[0]["rules"], &rows[0]["options"]["walls"], &rows[1]["options"]["walls"]),
        (&json!(1), &json!(10), &json!(5))
    );
    assert_eq!(ran.lines().len(), place.run("games --json").rows().len());
}

#[test]
fn every_game_is_played_by_its_listed_options() {
    let place = Place::new();
    for (number, row) in place.run("games --json").code(0).rows().iter().enumerate() {
        let (game, seats) = (row["game"].as_str().unwrap(), row["seats"].as_u64().unwrap());
        place.write("options.json", row["options"].to_string());
        let players = "random ".repeat(seats as usize);
        place.run(&format!("play {game} {players} --options options.json -q --log {number}.jsonl")).code(0);
    }
    place.run("verify .").code(0);
}

#[test]
fn rules_are_printed_as_they_are_written() {
    let place = Place::new();
    let rules = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/games/alto_ahi/RULES.md"));
    place.run("rules alto-ahi").code(0).prints(rules).err(is_empty());
    place.refuses(2, "rules chess", &["no game is called “chess”; there is alto-ahi"]);
}

#[test]
fn help_and_version_are_on_stdout() {
    let place = Place::new();
    place.run("--version").code(0).out(starts_with("arbitro ")).err(is_empty());
    let help = place.run("--help").code(0).err(is_empty());
    for command in
        ["play", "run", "init", "status", "verify", "show", "games", "rules", "legal", "perft", "bot", "doctor"]
    {
        assert!(help.stdout().contains(&format!("  {command} ")), "{}", help.shown());
        place.run(&format!("{command} --help")).code(0).out(contains("Usage: arbitro ")).err(is_empty());
    }
    let help = help.stdout();
    assert!(!help.contains("__keeper") && !help.contains("__enter"), "{help}");
}

#[test]
fn a_command_that_is_missing_or_unknown_is_refused() {
    let place = Place::new();
    place.run("").code(2).out(is_empty()).err(contains("Usage: arbitro"));
    place.refuses(2, "plya alto-ahi", &["unrecognized subcommand 'plya'", "play"]);
    place.refuses(2, "games --nosuch", &["--nosuch"]);
    place.refuses(2, "games -q -v", &["cannot be used with"]);
}
