use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use super::*;
use crate::chance::Hex32;
use crate::game::EndReason;
use crate::record::outcome::{GameResult, Reason};
use crate::seat::{BySeat, Seat};
use crate::tournament::Entrant;
use crate::tournament::played::{Charge, Played, PlayedHost};

fn header() -> Header {
    Header {
        format: FORMAT,
        plan: Hex32([3; 32]),
        name: "A cup".to_owned(),
        game: GameName::AltoAhi,
        bots: ["ada", "bob"].map(str::to_owned).to_vec(),
        seats: 2,
        games_each: 2,
    }
}

/// The games of a set.
fn set(number: u64) -> Vec<Played> {
    let game = |place: u16| Played {
        game: 2 * number - 1 + u64::from(place),
        round: 1,
        set: number,
        seats: BySeat::collect([Entrant(place), Entrant(1 - place)]),
        result: GameResult::Decided,
        ranks: Some(BySeat::collect([1, 2])),
        reason: Reason::Rules(EndReason::Goal),
        plies: 10 + number,
        faults: match place {
            0 => vec![],
            _ => vec![Charge { seat: Seat::new(1), kind: "timeout".to_owned(), tolerated: true }],
        },
        voids: u32::from(place),
        course: serde_json::from_str("\"0123456789abcdef\"").unwrap(),
        game_sha256: Hex32([number as u8; 32]),
        sha256: Hex32([place as u8; 32]),
        host: PlayedHost { thought_us: BySeat::collect([1, 2]), took_us: 3 },
    };
    vec![game(0), game(1)]
}

/// A disk that fails when it is told to. What was not synced is lost when the power goes.
#[derive(Default)]
struct Disk {
    bytes: Vec<u8>,
    synced: usize,
    /// How many bytes fit on it.
    room: Option<usize>,
    /// How many more syncs work.
    syncs: Option<usize>,
    cannot_cut: bool,
}

type Shared = Rc<RefCell<Disk>>;

impl Storage for Shared {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut disk = self.borrow_mut();
        let room = disk.room.map_or(usize::MAX, |room| room - disk.bytes.len());
        disk.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
        if bytes.len() > room { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut disk = self.borrow_mut();
        match &mut disk.syncs {
            Some(0) => return Err(io::Error::other("the disk is broken")),
            Some(left) => *left -= 1,
            None => {}
        }
        disk.synced = disk.bytes.len();
        Ok(())
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        let mut disk = self.borrow_mut();
        if disk.cannot_cut {
            return Err(io::Error::other("it stays as it is"));
        }
        disk.bytes.truncate(length as usize);
        Ok(())
    }
}

fn disk() -> Shared {
    Rc::new(RefCell::new(Disk { bytes: beginning(&header()), ..Disk::default() }))
}

/// Goes on with what is on a disk.
fn resume(disk: &Shared) -> Journal<Shared> {
    let end = read(disk.borrow().bytes.as_slice()).expect("a journal").end;
    Journal::resume(disk.clone(), &end).expect("the disk works")
}

/// Writes sets from here on, in groups of so many, as far as the disk allows; how many were said to be safe.
fn write(journal: &mut Journal<Shared>, sets: std::ops::RangeInclusive<u64>, group: usize) -> (u64, io::Result<()>) {
    let mut safe = sets.start() - 1;
    let numbers: Vec<u64> = sets.collect();
    for numbers in numbers.chunks(group) {
        let games: Vec<Played> = numbers.iter().flat_map(|&number| set(number)).collect();
        if let Err(error) = journal.commit(&games) {
            return (safe, Err(error));
        }
        safe += numbers.len() as u64;
    }
    (safe, Ok(()))
}

/// The bytes of a journal of so many sets.
fn bytes_of(sets: u64) -> Vec<u8> {
    let disk = disk();
    write(&mut resume(&disk), 1..=sets, 1).1.expect("the disk works");
    drop_last(disk)
}

