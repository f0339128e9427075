//! Reads the lines that make up nearly all of a log, moves without `info` and chance steps, in exactly the form in which
//! the writer writes them; several times as fast as the general way. Whatever differs in a single byte goes that way
//! instead.

use serde_json::value::RawValue;

use super::entry::{Chance, ChosenBy, Entry, Load, Move, MoveHost, PositionHash};
use crate::clock::{Moment, Span};
use crate::game::Token;
use crate::seat::Seat;

/// The step on this line, if it is one of these in the writer's own form.
pub fn read(line: &[u8]) -> Option<Entry> {
    read_move(line).map(Entry::Move).or_else(|| read_chance(line).map(Entry::Chance))
}

/// The move on this line, if it stands there in the writer's own form.
fn read_move(line: &[u8]) -> Option<Move> {
    let mut rest = Rest(line);
    rest.take(b"{\"move\":{\"ply\":")?;
    let ply = rest.number()?;
    rest.take(b",\"turn\":")?;
    let turn = rest.number()?;
    rest.take(b",\"seat\":")?;
    let seat = Seat::try_from(u8::try_from(rest.number()?).ok()?).ok()?;
    rest.take(b",\"move\":\"")?;
    let token = rest.word()?;
    rest.take(b",\"hash\":\"")?;
    let hash = rest.hash()?;
    let by = match () {
        () if rest.take(b",\"by\":\"strike\"").is_some() => Some(ChosenBy::Strike),
        () if rest.take(b",\"by\":\"opening\"").is_some() => Some(ChosenBy::Opening),
        () => None,
    };
    let host = if rest.take(b",\"host\":{").is_some() { Some(rest.host()?) } else { None };
    rest.take(b"}}")?;
    rest.0.is_empty().then_some(Move { ply, turn, seat, token, hash, by, host })
}

/// The chance step on this line, if it stands there in the writer's own form, whatever its outcome.
fn read_chance(line: &[u8]) -> Option<Chance> {
    const BEHIND_OUTCOME: usize = br#","hash":"0123456789abcdef"}}"#.len();
    let mut rest = Rest(line);
    rest.take(b"{\"chance\":{\"outcome\":")?;
    let (outcome, behind) = rest.0.split_at(rest.0.len().checked_sub(BEHIND_OUTCOME)?);
    rest = Rest(behind);
    rest.take(b",\"hash\":\"")?;
    let hash = rest.hash()?;
    rest.take(b"}}")?;
    // It is one whole value, or refused here: nothing in it can be taken for another field.
    let outcome = RawValue::from_string(std::str::from_utf8(outcome).ok()?.to_owned()).ok()?;
    Some(Chance { outcome, hash })
}

/// The value of each byte as a lower-case hex digit; 16 for one that is none.
const DIGITS: [u8; 256] = {
    let mut digits = [16; 256];
    let mut value = 0;
    while value < 16 {
        digits[b"0123456789abcdef"[value] as usize] = value as u8;
        value += 1;
    }
    digits
};

