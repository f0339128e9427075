//! The rules of Passage: set-up, endings and legs here; facts, refusals and deep checks in the modules beside.

mod endings;
mod faces;
mod facts;
mod illegal;
mod naive;
mod set_up;
mod solved;

use super::*;
use crate::chance::Seed;
use crate::game::Notation;
use crate::games::conformance;

/// The options for these discs.
fn layout(letters: &str, starter: Colour) -> Options {
    Options { layout: Some(letters.into()), starter: Some(starter), ..Options::default() }
}

fn open(options: &Options) -> Passage {
    Passage::new(options, 2).unwrap()
}

/// A game in which a leg begins at this position.
fn at(position: Position, options: &Options) -> Passage {
    let mut game = open(options);
    game.position = position;
    game.starter = Some(position.to_move());
    game.begin_leg();
    game
}

/// A position by its discs, the squares of its pawns, and the side to move.
fn position(discs: &str, red: &str, black: &str, to_move: Colour, bridge_on_neutral: bool) -> Position {
    let pawns = [red, black].map(|names| squares(&names.split(' ').collect::<Vec<_>>()));
    Position::new(discs.parse().unwrap(), pawns, to_move, bridge_on_neutral)
}

fn play(game: &mut Passage, moves: &str) {
    for token in moves.split(' ') {
        let mv = token.parse().unwrap();
        assert_eq!(game.check(mv), Ok(()), "{token}");
        game.apply(Step::Move(mv));
    }
}

/// Takes the next step by chance.
fn step(game: &mut Passage, luck: &mut Streams) {
    if game.turn() == Turn::Chance {
        let outcome = game.draw(luck);
        game.apply(Step::Chance(outcome));
    } else {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let choice = luck.of(Purpose::Opening).below(moves.len() as u32);
        game.apply(Step::Move(moves[choice as usize]));
    }
}

fn tokens(game: &Passage) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves.into_iter().map(|mv| mv.token().to_string()).collect()
}

fn squares<S: AsRef<str>>(names: &[S]) -> Squares {
    names.iter().map(|name| Square::named(name.as_ref()).unwrap()).collect()
}

fn listed(reach: &Reach) -> Vec<Move> {
    reach.iter().flat_map(|&(from, targets)| targets.iter().map(move |to| Move::Step { from, to })).collect()
}

#[test]
fn keeps_the_promises_of_a_game() {
    let given = layout("RRBRRBBRBBBRRBRBB", Colour::Red);
    let short = Options { max_plies: 40, ..Options::default() };
    for (options, games, plies) in [
        (short.clone(), 4, 46),
        (Options { placement: Placement::Chance, ..short.clone() }, 2, 40),
        (Options { repetition: 0, ..short.clone() }, 1, 46),
        (Options { repetition: 2, legs: 2, ..short.clone() }, 2, 86),
        (Options { max_plies: 40, ..given.clone() }, 2, 40),
        (Options { max_plies: 40, legs: 2, adjudicate: Adjudicate::Progress, ..given.clone() }, 2, 80),
        (Options { bridge_on_neutral: false, ..short.clone() }, 2, 46),
        (Options { bridge_on_neutral: false, stuck: Stuck::Loss, ..short.clone() }, 2, 46),
        (Options { stuck: Stuck::Draw, adjudicate: Adjudicate::Progress, ..short.clone() }, 2, 46),
    ] {
        conformance::check::<Passage>(&options, 2, games, plies);
    }
}

#[test]
#[ignore = "deep: run with --release --ignored"]
fn deep_promises_of_a_game_at_full_length() {
    for bridge_on_neutral in [true, false] {
        for stuck in [Stuck::Pass, Stuck::Loss, Stuck::Draw] {
            for placement in [Placement::Seats, Placement::Chance] {
                for legs in [1, 2] {
                    let adjudicate = if legs == 1 { Adjudicate::Draw } else { Adjudicate::Progress };
                    let options =
                        Options { bridge_on_neutral, stuck, placement, legs, adjudicate, ..Options::default() };
                    conformance::check::<Passage>(&options, 2, 12, 6 + 300 * u32::from(legs));
                }
            }
        }
    }
}

/// Calls on the positions of random games with this option.
fn on_random_positions(bridge_on_neutral: bool, games: u32, mut call: impl FnMut(&Position)) {
    let mut luck = Streams::new(Seed::from_text("positions"));
    for _ in 0..games {
        let mut game = open(&Options { bridge_on_neutral, max_plies: 60, ..Options::default() });
        while game.end().is_none() {
            if game.phase == Phase::Moving {
                call(game.position());
            }
            step(&mut game, &mut luck);
        }
    }
}

