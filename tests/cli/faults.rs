//! Bots that misbehave in games with real processes: what each is charged with, in words that help its author.

use std::time::Duration;

use predicates::str::contains;
use rustix::process::Signal;
use serde_json::json;

use crate::support::{Place, python_is_there, wait_until};

/// No game in which a bot is at fault takes longer: its clock, the end of its processes, and a machine that is busy.
const SOON: Duration = Duration::from_secs(12);

/// One way to misbehave, and what comes of it.
struct Bad {
    name: &'static str,
    script: &'static str,
    kind: &'static str,
    words: &'static [&'static str],
}

const fn bad(name: &'static str, script: &'static str, kind: &'static str, words: &'static [&'static str]) -> Bad {
    Bad { name, script, kind, words }
}

/// Plays each of these in seat 0 against a bot without a fault, which wins.
fn each_is_charged(cases: &[Bad], options: &str) {
    for Bad { name, script, kind, words } in cases {
        let place = Place::new();
        let bot = place.bot(name, script);
        let game = place.play(&format!("alto-ahi {bot} random {options}"));
        let context = format!("{name}: {}", game.ran.shown());
        assert_eq!(game.faults(), [format!("0 {kind}")], "{context}");
        assert_eq!(game.row["faults"][0]["tolerated"], false, "{context}");
        assert_eq!((game.ending().as_str(), game.winner()), ("decided by faults", Some(1)), "{context}");
        for word in *words {
            assert!(game.words().contains(word), "“{word}” is not said: {context}");
        }
        assert!(game.ran.took < SOON, "{:?}: {context}", game.ran.took);
        game.ran.code(0);
        place.run("verify g.jsonl").code(0);
        place.is_empty_of_processes();
    }
}

#[test]
fn a_bot_that_is_not_in_time_is_charged_with_that() {
    let cases = [
        bad(
            "silent",
            "ready; ask; sleep 100",
            "timeout",
            &["no answer to turn 1 after ", "no part of one", "flush it"],
        ),
        bad("busy", "ready; ask; while :; do :; done", "timeout", &["no answer to turn 1"]),
        bad("stopped", "ready; ask; kill -STOP $$", "timeout", &["no answer to turn 1"]),
        bad(
            "unended",
            r#"ready; ask; printf '{"type":"move","turn":%s,"move":"%s"}' "$turn" "$move"; sleep 100"#,
            "timeout",
            &[r#"“{"type":"move","turn":1,"move":"d1"}” came without a line end"#, "did you end the line with \\n"],
        ),
        bad(
            "dribbling",
            r#"ready; ask; for letter in '{' '"' t y p e '"' : ' ' ' ' ' '; do printf %s "$letter"; sleep 0.1; done; sleep 100"#,
            "timeout",
            &["came without a line end"],
        ),
        bad(
            "chatty",
            r#"ready; ask; while :; do echo; sleep 0.02; done"#,
            "timeout",
            &["no answer to turn 1 after ", " bytes came since the last answer", "the lines were blank"],
        ),
        bad(
            "elsewhere",
            "ready; ask; turn=77; answer; sleep 100",
            "timeout",
            &["no answer to turn 1", "the number of another turn"],
        ),
        bad("deaf", "trap '' TERM INT HUP QUIT; ready; ask; while :; do sleep 1; done", "timeout", &[]),
        bad("closed_ears", "ready; ask; exec <&-; answer; sleep 100", "timeout", &["no answer to turn 3"]),
    ];
    each_is_charged(&cases, "--move-limit 500ms");
}

#[test]
fn a_bot_that_writes_what_is_no_message_is_shown_it() {
    let cases = [
        bad(
            "debugging",
            "ready; ask; echo 'best move: e2'; answer; play",
            "unreadable",
            &["“best move: e2”", "stderr"],
        ),
        bad(
            "half",
            r#"ready; ask; echo '{"type":"move","turn":1'; play"#,
            "unreadable",
            &["EOF", "column 23", "json.dumps"],
        ),
        bad(
            "double",
            r#"ready; ask; echo '{"type":"move","turn":1,"move":"e2"}{"type":"move","turn":3,"move":"e3"}'; play"#,
            "unreadable",
            &["trailing characters"],
        ),
        bad("list", r#"ready; ask; echo '["move",1,"e2"]'; play"#, "unreadable", &["does not begin with “{”"]),
        bad("null", r#"ready; ask; echo null; play"#, "unreadable", &["does not begin with “{”", "“null”"]),
        bad(
            "typed",
            r#"ready; ask; echo '{"type":"move","turn":"1","move":"e2"}'; play"#,
            "unreadable",
            &["expected a whole number", "repeat the number of the turn that is answered, as a number"],
        ),
        bad(
            "turnless",
            r#"ready; ask; echo '{"type":"move","move":"e2"}'; play"#,
            "unreadable",
            &["missing field `turn`", "repeat the number of the turn"],
        ),
        bad(
            "twice",
            r#"ready; ask; echo '{"type":"move","turn":1,"turn":1,"move":"e2"}'; play"#,
            "unreadable",
            &["duplicate field `turn`"],
        ),
        bad(
            "huge",
            r#"ready; ask; echo '{"type":"move","turn":1e999,"move":"e2"}'; play"#,
            "unreadable",
            &["number out of range"],
        ),
        bad(
            "typo",
            r#"ready; ask; echo '{"type":"mvoe","turn":1,"move":"e2"}'; play"#,
            "unreadable",
            &["“mvoe”", "ready, move or resign"],
        ),
        bad("bytes", r#"ready; ask; printf '{"type":"m\377"}\n'; play"#, "unreadable", &["not UTF-8 at byte", "\\xff"]),
        bad("nul", r#"ready; ask; printf '{"type":\0"move"}\n'; play"#, "unreadable", &["column", "\\u{0}"]),
        bad(
            "deep",
            r#"ready; ask; printf '{"type":"move","turn":1,"move":"e2","info":{"a":'; head -c 60000 /dev/zero | tr '\0' '['; echo; play"#,
            "unreadable",
            &["column"],
        ),
        bad(
            "informing",
            r#"ready; ask; long=$(head -c 2000 /dev/zero | tr '\0' x); printf '{"type":"move","turn":1,"move":"e2","info":{"a":"%s"}}\n' "$long"; play"#,
            "unreadable",
            &["info is not kept", "1024 are the limit"],
        ),
        bad(
            "long",
            r#"ready; ask; head -c 70000 /dev/zero | tr '\0' x; sleep 100"#,
            "too_long",
            &["more than 65536 bytes"],
        ),
        bad("escaping", r#"ready; ask; printf '\033[2J\n'; play"#, "unreadable", &["\\u{1b}[2J"]),
    ];
    each_is_charged(&cases, "--move-limit 20s");
}

#[test]
fn a_bot_that_plays_against_the_rules_is_told_which() {
    let cases = [
        bad("far", "ready; ask; move=e3; answer; sleep 100", "illegal", &["“e3” is not legal", "two squares from e1"]),
        bad("nonsense", "ready; ask; move=resign; answer; sleep 100", "illegal", &["“resign” is not a move", "e3h"]),
        bad("capital", "ready; ask; move=E2; answer; sleep 100", "illegal", &["all in lower case"]),
        bad("empty", "ready; ask; move=; answer; sleep 100", "illegal", &["“” is not a move"]),
        bad("passing", "ready; ask; move=pass; answer; sleep 100", "illegal", &["“pass” is not legal"]),
        bad("quitting", r#"ready; ask; printf '{"type":"resign","turn":1}\n'; sleep 100"#, "resigned", &["resigned"]),
    ];
    each_is_charged(&cases, "--move-limit 20s");
}

#[test]
fn a_bot_that_ends_is_told_how() {
    let cases = [
        bad("absent", "exit 7", "exited", &["exit code 7", "before it answered"]),
        bad("crashing", "ready; ask; echo 'no such column' >&2; exit 1", "exited", &["exit code 1", "see its stderr"]),
        bad("killed", "ready; ask; kill -9 $$", "exited", &["SIGKILL (signal 9)"]),
        bad("like_killed", "ready; ask; exit 137", "exited", &["exit code 137"]),
        bad("faulting", "ready; ask; kill -SEGV $$", "exited", &["SIGSEGV (signal 11)"]),
        bad("halfway", r#"ready; ask; printf '{"type":'; exit 0"#, "exited", &["exit code 0", r#"were “{"type":”"#]),
        bad(
            "once",
            "ready; ask; answer; exit 0",
            "exited",
            &["exit code 0", "nothing to stderr; does it read on in a loop?"],
        ),
        bad("mute", "ready; ask; exec >&-; sleep 100", "closed", &["closed its stdout", "can answer no more"]),
        bad("mute_early", "exec >&-; sleep 100", "closed", &["closed its stdout"]),
    ];
    each_is_charged(&cases, "--move-limit 20s");
}

#[test]
fn a_bot_that_answers_what_it_was_not_asked_is_borne_for_a_while() {
    // Every second answer is one too many: the seventeenth of them is.
    each_is_charged(
        &[bad(
            "doubling",
            "ready; while ask; do answer; answer; done",
            "unasked",
            &["more than 16 lines", "answer each turn once"],
        )],
        "--move-limit 20s",
    );
    let place = Place::new();
    // In one piece with `ready`: what comes in pieces may come when it is asked for, and counts then.
    let early = r#"read -r hello; move='{"type":"move","turn":%s,"move":"e2"}\n'
        printf "{\"type\":\"ready\"}\n$move$move$move" 1 2 3; play"#;
    for (name, script) in [
        ("doubling", "ready; while ask; do answer; answer; done"),
        ("early", early),
        ("stale", "ready; ask; answer; while ask; do new=$turn; turn=1; answer; turn=$new; answer; done"),
        ("ready_again", r#"ready; while ask; do echo '{"type":"ready"}'; answer; done"#),
    ] {
        let bot = place.bot(name, script);
        let game = place.play(&format!("alto-ahi {bot} random --set max_plies=6 --force"));
        assert_eq!((game.ending().as_str(), game.faults()), ("decided by max_plies", vec![]), "{name}");
        assert!(place.text("g.jsonl").contains("{\"host\":{\"ignored\":{\"seat\":0,"), "{name}: it is kept in the log");
        place.run("verify g.jsonl").code(0);
    }
}

#[test]
fn lines_without_end_are_no_way_to_hold_the_referee_up() {
    let flood = "ready; ask; line=$(head -c 60000 /dev/zero | tr '\\0' x); while :; do echo \"$line\"; done";
    each_is_charged(
        &[bad("flooding", flood, "output_limit", &["more than 1048576 bytes on stdout"])],
        "--move-limit 20s --lenient 1000",
    );
}

#[test]
fn an_answer_counts_although_its_bot_ends_with_it() {
    let place = Place::new();
    let winner = place.bot("winner", "ready; ask; move=b2; answer; ask; move=b3; answer; exit 9");
    let other = place.bot("other", "ready; ask; move=a3; answer; ask; sleep 100");
    let game = place.play(&format!("alto-ahi {winner} {other} --set size=3 --set walls=0"));
    assert_eq!((game.ending().as_str(), game.winner(), game.faults()), ("decided by goal", Some(0), vec![]));
    let exits: Vec<_> = place
        .logged("g.jsonl", "host")
        .into_iter()
        .filter_map(|mut note| Some(note.get_mut("ended")?.take()))
        .collect();
    assert_eq!(exits[0]["exit"], json!({"code": 9}));
    place.run("verify g.jsonl").code(0);
}

#[test]
fn a_bot_may_close_its_input_as_long_as_it_answers() {
    let place = Place::new();
    let bot = place.bot("bot", "ready; ask; exec <&-; answer; sleep 100");
    let game = place.play(&format!("alto-ahi {bot} random --set max_plies=2"));
    assert_eq!((game.ending().as_str(), game.faults()), ("decided by max_plies", vec![]));
}

#[test]
fn the_last_words_on_stderr_are_shown_to_the_author() {
    let place = Place::new();
    let bot = place.bot("bot", r#"ready; ask; printf 'Traceback:\n  \033[31mKeyError\033[0m: e2\n' >&2; exit 1"#);
    let ran = place.run(&format!("play alto-ahi {bot} random --log g.jsonl")).code(0);
    let words = "bot (seat 0): exited: the program ended with exit code 1 before it answered";
    let ran = ran.says(&[words, "  stderr: Traceback:\n", r"  stderr:   \u{1b}[31mKeyError\u{1b}[0m: e2"]);
    assert!(!ran.stdout().contains('\x1b'), "{}", ran.shown());
    let game = place.play(&format!("alto-ahi {bot} random --force"));
    assert_eq!(game.row["faults"][0]["stderr"], "Traceback:\n  \x1b[31mKeyError\x1b[0m: e2\n");
    let note = place.logged("g.jsonl", "host").into_iter().find_map(|mut note| Some(note.get_mut("stderr")?.take()));
    let note = note.expect("it is kept in the log");
    assert_eq!((&note["seat"], &note["turn"]), (&json!(0), &json!(1)), "tied to the turn: {note}");
}

#[test]
fn a_bot_that_never_reads_has_its_deadline_and_no_more() {
    let place = Place::new();
    // The opening makes the first question longer than a pipe holds, so that it can never be written whole.
    let opening = "e2 e8 e1 e9 ".repeat(700);
    let blind = place.bot("blind", r#"echo '{"type":"ready"}'; sleep 100"#);
    let line = format!("--opening '{opening}' --set max_plies=3000 --move-limit 1s");
    let game = place.play(&format!("alto-ahi {blind} random {line}"));
    assert_eq!((game.faults(), game.winner()), (vec!["0 timeout".to_owned()], Some(1)));
    assert!(game.ran.took < SOON);
    place.run("verify g.jsonl").code(0);
    place.is_empty_of_processes();
    // Whoever begins to read late gets all of it.
    let reader = place.bot(
        "reader",
        r#"ready; sleep 0.3; while read -r line; do
    turn=$(printf '%s\n' "$line" | sed 's/^{"type":"turn","turn":\([0-9]*\).*/\1/')
    move=$(printf '%s\n' "$line" | sed 's/.*"legal":\["\([^"]*\)".*/\1/')
    answer
done"#,
    );
    let game = place.play(&format!("alto-ahi {reader} random --opening '{opening}' --set max_plies=2802 --force"));
    assert_eq!((game.ending().as_str(), game.faults()), ("decided by max_plies", vec![]));
}

#[test]
fn a_bot_that_is_not_ready_in_time_loses_and_two_have_no_result() {
    let place = Place::new();
    let slow = place.bot("slow", "sleep 100; ready; play");
    let game = place.play(&format!("alto-ahi random {slow} --startup 1500ms"));
    assert_eq!((game.faults(), game.winner(), &game.row["plies"]), (vec!["1 startup".to_owned()], Some(0), &json!(0)));
    assert!(game.words().starts_with("not ready 15"), "{}", game.words());
    game.ran.code(0);
    place.run("verify g.jsonl").code(0);
    let game = place.play(&format!("alto-ahi {slow} {slow} --startup 500ms --force"));
    assert_eq!((game.ending().as_str(), game.winner()), ("none by nobody_ready", None));
    assert_eq!(game.faults(), ["0 startup", "1 startup"]);
    // It is over, and played again it would come to nothing again: 75 would have a loop around it go on for ever.
    game.ran.code(0);
    let strict = place.run(&format!("play alto-ahi {slow} {slow} --startup 500ms --log g.jsonl --force --strict"));
    strict.code(1).err(contains("2 faults of bots, and --strict was given"));
    place.run("verify g.jsonl").code(0).says(&["no program got ready"]);
    place.is_empty_of_processes();
}

#[test]
fn time_to_start_up_is_none_to_think_and_costs_no_clock() {
    let place = Place::new();
    let slow = place.bot("slow", "sleep 1; ready; play");
    let game = place.play(&format!("alto-ahi {slow} random --clock 800ms+800ms --set max_plies=4"));
    assert_eq!((game.ending().as_str(), game.faults()), ("decided by max_plies", vec![]));
}

#[test]
fn a_fault_off_turn_is_charged_when_the_seat_is_next_asked() {
    let place = Place::new();
    let fickle = place.bot("fickle", "ready; ask; answer; sleep 0.1; exit 3");
    let game = place.play(&format!("alto-ahi {fickle} 'random sleep=800ms' --ponder allow"));
    assert_eq!((game.faults(), game.winner(), &game.row["plies"]), (vec!["0 exited".to_owned()], Some(1), &json!(2)));
    let log = place.text("g.jsonl");
    let stopped = log.find("{\"host\":{\"stopped\":{\"seat\":0,").expect("it was seen at once");
    let second = log.find("{\"move\":{\"ply\":2,").expect("the rival's move counts");
    let charged = log.find("{\"fault\":{\"seat\":0,\"turn\":3,\"kind\":\"exited\"").expect("and then it is charged");
    assert!(stopped < second && second < charged, "{log}");
    place.run("verify g.jsonl").code(0);
}

#[test]
fn a_game_of_four_goes_on_without_those_at_fault() {
    for script in
        ["ready; ask; sleep 100", "ready; ask; echo oops; sleep 100", "exit 1", "ready; ask; answer; ask; kill -9 $$"]
    {
        let place = Place::new();
        let bad = place.bot("bad", script);
        let game =
            place.play(&format!("alto-ahi random {bad} random random --move-limit 1s --set size=5 --set walls=2"));
        let context = format!("{script}: {}", game.ran.shown());
        assert!(matches!(game.ending().as_str(), "decided by goal" | "decided by max_plies"), "{context}");
        assert_eq!(game.faults().len(), 1, "{context}");
        assert_eq!((&game.row["faults"][0]["seat"], &game.row["ranks"][1]), (&json!(1), &json!(4)), "{context}");
        assert_eq!(place.logged("g.jsonl", "leave").len(), 1, "{context}");
        place.run("verify g.jsonl").code(0);
        place.is_empty_of_processes();
    }
}

#[test]
fn a_program_that_is_gone_when_its_game_begins_is_told_so() {
    let place = Place::new();
    let vanishing = place.bot("vanishing", "rm \"$0\"; ready; play");
    place.open_to_all();
    let rows = place
        .run(&format!("play alto-ahi {vanishing} random --write 0=. --games 2 --set max_plies=2 --log m.jsonl --json"))
        .code(0)
        .rows();
    assert_eq!(rows[0]["reason"], "max_plies");
    let fault = &rows[1]["faults"][0];
    assert_eq!((&rows[1]["winner"], &fault["kind"]), (&json!(1), &json!("not_started")));
    assert!(fault["words"].as_str().unwrap().contains("is not there any more"), "{fault}");
    place.run("verify .").code(0);
}

#[test]
fn a_line_that_was_there_before_its_question_answers_nothing() {
    let place = Place::new();
    // Both bots write while the referee is stopped: the first its answer, the second one to a question still to come.
    let first = place.bot("first", "ready; ask; echo asked >&2; sleep 0.4; answer; play");
    let early = place.bot("early", r#"ready; sleep 0.4; turn=2; move=e8; answer; play"#);
    let line = format!("play alto-ahi {first} {early} --ponder allow --set max_plies=4 --log g.jsonl --json");
    let mut running = place.start(&line);
    let asked = || std::fs::read_to_string(place.path("g.jsonl")).unwrap_or_default().contains("asked");
    wait_until("the first question is asked", asked);
    running.signal(Signal::STOP);
    std::thread::sleep(Duration::from_millis(900));
    running.signal(Signal::CONT);
    wait_until("the game ends", || running.has_ended());
    let ended = running.wait();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let log = place.text("g.jsonl");
    assert!(log.contains(r#"{"host":{"ignored":{"seat":1,"#), "{log}");
    place.run("verify g.jsonl").code(0);
}

#[test]
fn output_that_python_keeps_back_is_asked_about() {
    if !python_is_there() {
        return;
    }
    let place = Place::new();
    let text = "import sys\nfor line in sys.stdin:\n    print('{\"type\":\"ready\"}')\n";
    let bot = place.program("bot.py", &format!("#!/usr/bin/env python3\n{text}"));
    let game = place.play(&format!("alto-ahi {bot} random --startup 2s"));
    assert_eq!(game.faults(), ["0 startup"]);
    assert!(game.words().contains("is the output buffered? flush it after each line"), "{}", game.words());
}
