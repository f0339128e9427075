//! Time controls: what a match grants, in JSON and as people write it.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::time::{BadTime, Span, whole_ms};

/// How much time the seats of a match have; all of it in whole milliseconds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeControl {
    /// The time for the whole game, if it is limited. Without it there is neither delay nor byo-yomi.
    #[serde(rename = "bank_ms", with = "whole_ms::option")]
    pub bank: Option<Span>,
    /// What a seat gets into its bank after each of its moves.
    #[serde(rename = "increment_ms", with = "whole_ms")]
    pub increment: Span,
    /// How much of each move is free, before anything is taken from the bank.
    #[serde(rename = "delay_ms", with = "whole_ms", skip_serializing_if = "Span::is_zero", default)]
    pub delay: Span,
    /// What follows when the bank is used up, if anything does.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub byo_yomi: Option<ByoYomi>,
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

/// Byo-yomi: periods after the bank, of which a move uses up those that it overruns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByoYomi {
    /// How many periods a seat has.
    pub periods: u32,
    /// How long each of them is.
    #[serde(rename = "period_ms", with = "whole_ms")]
    pub period: Span,
}

/// The limit of one move where a match has no other: a program that hangs is noticed in the end.
pub const WATCHDOG: Span = Span::from_secs(3600);

/// The most byo-yomi periods that can be asked for.
pub const MOST_PERIODS: u32 = 1000;

/// 60 s and 1 s a move, 10 s to start up.
impl Default for TimeControl {
    fn default() -> TimeControl {
        TimeControl {
            bank: Some(Span::from_secs(60)),
            increment: Span::from_secs(1),
            delay: Span::ZERO,
            byo_yomi: None,
            move_limit: None,
            startup: Some(Span::from_secs(10)),
            margin: Span::ZERO,
        }
    }
}

impl TimeControl {
    /// Takes bank, increment, delay and byo-yomi from text, and leaves the rest as it is. The text is `unlimited`, or
    /// `BANK[+INCREMENT][/dDELAY][/NxPERIOD]`, each of them a time as in `10m+5s/d2s/3x30s`.
    ///
    /// # Errors
    /// When the text is neither, or leaves no time for the first move.
    pub fn set_clock(&mut self, text: &str) -> Result<(), BadTime> {
        let mut parts = text.split('/').map(str::trim);
        let main = parts.next().unwrap_or_default();
        let bank_in =
            |bank: &str| bank.parse().map_err(|error: BadTime| error.inside(BadTime::Control(text.to_owned())));
        let (bank, increment) = match main.split_once('+') {
            _ if text == "unlimited" => (None, Span::ZERO),
            Some((bank, increment)) => (Some(bank_in(bank)?), increment.parse()?),
            None => (Some(bank_in(main)?), Span::ZERO),
        };
        let (mut delay, mut byo_yomi) = (None, None);
        for part in parts {
            let twice = match part.strip_prefix('d') {
                Some(span) => delay.replace(time_in(span, part)?).is_some(),
                None => byo_yomi.replace(part.parse()?).is_some(),
            };
            if twice {
                return Err(BadTime::Twice(part.to_owned()));
            }
        }
        let delay = delay.unwrap_or_default();
        if bank == Some(Span::ZERO) && delay.is_zero() && byo_yomi.is_none() {
            return Err(BadTime::NoTime(text.to_owned()));
        }
        (self.bank, self.increment, self.delay, self.byo_yomi) = (bank, increment, delay, byo_yomi);
        Ok(())
    }

    /// The control with a limit on everything: where neither bank nor move is limited, a move may take an hour, and so
    /// may the start.
    #[must_use]
    pub fn guarded(mut self) -> TimeControl {
        if self.bank.is_none() {
            self.move_limit.get_or_insert(WATCHDOG);
        }
        self.startup.get_or_insert(WATCHDOG);
        self
    }
}

impl FromStr for ByoYomi {
    type Err = BadTime;

    fn from_str(text: &str) -> Result<ByoYomi, BadTime> {
        let (periods, period) = text.split_once('x').ok_or_else(|| BadTime::Part(text.to_owned()))?;
        if periods.is_empty() || !periods.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(BadTime::Part(text.to_owned()));
        }
        let period = time_in(period, text)?;
        let periods = periods.parse().ok().filter(|periods| (1..=MOST_PERIODS).contains(periods) && !period.is_zero());
        periods.map(|periods| ByoYomi { periods, period }).ok_or_else(|| BadTime::Periods(text.to_owned()))
    }
}

/// The time that stands in a part of a time control.
fn time_in(span: &str, part: &str) -> Result<Span, BadTime> {
    span.parse().map_err(|error: BadTime| error.inside(BadTime::Part(part.to_owned())))
}
