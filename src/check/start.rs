//! Whether the bot can be talked to at all: it starts, gets ready, and answers.
//!
//! Most of these look at the same first talk, each for its own trouble; the first that fails is the reason why
//! nothing else is tried.

use std::time::{Duration, Instant};

use super::bench::Bench;
use super::contact::Reply;
use super::verdict::{Checked, bad, good, untried};
use super::{Check, Weight, check};
use crate::protocol::receive::{self, Message, shown};

/// How long a bot that nobody speaks to is watched.
const ALONE: Duration = Duration::from_millis(200);
/// How long one is watched that is known to end.
const MOST_ALONE: Duration = Duration::from_secs(3);

/// The checks of this part.
pub static CHECKS: [Check; 12] = [
    check(
        Weight::Gate,
        "no-home",
        "needs no home and no folder for temporary files",
        "starts it as the referee does, with a HOME and a TMPDIR that do not exist, and if that fails with an own folder for both",
        "Do not write files at the start, or go on without them: bots write nowhere by default. If it cannot do without, ask for --limit scratch=64MiB.",
        no_home,
    ),
    check(
        Weight::Gate,
        "starts",
        "starts, and waits for the referee",
        "starts it and says nothing to it",
        "Start it as the referee does and read what it writes to stderr: often a file, a library or a right is missing. It may read its own folder, and more with --read.",
        starts,
    ),
    check(
        Weight::Gate,
        "flush",
        "flushes each line that it writes",
        "waits for its answers, then ends its input and sees whether they come only now",
        "Flush stdout after each line: print(…, flush=True) in Python, fflush(stdout) in C, out.flush() in Java. A pipe is buffered, unlike a terminal.",
        flush,
    ),
    check(
        Weight::Gate,
        "line-end",
        "ends each line with \\n",
        "waits for its answers, and looks at what came without an end",
        "End each message with \\n (\\r\\n is fine, \\r alone is not), then flush.",
        line_end,
    ),
    check(
        Weight::Gate,
        "ready",
        "answers hello in time",
        "sends hello and waits as long as a bot may take to start up",
        "Answer hello with {\"type\":\"ready\"} before the start-up time is over; load what takes longer before the first move, or less of it.",
        ready,
    ),
    check(
        Weight::Gate,
        "ready-form",
        "sends a ready that is understood",
        "reads the answer to hello as the referee does",
        "Send {\"type\":\"ready\"}, with a “name” that is a string and a “legal” that is true or false, if at all; on one line, and written by a JSON library, such as json.dumps in Python.",
        ready_form,
    ),
    check(
        Weight::Gate,
        "waits-for-hello",
        "says nothing before it is spoken to",
        "starts it, says nothing, and sees whether a message comes",
        "Read hello first and answer then; what is written unasked answers nothing. Text for people goes to stderr.",
        waits_for_hello,
    ),
    check(
        Weight::Gate,
        "readable",
        "sends answers that are JSON",
        "asks it for a move and reads the line as the referee does",
        "Write each answer on one line with a JSON library, such as json.dumps in Python: double quotes, no NaN, no field twice, and as “turn” the number of the question, copied as a number.",
        readable,
    ),
    check(
        Weight::Gate,
        "turn-number",
        "repeats the number of the turn",
        "asks turns 1, 7, 8 and 1000003 or so, for numbers rise unevenly and go on in the next game",
        "Copy “turn” from the question into the answer; do not count yourself.",
        turn_number,
    ),
    check(
        Weight::Gate,
        "answers",
        "answers each turn with a legal move",
        "asks it for a few moves in the game that it is tried in",
        "Answer {\"type\":\"move\",\"turn\":N,\"move\":M} with M one of “legal”, letter by letter. If it does not play this game, name the ones that it plays with --game.",
        answers,
    ),
    check(
        Weight::Gate,
        "legal-declined",
        "plays without the list of legal moves if it declined it",
        "asks without “legal”, if its ready said so",
        "Leave “legal”:false out of ready, or work out the moves yourself.",
        legal_declined,
    ),
    check(
        Weight::Gate,
        "plain-game",
        "plays on from turn to turn",
        "plays the beginning of a game with it, a few turns and over",
        "Follow “state” or “events” from turn to turn, and see its stderr.",
        plain_game,
    ),
];

fn no_home(bench: &mut Bench) -> Checked {
    let contact = &bench.contact;
    if contact.ready.is_none() && contact.gone.is_some() && bench.subject.limits.scratch_bytes.is_none() {
        let mut talk = bench.start_as(&bench.subject.program, true)?;
        talk.say(&super::deal::Deal::new(bench.home()).map_err(|error| untried(error.to_string()))?.hello());
        let until = talk.began + bench.startup();
        if talk.next_line(until)?.is_some_and(|arrived| arrived.line.starts_with(b"{")) {
            let gone = contact.gone.as_deref().unwrap_or_default();
            return Err(bad(format!("it {gone}{}, and got ready with a folder to write to", contact.stderr)));
        }
    }
    good("")
}

