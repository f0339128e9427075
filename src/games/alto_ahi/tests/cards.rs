//! Each card and each rule of the card game, by example.

use crate::game::{BoardStyle, EndReason, Game, Ranking, Step, Turn};
use crate::seat::{Seat, SeatSet};

use super::super::{AltoAhi, Beside, CardCount, Effect, Options};
use super::{after, deck, list, step};

fn cards() -> Options {
    Options { cards: true, ..Options::default() }
}

/// A game with a deck of plenty of each card, so that any can be drawn at any time.
fn plenty(size: usize, walls: u8) -> Options {
    Options { size, walls: Some(walls), deck: deck(&Effect::ALL.map(|effect| (effect, 9))), ..cards() }
}

fn to_move(game: &AltoAhi) -> usize {
    match game.turn() {
        Turn::Seat(seat) => seat.index(),
        other => panic!("no seat is to move: {other:?}"),
    }
}

/// What can be chosen after these steps.
fn choices(options: &Options, seats: usize, steps: &str) -> String {
    list(&after(options, seats, steps)).join(" ")
}

/// Checks why a move is refused.
fn refused(options: &Options, seats: usize, steps: &str, token: &str, reason: &str) {
    assert_eq!(step(&mut after(options, seats, steps), token), Err(reason.to_owned()), "{token} after {steps}");
}

fn cards_of(game: &AltoAhi) -> String {
    serde_json::to_value(game.view()).expect("a state")["cards"].to_string()
}

#[test]
fn a_card_is_taken_drawn_and_carried_out() {
    let mut game = after(&cards(), 2, "");
    assert_eq!(list(&game).last().map(String::as_str), Some("card"));
    assert_eq!(game.count_legal(), 132);
    step(&mut game, "card").expect("legal");
    assert_eq!(game.turn(), Turn::Chance);
    assert_eq!(game.count_legal(), 0);
    assert_eq!(step(&mut game, "e2"), Err("a card was taken and not drawn yet: nobody is to move".to_owned()));
    step(&mut game, "=halt").expect("possible");
    assert_eq!((to_move(&game), game.ply()), (0, 1), "chance is no ply, and the same seat is asked again");
    assert_eq!(list(&game), ["s1"], "it is asked even with one choice");
    assert_eq!(game.card_in_hand(), Some(Effect::Halt));
    step(&mut game, "s1").expect("legal");
    assert_eq!((to_move(&game), game.ply()), (0, 2), "seat 1 is passed over");
    assert_eq!(game.card_in_hand(), None);
    step(&mut game, "e2").expect("legal");
    assert_eq!(to_move(&game), 1, "only once");
}

#[test]
fn advance_two_is_two_pawn_moves_unless_the_first_wins() {
    let options = plenty(5, 2);
    assert_eq!(choices(&options, 2, "card =advance-two"), "b1 d1 c2");
    let game = after(&options, 2, "card =advance-two c2");
    assert_eq!(list(&game), ["c1", "b2", "d2", "c3"]);
    assert_eq!(to_move(&game), 0);
    assert_eq!(to_move(&after(&options, 2, "card =advance-two c2 c3")), 1);
    // With a jump as the second, over the pawn on c4.
    let won = after(&options, 2, "c2 c4 card =advance-two c3 c5");
    assert_eq!(won.turn(), Turn::Over(Ranking::won_by(Seat::new(0), SeatSet::first(2))));
    // The first move wins already, and so the card is done.
    let won = after(&options, 2, "c2 b5 c3 b4 c4 a4 card =advance-two c5");
    assert_eq!((won.end(), won.card_in_hand()), (Some(EndReason::Goal), None));
    refused(
        &options,
        2,
        "card =advance-two",
        "c3",
        "c3 is two squares from c1, and no pawn stands on c2 to be jumped over",
    );
    refused(&options, 2, "card =advance-two", "card", "choose a square for your pawn: advance-two must be carried out");
}

