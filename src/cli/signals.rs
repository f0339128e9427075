//! Stopping: the first SIGINT, SIGTERM or SIGHUP ends things in order, the second at once.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

use super::failure::{Failure, Kind};
use crate::host::signals::ignored;

/// What tells a running game to stop.
pub struct Stop {
    pipe: UnixStream,
    signal: Arc<AtomicUsize>,
}

impl Stop {
    /// Listens to the signals from now on, but for those that this process was started to ignore: under `nohup`, or in
    /// the background of a script, a game is to go on.
    ///
    /// # Errors
    /// Those of the system.
    pub fn listen() -> io::Result<Stop> {
        let (pipe, writer) = UnixStream::pair()?;
        let signal = Arc::new(AtomicUsize::new(0));
        let stopping = Arc::new(AtomicBool::new(false));
        let ignored: Vec<i32> = ignored().collect();
        for number in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|number| !ignored.contains(number)) {
            // In this order: only a signal that finds the flag set by an earlier one ends the process.
            flag::register_conditional_shutdown(number, 128 + number, Arc::clone(&stopping))?;
            flag::register(number, Arc::clone(&stopping))?;
            flag::register_usize(number, Arc::clone(&signal), number as usize)?;
            low_level::pipe::register(number, writer.try_clone()?)?;
        }
        Ok(Stop { pipe, signal })
    }

    /// Becomes readable when there is a signal, and stays so.
    pub fn readable(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }

    /// The failure that a signal means for a match, if one came.
    pub fn failure(&self) -> Option<Failure> {
        let words = "stopped: the running game is logged as aborted, and counts for nobody";
        self.kind().map(|kind| Failure::new(kind, words))
    }

    /// The kind of failure that a signal means, if one came.
    pub fn kind(&self) -> Option<Kind> {
        match self.signal.load(Ordering::Relaxed) as i32 {
            0 => None,
            SIGHUP => Some(Kind::HungUp),
            SIGTERM => Some(Kind::Terminated),
            _ => Some(Kind::Interrupted),
        }
    }
}
