//! How long a search may take: in plies, in positions, or in time.

use std::time::{Duration, Instant};

use crate::bots::options::Options;
use crate::bots::wire::{Clock, Control, Hello, Question};
use crate::seat::Seat;

/// What ends a search; where nothing does, only the greatest depth.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limits {
    /// The most plies to look ahead.
    pub depth: Option<u32>,
    /// The most positions to look at.
    pub nodes: Option<u64>,
    /// The most time to take.
    pub time: Option<Duration>,
}

/// From what the limits of each move are made.
#[derive(Clone, Debug)]
pub struct Budget {
    seat: Seat,
    control: Control,
    depth: Option<u32>,
    nodes: Option<u64>,
    most: Duration,
}

impl Budget {
    /// The budget of a bot for one game.
    pub fn new(hello: &Hello, options: &Options) -> Budget {
        Budget {
            seat: hello.seat,
            control: hello.clock(),
            depth: options.depth,
            nodes: options.nodes,
            most: options.time.unwrap_or(Duration::from_secs(1)),
        }
    }

    /// The limits for one move: what the options fix, or else a part of what the clock leaves.
    pub fn limits(&self, question: &Question) -> Limits {
        let Budget { depth, nodes, .. } = *self;
        let time = if depth.is_none() && nodes.is_none() { Some(self.time(&question.clock)) } else { None };
        Limits { depth, nodes, time }
    }

    fn time(&self, clock: &Clock) -> Duration {
        let Control { increment_ms, delay_ms, byo_yomi } = self.control;
        let bank = clock.left_ms.get(self.seat.index()).copied().flatten();
        // What comes anew for each move: more than one period is never planned with, so that none is used up.
        let each_move = delay_ms + byo_yomi.map_or(0.0, |byo_yomi| byo_yomi.period_ms);
        // A game lasts some thirty moves more; what is never touched lets a busy machine be late.
        let of_bank = |bank: f64| (bank / 25.0 + increment_ms * 0.6).min(bank / 4.0);
        let of_clock = bank.map(|bank| of_bank(bank) + each_move / 2.0);
        let of_move = clock.move_ms.map(|limit| limit / 2.0);
        let most = self.most.as_secs_f64() * 1000.0;
        let ms = [of_clock, of_move].into_iter().flatten().fold(most, f64::min).max(0.0);
        Duration::from_secs_f64(ms / 1000.0)
    }
}

/// A search on its way to its limits.
#[derive(Debug, Default)]
pub struct Pace {
    nodes: u64,
    most_nodes: Option<u64>,
    began: Option<Instant>,
    time: Option<Duration>,
    is_over: bool,
}

/// The time is looked at once in so many positions.
const NODES_A_LOOK: u64 = 128;

impl Pace {
    /// Starts a search.
    pub fn start(limits: &Limits) -> Pace {
        let began = limits.time.is_some().then(Instant::now);
        Pace { most_nodes: limits.nodes, began, time: limits.time, ..Pace::default() }
    }

    /// Counts a position; whether the limits are reached.
    pub fn count(&mut self) -> bool {
        self.is_over |= self.most_nodes.is_some_and(|most| self.nodes >= most);
        self.nodes += u64::from(!self.is_over);
        if self.began.is_some() && self.nodes.is_multiple_of(NODES_A_LOOK) {
            self.is_over |= self.part_used() >= 1.0;
        }
        self.is_over
    }

    /// Whether the limits are reached.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether there is no sense in looking a ply further: that takes several times as long as all before it.
    pub fn is_too_late_to_deepen(&self) -> bool {
        self.is_over || self.part_used() > 0.4
    }

