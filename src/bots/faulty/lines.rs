//! Lines that are no answers, or strange ones.

use std::io;

use super::{Mode, Scene, hang, mode};

/// How much a flood is.
const FLOOD: usize = 128 << 20;

/// Text that would do something where it is not shown with care.
const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;mine\u{7}<script>alert(1)</script>=1+1\u{202e}ñ漢字";

pub(super) const MODES: &[Mode] = &[
    mode("crlf", "ends its answer with \\r\\n", |scene| scene.say(scene.bare_answer() + "\r\n")),
    mode("blanks", "writes blank lines around its answer, and blanks behind it", |scene| {
        scene.say(format!("\n  \n{}  \t\n\n", scene.bare_answer()))
    }),
    mode("bom", "writes a byte order mark before its answer", |scene| {
        scene.say(format!("\u{feff}{}\n", scene.bare_answer()))
    }),
    mode("debug", "writes text for people to stdout, and then its answer", |scene| {
        scene.say("thinking about it\n")?;
        scene.answer()
    }),
    mode("half", "writes half of its answer as a line", |scene| {
        let answer = scene.bare_answer();
        scene.say(format!("{}\n", &answer[..answer.len() / 2]))
    }),
    mode("two-objects", "writes its answer twice on one line", |scene| {
        let answer = scene.bare_answer();
        scene.say(format!("{answer}{answer}\n"))
    }),
    mode("array", "wraps its answer into a list", |scene| scene.say(format!("[{}]\n", scene.bare_answer()))),
    mode("null", "answers null", |scene| scene.say("null\n")),
    mode("wrong-types", "writes the number of the turn as text", |scene| {
        in_place_of_turn(scene, |turn| format!("\"turn\":\"{turn}\""))
    }),
    mode("no-turn", "leaves the number of the turn out", |scene| in_place_of_turn(scene, |_| "\"n\":0".to_owned())),
    mode("huge-number", "writes 1e999 for the number of the turn", |scene| {
        in_place_of_turn(scene, |_| "\"turn\":1e999".to_owned())
    }),
    mode("duplicate-keys", "writes a key of its answer twice", |scene| begun(scene, b"\"type\":\"move\",")),
    mode("unknown-type", "answers with a message that there is not", |scene| scene.say("{\"type\":\"mvoe\"}\n")),
    mode("not-utf8", "writes a byte that is not UTF-8", |scene| begun(scene, b"\"text\":\"\xff\",")),
    mode("nul", "writes a NUL byte", |scene| begun(scene, b"\0")),
    mode("brackets", "opens 60 000 lists in one another", |scene| {
        scene.say(format!("{{\"text\":{}\n", "[".repeat(60_000)))
    }),
    mode("long-info", "adds 2000 bytes of info to its answer", |scene| {
        let answer = scene.bare_answer();
        let text = "x".repeat(2000);
        scene.say(format!("{},\"info\":{{\"text\":\"{text}\"}}}}\n", &answer[..answer.len() - 1]))
    }),
    mode("escapes", "writes terminal control sequences to stdout", |scene| scene.say(format!("{HOSTILE}\n"))),
    mode(
        "hostile-text",
        "puts control sequences and markup into its info and stderr, and ends after its answer",
        |scene| {
            let answer = scene.bare_answer();
            let text = serde_json::Value::from(HOSTILE);
            scene.note(HOSTILE)?;
            scene.say(format!("{},\"info\":{{\"text\":{text}}}}}\n", &answer[..answer.len() - 1]))?;
            std::process::exit(1)
        },
    ),
    mode("illegal", "plays what no game has for a move", |scene| {
        let (turn, _) = scene.own_move();
        scene.say(format!("{{\"type\":\"move\",\"turn\":{turn},\"move\":\"castle\"}}\n"))
    }),
    mode("resign", "gives up", |scene| {
        let (turn, _) = scene.own_move();
        scene.say(format!("{{\"type\":\"resign\",\"turn\":{turn}}}\n"))
    }),
    mode("double", "gives its answer twice", |scene| {
        scene.answer()?;
        scene.answer()
    }),
    mode("early", "answers the next turns before they come", |scene| {
        let (turn, token) = scene.own_move();
        let lines =
            (turn..turn + 4).map(|turn| format!("{{\"type\":\"move\",\"turn\":{turn},\"move\":\"{token}\"}}\n"));
        // At one stroke, for it may be stopped behind the first.
        scene.say(lines.collect::<String>())
    }),
    mode("stale", "answers the turn before this one again, and then this one", |scene| {
        let (turn, token) = scene.own_move();
        let old = turn.saturating_sub(1);
        scene.say(format!("{{\"type\":\"move\",\"turn\":{old},\"move\":\"{token}\"}}\n"))?;
        scene.answer()
    }),
    mode("unasked", "gives its answer thirty times", |scene| scene.say(scene.answer.repeat(30))),
    mode("flood", "writes 128 MiB without a line end", |scene| {
        flood(scene, &[b'x'; 1 << 16])?;
        hang();
        Ok(())
    }),
    mode("flood-of-lines", "writes 128 MiB of empty lines", |scene| {
        flood(scene, &[b'\n'; 1 << 16])?;
        hang();
        Ok(())
    }),
    mode("flood-of-stderr", "writes 128 MiB to stderr, and then its answer", |scene| {
        let mut line = [b'x'; 1 << 10];
        line[(1 << 10) - 1] = b'\n';
        (0..FLOOD / line.len()).try_for_each(|_| scene.notes.write_all(&line))?;
        scene.answer()
    }),
];

fn flood(scene: &mut Scene, bytes: &[u8]) -> io::Result<()> {
    (0..FLOOD / bytes.len()).try_for_each(|_| scene.say(bytes))
}

/// Answers with something else where the number of the turn stands.
fn in_place_of_turn(scene: &mut Scene, other: impl FnOnce(u64) -> String) -> io::Result<()> {
    let (turn, _) = scene.own_move();
    let answer = scene.bare_answer().replacen(&format!("\"turn\":{turn}"), &other(turn), 1);
    scene.say(answer + "\n")
}

/// Answers with something more at the beginning of the object.
fn begun(scene: &mut Scene, first: &[u8]) -> io::Result<()> {
    let rest = &scene.answer[1..];
    scene.say([b"{", first, rest].concat())
}
