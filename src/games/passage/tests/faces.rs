//! What is shown of a game: its view, its bytes and its board.

use super::*;

const DISCS: &str = "RBRBRBRBRBRBRBBRB";

#[test]
fn the_view_is_written_as_the_rules_say() {
    let mut game = open(&Options::default());
    let shown = |game: &Passage| serde_json::to_string(&game.view()).unwrap();
    assert_eq!(
        shown(&game),
        r#"{"phase":"bag","leg":1,"ply":0,"turn":null,"starter":null,"discs":".................","pawns":[["a1","c1","e1","g1"],["a7","c7","e7","g7"]],"in_hand":[3,3],"both_stuck":false,"occurrences":0,"results":[]}"#
    );
    game.apply(Step::Chance(Chance::Bag("BRBRBRBRBRBR".parse().unwrap())));
    play(&mut game, "b2 d2 f2 b6");
    assert_eq!(
        shown(&game),
        r#"{"phase":"placing","leg":1,"ply":0,"turn":0,"starter":"R","discs":"RBRBRBRBRBRBRBB..","pawns":[["a1","c1","e1","g1"],["a7","c7","e7","g7"]],"in_hand":[1,1],"both_stuck":false,"occurrences":0,"results":[]}"#
    );
    play(&mut game, "d6 f6 a1-d2");
    assert_eq!(
        shown(&game),
        r#"{"phase":"moving","leg":1,"ply":1,"turn":1,"starter":"R","discs":"RBRBRBRBRBRBRBBRB","pawns":[["c1","e1","g1","d2"],["a7","c7","e7","g7"]],"in_hand":[0,0],"both_stuck":false,"occurrences":1,"results":[]}"#
    );
    let mut game = open(&Options { max_plies: 1, ..layout(DISCS, Colour::Red) });
    play(&mut game, "a1-d2");
    assert_eq!(
        shown(&game),
        r#"{"phase":"over","leg":1,"ply":1,"turn":null,"starter":"R","discs":"RBRBRBRBRBRBRBBRB","pawns":[["c1","e1","g1","d2"],["a7","c7","e7","g7"]],"in_hand":[0,0],"both_stuck":false,"occurrences":1,"results":[{"winner":null,"reason":"max_plies"}]}"#
    );
}

#[test]
fn a_searching_program_reads_its_position_from_the_view() {
    for bridge_on_neutral in [true, false] {
        let mut game = open(&Options { bridge_on_neutral, max_plies: 50, ..Options::default() });
        let mut luck = Streams::new(Seed::from_text("views"));
        while game.end().is_none() {
            let view: View = serde_json::from_str(&serde_json::to_string(&game.view()).unwrap()).unwrap();
            assert_eq!(view, game.view());
            let expected = (game.phase == Phase::Moving).then_some(*game.position());
            assert_eq!(view.position(bridge_on_neutral), expected);
            step(&mut game, &mut luck);
        }
        assert_eq!(game.view().position(bridge_on_neutral), None);
    }
}

#[test]
fn canonical_bytes_tell_positions_apart_and_nothing_else() {
    let bytes = |game: &Passage| {
        let mut bytes = Vec::new();
        game.encode(&mut bytes);
        bytes
    };
    let mut game = open(&layout(DISCS, Colour::Red));
    let start = bytes(&game);
    play(&mut game, "a1-d2 a7-a5 d2-a1");
    let four_apart = bytes(&game);
    play(&mut game, "a5-a7");
    assert_eq!(bytes(&game), start, "plies and occurrences are not part of a position");
    assert_ne!(four_apart, start);
    let mut discs = open(&Options::default());
    let empty = bytes(&discs);
    discs.apply(Step::Chance(Chance::Bag("BRBRBRBRBRBR".parse().unwrap())));
    assert_ne!(bytes(&discs), empty);
    let placed = |holes: &str| {
        let mut game = discs.clone();
        play(&mut game, holes);
        bytes(&game)
    };
    assert_eq!(placed("b2 d2 f2"), placed("f2 d2 b2"));
    assert_ne!(placed("b2 d2 f2"), placed("b2 f2 d2"));
}

#[test]
fn the_board_is_drawn() {
    let mut game = open(&Options { legs: 2, ..layout(DISCS, Colour::Red) });
    play(&mut game, "a1-d2 a7-a5");
    let drawn = |unicode, colour| {
        let mut text = String::new();
        game.board(&mut text, BoardStyle { unicode, colour }).unwrap();
        text
    };
    let boxes = "
     a     b     c     d     e     f     g
  ┌─────┬─────┬─────┬─────┬─────┬─────┬─────┐
7 │  ·  │░░░░░│  ▼  │░░░░░│  ▼  │░░░░░│  ▼  │ 7
  ├─────┼─────┼─────┼─────┼─────┼─────┼─────┤
6 │░░░░░│  ●  │░░░░░│  ○  │░░░░░│  ●  │░░░░░│ 6
  ├─────┼─────┼─────┼─────┼─────┼─────┼─────┤
5 │ ○▼○ │░░░░░│  ●  │░░░░░│  ○  │░░░░░│  ●  │ 5
  ├─────┼─────┼─────┼─────┼─────┼─────┼─────┤
4 │░░░░░│  ●  │░░░░░│  ○  │░░░░░│  ●  │░░░░░│ 4
";
    assert!(drawn(true, false).starts_with(&boxes[1..]), "{}", drawn(true, false));
    let ascii = drawn(false, false);
    assert!(ascii.contains("2 |:::::|  r  |:::::| bRb |:::::|  r  |:::::| 2\n"), "{ascii}");
    assert!(ascii.ends_with("\nply 2, red to move, leg 1 of 2\n"), "{ascii}");
    assert!(drawn(true, true).contains("\x1b[31m○\x1b[0m"));
}
