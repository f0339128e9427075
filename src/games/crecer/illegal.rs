//! The reasons for which a move is refused, in words for the author of a bot.

use super::notation::Move;
use super::square::Square;

/// The rule that a move breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// Nobody is to move.
    #[error("the game is over")]
    GameOver,
    /// A pass where something else can be done.
    #[error("pass is legal only where nothing else is, and {mv} is legal")]
    PassWithMoves {
        /// One of the other moves.
        mv: Move,
    },
    /// No stack on the square that is to move, grow or attack.
    #[error("no stack stands on {square}")]
    NothingThere {
        /// The square.
        square: Square,
    },
    /// A rival's stack on the square that is to move, grow or attack.
    #[error("the stack on {square} is your rival's")]
    NotYours {
        /// The square.
        square: Square,
    },
    /// A move or an attack over more than one square, or over none.
    #[error(
        "{to} is not one of the squares next to {from}: a stack moves and attacks one square, in any of 8 directions"
    )]
    NotNextTo {
        /// Where the stack stands.
        from: Square,
        /// Where it was to go.
        to: Square,
    },
    /// A move onto an own stack.
    #[error("your own stack stands on {to}: a stack moves to an empty square, and stacks do not join")]
    OwnInTheWay {
        /// Where the stack was to go.
        to: Square,
    },
    /// A move onto a rival's stack.
    #[error("your rival's stack stands on {to}: a stack moves to an empty square; an attack is written {from}x{to}")]
    RivalInTheWay {
        /// Where the stack stands.
        from: Square,
        /// Where it was to go.
        to: Square,
    },
    /// A move to a rank nearer the own side, where the options forbid it.
    #[error("{from}-{to} leads nearer your own side, and the option `backward` is off")]
    Backward {
        /// Where the stack stands.
        from: Square,
        /// Where it was to go.
        to: Square,
    },
    /// A growth without a piece to grow by.
    #[error("your hand is empty: no stack can grow any more")]
    HandEmpty,
    /// A growth above the option `max_height`.
    #[error("the stack on {square} has height {height} and grows no taller: see the option `max_height`")]
    FullGrown {
        /// The square.
        square: Square,
        /// The height of its stack.
        height: u8,
    },
    /// An attack on an empty square.
    #[error("no stack stands on {to} to be attacked; a move is written {from}-{to}")]
    NothingToAttack {
        /// Where the attacker stands.
        from: Square,
        /// The empty square.
        to: Square,
    },
    /// An attack on an own stack.
    #[error("the stack on {to} is your own: only your rival's can be attacked")]
    AttackOnOwn {
        /// The square that was to be attacked.
        to: Square,
    },
    /// An attack between heights that are too far apart.
    #[error("heights {own} on {from} and {theirs} on {to} differ by more than 1")]
    UnequalFight {
        /// Where the attacker stands.
        from: Square,
        /// Its height.
        own: u8,
        /// Where the rival's stack stands.
        to: Square,
        /// Its height.
        theirs: u8,
    },
    /// An attack on a taller stack, where the options forbid it.
    #[error("{to} has height {theirs} and {from} only {own}: attacks on a taller stack are off (option `attack_up`)")]
    AttackUp {
        /// Where the attacker stands.
        from: Square,
        /// Its height.
        own: u8,
        /// Where the rival's stack stands.
        to: Square,
        /// Its height.
        theirs: u8,
    },
}
