//! What a start behind keeper and launcher costs, against a bare chain of the same three processes.
//!
//! Both start the same static bot on one core, read its first line, end it and reap everything, in turn. Run it with
//! `cargo bench --bench start`.

use std::ffi::OsString;
use std::io::Read;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use arbitro::host::{Limits, Player, Program, Report};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::thread::{CpuSet, sched_setaffinity};

const ROUNDS: usize = 1500;

/// How long one start took.
struct Cost {
    first_line: Duration,
    whole: Duration,
}

fn main() {
    // Under `cargo test` a bench is only built and called.
    if !std::env::args().any(|word| word == "--bench") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder for the programs");
    let bot = build("bot", folder.path(), &["-C", "target-feature=+crt-static"]);
    let bare = build("bare", folder.path(), &[]);
    let program = Program::find(&[OsString::from(&bot)], folder.path(), &[]).expect("the bot can be started");
    pin_to_one_core();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(start_held(&program));
        theirs.push(start_bare(&bare, &bot));
    }
    print("keeper and launcher", &mut ours);
    print("bare chain", &mut theirs);
    let per_second = |costs: &[Cost]| 1.0 / median(costs, |cost| cost.whole).as_secs_f64();
    println!("starts per second: {:.0} % of the bare chain's", 100.0 * per_second(&ours) / per_second(&theirs));
}

/// Builds one of the programs beside this file.
fn build(name: &str, folder: &Path, flags: &[&str]) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/start").join(name).with_extension("rs");
    let built = folder.join(name);
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    command.args(["--edition", "2024", "-O", "-o"]).arg(&built).args(flags).arg(source);
    assert!(command.status().expect("rustc runs").success(), "{name} is built");
    built
}

fn pin_to_one_core() {
    let mut first = CpuSet::new();
    first.set(0);
    sched_setaffinity(None, &first).expect("the bench can be pinned");
}

fn start_held(program: &Program) -> Cost {
    let begun = Instant::now();
    let referee = Path::new(env!("CARGO_BIN_EXE_arbitro"));
    let mut player = Player::start(referee, program, &Limits::default()).expect("the keeper starts");
    let stdout = player.stdout.take().expect("it was not taken");
    let mut line = [0; 64];
    while rustix::io::read(&stdout, &mut line) == Err(rustix::io::Errno::AGAIN) {
        let _ = poll(&mut [PollFd::new(&stdout.as_fd(), PollFlags::IN)], None);
    }
    let first_line = begun.elapsed();
    let reports = player.wait_empty(begun + Duration::from_secs(10));
    assert!(matches!(reports.last(), Some(Report::Empty { leftovers: 0 })), "the bot ends: {reports:?}");
    drop(player);
    Cost { first_line, whole: begun.elapsed() }
}

fn start_bare(bare: &Path, bot: &Path) -> Cost {
    let begun = Instant::now();
    let mut command = Command::new(bare);
    command.arg("hold").arg(bot).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the bare chain starts");
    let read = child.stdout.as_mut().expect("it is piped").read(&mut [0; 64]).expect("the bot writes");
    assert!(read > 0, "the bot says something");
    let first_line = begun.elapsed();
    drop(child.stdin.take());
    child.wait().expect("the chain ends");
    Cost { first_line, whole: begun.elapsed() }
}

fn median(costs: &[Cost], of: impl Fn(&Cost) -> Duration) -> Duration {
    let mut times: Vec<Duration> = costs.iter().map(of).collect();
    times.sort();
    times[times.len() / 2]
}

fn print(name: &str, costs: &mut [Cost]) {
    let first_line = median(costs, |cost| cost.first_line).as_secs_f64() * 1000.0;
    let whole = median(costs, |cost| cost.whole).as_secs_f64() * 1000.0;
    println!("{name}: first line after {first_line:.3} ms, ended and reaped after {whole:.3} ms (medians of {ROUNDS})");
}
