//! What the time of a question was spent on: how long the bot computed, and how long bot and referee waited for a
//! processor. The kernel counts both for each thread (`schedstat`).
//!
//! It is looked at only for questions that take longer than [`LONG`], so that short games pay nothing for it. How much had
//! been used when the question was sent must be known by then; it is counted again before a question if the last count is
//! older than [`STALE`], or if the bot was slow the last time.

use std::fs;
use std::path::Path;
use std::time::Instant;

use rustix::process::Pid;

use super::process_table::Lookup;
use crate::clock::{Moment, Span};
use crate::record::entry::Load;

/// An answer that takes no longer is not looked at.
pub const LONG: Span = Span::from_ms(2);

/// A bot that has more threads is not looked at: the clocks run while they are counted.
const MOST_THREADS: u64 = 100;

/// How old the count before a question may be.
const STALE: Span = Span::from_ms(5);

/// The counts of one bot, as long as its process lives: over the games that it plays, whose moments begin anew.
#[derive(Default)]
pub struct Meter {
    counted: Option<(Instant, Count)>,
    asked: Option<Instant>,
    was_long: bool,
}

/// What was used up to a moment.
#[derive(Clone, Copy, Debug)]
struct Count {
    cpu: Span,
    wait: Span,
    referee_wait: Span,
}

impl Meter {
    /// A question is about to be sent: counts what was used until now, if that must be known.
    pub fn prepare(&mut self, now: Instant, lookup: Lookup, keeper: Pid) {
        let is_fresh = self.counted.is_some_and(|(at, _)| between(at, now) <= STALE);
        if !is_fresh || self.was_long {
            self.counted = count(lookup, keeper).map(|count| (now, count));
        }
    }

    /// The question is sent.
    pub fn ask(&mut self, now: Instant) {
        self.asked = Some(now);
        self.was_long = false;
    }

    /// What was used since the question, if it is long ago and this kernel counts it; `at` is this moment of the game.
    ///
    /// At the first question of a game that is not the first of its process, up to [`STALE`] of the game before may be
    /// counted with it.
    pub fn read(&mut self, at: Moment, now: Instant, lookup: Lookup, keeper: Pid) -> Option<Load> {
        self.asked.filter(|&asked| between(asked, now) >= LONG)?;
        self.was_long = true;
        let (counted, before) = self.counted?;
        let Count { cpu, wait, referee_wait } = count(lookup, keeper)?;
        // Processes that ended take their counts with them.
        Some(Load {
            from: Moment(at.0.saturating_sub(between(counted, now).0)),
            cpu: cpu - before.cpu,
            wait: wait - before.wait,
            referee_wait: referee_wait - before.referee_wait,
        })
    }
}

fn between(earlier: Instant, later: Instant) -> Span {
    Span(later.saturating_duration_since(earlier).as_nanos() as u64)
}

/// What the processes below a keeper and this thread used so far; nothing if the kernel does not count it, or if there is
/// too much to count.
fn count(lookup: Lookup, keeper: Pid) -> Option<Count> {
    let (_, referee_wait) = schedstat(Path::new("/proc/thread-self/schedstat"))?;
    let (mut cpu, mut wait) = (Span::ZERO, Span::ZERO);
    for member in lookup.descendants_if_few(keeper, MOST_THREADS)? {
        let tasks = fs::read_dir(format!("/proc/{}/task", member.pid.as_raw_pid())).into_iter().flatten().flatten();
        for (task_cpu, task_wait) in tasks.filter_map(|task| schedstat(&task.path().join("schedstat"))) {
            (cpu, wait) = (cpu + task_cpu, wait + task_wait);
        }
    }
    Some(Count { cpu, wait, referee_wait })
}

/// The time on a processor and the time waiting for one, in nanoseconds.
fn schedstat(path: &Path) -> Option<(Span, Span)> {
    let text = fs::read_to_string(path).ok()?;
    let mut numbers = text.split_ascii_whitespace().map(|number| number.parse().map(Span));
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn this_thread_has_used_some_time() {
        // What a thread used is counted when it gives its processor away.
        std::thread::sleep(std::time::Duration::from_millis(2));
        let (cpu, _) = schedstat(Path::new("/proc/thread-self/schedstat")).expect("this kernel counts");
        assert!(cpu > Span::ZERO);
    }

    #[test]
    fn only_what_took_long_is_looked_at_and_the_count_before_it_is_never_old() {
        let (lookup, nobody) = (Lookup::of_this_kernel(), rustix::process::getpid());
        let mut meter = Meter::default();
        let began = Instant::now();
        let after = |ms: u64| began + Duration::from_millis(ms);
        let ms = |ms: u64| Moment(ms * 1_000_000);
        meter.prepare(after(100), lookup, nobody);
        meter.ask(after(100));
        assert_eq!(meter.read(ms(101), after(101), lookup, nobody), None);
        meter.prepare(after(103), lookup, nobody);
        meter.ask(after(103));
        let load = meter.read(ms(106), after(106), lookup, nobody).expect("it took 3 ms");
        assert_eq!(load.from, ms(100), "fresh enough");
        meter.prepare(after(107), lookup, nobody);
        meter.ask(after(107));
        let load = meter.read(ms(109), after(109), lookup, nobody).expect("it took 2 ms");
        assert_eq!(load.from, ms(107), "it was slow before");
        meter.prepare(after(110), lookup, nobody);
        meter.prepare(after(120), lookup, nobody);
        meter.ask(after(120));
        let load = meter.read(ms(122), after(122), lookup, nobody).expect("it took 2 ms");
        assert_eq!(load.from, ms(120), "the last count was old");
        // Another game begins at 123.
        meter.ask(after(124));
        let load = meter.read(ms(3), after(126), lookup, nobody).expect("it took 2 ms");
        assert_eq!(load.from, Moment(0), "and nothing was before it");
    }
}
