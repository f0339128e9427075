//! The test vectors of section 11, and its table of streams.

use arbitro::chance::{Draws, Hex32, Purpose, Seed, Streams};
use arbitro::seat::Seat;
use arbitro::table::GameName;
use arbitro::tournament::openings::{self, Setting};

use crate::arena::{GAME_ID, master};
use crate::document::table;

fn vector(what: &str) -> String {
    table("11. Chance", "what").cell(what, "value")
}

fn game_seed() -> Seed {
    master().of_game(GAME_ID)
}

fn stream(purpose: Purpose) -> Draws {
    Streams::new(game_seed()).of(purpose).clone()
}

fn dice(seat: usize) -> Draws {
    stream(Purpose::Dice(Seat::new(seat)))
}

fn several(mut draw: impl FnMut() -> u32, count: usize) -> String {
    (0..count).map(|_| draw().to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn seeds_and_the_commitment_are_as_documented() {
    let named = |what: &str| what.replace("GAME", &format!("`{GAME_ID}`"));
    for (what, value) in [
        ("master seed from the text `42`", Hex32::from_text("42")),
        ("game seed for the luck id GAME", game_seed()),
        ("bot seed of seat 0 in GAME", master().of_bot(GAME_ID, Seat::new(0))),
        ("bot seed of seat 1 in GAME", master().of_bot(GAME_ID, Seat::new(1))),
        ("openings seed", master().of_openings()),
        ("commitment for the game id GAME", game_seed().commitment(GAME_ID)),
    ] {
        assert_eq!(vector(&named(what)), value.to_string(), "{what}");
    }
}

#[test]
fn openings_are_drawn_as_documented() {
    let setting = Setting { game: GameName::AltoAhi, options: "{}", seats: 2 };
    let drawn = openings::draw(master().of_openings(), setting, 3, 2, None).unwrap();
    assert_eq!(vector("two openings of three plies of `alto-ahi`, not weighed"), drawn.openings.join(", "));
}

#[test]
fn draws_are_as_documented() {
    // Below the greatest number there is, a draw is the word itself, unless that is the greatest.
    let mut words = dice(0);
    let words: Vec<String> = (0..4).map(|_| format!("{:08x}", words.below(u32::MAX))).collect();
    assert_eq!(vector("first four words of `dice of seat 0`, in hex"), words.join(" "));

    for seat in 0..2 {
        let mut draws = dice(seat);
        assert_eq!(vector(&format!("ten times `below(6)` of `dice of seat {seat}`")), several(|| draws.below(6), 10));
    }
    let mut items: Vec<u32> = (0..10).collect();
    stream(Purpose::Deck).shuffle(&mut items);
    let mut shuffled = items.into_iter();
    assert_eq!(vector("0 to 9 after `shuffle` with `deck`"), several(|| shuffled.next().unwrap(), 10));
    let mut often_refused = stream(Purpose::SetUp);
    assert_eq!(vector("five times `below(3000000000)` of `set-up`"), several(|| often_refused.below(3_000_000_000), 5));
}

#[test]
fn each_purpose_has_its_stream() {
    let table = table("11. Chance", "purpose");
    let number = |purpose: Purpose| purpose.stream().to_string();
    for (name, purpose) in [("set-up", Purpose::SetUp), ("deck", Purpose::Deck), ("opening", Purpose::Opening)] {
        assert_eq!(table.cell(name, "stream number"), number(purpose));
    }
    for index in 0..4 {
        let seat = Seat::new(index);
        for (name, purpose) in [("dice of seat s", Purpose::Dice(seat)), ("strike of seat s", Purpose::Strike(seat))] {
            let cell = table.cell(name, "stream number");
            let base: usize = cell.strip_suffix(" + s").unwrap().parse().unwrap();
            assert_eq!((base + index).to_string(), number(purpose), "{name}");
        }
    }
    assert_eq!(table.rows.len(), 5);
}
