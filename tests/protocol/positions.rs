//! The hash of a position, computed here from the public state as the rules of each game say under “Position bytes”.

use arbitro::record::entry::Entry;
use arbitro::table::GameName;
use serde_json::Value;

use crate::arena::{Arena, draws, setup};

/// The hash that section 12 describes.
fn fnv1a(bytes: &[u8]) -> u64 {
    let mut hash: u128 = 0xcbf2_9ce4_8422_2325;
    for &byte in bytes {
        hash = ((hash ^ u128::from(byte)) * 0x100_0000_01b3) % (1 << 64);
    }
    hash as u64
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is a number"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is a list"))
}

/// File and rank of the square that a text begins with, from 0.
fn square(value: &Value) -> (u64, u64) {
    let text = value.as_str().unwrap_or_else(|| panic!("{value} is a text")).as_bytes();
    (u64::from(text[0] - b'a'), u64::from(text[1] - b'1'))
}

fn alto_ahi(state: &Value, _: &Arena) -> Vec<u8> {
    let pawns = list(&state["pawns"]);
    let inside: u64 = (0..pawns.len()).filter(|&seat| !pawns[seat].is_null()).map(|seat| 1 << seat).sum();
    let mut bytes = vec![(inside + 16 * number(&state["turn"])) as u8];
    bytes.extend(pawns.iter().map(|pawn| match pawn {
        Value::Null => 255,
        pawn => (10 * square(pawn).1 + square(pawn).0) as u8,
    }));
    bytes.extend(list(&state["store"]).iter().map(|store| number(store) as u8));
    for lie in ["h", "v"] {
        let barriers = list(&state["barriers"]).iter().flat_map(list);
        let lying = barriers.filter(|barrier| barrier.as_str().unwrap().ends_with(lie)).map(square);
        let sum: u64 = lying.map(|(file, rank)| 1 << (8 * rank + file)).sum();
        bytes.extend(sum.to_le_bytes());
    }
    if let Some(cards) = state.get("cards") {
        bytes.extend(alto_ahi_cards(state, cards));
    }
    bytes
}

/// What the card game adds. Nobody can tell from the state whose barrier was lifted.
fn alto_ahi_cards(state: &Value, cards: &Value) -> Vec<u8> {
    const CARDS: [&str; 11] = [
        "advance-two",
        "diagonal",
        "leap-wall",
        "push",
        "halt",
        "remove-wall",
        "move-wall",
        "double-wall",
        "recover-wall",
        "step-back",
        "lose-turn",
    ];
    let mut bytes = Vec::new();
    for owners in [[1, 3], [2, 3]] {
        let barriers = owners.into_iter().filter_map(|seat| state["barriers"].get(seat)).flat_map(list).map(square);
        bytes.extend(barriers.map(|(file, rank)| 1u64 << (8 * rank + file)).sum::<u64>().to_le_bytes());
    }
    let left = |card: &str| cards["deck"].get(card).map_or(0, number) as u16;
    bytes.extend(CARDS.iter().flat_map(|card| left(card).to_le_bytes()));
    bytes.extend(list(&cards["halts"]).iter().flat_map(|halts| (number(halts) as u32).to_le_bytes()));
    let hand = &cards["hand"];
    match CARDS.iter().position(|card| hand["card"] == *card) {
        Some(card) => bytes.extend([2, card as u8, number(&hand["choice"]) as u8 - 1]),
        None => bytes.push(if hand.is_null() { 0 } else { 1 }),
    }
    bytes
}

fn alto_riesgo(state: &Value, _: &Arena) -> Vec<u8> {
    let climbers: Vec<&[Value]> = list(&state["climbers"]).iter().map(list).collect();
    let inside: u8 = (0..climbers.len()).filter(|&seat| !climbers[seat].is_empty()).map(|seat| 1 << seat).sum();
    let phase = if state["phase"] == "dice" { 0 } else { 1 };
    let mut bytes = vec![inside, number(&state["turn"]) as u8, phase];
    bytes.extend([number(&state["danger"]) as u8, number(&state["ascents"]) as u8]);
    bytes.extend((number(&state["turns_played"]) as u32).to_le_bytes());
    bytes.extend(climbers.into_iter().flatten().map(|zone| number(zone) as u8));
    bytes
}

fn crecer(state: &Value, arena: &Arena) -> Vec<u8> {
    type Stack = ((u64, u64), u64);
    let set = |stacks: &[Stack], wanted: &dyn Fn(u64) -> bool| -> Vec<u8> {
        let files = |rank| stacks.iter().filter(move |&&((_, at), height)| at == rank && wanted(height));
        (0..6).map(|rank| files(rank).map(|&((file, _), _)| 1u8 << file).sum()).collect()
    };
    let of = |seat: usize| -> Vec<Stack> {
        let stacks = state["stacks"][seat].as_object().unwrap().iter();
        stacks.map(|(name, height)| (square(&Value::String(name.clone())), number(height))).collect()
    };
    let both: Vec<Stack> = of(0).into_iter().chain(of(1)).collect();
    let mut bytes = [set(&of(0), &|_| true), set(&of(1), &|_| true)].concat();
    for place in [1, 2, 4, 8] {
        bytes.extend(set(&both, &|height| height / place % 2 == 1));
    }
    bytes.extend(list(&state["hand"]).iter().map(|hand| number(hand) as u8));
    let can_only_pass = arena.referee.table().legal().iter().any(|mv| mv.as_str() == "pass");
    let passes = state["passed"] == true && can_only_pass;
    bytes.push((number(&state["turn"]) + if passes { 2 } else { 0 }) as u8);
    bytes
}

