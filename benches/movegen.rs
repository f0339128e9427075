//! How fast legal moves are found, each beside its reference in the same run.
//!
//! `cargo bench --bench movegen` measures everything; `cargo bench --bench movegen -- lists text` only those parts. With
//! `full` the textbook's move generator counts the whole of perft 4 too, which takes minutes, and not a sample of it.

#[path = "plain/alto_ahi.rs"]
mod plain;

use std::hint::black_box;
use std::time::Duration;

use arbitro::chance::{Draws, Purpose, Seed, Streams};
use arbitro::game::{Game, Notation, Step, Token, perft};
use arbitro::games::alto_ahi::{AltoAhi, Move, Options};
use arbitro::table::{GameName, Table};
use rustix::time::{ClockId, clock_gettime};

const POSITIONS: usize = 150;
const ROUNDS: usize = 9;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    // `cargo test` runs this program too, to see that it starts.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return;
    }
    let named = |name: &str| arguments.iter().any(|argument| argument == name);
    let all = !["lists", "perft", "playouts", "text"].into_iter().any(named);
    let lines = middle_games();
    println!("Alto Ahí, 9x9, two seats, 10 barriers each; CPU time, medians of {ROUNDS} rounds");
    if all || named("lists") {
        legal_lists(&lines);
    }
    if all || named("perft") {
        perft_from_the_start(named("full"));
    }
    if all || named("playouts") {
        playouts();
    }
    if all || named("text") {
        text_face(&lines);
    }
}

/// Games of 12 to 41 random plies, of which about half place barriers, none of them over.
fn middle_games() -> Vec<Vec<Move>> {
    let mut choice = draws("middle games");
    let mut lines = Vec::new();
    while lines.len() < POSITIONS {
        let plies = 12 + lines.len() % 30;
        let (mut game, mut line, mut moves) = (start(), Vec::new(), Vec::new());
        while line.len() < plies && game.end().is_none() {
            moves.clear();
            game.legal_moves(&mut moves);
            let pawn_moves = moves.iter().filter(|mv| matches!(mv, Move::To(_))).count() as u32;
            let barriers = moves.len() as u32 - pawn_moves;
            let index = if pawn_moves > 0 && (barriers == 0 || choice.below(2) == 0) {
                choice.below(pawn_moves)
            } else {
                pawn_moves + choice.below(barriers)
            };
            line.push(moves[index as usize]);
            game.apply(Step::Move(moves[index as usize]));
        }
        if game.end().is_none() {
            lines.push(line);
        }
    }
    lines
}

fn start() -> AltoAhi {
    AltoAhi::new(&Options::default(), 2).expect("the default options are possible")
}

fn plain_start() -> plain::Board {
    plain::Board::new(9, 2, 10, true, false)
}

fn draws(text: &str) -> Draws {
    Streams::new(Seed::from_text(text)).of(Purpose::Opening).clone()
}

/// The same moves played with the textbook's rules.
fn plain_after(line: &[Move]) -> plain::Board {
    let mut board = plain_start();
    for mv in line {
        let mut moves = Vec::new();
        board.legal_moves(&mut moves);
        let token = mv.token();
        board.play(*moves.iter().find(|mv| mv.to_string() == *token).expect("both know the same moves"));
    }
    board
}

fn after(line: &[Move]) -> AltoAhi {
    let mut game = start();
    line.iter().for_each(|&mv| game.apply(Step::Move(mv)));
    game
}

fn legal_lists(lines: &[Vec<Move>]) {
    let games: Vec<AltoAhi> = lines.iter().map(|line| after(line)).collect();
    let mut boards: Vec<plain::Board> = lines.iter().map(|line| plain_after(line)).collect();
    let (mut moves, mut plain_moves) = (Vec::new(), Vec::new());
    let mut listed = 0;
    for (game, board) in games.iter().zip(&mut boards) {
        moves.clear();
        plain_moves.clear();
        game.legal_moves(&mut moves);
        board.legal_moves(&mut plain_moves);
        assert!(moves.iter().map(|mv| mv.token().to_string()).eq(plain_moves.iter().map(plain::Move::to_string)));
        listed += moves.len();
    }
    let [mut own, mut reference] = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        own.push(per_item(200, &games, |game| {
            moves.clear();
            black_box(game).legal_moves(&mut moves);
            black_box(moves.len());
        }));
        reference.push(per_item_mut(1, &mut boards, |board| {
            plain_moves.clear();
            black_box(board).legal_moves(&mut plain_moves);
            black_box(plain_moves.len());
        }));
    }
    println!("{POSITIONS} middle-game positions, {} moves on average", listed / POSITIONS);
    compare("legal list", median(own), median(reference), 10);
}

