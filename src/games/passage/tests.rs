//! The rules of Passage, one test a rule.

mod facts;
mod naive;

use super::*;
use crate::game::Notation;

/// The options for these discs.
fn layout(letters: &str, starter: Colour) -> Options {
    Options { layout: Some(letters.into()), starter: Some(starter), ..Options::default() }
}

fn open(options: &Options) -> Passage {
    Passage::new(options, 2).unwrap()
}

/// A game in which the pawns stand as in this position.
fn at(position: Position, options: &Options) -> Passage {
    let mut game = open(options);
    game.position = position;
    game.starter = Some(position.to_move());
    game.begin_leg();
    game
}

fn play(game: &mut Passage, mv: &str) {
    let mv = mv.parse().unwrap();
    assert_eq!(game.check(mv), Ok(()));
    game.apply(Step::Move(mv));
}

fn tokens(game: &Passage) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves.into_iter().map(|mv| mv.token().to_string()).collect()
}

fn squares<S: AsRef<str>>(names: &[S]) -> Squares {
    names.iter().map(|name| Square::named(name.as_ref()).unwrap()).collect()
}

fn pieces(reach: &Reach) -> Vec<Move> {
    reach.iter().flat_map(|&(from, targets)| targets.iter().map(move |to| Move::Step { from, to })).collect()
}

#[test]
fn scratch_mutual() {
    use crate::chance::Seed;
    let mut luck = Streams::new(Seed::from_text("x"));
    let f = facts::facts();
    let mut most = 0;
    for n in 0..3000000 {
        let mut bag: Discs<12> = half_red(); luck.of(Purpose::SetUp).shuffle(&mut bag.0);
        let mut outer: Discs<6> = half_red(); luck.of(Purpose::SetUp).shuffle(&mut outer.0);
        let l = format!("{}{}{}", &outer.letters()[..3], &bag.letters()[..11], &outer.letters()[3..]);
        let b = n % 2 == 0;
        let p = Position::start(l.parse().unwrap(), bag.0[11], b);
        let pick = |luck: &mut Streams, from: Squares| { let mut v: Vec<Square> = from.iter().collect(); luck.of(Purpose::SetUp).shuffle(&mut v); v.into_iter().take(4).collect::<Squares>() };
        let red = pick(&mut luck, p.discs(Colour::Black) | Squares::NEUTRAL);
        let black = pick(&mut luck, (p.discs(Colour::Red) | Squares::NEUTRAL).minus(red));
        let p = Position::new(l.parse().unwrap(), [red, black], bag.0[11], b);
        let q = Position::new(l.parse().unwrap(), [red, black], bag.0[11].rival(), b);
        if n < 3000 { assert_eq!(naive::Table::of(&p, &f, b).legal_moves(), p.legal_moves().to_vec()); }
        if p.is_stuck() { most += 1; if q.is_stuck() { println!("{l} red {red:?} black {black:?} {b} immobile {:?} {:?}", p.immobile(), q.immobile()); } }
    }
    println!("{most} stuck");
}
