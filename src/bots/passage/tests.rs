//! The positions of a search against the rules, and choices that are plain.

use super::greedy::best_moves;
use super::node::Place;
use super::worth;
use crate::bots::search::{End, Limits, Node, Search, WIN};
use crate::chance::{Draws, Hex32, Purpose, Streams};
use crate::game::{Game, Step, Turn};
use crate::games::passage::{Colour, LegResult, Move, Passage, Phase};
use crate::seat::Seat;

/// Variants with every kind of end, most of them near.
const VARIANTS: [&str; 6] = [
    "{}",
    r#"{"legs":2,"max_plies":12,"adjudicate":"progress"}"#,
    r#"{"legs":2,"max_plies":9,"repetition":2,"adjudicate":"progress"}"#,
    r#"{"repetition":2,"stuck":"loss","placement":"chance"}"#,
    r#"{"stuck":"draw","repetition":0,"max_plies":30,"adjudicate":"progress"}"#,
    r#"{"bridge_on_neutral":false,"stuck":"loss","max_plies":40}"#,
];

/// A recorded game that black wins with the last ply.
const WON: &str = r#"{"layout":"RBRBRRBBBBRRRRBRB","starter":"B"}"#;
const WON_MOVES: &str = "a7-a5 g1-d4 e7-g5 a1-e7 c7-b2 e1-c7 g7-f2 d4-f6 g5-e1 e7-b4 b2-a1 c1-e7 f2-g1 f6-a3 a5-c5 a3-b6 e1-c3 b4-a7 c5-c1 b6-f6 c3-e1";

fn open(options: &str) -> Passage {
    Passage::new(&serde_json::from_str(options).unwrap(), 2).unwrap()
}

fn played(options: &str, moves: &[&str]) -> Passage {
    moves.iter().fold(open(options), |game, token| after(&game, token.parse().unwrap()))
}

fn after(game: &Passage, mv: Move) -> Passage {
    let mut next = game.clone();
    next.apply(Step::Move(mv));
    next
}

fn legal(game: &Passage) -> Vec<Move> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves
}

fn draws() -> Draws {
    Streams::new(Hex32::from_text("bots of passage")).of(Purpose::Opening).clone()
}

/// The positions with a seat to move of random games.
fn positions(options: &str, games: u32) -> Vec<Passage> {
    let mut all = Vec::new();
    for number in 0..games {
        let mut luck = Streams::new(Hex32::from_text(&format!("{options} {number}")));
        let mut game = open(options);
        while !matches!(game.turn(), Turn::Over(_)) {
            if game.turn() == Turn::Chance {
                let outcome = game.draw(&mut luck);
                game.apply(Step::Chance(outcome));
                continue;
            }
            all.push(game.clone());
            let moves = legal(&game);
            game.apply(Step::Move(moves[luck.of(Purpose::Opening).below(moves.len() as u32) as usize]));
        }
    }
    all
}

fn mover(game: &Passage) -> Seat {
    let Turn::Seat(seat) = game.turn() else { panic!("a seat is to move") };
    seat
}

/// What `minimax` does.
fn searched(game: &Passage, depth: u32) -> Move {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    Search::new(mover(game)).best(&Place::of(game), &limits, &mut draws()).mv
}

/// How the rules say that the leg ends with a move: for the last leg, as the ranking is.
fn end_by_rules(game: &Passage, mv: Move) -> Option<End> {
    let next = after(game, mv);
    let end = |winner: Option<Seat>| winner.map_or(End::Drawn, End::Won);
    match (next.turn(), &next.results()[game.results().len()..]) {
        (_, []) => None,
        (Turn::Over(ranking), _) => Some(end(ranking.winner())),
        (_, [LegResult { winner, .. }, ..]) => Some(end(*winner)),
    }
}

#[test]
fn the_moves_and_ends_are_those_of_the_rules() {
    let (mut won, mut drawn) = (0, 0);
    for options in VARIANTS {
        for game in positions(options, 6) {
            let mut children = Vec::new();
            Place::of(&game).expand(mover(&game), &mut children);
            assert_eq!(children.iter().map(|child| child.mv).collect::<Vec<_>>(), legal(&game));
            for child in children {
                let end = end_by_rules(&game, child.mv);
                assert_eq!(child.node.end(), end, "{options}: {} in {:?}", child.mv, game.view());
                won += u32::from(matches!(end, Some(End::Won(_))));
                drawn += u32::from(end == Some(End::Drawn));
            }
        }
    }
    assert!(won > 100 && drawn > 100, "{won} and {drawn}");
}

/// The value to `me` by looking at everything.
fn plain(place: &Place, me: Seat, depth: u32, ply: i32) -> i32 {
    match place.end() {
        Some(End::Won(seat)) => return if seat == me { WIN - ply } else { ply - WIN },
        Some(End::Drawn) => return 0,
        None if depth == 0 => return place.worth(me),
        None => {}
    }
    let mut children = Vec::new();
    place.expand(me, &mut children);
    let values = children.iter().map(|child| plain(&child.node, me, depth - 1, ply + 1));
    if place.mover() == me { values.max() } else { values.min() }.unwrap()
}

#[test]
fn the_search_agrees_with_plain_minimax() {
    const DEPTH: u32 = 3;
    for options in VARIANTS {
        for game in positions(options, 2).iter().step_by(15) {
            let (place, me) = (Place::of(game), mover(game));
            let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
            let found = Search::new(me).best(&place, &limits, &mut draws());
            if legal(game).len() > 1 && found.depth == DEPTH {
                let chosen = plain(&place.after(found.mv), me, DEPTH - 1, 1);
                assert_eq!([found.value, chosen], [plain(&place, me, DEPTH, 0); 2], "{options}: {:?}", game.view());
            }
        }
    }
}

