use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::chance::Hex32;
use crate::tournament::plan::{Header, Plan};
use crate::tournament::played::Played;
use crate::tournament::samples::{MASTER, header, round, set};

/// Two rounds of three bots, each meeting played in two sets.
fn plan_of(header: Header) -> Plan {
    Plan::new(header, [round([[0, 1]], &[2], 2), round([[0, 2]], &[1], 2)])
}

fn plan() -> Plan {
    plan_of(header(3))
}

/// A place for a tournament that is not there yet.
fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join("cup");
    (folder, path)
}

fn open_this(path: &Path, plan: Plan, changed_bots: bool) -> Result<Opened, BadFolder> {
    open(path, plan, MASTER, changed_bots, &mut |_, _| {})
}

/// Begins a tournament, or goes on with it, and finishes these sets.
fn play(path: &Path, sets: &[usize]) {
    let mut opened = open_this(path, plan(), false).expect("it is this tournament");
    sets.iter().for_each(|&index| opened.journal.commit(&set(&opened.plan, index)).expect("the disk works"));
}

/// What is said of a folder that is refused, in one line.
fn refused(opened: Result<Opened, BadFolder>) -> String {
    let said = opened.map(|_| ()).expect_err("refused").to_string();
    assert!(!said.contains('\n') && said.len() < 600, "{said}");
    said
}

fn names(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).expect("a folder").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_new_tournament_has_all_its_files_and_is_taken_up_again() {
    let (_folder, path) = place();
    let mut opened = open_this(&path, plan(), false).unwrap();
    assert!(!opened.resumed && opened.ledger.sets() == 0);
    assert_eq!(names(&path), ["games", "journal.jsonl", "lock", "plan.jsonl", "seed"]);
    assert_eq!(fs::read_to_string(path.join("seed")).unwrap(), format!("{MASTER}\n"));
    assert_eq!(fs::metadata(path.join("seed")).unwrap().permissions().mode() & 0o777, 0o600);
    opened.journal.commit(&set(&opened.plan, 3)).unwrap();
    drop(opened);
    let mut seen = Vec::new();
    let mut look = |_: &Plan, games: &[Played]| seen.push(games[0].game);
    let opened = open(&path, plan(), MASTER, false, &mut look).unwrap();
    assert!(opened.resumed && opened.plan == plan() && opened.changed.is_empty());
    assert_eq!((opened.ledger.sets(), opened.torn, opened.swept), (1, 0, 0));
    assert_eq!([0, 1, 2, 3].map(|set| opened.ledger.is_done(set)), [false, false, false, true]);
    assert_eq!(seen, [7]);
}

#[test]
fn a_tournament_may_lie_deep_where_nothing_is_yet() {
    let (_folder, path) = place();
    let deep = path.join("autumn/first");
    assert!(!open_this(&deep, plan(), false).unwrap().resumed);
    assert!(open_this(&deep, plan(), false).unwrap().resumed);
    fs::write(path.join("file"), "").unwrap();
    let said = refused(open_this(&path.join("file/cup"), plan(), false));
    assert!(said.starts_with(&path.join("file").display().to_string()), "{said}");
}

#[test]
fn a_folder_with_anything_else_in_it_is_refused_and_stays_as_it_was() {
    let (_folder, path) = place();
    for name in ["notes.txt", "plan-2.jsonl", "game-0000001.jsonl", ".hidden"] {
        fs::create_dir(&path).unwrap();
        fs::write(path.join(name), "mine").unwrap();
        let said = refused(open_this(&path, plan(), false));
        assert!(said.starts_with(&path.join(name).display().to_string()), "{said}");
        assert!(said.contains("belongs to no tournament"), "{said}");
        assert_eq!(names(&path), [name]);
        fs::remove_dir_all(&path).unwrap();
    }
    play(&path, &[]);
    fs::write(path.join("notes.txt"), "mine").unwrap();
    assert!(refused(open_this(&path, plan(), false)).contains("belongs to no tournament"));
    fs::remove_file(path.join("notes.txt")).unwrap();
    for name in ["report.html", "cup.toml", "seed.hex", "events.jsonl", "standings.csv"] {
        fs::write(path.join(name), "").unwrap();
    }
    assert!(open_this(&path, plan(), false).unwrap().resumed, "what is made from a tournament may lie there");
}

