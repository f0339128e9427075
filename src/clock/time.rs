//! Moments and spans: how they are counted, read and written.

use std::fmt;
use std::ops::{Add, Mul, Sub};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::MOST_PERIODS;

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

    /// Whether it is no time at all.
    pub const fn is_zero(&self) -> bool {
        self.0 == 0
    }

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

/// So many times this time.
impl Mul<u32> for Span {
    type Output = Span;

    fn mul(self, times: u32) -> Span {
        Span(self.0.saturating_mul(times.into()))
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
    #[error(
        "“{0}” is not a time control: write for example 60s+1s (bank and increment), 10m/d2s (delay), 10m/5x30s (byo-yomi) or unlimited"
    )]
    Control(String),
    /// Not a part of a time control that stands behind the bank.
    #[error("“{0}” is neither a delay nor byo-yomi: write for example d2s or 5x30s")]
    Part(String),
    /// A second delay, or byo-yomi a second time.
    #[error("“{0}” is one too many: a time control has one delay and one byo-yomi at most")]
    Twice(String),
    /// Byo-yomi without periods, with more than can be, or without time.
    #[error("“{0}” cannot be used: byo-yomi has 1 to {MOST_PERIODS} periods, each longer than 0s")]
    Periods(String),
    /// A time control under which nobody could move.
    #[error(
        "“{0}” leaves no time for the first move: give a bank, a delay or byo-yomi; an increment comes after a move"
    )]
    NoTime(String),
}

impl BadTime {
    /// What was to be a part of something is told how that is written, unless it is only out of range.
    pub(super) fn inside(self, whole: BadTime) -> BadTime {
        if let BadTime::OutOfRange(_) = self { self } else { whole }
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

/// A time of whole milliseconds in JSON: that number. One that is more nanoseconds than can be counted is refused, for
/// it would be another time here.
pub(super) mod whole_ms {
    use super::Span;
    use serde::de::{Deserialize, Deserializer, Error, Unexpected};
    use serde::{Serialize, Serializer};

    pub fn serialize<S: Serializer>(span: &Span, to: S) -> Result<S::Ok, S::Error> {
        span.whole_ms().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Span, D::Error> {
        span(u64::deserialize(from)?)
    }

    fn span<E: Error>(ms: u64) -> Result<Span, E> {
        let countable = Some(Span::from_ms(ms)).filter(|span| span.whole_ms() == ms);
        countable.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(ms), &"at most 18446744073709 milliseconds"))
    }

    pub mod option {
        use super::{Deserialize, Deserializer, Serialize, Serializer, Span, span};

        pub fn serialize<S: Serializer>(span: &Option<Span>, to: S) -> Result<S::Ok, S::Error> {
            span.map(Span::whole_ms).serialize(to)
        }

        pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Span>, D::Error> {
            Option::<u64>::deserialize(from)?.map(span).transpose()
        }
    }
}
