//! Plans as files: one line for what holds for all, one for each round, one for each set, and one at the end.
//!
//! All but the seats of a set follows from what stands before it. It is written out all the same, so that people and
//! other programs can read a plan; and when a plan is read, each line must be exactly what would be written.

use std::io::{self, BufRead, Read, Write};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{FORMAT, Follows, Header, Part, Plan, PlannedRound, PlannedSet, luck_id};
use crate::chance::Hex32;
use crate::seat::BySeat;
use crate::tournament::Entrant;

/// The longest line that is read: openings by the hundred thousand stand in one.
const MOST_BYTES: u64 = 64 << 20;

/// A plan that cannot be taken.
#[derive(Debug, thiserror::Error)]
pub enum BadPlan {
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Reading(#[from] io::Error),
    /// A line that no plan of ours has there.
    #[error("line {line}: {what}; a plan is never changed by hand: bring back the file as it was written")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// A plan of another format.
    #[error("a plan of format {0}; this arbitro reads format {FORMAT}")]
    OtherFormat(u64),
    /// A plan for other rules than this program plays.
    #[error("planned for version {found} of the rules of {game}; this arbitro plays version {known}")]
    OtherRules {
        /// The game.
        game: &'static str,
        /// The version in the plan.
        found: u32,
        /// The version here.
        known: u32,
    },
    /// A further file that does not follow the one before it.
    #[error("it does not follow the plan before it; bring back the files as they were written")]
    OutOfChain,
}

/// The name of a file of a plan, by its number from 0.
pub fn file_name(part: usize) -> String {
    if part == 0 { "plan.jsonl".to_owned() } else { format!("plan-{:04}.jsonl", part + 1) }
}

/// The first line of a further file.
#[derive(PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Further {
    format: u32,
    part: usize,
    plan: Hex32,
    previous: Hex32,
    results: Hex32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RoundLine {
    number: usize,
    meetings: u32,
    sets_each: u32,
    byes: Vec<Entrant>,
}

#[derive(Serialize)]
struct SetLine<'a> {
    number: usize,
    round: u32,
    meeting: u32,
    seats: &'a BySeat<Entrant>,
    first_game: u64,
    luck: String,
    opening: Option<u32>,
    sitting: u32,
}

/// The last line: what the file holds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EndLine {
    rounds: usize,
    sets: usize,
    games: u64,
    /// The hash of all lines above, in further files: that of the first is in the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sha256: Option<Hex32>,
}

impl Plan {
    /// Writes one of its files, by its number from 0; the hash of what was written.
    ///
    /// # Errors
    /// Those of the writer below.
    pub fn write(&self, part: usize, to: &mut dyn Write) -> io::Result<Hex32> {
        let mut to = Hashing { to, hash: Sha256::new(), line: Vec::new() };
        let this = &self.parts[part];
        match &this.follows {
            None => to.line("plan", &self.header)?,
            Some(follows) => to.line("further", &self.further(part, *follows))?,
        }
        for index in this.rounds.clone() {
            let round = &self.rounds[index];
            to.line("round", &round_line(index, round))?;
            round.sets().try_for_each(|set| to.line("set", &self.set_line(set, &self.sets[set])))?;
        }
        let above = to.hash.clone();
        to.line("end", &self.end_line(this, above))?;
        to.to.flush()?;
        Ok(Hex32(to.hash.finalize().into()))
    }

    /// Reads a plan from its first file.
    ///
    /// # Errors
    /// Anything in it that is not as it would be written.
    pub fn read(from: impl BufRead) -> Result<Plan, BadPlan> {
        let mut lines = Lines::new(from);
        let header = lines.header()?;
        let mut plan = Plan { header, parts: Vec::new(), rounds: Vec::new(), sets: Vec::new() };
        lines.rest(&mut plan, None)?;
        Ok(plan)
    }

    /// Reads no more than what holds for all games from the first file of a plan.
    ///
    /// # Errors
    /// If that is not as it would be written.
    pub fn read_header(from: impl BufRead) -> Result<Header, BadPlan> {
        Lines::new(from).header()
    }