#[test]
fn a_second_referee_is_refused_while_the_first_plays() {
    let (_folder, path) = place();
    let first = open_this(&path, plan(), false).unwrap();
    let said = refused(open_this(&path, plan(), false));
    assert!(said.contains(&format!("another referee (process {}) plays here", std::process::id())), "{said}");
    drop(first);
    assert!(open_this(&path, plan(), false).unwrap().resumed);
}

#[test]
fn a_referee_that_had_to_wait_finds_what_was_played_in_the_meantime() {
    let (folder, path) = place();
    play(&path, &[0]);
    let journal = fs::read(path.join("journal.jsonl")).unwrap();
    // It looks while nothing is there yet, and waits for the lock of another that begins and plays.
    let later = folder.path().join("later");
    fs::create_dir(&later).unwrap();
    let lock = fs::File::create(later.join("lock")).unwrap();
    lock.lock().unwrap();
    std::thread::scope(|scope| {
        let second = scope.spawn(|| open_this(&later, plan(), false).map(|opened| opened.resumed));
        std::thread::sleep(std::time::Duration::from_millis(100));
        for name in ["seed", "plan.jsonl", "games", "journal.jsonl"] {
            fs::rename(path.join(name), later.join(name)).unwrap();
        }
        drop(lock);
        assert!(second.join().unwrap().expect("it is this tournament"), "it goes on with it");
    });
    assert_eq!(fs::read(later.join("journal.jsonl")).unwrap(), journal);
}

#[test]
fn another_plan_is_refused_with_what_differs() {
    let (_folder, path) = place();
    play(&path, &[0]);
    let before = fs::read(path.join("journal.jsonl")).unwrap();
    let slower = Header { options: json!({"size": 7}), reuse: 3, ..header(3) };
    let said = refused(open_this(&path, plan_of(slower), false));
    assert!(said.contains("another tournament was begun here: it differs in options, run.reuse;"), "{said}");
    let repaired = Plan::new(header(3), [round([[0, 1]], &[2], 2), round([[2, 0]], &[1], 2)]);
    assert!(refused(open_this(&path, repaired, false)).contains("it differs in who plays whom;"));
    let reseeded = Header { master: Hex32([2; 32]).master_commitment(), ..header(3) };
    assert!(refused(open_this(&path, plan_of(reseeded), false)).contains("it differs in the seed (seed_file);"));
    assert_eq!(fs::read(path.join("journal.jsonl")).unwrap(), before);
    let newer = Header { referee: "9.9.9".to_owned(), ..header(3) };
    assert_eq!(open_this(&path, plan_of(newer), false).unwrap().plan, plan(), "the plan stays that of the folder");
}

#[test]
fn a_tournament_says_what_it_was_begun_with() {
    let (_folder, path) = place();
    assert_eq!(begun(&path).unwrap(), None);
    play(&path, &[0]);
    assert_eq!(begun(&path).unwrap(), Some(header(3)));
    let good = fs::read_to_string(path.join("plan.jsonl")).unwrap();
    fs::write(path.join("plan.jsonl"), "{}\n").unwrap();
    let said = begun(&path).unwrap_err().to_string();
    assert!(said.contains("plan.jsonl: line 1: this is no plan of arbitro"), "{said}");
    // An edit that could be a plan is found when it is taken up.
    fs::write(path.join("plan.jsonl"), good.replace("\"openings\":[]", "\"openings\":[\"e2\"]")).unwrap();
    let edited = begun(&path).unwrap().unwrap();
    assert_eq!(edited.openings, ["e2"]);
    fs::remove_file(path.join("journal.jsonl")).unwrap();
    assert_eq!(begun(&path).unwrap(), None, "nothing binds it");
}

