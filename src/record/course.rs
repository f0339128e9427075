//! What the lines of a log add up to: the course of the game, and how long each seat thought.
//!
//! Two games have equal courses if the same bots, in the same seats, with the same options, saw the same opening, the
//! same chance and the same moves. Their ids, their seeds and all that was measured may differ: that is what tells a
//! course from the `game_sha256`, by which a game is compared with itself played again.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::entry::{End, Entry, Header, PositionHash};
use crate::clock::Span;
use crate::seat::{BySeat, MAX_SEATS, Seat};

/// What was played, as 16 hex digits: the beginning of a SHA-256.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Debug)]
#[serde(transparent)]
pub struct Course(PositionHash);

impl Course {
    /// One that stands for a text, as for a game that was never played.
    pub fn of(text: &str) -> Course {
        Course::from_digest(&Sha256::digest(text))
    }

    fn from_digest(digest: &[u8]) -> Course {
        Course(PositionHash(u64::from_be_bytes(std::array::from_fn(|index| digest[index]))))
    }
}

/// What the lines of one log add up to so far.
#[derive(Default)]
pub(super) struct Tally {
    course: Sha256,
    thought: ArrayVec<Span, MAX_SEATS>,
}

impl Tally {
    /// Takes in a line.
    pub fn entry(&mut self, entry: &Entry) {
        match entry {
            Entry::Header(header) => self.header(header),
            Entry::Move(mv) => {
                self.step(mv.seat, mv.token.as_bytes());
                if let Some(host) = &mv.host {
                    self.think(mv.seat, host.got.since(host.sent));
                }
            }
            Entry::Chance(chance) => self.words(&[b"chance", chance.outcome.get().as_bytes()]),
            Entry::Leave(leave) => self.step(leave.seat, b"leave"),
            Entry::Fault(fault) => {
                // The time of a tolerated fault is that of the move drawn for it; nobody thinks before the first turn.
                if let (Some(host), 1.., false) = (&fault.host, fault.turn, fault.tolerated) {
                    self.think(fault.seat, host.sent.map_or(Span::ZERO, |sent| host.at.since(sent)));
                }
            }
            Entry::Note(_) => {}
        }
    }

    /// What all of it comes to.
    pub fn end(mut self, end: &End) -> (Course, BySeat<Span>) {
        self.words(&[b"end", end.outcome.reason.as_str().as_bytes()]);
        (Course::from_digest(&self.course.finalize()), BySeat::collect(self.thought))
    }

    fn header(&mut self, header: &Header) {
        self.thought = header.players.iter().map(|_| Span::ZERO).collect();
        self.words(&[header.game.as_str().as_bytes(), header.rules.to_string().as_bytes()]);
        self.words(&[header.options.get().as_bytes()]);
        header.players.iter().for_each(|name| self.words(&[name.as_bytes()]));
    }

    fn step(&mut self, seat: Seat, what: &[u8]) {
        self.words(&[&[u8::from(seat)], what]);
    }

    /// Each word behind its length, so that no other words run together to the same bytes.
    fn words(&mut self, words: &[&[u8]]) {
        for word in words {
            self.course.update((word.len() as u64).to_le_bytes());
            self.course.update(word);
        }
    }

    fn think(&mut self, seat: Seat, time: Span) {
        if let Some(thought) = self.thought.get_mut(seat.index()) {
            *thought = *thought + time;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Moment;
    use crate::record::reader::{Line, Reader};
    use crate::record::writer::{Writer, Written};

    const CARDS: &str = include_str!("../../fixtures/logs/alto-ahi-2-cards.jsonl");
    const FAULT: &str = include_str!("../../fixtures/logs/trouble-timeout.jsonl");
    const STRIKE: &str = include_str!("../../fixtures/logs/trouble-strike.jsonl");

    /// Writes a log again with every line changed like this.
    fn again(log: &str, mut change: impl FnMut(&mut Entry)) -> Written<Vec<u8>> {
        let (mut reader, header) = Reader::new(log.as_bytes()).expect("a log");
        let mut writer = Writer::new(Vec::new());
        let mut entry = Entry::Header(Box::new(header));
        loop {
            change(&mut entry);
            writer.entry(&entry).expect("memory takes all bytes");
            entry = match reader.read().expect("a line").expect("no end yet") {
                Line::Entry(entry) => entry,
                Line::End(ending) => return writer.finish(&ending.end).expect("memory takes all bytes"),
            };
        }
    }

    fn course(log: &str, change: impl FnMut(&mut Entry)) -> Course {
        again(log, change).course
    }

    #[test]
    fn ids_seeds_and_times_are_no_part_of_a_course() {
        let plain = again(CARDS, |_| {});
        let other = again(CARDS, |entry| match entry {
            Entry::Header(header) => {
                header.game_id = "another".to_owned();
                header.luck_id = "another".to_owned();
                header.commitment = crate::chance::Hex32([7; 32]);
            }
            Entry::Move(mv) => mv.host.as_mut().expect("times").got = Moment(u64::MAX),
            _ => {}
        });
        assert_eq!(plain.course, other.course);
        assert_ne!(plain.digests.game_sha256, other.digests.game_sha256);
    }

    #[test]
    fn whatever_was_played_otherwise_is_another_course() {
        let plain = course(CARDS, |_| {});
        let mut moves = 0;
        let moved = course(CARDS, |entry| {
            if let Entry::Move(mv) = entry {
                moves += 1;
                mv.token = if moves == 1 { "e2".parse().unwrap() } else { mv.token };
            }
        });
        let drawn = course(CARDS, |entry| {
            if let Entry::Chance(chance) = entry {
                chance.outcome = serde_json::value::RawValue::from_string("{}".to_owned()).unwrap();
            }
        });
        let seated = course(CARDS, |entry| {
            if let Entry::Header(header) = entry {
                header.players = BySeat::collect(header.players.iter().rev().cloned());
            }
        });
        let optioned = course(CARDS, |entry| {
            if let Entry::Header(header) = entry {
                header.options = serde_json::value::RawValue::from_string("{}".to_owned()).unwrap();
            }
        });
        let mut all = vec![plain, moved, drawn, seated, optioned, course(FAULT, |_| {})];
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 6);
    }

    #[test]
    fn names_do_not_run_together() {
        let named = |one: &str, other: &str| {
            course(CARDS, |entry| {
                if let Entry::Header(header) = entry {
                    header.players = BySeat::collect([one.to_owned(), other.to_owned()]);
                }
            })
        };
        assert_ne!(named("ab", "c"), named("a", "bc"));
    }

    #[test]
    fn each_seat_thought_from_its_questions_to_its_answers() {
        for log in [CARDS, FAULT, STRIKE] {
            let mut spent = [0, 0];
            let written = again(log, |entry| match entry {
                Entry::Move(mv) => {
                    let host = mv.host.as_ref().expect("times");
                    spent[mv.seat.index()] += host.got.0 - host.sent.0;
                }
                Entry::Fault(fault) if !fault.tolerated => {
                    let host = fault.host.as_ref().expect("times");
                    spent[fault.seat.index()] += host.at.0 - host.sent.expect("it was asked").0;
                }
                _ => {}
            });
            assert_eq!(written.thought, BySeat::collect(spent.map(Span)));
            assert!(spent[0] > 0 && spent[1] > 0, "{spent:?}");
        }
    }
}
