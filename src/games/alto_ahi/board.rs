//! The board as text: squares as dots, pawns as the numbers of their seats, barriers as lines between squares.

use std::fmt::{self, Write};

use crate::game::BoardStyle;
use crate::seat::Seat;

use super::AltoAhi;
use super::cards::{Cards, Hand};
use super::effects::{Held, Stage};
use super::grid::{Barrier, Heading, Lie, MAX_SIZE, Square};
use super::state::Position;

/// What the board is drawn with.
struct Strokes {
    free: char,
    horizontal: char,
    vertical: char,
    edge: char,
    rim: char,
    corners: [char; 4],
    mark: char,
}

const UNICODE: Strokes = Strokes {
    free: '·',
    horizontal: '━',
    vertical: '┃',
    edge: '│',
    rim: '─',
    corners: ['┌', '┐', '└', '┘'],
    mark: '▸',
};

const ASCII: Strokes =
    Strokes { free: '.', horizontal: '=', vertical: 'I', edge: '|', rim: '-', corners: ['+'; 4], mark: '>' };

/// One place of the drawing: a character, and the seat in whose colour it is shown.
type Cell = (char, Option<Seat>);

/// A square is three characters wide, and one stands between two squares.
const CELL: usize = 4;
const WIDTH: usize = MAX_SIZE * CELL - 1;
const HEIGHT: usize = MAX_SIZE * 2 - 1;

/// The inside of the drawing, from the lowest line up.
struct Canvas([[Cell; WIDTH]; HEIGHT]);

impl Canvas {
    fn of(position: &Position, strokes: &Strokes) -> Canvas {
        let mut canvas = Canvas([[(' ', None); WIDTH]; HEIGHT]);
        let size = position.grid().size;
        for (file, rank) in (0..size * size).map(|cell| (cell % size, cell / size)) {
            let seat = position.pawn_on(Square::new(file, rank));
            let character = seat.map_or(strokes.free, |seat| (b'0' + seat.index() as u8) as char);
            canvas.0[rank * 2][file * CELL + 1] = (character, seat);
        }
        for seat in Seat::first(position.grid().seats) {
            position.barriers_of(seat).into_iter().for_each(|barrier| canvas.lay(barrier, seat, strokes));
        }
        canvas
    }

    fn lay(&mut self, barrier: Barrier, owner: Seat, strokes: &Strokes) {
        let (column, line) = (barrier.file() * CELL, barrier.rank() * 2);
        match barrier.lie() {
            Lie::Horizontal => self.0[line + 1][column..column + 2 * CELL - 1].fill((strokes.horizontal, Some(owner))),
            Lie::Vertical => {
                self.0[line..line + 3]
                    .iter_mut()
                    .for_each(|line| line[column + CELL - 1] = (strokes.vertical, Some(owner)));
            }
        }
    }
}

/// Draws the game.
pub(super) fn draw(game: &AltoAhi, out: &mut dyn Write, style: BoardStyle) -> fmt::Result {
    let position = game.position();
    let strokes = if style.unicode { &UNICODE } else { &ASCII };
    let size = position.grid().size;
    let canvas = Canvas::of(position, strokes);
    files(out, size)?;
    rim(out, size, strokes, [strokes.corners[0], strokes.corners[1]])?;
    for (line, cells) in canvas.0.iter().enumerate().take(size * 2 - 1).rev() {
        let rank = if line % 2 == 0 { (line / 2 + 1).to_string() } else { String::new() };
        write!(out, "{rank:>2} {}", strokes.edge)?;
        // Neighbours in the same colour are painted together.
        for run in cells[..size * CELL - 1].chunk_by(|one, other| one.1 == other.1) {
            let text: String = run.iter().map(|cell| cell.0).collect();
            paint(out, &text, run[0].1, style)?;
        }
        out.write_char(strokes.edge)?;
        let caption = Seat::first(position.grid().seats).find(|&seat| caption_line(position, seat) == line);
        match caption {
            Some(seat) => {
                write!(out, " {rank:<4}")?;
                caption_of(game, seat, out, strokes, style)?;
            }
            None if rank.is_empty() => {}
            None => write!(out, " {rank}")?,
        }
        out.write_char('\n')?;
    }
    rim(out, size, strokes, [strokes.corners[2], strokes.corners[3]])?;
    files(out, size)?;
    match &game.cards {
        Some(cards) => table_of(cards, out),
        None => Ok(()),
    }
}

/// The cards, below the board: how many are left, and which is in hand.
fn table_of(cards: &Cards, out: &mut dyn Write) -> fmt::Result {
    write!(out, "    deck: {} cards, discards: {}", cards.deck.len(), cards.discards.len())?;
    match cards.hand {
        Hand::Empty => {}
        Hand::FaceDown => write!(out, ", in hand: a card face down")?,
        Hand::Held(Held { effect, stage: Stage::Lifted(barrier, _) }) => {
            write!(out, ", in hand: {effect}, with {barrier}")?
        }
        Hand::Held(held) => write!(out, ", in hand: {}", held.effect)?,
    }
    out.write_char('\n')
}

fn files(out: &mut dyn Write, size: usize) -> fmt::Result {
    out.write_str("   ")?;
    ('a'..).take(size).try_for_each(|file| write!(out, "   {file}"))?;
    out.write_char('\n')
}

fn rim(out: &mut dyn Write, size: usize, strokes: &Strokes, [left, right]: [char; 2]) -> fmt::Result {
    write!(out, "   {left}")?;
    (1..size * CELL).try_for_each(|_| out.write_char(strokes.rim))?;
    writeln!(out, "{right}")
}

/// The line beside which a seat's own facts stand: that of its start, and of two on the same rank the second above it.
fn caption_line(position: &Position, seat: Seat) -> usize {
    position.grid().start(seat).rank() * 2 + usize::from(seat.index() == 3)
}

/// What stands beside the board about a seat: whether it is to move, its goal and its store.
fn caption_of(game: &AltoAhi, seat: Seat, out: &mut dyn Write, strokes: &Strokes, style: BoardStyle) -> fmt::Result {
    let position = game.position();
    let mark = if game.end.is_none() && position.to_move() == seat { strokes.mark } else { ' ' };
    write!(out, "{mark} ")?;
    paint(out, &seat.to_string(), Some(seat), style)?;
    if !position.seats_in().contains(seat) {
        return out.write_str("  out");
    }
    let size = position.grid().size;
    match position.grid().forward[seat.index()] {
        Heading::Up => write!(out, "  to rank {size}")?,
        Heading::Down => write!(out, "  to rank 1")?,
        Heading::Right => write!(out, "  to file {}", (b'a' + size as u8 - 1) as char)?,
        Heading::Left => write!(out, "  to file a")?,
    }
    write!(out, ", barriers left: {}", position.store(seat))?;
    if game.halts(seat) > 0 {
        write!(out, ", turns to lose: {}", game.halts(seat))?;
    }
    if position.winner() == Some(seat) { out.write_str("  won") } else { Ok(()) }
}

/// The colours of the seats, as ANSI foreground codes: blue, red, green, magenta; all bold, to stand out on any ground.
const COLOURS: [&str; 4] = ["1;34", "1;31", "1;32", "1;35"];

fn paint(out: &mut dyn Write, text: &str, seat: Option<Seat>, style: BoardStyle) -> fmt::Result {
    match seat {
        Some(seat) if style.colour => write!(out, "\x1b[{}m{text}\x1b[0m", COLOURS[seat.index()]),
        _ => out.write_str(text),
    }
}
