//! The dice: their faces, what one throw shows, and how likely each throw is.
//!
//! It knows neither track nor climbers: what a throw does is the business of [`super::Core`].

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayString;
use serde::{Deserialize, Serialize};

use crate::chance::Draws;

/// The most dice that can be played with, and the published number.
pub const MAX_DICE: usize = 6;

/// What one die shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Face {
    /// Three of the six faces: the die may be rolled again.
    #[default]
    Danger,
    /// Two of the six faces: one zone to climb.
    Ascent,
    /// One of the six faces: set aside for nothing.
    Weather,
}

impl Face {
    /// The faces of a die in the order of the draw 0 to 5.
    const OF_DRAW: [Face; 6] = [Face::Danger, Face::Danger, Face::Danger, Face::Ascent, Face::Ascent, Face::Weather];

    /// The letter in which the face is written.
    pub const fn letter(self) -> char {
        match self {
            Face::Danger => 'D',
            Face::Ascent => 'A',
            Face::Weather => 'W',
        }
    }
}

/// One throw of one to six dice, die by die; written as one letter a die, such as `DDWDAD`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "ArrayString<MAX_DICE>", try_from = "String")]
pub struct Roll {
    /// Behind the dice thrown all are danger, so that equal rolls are equal.
    faces: [Face; MAX_DICE],
    dice: u8,
}

impl Roll {
    /// A throw of `dice` dice, one draw of six a die.
    ///
    /// # Panics
    /// If there are more than [`MAX_DICE`].
    pub fn draw(dice: u8, draws: &mut Draws) -> Roll {
        let mut roll = Roll { faces: [Face::Danger; MAX_DICE], dice };
        for face in &mut roll.faces[..usize::from(dice)] {
            *face = Face::OF_DRAW[draws.below(6) as usize];
        }
        roll
    }

    /// What each die shows.
    pub fn faces(&self) -> &[Face] {
        &self.faces[..usize::from(self.dice)]
    }

    /// How many dice were thrown.
    pub const fn dice(&self) -> u8 {
        self.dice
    }

    /// The ascents and weathers that it shows.
    pub fn throw(&self) -> Throw {
        let count = |wanted| self.faces().iter().filter(|&&face| face == wanted).count() as u8;
        Throw { ascents: count(Face::Ascent), weather: count(Face::Weather) }
    }
}

/// Text that is no roll.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadRoll {
    /// A letter that stands for no face.
    #[error("“{0}” is no face of a die: D is danger, A ascent, W weather")]
    Face(char),
    /// No letter, or too many.
    #[error("a roll is one to six letters, one a die, and this is {0}")]
    Length(usize),
}

impl FromStr for Roll {
    type Err = BadRoll;

    fn from_str(text: &str) -> Result<Roll, BadRoll> {
        let mut roll = Roll { faces: [Face::Danger; MAX_DICE], dice: 0 };
        let length = text.chars().count();
        if !(1..=MAX_DICE).contains(&length) {
            return Err(BadRoll::Length(length));
        }
        for (face, letter) in roll.faces.iter_mut().zip(text.chars()) {
            let known = [Face::Danger, Face::Ascent, Face::Weather].into_iter().find(|face| face.letter() == letter);
            *face = known.ok_or(BadRoll::Face(letter))?;
            roll.dice += 1;
        }
        Ok(roll)
    }
}

impl TryFrom<String> for Roll {
    type Error = BadRoll;

    fn try_from(text: String) -> Result<Roll, BadRoll> {
        text.parse()
    }
}

impl From<Roll> for ArrayString<MAX_DICE> {
    fn from(roll: Roll) -> ArrayString<MAX_DICE> {
        let mut text = ArrayString::new();
        roll.faces().iter().for_each(|face| text.push(face.letter()));
        text
    }
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: ArrayString<MAX_DICE> = (*self).into();
        f.write_str(&text)
    }
}

/// What a throw sets aside: all that matters of it. The other dice thrown show danger.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Throw {
    /// The dice that show ascent.
    pub ascents: u8,
    /// The dice that show weather.
    pub weather: u8,
}

impl Throw {
    /// All throws of `dice` dice, each with the number of the 6^`dice` equally likely outcomes that give it:
    /// n! / (d! a! w!) · 3^d · 2^a for d dangers, a ascents and w weathers.
    ///
    /// The first one shows only danger.
    ///
    /// # Panics
    /// If there are more than [`MAX_DICE`].
    pub fn all(dice: u8) -> impl Iterator<Item = (Throw, u32)> {
        const FACTORIALS: [u32; MAX_DICE + 1] = [1, 1, 2, 6, 24, 120, 720];
        let factorial = |count: u8| FACTORIALS[usize::from(count)];
        assert!(usize::from(dice) <= MAX_DICE, "at most six dice are thrown");
        (0..=dice).flat_map(move |ascents| {
            (0..=dice - ascents).map(move |weather| {
                let danger = dice - ascents - weather;
                let orders = factorial(dice) / (factorial(danger) * factorial(ascents) * factorial(weather));
                (Throw { ascents, weather }, orders * 3u32.pow(danger.into()) * 2u32.pow(ascents.into()))
            })
        })
    }

    /// The throw that outcome `number` of the 6^`dice` equally likely ones gives: for playouts, which need one number
    /// a throw. The digits of the number in base 6 are the draws of the dice.
    pub const fn numbered(dice: u8, mut number: u32) -> Throw {
        let mut throw = Throw { ascents: 0, weather: 0 };
        let mut die = 0;
        while die < dice {
            let draw = number % 6;
            // Sums instead of branches, which nobody could predict.
            throw.ascents += (draw == 3 || draw == 4) as u8;
            throw.weather += (draw == 5) as u8;
            number /= 6;
            die += 1;
        }
        throw
    }
}
