//! Each rule broken once, with the reason that a bot's author reads.

use super::*;

const DISCS: &str = "RBRBRBRBRBRBRBBRB";

#[track_caller]
fn refused(game: &Passage, token: &str, reason: &str) {
    let illegal = game.check(token.parse().unwrap()).unwrap_err();
    assert_eq!(illegal.to_string(), reason);
    let before = game.view();
    let unchecked = std::panic::catch_unwind(|| game.clone().apply(Step::Move(token.parse().unwrap())));
    assert!(unchecked.is_err(), "{token} was applied");
    assert_eq!(game.view(), before);
}

#[test]
fn pawns_and_squares() {
    let game = open(&layout(DISCS, Colour::Red));
    refused(&game, "a7-b6", "the pawn on a7 is the rival's");
    refused(&game, "d4-c5", "no pawn stands on d4");
    refused(&game, "a1-a1", "a pawn must end on another square than a1, where it stands");
    refused(&game, "a1-c1", "c1 is not free: a pawn stands there");
    refused(&game, "a1-c7", "c7 is not free: a pawn stands there");
    refused(&game, "a1-b2", "b2 has a disc of your own colour: your pawns pass over it and do not stop there");
    refused(&game, "b2", "all discs are placed: name the square of a pawn and the square where it ends, such as a1-b2");
    refused(&game, "pass", "pass is legal only where no other move is, and here a1-d2 is");
}

#[test]
fn ways() {
    let game = open(&layout(DISCS, Colour::Red));
    refused(
        &game,
        "g1-g5",
        "no way leads from g1 to g5: it may not pass over f4, the disc of the rival's colour there, without an own pawn on it",
    );
    refused(&game, "g1-b6", "no way leads from g1 to b6: on every way, two or more squares may not be passed over");
    // A rival pawn on the only disc that would be a way.
    let position = position(DISCS, "a1 d2 e3 c5", "f2 a7 c7 e7", Colour::Red, true);
    refused(
        &at(position, &Options::default()),
        "e3-g1",
        "no way leads from e3 to g1: it may not pass over f2, the rival's pawn there",
    );
}

#[test]
fn ways_over_start_and_goal_squares() {
    // From b2's neighbours the way to d2 leads over c1.
    let discs = "RBRBBRRBRBRBRRBRB";
    let empty = position(discs, "a1 e1 b4 g1", "a7 c7 e7 g7", Colour::Red, true);
    refused(
        &at(empty, &Options::default()),
        "a1-d2",
        "no way leads from a1 to d2: it may not pass over c1, a start or goal square without an own pawn",
    );
    let literal = Options { bridge_on_neutral: false, ..Options::default() };
    let bridge = position(discs, "a1 c1 b4 g1", "a7 c7 e7 g7", Colour::Red, false);
    refused(
        &at(bridge, &literal),
        "a1-d2",
        "no way leads from a1 to d2: it may not pass over c1, a start or goal square, where own pawns are no bridges in this game",
    );
    let mut bridged = at(position(discs, "a1 c1 b4 g1", "a7 c7 e7 g7", Colour::Red, true), &Options::default());
    play(&mut bridged, "a1-d2");
}

#[test]
fn the_mobility_ban() {
    let position = position(DISCS, "a7 b6 c5 c7", "a5 d4 e5 e7", Colour::Red, true);
    let game = at(position, &Options::default());
    let reason =
        "after this move the rival's pawn on a5 would have no move, and no move may leave a rival pawn without one";
    refused(&game, "b6-b4", reason);
}

#[test]
fn the_placement() {
    let mut game = open(&Options::default());
    refused(&game, "b2", "no seat is to move: the discs are drawn first");
    game.apply(Step::Chance(Chance::Bag("RRBRBBRBRBRB".parse().unwrap())));
    play(&mut game, "b2");
    refused(&game, "b2", "the hole b2 has a disc already");
    refused(&game, "d4", "d4 is no outer hole: discs are placed in b2, d2, f2, b6, d6 and f6");
    for token in ["a1-b2", "pass"] {
        let reason = "the outer holes are filled first: name the free outer hole for your next disc, such as b2";
        refused(&game, token, reason);
    }
}

#[test]
fn nothing_after_the_end() {
    let mut game = open(&Options { max_plies: 1, ..layout(DISCS, Colour::Red) });
    play(&mut game, "a1-d2");
    for token in ["a7-a5", "b2", "pass"] {
        refused(&game, token, "the game is over");
    }
}

#[test]
fn forged_chance() {
    let refused = |game: &Passage, json: &str, reason: &str| {
        let outcome: Chance = serde_json::from_str(json).unwrap();
        assert_eq!(game.check_chance(&outcome).unwrap_err().to_string(), reason);
        let unchecked = std::panic::catch_unwind(|| game.clone().apply(Step::Chance(outcome)));
        assert!(unchecked.is_err(), "{json} was applied");
    };
    let mut game = open(&Options { placement: Placement::Chance, ..Options::default() });
    refused(&game, r#"{"bag":"RRRRRRRBBBBB"}"#, "7 red discs cannot be drawn: there are 6 of each colour");
    refused(&game, r#"{"outer":"RRRBBB"}"#, "the chance step that is due draws the bag, not the outer holes");
    game.apply(Step::Chance(Chance::Bag("RRBRBBRBRBRB".parse().unwrap())));
    refused(&game, r#"{"outer":"RRBBBB"}"#, "2 red discs cannot be drawn: there are 3 of each colour");
    refused(&game, r#"{"bag":"RRBRBBRBRBRB"}"#, "the chance step that is due draws the outer holes, not the bag");
    game.apply(Step::Chance(Chance::Outer("RBRBRB".parse().unwrap())));
    refused(&game, r#"{"outer":"RBRBRB"}"#, "no chance step is due");
}

#[test]
#[should_panic(expected = "no chance step is due")]
fn no_draw_without_a_chance_step() {
    open(&layout(DISCS, Colour::Red)).draw(&mut Streams::new(Seed::from_text("none")));
}

#[test]
#[should_panic(expected = "cannot leave a game of two seats")]
fn nobody_leaves_a_game_of_two() {
    open(&layout(DISCS, Colour::Red)).apply(Step::Leave(Colour::Red.seat()));
}