fn perft_from_the_start(full: bool) {
    let game = start();
    let [mut own, mut reference] = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS.div_ceil(3) {
        own.push(timed(|| assert_eq!(perft(&game, 3), Ok(2_062_264))));
        reference.push(timed(|| assert_eq!(plain_start().perft(3), 2_062_264)));
    }
    compare("perft 3", median(own), median(reference), 20);

    // The textbook takes minutes for all of perft 4, so both count behind every sixteenth first move.
    let (mut moves, mut plain_moves) = (Vec::new(), Vec::new());
    game.legal_moves(&mut moves);
    plain_start().legal_moves(&mut plain_moves);
    let every = if full { 1 } else { 16 };
    let [mut own, mut reference] = [Vec::new(), Vec::new()];
    for (&mv, &plain_move) in moves.iter().zip(&plain_moves).step_by(every) {
        let [mut count, mut plain_count] = [0, 0];
        own.push(timed(|| {
            let mut next = game.clone();
            next.apply(Step::Move(mv));
            count = perft(&next, 3).expect("no chance");
        }));
        reference.push(timed(|| {
            let mut next = plain_start();
            next.play(plain_move);
            plain_count = next.perft(3);
        }));
        assert_eq!(count, plain_count, "behind {}", mv.token());
    }
    let name = format!("perft 4 behind {} of {} first moves", own.len(), moves.len());
    compare(&name, own.into_iter().sum(), reference.into_iter().sum(), 20);

    let whole = (0..ROUNDS).map(|_| timed(|| assert_eq!(perft(&game, 4), Ok(247_569_030)))).collect();
    let whole = median(whole);
    println!(
        "perft 4 = 247569030 in {:.3} s ({:.0} M leaves/s); to reach: under 1.5 s",
        whole.as_secs_f64(),
        247.569_030 / whole.as_secs_f64()
    );
}

fn playouts() {
    let mut choice = draws("playouts");
    let mut moves = Vec::new();
    let mut rates = Vec::new();
    let mut plies = 0;
    for _ in 0..ROUNDS {
        rates.push(timed(|| {
            for _ in 0..500 {
                let mut game = start();
                while game.end().is_none() {
                    moves.clear();
                    game.legal_moves(&mut moves);
                    game.apply(Step::Move(moves[choice.below(moves.len() as u32) as usize]));
                }
                plies += game.ply();
            }
        }));
    }
    let seconds = median(rates).as_secs_f64();
    let length = f64::from(plies) / (500 * ROUNDS) as f64;
    println!(
        "random playouts: {:.0} games/s, {:.0} plies/s, {length:.0} plies a game",
        500.0 / seconds,
        500.0 * length / seconds
    );
}

/// The cost of speaking text, as the referee does at every ply.
fn text_face(lines: &[Vec<Move>]) {
    let opened = GameName::AltoAhi.open("{}", 2).expect("the default options are possible");
    let tokens: Vec<Vec<Token>> = lines.iter().map(|line| line.iter().map(|mv| mv.token()).collect()).collect();
    let plies: usize = tokens.iter().map(Vec::len).sum();
    let mut tables: Vec<Box<dyn Table>> = Vec::new();
    for line in &tokens {
        let mut table = opened.copy();
        for token in line {
            table.play(token).expect("a legal move");
        }
        tables.push(table);
    }
    let mut out = Vec::new();
    let [mut legal, mut state, mut hash, mut play, mut check] = [const { Vec::new() }; 5];
    for _ in 0..ROUNDS {
        legal.push(per_item_mut(200, &mut tables, |table| {
            out.clear();
            table.legal_json(&mut out);
            black_box(&out);
        }));
        state.push(per_item_mut(200, &mut tables, |table| {
            out.clear();
            table.state_json(&mut out);
            black_box(&out);
        }));
        hash.push(per_item_mut(200, &mut tables, |table| {
            black_box(table.hash());
        }));
        let mut played = Duration::ZERO;
        let mut checked = Duration::ZERO;
        for _ in 0..50 {
            let mut starts: Vec<Box<dyn Table>> = tokens.iter().map(|_| opened.copy()).collect();
            played += timed(|| {
                for (table, line) in starts.iter_mut().zip(&tokens) {
                    for token in line {
                        black_box(table.play(token).expect("a legal move"));
                    }
                }
            });
            checked += timed(|| {
                for (table, line) in tables.iter().zip(&tokens) {
                    for token in line {
                        let _ = black_box(table.check(token));
                    }
                }
            });
        }
        play.push(played / (50 * plies as u32));
        check.push(checked / (50 * plies as u32));
    }
    for (name, times, goal) in [
        ("Table::legal_json", legal, Some(1000)),
        ("Table::state_json", state, Some(500)),
        ("Table::play", play, Some(150)),
        ("Table::check of a move that is mostly refused", check, None),
        ("Table::hash", hash, None),
    ] {
        let goal = goal.map_or(String::new(), |goal| format!("; to reach: under {goal} ns"));
        println!("{name}: {} ns{goal}", median(times).as_nanos());
    }
}

/// The time that this thread spent on it: other programs on the machine take turns, and their turns are not counted.
fn timed(run: impl FnOnce()) -> Duration {
    let now = || Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("a time after the start");
    let started = now();
    run();
    now() - started
}

/// The mean time that `run` takes for one of the items, gone through `times` times.
fn per_item<T>(times: u32, items: &[T], mut run: impl FnMut(&T)) -> Duration {
    timed(|| (0..times).for_each(|_| items.iter().for_each(&mut run))) / (times * items.len() as u32)
}

fn per_item_mut<T>(times: u32, items: &mut [T], mut run: impl FnMut(&mut T)) -> Duration {
    let count = items.len() as u32;
    timed(|| (0..times).for_each(|_| items.iter_mut().for_each(&mut run))) / (times * count)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn compare(name: &str, own: Duration, reference: Duration, goal: u32) {
    let ratio = reference.as_secs_f64() / own.as_secs_f64();
    println!("{name}: {own:.1?}, textbook {reference:.1?}: {ratio:.0} times as fast; to reach: {goal}");
}
