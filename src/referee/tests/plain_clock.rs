//! A clock in the obvious way, to compare the real one with: times are poured out of one vessel after the other.

use crate::clock::TimeControl;

/// The clock of one seat; all times in nanoseconds.
pub struct PlainClock {
    control: TimeControl,
    pub bank: Option<i128>,
    pub periods: Option<u32>,
    owed: i128,
}

impl PlainClock {
    pub fn new(control: &TimeControl) -> PlainClock {
        let bank = control.bank.map(|bank| i128::from(bank.0));
        PlainClock { control: control.clone(), bank, periods: control.byo_yomi.map(|all| all.periods), owed: 0 }
    }

    fn delay(&self) -> i128 {
        self.control.delay.0.into()
    }

    fn period(&self) -> i128 {
        self.control.byo_yomi.map_or(0, |byo_yomi| byo_yomi.period.0.into())
    }

    /// The time until the flag, if there is a limit to it.
    pub fn told(&self) -> Option<i128> {
        let limit = self.control.move_limit.map(|limit| i128::from(limit.0));
        let all = self.bank.map(|bank| self.delay() + bank + self.period() * i128::from(self.periods.unwrap_or(0)));
        [limit, all].into_iter().flatten().min()
    }

    /// The moments of a move at which something new begins, the flag last.
    pub fn edges(&self) -> Vec<i128> {
        let mut edges = vec![0];
        if let Some(bank) = self.bank {
            edges.extend([self.delay(), self.delay() + bank]);
            for _ in 0..self.periods.unwrap_or(0) {
                edges.push(edges.last().unwrap() + self.period());
            }
        }
        edges.retain(|&edge| self.told().is_none_or(|told| edge < told));
        edges.extend(self.told());
        edges
    }

    /// The longest that an answer may take.
    pub fn most(&self) -> Option<i128> {
        Some(self.told()? + (i128::from(self.control.margin.0) - self.owed).max(0))
    }

    /// Takes an answer that is in time.
    pub fn answer(&mut self, used: i128) {
        let Some(bank) = self.bank else { return };
        let mut rest = used;
        rest -= rest.min(self.delay());
        let paid = rest.min(bank);
        rest -= paid;
        let mut periods = self.periods.unwrap_or(0);
        while periods > 1 && rest > self.period() {
            rest -= self.period();
            periods -= 1;
        }
        if periods > 0 {
            rest -= rest.min(self.period());
        }
        self.periods = self.periods.map(|_| periods);
        self.owed += rest;
        let mut increment = i128::from(self.control.increment.0);
        let repaid = increment.min(self.owed);
        self.owed -= repaid;
        increment -= repaid;
        self.bank = Some(bank - paid + increment);
    }
}
