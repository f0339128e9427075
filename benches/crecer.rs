//! How fast the rules of Crecer are: `cargo bench --bench crecer`.
//!
//! Each figure is the median of many runs, with the first and the third quartile beside it. A run takes about two
//! milliseconds, less than the time slice of a busy machine, so that most runs have a core to themselves.

use std::hint::black_box;
use std::time::Instant;

use arbitro::chance::{Draws, Hex32, Purpose, Streams};
use arbitro::game::{Game, Notation, Step, perft};
use arbitro::games::crecer::{Crecer, MOST_PLIES, Options};

const RUNS: usize = 401;

fn main() {
    // `cargo test --benches` starts this program too, without the argument.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let unlimited = Options { repetition: 0, max_plies: MOST_PLIES, ..Options::default() };
    perft_rate(&unlimited);
    playouts("default options", &Options::default());
    playouts("no repetition, no cap", &unlimited);
    per_ply();
}

/// Prints the median rate of several runs, each of which says how many things it did.
fn rate(what: &str, unit: &str, mut run: impl FnMut() -> u64) {
    let mut rates: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            run() as f64 / start.elapsed().as_secs_f64()
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    let [slow, median, fast] = [rates[RUNS / 4], rates[RUNS / 2], rates[RUNS * 3 / 4]];
    println!("{what:<40} {median:>12.0} {unit}/s   ({slow:.0} to {fast:.0})");
}

fn perft_rate(options: &Options) {
    let game = Crecer::new(options, 2).expect("these options can be played with");
    rate("perft 4, the last ply counted", "leaves", || perft(&game, 4).expect("there is no chance in crecer"));
}

/// Games of about 135 plies, from the start to the end.
fn playouts(what: &str, options: &Options) {
    const GAMES: u64 = 50;
    let start = Crecer::new(options, 2).expect("these options can be played with");
    let mut draws = draws();
    let mut plies = 0;
    rate(&format!("random playouts, {what}"), "games", || {
        plies += (0..GAMES).map(|_| u64::from(play_out(&start, &mut draws).ply())).sum::<u64>();
        GAMES
    });
    println!("{:<40} {:>12.1} plies a game", "", plies as f64 / (GAMES * RUNS as u64) as f64);
}

fn draws() -> Draws {
    Streams::new(Hex32([3; 32])).of(Purpose::Opening).clone()
}

fn play_out(start: &Crecer, draws: &mut Draws) -> Crecer {
    let mut game = start.clone();
    let mut legal = Vec::with_capacity(128);
    while game.end().is_none() {
        legal.clear();
        game.legal_moves(&mut legal);
        game.apply(Step::Move(legal[draws.below(legal.len() as u32) as usize]));
    }
    game
}

/// What the referee asks for at every ply, at a hundred positions of random games.
fn per_ply() {
    const ROUNDS: u64 = 50;
    let positions = positions();
    let each = |what: &str, ask: &mut dyn FnMut(&Crecer)| {
        rate(what, "plies", || {
            (0..ROUNDS).for_each(|_| positions.iter().for_each(&mut *ask));
            ROUNDS * positions.len() as u64
        });
    };
    let mut bytes = Vec::with_capacity(4096);
    each("state as JSON", &mut |game| {
        bytes.clear();
        serde_json::to_writer(&mut bytes, &game.view()).expect("a state can be written");
        black_box(&bytes);
    });
    let mut legal = Vec::with_capacity(128);
    each("legal moves listed", &mut |game| {
        legal.clear();
        game.legal_moves(&mut legal);
        black_box(&legal);
    });
    each("legal moves listed and written", &mut |game| {
        legal.clear();
        game.legal_moves(&mut legal);
        legal.iter().for_each(|mv| _ = black_box(mv.token()));
    });
    each("legal moves counted", &mut |game| _ = black_box(game.count_legal()));
    let mut code = Vec::with_capacity(64);
    each("position encoded", &mut |game| {
        code.clear();
        game.encode(&mut code);
        black_box(&code);
    });
}

fn positions() -> Vec<Crecer> {
    let mut draws = draws();
    let mut game = Crecer::new(&Options::default(), 2).expect("these options can be played with");
    let mut positions = Vec::new();
    while positions.len() < 100 {
        let mut legal = Vec::new();
        game.legal_moves(&mut legal);
        let mut next = game.clone();
        next.apply(Step::Move(legal[draws.below(legal.len() as u32) as usize]));
        if next.end().is_none() {
            game = next;
            positions.push(game.clone());
        } else {
            game = Crecer::new(&Options::default(), 2).expect("these options can be played with");
        }
    }
    positions
}
