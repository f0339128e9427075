//! The clock of one seat: what is left, when the flag falls, and what a move costs.

use super::control::TimeControl;
use super::time::{Moment, Span};

/// The clock of one seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    bank: Option<Span>,
    periods: Option<u32>,
    owed: Span,
}

/// What an answer in time cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Charge {
    /// By how much it overran what the seat was told, inside the margin.
    pub overrun: Span,
}

/// What the time for a move ends with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flag {
    /// The bank, where no byo-yomi follows.
    Bank,
    /// The last byo-yomi period.
    LastPeriod,
    /// The limit of one move.
    MoveLimit,
}

impl Clock {
    /// The clock at the beginning of a game.
    pub fn new(control: &TimeControl) -> Clock {
        let periods = control.byo_yomi.map(|byo_yomi| byo_yomi.periods);
        Clock { bank: control.bank, periods, owed: Span::ZERO }
    }

    /// What is left in the bank, if there is one: what the seat is told.
    pub fn bank(&self) -> Option<Span> {
        self.bank
    }

    /// How many byo-yomi periods are left, the one that runs included, if the match has them: what the seat is told.
    pub fn periods(&self) -> Option<u32> {
        self.periods
    }

    /// The nominal time for the next move: delay, bank and all periods left, or the move limit, whichever is less.
    pub fn allowance(&self, control: &TimeControl) -> Option<Span> {
        match (self.all(control), control.move_limit) {
            (Some(all), Some(limit)) => Some(all.min(limit)),
            (all, limit) => all.or(limit),
        }
    }

    /// With what the nominal time for the next move ends, if it does.
    pub fn flag(&self, control: &TimeControl) -> Option<Flag> {
        match (self.all(control), control.move_limit) {
            (None, None) => None,
            (Some(all), limit) if limit.is_none_or(|limit| all <= limit) => {
                Some(if self.periods.is_some() { Flag::LastPeriod } else { Flag::Bank })
            }
            _ => Some(Flag::MoveLimit),
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
            let counted = used - control.delay;
            self.owed = self.owed + self.charge_periods(control, counted - bank);
            let paid = self.owed.min(control.increment);
            self.owed = self.owed - paid;
            self.bank = Some((bank - counted) + (control.increment - paid));
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

    /// All that there is for one move; nothing if that is not limited.
    fn all(&self, control: &TimeControl) -> Option<Span> {
        self.bank.map(|bank| control.delay + bank + self.reserve(control))
    }

    /// The time in all byo-yomi periods left.
    fn reserve(&self, control: &TimeControl) -> Span {
        match (control.byo_yomi, self.periods) {
            (Some(byo_yomi), Some(periods)) => byo_yomi.period * periods,
            _ => Span::ZERO,
        }
    }

    /// Uses up the periods that a time beyond the bank overran, all but the last, and gives what is beyond that too.
    fn charge_periods(&mut self, control: &TimeControl, beyond: Span) -> Span {
        let rest = beyond - self.reserve(control);
        if let (Some(byo_yomi), Some(periods)) = (control.byo_yomi, &mut self.periods) {
            // What ends with a period has not overrun it.
            let overrun = (beyond - Span(1)).0.checked_div(byo_yomi.period.0).unwrap_or(u64::MAX);
            let but_the_last = periods.saturating_sub(1);
            *periods -= u32::try_from(overrun).unwrap_or(u32::MAX).min(but_the_last);
        }
        rest
    }
}
