//! The files of tournaments: any bytes, and those of a tournament that holds with something done to them. Nothing
//! panics, another plan has another hash, and of a damaged journal nothing counts that was not written.

#![no_main]

use arbitro::tournament::journal::{Recorded, read};
use arbitro::tournament::plan::Plan;
use arbitro_fuzz::choices::Choices;
use arbitro_fuzz::damage::damaged;
use arbitro_fuzz::events::{JOURNAL, PLAN};
use libfuzzer_sys::fuzz_target;

/// What holds of any bytes that may be a plan.
fn plan(bytes: &[u8]) -> Option<Plan> {
    let plan = match Plan::read(bytes) {
        Ok(plan) => plan,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return None;
        }
    };
    let mut again = Vec::new();
    plan.write(0, &mut again).expect("memory takes all bytes");
    assert_eq!(again, bytes, "a plan that is read is written as it was");
    for set in 0..plan.sets().len().min(100) {
        assert_eq!(plan.games_of(set).len(), plan.games_each());
    }
    Some(plan)
}

/// What holds of any bytes that may be a journal.
fn journal(bytes: &[u8]) -> Option<Recorded> {
    match read(bytes) {
        Ok(recorded) => {
            assert_eq!(recorded.end.length + recorded.end.torn, bytes.len() as u64);
            assert!(recorded.played.is_sorted_by(|one, other| one.game < other.game));
            let whole = read(&bytes[..recorded.end.length as usize]).expect("it holds without its torn end");
            assert_eq!((&whole.played, whole.end.torn), (&recorded.played, 0));
            Some(recorded)
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            None
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices::new(bytes);
    match choices.byte() % 4 {
        0 => drop(plan(choices.rest())),
        1 => drop(journal(choices.rest())),
        2 => {
            let bytes = damaged(&PLAN, &mut choices);
            let (whole, read) = (Plan::read(PLAN.as_bytes()).expect("it holds"), plan(&bytes));
            let is_the_same = read.is_some_and(|read| read.sha256() == whole.sha256());
            assert_eq!(is_the_same, bytes == PLAN.as_bytes(), "another plan has another hash");
        }
        _ => {
            let bytes = damaged(&JOURNAL, &mut choices);
            let whole = journal(JOURNAL.as_bytes()).expect("it holds");
            if let Some(recorded) = journal(&bytes)
                && recorded.header == whole.header
            {
                assert!(whole.played.starts_with(&recorded.played), "nothing counts that was not written");
            }
        }
    }
});
