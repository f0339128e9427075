//! How a game that is over is told: as an object of JSON, and its faults in words.

use std::borrow::Cow;
use std::path::Path;

use serde::Serialize;

use crate::host::play::{FaultShown, Finished};
use crate::record::writer::Digests;
use crate::seat::{BySeat, Seat};

/// The result of a game as JSON.
#[derive(Serialize)]
pub struct Row<'a> {
    schema: u32,
    game_id: &'a str,
    players: &'a BySeat<String>,
    result: &'static str,
    ranks: &'a Option<BySeat<u8>>,
    winner: Option<Seat>,
    reason: &'static str,
    plies: u64,
    faults: Vec<FaultRow<'a>>,
    log: Cow<'a, str>,
    game_sha256: String,
    sha256: String,
}

#[derive(Serialize)]
struct FaultRow<'a> {
    seat: Seat,
    kind: &'static str,
    tolerated: bool,
    words: &'a str,
    stderr: &'a str,
}

/// A game that is over, for `--json`.
pub fn row<'a>(
    game_id: &'a str,
    players: &'a BySeat<String>,
    log: &'a Path,
    finished: &'a Finished,
    digests: Digests,
) -> Row<'a> {
    let faults = finished.faults.iter().map(|fault| FaultRow {
        seat: fault.seat,
        kind: fault.kind,
        tolerated: fault.tolerated,
        words: &fault.words,
        stderr: &fault.stderr,
    });
    let outcome = &finished.end.outcome;
    Row {
        schema: 1,
        game_id,
        players,
        result: outcome.result.as_str(),
        ranks: &outcome.ranks,
        winner: outcome.winner(),
        reason: outcome.reason.as_str(),
        plies: finished.end.plies,
        faults: faults.collect(),
        log: log.to_string_lossy(),
        game_sha256: digests.game_sha256.to_string(),
        sha256: digests.sha256.to_string(),
    }
}

/// A fault in words, with the last that its bot wrote to stderr.
pub fn fault_words(fault: &FaultShown, names: &BySeat<String>) -> String {
    let tolerated = if fault.tolerated { " (tolerated)" } else { "" };
    let mut words = format!("{} (seat {}): {}{tolerated}: {}", names[fault.seat], fault.seat, fault.kind, fault.words);
    let mut lines: Vec<&str> = fault.stderr.lines().rev().take(8).collect();
    lines.reverse();
    for line in lines {
        words.push_str(&format!("\n  stderr: {}", crate::protocol::receive::shown(line.as_bytes())));
    }
    words
}
