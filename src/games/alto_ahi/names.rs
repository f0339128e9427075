//! The names of squares and barriers in tables, made when this is compiled: they are written for every legal move of
//! every ply.

use super::grid::{MAX_SIZE, STRIDE};

const SQUARES: usize = MAX_SIZE * STRIDE as usize;
const ANCHORS: usize = 64;

/// Each square by its index, as an item of a JSON list that is not its first: `,"e4"`.
pub(super) static SQUARE_ITEMS: [[u8; 5]; SQUARES] = {
    let mut items = [*b",\"a1\""; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        items[index][2] += (index % STRIDE as usize) as u8;
        items[index][3] += (index / STRIDE as usize) as u8;
        index += 1;
    }
    items
};

/// Each barrier, first the horizontal ones by their anchors and then the vertical ones: `,"e3h"`.
pub(super) static BARRIER_ITEMS: [[[u8; 6]; ANCHORS]; 2] = [barrier_items(b'h'), barrier_items(b'v')];

/// Each square by its index: `e4`.
pub(super) static SQUARE_NAMES: [&str; SQUARES] = names(&SQUARE_ITEMS);

/// Each barrier, first the horizontal ones by their anchors and then the vertical ones: `e3h`.
pub(super) static BARRIER_NAMES: [[&str; ANCHORS]; 2] = [names(&BARRIER_ITEMS[0]), names(&BARRIER_ITEMS[1])];

const fn barrier_items(lie: u8) -> [[u8; 6]; ANCHORS] {
    let mut items = [*b",\"a1h\""; ANCHORS];
    let mut anchor = 0;
    while anchor < ANCHORS {
        items[anchor][2] += (anchor % 8) as u8;
        items[anchor][3] += (anchor / 8) as u8;
        items[anchor][4] = lie;
        anchor += 1;
    }
    items
}

/// What stands between the quotes of each item.
const fn names<const LENGTH: usize, const COUNT: usize>(
    items: &'static [[u8; LENGTH]; COUNT],
) -> [&'static str; COUNT] {
    let mut names = [""; COUNT];
    let mut index = 0;
    while index < COUNT {
        let (name, _) = items[index].split_at(2).1.split_at(LENGTH - 3);
        names[index] = match str::from_utf8(name) {
            Ok(name) => name,
            Err(_) => panic!("letters and digits are text"),
        };
        index += 1;
    }
    names
}
