//! The mountain as text: wide ledges for Basecamp, Bivouacs and Summit, narrow ones for cliffs.
//!
//! A climber is the number of its seat, so that the drawing says the same without colour.

use std::fmt::{self, Write};

use super::dice::Face;
use super::state::{Core, Phase};
use crate::game::{BoardStyle, EndReason};
use crate::seat::Seat;

/// The room inside a cliff's walls.
const CLIFF_WIDTH: usize = 5;

/// What stands left of the walls: the number of the zone.
const MARGIN: usize = 5;

/// The colour of each seat: red, blue, green, yellow.
const SEAT_COLOURS: [u8; 4] = [31, 34, 32, 33];

/// The characters of the walls.
struct Walls {
    upright: char,
    level: char,
    /// The corners of the Summit above and of Basecamp below.
    top: [char; 2],
    bottom: [char; 2],
    /// Where two zones of the same width meet.
    same: [char; 2],
    /// Where a wide ledge lies above a narrow one: its corners, and the walls that come out of it below.
    overhang: [char; 4],
    /// Where a narrow ledge stands on a wide one: its corners, and the walls that rise from it.
    shelf: [char; 4],
}

const BOXES: Walls = Walls {
    upright: '│',
    level: '─',
    top: ['┌', '┐'],
    bottom: ['└', '┘'],
    same: ['├', '┤'],
    overhang: ['└', '┬', '┬', '┘'],
    shelf: ['┌', '┴', '┴', '┐'],
};

const PLAIN: Walls = Walls {
    upright: '|',
    level: '-',
    top: ['+', '+'],
    bottom: ['+', '+'],
    same: ['+', '+'],
    overhang: ['+', '+', '+', '+'],
    shelf: ['+', '+', '+', '+'],
};

/// Draws the position.
///
/// # Errors
/// Those of the writer.
pub(super) fn draw(core: &Core, out: &mut dyn Write, style: BoardStyle) -> fmt::Result {
    Drawing { core, out, style, walls: if style.unicode { &BOXES } else { &PLAIN }, width: ledge_width(core) }.all()
}

/// The room inside a wide ledge: a place for each climber, a blank between seats and at either side; always odd, so
/// that a cliff stands in its middle.
fn ledge_width(core: &Core) -> usize {
    let climbers = usize::from(core.rules().climbers());
    ((core.seats() * (climbers + 1) + 1) | 1).max(CLIFF_WIDTH + 4)
}

struct Drawing<'a> {
    core: &'a Core,
    out: &'a mut dyn Write,
    style: BoardStyle,
    walls: &'static Walls,
    width: usize,
}

