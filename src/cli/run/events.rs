//! The events of a tournament as JSON Lines, for dashboards.
//!
//! The first line of each run is a header with the version of the format; each other line is one event of a closed list,
//! under its name. A run that goes on with a tournament goes on with its file, behind a header of its own. The format is
//! specified in `README.md`.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

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

/// Writes events to a file.
pub struct Events {
    path: PathBuf,
    /// None after a write failed.
    file: Option<File>,
    began: Instant,
}

/// A line of the file.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Line<'a> {
    Header(Header<'a>),
    Begun { at_ms: u64, planned: u64, counted: u64, at_once: usize },
    Started { at_ms: u64, game: u64, set: u64, seats: &'a BySeat<Entrant>, worker: usize },
    Void { at_ms: u64, game: u64, reason: Reason, log: &'a Path },
    Finished { at_ms: u64, game: &'a Played, faults: Vec<FaultLine<'a>>, log: &'a Path, clean: bool },
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
        Ok(Events { path: path.to_owned(), file: Some(file), began: Instant::now() })
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
    pub fn tell(&mut self, progress: Progress) {
        let at_ms = self.began.elapsed().as_millis() as u64;
        self.line(&match progress {
            Progress::Begun { planned, counted, at_once } => Line::Begun { at_ms, planned, counted, at_once },
            Progress::Started { game, worker } => {
                Line::Started { at_ms, game: game.number, set: game.set, seats: &game.seats, worker }
            }
            Progress::Void { game, reason, log } => Line::Void { at_ms, game: game.number, reason, log },
            Progress::Finished { game, faults, log, clean } => {
                let faults = faults.iter().map(|fault| FaultLine {
                    seat: fault.seat.index(),
                    kind: fault.kind,
                    tolerated: fault.tolerated,
                    words: &fault.words,
                    stderr: &fault.stderr,
                });
                Line::Finished { at_ms, game, faults: faults.collect(), log, clean }
            }
            Progress::Counted { games } => Line::Counted { at_ms, games: games.iter().map(|game| game.game).collect() },
            Progress::Disqualified { bot } => Line::Disqualified { at_ms, bot },
            Progress::Halted { bots } => Line::Halted { at_ms, bots },
            Progress::RoundOver { round } => Line::RoundOver { at_ms, round },
            Progress::Paired { planned } => Line::Paired { at_ms, planned },
            Progress::Enough => Line::Enough { at_ms },
            Progress::Stopping => Line::Stopping { at_ms },
            Progress::Ended(summary) => Line::Ended(EndLine::of(at_ms, summary)),
        });
    }

    /// A line goes out whole and at once, so that whoever reads along sees whole lines. Whoever does not read any more
    /// does not end a tournament.
    fn line(&mut self, line: &Line) {
        let Some(file) = &mut self.file else { return };
        let mut bytes = serde_json::to_vec(line).expect("events are plain data");
        bytes.push(b'\n');
        if let Err(error) = file.write_all(&bytes) {
            tracing::warn!("events are no longer written to {}: {error}", self.path.display());
            self.file = None;
        }
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
        tell(Progress::Begun { planned: 1, counted: 0, at_once: 2 });
        tell(Progress::Started { game: &planned, worker: 1 });
        tell(Progress::Void { game: &planned, reason: Reason::RefereeLate, log });
        tell(Progress::Finished { game: &played, faults: &[], log, clean: true });
        tell(Progress::Counted { games: &[] });
        tell(Progress::Disqualified { bot: Entrant(1) });
        tell(Progress::Halted { bots: &seats });
        tell(Progress::RoundOver { round: 1 });
        tell(Progress::Paired { planned: 2 });
        tell(Progress::Enough);
        tell(Progress::Stopping);
        tell(Progress::Ended(&summary));
    }

    #[test]
    fn events_are_as_documented() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events.jsonl");
        let mut events = Events::open(&path).unwrap();
        all(&mut |progress| events.tell(progress));
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
}