#[test]
fn a_win_in_one_is_taken_and_a_rivals_is_prevented() {
    let (mut wins, mut rescues) = (0, 0);
    for options in [r#"{"max_plies":20,"adjudicate":"progress"}"#, VARIANTS[1], VARIANTS[2]] {
        for game in positions(options, 8) {
            let me = mover(&game);
            let wins_for = |game: &Passage, mv, seat| end_by_rules(game, mv) == Some(End::Won(seat));
            let is_winning = |mv: &Move| wins_for(&game, *mv, me);
            if legal(&game).iter().any(is_winning) {
                assert!(best_moves(&game).iter().all(is_winning) && is_winning(&searched(&game, 2)));
                wins += 1;
                continue;
            }
            let is_losing = |mv: &Move| {
                let (next, end) = (after(&game, *mv), end_by_rules(&game, *mv));
                let rival = Seat::new(1 - me.index());
                end == Some(End::Won(rival))
                    || end.is_none() && legal(&next).into_iter().any(|reply| wins_for(&next, reply, rival))
            };
            let losing = legal(&game).iter().filter(|mv| is_losing(mv)).count();
            if losing > 0 && losing < legal(&game).len() {
                assert!(!is_losing(&searched(&game, 2)), "{:?}", game.view());
                rescues += 1;
            }
        }
    }
    assert!(wins > 10 && rescues > 10, "{wins} and {rescues}");
}

#[test]
fn the_last_pawn_goes_home() {
    let moves: Vec<&str> = WON_MOVES.split(' ').collect();
    let (last, before) = moves.split_last().unwrap();
    let (game, last): (_, Move) = (played(WON, before), last.parse().unwrap());
    assert_eq!((best_moves(&game), searched(&game, 3)), (vec![last], last));
}

#[test]
fn the_way_of_the_last_pawn_is_barred() {
    // Black's last pawn is at e3 and about to go over d2 to c1: of red's 28 moves, those to these two are in the way.
    let moves: Vec<&str> = WON_MOVES.split(' ').take(16).chain(["c5-e3"]).collect();
    let game = played(WON, &moves);
    let Move::Step { to, .. } = searched(&game, 2) else { panic!("red can move") };
    assert!(["c1", "d2"].contains(&to.name()), "{to}");
}

#[test]
fn whoever_is_ahead_does_not_repeat_and_whoever_is_behind_does() {
    const REPEATED: u32 = 2;
    let once_more = |moves: &[&str], round: &[&str]| {
        let (last, most) = round.split_last().unwrap();
        let game = played(WON, &[moves, round, most].concat());
        let last: Move = last.parse().unwrap();
        assert_eq!(after(&game, last).view().occurrences, REPEATED + 1);
        (worth::lead(game.position(), Colour::BOTH[mover(&game).index()]), last, game)
    };
    // Red is the last to move in the round, and has come further.
    let (lead, last, game) = once_more(&[], &["a7-a5", "g1-d4", "a5-a7", "d4-g1"]);
    assert!(lead > 0 && !best_moves(&game).contains(&last) && searched(&game, 3) != last);
    // Here it is black, with a pawn that has just gone back.
    let (lead, last, game) =
        once_more(&["a7-a5", "g1-d4", "e7-g5", "a1-e7", "c7-b2"], &["c1-d2", "b2-a7", "d2-c1", "a7-b2"]);
    assert!(lead < 0 && best_moves(&game) == [last] && searched(&game, 3) == last);
}

#[test]
fn in_the_second_leg_the_winner_of_the_first_is_content_with_a_draw() {
    let options = WON.replace('}', r#","legs":2,"max_plies":21}"#);
    let mut game = played(&options, &WON_MOVES.split(' ').collect::<Vec<_>>());
    assert_eq!((game.leg(), game.results()[0].winner), (2, Some(Colour::Black.seat())));
    let mut luck = draws();
    while game.plies() < 20 {
        let moves = legal(&game);
        game = after(&game, moves[luck.below(moves.len() as u32) as usize]);
    }
    let mut children = Vec::new();
    Place::of(&game).expand(mover(&game), &mut children);
    assert!(children.iter().all(|child| child.node.end() == Some(End::Won(Colour::Black.seat()))));
}

#[test]
fn discs_are_placed_where_they_serve() {
    for game in positions("{}", 20).into_iter().filter(|game| game.view().phase == Phase::Placing) {
        let colour = Colour::BOTH[mover(&game).index()];
        let worth_of = |mv: Move| worth::of_discs(after(&game, mv).position(), colour);
        let best = legal(&game).into_iter().map(worth_of).max().unwrap();
        assert!(best_moves(&game).into_iter().all(|mv| worth_of(mv) == best));
    }
}

#[test]
fn discs_are_worth_the_moves_that_they_spare() {
    // Red: over d2 c3 d4 c5 d6 in one move from c1 and e1, in two from a1 and in three from g1. Black: two for each pawn,
    // by b6 and by f4.
    let game = open(r#"{"layout":"BRBBRBBBRRBRBRRRB","starter":"R"}"#);
    assert_eq!(Colour::BOTH.map(|colour| worth::of_discs(game.position(), colour)), [2, -2]);
}
