//! Time as the rules of a match see it: moments, spans, time controls and the clock of a seat.
//!
//! Arithmetic only: nothing here reads a time. All of it is in whole nanoseconds, and what a bot is told it has left is
//! exactly what is enforced.

use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A moment of a game: nanoseconds since it began.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Moment(pub u64);

/// A length of time in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Span(pub u64);

impl Moment {
    /// The time from an earlier moment to this one; nothing if that one is not earlier.
    pub const fn since(self, earlier: Moment) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Span> for Moment {
    type Output = Moment;

    fn add(self, span: Span) -> Moment {
        Moment(self.0.saturating_add(span.0))
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Span = Span(0);

    /// So many milliseconds.
    pub const fn from_ms(ms: u64) -> Span {
        Span(ms.saturating_mul(1_000_000))
    }

    /// So many seconds.
    pub const fn from_secs(secs: u64) -> Span {
        Span::from_ms(secs.saturating_mul(1000))
    }

    /// The whole milliseconds in this time.
    pub const fn whole_ms(self) -> u64 {
        self.0 / 1_000_000
    }

    /// The time as milliseconds with as many decimals as it has, at most six: a JSON number.
    pub fn ms(self) -> Milliseconds {
        Milliseconds(self)
    }
}

impl Add for Span {
    type Output = Span;

    fn add(self, other: Span) -> Span {
        Span(self.0.saturating_add(other.0))
    }
}

/// The rest after taking another time away; never below nothing.
impl Sub for Span {
    type Output = Span;

    fn sub(self, other: Span) -> Span {
        Span(self.0.saturating_sub(other.0))
    }
}

/// A time that writes itself as milliseconds: `250`, `0.5`, `12.345678`.
#[derive(Clone, Copy, Debug)]
pub struct Milliseconds(Span);

impl fmt::Display for Milliseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, mut rest) = (self.0.0 / 1_000_000, self.0.0 % 1_000_000);
        if rest == 0 {
            return write!(f, "{whole}");
        }
        let mut digits = 6;
        while rest % 10 == 0 {
            rest /= 10;
            digits -= 1;
        }
        write!(f, "{whole}.{rest:0digits$}")
    }
}

/// A time as people write it: `60s`, `1m30s`, `500ms`.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 % 1_000_000_000, self.0 % 1_000_000) {
            (0, _) => write!(f, "{}s", self.0 / 1_000_000_000),
            (_, 0) => write!(f, "{}ms", self.whole_ms()),
            _ => write!(f, "{}ms", self.ms()),
        }
    }
}

/// Text that is no length of time.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadTime {
    /// Not a time at all.
    #[error("“{0}” is not a time: write for example 500ms, 10s, 1m30s")]
    Unreadable(String),
    /// Negative, finer than a millisecond, or longer than a year.
    #[error("“{0}” cannot be used: a time is at least 0, in whole milliseconds, and at most a year")]
    OutOfRange(String),
    /// Not a time control.
    #[error("“{0}” is not a time control: write for example 60s+1s (bank and increment), 60s or unlimited")]
    Control(String),
}

impl BadTime {
    /// What was to be a whole control is told how one is written, unless it is only out of range.
    fn of_control(error: BadTime, text: &str) -> BadTime {
        match error {
            BadTime::OutOfRange(_) => error,
            BadTime::Unreadable(_) | BadTime::Control(_) => BadTime::Control(text.to_owned()),
        }
    }
}

const YEAR: Span = Span::from_secs(366 * 24 * 3600);

impl FromStr for Span {
    type Err = BadTime;

    fn from_str(text: &str) -> Result<Span, BadTime> {
        let read: jiff::SignedDuration = text.trim().parse().map_err(|_| BadTime::Unreadable(text.to_owned()))?;
        let nanos = u64::try_from(read.as_nanos()).ok().filter(|&nanos| nanos % 1_000_000 == 0 && nanos <= YEAR.0);
        nanos.map(Span).ok_or_else(|| BadTime::OutOfRange(text.to_owned()))
    }
}

