//! The search against plain minimax, in games of nothing but numbers.

use super::*;
use crate::chance::{Hex32, Purpose, Streams};

/// A position of a game in which what follows is drawn from the moves so far.
#[derive(Clone, Debug)]
struct Maze {
    seed: u64,
    moves: Vec<u8>,
    seats: usize,
    plies: u32,
}

impl Maze {
    fn number(&self, what: u64, below: u64) -> u64 {
        let mut bytes = self.moves.clone();
        // What comes of two moves does not depend on their order, so that positions are met again.
        bytes.sort_unstable();
        bytes.extend([self.seed, what, self.moves.len() as u64].iter().flat_map(|number| number.to_le_bytes()));
        memory::key(&bytes) % below
    }
}

impl Node for Maze {
    type Move = u8;
    const DECISIVE: i32 = 500;

    fn seats(&self) -> SeatSet {
        SeatSet::first(self.seats)
    }

    fn mover(&self) -> Seat {
        Seat::new(self.number(1, self.seats as u64) as usize)
    }

    fn end(&self) -> Option<End> {
        match self.number(2, 40) {
            _ if self.moves.is_empty() => None,
            number if number < self.seats as u64 => Some(End::Won(Seat::new(number as usize))),
            39 => Some(End::Drawn),
            _ if self.plies == 0 => Some(End::Drawn),
            _ => None,
        }
    }

    fn expand(&self, _: Seat, out: &mut Vec<Child<Maze>>) {
        let count = 1 + self.number(3, 4) as u8;
        out.extend((0..count).map(|mv| Child {
            mv,
            order: self.number(4 + u64::from(mv), 10) as i32,
            node: self.after(mv),
        }));
    }

    fn after(&self, mv: u8) -> Maze {
        Maze { moves: [&self.moves[..], &[mv]].concat(), plies: self.plies - 1, ..*self }
    }

    fn worth(&self, me: Seat) -> i32 {
        self.number(100 + me.index() as u64, 200) as i32 - 100
    }

    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.moves);
        let from = out.len() - self.moves.len();
        out[from..].sort_unstable();
    }
}

/// What a position without chance is worth, by looking at everything that the search takes to be possible.
pub fn plain<N: Node>(node: &N, me: Seat, depth: u32, ply: i32) -> i32 {
    match node.end() {
        Some(End::Won(seat)) if seat == me => return WIN - ply,
        Some(End::Won(_)) => return ply - WIN,
        Some(End::Drawn) => return 0,
        None if depth == 0 => return node.worth(me),
        None => {}
    }
    let mover = node.mover();
    let replies = mover != me && node.seats().len() > 2;
    let mut children = Vec::new();
    node.expand(if replies { mover } else { me }, &mut children);
    if replies {
        // Of moves that are alike the first one is taken.
        let best = |child: &&Child<N>| (child.node.worth_at_once(mover), child.order);
        let reply = children.iter().rev().max_by_key(best).unwrap();
        return plain(&reply.node, me, depth - 1, ply + 1);
    }
    let values = children.iter().map(|child| plain(&child.node, me, depth - 1, ply + 1));
    if mover == me { values.max() } else { values.min() }.unwrap()
}

fn draws() -> Draws {
    Streams::new(Hex32::from_text("search")).of(Purpose::SetUp).clone()
}

/// The first positions of mazes in which seat 0 is to move, and has a choice.
fn mazes(seats: usize) -> impl Iterator<Item = Maze> {
    let all = (0..100).map(move |seed| Maze { seed, moves: Vec::new(), seats, plies: 9 });
    all.filter(|maze| maze.mover() == Seat::new(0) && maze.number(3, 4) > 0)
}

#[test]
fn the_value_is_that_of_plain_minimax_and_the_move_has_it() {
    let me = Seat::new(0);
    let mut looked = 0;
    for seats in [2, 3, 4] {
        for maze in mazes(seats) {
            let mut search = Search::new(me);
            for depth in 1..=5 {
                let limits = Limits { depth: Some(depth), ..Limits::default() };
                let found = search.best(&maze, &limits, &mut draws());
                let (all, chosen) = (plain(&maze, me, depth, 0), plain(&maze.after(found.mv), me, depth - 1, 1));
                if all.abs() > SURE {
                    // A sure end stops the search at once, though there may be a quicker one.
                    assert_eq!((found.value.signum(), chosen.signum()), (all.signum(), all.signum()), "{maze:?}");
                } else {
                    assert_eq!((found.value, chosen, found.depth), (all, all, depth), "{maze:?}");
                }
                looked += 1;
            }
        }
    }
    assert!(looked > 200);
}

#[test]
fn it_looks_at_fewer_positions_than_there_are() {
    fn count(node: &Maze, depth: u32) -> u64 {
        let mut children = Vec::new();
        if depth > 0 && node.end().is_none() {
            node.expand(Seat::new(0), &mut children);
        }
        1 + children.iter().map(|child| count(&child.node, depth - 1)).sum::<u64>()
    }
    let limits = Limits { depth: Some(8), ..Limits::default() };
    let seen: u64 = mazes(2).map(|maze| Search::new(Seat::new(0)).best(&maze, &limits, &mut draws()).nodes).sum();
    let all: u64 = mazes(2).map(|maze| count(&maze, 8)).sum();
    assert!(seen * 3 < all, "{seen} of {all}");
}

#[test]
fn what_is_remembered_from_move_to_move_changes_no_value() {
    let me = Seat::new(0);
    let mut compared = 0;
    for maze in mazes(2) {
        let mut search = Search::new(me);
        for (moves, depth) in [(0, 5), (1, 4), (2, 3)] {
            let line = (0..moves).fold(maze.clone(), |maze, _| maze.after(0));
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            if line.end().is_none() && line.mover() == me && line.number(3, 4) > 0 {
                // Every position is looked at to the same ply of the game, so that equally much is known of it.
                let found = search.best(&line, &limits, &mut draws());
                match plain(&line, me, depth, 0) {
                    sure if sure.abs() > SURE => assert_eq!(found.value.signum(), sure.signum()),
                    value => assert_eq!(found.value, value),
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 20);
}

#[test]
fn the_nodes_are_kept_and_a_move_is_found_with_any_number_of_them() {
    for maze in mazes(2).take(10) {
        for nodes in [1, 2, 3, 5, 8, 13, 50, 200] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let found = Search::new(Seat::new(0)).best(&maze, &limits, &mut draws());
            assert!(found.nodes <= nodes);
            let again = Search::new(Seat::new(0)).best(&maze, &limits, &mut draws());
            assert_eq!((found.mv, found.value), (again.mv, again.value));
        }
    }
}
