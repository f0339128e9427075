//! Looks at what bots use, taken on a thread of their own: how long one takes is in the hands of the bots, and the loop
//! of a game that waited for it would find a deadline late.
//!
//! The thread is started for the first look of a game, so that short games do without.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use rustix::time::{ClockId, clock_gettime};

use super::process_table::Lookup;
use super::usage::{LOOK_EVERY, Look, Sight};
use crate::clock::{Moment, Span};
use crate::seat::Seat;

/// How long before a deadline no looks begin, and how long they may be put off for that.
const CLEAR: Span = Span::from_ms(20);
const LOOK_AT_LEAST_EVERY: Span = Span::from_ms(1000);

/// How often it is asked whether they came to their end.
const GLANCE: Span = Span::from_ms(2);

/// They take no more than one part in so many of a processor: the bots need it.
const LOOKS_TAKE: u64 = 5;

/// Looks that are to be taken, of some seats.
pub(super) type Looks = Vec<(Seat, Look)>;

/// What they came to.
struct Seen {
    sights: Vec<(Seat, Sight)>,
    /// The processor time that they took.
    cost: Span,
}

impl Seen {
    fn by(looks: Looks, lookup: Lookup) -> Seen {
        let began = thread_time();
        let sights = looks.into_iter().map(|(seat, look)| (seat, look.take(lookup))).collect();
        Seen { sights, cost: thread_time() - began }
    }
}

/// Says when it is to be looked, and takes the looks of one order after another.
pub(super) struct Looker {
    lookup: Lookup,
    thread: Option<(Sender<Looks>, Receiver<Seen>)>,
    /// When the last order was given.
    ordered: Moment,
    /// Whether it was not answered yet.
    is_busy: bool,
    /// What was seen without a thread.
    unsaid: Option<Seen>,
    wake: Moment,
}

impl Looker {
    pub(super) fn new(lookup: Lookup) -> Looker {
        let (ordered, wake) = (Moment(0), Moment(0) + LOOK_EVERY);
        Looker { lookup, thread: None, ordered, is_busy: false, unsaid: None, wake }
    }

    /// When there is next something to do.
    pub(super) fn wake(&self) -> Moment {
        self.wake
    }

    /// Whether looks are to be ordered now. Not shortly before a deadline, if it can wait: they may keep the thread that
    /// watches it from its processor.
    pub(super) fn is_due(&mut self, at: Moment, deadline: Option<Moment>) -> bool {
        if at < self.wake || self.is_busy {
            return false;
        }
        let is_tight = deadline.is_some_and(|deadline| deadline.since(at) < CLEAR);
        if is_tight && at < self.ordered + LOOK_AT_LEAST_EVERY {
            self.wake = at + CLEAR;
            return false;
        }
        true
    }

    /// Has these looks taken. Where no thread can be had, because a bot took all, they are taken at once.
    pub(super) fn order(&mut self, at: Moment, looks: Looks) {
        (self.ordered, self.wake, self.is_busy) = (at, at + GLANCE, true);
        self.thread = self.thread.take().or_else(|| start(self.lookup).ok());
        match &self.thread {
            Some((orders, _)) => orders.send(looks).expect("the thread lives as long as this"),
            None => self.unsaid = Some(Seen::by(looks, self.lookup)),
        }
    }

    /// What was seen since it was last asked.
    pub(super) fn seen(&mut self, at: Moment) -> Vec<(Seat, Sight)> {
        if at < self.wake || !self.is_busy {
            return Vec::new();
        }
        let told = || self.thread.as_ref()?.1.try_recv().ok();
        let Some(seen) = self.unsaid.take().or_else(told) else {
            self.wake = at + GLANCE;
            return Vec::new();
        };
        let rest = Span(seen.cost.0.saturating_mul(LOOKS_TAKE));
        (self.wake, self.is_busy) = ((self.ordered + LOOK_EVERY.max(rest)).max(at), false);
        seen.sights
    }
}

/// Starts a thread, which ends when it can get no more orders.
fn start(lookup: Lookup) -> io::Result<(Sender<Looks>, Receiver<Seen>)> {
    let ((orders, ordered), (answers, answered)) = (channel::<Looks>(), channel());
    thread::Builder::new().name("arbitro-looks".to_owned()).spawn(move || {
        // Whoever ordered may be gone by the time of the answer.
        while let Ok(looks) = ordered.recv()
            && answers.send(Seen::by(looks, lookup)).is_ok()
        {}
    })?;
    Ok((orders, answered))
}

fn thread_time() -> Span {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Span(time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thread_that_orders_a_look_does_not_pay_for_it() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..3000 {
            std::fs::create_dir(folder.path().join(number.to_string())).unwrap();
        }
        let (keeper, scratch) = (rustix::process::getpid(), Some(folder.path().to_owned()));
        let look = Look {
            keeper,
            first: keeper,
            wrappers: 0,
            group: None,
            memory_limit: None,
            scratch,
            forgotten: Default::default(),
        };
        let mut looker = Looker::new(Lookup::of_this_kernel());
        let ms = |ms| Moment(0) + Span::from_ms(ms);
        let began = thread_time();
        look.take(looker.lookup);
        let cost = thread_time() - began;
        looker.order(ms(100), vec![(Seat::new(1), look)]);
        let paid = thread_time() - began - cost;
        assert!(paid.0 < cost.0 / 2, "{paid:?} of {cost:?}");
        let seen = loop {
            match looker.seen(looker.wake()) {
                none if none.is_empty() => thread::yield_now(),
                seen => break seen,
            }
        };
        let [(seat, sight)] = &seen[..] else { panic!("one look was ordered") };
        assert_eq!((*seat, sight.usage.scratch_files), (Seat::new(1), 3000));
        assert!(looker.wake() >= ms(100) + Span(cost.0 / 2 * LOOKS_TAKE), "what takes long is done less often");
    }

    #[test]
    fn looks_keep_clear_of_deadlines_for_a_second_at_most() {
        let mut looker = Looker::new(Lookup::of_this_kernel());
        let ms = |ms| Moment(0) + Span::from_ms(ms);
        assert!(!looker.is_due(ms(99), None) && looker.is_due(ms(100), Some(ms(120))));
        assert!(!looker.is_due(ms(100), Some(ms(119))) && looker.wake() == ms(120));
        assert!(!looker.is_due(ms(999), Some(ms(1000))));
        assert!(looker.is_due(ms(1020), Some(ms(1020))));
        looker.order(ms(1020), Vec::new());
        assert!(!looker.is_due(ms(1022), None), "one order at a time");
    }
}
