//! Choices that are plain, and positions as the search sees them against the game itself.

use serde_json::{Map, Value, json};

use super::greedy::best_moves;
use super::node::Place;
use crate::bots::search::tests::plain;
use crate::bots::search::{End, Limits, Node, Search};
use crate::chance::{Draws, Hex32, Purpose, Streams};
use crate::game::{Game, Step, Turn};
use crate::games::crecer::{Core, Crecer, Move, Options, Rules, View};

/// A position from words such as `a1:3`: the stacks of each seat, and the hands. Seat 0 is to move.
fn position(stacks: [&str; 2], hand: [u8; 2]) -> Core {
    let stacks = stacks.map(|words| {
        let heights = words.split_whitespace().map(|word| {
            let (square, height) = word.split_once(':').unwrap();
            (square.to_owned(), json!(height.parse::<u8>().unwrap()))
        });
        Value::Object(heights.collect::<Map<_, _>>())
    });
    let state = json!({"turn": 0, "ply": 0, "stacks": stacks, "hand": hand, "passed": false, "occurrences": 1});
    serde_json::from_value::<View>(state).unwrap().core(Rules::default()).unwrap()
}

/// A position far from the last ply, in a game in which none occurred before.
fn place(core: Core) -> Place {
    Place::new(core, 100, Vec::new())
}

fn draws() -> Draws {
    Streams::new(Hex32::from_text("crecer")).of(Purpose::SetUp).clone()
}

/// The move that the search finds and what it is worth, looking so far ahead.
fn found(place: &Place, depth: u32) -> (Move, i32) {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let found = Search::new(place.mover()).best(place, &limits, &mut draws());
    (found.mv, found.value)
}

/// Every move that one of the bots might make here.
fn choices(core: Core) -> Vec<Move> {
    let searched = [1, 2, 3].map(|depth| found(&place(core), depth).0);
    best_moves(&place(core)).into_iter().chain(searched).collect()
}

fn is_won(core: &Core, mv: Move) -> bool {
    let mover = core.to_move();
    { *core }.play(mv).is_some_and(|end| end.winner == Some(mover))
}

#[test]
fn a_win_at_once_is_taken() {
    for (stacks, hand, wins) in [
        // A step onto the far rank, past many other things to do.
        (["e5:1 a1:1 b1:1", "e4:1 d6:4 c6:4 a5:1"], [6, 6], vec!["e5-e6", "e5-f6"]),
        // The rival's last stack of height 1, by a taller one.
        (["c3:2 a1:1", "d4:1 f6:3"], [6, 6], vec!["c3xd4"]),
        // The same by one of its height, another one being left.
        (["c3:1 a1:1", "d4:1 f6:3"], [0, 6], vec!["c3xd4"]),
    ] {
        let core = position(stacks, hand);
        for mv in choices(core) {
            assert!(wins.contains(&mv.to_string().as_str()) && is_won(&core, mv), "{mv} in {stacks:?}");
        }
    }
}

#[test]
fn the_rivals_win_at_once_is_prevented() {
    for (stacks, hand) in [
        // The rival's single piece is next to the goal: only an attack helps.
        (["a1:1 b1:1 e1:2 c3:1", "e2:1 a6:1 b6:1 c6:1 d6:1 e6:1 f6:1"], [0, 6]),
        // Only one square is open to it, and can be closed.
        (["a1:3 b1:3 c1:3 d1:3 f2:3 e3:1 c3:1", "f4:1 e2:1 a6:3 b6:3 c6:3 d6:3 e6:3 f6:3"], [0, 0]),
        // The same, where a fight would open the own way to the goal at once.
        (["d1:3 e1:3 f2:3 a5:1 b5:1 c3:1", "e2:1 a6:3 b6:1 c6:3 d6:3"], [0, 0]),
        // The last stack of height 1 is about to be taken.
        (["c3:1 a1:3", "d4:2 f6:1 e6:1"], [0, 6]),
    ] {
        let core = position(stacks, hand);
        let lets_win = |mv: Move| {
            let mut next = core;
            next.play(mv).is_none() && next.legal().into_iter().any(|answer| is_won(&next, answer))
        };
        assert!(core.legal().into_iter().any(lets_win), "there is something to prevent in {stacks:?}");
        for mv in best_moves(&place(core)).into_iter().chain([2, 3].map(|depth| found(&place(core), depth).0)) {
            assert!(!lets_win(mv), "{mv} in {stacks:?}");
        }
    }
}

#[test]
fn the_last_single_piece_is_not_grown() {
    for mv in choices(position(["a1:1 c1:3", "f6:1 d6:3"], [12, 0])) {
        assert_ne!(mv.to_string(), "+a1");
    }
}

