//! Time as the rules of a match see it: moments, spans, time controls and the clock of a seat.
//!
//! Arithmetic only: nothing here reads a time. All of it is in whole nanoseconds, and what a bot is told it has left is
//! exactly what is enforced.
//!
//! # What a clock is made of
//!
//! The time that a move takes is paid from these, in this order, as far as a match has them:
//!
//! 1. The **delay**: so much of each move is free. What is not needed of it is lost. (The simple delay of US Chess.)
//! 2. The **bank**, the time for all moves together. After each move the **increment** is added to it (Fischer).
//! 3. **Byo-yomi**, as on Go servers: N periods of P. A move that ends within a period, its very end included, leaves
//!    that period whole; a move that overruns it uses it up and goes on in the next. Only the last period cannot be
//!    overrun: then the flag falls. So whoever is still in has at least one whole period for each move.
//!
//! A **limit of one move** bounds all of that together, the delay included. The **margin** is no part of it: it lets an
//! answer count that comes a little after the flag, and what was overrun is owed from the next increments.
//!
//! # What is decided where the parts meet
//!
//! Real systems seldom combine all of this, so the meaning of a combination is chosen here, such that there is one rule
//! for each part whatever else there is:
//!
//! - **The increment always goes into the bank**, in byo-yomi too: the next move then uses it up before its period
//!   runs. Go servers (KGS, OGS) know no such combination, and USI sends `byoyomi` or `binc`; Lishogi stops the
//!   increment when byo-yomi begins. That makes a cliff, at which a move that is one nanosecond longer loses the
//!   increments of the rest of the game, and a state besides what is left. A bank that was run down to nothing gets its
//!   increment without byo-yomi as well.
//! - **The delay comes first in byo-yomi too**: a move may take D + P and leave the period whole.
//! - **The end of a period belongs to it.** KGS counts a period as used when its countdown shows 0. Here an answer at
//!   the told moment is in time, and the told moment is the end of the last period; so it is with the others.
//! - **Nothing is left of the bank** when byo-yomi begins, and there is no way back but by an increment.
//! - **A tolerated fault** never costs the last period.

mod control;
mod of_seat;
#[cfg(test)]
mod tests;
mod time;

pub use control::{ByoYomi, MOST_PERIODS, TimeControl, WATCHDOG};
pub use of_seat::{Charge, Clock, Flag};
pub use time::{BadTime, Milliseconds, Moment, Span};
