//! How a leg ends, and what two legs make together.

use std::collections::BTreeSet;

use super::*;

/// A recorded game that black wins with its 21st ply.
const WON: (&str, Colour) = ("RBRBRRBBBBRRRRBRB", Colour::Black);
const WON_MOVES: &str = "a7-a5 g1-d4 e7-g5 a1-e7 c7-b2 e1-c7 g7-f2 d4-f6 g5-e1 e7-b4 b2-a1 c1-e7 f2-g1 f6-a3 a5-c5 a3-b6 e1-c3 b4-a7 c5-c1 b6-f6 c3-e1";
/// Four plies that lead back to where they began, at the start of that game.
const ROUND: &str = "a7-a5 g1-d4 a5-a7 d4-g1";

/// Discs and pawns with which neither side has a move.
fn both_stuck() -> Position {
    position("RRRRBBBBBRRRRRBBB", "a1 g1 b6 f6", "b2 f2 a7 g7", Colour::Black, true)
}

/// The recorded position in which red has no move.
fn red_stuck(to_move: Colour, last: &str) -> Position {
    position("RBRBRBRBRBRBRBBRB", "a7 b6 c5 c7", &format!("a5 d4 e5 {last}"), to_move, true)
}

fn ended(game: &Passage) -> (Option<Colour>, Option<EndReason>) {
    let Turn::Over(ranking) = game.turn() else { panic!("the game goes on") };
    let winner = ranking.winner().map(|seat| Colour::BOTH[seat.index()]);
    let expected = winner.map_or([1, 1], |winner| if winner == Colour::Red { [1, 2] } else { [2, 1] });
    assert_eq!(ranking.ranks(2), crate::seat::BySeat::collect(expected));
    (winner, game.end())
}

fn started(options: Options) -> Passage {
    open(&Options { layout: Some(WON.0.into()), starter: Some(WON.1), ..options })
}

#[test]
fn the_last_pawn_home_wins_even_at_the_limit() {
    let mut game = started(Options { max_plies: 21, ..Options::default() });
    play(&mut game, WON_MOVES);
    assert_eq!(ended(&game), (Some(Colour::Black), Some(EndReason::Goal)));
}

#[test]
fn a_leg_is_drawn_at_the_limit() {
    let mut game = started(Options { max_plies: 20, ..Options::default() });
    play(&mut game, &WON_MOVES[..WON_MOVES.len() - 6]);
    assert_eq!(ended(&game), (None, Some(EndReason::MaxPlies)));
}

#[test]
fn progress_decides_at_the_limit_only() {
    let moves: Vec<&str> = WON_MOVES.split(' ').collect();
    let mut winners = BTreeSet::new();
    for limit in 1..moves.len() {
        let mut game =
            started(Options { max_plies: limit as u32, adjudicate: Adjudicate::Progress, ..Options::default() });
        play(&mut game, &moves[..limit].join(" "));
        // More pawns home, then fewer ranks to go, as one number each.
        let [red, black] = Colour::BOTH.map(|colour| {
            let position = game.position();
            100 * position.pawns_home(colour) as i32 - position.ranks_to_go(colour) as i32
        });
        let expected = match red.cmp(&black) {
            std::cmp::Ordering::Greater => (Some(Colour::Red), Some(EndReason::Progress)),
            std::cmp::Ordering::Less => (Some(Colour::Black), Some(EndReason::Progress)),
            std::cmp::Ordering::Equal => (None, Some(EndReason::MaxPlies)),
        };
        assert_eq!(ended(&game), expected, "after {limit} plies");
        winners.insert(expected.0);
    }
    assert_eq!(winners, BTreeSet::from([Some(Colour::Red), Some(Colour::Black)]));
    let mut game = started(Options { repetition: 2, adjudicate: Adjudicate::Progress, ..Options::default() });
    play(&mut game, ROUND);
    assert_eq!(ended(&game), (None, Some(EndReason::Repetition)));
}

