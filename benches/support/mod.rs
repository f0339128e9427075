//! What the benches share: the bot that they compile, games to play with it, and medians.

#![allow(dead_code, reason = "no bench uses all of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use arbitro::chance::Hex32;
use arbitro::clock::{Span, TimeControl};
use arbitro::host::cores;
use arbitro::host::play::{Arena, Kept, Ponder};
use arbitro::host::{Confinement, Program};
use arbitro::protocol::limits::Limits;
use arbitro::record::entry::HeaderHost;
use arbitro::referee::Setup;
use arbitro::seat::BySeat;
use arbitro::table::GameName;

/// The executable that starts keepers.
pub const ARBITRO: &str = env!("CARGO_BIN_EXE_arbitro");

/// Whether this run is to measure; `cargo test` starts benches only to see that they start.
pub fn is_bench() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

/// Compiles the bench bot, static, and gives its path.
pub fn bench_bot() -> PathBuf {
    build("benches/support/bench_bot.rs", "bench_bot", &["-C", "target-feature=+crt-static", "-C", "panic=abort"])
}

/// Compiles a program of one file, given from the top of the package, and gives its path.
pub fn build(source: &str, name: &str, flags: &[&str]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    command.args(["--edition", "2024", "-O"]).args(flags).arg("-o").arg(&path);
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(source));
    assert!(command.status().expect("rustc runs").success(), "{name} compiles");
    path
}

/// Bots started from this command.
pub fn arena(command: &[&str], seats: usize, ponder: Ponder) -> Arena {
    let argv: Vec<_> = command.iter().map(Into::into).collect();
    let program = Program::find(&argv, Path::new("/"), &[]).expect("the bot can be started");
    Arena {
        referee_exe: ARBITRO.into(),
        programs: BySeat::from_fn(seats, |_| program.clone()),
        confinements: BySeat::from_fn(2, |_| Confinement::default()),
        ponder,
        keep: false,
        groups: None,
    }
}

/// Two seats whose processes are new.
pub fn nobody() -> BySeat<Kept> {
    BySeat::from_fn(2, |_| Kept::default())
}

/// A game for two with these options.
pub fn setup(game: GameName, name: &str, options: &str, clock: TimeControl) -> Setup {
    let master = Hex32::from_text("bench");
    Setup {
        game,
        options: options.to_owned(),
        players: BySeat::from_fn(2, |seat| format!("bot {seat}")),
        game_id: name.to_owned(),
        luck_id: name.to_owned(),
        game_seed: master.of_game(name),
        bot_seeds: BySeat::from_fn(2, |seat| master.of_bot(name, seat)),
        guessable_seed: true,
        clock,
        limits: Limits::default(),
        opening: Vec::new(),
        host: HeaderHost::default(),
    }
}

/// A minute each and no more: no clock decides a bench.
pub fn minute() -> TimeControl {
    TimeControl { bank: Some(Span::from_secs(60)), ..TimeControl::default() }
}

/// A bot as bare as it can be started: its pipes, and nothing in between.
pub fn bare_bot(path: &Path) -> std::process::Child {
    Command::new(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the bot starts")
}

/// Keeps this thread and what it starts on one core, the `index`-th of those that the bench was started on.
pub fn pin(index: usize) {
    static ALLOWED: OnceLock<Vec<usize>> = OnceLock::new();
    let allowed = ALLOWED.get_or_init(|| cores::allowed().expect("the system says which cores there are"));
    cores::pin(&[allowed[index % allowed.len()]]).expect("an allowed core can be used");
    cores::wake_exactly().expect("the timer slack can be set");
}

/// The median of some figures.
pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// The value below which this part of the figures lies.
pub fn quantile(figures: &mut [f64], part: f64) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[((figures.len() - 1) as f64 * part).round() as usize]
}

/// One line of a bench: what was measured, what is to be reached, and whether it is.
pub fn verdict(what: &str, value: String, to_reach: &str, reached: bool) {
    println!("{what:44} {value:>28}   to reach {to_reach:18} {}", if reached { "ok" } else { "MISSED" });
}
