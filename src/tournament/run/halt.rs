//! Stopping: what tells running games to stop, and whoever waits to start one.

use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags, poll};

/// A switch that is turned once, and can be waited for.
pub struct Halt {
    readable: UnixStream,
    writer: UnixStream,
    turned: AtomicBool,
}

impl Halt {
    /// A switch that is not turned yet.
    ///
    /// # Errors
    /// Those of the system.
    pub fn new() -> io::Result<Halt> {
        let (readable, writer) = UnixStream::pair()?;
        Ok(Halt { readable, writer, turned: AtomicBool::new(false) })
    }

    /// Stops all running games; none begins any more.
    pub fn turn(&self) {
        if !self.turned.swap(true, Ordering::SeqCst) {
            // An empty socket takes a byte.
            let _ = (&self.writer).write_all(&[1]);
        }
    }

    /// Whether it was turned.
    pub fn is_turned(&self) -> bool {
        self.turned.load(Ordering::SeqCst)
    }

    /// Becomes readable when it is turned, and stays so.
    pub fn readable(&self) -> BorrowedFd<'_> {
        self.readable.as_fd()
    }

    /// Waits until it is turned, and turns it when `stop` becomes readable; whether it did.
    pub fn follow(&self, stop: BorrowedFd) -> bool {
        loop {
            let mut fds = [
                PollFd::from_borrowed_fd(self.readable(), PollFlags::IN),
                PollFd::from_borrowed_fd(stop, PollFlags::IN),
            ];
            // Without a poll there is no way to know; the referee can still be killed.
            let seen = poll(&mut fds, None);
            if matches!(seen, Err(error) if error != rustix::io::Errno::INTR) || !fds[0].revents().is_empty() {
                return false;
            }
            if !fds[1].revents().is_empty() {
                self.turn();
                return true;
            }
        }
    }
}
