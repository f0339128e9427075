//! What a position is worth: a race of single pieces, which need somebody to hold the ground for them.

use crate::games::crecer::{Core, SIZE, Squares};
use crate::seat::Seat;

/// What a win at the next move is worth, more than anything else.
pub const DECISIVE: i32 = 10_000;

/// What being to move is worth.
const TEMPO: i32 = 6;

/// What a seat's stacks of height 1 are worth by their number: without them it has lost, and the last ones are hunted.
const SINGLES: [i32; 13] = [-1000, 0, 70, 120, 160, 190, 215, 235, 250, 262, 272, 280, 286];

/// What a stack of height 1 is worth besides by the ranks that it has left behind.
const ADVANCE: [i32; SIZE] = [0, 2, 6, 14, 30, 0];

/// What a stack is worth by its height.
const STACK: [i32; 13] = [0, 20, 45, 65, 80, 90, 95, 100, 105, 110, 115, 120, 125];

/// What a piece in hand is worth.
const IN_HAND: i32 = 12;

/// What the way to the goal is worth by its steps; a longer one, or one that is blocked, is worth nothing.
const WAY: [i32; 6] = [0, 150, 60, 30, 15, 5];

/// What a position in which the game goes on is worth to a seat.
pub fn worth(core: &Core, me: Seat) -> i32 {
    let mover = core.to_move();
    let rival = mover.next(2);
    let of_mover = if wins_at_once(core) { DECISIVE } else { standing(core, mover) - standing(core, rival) + TEMPO };
    if mover == me { of_mover } else { -of_mover }
}

/// Whether the seat to move can win by its next move.
fn wins_at_once(core: &Core) -> bool {
    core.steps_to_goal(core.to_move()) == Some(1) || takes_the_last(core)
}

/// Whether the seat to move can take the rival's last stack of height 1, and keep one itself.
fn takes_the_last(core: &Core) -> bool {
    let mover = core.to_move();
    let mut last = core.singles(mover.next(2)).into_iter();
    let (Some(last), None) = (last.next(), last.next()) else { return false };
    let near = last.neighbours().and(core.stacks(mover));
    let taken_by = |height| !near.and(core.of_height(height)).is_empty();
    taken_by(2) || taken_by(1) && core.singles(mover).count() > 1
}

/// What a seat has, whatever its rival has.
fn standing(core: &Core, seat: Seat) -> i32 {
    let singles = core.singles(seat);
    let way = core.steps_to_goal(seat).and_then(|steps| WAY.get(usize::from(steps))).unwrap_or(&0);
    let advance: i32 = (0..SIZE).map(|rank| ADVANCE[rank] * on_rank(singles, seat, rank)).sum();
    let stacks: i32 = (1..=core.rules().max_height)
        .map(|height| STACK[usize::from(height)] * core.of_height(height).and(core.stacks(seat)).count() as i32)
        .sum();
    SINGLES[singles.count() as usize] + advance + stacks + IN_HAND * i32::from(core.hand(seat)) + way
}

/// How many of the squares lie on this rank, counted from 0 at the seat's own side.
fn on_rank(squares: Squares, seat: Seat, rank: usize) -> i32 {
    let rank = if seat.index() == 0 { rank } else { SIZE - 1 - rank };
    squares.and(Squares::of_rank(rank)).count() as i32
}
