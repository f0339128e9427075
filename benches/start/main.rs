//! What new processes cost: one start behind keeper and launcher, and whole games of 20 plies with new processes, each
//! against a bare chain of the same three processes in the same run; what the sandbox adds to a start; and games whose
//! processes are kept.
//!
//! `cargo bench --bench start`. All start the same static bot on one core, read its first line, end it and reap
//! everything, in turn.

#[path = "../support/ping_pong.rs"]
mod ping_pong;
#[path = "../support/mod.rs"]
mod support;

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use arbitro::host::play::{Arena, Kept, Ponder, play};
use arbitro::host::sandbox::{reads, users};
use arbitro::host::{Confinement, Layers, Limits, Player, Report};
use arbitro::record::writer::Writer;
use arbitro::referee::Setup;
use arbitro::seat::BySeat;
use arbitro::table::GameName;
use rustix::event::{PollFd, PollFlags, poll};
use tempfile::TempDir;

use ping_pong::Bare;
use support::{arena, bench_bot, median, minute, nobody, pin, setup, verdict};

const STARTS: usize = 500;
const GAMES: usize = 300;
const HELLO: &[u8] = b"{\"type\":\"hello\"}\n";

fn main() {
    if !support::is_bench() {
        return;
    }
    let (bot, bare) = (bench_bot(), support::build("benches/start/bare.rs", "bare_chain", &[]));
    pin(0);
    starts(&bot, &bare);
    sandboxed_starts(&bot);
    games(&bot, &bare);
    kept_games(&bot);
}

fn starts(bot: &Path, bare: &Path) {
    let arena = arena(&[bot.to_str().expect("the path is text")], 1, Ponder::Allow);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        ours.push(start_held(&arena, &Confinement::default()));
        theirs.push(timed(|| end_bare(vec![start_bare(bare, bot)])));
    }
    let ratio = median(ours.iter().zip(&theirs).map(|(ours, theirs)| theirs / ours).collect());
    println!("{:44} {:>28}", "one start, first line, end: bare chain", format!("{:.3} ms", median(theirs)));
    let value = format!("{:.3} ms, {:.0} % of the rate", median(ours), ratio * 100.0);
    println!("{:44} {value:>28}", "one start, first line, end: ours");
}

/// A start in the sandbox as it is by default, against one without.
fn sandboxed_starts(bot: &Path) {
    let arena = arena(&[bot.to_str().expect("the path is text")], 1, Ponder::Allow);
    let program = arena.programs.iter().next().expect("there is one");
    let claims = users::claim(1).expect("there are users");
    let confinement = Confinement {
        layers: Layers::of_this_kernel(),
        read: reads::of(program),
        user: claims.first().map(users::Claim::user),
        limits: Limits::below(&arbitro::protocol::limits::Limits::default(), !claims.is_empty()),
        ..Confinement::default()
    };
    let (mut held, mut free) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        held.push(start_held(&arena, &confinement));
        free.push(start_held(&arena, &Confinement::default()));
    }
    let more = median(held.iter().zip(&free).map(|(held, free)| held - free).collect());
    let value = format!("{more:.3} ms more than {:.3} ms", median(free));
    verdict(&format!("one start in the sandbox ({})", confinement.layers.words()), value, "2 ms", more <= 2.0);
}

/// Games of 20 plies with the same two processes: bots that run all the time, and frozen off turn as
/// `arbitro play --reuse` plays by default; the log in memory, and in a file of its own. All in turn, and with them the
/// bare ping-pong of a game's questions: 3 500 games/s are 2.5 times that where a bare round trip takes 5.7 µs.
fn kept_games(bot: &Path) {
    let command = [bot.to_str().expect("the path is text")];
    let mut kinds = [Ponder::Allow, Ponder::Stop].map(|ponder| {
        let mut arena = arena(&command, 2, ponder);
        arena.keep = true;
        (arena, nobody(), Vec::new(), Vec::new())
    });
    let (folder, mut bare, mut bare_times) = (folder(), Bare::new(bot), Vec::new());
    let script = ping_pong::script(bot, game_setup(0));
    for number in 0..10 * GAMES {
        for (arena, kept, in_memory, on_disk) in &mut kinds {
            in_memory.push(timed(|| play_to(arena, kept, 2 * number, Vec::new())));
            on_disk.push(timed(|| game(arena, folder.path(), kept, 2 * number + 1)));
        }
        bare_times.push(timed(|| {
            let mut answer = [0; 4096];
            script.messages.iter().for_each(|(seat, question)| _ = bare.ask(*seat, question, &mut answer));
        }));
    }
    let bare = median(bare_times);
    println!("{:44} {:>28}", "20 bare round trips", format!("{:.0} µs", bare * 1000.0));
    for (arena, _, in_memory, on_disk) in kinds {
        for (times, log) in [(in_memory, "log in memory"), (on_disk, "a file each")] {
            let time = median(times);
            let what = format!("20-ply games, kept, ponder {:?}, {log}", arena.ponder).to_lowercase();
            let value = format!("{:.0} games/s, {:.2} x bare", 1000.0 / time, time / bare);
            match arena.ponder {
                Ponder::Allow => verdict(&what, value, "2.5 x", time <= 2.5 * bare),
                // Two signals and two more changes of process a ply are what a stop costs.
                Ponder::Stop => println!("{what:44} {value:>28}"),
            }
        }
    }
}