    /// How many positions were looked at.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The part of the time that is used up; 0 if it is not limited.
    fn part_used(&self) -> f64 {
        match (self.began, self.time) {
            (Some(began), Some(time)) => began.elapsed().as_secs_f64() / time.as_secs_f64().max(1e-6),
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{self, Moment, Span, TimeControl};

    fn budget(control: Control, most: Duration) -> Budget {
        Budget { seat: Seat::new(1), control, depth: None, nodes: None, most }
    }

    fn ms(clock: Clock, increment_ms: f64) -> u128 {
        let control = Control { increment_ms, ..Control::default() };
        budget(control, Duration::from_secs(1)).time(&clock).as_millis()
    }

    /// What a bot is told of a control in `hello`.
    fn told(control: &TimeControl) -> Control {
        serde_json::from_value(serde_json::to_value(control).unwrap()).unwrap()
    }

    /// The periods left after a hundred moves, each half as long again as planned and in time all the same.
    fn periods_after_a_game(text: &str) -> Option<u32> {
        let mut control = TimeControl::default();
        control.set_clock(text).unwrap();
        let budget = budget(told(&control), Duration::from_secs(3600));
        let mut clock = clock::Clock::new(&control);
        for number in 0..100 {
            let in_ms = |span: Option<Span>| span.map(|span| span.0 as f64 / 1e6);
            let question =
                Clock { move_ms: in_ms(clock.allowance(&control)), left_ms: vec![None, in_ms(clock.bank())] };
            let used = Span(budget.time(&question).mul_f64(1.5).as_nanos() as u64);
            let deadline = clock.deadline(&control, Moment(0)).unwrap();
            assert!(Moment(used.0) <= deadline, "{text}: {used} for move {number}");
            clock.charge(&control, used);
        }
        clock.periods()
    }

    #[test]
    fn a_search_never_uses_up_a_period_of_byo_yomi_and_makes_use_of_what_is_free() {
        for text in ["0s/1x100ms", "0s/5x30s", "10s/3x1s", "1m/2x10s", "10s+1s/3x2s", "5s/d1s/2x500ms", "1s/1x1ms"] {
            let mut control = TimeControl::default();
            control.set_clock(text).unwrap();
            assert_eq!(periods_after_a_game(text), control.byo_yomi.map(|byo_yomi| byo_yomi.periods), "{text}");
        }
        for text in ["10s", "10s+1s", "10s/d1s", "0s/d100ms"] {
            assert_eq!(periods_after_a_game(text), None);
        }
        let clock = |move_ms, left| Clock { move_ms: Some(move_ms), left_ms: vec![None, Some(left)] };
        let time = |control: Control, clock| budget(control, Duration::from_secs(60)).time(&clock).as_millis();
        let byo_yomi = serde_json::from_str(r#"{"byo_yomi":{"periods":5,"period_ms":30000}}"#).unwrap();
        assert_eq!(time(byo_yomi, clock(150_000.0, 0.0)), 15_000, "half a period");
        assert_eq!(time(byo_yomi, clock(150_025.0, 25.0)), 15_001, "and a part of the bank");
        assert_eq!(time(byo_yomi, clock(2_000.0, 0.0)), 1_000, "the move limit may be less");
        let delay = serde_json::from_str(r#"{"delay_ms":2000}"#).unwrap();
        assert_eq!(time(delay, clock(2_000.0, 0.0)), 1_000, "half the delay");
        assert_eq!(time(delay, clock(12_000.0, 10_000.0)), 1_400, "and a part of the bank");
    }

    #[test]
    fn a_search_takes_only_a_part_of_what_is_left() {
        let clock = |move_ms, left| Clock { move_ms, left_ms: vec![Some(1.0), left] };
        assert_eq!(ms(clock(None, None), 0.0), 1000, "at most what the options say");
        assert_eq!(ms(clock(Some(60_000.0), Some(60_000.0)), 1000.0), 1000);
        assert_eq!(ms(clock(Some(10_000.0), Some(10_000.0)), 0.0), 400);
        assert_eq!(ms(clock(Some(100.0), Some(10_000.0)), 0.0), 50);
        assert_eq!(ms(clock(Some(100.0), Some(100.0)), 1000.0), 25, "an increment that comes later saves nobody now");
        assert_eq!(ms(clock(Some(0.0), Some(0.0)), 0.0), 0);
        assert_eq!(ms(Clock::default(), 0.0), 1000);
    }

    #[test]
    fn the_nodes_end_a_search() {
        let mut pace = Pace::start(&Limits { nodes: Some(3), ..Limits::default() });
        assert_eq!([pace.count(), pace.count(), pace.count(), pace.count()], [false, false, false, true]);
    }

    #[test]
    fn the_time_ends_a_search() {
        let mut pace = Pace::start(&Limits { time: Some(Duration::ZERO), ..Limits::default() });
        assert!((0..NODES_A_LOOK).any(|_| pace.count()));
    }
}
