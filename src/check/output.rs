//! What the bot writes in a plain game, beside its answers and in them.

use super::bench::Bench;
use super::verdict::{Checked, bad, good};
use super::{Check, Weight, check};
use crate::protocol::receive::{self, Message, Unreadable, shown};

/// How much stderr is kept in a log whole, in bytes.
const STDERR_KEPT: u64 =
    (crate::protocol::limits::STDERR_HEAD_BYTES + crate::protocol::limits::STDERR_TAIL_BYTES) as u64;

/// The checks of this part.
pub static CHECKS: [Check; 8] = [
    check(
        Weight::Must,
        "stdout-clean",
        "writes nothing but messages to stdout",
        "plays the beginning of a game and looks for lines that are no JSON objects",
        "Print text for people to stderr: print(…, file=sys.stderr). A stray line on stdout loses the game.",
        stdout_clean,
    ),
    check(
        Weight::Must,
        "message-types",
        "sends no messages but ready, move and resign",
        "plays the beginning of a game and looks for other messages",
        "Send only ready, move and resign; what it thinks belongs into the “info” of a move, or to stderr.",
        message_types,
    ),
    check(
        Weight::Must,
        "one-answer",
        "answers each question once, and speaks only when asked",
        "plays the beginning of a game and listens a while after the last answer",
        "Write one line for each turn, and none in between. More than 16 lines that nobody asked for lose the game.",
        one_answer,
    ),
    check(
        Weight::Must,
        "silent-after-over",
        "does not answer over",
        "tells it that the game is over and listens",
        "Do not answer over, nor any other message but hello and turn.",
        silent_after_over,
    ),
    check(
        Weight::Must,
        "info",
        "keeps its info within the limit",
        "plays the beginning of a game and measures “info”",
        "Make “info” an object of at most 1024 bytes, nested at most 32 levels, or leave it out.",
        info,
    ),
    check(
        Weight::Must,
        "line-length",
        "writes short lines",
        "plays the beginning of a game and measures its lines",
        "Write the answer and nothing more: a line of more than 65536 bytes loses the game.",
        line_length,
    ),
    check(
        Weight::Should,
        "stderr",
        "writes little to stderr",
        "plays the beginning of a game and counts",
        "Write less: a log keeps the first 16 KiB and the last 4 KiB of a game.",
        stderr,
    ),
    check(
        Weight::Should,
        "does-not-resign",
        "does not resign at the beginning of a game",
        "plays the beginning of a game",
        "Resign only what is lost: there are no points for it.",
        does_not_resign,
    ),
];

fn stdout_clean(bench: &mut Bench) -> Checked {
    let record = bench.record()?;
    let text = record.strays.iter().find(|stray| matches!(receive::read(&stray.line), Err(Unreadable::NotAnObject)));
    match text {
        None => good(""),
        Some(stray) => Err(bad(format!("“{}” came on stdout", shown(&stray.line)))),
    }
}

fn message_types(bench: &mut Bench) -> Checked {
    let record = bench.record()?;
    let refused = record.strays.iter().find_map(|stray| match receive::read(&stray.line) {
        Ok(_) | Err(Unreadable::NotAnObject) => None,
        Err(why) => Some(format!("{why}; the line was “{}”", shown(&stray.line))),
    });
    refused.map_or_else(|| good(""), |words| Err(bad(words)))
}

fn one_answer(bench: &mut Bench) -> Checked {
    let record = bench.record()?;
    let unasked = record.strays.iter().filter(|stray| receive::read(&stray.line).is_ok());
    match unasked.clone().next() {
        None => good(format!("{} questions, {} answers", record.answers.len(), record.answers.len())),
        Some(stray) => {
            let words =
                format!("{} lines answered no question; the first was “{}”", unasked.count(), shown(&stray.line));
            Err(bad(words))
        }
    }
}

fn silent_after_over(bench: &mut Bench) -> Checked {
    match bench.record()?.after_over.first() {
        None => good(""),
        Some(arrived) => Err(bad(format!("“{}” came after over", shown(&arrived.line)))),
    }
}

fn info(bench: &mut Bench) -> Checked {
    let limit = bench.subject.limits.info_bytes;
    let (mut count, mut longest) = (0, 0);
    for answer in &bench.record()?.answers {
        let Ok(Message::Move(mv)) = receive::read(&answer.line) else { continue };
        if let Some(info) = mv.checked_info(limit).map_err(|why| bad(why.to_string()))? {
            (count, longest) = (count + 1, longest.max(info.get().len()));
        }
    }
    good(if count == 0 { "it sends none".to_owned() } else { format!("{longest} bytes at most, of {limit}") })
}

fn line_length(bench: &mut Bench) -> Checked {
    let limit = bench.subject.limits.line_bytes;
    let record = bench.record()?;
    let lines = record.answers.iter().map(|answer| &answer.line).chain(record.strays.iter().map(|stray| &stray.line));
    let longest = lines.map(Vec::len).max().unwrap_or(0);
    let words = format!("the longest line had {longest} bytes, of {limit}");
    if longest > limit { Err(bad(words)) } else { good(words) }
}

fn stderr(bench: &mut Bench) -> Checked {
    let record = bench.record()?;
    let words = format!("{} bytes in {} turns", record.stderr_bytes, record.answers.len());
    if record.stderr_bytes > STDERR_KEPT { Err(bad(words)) } else { good(words) }
}

fn does_not_resign(bench: &mut Bench) -> Checked {
    let record = bench.record()?;
    match record.answers.iter().position(|answer| answer.token.is_none()) {
        None => good(""),
        Some(before) => Err(bad(format!("it resigned after {before} moves"))),
    }
}