fn drop_last(disk: Shared) -> Vec<u8> {
    std::mem::take(&mut disk.borrow_mut().bytes)
}

/// How many whole sets a journal holds, all of which must be as they were written.
fn sets_in(bytes: &[u8]) -> u64 {
    let recorded = read(bytes).expect("a journal");
    let sets = recorded.played.len() as u64 / 2;
    assert_eq!(recorded.played, (1..=sets).flat_map(set).collect::<Vec<Played>>());
    assert_eq!(recorded.header, header());
    sets
}

#[test]
fn a_journal_is_text_and_reads_back_as_it_was() {
    let bytes = bytes_of(3);
    let text = String::from_utf8(bytes.clone()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 7);
    let plan = Hex32([3; 32]);
    assert!(lines[0].starts_with(&format!(
        r#"{{"journal":{{"format":1,"plan":"{plan}","name":"A cup","game":"alto-ahi","bots":["ada","bob"],"seats":2,"games_each":2}},"check":""#
    )));
    assert!(lines[3].starts_with(
        r#"{"game":{"game":3,"round":1,"set":2,"seats":[0,1],"result":"decided","ranks":[1,2],"reason":"goal","plies":12,"course":"0123456789abcdef","#
    ));
    assert_eq!(sets_in(&bytes), 3);
    assert_eq!(read(bytes.as_slice()).unwrap().end.length, bytes.len() as u64);
    assert_eq!(sets_in(&beginning(&header())), 0);
}

#[test]
fn each_check_is_over_the_check_before_and_the_line() {
    use sha2::{Digest, Sha256};
    let text = String::from_utf8(bytes_of(1)).unwrap();
    let parts: Vec<(&str, &str)> = text.lines().map(|line| line.split_once(",\"check\":\"").unwrap()).collect();
    for pair in parts.windows(2) {
        let before = pair[0].1.trim_end_matches("\"}");
        let digest: [u8; 32] = Sha256::digest(format!("{before}{}", pair[1].0)).into();
        assert_eq!(pair[1].1.trim_end_matches("\"}"), &Hex32(digest).to_string()[..16]);
    }
}

#[test]
fn groups_do_not_show() {
    for group in 1..=7 {
        let disk = disk();
        write(&mut resume(&disk), 1..=7, group).1.unwrap();
        assert_eq!(drop_last(disk), bytes_of(7));
    }
}

#[test]
fn games_are_given_in_the_order_of_their_numbers() {
    let disk = disk();
    let mut journal = resume(&disk);
    [3, 1, 2].into_iter().for_each(|number| journal.commit(&set(number)).unwrap());
    assert_eq!(sets_in(&drop_last(disk)), 3);
}

#[test]
fn cut_anywhere_it_holds_the_sets_that_were_whole_and_goes_on_from_there() {
    let whole = bytes_of(3);
    let start = beginning(&header()).len();
    let ends: Vec<usize> = (0..=3).map(|sets| bytes_of(sets).len()).collect();
    for cut in start..=whole.len() {
        let disk = Rc::new(RefCell::new(Disk { bytes: whole[..cut].to_vec(), ..Disk::default() }));
        let sets = ends.iter().filter(|&&end| end <= cut).count() as u64 - 1;
        let recorded = read(&whole[..cut]).unwrap();
        assert_eq!(recorded.played.len() as u64, 2 * sets, "cut at {cut}");
        assert_eq!(recorded.end.torn, (cut - ends[sets as usize]) as u64, "cut at {cut}");
        let mut journal = resume(&disk);
        assert_eq!(disk.borrow().bytes, whole[..ends[sets as usize]], "the torn end is cut off");
        write(&mut journal, sets + 1..=3, 1).1.unwrap();
        assert_eq!(disk.borrow().bytes, whole, "cut at {cut}");
    }
    for cut in 0..start {
        assert!(matches!(read(&whole[..cut]), Err(BadJournal::Foreign(_))), "cut at {cut}");
    }
}

