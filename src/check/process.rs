//! The process of the bot: how it ends, what it leaves and uses, and where it runs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::bench::Bench;
use super::record::END_PATIENCE;
use super::sitting::{Match, say_whole};
use super::verdict::{Checked, bad, good, untried};
use super::{Check, Weight, check};
use crate::host::Program;
use crate::host::play::END_GRACE;
use crate::record::entry::Exit;

/// The name of the check without which no whole game against itself is played.
pub const TWO_COPIES: &str = "two-copies";

/// The checks of this part.
pub static CHECKS: [Check; 12] = [
    check(
        Weight::Must,
        "ends-with-input",
        "ends when its input ends after a game",
        "says over, ends the input, and waits 2 s",
        "Leave the loop at the end of input: in Python “for line in sys.stdin” does, and readline() returns ''. No thread may keep the program.",
        ends_with_input,
    ),
    check(
        Weight::Must,
        "ends-after-ready",
        "ends when its input ends before its first turn",
        "ends the input right after ready",
        "Look for the end of input wherever you read a line, also where the first turn is awaited.",
        ends_after_ready,
    ),
    check(
        Weight::Must,
        "ends-mid-game",
        "ends when its input ends in the middle of a game",
        "ends the input after two turns, without over",
        "Look for the end of input wherever you read a line, also where the next turn is awaited.",
        ends_mid_game,
    ),
    check(
        Weight::Should,
        "ends-soon",
        "ends within 100 ms after its input",
        "says over, ends the input, and takes the time",
        "Clean up quickly at the end, or earlier: after 100 ms the program is killed.",
        ends_soon,
    ),
    check(
        Weight::Should,
        "exit-status",
        "ends with status 0",
        "looks at its exit status after a whole game",
        "Treat the end of input as the regular end, and let no error come of it.",
        exit_status,
    ),
    check(
        Weight::Must,
        "leftovers",
        "leaves no processes behind",
        "counts its processes when the program itself has ended",
        "End and wait for every process that you start. They are killed with the game.",
        leftovers,
    ),
    check(
        Weight::Must,
        "memory",
        "keeps to its memory",
        "looks at the memory of all its processes in a game",
        "Use less memory, smaller tables for example, or ask for --limit memory=2GiB.",
        memory,
    ),
    check(
        Weight::Must,
        "processes",
        "keeps to its processes and open files",
        "counts its processes and files in a game",
        "Start fewer processes, wait for those that ended, and close files.",
        processes,
    ),
    check(
        Weight::Must,
        TWO_COPIES,
        "runs twice at the same time",
        "plays two games at once with two processes of it",
        "Take no lock, port or file name that a second process would need too: several games run at once.",
        two_copies,
    ),
    check(
        Weight::Must,
        "other-start",
        "finds its files from a folder that is not its own",
        "starts it with another working directory",
        "Open files by the place of the program (os.path.dirname(__file__), $0, argv[0]) and not by the working directory, or have it started with --dir.",
        other_start,
    ),
    check(
        Weight::Should,
        "fresh-game",
        "begins each game afresh",
        "plays the same beginning twice in one process, with the same bot_seed",
        "Set everything up anew at hello, the random numbers by bot_seed above all.",
        fresh_game,
    ),
    check(
        Weight::Should,
        "ready-early",
        "is ready in half of the time that it may take",
        "looks at how long its ready took in each game",
        "Load less before ready: a contest's machine may be slower or busy.",
        ready_early,
    ),
];

fn ends_with_input(bench: &mut Bench) -> Checked {
    match bench.record()?.end {
        Some((_, took)) => good(format!("after {} ms", took.as_millis())),
        None => Err(bad(format!("it still ran {} s after the end of its input", END_PATIENCE.as_secs()))),
    }
}

fn ends_after_ready(bench: &mut Bench) -> Checked {
    ends(bench.sit(bench.home())?)
}

fn ends_mid_game(bench: &mut Bench) -> Checked {
    let mut game = bench.sit(bench.home())?;
    game.play(2)?;
    ends(game)
}

fn ends(mut game: Match) -> Checked {
    game.talk.end_input();
    let began = Instant::now();
    match game.talk.wait_exit(began + END_PATIENCE)? {
        Some((_, at)) => good(format!("after {} ms", at.saturating_duration_since(began).as_millis())),
        None => Err(bad(format!("it still ran {} s after the end of its input", END_PATIENCE.as_secs()))),
    }
}

