//! What positions of Passage are worth, in halves of a rank.

use crate::games::passage::{Colour, Position, Squares};

const RANK: i32 = 2;

/// What a pawn at home is worth besides. Adjudication by progress looks at pawns home before ranks, but a search that took
/// one for three ranks lost most of its games with one that looked at ranks alone; near the limit of plies a search sees
/// what decides. A little keeps pawns at home where nothing else matters.
const HOME: i32 = 1;

/// The most moves that a pawn is taken to need, as one that has no way at all.
const MOST_MOVES: i32 = 7;

/// How much further than the rival a side has come.
pub fn lead(position: &Position, colour: Colour) -> i32 {
    let way = |colour| RANK * position.ranks_to_go(colour) as i32 - HOME * position.pawns_home(colour) as i32;
    way(colour.rival()) - way(colour)
}

/// How much better the discs serve a side than the rival: the moves that four pawns need from the start to the goal, each
/// as if it were alone on the board, a move being worth a rank. A hole without a disc is in everybody's way.
pub fn of_discs(position: &Position, colour: Colour) -> i32 {
    RANK * (moves_home(position, colour.rival()) - moves_home(position, colour))
}

fn moves_home(position: &Position, colour: Colour) -> i32 {
    let passable = position.discs(colour);
    let ends = position.discs(colour.rival()) | Squares::NEUTRAL;
    let (mut near, mut far, mut sum) = (colour.goal(), colour.start(), 0);
    for _ in 0..MOST_MOVES {
        sum += far.len() as i32;
        near |= near.flooded(passable).around() & ends;
        far = far.minus(near);
    }
    sum
}
