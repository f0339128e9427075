//! Clears away what a stopped referee left of games that do not count.

use std::fs;
use std::io;
use std::path::Path;

use super::GAMES;

/// Removes the logs of games that do not count, of void attempts at them too; how many those were. What is no log of a
/// game stays.
///
/// # Errors
/// Those of the system.
pub fn sweep(folder: &Path, counts: impl Fn(u64) -> bool) -> io::Result<usize> {
    let mut removed = 0;
    for entry in fs::read_dir(folder.join(GAMES))? {
        let entry = entry?;
        if !entry.file_type()?.is_dir() {
            continue;
        }
        for log in fs::read_dir(entry.path())? {
            let log = log?;
            if log.file_name().to_str().and_then(game_of).is_some_and(|game| !counts(game)) {
                fs::remove_file(log.path())?;
                removed += 1;
            }
        }
    }
    Ok(removed)
}

/// The number of the game whose log, or whose void log, has this name.
fn game_of(name: &str) -> Option<u64> {
    let rest = name.strip_prefix("game-")?.strip_suffix(".jsonl")?;
    let digits = rest.split_once("-void-").map_or(rest, |(digits, _)| digits);
    if digits.len() < 7 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_logs_of_games_that_do_not_count_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join(GAMES);
        let names = [
            "0000/game-0000001.jsonl",
            "0000/game-0000002.jsonl",
            "0000/game-0000002-void-1.jsonl",
            "0001/game-0001000.jsonl",
            "0000/game-2.jsonl",
            "0000/notes.jsonl",
            "0000/game-0000002.jsonl.bak",
            "game-0000002.jsonl",
        ];
        for name in names {
            fs::create_dir_all(games.join(name).parent().unwrap()).unwrap();
            fs::write(games.join(name), "").unwrap();
        }
        assert_eq!(sweep(folder.path(), |game| game == 1).unwrap(), 3);
        let left: Vec<&str> = names.into_iter().filter(|name| games.join(name).exists()).collect();
        let kept = [
            "0000/game-0000001.jsonl",
            "0000/game-2.jsonl",
            "0000/notes.jsonl",
            "0000/game-0000002.jsonl.bak",
            "game-0000002.jsonl",
        ];
        assert_eq!(left, kept);
    }
}