/// A time of whole milliseconds in JSON: that number.
mod whole_ms {
    use super::Span;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(span: &Span, to: S) -> Result<S::Ok, S::Error> {
        span.whole_ms().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Span, D::Error> {
        u64::deserialize(from).map(Span::from_ms)
    }

    pub mod option {
        use super::{Deserialize, Deserializer, Serialize, Serializer, Span};

        pub fn serialize<S: Serializer>(span: &Option<Span>, to: S) -> Result<S::Ok, S::Error> {
            span.map(Span::whole_ms).serialize(to)
        }

        pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Span>, D::Error> {
            Ok(Option::<u64>::deserialize(from)?.map(Span::from_ms))
        }
    }
}

/// How much time the seats of a match have; all of it in whole milliseconds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeControl {
    /// The time for the whole game, if it is limited.
    #[serde(rename = "bank_ms", with = "whole_ms::option")]
    pub bank: Option<Span>,
    /// What a seat gets into its bank after each of its moves.
    #[serde(rename = "increment_ms", with = "whole_ms")]
    pub increment: Span,
    /// The most that one move may take, if that is limited.
    #[serde(rename = "move_limit_ms", with = "whole_ms::option")]
    pub move_limit: Option<Span>,
    /// The time from the start of a program to its `ready`, if it is limited.
    #[serde(rename = "startup_ms", with = "whole_ms::option")]
    pub startup: Option<Span>,
    /// How far a move may overrun and still count; an overrun is reported, and owed from the next increment.
    #[serde(rename = "margin_ms", with = "whole_ms")]
    pub margin: Span,
}

/// The limit of one move where a match has no other: a program that hangs is noticed in the end.
pub const WATCHDOG: Span = Span::from_secs(3600);

/// 60 s and 1 s a move, 10 s to start up.
impl Default for TimeControl {
    fn default() -> TimeControl {
        TimeControl {
            bank: Some(Span::from_secs(60)),
            increment: Span::from_secs(1),
            move_limit: None,
            startup: Some(Span::from_secs(10)),
            margin: Span::ZERO,
        }
    }
}

impl TimeControl {
    /// Takes the bank and the increment from text: `60s+1s`, `60s` or `unlimited`.
    ///
    /// # Errors
    /// When the text is none of these.
    pub fn set_bank(&mut self, text: &str) -> Result<(), BadTime> {
        let (bank, increment) = match text.split_once('+') {
            _ if text == "unlimited" => (None, Span::ZERO),
            Some((bank, increment)) => (Some(bank.parse()?), increment.parse()?),
            None => (Some(text.parse().map_err(|error| BadTime::of_control(error, text))?), Span::ZERO),
        };
        (self.bank, self.increment) = (bank, increment);
        Ok(())
    }

    /// The control with a limit on everything: where neither bank nor move is limited, a move may take an hour, and so may the start.
    #[must_use]
    pub fn guarded(mut self) -> TimeControl {
        if self.bank.is_none() {
            self.move_limit.get_or_insert(WATCHDOG);
        }
        self.startup.get_or_insert(WATCHDOG);
        self
    }
}

/// The clock of one seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    bank: Option<Span>,
    owed: Span,
}

/// What an answer in time cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Charge {
    /// By how much it overran what the seat was told, inside the margin.
    pub overrun: Span,
}

impl Clock {
    /// The clock at the beginning of a game.
    pub fn new(control: &TimeControl) -> Clock {
        Clock { bank: control.bank, owed: Span::ZERO }
    }

    /// What is left in the bank, if there is one: what the seat is told.
    pub fn bank(&self) -> Option<Span> {
        self.bank
    }

    /// The nominal time for the next move: the bank or the move limit, whichever is less.
    pub fn allowance(&self, control: &TimeControl) -> Option<Span> {
        match (self.bank, control.move_limit) {
            (Some(bank), Some(limit)) => Some(bank.min(limit)),
            (bank, limit) => bank.or(limit),
        }
    }

    /// The last moment at which the answer to a question sent at `sent` is in time: allowance and margin later, the
    /// margin less what is still owed, so that overruns never add up to more than one margin.
    pub fn deadline(&self, control: &TimeControl, sent: Moment) -> Option<Moment> {
        self.allowance(control).map(|allowance| sent + allowance + (control.margin - self.owed))
    }

    /// Charges an answer that was in time, and adds the increment less what is owed.
    pub fn charge(&mut self, control: &TimeControl, used: Span) -> Charge {
        let overrun = self.allowance(control).map_or(Span::ZERO, |allowance| used - allowance);
        if let Some(bank) = self.bank {
            self.owed = self.owed + (used - bank);
            let paid = self.owed.min(control.increment);
            self.owed = self.owed - paid;
            self.bank = Some((bank - used) + (control.increment - paid));
        }
        Charge { overrun }
    }