impl Drawing<'_> {
    fn all(mut self) -> fmt::Result {
        let summit = self.core.rules().summit();
        self.edge(self.width, self.walls.top)?;
        for zone in (0..=summit).rev() {
            self.ledge(zone)?;
            match (zone, self.is_cliff(zone)) {
                (0, _) => self.edge(self.width, self.walls.bottom)?,
                (_, above) => self.between(above, self.is_cliff(zone - 1))?,
            }
        }
        self.status()
    }

    fn is_cliff(&self, zone: u8) -> bool {
        self.core.rules().is_cliff(zone)
    }

    /// How far a cliff's walls stand inside those of a ledge.
    fn indent(&self) -> usize {
        (self.width - CLIFF_WIDTH) / 2
    }

    /// The zone's number, its climbers between the walls, and its name.
    fn ledge(&mut self, zone: u8) -> fmt::Result {
        let narrow = self.is_cliff(zone);
        let indent = if narrow { self.indent() } else { 0 };
        let upright = self.walls.upright;
        let name = match zone {
            0 => "Basecamp",
            _ if zone == self.core.rules().summit() => "Summit",
            _ if narrow => "Cliff",
            _ => "Bivouac",
        };
        write!(self.out, "{zone:>3}")?;
        self.blanks(MARGIN - 3 + indent)?;
        self.out.write_char(upright)?;
        if narrow {
            self.on_cliff(zone)?;
        } else {
            self.on_ledge(zone)?;
        }
        self.out.write_char(upright)?;
        self.blanks(indent + 2)?;
        writeln!(self.out, "{name}")
    }

    /// The climbers on a wide ledge: each seat has its own places there, the first ones taken first.
    fn on_ledge(&mut self, zone: u8) -> fmt::Result {
        let places = usize::from(self.core.rules().climbers());
        for seat in Seat::first(self.core.seats()) {
            let here = self.core.climbers(seat).iter().filter(|&&stands| stands == zone).count();
            self.blanks(1)?;
            self.climbers(seat, here)?;
            self.blanks(places - here)?;
        }
        self.blanks(self.width - self.core.seats() * (places + 1))
    }

    /// The climber on a cliff, if there is one.
    fn on_cliff(&mut self, zone: u8) -> fmt::Result {
        let climber = self.core.seats_in().iter().find(|&seat| self.core.climbers(seat).contains(&zone));
        self.blanks(CLIFF_WIDTH / 2)?;
        match climber {
            Some(seat) => self.climbers(seat, 1)?,
            None => self.blanks(1)?,
        }
        self.blanks(CLIFF_WIDTH / 2)
    }

    /// `count` climbers of a seat side by side.
    fn climbers(&mut self, seat: Seat, count: usize) -> fmt::Result {
        if count == 0 {
            return Ok(());
        }
        self.coloured(seat, |out| (0..count).try_for_each(|_| write!(out, "{seat}")))
    }

    /// Writes in the colour of a seat, where there are colours; bold for the seat whose turn it is.
    fn coloured(&mut self, seat: Seat, text: impl FnOnce(&mut dyn Write) -> fmt::Result) -> fmt::Result {
        if !self.style.colour {
            return text(self.out);
        }
        let weight = if seat == self.core.to_move() { "1;" } else { "" };
        write!(self.out, "\x1b[{weight}{}m", SEAT_COLOURS[seat.index()])?;
        text(self.out)?;
        self.out.write_str("\x1b[0m")
    }

    fn blanks(&mut self, count: usize) -> fmt::Result {
        (0..count).try_for_each(|_| self.out.write_char(' '))
    }

    fn level(&mut self, count: usize) -> fmt::Result {
        (0..count).try_for_each(|_| self.out.write_char(self.walls.level))
    }

    /// A line of `width` between two corners, in the middle of the mountain.
    fn edge(&mut self, width: usize, [left, right]: [char; 2]) -> fmt::Result {
        self.blanks(MARGIN + (self.width - width) / 2)?;
        self.out.write_char(left)?;
        self.level(width)?;
        writeln!(self.out, "{right}")
    }

    /// The line between a zone and the one below it, either of which may be a cliff.
    fn between(&mut self, cliff_above: bool, cliff_below: bool) -> fmt::Result {
        let [left, left_wall, right_wall, right] = match (cliff_above, cliff_below) {
            (false, false) => return self.edge(self.width, self.walls.same),
            (true, true) => return self.edge(CLIFF_WIDTH, self.walls.same),
            (false, true) => self.walls.overhang,
            (true, false) => self.walls.shelf,
        };
        self.blanks(MARGIN)?;
        self.out.write_char(left)?;
        self.level(self.indent() - 1)?;
        self.out.write_char(left_wall)?;
        self.level(CLIFF_WIDTH)?;
        self.out.write_char(right_wall)?;
        self.level(self.indent() - 1)?;
        writeln!(self.out, "{right}")
    }

    /// Whose turn it is and the dice of the turn, or how the game ended.
    fn status(&mut self) -> fmt::Result {
        let core = self.core;
        let seat = core.to_move();
        match core.phase() {
            Phase::Over(EndReason::Goal) => {
                self.coloured(seat, |out| write!(out, "seat {seat}"))?;
                return writeln!(self.out, " won in turn {}", core.turns());
            }
            Phase::Over(_) => return writeln!(self.out, "over after turn {}", core.turns()),
            Phase::Dice | Phase::Choice => {}
        }
        write!(self.out, "turn {}: ", core.turns() + 1)?;
        self.coloured(seat, |out| write!(out, "seat {seat}"))?;
        self.out.write_str(", aside")?;
        let aside = [(Face::Ascent, core.ascents()), (Face::Weather, core.weather())];
        for (face, count) in aside {
            (0..count).try_for_each(|_| write!(self.out, " {}", face.letter()))?;
        }
        if core.danger() == core.rules().dice() {
            // The turn has not begun.
            self.out.write_str(" nothing")?;
        }
        if core.phase() == Phase::Dice {
            return writeln!(self.out, ", to throw {}", core.danger());
        }
        if core.danger() == 0 {
            return self.out.write_str(", no danger\n");
        }
        self.out.write_str(", danger")?;
        (0..core.danger()).try_for_each(|_| write!(self.out, " {}", Face::Danger.letter()))?;
        self.out.write_char('\n')
    }
}
