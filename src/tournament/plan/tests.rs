use serde_json::json;

use super::*;
use crate::seat::Seat;
use crate::tournament::openings::Drawing;
use crate::tournament::pairing::Orders;
use crate::tournament::samples::{self, header, round};

/// The bytes of a file of a plan.
fn bytes(plan: &Plan, part: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    plan.write(part, &mut bytes).expect("memory takes all bytes");
    bytes
}

fn sets<T>(plan: &Plan, of: impl FnMut(&PlannedSet) -> T) -> Vec<T> {
    plan.sets().iter().map(of).collect()
}

/// Two rounds, and a third that follows from their results.
fn swiss() -> Plan {
    let mut header = header(3);
    header.openings = vec!["e2 e8".to_owned(), String::new()];
    header.reuse = 2;
    let mut plan = Plan::new(header, [round([[0, 1]], &[2], 3), round([[0, 2]], &[1], 1)]);
    plan.extend([round([[2, 1]], &[0], 2)], Hex32([9; 32]));
    plan
}

#[test]
fn games_are_numbered_through_and_turn_their_seats() {
    let plan = Plan::new(header(4), [round([[0, 1], [2, 3]], &[], 2), round([[3, 0]], &[1], 1)]);
    assert_eq!((plan.games(), plan.games_each()), (10, 2));
    assert_eq!(sets(&plan, |set| (set.round, set.meeting)), [(1, 1), (1, 1), (1, 2), (1, 2), (2, 3)]);
    let game = plan.game(10).expect("it is planned");
    let last = PlannedGame { number: 10, set: 5, place: 1, seats: BySeat::collect([Entrant(0), Entrant(3)]) };
    assert_eq!(game, last);
    assert_eq!(plan.games_of(4).collect::<Vec<_>>(), [plan.game(9).unwrap(), last]);
    assert_eq!((plan.game(0), plan.game(11)), (None, None));
    assert_eq!((game.id(), luck_id(game.set)), ("game-0000010".to_owned(), "set-0000005".to_owned()));
    assert_eq!(plan.rounds()[1].sets(), 4..5);
}

#[test]
fn whoever_plays_every_round_meets_the_same_openings() {
    let mut header = header(4);
    header.openings = ["one", "two", "three"].map(str::to_owned).to_vec();
    let plan = Plan::new(header, [round([[0, 1], [2, 3]], &[], 2), round([[0, 2], [1, 3]], &[], 2)]);
    assert_eq!(sets(&plan, |set| set.opening.unwrap()), [0, 1, 0, 1, 2, 0, 2, 0]);
    let plan = Plan::new(samples::header(2), [round([[0, 1]], &[], 2)]);
    assert_eq!(sets(&plan, |set| set.opening), [None, None]);
}

