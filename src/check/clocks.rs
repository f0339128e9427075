//! How the bot keeps to its time, whatever clock it is told, and what it makes of waiting.

use std::time::Duration;

use super::bench::Bench;
use super::deal::Setting;
use super::sitting::Match;
use super::verdict::{Checked, Halt, bad, good};
use super::{Check, Weight, check};
use crate::clock::{ByoYomi, Span, TimeControl};

/// How often it is asked by each clock.
const QUESTIONS: usize = 5;
/// How long it is frozen.
const FROZEN: Duration = Duration::from_millis(700);
/// How long a rival thinks.
const LONG_WAIT: Duration = Duration::from_millis(1300);

/// The checks of this part.
pub static CHECKS: [Check; 9] = [
    check(
        Weight::Must,
        "small-clock",
        "moves in time when 50 ms are left",
        "asks it five times with 50 ms left in its bank",
        "Look at “move_ms” in “clock” for each move, and take much less: the time for reading and writing counts too.",
        small_clock,
    ),
    check(
        Weight::Must,
        "tiny-clock",
        "answers also when hardly any time is left",
        "asks it three times with 1 ms left, and lets a second pass",
        "With next to no time, answer with any legal move at once; take care that no time that is computed gets below 0.",
        tiny_clock,
    ),
    check(
        Weight::Must,
        "move-limit",
        "keeps to a limit of one move without a bank",
        "asks it with 200 ms a move, and null in “left_ms”",
        "Go by “move_ms”: it is always the time for this move. “left_ms” holds null where there is no bank.",
        move_limit,
    ),
    check(
        Weight::Must,
        "no-clock",
        "answers when no time is told",
        "asks it with null in “move_ms” and “left_ms”",
        "Read null as no limit, and think as long as you find right: some seconds.",
        no_clock,
    ),
    check(
        Weight::Must,
        "fractions",
        "reads times with decimals",
        "asks it with 1999.999999 ms left",
        "Read “move_ms” and “left_ms” as numbers with decimals, not as whole ones.",
        fractions,
    ),
    check(
        Weight::Must,
        "byo-yomi",
        "plays on in byo-yomi",
        "asks it with an empty bank, 50 ms of delay and three periods of 200 ms",
        "An empty bank is not the end where “periods” are left. Go by “move_ms”, or by one period for each move.",
        byo_yomi,
    ),
    check(
        Weight::Must,
        "frozen",
        "goes on after it was frozen",
        "stops its processes for 0.7 s between two turns, as --ponder stop does",
        "Let no watchdog or heartbeat end it because time has passed while it was stopped.",
        frozen,
    ),
    check(
        Weight::Must,
        "long-wait",
        "waits quietly while a rival thinks",
        "asks it nothing for 1.3 s between two turns",
        "Wait for the next line as long as it takes, and do not answer again: the end of input is the end.",
        long_wait,
    ),
    check(
        Weight::Should,
        "off-turn",
        "rests while others think",
        "measures its processor time while it is not asked",
        "Stop thinking when you have answered, and wait for input by a read that blocks: bots are frozen off turn by default, and share a processor.",
        off_turn,
    ),
];

/// A game in which this time is told.
fn timed<'a>(bench: &Bench<'a>, change: impl FnOnce(&mut TimeControl)) -> Result<Match<'a>, Halt> {
    let mut setting: Setting = bench.home();
    change(&mut setting.clock);
    bench.sit(setting)
}

