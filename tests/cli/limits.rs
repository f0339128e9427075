//! What a bot may use: each limit reached by a bot that would use much more, with its name and in time.

use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, SystemTime};

use rustix::process::Signal;
use serde_json::json;

use crate::running::Running;
use crate::support::{Place, is_there, wait_until};

/// Plays a bot in Python against `random`, and gives the fault of the bot with its words.
fn charged(script: &str, options: &str) -> Option<(String, String)> {
    let (place, began) = (Place::new(), SystemTime::now());
    let ready = "import os, sys, time\ninput()\nprint('{\"type\":\"ready\"}', flush=True)\ninput()\n";
    place.write("mine/bot.py", format!("{ready}{script}\ntime.sleep(100)\n"));
    let game = place.play(&format!("alto-ahi 'python3 mine/bot.py' random --clock 20s {options}"));
    assert!(game.ran.took < Duration::from_secs(60), "{}", game.ran.shown());
    place.run("verify g.jsonl").code(0);
    place.is_empty_of_processes();
    let leftover = std::fs::read_dir(std::env::temp_dir()).unwrap().flatten();
    let scratch = leftover.filter(|entry| entry.file_name().to_string_lossy().starts_with("arbitro-scratch-"));
    let new = scratch.filter(|entry| entry.metadata().is_ok_and(|data| data.created().is_ok_and(|at| at > began)));
    // Those of other tests that run now are there too.
    assert!(new.count() <= 8, "folders for files are removed");
    let fault = game.row["faults"].get(0)?;
    assert_eq!(fault["seat"], 0);
    Some((fault["kind"].as_str().unwrap().to_owned(), fault["words"].as_str().unwrap().to_owned()))
}

#[test]
fn each_limit_has_a_fault_of_its_own() {
    if !is_there("python3") {
        return;
    }
    let grow = "kept = []\nwhile True:\n    kept.append(bytearray(b'x') * (8 << 20)); time.sleep(0.01)";
    let share = "import mmap\nm = mmap.mmap(-1, 400 << 20)\nfor at in range(0, len(m), 4096): m[at] = 1";
    let spread =
        "for _ in range(8):\n    if os.fork() == 0:\n        kept = bytearray(b'x') * (60 << 20); time.sleep(100)";
    let fork = "for _ in range(100):\n    if os.fork() == 0: time.sleep(100)";
    let open = "kept = [os.dup(0) for _ in range(100)]";
    let burn = "while True: pass";
    for (script, options, kind, words) in [
        (grow, "--limit memory=200MiB", "memory_limit", "at most 209715200 are allowed"),
        (share, "--limit memory=200MiB", "memory_limit", "bytes of memory"),
        (spread, "--limit memory=200MiB", "memory_limit", "all that it started"),
        (fork, "", "process_limit", "at most 64 are allowed"),
        (open, "", "open_files_limit", "at most 64 are allowed"),
        (burn, "--limit cpu=500ms", "cpu_limit", "at most 500 are allowed"),
    ] {
        let (found, told) = charged(script, options).expect("there is a fault");
        assert_eq!(found, kind, "{told}");
        assert!(told.contains(words), "{told}");
    }
}

#[test]
fn what_a_bot_writes_is_bounded_and_gone_after_the_game() {
    if !is_there("python3") {
        return;
    }
    let home = "os.chdir(os.environ['HOME'])\n";
    let many = format!("{home}for n in range(40): open(str(n), 'wb').write(b'x' * 50000)");
    let (kind, words) = charged(&many, "--limit scratch=1MiB").unwrap();
    assert_eq!(kind, "scratch_limit", "{words}");
    let numerous = format!("{home}for n in range(20000): os.mkdir(str(n))");
    let (kind, words) = charged(&numerous, "--limit scratch=1GiB").unwrap();
    assert_eq!(kind, "scratch_limit", "{words}");
    assert!(words.contains("files in the writable folder: 10001, and at most 10000"), "{words}");
    let large = format!(
        "{home}import signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_DFL)\nopen('f', 'wb').write(b'x' * 3000000)"
    );
    let (kind, words) = charged(&large, "--limit scratch=2MiB").unwrap();
    assert_eq!(kind, "file_limit", "{words}");
    let (kind, words) = charged(&format!("{home}open('f', 'w')"), "").unwrap();
    assert_eq!(kind, "exited", "without one there is nowhere to write: {words}");
}