#[test]
fn advance_two_does_not_begin_with_a_dead_end() {
    // From e2 past the pawn on e3, before the barrier d3h, to d3: walled in there, and with the edge behind the pawn on
    // e3, which cannot be passed in this reading, the pawn could not move again.
    let options = Options { edge: Beside::None, ..plenty(5, 3) };
    let steps = "d1 d5 e1 e5 e2 e4 c2h e3 c3v d3h";
    assert!(choices(&options, 2, steps).starts_with("e1 d2 d3 "));
    assert_eq!(choices(&options, 2, &format!("{steps} card =advance-two")), "e1 d2");
    let reason = "d3 leaves nothing with which to carry out the rest of advance-two";
    refused(&options, 2, &format!("{steps} card =advance-two"), "d3", reason);
}

#[test]
fn diagonal_goes_round_one_corner_that_is_free_of_barriers() {
    let options = plenty(5, 4);
    assert_eq!(choices(&options, 2, "card =diagonal"), "b2 d2");
    // One way round each is closed by the barrier above c1 and d1; the other ways are open.
    assert_eq!(choices(&options, 2, "c1h c4 card =diagonal"), "b2");
    assert_eq!(choices(&options, 2, "b1h c4 card =diagonal"), "d2");
    assert_eq!(choices(&options, 2, "c2 c4 card =diagonal"), "b1 d1 b3 d3");
    // A pawn on a corner does not matter; one on the target does.
    assert_eq!(choices(&options, 2, "c2 c4 c3 d4 card =diagonal"), "b2 d2 b4");
    refused(&options, 2, "card =diagonal", "c2", "c2 is not diagonal to c1: diagonal is one diagonal step");
    refused(&options, 2, "c1h c4 card =diagonal", "d2", "a barrier lies on both ways round from c1 to d2");
    refused(
        &options,
        2,
        "c2 c4 c3 d4 card =diagonal",
        "d4",
        "d4 is occupied by the pawn of seat 1: a pawn moves to a free square",
    );
    assert_eq!(after(&options, 2, "c2 b5 c3 a5 c4 a4 card =diagonal b5").end(), Some(EndReason::Goal));
}

#[test]
fn leap_wall_goes_straight_across_a_barrier() {
    let options = plenty(5, 4);
    assert_eq!(choices(&options, 2, "c1h b1v card =leap-wall"), "b1 c2");
    refused(
        &options,
        2,
        "c1h c4 card =leap-wall",
        "b1",
        "b1 is not next to c1 behind a barrier: leap-wall is one step straight across one",
    );
    // Without a barrier beside the pawn it cannot be carried out, and the turn is lost.
    let lost = after(&options, 2, "card =leap-wall");
    assert_eq!((to_move(&lost), lost.ply()), (1, 1));
    assert_eq!(cards_of(&lost).matches("\"leap-wall\":1").count(), 1, "it is discarded: {}", cards_of(&lost));
}

#[test]
fn leap_wall_never_leads_where_there_is_no_path() {
    // The corner a1, b1 is closed off; the pawn on c1 may not leap into it.
    let options = plenty(5, 4);
    let closed = "a1h c4 b1v c5 card =leap-wall";
    let game = after(&options, 2, closed);
    assert_eq!(to_move(&game), 1, "there is no other barrier to leap: the turn is lost");
    let with_another = "a1h c4 b1v c5 c1h c4 card =leap-wall";
    assert_eq!(choices(&options, 2, with_another), "c2");
    refused(&options, 2, with_another, "b1", "from b1 your pawn would have no path to its goal");
}

