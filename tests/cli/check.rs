//! `arbitro check`: good bots pass every check, and for each check there is a bot that fails it, and no other.

use std::collections::BTreeMap;
use std::sync::Mutex;

use predicates::str::contains;
use quick_junit::{Report, TestCaseStatus};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::{Place, python_is_there, wait_until};

mod bad;

use bad::Bad;

/// A whole bot, written so that a few lines in its place make one thing of it wrong.
const GOOD: &str = include_str!("check/good.py");

impl Bad {
    /// Writes the bot into a folder; the word that names it.
    fn put(&self, place: &Place) -> String {
        let name = format!("{}.py", self.check);
        place.open_to_all();
        let (head, tail) = GOOD.split_once("# HERE\n").expect("a place for what is wrong");
        place.program(&name, &format!("{head}{}\n{tail}", self.code))
    }
}

/// The report that was printed.
fn report(stdout: &str) -> Value {
    serde_json::from_str(stdout).unwrap_or_else(|error| panic!("{error}: {stdout}"))
}

/// The checks with one of these outcomes.
fn with(report: &Value, outcomes: &[&str]) -> Vec<String> {
    let checks = report["checks"].as_array().expect("a list of checks").iter();
    let found = checks.filter(|check| outcomes.contains(&check["outcome"].as_str().expect("a word")));
    found.map(|check| check["name"].as_str().expect("a word").to_owned()).collect()
}

/// A bot passes all checks, and is told nothing else.
fn passes(bot: &str, options: &str) -> Value {
    let place = Place::new();
    let ran = place.run(&format!("check {bot} --strict --json {options}"));
    let report = report(&ran.code(0).stdout());
    assert_eq!(report["outcome"], "passed");
    assert_eq!(with(&report, &["failed", "note"]), [] as [&str; 0]);
    assert!(with(&report, &["passed"]).len() > 50, "{report:#}");
    place.is_empty_of_processes();
    report
}

fn example(name: &str) -> String {
    format!("'{}/bots-examples/python/{name}'", env!("CARGO_MANIFEST_DIR"))
}

/// Runs this for each bad bot, six at a time: mostly they wait.
fn for_each_bad(run: impl Fn(&Bad) + Sync) {
    let all = bad::all();
    let rest = Mutex::new(all.iter());
    let next = || rest.lock().expect("nobody panics with it").next();
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                while let Some(bad) = next() {
                    run(bad);
                }
            });
        }
    });
}

#[test]
fn every_check_has_a_bot_that_fails_it_and_no_other() {
    let place = Place::new();
    let listed: Vec<Value> = place.run("check --list --json").code(0).rows();
    let mut names: Vec<&str> = listed.iter().map(|row| row["name"].as_str().expect("a name")).collect();
    let mut bad: Vec<&str> = bad::all().iter().map(|bad| bad.check).collect();
    names.sort_unstable();
    bad.sort_unstable();
    assert_eq!(names, bad);
    assert!(names.len() >= 30);
}

#[test]
fn a_bad_bot_fails_its_check_and_is_told_why() {
    if !python_is_there() {
        return;
    }
    for_each_bad(|bad| {
        let place = Place::new();
        let bot = bad.put(&place);
        let options = bad.options;
        let ran = place.run(&format!("check {bot} --only {} --strict --json {options}", bad.check)).code(1);
        let report = report(&ran.stdout());
        assert_eq!(with(&report, &["failed", "note"]), [bad.check], "{}", ran.shown());
        let row = report["checks"].as_array().unwrap().iter().find(|row| row["name"] == bad.check).unwrap();
        let seen = row["seen"].as_str().unwrap();
        assert!(seen.contains(bad.seen), "“{}” is not said: {}", bad.seen, ran.shown());
        assert!(row["fix"].as_str().unwrap().len() > 20);
        place.is_empty_of_processes();
    });
}

