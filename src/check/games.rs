//! Whole games as the referee plays them, with a copy of the bot in every seat.

use std::borrow::Cow;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::bench::Bench;
use super::process::TWO_COPIES;
use super::verdict::{Checked, Halt, bad, good, untried};
use super::{Check, Script, Weight};
use crate::chance::Seed;
use crate::host::play::{Arena, FaultShown, Finished, HostError, Kept, Ponder, play as play_whole};
use crate::host::sandbox::scratch::Scratch;
use crate::protocol::receive::shown;
use crate::record::entry::HeaderHost;
use crate::record::outcome::{GameResult, Reason};
use crate::record::writer::Writer;
use crate::referee::Setup;
use crate::seat::BySeat;
use crate::table::GameName;

/// How long a game goes on at most: bots that use all their time need minutes for one.
const LONGEST: Duration = Duration::from_secs(8);
/// How often a game is played that the referee could not judge.
const TRIES: usize = 2;

/// The check of one game with this number of seats.
pub fn check(game: GameName, seats: usize) -> Check {
    Check {
        name: Cow::Owned(format!("{game}-{seats}")),
        title: Cow::Owned(format!("plays {game} with {seats} seats")),
        does: "plays a whole game of it against itself, for 8 s at most, as arbitro play does",
        fix: "Play the same game with arbitro play, with the bot in every seat, and see the fault in its log. If it does not play this game, let it end before ready, and name the games that it plays with --game.",
        weight: Weight::Must,
        script: Script::Game(game, seats),
    }
}

/// The checks whose failure is one in a whole game too.
const NEEDED: [&str; 12] = [
    "stdout-clean",
    "message-types",
    "one-answer",
    "info",
    "line-length",
    "seats",
    "chance",
    "forced-move",
    "fractions",
    "frozen",
    "memory",
    "processes",
];

/// Plays a game, unless the bot takes no part in it.
pub fn play(bench: &Bench, game: GameName, seats: usize) -> Checked {
    let probe = bench.probes.iter().find(|probe| (probe.game, probe.seats) == (game, seats));
    let probe = probe.ok_or_else(|| untried("not tried"))?;
    if let Some(gone) = probe.contact.gone.as_deref() {
        let when = if probe.contact.ready.is_some() { "when it was first asked" } else { "at hello" };
        let words = format!("not played: it {gone} {when}{}", probe.contact.stderr);
        return Err(if bench.subject.must_play { bad(words) } else { untried(words) });
    }
    bench.needs(&NEEDED)?;
    bench.needs(&[TWO_COPIES])?;
    for _ in 0..TRIES {
        let finished = whole_game(bench, game, seats)?;
        let outcome = &finished.end.outcome;
        // To give up is no misbehaviour.
        let fault = finished.faults.iter().find(|fault| fault.kind != "resigned");
        match (fault, outcome.result) {
            (Some(fault), _) => return Err(bad(fault_words(fault))),
            (None, GameResult::Void) if outcome.reason == Reason::RefereeLate => continue,
            (None, GameResult::Void) => return Err(io::Error::other("a game was void").into()),
            (None, GameResult::Aborted) => {
                let words = format!("{} plies in {} s, and stopped there", finished.end.plies, LONGEST.as_secs());
                return good(words);
            }
            (None, _) => return good(format!("{} plies, {}", finished.end.plies, outcome.reason.words())),
        }
    }
    Err(untried("this machine was too busy for a fair game"))
}

fn whole_game(bench: &Bench, game: GameName, seats: usize) -> Result<Finished, Halt> {
    let subject = bench.subject;
    let mut arena = Arena {
        referee_exe: subject.referee_exe.clone(),
        programs: BySeat::from_fn(seats, |_| subject.program.clone()),
        confinements: BySeat::from_fn(seats, |seat| subject.confinements[seat].clone()),
        ponder: Ponder::Stop,
        keep: false,
        groups: subject.groups.clone(),
    };
    let _scratch = subject.limits.scratch_bytes.map(|_| Scratch::give(arena.bots())).transpose()?;
    let mut timer = Timer::new(bench.stop)?;
    let stop = timer.readable.try_clone()?;
    let kept = &mut BySeat::from_fn(seats, |_| Kept::default());
    let log = &mut Writer::new(io::sink());
    let finished = play_whole(&arena, setup(bench, game, seats), kept, log, Some(stop.as_fd()), &mut |_| timer.look());
    if timer.stopped {
        return Err(Halt::Stopped);
    }
    finished.map_err(|error| match error {
        HostError::CannotBegin(error) => untried(error.to_string()),
        HostError::Log(error) => Halt::Machine(error),
    })
}

fn setup(bench: &Bench, game: GameName, seats: usize) -> Setup {
    let id = format!("check-{game}-{seats}");
    let master = Seed::from_text("a check");
    Setup {
        game,
        options: "{}".to_owned(),
        players: BySeat::from_fn(seats, |seat| format!("copy {}", seat.index() + 1)),
        game_seed: master.of_game(&id),
        bot_seeds: BySeat::from_fn(seats, |seat| master.of_bot(&id, seat)),
        luck_id: id.clone(),
        game_id: id,
        guessable_seed: true,
        clock: bench.subject.clock.clone(),
        limits: bench.subject.limits,
        opening: Vec::new(),
        host: HeaderHost::default(),
    }
}

fn fault_words(fault: &FaultShown) -> String {
    let last = fault.stderr.lines().rev().find(|line| !line.trim().is_empty());
    let stderr = last.map(|line| format!("; its stderr ends in “{}”", shown(line.as_bytes()))).unwrap_or_default();
    format!("seat {}, {}: {}{stderr}", fault.seat, fault.kind, fault.words)
}

/// Stops a game when it has gone on for long, or when the checks are to stop.
struct Timer<'a> {
    readable: UnixStream,
    writer: Option<UnixStream>,
    began: Instant,
    stop: Option<BorrowedFd<'a>>,
    stopped: bool,
}

impl<'a> Timer<'a> {
    fn new(stop: Option<BorrowedFd<'a>>) -> io::Result<Timer<'a>> {
        let (readable, writer) = UnixStream::pair()?;
        Ok(Timer { readable, writer: Some(writer), began: Instant::now(), stop, stopped: false })
    }

    /// Looks at the time. The loop of a game comes by at least every tenth of a second.
    fn look(&mut self) {
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let asked = |stop| poll(&mut [PollFd::from_borrowed_fd(stop, PollFlags::IN)], Some(&now)).unwrap_or(0) > 0;
        self.stopped |= self.stop.is_some_and(asked);
        if self.stopped || self.began.elapsed() > LONGEST {
            // An end that is closed can be read from.
            self.writer = None;
        }
    }
}
