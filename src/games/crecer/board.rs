//! The board as text, with seat 0 at the bottom: `▲3` is a stack of seat 0 of height 3, `▼1` a single piece of seat 1.
//! Each sign points to where its seat is going.

use std::fmt::{self, Write};

use super::square::{SIZE, Square};
use super::state::Core;
use crate::game::BoardStyle;
use crate::seat::Seat;

/// How many characters stand between two upright lines.
const CELL: usize = 5;

const FILES: [char; SIZE] = ['a', 'b', 'c', 'd', 'e', 'f'];

/// What lines and stacks are drawn with.
struct Signs {
    /// Upright line, level line.
    lines: [char; 2],
    /// Left end, crossing and right end of the upper edge, of the lines within and of the lower edge.
    edges: [[char; 3]; 3],
    /// The stacks of each seat.
    stacks: [char; 2],
}

const UNICODE: Signs =
    Signs {
        lines: ['│', '─'], edges: [['┌', '┬', '┐'], ['├', '┼', '┤'], ['└', '┴', '┘']], stacks: ['▲', '▼']
    };

const ASCII: Signs =
    Signs { lines: ['|', '-'], edges: [['+', '+', '+'], ['+', '+', '+'], ['+', '+', '+']], stacks: ['^', 'v'] };

/// Escape sequences: how stacks of height 1, taller ones and lines are coloured.
const SINGLE: [&str; 2] = ["\x1b[1;36m", "\x1b[1;33m"];
const TALL: [&str; 2] = ["\x1b[36m", "\x1b[33m"];
const LINE: &str = "\x1b[2m";
const PLAIN: &str = "\x1b[0m";

/// Draws the position, with what the seats have in hand and who is to move, if anybody is.
pub(super) fn draw(core: &Core, to_move: Option<Seat>, out: &mut dyn Write, style: BoardStyle) -> fmt::Result {
    let board = Board { core, signs: if style.unicode { &UNICODE } else { &ASCII }, colour: style.colour };
    board.edge(out, 0)?;
    for rank in (0..SIZE).rev() {
        board.rank(out, rank)?;
        board.edge(out, if rank > 0 { 1 } else { 2 })?;
    }
    write!(out, " ")?;
    FILES.iter().try_for_each(|file| write!(out, "{file:>6}"))?;
    writeln!(out)?;
    for seat in [Seat::new(1), Seat::new(0)] {
        board.summary(out, seat, to_move == Some(seat))?;
    }
    Ok(())
}

struct Board<'a> {
    core: &'a Core,
    signs: &'static Signs,
    colour: bool,
}

impl Board<'_> {
    /// A level line; `place` is 0 for the upper edge of the board, 1 within it, 2 for its lower edge.
    fn edge(&self, out: &mut dyn Write, place: usize) -> fmt::Result {
        let [left, crossing, right] = self.signs.edges[place];
        write!(out, "   {}{left}", self.paint(LINE))?;
        for file in 0..SIZE {
            (0..CELL).try_for_each(|_| out.write_char(self.signs.lines[1]))?;
            out.write_char(if file + 1 < SIZE { crossing } else { right })?;
        }
        writeln!(out, "{}", self.paint(PLAIN))
    }

    fn rank(&self, out: &mut dyn Write, rank: usize) -> fmt::Result {
        write!(out, " {} ", rank + 1)?;
        for file in 0..SIZE {
            self.upright(out)?;
            self.cell(out, Square::new(file, rank))?;
        }
        self.upright(out)?;
        writeln!(out)
    }

    fn upright(&self, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{}{}{}", self.paint(LINE), self.signs.lines[0], self.paint(PLAIN))
    }

    fn cell(&self, out: &mut dyn Write, square: Square) -> fmt::Result {
        let Some(seat) = self.core.owner(square) else {
            return write!(out, "{:CELL$}", "");
        };
        let height = self.core.height(square);
        let colour = if height == 1 { SINGLE } else { TALL }[seat.index()];
        let sign = self.signs.stacks[seat.index()];
        write!(out, " {}{sign}{height:<3}{}", self.paint(colour), self.paint(PLAIN))
    }

    fn summary(&self, out: &mut dyn Write, seat: Seat, to_move: bool) -> fmt::Result {
        let (paint, plain) = (self.paint(TALL[seat.index()]), self.paint(PLAIN));
        let sign = self.signs.stacks[seat.index()];
        let (stacks, singles) = (self.core.stacks(seat).count(), self.core.singles(seat).count());
        let hand = self.core.hand(seat);
        write!(out, "   {paint}{sign}{plain} seat {seat}: hand {hand}, stacks {stacks} ({singles} of height 1)")?;
        writeln!(out, "{}", if to_move { ", to move" } else { "" })
    }

    /// An escape sequence, where colours are wanted.
    fn paint(&self, sequence: &'static str) -> &'static str {
        if self.colour { sequence } else { "" }
    }
}