#[test]
fn files_that_are_out_of_sight_are_charged() {
    if !is_there("python3") {
        return;
    }
    let home = "os.chdir(os.environ['HOME'])\n";
    let removed = format!(
        "{home}kept = [open(str(n), 'wb', 0) for n in range(40)]\nfor n, file in enumerate(kept): os.unlink(str(n)); file.write(b'x' * 50000)"
    );
    let (kind, words) = charged(&removed, "--limit scratch=1MiB").unwrap();
    assert_eq!(kind, "scratch_limit", "{words}");
    let deep = format!("{home}for _ in range(30): os.mkdir('d' * 200); os.chdir('d' * 200)");
    let (kind, words) = charged(&deep, "--limit scratch=1MiB").unwrap();
    assert_eq!(kind, "scratch_limit", "{words}");
    assert!(words.contains("cannot be looked into"), "{words}");
}

/// A place with a folder for temporary files, and the command in it.
fn with_temporary(place: &Place, line: &str) -> std::process::Command {
    place.open_to_all();
    place.write("temporary/made", "");
    std::fs::remove_file(place.path("temporary/made")).unwrap();
    std::fs::set_permissions(place.path("temporary"), PermissionsExt::from_mode(0o777)).unwrap();
    let mut command = place.command(line);
    command.env("TMPDIR", place.path("temporary"));
    command
}

#[test]
fn a_deep_folder_is_removed_where_descriptors_are_few() {
    let place = Place::new();
    let bot = place.bot("bot", "ready; ask; cd; n=0; while [ $n -lt 300 ]; do mkdir d; cd d; n=$((n+1)); done");
    let play = format!("play alto-ahi {bot} random --limit scratch=10MiB --json");
    let few = with_temporary(&place, &play);
    let mut shell = std::process::Command::new("/bin/sh");
    shell.args(["-c", "ulimit -n 128; exec \"$0\" \"$@\""]).arg(few.get_program()).args(few.get_args());
    shell.envs(few.get_envs().filter_map(|(name, value)| Some((name, value?)))).current_dir(place.folder());
    let output = shell.output().expect("a shell");
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"exited\""), "{output:?}");
    assert_eq!(std::fs::read_dir(place.path("temporary")).unwrap().count(), 0, "{output:?}");
}

#[test]
fn what_a_bot_wrote_goes_with_a_killed_referee() {
    let place = Place::new();
    let bot = place.bot("bot", "ready; ask; cd; : >written; echo written >&2; sleep 100");
    let play = format!("play alto-ahi {bot} random --limit scratch=10MiB --log g.jsonl");
    let running = Running::start(with_temporary(&place, &play));
    let temporary = || std::fs::read_dir(place.path("temporary")).unwrap().flatten();
    wait_until("the bot wrote", || temporary().any(|entry| entry.path().join("0/written").exists()));
    running.signal(Signal::KILL);
    wait_until("its folder is gone", || temporary().count() == 0);
    place.is_empty_of_processes();
}

#[test]
fn limits_are_told_to_bots_and_to_readers_of_the_log() {
    let place = Place::new();
    let bot = place.bot("bot", "read -r hello; echo \"$hello\" >&2; echo '{\"type\":\"ready\"}'; play");
    place.play(&format!(
        "alto-ahi {bot} random --set max_plies=4 --limit memory=2GiB --limit processes=none --limit scratch=1MiB"
    ));
    let header = place.logged("g.jsonl", "header").remove(0);
    let limits = &header["limits"];
    assert_eq!(limits["memory_bytes"], json!(2u64 << 30));
    assert_eq!((&limits["scratch_bytes"], limits.get("processes")), (&json!(1 << 20), None));
    let hello: serde_json::Value = serde_json::from_str(place.stderr_of(0).lines().next().unwrap()).unwrap();
    assert_eq!(&hello["limits"], limits);
}

#[test]
fn limits_that_make_no_sense_are_refused() {
    let place = Place::new();
    place.refuses(2, "play alto-ahi greedy random --limit memory", &["--limit memory", "NAME=VALUE", "open-files"]);
    place.refuses(2, "play alto-ahi greedy random --limit memory=lots", &["memory=lots", "512MiB"]);
    place.refuses(2, "play alto-ahi greedy random --limit colour=1", &["no such limit", "scratch"]);
}
