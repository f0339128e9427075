//! The events of a tournament as JSON Lines, for dashboards.
//!
//! The first line of each run is a header with the version of the format; each other line is one event of a closed list,
//! under its name. A run that goes on with a tournament goes on with its file, behind a header of its own. The format is
//! specified in `README.md`.
//!
//! A thread of its own writes them, so that no game waits for whoever reads along. Lines that are not written yet are
//! kept; where that becomes too much, nobody reads, and no more is written.

use std::borrow::Cow;
use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::mem::take;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::chance::Hex32;
use crate::cli::failure::{Failure, Kind};
use crate::record::outcome::Reason;
use crate::seat::BySeat;
use crate::tournament::Entrant;
use crate::tournament::plan::Plan;
use crate::tournament::played::Played;
use crate::tournament::run::{Ending, Progress, Summary};

/// The version of the format: it changes when an event or a field is taken away or gets another meaning.
pub const FORMAT: u32 = 1;

/// How many bytes wait to be written at most: ten thousand events and more.
const MOST_WAITING: usize = 8 << 20;

/// For how long the end waits for the next line to be written.
const PATIENCE: Duration = Duration::from_secs(5);

/// Writes events to a file. Dropped, it waits until all are written, as long as somebody reads.
pub struct Events {
    queue: Arc<Queue>,
    began: Instant,
}

/// What is to be written, and where to.
struct Queue {
    path: PathBuf,
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    /// Whole lines.
    bytes: Vec<u8>,
    /// How many lines were written.
    written: u64,
    /// Whether no more will come.
    is_closing: bool,
    /// Whether nothing more is written: all is, or it failed, or nobody reads.
    is_over: bool,
}