/// Calls on positions with the pawns anywhere they may stand, most of which no game reaches.
fn on_scattered_positions(bridge_on_neutral: bool, count: u32, mut call: impl FnMut(&Position)) {
    let mut luck = Streams::new(Seed::from_text("scattered"));
    let draws = luck.of(Purpose::SetUp);
    let four = |draws: &mut crate::chance::Draws, among: Squares| -> Squares {
        let mut among: Vec<Square> = among.iter().collect();
        draws.shuffle(&mut among);
        among.into_iter().take(PAWNS).collect()
    };
    for _ in 0..count {
        let (mut bag, mut outer) = (half_red::<12>(), half_red::<6>());
        draws.shuffle(&mut bag.0);
        draws.shuffle(&mut outer.0);
        let (bag, outer) = (bag.letters(), outer.letters());
        let discs = format!("{}{}{}", &outer[..3], &bag[..11], &outer[3..]).parse().unwrap();
        let board = Position::start(discs, Colour::Red, true);
        let red = four(draws, board.discs(Colour::Black) | Squares::NEUTRAL);
        let black = four(draws, (board.discs(Colour::Red) | Squares::NEUTRAL).minus(red));
        for to_move in Colour::BOTH {
            call(&Position::new(discs, [red, black], to_move, bridge_on_neutral));
        }
    }
}

fn compare_with_the_naive_rules(games: u32, scattered: u32) {
    let facts = facts::facts();
    for bridge_on_neutral in [true, false] {
        let mut compared = 0;
        let mut compare = |position: &Position| {
            let table = naive::Table::of(position, &facts, bridge_on_neutral);
            let moves = table.legal_moves();
            assert_eq!(position.legal_moves().to_vec(), moves, "{position:?}");
            assert_eq!(position.count_legal(), moves.len(), "{position:?}");
            assert_eq!(position.is_stuck(), moves == [Move::Pass], "{position:?}");
            compared += 1;
        };
        on_random_positions(bridge_on_neutral, games, &mut compare);
        on_scattered_positions(bridge_on_neutral, scattered, &mut compare);
        assert!(compared > 2 * scattered);
    }
}

#[test]
fn the_moves_are_those_of_the_naive_rules() {
    compare_with_the_naive_rules(2, 50);
}

#[test]
#[ignore = "deep: run with --release --ignored"]
fn deep_moves_are_those_of_the_naive_rules() {
    compare_with_the_naive_rules(40, 10_000);
}

#[test]
fn every_pair_of_squares_passes_the_check_or_is_not_listed() {
    let check = |position: &Position| {
        let legal = position.legal_moves();
        for from in Squares::BOARD.iter() {
            for to in Squares::BOARD.iter() {
                let mv = Move::Step { from, to };
                assert_eq!(position.check(mv).is_ok(), legal.contains(&mv), "{mv} in {position:?}");
            }
        }
        assert_eq!(position.check(Move::Pass).is_ok(), legal.contains(&Move::Pass), "{position:?}");
    };
    for bridge_on_neutral in [true, false] {
        on_random_positions(bridge_on_neutral, 1, check);
        on_scattered_positions(bridge_on_neutral, 20, check);
    }
}

#[test]
fn with_bridges_everywhere_a_side_never_immobilises_itself() {
    on_random_positions(true, 20, |position| assert!(position.immobile().is_empty(), "{position:?}"));
}

#[test]
fn what_searches_evaluate_is_counted_right() {
    for bridge_on_neutral in [true, false] {
        on_scattered_positions(bridge_on_neutral, 50, |position| {
            for colour in Colour::BOTH {
                let to_go = |square: Square| {
                    let rank = usize::from(square.name().as_bytes()[1] - b'1');
                    if colour == Colour::Red { 6 - rank } else { rank }
                };
                let pawns = position.pawns(colour);
                assert_eq!(position.ranks_to_go(colour), pawns.iter().map(to_go).sum::<usize>());
                assert_eq!(position.pawns_home(colour), pawns.iter().filter(|&pawn| to_go(pawn) == 0).count());
                assert_eq!(position.is_home(colour), position.pawns_home(colour) == PAWNS);
            }
        });
    }
}

#[test]
fn positions_on_the_same_discs_have_different_keys() {
    let start = open(&layout("RRBRRBBRBBBRRBRBB", Colour::Red)).position;
    let mut keys = std::collections::BTreeMap::from([(start.key(), start)]);
    let mut here = vec![start];
    for _ in 0..2 {
        let next: Vec<Position> =
            here.iter().flat_map(|position| position.legal_moves().into_iter().map(|mv| position.after(mv))).collect();
        for position in &next {
            assert_eq!(keys.entry(position.key()).or_insert(*position), position);
            assert!(position.key() < 1 << 52);
        }
        here = next;
    }
}