fn ends_soon(bench: &mut Bench) -> Checked {
    let grace = Duration::from_nanos(END_GRACE.0);
    match bench.record()?.end {
        Some((_, took)) if took > grace => Err(bad(format!("it took {} ms", took.as_millis()))),
        Some((_, took)) => good(format!("{} ms", took.as_millis())),
        None => Err(untried("it does not end by itself")),
    }
}

fn exit_status(bench: &mut Bench) -> Checked {
    let record = bench.record()?;
    match record.end {
        Some((Exit::Code(0), _)) => good(""),
        Some((exit, _)) => Err(bad(format!("it ended with {exit}{}", record.stderr))),
        None => Err(untried("it does not end by itself")),
    }
}

fn leftovers(bench: &mut Bench) -> Checked {
    match bench.record()?.leftovers {
        0 => good(""),
        count => Err(bad(format!("{count} more of its processes ran when it had ended"))),
    }
}

fn memory(bench: &mut Bench) -> Checked {
    let limit = bench.subject.limits.memory_bytes;
    let used = bench.record()?.peak.memory_bytes;
    let words = format!(
        "{} MiB at most{}",
        used >> 20,
        limit.map(|limit| format!(", of {} MiB", limit >> 20)).unwrap_or_default()
    );
    if limit.is_some_and(|limit| used > limit) { Err(bad(words)) } else { good(words) }
}

fn processes(bench: &mut Bench) -> Checked {
    let limits = bench.subject.limits;
    let peak = bench.record()?.peak;
    let over = |used: u64, limit: Option<u64>| limit.is_some_and(|limit| used > limit);
    let of = |limit: Option<u64>| limit.map(|limit| format!(" of {limit}")).unwrap_or_default();
    let words = format!(
        "{} processes{}, {} open files{}",
        peak.processes,
        of(limits.processes),
        peak.open_files,
        of(limits.open_files)
    );
    let is_over = over(peak.processes, limits.processes) || over(peak.open_files, limits.open_files);
    if is_over { Err(bad(words)) } else { good(words) }
}

fn two_copies(bench: &mut Bench) -> Checked {
    let (subject, home) = (bench.subject, bench.home());
    let has_scratch = subject.limits.scratch_bytes.is_some();
    let mut one = bench.sit(home.clone())?;
    one.ask()?;
    let talk = bench.start_copy(&subject.program, has_scratch, 1)?;
    let mut other = bench.sit_with(talk, home, say_whole)?;
    for _ in 0..2 {
        other.ask()?;
        one.ask()?;
    }
    good("")
}

fn other_start(bench: &mut Bench) -> Checked {
    let subject = bench.subject;
    let program = started_elsewhere(&subject.program);
    let talk = bench.start_as(&program, subject.limits.scratch_bytes.is_some())?;
    let mut game = bench.sit_with(talk, bench.home(), say_whole)?;
    game.play(2)?;
    good("")
}

/// The same command with the root as its working directory: the files that it names are named in full.
fn started_elsewhere(program: &Program) -> Program {
    let full = |word: &OsString| {
        let path = program.dir.join(word);
        if path.is_file() { path.into_os_string() } else { word.clone() }
    };
    Program {
        argv: program.argv.iter().map(full).collect(),
        dir: PathBuf::from(Path::new("/")),
        env: program.env.clone(),
    }
}

fn fresh_game(bench: &mut Bench) -> Checked {
    if !bench.record()?.stayed {
        return Err(untried("it plays only one game in a process"));
    }
    let tokens = |game: &mut Match| {
        game.play(4).map(|answers| answers.into_iter().map(|answer| answer.token).collect::<Vec<_>>())
    };
    let mut game = bench.sit(bench.home())?;
    let one = tokens(&mut game)?;
    game.over()?;
    game.must_be_there("after over")?;
    game.again(bench.home())?;
    let other = tokens(&mut game)?;
    drop(game);
    // One that draws without a seed is another check's.
    let alone = tokens(&mut bench.sit(bench.home())?)?;
    if one != alone {
        return Err(untried("it does not play the same game again in another process"));
    }
    if one == other {
        good(format!("{} moves alike", one.len()))
    } else {
        Err(bad("its second game went another way than the first"))
    }
}

fn ready_early(bench: &mut Bench) -> Checked {
    let times = bench.probes.iter().filter_map(|probe| probe.contact.ready.as_ref().map(|(_, took)| *took));
    let longest = times.max().unwrap_or_default();
    let words = format!("{} ms at most, of {}", longest.as_millis(), bench.startup().as_millis());
    if longest > bench.startup() / 2 { Err(bad(words)) } else { good(words) }
}
