//! How the bot reads: whatever the referee may write, however it is cut into pieces.

use std::time::Duration;

use super::bench::Bench;
use super::deal::Setting;
use super::sitting::{Say, say_whole};
use super::talk::Talk;
use super::verdict::{Checked, Halt, bad, good, untried};
use super::{Check, Weight, check};
use crate::protocol::receive::shown;
use crate::seat::BySeat;

/// The checks of this part.
pub static CHECKS: [Check; 10] = [
    check(
        Weight::Must,
        "unknown-fields",
        "passes over fields that it does not know",
        "adds a field to hello, turn and over",
        "Take the fields that you need and let others be: later versions send more of them.",
        unknown_fields,
    ),
    check(
        Weight::Must,
        "unknown-messages",
        "passes over messages that it does not know",
        "sends messages of other types in between",
        "Answer hello and turn; ignore every other type, without an answer.",
        unknown_messages,
    ),
    check(
        Weight::Must,
        "player-names",
        "reads names with quotes, emoji and other scripts",
        "sits it beside players with such names",
        "Read and write UTF-8, whatever the locale, and read JSON with a JSON library.",
        player_names,
    ),
    check(
        Weight::Must,
        "long-lines",
        "reads lines of any length",
        "sends a hello of 64 KiB and turns of 300 KiB, by blanks before the last brace",
        "Read up to \\n with something that grows; no fixed buffer, and not one read() for one line.",
        long_lines,
    ),
    check(
        Weight::Must,
        "pieces",
        "reads lines that come in pieces",
        "sends each line in pieces with pauses between them",
        "Read up to \\n before you parse: one read() may bring a part of a line.",
        pieces,
    ),
    check(
        Weight::Must,
        "second-game",
        "plays another game in the same process",
        "sends over and another hello, and plays on",
        "Go on reading after over: a new hello begins a new game, where processes are kept (--reuse). The end of input is the end.",
        second_game,
    ),
    check(
        Weight::Must,
        "two-lines",
        "reads two lines that come at once",
        "sends over and the next hello in one piece",
        "Keep what comes behind \\n for the next line: one read() may bring more than one line.",
        two_lines,
    ),
    check(
        Weight::Should,
        "spaced-json",
        "reads JSON with blanks in it",
        "sends messages with blanks after colons and commas",
        "Read with a JSON library and not by searching the text: it works today, and may not with the next version.",
        spaced_json,
    ),
    check(
        Weight::Should,
        "crlf",
        "reads lines that end in \\r\\n",
        "ends the referee's lines so, which it never does itself",
        "Drop a \\r at the end of a line: somebody may record games and play them back from a file.",
        crlf,
    ),
    check(
        Weight::Should,
        "limits-absent",
        "needs no limits in hello",
        "sends a hello in which all limits that may be absent are",
        "A limit that is not in “limits” is not there: look for it with a default.",
        limits_absent,
    ),
];

/// Plays the beginning of a game in which everything is said in this way.
fn plays_when_said(bench: &Bench, setting: Setting, say: Say) -> Checked {
    let mut game = bench.sit_saying(setting, say)?;
    let answers = game.play(3)?;
    game.over()?;
    game.must_be_well("after over")?;
    good(format!("{} turns and over", answers.len()))
}

/// The line with more before the brace that closes it.
fn with_more(mut line: Vec<u8>, more: &str) -> Vec<u8> {
    line.truncate(line.trim_ascii_end().len() - 1);
    line.extend_from_slice(more.as_bytes());
    line.extend_from_slice(b"}\n");
    line
}

fn unknown_fields(bench: &mut Bench) -> Checked {
    plays_when_said(bench, bench.home(), |talk, line| {
        talk.say(&with_more(
            line,
            r#","later":{"a":[1,null,true,{"b":"\u00e9 \"quoted\""}],"c":-1.5e3},"x-note":"new""#,
        ));
        Ok(())
    })
}

fn unknown_messages(bench: &mut Bench) -> Checked {
    let mut game = bench.sit(bench.home())?;
    for message in [r#"{"type":"weather","fine":true}"#, r#"{"type":"clock","left_ms":[1,2]}"#] {
        game.ask()?;
        // What comes at once is another check's.
        game.talk.listen(Duration::from_millis(30))?;
        game.talk.take_lines();
        game.talk.say(format!("{message}\n").as_bytes());
        game.talk.listen(Duration::from_millis(60))?;
        if let Some(arrived) = game.talk.take_lines().first() {
            return Err(bad(format!("it answered {message} with “{}”", shown(&arrived.line))));
        }
        game.must_be_there(&format!("when it got {message}"))?;
    }
    game.ask()?;
    good("")
}

fn player_names(bench: &mut Bench) -> Checked {
    let names = ["Zoë \"the\\fox\"", "名前 🦊", "שם}{", "a,\"type\":\"over\""];
    let home = bench.home();
    let players = BySeat::from_fn(home.seats, |seat| names[seat.index()].to_owned());
    plays_when_said(bench, Setting { players, ..home }, say_whole)
}

fn long_lines(bench: &mut Bench) -> Checked {
    let say: Say = |talk, line| {
        let length = if line.starts_with(br#"{"type":"turn""#) { 300 * 1024 } else { 64 * 1024 };
        talk.say(&with_more(line, &" ".repeat(length)));
        Ok(())
    };
    plays_when_said(bench, bench.home(), say)
}

fn pieces(bench: &mut Bench) -> Checked {
    plays_when_said(bench, bench.home(), |talk, line| {
        let size = line.len().div_ceil(8).max(1);
        for piece in line.chunks(size) {
            talk.say(piece);
            talk.listen(Duration::from_millis(4))?;
        }
        Ok(())
    })
}

fn second_game(bench: &mut Bench) -> Checked {
    let home = bench.home();
    let mut game = bench.sit(home.clone())?;
    game.play(3)?;
    game.over()?;
    game.must_be_there("after over, and another game was to follow")?;
    game.again(home)?;
    let answers = game.play(3)?;
    good(format!("{} turns of a second game", answers.len()))
}

fn two_lines(bench: &mut Bench) -> Checked {
    let home = bench.home();
    let mut game = bench.sit(home.clone())?;
    game.play(1)?;
    stays_for_another_game(bench)?;
    game.again_at_once(home)?;
    game.play(1)?;
    good("")
}

/// Another check is about bots that do not.
fn stays_for_another_game(bench: &mut Bench) -> Result<(), Halt> {
    if bench.record()?.stayed { Ok(()) } else { Err(untried("it plays only one game in a process")) }
}

fn spaced_json(bench: &mut Bench) -> Checked {
    plays_when_said(bench, bench.home(), |talk, line| {
        let text = String::from_utf8_lossy(&line).replace("\":", "\" : ").replace(",\"", ", \"");
        talk.say(text.as_bytes());
        Ok(())
    })
}

fn crlf(bench: &mut Bench) -> Checked {
    plays_when_said(bench, bench.home(), |talk: &mut Talk, mut line| {
        line.truncate(line.len() - 1);
        line.extend_from_slice(b"\r\n");
        talk.say(&line);
        Ok(())
    })
}

fn limits_absent(bench: &mut Bench) -> Checked {
    let home = bench.home();
    let limits = crate::protocol::limits::Limits {
        memory_bytes: None,
        processes: None,
        open_files: None,
        file_bytes: None,
        cpu_ms: None,
        scratch_bytes: None,
        ..home.limits
    };
    plays_when_said(bench, Setting { limits, ..home }, say_whole)
}
