//! What the machine fails at: a full disk, a disk that does not sync, a folder in which nothing can be written, and bugs.

use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arbitro::tournament::folder::Opened;
use arbitro::tournament::journal::{JournalFile, Storage};
use arbitro::tournament::plan::Header;
use arbitro::tournament::run::{Ending, Failed, Progress, run};

use crate::support::{Cup, NoDirector, Stop, all_meet, header};

/// The file of a journal, on a disk with room for so many more bytes, that syncs so many more times.
struct Failing {
    file: JournalFile,
    room: u64,
    syncs: u64,
}

impl Storage for Failing {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let fits = bytes.len().min(self.room as usize);
        self.room -= fits as u64;
        self.file.append(&bytes[..fits])?;
        if fits < bytes.len() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }

    fn sync(&mut self) -> io::Result<()> {
        self.syncs = self.syncs.checked_sub(1).ok_or_else(|| io::Error::other("the disk does not sync"))?;
        self.file.sync()
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.cut(length)
    }
}

fn on_failing_disk(opened: Opened, room: u64, syncs: u64) -> Opened<Failing> {
    let Opened { folder, plan, ledger, journal, resumed, torn, swept, changed } = opened;
    let journal = journal.over(|file| Failing { file, room, syncs });
    Opened { folder, plan, ledger, journal, resumed, torn, swept, changed }
}

fn tournament() -> Cup {
    Cup::new(Header { reuse: 2, ..header(&["random", "greedy", "random"]) }, [all_meet(3, 2)])
}

#[test]
fn a_disk_that_fails_stops_the_tournament_and_it_goes_on_when_that_is_mended() {
    let undisturbed = tournament();
    undisturbed.play(2);
    let results = undisturbed.results();
    let journal = fs::metadata(undisturbed.path().join("journal.jsonl")).unwrap().len();
    for (room, syncs) in [(0, 99), (1, 99), (700, 99), (1500, 99), (journal / 2, 99), (99_999, 0)] {
        let cup = tournament();
        let stop = Stop::new();
        let mut counted = 0;
        let opened = on_failing_disk(cup.open(), room, syncs);
        let failed = cup.play_opened(opened, 2, &mut NoDirector, &stop, |progress| {
            if let Progress::Counted { games } = progress {
                counted += games.len();
            }
        });
        let failed = failed.expect_err("the disk fails");
        assert!(matches!(&failed, Failed::Io { path, .. } if path.ends_with("journal.jsonl")), "{failed}");
        let said = failed.to_string();
        assert!(said.contains("what is finished is safe") && !said.contains('\n'), "{said}");
        assert_eq!(cup.processes(), [0; 0]);
        let summary = cup.play(2);
        assert_eq!(summary.ending, Ending::Complete, "room for {room}, {syncs} syncs");
        assert_eq!(summary.played, 12 - counted as u64, "what was told to count was not played again");
        assert_eq!(cup.results(), results);
    }
}

#[test]
fn a_log_that_cannot_be_written_stops_the_tournament_and_is_nobodys_loss() {
    let cup = tournament();
    drop(cup.open());
    fs::write(cup.path().join("games/0000"), "in the way").unwrap();
    let stop = Stop::new();
    let failed = cup.play_opened(cup.open(), 2, &mut NoDirector, &stop, |_| {}).expect_err("nothing can be written");
    let said = failed.to_string();
    assert!(matches!(failed, Failed::Game(_)) && said.contains("cannot be written"), "{said}");
    fs::remove_file(cup.path().join("games/0000")).unwrap();
    let summary = cup.play(2);
    assert_eq!((summary.ending, summary.played, summary.unresolved), (Ending::Complete, 12, 0));
    cup.record();
}

#[test]
fn a_worker_that_panics_stops_all_others_and_loses_nothing() {
    let cup = tournament();
    let stop = Stop::new();
    let mut means = cup.means(2);
    // Whoever plays the third bot looks for one that is not there.
    means.bots.pop();
    let counted = Arc::new(AtomicU64::new(0));
    let tell = &mut |progress: Progress| {
        if let Progress::Counted { games } = progress {
            counted.fetch_add(games.len() as u64, Ordering::Relaxed);
        }
    };
    let failed = run(cup.open(), &means, &mut NoDirector, stop.readable(), tell).expect_err("a bug");
    assert!(matches!(failed, Failed::Bug), "{failed}");
    assert_eq!(cup.processes(), [0; 0]);
    let summary = cup.play(2);
    assert_eq!((summary.ending, summary.played), (Ending::Complete, 12 - counted.load(Ordering::Relaxed)));
    cup.record();
}
