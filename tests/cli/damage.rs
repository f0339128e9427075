//! Damaged logs: whatever happens to the bytes of a log is found, by name and place, and never by a panic.

use arbitro::record::reader::NotALog;
use arbitro::record::verify::{Finding, verify};
use predicates::str::{contains, is_empty};

use crate::support::Place;

/// A short log, with a line of every kind that two bots without a fault can bring about.
fn short_log(place: &Place) -> Vec<u8> {
    place.write("seed", "5".repeat(64));
    let bot = place.bot("bot", "ready; echo hello >&2; play");
    place.play(&format!("alto-ahi {bot} random --set size=3 --set walls=0 --opening b2 --seed-file seed"));
    place.bytes("g.jsonl")
}

fn is_found(damaged: &[u8], what: impl Fn() -> String) -> Finding {
    match verify(damaged) {
        Err(finding) => finding,
        Ok(_) => panic!("{} verifies:\n{}", what(), String::from_utf8_lossy(damaged)),
    }
}

#[test]
fn every_byte_that_is_changed_is_found() {
    let place = Place::new();
    let log = short_log(&place);
    // The rest of the file is covered by the last hash, but the hash itself is only text.
    let last_hash = log.len() - 80;
    let mut damaged = log.clone();
    for place in 0..log.len() {
        // The sixth bit makes a letter another case.
        let bits = if place < last_hash { vec![5, place % 8] } else { (0..8).collect() };
        for bit in bits {
            damaged[place] = log[place] ^ 1 << bit;
            is_found(&damaged, || format!("byte {place} with bit {bit} flipped"));
        }
        damaged[place] = log[place];
    }
    assert!(verify(&damaged).is_ok());
}

#[test]
fn every_byte_that_is_lost_or_added_is_found() {
    let place = Place::new();
    let log = short_log(&place);
    let last_hash = log.len() - 80;
    for place in 0..log.len() {
        let mut damaged = log.clone();
        let lost = damaged.remove(place);
        is_found(&damaged, || format!("byte {place} lost"));
        let added = if place < last_hash { vec![lost] } else { vec![lost, b' ', b'0', b'}'] };
        for added in added {
            let mut damaged = log.clone();
            damaged.insert(place, added);
            is_found(&damaged, || format!("{added} before byte {place}"));
        }
    }
}

#[test]
fn every_byte_at_which_a_log_is_cut_off_is_found_as_that() {
    let place = Place::new();
    let log = short_log(&place);
    let header = log.iter().position(|&byte| byte == b'\n').unwrap();
    for length in 0..log.len() {
        let finding = is_found(&log[..length], || format!("the first {length} bytes"));
        match finding {
            Finding::NotALog(NotALog::Empty) => assert_eq!(length, 0),
            Finding::NotALog(_) => assert!(length <= header, "{length}: {finding}"),
            Finding::Truncated { line, ply } => {
                let before = &log[..length];
                let lines = memchr::memchr_iter(b'\n', before).count();
                assert_eq!(line, lines + usize::from(!before.ends_with(b"\n")), "{length}: {finding}");
                let plies = memchr::memmem::find_iter(before, b"\n{\"move\":").count() as u64;
                assert!(length > header && (ply == plies || ply + 1 == plies), "{length}: {finding}");
            }
            Finding::Differs { .. } => panic!("{length}: {finding}"),
        }
    }
}

#[test]
fn lines_that_are_lost_doubled_or_moved_are_found() {
    let place = Place::new();
    let log = short_log(&place);
    let lines: Vec<&[u8]> = log.split_inclusive(|&byte| byte == b'\n').collect();
    for place in 0..lines.len() {
        let mut lost = lines.clone();
        let line = lost.remove(place);
        is_found(&lost.concat(), || format!("line {} lost", place + 1));
        for to in 0..lines.len() {
            let mut moved = lost.clone();
            moved.insert(to, line);
            if to != place {
                is_found(&moved.concat(), || format!("line {} moved to {}", place + 1, to + 1));
            }
            let mut doubled = lines.clone();
            doubled.insert(to, line);
            is_found(&doubled.concat(), || format!("line {} again as line {}", place + 1, to + 1));
        }
    }
}

#[test]
fn what_follows_the_end_is_found() {
    let place = Place::new();
    let log = short_log(&place);
    for more in [&b"\n"[..], b" ", b"\0", b"{}\n", b"{\"host\":{}}\n", &log] {
        let finding = is_found(&[&log[..], more].concat(), || format!("{more:?} at the end"));
        assert!(finding.to_string().contains("bytes follow the end line"), "{finding}");
    }
}