#[test]
fn pawns_home_come_before_ranks_to_go() {
    let discs = "RBRBRBRBRBRBRBBRB";
    // Red: two home and 6 + 6 ranks to go. Black: one home and three with 1 rank to go.
    assert_eq!(position(discs, "a7 c7 a1 c1", "e1 b2 f2 g3", Colour::Red, true).ahead(), Some(Colour::Red));
    assert_eq!(position(discs, "a7 d6 f4 c1", "g1 b2 f2 e7", Colour::Red, true).ahead(), Some(Colour::Black));
    assert_eq!(open(&layout(discs, Colour::Red)).position.ahead(), None);
}

#[test]
fn the_third_occurrence_draws_and_the_start_is_the_first() {
    let mut game = started(Options::default());
    play(&mut game, ROUND);
    assert_eq!(game.view().occurrences, 2);
    play(&mut game, &ROUND[..ROUND.len() - 6]);
    assert_eq!(game.end(), None);
    play(&mut game, "d4-g1");
    assert_eq!(ended(&game), (None, Some(EndReason::Repetition)));
    // With the limit at the same ply, repetition is the reason.
    let mut game = started(Options { max_plies: 8, ..Options::default() });
    play(&mut game, &format!("{ROUND} {ROUND}"));
    assert_eq!(game.end(), Some(EndReason::Repetition));
}

#[test]
fn repetition_can_be_later_or_off() {
    let mut game = started(Options { repetition: 5, ..Options::default() });
    (0..4).for_each(|_| play(&mut game, ROUND));
    assert_eq!(game.end(), Some(EndReason::Repetition));
    let mut game = started(Options { repetition: 0, ..Options::default() });
    (0..10).for_each(|_| play(&mut game, ROUND));
    assert_eq!((game.end(), game.view().occurrences), (None, 0));
}

#[test]
fn the_side_to_move_is_part_of_the_position() {
    let [red, black] = Colour::BOTH.map(|colour| {
        let position = Position::start("RBRBRBRBRBRBRBBRB".parse().unwrap(), colour, true);
        let mut encoded = Vec::new();
        at(position, &Options::default()).encode(&mut encoded);
        (position.key(), encoded)
    });
    assert!(red.0 != black.0 && red.1 != black.1);
}

#[test]
fn two_passes_in_succession_draw() {
    let mut game = at(both_stuck(), &Options::default());
    assert_eq!(tokens(&game), ["pass"]);
    play(&mut game, "pass");
    assert!(game.view().both_stuck);
    assert_eq!(game.view().position(true), Some(*game.position()));
    assert_eq!(tokens(&game), ["pass"]);
    play(&mut game, "pass");
    assert_eq!(ended(&game), (None, Some(EndReason::Passes)));
}

#[test]
fn two_passes_come_before_the_limit_and_one_does_not() {
    let progress = |max_plies| Options { max_plies, adjudicate: Adjudicate::Progress, ..Options::default() };
    let mut game = at(both_stuck(), &progress(2));
    play(&mut game, "pass pass");
    assert_eq!(game.end(), Some(EndReason::Passes));
    // Neither side is ahead, so the limit does not become progress.
    let mut game = at(both_stuck(), &progress(1));
    play(&mut game, "pass");
    assert_eq!(game.end(), Some(EndReason::MaxPlies));
}

#[test]
fn one_pass_gives_the_turn_away_and_no_more() {
    let mut game = at(red_stuck(Colour::Red, "e7"), &Options::default());
    play(&mut game, "pass");
    assert_eq!((game.plies, game.view().both_stuck), (1, false));
    assert_eq!(game.turn(), Turn::Seat(Colour::Black.seat()));
    play(&mut game, "e7-c1");
    assert_eq!(game.end(), None);
    assert!(!tokens(&game).contains(&String::from("pass")));
}

#[test]
fn a_position_is_the_same_whether_a_pass_led_to_it_or_a_move() {
    let mut passed = at(red_stuck(Colour::Red, "e7"), &Options::default());
    play(&mut passed, "pass");
    assert_eq!(passed.position(), &red_stuck(Colour::Black, "e7"));
    // Where the rival is stuck too, the second pass would end the leg, so the position is another one.
    let mut passed = at(both_stuck(), &Options::default());
    play(&mut passed, "pass");
    let mut unpassed = both_stuck();
    unpassed.set_to_move(Colour::Red);
    assert_ne!(passed.position().key(), unpassed.key());
}

