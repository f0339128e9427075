//! Nothing lost, nothing twice: a tournament that is killed, stopped or out of room at any moment, and goes on each time,
//! ends as one that was never disturbed.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use arbitro::chance::Hex32;
use arbitro::record::outcome::Reason;
use arbitro::tournament::folder;
use rustix::process::Signal;

use crate::running::{Ended, Running, SHORTLY, wait_for_end_of};
use crate::support::{Place, wait_until};
use crate::tournament::cup;

/// Bots that play the same for the same seeds; the last one crashes in every game.
const BOTS: [(&str, &str); 4] = [
    ("ada", "[\"greedy\"]"),
    ("bob", "[\"random\"]"),
    ("cy", "[\"random\", \"sleep=1ms\"]"),
    ("dan", "[\"faulty\", \"mode=exit\", \"turn=4\"]"),
];

/// A tournament of short games, two of them at once.
fn tournament(rounds: u32, reuse: u32) -> String {
    let format = format!("kind = \"round-robin\"\nrounds = {rounds}");
    let run = format!("options.max_plies = 16\nrun = {{ concurrency = 2, reuse = {reuse} }}");
    cup(&format, &run, &BOTS).replace("options = { size = 5, walls = 2 }", "options.size = 5\noptions.walls = 2")
}

/// What decides a tournament, of each finished game.
fn results(folder: &Path) -> Vec<(u64, Hex32)> {
    let record = folder::read(folder).unwrap_or_else(|error| panic!("{error}"));
    record.played.iter().map(|game| (game.game, game.game_sha256)).collect()
}

fn standings(place: &Place, folder: &str) -> String {
    place.run(&format!("standings {folder} --format json")).code(0).stdout()
}

/// Numbers that look drawn, the same in every run.
struct Drawn(u64);

impl Drawn {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// The games that events told to be safe; the last line may be torn.
fn told(place: &Place) -> Vec<u64> {
    let events = fs::read_to_string(place.path("events.jsonl")).unwrap_or_default();
    let lines = events.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let games = lines.filter_map(|line| line["counted"]["games"].as_array().cloned()).flatten();
    games.map(|game| game.as_u64().expect("a number")).collect()
}

/// A referee that is about to be disturbed.
struct Victim<'a> {
    place: &'a Place,
    running: Running,
}

impl Victim<'_> {
    fn start(place: &Place) -> Victim<'_> {
        Victim { place, running: place.start("run --out cup --events events.jsonl -q") }
    }

    /// Sends these signals one after another; how it ended, with everything below it.
    fn kill(self, signals: &[Signal]) -> Ended {
        let family = self.running.family();
        signals.iter().for_each(|&signal| self.running.signal(signal));
        let ended = self.running.wait();
        assert!(wait_for_end_of(&family) < SHORTLY, "{family:?}");
        assert!(ended.took < SHORTLY, "{:?}", ended.took);
        if ended.signal.is_some() {
            // What it started at the last moment, and nobody saw, notices by itself that it is gone.
            let began = Instant::now();
            wait_until("everything is gone", || self.place.processes().is_empty());
            assert!(began.elapsed() < SHORTLY, "{:?}", began.elapsed());
        }
        self.place.is_empty_of_processes();
        ended
    }
}

