//! Checking logs: any bytes, and logs that hold with something done to them. Nothing panics, and no damage is passed.

#![no_main]

use std::sync::LazyLock;

use arbitro::record::entry::Entry;
use arbitro::record::verify::{Finding, Verified, replay_to, verify};
use arbitro_fuzz::choices::Choices;
use arbitro_fuzz::damage::{damaged, sealed};
use arbitro_fuzz::logs::{GOLDEN, Log};
use libfuzzer_sys::fuzz_target;

/// The steps of all logs that hold.
static PLAYED: LazyLock<Vec<Steps>> = LazyLock::new(|| GOLDEN.iter().map(|log| steps(log.as_bytes())).collect());

type Steps = Vec<(String, u64)>;

/// The steps of a log: its moves with the positions that they and all other steps lead to. Dice in another order are
/// the same step.
fn steps(log: &[u8]) -> Steps {
    let log = Log::read(log).expect("it was read before");
    let step = |entry: &Entry| match entry {
        Entry::Move(mv) => Some((mv.token.to_string(), mv.hash.0)),
        Entry::Chance(chance) => Some((String::new(), chance.hash.0)),
        Entry::Leave(leave) => Some((leave.seat.to_string(), leave.hash.0)),
        Entry::Header(_) | Entry::Fault(_) | Entry::Note(_) => None,
    };
    log.entries.iter().filter_map(step).collect()
}

/// What holds of any bytes.
fn check(log: &[u8]) -> Result<Verified, Finding> {
    let verdict = verify(log);
    let shown = replay_to(log, None);
    if let Err(finding) = &verdict {
        assert!(!finding.to_string().is_empty());
    }
    if let Ok(verified) = &verdict {
        let position = shown.expect("what holds can be shown");
        assert_eq!(position.ply, verified.plies);
        let middle = verified.plies / 2;
        let position = replay_to(log, Some(middle)).expect("what holds can be shown up to any ply");
        assert_eq!(position.ply, middle);
        let (again, digests) = Log::read(log).expect("it holds").written();
        assert_eq!(verify(&again).map(|again| again.outcome).as_ref(), Ok(&verified.outcome));
        assert!(digests.is_some());
    }
    verdict
}

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices::new(bytes);
    // `{` begins a log as it is.
    let what = choices.byte();
    if what == b'{' {
        drop(check(bytes));
        return;
    }
    let golden = GOLDEN[usize::from(what) % GOLDEN.len()];
    let log = damaged(golden, &mut choices);
    let whole = log == golden.as_bytes();
    assert_eq!(check(&log).is_ok(), whole, "the hashes find any damage");
    let log = sealed(&log);
    assert!(!whole || log == golden.as_bytes(), "the hashes of a log that holds are right");
    if check(&log).is_ok() {
        let steps = steps(&log);
        assert!(PLAYED.iter().any(|played| played.starts_with(&steps)), "no step is passed that was not played");
    }
    // A log that is cut off holds up to there.
    let cut = &golden.as_bytes()[..usize::from(what) * golden.len() / 256];
    assert!(matches!(verify(cut), Err(Finding::Truncated { .. } | Finding::NotALog(_))));
});
