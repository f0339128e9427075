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

/// The position bytes of a state whose game is not over.
fn position_bytes(game: GameName, state: &Value, arena: &Arena) -> Vec<u8> {
    match game.as_str() {
        "alto-ahi" => alto_ahi(state, arena),
        "alto-riesgo" => alto_riesgo(state, arena),
        "crecer" => crecer(state, arena),
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
        for &seats in game.seats() {
            let mut compared = 0;
            for round in 0..3 {
                let mut arena = Arena::ready(setup(game.as_str(), "{}", seats));
                let mut draws = draws(&format!("{game} {seats} {round}"));
                while arena.asked().is_some() && compared < 150 * (round + 1) {
                    if round == 2 && compared % 40 == 39 && seats > 2 {
                        let seat = arena.asked().unwrap();
                        let line = format!("{{\"type\":\"resign\",\"turn\":{}}}\n", arena.referee.turn());
                        arena.write(seat, line.as_bytes());
                    } else {
                        arena.play_on(&mut draws, 1);
                    }
                    if arena.asked().is_none() {
                        break;
                    }
                    let mut state = Vec::new();
                    arena.referee.table().state_json(&mut state);
                    let state = serde_json::from_slice(&state).unwrap();
                    let hash = fnv1a(&position_bytes(game, &state, &arena));
                    assert_eq!(last_hash(&arena), Some(hash), "{game}, {seats} seats: {state}");
                    compared += 1;
                }
            }
            assert!(compared > 100, "{game}, {seats} seats: {compared} positions");
        }
    }
}
