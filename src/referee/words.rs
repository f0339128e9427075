//! What a fault means for the author of the bot: what happened, and what to change.

use super::player::{Charge, Player, Question};
use super::{Gone, Usage};
use crate::clock::{Flag, Moment, TimeControl};
use crate::protocol::limits::{Limits, SCRATCH_FILES};
use crate::protocol::receive::{Unreadable, shown};
use crate::record::entry::{Exit, FaultKind};
use crate::table::Refusal;

/// The flag fell, for an answer or for `ready`.
pub fn late(player: &Player, question: &Question, control: &TimeControl, at: Moment) -> Charge {
    let partial = player.lines.partial();
    let seen = match (partial, player.read - player.answered_at) {
        ([], 0) => {
            "no complete line came, and no part of one; is the output buffered? flush it after each line".to_owned()
        }
        ([], bytes) => format!(
            "{bytes} bytes came since the last answer, but no answer to this: the lines were blank, skipped, or carried \
             the number of another turn"
        ),
        (partial, _) => {
            format!("“{}” came without a line end; did you end the line with \\n and flush it?", shown(partial))
        }
    };
    let used = question.used(at).ms();
    let (kind, what) = match question.turn {
        0 => (FaultKind::Startup, format!("not ready {used} ms after the start")),
        turn => {
            let over = over(player, control);
            (FaultKind::Timeout, format!("no answer to turn {turn} after {used} ms, and {over}"))
        }
    };
    Charge { kind, found: None, words: format!("{what}: {seen}") }
}

/// A complete answer came after the flag.
pub fn late_answer(player: &Player, question: &Question, control: &TimeControl, at: Moment) -> Charge {
    let used = question.used(at).ms();
    let (kind, words) = match question.turn {
        0 => (FaultKind::Startup, format!("ready only {used} ms after the start, when the time for it was over")),
        _ => {
            let over = over(player, control);
            (FaultKind::Timeout, format!("the answer came {used} ms after the question, when {over}"))
        }
    };
    Charge { kind, found: None, words }
}

/// What was over when the flag fell, before the move is charged.
fn over(player: &Player, control: &TimeControl) -> String {
    match (player.clock.flag(control), control.move_limit, control.byo_yomi) {
        (Some(Flag::MoveLimit), Some(limit), _) => format!("the move limit of {limit} was over"),
        (Some(Flag::LastPeriod), _, Some(byo_yomi)) => {
            format!("the last byo-yomi period of {} was over", byo_yomi.period)
        }
        _ => "the bank was used up".to_owned(),
    }
}

/// A line that is no message.
pub fn unreadable(line: &[u8], error: &Unreadable) -> Charge {
    let advice = match error {
        Unreadable::Json(what) if what.starts_with("missing field `turn`") || what.contains("a whole number") => {
            "; repeat the number of the turn that is answered, as a number"
        }
        Unreadable::Json(_) | Unreadable::NotUtf8(_) => {
            "; let a JSON library write the whole object on one line, as json.dumps does in Python"
        }
        Unreadable::NotAnObject | Unreadable::UnknownType(_) => {
            "; only protocol messages go to stdout, write anything else to stderr"
        }
        Unreadable::Info(_) => "",
    };
    let words = format!("{error}; the line was “{}”{advice}", shown(line));
    Charge { kind: FaultKind::Unreadable, found: Some(shown(line)), words }
}

/// A line without an end.
pub fn too_long(limits: &Limits) -> Charge {
    let words = format!("a line on stdout has more than {} bytes; messages are one short line each", limits.line_bytes);
    Charge { kind: FaultKind::TooLong, found: None, words }
}

/// A move that the rules refuse.
pub fn illegal(token: &str, refusal: &Refusal) -> Charge {
    let found = shown(token.as_bytes());
    let words = match refusal {
        Refusal::Unreadable { reason, .. } => format!("“{found}” is not a move: {reason}"),
        Refusal::Illegal(rule) => format!("“{found}” is not legal: {rule}"),
        Refusal::OutOfTurn(why) => format!("“{found}”: {why}"),
    };
    Charge { kind: FaultKind::Illegal, found: Some(found), words }
}

