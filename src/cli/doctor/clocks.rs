//! Whether time can be kept here: processors, timers, and how many games at once.

use std::fs;
use std::io;
use std::time::{Duration, Instant};

use rustix::event::{Timespec, poll};
use rustix::process::{Resource, getrlimit};

use super::report::{Item, Report, State};
use crate::cli::failure::Failure;
use crate::host::cores;
use crate::host::player::{DESCRIPTORS, DESCRIPTORS_TO_START};

/// How often the timer is tried.
const WAITS: usize = 200;

/// How late the slowest hundredth of waits may end. The referee waits so for the end of a bot's time.
const LATE: Duration = Duration::from_millis(1);

/// How long it may take to read the clock; it is read a few times a ply.
const SLOW_READING: Duration = Duration::from_micros(1);

/// How many programs at once wanted a processor in the last minute, on average.
pub fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

pub fn examine(report: &mut Report, load: Option<f64>) -> Result<(), Failure> {
    report.section("Time")?;
    let allowed = cores::allowed().unwrap_or_default();
    report.add(processors(&allowed))?;
    report.add(pinning(&allowed))?;
    report.add(busy(load, allowed.len()))?;
    report.add(clock_source())?;
    report.add(timer())?;
    report.add(games_at_once(allowed.len()))
}

fn processors(allowed: &[usize]) -> Item {
    let there = fs::read_to_string("/sys/devices/system/cpu/online").unwrap_or_default();
    let found = format!("{} allowed ({}) of {}", allowed.len(), ranges(allowed), there.trim());
    Item::new("processors", "processors", State::Ok, found).figure("allowed", allowed.len())
}

/// Numbers as the system writes them: `0-3,8`.
fn ranges(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let words: Vec<String> = runs
        .map(|run| match run {
            [first, .., last] => format!("{first}-{last}"),
            alone => alone.iter().map(usize::to_string).collect(),
        })
        .collect();
    words.join(",")
}

/// Tries to stay on one processor, and then on all again.
fn pinning(allowed: &[usize]) -> Item {
    let pinned = cores::nearest(1).and_then(|one| {
        cores::pin(&one)?;
        let held = cores::allowed()? == one;
        cores::pin(allowed)?;
        if held { Ok(()) } else { Err(io::Error::other("the system took no notice")) }
    });
    let (state, found) = match pinned {
        Ok(()) => (State::Ok, "a game can be kept on one processor".to_owned()),
        Err(error) => (State::Failed, format!("a game cannot be kept on one processor: {error}")),
    };
    Item::new("pinning", "pinning", state, found).means("no game starts without --no-pin").remedy("play with --no-pin")
}

fn busy(load: Option<f64>, processors: usize) -> Item {
    let Some(load) = load else { return Item::new("load", "load", State::Note, "cannot be told") };
    let state = if load < 0.7 * processors as f64 { State::Ok } else { State::Note };
    let found = format!("{load:.2} programs wanted {processors} processors in the last minute");
    Item::new("load", "load", state, found)
        .figure("load", load)
        .means("bots wait for a processor while their time runs, and figures measured here mean little")
        .remedy("wait until the machine has nothing else to do")
}

fn clock_source() -> Item {
    let path = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    let source = fs::read_to_string(path).unwrap_or_else(|_| "an unknown clock".to_owned());
    const READINGS: u32 = 1000;
    let began = Instant::now();
    (0..READINGS).for_each(|_| {
        std::hint::black_box(Instant::now());
    });
    let reading = began.elapsed() / READINGS;
    let state = if reading <= SLOW_READING { State::Ok } else { State::Note };
    Item::new("clock_source", "clock", state, format!("{}, {} ns a reading", source.trim(), reading.as_nanos()))
        .figure("reading_ns", reading.as_nanos() as u64)
        .means("each ply costs a little more")
        .remedy("boot with a faster clocksource=, if there is one")
}

fn timer() -> Item {
    let late = cores::wake_exactly().and_then(|()| (0..WAITS).map(|_| lateness()).collect::<io::Result<Vec<_>>>());
    let mut late = match late {
        Ok(late) => late,
        Err(error) => return Item::new("timer", "timer", State::Failed, format!("does not work: {error}")),
    };
    late.sort_unstable();
    let (median, slow) = (late[WAITS / 2], late[WAITS - 1 - WAITS / 100]);
    let ms = |span: Duration| span.as_secs_f64() * 1000.0;
    let state = if slow <= LATE { State::Ok } else { State::Note };
    let found = format!("waits end {:.3} ms late, the slowest 1 % {:.3} ms", ms(median), ms(slow));
    Item::new("timer", "timer", state, found)
        .figure("late_median_us", median.as_micros() as u64)
        .figure("late_p99_us", slow.as_micros() as u64)
        .means("an answer that comes so long after its time may make a game void, to be played again")
        .remedy("give bots more time than that for a move, on a machine that does nothing else")
}

/// By how much a wait of a millisecond is too long.
fn lateness() -> io::Result<Duration> {
    let wait = Duration::from_millis(1);
    let began = Instant::now();
    poll(&mut [], Some(&Timespec { tv_sec: 0, tv_nsec: wait.as_nanos() as i64 }))?;
    Ok(began.elapsed().saturating_sub(wait))
}

fn games_at_once(processors: usize) -> Item {
    let limit = getrlimit(Resource::Nofile);
    let show = |limit: Option<u64>| limit.map_or("no limit".to_owned(), |limit| limit.to_string());
    let open = fs::read_dir("/proc/self/fd").map_or(0, |names| names.count());
    // Each has a log too, and no more of them start at once than there are processors.
    let each = 2 * DESCRIPTORS + 1;
    let left = limit.current.unwrap_or(u64::MAX).saturating_sub((open + processors * DESCRIPTORS_TO_START) as u64);
    let games = left / each as u64;
    let state = if games >= 2 * processors as u64 { State::Ok } else { State::Note };
    let found = match limit.current {
        None => "no limit".to_owned(),
        current => format!(
            "{} of at most {}: enough for {games} games of two bots at once",
            show(current),
            show(limit.maximum)
        ),
    };
    Item::new("descriptors", "descriptors", state, found)
        .figure("games_at_once", games)
        .means("fewer games can be played at once than the processors could bear")
        .remedy("raise the limit: ulimit -n 4096")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_a_row_are_a_range() {
        assert_eq!(ranges(&[0, 1, 2, 3, 8, 10, 11]), "0-3,8,10-11");
        assert_eq!((ranges(&[]), ranges(&[5])), (String::new(), "5".to_owned()));
    }
}
