//! Perfect play: the value of every position on some layouts, worked out backwards from the won ones.
//!
//! It shows more than that the start is a draw: it walks the moves of millions of positions forwards (to count them)
//! and backwards (to undo them), and a leg's value comes out only if both agree.

use super::facts::facts;
use super::*;

const UNDECIDED: u8 = 0;
const WIN: u8 = 1;
const LOSS: u8 = 2;

/// The values of all positions on one layout, for the side to move, without limits on plies and repetitions.
struct Solved {
    board: Position,
    /// The squares on which each side's pawns can stand.
    stands: [Vec<Square>; 2],
    /// Every set of four of them, at its own number.
    sets: [Vec<Squares>; 2],
    values: Vec<u8>,
}

/// The number of sets of `size` things out of `count`.
fn choose(count: usize, size: usize) -> usize {
    (0..size).fold(1, |product, index| product * count.saturating_sub(index) / (index + 1))
}

impl Solved {
    fn new(discs: &str) -> Solved {
        let board = Position::start(discs.parse().unwrap(), Colour::Red, true);
        let stands: [Vec<Square>; 2] =
            Colour::BOTH.map(|colour| (board.discs(colour.rival()) | Squares::NEUTRAL).iter().collect());
        let sets = [0, 1].map(|side| {
            let mut sets = vec![Squares::NONE; choose(stands[side].len(), PAWNS)];
            for bits in 0u32..1 << stands[side].len() {
                if bits.count_ones() as usize == PAWNS {
                    let set: Squares =
                        (0..stands[side].len()).filter(|n| bits >> n & 1 == 1).map(|n| stands[side][n]).collect();
                    sets[number_of(&stands[side], set)] = set;
                }
            }
            sets
        });
        let values = vec![UNDECIDED; 2 * sets[0].len() * sets[1].len()];
        let mut solved = Solved { board, stands, sets, values };
        solved.solve();
        solved
    }

    fn index(&self, position: &Position) -> usize {
        let [red, black] = Colour::BOTH.map(|colour| number_of(&self.stands[colour.index()], position.pawns(colour)));
        (red * self.sets[1].len() + black) * 2 + position.to_move().index()
    }

    fn position(&self, index: usize) -> Option<Position> {
        let (pair, to_move) = (index / 2, Colour::BOTH[index % 2]);
        let pawns = [self.sets[0][pair / self.sets[1].len()], self.sets[1][pair % self.sets[1].len()]];
        (pawns[0] & pawns[1]).is_empty().then(|| self.board.with_pawns(pawns, to_move))
    }

    fn solve(&mut self) {
        let mut open_moves = vec![0u8; self.values.len()];
        let mut decided = Vec::new();
        for (index, open_moves) in open_moves.iter_mut().enumerate() {
            let Some(position) = self.position(index) else { continue };
            if position.is_home(position.to_move().rival()) {
                self.values[index] = LOSS;
                decided.push(index);
            } else {
                *open_moves = position.count_legal() as u8;
            }
        }
        while let Some(index) = decided.pop() {
            let position = self.position(index).unwrap();
            for before in before(&position) {
                let earlier = self.index(&before);
                if self.values[earlier] != UNDECIDED {
                    continue;
                }
                open_moves[earlier] -= 1;
                if self.values[index] == LOSS {
                    self.values[earlier] = WIN;
                    decided.push(earlier);
                } else if open_moves[earlier] == 0 {
                    self.values[earlier] = LOSS;
                    decided.push(earlier);
                }
            }
        }
    }
}

fn number_of(stands: &[Square], set: Squares) -> usize {
    let places = stands.iter().enumerate().filter(|&(_, &square)| set.contains(square));
    places.zip(1..).map(|((place, _), size)| choose(place, size)).sum()
}

/// The positions from which a legal move leads to this one. A pawn could always go back the way it came, were there no
/// ban; and the ban looks only at where the rival's pawns are left, which are those of the side to move now.
fn before(position: &Position) -> Vec<Position> {
    let mover = position.to_move().rival();
    let pawns = Colour::BOTH.map(|colour| position.pawns(colour));
    let mut all = Vec::new();
    if position.immobile().is_empty() {
        for (to, froms) in position.geometric(mover) {
            for from in froms {
                let mut pawns = pawns;
                pawns[mover.index()] = pawns[mover.index()].minus(to.alone()) | from.alone();
                all.push(position.with_pawns(pawns, mover));
            }
        }
    }
    let passing = position.with_pawns(pawns, mover);
    all.extend(passing.is_stuck().then_some(passing));
    all
}

#[test]
fn undoing_moves_is_the_reverse_of_making_them() {
    let pawns = |position: &Position| Colour::BOTH.map(|colour| position.pawns(colour));
    let mut undone = 0;
    on_scattered_positions(true, 10, |position| {
        for mv in position.legal_moves() {
            let after = position.after(mv);
            let earlier = before(&after);
            assert_eq!(earlier.iter().filter(|&earlier| earlier == position).count(), 1, "{mv} in {position:?}");
            let leads_here =
                |earlier: &Position| earlier.legal_moves().iter().any(|&mv| pawns(&earlier.after(mv)) == pawns(&after));
            assert!(earlier.iter().all(leads_here), "{after:?}");
            undone += 1;
        }
    });
    assert!(undone > 100);
}

#[test]
#[ignore = "deep: run with --release --ignored"]
fn deep_perfect_play_is_a_draw() {
    let facts = facts();
    assert_eq!(facts.perfect_play.layouts, facts.perfect_play.draws);
    for fact in &facts.perft {
        let solved = Solved::new(&fact.layout);
        for starter in Colour::BOTH {
            let start = Position::start(fact.layout.parse().unwrap(), starter, true);
            assert_eq!(solved.values[solved.index(&start)], UNDECIDED, "{}", fact.layout);
        }
    }
    // In a recorded game, the last move wins, and the one before it was a mistake or came too late.
    for (discs, starter, moves) in facts.recorded() {
        let solved = Solved::new(discs);
        let mut game = open(&layout(discs, starter));
        assert_eq!(solved.values[solved.index(game.position())], UNDECIDED, "{discs}");
        let (before, last) = moves.rsplit_once(' ').unwrap();
        play(&mut game, before);
        assert_eq!(solved.values[solved.index(game.position())], WIN, "{discs}");
        play(&mut game, last);
        assert_eq!(solved.values[solved.index(game.position())], LOSS, "{discs}");
    }
}
