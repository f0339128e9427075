//! Nothing of a bot survives its game, and no game waits for what a bot left behind.

use std::time::Duration;

use crate::running::{Process, wait_for_end_of};
use crate::support::{Place, wait_until};

/// Bots that leave something behind, as far as nobody keeps them from leaving their session: without a sandbox,
/// each with how many processes there are at least while its game runs.
const LEAVING: [(&str, &str, usize); 5] = [
    ("plain", "ready; ask; sleep 100", 2),
    ("daemon", "setsid sh -c 'sleep 100; true' mark >/dev/null 2>&1 </dev/null & ready; ask; sleep 100", 4),
    ("holder", "setsid sh -c 'sleep 100; true' mark & ready; ask; sleep 100", 4),
    ("orphans", "(setsid sh -c 'sleep 100; true' mark &) ; ready; ask; sleep 100", 4),
    ("deaf", "trap '' TERM HUP INT QUIT; (trap '' TERM HUP INT; sleep 100; sleep 100) & ready; ask; sleep 100", 4),
];

#[test]
fn what_a_bot_started_is_dead_when_its_game_is_over() {
    for (name, script, count) in LEAVING {
        let place = Place::new();
        let bot = place.bot(name, script);
        let line = format!("play alto-ahi {bot} random --sandbox off --move-limit 1500ms --log g.jsonl --json");
        let running = place.start(&line);
        // First it is seen alive, by the same search that finds nothing afterwards.
        wait_until("its processes are found", || {
            let below: Vec<i32> = running.family().iter().map(|process| process.pid).collect();
            place.processes().iter().filter(|pid| below.contains(pid)).count() >= count
        });
        let family = running.family();
        let keepers = family.iter().filter(|process| process.name.contains("arbitro-keeper")).count();
        assert_eq!(keepers, 2, "{name}: {family:?}");
        let ended = running.wait();
        assert_eq!(ended.code, Some(0), "{name}: {}", ended.stderr);
        assert!(!family.iter().any(Process::is_alive), "{name}: {family:?}");
        place.is_empty_of_processes();
        let ends = place.logged("g.jsonl", "host");
        let ended = ends.iter().find_map(|note| note.get("ended").filter(|ended| ended["seat"] == 0)).unwrap();
        assert!(ended["leftovers"].as_u64().unwrap() as usize + 1 >= count - 1, "{name} is counted: {ended}");
        place.run("verify g.jsonl").code(0);
    }
}

#[test]
fn in_the_sandbox_nothing_leaves_the_session_of_its_bot() {
    let place = Place::new();
    let bot = place.bot("bot", "(setsid sleep 100 || sleep 100) & ready; ask; sleep 100");
    let running = place.start(&format!("play alto-ahi {bot} random --move-limit 1500ms --log g.jsonl --json"));
    wait_until("its processes are found", || running.family().iter().filter(|one| one.name == "sleep").count() == 2);
    assert_eq!(running.wait().code, Some(0));
    assert!(place.stderr_of(0).contains("setsid: failed to execute") || place.stderr_of(0).contains("not permitted"));
    place.is_empty_of_processes();
}

#[test]
fn a_bot_that_ended_and_left_a_holder_of_its_pipes_is_not_waited_for() {
    let place = Place::new();
    let bot = place.bot("bot", "setsid sh -c 'sleep 100; true' mark & ready; ask; exit 4");
    let game = place.play(&format!("alto-ahi {bot} random --sandbox off"));
    assert_eq!(game.faults(), ["0 exited"]);
    assert!(game.words().contains("exit code 4"), "{}", game.words());
    assert!(game.ran.took < Duration::from_secs(10), "{:?}", game.ran.took);
    place.is_empty_of_processes();
}

#[test]
fn a_match_leaves_nothing_between_its_games() {
    let place = Place::new();
    let bot = place.bot("bot", "setsid sleep 100 & setsid sleep 100 & ready; play");
    let line = format!(
        "play alto-ahi {bot} 'random sleep=40ms' --games 4 --swap --sandbox off --set max_plies=4 --log m.jsonl -q"
    );
    let mut running = place.start(&line);
    let mut most = 0;
    wait_until("the match ends", || {
        most = most.max(running.family().iter().filter(|process| process.name == "sleep").count());
        running.has_ended()
    });
    assert_eq!(running.wait().code, Some(0));
    assert_eq!(most, 2, "those of one game, never of two");
    place.is_empty_of_processes();
}

#[test]
fn a_log_that_cannot_be_written_ends_everything() {
    let place = Place::new();
    let bot = place.bot("bot", "setsid sleep 100 & ready; play");
    let line = format!("play alto-ahi {bot} 'random sleep=20ms' --sandbox off --log /dev/full --force");
    let running = place.start(&line);
    let family = running.family_of(4);
    let ended = running.wait();
    assert_eq!(ended.code, Some(74), "{}", ended.stderr);
    let told: Vec<&str> = ended.stderr.lines().filter(|line| !line.starts_with("ply ")).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("arbitro: the log /dev/full cannot be written: No space left"), "{told:?}");
    assert_eq!(ended.stdout, "");
    wait_for_end_of(&family);
    place.is_empty_of_processes();
}