/// A line of the file.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Line<'a> {
    Header(Header<'a>),
    Begun { at_ms: u64, planned: u64, counted: u64, at_once: usize },
    Started { at_ms: u64, game: u64, set: u64, seats: &'a BySeat<Entrant>, worker: usize },
    Void { at_ms: u64, game: u64, reason: Reason, log: Cow<'a, str> },
    Finished { at_ms: u64, game: &'a Played, faults: Vec<FaultLine<'a>>, log: Cow<'a, str>, clean: bool },
    Counted { at_ms: u64, games: Vec<u64> },
    Disqualified { at_ms: u64, bot: Entrant },
    Halted { at_ms: u64, bots: &'a BySeat<Entrant> },
    RoundOver { at_ms: u64, round: u32 },
    Paired { at_ms: u64, planned: u64 },
    Enough { at_ms: u64 },
    Stopping { at_ms: u64 },
    Ended(EndLine),
}

#[derive(Serialize)]
struct Header<'a> {
    format: u32,
    referee: &'static str,
    at: String,
    plan: Hex32,
    name: &'a str,
    game: &'static str,
    seats: usize,
    bots: Vec<&'a str>,
}

/// A fault in words.
#[derive(Serialize)]
struct FaultLine<'a> {
    seat: usize,
    kind: &'static str,
    tolerated: bool,
    words: &'a str,
    stderr: &'a str,
}

#[derive(Serialize)]
struct EndLine {
    at_ms: u64,
    ending: &'static str,
    planned: u64,
    counted: u64,
    played: u64,
    unresolved: u64,
}

impl Events {
    /// Opens the file, before anything else of a tournament begins; one that is there already must be such a file.
    ///
    /// # Errors
    /// When it cannot be written, or holds something else.
    pub fn open(path: &Path) -> Result<Events, Failure> {
        let unwritable = |error: io::Error| {
            Failure::new(Kind::Io, format!("--events {}: it cannot be written: {error}", path.display()))
        };
        // A pipe has no length and nothing to be read back.
        let is_file = path.metadata().is_ok_and(|found| found.is_file() && found.len() > 0);
        if is_file && !is_ours(path).map_err(unwritable)? {
            let words = format!("--events {}: this file holds something else; name a new one", path.display());
            return Err(Failure::new(Kind::BadInput, words));
        }
        let mut file = OpenOptions::new().append(true).create(true).open(path).map_err(unwritable)?;
        // A referee that was killed may have left half a line.
        if is_file && !ends_a_line(path).map_err(unwritable)? {
            file.write_all(b"\n").map_err(unwritable)?;
        }
        let (waiting, changed) = (Mutex::default(), Condvar::new());
        let queue = Arc::new(Queue { path: path.to_owned(), waiting, changed });
        let writes = Arc::clone(&queue);
        let thread = thread::Builder::new().name("events".to_owned());
        thread.spawn(move || writes.write(file)).map_err(unwritable)?;
        Ok(Events { queue, began: Instant::now() })
    }

    /// Begins a run.
    pub fn begin(&mut self, plan: &Plan) {
        let header = plan.header();
        self.began = Instant::now();
        self.line(&Line::Header(Header {
            format: FORMAT,
            referee: env!("CARGO_PKG_VERSION"),
            at: jiff::Timestamp::now().to_string(),
            plan: plan.sha256(),
            name: &header.name,
            game: header.game.as_str(),
            seats: header.seats,
            bots: header.bots.iter().map(|bot| bot.name.as_str()).collect(),
        }));
    }

    /// Writes an event.
    pub fn tell(&self, progress: Progress) {
        let at_ms = self.began.elapsed().as_millis() as u64;
        self.line(&match progress {
            Progress::Begun { planned, counted, at_once, .. } => Line::Begun { at_ms, planned, counted, at_once },
            Progress::Started { game, worker } => {
                Line::Started { at_ms, game: game.number, set: game.set, seats: &game.seats, worker }
            }
            Progress::Void { game, reason, log } => {
                Line::Void { at_ms, game: game.number, reason, log: log.to_string_lossy() }
            }
            Progress::Finished { game, faults, log, clean } => {
                let faults = faults.iter().map(|fault| FaultLine {
                    seat: fault.seat.index(),
                    kind: fault.kind,
                    tolerated: fault.tolerated,
                    words: &fault.words,
                    stderr: &fault.stderr,
                });
                Line::Finished { at_ms, game, faults: faults.collect(), log: log.to_string_lossy(), clean }
            }
            Progress::Counted { games } => Line::Counted { at_ms, games: games.iter().map(|game| game.game).collect() },
            Progress::Disqualified { bot } => Line::Disqualified { at_ms, bot },
            Progress::Halted { bots } => Line::Halted { at_ms, bots },
            Progress::RoundOver { round } => Line::RoundOver { at_ms, round },
            Progress::Paired { planned, .. } => Line::Paired { at_ms, planned },
            Progress::Enough => Line::Enough { at_ms },
            Progress::Stopping => Line::Stopping { at_ms },
            Progress::Ended(summary) => Line::Ended(EndLine::of(at_ms, summary)),
        });
    }

    fn line(&self, line: &Line) {
        let mut bytes = serde_json::to_vec(line).expect("events are plain data");
        bytes.push(b'\n');
        self.queue.put(&bytes);
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.queue.close();
    }
}

impl Queue {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves a line to be written.
    fn put(&self, line: &[u8]) {
        let mut waiting = self.waiting();
        if waiting.is_over {
            return;
        }
        if waiting.bytes.len() + line.len() > MOST_WAITING {
            self.give_up(waiting, "nobody reads them");
        } else {
            waiting.bytes.extend(line);
            self.changed.notify_all();
        }
    }

    /// Waits until all is written. Whoever reads slowly gets it all, and whoever does not read any more the rest not.
    fn close(&self) {
        let mut waiting = self.waiting();
        waiting.is_closing = true;
        self.changed.notify_all();
        while !waiting.is_over {
            let written = waiting.written;
            let stands_still = |waiting: &mut Waiting| !waiting.is_over && waiting.written == written;
            let waited = self.changed.wait_timeout_while(waiting, PATIENCE, stands_still);
            let (now, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            if timeout.timed_out() {
                return self.give_up(now, "nobody reads them");
            }
            waiting = now;
        }
    }

    /// Writes until no more comes. A line goes out whole and at once, so that whoever reads along sees whole lines.
    fn write(&self, mut file: File) {
        loop {
            let is_idle = |waiting: &mut Waiting| waiting.bytes.is_empty() && !waiting.is_closing && !waiting.is_over;
            let waited = self.changed.wait_while(self.waiting(), is_idle);
            let mut waiting = waited.unwrap_or_else(PoisonError::into_inner);
            let bytes = take(&mut waiting.bytes);
            if bytes.is_empty() {
                waiting.is_over = true;
                return self.changed.notify_all();
            }
            drop(waiting);
            for line in bytes.split_inclusive(|&byte| byte == b'\n') {
                let written = file.write_all(line);
                let mut waiting = self.waiting();
                match written {
                    _ if waiting.is_over => return,
                    Ok(()) => waiting.written += 1,
                    Err(error) => return self.give_up(waiting, error),
                }
                self.changed.notify_all();
            }
        }
    }

    /// Whoever does not read any more, or has no room, does not end a tournament.
    fn give_up(&self, mut waiting: MutexGuard<Waiting>, why: impl Display) {
        (waiting.is_over, waiting.bytes) = (true, Vec::new());
        self.changed.notify_all();
        drop(waiting);
        tracing::warn!("events are no longer written to {}: {why}", self.path.display());
    }
}

impl EndLine {
    fn of(at_ms: u64, summary: &Summary) -> EndLine {
        let Summary { planned, counted, played, unresolved, .. } = *summary;
        EndLine { at_ms, ending: ending(summary.ending), planned, counted, played, unresolved }
    }
}

/// Why a run ended, as a word for programs.
pub fn ending(ending: Ending) -> &'static str {
    match ending {
        Ending::Complete => "complete",
        Ending::Enough => "enough",
        Ending::Incomplete => "incomplete",
        Ending::Interrupted => "interrupted",
    }
}

/// Whether a file begins as one of events.
fn is_ours(path: &Path) -> io::Result<bool> {
    let mut line = Vec::new();
    File::open(path)?.take(1024).read_to_end(&mut line)?;
    Ok(line.starts_with(b"{\"header\":{\"format\":"))
}

/// Whether the last line of a file has its end.
fn ends_a_line(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

#[cfg(test)]
mod tests {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use serde_json::Value;

    use super::*;
    use crate::cli::run::progress::tally::tests::game;
    use crate::seat::BySeat;
    use crate::tournament::plan::PlannedGame;

    /// An event of each kind.
    fn all(tell: &mut dyn FnMut(Progress)) {
        let seats = BySeat::collect([Entrant(0), Entrant(1)]);
        let planned = PlannedGame { number: 7, set: 4, place: 0, seats: seats.clone() };
        let summary = Summary {
            ending: Ending::Complete,
            planned: 1,
            counted: 1,
            played: 1,
            unresolved: 0,
            panics: 0,
            disqualified: vec![],
            halted: vec![],
            took: std::time::Duration::ZERO,
        };
        let (played, log) = (game(Some(&[1, 2]), &["crash"]), Path::new("game.jsonl"));
        tell(Progress::Begun { rounds: 1, planned: 1, counted: 0, at_once: 2 });
        tell(Progress::Started { game: &planned, worker: 1 });
        tell(Progress::Void { game: &planned, reason: Reason::RefereeLate, log });
        tell(Progress::Finished { game: &played, faults: &[], log, clean: true });
        tell(Progress::Counted { games: &[] });
        tell(Progress::Disqualified { bot: Entrant(1) });
        tell(Progress::Halted { bots: &seats });
        tell(Progress::RoundOver { round: 1 });
        tell(Progress::Paired { rounds: 2, planned: 2 });
        tell(Progress::Enough);
        tell(Progress::Stopping);
        tell(Progress::Ended(&summary));
    }

    #[test]
    fn events_are_as_documented() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events.jsonl");
        let events = Events::open(&path).unwrap();
        all(&mut |progress| events.tell(progress));
        drop(events);
        let readme = include_str!("../../../README.md");
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 12);
        for line in lines {
            let (name, fields) = line.as_object().unwrap().iter().next().unwrap();
            let row = readme.lines().find(|row| row.starts_with(&format!("| `{name}` |")));
            let row = row.unwrap_or_else(|| panic!("{name} is not in the README"));
            assert!(fields["at_ms"].is_u64(), "{line}");
            for field in fields.as_object().unwrap().keys().filter(|field| *field != "at_ms") {
                assert!(row.contains(&format!("`{field}`")), "{field} of {name} is not in the README");
            }
        }
    }

    #[test]
    fn a_file_of_something_else_is_refused_and_half_a_line_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events.jsonl");
        std::fs::write(&path, "{\"journal\":{}}\n").unwrap();
        assert!(Events::open(&path).is_err());
        std::fs::write(&path, "{\"header\":{\"format\":1}}\n{\"sta").unwrap();
        Events::open(&path).unwrap().tell(Progress::Enough);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.ends_with("{\"sta\n{\"enough\":{\"at_ms\":0}}\n"), "{text}");
    }

    #[test]
    fn a_pipe_that_nobody_reads_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        // Both ends, so that opening it waits for nobody.
        let mut reader = OpenOptions::new().read(true).write(true).open(&path).unwrap();
        let events = Events::open(&path).unwrap();
        while !events.queue.waiting().is_over {
            all(&mut |progress| events.tell(progress));
        }
        assert!(events.queue.waiting().bytes.is_empty());
        // Whole lines, up to the last one.
        let mut text = [0; 4096];
        reader.read_exact(&mut text).unwrap();
        assert!(text.starts_with(b"{\"begun\":"), "{text:?}");
    }

    #[test]
    fn a_slow_reader_gets_every_line_in_its_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        let read = thread::spawn({
            let path = path.clone();
            move || std::fs::read_to_string(path).unwrap()
        });
        let events = Events::open(&path).unwrap();
        (0..2000).for_each(|planned| events.tell(Progress::Paired { rounds: 1, planned }));
        drop(events);
        let text = read.join().unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let planned: Vec<u64> = lines.map(|line| line["paired"]["planned"].as_u64().unwrap()).collect();
        assert_eq!(planned, (0..2000).collect::<Vec<u64>>());
    }
}
