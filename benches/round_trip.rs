//! What a ply costs: everything that the referee does, against a bare ping-pong of the same bytes with the same bots.
//!
//! `cargo bench --bench round_trip`, or one part of it alone with `-- core`, `-- cores` or `-- games`. All figures are medians of interleaved rounds.

#[path = "support/ping_pong.rs"]
mod ping_pong;
mod support;

use std::cell::RefCell;
use std::path::Path;
use std::time::Instant;

use arbitro::host::play::{Ponder, play};
use arbitro::record::writer::Writer;
use arbitro::referee::{Referee, Setup};
use arbitro::table::GameName;

use ping_pong::{Bare, Script};
use support::{arena, bench_bot, median, minute, nobody, pin, setup, verdict};

const ROUNDS: usize = 15;
const GAMES: usize = 12;
/// The first plies of a game are not counted: the processes that started it are still busy with that.
const WARM_UP: u64 = 10;

fn main() {
    if !support::is_bench() {
        return;
    }
    let bot = bench_bot();
    let asked = |part: &str| std::env::args().len() == 2 || std::env::args().any(|argument| argument == part);
    if asked("core") {
        one_game_on_one_core(&bot);
    }
    if asked("cores") {
        two_games_on_two_cores(&bot);
    }
    if asked("games") {
        every_game(&bot);
    }
}

/// What the bots play.
#[derive(Clone, Copy)]
struct Play {
    game: GameName,
    options: &'static str,
}

const ALTO_AHI: Play = Play { game: GameName::AltoAhi, options: "{}" };

impl Play {
    fn setup(self, number: usize) -> Setup {
        setup(self.game, &format!("game {number}"), self.options, minute())
    }
}

/// Nanoseconds a ply.
struct Cost {
    wall: f64,
    cpu: f64,
}

fn one_game_on_one_core(bot: &Path) {
    pin(0);
    let scripts: Vec<Script> = (0..GAMES).map(|number| ping_pong::script(bot, ALTO_AHI.setup(number))).collect();
    let plies: usize = scripts.iter().map(|script| script.messages.len()).sum();
    let bytes: usize = scripts.iter().flat_map(|script| &script.messages).map(|(_, bytes)| bytes.len()).sum();
    println!("one game on one core: {GAMES} games, {plies} plies, {} bytes a turn, {ROUNDS} rounds", bytes / plies);
    let (mut bare, mut allow, mut stop, mut cpu) = (vec![], vec![], vec![], vec![]);
    for _ in 0..ROUNDS {
        bare.push(bare_round(bot, &scripts));
        let cost = round(bot, ALTO_AHI, Ponder::Allow);
        allow.push(cost.wall);
        cpu.push(cost.cpu);
        stop.push(round(bot, ALTO_AHI, Ponder::Stop).wall);
    }
    let ratios = |figures: &[f64]| median(figures.iter().zip(&bare).map(|(figure, bare)| figure / bare).collect());
    let (with_allow, with_stop) = (ratios(&allow), ratios(&stop));
    let us = |figures: Vec<f64>| format!("{:.2} µs", median(figures) / 1000.0);
    println!("{:44} {:>28}", "bare poll ping-pong", us(bare.clone()));
    verdict("round trip, --ponder allow", format!("{}, {with_allow:.2} x bare", us(allow)), "2.2 x", with_allow <= 2.2);
    println!("{:44} {:>28}", "round trip, --ponder stop", format!("{}, {with_stop:.2} x bare", us(stop)));
    let cpu = median(cpu) / 1000.0;
    verdict("referee CPU a ply", format!("{cpu:.2} µs"), "7 µs", cpu < 7.0);
}

fn two_games_on_two_cores(bot: &Path) {
    let scripts: Vec<Script> = (0..GAMES).map(|number| ping_pong::script(bot, ALTO_AHI.setup(number))).collect();
    let (mut ours, mut bare) = (vec![], vec![]);
    for _ in 0..ROUNDS {
        bare.push(at_once(|core| {
            pin(core);
            bare_round(bot, &scripts)
        }));
        ours.push(at_once(|core| {
            pin(core);
            round(bot, ALTO_AHI, Ponder::Allow).wall
        }));
    }
    let ratio = median(bare.iter().zip(&ours).map(|(bare, ours)| ours / bare).collect());
    println!("two games on two cores: bare {:.0} plies/s, ours {:.0}", median(bare), median(ours));
    verdict("plies/s, two games on two cores", format!("{:.0} % of bare", ratio * 100.0), "55 %", ratio >= 0.55);
}

