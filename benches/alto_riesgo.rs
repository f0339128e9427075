//! How fast Alto Riesgo is played and shown: medians of several runs, on one core.
//!
//! `cargo bench --bench alto_riesgo`. Random games are of uniformly random legal moves.

use std::hint::black_box;
use std::time::{Duration, Instant};

use arbitro::chance::{Hex32, Purpose, Streams};
use arbitro::game::{Game, Notation, Step, Turn};
use arbitro::games::alto_riesgo::{AltoRiesgo, Core, Move, Options, Phase, Roll, Rules, Throw};

const RUNS: usize = 9;

fn main() {
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    for seats in [2, 3, 4] {
        core_playouts(seats);
    }
    whole_playouts();
    replay();
    shown();
}

/// The median of several runs of `work`, each of which returns how many units it did: units a second.
fn rate(mut work: impl FnMut() -> u64) -> u64 {
    let mut rates: Vec<u64> = (0..RUNS)
        .map(|_| {
            let begin = Instant::now();
            let units = black_box(work());
            per_second(units, begin.elapsed())
        })
        .collect();
    rates.sort_unstable();
    rates[RUNS / 2]
}

fn per_second(units: u64, took: Duration) -> u64 {
    (u128::from(units) * 1_000_000_000 / took.as_nanos().max(1)) as u64
}

/// xorshift64*, quick enough not to hide what is measured.
struct Quick(u64);

impl Quick {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
    }

    fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.next()) * u64::from(bound)) >> 32) as u32
    }

    fn throw(&mut self, dice: u8) -> Throw {
        Throw::numbered(dice, self.below(6u32.pow(dice.into())))
    }
}

/// Random games of the core alone, the way a search plays them out.
fn core_playouts(seats: usize) {
    let rules = Rules::new(&Options::default(), seats).expect("the published game");
    let mut quick = Quick(0x9e37_79b9_7f4a_7c15);
    let (mut plies, mut games, mut turns) = (0u64, 0u64, 0u64);
    let speed = rate(|| {
        for _ in 0..20_000 {
            let mut core = Core::new(rules, seats);
            loop {
                match core.phase() {
                    Phase::Dice => core.throw(quick.throw(core.danger())),
                    Phase::Choice => {
                        core.play(random_move(&core, &mut quick));
                        plies += 1;
                    }
                    Phase::Over(_) => break,
                }
            }
            turns += u64::from(core.turns());
            games += 1;
        }
        20_000
    });
    println!(
        "core, {seats} seats: {speed} random games/s, of {} plies and {} turns on average",
        plies / games,
        turns / games
    );
}

fn random_move(core: &Core, quick: &mut Quick) -> Move {
    let mut nth = quick.below(core.count_legal());
    let mut chosen = Move::Stop;
    core.each_legal(|mv| {
        if nth == 0 {
            chosen = mv;
        }
        nth = nth.wrapping_sub(1);
    });
    chosen
}

/// Random games through the trait, with dice from the streams that games really use.
fn whole_playouts() {
    let mut streams = Streams::new(Hex32::from_text("bench"));
    let mut moves = Vec::new();
    let speed = rate(|| {
        for _ in 0..3_000 {
            let mut game = AltoRiesgo::new(&Options::default(), 2).expect("the published game");
            loop {
                match game.turn() {
                    Turn::Chance => game.apply(Step::Chance(game.draw(&mut streams))),
                    Turn::Seat(_) => {
                        moves.clear();
                        game.legal_moves(&mut moves);
                        let nth = streams.of(Purpose::Opening).below(moves.len() as u32);
                        game.apply(Step::Move(moves[nth as usize]));
                    }
                    Turn::Over(_) => break,
                }
            }
        }
        3_000
    });
    println!("whole game, 2 seats, ChaCha20 dice: {speed} random games/s");
}

/// The steps of many random games, as a log holds them.
fn recorded_steps(games: usize) -> Vec<Vec<Step<Move, Roll>>> {
    let mut streams = Streams::new(Hex32::from_text("recorded"));
    let one = |_| {
        let mut game = AltoRiesgo::new(&Options::default(), 2).expect("the published game");
        let mut steps = Vec::new();
        loop {
            let step = match game.turn() {
                Turn::Chance => Step::Chance(game.draw(&mut streams)),
                Turn::Seat(_) => {
                    let mut moves = Vec::new();
                    game.legal_moves(&mut moves);
                    Step::Move(moves[streams.of(Purpose::Opening).below(moves.len() as u32) as usize])
                }
                Turn::Over(_) => return steps,
            };
            steps.push(step.clone());
            game.apply(step);
        }
    };
    (0..games).map(one).collect()
}

/// Checking recorded games: check, apply and canonical bytes of every step.
fn replay() {
    let games = recorded_steps(300);
    let speed = rate(|| {
        let (mut steps, mut bytes) = (0, Vec::new());
        for game in &games {
            let mut position = AltoRiesgo::new(&Options::default(), 2).expect("the published game");
            for step in game {
                match step {
                    Step::Move(mv) => position.check(*mv).expect("recorded"),
                    Step::Chance(roll) => position.check_chance(roll).expect("recorded"),
                    Step::Leave(_) => {}
                }
                position.apply(step.clone());
                bytes.clear();
                position.encode(&mut bytes);
                black_box(&bytes);
                steps += 1;
            }
        }
        steps
    });
    println!("replay with checks and canonical bytes: {speed} steps/s");
}

/// What is written for every ply: the state and the legal moves.
fn shown() {
    let mut positions = Vec::new();
    for game in recorded_steps(20) {
        let mut position = AltoRiesgo::new(&Options::default(), 2).expect("the published game");
        for step in game {
            position.apply(step);
            positions.push(position);
        }
    }
    let mut bytes = Vec::with_capacity(4096);
    let count = positions.len() as u64;
    let states = rate(|| {
        for position in &positions {
            bytes.clear();
            serde_json::to_writer(&mut bytes, &position.view()).expect("plain");
            black_box(&bytes);
        }
        count
    });
    let mut moves = Vec::new();
    let lists = rate(|| {
        for position in &positions {
            moves.clear();
            position.legal_moves(&mut moves);
            black_box(moves.iter().map(|mv| mv.token().len()).sum::<usize>());
        }
        count
    });
    println!("state as JSON: {} ns; legal moves as text: {} ns", 1_000_000_000 / states, 1_000_000_000 / lists);
}
