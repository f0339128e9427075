//! How games go: their ends, seats that leave, the public state, the board, and options that are refused.

use crate::game::{BoardStyle, EndReason, Game, PASS, Ranking, Step, Turn};
use crate::seat::{Seat, SeatSet};

use super::super::{AltoAhi, Beside, Options};
use super::{after, list};

fn seat(index: usize) -> Seat {
    Seat::new(index)
}

fn small(walls: u8) -> Options {
    Options { size: 3, walls: Some(walls), ..Options::default() }
}

#[test]
fn the_first_pawn_on_its_goal_wins_and_the_others_tie() {
    let game = after(&small(0), 2, "a1 c3 a2 c2 a3");
    assert_eq!(game.turn(), Turn::Over(Ranking::won_by(seat(0), SeatSet::first(2))));
    assert_eq!(game.end(), Some(EndReason::Goal));

    let game =
        after(&Options { size: 5, ..Options::default() }, 4, "c2 a2 d5 e2 c3 a3 d4 e3 b3 a4 d5 e4 b4 a5 d4 e5 b5");
    assert_eq!(game.turn(), Turn::Over(Ranking::won_by(seat(0), SeatSet::first(4))));
}

#[test]
fn a_goal_on_the_last_ply_counts_before_the_limit() {
    let game = after(&Options { max_plies: Some(5), ..small(0) }, 2, "a1 c3 a2 c2 a3");
    assert_eq!(game.end(), Some(EndReason::Goal));
    let game = after(&Options { max_plies: Some(4), ..small(0) }, 2, "a1 c3 a2 c2");
    assert_eq!(game.turn(), Turn::Over(Ranking::draw(SeatSet::first(2))));
    assert_eq!(game.end(), Some(EndReason::MaxPlies));
}

#[test]
fn a_position_that_comes_back_too_often_is_a_draw() {
    let options = Options { repetition: 3, ..Options::default() };
    let round = "d1 d9 e1 e9";
    assert_eq!(after(&options, 2, &format!("{round} {round}")).end(), Some(EndReason::Repetition));
    assert_eq!(after(&options, 2, &format!("{round} d1 d9 e1")).end(), None);
    assert_eq!(after(&Options::default(), 2, &format!("{round} {round}")).end(), None);
    // Another barrier on the board is another position, and so are others in the stores.
    assert_eq!(after(&options, 2, &format!("{round} a1h a8h {round} {round}")).end(), Some(EndReason::Repetition));
    assert_eq!(after(&options, 2, &format!("{round} a1h a8h {round} d1 d9 e1")).end(), None);
    // Repetition is judged before the limit of plies.
    let both = Options { max_plies: Some(8), ..options };
    assert_eq!(after(&both, 2, &format!("{round} {round}")).end(), Some(EndReason::Repetition));
}

#[test]
fn a_seat_without_any_move_passes() {
    // Seat 1, on a3, has a barrier below it, two pawns beside it, and a barrier in store with no place left for it.
    let mut game = after(&small(1), 4, "b1h a3 a2h c3 c1");
    assert_eq!(list(&game), [PASS]);
    assert_eq!(game.count_legal(), 1);
    game.apply(Step::Move("pass".parse().expect("a move")));
    assert_eq!(game.turn(), Turn::Seat(seat(2)));
    assert_eq!(game.ply(), 6, "a pass is a ply");
}

#[test]
fn a_seat_that_leaves_takes_its_pawn_and_its_store_but_not_its_barriers() {
    let mut game = after(&Options::default(), 4, "e1h a5h");
    game.apply(Step::Leave(seat(2)));
    assert_eq!(game.turn(), Turn::Seat(seat(3)), "its turn ends");
    game.apply(Step::Leave(seat(1)));
    assert_eq!(game.turn(), Turn::Seat(seat(3)), "nobody else's turn ends");
    let state = serde_json::to_string(&game.view()).expect("a state");
    assert_eq!(
        state,
        r#"{"size":9,"turn":3,"ply":2,"pawns":["e1",null,null,"i5"],"barriers":[["e1h"],["a5h"],[],[]],"store":[4,0,0,5]}"#
    );
    game.apply(Step::Move("h5".parse().expect("a move")));
    assert_eq!(game.turn(), Turn::Seat(seat(0)));
    game.apply(Step::Move("d1".parse().expect("a move")));
    assert_eq!(game.turn(), Turn::Seat(seat(3)));
}

#[test]
#[should_panic(expected = "two seats are left to play")]
fn the_last_but_one_seat_does_not_leave() {
    after(&Options::default(), 2, "").apply(Step::Leave(seat(0)));
}

#[test]
fn a_leaving_seat_begins_a_turn_that_counts_for_repetition() {
    let options = Options { repetition: 2, ..Options::default() };
    let mut game = after(&options, 4, "");
    game.apply(Step::Leave(seat(0)));
    for token in ["a4", "d9", "i4", "a5", "e9"] {
        game.apply(Step::Move(token.parse().expect("a move")));
        assert_eq!(game.end(), None, "{token}");
    }
    game.apply(Step::Move("i5".parse().expect("a move")));
    assert_eq!(game.end(), Some(EndReason::Repetition));
}