#[test]
#[ignore = "deep: minutes, and needs python3"]
fn deep_a_bad_bot_fails_no_other_check() {
    let found = Mutex::new(BTreeMap::new());
    for_each_bad(|bad| {
        let place = Place::new();
        let bot = bad.put(&place);
        // Some take their time in each of all their starts.
        let line = format!("check {bot} --strict --json {}", bad.options);
        let ran = place.command(&line).output().expect("it can be run");
        let report = report(&String::from_utf8_lossy(&ran.stdout));
        found.lock().unwrap().insert(bad.check, with(&report, &["failed", "note"]));
    });
    let found = found.into_inner().unwrap();
    let more: Vec<_> = found.iter().filter(|(check, wrong)| wrong[..] != [**check]).collect();
    assert!(more.is_empty(), "{more:#?}");
}

#[test]
fn built_in_bots_pass_in_all_that_they_play() {
    let report = passes("random", "");
    assert_eq!(report["plays"].as_array().unwrap().len(), 7);
    assert_eq!(with(&report, &["skipped"]), ["legal-declined"]);
    let report = passes("greedy", "--seats 4");
    assert_eq!(report["plays"], json!([{"game": "alto-ahi", "seats": 4}, {"game": "alto-riesgo", "seats": 4}]));
}

#[test]
fn example_bots_pass() {
    if python_is_there() {
        passes(&example("random_bot.py"), "--game crecer --game alto-riesgo --seats 2");
        let report = passes(&example("walker.py"), "");
        assert_eq!(report["plays"], json!([{"game": "alto-ahi", "seats": 2}, {"game": "alto-ahi", "seats": 4}]));
        assert_eq!(report["name"], "walker.py");
        let skipped = with(&report, &["skipped"]);
        assert!(["alto-riesgo-3", "crecer-2", "passage-2"].iter().all(|game| skipped.iter().any(|name| name == game)));
    }
}

/// Answers all but hello in one game, at which it ends.
const DECLINES: &str = "read -r hello
case $hello in *crecer*) echo 'I do not play this' >&2; exit 3 ;; esac
echo '{\"type\":\"ready\"}'; play";

#[test]
fn a_game_that_is_not_played_is_a_failure_only_if_it_was_asked_for() {
    let place = Place::new();
    place.open_to_all();
    let bot = place.bot("bot", DECLINES);
    let only = "--only crecer-2 --only alto-riesgo-2 --json";
    let ran = place.run(&format!("check {bot} --seats 2 {only}")).code(0);
    assert_eq!(with(&report(&ran.stdout()), &["skipped"]), ["crecer-2"]);
    assert_eq!(with(&report(&ran.stdout()), &["passed"]), ["alto-riesgo-2"]);
    let ran = place.run(&format!("check {bot} --seats 2 --game alto-riesgo --game crecer {only}")).code(1);
    assert_eq!(with(&report(&ran.stdout()), &["failed"]), ["crecer-2"]);
    ran.says(&["not played: it ended with exit code 3 at hello", "I do not play this"]);
}

#[test]
fn a_bot_that_is_not_understood_or_answers_with_no_move_plays_no_game() {
    let place = Place::new();
    place.open_to_all();
    let misread = "read -r hello; echo \"{'type': 'ready'}\"; play";
    for (name, script) in
        [("misread", misread), ("turnless", "ready; ask; echo '{\"type\":\"move\",\"move\":\"a1\"}'; play")]
    {
        let bot = place.bot(name, script);
        let ran = place.run(&format!("check {bot} --game crecer --only ready --only readable --json")).code(1);
        assert_eq!(report(&ran.stdout())["plays"], serde_json::json!([]), "{}", ran.shown());
    }
}