/// What is still to be read.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn take(&mut self, text: &[u8]) -> Option<()> {
        self.0 = self.0.strip_prefix(text)?;
        Some(())
    }

    /// A number as the writer writes it: no sign, no leading zero, below 10¹⁹ and so within 64 bits.
    fn number(&mut self) -> Option<u64> {
        let (mut sum, mut digits) = (0u64, 0);
        while let Some(digit) = self.0.get(digits).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
            sum = sum.wrapping_mul(10).wrapping_add(u64::from(digit));
            digits += 1;
        }
        if digits == 0 || digits > 19 || digits > 1 && self.0[0] == b'0' {
            return None;
        }
        self.0 = &self.0[digits..];
        Some(sum)
    }

    /// A short word up to its quotation mark, with nothing in it that would be escaped.
    fn word(&mut self) -> Option<Token> {
        let end = self.0.iter().position(|&byte| byte == b'"')?;
        let (word, rest) = self.0.split_at(end);
        let plain = word.iter().all(|&byte| byte.is_ascii_graphic() && byte != b'\\');
        self.0 = &rest[1..];
        Token::from(std::str::from_utf8(word).ok().filter(|_| plain)?).ok()
    }

    /// 16 lower-case hex digits up to their quotation mark.
    fn hash(&mut self) -> Option<PositionHash> {
        let (digits, rest) = self.0.split_first_chunk::<16>()?;
        self.0 = rest.strip_prefix(b"\"")?;
        let (mut value, mut wrong) = (0u64, 0);
        for &byte in digits {
            let digit = DIGITS[usize::from(byte)];
            wrong |= digit;
            value = value << 4 | u64::from(digit & 15);
        }
        (wrong < 16).then_some(PositionHash(value))
    }

    fn host(&mut self) -> Option<MoveHost> {
        self.take(b"\"sent\":")?;
        let sent = Moment(self.number()?);
        self.take(b",\"got\":")?;
        let got = Moment(self.number()?);
        self.take(b",\"left\":")?;
        let left = if self.take(b"null").is_some() { None } else { Some(Span(self.number()?)) };
        let periods = match self.take(b",\"periods\":") {
            Some(()) => Some(u32::try_from(self.number()?).ok()?),
            None => None,
        };
        let overrun = if self.take(b",\"overrun\":").is_some() { Span(self.number()?) } else { Span::ZERO };
        let load = if self.take(b",\"load\":{").is_some() { Some(self.load()?) } else { None };
        self.take(b"}")?;
        Some(MoveHost { sent, got, left, periods, overrun, load, info: None })
    }

    fn load(&mut self) -> Option<Load> {
        self.take(b"\"from\":")?;
        let from = Moment(self.number()?);
        self.take(b",\"cpu\":")?;
        let cpu = Span(self.number()?);
        self.take(b",\"wait\":")?;
        let wait = Span(self.number()?);
        self.take(b",\"referee_wait\":")?;
        let referee_wait = Span(self.number()?);
        self.take(b"}")?;
        Some(Load { from, cpu, wait, referee_wait })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::writer::Writer;
    use proptest::prelude::*;

    /// The general way: what serde makes of the object inside the line.
    fn general(line: &str) -> Option<Move> {
        serde_json::from_str(line.strip_prefix("{\"move\":")?.strip_suffix('}')?).ok()
    }

    fn general_chance(line: &str) -> Option<Chance> {
        serde_json::from_str(line.strip_prefix("{\"chance\":")?.strip_suffix('}')?).ok()
    }

    fn written(mv: &Move) -> String {
        let mut bytes = Vec::new();
        Writer::new(&mut bytes).entry(&Entry::Move(mv.clone())).unwrap();
        String::from_utf8(bytes).unwrap().trim_end().to_owned()
    }

    fn any_move() -> impl Strategy<Value = Move> {
        let left = (proptest::option::of(any::<u64>()), proptest::option::of(any::<u32>()));
        let load = proptest::option::of((any::<u32>(), any::<u64>(), 0..3u64));
        let load = load.prop_map(|load| {
            let (from, cpu, wait) = load?;
            Some(Load { from: Moment(from.into()), cpu: Span(cpu), wait: Span(wait), referee_wait: Span(wait) })
        });
        let host = (any::<u32>(), any::<u64>(), left, 0..3u64, load);
        let host = host.prop_map(|(sent, got, (left, periods), overrun, load)| MoveHost {
            sent: Moment(sent.into()),
            got: Moment(got),
            left: left.map(Span),
            periods,
            overrun: Span(overrun),
            load,
            info: None,
        });
        let by = prop::sample::select(vec![None, Some(ChosenBy::Opening), Some(ChosenBy::Strike)]);
        let text = (any::<u64>(), any::<u32>(), 0u8..4, "[a-z0-9+-]{1,12}", any::<u64>(), by);
        (text, proptest::option::of(host)).prop_map(|((ply, turn, seat, token, hash, by), host)| Move {
            ply,
            turn: turn.into(),
            seat: Seat::try_from(seat).unwrap(),
            token: Token::from(&token).unwrap(),
            hash: PositionHash(hash),
            by,
            host,
        })
    }

    #[test]
    fn what_the_writer_writes_is_read_quickly() {
        let line = r#"{"move":{"ply":12,"turn":3,"seat":1,"move":"e2","hash":"00000000000000ff","by":"strike","host":{"sent":5,"got":90,"left":null,"periods":2,"overrun":7,"load":{"from":4,"cpu":70,"wait":6,"referee_wait":0}}}}"#;
        let mv = read_move(line.as_bytes()).expect("it is in the writer's form");
        assert_eq!(written(&mv), line);
    }

    #[test]
    fn any_outcome_is_read_quickly_if_it_is_one_whole_value() {
        for outcome in [r#""DDWDAD""#, r#"{"card":"push"}"#, r#"{"hash":"00"}"#, "3"] {
            let line = format!(r#"{{"chance":{{"outcome":{outcome},"hash":"00000000000000ff"}}}}"#);
            let chance = read_chance(line.as_bytes()).expect("it is in the writer's form");
            assert_eq!((chance.outcome.get(), chance.hash), (outcome, PositionHash(255)));
        }
        for other in [
            r#"{"chance":{"outcome":"D","more":1,"hash":"00000000000000ff"}}"#,
            r#"{"chance":{"outcome":"D","hash":"00000000000000ff","hash":"00000000000000ff"}}"#,
            r#"{"chance":{"outcome":"D,"hash":"00000000000000ff"}}"#,
            r#"{"chance":{"outcome":,"hash":"00000000000000ff"}}"#,
            r#"{"chance":{"outcome":"DD","hash":"00000000000000FF"}}"#,
            r#"{"chance":{"outcome":"DD","hash":"00000000000000ff"}} "#,
            r#"{"chance":{"outcome":"#,
        ] {
            assert!(read_chance(other.as_bytes()).is_none(), "{other}");
        }
    }

    proptest! {
        #[test]
        fn both_ways_read_the_same(mv in any_move()) {
            let line = written(&mv);
            // Numbers of 20 digits are left to the general way.
            if let Some(quick) = read_move(line.as_bytes()) {
                prop_assert_eq!(format!("{quick:?}"), format!("{mv:?}"));
            }
            prop_assert_eq!(general(&line).map(|mv| format!("{mv:?}")), Some(format!("{mv:?}")));
        }

        #[test]
        fn a_damaged_line_is_read_by_both_or_left_to_the_general_way(mv in any_move(), at in 0usize..150, byte in 0u8..127) {
            let mut line = written(&mv).into_bytes();
            let at = at % line.len();
            line[at] = byte;
            let line = String::from_utf8(line).unwrap();
            if let Some(quick) = read_move(line.as_bytes()) {
                prop_assert_eq!(Some(format!("{quick:?}")), general(&line).map(|mv| format!("{mv:?}")));
            }
        }

        #[test]
        fn a_damaged_chance_step_is_read_by_both_or_left_to_the_general_way(
            outcome in prop::sample::select(vec![r#""DWA""#, r#"{"bag":"RB"}"#, r#"[1, {"hash":"f"}]"#]),
            hash in any::<u64>(),
            edits in prop::collection::vec((0usize..90, prop::sample::select(r#"{}[]":, \hash0fé"#.chars().collect::<Vec<_>>())), 0..3),
        ) {
            let line = format!(r#"{{"chance":{{"outcome":{outcome},"hash":"{hash:016x}"}}}}"#);
            let mut letters: Vec<char> = line.chars().collect();
            for (at, letter) in edits.iter().copied() {
                let at = at % letters.len();
                // Every other one goes in between.
                if at.is_multiple_of(2) { letters[at] = letter } else { letters.insert(at, letter) }
            }
            let line: String = letters.into_iter().collect();
            let quick = read_chance(line.as_bytes()).map(|chance| format!("{chance:?}"));
            prop_assert!(quick.is_some() || !edits.is_empty());
            if quick.is_some() {
                prop_assert_eq!(quick, general_chance(&line).map(|chance| format!("{chance:?}")));
            }
        }
    }
}
