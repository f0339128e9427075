//! What a seat keeps between two games.

use std::time::{Duration, Instant};

use super::line::Line;
use super::player::Keeper;

/// How long the end of a process may take.
const PATIENCE: Duration = Duration::from_secs(1);

/// What a seat keeps between two games: the process of its player, if that goes on, or else the keeper behind it, for
/// whoever is next. Nothing before the first game. It belongs to one thread, on whose processors its keeper runs.
///
/// A process is frozen until it is greeted again, whatever [`Arena::ponder`](super::play::Arena::ponder) says; there is
/// none after a game in which it was at fault. Dropped, it is ended with all that it started.
#[derive(Default)]
pub struct Kept {
    pub(super) line: Option<Line>,
    pub(super) keeper: Option<Keeper>,
    /// The highest number of a question that it was asked.
    pub(super) asked: u64,
}

impl Kept {
    /// Whether a process goes on.
    pub fn runs(&self) -> bool {
        self.line.is_some()
    }

    /// Ends the process, if one goes on; its keeper stays for another.
    pub fn end(&mut self) {
        if let Some(mut line) = self.line.take()
            && line.end(Instant::now() + PATIENCE)
        {
            *self = Kept { keeper: line.into_keeper(), ..Kept::default() };
        }
    }
}
