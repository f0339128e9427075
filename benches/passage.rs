//! The speed of the rules of Passage: perft, random playouts, the parts of a ply.
//!
//! Prints the median of several runs of each. Without `--bench` it does nothing, so that running all tests stays quick.

use std::hint::black_box;
use std::time::{Duration, Instant};

use arbitro::chance::{Purpose, Seed, Streams};
use arbitro::game::{Game, Notation, Step, Turn, perft};
use arbitro::games::passage::{Colour, Move, Options, Passage};

const LAYOUTS: [(&str, Colour); 3] =
    [("RBRBRBRBRBRBRBBRB", Colour::Red), ("RRBRRBBRBBBRRBRBB", Colour::Red), ("BRRBBRBRRBRBRRBBR", Colour::Black)];
const RUNS: usize = 15;
const PLAYOUTS: u32 = 200;

fn main() {
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    for (layout, starter) in LAYOUTS {
        let game = open(layout, starter);
        let mut leaves = 0;
        let time = median(|| leaves = perft(black_box(&game), 4).expect("no chance is left"));
        println!("perft 4 of {layout}: {leaves} leaves in {:.3} ms", time.as_secs_f64() * 1e3);
    }
    playouts("random playouts, repetition 3, 300 plies", &Options::default());
    playouts("random playouts, repetition off, 300 plies", &Options { repetition: 0, ..Options::default() });
    parts();
}

fn open(layout: &str, starter: Colour) -> Passage {
    let options = Options { layout: Some(layout.into()), starter: Some(starter), ..Options::default() };
    Passage::new(&options, 2).expect("the layouts are possible")
}

/// The median time of a run.
fn median(mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort();
    times[RUNS / 2]
}

fn playouts(name: &str, options: &Options) {
    let mut plies = 0;
    let time = median(|| {
        let mut luck = Streams::new(Seed::from_text("bench"));
        plies = (0..PLAYOUTS).map(|_| play_out(options, &mut luck)).sum();
    });
    let seconds = time.as_secs_f64();
    println!("{name}: {:.0} games/s, {:.2} M plies/s", f64::from(PLAYOUTS) / seconds, plies as f64 / seconds / 1e6);
}

fn play_out(options: &Options, luck: &mut Streams) -> u64 {
    let mut game = Passage::new(options, 2).expect("the options are possible");
    let mut moves = Vec::new();
    let mut plies = 0;
    loop {
        match game.turn() {
            Turn::Over(_) => return plies,
            Turn::Chance => {
                let outcome = game.draw(luck);
                game.apply(Step::Chance(outcome));
            }
            Turn::Seat(_) => {
                moves.clear();
                game.legal_moves(&mut moves);
                let choice = luck.of(Purpose::Opening).below(moves.len() as u32);
                game.apply(Step::Move(moves[choice as usize]));
                plies += 1;
            }
        }
    }
}

/// The parts of a ply as the referee has them, over the positions of random games.
fn parts() {
    let mut luck = Streams::new(Seed::from_text("positions"));
    let mut games = Vec::new();
    while games.len() < 1000 {
        let mut game = Passage::new(&Options::default(), 2).expect("the defaults are possible");
        let mut moves = Vec::new();
        while game.end().is_none() {
            if game.turn() == Turn::Chance {
                let outcome = game.draw(&mut luck);
                game.apply(Step::Chance(outcome));
            }
            moves.clear();
            game.legal_moves(&mut moves);
            let choice = moves[luck.of(Purpose::Opening).below(moves.len() as u32) as usize];
            games.push((game.clone(), choice));
            game.apply(Step::Move(choice));
        }
    }
    let each = |name: &str, part: &mut dyn FnMut(&(Passage, Move))| {
        let time = median(|| games.iter().for_each(&mut *part));
        println!("{name}: {:.0} ns", time.as_secs_f64() * 1e9 / games.len() as f64);
    };
    let (mut moves, mut bytes) = (Vec::new(), Vec::new());
    each("list the legal moves", &mut |(game, _)| {
        moves.clear();
        game.legal_moves(&mut moves);
        black_box(&moves);
    });
    each("write the legal moves as JSON", &mut |(game, _)| {
        moves.clear();
        game.legal_moves(&mut moves);
        bytes.clear();
        moves.iter().for_each(|mv| mv.append_item(&mut bytes));
        black_box(&bytes);
    });
    each("count the legal moves", &mut |(game, _)| {
        black_box(game.count_legal());
    });
    each("check a move", &mut |(game, mv)| {
        black_box(game.check(*mv)).expect("the move was listed");
    });
    each("clone", &mut |(game, _)| {
        black_box(game.clone());
    });
    each("clone and make a move", &mut |(game, mv)| {
        let mut next = game.clone();
        next.apply(Step::Move(*mv));
        black_box(&next);
    });
    each("write the view as JSON", &mut |(game, _)| {
        bytes.clear();
        serde_json::to_writer(&mut bytes, &game.view()).expect("a view can be written");
        black_box(&bytes);
    });
    each("canonical bytes", &mut |(game, _)| {
        bytes.clear();
        game.encode(&mut bytes);
        black_box(&bytes);
    });
    each("read a move", &mut |(_, mv)| {
        black_box(black_box(mv.token()).parse::<Move>()).expect("tokens read back");
    });
}
