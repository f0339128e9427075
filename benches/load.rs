//! Time under load: how late a timeout is found, and how many games at once keep their clocks.
//!
//! `cargo bench --bench load`.

mod support;

use std::path::Path;

use arbitro::clock::{Span, TimeControl};
use arbitro::host::play::{Finished, Ponder, play};
use arbitro::record::outcome::{GameResult, Reason};
use arbitro::record::writer::Writer;
use arbitro::referee::Referee;
use arbitro::table::GameName;
use serde_json::Value;

use support::{arena, bench_bot, nobody, pin, quantile, setup, verdict};

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
fn game(
    command: &[&str],
    name: &str,
    options: &str,
    clock: TimeControl,
    ponder: Ponder,
    watch: &mut dyn FnMut(&Referee),
) -> (Finished, Vec<Value>) {
    let mut bytes = Vec::new();
    let mut log = Writer::new(&mut bytes);
    let setup = setup(GameName::AltoAhi, name, options, clock);
    let finished =
        play(&arena(command, 2, ponder), setup, &mut nobody(), &mut log, None, watch).expect("the game is played");
    drop(log);
    let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    (finished, lines.map(|line| serde_json::from_slice(line).expect("a log is JSON")).collect())
}

/// A bot that sleeps through its limit: how late the timer of its deadline fires, and how late its verdict is, for which
/// the referee waits as long again as it was late itself.
fn timeouts(bot: &Path) {
    pin(0);
    let command = [bot.to_str().expect("the path is text"), "10000"];
    let (mut fired, mut judged) = (Vec::new(), Vec::new());
    for number in 0..TIMEOUTS {
        let mut deadlines: Vec<u64> = Vec::new();
        let mut watch = |referee: &Referee| {
            if let (1, Some(deadline)) = (referee.turn(), referee.deadline())
                && deadlines.last() != Some(&deadline.0)
            {
                deadlines.push(deadline.0);
            }
        };
        let (_, log) = game(&command, &format!("timeout {number}"), "{}", limit(10), Ponder::Allow, &mut watch);
        // The second deadline is as far behind the moment at which the first fired as that was behind the first.
        fired.push((deadlines[1] - deadlines[0]) as f64 / 2e6);
        let fault = &log.iter().find_map(|line| line.get("fault")).expect("the bot is late")["host"];
        let took = fault["at"].as_u64().expect("a moment") - fault["sent"].as_u64().expect("a moment");
        judged.push((took - 10_000_000) as f64 / 1e6);
    }
    let p99 = quantile(&mut fired, 0.99);
    println!("{TIMEOUTS} timeouts, fired late: p50 {:.3} ms, p99 {p99:.3} ms", quantile(&mut fired, 0.5));
    println!("judged late: p50 {:.3} ms, p99 {:.3} ms", quantile(&mut judged, 0.5), quantile(&mut judged, 0.99));
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
                    game(
                        &[path, "20"],
                        &format!("load {number}"),
                        r#"{"max_plies":40}"#,
                        limit(100),
                        Ponder::Stop,
                        &mut |_| {},
                    )
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