#[test]
fn push_puts_a_rival_one_square_back() {
    let options = plenty(5, 2);
    let pushed = after(&options, 2, "c2 c4 card =push s1");
    assert_eq!(pushed.position().pawn(Seat::new(1)).map(|square| square.to_string()), Some("c5".to_owned()));
    // At the edge there is no square behind, and with only such rivals the turn is lost.
    assert_eq!(to_move(&after(&options, 2, "card =push")), 1);
    // A barrier behind the rival.
    assert_eq!(to_move(&after(&options, 2, "c2 c4 c4h a1h card =push")), 1);
    // With four seats each has its own back.
    let steps = "c2 b3 c4 d3 card =push";
    assert_eq!(choices(&options, 4, steps), "s1 s2 s3");
    for (rival, square) in [("s1", "a3"), ("s2", "c5"), ("s3", "e3")] {
        let pushed = after(&options, 4, &format!("{steps} {rival}"));
        let seat = Seat::new(rival[1..].parse().expect("a seat"));
        assert_eq!(pushed.position().pawn(seat).map(|square| square.to_string()).as_deref(), Some(square));
    }
    refused(
        &options,
        4,
        "c2 b3 c4 e2 card =push",
        "s3",
        "the pawn of seat 3 cannot be pushed: the square behind it is occupied, behind a barrier or off the board",
    );
    refused(&options, 4, steps, "s0", "seat 0 is not a rival still in");
    refused(&options, 2, "c2 c4 card =push", "s2", "seat 2 is not a rival still in");
    refused(&options, 2, "c2 c4 card =push", "c3", "choose a rival: push must be carried out");
    refused(&options, 2, "", "s1", "a rival is chosen only for the cards push and halt, and no card is in hand");
}

#[test]
fn halts_add_up() {
    let options = plenty(5, 2);
    let mut game = after(&options, 4, "card =halt s1");
    assert_eq!(to_move(&game), 2);
    for token in ["card", "=halt", "s1", "card", "=halt", "s0"] {
        step(&mut game, token).expect("legal");
    }
    assert_eq!(to_move(&game), 2, "seat 0 and seat 1 are passed over");
    assert_eq!((game.halts(Seat::new(0)), game.halts(Seat::new(1))), (0, 0));
    let twice = after(&options, 2, "card =halt s1 card =halt s1");
    assert_eq!((to_move(&twice), twice.halts(Seat::new(1))), (0, 0), "each was served at once, with two seats");
    let waiting = after(&options, 4, "card =halt s3 card =halt s3");
    assert_eq!((to_move(&waiting), waiting.halts(Seat::new(3))), (2, 2));
    let served = after(&options, 4, "card =halt s3 card =halt s3 c4");
    assert_eq!((to_move(&served), served.halts(Seat::new(3))), (0, 1), "one turn of the two is lost");
}

#[test]
fn remove_wall_takes_any_barrier_out_of_the_game() {
    let options = plenty(5, 2);
    assert_eq!(choices(&options, 2, "c1h b4v card =remove-wall"), "c1h b4v");
    let game = after(&options, 2, "c1h b4v card =remove-wall b4v");
    assert_eq!(game.position().barriers().len(), 1);
    assert_eq!((game.position().store(Seat::new(0)), game.position().store(Seat::new(1))), (1, 1));
    assert_eq!(to_move(&after(&options, 2, "card =remove-wall")), 1, "there is none: the turn is lost");
    refused(&options, 2, "c1h b4v card =remove-wall", "a1h", "no barrier lies on a1h");
    refused(
        &options,
        2,
        "c1h c4 card =remove-wall",
        "c2",
        "choose a barrier on the board: remove-wall must be carried out",
    );
}