#[test]
fn a_file_that_is_no_log_is_told_what_it_is() {
    let place = Place::new();
    let log = short_log(&place);
    let text = String::from_utf8(log.clone()).unwrap();
    let head = text.lines().next().unwrap();
    place.write("empty.jsonl", "");
    place.write("binary.jsonl", b"\x7fELF\x02\x01\x01\0\xff\xfe\n\n\0");
    place.write("picture.jsonl", b"\x89PNG\r\n\x1a\n");
    place.write("text.jsonl", "Dear diary,\n");
    place.write("json.jsonl", "{\"header\":{}}\n");
    place.write("list.jsonl", "[]\n");
    place.write("marked.jsonl", [b"\xef\xbb\xbf", &log[..]].concat());
    place.write("windows.jsonl", text.replace('\n', "\r\n"));
    place.write("newer.jsonl", text.replacen("\"format\":1,", "\"format\":2,", 1));
    place.write("other.jsonl", "{\"header\":{\"format\":3,\"all\":\"else is new\"}}\n");
    place.write("nested.jsonl", format!("{{\"header\":{}}}\n", "[".repeat(100_000)));
    place.write("rules.jsonl", text.replacen("\"rules\":1,", "\"rules\":77,", 1));
    place.write("game.jsonl", text.replacen("\"alto-ahi\"", "\"chess\"", 1));
    place.write("headless.jsonl", text.replacen(head, "", 1));
    place.write("half.jsonl", &head[..100]);
    let tells = |log: &str, words: &str| {
        for command in ["verify", "verify -q"] {
            let ran = place.run(&format!("{command} {log}.jsonl")).code(65).err(is_empty());
            assert_eq!(ran.lines().len(), 1, "one line: {}", ran.shown());
            ran.out(contains(words));
        }
        place.refuses(65, &format!("show {log}.jsonl"), &[words]);
    };
    tells("empty", "the file is empty");
    tells("binary", "not a log of arbitro: it is not text");
    tells("picture", "not a log of arbitro");
    tells("text", "not a log of arbitro: it does not begin with a header");
    tells("json", "its header cannot be read: missing field `format`");
    tells("list", "it does not begin with a header");
    tells("marked", "it begins with a byte order mark; save it as UTF-8 without one");
    tells("windows", "its lines end in \\r\\n; save it with Unix line ends");
    tells("newer", "a log of format 2; this arbitro reads format 1");
    tells("other", "a log of format 3; this arbitro reads format 1");
    tells("nested", "its header cannot be read");
    tells("rules", "played by version 77 of the rules of alto-ahi; this arbitro knows version 1");
    tells("game", "no game is called “chess”");
    tells("headless", "it does not begin with a header");
    tells("half", "the line is cut off");
    place.run("verify .").code(65).out(contains("16 logs: all holds in 1 (")).out(contains(", 15 are no logs\n"));
    place.run("verify /dev/null").code(65).out(contains("the file is empty"));
}

#[test]
fn text_of_a_log_is_shown_harmlessly() {
    let place = Place::new();
    let log = String::from_utf8(short_log(&place)).unwrap();
    let evil = r"\u001b]0;owned\u0007\u202e\u001b[2J";
    place.write("names.jsonl", log.replace("\"players\":[\"bot\",", &format!("\"players\":[\"{evil}\",")));
    place.write(
        "moves.jsonl",
        log.replacen("\"move\":\"c2\"", r#""move":"\u001b[2J""#, 1).replacen(
            "\"move\":\"a3\"",
            r#""move":"\u001b[2J""#,
            1,
        ),
    );
    place.write(
        "kinds.jsonl",
        log.replacen(
            "{\"move\":{",
            &format!("{{\"fault\":{{\"seat\":0,\"turn\":0,\"kind\":\"{evil}\"}}}}\n{{\"move\":{{"),
            1,
        ),
    );
    for line in [
        "show names.jsonl",
        "show --ply 0 names.jsonl",
        "verify names.jsonl",
        "show moves.jsonl",
        "verify moves.jsonl",
        "show kinds.jsonl",
        "verify kinds.jsonl",
    ] {
        let ran = place.run(line);
        for text in [ran.stdout(), ran.stderr()] {
            assert!(!text.contains(['\x1b', '\x07', '\u{202e}']), "{}", ran.shown());
        }
    }
    place.run("show names.jsonl").code(0).says(&[r"\u{1b}]0;owned\u{7}\u{202e}"]);
}