/// The round trip in each game, and with the cards of Alto Ahí.
fn every_game(bot: &Path) {
    pin(0);
    let cards = Play { game: GameName::AltoAhi, options: r#"{"cards":true}"# };
    let plain = GameName::ALL.iter().map(|&game| Play { game, options: "{}" });
    for what in plain.chain([cards]) {
        let scripts: Vec<Script> = (0..GAMES).map(|number| ping_pong::script(bot, what.setup(number))).collect();
        let ratios =
            (0..ROUNDS).map(|_| bare_round(bot, &scripts)).map(|bare| round(bot, what, Ponder::Allow).wall / bare);
        let ratio = median(ratios.collect());
        verdict(
            &format!("round trip, {} {}", what.game, what.options),
            format!("{ratio:.2} x bare"),
            "2.4 x",
            ratio <= 2.4,
        );
    }
}

/// Plies/s of two threads together, each of which gives ns a ply.
fn at_once(round: impl Fn(usize) -> f64 + Sync) -> f64 {
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2)
            .map(|core| {
                scope.spawn({
                    let round = &round;
                    move || round(core)
                })
            })
            .collect();
        threads.into_iter().map(|thread| 1e9 / thread.join().expect("a round ends")).sum()
    })
}

/// Plays the games with the host, timed from the first question to the end of each.
fn round(bot: &Path, what: Play, ponder: Ponder) -> Cost {
    let arena = arena(&[bot.to_str().expect("the path is text")], 2, ponder);
    let (mut wall, mut cpu, mut plies) = (0.0, 0.0, 0.0);
    for number in 0..GAMES {
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("round_trip_{:?}.jsonl", std::thread::current().id()));
        let mut log = Writer::new(std::io::BufWriter::new(std::fs::File::create(path).expect("a file can be made")));
        let marks = RefCell::new([None, None]);
        let mut watch = |referee: &Referee| {
            let place = if referee.outcome().is_some() { 1 } else { 0 };
            let mark = &mut marks.borrow_mut()[place];
            if mark.is_none() && (place == 1 || referee.plies() == WARM_UP) {
                *mark = Some((Instant::now(), thread_cpu()));
            }
        };
        let finished = play(&arena, what.setup(number), &mut nobody(), &mut log, None, &mut watch);
        let end = finished.expect("the game is played").end;
        log.end(&end).expect("the log is written");
        assert!(end.plies > WARM_UP, "the bots play");
        let [Some((from, cpu_from)), Some((to, cpu_to))] = *marks.borrow() else { panic!("a game begins and ends") };
        wall += (to - from).as_nanos() as f64;
        cpu += (cpu_to - cpu_from) as f64;
        plies += (end.plies - WARM_UP) as f64;
    }
    Cost { wall: wall / plies, cpu: cpu / plies }
}

/// Nanoseconds that this thread ran on a processor.
fn thread_cpu() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("the system counts time");
    text.split(' ').next().and_then(|first| first.parse().ok()).expect("its first field is a number")
}

fn bare_round(bot: &Path, scripts: &[Script]) -> f64 {
    let (mut nanos, mut plies) = (0.0, 0.0);
    let mut answer = vec![0; 4096];
    for script in scripts {
        let mut bots = Bare::new(bot);
        let (warm_up, counted) = script.messages.split_at(WARM_UP as usize);
        for (seat, bytes) in warm_up {
            bots.ask(*seat, bytes, &mut answer);
        }
        let began = Instant::now();
        for (seat, bytes) in counted {
            bots.ask(*seat, bytes, &mut answer);
        }
        nanos += began.elapsed().as_nanos() as f64;
        plies += counted.len() as f64;
    }
    nanos / plies
}