#[test]
fn a_position_is_counted_only_when_a_turn_begins() {
    let options = Options { repetition: 2, ..Options::default() };
    let mut game = after(&options, 4, "");
    // Seat 2 leaves while seat 0 is to move: a new position, but no turn begins with it.
    game.apply(Step::Leave(seat(2)));
    for token in ["d1", "a4", "i4", "e1", "a5", "i5"] {
        game.apply(Step::Move(token.parse().expect("a move")));
        assert_eq!(game.end(), None, "{token}");
    }
    game.apply(Step::Move("d1".parse().expect("a move")));
    assert_eq!(game.end(), Some(EndReason::Repetition), "the turn after d1 began for the second time");
}

#[test]
fn the_state_is_the_one_in_the_rules() {
    let game = after(&Options::default(), 2, "e2 e8 e3 e7 e3h d5v");
    let state = serde_json::to_string(&game.view()).expect("a state");
    assert!(AltoAhi::RULES.contains(&state), "{state}");
    let over = after(&small(0), 2, "a1 c3 a2 c2 a3");
    assert!(serde_json::to_string(&over.view()).expect("a state").contains(r#""turn":null"#));
}

#[test]
fn canonical_bytes_tell_positions_apart() {
    let bytes = |seats: usize, moves: &str| {
        let mut bytes = Vec::new();
        after(&Options::default(), seats, moves).encode(&mut bytes);
        bytes
    };
    let all = ["", "e2", "e2 e8", "e1h", "e1v", "d1h", "d1", "d1 e8", "e2 e8 e1", "e1h e8h", "e1h e8h a1h a8h"];
    for (index, moves) in all.iter().enumerate() {
        assert!(all[..index].iter().all(|other| bytes(2, other) != bytes(2, moves)), "{moves}");
    }
    assert_eq!(bytes(2, "e2 e8 d2 d8"), bytes(2, "d1 d9 d2 d8"), "the way there does not matter");
    assert_eq!(bytes(2, "a1h b8h"), bytes(2, "b8h a1h"), "nor does who placed a barrier");
}

#[test]
fn the_board_shows_pawns_barriers_and_stores() {
    let game = after(&Options { size: 5, ..Options::default() }, 4, "b1h c3v c4 e2");
    let mut board = String::new();
    game.board(&mut board, BoardStyle { unicode: true, colour: false }).expect("a string takes all");
    let expected = "
      a   b   c   d   e
   ┌───────────────────┐
 5 │ ·   ·   ·   ·   · │ 5     2  to rank 1, barriers left: 5
   │                   │
 4 │ ·   ·   2 ┃ ·   · │ 4
   │           ┃       │       3  to file a, barriers left: 5
 3 │ 1   ·   · ┃ ·   · │ 3     1  to file e, barriers left: 4
   │                   │
 2 │ ·   ·   ·   ·   3 │ 2
   │    ━━━━━━━        │
 1 │ ·   ·   0   ·   · │ 1   ▸ 0  to rank 5, barriers left: 4
   └───────────────────┘
      a   b   c   d   e
";
    assert_eq!(board, expected[1..]);
}

#[test]
fn a_board_in_colour_paints_each_run_once() {
    let mut board = String::new();
    let game = after(&small(1), 2, "a1h");
    game.board(&mut board, BoardStyle { unicode: false, colour: true }).expect("a string takes all");
    assert!(board.contains("|\x1b[1;34m=======\x1b[0m    |"), "{board}");
    assert_eq!(board.matches("\x1b[0m").count(), 5, "a barrier, two pawns, two captions: {board}");
}

#[test]
fn options_that_cannot_be_played_are_refused() {
    let refused = |options: Options, field: &str, part: &str| {
        let error = AltoAhi::new(&options, 2).expect_err("refused");
        assert_eq!(error.field, field);
        assert!(error.reason.contains(part), "{error}");
    };
    for size in [0, 1, 2, 4, 8, 10, 11] {
        refused(Options { size, ..Options::default() }, "size", "3, 5, 7 or 9");
    }
    refused(Options { walls: Some(65), ..Options::default() }, "walls", "0 to 64");
    refused(Options { max_plies: Some(0), ..Options::default() }, "max_plies", "1 to 100000");
    refused(Options { max_plies: Some(100_001), ..Options::default() }, "max_plies", "1 to 100000");
    refused(Options { repetition: 1, ..Options::default() }, "repetition", "before its first move");
    for seats in [0, 1, 3, 5] {
        assert_eq!(AltoAhi::new(&Options::default(), seats).expect_err("refused").field, "seats");
    }
    for json in [r#"{"edge":"left"}"#, r#"{"size":-1}"#, r#"{"walls":"ten"}"#, r#"{"sise":9}"#] {
        assert!(serde_json::from_str::<Options>(json).is_err(), "{json}");
    }
}

#[test]
fn options_in_force_are_filled_in() {
    let options =
        AltoAhi::new(&Options { size: 7, edge: Beside::None, ..Options::default() }, 4).expect("possible").options();
    assert_eq!((options.size, options.walls, options.max_plies), (7, Some(5), Some(196)));
    assert_eq!(AltoAhi::new(&Options::default(), 2).expect("possible").options().walls, Some(10));
    assert_eq!(serde_json::to_value(options).expect("plain data")["edge"], "none");
}
