//! Stopping: the first SIGINT, SIGTERM or SIGHUP ends things in order, the second at once.

use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::{SigId, flag, low_level};

use super::failure::{Failure, Kind};
use crate::host::signals::ignored;

/// What tells a running game to stop.
pub struct Stop {
    pipe: UnixStream,
    signal: Arc<AtomicUsize>,
    /// What is listened to.
    signals: Vec<i32>,
}

/// What tells one game to stop: a signal, or whoever started the game.
pub struct Bell {
    pipe: UnixStream,
    rope: UnixStream,
    registered: Vec<SigId>,
}

impl Bell {
    /// Becomes readable when there is a signal, or after [`ring`](Bell::ring).
    pub fn readable(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }

    /// Stops the game. Whoever rang it once needs a new one for the next game.
    pub fn ring(&self) {
        // It holds thousands of bytes, and one is enough.
        let _ = (&self.rope).write(&[0]);
    }
}

impl Drop for Bell {
    fn drop(&mut self) {
        for id in self.registered.drain(..) {
            low_level::unregister(id);
        }
    }
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
        let signals = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|number| !ignored.contains(number));
        let signals: Vec<i32> = signals.collect();
        for &number in &signals {
            // In this order: only a signal that finds the flag set by an earlier one ends the process.
            flag::register_conditional_shutdown(number, 128 + number, Arc::clone(&stopping))?;
            flag::register(number, Arc::clone(&stopping))?;
            flag::register_usize(number, Arc::clone(&signal), number as usize)?;
            low_level::pipe::register(number, writer.try_clone()?)?;
        }
        Ok(Stop { pipe, signal, signals })
    }

    /// A bell for one game, which any of the signals rings, too.
    ///
    /// # Errors
    /// Those of the system.
    pub fn bell(&self) -> io::Result<Bell> {
        let (pipe, rope) = UnixStream::pair()?;
        let mut bell = Bell { pipe, rope, registered: Vec::new() };
        for &number in &self.signals {
            bell.registered.push(low_level::pipe::register(number, bell.rope.try_clone()?)?);
        }
        // One that came before it was listened to here.
        if self.kind().is_some() {
            bell.ring();
        }
        Ok(bell)
    }

    /// Becomes readable when there is a signal, and stays so.
    pub fn readable(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }

    /// The failure that a signal means to a match, if one came.
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
