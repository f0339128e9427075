//! Every reason for which a move is refused, in words.

use crate::game::{Game, Step};
use crate::seat::Seat;

use super::super::{Beside, Options};
use super::after;

/// Checks that a move is refused after others, with this reason.
fn refused(options: &Options, seats: usize, moves: &str, token: &str, reason: &str) {
    let error = after(options, seats, moves).check(token.parse().expect("a move")).expect_err("the move is illegal");
    assert_eq!(error.to_string(), reason, "{token} after {moves}");
}

fn refused_by_default(moves: &str, token: &str, reason: &str) {
    refused(&Options::default(), 2, moves, token, reason);
}

#[test]
fn steps() {
    refused_by_default("", "e1", "your pawn stands on e1 already: it must move to another square");
    refused_by_default(
        "",
        "e4",
        "e4 is not next to e1: a pawn moves one square up, down, left or right, or jumps over a pawn that stands next to it",
    );
    refused_by_default("e1h e8", "e2", "a barrier lies between e1 and e2");
    refused_by_default("d1v e8", "d1", "a barrier lies between e1 and d1");
    let small = Options { size: 5, ..Options::default() };
    refused(&small, 2, "", "c6", "c6 is off the board, whose squares are a1 to e5");
    refused(&small, 2, "", "f1", "f1 is off the board, whose squares are a1 to e5");
}

/// The pawns of both seats next to each other, on e4 and e5, seat 0 to move.
const FACE_TO_FACE: &str = "e2 e8 e3 e7 e4 e6 e3h e5";

#[test]
fn jumps() {
    refused_by_default("", "e3", "e3 is two squares from e1, and no pawn stands on e2 to be jumped over");
    refused_by_default(FACE_TO_FACE, "e5", "e5 is occupied by the pawn of seat 1: a pawn moves to a free square");
    refused_by_default(&format!("{FACE_TO_FACE} e4h a1h"), "e6", "a barrier lies between e4 and e5");
    refused_by_default(
        &format!("{FACE_TO_FACE} e5h a1h"),
        "e6",
        "a barrier lies between e5 and e6, behind the pawn on e5: it cannot be jumped straight",
    );
}

#[test]
fn diagonals() {
    refused_by_default("", "d2", "d2 is diagonal to e1: a pawn goes there only past a pawn that stands next to it");
    refused_by_default(
        FACE_TO_FACE,
        "d5",
        "the pawn on e5 can be jumped straight, to e6: only if that were blocked could d5 be moved to",
    );
    refused_by_default(&format!("{FACE_TO_FACE} e4h a1h"), "d5", "a barrier lies between e4 and e5");
    refused_by_default(&format!("{FACE_TO_FACE} e5h d5v"), "d5", "a barrier lies between e5 and d5");
    let strict = Options { edge: Beside::None, ..Options::default() };
    let at_the_edge = "e2 a1v e3 b1v e4 c1v e5 f1v e6 g1v e7 h1v e8 a3v";
    refused(
        &strict,
        2,
        at_the_edge,
        "d9",
        "the edge of the board lies behind the pawn on e9, which cannot be passed so (option edge = none)",
    );
    refused(
        &Options::default(),
        4,
        "e2 b5 e8 h5 e3 c5 e7 g5 e4 d5 e6 f5 e5",
        "e4",
        "another pawn stands behind the pawn on e5: never more than one pawn is jumped, and none is passed so",
    );
}

#[test]
fn barriers() {
    refused_by_default("e3h", "e3h", "e3h would overlap e3h");
    refused_by_default("e3h", "f3h", "f3h would overlap e3h");
    refused_by_default("e3v", "e2v", "e2v would overlap e3v");
    refused_by_default("e3v", "e3h", "e3h would cross e3v");
    refused_by_default("a8h c8h e8h g8h", "h8v", "h8v would leave seat 1 without a path to its goal");
    refused_by_default("a1h c1h e1h g1h", "h1v", "h1v would leave seat 0 without a path to its goal");
    let small = Options { size: 5, walls: Some(1), ..Options::default() };
    refused(&small, 2, "", "e1h", "e1h is off the board, whose barriers have anchors a1 to d4");
    refused(&small, 2, "a1h c4", "b3v", "no barrier is left in your store");
}

#[test]
fn passes() {
    refused_by_default("", "pass", "pass is legal only when there is no other move");
}

#[test]
fn nothing_moves_when_the_game_is_over() {
    let short = Options { max_plies: Some(2), ..Options::default() };
    refused(&short, 2, "e2 e8", "e3", "the game is over: nobody is to move");
    let small = Options { size: 3, ..Options::default() };
    refused(&small, 2, "a1 c3 a2 c2 a3", "c1", "the game is over: nobody is to move");
}

#[test]
fn a_barrier_that_only_a_seat_without_pawn_would_need_is_legal() {
    // Seat 1 of four goes right, from a5; when it is out, the file a may be closed off.
    let options = Options { walls: Some(9), ..Options::default() };
    let mut game = after(&options, 4, "a1v a4 e8 h5 a3v a5 e9 i5 a5v a4 e8 h5 a8h a5 e9 i5");
    let last = "a7v".parse().expect("a move");
    assert!(game.check(last).is_err_and(|error| error.to_string().contains("seat 1 without a path")));
    game.apply(Step::Leave(Seat::new(1)));
    assert_eq!(game.check(last), Ok(()));
}

#[test]
fn text_that_is_no_move_is_told_what_a_move_is() {
    use super::super::Move;
    for (text, start) in [
        ("", "a move is"),
        ("E2", "a move is"),
        ("e2 ", "a move is"),
        ("j1", "a move is"),
        ("e0", "a move is"),
        ("é", "a move is"),
        ("pass!", "a move is"),
        ("i3h", "a barrier is"),
        ("a9v", "a barrier is"),
        ("e3x", "a move is"),
        ("e3hh", "a move is"),
    ] {
        let error = text.parse::<Move>().expect_err("no move");
        assert!(error.to_string().starts_with(start), "{text}: {error}");
    }
}
