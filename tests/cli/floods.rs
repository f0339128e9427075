//! Bots that write without measure: the referee's memory and its logs stay small.

use serde_json::json;

use crate::support::{Place, wait_until};

/// The most memory that a referee had in a game of four with this bot in seat 0, in KiB.
fn peak_memory(script: &str, fault: Option<&str>) -> u64 {
    let place = Place::new();
    let bot = place.bot("bot", script);
    let line = format!("play alto-ahi {bot} random random 'random sleep=10ms' --set max_plies=40 --log g.jsonl --json");
    let mut running = place.start(&line);
    let mut peak = 0;
    wait_until("the game ends", || {
        peak = running.peak_memory().unwrap_or(peak).max(peak);
        running.has_ended()
    });
    let ended = running.wait();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let row: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(row["faults"][0]["kind"].as_str(), fault, "{row}");
    place.run("verify g.jsonl").code(0);
    place.is_empty_of_processes();
    peak
}

#[test]
fn a_line_of_64_megabytes_takes_no_memory() {
    let quiet = peak_memory("ready; play", None);
    let flood = "ready; ask; head -c 67108864 /dev/zero | tr '\\0' x; sleep 100";
    let flooded = peak_memory(flood, Some("too_long"));
    assert!(flooded < quiet + 4096, "{flooded} KiB with the flood, {quiet} KiB without it");
}

#[test]
fn stderr_without_measure_takes_no_memory_and_its_beginning_and_end_are_kept() {
    let place = Place::new();
    let bot = place.bot(
        "bot",
        "ready; ask; echo the beginning >&2; head -c 3000000 /dev/zero | tr '\\0' x >&2; echo the end >&2; answer; play",
    );
    let game = place.play(&format!("alto-ahi {bot} random --set max_plies=4"));
    assert_eq!((game.ending().as_str(), game.faults()), ("decided by max_plies", vec![]));
    let notes = place.logged("g.jsonl", "host");
    let head = place.stderr_of(0);
    let tail = notes.iter().find_map(|note| note.get("stderr_tail")).expect("the end is kept");
    let text = tail["text"].as_str().unwrap();
    assert!(head.starts_with("the beginning\nxxx") && text.ends_with("xxxthe end\n"), "{}…{text}", &head[..100]);
    let all = "the beginning\n".len() + 3_000_000 + "the end\n".len();
    assert_eq!(tail["dropped"], json!(all - head.len() - text.len()));
    assert!(place.bytes("g.jsonl").len() < 40_000);
    place.run("verify g.jsonl").code(0);
}

#[test]
fn more_stderr_than_the_limit_is_a_fault() {
    let flood = "ready; ask; head -c 80000000 /dev/zero >&2; sleep 100";
    let flooded = peak_memory(flood, Some("stderr_limit"));
    assert!(flooded < 100_000, "{flooded} KiB");
}

#[test]
fn a_bot_that_writes_off_turn_is_heard_and_not_stored() {
    let place = Place::new();
    let bot = place.bot("bot", "(while :; do echo noise >&2; done) & ready; play");
    let game = place.play(&format!("alto-ahi {bot} 'random sleep=100ms' --set max_plies=6 --ponder allow"));
    assert!(game.faults().is_empty() || game.faults() == ["0 stderr_limit"], "{:?}", game.faults());
    assert!(place.bytes("g.jsonl").len() < 400_000);
    place.is_empty_of_processes();
}