    /// Reads the next file of this plan.
    ///
    /// # Errors
    /// Anything in it that is not as it would be written, or if it follows another plan.
    pub fn read_further(&mut self, from: impl BufRead) -> Result<(), BadPlan> {
        let mut lines = Lines::new(from);
        lines.next()?;
        let found: Further = lines.typed("further")?;
        let previous = self.parts.last().expect("a plan has a first file").sha256;
        let follows = Follows { previous, results: found.results };
        let expected = self.further(self.parts.len(), follows);
        if found != expected {
            return Err(BadPlan::OutOfChain);
        }
        lines.compare("further", &expected)?;
        lines.rest(self, Some(follows))
    }

    fn further(&self, part: usize, follows: Follows) -> Further {
        let Follows { previous, results } = follows;
        Further { format: FORMAT, part: part + 1, plan: self.sha256(), previous, results }
    }

    fn set_line<'a>(&self, index: usize, set: &'a PlannedSet) -> SetLine<'a> {
        SetLine {
            number: index + 1,
            round: set.round,
            meeting: set.meeting,
            seats: &set.seats,
            first_game: index as u64 * self.games_each() as u64 + 1,
            luck: luck_id(index as u64 + 1),
            opening: set.opening,
            sitting: set.sitting,
        }
    }

    fn end_line(&self, part: &Part, above: Sha256) -> EndLine {
        let rounds = &self.rounds[part.rounds.clone()];
        let sets = rounds.iter().map(|round| round.sets().len()).sum();
        let sha256 = part.follows.map(|_| Hex32(above.finalize().into()));
        EndLine { rounds: rounds.len(), sets, games: sets as u64 * self.games_each() as u64, sha256 }
    }
}

fn round_line(index: usize, round: &PlannedRound) -> RoundLine {
    let PlannedRound { meetings, sets_each, .. } = *round;
    RoundLine { number: index + 1, meetings, sets_each, byes: round.byes.clone() }
}

/// The header, if its format and rules are ours.
fn readable(lines: &Lines<impl BufRead>, inner: &str) -> Result<Header, BadPlan> {
    #[derive(Deserialize)]
    struct Format {
        format: u64,
    }
    match serde_json::from_str(inner) {
        Ok(Format { format }) if format != u64::from(FORMAT) => return Err(BadPlan::OtherFormat(format)),
        _ => {}
    }
    let header: Header = serde_json::from_str(inner).map_err(|error| lines.wrong(error))?;
    let known = header.game.rules_version();
    if header.rules != known {
        return Err(BadPlan::OtherRules { game: header.game.as_str(), found: header.rules, known });
    }
    if !header.game.seats().contains(&header.seats) {
        return Err(lines.wrong(format!("{} is not played by {} bots", header.game, header.seats)));
    }
    Ok(header)
}

/// A writer that hashes what it writes.
struct Hashing<'a> {
    to: &'a mut dyn Write,
    hash: Sha256,
    line: Vec<u8>,
}

impl Hashing<'_> {
    fn line(&mut self, tag: &str, value: &impl Serialize) -> io::Result<()> {
        self.line.clear();
        append(&mut self.line, tag, value)?;
        self.hash.update(&self.line);
        self.to.write_all(&self.line)
    }
}

fn append(line: &mut Vec<u8>, tag: &str, value: &impl Serialize) -> io::Result<()> {
    line.extend_from_slice(b"{\"");
    line.extend_from_slice(tag.as_bytes());
    line.extend_from_slice(b"\":");
    serde_json::to_writer(&mut *line, value)?;
    line.extend_from_slice(b"}\n");
    Ok(())
}

/// The lines of a file of a plan.
struct Lines<R> {
    from: R,
    line: Vec<u8>,
    number: usize,
    /// Of the lines above this one.
    hash: Sha256,
    expected: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    fn new(from: R) -> Lines<R> {
        Lines { from, line: Vec::new(), number: 0, hash: Sha256::new(), expected: Vec::new() }
    }

    /// Goes on to the next line.
    fn next(&mut self) -> Result<(), BadPlan> {
        self.hash.update(&self.line);
        self.line.clear();
        self.number += 1;
        self.from.by_ref().take(MOST_BYTES).read_until(b'\n', &mut self.line)?;
        if self.line.ends_with(b"\n") { Ok(()) } else { Err(self.wrong("the file ends before its last line")) }
    }

