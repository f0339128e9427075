//! Logs that hold, and how a log is read to its end and written again.

use arbitro::record::entry::{End, Entry};
use arbitro::record::reader::{Ending, Line, NotALog, Reader};
use arbitro::record::writer::{Digests, Writer};

/// Logs that hold: all games, and all ways in which a game ends.
pub const GOLDEN: [&str; 18] = [
    include_str!("../../fixtures/logs/alto-ahi-2-small.jsonl"),
    include_str!("../../fixtures/logs/alto-ahi-4-side.jsonl"),
    include_str!("../../fixtures/logs/alto-ahi-2-deck.jsonl"),
    include_str!("../../fixtures/logs/alto-riesgo-2-short.jsonl"),
    include_str!("../../fixtures/logs/alto-riesgo-3-capped.jsonl"),
    include_str!("../../fixtures/logs/alto-riesgo-4.jsonl"),
    include_str!("../../fixtures/logs/crecer-forward.jsonl"),
    include_str!("../../fixtures/logs/passage-drawn.jsonl"),
    include_str!("../../fixtures/logs/passage-rematch.jsonl"),
    include_str!("../../fixtures/logs/opening.jsonl"),
    include_str!("../../fixtures/logs/clock-delay.jsonl"),
    include_str!("../../fixtures/logs/clock-byo-yomi.jsonl"),
    include_str!("../../fixtures/logs/trouble-strike.jsonl"),
    include_str!("../../fixtures/logs/trouble-illegal.jsonl"),
    include_str!("../../fixtures/logs/trouble-timeout.jsonl"),
    include_str!("../../fixtures/logs/trouble-crash-of-four.jsonl"),
    include_str!("../../fixtures/logs/trouble-void.jsonl"),
    include_str!("../../fixtures/logs/trouble-stopped.jsonl"),
];

/// What a log says, as far as it can be read.
pub struct Log {
    /// The header and the lines behind it.
    pub entries: Vec<Entry>,
    /// The end line, where reading came so far.
    pub ending: Option<Ending>,
}

impl Log {
    /// Reads up to the end, or up to the first line that is damaged.
    pub fn read(bytes: &[u8]) -> Result<Log, NotALog> {
        let (mut reader, header) = Reader::new(bytes)?;
        let mut entries = vec![Entry::Header(Box::new(header))];
        let most = bytes.iter().filter(|&&byte| byte == b'\n').count();
        while let Ok(Some(line)) = reader.read() {
            match line {
                Line::Entry(entry) => entries.push(entry),
                Line::End(ending) => return Ok(Log { entries, ending: Some(*ending) }),
            }
            assert!(entries.len() <= most, "no line is read twice");
        }
        Ok(Log { entries, ending: None })
    }

    /// The same again as a log of our own writing, with its two hashes if there is an end line.
    pub fn written(&self) -> (Vec<u8>, Option<Digests>) {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes);
        self.entries.iter().for_each(|entry| writer.entry(entry).expect("memory takes all bytes"));
        let digests = self.end().map(|end| writer.end(end).expect("memory takes all bytes"));
        (bytes, digests)
    }

    /// What the end line says.
    pub fn end(&self) -> Option<&End> {
        self.ending.as_ref().map(|ending| &ending.end)
    }
}
