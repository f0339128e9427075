//! What may lie in the folder of a tournament: its own files, and beside them what it is made from, what is made from it,
//! or to watch it. Anything else makes the folder one that is not played in.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use super::{BadFolder, Fault, GAMES, JOURNAL, LOCK, PLAN, SEED, UNFINISHED, is_begun};

/// What may lie beside a tournament. Names are compared up to their first dot.
const BESIDE: [&str; 7] = ["cup", "seed", "events", "report", "standings", "status", "ratings"];

/// Whether a tournament consists of files of this name.
pub fn is_own(name: &str) -> bool {
    let name = name.strip_suffix(UNFINISHED).unwrap_or(name);
    let is_further = |name: &str| {
        let number = name.strip_prefix("plan-").and_then(|rest| rest.strip_suffix(".jsonl"));
        number.is_some_and(|number| number.len() >= 4 && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    [PLAN, SEED, JOURNAL, GAMES, LOCK].contains(&name) || is_further(name)
}

/// Whether a file of this name may lie beside them.
pub fn is_beside(name: &str) -> bool {
    !is_own(name) && name.split_once('.').is_some_and(|(stem, _)| BESIDE.contains(&stem))
}

/// Whether a path leads to or into a folder, however both are written. Neither has to be there yet.
pub fn is_in(path: &Path, folder: &Path) -> bool {
    place(path).starts_with(real(folder))
}

/// Sees to it that a new file would be in the way of no tournament: neither of one whose folder it would lie in, nor of
/// one that is still to begin in the folder `begins`. A name in that folder that would do is `instead`.
///
/// # Errors
/// When it would be in the way.
pub fn check_free(path: &Path, begins: Option<&Path>, instead: Option<&str>) -> Result<(), BadFolder> {
    let (place, begins) = (place(path), begins.map(real));
    let holds_one = |folder: &&Path| begins.as_deref() == Some(folder) || is_begun(folder);
    let Some(folder) = place.ancestors().skip(1).find(holds_one) else { return Ok(()) };
    let below = place.strip_prefix(folder).expect("it is one above");
    match below.iter().next().and_then(OsStr::to_str).is_some_and(is_beside) {
        true => Ok(()),
        false => Err(BadFolder::new(path, Fault::InTheWay { instead: instead.map(|name| folder.join(name)) })),
    }
}

/// Where a file lies or would lie. A file that is a link lies where the link does.
fn place(path: &Path) -> PathBuf {
    // What a path of one word counts from has no name.
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => real(folder).join(name),
        _ => real(&path),
    }
}

/// The path without links and detours, as far as there is anything on it.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.components().fold(PathBuf::new(), |mut real, component| match component {
        Component::ParentDir => {
            real.pop();
            real
        }
        component => {
            real.push(component);
            real.canonicalize().unwrap_or(real)
        }
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_path_leads_into_a_folder_however_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir_all(at("deep/er")).unwrap();
        symlink(at("deep/er"), at("link")).unwrap();
        for (path, into) in [
            ("new/events.jsonl", "new"),
            ("./new/./events.jsonl", "deep/../new"),
            ("new/../new/events.jsonl", "new/"),
            ("link/events.jsonl", "deep/er"),
            ("deep/er/events.jsonl", "link"),
            ("link/../events.jsonl", "deep"),
            ("deep/er/new/events.jsonl", "link/new"),
            ("new/games/events.jsonl", "new"),
        ] {
            assert!(is_in(&at(path), &at(into)), "{path} in {into}");
        }
        for (path, into) in [("news/events.jsonl", "new"), ("link", "deep/er"), ("link/x", "new")] {
            assert!(!is_in(&at(path), &at(into)), "{path} in {into}");
        }
        // Paths of one word count from where we are.
        assert!(is_in(Path::new("events.jsonl"), Path::new(".")));
        assert!(is_in(Path::new("nowhere/events.jsonl"), &std::env::current_dir().unwrap().join("nowhere")));
    }

    #[test]
    fn a_new_file_is_in_the_way_of_a_tournament_unless_it_may_lie_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir(at("cup")).unwrap();
        [PLAN, JOURNAL].iter().for_each(|name| fs::write(at("cup").join(name), "").unwrap());
        symlink(at("cup"), at("link")).unwrap();
        let free = |path: &str| check_free(&at(path), Some(&at("new")), Some("events.jsonl"));
        for path in
            ["a.jsonl", "cup", "cup/events.jsonl", "link/report.x.html", "new/events.jsonl", "cup/report.d/page.html"]
        {
            assert!(free(path).is_ok(), "{path}");
        }
        for path in [
            "cup/a.jsonl",
            "link/a.jsonl",
            "cup/../cup/a.jsonl",
            "cup/events",
            "cup/plan-0002.jsonl",
            "cup/seed.new",
            "cup/lock",
            "cup/games/0000/report.html",
            "new/a.jsonl",
            "./new/a.jsonl",
        ] {
            let said = free(path).expect_err(path).to_string();
            assert!(said.starts_with(&at(path).display().to_string()), "{said}");
            assert!(said.contains("/events.jsonl, or one elsewhere"), "{said}");
        }
        assert!(check_free(&at("new/a.jsonl"), None, None).is_ok());
    }
}
