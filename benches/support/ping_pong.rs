//! The reference for what a ply costs: the same bytes to the same bots through bare pipes, and nothing else.

use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::process::Child;

use arbitro::clock::Moment;
use arbitro::referee::{Effect, Event, Referee, Setup};
use arbitro::seat::Seat;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::support::bare_bot;

/// The questions of one game, to be asked again without a referee.
pub struct Script {
    /// Who is asked what.
    pub messages: Vec<(Seat, Vec<u8>)>,
}

/// Plays a game in this process with the bench bots at the end of bare pipes, and keeps what they were asked.
pub fn script(bot: &Path, setup: Setup) -> Script {
    let mut bots = Bare::new(bot);
    let mut effects = Vec::new();
    let mut referee = Referee::new(setup, 0, &mut effects).expect("it begins");
    let mut messages = Vec::new();
    let mut answer = vec![0; 4096];
    for seat in Seat::first(2) {
        referee.handle(Moment(0), Event::Bytes { seat, bytes: b"{\"type\":\"ready\"}\n" }, &mut effects);
    }
    while referee.outcome().is_none() {
        let asked = Seat::first(2).find(|&seat| referee.is_asked(seat)).expect("somebody is asked");
        messages.push((asked, referee.message(asked).to_vec()));
        let count = bots.ask(asked, referee.message(asked), &mut answer);
        referee.handle(Moment(0), Event::Sending { seat: asked }, &mut effects);
        referee.handle(Moment(0), Event::Bytes { seat: asked, bytes: &answer[..count] }, &mut effects);
        assert!(!effects.iter().any(|effect| matches!(effect, Effect::Kill(_))), "the bots make no fault");
        effects.clear();
    }
    Script { messages }
}

/// Two bots at the ends of bare pipes: write, poll with a deadline, read.
pub struct Bare([Child; 2]);

impl Bare {
    /// Starts them.
    pub fn new(bot: &Path) -> Bare {
        Bare([bare_bot(bot), bare_bot(bot)])
    }

    /// Asks one of them and waits for its answer; how many bytes it has.
    pub fn ask(&mut self, seat: Seat, message: &[u8], answer: &mut [u8]) -> usize {
        let child = &mut self.0[seat.index()];
        child.stdin.as_mut().expect("it has a stdin").write_all(message).expect("it reads");
        let stdout = child.stdout.as_mut().expect("it has a stdout");
        let deadline = Timespec { tv_sec: 60, tv_nsec: 0 };
        let mut fds = [PollFd::from_borrowed_fd(stdout.as_fd(), PollFlags::IN)];
        assert_eq!(poll(&mut fds, Some(&deadline)), Ok(1), "it answers");
        stdout.read(answer).expect("it writes")
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        for child in &mut self.0 {
            drop(child.stdin.take());
            let _ = child.wait();
        }
    }
}