#[test]
fn move_wall_puts_a_barrier_elsewhere_and_keeps_its_owner() {
    let options = plenty(5, 2);
    let lifted = "c1h b4v card =move-wall b4v";
    let game = after(&options, 2, lifted);
    let places = list(&game);
    assert!(places.contains(&"b4h".to_owned()), "the same square in the other direction");
    assert!(places.contains(&"b3v".to_owned()), "overlapping where it was");
    assert!(!places.contains(&"b4v".to_owned()), "not the same place");
    assert!(
        cards_of(&game).contains(r#""hand":{"card":"move-wall","choice":2,"lifted":"b4v"}"#),
        "{}",
        cards_of(&game)
    );
    assert!(game.position().barriers_of(Seat::new(1)).is_empty());
    let moved = after(&options, 2, &format!("{lifted} b3v"));
    assert_eq!(
        moved.position().barriers_of(Seat::new(1)).into_iter().map(|b| b.to_string()).collect::<Vec<_>>(),
        ["b3v"]
    );
    assert_eq!((moved.position().store(Seat::new(0)), moved.position().store(Seat::new(1))), (1, 1));
    refused(&options, 2, lifted, "b4v", "b4v is where the barrier was lifted: it must be put elsewhere");
    refused(&options, 2, lifted, "c1v", "c1v would cross c1h");
    refused(&options, 2, lifted, "e1h", "e1h is off the board, whose barriers have anchors a1 to d4");
    refused(&options, 2, lifted, "c2", "choose a place for the barrier: move-wall must be carried out");
    refused(&options, 2, "c1h b4v card =move-wall", "a1h", "no barrier lies on a1h");
}

#[test]
fn double_wall_needs_two_barriers_in_store_and_two_places() {
    let options = plenty(5, 2);
    let game = after(&options, 2, "card =double-wall c1h a1h");
    assert_eq!((to_move(&game), game.position().store(Seat::new(0))), (1, 0));
    assert_eq!(to_move(&after(&options, 2, "card =double-wall c1h")), 0);
    assert_eq!(to_move(&after(&options, 2, "c1h c4 card =double-wall")), 1, "one in store: the turn is lost");
    refused(&options, 2, "card =double-wall c1h", "d1h", "d1h would overlap c1h");
    refused(&options, 2, "card =double-wall", "c2", "choose a place for the barrier: double-wall must be carried out");
}

#[test]
fn double_wall_does_not_begin_where_no_second_place_is_left() {
    let options = plenty(3, 3);
    let steps = "a2h c3 card =double-wall";
    assert!(after(&options, 2, "a2h c3").check("b1h".parse().expect("a move")).is_ok());
    assert!(!choices(&options, 2, steps).contains("b1h"));
    refused(&options, 2, steps, "b1h", "b1h leaves no place for the second barrier of double-wall");
}

#[test]
fn move_wall_does_not_lift_a_barrier_without_another_place() {
    let options = plenty(3, 3);
    let steps = "a1h a2h c1 b1v card =move-wall";
    assert!(!choices(&options, 2, steps).contains("b1v"));
    refused(&options, 2, steps, "b1v", "b1v has no other place where it would be legal");
}

#[test]
fn recover_wall_takes_back_what_is_ones_own() {
    let options = plenty(5, 2);
    let steps = "c1h b4v card =recover-wall";
    assert_eq!(choices(&options, 2, steps), "c1h");
    let game = after(&options, 2, &format!("{steps} c1h"));
    assert_eq!(game.position().store(Seat::new(0)), 2);
    refused(
        &options,
        2,
        steps,
        "b4v",
        "b4v came from the store of another seat: recover-wall takes back a barrier of your own",
    );
    refused(&options, 2, steps, "a1h", "no barrier lies on a1h");
    assert_eq!(to_move(&after(&options, 2, "c2 b4v card =recover-wall")), 1, "none of its own: the turn is lost");
    // A barrier that the other seat has moved is still one's own.
    let moved = "c1h card =move-wall c1h a1h card =recover-wall";
    assert_eq!(choices(&options, 2, moved), "a1h");
}

#[test]
fn step_back_and_lose_turn_ask_nothing() {
    let options = plenty(5, 2);
    let back = after(&options, 2, "c2 c4 card =step-back");
    assert_eq!(back.position().pawn(Seat::new(0)).map(|square| square.to_string()).as_deref(), Some("c1"));
    assert_eq!((to_move(&back), back.ply()), (1, 3));
    let at_the_edge = after(&options, 2, "card =step-back");
    assert_eq!((to_move(&at_the_edge), at_the_edge.ply()), (1, 1));
    assert_eq!(to_move(&after(&options, 2, "card =lose-turn")), 1);
}

#[test]
fn the_discards_become_the_deck_when_it_is_empty() {
    let options = Options { deck: deck(&[(Effect::LoseTurn, 1), (Effect::StepBack, 1)]), ..cards() };
    let one_left = after(&options, 2, "card =lose-turn");
    assert_eq!(cards_of(&one_left), r#"{"deck":{"step-back":1},"discards":{"lose-turn":1},"halts":[0,0],"hand":null}"#);
    refused(&options, 2, "card =lose-turn card", "=lose-turn", "no lose-turn is left in the deck");
    let reshuffled = after(&options, 2, "card =lose-turn card =step-back");
    assert_eq!(
        cards_of(&reshuffled),
        r#"{"deck":{"lose-turn":1,"step-back":1},"discards":{},"halts":[0,0],"hand":null}"#
    );
    refused(&options, 2, "", "=lose-turn", "no card is to be drawn");
    refused(&Options::default(), 2, "", "=lose-turn", "this game is played without cards (option cards)");
    refused(&Options::default(), 2, "", "card", "this game is played without cards (option cards)");
    refused(&Options::default(), 2, "", "s1", "this game is played without cards (option cards)");
}

#[test]
fn a_seat_that_leaves_in_mid_card_abandons_it() {
    let options = plenty(5, 2);
    let seat = Seat::new;
    // A lifted barrier returns, with its owner.
    let mut game = after(&options, 4, "c1h card =move-wall c1h");
    game.apply(Step::Leave(seat(1)));
    assert_eq!(to_move(&game), 2);
    assert_eq!(game.position().barriers_of(seat(0)).len(), 1);
    assert!(cards_of(&game).contains(r#""discards":{"move-wall":1}"#));
    // What is done stays.
    let mut game = after(&options, 4, "card =double-wall c1h");
    game.apply(Step::Leave(seat(0)));
    assert_eq!((to_move(&game), game.position().barriers_of(seat(0)).len()), (1, 1));
    // A card that was not drawn yet stays in the deck.
    let mut game = after(&options, 4, "card");
    game.apply(Step::Leave(seat(0)));
    assert_eq!(to_move(&game), 1);
    assert!(cards_of(&game).contains(r#""discards":{}"#) && cards_of(&game).contains(r#""hand":null"#));
    // Another seat's leaving does not matter to a card, unless nothing is left to choose.
    let mut game = after(&options, 4, "c2 b3 c4 d3 card =push");
    game.apply(Step::Leave(seat(2)));
    assert_eq!(list(&game), ["s1", "s3"]);
    let mut game = after(&options, 4, "c2 b3 d5 e2 card =push");
    assert_eq!(list(&game), ["s1"]);
    game.apply(Step::Leave(seat(1)));
    assert_eq!(to_move(&game), 2, "the turn is lost");
    assert!(cards_of(&game).contains(r#""discards":{"push":1}"#));
}

#[test]
fn a_seat_that_leaves_takes_its_halts_along() {
    let mut game = after(&plenty(5, 2), 4, "card =halt s2");
    game.apply(Step::Leave(Seat::new(2)));
    assert_eq!(game.halts(Seat::new(2)), 0);
    assert!(cards_of(&game).contains(r#""halts":[0,0,0,0]"#));
}

#[test]
fn a_halted_seat_is_passed_over_after_a_leave_too() {
    let mut game = after(&plenty(5, 2), 4, "card =halt s2");
    game.apply(Step::Leave(Seat::new(1)));
    assert_eq!(to_move(&game), 3);
}

#[test]
fn repetition_looks_at_cards_halts_and_owners() {
    let options = Options { repetition: 2, ..plenty(5, 2) };
    // A lost turn changes the cards left, so the position is a new one each time.
    assert_eq!(after(&options, 2, "card =lose-turn card =lose-turn").end(), None);
    let round = Options { deck: deck(&[(Effect::LoseTurn, 2)]), repetition: 2, ..cards() };
    assert_eq!(after(&round, 2, "card =lose-turn").end(), None);
    let repeated = after(&round, 2, "card =lose-turn card =lose-turn");
    assert_eq!(repeated.end(), Some(EndReason::Repetition), "after a chance step too");
    // The same barriers with other owners are another position.
    let bytes_of = |seats: usize, steps: &str| {
        let mut bytes = Vec::new();
        after(&plenty(5, 2), seats, steps).encode(&mut bytes);
        bytes
    };
    let bytes = |steps: &str| bytes_of(2, steps);
    assert_ne!(bytes_of(4, "card =halt s2"), bytes_of(4, "card =halt s3"));
    assert_ne!(bytes("a1h a3h"), bytes("a3h a1h"));
    assert_ne!(bytes("card"), bytes("card =halt"));
    assert_ne!(bytes("card =advance-two"), bytes("card =diagonal"));
    assert_ne!(bytes("a1h a3h card =move-wall a1h"), bytes("a1h a3h card =move-wall"));
}

#[test]
fn a_limit_of_plies_ends_a_game_in_mid_card() {
    let options = Options { max_plies: Some(1), ..cards() };
    let game = after(&options, 2, "card");
    assert_eq!((game.turn(), game.end()), (Turn::Over(Ranking::draw(SeatSet::first(2))), Some(EndReason::MaxPlies)));
    refused(&options, 2, "card", "=push", "the game is over: nobody is to move");
    let options = Options { max_plies: Some(2), ..cards() };
    assert_eq!(after(&options, 2, "card =advance-two e2").end(), Some(EndReason::MaxPlies));
}

#[test]
fn a_seat_without_other_moves_takes_a_card_and_never_passes() {
    let options = Options { size: 3, walls: Some(1), ..cards() };
    let stuck = "b1h a3 a2h c3 c1";
    assert_eq!(choices(&options, 4, stuck), "card");
    refused(&options, 4, stuck, "pass", "pass is legal only when there is no other move");
}

#[test]
fn the_state_and_the_board_show_the_cards() {
    let game = after(&plenty(3, 2), 2, "a1h card =move-wall a1h");
    let mut board = String::new();
    game.board(&mut board, BoardStyle { unicode: false, colour: false }).expect("a string takes all");
    assert!(board.ends_with("    deck: 98 cards, discards: 0, in hand: move-wall, with a1h\n"), "{board}");
    let halted = after(&plenty(3, 2), 4, "card =halt s2");
    let mut board = String::new();
    halted.board(&mut board, BoardStyle { unicode: false, colour: false }).expect("a string takes all");
    assert!(board.contains("2  to rank 1, barriers left: 2, turns to lose: 1\n"), "{board}");
}

#[test]
fn the_rules_explain_each_card_with_its_number() {
    for CardCount { effect, count } in AltoAhi::new(&cards(), 2).expect("possible").options().deck.expect("filled in") {
        let row = AltoAhi::RULES.lines().find(|line| line.starts_with(&format!("| `{effect}` |"))).expect("a row");
        assert_eq!(row.split('|').nth(3).map(str::trim), Some(count.to_string().as_str()), "{effect}");
    }
}

#[test]
fn decks_that_cannot_be_played_are_refused() {
    let refused = |options: Options, field: &str, part: &str| {
        let error = AltoAhi::new(&options, 2).expect_err("refused");
        assert_eq!(error.field, field);
        assert!(error.reason.contains(part), "{error}");
    };
    refused(Options { deck: Some(Vec::new()), ..cards() }, "deck", "without cards");
    refused(Options { deck: deck(&[(Effect::Push, 0)]), ..cards() }, "deck", "count 0");
    refused(Options { deck: deck(&[(Effect::Push, 1)]), ..Options::default() }, "deck", "set cards to true");
    assert_eq!(AltoAhi::new(&cards(), 2).expect("possible").options().deck.expect("filled in").len(), 11);
}