fn passage(state: &Value, _: &Arena) -> Vec<u8> {
    const SQUARES: [&str; 25] = [
        "a1", "c1", "e1", "g1", "b2", "d2", "f2", "a3", "c3", "e3", "g3", "b4", "d4", "f4", "a5", "c5", "e5", "g5",
        "b6", "d6", "f6", "a7", "c7", "e7", "g7",
    ];
    let phases = ["bag", "outer", "placing", "moving", "over"];
    let mut bytes = vec![phases.iter().position(|phase| state["phase"] == *phase).unwrap() as u8];
    bytes.extend((0..2).map(|leg| match state["results"].get(leg) {
        None => 0,
        Some(result) => result["winner"].as_u64().map_or(1, |seat| 2 + seat as u8),
    }));
    let pawns = |seat: usize| -> u64 {
        let place = |pawn: &Value| SQUARES.iter().position(|square| pawn == square).unwrap();
        list(&state["pawns"][seat]).iter().map(|pawn| 1 << place(pawn)).sum()
    };
    let stuck = u64::from(state["both_stuck"] == true);
    let sum = pawns(0) + (pawns(1) << 25) + (number(&state["turn"]) << 50) + (stuck << 51);
    bytes.extend(sum.to_le_bytes());
    for colour in ['R', 'B'] {
        // The holes are the squares between the two rows of four.
        let discs = state["discs"].as_str().unwrap().chars().enumerate().filter(|(_, disc)| *disc == colour);
        bytes.extend(discs.map(|(hole, _)| 1u32 << (hole + 4)).sum::<u32>().to_le_bytes());
    }
    bytes
}

/// The position bytes of a state whose game is not over.
fn position_bytes(game: GameName, state: &Value, arena: &Arena) -> Vec<u8> {
    match game.as_str() {
        "alto-ahi" => alto_ahi(state, arena),
        "alto-riesgo" => alto_riesgo(state, arena),
        "crecer" => crecer(state, arena),
        "passage" => passage(state, arena),
        other => panic!("say in the rules of {other} what its position bytes are, and compute them here"),
    }
}

fn last_hash(arena: &Arena) -> Option<u64> {
    arena.entries.iter().rev().find_map(|entry| match entry {
        Entry::Move(mv) => Some(mv.hash.0),
        Entry::Chance(chance) => Some(chance.hash.0),
        Entry::Leave(leave) => Some(leave.hash.0),
        _ => None,
    })
}

#[test]
fn a_checker_computes_the_hash_from_the_rules_alone() {
    for &game in GameName::ALL {
        assert!(game.rules().contains("\n## Position bytes\n"), "{game}");
        let all_options: &[&str] = match game.as_str() {
            "alto-ahi" => &["{}", r#"{"cards":true,"size":5}"#],
            "passage" => &["{}", r#"{"legs":2,"placement":"chance","max_plies":30}"#],
            _ => &["{}"],
        };
        for options in all_options {
            for &seats in game.seats() {
                let compared = compare(game, options, seats);
                assert!(compared > 100, "{game} with {options}, {seats} seats: {compared} positions");
            }
        }
    }
}

/// Plays some games, in one of which seats leave, and compares the hash of each position in which a seat is asked.
fn compare(game: GameName, options: &str, seats: usize) -> u32 {
    let mut compared = 0;
    for round in 0..3 {
        let mut arena = Arena::ready(setup(game.as_str(), options, seats));
        let mut draws = draws(&format!("{game} {seats} {round}"));
        for ply in 1..80 {
            if round == 2 && ply % 40 == 0 && seats > 2 {
                let line = format!("{{\"type\":\"resign\",\"turn\":{}}}\n", arena.referee.turn());
                arena.write(arena.asked().unwrap(), line.as_bytes());
            } else {
                arena.play_on(&mut draws, 1);
            }
            if arena.asked().is_none() {
                break;
            }
            let mut state = Vec::new();
            arena.referee.table().state_json(&mut state);
            let state: Value = serde_json::from_slice(&state).unwrap();
            if state["cards"]["hand"].get("lifted").is_none() {
                let hash = fnv1a(&position_bytes(game, &state, &arena));
                assert_eq!(last_hash(&arena), Some(hash), "{game} with {options}, {seats} seats: {state}");
                compared += 1;
            }
        }
    }
    compared
}