#[test]
fn people_are_told_what_was_seen_and_what_to_fix() {
    let place = Place::new();
    place.open_to_all();
    let bot = place.bot("mine", "ready; echo hm; play");
    let options = "--game crecer --only ready --only stdout-clean --only leave";
    let ran = place.run(&format!("check {bot} {options}")).code(1);
    let text = ran.stdout();
    assert!(!text.contains('\x1b'), "no colours where there is no terminal: {text}");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "Checking mine");
    assert!(
        lines.iter().any(|line| line.starts_with("  ok ready ") && line.contains("answers hello in time")),
        "{text}"
    );
    assert!(lines.iter().any(|line| line.starts_with("skip leave ")), "{text}");
    let fix = text.split("To fix").nth(1).expect("there is something to fix");
    assert!(fix.contains("FAIL stdout-clean") && fix.contains("“hm” came on stdout") && fix.contains("to stderr"));
    assert!(text.contains("It plays crecer 2.\n1 passed, 1 failed, 1 skipped, in "), "{text}");
    let quiet = place.run(&format!("check {bot} {options} --quiet")).code(1).stdout();
    assert!(quiet.trim_start().starts_with("To fix"), "{quiet}");
}

#[test]
fn junit_says_the_same() {
    let place = Place::new();
    place.open_to_all();
    let bot = place.bot("mine", "ready; echo '<hm> & ]]>'; play");
    let options = "--game crecer --only ready --only stdout-clean --only leave --only spaced-json --junit out.xml";
    place.run(&format!("check {bot} {options} --json")).code(1);
    let report = Report::deserialize_from_str(&place.text("out.xml")).expect("it is JUnit");
    assert_eq!((report.tests, report.failures, report.errors), (4, 1, 0));
    let suite = &report.test_suites[0];
    assert_eq!(suite.name.as_str(), "mine");
    let case = |name: &str| suite.test_cases.iter().find(|case| case.name.as_str() == name).expect("a case");
    assert!(matches!(case("ready").status, TestCaseStatus::Success { .. }));
    assert!(matches!(case("leave").status, TestCaseStatus::Skipped { .. }));
    let TestCaseStatus::NonSuccess { description: Some(words), .. } = &case("stdout-clean").status else {
        panic!("{report:#?}")
    };
    assert!(words.as_str().contains("“<hm> & ]]>” came on stdout"), "{words:?}");
    assert!(words.as_str().contains("What to fix: Print text"), "{words:?}");
    // The words of the shell search the text: that is worth a note.
    let note = case("spaced-json");
    assert!(matches!(note.status, TestCaseStatus::Success { .. }));
    assert!(note.system_out.as_ref().is_some_and(|words| words.as_str().contains("JSON library")), "{note:?}");
}

#[test]
fn what_cannot_be_checked_is_refused() {
    let place = Place::new();
    place.write("plain", "no program");
    for (code, line, words) in [
        (2, "check", ["BOT"]),
        (2, "check random --only nothing", ["--list"]),
        (2, "check random --game crecer --seats 4", ["crecer"]),
        (2, "check random --seats 9", ["--seats"]),
        (2, "check random --game chess", ["alto-ahi"]),
        (2, "check random --clock 5x", ["--clock"]),
        (66, "check ./nothing", ["there is no file"]),
        (66, "check nothing-like-it", ["built-in bots are"]),
        (66, "check random --read nowhere", ["nowhere"]),
        (74, "check random --junit nowhere/out.xml", ["nowhere/out.xml"]),
        (78, "check ./plain", ["chmod +x"]),
        (78, "check odds --game crecer", ["odds does not play crecer"]),
    ] {
        place.refuses(code, line, &words);
    }
    let full = "check random --game crecer --only ready --junit /dev/full";
    place.run(full).code(74).err(contains("/dev/full cannot be written: No space left on device"));
}

#[test]
fn a_signal_ends_the_checks_and_the_bot() {
    for line in ["check ./bot --game crecer", "check ./bot --game alto-ahi --only alto-ahi-2"] {
        let place = Place::new();
        place.open_to_all();
        place.bot("bot", "ready; while ask; do sleep 0.3; answer; done");
        let running = place.start(line);
        wait_until("the bot runs", || running.family().iter().any(|process| process.name == "bot"));
        running.signal(Signal::INT);
        let ended = running.wait();
        assert_eq!(ended.code, Some(130), "{}", ended.stderr);
        assert_eq!(ended.stderr, "arbitro: stopped before all checks were made\n");
        place.is_empty_of_processes();
    }
}
