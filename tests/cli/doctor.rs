//! `arbitro doctor`: everything holds on a machine that has all, and what a machine lacks is found out by trying.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::DirBuilderExt;

use rustix::process::{Signal, geteuid};
use serde_json::Value;

use crate::support::{Place, wait_until};

/// Every item, by its section.
const ITEMS: [(&str, &[&str]); 6] = [
    (
        "Machine",
        &[
            "kernel",
            "landlock",
            "seccomp",
            "users",
            "pidfd",
            "child_lists",
            "schedstat",
            "cgroup",
            "user_namespaces",
            "bubblewrap",
        ],
    ),
    ("Time", &["processors", "pinning", "load", "clock_source", "timer", "descriptors"]),
    (
        "A bot, held as in any match",
        &[
            "reads", "watches", "writes", "rights", "network", "sockets", "looks", "stdout", "signals", "slows",
            "wakes", "leaves", "names",
        ],
    ),
    (
        "Limits, each gone beyond by a bot",
        &["limit_memory", "limit_processes", "limit_open_files", "limit_file_size", "limit_cpu"],
    ),
    ("A bot off turn, and after its game", &["freeze", "daemon"]),
    ("Interpreters, each with a bot in the sandbox", &["python3", "node", "java", "bash"]),
];

/// How many attempts the modes of the faulty bot make together: 17 on files, 7 on the network, 20 on processes.
const ATTEMPTS: usize = 44;

/// A report in JSON.
struct Report(Value);

impl Report {
    /// Runs the program where these layers are taken for missing.
    fn without(missing: &str, code: i32) -> Report {
        let place = Place::new();
        let mut command = place.command("doctor --json");
        let output = command.env("ARBITRO_PRETEND_WITHOUT", missing).output().expect("the program starts");
        let told = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(code), "{told}{}", String::from_utf8_lossy(&output.stderr));
        place.is_empty_of_processes();
        Report(serde_json::from_str(&told).expect("one object"))
    }

    fn items(&self) -> impl Iterator<Item = &Value> {
        let sections = self.0["sections"].as_array().expect("a list").iter();
        sections.flat_map(|section| section["items"].as_array().expect("a list"))
    }

    fn item(&self, id: &str) -> &Value {
        self.items().find(|item| item["id"] == id).unwrap_or_else(|| panic!("no {id} in {}", self.0))
    }

    /// The items in this state.
    fn that_are(&self, state: &str) -> Vec<&str> {
        let items = self.items().filter(|item| item["state"] == state);
        items.map(|item| item["id"].as_str().expect("a word")).collect()
    }

    /// Whether each attempt works.
    fn attempts(&self) -> BTreeMap<&str, bool> {
        let attempts = self.items().filter_map(|item| item["attempts"].as_array()).flatten();
        attempts
            .map(|attempt| (attempt["name"].as_str().expect("a name"), attempt["works"].as_bool().expect("a verdict")))
            .collect()
    }
}

#[test]
fn on_a_machine_that_has_all_everything_holds() {
    let report = Report::without("", 0);
    let head = ["schema", "well", "require_starts", "missing"].map(|key| &report.0[key]);
    assert_eq!(head, [&1.into(), &true.into(), &true.into(), &Value::Null]);
    let sections: Vec<(&str, Vec<&str>)> = report.0["sections"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|section| {
            let items = section["items"].as_array().expect("a list");
            let ids = items.iter().map(|item| item["id"].as_str().expect("a word")).collect();
            (section["name"].as_str().expect("a word"), ids)
        })
        .collect();
    assert_eq!(sections, ITEMS.map(|(name, ids)| (name, ids.to_vec())));
    assert_eq!((report.that_are("missing"), report.that_are("failed")), (vec![], vec![]));
    for id in ITEMS[2].1.iter().chain(ITEMS[3].1).chain(ITEMS[4].1).filter(|&&id| id != "names") {
        assert_eq!(report.item(id)["state"], "ok", "{}", report.item(id));
    }
    let attempts = report.attempts();
    assert_eq!(attempts.len(), ATTEMPTS, "{attempts:?}");
    assert!(attempts.iter().all(|(&name, &works)| !works || name == "stat-secret"), "{attempts:?}");
    let figure = |id: &str, name: &str| {
        let figure = report.item(id)["figures"][name].as_f64();
        figure.unwrap_or_else(|| panic!("no {name} in {}", report.item(id)))
    };
    assert!(figure("landlock", "abi") >= 6.0);
    assert!((0.0..1e6).contains(&figure("timer", "late_median_us")));
    assert!(figure("descriptors", "games_at_once") >= 1.0);
    // Two looks at a bot that is frozen, and that would compute all the time.
    assert!(figure("freeze", "of_ms") >= 200.0 && figure("freeze", "used_ms") <= 50.0, "{}", report.item("freeze"));
    assert_eq!((figure("daemon", "left"), figure("daemon", "dead_within_ms") < 1000.0), (0.0, true));
    assert!(report.item("users")["found"].as_str().unwrap().starts_with("no") != geteuid().is_root());
}

