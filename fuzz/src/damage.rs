//! Logs that hold, with something done to them; and the hashes made right again, so that the damage alone is to be found.

use arbitro::chance::Hex32;
use sha2::{Digest, Sha256};

use crate::choices::Choices;
use crate::logs::GOLDEN;

/// What a log is made of, and what it is not: to be put in anywhere.
const PIECES: [&str; 24] = [
    "{",
    "}",
    "\"",
    ",",
    " ",
    "\n",
    "\\u0031",
    "null",
    "-",
    "0",
    ".5",
    "e3",
    ",\"by\":\"strike\"",
    ",\"by\":\"opening\"",
    ",\"tolerated\":true",
    ",\"found\":\"e2\"",
    ",\"host\":{",
    "{\"host\":{\"ready\":{\"seat\":0,\"at\":1,\"name\":null}}}\n",
    "{\"leave\":{\"seat\":0,\"hash\":\"0000000000000000\"}}\n",
    "{\"fault\":{\"seat\":0,\"turn\":0,\"kind\":\"startup\",\"host\":{\"at\":1,\"words\":\"\"}}}\n",
    "{\"fault\":{\"seat\":1,\"turn\":7,\"kind\":\"resigned\",\"host\":{\"at\":99000000000,\"words\":\"\"}}}\n",
    "{\"result\":\"aborted\",\"ranks\":null,\"reason\":\"interrupted\"}",
    "{\"result\":\"void\",\"ranks\":null,\"reason\":\"panic\"}",
    "\"game_seed\":null,\"bot_seeds\":null",
];

/// The log that the choices pick, with so many changes as they make.
pub fn damaged(golden: &str, choices: &mut Choices) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = golden.lines().map(|line| line.as_bytes().to_vec()).collect();
    while !choices.is_empty() && !lines.is_empty() {
        damage(&mut lines, choices);
    }
    lines.iter().flat_map(|line| line.iter().copied().chain([b'\n'])).collect()
}

/// One change: what, in which line, and where in it.
fn damage(lines: &mut Vec<Vec<u8>>, choices: &mut Choices) {
    let what = choices.byte() % 10;
    let at = choices.below(lines.len());
    let (count, line) = (lines.len(), &mut lines[at]);
    let place = choices.below(line.len() + 1);
    match what {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        2 => lines.swap(at, place % count),
        3 => lines[at] = line_of(choices, place),
        4 => lines.truncate(at + 1),
        5 => line.get_mut(place).into_iter().for_each(|byte| *byte = choices.byte()),
        6 => drop(line.splice(place..place, choices.of(&PIECES).bytes())),
        7 => drop(line.drain(place..line.len().min(place + usize::from(choices.byte())))),
        8 => drop(line.splice(place..line.len().min(place + usize::from(choices.byte())), choices.of(&PIECES).bytes())),
        _ => change_number(line, place, choices.byte()),
    }
}

/// A line of any log that holds.
fn line_of(choices: &mut Choices, number: usize) -> Vec<u8> {
    let lines: Vec<&str> = choices.of(&GOLDEN).lines().collect();
    lines[number % lines.len()].as_bytes().to_vec()
}

/// Puts another number in the place of the first one at or behind `from`.
fn change_number(line: &mut Vec<u8>, from: usize, how: u8) {
    let Some(start) = (from..line.len()).find(|&at| line[at].is_ascii_digit()) else { return };
    let end = (start..line.len()).find(|&at| !line[at].is_ascii_digit()).unwrap_or(line.len());
    let old: u64 = std::str::from_utf8(&line[start..end]).expect("digits").parse().unwrap_or(0);
    let new = match how % 8 {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => 0,
        3 => 1,
        4 => u64::MAX,
        5 => u64::from(u32::MAX),
        6 => old.wrapping_mul(10),
        _ => u64::from(how),
    };
    line.splice(start..end, new.to_string().into_bytes());
}

/// The log with both hashes of its last line computed anew, where it has the places for them.
pub fn sealed(log: &[u8]) -> Vec<u8> {
    let Some((before, end)) = std::str::from_utf8(log).ok().and_then(end_line) else { return log.to_vec() };
    let Some((start, host)) = end_parts(end) else { return log.to_vec() };
    let game = hex(game_hash(before).chain_update(start));
    let unsealed = format!("{before}{start},\"game_sha256\":\"{game}\",\"host\":{host}");
    let file = hex(Sha256::new().chain_update(&unsealed));
    format!("{unsealed},\"sha256\":\"{file}\"}}}}\n").into_bytes()
}

/// The last line, and all before it.
fn end_line(log: &str) -> Option<(&str, &str)> {
    let body = log.strip_suffix('\n')?;
    let (before, end) = log.split_at(body.rfind('\n')? + 1);
    end.starts_with("{\"end\":").then_some((before, end))
}

/// What stands before the hash of the game in an end line, and what stands between the hashes.
fn end_parts(end: &str) -> Option<(&str, &str)> {
    let (start, rest) = end.split_once(",\"game_sha256\":")?;
    let (host, _) = rest.split_once(",\"host\":")?.1.rsplit_once(",\"sha256\":")?;
    Some((start, host))
}

/// The hash of these lines without what was measured or local.
fn game_hash(lines: &str) -> Sha256 {
    let mut game = Sha256::new();
    for line in lines.lines().filter(|line| !line.starts_with("{\"host\":")) {
        match line.split_once(",\"host\":{") {
            Some((start, _)) => game.update(format!("{start}}}}}\n")),
            None => game.update(format!("{line}\n")),
        }
    }
    game
}

fn hex(sha: Sha256) -> Hex32 {
    Hex32(sha.finalize().into())
}