/// Asks it so often, and sees whether most answers came within the time that was told: one that is late may be the
/// machine's fault.
fn in_time(mut game: Match, questions: usize) -> Checked {
    let allowed = Duration::from_nanos(game.deal.allowance().map_or(u64::MAX, |span| span.0));
    let mut took: Vec<Duration> = game.play(questions)?.iter().map(|answer| answer.took).collect();
    if game.has_resigned() {
        return Err(bad("it resigned"));
    }
    took.sort_unstable();
    let late = took.iter().filter(|&&took| took > allowed).count();
    let usual = took.get(took.len() / 2).copied().unwrap_or_default();
    let words = format!("{:.1} ms a move (median), and {} ms were told", ms(usual), allowed.as_millis());
    match late {
        0 => good(words),
        late if 2 * late >= took.len() => Err(bad(format!("{late} of {} answers came late: {words}", took.len()))),
        late => good(format!("{words}; {late} late, which may be the machine's fault")),
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn small_clock(bench: &mut Bench) -> Checked {
    let clock = |clock: &mut TimeControl| (clock.bank, clock.increment) = (Some(Span::from_ms(50)), Span::ZERO);
    in_time(timed(bench, clock)?, QUESTIONS)
}

fn tiny_clock(bench: &mut Bench) -> Checked {
    let clock = |clock: &mut TimeControl| (clock.bank, clock.increment) = (Some(Span::from_ms(1)), Span::ZERO);
    let answers = timed(bench, clock)?.play(3)?;
    let longest = answers.iter().map(|answer| answer.took).max().unwrap_or_default();
    let words = format!("{:.1} ms at most", ms(longest));
    if longest > Duration::from_secs(1) { Err(bad(words)) } else { good(words) }
}

fn move_limit(bench: &mut Bench) -> Checked {
    let clock = |clock: &mut TimeControl| {
        (clock.bank, clock.increment, clock.move_limit) = (None, Span::ZERO, Some(Span::from_ms(200)));
    };
    in_time(timed(bench, clock)?, QUESTIONS)
}

fn no_clock(bench: &mut Bench) -> Checked {
    let clock = |clock: &mut TimeControl| (clock.bank, clock.increment) = (None, Span::ZERO);
    let answers = timed(bench, clock)?.play(2)?;
    let longest = answers.iter().map(|answer| answer.took).max().unwrap_or_default();
    good(format!("{:.1} ms at most", ms(longest)))
}

fn fractions(bench: &mut Bench) -> Checked {
    timed(bench, |clock| clock.bank = Some(Span(1_999_999_999)))?.play(2)?;
    good("")
}

fn byo_yomi(bench: &mut Bench) -> Checked {
    let clock = |clock: &mut TimeControl| {
        (clock.bank, clock.increment, clock.delay) = (Some(Span::ZERO), Span::ZERO, Span::from_ms(50));
        clock.byo_yomi = Some(ByoYomi { periods: 3, period: Span::from_ms(200) });
    };
    in_time(timed(bench, clock)?, QUESTIONS)
}

fn frozen(bench: &mut Bench) -> Checked {
    let mut game = bench.sit(bench.home())?;
    game.ask()?;
    game.talk.set_frozen(true)?;
    game.talk.listen(FROZEN)?;
    game.talk.set_frozen(false)?;
    game.must_be_there("after it had been frozen")?;
    game.ask()?;
    good("")
}

fn long_wait(bench: &mut Bench) -> Checked {
    let mut game = bench.sit(bench.home())?;
    game.ask()?;
    // What comes at once is another check's.
    game.talk.listen(Duration::from_millis(100))?;
    game.talk.take_lines();
    game.talk.listen(LONG_WAIT)?;
    if let Some(arrived) = game.talk.take_lines().first() {
        let line = crate::protocol::receive::shown(&arrived.line);
        return Err(bad(format!("“{line}” came while nothing was asked")));
    }
    game.must_be_there("while nothing was asked")?;
    game.ask()?;
    good("")
}

fn off_turn(bench: &mut Bench) -> Checked {
    let mut game = bench.sit(bench.home())?;
    game.play(2)?;
    game.talk.listen(Duration::from_millis(50))?;
    let before = game.talk.look().cpu;
    let began = std::time::Instant::now();
    game.talk.listen(Duration::from_millis(400))?;
    let used = game.talk.look().cpu - before;
    let share = used.0 * 100 / (began.elapsed().as_nanos() as u64).max(1);
    let words = format!("{share} % of a processor while it was not asked");
    // The kernel counts in hundredths of a second.
    if share > 25 { Err(bad(words)) } else { good(words) }
}