fn starts(bench: &mut Bench) -> Checked {
    if bench.contact.ready.is_none() && bench.contact.gone.is_some() {
        let mut talk = bench.start()?;
        // It ends by itself, now or when it gets hello; how soon is up to the machine.
        talk.wait_exit(talk.began + MOST_ALONE)?;
        if talk.is_gone() {
            return Err(bad(talk.gone_words("before anything was said to it")));
        }
    }
    good("")
}

fn flush(bench: &mut Bench) -> Checked {
    match bench.contact.late.first() {
        Some(line) if bench.contact.partial.is_empty() => {
            let line = shown(line);
            Err(bad(format!("nothing came in time, and “{line}” only when the input had ended: it was held back")))
        }
        _ => good(""),
    }
}

fn line_end(bench: &mut Bench) -> Checked {
    match &bench.contact.partial[..] {
        [] => good(""),
        partial => Err(bad(format!("“{}” came without \\n", shown(partial)))),
    }
}

fn ready(bench: &mut Bench) -> Checked {
    let contact = &bench.contact;
    let limit = bench.startup();
    match (&contact.ready, &contact.gone) {
        (Some((_, took)), _) => good(format!("after {} ms of {}", took.as_millis(), limit.as_millis())),
        (None, Some(gone)) => {
            let games: Vec<&str> = bench.probes.iter().map(|probe| probe.game.as_str()).collect();
            let tried = if games.len() > 1 { ", in every game that was tried" } else { "" };
            Err(bad(format!("it {gone} when it got hello{tried}{}", contact.stderr)))
        }
        (None, None) => {
            Err(bad(format!("no line came within {} ms after the start{}", limit.as_millis(), contact.stderr)))
        }
    }
}

fn ready_form(bench: &mut Bench) -> Checked {
    let Some((line, _)) = &bench.contact.ready else { return Err(untried("it sent none")) };
    match receive::read(line) {
        Ok(Message::Ready(_)) => good(""),
        Ok(_) => Err(bad(format!("the answer to hello was “{}”", shown(line)))),
        Err(why) => Err(bad(format!("{why}; the line was “{}”", shown(line)))),
    }
}

fn readable(bench: &mut Bench) -> Checked {
    match bench.contact.trouble() {
        Some(Reply::Unreadable(why)) => Err(bad(why.clone())),
        _ => good(""),
    }
}

fn turn_number(bench: &mut Bench) -> Checked {
    match bench.contact.trouble() {
        Some(Reply::OtherTurn { asked, answered }) => {
            Err(bad(format!("turn {asked} was asked, and turn {answered} answered")))
        }
        _ => good(""),
    }
}

fn answers(bench: &mut Bench) -> Checked {
    let contact = &bench.contact;
    match contact.trouble() {
        None => good(format!("{} answers, all legal", contact.replies.len())),
        Some(Reply::Illegal(why)) => Err(bad(why.clone())),
        Some(Reply::Resigned) => Err(bad("it resigned in the first turns of a game")),
        Some(Reply::Nothing { asked }) => match &contact.gone {
            Some(gone) => Err(bad(format!("it {gone} before it answered turn {asked}{}", contact.stderr))),
            None => Err(bad(format!("no answer to turn {asked} came within 5 s{}", contact.stderr))),
        },
        Some(_) => good(""),
    }
}

fn legal_declined(bench: &mut Bench) -> Checked {
    let ready = bench.contact.ready.as_ref().map(|(line, _)| receive::read(line));
    if !matches!(ready, Some(Ok(Message::Ready(ready))) if ready.legal == Some(false)) {
        return Err(untried("it takes the list"));
    }
    bench.sit(bench.home())?.play(3)?;
    good("")
}

fn plain_game(bench: &mut Bench) -> Checked {
    match bench.played_record()? {
        Ok(record) => good(format!("{} turns and over", record.answers.len())),
        Err(words) => Err(bad(words.to_owned())),
    }
}

fn waits_for_hello(bench: &mut Bench) -> Checked {
    let mut talk = bench.start()?;
    // As long as it may take until it runs.
    let ready = bench.contact.ready.as_ref().map_or(Duration::ZERO, |(_, took)| *took);
    let until = Instant::now() + ALONE + 2 * ready;
    while let Some(arrived) = talk.next_line(until)? {
        // Another check is about text that is no message.
        if arrived.line.starts_with(b"{") {
            return Err(bad(format!("“{}” came before hello was sent", shown(&arrived.line))));
        }
    }
    good("")
}