/// One line too many that answers no question.
pub fn unasked(line: &[u8], limits: &Limits) -> Charge {
    let words = format!(
        "more than {} lines answered no question (answer each turn once, with its own number); the last was “{}”",
        limits.unasked_lines,
        shown(line)
    );
    Charge { kind: FaultKind::Unasked, found: None, words }
}

/// More output than is drained for nothing.
pub fn output_limit(limits: &Limits) -> Charge {
    let words = format!("more than {} bytes on stdout since the last answer", limits.output_bytes);
    Charge { kind: FaultKind::OutputLimit, found: None, words }
}

/// More stderr than is drained for nothing.
pub fn stderr_limit(limits: &Limits) -> Charge {
    let words = format!("more than {} bytes on stderr", limits.stderr_bytes);
    Charge { kind: FaultKind::StderrLimit, found: None, words }
}

/// The first limit that a bot's processes went over, if they did.
pub fn exceeded(usage: &Usage, limits: &Limits) -> Option<Charge> {
    let over = |kind, used, limit: Option<u64>, what: &str| {
        let limit = limit.filter(|&limit| used > limit)?;
        let words =
            format!("{what}: {used}, and at most {limit} are allowed; it was looked at every tenth of a second");
        Some(Charge { kind, found: None, words })
    };
    let memory = "bytes of memory of the program and all that it started";
    let threads = "threads, with ended processes that were not waited for";
    over(FaultKind::MemoryLimit, usage.memory_bytes, limits.memory_bytes, memory)
        .or_else(|| over(FaultKind::ProcessLimit, usage.processes, limits.processes, "processes at once"))
        .or_else(|| over(FaultKind::ProcessLimit, usage.threads, limits.threads(), threads))
        .or_else(|| over(FaultKind::OpenFilesLimit, usage.open_files, limits.open_files, "open files of one process"))
        .or_else(|| over(FaultKind::CpuLimit, usage.cpu.whole_ms(), limits.cpu_ms, "milliseconds of processor time"))
        .or_else(|| {
            over(FaultKind::ScratchLimit, usage.scratch_bytes, limits.scratch_bytes, "bytes in the writable folder")
        })
        .or_else(|| {
            over(FaultKind::ScratchLimit, usage.scratch_files, Some(SCRATCH_FILES), "files in the writable folder")
        })
        .or_else(|| usage.scratch_hidden.then(hidden))
}

/// Files that cannot be counted.
fn hidden() -> Charge {
    let words = "a folder in the writable folder cannot be looked into: its path is too long, or its rights forbid it";
    Charge { kind: FaultKind::ScratchLimit, found: None, words: words.to_owned() }
}

/// What a program ended of: the kernel ends one that goes over some limits by a signal of their own.
fn kind_of_exit(exit: Exit) -> FaultKind {
    match exit.signal_name() {
        Some("SIGXCPU") => FaultKind::CpuLimit,
        Some("SIGXFSZ") => FaultKind::FileLimit,
        _ => FaultKind::Exited,
    }
}

/// The program is gone.
pub fn gone(how: Gone, player: &Player) -> Charge {
    let rest = match player.lines.partial() {
        [] => String::new(),
        partial => format!("; the last bytes, without a line end, were “{}”", shown(partial)),
    };
    match how {
        Gone::NotStarted(reason) => Charge { kind: FaultKind::NotStarted, found: None, words: reason },
        Gone::Exited(exit) => Charge {
            kind: kind_of_exit(exit),
            found: None,
            words: {
                let why = match (player.stderr.total(), exit) {
                    (1.., _) => "see its stderr",
                    (0, Exit::Code(0)) => "it wrote nothing to stderr; does it read on in a loop?",
                    (0, _) => "it wrote nothing to stderr",
                };
                format!("the program ended with {exit} before it answered{rest}; {why}")
            },
        },
        Gone::Closed => Charge {
            kind: FaultKind::Closed,
            found: None,
            words: format!("the program closed its stdout, so it can answer no more{rest}"),
        },
    }
}

/// The bot gave up.
pub fn resigned() -> Charge {
    Charge { kind: FaultKind::Resigned, found: None, words: "the bot resigned".to_owned() }
}
