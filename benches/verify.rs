//! How fast logs are checked: 10 000 games of 100 plies, one core, memory flat.
//!
//! `cargo bench --bench verify`. The logs are played in this process by random moves, and deleted afterwards.

mod support;

use std::io::BufWriter;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use arbitro::chance::{Hex32, Purpose, Streams};
use arbitro::clock::Moment;
use arbitro::record::verify::verify;
use arbitro::record::writer::Writer;
use arbitro::referee::{Effect, Event, Referee};
use arbitro::seat::Seat;
use arbitro::table::GameName;
use rustix::time::{ClockId, clock_gettime};

use support::{median, minute, pin, setup, verdict};

const GAMES: usize = 10_000;
const ROUNDS: usize = 5;

fn main() {
    if !support::is_bench() {
        return;
    }
    pin(0);
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder can be made");
    // A cap instead of an end: random games of 100 plies.
    let plies = write_logs(folder.path(), GAMES, GameName::AltoAhi, r#"{"max_plies":100}"#);
    println!("{GAMES} logs, {plies} plies");
    from_memory("alto-ahi", folder.path(), GAMES, plies);
    whole_command(folder.path(), plies);
    for &game in GameName::ALL {
        for options in ["{}", r#"{"cards":true}"#] {
            if game.open(options, 2).is_ok() {
                let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder can be made");
                let plies = write_logs(folder.path(), 200, game, options);
                let rate = from_memory(&format!("{game} {options}"), folder.path(), 200, plies);
                verdict("", format!("{:.2} M plies/s", rate / 1e6), "1 M plies/s", rate >= 1e6);
            }
        }
    }
}

/// Plays so many games and writes their logs; how many plies they have.
fn write_logs(folder: &Path, games: usize, game: GameName, options: &str) -> u64 {
    (0..games).map(|number| write_log(folder, number, game, options)).sum()
}

/// The checking alone: the files are read beforehand, and what other programs take of the core is not counted.
fn from_memory(what: &str, folder: &Path, games: usize, plies: u64) -> f64 {
    let logs: Vec<Vec<u8>> =
        (0..games).map(|number| std::fs::read(path(folder, number)).expect("the log was written")).collect();
    let bytes: usize = logs.iter().map(Vec::len).sum();
    let rates = (0..ROUNDS).map(|_| {
        let began = processor_time();
        let checked: u64 = logs.iter().map(|log| verify(log).expect("all holds").plies).sum();
        assert_eq!(checked, plies);
        plies as f64 / (processor_time() - began)
    });
    let rate = median(rates.collect());
    let speed = format!("{:.2} M plies/s, {:.0} MB/s", rate / 1e6, rate / plies as f64 * bytes as f64 / 1e6);
    println!("{:44} {speed:>28}", format!("verify from memory, {what}"));
    rate
}

/// The processor time of this process so far, in seconds.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The command as a user runs it, files and all; its peak of memory for all logs and for a hundredth of them.
fn whole_command(folder: &Path, plies: u64) {
    let rates = (0..ROUNDS).map(|_| {
        let began = Instant::now();
        let status = Command::new(support::ARBITRO).args(["-q", "verify"]).arg(folder).status().expect("it runs");
        assert!(status.success());
        plies as f64 / began.elapsed().as_secs_f64()
    });
    let rate = median(rates.collect());
    verdict("arbitro verify FOLDER", format!("{:.2} M plies/s", rate / 1e6), "1.5 M plies/s", rate >= 1.5e6);
    let few: Vec<_> = (0..GAMES / 100).map(|number| path(folder, number)).collect();
    let peaks = [peak_kib(&few), peak_kib(&[folder.to_owned()])];
    let flat = peaks[1] < peaks[0] + 4096;
    verdict("peak memory, 100 logs and 10 000 logs", format!("{} and {} KiB", peaks[0], peaks[1]), "flat", flat);
}

/// The most memory that the command had, looked at all the time while it runs.
fn peak_kib(logs: &[std::path::PathBuf]) -> u64 {
    let mut child = Command::new(support::ARBITRO).args(["-q", "verify"]).args(logs).spawn().expect("it runs");
    let mut peak = 0;
    loop {
        if let Ok(status) = std::fs::read_to_string(format!("/proc/{}/status", child.id())) {
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            peak = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(peak);
        }
        if child.try_wait().expect("it can be waited for").is_some() {
            return peak;
        }
    }
}

fn path(folder: &Path, number: usize) -> std::path::PathBuf {
    folder.join(format!("{number:05}.jsonl"))
}

/// Plays a game of random moves and writes its log; how many plies it has.
fn write_log(folder: &Path, number: usize, game: GameName, options: &str) -> u64 {
    let name = format!("game {number}");
    let mut draws = Streams::new(Hex32::from_text(&name)).of(Purpose::SetUp).clone();
    let file = std::fs::File::create(path(folder, number)).expect("a file can be made");
    let mut log = Writer::new(BufWriter::new(file));
    let mut effects = Vec::new();
    let mut referee = Referee::new(setup(game, &name, options, minute()), 0, &mut effects).expect("it begins");
    let mut now = 0;
    let mut say = |referee: &mut Referee, event: Event, effects: &mut Vec<Effect>| {
        now += 5_000;
        referee.handle(Moment(now), event, effects);
    };
    for seat in Seat::first(2) {
        say(&mut referee, Event::Bytes { seat, bytes: b"{\"type\":\"ready\"}\n" }, &mut effects);
    }
    while referee.outcome().is_none() {
        let seat = Seat::first(2).find(|&seat| referee.is_asked(seat)).expect("somebody is asked");
        let legal = referee.table().legal();
        let token = legal[draws.below(legal.len() as u32) as usize];
        let answer = format!("{{\"type\":\"move\",\"turn\":{},\"move\":\"{token}\"}}\n", referee.turn());
        say(&mut referee, Event::Sending { seat }, &mut effects);
        say(&mut referee, Event::Bytes { seat, bytes: answer.as_bytes() }, &mut effects);
    }
    let mut end = None;
    for effect in effects {
        match effect {
            Effect::Log(entry) => log.entry(&entry).expect("the log is written"),
            Effect::Done(ended) => end = Some(ended),
            Effect::Send(_) | Effect::Kill(_) => {}
        }
    }
    let end = end.expect("the game is over");
    log.end(&end).expect("the log is written");
    end.plies
}
