//! `--ponder`: whether a bot can think while others do.

use crate::support::Place;

/// How much processor time, in hundredths of a second, a bot had burnt when its rival had thought for a second.
fn burnt(ponder: &str, sandbox: &str) -> u64 {
    let place = Place::new();
    // What burns is a child in the bot's own group. Each answer tells how much it has used so far: the 14th and 15th
    // field of its `stat`, counted from behind its name.
    let burner = place.bot(
        "burner",
        r#"(while :; do :; done) & burner=$!
ready
while ask; do
    read -r stat <"/proc/$burner/stat"; set -- ${stat##*) }
    printf '{"type":"move","turn":%s,"move":"%s","info":{"burnt":%s}}\n' "$turn" "$move" $((${12} + ${13}))
done"#,
    );
    let line = format!(
        "alto-ahi {burner} 'random sleep=200ms' --set max_plies=11 --ponder {ponder} --sandbox {sandbox} --read 0=/proc"
    );
    let game = place.play(&line);
    assert_eq!((game.ending().as_str(), game.faults()), ("decided by max_plies", vec![]), "{}", game.ran.shown());
    let header = place.logged("g.jsonl", "header").remove(0);
    let words = header["host"]["ponder"].as_str().unwrap();
    assert!(words.starts_with(ponder), "{words}");
    assert_eq!(
        words.contains("best effort"),
        ponder == "stop" && sandbox == "off",
        "what cannot be promised is said: {words}"
    );
    place.run("verify g.jsonl").code(0);
    place.is_empty_of_processes();
    let moves = place.logged("g.jsonl", "move");
    let told: Vec<u64> = moves.iter().filter_map(|mv| mv["host"]["info"]["burnt"].as_u64()).collect();
    assert_eq!(told.len(), 6, "{told:?}");
    told[5] - told[0]
}

#[test]
fn a_bot_that_burns_time_off_turn_is_stopped_unless_that_is_allowed() {
    let allowed = burnt("allow", "auto");
    assert!(allowed >= 10, "without a stop it burns: {allowed} hundredths of a second of a hundred");
    for sandbox in ["auto", "off"] {
        let stopped = burnt("stop", sandbox);
        assert!(stopped * 3 <= allowed, "{stopped} hundredths of a second under stop, {allowed} under allow");
    }
}
