//! A forger of logs: changes lines and recomputes both hashes, so that only a replay can find what was changed.
//!
//! Written from the description of the format and not from the code that writes logs, so that it also checks that one.

use sha2::{Digest, Sha256};

/// A log that is being forged, line by line.
#[derive(Clone)]
pub struct Forger {
    pub lines: Vec<String>,
}

impl Forger {
    pub fn new(log: &[u8]) -> Forger {
        let text = std::str::from_utf8(log).expect("a log is text");
        Forger { lines: text.lines().map(str::to_owned).collect() }
    }

    /// The place of the n-th line with this tag, from 0.
    pub fn find(&self, tag: &str, number: usize) -> usize {
        let start = format!("{{\"{tag}\":");
        let mut places = (0..self.lines.len()).filter(|&place| self.lines[place].starts_with(&start));
        places.nth(number).unwrap_or_else(|| panic!("there is no line {tag} {number}"))
    }

    /// Changes the first `from` in a line to `to`.
    pub fn change(mut self, (tag, number): (&str, usize), from: &str, to: &str) -> Forger {
        let place = self.find(tag, number);
        assert!(self.lines[place].contains(from), "“{from}” is not in {}", self.lines[place]);
        self.lines[place] = self.lines[place].replacen(from, to, 1);
        self
    }

    /// Changes the value of a key in a line, a number, a word or `null`.
    pub fn set(self, line: (&str, usize), key: &str, value: &str) -> Forger {
        let text = self.lines[self.find(line.0, line.1)].clone();
        let found = value_of(&text, key).unwrap_or_else(|| panic!("there is no {key} in {text}"));
        let key = format!("\"{key}\":");
        self.change(line, &format!("{key}{found}"), &format!("{key}{value}"))
    }

    /// The value of a key in a line, as it is written.
    pub fn get(&self, (tag, number): (&str, usize), key: &str) -> String {
        let line = &self.lines[self.find(tag, number)];
        value_of(line, key).unwrap_or_else(|| panic!("there is no {key} in {line}")).to_owned()
    }

    pub fn remove(mut self, (tag, number): (&str, usize)) -> Forger {
        let place = self.find(tag, number);
        self.lines.remove(place);
        self
    }

    /// The log with hashes that fit.
    pub fn sealed(&self) -> Vec<u8> {
        let mut lines = self.lines.clone();
        if let Some(end) = lines.last_mut().filter(|line| line.starts_with("{\"end\":")) {
            *end = self.sealed_end(end);
        }
        lines.iter().flat_map(|line| [line.as_bytes(), b"\n"]).flatten().copied().collect()
    }

    fn sealed_end(&self, end: &str) -> String {
        let before = &self.lines[..self.lines.len() - 1];
        let of_game = end.find(",\"game_sha256\":").expect("an end line has it");
        let mut game = Sha256::new();
        for line in before.iter().filter(|line| !line.starts_with("{\"host\":")) {
            match line.split_once(",\"host\":{") {
                Some((shared, _)) => game.update(format!("{shared}}}}}\n")),
                None => game.update(format!("{line}\n")),
            }
        }
        game.update(&end[..of_game]);
        let host =
            &end[end.find(",\"host\":").expect("an end line has it")..end.rfind(",\"sha256\":").expect("and this")];
        let mut sealed = format!("{},\"game_sha256\":\"{}\"{host}", &end[..of_game], hex(game));
        let mut file = Sha256::new();
        before.iter().for_each(|line| file.update(format!("{line}\n")));
        file.update(&sealed);
        sealed.push_str(&format!(",\"sha256\":\"{}\"}}}}", hex(file)));
        sealed
    }
}

/// The value of a key in a line: a word with its quotes, a list, or whatever stands before the next comma or brace.
fn value_of<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let key = format!("\"{key}\":");
    // The tag of the line may have the name of a key in it: a move in a move.
    let inside = line.split_once(":{")?.1;
    let rest = &inside[inside.find(&key)? + key.len()..];
    let length = match rest.as_bytes().first()? {
        b'"' => 2 + rest[1..].find('"')?,
        b'[' => 1 + rest.find(']')?,
        _ => rest.find([',', '}'])?,
    };
    Some(&rest[..length])
}

fn hex(sha: Sha256) -> String {
    sha.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
