//! Draws the board as text, with boxes or in ASCII.
//!
//! Red pawns point up, where they go, and black ones down; a pawn on a disc stands between two halves of it.

use std::fmt::{self, Write};

use super::Passage;
use super::squares::{Colour, Square};
use super::view::{LegResult, Phase};
use crate::game::BoardStyle;

const SIDE: usize = 7;
const FILES: [char; SIDE] = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

/// The characters of one way to draw.
struct Glyphs {
    pawns: [char; 2],
    discs: [char; 2],
    empty: char,
    light: char,
    across: char,
    down: char,
    /// The corners and crossings of the top, a middle and the bottom line: left, between, right.
    lines: [[char; 3]; 3],
}

const BOXES: Glyphs = Glyphs {
    pawns: ['▲', '▼'],
    discs: ['○', '●'],
    empty: '·',
    light: '░',
    across: '─',
    down: '│',
    lines: [['┌', '┬', '┐'], ['├', '┼', '┤'], ['└', '┴', '┘']],
};

const ASCII: Glyphs = Glyphs {
    pawns: ['R', 'B'],
    discs: ['r', 'b'],
    empty: '.',
    light: ':',
    across: '-',
    down: '|',
    lines: [['+', '+', '+'], ['+', '+', '+'], ['+', '+', '+']],
};

/// Draws the board of a game, and below it what is to be known besides.
pub(super) fn draw(game: &Passage, out: &mut dyn Write, style: BoardStyle) -> fmt::Result {
    let pen = Pen { glyphs: if style.unicode { &BOXES } else { &ASCII }, colour: style.colour };
    pen.files(out)?;
    for rank in (0..SIDE).rev() {
        pen.line(out, if rank == SIDE - 1 { 0 } else { 1 })?;
        pen.rank(out, game, rank)?;
    }
    pen.line(out, 2)?;
    pen.files(out)?;
    pen.sides(out, game)?;
    writeln!(out, "{}", Standing(game))
}

struct Pen<'a> {
    glyphs: &'a Glyphs,
    colour: bool,
}

impl Pen<'_> {
    fn files(&self, out: &mut dyn Write) -> fmt::Result {
        out.write_char(' ')?;
        // No blanks behind the last file.
        FILES
            .iter()
            .enumerate()
            .try_for_each(|(index, file)| write!(out, "{:width$}{file}", "", width = if index == 0 { 4 } else { 5 }))?;
        out.write_char('\n')
    }

    fn line(&self, out: &mut dyn Write, which: usize) -> fmt::Result {
        let [left, between, right] = self.glyphs.lines[which];
        out.write_str("  ")?;
        for file in 0..SIDE {
            out.write_char(if file == 0 { left } else { between })?;
            (0..5).try_for_each(|_| out.write_char(self.glyphs.across))?;
        }
        writeln!(out, "{right}")
    }

    fn rank(&self, out: &mut dyn Write, game: &Passage, rank: usize) -> fmt::Result {
        write!(out, "{} ", rank + 1)?;
        for file in 0..SIDE {
            out.write_char(self.glyphs.down)?;
            match Square::at(file, rank) {
                Some(square) => self.square(out, game, square)?,
                None => (0..5).try_for_each(|_| out.write_char(self.glyphs.light))?,
            }
        }
        writeln!(out, "{} {}", self.glyphs.down, rank + 1)
    }

    fn square(&self, out: &mut dyn Write, game: &Passage, square: Square) -> fmt::Result {
        let holder = |pieces: fn(&Passage, Colour) -> super::Squares| {
            Colour::BOTH.into_iter().find(|&colour| pieces(game, colour).contains(square))
        };
        let pawn = holder(|game, colour| game.position.pawns(colour));
        let disc = holder(|game, colour| game.position.discs(colour));
        match (pawn, disc) {
            (None, None) => write!(out, "  {}  ", self.glyphs.empty),
            (None, Some(disc)) => {
                out.write_str("  ")?;
                self.piece(out, disc, self.glyphs.discs[disc.index()], false)?;
                out.write_str("  ")
            }
            (Some(pawn), None) => {
                out.write_str("  ")?;
                self.piece(out, pawn, self.glyphs.pawns[pawn.index()], true)?;
                out.write_str("  ")
            }
            (Some(pawn), Some(disc)) => {
                out.write_char(' ')?;
                self.piece(out, disc, self.glyphs.discs[disc.index()], false)?;
                self.piece(out, pawn, self.glyphs.pawns[pawn.index()], true)?;
                self.piece(out, disc, self.glyphs.discs[disc.index()], false)?;
                out.write_char(' ')
            }
        }
    }

    /// Writes a piece in its side's colour: red, and blue for black, which a dark terminal could not show.
    fn piece(&self, out: &mut dyn Write, colour: Colour, glyph: char, bold: bool) -> fmt::Result {
        if !self.colour {
            return out.write_char(glyph);
        }
        let ink = match colour {
            Colour::Red => 31,
            Colour::Black => 34,
        };
        write!(out, "\x1b[{}{ink}m{glyph}\x1b[0m", if bold { "1;" } else { "" })
    }

    fn sides(&self, out: &mut dyn Write, game: &Passage) -> fmt::Result {
        for colour in Colour::BOTH {
            write!(out, "seat {}, {colour}: pawn ", colour.seat())?;
            self.piece(out, colour, self.glyphs.pawns[colour.index()], true)?;
            out.write_str(", disc ")?;
            self.piece(out, colour, self.glyphs.discs[colour.index()], false)?;
            match game.in_hand(colour) {
                0 => writeln!(out, ", pawns home {} of 4", game.position.pawns_home(colour))?,
                discs => writeln!(out, ", discs to place {discs}")?,
            }
        }
        Ok(())
    }
}

/// What happens next, in words.
struct Standing<'a>(&'a Passage);

impl fmt::Display for Standing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let game = self.0;
        let mover = game.position.to_move();
        match game.phase {
            Phase::Bag => f.write_str("the discs are drawn")?,
            Phase::Outer => f.write_str("the discs of the outer holes are drawn")?,
            Phase::Placing => write!(f, "{mover} places a disc")?,
            Phase::Moving => write!(f, "ply {}, {mover} to move", game.plies)?,
            Phase::Over => write!(f, "ply {}, the game is over", game.plies)?,
        }
        if game.terms.legs > 1 {
            write!(f, ", leg {} of {}", game.leg(), game.terms.legs)?;
        }
        for (leg, LegResult { winner, reason }) in game.results.iter().enumerate() {
            let leg = if game.terms.legs > 1 { format!("leg {}", leg + 1) } else { String::from("result") };
            match winner {
                Some(seat) => write!(f, "; {leg}: seat {seat} won, {}", reason.words())?,
                None => write!(f, "; {leg}: drawn, {}", reason.words())?,
            }
        }
        Ok(())
    }
}