#[test]
fn a_sitting_is_a_row_of_sets_of_one_meeting() {
    let of = |reuse: u32| {
        let header = Header { reuse, ..header(4) };
        sets(&Plan::new(header, [round([[0, 1], [2, 3]], &[], 3), round([[0, 1]], &[], 3)]), |set| set.sitting)
    };
    assert_eq!(of(2), [1, 1, 2, 3, 3, 4, 5, 5, 6]);
    assert_eq!(of(9), [1, 1, 1, 2, 2, 2, 3, 3, 3]);
    assert_eq!(of(0), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
}

#[test]
fn a_plan_is_text_that_says_everything() {
    let plan = swiss();
    let text = String::from_utf8(bytes(&plan, 0)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with(r#"{"plan":{"format":1,"referee":"1.0.0","name":"A cup","game":"alto-ahi","#));
    assert_eq!(lines[1], r#"{"round":{"number":1,"meetings":1,"sets_each":3,"byes":[2]}}"#);
    let third = r#"{"set":{"number":3,"round":1,"meeting":1,"seats":[0,1],"first_game":5,"luck":"set-0000003","opening":0,"sitting":2}}"#;
    assert_eq!(lines[4], third);
    assert_eq!(lines[7], r#"{"end":{"rounds":2,"sets":4,"games":8}}"#);
    let further = String::from_utf8(bytes(&plan, 1)).unwrap();
    let hash = plan.sha256();
    let first = format!(
        r#"{{"further":{{"format":1,"part":2,"plan":"{hash}","previous":"{hash}","results":"{}"}}}}"#,
        Hex32([9; 32])
    );
    assert_eq!(further.lines().next(), Some(first.as_str()));
    assert_eq!((file_name(0), file_name(1)), ("plan.jsonl".to_owned(), "plan-0002.jsonl".to_owned()));
}

#[test]
fn a_plan_reads_back_as_it_was_and_its_hash_is_that_of_its_bytes() {
    use sha2::{Digest, Sha256};
    let plan = swiss();
    let mut read = Plan::read(bytes(&plan, 0).as_slice()).expect("our own plan");
    assert_eq!(read.sha256(), Hex32(Sha256::digest(bytes(&plan, 0)).into()));
    assert_eq!((read.parts(), read.games()), (1, 8));
    read.read_further(bytes(&plan, 1).as_slice()).expect("our own plan");
    assert_eq!(read, plan);
    assert_eq!((read.follows_from(0), read.follows_from(1)), (None, Some(Hex32([9; 32]))));
    assert_eq!((read.rounds_before(0), read.rounds_before(1)), (0, 2));
}

#[test]
fn what_holds_for_all_is_read_alone_and_a_plan_of_drawn_openings_says_what_was_asked_for() {
    let drawn = Some(Drawing { plies: 4, count: 50, balance: true });
    let plan = Plan::new(Header { drawn, ..header(2) }, [round([[0, 1]], &[], 1)]);
    let text = String::from_utf8(bytes(&plan, 0)).unwrap();
    assert!(text.contains(r#","drawn":{"plies":4,"count":50,"balance":true},"openings":[],"#), "{text}");
    assert_eq!(Plan::read(text.as_bytes()).unwrap(), plan);
    let first = text.lines().next().unwrap().to_owned() + "\n";
    assert_eq!(Plan::read_header(first.as_bytes()).unwrap(), *plan.header());
    assert!(Plan::read_header(first.trim_end().as_bytes()).is_err());
    assert!(Plan::read_header(first.replace(",\"drawn", ", \"drawn").as_bytes()).is_err());
}

#[test]
fn every_change_of_a_byte_is_found() {
    let plan = swiss();
    let hash = plan.sha256();
    let good = bytes(&plan, 0);
    let mut unread = 0;
    for at in 0..good.len() {
        for bit in [0, 3] {
            let mut bad = good.clone();
            bad[at] ^= 1 << bit;
            match Plan::read(bad.as_slice()) {
                Err(_) => unread += 1,
                // What a header says can be anything: then it is another plan.
                Ok(other) => assert_ne!(other.sha256(), hash, "byte {at}"),
            }
        }
    }
    assert!(unread > good.len(), "most are not even read");
    for cut in 0..good.len() {
        assert!(Plan::read(&good[..cut]).is_err(), "cut at {cut}");
    }
}

/// What is said of a plan in which this text was replaced.
fn refused(old: &str, new: &str) -> String {
    let text = String::from_utf8(bytes(&swiss(), 0)).unwrap();
    assert_eq!(text.matches(old).count(), 1, "{old} stands there once");
    Plan::read(text.replace(old, new).as_bytes()).expect_err(new).to_string()
}

#[test]
fn an_edit_by_hand_is_told_with_its_line() {
    let by_hand = "a plan is never changed by hand: bring back the file as it was written";
    for (old, new, line, what) in [
        ("[0,2]", "[2,0]", None, ""),
        ("[0,2]", "[0,0]", Some(7), "bot 0 has two seats"),
        ("[0,2]", "[0,7]", Some(7), "there is no bot 7"),
        ("[0,2]", "[0,1,2]", Some(7), "3 seats, and the tournament has 2"),
        ("\"opening\":0,\"sitting\":2", "\"opening\":1,\"sitting\":2", Some(5), "it should be {\"set\":{\"number\":3,"),
        ("\"number\":2,\"meetings\"", "\"number\":3,\"meetings\"", Some(6), "it should be {\"round\":{\"number\":2,"),
        ("\"byes\":[2]", "\"byes\":[3]", Some(2), "there is no such bot"),
        ("\"sets\":4", "\"sets\":5", Some(8), "it should be {\"end\":"),
        ("\"games\":8}}\n", "\"games\":8}}\n\n", Some(9), "something follows the last line"),
        ("\"games\":8}}\n", "", Some(8), "the file ends before its last line"),
        ("{\"plan\"", "{\"plane\"", Some(1), "this is no plan of arbitro"),
        ("\"name\":\"A cup\"", "\"nome\":\"A cup\"", Some(1), "unknown field `nome`"),
    ] {
        let Some(line) = line else {
            let text = String::from_utf8(bytes(&swiss(), 0)).unwrap().replace(old, new);
            let other = Plan::read(text.as_bytes()).expect("it could have been planned so");
            assert_ne!(other.sha256(), swiss().sha256());
            continue;
        };
        let said = refused(old, new);
        assert!(said.starts_with(&format!("line {line}: ")) && said.contains(what), "{new}: {said}");
        assert!(said.ends_with(by_hand) && !said.contains('\n'), "{said}");
    }
    assert!(refused("{\"format\":1,", "{\"format\":2,").contains("format 2; this arbitro reads format 1"));
    assert!(refused("\"rules\":1,", "\"rules\":9,").contains("version 9 of the rules of alto-ahi"));
    let mut first = Plan::read(bytes(&swiss(), 0).as_slice()).unwrap();
    let other = Plan::new(header(3), [round([[0, 1]], &[2], 3)]);
    let mut foreign = other.clone();
    foreign.extend([round([[2, 1]], &[0], 2)], Hex32([9; 32]));
    let said = first.read_further(bytes(&foreign, 1).as_slice()).expect_err("of another plan").to_string();
    assert!(said.contains("does not follow"), "{said}");
}

/// The first file is bound to the journal by its hash; further ones by the hash at their end.
#[test]
fn every_change_of_a_byte_of_a_further_file_is_found() {
    let plan = swiss();
    let good = bytes(&plan, 1);
    let read = |bytes: &[u8]| Plan::read(self::bytes(&plan, 0).as_slice()).unwrap().read_further(bytes);
    read(&good).expect("our own");
    for at in 0..good.len() {
        for bit in [0, 3] {
            let mut bad = good.clone();
            bad[at] ^= 1 << bit;
            assert!(read(&bad).is_err(), "byte {at}");
        }
    }
    let turned = String::from_utf8(good).unwrap().replace("[2,1]", "[1,2]");
    let said = read(turned.as_bytes()).expect_err("edited").to_string();
    assert!(
        said.contains("something above this line is not as it was written; a plan is never changed by hand"),
        "{said}"
    );
}

#[test]
fn with_one_game_a_set_the_seats_turn_from_set_to_set() {
    let plan = Plan::new(Header { orders: Orders::One, ..header(2) }, [round([[0, 1]], &[], 3)]);
    let seats: Vec<[u16; 2]> = sets(&plan, |set| [0, 1].map(|seat| set.seats[Seat::new(seat)].0));
    assert_eq!(seats, [[0, 1], [1, 0], [0, 1]]);
    let games: Vec<BySeat<Entrant>> = (1..=3).map(|number| plan.game(number).unwrap().seats).collect();
    assert_eq!(games, sets(&plan, |set| set.seats.clone()));
    assert_eq!(Plan::read(bytes(&plan, 0).as_slice()).unwrap(), plan);
}

#[test]
fn the_sets_of_one_meeting_have_the_seats_that_follow_from_its_first() {
    let text = String::from_utf8(bytes(&swiss(), 0)).unwrap();
    let text = text.replacen(
        "\"number\":2,\"round\":1,\"meeting\":1,\"seats\":[0,1]",
        "\"number\":2,\"round\":1,\"meeting\":1,\"seats\":[1,0]",
        1,
    );
    let said = Plan::read(text.as_bytes()).expect_err("of two minds").to_string();
    assert!(said.contains("line 4: it should be {\"set\":{\"number\":2,"), "{said}");
}

#[test]
fn what_differs_between_two_plans_is_named() {
    let one = header(2);
    assert_eq!(one.differences(&Header { referee: "2.0.0".to_owned(), ..header(2) }), Vec::<&str>::new());
    let other = Header { reuse: 5, openings: vec!["e2".to_owned()], options: json!({}), ..header(2) };
    assert_eq!(one.differences(&other), ["options", "run.reuse", "openings"]);
    assert_eq!(one.differences(&header(3)), ["bots"]);
    // In the words of the tournament's file, whatever the plan calls it.
    let mut other = Header { pairing: json!({}), orders: Orders::One, disqualify_after: 9, ..header(2) };
    assert_eq!(one.differences(&other), ["format", "faults.disqualify_after"]);
    other = header(2);
    (other.limits.strikes, other.limits.line_bytes, other.master) = (9, 9, Hex32([9; 32]));
    assert_eq!(one.differences(&other), ["limits", "faults.strikes", "the seed (seed_file)"]);
    // What was asked for says more than the openings that came of it, where both say it.
    let drawn = |count, balance, opening: &str| Header {
        drawn: Some(Drawing { plies: 1, count, balance }),
        openings: vec![opening.to_owned()],
        ..header(2)
    };
    let one_drawn = drawn(1, true, "e2");
    assert_eq!(one_drawn.differences(&drawn(1, true, "e2")), Vec::<&str>::new());
    assert_eq!(one_drawn.differences(&drawn(2, false, "d1")), ["openings.count", "openings.balance"]);
    assert_eq!(one_drawn.differences(&drawn(1, true, "d1")), ["openings"]);
    let silent = |opening: &str| Header { drawn: None, ..drawn(1, true, opening) };
    assert_eq!(silent("e2").differences(&one_drawn), Vec::<&str>::new(), "an earlier version did not say it");
    assert_eq!(silent("d1").differences(&one_drawn), ["openings"]);
    let mut changed = header(2);
    changed.bots[1].files.clear();
    assert_eq!(one.differences(&changed), Vec::<&str>::new());
    assert_eq!(one.changed_bots(&changed), [&changed.bots[1]]);
}

#[test]
#[should_panic(expected = "bot 1 has two seats")]
fn a_pairing_of_a_bot_with_itself_is_our_bug() {
    Plan::new(header(2), [round([[1, 1]], &[], 1)]);
}

#[test]
#[ignore = "deep: a million games; in an optimised build"]
fn deep_a_million_games_are_planned_written_and_read() {
    use std::time::Instant;
    let began = Instant::now();
    let pairs = |shift: u16| (0..500).map(move |index| [index, 500 + (index + shift) % 500]);
    let rounds = (0..1000).map(|number| round(pairs(number), &[], 1));
    let plan = Plan::new(header(1000), rounds);
    assert_eq!(plan.games(), 1_000_000);
    let file = tempfile::tempfile().unwrap();
    plan.write(0, &mut std::io::BufWriter::new(&file)).unwrap();
    let made = began.elapsed();
    let began = Instant::now();
    std::io::Seek::rewind(&mut &file).unwrap();
    let read = Plan::read(std::io::BufReader::with_capacity(1 << 20, &file)).unwrap();
    let took = began.elapsed();
    println!("made and written in {made:?}, read in {took:?}, {} bytes", file.metadata().unwrap().len());
    assert_eq!(read.sha256(), plan.sha256());
}
