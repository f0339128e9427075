//! What a bot may use, tried by one that takes more: the fault must have the name of the limit.

use super::report::{Item, Report, State};
use super::trial::{Lab, PLAIN, Trial};
use crate::cli::failure::Failure;
use crate::host::play::Ponder;
use crate::record::entry::FaultKind;

/// A limit, and how it is tried.
struct Bound {
    id: &'static str,
    name: &'static str,
    bot: &'static str,
    limit: &'static str,
    fault: FaultKind,
}

/// Small, so that it is soon over.
const BOUNDS: [Bound; 5] = [
    Bound {
        id: "limit_memory",
        name: "memory",
        bot: "faulty mode=memory mib=256",
        limit: "memory=100MiB",
        fault: FaultKind::MemoryLimit,
    },
    Bound {
        id: "limit_processes",
        name: "processes",
        bot: "faulty mode=fork-bomb",
        limit: "processes=16",
        fault: FaultKind::ProcessLimit,
    },
    Bound {
        id: "limit_open_files",
        name: "open files",
        bot: "faulty mode=open-files",
        limit: "open-files=32",
        fault: FaultKind::OpenFilesLimit,
    },
    Bound {
        id: "limit_file_size",
        name: "size of a file",
        bot: "faulty mode=big-file mib=4",
        limit: "file-size=1MiB",
        fault: FaultKind::FileLimit,
    },
    Bound {
        id: "limit_cpu",
        name: "processor time",
        bot: "faulty mode=cpu",
        limit: "cpu=200ms",
        fault: FaultKind::CpuLimit,
    },
];

pub fn examine(report: &mut Report, lab: &Lab) -> Result<(), Failure> {
    report.section("Limits, each gone beyond by a bot")?;
    BOUNDS.iter().try_for_each(|bound| report.add(tried(bound, lab)?))
}

fn tried(bound: &Bound, lab: &Lab) -> Result<Item, Failure> {
    let here = lab.here();
    let trial = Trial {
        bot: bound.bot,
        // What a bot uses is looked at ten times a second: it is not to be frozen before that, nor the game over.
        rival: "random sleep=300ms",
        ponder: Ponder::Allow,
        plies: 4,
        limits: &[bound.limit],
        write: &[&here],
        ..PLAIN
    };
    let tried = lab.play(&trial, &mut |_| {})?;
    let (state, found) = match (&tried.fault, &tried.trouble) {
        (Some(fault), _) if fault.kind == bound.fault.as_str() => {
            (State::Ok, format!("holds: {} after {} ms", fault.kind, tried.took.as_millis()))
        }
        (Some(fault), _) => (State::Failed, format!("another fault came of it: {}: {}", fault.kind, fault.words)),
        (None, Some(trouble)) => (State::Failed, format!("not tried: {trouble}")),
        (None, None) => (State::Failed, format!("does not hold: {} had no fault", bound.bot)),
    };
    Ok(Item::new(bound.id, bound.name, state, found)
        .figure("took_ms", tried.took.as_millis() as u64)
        .means("a bot can take this from its rival and from everybody else on the machine")
        .remedy("try again when the machine is less busy; if that does not help, please report it"))
}
