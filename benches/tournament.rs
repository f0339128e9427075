//! What a tournament costs beside its games: a plan of a million games, made and written; the same tournament taken up
//! again with all but a few of them played; games of 100 ms and more against a bare loop of the same games; and short
//! games by the hundred thousand, in memory that stays as it is.
//!
//! `cargo bench --bench tournament`. Each part runs in a process of its own, so that its memory is its own.

mod support;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::os::fd::AsFd;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use arbitro::chance::{Hex32, Seed};
use arbitro::clock::TimeControl;
use arbitro::host::play::{Arena, Ponder};
use arbitro::host::{self, Confinement, Program, cores};
use arbitro::protocol::limits::Limits;
use arbitro::record::entry::BotHost;
use arbitro::record::writer::Writer;
use arbitro::seat::BySeat;
use arbitro::table::GameName;
use arbitro::tournament::Entrant;
use arbitro::tournament::folder::{self, Opened};

use arbitro::tournament::pairing::{Meeting, Orders, Round};
use arbitro::tournament::plan::{FORMAT, Header, Plan, PlannedBot, PlannedGame};
use arbitro::tournament::played::Played;
use arbitro::tournament::run::{AsPlanned, Bot, Means, Places, Progress, run};
use serde_json::json;

use support::{bench_bot, median, verdict};

const BOTS: u16 = 101;
const MEETINGS: u32 = BOTS as u32 * (BOTS as u32 - 1) / 2;
const SETS: u32 = 100;
const SEED: Seed = Hex32([1; 32]);

/// What is compared with a bare loop: rounds of so many sets of two games, each of 40 plies of 3 ms.
const ROUNDS: usize = 7;
const LOOP_SETS: u32 = 10;
const OPTIONS: &str = r#"{"max_plies":40}"#;

/// Short games of bots that answer at once: how many sets of two, of which so many are played by the same processes.
const SHORT_SETS: u32 = 50_000;
const SHORT_REUSE: u32 = 500;
const SHORT_OPTIONS: &str = r#"{"size":3,"walls":0,"max_plies":6}"#;

fn main() {
    if !support::is_bench() {
        return;
    }
    let asked = std::env::args().skip_while(|word| word != "part").nth(1);
    let folder = std::env::args().next_back().expect("there is one");
    match asked.as_deref() {
        None => all(),
        Some("begin") => begin(Path::new(&folder)),
        Some("play") => play(Path::new(&folder)),
        Some("resume") => resume(Path::new(&folder)),
        Some("overhead") => overhead(Path::new(&folder)),
        Some("flat") => flat(Path::new(&folder)),
        Some(part) => panic!("there is no part {part}"),
    }
}

fn all() {
    let place = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder can be made");
    println!("{} games of {BOTS} bots", 2 * MEETINGS * SETS);
    for part in ["begin", "play", "resume", "overhead", "flat"] {
        let this = std::env::current_exe().expect("it has a path");
        let status = Command::new(this)
            .args(["--bench", "part", part])
            .arg(place.path().join(if ["overhead", "flat"].contains(&part) { part } else { "cup" }))
            .status();
        assert!(status.expect("it starts").success(), "{part} works");
    }
}

/// Makes the plan and writes it.
fn begin(path: &Path) {
    let began = Instant::now();
    let opened = open(path);
    assert!(!opened.resumed && opened.plan.games() == 2 * u64::from(MEETINGS * SETS));
    told("plan of a million games, made and written", began);
}

/// Puts all games but the last set into the journal, as if they were played.
fn play(path: &Path) {
    let mut opened = open(path);
    let plan = &opened.plan;
    let sets: Vec<usize> = (0..plan.sets().len() - 1).collect();
    for group in sets.chunks(1000) {
        let games: Vec<Played> = group.iter().flat_map(|&set| plan.games_of(set)).map(|game| played(&game)).collect();
        opened.journal.commit(&games).expect("the journal takes them");
    }
}

/// Takes it up again, and reads it as `arbitro standings` does.
fn resume(path: &Path) {
    let began = Instant::now();
    let opened = open(path);
    assert!(opened.resumed && opened.ledger.sets() == opened.plan.sets().len() - 1);
    told("the same, taken up again", began);
}

/// Games whose bots sleep, in one process: one after another, and as a tournament of one worker, in turn.
fn overhead(path: &Path) {
    let bot = bench_bot();
    let command = [bot.to_str().expect("the path is text"), "3"];
    let arena = support::arena(&command, 2, Ponder::Stop);
    std::fs::create_dir_all(path).expect("a folder can be made");
    let ratios = (0..ROUNDS).map(|round| {
        let bare = timed(|| bare_loop(&arena, path, round));
        timed(|| tournament(&arena, &path.join(format!("cup {round}")))) / bare
    });
    let more = (median(ratios.collect()) - 1.0) * 100.0;
    verdict("games of 120 ms, beside a bare loop", format!("{more:.1} % more"), "2 %", more < 2.0);
}

fn bare_loop(arena: &Arena, path: &Path, round: usize) {
    support::pin(0);
    let mut kept = support::nobody();
    for number in 0..2 * LOOP_SETS {
        let log = File::create(path.join(format!("{round} {number}.jsonl"))).expect("a file can be made");
        let mut log = Writer::new(BufWriter::new(log));
        let setup = support::setup(GameName::AltoAhi, &format!("game {number}"), OPTIONS, TimeControl::default());
        let finished = host::play::play(arena, setup, &mut kept, &mut log, None, &mut |_| {}).expect("it is played");
        assert_eq!(finished.end.plies, 40);
        log.end(&finished.end).expect("the log is written");
    }
}

