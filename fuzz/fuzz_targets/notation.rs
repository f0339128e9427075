//! Moves as text, in any position of any game: what is read is written the same, what is listed is legal, what is not
//! is refused in words, and nothing panics.

#![no_main]

use arbitro::chance::{Seed, Streams};
use arbitro::game::{BoardStyle, Notation, Turn};
use arbitro::games::{alto_ahi, alto_riesgo, crecer, passage};
use arbitro::table::{GameName, Refusal, Table};
use arbitro_fuzz::choices::Choices;
use arbitro_fuzz::tables;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

/// What stands in moves, and what does not.
const LETTERS: &[u8] = b"abcdefghijlmoprstvxABHRS0123456789+-_ \t\0\"\xc3\xa9";

/// Whether the text is a move of this game, in any position; then it is the only text of that move.
fn is_move<M: Notation>(text: &str) -> bool {
    let Ok(mv) = text.parse::<M>() else { return false };
    assert_eq!(mv.token().as_str(), text, "a move has one text");
    let mut item = Vec::new();
    mv.append_item(&mut item);
    assert_eq!(item, format!(",\"{text}\"").into_bytes());
    true
}

fn is_move_of(game: GameName, text: &str) -> bool {
    match game {
        GameName::AltoAhi => is_move::<alto_ahi::Move>(text),
        GameName::AltoRiesgo => is_move::<alto_riesgo::Move>(text),
        GameName::Crecer => is_move::<crecer::Move>(text),
        GameName::Passage => is_move::<passage::Move>(text),
    }
}

/// Any text as a move: refused, or one of the list.
fn try_move(game: GameName, table: &dyn Table, text: &str) {
    let is_move = is_move_of(game, text);
    let listed = table.legal().iter().any(|token| token.as_str() == text);
    let mut copy = table.copy();
    let (checked, before) = (table.check(text), copy.hash());
    assert_eq!(copy.play(text), checked);
    match checked {
        Ok(token) => assert!(listed && is_move && token.as_str() == text),
        Err(refusal) => {
            assert!(!listed && !refusal.to_string().is_empty());
            let unreadable = matches!(refusal, Refusal::Unreadable { .. });
            assert!(unreadable != is_move || matches!(refusal, Refusal::OutOfTurn(_)), "{refusal}");
            assert_eq!(copy.hash(), before, "a move that is refused changes nothing");
        }
    }
}

/// A listed move with one letter too many, too few or another one.
fn edited(table: &dyn Table, choices: &mut Choices) -> Vec<u8> {
    let legal = table.legal();
    let mut text = legal.get(choices.below(legal.len())).map_or(Vec::new(), |token| token.as_bytes().to_vec());
    let (place, what, &letter) = (choices.below(text.len() + 1), choices.byte() % 3, choices.of(LETTERS));
    let replaced = place..text.len().min(place + usize::from(what > 0));
    text.splice(replaced, (what < 2).then_some(letter));
    text
}

/// Any text as an outcome: refused, or played.
fn try_chance(table: &dyn Table, text: &str) {
    let mut copy = table.copy();
    let before = copy.hash();
    if let Err(refusal) = copy.play_chance(text) {
        assert!(!refusal.to_string().is_empty());
        assert_eq!(copy.hash(), before, "an outcome that is refused changes nothing");
    }
    if table.turn() == Turn::Chance {
        let (mut drawn, mut played) = (table.copy(), table.copy());
        let outcome = drawn.draw(&mut Streams::new(Seed::from_text(text)));
        played.play_chance(&outcome).expect("what is drawn is possible");
        assert_eq!(played.hash(), drawn.hash());
    }
}

/// What is listed, shown and counted in this position.
fn look_at(game: GameName, table: &mut dyn Table) {
    let legal = table.legal();
    assert_eq!(legal.len() as u64, table.count_legal());
    assert_eq!(legal.is_empty(), !matches!(table.turn(), Turn::Seat(_)));
    assert_eq!(table.end().is_some(), matches!(table.turn(), Turn::Over(_)));
    let mut json = Vec::new();
    table.legal_json(&mut json);
    let listed: Vec<String> = serde_json::from_slice(&json).expect("the list is JSON");
    assert!(listed.iter().map(String::as_str).eq(legal.iter().map(|token| token.as_str())));
    for token in &legal {
        assert!(is_move_of(game, token));
        assert_eq!(table.check(token), Ok(*token), "a listed move is legal");
    }
    json.clear();
    table.state_json(&mut json);
    assert!(serde_json::from_slice::<Value>(&json).is_ok_and(|state| state.is_object()));
    for style in [BoardStyle::default(), BoardStyle { unicode: true, colour: true }] {
        assert!(table.board(style).ends_with('\n'));
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices::new(bytes);
    let (game, mut table) = tables::position(&mut choices);
    look_at(game, &mut *table);
    if let Ok(text) = std::str::from_utf8(&edited(&*table, &mut choices)) {
        try_move(game, &*table, text);
    }
    let Ok(text) = std::str::from_utf8(choices.rest()) else { return };
    for &game in GameName::ALL {
        is_move_of(game, text);
    }
    try_move(game, &*table, text);
    try_chance(&*table, text);
});