/// Plays a tournament with so many disturbances, again and again if it ends before.
fn disturb(times: usize, rounds: u32, seed: u64) {
    let (place, mut drawn) = (Place::new(), Drawn(seed));
    place.write("cup.toml", tournament(rounds, 2));
    let began = Instant::now();
    place.run("run --out undisturbed -q").code(0);
    let most = began.elapsed().as_millis() as u64;
    let (expected, table) = (results(&place.path("undisturbed")), standings(&place, "undisturbed"));
    let (mut left, mut ends, mut kinds) = (times, 0, [0; 3]);
    while left > 0 {
        let mut victim = Victim::start(&place);
        std::thread::sleep(Duration::from_millis(drawn.below(most.min(800))));
        // Mostly by force.
        let kind = drawn.below(6).saturating_sub(3) as usize;
        if victim.running.has_ended() {
            assert_eq!(victim.running.wait().code, Some(0));
        } else {
            let signals = [vec![Signal::KILL], vec![Signal::TERM], vec![Signal::INT, Signal::TERM]];
            let ended = victim.kill(&signals[kind]);
            // Before it listens, and after it ended, a signal is only a signal.
            let known = [Some(0), Some(75), Some(130), Some(143)].contains(&ended.code) || ended.signal.is_some();
            assert!(known, "{:?}: {}", ended.code, ended.stderr);
            left -= 1;
            kinds[kind] += 1;
        }
        if !place.path("cup/journal.jsonl").exists() {
            continue;
        }
        let so_far = results(&place.path("cup"));
        assert!(so_far.iter().all(|game| expected.contains(game)), "each game is as it would have been");
        let missing: Vec<u64> =
            told(&place).into_iter().filter(|told| !so_far.iter().any(|(game, _)| game == told)).collect();
        assert_eq!(missing, [0; 0], "what was told to be safe is there");
        if so_far.len() == expected.len() {
            ends += 1;
            finish(&place, &expected, &table);
            fs::remove_dir_all(place.path("cup")).expect("it is ours");
            let _ = fs::remove_file(place.path("events.jsonl"));
        }
    }
    place.run("run --out cup -q").code(0);
    finish(&place, &expected, &table);
    println!("{times} disturbances {kinds:?}, and {} tournaments that ended alike", ends + 1);
}

/// A tournament that is over is as the undisturbed one, and all its logs hold.
fn finish(place: &Place, expected: &[(u64, Hex32)], table: &str) {
    place.run("run --out cup -q").code(0);
    assert_eq!(results(&place.path("cup")), expected);
    assert_eq!(standings(place, "cup"), table);
    let all = format!("{} logs: all holds in {}", expected.len(), expected.len());
    place.run("verify cup/games").code(0).says(&[&all]);
}

#[test]
fn killed_and_stopped_at_random_it_ends_as_if_it_never_had_been() {
    disturb(10, 2, 1);
}

#[test]
#[ignore = "deep: hundreds of kills; in an optimised build"]
fn deep_killed_and_stopped_hundreds_of_times_it_ends_as_if_it_never_had_been() {
    disturb(220, 24, 2);
}

#[test]
fn out_of_room_it_stops_and_goes_on_when_there_is_some() {
    let place = Place::new();
    place.write("cup.toml", tournament(6, 0));
    place.run("run --out undisturbed -q").code(0);
    // A file that may not grow is as good as a full disk; the journal is the largest by far.
    let largest = fs::metadata(place.path("undisturbed/journal.jsonl")).expect("it is there").len();
    for part in [3, 2] {
        let limit = (largest / part) / 512;
        let script = format!("trap '' XFSZ; ulimit -f {limit}; exec \"$ARBITRO\" run --out cup -q");
        let output = std::process::Command::new("sh")
            .args(["-c", &script])
            .env("ARBITRO", env!("CARGO_BIN_EXE_arbitro"))
            .current_dir(place.folder())
            .output()
            .expect("there is a shell");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(74), "{told}");
        assert!(told.contains("journal.jsonl: File too large"), "{told}");
        assert!(told.contains("what is finished is safe") && told.matches('\n').count() == 1, "{told}");
        place.is_empty_of_processes();
        let journal = fs::metadata(place.path("cup/journal.jsonl")).expect("it is there").len();
        assert!(journal > 0 && journal <= limit * 512, "it is cut back to where it was good");
        let finished = results(&place.path("cup")).len();
        assert!(finished > 0, "what fitted counts");
    }
    place.run("run --out cup -q").code(0);
    assert_eq!(results(&place.path("cup")), results(&place.path("undisturbed")));
    assert_eq!(standings(&place, "cup"), standings(&place, "undisturbed"));
}