#[test]
fn a_stuck_seat_may_lose_or_draw_instead() {
    for (stuck, expected) in
        [(Stuck::Loss, (Some(Colour::Black), Some(EndReason::Stuck))), (Stuck::Draw, (None, Some(EndReason::Stuck)))]
    {
        // The limit falls on the same ply, and comes after the game's own ending.
        let mut game = at(red_stuck(Colour::Black, "c1"), &Options { stuck, max_plies: 1, ..Options::default() });
        assert_eq!(game.end(), None);
        play(&mut game, "c1-e7");
        assert_eq!(ended(&game), expected);
        // A leg may even begin like that.
        let game = at(red_stuck(Colour::Red, "e7"), &Options { stuck, ..Options::default() });
        assert_eq!(ended(&game), expected);
    }
}

#[test]
fn the_second_leg_is_played_the_other_way() {
    let mut game = started(Options { legs: 2, ..Options::default() });
    play(&mut game, WON_MOVES);
    let won = LegResult { winner: Some(Colour::Black.seat()), reason: EndReason::Goal };
    assert_eq!((game.end(), game.results()), (None, &[won][..]));
    let view = game.view();
    assert_eq!(view.discs.chars().rev().collect::<String>(), WON.0);
    assert_eq!(view.pawns, Colour::BOTH.map(Colour::start));
    assert_eq!((view.leg, view.ply, view.occurrences), (2, 0, 1));
    assert_eq!((view.turn, view.starter), (Some(WON.1.seat()), Some(WON.1)));
    // The second leg is a first leg on the discs turned round.
    let turned = Position::start(view.discs.parse().unwrap(), WON.1, true);
    assert_eq!(game.position(), &turned);
}

/// A leg by random moves: its moves are not of interest, only who won it.
fn finish_leg(game: &mut Passage, luck: &mut Streams) {
    let before = game.results.len();
    while game.results.len() == before {
        step(game, luck);
    }
}

#[test]
fn the_seat_that_won_more_legs_wins() {
    let options = Options { legs: 2, max_plies: 30, adjudicate: Adjudicate::Progress, ..Options::default() };
    let mut seen = BTreeSet::new();
    let mut luck = Streams::new(Seed::from_text("legs"));
    for _ in 0..60 {
        let mut game = started(options.clone());
        finish_leg(&mut game, &mut luck);
        assert_eq!(game.end(), None, "the second leg is always played");
        finish_leg(&mut game, &mut luck);
        let score = |colour: Colour| game.results.iter().filter(|leg| leg.winner == Some(colour.seat())).count();
        let (red, black) = (score(Colour::Red), score(Colour::Black));
        let winner = match red.cmp(&black) {
            std::cmp::Ordering::Greater => Some(Colour::Red),
            std::cmp::Ordering::Less => Some(Colour::Black),
            std::cmp::Ordering::Equal => None,
        };
        assert_eq!(ended(&game), (winner, Some(EndReason::Legs)));
        seen.insert((red, black));
    }
    for score in [(2, 0), (0, 2), (1, 1), (1, 0), (0, 1)] {
        assert!(seen.contains(&score), "{score:?} was not among the results {seen:?}");
    }
}

#[test]
fn a_drawn_leg_is_decided_too_and_occurrences_are_counted_anew() {
    let reversed: String = WON.0.chars().rev().collect();
    let mut game = open(&Options { legs: 2, repetition: 2, ..layout(&reversed, WON.1) });
    let mut luck = Streams::new(Seed::from_text("drawn"));
    finish_leg(&mut game, &mut luck);
    assert_eq!(game.results()[0].winner, None);
    play(&mut game, WON_MOVES);
    assert_eq!(ended(&game), (Some(WON.1), Some(EndReason::Legs)));
}

#[test]
fn the_first_leg_decides_the_future_of_the_second() {
    let encoded = |winner| {
        let mut game = started(Options { legs: 2, ..Options::default() });
        game.end_leg(LegResult { winner, reason: EndReason::Goal });
        let mut bytes = Vec::new();
        game.encode(&mut bytes);
        bytes
    };
    let all = [None, Some(Seat::new(0)), Some(Seat::new(1))].map(encoded);
    assert!(all[0] != all[1] && all[1] != all[2] && all[0] != all[2]);
}