#[test]
fn people_read_columns_and_a_verdict_and_nothing_is_left_behind() {
    let place = Place::new();
    place.open_to_all();
    let mut command = place.command("doctor -v");
    let output = command.env("TMPDIR", place.folder()).output().expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(0), "{text}");
    for (section, _) in ITEMS {
        assert!(text.lines().any(|line| line == section), "{section} is missing: {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert!(text.is_ascii(), "marks and colours are for terminals: {text}");
    for words in ["  ok       Landlock  ", "signal-rival-by-descriptor ", "holds: memory_limit after "] {
        assert!(text.contains(words), "“{words}” is missing: {text}");
    }
    assert_eq!(text.lines().next_back(), Some("--sandbox require starts here, and all holds"), "{text}");
    assert_eq!(place.files(), Vec::<String>::new());
    place.is_empty_of_processes();
}

#[test]
fn what_works_for_want_of_a_layer_is_named() {
    for (missing, words, works, denied) in [
        (
            "landlock",
            "no Landlock",
            &["read-secret", "read-passwd", "write-rival", "write-here", "write-tmp", "find-rival"][..],
            &["tcp-connect", "renice-rival", "leave-group"][..],
        ),
        (
            "seccomp",
            "no seccomp",
            &["udp-send", "netlink", "unix-connect", "wake-at-end-of-parent", "leave-group", "watch-secret"],
            &["read-secret", "write-here", "signal-rival"],
        ),
    ] {
        let report = Report::without(missing, 1);
        assert_eq!((&report.0["well"], &report.0["require_starts"]), (&false.into(), &false.into()));
        assert!(report.0["missing"].as_str().is_some_and(|line| line.contains(words)), "{}", report.0["missing"]);
        assert_eq!(report.that_are("missing"), [missing]);
        let item = report.item(missing);
        assert!(item["means"].as_str().is_some_and(|means| means.contains("bots can ")), "{item}");
        assert!(item["remedy"].as_str().is_some_and(|remedy| remedy.contains("run ")), "{item}");
        let attempts = report.attempts();
        assert_eq!(attempts.len(), ATTEMPTS, "{attempts:?}");
        assert!(works.iter().all(|name| attempts[name]), "{attempts:?}");
        assert!(denied.iter().all(|name| !attempts[name]), "{attempts:?}");
        // Those that work are told to people by their names, and fail the item that they belong to.
        for item in report.items().filter(|item| item["id"] != "names") {
            let attempts = item["attempts"].as_array().map_or(&[][..], Vec::as_slice);
            let mut working = attempts.iter().filter(|attempt| attempt["works"] == true).peekable();
            assert!(working.peek().is_none() || item["state"] == "failed", "{item}");
            let found = item["found"].as_str().expect("words");
            assert!(working.all(|attempt| found.contains(attempt["name"].as_str().expect("a name"))), "{item}");
        }
        // Limits need no layer.
        assert!(ITEMS[3].1.iter().all(|id| report.item(id)["state"] == "ok"), "{}", report.0);
    }
}

#[test]
fn without_users_for_bots_the_cause_is_named_once_and_nothing_is_tried() {
    if !geteuid().is_root() {
        return println!("bots of an ordinary user need none");
    }
    let report = Report::without("users", 1);
    let missing = report.0["missing"].as_str().expect("a line");
    for words in ["/run/arbitro cannot be written to: Read-only file system", "start the referee as an ordinary user"] {
        assert!(missing.contains(words), "{missing}");
    }
    assert_eq!((report.that_are("missing"), report.that_are("failed")), (vec!["users"], vec![]));
    let item = report.item("bots");
    assert!(item["state"] == "note" && item["found"].as_str().unwrap().starts_with("not tried"), "{item}");
}

#[test]
fn quietly_only_what_is_amiss_is_said_and_in_the_last_line_what_is_missing() {
    let place = Place::new();
    let mut command = place.command("doctor -q");
    let output = command.env("ARBITRO_PRETEND_WITHOUT", "landlock,seccomp").output().expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!((output.status.code(), output.stderr.len()), (Some(1), 0), "{text}");
    assert!(text.starts_with("  missing  Landlock ") && !text.contains("  ok  "), "{text}");
    let last = text.lines().next_back().unwrap_or_default();
    assert!(last.starts_with("--sandbox require does not start here: this machine has no Landlock, so "), "{last}");
    assert!(last.contains("; nor seccomp, so "), "{last}");
    place.is_empty_of_processes();
}

#[test]
fn it_stops_when_it_is_told_to() {
    let place = Place::new();
    let running = place.start("doctor");
    running.family_of(3);
    running.signal(Signal::INT);
    let ended = running.wait();
    assert_eq!(ended.code, Some(130), "{}{}", ended.stdout, ended.stderr);
    assert!(ended.took.as_secs() < 2 && !ended.stdout.contains("--sandbox require"), "{}", ended.stdout);
    wait_until("nothing is left", || place.processes().is_empty());
}

#[test]
fn without_a_folder_that_bots_reach_nothing_is_tried() {
    let place = Place::new();
    let run = |folder: &str| {
        let mut command = place.command("doctor");
        let output = command.env("TMPDIR", place.path(folder)).output().expect("the program starts");
        assert!(output.stdout.is_empty());
        (output.status.code(), String::from_utf8(output.stderr).expect("text"))
    };
    let (code, told) = run("missing");
    assert_eq!(code, Some(74), "{told}");
    assert!(told.contains("no folder to play in") && told.contains("set TMPDIR"), "{told}");
    if geteuid().is_root() {
        // Others would be denied everything in it, sandbox or not.
        fs::DirBuilder::new().mode(0o700).create(place.path("closed")).expect("a folder can be made");
        let (code, told) = run("closed");
        assert_eq!(code, Some(78), "{told}");
        assert!(told.contains("bots cannot pass") && told.contains("set TMPDIR"), "{told}");
    }
}