#[test]
fn a_position_that_would_be_a_draw_is_shunned_by_who_is_ahead_and_sought_by_who_is_behind() {
    let ahead = position(["a1:1 b1:1 c1:1 c3:2", "f6:1 e6:1"], [3, 0]);
    let behind = position(["a1:1 b1:2", "f6:1 e6:1 d6:1 d3:2"], [0, 3]);
    let after = |core: Core, mv: Move| {
        let mut next = core;
        next.play(mv);
        next.canonical()
    };
    for depth in [1, 2, 3] {
        let (mv, value) = found(&place(ahead), depth);
        let steps = ahead.legal().into_iter().filter(|mv| matches!(mv, Move::Step { .. }));
        // All steps lead to a draw, the best of them too.
        let spent = steps.map(|mv| after(ahead, mv)).collect();
        let (other, lower) = found(&Place::new(ahead, 100, spent), depth);
        assert!(value > 0 && lower > 0 && !matches!(other, Move::Step { .. }), "{mv} {value}, {other} {lower}");

        let draw: Move = "b1-a2".parse().unwrap();
        let at_draw = Place::new(behind, 100, vec![after(behind, draw)]);
        assert!(found(&place(behind), depth).1 < 0);
        assert_eq!(found(&at_draw, depth), (draw, 0));
        assert_eq!(best_moves(&at_draw), [draw]);
    }
}

#[test]
fn the_search_tells_places_with_different_futures_apart() {
    let core = position(["a1:1 b1:2", "f6:1 e6:1"], [0, 3]);
    let bytes = |left: u32, spent: &[Core]| {
        let mut bytes = Vec::new();
        Place::new(core, left, spent.to_vec()).encode(&mut bytes);
        bytes
    };
    assert_eq!(bytes(100, &[]), bytes(101, &[]), "the last ply is out of sight");
    assert_ne!(bytes(20, &[]), bytes(21, &[]));
    assert_ne!(bytes(100, &[]), bytes(100, &[core]));
    assert_ne!(bytes(100, &[Core::start(Rules::default())]), bytes(100, &[core]));
}

#[test]
fn the_search_finds_what_plain_minimax_finds() {
    let mut looked = 0;
    for options in ["{}", r#"{"repetition":2,"max_plies":40,"max_height":2}"#] {
        let (mut game, mut draws) = (game(options), draws());
        while game.end().is_none() {
            if game.ply() % 9 == 0 {
                let place = Place::of(&game);
                let me = place.mover();
                for depth in 1..=2 {
                    let (mv, value) = found(&place, depth);
                    assert_eq!(value, plain(&place, me, depth, 0), "ply {}", game.ply());
                    assert_eq!(value, plain(&place.after(mv), me, depth - 1, 1), "{mv} at ply {}", game.ply());
                    looked += 1;
                }
            }
            game.apply(Step::Move(any_move(&game, &mut draws)));
        }
    }
    let few = position(["a1:1 c3:3", "f6:1 d4:2"], [1, 0]);
    for depth in 1..=4 {
        assert_eq!(found(&place(few), depth).1, plain(&place(few), few.to_move(), depth, 0));
    }
    assert!(looked > 10);
}

#[test]
fn a_place_ends_as_the_game_does() {
    let mut drawn = 0;
    for (options, opening) in [
        ("{}", "a2-a3 a5-a4 a3-a2 a4-a5 a2-a3 a5-a4 a3-a2"),
        (r#"{"repetition":2}"#, "a2-a3 a5-a4 a3-a2"),
        (r#"{"repetition":4}"#, "a2-a3 a5-a4 a3-a2"),
        (r#"{"repetition":0}"#, "a2-a3 a5-a4 a3-a2 a4-a5 a2-a3 a5-a4 a3-a2"),
        (r#"{"max_plies":30}"#, ""),
    ] {
        let mut game = game(options);
        opening.split_whitespace().for_each(|token| game.apply(Step::Move(token.parse().unwrap())));
        let mut draws = draws();
        while game.end().is_none() {
            let place = Place::of(&game);
            for mv in game.core().legal() {
                let mut next = game.clone();
                next.apply(Step::Move(mv));
                let end = match next.turn() {
                    Turn::Over(ranking) => Some(ranking.winner().map_or(End::Drawn, End::Won)),
                    _ => None,
                };
                assert_eq!(place.after(mv).end(), end, "{mv} at ply {} with {options}", game.ply());
                drawn += u32::from(end == Some(End::Drawn));
            }
            game.apply(Step::Move(any_move(&game, &mut draws)));
        }
    }
    assert!(drawn > 30, "{drawn}");
}

fn game(options: &str) -> Crecer {
    Crecer::new(&serde_json::from_str::<Options>(options).unwrap(), 2).unwrap()
}

fn any_move(game: &Crecer, draws: &mut Draws) -> Move {
    let moves = game.core().legal();
    moves[draws.below(moves.len() as u32) as usize]
}
