//! Time under load: how late a timeout is found, and how many games at once keep their clocks.
//!
//! `cargo bench --bench load`.

mod support;

use std::path::Path;

use arbitro::clock::{Span, TimeControl};
use arbitro::host::play::{Finished, Ponder, play};
use arbitro::record::outcome::{GameResult, Reason};
use arbitro::record::writer::Writer;
use arbitro::table::GameName;
use serde_json::Value;

use support::{arena, bench_bot, pin, quantile, setup, verdict};

const TIMEOUTS: usize = 200;
const GAMES: usize = 200;

fn main() {
    if !support::is_bench() {
        return;
    }
    let bot = bench_bot();
    timeouts(&bot);
    many_games(&bot);
}

fn limit(ms: u64) -> TimeControl {
    TimeControl { bank: None, increment: Span::ZERO, move_limit: Some(Span::from_ms(ms)), ..TimeControl::default() }
}

/// Plays one game; its log and what came of it.
fn game(command: &[&str], name: &str, options: &str, clock: TimeControl, ponder: Ponder) -> (Finished, Vec<Value>) {
    let mut bytes = Vec::new();
    let mut log = Writer::new(&mut bytes);
    let finished =
        play(&arena(command, 2, ponder), setup(GameName::AltoAhi, name, options, clock), &mut log, None, &mut |_| {});
    let finished = finished.expect("the game is played");
    drop(log);
    let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    (finished, lines.map(|line| serde_json::from_slice(line).expect("a log is JSON")).collect())
}

/// A bot that sleeps through its limit: from the deadline to the verdict, which is twice the referee's own lateness.
fn timeouts(bot: &Path) {
    pin(0);
    let command = [bot.to_str().expect("the path is text"), "10000"];
    let mut late: Vec<f64> = (0..TIMEOUTS)
        .map(|number| {
            let (_, log) = game(&command, &format!("timeout {number}"), "{}", limit(10), Ponder::Allow);
            let fault = &log.iter().find_map(|line| line.get("fault")).expect("the bot is late")["host"];
            let took = fault["at"].as_u64().expect("a moment") - fault["sent"].as_u64().expect("a moment");
            (took - 10_000_000) as f64 / 1e6
        })
        .collect();
    let p99 = quantile(&mut late, 0.99);
    println!(
        "{TIMEOUTS} timeouts, ms late: p50 {:.3}, p99 {p99:.3}, most {:.3}",
        quantile(&mut late, 0.5),
        quantile(&mut late, 1.0)
    );
    verdict("a timeout fires late, p99", format!("{p99:.3} ms"), "0.3 ms", p99 <= 0.3);
}

/// Games at once whose bots sleep 20 ms a move with a limit of 100 ms: nobody may lose on time.
fn many_games(bot: &Path) {
    let path = bot.to_str().expect("the path is text");
    let played: Vec<(Finished, Vec<Value>)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..GAMES)
            .map(|number| {
                scope.spawn(move || {
                    pin(number);
                    game(&[path, "20"], &format!("load {number}"), r#"{"max_plies":40}"#, limit(100), Ponder::Stop)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("a game ends")).collect()
    });
    let lost = played.iter().filter(|(finished, _)| finished.end.outcome.reason == Reason::Faults).count();
    let void = played.iter().filter(|(finished, _)| finished.end.outcome.result == GameResult::Void).count();
    let moves = played.iter().flat_map(|(_, log)| log).filter_map(|line| line.get("move")?.get("host"));
    let mut late: Vec<f64> = moves
        .map(|host| {
            let took = host["got"].as_u64().expect("a moment") - host["sent"].as_u64().expect("a moment");
            (took - host["info"]["held"].as_u64().expect("what the bot says")) as f64 / 1e6
        })
        .collect();
    println!(
        "{GAMES} games at once, {} moves: stamps late by p50 {:.3} ms, p99 {:.3} ms",
        late.len(),
        quantile(&mut late, 0.5),
        quantile(&mut late, 0.99)
    );
    verdict("losses on time, 200 games at once", format!("{lost} lost, {void} void"), "0 lost", lost == 0);
}