    /// What stands behind this tag in the line.
    fn tagged(&self, tag: &str) -> Result<&str, String> {
        let line = std::str::from_utf8(&self.line).map_err(|error| error.to_string())?;
        let inner = || line.strip_prefix("{\"")?.strip_prefix(tag)?.strip_prefix("\":")?.strip_suffix("}\n");
        inner().ok_or_else(|| format!("“{tag}” was expected here"))
    }

    fn typed<'a, T: Deserialize<'a>>(&'a self, tag: &str) -> Result<T, BadPlan> {
        let inner = self.tagged(tag).map_err(|error| self.wrong(error))?;
        serde_json::from_str(inner).map_err(|error| self.wrong(error))
    }

    /// The first line of a plan.
    fn header(&mut self) -> Result<Header, BadPlan> {
        self.next()?;
        let header = self.tagged("plan").map_err(|_| self.wrong("this is no plan of arbitro"))?;
        let header = readable(self, header)?;
        self.compare("plan", &header)?;
        Ok(header)
    }

    /// The line must be exactly this one.
    fn compare(&mut self, tag: &str, value: &impl Serialize) -> Result<(), BadPlan> {
        self.expected.clear();
        append(&mut self.expected, tag, value)?;
        if self.line == self.expected {
            return Ok(());
        }
        let expected = String::from_utf8_lossy(&self.expected);
        let shown: String = expected.trim_end().chars().take(200).collect();
        Err(self.wrong(format!("it should be {shown}")))
    }

    /// Reads rounds to the end of the file.
    fn rest(&mut self, plan: &mut Plan, follows: Option<Follows>) -> Result<(), BadPlan> {
        let first = plan.rounds.len();
        self.next()?;
        while self.tagged("round").is_ok() {
            self.round(plan)?;
            self.next()?;
        }
        let mut part = Part { rounds: first..plan.rounds.len(), follows, sha256: Hex32([0; 32]) };
        let end = plan.end_line(&part, self.hash.clone());
        if self.typed::<EndLine>("end")?.sha256 != end.sha256 {
            return Err(self.wrong("something above this line is not as it was written"));
        }
        self.compare("end", &end)?;
        if !self.from.fill_buf()?.is_empty() {
            self.number += 1;
            return Err(self.wrong("something follows the last line"));
        }
        self.hash.update(&self.line);
        part.sha256 = Hex32(std::mem::take(&mut self.hash).finalize().into());
        plan.parts.push(part);
        Ok(())
    }

    fn round(&mut self, plan: &mut Plan) -> Result<(), BadPlan> {
        let RoundLine { meetings, sets_each, byes, .. } = self.typed("round")?;
        let round = plan.begin_round(meetings, sets_each, byes);
        if round.byes.iter().any(|bot| bot.index() >= plan.header.bots.len()) {
            return Err(self.wrong("there is no such bot"));
        }
        self.compare("round", &round_line(plan.rounds.len(), &round))?;
        for (meeting, number) in (0..meetings).flat_map(|meeting| (0..sets_each).map(move |number| (meeting, number))) {
            self.next()?;
            let set = self.set(plan, &round, meeting, number)?;
            plan.sets.push(set);
        }
        plan.rounds.push(round);
        Ok(())
    }

    fn set(&mut self, plan: &Plan, round: &PlannedRound, meeting: u32, number: u32) -> Result<PlannedSet, BadPlan> {
        #[derive(Deserialize)]
        struct Seats {
            seats: BySeat<Entrant>,
        }
        let Seats { seats } = self.typed("set")?;
        plan.check_seats(&seats).map_err(|what| self.wrong(what))?;
        // The seats of a meeting are those of its first set; what follows from them is compared.
        let first = plan.sets.len() - number as usize;
        let set = plan.next_set(round, meeting, number, plan.sets.get(first).map_or(&seats, |first| &first.seats));
        self.compare("set", &plan.set_line(plan.sets.len(), &set))?;
        Ok(set)
    }

    fn wrong(&self, what: impl ToString) -> BadPlan {
        BadPlan::Line { line: self.number, what: what.to_string() }
    }
}