#[test]
fn changed_bots_are_refused_unless_allowed_and_then_noted_once() {
    let (_folder, path) = place();
    play(&path, &[0]);
    let changed = || {
        let mut header = header(3);
        header.bots[1].files.insert("random".to_owned(), Hex32([77; 32]));
        plan_of(header)
    };
    let said = refused(open_this(&path, changed(), false));
    assert!(said.contains("not what they were when the tournament began: bot 1;"), "{said}");
    assert_eq!(open_this(&path, changed(), true).unwrap().changed, ["bot 1"]);
    let noted = fs::read_to_string(path.join("journal.jsonl")).unwrap();
    assert!(noted.lines().last().unwrap().starts_with(r#"{"changed":{"bots":[{"name":"bot 1","#), "{noted}");
    assert!(open_this(&path, changed(), false).unwrap().changed.is_empty(), "they are what was noted");
    assert_eq!(fs::read_to_string(path.join("journal.jsonl")).unwrap(), noted);
    assert!(refused(open_this(&path, plan(), false)).contains("bot 1"), "now the first version is a change");
    assert_eq!(read(&path).unwrap().changes.len(), 1);
}

#[test]
fn a_plan_edited_by_hand_is_refused() {
    let (_folder, path) = place();
    play(&path, &[0]);
    let file = path.join("plan.jsonl");
    let good = fs::read_to_string(&file).unwrap();
    for (old, new, what) in [
        ("\"seats\":[0,2]", "\"seats\":[2,0]", "line 7: it should be"),
        ("\"sitting\":4", "\"sitting\":3", "line 7: it should be"),
        ("\"disqualify_after\":0", "\"disqualify_after\":1", "it was changed after the journal was begun"),
        ("\"byes\":[1]", "\"byes\":[0]", "it was changed after the journal was begun"),
    ] {
        fs::write(&file, good.replacen(old, new, 1)).unwrap();
        for said in [refused(open_this(&path, plan(), false)), read(&path).expect_err("refused").to_string()] {
            assert!(said.starts_with(&file.display().to_string()) && said.contains(what), "{said}");
            assert!(said.contains("bring back the file as it was written"), "{said}");
        }
    }
    fs::write(&file, good).unwrap();
    assert!(open_this(&path, plan(), false).unwrap().resumed);
}

#[test]
fn a_referee_that_was_stopped_while_it_began_leaves_a_folder_to_begin_in() {
    let (_folder, path) = place();
    play(&path, &[]);
    let file = |name: &str| (name.to_owned(), fs::read(path.join(name)).unwrap());
    let (lock, seed, plan_file) = (file("lock"), file("seed"), file("plan.jsonl"));
    let half = |name: &str| (format!("{name}.new"), b"{\"pl".to_vec());
    for files in [
        vec![],
        vec![lock.clone()],
        vec![lock.clone(), half("seed")],
        vec![lock.clone(), ("seed".to_owned(), format!("{}\n", Hex32([9; 32])).into_bytes())],
        vec![lock.clone(), seed.clone(), half("plan.jsonl")],
        vec![lock.clone(), seed.clone(), plan_file.clone()],
        vec![lock, seed, plan_file, half("journal.jsonl")],
    ] {
        fs::remove_dir_all(&path).unwrap();
        fs::create_dir(&path).unwrap();
        files.iter().for_each(|(name, bytes)| fs::write(path.join(name), bytes).unwrap());
        let opened = open_this(&path, plan(), false).unwrap_or_else(|error| panic!("{files:?}: {error}"));
        assert!(!opened.resumed && opened.plan == plan());
        drop(opened);
        play(&path, &[0, 1]);
        assert_eq!(names(&path), ["games", "journal.jsonl", "lock", "plan.jsonl", "seed"]);
        assert_eq!(read(&path).unwrap().played.len(), 4);
    }
}

#[test]
fn a_file_that_is_gone_is_missed() {
    let (_folder, path) = place();
    for name in ["plan.jsonl", "journal.jsonl"] {
        play(&path, &[0]);
        fs::create_dir_all(path.join("games/0000")).unwrap();
        fs::remove_file(path.join(name)).unwrap();
        let said = refused(open_this(&path, plan(), false));
        assert!(said.starts_with(&path.join(name).display().to_string()), "{said}");
        assert!(said.contains("it is missing, and other files of the tournament are there"), "{said}");
        fs::remove_dir_all(&path).unwrap();
    }
    play(&path, &[0]);
    fs::remove_file(path.join("seed")).unwrap();
    play(&path, &[1]);
    assert_eq!(fs::read_to_string(path.join("seed")).unwrap(), format!("{MASTER}\n"), "it is known");
    fs::write(path.join("seed"), format!("{}\n", Hex32([5; 32]))).unwrap();
    assert!(refused(open_this(&path, plan(), false)).contains("not the seed that the plan was made with"));
    fs::write(path.join("seed"), b"\xff\xfe").unwrap();
    assert!(refused(open_this(&path, plan(), false)).contains("not the seed that the plan was made with"));
}

#[test]
fn the_journal_of_another_tournament_is_told_as_that() {
    let (folder, path) = place();
    play(&path, &[0]);
    for (other, words) in [
        (header(4), "they differ in bots;"),
        (Header { name: "Another cup".to_owned(), ..header(3) }, "they differ in name;"),
    ] {
        let beside = folder.path().join("other");
        drop(open_this(&beside, plan_of(other), false).unwrap());
        fs::copy(beside.join("journal.jsonl"), path.join("journal.jsonl")).unwrap();
        fs::remove_dir_all(beside).unwrap();
        for said in [refused(open_this(&path, plan(), false)), read(&path).expect_err("refused").to_string()] {
            assert!(said.starts_with(&path.join("journal.jsonl").display().to_string()), "{said}");
            assert!(
                said.contains("the journal of another plan than the one beside it") && said.contains(words),
                "{said}"
            );
        }
    }
}

#[test]
fn what_was_torn_or_did_not_count_is_cleared_away() {
    let (_folder, path) = place();
    play(&path, &[1]);
    let mut journal = fs::OpenOptions::new().append(true).open(path.join("journal.jsonl")).unwrap();
    journal.write_all(b"{\"game\":{\"ga").unwrap();
    fs::create_dir_all(path.join("games/0000")).unwrap();
    for game in [1, 3, 4] {
        fs::write(log(&path, game), "").unwrap();
    }
    let opened = open_this(&path, plan(), false).unwrap();
    assert_eq!((opened.torn, opened.swept, opened.ledger.sets()), (12, 1, 1));
    assert_eq!(names(&path.join("games/0000")), ["game-0000003.jsonl", "game-0000004.jsonl"]);
}

#[test]
fn games_that_are_not_as_planned_or_count_twice_are_found() {
    let (_folder, path) = place();
    let said = |path: &Path| {
        let read = read(path).expect_err("refused").to_string();
        assert_eq!(refused(open_this(path, plan(), false)), read);
        fs::remove_dir_all(path).unwrap();
        read
    };
    play(&path, &[0, 0]);
    assert!(said(&path).contains("journal.jsonl: game 1 was played twice;"));
    for change in [
        |game: &mut Played| game.round = 2,
        |game: &mut Played| game.seats = crate::seat::BySeat::collect(game.seats.iter().rev().copied()),
    ] {
        let mut opened = open_this(&path, plan(), false).unwrap();
        let mut games = set(&opened.plan, 0);
        games.iter_mut().for_each(change);
        opened.journal.commit(&games).unwrap();
        drop(opened);
        assert!(said(&path).contains("game 1 is not as it was planned;"));
    }
    let mut opened = open_this(&path, plan(), false).unwrap();
    let mut games = set(&opened.plan, 0);
    games.iter_mut().for_each(|game| game.set = 9);
    opened.journal.commit(&games).unwrap();
    drop(opened);
    assert!(said(&path).contains("game 1 belongs to no planned set;"));
}

#[test]
fn further_rounds_must_follow_from_the_results() {
    let (_folder, path) = place();
    play(&path, &[0, 1, 2, 3]);
    let extend = |results| {
        let mut opened = open_this(&path, plan(), false).unwrap();
        let results = if results { opened.ledger.results(&opened.plan, 2) } else { Hex32([0; 32]) };
        opened.plan.extend([round([[1, 2]], &[0], 1)], results);
        opened.folder.write_plan(&opened.plan, 1).unwrap();
        opened.plan
    };
    let further = path.join("plan-0002.jsonl");
    extend(false);
    let said = refused(open_this(&path, plan(), false));
    assert!(said.starts_with(&further.display().to_string()), "{said}");
    assert!(said.contains("does not follow from the results in the journal"), "{said}");
    assert!(said.contains("if the journal was cut, take away this file and those numbered behind it"), "{said}");
    fs::remove_file(&further).unwrap();
    let extended = extend(true);
    assert_eq!(open_this(&path, plan(), false).unwrap().plan, extended);
    play(&path, &[4]);
    assert_eq!(read(&path).unwrap().played.len(), 10);
    fs::write(&further, "{}\n").unwrap();
    assert!(refused(open_this(&path, plan(), false)).contains("plan-0002.jsonl: line 1: “further” was expected here"));
}

#[test]
fn the_rounds_of_a_knockout_must_be_those_that_it_pairs() {
    let pairing = json!({"kind": "knockout", "sets": 1, "extra_sets": 0});
    let header = Header { pairing, ..header(3) };
    // Who is level goes on by its seed, so the final is between 0 and 1.
    for (finals, holds) in [([0, 1], true), ([0, 2], false)] {
        let plan = Plan::new(header.clone(), [round([[1, 2]], &[0], 1)]);
        let (_folder, path) = place();
        let mut opened = open_this(&path, plan.clone(), false).unwrap();
        opened.journal.commit(&set(&opened.plan, 0)).unwrap();
        opened.ledger.add(&opened.plan, &set(&opened.plan, 0)).unwrap();
        let results = opened.ledger.results(&opened.plan, 1);
        opened.plan.extend([round([finals], &[], 1)], results);
        opened.folder.write_plan(&opened.plan, 1).unwrap();
        drop(opened);
        let said = [open_this(&path, plan, false).map(drop), read(&path).map(drop)];
        let words = "its rounds are not those that this version of arbitro pairs: bring back the files";
        for said in said {
            assert_eq!(said.is_ok(), holds, "{finals:?}");
            assert!(said.err().is_none_or(|error| error.to_string().contains(words)), "{finals:?}");
        }
    }
}

#[test]
fn a_tournament_can_be_read_while_somebody_plays_and_where_there_is_none_that_is_said() {
    let (_folder, path) = place();
    assert!(read(&path).expect_err("none").to_string().contains("there is no tournament here"));
    let mut opened = open_this(&path, plan(), false).unwrap();
    opened.journal.commit(set(&opened.plan, 2).iter().chain(&set(&opened.plan, 0))).unwrap();
    let record = read(&path).unwrap();
    assert_eq!(record.played.iter().map(|game| game.game).collect::<Vec<u64>>(), [1, 2, 5, 6]);
    assert_eq!(record.plan, plan());
}

#[test]
fn logs_lie_in_folders_of_a_thousand() {
    let of = |game| log(Path::new("cup"), game).display().to_string();
    assert_eq!(of(1), "cup/games/0000/game-0000001.jsonl");
    assert_eq!(of(999), "cup/games/0000/game-0000999.jsonl");
    assert_eq!(of(1000), "cup/games/0001/game-0001000.jsonl");
    assert_eq!(of(12_345_678), "cup/games/12345/game-12345678.jsonl");
}
