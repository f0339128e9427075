//! What the referee knows of one player.

use super::stderr::Stderr;
use crate::clock::{Clock, Moment, Span, TimeControl};
use crate::protocol::limits::Limits;
use crate::protocol::lines::Lines;
use crate::record::entry::{Fault, FaultKind, Load};

/// The longest that the referee makes up for its own lateness.
const MOST_GRACE: Span = Span::from_secs(1);

/// One player, from its `hello` on.
pub struct Player {
    pub lines: Lines,
    pub clock: Clock,
    /// The question that it has not answered, `hello` included.
    pub question: Option<Question>,
    /// Whether it wants the list of legal moves.
    pub wants_legal: bool,
    /// What it is to be charged with when it is next asked.
    pub pending: Option<Charge>,
    /// What it was charged with at the start, until that is in the log.
    pub failed_start: Option<Box<Fault>>,
    /// Whether its program was told to end, or ended: nothing it sends counts any more.
    pub stopped: bool,
    /// The last question to anybody at which it was noted that it computed while it was frozen.
    pub noted_awake: Option<u64>,
    /// The strikes that it used up.
    pub strikes: u32,
    /// How many lines answered no question.
    pub unasked: u32,
    /// How many unreadable lines were skipped since its last answer.
    pub skipped: u32,
    /// How many bytes of its output were read.
    pub read: u64,
    /// How many of them up to its last answer.
    pub answered_at: u64,
    /// How much of the list of events it was sent.
    pub events_sent: usize,
    pub stderr: Stderr,
    /// What the time of its question was spent on, where that was measured.
    pub load: Option<Load>,
    /// The message to send.
    pub message: Vec<u8>,
}

/// A question that waits for its answer.
pub struct Question {
    /// Its number; 0 is `hello`.
    pub turn: u64,
    /// When it was sent, once it was.
    pub sent: Option<Moment>,
    deadline: Option<Moment>,
    grace: Option<Moment>,
}

/// What the time says of a question.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// An answer counts.
    Running,
    /// The deadline is over, but the referee learned of it late itself: silence is a timeout, an answer is void.
    Grace,
    /// The flag fell.
    Fallen,
}

/// What a player did wrong, before it is decided when it is charged.
pub struct Charge {
    pub kind: FaultKind,
    /// The move or line in question.
    pub found: Option<String>,
    /// What happened and what to do about it.
    pub words: String,
}

impl Player {
    pub fn new(control: &TimeControl, limits: &Limits) -> Player {
        Player {
            lines: Lines::new(limits.line_bytes),
            clock: Clock::new(control),
            question: None,
            wants_legal: true,
            pending: None,
            failed_start: None,
            stopped: false,
            noted_awake: None,
            strikes: 0,
            unasked: 0,
            skipped: 0,
            read: 0,
            answered_at: 0,
            events_sent: 0,
            stderr: Stderr::default(),
            load: None,
            message: Vec::new(),
        }
    }

    /// The question is answered; what may come before the next answer is counted anew.
    pub fn answered(&mut self) {
        self.question = None;
        self.skipped = 0;
        self.load = None;
        self.answered_at = self.read;
    }
}

impl Question {
    pub fn new(turn: u64) -> Question {
        Question { turn, sent: None, deadline: None, grace: None }
    }

    /// The question is being sent; `deadline` is the last moment at which an answer is in time.
    pub fn send(&mut self, at: Moment, deadline: Option<Moment>) {
        (self.sent, self.deadline) = (Some(at), deadline);
    }

    /// The next moment at which time decides something.
    pub fn wakes_at(&self) -> Option<Moment> {
        self.grace.or(self.deadline.map(|deadline| deadline + Span(1)))
    }

    /// What the time says at `at`, before anything that came then is looked at.
    pub fn time(&self, at: Moment) -> Time {
        match (self.deadline, self.grace) {
            (Some(deadline), _) if at <= deadline => Time::Running,
            (None, _) => Time::Running,
            (Some(_), Some(grace)) if at >= grace => Time::Fallen,
            (Some(_), _) => Time::Grace,
        }
    }

    /// The referee saw nothing at `at`. Once that is after the deadline, it waits as long again as it came late.
    pub fn saw_nothing(&mut self, at: Moment) {
        if let (Some(deadline), None) = (self.deadline, self.grace)
            && at > deadline
        {
            self.grace = Some(at + at.since(deadline).min(MOST_GRACE));
        }
    }

    /// How long it took until `at`.
    pub fn used(&self, at: Moment) -> Span {
        self.sent.map_or(Span::ZERO, |sent| at.since(sent))
    }
}
