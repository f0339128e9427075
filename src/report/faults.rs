//! What the log of a game says of the faults in it, for the authors of bots.

use crate::record::entry::{Entry, FaultKind, Note};
use crate::record::reader::{Line, Reader};
use crate::seat::{BySeat, Seat};

/// About how much of the end of a bot's stderr is shown with a fault, in bytes.
const STDERR_SHOWN: usize = 2000;

/// A fault as its author should see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultSaid {
    /// Who is charged.
    pub seat: Seat,
    /// Its name.
    pub kind: &'static str,
    /// Whether a strike was taken for it, and the game went on.
    pub tolerated: bool,
    /// What happened, and what to do about it.
    pub words: String,
    /// The last that the bot wrote on stderr.
    pub stderr: String,
}

/// The faults in a log, in order; as far as it can be read. Giving up is none.
pub fn in_log(log: &[u8]) -> Vec<FaultSaid> {
    let Ok((mut reader, header)) = Reader::new(log) else { return Vec::new() };
    let mut stderr = header.players.map(|_| String::new());
    let mut faults: Vec<FaultSaid> = Vec::new();
    while let Ok(Some(Line::Entry(entry))) = reader.read() {
        match entry {
            Entry::Note(note) => match *note {
                Note::Stderr { seat, text, .. } => keep_last(&mut stderr, seat, &text),
                // It was dropped when it came, and is told at the end of the log.
                Note::StderrTail { seat, text, .. } => {
                    keep_last(&mut stderr, seat, &text);
                    let last = faults.iter_mut().rfind(|fault| fault.seat == seat);
                    last.into_iter().for_each(|fault| fault.stderr.clone_from(&stderr[seat]));
                }
                _ => {}
            },
            Entry::Fault(fault) if fault.kind != FaultKind::Resigned => faults.push(FaultSaid {
                seat: fault.seat,
                kind: fault.kind.as_str(),
                tolerated: fault.tolerated,
                words: fault.host.map(|host| host.words).unwrap_or_default(),
                stderr: stderr
                    .seats()
                    .find(|(seat, _)| *seat == fault.seat)
                    .map(|(_, text)| text.clone())
                    .unwrap_or_default(),
            }),
            _ => {}
        }
    }
    faults
}

fn keep_last(stderr: &mut BySeat<String>, seat: Seat, text: &str) {
    if seat.index() < stderr.len() {
        let kept = &mut stderr[seat];
        kept.push_str(text);
        let cut = kept.ceil_char_boundary(kept.len().saturating_sub(STDERR_SHOWN));
        kept.drain(..cut);
    }
}
