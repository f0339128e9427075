//! The gate at the start of games: no more of them start at once than there are processors.
//!
//! A start is several programs' worth of work, and where hundreds of games start together their bots wait for a
//! processor longer than they may think. So games queue here, before any clock runs. A permit is held until all bots of
//! a game are ready, and for [`LONGEST`] at most: a bot that never gets ready does not keep others waiting.

use std::os::fd::BorrowedFd;
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::clock::Span;

/// How long a permit is held at most.
pub const LONGEST: Span = Span::from_ms(250);

/// How often those that wait look whether they are to stop.
const GLANCE: Duration = Duration::from_millis(100);

static STARTING: Mutex<usize> = Mutex::new(0);
static FREED: Condvar = Condvar::new();

/// The right to start a game, given back when it is dropped.
pub struct Permit(());

impl Permit {
    /// Waits for a place. A referee that is to stop does not wait any longer.
    pub fn wait(stop: Option<BorrowedFd>) -> Permit {
        let places = places();
        let mut starting = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
        while *starting >= places && !is_readable(stop) {
            starting = FREED.wait_timeout(starting, GLANCE).unwrap_or_else(PoisonError::into_inner).0;
        }
        *starting += 1;
        Permit(())
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        *STARTING.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        FREED.notify_one();
    }
}

/// How many games may start at once: as many as there are processors, which takes a while to find out.
fn places() -> usize {
    static PLACES: OnceLock<usize> = OnceLock::new();
    *PLACES.get_or_init(|| available_parallelism().map_or(1, usize::from))
}

fn is_readable(stop: Option<BorrowedFd>) -> bool {
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    stop.is_some_and(|stop| poll(&mut [PollFd::from_borrowed_fd(stop, PollFlags::IN)], Some(&now)).unwrap_or(0) > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn no_more_start_at_once_than_there_are_processors_and_all_get_their_turn() {
        let places = places();
        let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 * places {
                scope.spawn(|| {
                    let permit = Permit::wait(None);
                    most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::yield_now();
                    inside.fetch_sub(1, Ordering::SeqCst);
                    drop(permit);
                });
            }
        });
        assert!(most.into_inner() <= places);
    }
}