    /// Charges an answer whose fault is tolerated: as any other, and then the bank holds at least an increment and a
    /// second, with nothing owed, so that the seat can go on.
    pub fn charge_strike(&mut self, control: &TimeControl, used: Span) {
        self.charge(control, used);
        self.owed = Span::ZERO;
        self.bank = self.bank.map(|bank| bank.max(control.increment).max(Span::from_secs(1)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(text: &str) -> TimeControl {
        let mut control = TimeControl::default();
        control.set_bank(text).unwrap();
        control
    }

    #[test]
    fn times_are_read_as_people_write_them() {
        for (text, ms) in [("500ms", 500), ("10s", 10_000), ("1m30s", 90_000), ("0s", 0), ("1m 30s", 90_000)] {
            assert_eq!(text.parse::<Span>(), Ok(Span::from_ms(ms)), "{text}");
        }
        for text in ["", "fast", "10", "-1s", "1us", "99999999h", "1s2"] {
            assert!(text.parse::<Span>().is_err(), "{text}");
        }
    }

    #[test]
    fn controls_are_read_and_written() {
        let fischer = control("1m+500ms");
        assert_eq!((fischer.bank, fischer.increment), (Some(Span::from_secs(60)), Span::from_ms(500)));
        assert_eq!(control("5s").increment, Span::ZERO);
        let free = control("unlimited").guarded();
        assert_eq!((free.bank, free.move_limit), (None, Some(WATCHDOG)));
        assert!(TimeControl::default().set_bank("60").is_err());
        let json = serde_json::to_string(&fischer).unwrap();
        assert_eq!(
            json,
            r#"{"bank_ms":60000,"increment_ms":500,"move_limit_ms":null,"startup_ms":10000,"margin_ms":0}"#
        );
        assert_eq!(serde_json::from_str::<TimeControl>(&json).unwrap(), fischer);
    }

    #[test]
    fn milliseconds_keep_every_nanosecond() {
        for (nanos, text) in
            [(0, "0"), (1, "0.000001"), (1_500_000, "1.5"), (59_999_999_999, "59999.999999"), (2_000_000, "2")]
        {
            assert_eq!(Span(nanos).ms().to_string(), text);
        }
    }

    #[test]
    fn an_answer_at_the_deadline_is_in_time_and_leaves_nothing_but_the_increment() {
        let control = control("10s+1s");
        let mut clock = Clock::new(&control);
        let sent = Moment(7);
        let deadline = clock.deadline(&control, sent).unwrap();
        assert_eq!(deadline, Moment(10_000_000_007));
        assert_eq!(clock.charge(&control, deadline.since(sent)).overrun, Span::ZERO);
        assert_eq!(clock.bank(), Some(Span::from_secs(1)));
    }

    #[test]
    fn the_move_limit_bounds_a_move_and_the_bank_pays_for_it() {
        let control = TimeControl { move_limit: Some(Span::from_secs(2)), ..control("10s") };
        let mut clock = Clock::new(&control);
        assert_eq!(clock.allowance(&control), Some(Span::from_secs(2)));
        clock.charge(&control, Span::from_ms(9_500));
        assert_eq!(clock.allowance(&control), Some(Span::from_ms(500)));
    }

    #[test]
    fn an_overrun_inside_the_margin_is_owed_from_the_next_increment() {
        let control = TimeControl { margin: Span::from_ms(50), ..control("1s+100ms") };
        let mut clock = Clock::new(&control);
        assert_eq!(clock.charge(&control, Span::from_ms(1_030)).overrun, Span::from_ms(30));
        assert_eq!(clock.bank(), Some(Span::from_ms(70)));
    }

    #[test]
    fn a_margin_is_no_free_time_for_an_empty_bank() {
        let control = TimeControl { margin: Span::from_ms(50), ..control("1s") };
        let mut clock = Clock::new(&control);
        clock.charge(&control, Span::from_ms(1_000));
        let mut free = Span::ZERO;
        for _ in 0..10 {
            let most = clock.deadline(&control, Moment(0)).unwrap().since(Moment(0));
            let used = most.min(Span::from_ms(20));
            clock.charge(&control, used);
            free = free + used;
        }
        assert_eq!(free, control.margin);
    }

    #[test]
    fn after_a_tolerated_fault_there_is_time_to_go_on() {
        let mut clock = Clock::new(&control("10s"));
        clock.charge_strike(&control("10s"), Span::from_secs(99));
        assert_eq!(clock.bank(), Some(Span::from_secs(1)));
        let slow = control("10s+3s");
        let mut clock = Clock::new(&slow);
        clock.charge_strike(&slow, Span::from_secs(99));
        assert_eq!(clock.bank(), Some(Span::from_secs(3)));
    }
}
