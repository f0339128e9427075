//! Positions of all games, reached by moves, throws, cards and seats that leave.

use arbitro::chance::{Seed, Streams};
use arbitro::game::Turn;
use arbitro::seat::{Seat, SeatSet};
use arbitro::table::{GameName, Table};

use crate::choices::Choices;

/// The games with the options that change most: name, seats, options.
const GAMES: [(GameName, usize, &str); 16] = [
    (GameName::AltoAhi, 2, "{}"),
    (GameName::AltoAhi, 4, r#"{"pawn_behind":"side"}"#),
    (GameName::AltoAhi, 2, r#"{"size":3,"walls":2,"repetition":3}"#),
    (GameName::AltoAhi, 2, r#"{"size":5,"walls":3,"cards":true}"#),
    (GameName::AltoAhi, 4, r#"{"size":5,"edge":"none","cards":true}"#),
    (GameName::AltoRiesgo, 2, "{}"),
    (GameName::AltoRiesgo, 3, r#"{"track":"BC","max_turns":9}"#),
    (GameName::AltoRiesgo, 4, r#"{"tie_next":"lower_only"}"#),
    (GameName::AltoRiesgo, 2, r#"{"track":"BCCBC","climbers":2,"dice":1}"#),
    (GameName::Crecer, 2, "{}"),
    (GameName::Crecer, 2, r#"{"max_height":2,"attack_up":false,"mutual":"mover_wins"}"#),
    (GameName::Crecer, 2, r#"{"backward":false,"max_plies":80,"repetition":2}"#),
    (GameName::Passage, 2, "{}"),
    (GameName::Passage, 2, r#"{"legs":2,"max_plies":9,"adjudicate":"progress"}"#),
    (GameName::Passage, 2, r#"{"placement":"chance","bridge_on_neutral":false,"repetition":2}"#),
    (GameName::Passage, 2, r#"{"layout":"RBRBRBRBRBRBRBBRB","starter":"R","stuck":"loss"}"#),
];

/// A game at some position: which game, how many steps, and a byte for each step.
pub fn position(choices: &mut Choices) -> (GameName, Box<dyn Table>) {
    let &(game, seats, options) = choices.of(&GAMES);
    let mut table = game.open(options, seats).expect("these options are good");
    let mut streams = Streams::new(Seed::from_text("fuzz"));
    let mut inside = SeatSet::first(seats);
    for _ in 0..choices.byte() {
        let step = choices.byte();
        let leaves = Seat::new(usize::from(step) % seats);
        match table.turn() {
            Turn::Over(_) => break,
            _ if step >= 250 && inside.len() > 2 && inside.contains(leaves) => {
                inside = inside.without(leaves);
                table.leave(leaves);
            }
            Turn::Chance => drop(table.draw(&mut streams)),
            Turn::Seat(seat) => {
                assert!(inside.contains(seat), "a seat that is out is not asked");
                let legal = table.legal();
                table.play(&legal[usize::from(step) % legal.len()]).expect("a listed move is legal");
            }
        }
    }
    (game, table)
}