fn tournament(arena: &Arena, path: &Path) {
    let header = Header { options: serde_json::from_str(OPTIONS).expect("JSON"), ..header(2) };
    let core = cores::allowed().expect("the system says which")[0];
    let games = match_of(header, LOOP_SETS, arena, path, Places(vec![vec![core]]), &mut |_| {});
    assert_eq!(games, u64::from(2 * LOOP_SETS));
}

/// Short games on all processors: the rate, and the memory after a tenth of them and at the end.
fn flat(path: &Path) {
    let bot = bench_bot();
    let arena = support::arena(&[bot.to_str().expect("the path is text"), "0"], 2, Ponder::Stop);
    let options = serde_json::from_str(SHORT_OPTIONS).expect("JSON");
    let header = Header { options, reuse: SHORT_REUSE, ..header(2) };
    let places = cores::allowed().expect("the system says which").into_iter().map(|core| vec![core]);
    let (began, mut counted, mut early) = (Instant::now(), 0, None);
    let games = match_of(header, SHORT_SETS, &arena, path, Places(places.collect()), &mut |progress| {
        if let Progress::Counted { games } = progress {
            counted += games.len() as u32;
            if counted > SHORT_SETS / 5 {
                early.get_or_insert_with(|| memory("VmRSS:"));
            }
        }
    });
    let (seconds, early, late) = (began.elapsed().as_secs_f64(), early.expect("a tenth is played"), memory("VmRSS:"));
    println!("{games} short games in {seconds:.0} s, {:.0} a second", games as f64 / seconds);
    let grown = late.saturating_sub(early);
    verdict("memory from a tenth of them to the end", format!("{early} + {grown} KiB"), "+ 4 MiB", grown < 4096);
}

/// Plays a match of so many sets of two bots; how many games count.
fn match_of(
    header: Header,
    sets: u32,
    arena: &Arena,
    path: &Path,
    places: Places,
    tell: &mut dyn FnMut(Progress),
) -> u64 {
    let meeting = Meeting { seats: BySeat::collect([Entrant(0), Entrant(1)]) };
    let round = Round { meetings: vec![meeting], sets, byes: Vec::new() };
    let plan = Plan::new(header, [round]);
    let opened = folder::open(path, plan, SEED, false, &mut |_, _| {}).expect("the folder can be used");
    let bot = |(program, confinement): (&Program, &Confinement)| Bot {
        program: program.clone(),
        confinement: confinement.clone(),
        host: BotHost { command: Vec::new(), files: BTreeMap::new() },
    };
    let means = Means {
        referee_exe: support::ARBITRO.into(),
        bots: arena.programs.iter().zip(arena.confinements.iter()).map(bot).collect(),
        seed: SEED,
        groups: None,
        sandbox: "off".to_owned(),
        freezes_all: false,
        places,
    };
    let (stop, _never) = rustix::pipe::pipe().expect("there are descriptors");
    run(opened, &means, &mut AsPlanned, stop.as_fd(), tell).expect("it is played").counted
}

fn timed(work: impl FnOnce()) -> f64 {
    let began = Instant::now();
    work();
    began.elapsed().as_secs_f64()
}

fn told(what: &str, began: Instant) {
    let (seconds, mib) = (began.elapsed().as_secs_f64(), memory("VmHWM:") / 1024);
    verdict(what, format!("{seconds:.2} s, {mib} MiB"), "10 s, 500 MB", seconds < 10.0 && mib < 476);
}

fn open(path: &Path) -> Opened {
    let field: Vec<u16> = (0..BOTS).collect();
    let pairs = field.iter().flat_map(|&one| (0..one).map(move |other| [one, other]));
    let meetings = pairs.map(|seats| Meeting { seats: BySeat::collect(seats.map(Entrant)) }).collect();
    let round = Round { meetings, sets: SETS, byes: Vec::new() };
    let plan = Plan::new(header(BOTS), [round]);
    folder::open(path, plan, SEED, false, &mut |_, _| {}).expect("the folder can be used")
}

fn header(bots: u16) -> Header {
    let bot = |index: u16| PlannedBot {
        name: format!("bot {index}"),
        command: vec!["random".to_owned()],
        files: BTreeMap::new(),
        settings: None,
    };
    Header {
        format: FORMAT,
        referee: env!("CARGO_PKG_VERSION").to_owned(),
        name: "Bench".to_owned(),
        game: GameName::AltoAhi,
        rules: GameName::AltoAhi.rules_version(),
        options: json!({}),
        seats: 2,
        orders: Orders::Turns,
        pairing: json!({"kind": "round-robin"}),
        clock: TimeControl::default(),
        limits: Limits::default(),
        disqualify_after: 0,
        reuse: 0,
        ponder: Ponder::Stop,
        bots: (0..bots).map(bot).collect(),
        drawn: None,
        openings: Vec::new(),
        master: SEED.master_commitment(),
    }
}

fn played(game: &PlannedGame) -> Played {
    let first = if game.number.is_multiple_of(3) { [2, 1] } else { [1, 2] };
    let text = json!({
        "game": game.number, "round": 1, "set": game.set, "seats": game.seats, "result": "decided", "ranks": first,
        "reason": "goal", "plies": 71, "course": format!("{:016x}", game.number),
        "game_sha256": Hex32::from_text(&game.id()), "sha256": Hex32::from_text(&game.id()),
        "host": {"thought_us": [1_234_567, 2_345_678], "took_us": 4_000_000},
    });
    serde_json::from_value(text).expect("this is a finished game")
}

/// The memory of this process as the system counts it under this name, in KiB.
fn memory(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("the system counts memory");
    let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("it has a line for it");
    line.trim().trim_end_matches("kB").trim().parse().expect("it is a number")
}