#[test]
fn where_no_further_thread_can_be_started_it_says_so_and_goes_on_when_one_can() {
    let place = Place::new();
    let played = (tournament(6, 0), "run --out cup --concurrency 60");
    // Tried are as many games at once as there are tables.
    let (field, _) = played.0.split_once("[[bots]]").expect("it has bots");
    let bots = (0..60).map(|bot| format!("[[bots]]\nname = \"bot {bot}\"\ncommand = [\"random\"]\n"));
    let tried = (field.to_owned() + &bots.collect::<String>(), "run --dry-run=try --concurrency 30");
    for (file, line) in [&tried, &played] {
        place.write("cup.toml", file);
        // A limit that holds for root, too: there is room for the stacks of a few threads.
        let output = std::process::Command::new("sh")
            .args(["-c", &format!("ulimit -S -v 4000000; exec \"$ARBITRO\" {line} -q")])
            .env("ARBITRO", env!("CARGO_BIN_EXE_arbitro"))
            .env("RUST_MIN_STACK", (512 << 20).to_string())
            .current_dir(place.folder())
            .output()
            .expect("there is a shell");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(74), "{told}");
        assert!(
            told.starts_with("arbitro: the referee cannot set itself up: no further thread can be started"),
            "{told}"
        );
        assert!(told.contains("play fewer games at once") && told.matches('\n').count() == 1, "{told}");
        place.is_empty_of_processes();
    }
    assert_eq!(results(&place.path("cup")), []);
    place.run("run --out cup -q").code(0);
}

#[test]
fn two_referees_never_play_in_one_folder() {
    let place = Place::new();
    // It lasts for longer than anybody tries to join it.
    place.write("cup.toml", tournament(24, 0).replace("sleep=1ms", "sleep=50ms"));
    let mut first = place.start("run --out cup -q");
    wait_until("the first one plays", || place.path("cup/games/0000").exists());
    let pid = first.pid();
    for _ in 0..3 {
        place.run("run --out cup").code(75).err(predicates::str::contains(format!("another referee (process {pid})")));
    }
    assert!(!first.has_ended(), "it plays on");
    first.signal(Signal::TERM);
    let ended = first.wait();
    assert_eq!(ended.code, Some(75), "it never noticed: {}", ended.stderr);
    assert!(ended.stderr.contains("what is finished is safe"), "{}", ended.stderr);
    let finished = results(&place.path("cup"));
    assert!(!finished.is_empty() && finished.len() < 288, "{}", finished.len());
    place.is_empty_of_processes();
}

#[test]
fn rules_that_fail_make_their_games_void_and_the_tournament_goes_on() {
    let place = Place::new();
    // The last bot crashes before the rules can fail, and nobody is at the goal by then.
    place.write("cup.toml", tournament(1, 0).replace("turn=4", "turn=1"));
    let mut command = place.command("run --out cup -q");
    let output = command.env("ARBITRO_PRETEND_PANIC_AT", "3").output().expect("it starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(70), "{told}");
    assert!(told.contains("the rules failed in 6 games: a bug of ours; please report it"), "{told}");
    let record = folder::read(&place.path("cup")).expect("a tournament");
    assert_eq!(record.played.len(), 12, "all games are over");
    for game in &record.played {
        let crashes = game.seats.iter().any(|bot| bot.index() == 3);
        assert_eq!(game.reason, if crashes { Reason::Faults } else { Reason::Panic });
        if !crashes {
            let text = fs::read_to_string(folder::log(&place.path("cup"), game.game)).expect("it can be looked at");
            assert_eq!(text.matches("{\"move\":").count(), 3, "what was played until then is there");
        }
    }
    place.is_empty_of_processes();
}

#[test]
fn a_second_signal_ends_a_tournament_at_once_and_it_goes_on_all_the_same() {
    let place = Place::new();
    place.write("cup.toml", tournament(4, 0));
    let victim = Victim::start(&place);
    wait_until("games are played", || place.path("cup/games/0000").exists());
    let began = Instant::now();
    let ended = victim.kill(&[Signal::TERM, Signal::TERM]);
    assert!(began.elapsed() < SHORTLY);
    assert!([Some(143), Some(75)].contains(&ended.code), "{:?}: {}", ended.code, ended.stderr);
    place.run("run --out cup -q").code(0);
    assert_eq!(results(&place.path("cup")).len(), 48);
}
