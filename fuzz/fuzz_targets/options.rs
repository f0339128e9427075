//! Options of games as text from a user or a log: a game that can be played, or the option that is wrong.

#![no_main]

use arbitro::chance::{Seed, Streams};
use arbitro::game::Turn;
use arbitro::record::verify::verify;
use arbitro::table::GameName;
use arbitro_fuzz::choices::Choices;
use arbitro_fuzz::logs::GOLDEN;
use libfuzzer_sys::fuzz_target;

/// How far a game is played that can be.
const STEPS: usize = 30;

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices::new(bytes);
    let game = *choices.of(GameName::ALL);
    let seats = usize::from(choices.byte() % 8);
    let Ok(options) = std::str::from_utf8(choices.rest()) else { return };
    drop(verify(&log(game, seats, options)));
    let mut table = match game.open(options, seats) {
        Ok(table) => table,
        Err(bad) => return assert!(!bad.field.is_empty() && !bad.reason.is_empty()),
    };
    let in_force = table.options_json();
    let mut again = game.open(&in_force, seats).expect("options in force can be played with");
    assert_eq!(again.options_json(), in_force);
    assert_eq!(again.hash(), table.hash());
    let mut streams = Streams::new(Seed::from_text("options"));
    for step in 0..STEPS {
        match table.turn() {
            Turn::Over(_) => break,
            Turn::Chance => drop(table.draw(&mut streams)),
            Turn::Seat(_) => {
                let legal = table.legal();
                table.play(&legal[step * 7 % legal.len()]).expect("a listed move is legal");
            }
        }
    }
    table.hash();
});

/// A log whose header has these options, and which is cut off behind it.
fn log(game: GameName, seats: usize, options: &str) -> Vec<u8> {
    let header = GOLDEN[0].split_inclusive('\n').next().expect("a log begins with a line");
    let (start, rest) = header.split_once("\"game\":").expect("a header has the game");
    let (_, rest) = rest.split_once("\"game_id\":").expect("a header has the game's name");
    let (players, version) = (vec!["\"x\""; seats].join(","), game.rules_version());
    let options = options.replace('\n', " ");
    format!(
        "{start}\"game\":\"{game}\",\"rules\":{version},\"options\":{options},\"players\":[{players}],\"game_id\":{rest}"
    )
    .into_bytes()
}