/// A game of 20 plies, its programs started for it, against the start and the end of two bare chains.
fn games(bot: &Path, bare: &Path) {
    let arena = arena(&[bot.to_str().expect("the path is text")], 2, Ponder::Allow);
    let (folder, mut kept) = (folder(), nobody());
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for number in 0..GAMES {
        ours.push(timed(|| game(&arena, folder.path(), &mut kept, number)));
        theirs.push(timed(|| {
            let chains = [start_bare(bare, bot), start_bare(bare, bot)];
            end_bare(chains.into());
        }));
    }
    let ratio = median(ours.iter().zip(&theirs).map(|(ours, theirs)| theirs / ours).collect());
    let (ours, theirs) = (1000.0 / median(ours), 1000.0 / median(theirs));
    println!("{:44} {:>28}", "two bare chains", format!("{theirs:.0} pairs/s"));
    let value = format!("{ours:.0} games/s, {:.0} % of it", ratio * 100.0);
    verdict("20-ply games, new processes", value, "80 %", ratio >= 0.8);
}

/// Each has a file of its own, as in a match: to write over one costs several times as much as to make one.
fn game(arena: &Arena, folder: &Path, kept: &mut BySeat<Kept>, number: usize) {
    let file = File::create(folder.join(format!("{number}.jsonl"))).expect("a file can be made");
    play_to(arena, kept, number, BufWriter::new(file));
}

fn game_setup(number: usize) -> Setup {
    setup(GameName::AltoAhi, &format!("game {number}"), r#"{"max_plies":20}"#, minute())
}

fn play_to(arena: &Arena, kept: &mut BySeat<Kept>, number: usize, log: impl Write) {
    let mut log = Writer::new(log);
    let finished = play(arena, game_setup(number), kept, &mut log, None, &mut |_| {}).expect("the game is played");
    assert_eq!(finished.end.plies, 20);
    log.end(&finished.end).expect("the log is written");
}

/// A folder for logs, gone when it is dropped; in memory where there is such a place. On ext4 a new file costs ten times
/// as much for some seconds after anybody deleted many.
fn folder() -> TempDir {
    let shared = Path::new("/dev/shm");
    let place = if shared.is_dir() { shared } else { Path::new(env!("CARGO_TARGET_TMPDIR")) };
    TempDir::new_in(place).expect("a folder can be made")
}

/// Milliseconds that it takes.
fn timed(work: impl FnOnce()) -> f64 {
    let began = Instant::now();
    work();
    began.elapsed().as_secs_f64() * 1000.0
}

fn start_held(arena: &Arena, confinement: &Confinement) -> f64 {
    timed(|| {
        let program = arena.programs.iter().next().expect("there is one");
        let mut player =
            Player::start(&PathBuf::from(support::ARBITRO), None, program, confinement).expect("it starts");
        rustix::io::write(player.stdin.as_ref().expect("it was not taken"), HELLO).expect("the pipe has room");
        let stdout = player.stdout.take().expect("it was not taken");
        let mut line = [0; 64];
        while rustix::io::read(&stdout, &mut line) == Err(rustix::io::Errno::AGAIN) {
            let _ = poll(&mut [PollFd::new(&stdout.as_fd(), PollFlags::IN)], None);
        }
        let reports = player.wait_empty(Instant::now() + Duration::from_secs(10));
        assert!(matches!(reports.last(), Some(Report::Empty { leftovers: 0 })), "the bot ends: {reports:?}");
    })
}

fn start_bare(bare: &Path, bot: &Path) -> Child {
    let mut command = Command::new(bare);
    command.arg("hold").arg(bot).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the bare chain starts");
    child.stdin.as_mut().expect("it is piped").write_all(HELLO).expect("the pipe has room");
    child
}

fn end_bare(chains: Vec<Child>) {
    for mut child in chains {
        let read = child.stdout.as_mut().expect("it is piped").read(&mut [0; 64]).expect("the bot writes");
        assert!(read > 0, "the bot says something");
        drop(child.stdin.take());
        child.wait().expect("the chain ends");
    }
}