#[test]
fn every_flipped_bit_is_found() {
    let whole = bytes_of(2);
    let line_of = |at: usize| whole[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
    for at in 0..whole.len() {
        for bit in 0..8 {
            let mut bad = whole.clone();
            bad[at] ^= 1 << bit;
            match read(bad.as_slice()) {
                // A line end that became another begins a line too early, or ends one too late.
                Err(BadJournal::Damaged { line, .. }) => assert_eq!(line, line_of(at), "bit {bit} of byte {at}"),
                Err(_) => assert_eq!(line_of(at), 1, "bit {bit} of byte {at}"),
                Ok(recorded) => {
                    assert_eq!(at, whole.len() - 1, "only the very end can be taken for torn");
                    assert!(recorded.end.torn > 0 && recorded.played.len() == 2);
                }
            }
        }
    }
}

#[test]
fn a_damaged_line_is_named_with_what_to_do() {
    let text = String::from_utf8(bytes_of(3)).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let good = lines[..3].concat().len();
    let refused = |lines: &[&str]| read(lines.concat().as_bytes()).expect_err("damaged").to_string();
    let edited = lines[4].replace("\"plies\":12", "\"plies\":13");
    let said = refused(&[&lines[..4], &[edited.as_str()], &lines[5..]].concat());
    assert!(said.starts_with("line 5 is damaged: its check is ") && !said.contains('\n'), "{said}");
    assert!(said.contains(&format!("truncate -s {good}")), "{said}");
    let missing = refused(&[&lines[..2], &lines[3..]].concat());
    assert!(missing.starts_with("line 3 is damaged: its check is"), "{missing}");
    let twice = refused(&[&lines[..3], &lines[1..]].concat());
    assert!(twice.starts_with("line 4 is damaged: its check is"), "{twice}");
    let huge = format!("{}{}\n", lines.concat(), "x".repeat(17 << 20));
    let said = read(huge.as_bytes()).expect_err("damaged").to_string();
    assert!(said.starts_with("line 8 is damaged: it is too long"), "{said}");
}

/// What appends a line.
type Line<'a> = &'a dyn Fn(&mut Vec<u8>, &mut Check);

/// A journal whose checks hold, of these lines.
fn forged(lines: &[(&str, Line)]) -> String {
    let (mut bytes, mut check) = (Vec::new(), Check::default());
    lines.iter().for_each(|(_, line)| line(&mut bytes, &mut check));
    read(bytes.as_slice()).expect_err(lines[0].0).to_string()
}

#[test]
fn what_cannot_be_is_refused_even_if_the_checks_hold() {
    let begin = |bytes: &mut Vec<u8>, check: &mut Check| check.append(bytes, "journal", &header());
    let game = |number: u64, place: usize| {
        move |bytes: &mut Vec<u8>, check: &mut Check| {
            check.append(bytes, "game", &set(number)[place]);
        }
    };
    let said = forged(&[("a game is missing", &begin), ("", &game(1, 0)), ("", &game(2, 0))]);
    assert!(said.starts_with("line 3 is damaged: game 2 of set 1 is missing"), "{said}");
    let again = [("twice", &begin as Line), ("", &game(1, 0)), ("", &game(1, 1)), ("", &game(1, 0)), ("", &game(1, 1))];
    assert!(forged(&again).starts_with("game 1 stands in it twice"));
    let said = forged(&[("another tag", &begin), ("", &|bytes, check| check.append(bytes, "gone", &1))]);
    assert!(said.starts_with("line 2 is damaged: it is no line of a game"), "{said}");
    let stranger = |bytes: &mut Vec<u8>, check: &mut Check| {
        let mut game = set(1).remove(0);
        game.seats = BySeat::collect([Entrant(0), Entrant(2)]);
        check.append(bytes, "game", &game);
    };
    assert!(forged(&[("a stranger", &begin), ("", &stranger)]).contains("its seats are not those of this tournament"));
    let later = Header { format: 2, ..header() };
    assert!(forged(&[("a later format", &|bytes, check| check.append(bytes, "journal", &later))]).contains("format 2"));
    assert!(forged(&[("no header", &game(1, 0))]).starts_with("this is no journal of arbitro: it does not begin"));
    assert!(read(b"hello\n".as_slice()).expect_err("no journal").to_string().starts_with("this is no journal"));
}

#[test]
fn a_full_disk_loses_nothing_that_was_safe_and_can_be_gone_on_from() {
    let whole = bytes_of(6);
    for room in (beginning(&header()).len()..whole.len()).step_by(31) {
        for cannot_cut in [false, true] {
            let disk = disk();
            let mut journal = resume(&disk);
            (disk.borrow_mut().room, disk.borrow_mut().cannot_cut) = (Some(room), cannot_cut);
            let (safe, result) = write(&mut journal, 1..=6, 2);
            assert_eq!(result.expect_err("the disk is full").kind(), io::ErrorKind::StorageFull);
            if !cannot_cut {
                assert_eq!(disk.borrow().bytes, bytes_of(safe), "it is as before the write that failed");
            }
            journal.commit(&set(6)).expect_err("it takes no more");
            assert!(sets_in(&disk.borrow().bytes) >= safe);
            (disk.borrow_mut().room, disk.borrow_mut().cannot_cut) = (None, false);
            let mut journal = resume(&disk);
            let next = sets_in(&disk.borrow().bytes) + 1;
            write(&mut journal, next..=6, 2).1.expect("there is room again");
            assert_eq!(disk.borrow().bytes, whole, "room for {room}");
        }
    }
}

#[test]
fn a_sync_that_fails_loses_nothing_that_was_safe_whatever_the_disk_kept() {
    for works in 0..3 {
        let disk = disk();
        let mut journal = resume(&disk);
        disk.borrow_mut().syncs = Some(works);
        let (safe, result) = write(&mut journal, 1..=6, 2);
        result.expect_err("the sync fails");
        assert_eq!(safe, 2 * works as u64);
        assert_eq!(disk.borrow().bytes, bytes_of(safe));
    }
}

#[test]
fn what_was_said_to_be_safe_survives_when_the_power_goes() {
    let disk = disk();
    let mut journal = resume(&disk);
    for number in 1..=5 {
        journal.commit(&set(number)).unwrap();
        let disk = disk.borrow();
        assert_eq!(sets_in(&disk.bytes[..disk.synced]), number);
    }
}

#[test]
fn bots_that_changed_are_noted_between_sets() {
    let disk = disk();
    let mut journal = resume(&disk);
    let bot = PlannedBot { name: "ada".to_owned(), command: vec![], files: Default::default(), settings: None };
    let changed = Changed { bots: vec![bot] };
    journal.commit(&set(1)).unwrap();
    journal.change(&changed).unwrap();
    journal.commit(&set(2)).unwrap();
    journal.change(&changed).unwrap();
    let recorded = read(disk.borrow().bytes.as_slice()).unwrap();
    assert_eq!((recorded.played.len(), recorded.changes), (4, vec![changed.clone(), changed]));
    assert_eq!((recorded.end.torn, recorded.end.length), (0, disk.borrow().bytes.len() as u64));
}

#[test]
#[ignore = "deep: a million games; in an optimised build"]
fn deep_a_million_games_are_read() {
    let mut bytes = beginning(&header());
    let mut check = read(bytes.as_slice()).unwrap().end.check;
    for number in 1..=500_000 {
        set(number).iter().for_each(|game| check.append(&mut bytes, "game", game));
    }
    let began = std::time::Instant::now();
    let games = read(bytes.as_slice()).unwrap().played.len();
    println!("{games} games in {:?}, {} bytes", began.elapsed(), bytes.len());
    assert_eq!(games, 1_000_000);
}
